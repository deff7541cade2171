//! Learning from a stream, whatever the precision.

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
