//! The mode of the posterior, and Gaussians about it: one chain at a time.
//!
//! A unit of work is a step of the start (Adam), a step of the ascent, or a draw. With hidden layers the ascent is
//! quasi-Newton ([`crate::warmup`] has it), above 1024 coordinates of limited memory; without, it is Fisher's scoring with a line search, and near the mode
//! Newton's method with the exact Hessian. Far from the mode a step has to raise the density; near it, where the gain
//! drowns in the rounding of the density, it is the whole step, until g'H^-1 g, the squared distance to the mode in
//! posterior sds, falls below the rounding or falls no more.
//!
//! Scales and noise that are learnt are not climbed in: they begin with a noise as large as the target, follow MacKay's
//! updates ([`super::evidence`]), the weights' mode found anew after each, and those of the largest Laplace evidence met are
//! taken; from them on an update counts if the evidence rises.

use super::BnnError;
use super::evidence::{Occam, frozen, is_free};
use super::layout::{Parts, Shape};
use super::method::BnnMethod;
use super::unit::{self, keep_best, kept_slot, own_data, record};
use super::{subsampled, variational};
use crate::data::Dataset;
use crate::density::Density;
use crate::kernel::hmc;
use crate::likelihood::UserDensity;
use crate::linalg::one::{cholesky, dot, solve_lower, solve_lower_transposed};
use crate::minibatch;
use crate::network::{Curvature, Family, Output, Point, Posterior, factor_len};
use crate::pieces::{cut, nth_mut};
use crate::random::Stream;
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, blocks};
use crate::warmup::VECTORS;
use crate::warmup::ascent::{Ascent, Numbers};
use crate::warmup::triangle::entry;
use climbed::{Climbed, differences};
use core::cell::RefCell;
use core::ops::Range;
use gaussian::tangent;
use path::{RISES, ROUND};

pub(super) use path::{PATH, WHOLE};

mod climbed;
mod descent;
mod gaussian;
mod path;

/// What is known of a chain's mode: log p there, the squared distance to it in posterior sds before the last
/// step, log p(y), steps, whether H has seen no step, steps near the mode that came no nearer, the length that the next
/// search begins from.
pub(super) const MODE: usize = 7;

/// The squared distance below which the mode is reached for all that is done with it, and steps of scoring are whole
/// ones; and that of quasi-Newton steps in roundings of the density, above which their gain is seen.
const NEAR: f64 = 1e-3;
const SEEN: f64 = 1e3;
/// Steps near the mode that came no nearer, at most.
const STALLS: f64 = 10.0;
/// A Newton step that comes nearer by less has no quadratic convergence: there is no maximum.
const QUADRATIC: f64 = 10.0;
/// By how many roundings a coordinate the curvature of a likelihood alone is raised, that an open direction is no step.
const OPEN: f64 = 1e3;

/// Blocks of factors of a curvature; `None` on overflow.
pub(super) fn spare<T: Real>(shape: &Shape<T>) -> Option<usize> {
    factor_len(shape.places().dim, terms(&shape.options.family()))
}

/// Terms of a row's information: one, or one an output or a class.
fn terms<T: Real>(family: &Family<T>) -> usize {
    let classes = if family.output.is_class() { family.categories as usize } else { 0 };
    family.outputs().max(classes)
}

/// One chain's work: what its parts are.
struct Chain<'s, 'd, T> {
    isa: Isa,
    shape: &'s Shape<T>,
    posterior: Posterior<'d, T, 1>,
    mode: &'s mut [T; MODE],
    vectors: &'s mut [T],
    /// Of the groups; none where scales and noise are known.
    occam: &'s mut [T],
    /// The point of the best evidence, and [`PATH`] numbers.
    best: &'s mut [T],
    path: &'s mut [T; PATH],
    /// Whether scales and noise stay where they are.
    frozen: bool,
    stream: Stream,
    curvature: &'s mut [T],
    factors: &'s mut [T],
    scratch: &'s mut [T],
    passes: u64,
}

/// What a step comes to, if the parts are as long as the shape says.
pub(super) type Outcome<R> = Option<Result<R, BnnError>>;

impl<T: Lanes<1>> Chain<'_, '_, T> {
    fn dim(&self) -> usize {
        self.shape.places().dim
    }

    fn has_prior(&self) -> bool {
        self.shape.options.method != BnnMethod::MaximumLikelihood
    }

