//! The papers' posteriors of residuals or of a network of fixed outer weights, and what draws from them.

mod certify;
mod drawn;

pub use certify::{Certified, Entry, certify};

use crate::engine::{Copied, Number, in_precision};
use crate::fault::{Fault, at};
use crate::rows::Rows;
use lcc_core::activation::Activation;
use lcc_core::certificate::Probing;
use lcc_core::coupling::Sides;
use lcc_core::likelihood::Signs;
use lcc_core::prior::{Prior, PriorKind};
use lcc_core::problem::Problem;
use lcc_core::sampler::{self, Method};
use lcc_core::{smc, warmup};

/// What draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// What looks at the posterior, and chooses.
    Auto,
    /// Chains of one method.
    Chains(Method),
}

/// A posterior, and how it is drawn from.
#[derive(Clone, Debug)]
pub struct Posterior {
    /// A network of several hidden units; else one, given residuals.
    pub joint: bool,
    /// psi.
    pub activation: Activation,
    /// Of w.
    pub prior: PriorKind,
    /// Its sd, or the radius of the ball.
    pub scale: f64,
    /// The tilt; `None`: 1/sqrt(n).
    pub alpha: Option<f64>,
    /// Hidden units of the network.
    pub neurons: u32,
    /// Its outer weight.
    pub outer: f64,
    /// The noise's precision.
    pub beta: f64,
    /// Of the outer weights.
    pub signs: Signs,
    /// What draws.
    pub sampler: Chooser,
    /// Of methods on xi.
    pub coupling: Sides,
    /// Couples only beyond the prior's own curvature.
    pub reduced: bool,
    /// Chains.
    pub chains: u32,
    /// Their warm-up.
    pub warmup: u32,
    /// Their draws.
    pub draws: u32,
    /// Names the random numbers.
    pub seed: u64,
    /// In double precision.
    pub double: bool,
}

/// A precision in which posteriors are drawn from.
pub(crate) trait Sampled:
    Number + sampler::Compiled + smc::Compiled + warmup::Compiled + Probing
{
}

impl Sampled for f32 {}
impl Sampled for f64 {}

impl Posterior {
    /// That the rows fit the precision.
    fn check(&self, rows: &Rows) -> Result<(), Fault> {
        if self.double { Ok(()) } else { rows.fits_single() }
    }

    /// As the core has it.
    fn problem<'d, T: Number>(&self, rows: &'d Copied<T>) -> Result<Problem<'d, T>, Fault> {
        let doing = "the posterior";
        let data = rows.data()?;
        let prior = Prior::of(self.prior, T::lit(self.scale));
        if self.joint {
            let (neurons, signs) = (self.neurons as usize, self.signs);
            let (outer, beta) = (T::lit(self.outer), T::lit(self.beta));
            return Problem::joint(data, self.activation, prior, neurons, outer, beta, signs)
                .map_err(at(doing));
        }
        let usual = T::ONE / T::of_usize(data.n()).sqrt();
        let alpha = self.alpha.map_or(usual, T::lit);
        Problem::greedy(data, self.activation, prior, alpha).map_err(at(doing))
    }
}
