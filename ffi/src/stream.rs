//! Learning from a stream, whatever the precision.

use crate::status::lcc_status;
use lcc_core::simd::AnyLanes;
use lcc_core::stream::StreamLearner;
use lcc_core::workspace::{Carve, Measure, Memory};

/// What a stream learner is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_stream_info {
    /// Rows learnt.
    pub rows: u64,
    /// Inputs d.
    pub inputs: u32,
    /// Neurons M.
    pub neurons: u32,
    /// Draws that learn.
    pub draws: u32,
    /// 1 where the draws are weighted.
    pub weighted: u32,
}

pub(crate) fn info<T: AnyLanes>(stream: &StreamLearner<'_, T>) -> lcc_stream_info {
    let (inputs, head) = (stream.inputs(), stream.head_len());
    lcc_stream_info {
        rows: stream.rows(),
        inputs: inputs as u32,
        neurons: head.saturating_sub(inputs).saturating_sub(1) as u32,
        draws: stream.draws() as u32,
        weighted: stream.options().weighted.on() as u32,
    }
}

/// The bytes of the model and of the scratch in which it is written.
pub(crate) fn model_size<T: AnyLanes>(
    stream: &StreamLearner<'_, T>,
) -> Result<(usize, usize), lcc_status> {
    let (bytes, values) = stream.model_size()?;
    let mut measure = Measure::new();
    let _: &mut [T] = measure.take(values)?;
    Ok((bytes, measure.bytes()))
}

pub(crate) fn write_model<T: AnyLanes>(
    stream: &StreamLearner<'_, T>,
    seed: Option<u64>,
    scratch: &mut [u8],
    model: &mut [u8],
) -> Result<usize, lcc_status> {
    let (bytes, values) = stream.model_size()?;
    let scratch = Memory::new(scratch)?.take(values)?;
    if model.len() < bytes {
        return Err(lcc_status::LCC_ERROR_MEMORY_SIZE);
    }
    Ok(stream.write_model(seed, model, scratch)?)
}
