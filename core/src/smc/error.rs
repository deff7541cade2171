//! Why sequential Monte Carlo was refused, or stopped.

use crate::error::errors;
use crate::plain::CodeError;
use crate::problem::ProblemError;
use crate::workspace::WorkspaceError;

errors! {
    /// Why sequential Monte Carlo was refused, or stopped.
    pub enum SmcError {
        Particles = "the particles must be two or more and a multiple of the lanes",
        Lanes = "lanes must be 1 or 8",
        Ladder = "the ladder of temperatures is out of range",
        Temperatures = "temperatures must be as many as said and increase from above 0 to 1",
        Moves = "there must be a transition between temperatures",
        TargetAccept = "the target acceptance must lie in (0, 1)",
        Leapfrogs = "a transition needs at least one step",
        TotalTime = "the total time must lie in (0, 3]",
        Jitter = "the jitter must lie in [0, 1)",
        /// Student's t and its mixtures are laws to propose from, not to move about.
        Reference = "particles move about the prior or a fitted Gaussian only",
        Stages = "the ladder needs more temperatures than allowed",
        /// A density of the user's own or a network with every parameter free.
        Rows = "this posterior cannot be let in row by row, nor cooled",
        /// Fewer particles than the share are left of its weights: [`SmcOptions::first`](super::SmcOptions) is too
        /// wide for the slope of the likelihood at w = 0.
        First = "the likelihood varies too much over the first Gaussian of the cooling: a smaller one is needed",
        NoGradient = "the density computes no gradient",
        NotAnSmc = "this is not a run of sequential Monte Carlo of this precision and version",
        OtherProblem = "this run was made for another problem",
        /// Or no draw lies in its support.
        Start = "the likelihood is not finite at the draws from the prior",
    }
    from {
        Code(CodeError),
        Problem(ProblemError),
        Memory(WorkspaceError),
    }
}
