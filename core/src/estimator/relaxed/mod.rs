//! Greedy least squares over the dictionary {+-V psi(x.w): |w|_1 <= R}: relaxed greedy (Jones 1992,
//! Barron 1993), Frank-Wolfe and orthogonal matching pursuit, as one object over the caller's memory.
//!
//! ```text
//! let bytes = RelaxedGreedy::size(&options, n, d)?;
//! let mut fit = RelaxedGreedy::init(memory, &options, isa, &data)?;
//! while fit.step(&data, 10_000_000)? == Status::Running {}
//! let level = fit.level_report(39);        // training error, the bound V^2/k, the duality gap
//! ```
//!
//! The minimiser in place of the mean of Greedy Bayes ([`GreedyBayes`](super::GreedyBayes)). Level k
//! seeks one neuron g = s V psi(x.w):
//! - relaxed: the least |y - (1 - b) f - b g|^2 at b = 2/(k + 1), that is the largest
//!   b V |sum r psi| - (b^2 V^2/2) sum psi^2, r = y - (1 - b) f;
//! - Frank-Wolfe and orthogonal: the largest V |sum r psi|, r = y - f.
//!
//! The search is not convex. It is projected gradient ascent from [`starts`](RelaxedOptions::starts)
//! draws from the uniform law on the ball, a fixed number of [`steps`](RelaxedOptions::steps) of each
//! (normalised, their length adapted start by start), all starts in lock-step: `starts (steps + 1)`
//! passes over the data a level. The best of them is taken; no certificate says that it is the best of
//! all, and the bounds hold as far as it is.
//!
//! Bounds, for searches that find the best: with f* any function of the dictionary's convex hull and
//! B = sup |psi|, |y - f_k|^2/n <= |y - f*|^2/n + 4 V^2 B^2/k by the relaxed and the orthogonal method
//! (Barron, Cohen, Dahmen, DeVore 2008), + 16 V^2 B^2/(k + 2) by Frank-Wolfe (Jaggi 2013); some average of
//! k neurons is within [`bound`](RelaxedLevel::bound) = V^2 B^2/k of f*
//! ([`crate::theory::bounds::approximation`]). Frank-Wolfe also reports its duality gap,
//! |y - f|^2/n - |y - f*|^2/n <= gap.

mod ascent;
mod layout;
mod options;
mod report;

pub use options::{RelaxedError, RelaxedMethod, RelaxedOptions};
pub use report::RelaxedLevel;

use super::greedy_bayes::recursion;
use super::regressor::Status;
use crate::data::{Dataset, Inputs};
use crate::error::refuse;
use crate::likelihood::{GreedyTilt, Likelihood};
use crate::linalg::lower_len;
use crate::linalg::one::{cholesky, solve_lower, solve_lower_transposed};
use crate::object::{Object, compiled, object};
use crate::pieces::{nth, nth_mut, pieces};
use crate::posterior::Standardiser;
use crate::prior::Prior;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, part};
use crate::sum::Sum;
use ascent::{accept, project, propose};
use layout::{CURSOR, Parts, REPORT, Shape};

/// Words of the cursor.
const LEVEL: usize = 0;
const TICK: usize = 1;
const BLOCK: usize = 2;
const _: () = assert!(BLOCK < CURSOR);

/// How far the smoothed |sum r psi|, ln cosh, is from its own absolute value: it is multiplied so that
/// a perfect fit would stand at this.
const SHARPNESS: f64 = 64.0;

object! {
    /// A fit over the caller's memory.
    pub struct RelaxedGreedy { shape: Shape<T>, options: RelaxedOptions<T>, error: RelaxedError }
}

compiled! {
    RelaxedGreedy: AnyLanes;
    fn work(mut self, budget: u64) -> Result<Status, RelaxedError> => run;
}

