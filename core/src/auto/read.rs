//! What a run says of itself: where it is, what it drew, what it found.

use super::{
    Auto, BEGUN, CAUSE, CHAINS, CHECK, Cause, Choice, DISAGREEMENT, DONE, EFFECTIVE, IMPROPER,
    LOOK, MAPS, OFF, OVERLAP, PARTICLES, PHASE, PILOT, RHAT_FOUND, Report, SHIFT, SLOWEST, SPENT,
    SPREAD_FOUND, STAGES, STOPPED, STRAYS, STRETCH, VERDICT, Verdict, WARMUP, WRONG,
};
use crate::column::Column;
use crate::diagnostics::{self, Draws};
use crate::sampler::Sampler;
use crate::scalar::Real;
use crate::simd::AnyLanes;
use crate::smc::{Average, Smc};
use crate::uncentring::Uncentring;
use crate::warmup::Warmup;

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Of about 1000; a change of mind may make it jump, never fall.
    pub thousandths: u64,
    /// Evaluations of the likelihood so far, over all particles and chains.
    pub evaluations: u64,
    /// Whether the run is over.
    pub done: bool,
}

/// The shape of what a run has recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The coordinates of w, M d.
    pub dim: usize,
    /// Columns of the record.
    pub columns: usize,
    /// Chains, in antithetic pairs, or particles.
    pub chains: usize,
    /// Draws of each so far.
    pub draws: usize,
    /// The [fingerprint](crate::problem::Problem::fingerprint) of the problem they are of.
    pub fingerprint: u64,
}

impl Recorded {
    /// Particles as chains of one draw each.
    pub(super) fn of_particles<T: Real>(p: &Smc<'_, T>) -> Self {
        let (dim, chains) = (p.dim(), p.options().particles as usize);
        let (columns, fingerprint) = (dim.saturating_add(2), p.fingerprint());
        Self { dim, columns, chains, draws: 1, fingerprint }
    }

    /// Of `count` draws spread evenly over all of the record, the `k`-th.
    pub(super) fn read<T: Real>(
        &self,
        record: &[T],
        (k, count): (usize, usize),
        x: &mut [T],
    ) -> Option<()> {
        let Self { columns, chains, draws, .. } = *self;
        let all = chains.checked_mul(draws)?;
        let at = (k as u64).checked_mul(all as u64)?.checked_div(count as u64)? as usize;
        // Steps of whole rows would all be of the first chain.
        let step = count.checked_mul(chains);
        let turn = if step.is_some_and(|step| all.checked_rem(step) == Some(0)) { k } else { 0 };
        let (t, chain) = (at.checked_div(chains)?, at.wrapping_add(turn).checked_rem(chains)?);
        let start = t.checked_mul(columns)?.checked_mul(chains)?.checked_add(chain)?;
        let draw = record.get(start..)?.iter().step_by(chains);
        x.iter_mut().zip(draw).for_each(|(x, w)| *x = *w);
        Some(())
    }
}

