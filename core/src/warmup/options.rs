//! What a warm-up is asked to do, and why it refuses or stops.

use crate::error::{errors, refuse};
use crate::plain::{CodeError, Plain, plain};
use crate::problem::ProblemError;
use crate::workspace::WorkspaceError;

plain! {
    /// What a warm-up is asked to do.
    #[repr(C)]
    pub struct WarmupOptions {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// Ascents, each from a draw of N(0, scale^2 I), or where no points to begin at are given every other one from one
        /// ten or thirty times as wide, in opposite pairs. Default 8.
        pub ascents: u32 = 8,
        /// Steps of one ascent at most. Default 500.
        pub ascent_steps: u32 = 500,
        /// Chains that then move, at least 4. Default 32.
        pub chains: u32 = 32,
        /// Rounds of the chains at most, twice as many where their steps stay short; after each one the frame is
        /// fitted anew. Default 6.
        pub rounds: u32 = 6,
        /// Steps of a trajectory of the first round. Default 2.
        pub leapfrogs: u32 = 2,
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
    }
}

impl WarmupOptions {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), WarmupError> {
        use WarmupError as E;
        self.known()?;
        refuse(self.ascents == 0 || self.ascent_steps == 0, E::Ascents)?;
        refuse(self.chains < 4, E::Chains)?;
        refuse(self.rounds == 0 || self.rounds > 64, E::Rounds)?;
        refuse(self.leapfrogs == 0 || self.leapfrogs as u64 > super::MOST_STEPS, E::Leapfrogs)
    }
}

errors! {
    /// Why a warm-up was refused, or stopped.
    pub enum WarmupError {
        Ascents = "a warm-up needs ascents, and steps of them",
        Chains = "a warm-up needs four chains or more",
        Rounds = "the rounds of a warm-up must be 1 to 64",
        Leapfrogs = "a transition of a warm-up needs 1 to 128 steps",
        NotUser = "only a density of the user's own is warmed up, and in its own coordinates: others have a prior to start from",
        NoGradient = "the density computes no gradient",
        NotAWarmup = "the memory holds no warm-up of this precision and version",
        OtherProblem = "the warm-up was made for another problem",
        Start = "the density or its gradient is not finite at the starting points",
    }
    from {
        Code(CodeError),
        Problem(ProblemError),
        Memory(WorkspaceError),
    }
}
