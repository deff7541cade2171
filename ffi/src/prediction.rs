//! Predictions, whatever their precision.

use crate::status::lcc_status;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::posterior::Image;
use lcc_core::predict::{Evaluation, Mixture, Predictor};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::{AnyLanes, Isa};
use lcc_core::workspace::{Carve, Measure, Memory, WorkspaceError};

/// The predictor's own numbers and what walking over rows needs.
fn layout<'a, T: AnyLanes>(
    carve: &mut impl Carve<'a>,
    image: &Image<'_>,
) -> Result<(&'a mut [T], &'a mut [T]), WorkspaceError> {
    let own = carve.take(Predictor::<T>::buffer_len(image))?;
    Ok((own, carve.take(Predictor::<T>::rows_scratch_len(image))?))
}

pub(crate) fn scratch<T: AnyLanes>(image: &Image<'_>) -> Result<usize, lcc_status> {
    let mut measure = Measure::new();
    layout::<T>(&mut measure, image)?;
    Ok(measure.bytes())
}

/// Calls `use_it(row, law)` for every row.
pub(crate) fn each<T: AnyLanes>(
    image: Image<'_>,
    rows: &Inputs<'_, T>,
    memory: &mut [u8],
    use_it: impl FnMut(usize, Mixture<'_, T>),
) -> Result<(), lcc_status> {
    let (own, scratch) = layout(&mut Memory::new(memory)?, &image)?;
    let predictor = Predictor::new(Isa::detect(), image, own)?;
    Ok(predictor.for_each_row(rows, scratch, use_it)?)
}

pub(crate) fn evaluate<T: AnyLanes>(
    image: Image<'_>,
    rows: &Dataset<'_, T>,
    level: T,
    crps: bool,
    memory: &mut [u8],
) -> Result<Evaluation<T>, lcc_status> {
    let (own, scratch) = layout(&mut Memory::new(memory)?, &image)?;
    let predictor = Predictor::new(Isa::detect(), image, own)?;
    Ok(predictor.evaluate(rows, level, crps, scratch)?)
}

/// The stream of predictive draws.
pub(crate) fn stream(seed: u64) -> Stream {
    Stream::new(seed, 0, Purpose::Predictive)
}