impl<T: Compiled> RelaxedGreedy<'_, T> {
    /// Works until about `budget` row visits (rows times lanes, one for each pass of a block of starts
    /// over the data) are used up or every level is there. A unit of work is one step of one block, or
    /// the end of a level (n (2 K + 2 d) flops, orthogonal K^3/3 more). Any budget above 0 advances; any
    /// splitting gives the same bits. The data are those of [`init`](Self::init), read once a call.
    pub fn step(&mut self, data: &Dataset<'_, T>, budget: u64) -> Result<Status, RelaxedError> {
        let Shape { n, d, fingerprint, .. } = self.shape;
        refuse(!data.is(n, d, fingerprint), RelaxedError::OtherData)?;
        T::work(self, budget)
    }
}

impl<'a, T: AnyLanes> RelaxedGreedy<'a, T> {
    /// The bytes of memory for n rows of d inputs, to be aligned to
    /// [`ALIGN`](crate::workspace::ALIGN).
    pub fn size(options: &RelaxedOptions<T>, n: usize, d: usize) -> Result<usize, RelaxedError> {
        Shape::new(options, n, d, 0)?.bytes()
    }

    /// A fit at its beginning, in the front of `memory`. `isa` changes speed, never a number.
    pub fn init(
        memory: &'a mut [u8],
        options: &RelaxedOptions<T>,
        isa: Isa,
        data: &Dataset<'_, T>,
    ) -> Result<Self, RelaxedError> {
        data.unweighted()?;
        let shape = Shape::new(options, data.n(), data.d(), data.fingerprint())?;
        let own_units = options.standardise.on().then_some(data);
        Standardiser::check(own_units, (data.y(), &[]))?;
        let parts = shape.make(memory)?;
        let mut this = Self { parts, shape, isa };
        this.copy(data)?;
        Ok(this)
    }

    /// The copy of the data, in the neurons' units.
    fn copy(&mut self, data: &Dataset<'_, T>) -> Result<(), RelaxedError> {
        let (n, d, columns) = (self.shape.n, self.shape.d, self.shape.columns());
        let Parts { standards, x, y, .. } = &mut self.parts;
        let own_units = self.shape.options.standardise.on().then_some(data);
        Standardiser::store(d, own_units, standards)?.copy(data, 0..n, columns, x, y);
        Dataset::new(Inputs::row_major(x, n, columns)?, y)?;
        Ok(())
    }

    /// Levels that are there.
    pub fn levels(&self) -> usize {
        self.word(LEVEL).min(self.shape.levels() as u64) as usize
    }

    /// b and V of the level's search: what multiplies psi.
    fn share(&self, level: usize) -> T {
        match self.shape.options.method.value() {
            RelaxedMethod::Relaxed => T::lit(2.0) / T::of_usize(level.saturating_add(2)),
            _ => T::ONE,
        }
    }

    /// The largest |x_ij| of the copy.
    pub(super) fn largest_input(&self) -> T {
        self.parts.x.iter().fold(T::ZERO, |max, x| max.max(x.abs()))
    }

    fn run<const N: usize>(&mut self, budget: u64) -> Result<Status, RelaxedError>
    where
        T: Lanes<N>,
    {
        let o = self.shape.options;
        let blocks = (o.starts / o.lanes.max(1)) as u64;
        let visits = (self.shape.n as u64).saturating_mul(N as u64);
        let mut spent = 0_u64;
        loop {
            if self.levels() >= self.shape.levels() {
                return Ok(Status::Done);
            }
            if spent >= budget {
                return Ok(Status::Running);
            }
            let (tick, block) = (self.word(TICK), self.word(BLOCK));
            if tick > o.steps as u64 {
                self.finish().ok_or(RelaxedError::NotAFit)?;
                self.set(TICK, 0);
                self.set(LEVEL, self.word(LEVEL).wrapping_add(1));
            } else {
                self.ascend::<N>(tick, block as usize).ok_or(RelaxedError::NotAFit)?;
                let next = block.wrapping_add(1);
                self.set(BLOCK, if next < blocks { next } else { 0 });
                self.set(TICK, if next < blocks { tick } else { tick.wrapping_add(1) });
            }
            spent = spent.saturating_add(visits);
        }
    }

