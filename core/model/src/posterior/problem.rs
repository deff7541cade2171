//! The posterior that is sampled.

use crate::engine::Number;
use crate::fault::{Fault, at};
use lcc_core::activation::Activation;
use lcc_core::data::Dataset;
use lcc_core::likelihood::Signs;
use lcc_core::prior::{Prior, PriorKind};
use lcc_core::problem::Problem;

/// Of how many hidden units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One, given residuals, which are the target.
    Greedy,
    /// All of a network, with fixed outer weights.
    Joint,
}

impl Form {
    /// Both, by name.
    pub const NAMES: [(&'static str, Self); 2] = [("greedy", Self::Greedy), ("joint", Self::Joint)];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

/// Priors by name.
pub fn prior_names() -> [(&'static str, PriorKind); 2] {
    [("gaussian", PriorKind::Gaussian), ("l1", PriorKind::L1Ball)]
}

/// Signs of the outer weights by name.
pub fn sign_names() -> [(&'static str, Signs); 2] {
    [("alternating", Signs::Alternating), ("positive", Signs::Positive)]
}

/// All that is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Posterior {
    /// Greedy or joint.
    pub form: Form,
    /// The activation.
    pub activation: Activation,
    /// The prior of each weight vector ...
    pub prior: PriorKind,
    /// ... and its sd or radius.
    pub scale: f64,
    /// Greedy: the tilt; `None`: 1/sqrt(n).
    pub alpha: Option<f64>,
    /// Joint: hidden units.
    pub neurons: u32,
    /// Joint: the outer weight V.
    pub outer: f64,
    /// Joint: the precision of the noise.
    pub beta: f64,
    /// Joint: the signs of the outer weights.
    pub signs: Signs,
}

impl Default for Posterior {
    fn default() -> Self {
        Self {
            form: Form::Greedy,
            activation: Activation::Tanh,
            prior: PriorKind::Gaussian,
            scale: 1.0,
            alpha: None,
            neurons: 8,
            outer: 4.0,
            beta: 1.0,
            signs: Signs::Alternating,
        }
    }
}

impl Posterior {
    /// The prior's name.
    pub fn prior_name(&self) -> &'static str {
        prior_names()[self.prior as usize].0
    }

    /// The name of the signs.
    pub fn sign_name(&self) -> &'static str {
        sign_names()[self.signs as usize].0
    }

    pub(super) fn of<'d, T: Number>(&self, data: Dataset<'d, T>) -> Result<Problem<'d, T>, Fault> {
        let prior = Prior::of(self.prior, T::lit(self.scale));
        let problem = match self.form {
            Form::Greedy => {
                let usual = || T::ONE / T::of_usize(data.n()).sqrt();
                let alpha = self.alpha.map_or_else(usual, T::lit);
                Problem::greedy(data, self.activation, prior, alpha)
            }
            Form::Joint => {
                let (outer, beta) = (T::lit(self.outer), T::lit(self.beta));
                let neurons = self.neurons as usize;
                Problem::joint(data, self.activation, prior, neurons, outer, beta, self.signs)
            }
        };
        problem.map_err(at("the posterior"))
    }
}

/// A posterior and its rows. (A problem of the core may borrow a function that is not for other threads.)
#[derive(Clone, Copy)]
pub(super) struct About<'d, T> {
    pub(super) posterior: Posterior,
    pub(super) data: Dataset<'d, T>,
}

impl<'d, T: Number> About<'d, T> {
    pub(super) fn problem(&self) -> Result<Problem<'d, T>, Fault> {
        self.posterior.of(self.data)
    }
}
