//! Why sequential Monte Carlo was refused, or stopped.

use crate::problem::ProblemError;
use crate::workspace::WorkspaceError;
use core::fmt;

/// Why sequential Monte Carlo was refused, or stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmcError {
    /// The particles are fewer than two, too many, or no multiple of the lanes.
    Particles,
    /// Lanes are neither 1, 4 nor 8.
    Lanes,
    /// The ladder's own numbers are out of their range.
    Ladder,
    /// The temperatures given do not increase from above 0 to 1, or there are none where the ladder
    /// is to be given.
    Temperatures,
    /// There are no transitions between temperatures.
    Moves,
    /// The target acceptance is not in (0, 1).
    TargetAccept,
    /// A transition has no steps.
    Leapfrogs,
    /// The total time is not in (0, 3].
    TotalTime,
    /// The jitter is not in [0, 1).
    Jitter,
    /// The reference is neither the prior nor a Gaussian: Student's t and its mixtures are laws to propose
    /// from, not to move about.
    Reference,
    /// The adaptive ladder needs more temperatures than allowed.
    Stages,
    /// The user's density computes no gradient.
    NoGradient,
    /// The posterior was refused.
    Problem(ProblemError),
    /// The memory was refused.
    Memory(WorkspaceError),
    /// The memory does not hold a run of this precision and version.
    NotAnSmc,
    /// The problem is not the one that the run was made for.
    OtherProblem,
    /// The likelihood is NaN or infinite at a draw from the prior, or no draw lies in its support.
    Start,
}

impl fmt::Display for SmcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Particles => "the particles must be two or more and a multiple of the lanes",
            Self::Lanes => "lanes must be 1 or 8",
            Self::Ladder => "the ladder of temperatures is out of range",
            Self::Temperatures => "temperatures must increase from above 0 to 1",
            Self::Moves => "there must be a transition between temperatures",
            Self::TargetAccept => "the target acceptance must lie in (0, 1)",
            Self::Leapfrogs => "a transition needs at least one step",
            Self::TotalTime => "the total time must lie in (0, 3]",
            Self::Jitter => "the jitter must lie in [0, 1)",
            Self::Reference => "particles move about the prior or a fitted Gaussian only",
            Self::Stages => "the ladder needs more temperatures than allowed",
            Self::NoGradient => "the density computes no gradient",
            Self::Problem(e) => return e.fmt(f),
            Self::Memory(e) => return e.fmt(f),
            Self::NotAnSmc => "this is not a run of sequential Monte Carlo of this precision",
            Self::OtherProblem => "this run was made for another problem",
            Self::Start => "the likelihood is not finite at the draws from the prior",
        })
    }
}

impl core::error::Error for SmcError {}

impl From<ProblemError> for SmcError {
    fn from(e: ProblemError) -> Self {
        Self::Problem(e)
    }
}

impl From<WorkspaceError> for SmcError {
    fn from(e: WorkspaceError) -> Self {
        Self::Memory(e)
    }
}
