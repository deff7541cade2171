//! What `auto` is asked to do, and why it refuses or stops.

use crate::error::{errors, refuse};
use crate::plain::{CodeError, Plain, Switch, plain};
use crate::sampler::SamplerError;
use crate::simd::{has_lanes, usual_lanes};
use crate::smc::SmcError;
use crate::warmup::WarmupError;
use crate::workspace::WorkspaceError;

plain! {
    /// What a run is asked to do.
    #[repr(C)]
    pub struct AutoOptions {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// Chains, even (they run in antithetic pairs) and at least 4. Default 16.
        pub chains: u32 = 16,
        /// Chains or particles that advance in lock-step: 1 or 8. Changes speed and memory, never a
        /// number. Default 8.
        pub lanes: u32 = usual_lanes(),
        /// Particles of the pilot, a multiple of the lanes and at least 64; four times as many where the
        /// posterior is near its prior (two or three temperatures). A mode in which no particle stands is not
        /// seen. Default 512.
        pub pilot: u32 = 512,
        /// Iterations in which each chain adapts its step size, on from the pilot. Default 100.
        pub warmup: u32 = 100,
        /// Iterations of each chain that count, at least 8; they are stored. Default 1000. Where sequential
        /// Monte Carlo takes over, it has as many particles as there would have been draws.
        pub draws: u32 = 1000,
        /// 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// Effective draws, in bulk and in tail, that each functional by which chains are judged is to have (a coordinate of
        /// a density of the user's own; one chain of each pair counts): chains that have them and agree end, after `draws`
        /// each at the latest. For up to 2000 a pilot is not made again, chains adapt for two fifths of `warmup`, and where
        /// particles take over they are four pilots at most. 0: chains make all draws. Default 0.
        pub ess: u32 = 0,
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
        /// Evaluations of the likelihood or density, over all chains and particles, that a run does not exceed; once a third
        /// is used up nothing is begun anew, and up to 200000 all is as with a small `ess`. 0: as many as it takes. Default 0.
        pub max_gradients: u64 = 0,
    }
}

impl AutoOptions {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), AutoError> {
        use AutoError as E;
        self.known()?;
        refuse(self.chains < 4 || !self.chains.is_multiple_of(2), E::Chains)?;
        refuse(!has_lanes(self.lanes), E::Lanes)?;
        let pilot = self.pilot.checked_mul(super::plan::AGAIN).is_some();
        refuse(self.pilot < 64 || !self.pilot.is_multiple_of(self.lanes) || !pilot, E::Pilot)?;
        let total = self.draws.checked_add(self.warmup);
        refuse(self.draws < 8 || total.is_none() || self.particles().is_none(), E::Draws)
    }

    /// The particles of a run that takes over: the draws of all chains, rounded up to full blocks; where few are asked for, a few
    /// pilots at most.
    pub(super) fn particles(&self) -> Option<u32> {
        let all = self.chains.checked_mul(self.draws)?.checked_next_multiple_of(self.lanes)?;
        let pilots = self.pilot.checked_mul(super::plan::AGAIN)?;
        Some(if self.asks_for_few() { all.min(pilots) } else { all })
    }
}

errors! {
    /// Why `auto` was refused, or stopped.
    pub enum AutoError {
        Chains = "the chains must be four or more, and even",
        Lanes = "lanes must be 1 or 8",
        Pilot = "the pilot needs 64 particles or more, a multiple of the lanes",
        Draws = "the draws must be 8 or more, and fit in 32 bits with all chains",
        NotAnAuto = "the memory holds no such run of this precision and version",
        OtherProblem = "the run was made for another problem",
        Improper = "the density rises without end along a coordinate, as the negative of a log density does",
        WrongGradient = "the gradient is not the derivative of the density",
        Gradients = "the run was stopped, or took all the gradients that it may, before there were draws",
    }
    from {
        Code(CodeError),
        Memory(WorkspaceError),
    }
    also {
        Smc(SmcError),
        Sampler(SamplerError),
        Warmup(WarmupError),
    }
}

impl From<WarmupError> for AutoError {
    fn from(e: WarmupError) -> Self {
        match e {
            WarmupError::Memory(e) => Self::Memory(e),
            WarmupError::OtherProblem => Self::OtherProblem,
            e => Self::Warmup(e),
        }
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
