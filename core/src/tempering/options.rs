//! What parallel tempering is asked to do.

use super::TemperingError;
use crate::error::refuse;
use crate::kernel::adapt::Target;
use crate::plain::{Plain, Switch, below, plain, within};
use crate::scalar::Real;
use crate::simd::{has_lanes, usual_lanes};

plain! {
    /// What parallel tempering is asked to do.
    #[repr(C)]
    pub struct TemperingOptions<T> {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// Chains, at least 1: ladders that run independently of one another. Default 8.
        pub chains: u32 = 8,
        /// Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
        /// Default 8.
        pub lanes: u32 = usual_lanes(),
        /// Temperatures of a chain, at least 1; the prior stands below them besides. Default 5.
        pub temperatures: u32 = 5,
        /// Transitions of every replica between swaps, at least 1. Default 1.
        pub moves: u32 = 1,
        /// Iterations that adapt step sizes and are discarded. Default 500.
        pub warmup: u32 = 500,
        /// Iterations that count, at least 1. Default 1000.
        pub draws: u32 = 1000,
        /// How many of them are stored, evenly spread. Default 1000.
        pub stored: u32 = 1000,
        /// Evaluations of the gradient in one transition, at least 1. Default 3.
        pub leapfrogs: u32 = 3,
        /// 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
        /// The mean probability of acceptance that step sizes are adapted to, inside (0, 1). Default .85.
        pub target_accept: T = T::lit(0.85),
        /// The longest transition, in radians of the prior's rotation; in (0, 3]. Default 1.6.
        pub total_time: T = T::lit(1.6),
        /// Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2.
        pub jitter: T = T::lit(0.2),
    }
}

impl<T: Real> TemperingOptions<T> {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), TemperingError> {
        use TemperingError as E;
        self.known()?;
        refuse(self.chains == 0 || self.chains > u32::MAX - 8, E::Chains)?;
        refuse(!has_lanes(self.lanes), E::Lanes)?;
        refuse(self.temperatures == 0 || self.temperatures > u32::MAX - 1, E::Temperatures)?;
        refuse(self.draws == 0 || self.draws.checked_add(self.warmup).is_none(), E::Draws)?;
        refuse(self.stored > self.draws, E::Stored)?;
        refuse(self.moves == 0 || self.moves.checked_mul(self.warmup.max(1)).is_none(), E::Moves)?;
        refuse(!below(self.target_accept, T::ONE), E::TargetAccept)?;
        refuse(self.leapfrogs == 0, E::Leapfrogs)?;
        refuse(!within(self.total_time, T::lit(3.0)), E::TotalTime)?;
        refuse(!(self.jitter >= T::ZERO && self.jitter < T::ONE), E::Jitter)
    }

    /// What the step sizes aim at.
    pub(super) fn adaptation(&self) -> Target<T> {
        let cap = self.total_time / T::of_u32(self.leapfrogs.max(1));
        Target { acceptance: self.target_accept, cap }
    }
}
