//! How good predictions are, and what they are held against.

mod effects;
mod evaluation;
mod judge;

pub use effects::{Effect, Subject, Surface};
pub use effects::{Relevance, relevance};
pub use evaluation::{Evaluation, evaluate};
pub use evaluation::{LooOf, difference, leave_one_out};
pub use evaluation::{LuckAt, luck_at};
pub use evaluation::{NoiseFacts, NoiseTrial};
pub(crate) use judge::linear_error;
pub use judge::{Judgement, Scores, Summary};
