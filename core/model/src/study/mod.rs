//! A fit of a file: its rows, a method, held-out rows, and what is said of it.

mod fit;
mod note;
mod others;
mod request;

pub use fit::{Curve, cross, curve};
pub use fit::{Outcome, fit_and_judge};
pub use note::Remark;
pub use note::{note_lines, note_method, note_options};
pub(crate) use note::{note_rhat, note_rows};
pub use others::Others;
pub use request::{Held, Method, Request};
pub use request::{Learned, Sources};
