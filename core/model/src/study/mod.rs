//! A fit of a file: its rows, a method, held-out rows, and what is said of it.

mod cross;
mod fit;
mod note;
mod others;
mod remark;
mod request;
mod sources;

pub use cross::{Curve, cross, curve};
pub use fit::{Outcome, fit_and_judge};
pub use note::{note_lines, note_method, note_options, update_name};
pub use others::Others;
pub use remark::Remark;
pub use request::{Held, Method, Request};
pub use sources::{Learned, Sources};
