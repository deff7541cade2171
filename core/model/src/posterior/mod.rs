//! Draws from one posterior, greedy or joint: chains, particles, tempered chains, or whichever of them suits; and what is
//! certified of it.

mod certify;
mod held;
mod ladder;
mod online;
mod problem;
mod report;
mod run;
mod sampled;
mod settings;
mod summary;

pub use certify::{Certified, Entry, ProbeSettings, certify, certify_quick};
pub use ladder::Temperatures;
pub use online::{Losses, Online};
pub use problem::{Form, Posterior, prior_names, sign_names};
pub use run::sample;
pub use sampled::{Drawn, Sampled};
pub use settings::{ChainSettings, Inner, SampleSettings, Sampler, sampler_names};
