//! One unit of work of one block of chains: a step of the start, or a trajectory with what follows it.
//!
//! A trajectory of Hamiltonian Monte Carlo on all coordinates, under a mass of blocks that the warm-up renews before each
//! until its last tenth; then nu from its grid; then each sampled scale
//! with its parameters held fixed (interweaving: Yu and Meng 2011), by the inverse-gamma augmentation of the
//! half-Cauchy law (Makalic and Schmidt 2016). Order of draws of each chain: as [`crate::kernel::hmc`] says;
//! one uniform for nu; an exponential and a gamma for each scale of at least four parameters, in the order of its
//! coordinates.

use super::BnnError;
use super::dropout;
use super::evidence::frozen;
use super::layout::{Parts, SCALARS, STREAMS, Shape, TRACED};
use super::method::BnnMethod;
use super::mode::Outcome;
use super::options::{BnnOptions, MODES};
use crate::data::{Dataset, Inputs};
use crate::density::Density;
use crate::dispatch::dispatched;
use crate::estimator::noise;
use crate::estimator::start::{FLOOR, RATE, adam};
use crate::kernel::hmc::{self, Flow, Metric, State, Trajectory, Work};
use crate::minibatch;
use crate::network::{Blocks, Output, Pass, Places, Point, Posterior, WeightPrior, room};
use crate::pieces::{cut, nth_mut, pieces_mut};
use crate::random::{Purpose, Stream, normals_on};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Vector, blocks_mut};
use crate::special::{self, scalar::ln};
use crate::sum::Sum;

/// Trajectories of this share of the warm-up renew the mass ...
const RENEWED: f64 = 0.9;
/// ... and of this share move the step size by the larger gain.
const COARSE: f64 = 0.7;
const GAINS: [f64; 2] = [0.4, 0.2];
/// What momenta keep of the last trajectory's while the mass is renewed.
const PERSISTENT: f64 = 0.92;

/// Scratch of the density, in blocks; `None` on overflow.
pub(super) fn scratch<T: Real>(shape: &Shape<T>) -> Option<usize> {
    let o = &shape.options;
    let alone = o.lanes == 1 && o.method != BnnMethod::Hmc;
    let wide = if alone { room(&shape.architecture())? } else { 0 };
    let size = lane_scratch(shape)?.checked_add(wide)?;
    Some(size).filter(|size| *size < usize::MAX / 8)
}

/// The same of many chains in lanes.
pub(super) fn lane_scratch<T: Real>(shape: &Shape<T>) -> Option<usize> {
    let architecture = shape.architecture();
    let size = Pass::<T>::scratch_of(&architecture, &shape.options.family(), shape.d);
    size.checked_add(architecture.dim())
}

/// The data in the posterior's units.
pub(super) fn own_data<'a, T: Real>(
    shape: &Shape<T>,
    x: &'a [T],
    y: &'a [T],
    data: &Dataset<'a, T>,
) -> Option<Dataset<'a, T>> {
    if !shape.options.has_own_data() {
        return Some(*data);
    }
    let own = Dataset::new(Inputs::row_major(x, shape.n, shape.d).ok()?, y).ok()?;
    Some(own.weighted_as(data))
}

/// Before the first unit of block `b`: the streams of its chains, their step sizes and nu.
pub(super) fn seed<T: Real, const N: usize>(
    o: &BnnOptions<T>,
    words: &mut [[u32; 4]],
    [log_step, nu]: &mut [[T; N]; SCALARS],
    b: usize,
) {
    for (k, words) in words.iter_mut().enumerate() {
        let purpose = match k % STREAMS {
            0 => Purpose::Start,
            1 => Purpose::Kernel,
            _ => Purpose::Gibbs,
        };
        let chain = b.saturating_mul(N).saturating_add(k / STREAMS) as u64;
        *words = Stream::new(o.seed, chain + o.first_chain as u64, purpose).words();
    }
    *log_step = [ln(o.first_step); N];
    let tail = if o.tail > T::ZERO { o.tail } else { T::lit(30.0) };
    *nu = [if o.output == Output::StudentT { tail } else { T::INFINITY }; N];
}

