//! Chains cut into parts and put together again: objects of neighbouring chains that ran anywhere (threads,
//! processes, machines) become the object that would have run them all.

use core::ops::Range;

/// The chains of an object: `count` from `first` on, in blocks of `lanes`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chains {
    pub first: u32,
    pub count: u32,
    pub lanes: u32,
}

impl Chains {
    pub(crate) fn end(&self) -> u64 {
        self.first as u64 + self.count as u64
    }

    /// The end of the last block, whose surplus lanes run the chains that follow.
    fn padded(&self) -> u64 {
        let lanes = (self.lanes as u64).max(1);
        let blocks = (self.count as u64).div_ceil(lanes);
        (self.first as u64).saturating_add(blocks.saturating_mul(lanes))
    }

    /// Pairs of places, here and in a part, of the chains that both count.
    pub(crate) fn shared(self, part: Self) -> impl Iterator<Item = (usize, usize)> + Clone {
        self.places(part, self.end().min(part.end()))
    }

    /// The same of all chains that both run. Surplus lanes that no part runs repeat the last chain: their
    /// numbers go nowhere, but must be some.
    pub(crate) fn run(self, part: Self) -> impl Iterator<Item = (usize, usize)> + Clone {
        let both = self.padded().min(part.padded());
        let rest = if part.end() >= self.end() { both..self.padded() } else { 0..0 };
        let last = self.end().saturating_sub(1).saturating_sub(part.first as u64) as usize;
        let first = self.first as u64;
        let rest = rest.map(move |chain| (chain.saturating_sub(first) as usize, last));
        self.places(part, both).chain(rest)
    }

    fn places(self, part: Self, end: u64) -> impl Iterator<Item = (usize, usize)> + Clone {
        let (here, there) = (self.first as u64, part.first as u64);
        (here.max(there)..end)
            .map(move |c| (c.saturating_sub(here) as usize, c.saturating_sub(there) as usize))
    }
}

/// The chains from the first of the first part to the last of the last one, where parts follow each other without a gap
/// and stand at one place in time. `of` gives the chains of a part and its place, `None` where it is of another run or
/// inside an iteration.
pub(crate) fn span<P, E>(
    parts: impl Iterator<Item = Result<P, E>>,
    of: impl Fn(&P) -> Option<(Chains, u64)>,
) -> Result<Option<Range<u64>>, E> {
    let mut span: Option<(Range<u64>, u64)> = None;
    for part in parts {
        let Some((part, at)) = of(&part?) else { return Ok(None) };
        let (range, place) = span.get_or_insert((part.first as u64..part.first as u64, at));
        if part.first as u64 > range.end || *place != at {
            return Ok(None);
        }
        range.end = range.end.max(part.end());
    }
    Ok(span.map(|(range, _)| range))
}

/// Whether parts are those of a whole: all of its chains.
pub(crate) fn covers<P, E>(
    whole: Chains,
    parts: impl Iterator<Item = Result<P, E>>,
    of: impl Fn(&P) -> Option<(Chains, u64)>,
) -> Result<bool, E> {
    let all = |r: Range<u64>| r.start <= whole.first as u64 && r.end >= whole.end();
    Ok(span(parts, of)?.is_some_and(all))
}

/// Copies `fields` values of each chain between lists of blocks, in which value f of lane l lies at
/// f * lanes + l. One lane: chain after chain.
pub(crate) fn copy<T: Copy>(
    to: &mut [T],
    to_lanes: usize,
    from: &[T],
    from_lanes: usize,
    fields: usize,
    places: impl Iterator<Item = (usize, usize)>,
) {
    let (to_lanes, from_lanes) = (to_lanes.max(1), from_lanes.max(1));
    let block = |lanes: usize| fields.saturating_mul(lanes).max(1);
    for (here, there) in places {
        let to = to.chunks_exact_mut(block(to_lanes)).nth(here / to_lanes);
        let from = from.chunks_exact(block(from_lanes)).nth(there / from_lanes);
        let (Some(to), Some(from)) = (to, from) else { continue };
        let from = from.iter().skip(there % from_lanes).step_by(from_lanes);
        let to = to.iter_mut().skip(here % to_lanes).step_by(to_lanes);
        // A loop asks for one after another: `for_each` would divide by the steps to know how many there are.
        for (to, from) in to.zip(from) {
            *to = *from;
        }
    }
}
