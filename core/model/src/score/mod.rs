//! How good predictions are, and what they are held against.

mod effects;
mod evaluation;
mod hurdle;
mod judge;
mod linear;
mod loo;
mod luck;
mod noise;
mod relevance;

pub use effects::{Effect, Subject, Surface};
pub use evaluation::{Evaluation, evaluate};
pub use judge::{Judgement, Scores, Summary};
pub(crate) use linear::linear_error;
pub use loo::{LooOf, difference, leave_one_out};
pub use luck::{LuckAt, luck_at};
pub use noise::{NoiseFacts, NoiseTrial};
pub use relevance::{Relevance, relevance};
