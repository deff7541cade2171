//! The object: its memory, and its work step by step.

use super::ascent::{accept, project, propose};
use super::options::{RelaxedError, RelaxedMethod, RelaxedOptions};
use crate::checkpoint::Kind;
use crate::data::{DataError, Dataset, Inputs};
use crate::estimator::regressor::Status;
use crate::likelihood::{GreedyTilt, Likelihood};
use crate::linalg::{cholesky, lower_len, solve_lower, solve_lower_transposed};
use crate::object::{Object, compiled, product};
use crate::pieces::{pieces, pieces_mut};
use crate::plain::plain;
use crate::posterior::Standardiser;
use crate::prior::Prior;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, Portable, by_lanes, part};
use crate::sum::Sum;
use crate::workspace::{Carve, WorkspaceError};

/// Numbers of the report of a level: mean squared error, gap, variation.
pub(super) const REPORT: usize = 3;

/// Words of the cursor.
const LEVEL: usize = 0;
const TICK: usize = 1;
const BLOCK: usize = 2;
const CURSOR: usize = 3;

/// How far the smoothed |sum r psi|, ln cosh, is from its own absolute value: it is multiplied so that
/// a perfect fit would stand at this.
const SHARPNESS: f64 = 64.0;

plain! {
    /// Everything that the sizes of the parts follow from.
    pub(super) struct Shape<T> {
        pub options: RelaxedOptions<T>,
        pub n: usize,
        pub d: usize,
        pub fingerprint: u64,
    }
}

impl<T: Real> Shape<T> {
    /// Of a fit to n rows of d inputs.
    fn new(
        options: &RelaxedOptions<T>,
        n: usize,
        d: usize,
        fingerprint: u64,
    ) -> Result<Self, RelaxedError> {
        options.check()?;
        if n == 0 || d == 0 {
            return Err(RelaxedError::Data(DataError::Empty));
        }
        Ok(Self { options: *options, n, d, fingerprint })
    }

    pub(super) fn columns(&self) -> usize {
        self.d.saturating_add(self.options.intercept.on() as usize)
    }
    pub(super) fn levels(&self) -> usize {
        self.options.levels as usize
    }
}

/// The parts.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    cursor: &'a mut [u64],
    pub standards: &'a mut [T],
    x: &'a mut [T],
    y: &'a mut [T],
    pub fit: &'a mut [T],
    residuals: &'a mut [T],
    /// V psi of each neuron at every row.
    outputs: &'a mut [T],
    /// w of each neuron, and its factor: f = sum of factors times V psi.
    pub weights: &'a mut [T],
    pub coefficients: &'a mut [T],
    pub report: &'a mut [T],
    /// Of the orthogonal method: Gram matrix and factor, packed; products with y.
    gram: &'a mut [T],
    factor: &'a mut [T],
    products: &'a mut [T],
    /// Of each block of starts: w, gradient; values and steps.
    points: &'a mut [T],
    gradients: &'a mut [T],
    values: &'a mut [T],
    steps: &'a mut [T],
    /// Of one block: trial point and gradient, and scratch.
    trial: &'a mut [T],
    work: &'a mut [T],
}

impl<T: Real> Object<T> for Shape<T> {
    const KIND: Kind = Kind::Relaxed;
    type Parts<'a> = Parts<'a, T>;
    type Error = RelaxedError;
    const BROKEN: RelaxedError = RelaxedError::NotAFit;

    fn possible(&self) -> bool {
        Self::new(&self.options, self.n, self.d, self.fingerprint).is_ok()
    }

    fn parts<'a>(&self, carve: &mut impl Carve<'a>) -> Result<Parts<'a, T>, RelaxedError> {
        let overflow = WorkspaceError::Overflow;
        let o = &self.options;
        let (n, levels) = (self.n, self.levels());
        let columns = self.d.checked_add(o.intercept.on() as usize).ok_or(overflow)?;
        let (starts, lanes) = (o.starts as usize, o.lanes as usize);
        let packed = match o.method.value() {
            RelaxedMethod::Orthogonal => lower_len(levels).ok_or(overflow)?,
            _ => 0,
        };
        let ball = Prior::L1Ball { radius: o.radius };
        // A draw from the ball and its map, or the gradient of the square.
        let work = columns.checked_add(2).and_then(|k| k.checked_add(ball.scratch(columns)));
        let work = product([work.ok_or(overflow)?, lanes])?;
        Ok(Parts {
            cursor: carve.take(CURSOR)?,
            standards: carve.take(product([self.d.checked_add(1).ok_or(overflow)?, 2])?)?,
            x: carve.take(product([n, columns])?)?,
            y: carve.take(n)?,
            fit: carve.take(n)?,
            residuals: carve.take(n)?,
            outputs: carve.take(product([levels, n])?)?,
            weights: carve.take(product([levels, columns])?)?,
            coefficients: carve.take(levels)?,
            report: carve.take(product([levels, REPORT])?)?,
            gram: carve.take(packed)?,
            factor: carve.take(packed)?,
            products: carve.take(levels)?,
            points: carve.take(product([starts, columns])?)?,
            gradients: carve.take(product([starts, columns])?)?,
            values: carve.take(starts)?,
            steps: carve.take(starts)?,
            trial: carve.take(product([columns, 2, lanes])?)?,
            work: carve.take(work)?,
        })
    }
}

