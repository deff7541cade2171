//! Why a sampler was refused, or stopped.

use crate::error::errors;
use crate::plain::CodeError;
use crate::problem::ProblemError;
use crate::workspace::WorkspaceError;

errors! {
    /// Why a sampler was refused, or stopped.
    pub enum SamplerError {
        Chains = "the number of chains is zero or too large",
        Pairs = "antithetic pairs need an even number of chains, from an even one on",
        Reference = "Student's t and mixtures are references of independence Metropolis only, and methods on the l1 ball or over layers have none but the prior",
        NoPilot = "a fitted reference needs a pilot",
        OtherPilot = "the pilot belongs to another problem",
        Lanes = "lanes must be 1 or 8",
        Draws = "the number of draws is zero or too large",
        Stored = "more draws are to be stored than made",
        TargetAccept = "the target acceptance must lie in (0, 1)",
        Leapfrogs = "a transition needs at least one step",
        TotalTime = "the total time must lie in (0, 3]",
        Jitter = "the jitter must lie in [0, 1)",
        ShortSteps = "the share of short steps must lie in [0, 1)",
        Inner = "the number of inner transitions is zero or too large",
        LangevinStep = "the Langevin step must lie in (0, 2]",
        Levels = "the number of levels is zero or too large",
        DiffusionTime = "the diffusion time must lie in (0, 4]",
        Reduced = "the reduced coupling needs a Gaussian prior",
        InnerMethod = "the inner method must be exact and not coupled itself",
        NeedsBall = "the method works on the l1 ball: it needs the l1 prior",
        /// An unbounded activation in a joint posterior under a Gaussian prior; several layers but by coupled Gibbs under
        /// the l1 prior.
        NoCoupling = "the posterior has no coupling: its residuals have no bound, or it has several layers and the method is not coupled Gibbs on the l1 ball",
        Kink = "the activation has a kink: its curvature has no bound, and there is no coupling",
        Signed = "a neuron whose sign is summed out has no coupling",
        NoGradient = "the method needs a gradient, and the density computes none",
        NotASampler = "the memory holds no sampler of this precision and version",
        OtherProblem = "the sampler was made for another problem",
        Start = "the density is not finite at a starting point",
        Parts = "the parts are not of this sampler, leave chains out, or stand at different iterations or inside one",
    }
    from {
        Code(CodeError),
        Problem(ProblemError),
        Memory(WorkspaceError),
    }
}