/// The posterior of the chains; the data are in their units.
pub(super) fn posterior<'a, T: Real, const N: usize>(
    shape: &Shape<T>,
    data: Dataset<'a, T>,
    nu: [T; N],
) -> Posterior<'a, T, N> {
    Posterior { nu, whole: true, ..shape.options.network(data).posterior() }
}

/// Unit `tick` of block `b`; the passes over the data that it made. A start by `rate` that ends lower than it began has run
/// away, however finite it is, and is refused. `None` only if the parts are not as long as the shape says.
pub(super) fn run<T: Lanes<N>, const N: usize>(
    isa: Isa,
    shape: &Shape<T>,
    parts: &mut Parts<'_, T>,
    data: &Dataset<'_, T>,
    tick: u64,
    b: usize,
) -> Outcome<u64> {
    let o = &shape.options;
    let p = shape.places().dim;
    let own = own_data(shape, parts.x, parts.y, data)?;
    let words = parts.streams.as_chunks_mut::<4>().0;
    let scalars = blocks_mut::<T, N>(parts.scalars)?.first_chunk_mut::<SCALARS>()?;
    let theta = blocks_mut::<T, N>(parts.theta)?;
    let moments = blocks_mut::<T, N>(parts.moments)?;
    let work = blocks_mut::<T, N>(parts.work)?;
    let scratch = blocks_mut::<T, N>(parts.scratch)?;
    if tick == 0 {
        seed(o, words, scalars, b);
    }
    let [log_step, nu] = scalars;
    let mut streams = Streams::<N>::load(words);
    let mut posterior = posterior(shape, own, *nu);
    if tick == 0 {
        if MODES {
            minibatch::begin(parts.rows, o.seed, 0);
        }
        start(isa, &posterior, &mut streams.start, theta);
        moments.iter_mut().for_each(|m| *m = [T::ZERO; N]);
        if MODES && o.rate > T::ZERO {
            // Where these starts keep no averages of the gradient.
            *moments.first_mut()? =
                posterior.value_and_gradient(isa, theta, work.get_mut(..p)?, scratch);
        }
    }
    let steps = o.start_steps as u64;
    let passes = if tick < steps {
        let ([gradient, factors, thinned], _) = cut(work, [p; 3])?;
        if MODES && o.batch > 0 {
            posterior.pass.rows = Some(minibatch::draw(parts.rows, o.batch as usize));
            posterior.weight = T::of_usize(shape.n) / T::of_u32(o.batch);
        }
        if MODES && o.method == BnnMethod::Dropout {
            let architecture = &posterior.pass.architecture;
            dropout::factors(architecture, o.dropout, &mut streams.gibbs, factors);
            dropout::multiply(factors, theta, thinned);
            let relative = Posterior { whole: false, ..posterior };
            relative.value_and_gradient(isa, thinned, gradient, scratch);
            dropout::pull_back(factors, theta, gradient);
        } else {
            posterior.value_and_gradient(isa, theta, gradient, scratch);
        }
        // They are not at the joint mode where the ascent sets them.
        if MODES && o.method.value().weighs() {
            for k in frozen(&posterior) {
                gradient.get_mut(k).into_iter().for_each(|g| *g = [T::ZERO; N]);
            }
        }
        let (first, second) = moments.split_at_mut_checked(p)?;
        let at = (tick as usize, o.start_steps as usize);
        if MODES && o.rate > T::ZERO {
            let count = T::of_usize(shape.n) * (o.delay + T::of_usize(at.0));
            robbins_monro(o.rate / count, theta, gradient, second, at);
            if tick.saturating_add(1) == steps {
                (posterior.pass.rows, posterior.weight) = (None, T::ONE);
                let ended = posterior.value_and_gradient(isa, theta, gradient, scratch);
                let counted = shape.chains().saturating_sub(b.saturating_mul(N));
                let mut both = ended.iter().zip(first.first()?).take(counted);
                let fell = |(ended, began): (&T, &T)| {
                    !(ended.is_finite() && (*ended >= *began || !began.is_finite()))
                };
                if both.any(fell) {
                    return Some(Err(BnnError::Start));
                }
            }
        } else {
            adam(isa, theta, gradient, [first, second], at, [T::lit(RATE), T::lit(FLOOR)]);
        }
        1
    } else if MODES && o.method != BnnMethod::Hmc {
        let draw = tick.wrapping_sub(steps) as usize;
        let ([gradient, factors, thinned], _) = cut(work, [p; 3])?;
        let value = posterior.value_and_gradient(isa, theta, gradient, scratch);
        if draw == 0 {
            keep_best(isa, shape, &posterior, (theta, &value), b, parts.point, scratch)?;
        }
        let mut theta = &*theta;
        if o.method == BnnMethod::Dropout {
            let architecture = &posterior.pass.architecture;
            dropout::factors(architecture, o.dropout, &mut streams.gibbs, factors);
            dropout::multiply(factors, theta, thinned);
            theta = thinned;
        }
        let energy = value.map(|v| -v);
        let (accepted, divergent) = ([true; N], [false; N]);
        let outcome = hmc::Outcome { acceptance: [T::ONE; N], accepted, divergent, energy };
        let to = (&mut *parts.trace, &mut *parts.kept);
        record(isa, shape, &posterior, theta, &outcome, (b, draw), to, gradient, scratch)?;
        2
    } else {
        let t = tick.wrapping_sub(steps) as u32;
        let warming = t < o.warmup;
        let mut passes = o.leapfrogs as u64 + 1;
        let blocks = Blocks::of(&posterior.pass.architecture, p);
        let (kept, factors) = moments.split_at_mut_checked(p)?;
        let renewed = warming && T::of_u32(t) < T::lit(RENEWED) * T::of_u32(o.warmup);
        if renewed || t == 0 {
            posterior.mass(isa, theta, blocks, factors, work, scratch)?;
            passes += 2;
        }
        let run = Trajectory {
            flow: Flow::Mass(Metric::Blocks(blocks, factors)),
            unadjusted: renewed,
            step: log_step.map(special::scalar::exp),
            steps: o.leapfrogs,
            jitter: o.jitter,
            short: T::ZERO,
        };
        let ([gradient, position, momentum, proposed], _) = cut(work, [p; 4])?;
        let mut value = [T::ZERO; N];
        let mut state = State { position: theta, gradient, value: &mut value };
        hmc::evaluate(isa, &posterior, &mut state, scratch);
        if t == 0 {
            let values = (&*state.position, &*state.value);
            keep_best(isa, shape, &posterior, values, b, parts.point, scratch)?;
        }
        let mut lent = Work::of([position, momentum, proposed], scratch);
        let kernel = &mut streams.kernel;
        let kept = kept.get_mut(..posterior.places().scales)?;
        if t == 0 {
            normals_on(isa, kernel, kept);
        }
        let outcome = if renewed {
            onward(isa, &posterior, kernel, &run, (&mut state, kept), &mut lent)
        } else {
            hmc::transition(isa, &posterior, kernel, &run, &mut state, &mut lent)
        };
        if warming {
            let coarse = T::of_u32(t) < T::lit(COARSE) * T::of_u32(o.warmup);
            let gain = T::lit(if coarse { GAINS[0] } else { GAINS[1] });
            for (log, accepted) in log_step.iter_mut().zip(outcome.acceptance) {
                *log = (*log + gain * (accepted - o.target_accept)).min(T::ZERO);
            }
        }
        let places = posterior.places();
        if o.output == Output::StudentT && o.tail == T::ZERO {
            passes += 1;
            *nu = tail(isa, &posterior, theta, places, &mut streams.gibbs, scratch)?;
            posterior.nu = *nu;
        }
        scales(isa, &posterior, &mut streams.gibbs, theta, places);
        if !warming {
            passes += 1;
            let draw = t.wrapping_sub(o.warmup) as usize;
            let gradient = work.get_mut(..p)?;
            let to = (&mut *parts.trace, &mut *parts.kept);
            record(isa, shape, &posterior, theta, &outcome, (b, draw), to, gradient, scratch)?;
        }
        passes
    };
    streams.store(parts.streams.as_chunks_mut::<4>().0);
    Some(Ok(passes))
}

