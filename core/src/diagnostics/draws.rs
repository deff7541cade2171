//! The draws of one quantity where they lie.

use crate::error::{errors, refuse};
use crate::scalar::Real;

errors! {
    /// Why draws were refused, or could not be diagnosed.
    pub enum DrawsError {
        Empty = "there are no chains or no draws",
        Overflow = "chains, draws and strides reach past the address space",
        TooShort = "the slice is shorter than chains, draws and strides say",
        ScratchTooShort = "the scratch is too short",
    }
}

/// The scratch, in numbers of type T, that the diagnostics of `chains` chains of `draws` draws need:
/// 2 chains draws. `None` if that overflows.
pub const fn scratch_len(chains: usize, draws: usize) -> Option<usize> {
    match chains.checked_mul(draws) {
        Some(size) => size.checked_mul(2),
        None => None,
    }
}

/// The draws of one scalar quantity, chains equally long: draw t of chain c is
/// data[offset + c * chain_stride + t * draw_stride].
///
/// One chain of n draws can be looked at as two of n/2, with a chain stride of n/2 draw strides;
/// every other chain (one of each antithetic pair) by doubling the chain stride.
#[derive(Clone, Copy, Debug)]
pub struct Draws<'a, T> {
    data: &'a [T],
    chains: usize,
    draws: usize,
    offset: usize,
    chain_stride: usize,
    draw_stride: usize,
}

impl<'a, T: Real> Draws<'a, T> {
    /// A view of `chains` chains of `draws` draws, both at least 1; offset and strides in elements.
    pub fn new(
        data: &'a [T],
        chains: usize,
        draws: usize,
        offset: usize,
        chain_stride: usize,
        draw_stride: usize,
    ) -> Result<Self, DrawsError> {
        refuse(chains == 0 || draws == 0, DrawsError::Empty)?;
        scratch_len(chains, draws).ok_or(DrawsError::Overflow)?;
        let last = (chains - 1)
            .checked_mul(chain_stride)
            .zip((draws - 1).checked_mul(draw_stride))
            .and_then(|(c, t)| c.checked_add(t))
            .and_then(|k| k.checked_add(offset))
            .ok_or(DrawsError::Overflow)?;
        refuse(last >= data.len(), DrawsError::TooShort)?;
        Ok(Self { data, chains, draws, offset, chain_stride, draw_stride })
    }

    /// Chains one after another: draw t of chain c is data[c * draws + t].
    pub fn chain_major(data: &'a [T], chains: usize, draws: usize) -> Result<Self, DrawsError> {
        Self::new(data, chains, draws, 0, draws, 1)
    }

    /// Every `step`-th chain, from the first: with 2, one of each antithetic pair. `None` for a step of 0.
    pub fn every(&self, step: usize) -> Option<Self> {
        let chains = self.chains.checked_add(step.checked_sub(1)?)?.checked_div(step)?;
        let chain_stride = self.chain_stride.saturating_mul(step);
        Some(Self { chains, chain_stride, ..*self })
    }

    /// The number of chains.
    pub fn chains(&self) -> usize {
        self.chains
    }

    /// The number of draws of each chain.
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// The data from the first draw of the first chain, and the strides of chains and draws: for
    /// callers that hand the view on.
    pub fn parts(&self) -> (&'a [T], usize, usize) {
        (self.data.get(self.offset..).unwrap_or(&[]), self.chain_stride, self.draw_stride)
    }

    /// All draws of all chains.
    pub fn size(&self) -> usize {
        self.chains.wrapping_mul(self.draws)
    }

    /// The scratch the diagnostics of these draws need: see [`scratch_len`].
    pub fn scratch_len(&self) -> usize {
        self.size().wrapping_mul(2)
    }

    /// Draw t of chain c; NaN out of range of the slice.
    #[inline(always)]
    pub fn at(&self, chain: usize, draw: usize) -> T {
        let k = self
            .offset
            .wrapping_add(chain.wrapping_mul(self.chain_stride))
            .wrapping_add(draw.wrapping_mul(self.draw_stride));
        self.data.get(k).copied().unwrap_or(T::NAN)
    }

    /// The draws of one chain, in order.
    #[inline(always)]
    pub(super) fn chain(self, chain: usize) -> impl Iterator<Item = T> + 'a {
        (0..self.draws).map(move |t| self.at(chain, t))
    }

    /// Every draw, chain after chain.
    #[inline(always)]
    pub(super) fn for_each(&self, mut f: impl FnMut(T)) {
        for c in 0..self.chains {
            self.chain(c).for_each(&mut f);
        }
    }

    /// Whether a draw is NaN.
    pub(super) fn any_nan(&self) -> bool {
        let mut nan = false;
        self.for_each(|x| nan |= is_nan(x));
        nan
    }

    /// Half a chain, rounded down: the length of a split chain. The middle draw of an odd chain is
    /// in neither half.
    pub(super) fn half(&self) -> usize {
        self.draws / 2
    }

    /// Writes f of every draw of the split chains to `out` and returns that part of it: the first
    /// halves of all chains, then the last halves.
    pub(super) fn split<'s>(&self, out: &'s mut [T], f: impl Fn(T) -> T) -> &'s mut [T] {
        let half = self.half();
        let size = half.wrapping_mul(2).wrapping_mul(self.chains).min(out.len());
        let Some((out, _)) = out.split_at_mut_checked(size) else { return &mut [] };
        for (c, part) in out.chunks_exact_mut(half.max(1)).enumerate() {
            let (chain, from) = match c.checked_sub(self.chains) {
                None => (c, 0),
                Some(chain) => (chain, self.draws.wrapping_sub(half)),
            };
            for (t, o) in part.iter_mut().enumerate() {
                *o = f(self.at(chain, from.wrapping_add(t)));
            }
        }
        out
    }

    /// The two buffers of the scratch, `size` numbers each.
    pub(super) fn buffers<'s>(
        &self,
        scratch: &'s mut [T],
    ) -> Result<(&'s mut [T], &'s mut [T]), DrawsError> {
        let short = DrawsError::ScratchTooShort;
        let (a, rest) = scratch.split_at_mut_checked(self.size()).ok_or(short)?;
        let (b, _) = rest.split_at_mut_checked(self.size()).ok_or(short)?;
        Ok((a, b))
    }
}

/// The means of pairs of chains, (x_2k + x_2k+1)/2 draw by draw, as draws of half as many chains, written
/// chain by chain to `out`: chains draws / 2 numbers. Of antithetic pairs their [`mcse_mean`](super::mcse_mean)
/// is the standard error of the mean of all draws. A last chain without a partner is left out.
pub fn pair_means<'o, T: Real>(
    draws: &Draws<'_, T>,
    out: &'o mut [T],
) -> Result<Draws<'o, T>, DrawsError> {
    let (pairs, length) = (draws.chains / 2, draws.draws);
    let size = pairs.checked_mul(length).ok_or(DrawsError::Overflow)?;
    let out = out.get_mut(..size).ok_or(DrawsError::ScratchTooShort)?;
    for (k, chain) in out.chunks_exact_mut(length.max(1)).enumerate() {
        let first = k.wrapping_mul(2);
        for (t, mean) in chain.iter_mut().enumerate() {
            *mean = T::HALF * (draws.at(first, t) + draws.at(first.wrapping_add(1), t));
        }
    }
    Draws::chain_major(out, pairs, length)
}

/// The only numbers that are neither below, above nor equal to themselves.
#[inline(always)]
pub(super) fn is_nan<T: Real>(x: T) -> bool {
    x.partial_cmp(&x).is_none()
}