impl<T: AnyLanes> Auto<'_, T> {
    /// The chains, once chosen and unless particles took over.
    pub fn chains(&mut self) -> Option<Sampler<'_, T>> {
        let chosen = self.word(PHASE) > PILOT && self.choice() != Choice::Particles;
        if chosen { Sampler::open(self.parts.main, self.isa).ok() } else { None }
    }

    /// The particles that took over from the chains, once they have.
    pub fn particles(&mut self) -> Option<Smc<'_, T>> {
        let chosen = self.choice() == Choice::Particles;
        if chosen { Smc::open(self.parts.main, self.isa).ok() } else { None }
    }

    /// The warm-up, of a density of the user's own that has a gradient.
    pub fn warmup(&mut self) -> Option<Warmup<'_, T>> {
        Warmup::open(self.parts.warmup, self.isa).ok()
    }

    /// The pilot, unless the density has no gradient; `None` before it begins.
    pub fn pilot(&mut self) -> Option<Smc<'_, T>> {
        Smc::open(self.parts.pilot, self.isa).ok()
    }

    /// Evaluations of the phase at hand, over all its particles or chains.
    pub(super) fn running(&mut self) -> u64 {
        let all = |evaluations: u64, of: u32| evaluations.saturating_mul(of as u64);
        let of_particles = |p: Smc<'_, T>| all(p.evaluations(), p.options().particles);
        let running = match self.word(PHASE) {
            WARMUP => self.warmup().map(|w| w.evaluations()),
            PILOT => self.pilot().map(of_particles),
            CHAINS => self.chains().map(|c| all(c.evaluations(), c.options().chains)),
            PARTICLES => self.particles().map(of_particles),
            _ => None,
        };
        running.unwrap_or(0)
    }

    /// Where it is.
    pub fn position(&mut self) -> Position {
        let thousand = |x: T| (x * T::lit(999.0)).floor().to_usize() as u64;
        let climbed = |p: Smc<'_, T>| thousand(p.position().temperature);
        let (phase, choice) = (self.word(PHASE), self.choice());
        let warmed = |w: Warmup<'_, T>| w.thousandths();
        let thousandths = match phase {
            WARMUP => self.warmup().map_or(0, warmed) / 20,
            PILOT => {
                let again = self.piloted() > self.shape.options.pilot;
                let from = if again { 75 } else { 50 };
                (self.pilot().map_or(0, climbed) / 40).saturating_add(from)
            }
            CHAINS => self.chains().map_or(100, |c| {
                let at = c.position();
                let share = thousand(T::of_u32(at.iterations) / T::of_u32(at.total)) / 10;
                match choice {
                    Choice::Mixture => 700 + share,
                    Choice::Careful => 400 + share / 2,
                    Choice::Patient => 450 + share * 5 / 2,
                    _ => 100 + share * 3,
                }
            }),
            PARTICLES => 800 + self.particles().map_or(0, climbed) / 5,
            CHECK | LOOK => 999,
            _ => 1000,
        };
        // It may all begin again.
        let thousandths = match self.word(BEGUN) {
            _ if phase >= DONE || self.parts.warmup.is_empty() => thousandths,
            0 => match self.word(MAPS) {
                0 => thousandths / 10 * 7,
                1 => 300 + thousandths / 4,
                2 => 550 + thousandths / 10,
                _ => 650 + thousandths / 20,
            },
            again => (600 + thousandths / 10).saturating_add(again.min(3).saturating_mul(100)),
        };
        let evaluations = self.word(SPENT).saturating_add(self.running());
        Position { thousandths, evaluations, done: phase >= DONE }
    }

    /// The draws of a column so far: of `chains` chains in pairs, or of particles as chains of one draw
    /// each. Of chains that are still at work they may yet be given up for others. `None` before there
    /// are any, if w has no such coordinate, or if what was chosen does not record the column.
    pub fn draws(&mut self, column: Column) -> Option<Draws<'_, T>> {
        let shape = self.recorded()?;
        let offset = match self.choice() {
            Choice::Particles => column.of_particles(shape.dim),
            _ => column.of_chains(shape.dim),
        }?
        .checked_mul(shape.chains)?;
        let stride = shape.columns.checked_mul(shape.chains)?;
        Draws::new(self.record(), shape.chains, shape.draws, offset, 1, stride).ok()
    }

    /// The shape of [`record`](Self::record); `None` before there are draws.
    pub fn recorded(&mut self) -> Option<Recorded> {
        if !matches!(self.word(PHASE), CHAINS | CHECK | LOOK | DONE) {
            return None;
        }
        if let Some(p) = self.particles() {
            return Some(Recorded::of_particles(&p));
        }
        let c = self.chains()?;
        let (dim, columns) = (c.dim(), c.columns());
        let (chains, draws) = (c.options().chains as usize, c.position().stored);
        let fingerprint = c.fingerprint();
        (draws > 0).then_some(Recorded { dim, columns, chains, draws, fingerprint })
    }

    /// The draws as they lie: value `[t][column][chain]`, the first columns being the weights; empty
    /// before there are any.
    pub fn record(&mut self) -> &[T] {
        if self.recorded().is_none() {
            return &[];
        }
        match self.choice() {
            Choice::Particles => {
                Smc::<T>::open(self.parts.main, self.isa).map_or(&[], |p| p.into_record())
            }
            _ => Sampler::<T>::open(self.parts.main, self.isa).map_or(&[], |c| c.into_record()),
        }
    }

    /// The mean of a quantity over the draws, its variance, and the standard error of the mean: from
    /// the means of antithetic pairs, or from the families of particles. Of pairs it is an sd over their draws at least: the mean
    /// of a pair is all but constant, and a little off, until one of the two refuses what the other does not, and that may
    /// not have happened yet. `values` holds one for each
    /// draw, as [`draws`](Self::draws) views them, and `scratch` [`average_scratch`](Self::average_scratch)
    /// numbers. `None` before there are draws, or where a size does not match.
    pub fn average(&mut self, values: &Draws<'_, T>, scratch: &mut [T]) -> Option<Average<T>> {
        let Recorded { chains, draws, .. } = self.recorded()?;
        let scratch = scratch.get_mut(..self.average_scratch()?)?;
        if (values.chains(), values.draws()) != (chains, draws) {
            return None;
        }
        if let Some(particles) = self.particles() {
            return particles.average(values, scratch);
        }
        let half = (chains / 2).checked_mul(draws)?;
        let (pairs, scratch) = scratch.split_at_mut_checked(half)?;
        let pairs = diagnostics::pair_means(values, pairs).ok()?;
        let seen = diagnostics::mcse_mean(&pairs, scratch).ok()?;
        let (mean, variance) = diagnostics::mean_and_variance(values);
        let unseen = variance / (T::of_usize(half) * T::of_usize(half));
        let standard_error = (seen * seen + unseen).sqrt();
        Some(Average { mean, variance, standard_error })
    }

    /// The numbers of scratch that [`average`](Self::average) needs: 2 for each draw.
    pub fn average_scratch(&mut self) -> Option<usize> {
        let Recorded { chains, draws, .. } = self.recorded()?;
        chains.checked_mul(draws)?.checked_mul(2)
    }

    /// The particles of the pilot.
    pub(super) fn piloted(&mut self) -> u32 {
        let asked = self.shape.options.pilot;
        self.pilot().map_or(asked, |p| p.options().particles)
    }

    /// What was found and chosen so far, and what is thought of it.
    pub fn report(&mut self) -> Report<T> {
        let pilot = self.pilot().and_then(|p| p.evidence());
        let many = self.particles().and_then(|p| p.evidence());
        let took_over = self.choice() == Choice::Particles;
        let particles =
            if took_over { self.shape.options.particles() } else { Some(self.piloted()) };
        let counted = |which| usize::try_from(self.word(which)).ok().and_then(|k| k.checked_sub(1));
        let along = counted(IMPROPER).filter(|_| self.word(IMPROPER) < u64::MAX);
        let along = counted(WRONG).or(along);
        Report {
            choice: self.choice(),
            verdict: Verdict::from_code(self.word(VERDICT) as i32).unwrap_or(Verdict::Open),
            hard: super::is_hard(self.leapfrogs()),
            uncentred: u32::try_from(Uncentring::new(self.parts.map).count()).unwrap_or(0),
            stretched: Uncentring::new(self.parts.map)
                .stretched()
                .map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
            stages: u32::try_from(self.word(STAGES)).unwrap_or(0),
            overlap: self.noted(OVERLAP),
            rhat: self.noted(RHAT_FOUND),
            rhat_coordinate: counted(SLOWEST),
            spread: self.noted(SPREAD_FOUND),
            strays: u32::try_from(self.word(STRAYS)).unwrap_or(0),
            cause: Cause::from_code(self.word(CAUSE) as i32).unwrap_or(Cause::None),
            effective: self.noted(EFFECTIVE),
            asked: self.shape.options.ess,
            stopped: self.word(STOPPED) > 0,
            disagreement: self.noted(DISAGREEMENT),
            shift: self.noted(SHIFT),
            stretch: self.noted(STRETCH),
            coordinate: along.or(counted(OFF)),
            particles: particles.unwrap_or(0),
            evidence: many.or(pilot),
        }
    }
}
