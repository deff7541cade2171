//! What models predict numbers by: networks of any depth and output, or in a build without the feature `networks`
//! those of one hidden layer and Student-t noise alone, which a small program links without the others. What is for
//! classes alone reads any network in every build.

#[cfg(feature = "networks")]
mod by {
    use crate::status::lcc_status::{self, *};
    use lcc_core::posterior::{Image, ImageError};
    use lcc_core::predict::{Evaluation, Scores};
    pub(crate) use lcc_core::predict::{Law, NetworkPredictor as Predictor};

    pub(crate) fn readable(bytes: &[u8]) -> Result<Image<'_>, ImageError> {
        Image::open_unverified(bytes)
    }
    pub(crate) fn of_numbers<T>(scores: Scores<T>) -> Result<Evaluation<T>, lcc_status> {
        match scores {
            Scores::Numbers(own) => Ok(own),
            Scores::Classes(_) => Err(LCC_ERROR_OUTPUT),
        }
    }
}

#[cfg(not(feature = "networks"))]
mod by {
    use crate::status::lcc_status;
    use lcc_core::posterior::{Image, ImageError};
    use lcc_core::predict::{Compiled, Evaluation};
    pub(crate) use lcc_core::predict::{Mixture as Law, Predictor};

    pub(crate) fn readable(bytes: &[u8]) -> Result<Image<'_>, ImageError> {
        Image::open_one_layer_unverified(bytes)
    }
    pub(crate) fn of_numbers<T>(scores: Evaluation<T>) -> Result<Evaluation<T>, lcc_status> {
        Ok(scores)
    }

    /// The names that any law has.
    pub(crate) trait AnyLaw<T> {
        fn log_score(&self, y: T) -> T;
        fn log_scores(&self, y: T, out: &mut [T]);
        fn means(&self, out: &mut [T]);
        fn spread(&self) -> [T; 2];
    }

    impl<T: Compiled> AnyLaw<T> for Law<'_, T> {
        fn log_score(&self, y: T) -> T {
            self.log_density(y)
        }
        fn log_scores(&self, y: T, out: &mut [T]) {
            self.log_densities(y, out);
        }
        fn means(&self, out: &mut [T]) {
            out.iter_mut().zip(self.locations()).for_each(|(o, f)| *o = *f);
        }
        fn spread(&self) -> [T; 2] {
            [self.aleatoric(), self.epistemic()].map(T::sqrt)
        }
    }
}

pub(crate) use by::*;
