//! What is made of the posterior: draws, its mode, or an approximation about that.

use crate::plain::codes;
use core::ffi::CStr;

codes! {
    /// What a network's fit is.
    pub enum BnnMethod: Method {
        /// Many short chains of Hamiltonian Monte Carlo.
        Hmc = 0 "bnn",
        /// The mode of the posterior density of the coordinates in which the weights' prior is N(0, I), the
        /// scales and the noise's precision logarithms. Those that are learnt are not at the joint mode, which does not
        /// regularise, but where Laplace's evidence of them was largest on a path of MacKay's updates; of the chains'
        /// ascents the one of the largest evidence.
        Map = 1 "map",
        /// The maximum of the likelihood; without hidden layers only.
        MaximumLikelihood = 2 "maximum-likelihood",
        /// Draws of N(mode, H^-1), H minus the Hessian of the log density there (of hidden layers its
        /// generalised Gauss-Newton part). With hidden layers or sampled scales draws that far from the mode may
        /// predict much worse than it does: the Gaussian is in the coordinates, not in the predictions. Those of the
        /// network linearised at the mode do not ([`Bnn::write_linearised`](super::Bnn::write_linearised)).
        Laplace = 3 "laplace",
        /// The same with the diagonal of H alone.
        LaplaceDiagonal = 4 "laplace-diagonal",
        /// Draws of the outputs' weights, intercepts and direct part, all else at the mode.
        LastLayer = 5 "last-layer",
        /// Deep ensembles (Lakshminarayanan et al. 2017): where optimisations (Adam) from independent starts end, all
        /// with equal weights. Scales and noise are climbed in, but where y is a class.
        Ensemble = 6 "ensemble",
        /// Networks whose hidden units are left out at random, as they were in each step of the start.
        Dropout = 7 "dropout",
        /// Draws of the Gaussian without correlations that has the largest evidence lower bound.
        Variational = 8 "variational",
        /// The same of all Gaussians.
        VariationalFull = 9 "variational-full",
        /// The same of those whose covariance is a diagonal and so many columns times their transpose.
        VariationalLowRank = 10 "variational-low-rank",
        /// Bayes by Backprop (Blundell et al. 2015): the Gaussian without correlations, under a mixture of two
        /// scales as prior of z if that is asked for, by the parts of a random partition each epoch.
        Backprop = 11 "backprop",
        /// A random walk on the posterior tempered by T = L/b, likelihood^(1/T) times prior, for L rows and minibatches
        /// of b: the law that the next three aim at, by all rows at each step.
        Tempered = 12 "tempered",
        /// The same walk with the change of the loss from minibatches in the place of that from all rows: biased.
        Batched = 13 "batched",
        /// Stochastic gradient Langevin dynamics (Welling and Teh 2011), without rejection: biased by its step.
        Sgld = 14 "sgld",
        /// The batched walk with a penalty for the noise of the change (Ceperley and Dewing 1999).
        Penalty = 15 "penalty",
        /// SWAG (Maddox et al. 2019): draws of the Gaussian of the later iterates of gradient ascent by minibatches with
        /// a constant step; of several chains the mixture (Multi-SWAG, Wilson and Izmailov 2020).
        Swag = 16 "swag",
    }
}

codes! {
    /// How a mode is sought.
    pub enum Optimiser: Optimiser {
        /// Adam from a random point, then quasi-Newton steps; without hidden layers scoring and Newton's method.
        Ascent = 0 "ascent",
        /// Stochastic gradient ascent by minibatches with Robbins-Monro steps, and nothing else.
        Sgd = 1 "sgd",
    }
}

