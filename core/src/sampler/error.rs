//! Why a sampler was refused, or stopped.

use crate::problem::ProblemError;
use crate::workspace::WorkspaceError;
use core::fmt;

/// Why a sampler was refused, or stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SamplerError {
    /// There are no chains, or too many.
    Chains,
    /// Antithetic pairs of an odd number of chains, or from an odd chain on.
    Pairs,
    /// Student's t and mixtures are references of independence Metropolis only, and methods on the l1
    /// ball have none but the prior.
    Reference,
    /// A fitted reference needs a pilot to be fitted to.
    NoPilot,
    /// The pilot belongs to another problem.
    OtherPilot,
    /// Lanes are neither 1, 4 nor 8.
    Lanes,
    /// There are no draws, or warm-up and draws together pass 2^32 - 1.
    Draws,
    /// More draws are to be stored than made.
    Stored,
    /// The target acceptance is not in (0, 1).
    TargetAccept,
    /// A transition has no steps.
    Leapfrogs,
    /// The total time is not in (0, 3].
    TotalTime,
    /// The jitter is not in [0, 1).
    Jitter,
    /// There are no inner transitions, or too many.
    Inner,
    /// The Langevin step is not in (0, 2].
    LangevinStep,
    /// A reverse diffusion has no levels, or too many.
    Levels,
    /// The diffusion time is not in (0, 4].
    DiffusionTime,
    /// The reduced coupling needs a Gaussian prior.
    Reduced,
    /// The inner method is coupled itself, or biased.
    InnerMethod,
    /// The method works on the l1 ball, and the prior is another.
    NeedsBall,
    /// The posterior has no coupling: its residuals have no bound (an unbounded activation in a
    /// joint posterior under a Gaussian prior).
    NoCoupling,
    /// The neuron's sign is summed out, and a coupling is that of one sign.
    Signed,
    /// The method needs a gradient, and the user's density computes none.
    NoGradient,
    /// The posterior was refused.
    Problem(ProblemError),
    /// The memory was refused.
    Memory(WorkspaceError),
    /// The memory does not hold a sampler of this precision and version.
    NotASampler,
    /// The problem is not the one that the sampler was made for.
    OtherProblem,
    /// The density is not finite at a chain's starting point.
    Start,
    /// The parts are not of this sampler, leave chains out, or stand at different iterations or inside one.
    Parts,
}

impl fmt::Display for SamplerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chains => "the number of chains is zero or too large",
            Self::Pairs => "antithetic pairs need an even number of chains, from an even one on",
            Self::Reference => {
                "Student's t and mixtures are references of independence Metropolis only, and methods \
                 on the l1 ball have none but the prior"
            }
            Self::NoPilot => "a fitted reference needs a pilot",
            Self::OtherPilot => "the pilot belongs to another problem",
            Self::Lanes => "lanes must be 1 or 8",
            Self::Draws => "the number of draws is zero or too large",
            Self::Stored => "more draws are to be stored than made",
            Self::TargetAccept => "the target acceptance must lie in (0, 1)",
            Self::Leapfrogs => "a transition needs at least one step",
            Self::TotalTime => "the total time must lie in (0, 3]",
            Self::Jitter => "the jitter must lie in [0, 1)",
            Self::Inner => "the number of inner transitions is zero or too large",
            Self::LangevinStep => "the Langevin step must lie in (0, 2]",
            Self::Levels => "the number of levels is zero or too large",
            Self::DiffusionTime => "the diffusion time must lie in (0, 4]",
            Self::Reduced => "the reduced coupling needs a Gaussian prior",
            Self::InnerMethod => "the inner method must be exact and not coupled itself",
            Self::NeedsBall => "the method works on the l1 ball: it needs the l1 prior",
            Self::Signed => "a neuron whose sign is summed out has no coupling",
            Self::NoCoupling => "the posterior has no coupling: its residuals have no bound",
            Self::NoGradient => "the method needs a gradient, and the density computes none",
            Self::Problem(e) => return e.fmt(f),
            Self::Memory(e) => return e.fmt(f),
            Self::NotASampler => "the memory holds no sampler of this precision and version",
            Self::OtherProblem => "the sampler was made for another problem",
            Self::Start => "the density is not finite at a starting point",
            Self::Parts => {
                "the parts are not of this sampler, leave chains out, or stand at different iterations or inside one"
            }
        })
    }
}

impl core::error::Error for SamplerError {}

impl From<WorkspaceError> for SamplerError {
    fn from(e: WorkspaceError) -> Self {
        Self::Memory(e)
    }
}

impl From<ProblemError> for SamplerError {
    fn from(e: ProblemError) -> Self {
        Self::Problem(e)
    }
}
