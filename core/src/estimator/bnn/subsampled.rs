//! Chains that see part of the rows at a step: one chain at a time, each with minibatches of its own.
//!
//! All aim at the tempered posterior, prior times likelihood^(b/n) for minibatches of b of n rows (of the whole
//! likelihood where so asked). Tempered walks on it by all rows; batched and penalty walk by the mean change of the loss
//! over some minibatches, the same for both ends of a step, see [`crate::kernel::penalty`]; SGLD adds a gradient by one
//! minibatch and noise. Controlled penalties are of what minibatches leave beyond second order, see `controlled`: nothing of
//! theirs goes over all rows but the expansion, and what is recorded of the likelihood is by a minibatch. b = n takes the rows in their order: no noise, no draws, and the bits of a walk.
//!
//! A unit of work is a number of steps. nu, where it is sampled, stays that of the start, 30; scales are drawn given
//! their parameters at the end of each unit, which no likelihood enters. What has a scale of 0 is not moved.
//!
//! Draws of a step: from the chain's stream of rows its minibatches (before the first, one for the units of steps); from
//! the kernel's a normal a coordinate, and of walks a uniform.

use super::BnnError;
use super::controlled::{self, Control};
use super::layout::{Parts, Shape};
use super::method::BnnMethod;
use super::mode::{MODE, Outcome};
use super::options::BnnOptions;
use super::unit::{keep_best, own_data, posterior, record, scales};
use crate::data::Dataset;
use crate::density::Density;
use crate::kernel::hmc;
use crate::kernel::penalty::{Noisy, Penalty};
use crate::minibatch::{self, WORDS};
use crate::network::{Blocks, Posterior};
use crate::pieces::{cut, nth_mut};
use crate::random::{Stream, normals_on};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, blocks_mut};
use crate::special::scalar::{exp, ln};

/// The acceptance that a walk's step is adapted to, and that of the walk whose step SGLD's noise has.
const TARGETS: [f64; 2] = [0.234, 0.8];
/// Step k of the adaptation moves log e by k^-GAIN (probability - target).
const GAIN: f64 = 0.6;

/// The rows of a minibatch, where it is not all of them.
pub(super) fn batch<T: Real>(shape: &Shape<T>) -> Option<usize> {
    let batch = shape.options.batch as usize;
    (batch > 0 && batch < shape.n).then_some(batch)
}

/// T, at which the likelihood is tempered.
pub(super) fn temperature<T: Real>(shape: &Shape<T>) -> T {
    match batch(shape) {
        Some(batch) if !shape.options.full.on() => T::of_usize(shape.n) / T::of_usize(batch),
        _ => T::ONE,
    }
}

/// The steps of a chain's draws before draw k. SGLD's stand at equal distances of the sum of step sizes, by its integral.
fn steps_before<T: Real>(o: &BnnOptions<T>, k: u64) -> u64 {
    let (draws, each) = (o.draws as u64, o.leapfrogs as u64);
    if o.decay == T::ZERO || o.method != BnnMethod::Sgld || k >= draws {
        return k.saturating_mul(each);
    }
    let all = T::of_u32(o.draws) * T::of_u32(o.leapfrogs);
    let (span, share) = (ln(T::ONE + all / o.delay), T::of_usize(k as usize) / T::of_u32(o.draws));
    let power = T::ONE - o.decay;
    let log = if power > T::ZERO {
        ln(T::ONE + share * (exp(power * span) - T::ONE)) / power
    } else {
        share * span
    };
    (o.delay * (exp(log) - T::ONE)).to_usize() as u64
}

