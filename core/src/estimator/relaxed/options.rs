//! What greedy least squares is asked to do.

use crate::activation::Activation;
use crate::data::DataError;
use crate::error::{errors, refuse};
use crate::plain::{Code, CodeError, Plain, Switch, below, codes, plain};
use crate::posterior::{StandardiseError, StoreError};
use crate::scalar::Real;
use crate::simd::{has_lanes, usual_lanes};
use crate::workspace::WorkspaceError;

codes! {
    /// How a neuron is chosen, and how it enters.
    pub enum RelaxedMethod: Method {
        /// Relaxed greedy (Jones 1992, Barron 1993): the g that brings (1 - b) f + b g nearest to y at
        /// b = 2/(k + 1), then the best b in \[0, 1\].
        Relaxed = 0 "relaxed",
        /// Frank-Wolfe: the g of the dictionary that is most correlated with y - f, then the best b in
        /// \[0, 1\].
        FrankWolfe = 1 "frank-wolfe",
        /// Orthogonal matching pursuit: the same g, then least squares on all neurons so far. Its weights
        /// leave the hull of the dictionary.
        Orthogonal = 2 "orthogonal",
    }
}

errors! {
    /// Why greedy least squares was refused.
    pub enum RelaxedError {
        Levels = "the number of levels is zero or too large",
        Outer = "the outer weight must be positive and finite",
        Radius = "the radius must be positive and finite",
        Starts = "the starts must be at least 1 and a multiple of the lanes",
        Lanes = "lanes must be 1 or 8",
        Steps = "an ascent needs at least one step",
        NotAFit = "the memory holds no fit of this kind and precision",
        OtherData = "the data are not those that the fit was made for",
        NotDone = "no level is there yet",
    }
    from {
        Code(CodeError),
        Memory(WorkspaceError),
        Standardise(StandardiseError),
        Data(DataError),
        Store(StoreError),
    }
}

plain! {
    /// What a fit is asked to do.
    #[repr(C)]
    pub struct RelaxedOptions<T> {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// An LCC_RELAXED_ method. Default: relaxed greedy.
        pub method: Code<RelaxedMethod> = RelaxedMethod::Relaxed.into(),
        /// An LCC_ACTIVATION_ code. Default: tanh.
        pub activation: Code<Activation> = Activation::Tanh.into(),
        /// Levels K, 1 to 4096. Default 40.
        pub levels: u32 = 40,
        /// Starts of the search for each neuron, a multiple of lanes. Default 16.
        pub starts: u32 = 16,
        /// Steps of ascent from each start, at least 1. Default 60.
        pub steps: u32 = 60,
        /// Starts that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8.
        pub lanes: u32 = usual_lanes(),
        /// 1: standardise inputs and target. Default 1.
        pub standardise: Switch = true.into(),
        /// 1: add a column of ones, so that neurons have a bias. Default 1.
        pub intercept: Switch = true.into(),
        /// 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
        /// V, positive. Default 5.
        pub outer: T = T::lit(5.0),
        /// The radius of the l1 ball, positive. Default 5.
        pub radius: T = T::lit(5.0),
    }
}

impl<T: Real> RelaxedOptions<T> {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), RelaxedError> {
        use RelaxedError as E;
        self.known()?;
        refuse(self.levels == 0 || self.levels > 4096, E::Levels)?;
        refuse(!below(self.outer, T::INFINITY), E::Outer)?;
        refuse(!below(self.radius, T::INFINITY), E::Radius)?;
        refuse(!has_lanes(self.lanes), E::Lanes)?;
        refuse(self.starts == 0 || !self.starts.is_multiple_of(self.lanes), E::Starts)?;
        refuse(self.steps == 0, E::Steps)
    }
}
