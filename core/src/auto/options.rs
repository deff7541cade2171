//! What `auto` is asked to do, and why it refuses or stops.

use crate::sampler::SamplerError;
use crate::simd::{has_lanes, usual_lanes};
use crate::smc::SmcError;
use crate::workspace::WorkspaceError;
use core::fmt;

/// The options. [`Default`] holds real values, all in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoOptions {
    /// Chains, even (they run in antithetic pairs) and at least 4. Default 16.
    pub chains: u32,
    /// Chains or particles that advance in lock-step: 1 or 8. Changes no number. Default 8.
    pub lanes: u32,
    /// Particles of the pilot, a multiple of the lanes and at least 64; four times as many where the
    /// posterior is near its prior (two or three temperatures). A mode in which no particle stands is not
    /// seen. Default 512.
    pub pilot: u32,
    /// Iterations in which each chain adapts its step size, on from the pilot. Default 100.
    pub warmup: u32,
    /// Iterations of each chain that count, and are stored; at least 8. Default 1000. Where sequential
    /// Monte Carlo takes over, it has as many particles as there would have been draws.
    pub draws: u32,
    /// Names the random numbers. Default 1.
    pub seed: u64,
}

impl Default for AutoOptions {
    fn default() -> Self {
        Self { chains: 16, lanes: usual_lanes(), pilot: 512, warmup: 100, draws: 1000, seed: 1 }
    }
}

impl AutoOptions {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), AutoError> {
        if self.chains < 4 || !self.chains.is_multiple_of(2) {
            return Err(AutoError::Chains);
        }
        if !has_lanes(self.lanes) {
            return Err(AutoError::Lanes);
        }
        let pilot = self.pilot.checked_mul(super::AGAIN).is_some();
        if self.pilot < 64 || !self.pilot.is_multiple_of(self.lanes) || !pilot {
            return Err(AutoError::Pilot);
        }
        let total = self.draws.checked_add(self.warmup);
        if self.draws < 8 || total.is_none() || self.particles().is_none() {
            return Err(AutoError::Draws);
        }
        Ok(())
    }

    /// The particles of a run that takes over: the draws of all chains, rounded up to full blocks.
    pub(super) fn particles(&self) -> Option<u32> {
        self.chains.checked_mul(self.draws)?.checked_next_multiple_of(self.lanes)
    }
}

/// Why `auto` was refused, or stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoError {
    /// The chains are fewer than four, or odd.
    Chains,
    /// Lanes are neither 1, 4 nor 8.
    Lanes,
    /// The pilot has fewer than 64 particles, or no multiple of the lanes.
    Pilot,
    /// There are fewer than 8 draws, or too many.
    Draws,
    /// The memory was refused.
    Memory(WorkspaceError),
    /// The memory does not hold such a run of this precision and version.
    NotAnAuto,
    /// The problem is not the one that the run was made for.
    OtherProblem,
    /// The particles were refused, or stopped.
    Smc(SmcError),
    /// The chains were refused, or stopped.
    Sampler(SamplerError),
}

impl fmt::Display for AutoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chains => "the chains must be four or more, and even",
            Self::Lanes => "lanes must be 1 or 8",
            Self::Pilot => "the pilot needs 64 particles or more, a multiple of the lanes",
            Self::Draws => "the draws must be 8 or more, and fit in 32 bits with all chains",
            Self::NotAnAuto => "the memory holds no such run of this precision and version",
            Self::OtherProblem => "the run was made for another problem",
            Self::Memory(e) => return e.fmt(f),
            Self::Smc(e) => return e.fmt(f),
            Self::Sampler(e) => return e.fmt(f),
        })
    }
}

impl core::error::Error for AutoError {}

impl From<WorkspaceError> for AutoError {
    fn from(e: WorkspaceError) -> Self {
        Self::Memory(e)
    }
}

impl From<SmcError> for AutoError {
    fn from(e: SmcError) -> Self {
        match e {
            SmcError::Memory(e) => Self::Memory(e),
            SmcError::OtherProblem => Self::OtherProblem,
            e => Self::Smc(e),
        }
    }
}

impl From<SamplerError> for AutoError {
    fn from(e: SamplerError) -> Self {
        match e {
            SamplerError::Memory(e) => Self::Memory(e),
            SamplerError::OtherProblem => Self::OtherProblem,
            e => Self::Sampler(e),
        }
    }
}
