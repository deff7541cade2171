//! What a run reports.

use super::layout::{PREDICTED, REPORT};
use super::{DONE, EVALUATIONS, FAMILIES, PHASE, ROW, STAGE, Smc, WEIGHING};
use crate::cloud::Cloud;
use crate::column::Column;
use crate::diagnostics::Draws;
use crate::scalar::Real;
use crate::sum::Sum;

/// The evidence, the integral of the likelihood over the normalised prior.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence<T> {
    /// Draws from the prior that have descendants among the particles. With a handful left the errors
    /// say little: more particles, or more temperatures.
    pub families: u64,
    /// Its logarithm.
    pub log: T,
    /// The standard error of that, from the same run: the root of the sum over families of
    /// (share of the weights - 1/N)^2, a family being the particles that descend from one draw of
    /// the prior (Chan and Lai 2013). High rather than low under systematic resampling, by at most
    /// 1/(4 N) in the variance a temperature.
    pub standard_error: T,
}

/// One temperature.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage<T> {
    /// lambda.
    pub temperature: T,
    /// The effective sample size of the weights that led here, as a share of the particles.
    pub ess: T,
    /// The mean probability of acceptance of the transitions made here.
    pub acceptance: T,
    /// The step size of the last of them, in radians of the reference's rotation.
    pub step: T,
}

/// What a row was predicted to be.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicted<T> {
    /// The log of the mean likelihood of the row under the posterior given the rows before it. Their sum over the
    /// rows is the log evidence; of a joint posterior, whose likelihood lacks it, (1/2) log(beta/(2 pi)) more
    /// is the log predictive density of the target.
    pub log_likelihood: T,
    /// E f(x), or E psi(x.w), under the same posterior: the prediction of the row.
    pub mean: T,
}

/// A mean over the particles.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Average<T> {
    /// The mean.
    pub mean: T,
    /// The variance of the quantity, with denominator N - 1.
    pub variance: T,
    /// The standard error of the mean: the root of the sum over families of
    /// (sum over the family (value - mean) / N)^2. Particles that descend from one draw from the prior
    /// count as dependent, so it is high rather than low; infinite where all are of one family.
    pub standard_error: T,
}

impl<T: Real> Average<T> {
    /// Of one value a particle, each of the family that its origin numbers. `sums` holds one number a
    /// particle. `None` if an origin is beyond them.
    pub(crate) fn of(
        values: impl Iterator<Item = T> + Clone,
        origins: &[u32],
        sums: &mut [T],
    ) -> Option<Self> {
        let number = T::of_usize(sums.len());
        let mut total = Sum::ZERO;
        values.clone().for_each(|v| total.add(v));
        let mean = total.value() / number;
        let (mut squares, mut error) = (Sum::ZERO, Sum::ZERO);
        sums.fill(T::ZERO);
        for (v, origin) in values.zip(origins) {
            let miss = v - mean;
            squares.add(miss * miss);
            *sums.get_mut(*origin as usize)? += miss / number;
        }
        sums.iter().for_each(|s| error.add(*s * *s));
        let variance = squares.value() / (number - T::ONE);
        // Of one family nothing says how far it is off.
        let one = origins.iter().all(|origin| Some(origin) == origins.first());
        let standard_error = if one { T::INFINITY } else { error.value().sqrt() };
        Some(Self { mean, variance, standard_error })
    }
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position<T> {
    /// Temperatures done with.
    pub stages: u32,
    /// The last temperature that particles were resampled at; 0 before the first.
    pub temperature: T,
    /// Whether the particles are there.
    pub done: bool,
}

impl<'a, T: Real> Smc<'a, T> {
    /// The coordinates of w, M d: the [`Column::Weight`]s.
    pub fn dim(&self) -> usize {
        self.shape.problem.dim()
    }

    /// The [fingerprint](crate::problem::Problem::fingerprint) of the problem that it was made with.
    pub fn fingerprint(&self) -> u64 {
        self.shape.problem.fingerprint
    }

    /// Where it is.
    pub fn position(&self) -> Position<T> {
        let stages = u32::try_from(self.word(STAGE)).unwrap_or(0);
        let begun = stages.saturating_add((self.word(PHASE) == super::MOVING) as u32);
        let temperature = begun.checked_sub(1).and_then(|k| self.raw_stage(k as usize));
        let temperature = temperature.map_or(T::ZERO, |stage| stage.temperature);
        Position { stages, temperature, done: self.word(PHASE) >= DONE }
    }