/// Passes over the data of so many steps.
fn of_steps<T: Real>(shape: &Shape<T>, finds: bool, steps: u64) -> u64 {
    let (o, n) = (&shape.options, shape.n as u64);
    let one = match (batch(shape).map(|batch| batch as u64), o.method.value()) {
        (Some(batch), _) if controlled::is(shape) => {
            batch.saturating_mul(o.minibatches as u64).saturating_mul(5)
        }
        (Some(batch), BnnMethod::Sgld) if !finds => batch,
        (Some(batch), BnnMethod::Batched | BnnMethod::Penalty) if !finds => {
            let rows = if knows(o) { n } else { 0 };
            batch.saturating_mul(o.minibatches as u64).saturating_add(rows).saturating_mul(2)
        }
        _ => n,
    };
    one.saturating_mul(steps).div_ceil(n.max(1))
}

/// About the passes of a chain after its start.
pub(super) fn passes<T: Real>(shape: &Shape<T>) -> u64 {
    let o = &shape.options;
    let each = if controlled::is(shape) { [0, 0] } else { [1, 3] };
    let of = |finds, more| of_steps(shape, finds, o.leapfrogs as u64).saturating_add(more);
    let [warms, draws] = each;
    let warmup = of(o.step == T::ZERO, warms).saturating_mul(o.warmup as u64);
    let draws = of(false, draws).saturating_mul(o.draws as u64);
    warmup.saturating_add(draws)
}

/// Whether each step computes the variance of the change of the loss.
fn knows<T: Real>(o: &BnnOptions<T>) -> bool {
    o.method == BnnMethod::Penalty && o.penalty == Penalty::Known
}

/// The variance of the mean change of the loss over `count` minibatches of `batch` rows, given the changes by each row.
fn known<T: Real>(changes: impl Iterator<Item = T>, [n, batch]: [usize; 2], count: u32) -> T {
    let [n, b] = [n, batch].map(T::of_usize);
    // The variance of rows, from that of their mean; and of a sum of b of them without replacement.
    let of_rows = Noisy::of(changes).variance * n;
    of_rows * (b * (T::ONE - b / n)) / T::of_u32(count)
}

/// What is told of a chain: its step; how many changes of the loss and of these with a shape there were; the means of their
/// variance, skewness and kurtosis.
fn note<T: Real>(told: &mut [T; MODE], variance: T, seen: &Noisy<T>) {
    let [_, count, shaped, variances, skewness, kurtosis, ..] = told;
    *count += T::ONE;
    *variances += (variance - *variances) / *count;
    if !seen.skewness.is_finite() {
        return;
    }
    *shaped += T::ONE;
    *skewness += (seen.skewness - *skewness) / *shaped;
    *kurtosis += (seen.kurtosis - *kurtosis) / *shaped;
}

/// The chain moves.
pub(super) fn take<T: Real>(theta: &mut [[T; 1]], proposed: &[[T; 1]]) {
    theta.iter_mut().zip(proposed).for_each(|(theta, z)| *theta = *z);
}

/// The step of SGLD: as given, or whose noise is that of a walk's step.
fn langevin<T: Real>(o: &BnnOptions<T>, step: T) -> T {
    if o.step > T::ZERO { step } else { T::HALF * step * step }
}

/// The posterior by some rows, its likelihood times `weight`.
fn part<'r, T: Real>(
    whole: &Posterior<'r, T, 1>,
    rows: Option<&'r [u32]>,
    weight: T,
) -> Posterior<'r, T, 1> {
    let mut out = *whole;
    (out.pass.rows, out.weight) = (rows, weight);
    out
}

