//! One network: layers x output x prior.

pub mod architecture;
pub mod output;

pub use architecture::{Architecture, DEEPEST, Layer};
pub use output::{Family, Output};
