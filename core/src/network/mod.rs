//! One network: layers x output x prior.

mod alone;
pub mod architecture;
pub mod auto_encoder;
mod blocks;
mod curvature;
pub mod deep;
mod free;
mod jacobian;
mod mass;
pub mod output;
pub mod pass;
pub mod posterior;
pub mod prior;

pub(crate) use alone::room;
pub use architecture::{Architecture, DEEPEST, Layer};
pub use auto_encoder::{AutoEncoder, Observed};
pub(crate) use blocks::WIDEST;
pub use blocks::{Block, Blocks};
pub(crate) use curvature::{Curvature, factor_len};
pub use deep::{Deep, DeepPosterior, FirstLayer};
pub use free::FreeNetwork;
pub(crate) use output::GROUP;
pub use output::{Family, Output};
pub use pass::{Pass, Point};
pub use posterior::{Places, Posterior};
pub use prior::{Group, Groups, Scales, WeightPrior};