/// Unit t of a chain, after its start: the passes over the data.
pub(super) fn unit<T: Lanes<1>>(
    isa: Isa,
    shape: &Shape<T>,
    parts: &mut Parts<'_, T>,
    data: &Dataset<'_, T>,
    t: u64,
    b: usize,
) -> Outcome<u64> {
    let o = &shape.options;
    let (n, p, method) = (shape.n, shape.places().dim, o.method.value());
    let [log_step, nu] = parts.scalars.first_chunk_mut::<2>()?;
    let own = own_data(shape, parts.x, parts.y, data)?;
    let whole: Posterior<'_, T, 1> = posterior(shape, own, [*nu]);
    let tempered = part(&whole, None, T::ONE / temperature(shape));
    let batch = batch(shape);
    let weight = match batch {
        Some(batch) if o.full.on() => T::of_usize(n) / T::of_usize(batch),
        _ => T::ONE,
    };
    let compares = [BnnMethod::Batched, BnnMethod::Penalty].contains(&method);
    let words = parts.streams.as_chunks_mut::<4>().0;
    let [_, kernel_words, gibbs_words] = words else { return None };
    let [mut kernel, mut gibbs] = [&*kernel_words, gibbs_words].map(|w| [Stream::from_words(*w)]);
    let theta = blocks_mut::<T, 1>(parts.theta)?;
    let scratch = blocks_mut::<T, 1>(parts.scratch)?;
    let units = blocks_mut::<T, 1>(parts.moments)?.get_mut(..p)?;
    let work = blocks_mut::<T, 1>(parts.work)?;
    let told = nth_mut(parts.modes, MODE, b).first_chunk_mut::<MODE>()?;
    let controlled = controlled::is(shape);
    let mut control = if controlled { Some(Control::open(shape, parts.fit)?) } else { None };
    let mut passes = !controlled as u64;
    if t == 0 {
        minibatch::begin(parts.rows, o.seed, (b as u64 + o.first_chain as u64).wrapping_add(1));
        let value = whole.value(isa, theta, work.get_mut(..p)?, scratch);
        if !value.iter().all(|v| v.is_finite()) {
            return Some(Err(BnnError::Start));
        }
        keep_best(isa, shape, &whole, (theta, &value), b, parts.point, scratch)?;
        passes = 3;
        if let Some(control) = &mut control {
            *log_step = if o.step > T::ZERO { ln(o.step).min(T::ZERO) } else { T::ZERO };
            match control.expand(isa, &tempered, theta, scratch)? {
                Ok(own) => passes = own,
                Err(e) => return Some(Err(e)),
            }
        } else if o.step > T::ZERO {
            units.fill([T::ONE]);
            *log_step = ln(o.step);
        } else {
            // By as many rows as the tempered posterior has.
            let rows = batch.filter(|_| !o.full.on());
            let rows = rows.map(|batch| minibatch::draw(parts.rows, batch));
            let alone = Blocks::alone(p);
            part(&whole, rows, T::ONE).mass(isa, theta, alone, units, work, scratch)?;
        }
        for group in whole.prior.groups(&whole.pass.architecture) {
            if group.scale == T::ZERO {
                group.members_mut(units).for_each(|unit| *unit = [T::ZERO]);
            }
        }
    }
    let ([spare, proposed], _) = cut(work, [p; 2])?;

    let warming = t < o.warmup as u64;
    let finds = warming && o.step == T::ZERO;
    let draw = t.saturating_sub(o.warmup as u64);
    let [from, to] = match warming {
        true => [t, t.saturating_add(1)].map(|t| t.saturating_mul(o.leapfrogs as u64)),
        false => [draw, draw.saturating_add(1)].map(|k| steps_before(o, k)),
    };
    let drifts = method == BnnMethod::Sgld && !finds;
    // The changes of the loss by minibatches, if it is not known from all rows.
    let noisy = batch.filter(|_| compares && (!finds || controlled));
    let target = T::lit(if method == BnnMethod::Sgld { TARGETS[1] } else { TARGETS[0] });
    let mut value = T::ZERO;
    if !drifts && noisy.is_none() {
        [value] = tempered.value(isa, theta, spare, scratch);
    }
    if !warming && draw == 0 {
        let step = exp(*log_step);
        *told = [T::ZERO; MODE];
        let [first, ..] = told;
        *first = if drifts { langevin(o, step) } else { step };
    }
    let (mut accepted, mut diverged) = (T::ZERO, false);
    for k in from..to {
        let step = exp(*log_step);
        normals_on(isa, &mut kernel, proposed);
        if drifts {
            let mut e = langevin(o, step);
            if !warming {
                e = e * exp(-(o.decay * ln(T::ONE + T::of_usize(k as usize) / o.delay)));
            }
            let rows = batch.map(|batch| minibatch::draw(parts.rows, batch));
            let density = part(&whole, rows, weight);
            let [value] = density.value_and_gradient(isa, theta, spare, scratch);
            let noise = (e + e).sqrt();
            let lists = proposed.iter_mut().zip(&*theta).zip(&*spare).zip(&*units);
            for ((([z], [old]), [slope]), [unit]) in lists {
                *z = *old + (e * (*unit * *unit * *slope) + noise * (*unit * *z));
            }
            // A step that is too long leaves every prior behind.
            let far = T::ONE / T::EPSILON.sqrt();
            if value.is_finite() && proposed.iter().all(|[z]| z.abs() < far) {
                take(theta, proposed);
            } else {
                diverged = true;
            }
            accepted += T::ONE;
            continue;
        }
        if let Some(control) = &control {
            control.propose(step, theta, proposed);
        } else {
            for (([z], [old]), [unit]) in proposed.iter_mut().zip(&*theta).zip(&*units) {
                *z = *old + step * (*unit * *z);
            }
        }
        let (mut after, mut variance) = (T::ZERO, T::ZERO);
        let change = if let Some(batch) = noisy {
            let mut by = |rows: &[u32]| {
                let density = part(&whole, Some(rows), weight);
                if let Some(control) = &mut control {
                    let ends = [&*theta, &*proposed];
                    let own = control.change(isa, &density, ends, spare, scratch);
                    return own.unwrap_or(T::NAN);
                }
                let [before] = density.value(isa, theta, spare, scratch);
                let [after] = density.value(isa, proposed, spare, scratch);
                before - after
            };
            let draws = (0..o.minibatches).map(|_| by(minibatch::draw(parts.rows, batch)));
            let seen = Noisy::of(draws);
            variance = seen.variance;
            if knows(o) {
                let rows = parts.rows.get(WORDS..)?.chunks(1);
                variance = known(rows.map(by), [n, batch], o.minibatches);
            }
            if !warming {
                note(told, variance, &seen);
            }
            seen.change
        } else {
            [after] = tempered.value(isa, proposed, spare, scratch);
            value - after
        };
        let penalised = if method == BnnMethod::Penalty { variance } else { T::ZERO };
        let probability =
            o.penalty.value().probability(change, penalised, o.minibatches, o.barker.on());
        diverged = diverged || !(change > -T::INFINITY);
        let [stream] = &mut kernel;
        if stream.uniform::<T>() < probability {
            take(theta, proposed);
            value = after;
        }
        accepted += probability;
        if finds {
            let gain = exp(-(T::lit(GAIN) * ln(T::ONE + T::of_usize(k as usize))));
            *log_step += gain * (probability - target);
            if controlled {
                *log_step = log_step.min(T::ZERO);
            }
        }
    }
    scales(isa, &whole, &mut gibbs, theta, whole.places());
    [*kernel_words, *gibbs_words] = [kernel, gibbs].map(|[stream]| stream.words());
    passes += of_steps(shape, finds, to.saturating_sub(from));
    if !warming {
        let (mut of, mut all) = (tempered, whole);
        if let Some(batch) = noisy.filter(|_| controlled) {
            let rows = Some(minibatch::draw(parts.rows, batch));
            of = part(&whole, rows, weight);
            all = part(&whole, rows, T::of_usize(n) / T::of_usize(batch));
        } else {
            passes += 2;
        }
        let energy = of.value(isa, theta, spare, scratch).map(|v| -v);
        let steps = T::of_usize(to.saturating_sub(from) as usize).max(T::ONE);
        let (acceptance, accepted, divergent) = ([accepted / steps], [true], [diverged]);
        let outcome = hmc::Outcome { acceptance, accepted, divergent, energy };
        let to = (&mut *parts.trace, &mut *parts.kept);
        record(isa, shape, &all, theta, &outcome, (b, draw as usize), to, spare, scratch)?;
    }
    Some(Ok(passes))
}
