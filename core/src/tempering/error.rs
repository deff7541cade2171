//! Why parallel tempering was refused, or stopped.

use crate::error::errors;
use crate::plain::CodeError;
use crate::problem::ProblemError;
use crate::workspace::WorkspaceError;

errors! {
    /// Why parallel tempering was refused, or stopped.
    pub enum TemperingError {
        Chains = "the number of chains is zero or too large",
        Lanes = "lanes must be 1 or 8",
        Temperatures = "temperatures must increase from above 0 to 1",
        Draws = "the number of draws is zero or too large",
        Stored = "more draws are to be stored than made",
        Moves = "the number of transitions between swaps is zero or too large",
        TargetAccept = "the target acceptance must lie in (0, 1)",
        Leapfrogs = "a transition needs at least one step",
        TotalTime = "the total time must lie in (0, 3]",
        Jitter = "the jitter must lie in [0, 1)",
        NoGradient = "the density computes no gradient",
        NotATempering = "this is not parallel tempering of this precision",
        OtherProblem = "this parallel tempering was made for another problem",
        Start = "the likelihood is not finite at a draw from the prior",
    }
    from {
        Code(CodeError),
        Problem(ProblemError),
        Memory(WorkspaceError),
    }
}