    /// One step of one block of starts; the first draws them.
    fn ascend<const N: usize>(&mut self, tick: u64, b: usize) -> Option<()>
    where
        T: Lanes<N>,
    {
        let (shape, isa, level) = (self.shape, self.isa, self.levels());
        let (o, columns, share) = (shape.options, shape.columns(), self.share(level));
        let parts = &mut self.parts;
        if tick == 0 && b == 0 {
            // Frank-Wolfe and orthogonal: y - f.
            let taken = if o.method == RelaxedMethod::Relaxed { share } else { T::ZERO };
            recursion::residuals(taken, parts.y, parts.fit, parts.residuals);
        }
        let residuals = &*parts.residuals;
        let squares = Sum::of(residuals.iter().map(|r| *r * *r));
        let length = (squares * T::of_usize(shape.n)).sqrt().max(T::MIN_POSITIVE);
        let factor = share * o.outer;
        let sharp = T::lit(SHARPNESS) / length;
        let quadratic = match o.method.value() {
            // Both terms over b V: the same maximiser.
            RelaxedMethod::Relaxed => sharp * factor,
            _ => T::ZERO,
        };
        let data =
            Dataset::new(Inputs::row_major(parts.x, shape.n, columns).ok()?, residuals).ok()?;
        let tilt = GreedyTilt {
            quadratic,
            signed: true,
            ..GreedyTilt::new(data, sharp, o.activation.value())
        };
        let w = part::<T, N>(parts.points, b, columns)?;
        let gradient = part::<T, N>(parts.gradients, b, columns)?;
        let value = part::<T, N>(parts.values, b, 1)?.first_mut()?;
        let step = part::<T, N>(parts.steps, b, 1)?.first_mut()?;
        let (work, _) = parts.work.as_chunks_mut::<N>();
        if tick == 0 {
            let mut streams = [Stream::from_words([0; 4]); N];
            for (lane, stream) in streams.iter_mut().enumerate() {
                let start = (level as u64)
                    .wrapping_mul(o.starts as u64)
                    .wrapping_add((b as u64).wrapping_mul(N as u64))
                    .wrapping_add(lane as u64);
                *stream = Stream::new(o.seed, start, Purpose::Start);
            }
            let ball = Prior::L1Ball { radius: o.radius };
            let (g, rest) = work.split_at_mut_checked(ball.latent_dim(columns))?;
            ball.draw_on(isa, columns, &mut streams, g, w, rest);
            *value = tilt.value_and_gradient(isa, w, gradient, work);
            *step = [o.radius * T::HALF; N];
            return Some(());
        }
        let (trial, _) = parts.trial.as_chunks_mut::<N>();
        let (point, slope) = trial.split_at_mut_checked(columns)?;
        propose(isa, w, gradient, step, point);
        project(isa, o.radius, point);
        let trial_value = tilt.value_and_gradient(isa, point, slope, work);
        let best = (value, w, gradient);
        accept(isa, best, (&trial_value, point, slope), step, o.radius + o.radius);
        Some(())
    }

