//! The other ways to fit: few long chains, the papers' greedy forms, and following a stream.

mod greedy;
mod long;
mod prequential;
mod relaxed;
mod stream;

pub use greedy::{GreedySettings, fit_greedy};
pub use long::fit_long;
pub use prequential::{Ahead, fit_prequential};
pub use prequential::{Candidate, Choice};
pub use relaxed::{Last, fit_relaxed};
pub use stream::{Followed, StreamSettings, follow};