    /// The Gauss-Newton matrix at x in a range of coordinates, packed, or its diagonal, into the curvature.
    fn gauss_newton(&mut self, range: Range<usize>, full: bool) -> Option<()> {
        let terms = terms(&self.posterior.pass.family) as u64;
        self.passes = self.passes.saturating_add(terms.saturating_mul(2));
        let prior = self.has_prior();
        let whole = range.len() == self.dim();
        let x = blocks::<T, 1>(self.vectors.get(..self.dim())?)?;
        let to = Curvature { range, full, prior, out: self.curvature.as_chunks_mut::<1>().0 };
        let factors = self.factors.as_chunks_mut::<1>().0;
        let scratch = self.scratch.as_chunks_mut::<1>().0;
        self.posterior.curvature(self.isa, x, to, factors, scratch)?;
        if whole && !self.frozen {
            let occam = Occam { logs: self.occam };
            occam.curve(&self.posterior, x.as_flattened(), full, self.curvature);
        }
        Some(())
    }

    /// Leaves scales and noise out of a packed curvature.
    fn decouple(&mut self) -> Option<()> {
        if self.frozen {
            for r in frozen(&self.posterior) {
                for c in 0..self.shape.places().dim {
                    *entry(self.curvature, r, c)? = if r == c { T::ONE } else { T::ZERO };
                }
            }
        }
        Some(())
    }

    /// Without a prior directions may be open, as of the indicators of all categories beside an intercept, which no likelihood
    /// depends on. Then the path, which is none, has ones, and each coordinate a little more than its own curvature: steps
    /// leave those directions alone.
    fn close(&mut self) -> Option<()> {
        let more = T::ONE + T::lit(OPEN) * T::of_usize(self.dim()) * T::EPSILON;
        if self.has_prior() || *self.path != [T::ONE; PATH] {
            return Some(());
        }
        for r in 0..self.dim() {
            let own = entry(self.curvature, r, r)?;
            *own = if *own > T::ZERO { *own * more } else { T::ONE };
        }
        Some(())
    }

    /// The same of the whole curvature, exactly.
    fn exact(&mut self, range: Range<usize>, full: bool) -> Option<()> {
        let (dim, prior) = (self.dim(), self.has_prior());
        self.gauss_newton(0..dim, false)?;
        let calls = (range.len() as u64).saturating_mul(4);
        self.passes = self.passes.saturating_add(calls);
        let ([x, _, _, at, gradient, _, _, sds], _) = cut(self.vectors, [dim; VECTORS])?;
        for (sd, h) in sds.iter_mut().zip(&*self.curvature) {
            *sd = T::ONE / h.max(T::MIN_POSITIVE).sqrt();
        }
        let (posterior, isa) = (&self.posterior, self.isa);
        let scratch = RefCell::new(self.scratch.as_chunks_mut::<1>().0);
        let (occam, frozen) = (Occam { logs: self.occam }, self.frozen);
        let climbed = Climbed { posterior, prior, occam, frozen, isa, scratch };
        differences(&climbed, (x, sds), (range, full), self.curvature, [at, gradient])
    }

    /// The direction of scoring, or near the mode of Newton's method, and what it promises to gain, twice. `None`:
    /// the curvature is singular. Where that of a likelihood is at the `first` step, directions are open, at any weights.
    fn scoring(&mut self, near: bool, first: bool) -> Option<Option<T>> {
        let dim = self.dim();
        let floor = T::of_usize(dim) * T::EPSILON;
        let open = first && !self.has_prior() && self.posterior.pass.count() >= dim;
        // Rounding may hide the direction of all thresholds and the intercept.
        if open && self.posterior.pass.family.output == Output::Ordinal {
            *self.path = [T::ONE; PATH];
        }
        for (exact, close) in [(true, false), (false, false), (false, true)] {
            if (exact && !near) || (close && !open) {
                continue;
            }
            if close {
                *self.path = [T::ONE; PATH];
            }
            // Not definite, or not finite beside the mode: scoring still is.
            let made =
                if exact { self.exact(0..dim, true) } else { self.gauss_newton(0..dim, true) };
            if made.is_none() && exact {
                continue;
            }
            made?;
            self.decouple()?;
            self.close()?;
            let blocks = self.curvature.as_chunks_mut::<1>().0;
            if cholesky(blocks, dim, floor) != T::ZERO {
                continue;
            }
            let ([_, g, direction, ..], _) = cut(self.vectors, [dim; VECTORS])?;
            direction.iter_mut().zip(&*g).for_each(|(d, g)| *d = *g);
            let (column, _) = direction.as_chunks_mut::<1>();
            solve_lower(blocks, column);
            solve_lower_transposed(blocks, column);
            return Some(Some(dot(g, direction)));
        }
        Some(None)
    }

