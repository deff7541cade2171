//! What `auto` is asked to do, and why it refuses or stops.

use crate::error::{errors, refuse};
use crate::plain::{CodeError, Plain, Reserved, Switch, plain};
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
        /// 1: plain loops, or AVX2 for 8 lanes on an x86-64. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// Must be 0.
        pub reserved: Reserved = Reserved::default(),
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
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

    /// The particles of a run that takes over: the draws of all chains, rounded up to full blocks.
    pub(super) fn particles(&self) -> Option<u32> {
        self.chains.checked_mul(self.draws)?.checked_next_multiple_of(self.lanes)
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
