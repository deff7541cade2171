//! Memory from the caller: sizes and carving from one description.
//!
//! A description, generic over [`Carve`], names the parts in order. Run on a [`Measure`] it counts bytes
//! and hands out empty slices; run on [`Memory`] it cuts the caller's block into typed slices. The two
//! cannot disagree. (An object has a table of its parts, from which both are done.) Every part starts at
//! a multiple of [`ALIGN`], and no part holds a pointer: a block may be moved or copied byte by byte.
//!
//! ```
//! use lcc_core::workspace::{Carve, Measure, Memory, WorkspaceError};
//!
//! // One description, for the size and for the parts.
//! fn parts<'a>(memory: &mut impl Carve<'a>) -> Result<(&'a mut [u64], &'a mut [f32]), WorkspaceError> {
//!     Ok((memory.take(2)?, memory.take(5)?))
//! }
//! let mut measure = Measure::new();
//! parts(&mut measure)?;
//! let mut block = vec![0_u128; measure.bytes() / 16];
//! let (words, numbers) = parts(&mut Memory::new(bytemuck::cast_slice_mut(&mut block))?)?;
//! assert_eq!((words.len(), numbers.len(), measure.bytes()), (2, 5, 48));
//! # Ok::<(), WorkspaceError>(())
//! ```

use crate::error::{errors, refuse};
use bytemuck::Pod;

/// The alignment of a workspace: what `malloc` gives on every common platform.
pub const ALIGN: usize = 16;

errors! {
    /// Why memory could not be laid out.
    pub enum WorkspaceError {
        Overflow = "the size of the workspace does not fit in memory",
        TooSmall = "the workspace is smaller than its size query says",
        Misaligned = "the workspace is not aligned to 16 bytes",
    }
}

/// Hands out the parts of an object, in order.
pub trait Carve<'a> {
    /// The next `count` values. Their content is what the memory held.
    fn take<P: Pod>(&mut self, count: usize) -> Result<&'a mut [P], WorkspaceError>;
}

/// Counts bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    bytes: usize,
}

impl Measure {
    /// Nothing counted yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// The bytes of all parts taken so far, a multiple of [`ALIGN`].
    pub fn bytes(&self) -> usize {
        self.bytes
    }
    /// The next `count` values of `size` bytes.
    pub(crate) fn add(&mut self, count: usize, size: usize) -> Result<(), WorkspaceError> {
        let bytes = self.bytes.checked_add(padded(count, size)?).ok_or(WorkspaceError::Overflow)?;
        refuse(bytes > isize::MAX as usize, WorkspaceError::Overflow)?;
        self.bytes = bytes;
        Ok(())
    }
}

/// The bytes of `count` values of `size` bytes, rounded up to [`ALIGN`].
fn padded(count: usize, size: usize) -> Result<usize, WorkspaceError> {
    count
        .checked_mul(size)
        .and_then(|b| b.checked_next_multiple_of(ALIGN))
        .filter(|&b| b <= isize::MAX as usize)
        .ok_or(WorkspaceError::Overflow)
}

impl<'a> Carve<'a> for Measure {
    fn take<P: Pod>(&mut self, count: usize) -> Result<&'a mut [P], WorkspaceError> {
        self.add(count, size_of::<P>())?;
        Ok(&mut [])
    }
}

/// Cuts a block into parts.
#[derive(Debug)]
pub struct Memory<'a> {
    rest: &'a mut [u8],
    /// Why a [part](Self::part) could not be cut: the first.
    error: Option<WorkspaceError>,
}

impl<'a> Memory<'a> {
    /// A block to cut, aligned to [`ALIGN`].
    pub fn new(block: &'a mut [u8]) -> Result<Self, WorkspaceError> {
        refuse(!block.as_ptr().addr().is_multiple_of(ALIGN), WorkspaceError::Misaligned)?;
        Ok(Self { rest: block, error: None })
    }

    /// The first `bytes` of a block, all of them zero.
    pub fn zeroed(block: &'a mut [u8], bytes: usize) -> Result<Self, WorkspaceError> {
        let Self { rest, error } = Self::new(block)?;
        let rest = rest.get_mut(..bytes).ok_or(WorkspaceError::TooSmall)?;
        rest.fill(0);
        Ok(Self { rest, error })
    }
}

impl<'a> Memory<'a> {
    /// The next `count` values of `size` bytes.
    // A function to call: every object takes a dozen parts.
    #[inline(never)]
    fn cut(&mut self, count: usize, size: usize) -> Result<&'a mut [u8], WorkspaceError> {
        let bytes = padded(count, size)?;
        let exact = count.checked_mul(size).ok_or(WorkspaceError::Overflow)?;
        let rest = core::mem::take(&mut self.rest);
        let (part, rest) = rest.split_at_mut_checked(bytes).ok_or(WorkspaceError::TooSmall)?;
        self.rest = rest;
        part.get_mut(..exact).ok_or(WorkspaceError::TooSmall)
    }

    /// The next `count` values; where there are none an empty list, and [`whole`](Self::whole) says so.
    #[inline(never)]
    pub(crate) fn part<P: Pod>(&mut self, count: usize) -> &'a mut [P] {
        self.take(count).unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            &mut []
        })
    }

    /// Whether every part was there.
    pub(crate) fn whole(&self) -> Result<(), WorkspaceError> {
        self.error.map_or(Ok(()), Err)
    }
}

impl<'a> Carve<'a> for Memory<'a> {
    fn take<P: Pod>(&mut self, count: usize) -> Result<&'a mut [P], WorkspaceError> {
        let part = self.cut(count, size_of::<P>())?;
        bytemuck::try_cast_slice_mut(part).map_err(|_| WorkspaceError::Misaligned)
    }
}