    /// Whether every row's class has more than half of the probability at x: then a multiple of x has more
    /// still, and the likelihood no maximum.
    fn separates(&mut self) -> Option<bool> {
        let pass = &self.posterior.pass;
        if !pass.family.output.is_class() {
            return Some(false);
        }
        let places = self.posterior.places();
        let g = blocks::<T, 1>(self.vectors.get(..places.dim)?)?;
        let (parameters, scratch) =
            self.scratch.as_chunks_mut::<1>().0.split_at_mut_checked(places.scales)?;
        self.posterior.parameters(self.isa, g, parameters);
        let point = Point { parameters, own: g.get(places.own..)?, nu: self.posterior.nu };
        let mut own = |row| pass.moments(self.isa, point, row, scratch);
        Some((0..pass.count()).all(|row| matches!(own(row), [[p], _] if p > T::HALF)))
    }

    /// Step t of the ascent; whether there is another.
    fn ascend(&mut self, theta: &[T], t: u64) -> Outcome<bool> {
        let (dim, linear) = (self.dim(), self.shape.options.is_linear());
        if t == 0 {
            self.vectors.iter_mut().zip(theta).for_each(|(x, theta)| *x = *theta);
            *self.mode = [T::NAN, T::INFINITY, T::NAN, T::ZERO, T::ONE, T::ZERO, T::ONE];
            *self.path = [T::ZERO, T::ZERO, T::ZERO, T::ZERO, T::ONE];
            self.occam.fill(T::ZERO);
        }
        let [mut value, before, _, _, fresh, mut stalls, mut length] = *self.mode;
        let limit = T::lit(NEAR);
        let seen = T::lit(SEEN) * T::EPSILON * (T::ONE + value.abs());
        let near = before < if linear { limit } else { limit.min(seen) };
        if !self.has_prior() && t > 0 && self.separates()? {
            return Some(Err(BnnError::Separable));
        }
        if t == 0 {
            value = match self
                .climb(|ascent| ascent.evaluate(0).map_or(Some(None), |v| Some(Some(v))))?
            {
                Some(value) => value,
                None => return Some(Err(BnnError::Start)),
            };
        }
        let mut rise = if linear {
            match self.scoring(near, t == 0)? {
                Some(rise) => rise,
                None => return Some(Err(BnnError::Singular)),
            }
        } else {
            self.climb(|ascent| {
                if t == 0 {
                    ascent.fresh()?;
                }
                ascent.slope()
            })?
        };
        let slow = rise < T::EPSILON.sqrt() && rise * T::lit(QUADRATIC) > before;
        if !self.has_prior() && near && slow && rise > T::EPSILON {
            return Some(Err(BnnError::Separable));
        }
        let mut numbers = Numbers {
            value,
            since: value,
            scale: T::ONE,
            bound: -T::INFINITY,
            fresh: fresh == T::ONE,
            settled: 0,
        };
        let mut more = rise > T::ZERO && rise.is_finite();
        if more && near {
            more = self.climb(|ascent| {
                let ([x, _, direction, next, ..], _) = cut(ascent.vectors, [dim; VECTORS])?;
                for ((n, x), d) in next.iter_mut().zip(&*x).zip(&*direction) {
                    *n = *x + *d;
                }
                match ascent.evaluate(3).filter(|v| *v > value - T::ONE) {
                    Some(reached) => {
                        numbers.value = reached;
                        ascent.learn(&mut numbers)?;
                        Some(true)
                    }
                    None => Some(false),
                }
            })?;
            if rise >= before {
                stalls += T::ONE;
            }
            more = more && rise > T::EPSILON && stalls < T::lit(STALLS);
        } else if more {
            more = self.climb(|ascent| {
                let first = if linear || numbers.fresh { T::ONE } else { length };
                length = T::ONE;
                if let Some([reached, own]) = ascent.search(value, rise, first)? {
                    // Where steps have to be short, as from a draw of the weights on, the next one will.
                    if !numbers.fresh {
                        length = length.min(if own == first { own + own } else { own });
                    }
                    numbers.value = reached;
                    ascent.learn(&mut numbers)?;
                    return Some(true);
                }
                // Another try from a multiple of the identity.
                let again = !linear && !numbers.fresh;
                if again {
                    ascent.fresh()?;
                    numbers.fresh = true;
                }
                Some(again)
            })?;
        }
        let [_, _, phase, since, _] = self.path;
        if self.frozen && *phase <= T::ONE {
            *since += T::ONE;
            let all = self.shape.options.warmup as u64;
            let (late, end) = (t >= all / 8 * 5, t >= all / 8 * 7);
            let late = late && *phase == T::ZERO;
            let near = rise < T::lit(if linear { NEAR } else { RISES }) && rise >= T::ZERO;
            if !more || near || late || end || *since >= T::of_u32(ROUND) {
                self.weigh(late, end)?;
                let mut again = self.climb(|ascent| Some(ascent.evaluate(0)))?;
                if again.is_none() {
                    // A noise that falls for ever, as of data without noise, ends where numbers do.
                    let [_, _, phase, ..] = &mut *self.path;
                    *phase = T::lit(2.0);
                    self.back()?;
                    again = self.climb(|ascent| Some(ascent.evaluate(0)))?;
                }
                let Some(again) = again else { return Some(Err(BnnError::Start)) };
                (numbers.value, numbers.fresh, stalls) = (again, false, T::ZERO);
                (more, rise) = (true, T::INFINITY);
            }
        }
        let steps = T::of_u32(u32::try_from(t).ok()?.saturating_add(1));
        let fresh = if numbers.fresh { T::ONE } else { T::ZERO };
        *self.mode = [numbers.value, rise.max(T::ZERO), T::NAN, steps, fresh, stalls, length];
        Some(Ok(more))
    }

