//! Why parallel tempering was refused, or stopped.

use crate::problem::ProblemError;
use crate::workspace::WorkspaceError;
use core::fmt;

/// Why parallel tempering was refused, or stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemperingError {
    /// There are no chains, or too many.
    Chains,
    /// Lanes are neither 1, 4 nor 8.
    Lanes,
    /// The temperatures are not as many as said, or do not increase from above 0 to 1.
    Temperatures,
    /// There are no draws, or warm-up and draws together pass 2^32 - 1.
    Draws,
    /// More draws are to be stored than made.
    Stored,
    /// There are no transitions between swaps, or too many in all.
    Moves,
    /// The target acceptance is not in (0, 1).
    TargetAccept,
    /// A transition has no steps.
    Leapfrogs,
    /// The total time is not in (0, 3].
    TotalTime,
    /// The jitter is not in [0, 1).
    Jitter,
    /// The user's density computes no gradient.
    NoGradient,
    /// The posterior was refused.
    Problem(ProblemError),
    /// The memory was refused.
    Memory(WorkspaceError),
    /// The memory does not hold parallel tempering of this precision and version.
    NotATempering,
    /// The problem is not the one that it was made for.
    OtherProblem,
    /// The likelihood is NaN or infinite at a draw from the prior.
    Start,
}

impl fmt::Display for TemperingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chains => "the number of chains is zero or too large",
            Self::Lanes => "lanes must be 1 or 8",
            Self::Temperatures => "temperatures must increase from above 0 to 1",
            Self::Draws => "the number of draws is zero or too large",
            Self::Stored => "more draws are to be stored than made",
            Self::Moves => "the number of transitions between swaps is zero or too large",
            Self::TargetAccept => "the target acceptance must lie in (0, 1)",
            Self::Leapfrogs => "a transition needs at least one step",
            Self::TotalTime => "the total time must lie in (0, 3]",
            Self::Jitter => "the jitter must lie in [0, 1)",
            Self::NoGradient => "the density computes no gradient",
            Self::Problem(e) => return e.fmt(f),
            Self::Memory(e) => return e.fmt(f),
            Self::NotATempering => "this is not parallel tempering of this precision",
            Self::OtherProblem => "this parallel tempering was made for another problem",
            Self::Start => "the likelihood is not finite at a draw from the prior",
        })
    }
}

impl core::error::Error for TemperingError {}

impl From<ProblemError> for TemperingError {
    fn from(e: ProblemError) -> Self {
        Self::Problem(e)
    }
}

impl From<WorkspaceError> for TemperingError {
    fn from(e: WorkspaceError) -> Self {
        Self::Memory(e)
    }
}
