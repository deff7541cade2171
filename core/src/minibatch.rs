//! Rows of minibatches, by a stated order of draws.
//!
//! A list holds the stream that draws, in four words, and the numbers of all n rows in some order. A minibatch of b
//! rows swaps place k with one of the places from k on, for k = 0 to b - 1, one [`Stream::below`] each: whatever the
//! order was before, the first b places then are a sample without replacement, independent of every minibatch before
//! (Fisher and Yates 1938). All n so swapped are a random order, whose pieces of b rows are a partition: an epoch.
//!
//! ```
//! use lcc_core::minibatch;
//!
//! let mut list = [0; minibatch::WORDS + 10];
//! minibatch::begin(&mut list, 1, 0);
//! let mut rows: Vec<u32> = minibatch::draw(&mut list, 4).to_vec();
//! rows.dedup();
//! assert_eq!(rows.len(), 4);
//! // An epoch of three: 4, 4 and 2 rows.
//! let sizes = [0, 1, 2].map(|i| minibatch::part(&mut list, 4, i).len());
//! assert_eq!(sizes, [4, 4, 2]);
//! ```

use crate::random::{Purpose, Stream};

/// Words of a list before the rows.
pub const WORDS: usize = 4;

/// Words of a list of n rows; `None` where their numbers do not fit in 32 bits.
pub fn len(n: usize) -> Option<usize> {
    u32::try_from(n).ok().and(n.checked_add(WORDS))
}

/// Writes a list at its beginning: the chain's stream, the rows in their order.
pub fn begin(list: &mut [u32], seed: u64, chain: u64) {
    let Some((words, rows)) = list.split_first_chunk_mut::<WORDS>() else { return };
    *words = Stream::new(seed, chain, Purpose::Rows).words();
    rows.iter_mut().zip(0..).for_each(|(row, k)| *row = k);
}

/// A minibatch, uniform over the subsets of `batch` rows (of all, where there are fewer).
pub fn draw(list: &mut [u32], batch: usize) -> &[u32] {
    let Some((words, rows)) = list.split_first_chunk_mut::<WORDS>() else { return &[] };
    let mut stream = Stream::from_words(*words);
    let batch = batch.min(rows.len());
    let mut rest = &mut *rows;
    for _ in 0..batch {
        let chosen = stream.below(rest.len() as u32) as usize;
        // Place 0 with itself or with one of the others.
        if let Some((own, others)) = rest.split_first_mut()
            && let Some(other) = chosen.checked_sub(1).and_then(|k| others.get_mut(k))
        {
            core::mem::swap(own, other);
        }
        rest = rest.split_first_mut().map_or(&mut [], |(_, others)| others);
    }
    *words = stream.words();
    rows.get(..batch).unwrap_or(&[])
}

/// Part i of an epoch, which begins with a new order at 0: places i b to i b + b - 1, as far as there are rows.
pub fn part(list: &mut [u32], batch: usize, i: usize) -> &[u32] {
    if i == 0 {
        draw(list, usize::MAX);
    }
    let rows = list.get(WORDS..).unwrap_or(&[]);
    rows.chunks(batch.max(1)).nth(i).unwrap_or(&[])
}