    /// Something that the ascent does.
    fn climb<R>(&mut self, work: impl FnOnce(&mut Ascent<'_, '_, T>) -> Option<R>) -> Option<R> {
        let (dim, prior, isa) = (self.dim(), self.has_prior(), self.isa);
        let limited = self.shape.is_limited();
        let Self { posterior, vectors, occam, frozen, curvature, scratch, .. } = self;
        let scratch = RefCell::new(scratch.as_chunks_mut::<1>().0);
        let (occam, frozen) = (Occam { logs: occam }, *frozen);
        let density = Climbed { posterior, prior, occam, frozen, isa, scratch };
        let user = UserDensity {
            density: &density,
            dim,
            scale: T::ONE,
            gradient: true,
            frame: None,
            volume: T::ZERO,
            uncentring: None,
            starts: &[],
        };
        let mut calls = 0;
        let out = work(&mut Ascent {
            user,
            seed: 0,
            index: 0,
            vectors,
            curvature,
            limited,
            trial: &mut [],
            best: &mut [],
            calls: &mut calls,
        });
        self.passes = self.passes.saturating_add(calls);
        out
    }
}

/// Unit `tick` of a chain: the passes over the data that it made, and the unit that follows.
pub(super) fn run<T: AnyLanes>(
    isa: Isa,
    shape: &Shape<T>,
    parts: &mut Parts<'_, T>,
    data: &Dataset<'_, T>,
    tick: u64,
    b: usize,
) -> Outcome<(u64, u64)> {
    let o = &shape.options;
    let Some(t) = tick.checked_sub(o.start_steps as u64) else {
        let passes = unit::run::<T, 1>(isa, shape, parts, data, tick, b)?;
        return Some(passes.map(|passes| (passes, tick.saturating_add(1))));
    };
    let words = parts.streams.as_chunks_mut::<4>().0;
    if tick == 0 {
        let scalars = parts.scalars.as_chunks_mut::<1>().0.first_chunk_mut()?;
        unit::seed::<T, 1>(o, words, scalars, b);
        minibatch::begin(parts.rows, o.seed, 0);
        parts.theta.fill(T::ZERO);
        if o.output == Output::Mixture {
            // Where all components are one, no slope leads apart.
            let mut stream = Stream::from_words(*words.first()?);
            parts.theta.iter_mut().for_each(|theta| *theta = T::HALF * stream.normal());
        }
    }
    let batch = match o.descends() && t < o.warmup as u64 {
        true => minibatch::draw(parts.rows, o.batch as usize),
        false => &[],
    };
    if o.method.value().fits() || o.method.value().walks() {
        let own = if o.method.value().fits() { variational::unit } else { subsampled::unit };
        let passes = own(isa, shape, parts, data, t, b)?;
        return Some(passes.map(|passes| (passes, tick.saturating_add(1))));
    }
    let [_, nu] = parts.scalars.first_chunk::<2>()?;
    let own = own_data(shape, parts.x, parts.y, data)?;
    let posterior = unit::posterior(shape, own, [*nu]);
    let mode = nth_mut(parts.modes, MODE, b).first_chunk_mut::<MODE>()?;
    let free = is_free(&posterior) && o.method.value().weighs();
    let (path, best) = parts.path.split_first_chunk_mut::<PATH>()?;
    let own_stream = words.get(1)?;
    let mut chain = Chain {
        isa,
        shape,
        posterior,
        mode,
        vectors: parts.vectors,
        occam: if free { parts.occam } else { &mut [] },
        best,
        path,
        frozen: free,
        stream: Stream::from_words(*own_stream),
        curvature: parts.curvature,
        factors: parts.factors,
        scratch: parts.scratch,
        passes: 0,
    };
    let Some(draw) = t.checked_sub(o.warmup as u64) else {
        let climbed = match o.descends() {
            true => chain.descend(*words.first()?, t, batch)?,
            false => chain.ascend(parts.theta, t)?,
        };
        let more = match climbed {
            Ok(more) => more,
            Err(e) => return Some(Err(e)),
        };
        *words.get_mut(1)? = chain.stream.words();
        let end = tick.saturating_sub(t).saturating_add(o.warmup as u64);
        return Some(Ok((chain.passes, if more { tick.saturating_add(1) } else { end })));
    };
    parts.theta.iter_mut().zip(&*chain.vectors).for_each(|(theta, x)| *theta = *x);
    if draw == 0 {
        let [value, _, _, _, joint, ..] = chain.mode;
        *joint = *value;
        if free {
            [*value, ..] = *chain.path;
        }
        let gaussian = !o.method.value().is_point();
        if gaussian && let Err(e) = chain.approximate()? {
            return Some(Err(e));
        }
        let [value, _, evidence, ..] = chain.mode;
        // Of y in its own units.
        *evidence -= *parts.standards.last()?;
        let theta = blocks::<T, 1>(parts.theta)?;
        let scratch = chain.scratch.as_chunks_mut::<1>().0;
        keep_best(isa, shape, &posterior, (theta, &[*value]), b, parts.point, scratch)?;
    }
    if !o.method.value().is_point() {
        let words = words.get_mut(1)?;
        let mut stream = Stream::from_words(*words);
        chain.spread(&mut stream, parts.theta)?;
        *words = stream.words();
    }
    if o.method.value().spreads()
        && let Some(slot) = kept_slot(o, draw as usize)
    {
        let length = shape.draw_len();
        let own = nth_mut(parts.tangents, length.checked_mul(o.keep as usize)?, b);
        let parameters = parts.work.get_mut(..shape.places().scales)?;
        tangent(&posterior, chain.vectors, parts.theta, parameters)?;
        let (parameters, theta) = (blocks::<T, 1>(parameters)?, blocks::<T, 1>(parts.theta)?);
        posterior.draw(parameters, theta, 0, nth_mut(own, length, slot))?;
    }
    let passes = chain.passes.saturating_add(2);
    let gradient = parts.work.as_chunks_mut::<1>().0.get_mut(..shape.places().dim)?;
    let scratch = chain.scratch.as_chunks_mut::<1>().0;
    let theta = blocks::<T, 1>(parts.theta)?;
    let energy = posterior.value_and_gradient(isa, theta, gradient, scratch).map(|v| -v);
    let outcome =
        hmc::Outcome { acceptance: [T::ONE], accepted: [true], divergent: [false], energy };
    let to = (&mut *parts.trace, &mut *parts.kept);
    record(isa, shape, &posterior, theta, &outcome, (b, draw as usize), to, gradient, scratch)?;
    Some(Ok((passes, tick.saturating_add(1))))
}