    /// Takes the best of the starts into the fit.
    fn finish(&mut self) -> Option<()> {
        let (shape, level) = (self.shape, self.levels());
        let (o, n, columns) = (shape.options, shape.n, shape.columns());
        let lanes = o.lanes as usize;
        let parts = &mut self.parts;
        let (x, y, fit, coefficients) =
            (&*parts.x, &*parts.y, &mut *parts.fit, &mut *parts.coefficients);
        let (mut best, mut most) = (0_usize, -T::INFINITY);
        for (start, value) in parts.values.iter().enumerate() {
            if *value > most {
                (best, most) = (start, *value);
            }
        }
        let own = nth_mut(parts.weights, columns, level);
        let block = nth(parts.points, columns.checked_mul(lanes)?, best.checked_div(lanes)?);
        let lane = best.checked_rem(lanes)?;
        for (w, blocked) in own.iter_mut().zip(pieces(block, lanes)) {
            *w = *blocked.get(lane)?;
        }
        let mut linear = Sum::ZERO;
        let psi = nth_mut(parts.outputs, n, level);
        for ((out, row), r) in psi.iter_mut().zip(pieces(x, columns)).zip(&*parts.residuals) {
            let u = row.iter().zip(&*own).fold(T::ZERO, |sum, (x, w)| sum + *x * *w);
            let [value, _, _] = o.activation.value().jet(u);
            *out = o.outer * value;
            linear.add(*r * *out);
        }
        let sign = if linear.value() < T::ZERO { -T::ONE } else { T::ONE };
        let (count, mut gap) = (T::of_usize(n), T::NAN);
        if o.method == RelaxedMethod::Orthogonal {
            append(level, n, parts.outputs, y, parts.gram, parts.products)?;
            let used = level.checked_add(1)?;
            let length = lower_len(used)?;
            let factor = parts.factor.get_mut(..length)?;
            factor.iter_mut().zip(&*parts.gram).for_each(|(f, g)| *f = *g);
            let floor = T::EPSILON * T::of_usize(used.saturating_mul(16));
            cholesky(factor.as_chunks_mut::<1>().0, used, floor);
            let c = coefficients.get_mut(..used)?;
            c.iter_mut().zip(&*parts.products).for_each(|(c, p)| *c = *p);
            let (factor, _) = factor.as_chunks::<1>();
            solve_lower(factor, c.as_chunks_mut::<1>().0);
            solve_lower_transposed(factor, c.as_chunks_mut::<1>().0);
            fit.fill(T::ZERO);
            for (c, psi) in c.iter().zip(pieces(parts.outputs, n)) {
                fit.iter_mut().zip(psi).for_each(|(f, p)| *f += *c * *p);
            }
        } else {
            let psi = nth(parts.outputs, n, level);
            let (mut along, mut squares) = (Sum::ZERO, Sum::ZERO);
            for ((y, f), p) in y.iter().zip(fit.iter()).zip(psi) {
                let h = sign * *p - *f;
                along.add((*y - *f) * h);
                squares.add(h * h);
            }
            if o.method == RelaxedMethod::FrankWolfe {
                gap = T::lit(2.0) * along.value() / count;
            }
            let b = along.value() / squares.value().max(T::MIN_POSITIVE);
            let b = b.max(T::ZERO).min(T::ONE);
            for (f, p) in fit.iter_mut().zip(psi) {
                *f += b * (sign * *p - *f);
            }
            for (k, c) in coefficients.iter_mut().enumerate().take(level.saturating_add(1)) {
                *c = if k == level { b * sign } else { (T::ONE - b) * *c };
            }
        }
        let error = recursion::squared_error(y, fit) / count;
        let size = coefficients.iter().fold(T::ZERO, |sum, c| sum + c.abs());
        *nth_mut(parts.report, REPORT, level).first_chunk_mut::<REPORT>()? =
            [error, gap, o.outer * size];
        Some(())
    }
}

/// The products of a new neuron's outputs with those before it, itself and y, over n.
fn append<T: Real>(
    level: usize,
    n: usize,
    outputs: &[T],
    y: &[T],
    gram: &mut [T],
    products: &mut [T],
) -> Option<()> {
    let own = nth(outputs, n, level);
    let dot = |other: &[T]| Sum::of(own.iter().zip(other).map(|(a, b)| *a * *b)) / T::of_usize(n);
    let row = gram.get_mut(lower_len(level)?..lower_len(level.checked_add(1)?)?)?;
    for (entry, other) in row.iter_mut().zip(pieces(outputs, n)) {
        *entry = dot(other);
    }
    *products.get_mut(level)? = dot(y);
    Some(())
}
