//! What parallel tempering reports.

use super::layout::STATISTICS;
use super::{Column, Position, TOP, Tempering};
use crate::diagnostics::Draws;
use crate::kernel::adapt::FIELDS;
use crate::object::record::{BLOCK, EVALUATIONS, ITERATION, UNIT};
use crate::scalar::Real;
use crate::special::scalar::ln;
use crate::sum::Sum;

/// One temperature of one chain, over the draws so far.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung<T> {
    /// lambda.
    pub temperature: T,
    /// The mean probability of acceptance of the transitions; NaN before there are any.
    pub acceptance: T,
    /// The mean probability of a swap with the rung below; NaN before any was proposed.
    pub swap: T,
    /// The step size, in radians of the prior's rotation.
    pub step: T,
}

impl<T: Real> Tempering<'_, T> {
    /// The coordinates of w, M d: the [`Column::Weight`]s.
    pub fn dim(&self) -> usize {
        self.shape.problem.dim()
    }

    /// The [fingerprint](crate::problem::Problem::fingerprint) of the problem that it was made with.
    pub fn fingerprint(&self) -> u64 {
        self.shape.problem.fingerprint
    }

    /// Where it is.
    pub fn position(&self) -> Position {
        self.shape.record().position(self.word(ITERATION))
    }

    /// Evaluations of the likelihood (value and gradient) that each chain has cost so far, all rungs.
    pub fn evaluations(&self) -> u64 {
        self.word(EVALUATIONS)
    }

    /// The stored draws as they lie: value \[t\]\[column\]\[chain\] of [`Position::stored`] rows, columns
    /// being the M d weights, log density, log likelihood.
    pub fn record(&self) -> &[T] {
        self.shape.record().rows(self.parts.record, &self.position())
    }

    /// The stored draws of a column, all chains; `None` before there are any or if w has no such
    /// coordinate.
    pub fn draws(&self, column: Column) -> Option<Draws<'_, T>> {
        let index = column.of_particles(self.shape.problem.dim())?;
        self.shape.record().draws(self.parts.record, &self.position(), index)
    }

    /// The number of a chain in block `at` of `length` blocks a temperature.
    fn number(&self, flat: &[T], chain: usize, k: usize, at: usize, length: usize) -> Option<T> {
        let (block, lane) = self.shape.record().place(chain)?;
        let temperature = block.checked_mul(self.shape.temperatures())?.checked_add(k)?;
        let index = temperature.checked_mul(length)?.checked_add(at)?;
        flat.get(index.checked_mul(self.shape.lanes())?.checked_add(lane)?).copied()
    }

    /// Number `at` of the statistics of temperature k of a chain.
    fn statistic(&self, chain: usize, k: usize, at: usize) -> Option<T> {
        self.number(self.parts.statistics, chain, k, at, STATISTICS)
    }

    /// Draws that a chain has made.
    fn made(&self, chain: usize) -> Option<u32> {
        let record = self.shape.record();
        let (block, _) = record.place(chain)?;
        Some(record.made(&self.position(), block, self.word(BLOCK)))
    }

    /// Temperature `index` = 0, ..., K - 1 of a chain; `None` beyond.
    pub fn rung(&self, chain: usize, index: usize) -> Option<Rung<T>> {
        let temperature = *self.parts.temperatures.get(index)?;
        let made = self.made(chain)?;
        // In the block at work the rungs before the one that is next are ahead of the swaps.
        let (block, _) = self.shape.record().place(chain)?;
        let next =
            block as u64 == self.word(BLOCK) && (index as u64).wrapping_add(2) < self.word(UNIT);
        let drawing = self.position().iterations >= self.shape.options.warmup;
        let moved = made.saturating_add((next && drawing) as u32);
        // Iterations of the parity at which the pair (index, index + 1) is proposed.
        let warmup = self.shape.options.warmup;
        let same = ((warmup ^ index as u32) & 1) == 0;
        let proposed = if same { made.div_ceil(2) } else { made / 2 };
        let mean = |at: usize, count: u32| {
            let sum = self.statistic(chain, index, at)?;
            let lost = self.statistic(chain, index, at.checked_add(1)?)?;
            Some((sum + lost) / T::of_u32(count))
        };
        Some(Rung {
            temperature,
            acceptance: mean(0, moved)?,
            swap: mean(2, proposed)?,
            step: self.number(self.parts.steps, chain, index, 0, FIELDS)?,
        })
    }

    /// The log evidence by stepping stones, from one chain; `None` before it has made a draw.
    pub fn log_evidence(&self, chain: usize) -> Option<T> {
        let made = self.made(chain).filter(|made| *made > 0)?;
        let mut total = Sum::ZERO;
        for k in 0..self.shape.temperatures() {
            let top = self.statistic(chain, k, TOP)?;
            let sum = self.statistic(chain, k, TOP.checked_add(1)?)?;
            let lost = self.statistic(chain, k, TOP.checked_add(2)?)?;
            let mean = (sum + lost) / T::of_u32(made);
            total.add(top);
            total.add(ln(mean));
        }
        Some(total.value())
    }

    /// How often, among the draws, a replica that had been drawn at the prior arrived at lambda = 1:
    /// between such arrivals a chain forgets all. `None` if there is no such chain.
    pub fn restarts(&self, chain: usize) -> Option<u32> {
        self.shape.record().place(chain)?;
        self.parts.restarts.get(chain).copied()
    }
}