/// Step k of `steps` of gradient ascent; the last goes to the average over the second half of them.
fn robbins_monro<T: Real, const N: usize>(
    step: T,
    theta: &mut [[T; N]],
    gradient: &[[T; N]],
    average: &mut [[T; N]],
    (k, steps): (usize, usize),
) {
    let averaged = k.checked_sub(steps / 2).map(|k| T::of_usize(k) + T::ONE);
    let last = k.saturating_add(1) == steps;
    for ((theta, slope), average) in theta.iter_mut().zip(gradient).zip(average) {
        for ((theta, slope), average) in theta.iter_mut().zip(slope).zip(average) {
            *theta += step * *slope;
            if let Some(count) = averaged {
                *average += (*theta - *average) / count;
            }
            if last {
                *theta = *average;
            }
        }
    }
}

/// A trajectory of the warm-up while the mass is renewed, which is taken wherever it ends: a chain that is still on its way
/// gains by every one of them, and goes on where it went, for its momenta keep [`PERSISTENT`] of the last. Those of scales
/// and noise are new: their mass changes with themselves, and together the two would push a chain to large scales.
fn onward<T: Lanes<N>, const N: usize>(
    isa: Isa,
    posterior: &Posterior<'_, T, N>,
    streams: &mut [Stream; N],
    run: &Trajectory<'_, T, N>,
    (state, kept): (&mut State<'_, T, N>, &mut [[T; N]]),
    work: &mut Work<'_, T, N>,
) -> hmc::Outcome<T, N> {
    normals_on(isa, streams, work.momentum());
    let share = T::lit(PERSISTENT);
    let rest = (T::ONE - share * share).sqrt();
    for (u, kept) in work.momentum().iter_mut().zip(&mut *kept) {
        for (u, kept) in u.iter_mut().zip(kept) {
            *kept = share * *kept + rest * *u;
            *u = *kept;
        }
    }
    let outcome = hmc::launch(isa, posterior, streams, run, state, work);
    for (kept, u) in kept.iter_mut().zip(work.momentum()) {
        for ((kept, u), accepted) in kept.iter_mut().zip(u).zip(outcome.accepted) {
            *kept = if accepted { *u } else { -*kept };
        }
    }
    outcome
}

/// The streams of the block's lanes, by purpose.
struct Streams<const N: usize> {
    start: [Stream; N],
    kernel: [Stream; N],
    gibbs: [Stream; N],
}

impl<const N: usize> Streams<N> {
    fn load(words: &[[u32; 4]]) -> Self {
        let [start, kernel, gibbs] = crate::estimator::regressor::load_streams(words);
        Self { start, kernel, gibbs }
    }
    fn store(&self, words: &mut [[u32; 4]]) {
        let streams = [self.start, self.kernel, self.gibbs];
        crate::estimator::regressor::store_streams(words, &streams);
    }
}

/// Where a chain begins to look for a start: z ~ N(0, 1) for the weights of hidden layers and of the outputs
/// (without hidden layers, for the direct part), 0 for the rest, but the intercept of counts at their mean; scales at which
/// the units' arguments are of order 1.
pub(super) fn start<T: Lanes<N>, const N: usize>(
    isa: Isa,
    posterior: &Posterior<'_, T, N>,
    streams: &mut [Stream; N],
    theta: &mut [[T; N]],
) {
    let (architecture, prior) = (&posterior.pass.architecture, &posterior.prior);
    normals_on(isa, streams, theta);
    let deep = architecture.depth() > 0;
    let (intercepts, linear) = (architecture.intercepts_at(), architecture.linear_at());
    let places = posterior.places();
    let fixed = if deep { intercepts..places.dim } else { intercepts..linear };
    if let Some(list) = theta.get_mut(fixed) {
        list.iter_mut().for_each(|x| *x = [T::ZERO; N]);
    }
    if let Some(own) = theta.get_mut(intercepts)
        && prior.intercept > T::ZERO
    {
        *own = [level(&posterior.pass) / prior.intercept; N];
    }
    let Some((_, rest)) = theta.split_at_mut_checked(places.scales) else { return };
    rest.iter_mut().for_each(|x| *x = [T::ZERO; N]);
    let first =
        architecture.layer(0).map_or(0, |layer| layer.biases_at.saturating_add(layer.units));
    let wide = -(T::HALF * ln(T::of_usize(architecture.inputs) + T::ONE));
    for group in prior.groups(architecture) {
        let Some(log) = group.sampled.and_then(|k| rest.get_mut(k)) else { continue };
        if group.first < first {
            *log = [wide - ln(group.scale); N];
        } else if group.first >= linear && deep {
            *log = [-T::ONE; N];
        }
    }
}

/// The logarithm of the mean rate of counts, of others 0.
fn level<T: Real>(pass: &Pass<'_, T>) -> T {
    let Pass { data, family, exposure, architecture, .. } = pass;
    if !family.output.is_counts() {
        return T::ZERO;
    }
    let exposed = |i| if *exposure { data.inputs.at(i, architecture.inputs) } else { T::ONE };
    let counts = Sum::of(data.targets().map(|(y, w)| w * y));
    let times = Sum::of(data.targets().enumerate().map(|(i, (_, w))| w * exposed(i)));
    if counts > T::ZERO { ln(counts / times) } else { T::ZERO }
}

/// nu from its grid, given the residuals.
fn tail<T: Lanes<N>, const N: usize>(
    isa: Isa,
    posterior: &Posterior<'_, T, N>,
    theta: &[[T; N]],
    places: Places,
    streams: &mut [Stream; N],
    scratch: &mut [[T; N]],
) -> Option<[T; N]> {
    let (parameters, scratch) = scratch.split_at_mut_checked(places.scales)?;
    posterior.parameters(isa, theta, parameters);
    let pass = &posterior.pass;
    let n = pass.count();
    let mut sums = [[T::ZERO; N]; 2 * noise::TAILS.len()];
    let own = theta.get(places.own..)?;
    let beta = precision(isa, own, pass.family.noise);
    let groups = (0..n).step_by(4);
    pass.outputs(isa, parameters, scratch, groups, |first, y, outputs| {
        let y = y.get(..n.saturating_sub(first).min(4)).unwrap_or(&[]);
        let weights = pass.weights::<4>(first);
        let weights = weights.as_ref().map_or(&[][..], |w| w);
        if let Some(outputs) = outputs.first() {
            tails(isa, &beta, y, weights, outputs, &mut sums);
        }
    });
    Some(choose(isa, pass.total(), &sums, streams))
}

dispatched! {
    fn precision(s: S, own: &[[T; N]], known: T) -> [T; N] {
        match own.first() {
            Some(log) => special::called::exp(s, s.load(log)).array(),
            None => (s.one() / (s.splat(known) * s.splat(known))).array(),
        }
    }

    /// Adds ln(1 + q / nu) of a group of rows, each as often as its weight says, for every nu of the grid, compensated.
    fn tails(
        s: S, beta: &[T; N], y: &[T], weights: &[T], outputs: &[[T; N]; 4],
        sums: &mut [[T; N]; 2 * noise::TAILS.len()],
    ) {
        for (r, (y, o)) in y.iter().zip(outputs).enumerate() {
            let weight = weights.get(r);
            if weight.is_some_and(|w| !(*w > T::ZERO)) {
                continue;
            }
            let residual = s.splat(*y) - s.load(o);
            let square = s.load(beta) * (residual * residual);
            let (pairs, _) = sums.as_chunks_mut::<2>();
            for ([high, low], rate) in pairs.iter_mut().zip(noise::rates_of::<T>()) {
                let mut sum = Sum { high: s.load(high), low: s.load(low) };
                let term = special::ln_1p(s, square * s.splat(rate));
                sum.add(weight.map_or(term, |w| s.splat(*w) * term));
                (*high, *low) = (sum.high.array(), sum.low.array());
            }
        }
    }

    fn choose(
        s: S, n: T, sums: &[[T; N]; 2 * noise::TAILS.len()], streams: &mut [Stream; N],
    ) -> [T; N] {
        let mut logs = [s.zero(); noise::TAILS.len()];
        let (pairs, _) = sums.as_chunks::<2>();
        for (log, [high, low]) in logs.iter_mut().zip(pairs) {
            *log = s.load(high) + s.load(low);
        }
        noise::choose(s, n, logs, streams).array()
    }

    /// sum z^2 / 2 of a group.
    fn half_squares(
        s: S, architecture: &crate::network::Architecture, prior: &WeightPrior<T>, g: usize,
        theta: &[[T; N]],
    ) -> [T; N] {
        let mut sum = s.zero();
        if let Some(group) = prior.groups(architecture).nth(g) {
            for z in group.members(theta) {
                sum = sum + s.load(z) * s.load(z);
            }
        }
        (s.splat(T::HALF) * sum).array()
    }
}

/// Scales of fewer parameters are left to the trajectories: their conditional law reaches so far that the
/// mass, which holds s^2 times the information, is wrong by orders of magnitude after one draw of it, and the
/// next trajectory diverges (2 % of them on data of one input; .2 % without).
const MEMBERS: usize = 4;

/// Every sampled scale s given its parameters s z: 1/s^2 ~ Gamma((k + 1)/2, E/(1 + 1/s^2) + s^2 |z|^2 / 2),
/// E a standard exponential; then z = s z / s'.
pub(super) fn scales<T: Lanes<N>, const N: usize>(
    isa: Isa,
    posterior: &Posterior<'_, T, N>,
    streams: &mut [Stream; N],
    theta: &mut [[T; N]],
    places: Places,
) {
    let (architecture, prior) = (&posterior.pass.architecture, &posterior.prior);
    for (g, group) in prior.groups(architecture).enumerate() {
        let Some(at) = group.sampled.and_then(|k| places.scales.checked_add(k)) else { continue };
        if group.count < MEMBERS {
            continue;
        }
        let squares = half_squares(isa, architecture, prior, g, theta);
        let Some(log) = theta.get_mut(at) else { return };
        let shape = T::HALF * (T::of_usize(group.count) + T::ONE);
        let mut ratio = [T::ONE; N];
        let lanes = log.iter_mut().zip(&mut ratio).zip(squares).zip(streams.iter_mut());
        for (((log, ratio), squares), stream) in lanes {
            let old = special::scalar::exp(*log);
            let old_square = old * old;
            let exponential: T = stream.exponential();
            let rate = exponential / (T::ONE + T::ONE / old_square) + old_square * squares;
            let variance = rate / stream.gamma(shape);
            let new = T::HALF * ln(variance);
            let change = special::scalar::exp(*log - new);
            if new.is_finite() && change.is_finite() && change > T::ZERO {
                (*log, *ratio) = (new, change);
            }
        }
        for z in group.members_mut(theta) {
            for (z, ratio) in z.iter_mut().zip(ratio) {
                *z = *z * ratio;
            }
        }
    }
}

/// Writes a draw of every counted chain of the block to the trace, and to the kept draws where it is one.
pub(super) fn record<T: Lanes<N>, const N: usize>(
    isa: Isa,
    shape: &Shape<T>,
    posterior: &Posterior<'_, T, N>,
    theta: &[[T; N]],
    outcome: &hmc::Outcome<T, N>,
    (b, draw): (usize, usize),
    (trace, kept): (&mut [T], &mut [T]),
    gradient: &mut [[T; N]],
    scratch: &mut [[T; N]],
) -> Option<()> {
    let o = &shape.options;
    let places = posterior.places();
    let (parameters, scratch) = scratch.split_at_mut_checked(places.scales)?;
    posterior.parameters(isa, theta, parameters);
    let pass = &posterior.pass;
    let own = theta.get(places.own..)?;
    let point = Point { parameters, own, nu: posterior.nu };
    let (gradient, rest) = gradient.split_at_mut_checked(places.scales)?;
    // Of all rows by some, where it is of some: their weight is n/b.
    let log_likelihood = pass.evaluate(isa, point, gradient, rest, scratch);
    let log_likelihood = log_likelihood.map(|log| posterior.weight * log);
    let pass = &Pass { rows: None, ..*pass };

    let columns = shape.columns();
    let first = b.saturating_mul(N);
    let row = nth_mut(trace, shape.chains().checked_mul(columns)?, draw);
    let mine = row.get_mut(first.checked_mul(columns)?..)?;
    for (lane, cells) in pieces_mut(mine, columns).take(N).enumerate() {
        let flag = if outcome.divergent.get(lane).copied()? { T::ONE } else { T::ZERO };
        let values = [
            log_likelihood.get(lane).copied()?,
            outcome.acceptance.get(lane).copied()?,
            flag,
            outcome.energy.get(lane).copied()?,
        ];
        cells.iter_mut().zip(values).for_each(|(cell, x)| *cell = x);
    }
    for k in 0..shape.traced_rows() {
        let at = traced_row(k, shape.traced_rows(), shape.n);
        let [mean, variance] = pass.moments(isa, point, at, scratch);
        let to = TRACED.checked_add(k.checked_mul(2)?)?;
        for (lane, cells) in pieces_mut(mine, columns).take(N).enumerate() {
            let values = [mean.get(lane).copied()?, variance.get(lane).copied()?];
            cells.get_mut(to..)?.iter_mut().zip(values).for_each(|(cell, x)| *cell = x);
        }
    }
    let Some(slot) = kept_slot(o, draw) else { return Some(()) };
    let (length, keep) = (shape.draw_len(), o.keep as usize);
    for lane in 0..N.min(shape.chains().saturating_sub(first)) {
        let own = nth_mut(kept, length.checked_mul(keep)?, first.checked_add(lane)?);
        let out = nth_mut(own, length, slot);
        posterior.draw(parameters, theta, lane, out)?;
    }
    Some(())
}

/// Keeps where the start of a counted chain of the block ended, if its log density is the largest so far.
pub(super) fn keep_best<T: Lanes<N>, const N: usize>(
    isa: Isa,
    shape: &Shape<T>,
    posterior: &Posterior<'_, T, N>,
    (theta, values): (&[[T; N]], &[T; N]),
    b: usize,
    point: &mut [T],
    scratch: &mut [[T; N]],
) -> Option<()> {
    let (parameters, _) = scratch.split_at_mut_checked(posterior.places().scales)?;
    posterior.parameters(isa, theta, parameters);
    let (best, draw) = point.split_first_mut()?;
    let counted = shape.chains().saturating_sub(b.saturating_mul(N));
    for (lane, value) in values.iter().enumerate().take(counted) {
        if *value > *best {
            *best = *value;
            posterior.draw(parameters, theta, lane, draw)?;
        }
    }
    Some(())
}

/// The place of draw t among those that a chain keeps, if it is one.
pub(super) fn kept_slot<T>(o: &BnnOptions<T>, t: usize) -> Option<usize> {
    let kept = |t: u64| (t.saturating_mul(o.keep as u64) / (o.draws as u64).max(1)) as usize;
    let (before, after) = (kept(t as u64), kept(t as u64 + 1));
    (after > before).then_some(before)
}

/// The k-th of `count` rows spread over n.
fn traced_row(k: usize, count: usize, n: usize) -> usize {
    (k as u64).saturating_mul(n as u64).checked_div(count as u64).unwrap_or(0) as usize
}
