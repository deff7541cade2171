//! Every line of `tests/golden/bits.txt` as this build draws it, by the tests' own source: no part of the page.

#[path = "../../../tests/src/bits.rs"]
#[allow(unreachable_pub)]
mod bits;

pub(crate) use bits::all;

/// What that takes from the tests: bytes at an address that is a multiple of 16.
pub(crate) struct Aligned {
    words: Vec<u128>,
    size: usize,
}

impl Aligned {
    pub(crate) fn new(size: usize) -> Self {
        Self { words: vec![0; size.div_ceil(16)], size }
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.size]
    }
}
