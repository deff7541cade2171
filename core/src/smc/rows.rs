//! The ladder of rows: each predicted from those before it, and let in (Chopin 2002, "A sequential particle
//! filter method for static models").

use super::layout::PREDICTED;
use super::weights::Weighing;
use super::{MOVING, PREDICTING, ROW, STAGE, Scalars, Smc, SmcError};
use crate::error::refuse;
use crate::likelihood::{GreedyTilt, Joint};
use crate::problem::{Problem, Target};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Lanes, blocks, blocks_mut, part};
use crate::sum::Sum;

/// The posterior given `count` rows from `first` on.
pub(super) fn restricted<'a, T: Real>(
    problem: &Problem<'a, T>,
    first: usize,
    count: usize,
) -> Option<Problem<'a, T>> {
    match *problem.likelihood() {
        Target::Greedy(tilt) => {
            let data = tilt.data.rows(first, count)?;
            Problem::greedy_tilt(GreedyTilt { data, ..tilt }, problem.prior()).ok()
        }
        Target::Joint(Joint { data, activation, neurons, outer, beta, signs }) => {
            let data = data.rows(first, count)?;
            Problem::joint(data, activation, problem.prior(), neurons, outer, beta, signs).ok()
        }
        Target::User(_) | Target::Network(_) | Target::Deep(_) => None,
    }
}

impl<T: AnyLanes> Smc<'_, T> {
    /// Rows let in.
    pub(super) fn rows(&self) -> usize {
        self.word(ROW) as usize
    }

    /// Particles of equal weight, before the next row.
    pub(super) fn even(&mut self) -> u64 {
        self.parts.lane_values.fill(T::ZERO);
        self.parts.weights.fill(T::ONE);
        PREDICTING
    }

    /// The next row under a block of particles.
    pub(super) fn predict<const N: usize>(
        &mut self,
        problem: &Problem<'_, T>,
        index: u64,
    ) -> Result<(), SmcError>
    where
        T: Lanes<N>,
    {
        let broken = SmcError::NotAnSmc;
        let row = self.rows();
        let one = restricted(problem, row, 1).ok_or(broken)?;
        let (logs, f) = self.block::<N>(&one, index)?.predict().ok_or(broken)?;
        let parts = &mut self.parts;
        let own = part::<T, N>(parts.lane_values, index as usize, 1).and_then(<[_]>::first_mut);
        own.ok_or(broken)?.iter_mut().zip(logs).for_each(|(sum, l)| *sum += l);
        let (weights, _) = parts.weights.as_chunks::<N>();
        let (predicted, _) = parts.predicted.as_chunks_mut::<PREDICTED>();
        let ([_, mean], weights) =
            predicted.get_mut(row).zip(weights.get(index as usize)).ok_or(broken)?;
        *mean = if index == 0 { T::ZERO } else { *mean };
        weights.iter().zip(f).for_each(|(w, f)| *mean += *w * f);
        Ok(())
    }

    /// Ends a row: what it was predicted to be, and whether the particles have to move. Returns the phase that
    /// follows.
    pub(super) fn settle<const N: usize>(
        &mut self,
        problem: &Problem<'_, T>,
    ) -> Result<u64, SmcError>
    where
        T: Lanes<N>,
    {
        let broken = SmcError::NotAnSmc;
        let (options, row) = (self.shape.options, self.rows());
        let (rows, isa) = (self.shape.problem.rows, self.isa);
        let mut scalars = self.scalars();
        let parts = &mut self.parts;
        let before = Sum::of(parts.weights.iter().copied());
        let logs = blocks::<T, N>(parts.lane_values).ok_or(broken)?;
        let room = blocks_mut::<T, N>(parts.weights).ok_or(broken)?;
        let mut weighing = Weighing::new(isa, logs, room);
        refuse(!weighing.top.is_finite(), SmcError::Start)?;
        let (sums, top) = (weighing.weigh(T::ONE), weighing.top);
        let since = sums.log_mean() + top;
        if let Some([log, mean]) = parts.predicted.as_chunks_mut::<PREDICTED>().0.get_mut(row) {
            *log = since - scalars.since;
            *mean = *mean / before;
        }
        let row = row.saturating_add(1);
        self.set(ROW, row as u64);
        if row < rows && sums.effective() >= options.share {
            scalars.since = since;
            self.set_scalars(scalars);
            return Ok(PREDICTING);
        }
        refuse(self.word(STAGE) >= options.stages as u64, SmcError::Stages)?;
        let prefix = restricted(problem, 0, row).ok_or(broken)?;
        prefix.check_proper(self.parts.work)?;
        let scalars = Scalars { since: T::ZERO, ..scalars };
        self.spread::<N>(scalars, [sums.log_mean(), top], sums, row >= rows)?;
        let share = T::of_usize(row) / T::of_usize(rows);
        *self.report().ok_or(broken)? = [share, sums.effective(), T::ZERO, scalars.step];
        Ok(MOVING)
    }
}
