//! What a user may choose, with the defaults, and what may go wrong.

use crate::error::{errors, refuse};
use crate::plain::{CodeError, Plain, Reserved, Switch, plain, within};
use crate::posterior::StoreError;
use crate::predict::PredictError;
use crate::scalar::Real;
use crate::simd::{has_lanes, usual_lanes};
use crate::workspace::WorkspaceError;

plain! {
    /// How a stream is learnt from. Sds are those of the head in standardised units.
    #[repr(C)]
    pub struct StreamOptions<T> {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// Draws to learn with, at least 1: at most so many, evenly spread over those of the model.
        /// Default 64; 8 to 16 on a microcontroller.
        pub draws: u32 = 64,
        /// Draws that are updated together: 1 or 8. Changes speed and memory, never a number. Default 8; 1
        /// on a microcontroller.
        pub lanes: u32 = usual_lanes(),
        /// 1: draws are weighted by how well they have predicted; 0: equally. Default 1.
        pub weighted: Switch = true.into(),
        /// 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// Must be 0.
        pub reserved: Reserved = Reserved::default(),
        /// What a row counts for after the next, in (0, 1]: the head remembers about 1 / (1 - forgetting)
        /// rows. 1: all count the same. Default .98.
        pub forgetting: T = T::lit(0.98),
        /// The same of the noise. Default .98.
        pub noise_forgetting: T = T::lit(0.98),
        /// What a row counts for in the weights after the next, in [0, 1]. Default .9.
        pub weight_forgetting: T = T::lit(0.9),
        /// The rows that the noise as it was fitted counts for at first, and in the long run a third of them: with more,
        /// noise that has fallen to a tenth is never seen as that. Default 10.
        pub noise_rows: T = T::lit(10.0),
        /// The sd of the outer weights about those fitted: the prior that the head leaks back to.
        /// Default 1.
        pub outer_sd: T = T::ONE,
        /// The same of the intercept. Default 1.
        pub intercept_sd: T = T::ONE,
        /// The same of the linear part. Default .3.
        pub linear_sd: T = T::lit(0.3),
    }
}

impl<T: Real> StreamOptions<T> {
    /// The first option that is out of range.
    pub fn check(&self) -> Result<(), StreamError> {
        use StreamError as E;
        self.known()?;
        let share = |x: T| within(x, T::ONE);
        let forget = self.weight_forgetting == T::ZERO || share(self.weight_forgetting);
        refuse(!(share(self.forgetting) && share(self.noise_forgetting) && forget), E::Forgetting)?;
        // Beyond these, squares leave the range of f32.
        let moderate = |x: T| x >= T::lit(1e-6) && x <= T::lit(1e6);
        refuse(
            ![self.outer_sd, self.intercept_sd, self.linear_sd].into_iter().all(moderate),
            E::Sd,
        )?;
        refuse(!moderate(self.noise_rows), E::NoiseRows)?;
        refuse(self.draws == 0, E::Draws)?;
        refuse(!has_lanes(self.lanes), E::Lanes)
    }
}

errors! {
    /// Why a stream learner refused. Nothing has been learnt.
    pub enum StreamError {
        Forgetting = "a forgetting is not inside (0, 1]",
        Sd = "an sd of the head is not between 1e-6 and 1e6",
        NoiseRows = "the rows of the noise are not between 1e-6 and 1e6",
        Draws = "the number of draws is zero",
        Lanes = "the number of lanes is not 1 or 8, or is 8 on a CPU without AVX2 or NEON",
        NotALearner = "the memory holds no stream learner of this version and precision",
        Image = "the image holds values beyond this precision, or a target whose mean is so many sds that it rounds their differences off",
        Network = "the model is not one hidden layer with a linear part and Student-t or Gaussian noise",
        Inputs = "the row has another number of columns than the model",
        Input = "an input is not finite, or beyond 1e9 sds",
        Target = "the target is not finite, or beyond 1e9 sds",
        Level = "the level of an interval must lie inside (0, 1)",
        TooShort = "a buffer is shorter than its size query says",
    }
    from {
        Code(CodeError),
        Memory(WorkspaceError),
        Store(StoreError),
    }
}

impl From<PredictError> for StreamError {
    fn from(e: PredictError) -> Self {
        match e {
            PredictError::Inputs => Self::Inputs,
            PredictError::TooShort => Self::TooShort,
            PredictError::NotFinite | PredictError::Reach => Self::Input,
            PredictError::Level => Self::Level,
            PredictError::OutOfRange => Self::Image,
            PredictError::Network
            | PredictError::Exposure
            | PredictError::Target
            | PredictError::Probability
            | PredictError::Draws => Self::Network,
        }
    }
}
