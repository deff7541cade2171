//! What models predict by: networks of any depth and output, or in a build without the feature `networks` those of
//! one hidden layer and Student-t noise alone, which a small program links without the others.

#[cfg(feature = "networks")]
mod by {
    use crate::status::lcc_status::{self, *};
    use lcc_core::posterior::{Image, ImageError};
    use lcc_core::predict::{ClassEvaluation, Classes, Evaluation, Scores};
    pub(crate) use lcc_core::predict::{Law, NetworkPredictor as Predictor};

    pub(crate) fn readable(bytes: &[u8]) -> Result<Image<'_>, ImageError> {
        Image::open_unverified(bytes)
    }
    pub(crate) fn verified(bytes: &[u8]) -> Result<Image<'_>, ImageError> {
        Image::open(bytes)
    }
    pub(crate) fn temperature(image: &Image<'_>) -> f64 {
        image.temperature()
    }
    pub(crate) fn of_numbers<T>(scores: Scores<T>) -> Result<Evaluation<T>, lcc_status> {
        match scores {
            Scores::Numbers(own) => Ok(own),
            Scores::Classes(_) => Err(LCC_ERROR_OUTPUT),
        }
    }
    pub(crate) fn of_classes<T>(scores: Scores<T>) -> Result<ClassEvaluation<T>, lcc_status> {
        match scores {
            Scores::Numbers(_) => Err(LCC_ERROR_OUTPUT),
            Scores::Classes(own) => Ok(own),
        }
    }
    pub(crate) fn classes<T>(law: Law<'_, T>) -> Option<Classes<'_, T>> {
        match law {
            Law::Classes(own) => Some(own),
            _ => None,
        }
    }
}

#[cfg(not(feature = "networks"))]
mod by {
    use crate::status::lcc_status::{self, *};
    use lcc_core::posterior::{Image, ImageError};
    use lcc_core::predict::{ClassEvaluation, Classes, Compiled, Evaluation};
    pub(crate) use lcc_core::predict::{Mixture as Law, Predictor};

    pub(crate) fn readable(bytes: &[u8]) -> Result<Image<'_>, ImageError> {
        Image::open_one_layer_unverified(bytes)
    }
    pub(crate) fn verified(bytes: &[u8]) -> Result<Image<'_>, ImageError> {
        Image::open_one_layer(bytes)
    }
    pub(crate) fn temperature(_: &Image<'_>) -> f64 {
        1.0
    }
    pub(crate) fn of_numbers<T>(scores: Evaluation<T>) -> Result<Evaluation<T>, lcc_status> {
        Ok(scores)
    }
    pub(crate) fn of_classes<T>(_: Evaluation<T>) -> Result<ClassEvaluation<T>, lcc_status> {
        Err(LCC_ERROR_OUTPUT)
    }
    pub(crate) fn classes<T>(_: Law<'_, T>) -> Option<Classes<'_, T>> {
        None
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
