//! Slices cut into pieces of a size known at run time.
//!
//! As `chunks_exact`, but without a division: its iterators divide by the size where they are
//! zipped, and whether the compiler still sees there that it is not zero is a matter of inlining.

use core::mem::take;

/// Pieces of `size` elements, front to back; a shorter rest is left out. None of size 0.
#[inline(always)]
pub(crate) fn pieces<P>(slice: &[P], size: usize) -> Pieces<'_, P> {
    Pieces { rest: slice, size }
}

/// As [`pieces`], to write to.
#[inline(always)]
pub(crate) fn pieces_mut<P>(slice: &mut [P], size: usize) -> PiecesMut<'_, P> {
    PiecesMut { rest: slice, size }
}

/// Piece k; empty where there is none.
// A function to call, as the next: for the work between kernels.
#[inline(never)]
pub(crate) fn nth<P>(slice: &[P], size: usize, k: usize) -> &[P] {
    k.checked_mul(size).and_then(|at| slice.get(at..)?.get(..size)).unwrap_or(&[])
}

/// As [`nth`], to write to.
#[inline(never)]
pub(crate) fn nth_mut<P>(slice: &mut [P], size: usize, k: usize) -> &mut [P] {
    k.checked_mul(size).and_then(|at| slice.get_mut(at..)?.get_mut(..size)).unwrap_or(&mut [])
}

/// Parts of these sizes, front to back, and the rest; `None` if the slice is shorter.
#[inline(always)]
pub(crate) fn cut<P, const K: usize>(
    slice: &mut [P],
    sizes: [usize; K],
) -> Option<([&mut [P]; K], &mut [P])> {
    let (mut rest, mut whole) = (slice, true);
    let parts = sizes.map(|size| {
        let (part, left) = take(&mut rest).split_at_mut_checked(size).unwrap_or_default();
        whole &= part.len() == size;
        rest = left;
        part
    });
    whole.then_some((parts, rest))
}

/// The sum of sizes; `None` if it overflows.
pub(crate) fn total<const K: usize>(sizes: [usize; K]) -> Option<usize> {
    sizes.into_iter().try_fold(0_usize, usize::checked_add)
}

/// What [`pieces`] returns.
#[derive(Clone, Debug)]
pub(crate) struct Pieces<'a, P> {
    rest: &'a [P],
    size: usize,
}

impl<'a, P> Iterator for Pieces<'a, P> {
    type Item = &'a [P];
    #[inline(always)]
    fn next(&mut self) -> Option<&'a [P]> {
        if self.size == 0 {
            return None;
        }
        let (piece, rest) = self.rest.split_at_checked(self.size)?;
        self.rest = rest;
        Some(piece)
    }
}

/// What [`pieces_mut`] returns.
#[derive(Debug)]
pub(crate) struct PiecesMut<'a, P> {
    rest: &'a mut [P],
    size: usize,
}

impl<'a, P> Iterator for PiecesMut<'a, P> {
    type Item = &'a mut [P];
    #[inline(always)]
    fn next(&mut self) -> Option<&'a mut [P]> {
        if self.size == 0 {
            return None;
        }
        let (piece, rest) = take(&mut self.rest).split_at_mut_checked(self.size)?;
        self.rest = rest;
        Some(piece)
    }
}
