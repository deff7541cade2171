//! Draws from one posterior, greedy or joint: chains, particles, tempered chains, or whichever of them suits; and what is
//! certified of it.

mod certify;
mod held;
mod model;
mod run;
mod sampled;
mod settings;

pub use certify::{Certified, Entry, ProbeSettings, certify, certify_quick};
pub use run::sample;
pub use sampled::{Drawn, Sampled};
pub use sampled::{Losses, Online};
pub use settings::Temperatures;
pub use settings::{ChainSettings, Inner, SampleSettings, Sampler, sampler_names};
pub use settings::{Form, Posterior, Wanted};