    /// Evaluations of the likelihood (value and gradient) that each particle has cost so far.
    pub fn evaluations(&self) -> u64 {
        self.word(EVALUATIONS)
    }

    /// Temperature `index` = 0, 1, ... of those done with; `None` beyond.
    pub fn stage(&self, index: usize) -> Option<Stage<T>> {
        if index as u64 >= self.word(STAGE) {
            return None;
        }
        self.raw_stage(index)
    }

    fn raw_stage(&self, index: usize) -> Option<Stage<T>> {
        let [temperature, ess, acceptance, step] =
            *self.parts.report.as_chunks::<REPORT>().0.get(index)?;
        Some(Stage { temperature, ess, acceptance, step })
    }

    /// Row `index` of a ladder of rows, once it has been let in; `None` before, and of other ladders.
    pub fn predicted(&self, index: usize) -> Option<Predicted<T>> {
        if index as u64 >= self.word(ROW) {
            return None;
        }
        let [log_likelihood, mean] = *self.parts.predicted.as_chunks::<PREDICTED>().0.get(index)?;
        Some(Predicted { log_likelihood, mean })
    }

    /// The evidence; `None` before the particles have been weighted for lambda = 1.
    pub fn evidence(&self) -> Option<Evidence<T>> {
        let scalars = self.scalars();
        if self.word(PHASE) <= WEIGHING || !(scalars.variance >= T::ZERO) {
            return None;
        }
        let families = self.word(FAMILIES);
        let standard_error = if families > 1 { scalars.variance.sqrt() } else { T::INFINITY };
        Some(Evidence { log: scalars.log + scalars.lost, standard_error, families })
    }

    /// The particles, equally weighted, as they lie: column by column (M d weights, log density, log
    /// likelihood), in each one value a particle. Empty before they are there.
    pub fn record(&self) -> &[T] {
        if self.word(PHASE) >= DONE { &*self.parts.record } else { &[] }
    }

    /// [`record`](Self::record), for as long as the memory is lent.
    pub(crate) fn into_record(self) -> &'a [T] {
        if self.word(PHASE) >= DONE { self.parts.record } else { &[] }
    }

    /// One column of the particles; `None` before they are there or if w has no such coordinate.
    pub fn column(&self, column: Column) -> Option<&[T]> {
        let index = column.of_particles(self.shape.problem.dim())?;
        let particles = self.shape.particles();
        let start = index.checked_mul(particles)?;
        self.record().get(start..start.checked_add(particles)?)
    }

    /// One column of the particles as one draw of each of as many chains: what prediction and
    /// diagnostics read.
    pub fn draws(&self, column: Column) -> Option<Draws<'_, T>> {
        let column = self.column(column)?;
        Draws::new(column, column.len(), 1, 0, 1, column.len()).ok()
    }

    /// The particles in latent coordinates, as a pilot of chains
    /// ([`Sampler::init_from`](crate::sampler::Sampler::init_from)); `None` before they are there.
    pub fn cloud(&self) -> Option<Cloud<'_, T>> {
        let shape = &self.shape;
        (self.word(PHASE) >= DONE).then(|| {
            let (points, lanes) = (shape.particles(), shape.lanes());
            Cloud::new(
                &*self.parts.positions,
                points,
                lanes,
                shape.problem.latent,
                shape.problem.fingerprint,
            )
        })
    }

    /// The mean over the particles of a quantity that has one value a particle (a view as
    /// [`draws`](Self::draws) gives), with its error. `scratch` is N numbers. `None` before the particles
    /// are there, or where values or scratch are too few.
    pub fn average(&self, values: &Draws<'_, T>, scratch: &mut [T]) -> Option<Average<T>> {
        let particles = self.shape.particles();
        let sums = scratch.get_mut(..particles)?;
        if self.word(PHASE) < DONE || values.chains() != particles || values.draws() == 0 {
            return None;
        }
        Average::of((0..particles).map(|i| values.at(i, 0)), self.parts.origins, sums)
    }

    /// For each particle, the draw from the prior (0 to N - 1) that it descends from. Particles of
    /// one descent may be dependent: [`average`](Self::average) counts with that.
    pub fn origins(&self) -> &[u32] {
        self.parts.origins
    }
}