/// A fit over the caller's memory.
#[derive(Debug)]
pub struct RelaxedGreedy<'a, T> {
    pub(super) parts: Parts<'a, T>,
    pub(super) shape: Shape<T>,
    isa: Isa,
}

compiled! {
    RelaxedGreedy: AnyLanes;
    fn work(mut self, budget: u64) -> Result<Status, RelaxedError>;
}

impl<T: Compiled> RelaxedGreedy<'_, T> {
    /// Works until about `budget` row visits (rows times lanes, one for each pass of a block of starts
    /// over the data) are used up or every level is there. A unit of work is one step of one block, or
    /// the end of a level (n (2 K + 2 d) flops, orthogonal K^3/3 more). Any budget above 0 advances; any
    /// splitting gives the same bits. The data are those of [`init`](Self::init), read once a call.
    pub fn step(&mut self, data: &Dataset<'_, T>, budget: u64) -> Result<Status, RelaxedError> {
        let same = data.n() == self.shape.n && data.d() == self.shape.d;
        if !same || data.fingerprint() != self.shape.fingerprint {
            return Err(RelaxedError::OtherData);
        }
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
        let shape = Shape::new(options, data.n(), data.d(), data.fingerprint())?;
        let parts = shape.make(memory)?;
        let mut this = Self { parts, shape, isa };
        this.copy(data)?;
        Ok(this)
    }

    /// The fit that `memory` holds.
    pub fn open(memory: &'a mut [u8], isa: Isa) -> Result<Self, RelaxedError> {
        let (shape, parts) = Shape::open(memory)?;
        Ok(Self { parts, shape, isa })
    }

    /// The copy of the data, in the neurons' units.
    fn copy(&mut self, data: &Dataset<'_, T>) -> Result<(), RelaxedError> {
        let (columns, o) = (self.shape.columns(), self.shape.options);
        let Parts { standards, x, y, .. } = &mut self.parts;
        let units = Standardiser::store(data, o.standardise.on(), standards)?;
        for (i, ((row, y), raw)) in
            pieces_mut(x, columns).zip(y.iter_mut()).zip(data.y()).enumerate()
        {
            row.fill(T::ONE);
            units.row(data, i, row);
            *y = units.target(*raw);
        }
        Dataset::new(Inputs::row_major(x, self.shape.n, columns)?, y)?;
        Ok(())
    }

    fn word(&self, which: usize) -> u64 {
        self.parts.cursor.get(which).copied().unwrap_or(u64::MAX)
    }

    fn set(&mut self, which: usize, value: u64) {
        if let Some(word) = self.parts.cursor.get_mut(which) {
            *word = value;
        }
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

    fn work(&mut self, budget: u64) -> Result<Status, RelaxedError> {
        by_lanes!(self.shape.options.lanes, N => self.run::<N>(budget))
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
        let Parts { x, y, fit, residuals, points, gradients, values, steps, trial, work, .. } =
            &mut self.parts;
        if tick == 0 && b == 0 {
            let keep = match o.method.value() {
                RelaxedMethod::Relaxed => T::ONE - share,
                _ => T::ONE,
            };
            for (r, (y, f)) in residuals.iter_mut().zip(y.iter().zip(fit.iter())) {
                *r = *y - keep * *f;
            }
        }
        let mut squares = Sum::ZERO;
        residuals.iter().for_each(|r| squares.add(*r * *r));
        let length = (squares.value() * T::of_usize(shape.n)).sqrt().max(T::MIN_POSITIVE);
        let factor = share * o.outer;
        let sharp = T::lit(SHARPNESS) / length;
        let quadratic = match o.method.value() {
            // Both terms over b V: the same maximiser.
            RelaxedMethod::Relaxed => sharp * factor,
            _ => T::ZERO,
        };
        let data = Dataset::new(Inputs::row_major(x, shape.n, columns).ok()?, residuals).ok()?;
        let tilt = GreedyTilt {
            quadratic,
            signed: true,
            ..GreedyTilt::new(data, sharp, o.activation.value())
        };
        let w = part::<T, N>(points, b, columns)?;
        let gradient = part::<T, N>(gradients, b, columns)?;
        let value = part::<T, N>(values, b, 1)?.first_mut()?;
        let step = part::<T, N>(steps, b, 1)?.first_mut()?;
        let (work, _) = work.as_chunks_mut::<N>();
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
            ball.draw(Portable, columns, &mut streams, g, w, rest);
            *value = tilt.value_and_gradient(isa, w, gradient, work);
            *step = [o.radius * T::HALF; N];
            return Some(());
        }
        let (trial, _) = trial.as_chunks_mut::<N>();
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
        let Parts {
            x,
            y,
            fit,
            residuals,
            outputs,
            weights,
            coefficients,
            report,
            gram,
            factor,
            products,
            points,
            values,
            ..
        } = &mut self.parts;
        let (mut best, mut most) = (0_usize, -T::INFINITY);
        for (start, value) in values.iter().enumerate() {
            if *value > most {
                (best, most) = (start, *value);
            }
        }
        let own = pieces_mut(weights, columns).nth(level)?;
        let block = pieces(points, columns.checked_mul(lanes)?).nth(best.checked_div(lanes)?)?;
        let lane = best.checked_rem(lanes)?;
        for (w, blocked) in own.iter_mut().zip(pieces(block, lanes)) {
            *w = *blocked.get(lane)?;
        }
        let mut linear = Sum::ZERO;
        let psi = pieces_mut(outputs, n).nth(level)?;
        for ((out, row), r) in psi.iter_mut().zip(pieces(x, columns)).zip(residuals.iter()) {
            let u = row.iter().zip(&*own).fold(T::ZERO, |sum, (x, w)| sum + *x * *w);
            let [value, _, _] = o.activation.value().jet(u);
            *out = o.outer * value;
            linear.add(*r * *out);
        }
        let sign = if linear.value() < T::ZERO { -T::ONE } else { T::ONE };
        let (count, mut gap) = (T::of_usize(n), T::NAN);
        if o.method == RelaxedMethod::Orthogonal {
            append(level, n, outputs, y, gram, products)?;
            let used = level.checked_add(1)?;
            let length = lower_len(used)?;
            let factor = factor.get_mut(..length)?;
            factor.iter_mut().zip(gram.iter()).for_each(|(f, g)| *f = *g);
            let floor = T::EPSILON * T::of_usize(used.saturating_mul(16));
            cholesky(Portable, factor.as_chunks_mut::<1>().0, used, floor);
            let c = coefficients.get_mut(..used)?;
            c.iter_mut().zip(products.iter()).for_each(|(c, p)| *c = *p);
            let (factor, _) = factor.as_chunks::<1>();
            solve_lower(Portable, factor, c.as_chunks_mut::<1>().0);
            solve_lower_transposed(Portable, factor, c.as_chunks_mut::<1>().0);
            fit.fill(T::ZERO);
            for (c, psi) in c.iter().zip(pieces(outputs, n)) {
                fit.iter_mut().zip(psi).for_each(|(f, p)| *f += *c * *p);
            }
        } else {
            let psi = pieces(outputs, n).nth(level)?;
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
        let mut squares = Sum::ZERO;
        y.iter().zip(fit.iter()).for_each(|(y, f)| squares.add((*y - *f) * (*y - *f)));
        let size = coefficients.iter().fold(T::ZERO, |sum, c| sum + c.abs());
        let own = pieces_mut(report, REPORT).nth(level)?;
        let numbers = [squares.value() / count, gap, o.outer * size];
        own.iter_mut().zip(numbers).for_each(|(r, x)| *r = x);
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
    let own = pieces(outputs, n).nth(level)?;
    let dot = |other: &[T]| {
        let mut sum = Sum::ZERO;
        own.iter().zip(other).for_each(|(a, b)| sum.add(*a * *b));
        sum.value() / T::of_usize(n)
    };
    let row = gram.get_mut(lower_len(level)?..lower_len(level.checked_add(1)?)?)?;
    for (entry, other) in row.iter_mut().zip(pieces(outputs, n)) {
        *entry = dot(other);
    }
    *products.get_mut(level)? = dot(y);
    Some(())
}
