//! Fits of the network: what a user may ask, and the work on threads, by the clock, with checkpoints.

mod checkpoint;
mod clock;
mod outcome;
mod pace;
mod pilot;
mod run;
mod settings;

pub use checkpoint::Checkpoint;
pub use clock::Clock;
pub use outcome::Fit;
pub use pilot::{calibrate, choose_output, pilot_share};
pub use run::fit;
pub use settings::{Settings, widths};

pub(crate) use pace::{Pace, least, level, threads_for};