impl BnnMethod {
    /// The law that its draws aim at, in a line.
    pub const fn law(self) -> &'static CStr {
        match self {
            Self::Hmc => c"the posterior; how chains are spread over its modes is a heuristic",
            Self::Map => c"none: one point, the weights' mode where Laplace's evidence of scales and noise was largest",
            Self::MaximumLikelihood => c"none: one point, the maximum of the likelihood, without a prior",
            Self::Laplace => c"a Gaussian about one mode of the posterior: an approximation",
            Self::LaplaceDiagonal => {
                c"a Gaussian about one mode of the posterior, without correlations: an approximation, too narrow"
            }
            Self::LastLayer => {
                c"the output layer given all else at one mode: exact for Gaussian noise, else a Gaussian; too narrow"
            }
            Self::Ensemble => c"none: points on the way to modes of the posterior from independent starts, of equal weight",
            Self::Dropout => c"none: one optimised network with units left out at random",
            Self::Variational | Self::Backprop => {
                c"the Gaussian without correlations nearest to the posterior by the evidence bound: an approximation, too narrow"
            }
            Self::VariationalFull => {
                c"the Gaussian nearest to the posterior by the evidence bound: an approximation of one mode"
            }
            Self::VariationalLowRank => {
                c"the Gaussian of a diagonal and few columns nearest to the posterior by the evidence bound: an approximation"
            }
            Self::Swag => {
                c"Gaussians of the iterates of gradient ascent by minibatches: as wide as step and batch make them, not as the posterior"
            }
            Self::Tempered => {
                c"the posterior tempered at T = rows/batch, likelihood^(1/T) times prior; T = 1 with full = 1"
            }
            Self::Batched => {
                c"the posterior tempered at T = rows/batch, but biased by the noise of minibatches; T = 1 with full = 1"
            }
            Self::Sgld => {
                c"the posterior tempered at T = rows/batch, but biased by the step; T = 1 with full = 1"
            }
            Self::Penalty => {
                c"the posterior tempered at T = rows/batch, exact if changes of the loss are normal and their variance is known; T = 1 with full = 1"
            }
        }
    }

    /// Whether a fit by it reads the member of its options that has this name: of others hosts say that they would change
    /// nothing. Members that no list has are of all methods.
    pub fn reads(self, member: &str) -> bool {
        match member {
            "draws" | "keep" => !self.is_point(),
            "warmup" | "leapfrogs" => self.samples(),
            "target_accept" | "jitter" | "first_step" => matches!(self, Self::Hmc),
            "drop" | "drop_below" => !self.chooses(),
            "ascent_steps" => self.climbs(),
            "rank" => matches!(self, Self::VariationalLowRank | Self::Swag),
            "pairs" | "prune" => self.fits() && self != Self::Swag,
            "halving" | "mixture" | "wide" | "narrow" => matches!(self, Self::Backprop),
            "minibatches" => matches!(self, Self::Batched | Self::Penalty),
            "penalty" => matches!(self, Self::Penalty),
            "barker" => self.walks() && self != Self::Sgld,
            "full" => self.walks(),
            "step" => self.walks() || self == Self::Swag,
            "decay" => matches!(self, Self::Sgld) || self.seeks(),
            "optimiser" | "average" => self.seeks(),
            "dropout" => matches!(self, Self::Dropout),
            _ => true,
        }
    }

    /// Whether its mode may be sought by stochastic gradients.
    pub(super) const fn seeks(self) -> bool {
        matches!(self, Self::Map | Self::MaximumLikelihood)
    }

    /// Whether it climbs to a mode or fits a distribution, one chain at a time. Its curvature needs digits: such fits are in double
    /// precision where nobody asked.
    pub const fn climbs(self) -> bool {
        !matches!(self, Self::Hmc | Self::Ensemble | Self::Dropout) && !self.walks()
    }

    /// Whether it samples by chains.
    pub const fn samples(self) -> bool {
        matches!(self, Self::Hmc) || self.walks()
    }

    /// Whether its chains are of part of the rows, one at a time.
    pub const fn walks(self) -> bool {
        matches!(self, Self::Tempered | Self::Batched | Self::Sgld | Self::Penalty)
    }

    /// Whether it fits a Gaussian: by the evidence lower bound, or to iterates.
    pub const fn fits(self) -> bool {
        matches!(
            self,
            Self::Variational
                | Self::VariationalFull
                | Self::VariationalLowRank
                | Self::Backprop
                | Self::Swag
        )
    }

    /// Whether scales and noise are where their evidence is largest. Those of an ensemble are not: its joint modes fit
    /// too closely, each in its own way, and their mean predicts better than that of modes that are alike.
    pub(super) const fn weighs(self) -> bool {
        self.climbs() && !self.fits() && !matches!(self, Self::MaximumLikelihood)
    }

    /// Whether the best chain alone is the model.
    pub(super) const fn chooses(self) -> bool {
        self.climbs() && !matches!(self, Self::Swag)
    }

    /// Whether its draws are of a Gaussian about a mode, where a network can be linearised.
    pub(super) const fn spreads(self) -> bool {
        matches!(self, Self::Laplace | Self::LaplaceDiagonal | Self::LastLayer)
    }

    /// Whether a chain comes to one point.
    pub const fn is_point(self) -> bool {
        matches!(self, Self::Map | Self::MaximumLikelihood | Self::Ensemble)
    }
}
