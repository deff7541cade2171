//! Gaussians that are fitted to the posterior by the evidence lower bound, or to the iterates of an ascent: one chain at
//! a time.
//!
//! A unit of work is a step of the start (Adam, to about a mode), a step of the fit, or a draw. The fit is in the
//! coordinates w = (z - z0)/s0, z0 where the start ended and s0^-2 the diagonal of the Gauss-Newton matrix there: q
//! begins as N(0, I) and Adam's steps are in posterior sds, whatever the rows. Each step's gradient is a mean over
//! pairs e, -e of normals; steps fall to 0 over the second half of them, and their average over it is q. Gradients
//! below a hundredth a sd move q in proportion to themselves: where the noise dies (the path form of an exact fit) so
//! do the steps.
//!
//! Without pairs, of a generalised linear model, bound and gradient are integrals ([`super::expectation`] has them), and there
//! is no noise. Where the likelihood is Gaussian too, what q begins as is its optimum, to how near the start came: the
//! mean and 1/sqrt(Lambda_jj), where coordinate updates m_j = (b_j - sum_{k != j} Lambda_jk m_k)/Lambda_jj end.
//!
//! Variational fits take gradients in the path form and independent minibatches times n/b; Bayes by Backprop those in
//! the total form, and the parts of a random partition each epoch: pi_i (log q - log P(w)) - log P(D_i | w). Without a
//! mixture its P is N(0, I), and the divergence of q from it is closed, in gradients and in the bound: what is averaged over
//! draws is the likelihood, and the priors of sampled scales and of the noise relative to N(0, 1). With known scales and
//! noise, or an output without any, that is the likelihood alone.
//!
//! SWAG ascends by the gradient alone, each chain by minibatches of its own, w + e s0 grad with a constant e. Of the T
//! iterates of the second half it takes the mean m, the variances v and K of them at equal distances, the last among
//! them: q = N(m, (diag v + sum (w_k - m)(w_k - m)'/(K - 1)) / 2). Maddox et al. take deviations from the mean so far.
//! Of a Gaussian posterior N(., A^-1) and noise of the gradient of covariance C the iterates' covariance S solves
//! S = (I - eA) S (I - eA) + e^2 C: step and batch make it, and A^-1 only where both happen to be so.
//!
//! Draws of the kernel's stream: the entries of U; then a list of normals a pair; then one a draw.
//!
//! The draws of a step are eight at a time side by side in lanes, where lanes are wide: the bits are those of one by one.

use super::BnnError;
use super::beside::{self, BESIDE, Beside};
use super::expectation::{NODES, Place, expectation};
use super::layout::{Parts, Shape};
use super::method::BnnMethod;
use super::mode::{MODE, Outcome};
use super::options::BnnOptionsError;
use super::unit::{keep_best, own_data, posterior, record};
use crate::data::Dataset;
use crate::density::Density;
use crate::estimator::start::{RATE, adam};
use crate::kernel::hmc;
use crate::linalg::one::dot;
use crate::minibatch;
use crate::network::{Curvature, Posterior};
use crate::pieces::{cut, nth_mut, pieces_mut};
use crate::random::{Stream, normals_on};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, blocks, blocks_mut};
use crate::special::scalar::{exp_m1, ln};
use crate::variational::{Covariance, Gaussian, ScaleMixture, epoch_weight};

/// What a step of Adam is divided by at least, in units of 1/sd.
const FLOOR: f64 = 0.01;

/// The parts of the memory of a fit: parameters, their average, Adam's two averages, the gradient; normals; a draw,
/// a slope, z0, s0; rooms of the score and the law; of draws side by side normals and room.
fn sizes<T: Real>(shape: &Shape<T>) -> Option<[usize; 14]> {
    let (q, p) = (gaussian(shape), shape.places().dim);
    let [l, k] = [q.len()?, q.normals()?];
    let o = &shape.options;
    let drawn = o.method != BnnMethod::Swag && o.pairs > 0;
    let pairs = if drawn { k.checked_mul(BESIDE / 2)? } else { 0 };
    let beside = if drawn { beside::len(shape)? } else { 0 };
    Some([l, l, l, l, l, k, p, p, p, p, q.scratch()?, p.checked_mul(2)?, pairs, beside])
}

/// Numbers of all of them; `None` on overflow.
pub(super) fn len<T: Real>(shape: &Shape<T>) -> Option<usize> {
    crate::pieces::total(sizes(shape)?)
}

/// The family.
pub(super) fn gaussian<T: Real>(shape: &Shape<T>) -> Gaussian {
    let covariance = match shape.options.method.value() {
        BnnMethod::VariationalFull => Covariance::Full,
        BnnMethod::VariationalLowRank | BnnMethod::Swag => {
            Covariance::LowRank(shape.options.rank as usize)
        }
        _ => Covariance::MeanField,
    };
    Gaussian { dim: shape.places().dim, covariance }
}

/// log p(y, z) + (P/2) log 2 pi and its gradient, or that of Bayes by Backprop with its prior.
pub(super) fn evaluate<T: Lanes<N>, const N: usize>(
    isa: Isa,
    shape: &Shape<T>,
    posterior: &Posterior<'_, T, N>,
    z: &[[T; N]],
    gradient: &mut [[T; N]],
    scratch: &mut [[T; N]],
) -> [T; N] {
    let mut value = posterior.value_and_gradient(isa, z, gradient, scratch);
    let o = &shape.options;
    if o.method == BnnMethod::Backprop && o.mixture > T::ZERO {
        let prior = ScaleMixture { share: o.mixture, wide: o.wide, narrow: o.narrow };
        let (weights, architecture) = (o.prior(), shape.architecture());
        // What a scale of 0 keeps at 0 stays N(0, 1), and costs nothing.
        for group in weights.groups(&architecture).filter(|group| group.scale > T::ZERO) {
            for (slopes, z) in group.members_mut(gradient).zip(group.members(z)) {
                for ((value, slope), z) in value.iter_mut().zip(slopes).zip(z) {
                    let (own, by_z) = prior.log_density(*z);
                    *value += own + T::HALF * (*z * *z);
                    *slope += by_z + *z;
                }
            }
        }
    }
    value
}

/// The same of one draw.
fn evaluate_one<T: Lanes<1>>(
    isa: Isa,
    shape: &Shape<T>,
    posterior: &Posterior<'_, T, 1>,
    [z, gradient, scratch]: [&mut [T]; 3],
) -> Option<T> {
    let (gradient, scratch) = (blocks_mut(gradient)?, blocks_mut(scratch)?);
    let [value] = evaluate::<T, 1>(isa, shape, posterior, blocks(z)?, gradient, scratch);
    Some(value)
}

/// Swag's step, in sds. The first: of noise that is n/b times the curvature, the step at which iterates are as wide as the
/// posterior (Mandt, Hoffman and Blei 2017). The second: beyond 2 over the largest eigenvalue of the curvature, whose
/// diagonal is 1 and trace their number, iterates run away, and by minibatches, or where a network bends, before.
fn usual_step<T: Real>(shape: &Shape<T>) -> T {
    let share = T::of_u32(shape.options.batch) / T::of_usize(shape.n);
    (share + share).min(T::lit(0.1) / T::of_usize(shape.places().dim))
}

/// Takes up iterate k of `count`: the mean in the front of `law`, the sum of squares about it, the iterates that are
/// columns behind; with the last one the law becomes the Gaussian's parameters.
fn collect<T: Real>(
    q: &Gaussian,
    (k, count): (u64, u64),
    now: &[T],
    squares: &mut [T],
    law: &mut [T],
) -> Option<()> {
    let rank = q.rank() as u64;
    let (mean, rest) = law.split_at_mut_checked(q.dim)?;
    let (rho, columns) = rest.split_at_mut_checked(q.dim)?;
    let number = T::of_usize(k as usize) + T::ONE;
    for ((m, s), w) in mean.iter_mut().zip(&mut *squares).zip(now) {
        let from = *w - *m;
        *m += from / number;
        *s += from * (*w - *m);
    }
    let before = |k: u64| k.saturating_mul(rank).checked_div(count);
    let (slot, next) = (before(k)?, before(k.saturating_add(1))?);
    if next > slot {
        let column = columns.iter_mut().skip(slot as usize).step_by(q.rank().max(1));
        column.zip(now).for_each(|(c, w)| *c = *w);
    }
    if k.saturating_add(1) == count {
        let scale = T::ONE / (T::of_u32(2) * (T::of_usize(q.rank()) - T::ONE)).sqrt();
        for (row, m) in pieces_mut(columns, q.rank()).zip(&*mean) {
            row.iter_mut().for_each(|c| *c = scale * (*c - *m));
        }
        for (rho, s) in rho.iter_mut().zip(&*squares) {
            // What does not move has next to no sd.
            let sd = (T::HALF * *s / number).sqrt().max(T::EPSILON);
            *rho = softplus_inverse(sd);
        }
    }
    Some(())
}

/// The rho of sigma = ln(1 + e^rho).
fn softplus_inverse<T: Real>(sigma: T) -> T {
    // ln(e^sigma - 1) = sigma + ln(1 - e^-sigma).
    sigma + ln(-exp_m1(-sigma))
}

/// Unit t of the fit and of the draws behind it: the passes over the data, and whether t follows.
pub(super) fn unit<T: AnyLanes>(
    isa: Isa,
    shape: &Shape<T>,
    parts: &mut Parts<'_, T>,
    data: &Dataset<'_, T>,
    t: u64,
    b: usize,
) -> Outcome<u64> {
    let o = &shape.options;
    let (q, p) = (gaussian(shape), shape.places().dim);
    let [_, nu] = parts.scalars.first_chunk::<2>()?;
    let own = own_data(shape, parts.x, parts.y, data)?;
    let mut density = posterior(shape, own, [*nu]);
    let (lists, _) = cut(&mut *parts.fit, sizes(shape)?)?;
    let [now, mean, first, second, gradient, lists @ ..] = lists;
    let [normals, w, slope, centre, unit, room, room_law, pairs, room_beside] = lists;
    let words = parts.streams.as_chunks_mut::<4>().0.get_mut(1)?;
    let mut stream = [Stream::from_words(*words)];
    let (mut passes, swag) = (0, o.method == BnnMethod::Swag);
    let backprop = o.method == BnnMethod::Backprop;
    let closed = backprop && o.mixture == T::ZERO;
    if t == 0 {
        centre.iter_mut().zip(&*parts.theta).for_each(|(c, theta)| *c = *theta);
        let out = blocks_mut::<T, 1>(unit)?;
        let to = Curvature { range: 0..p, full: false, prior: true, out };
        let factors = blocks_mut::<T, 1>(parts.factors)?;
        let scratch = blocks_mut::<T, 1>(parts.scratch)?;
        density.curvature(isa, blocks::<T, 1>(centre)?, to, factors, scratch)?;
        let own = swag && o.step > T::ZERO;
        unit.iter_mut().for_each(|h| *h = if own { T::ONE } else { T::ONE / h.sqrt() });
        if !unit.iter().all(|s| *s > T::ZERO && s.is_finite()) {
            return Some(Err(BnnError::Start));
        }
        let [stream] = &mut stream;
        if swag {
            minibatch::begin(parts.rows, o.seed, (b as u64 + o.first_chain as u64).wrapping_add(1));
            now.fill(T::ZERO);
            mean.fill(T::ZERO);
        } else {
            q.begin(stream, now)?;
        }
        first.fill(T::ZERO);
        second.fill(T::ZERO);
        let family = &density.pass.family;
        passes = (family.outputs().max(family.categories as usize) as u64).saturating_mul(2);
    }
    let place = |w: &[T], centre: &[T], unit: &[T], z: &mut [T]| {
        for (((z, w), c), s) in z.iter_mut().zip(w).zip(centre).zip(unit) {
            *z = *c + *s * *w;
        }
    };
    let by_z = parts.work.get_mut(..p)?;
    if swag && t < o.warmup as u64 {
        density.pass.rows = Some(minibatch::draw(parts.rows, o.batch as usize));
        density.weight = T::of_usize(shape.n) / T::of_u32(o.batch);
        place(now, centre, unit, parts.theta);
        let value = evaluate_one(isa, shape, &density, [parts.theta, by_z, parts.scratch])?;
        passes += 1;
        // The step is too long.
        if !value.is_finite() {
            return Some(Err(BnnOptionsError::StepSize.into()));
        }
        let e = if o.step > T::ZERO { o.step } else { usual_step(shape) };
        let (now, _) = now.split_at_mut_checked(p)?;
        for ((w, g), s) in now.iter_mut().zip(&*by_z).zip(&*unit) {
            *w += e * (*s * *g);
        }
        let half = o.warmup as u64 / 2;
        if let Some(k) = t.checked_sub(half) {
            collect(&q, (k, o.warmup as u64 - half), now, second, mean)?;
        }
    } else if t < o.warmup as u64 {
        // What the divergence weighs, and what all is multiplied by.
        let mut share = T::ONE;
        density.whole = !closed;
        if o.batch > 0 && backprop {
            let batch = o.batch as usize;
            let count = shape.n.div_ceil(batch.max(1));
            let i = t.checked_rem(count as u64).unwrap_or(0) as usize;
            density.pass.rows = Some(minibatch::part(parts.rows, batch, i));
            // Less than this is rounded away.
            let least = T::EPSILON * T::EPSILON;
            share = epoch_weight::<T>(i, count, o.halving.on()).max(least);
            density.weight = T::ONE / share;
            share = share * T::of_usize(count);
        } else if o.batch > 0 {
            density.pass.rows = Some(minibatch::draw(parts.rows, o.batch as usize));
            density.weight = T::of_usize(shape.n) / T::of_u32(o.batch);
        }
        gradient.fill(T::ZERO);
        let law = q.law(now, room_law)?;
        if o.pairs == 0 {
            let at = Place { law, centre, unit };
            let lists = [&mut *normals, slope, &mut *by_z];
            expectation(isa, &density, at, gradient, lists, parts.scratch)?;
            passes += NODES as u64;
        }
        let weight = share * T::HALF / T::of_u32(o.pairs.max(1));
        let mut left = o.pairs as usize;
        while left > 0 {
            let count = left.min(BESIDE / 2);
            left = left.saturating_sub(count);
            let mut beside = Beside::cut(shape, &mut *room_beside)?;
            let lanes = (0..BESIDE).step_by(2);
            for (normals, k) in pieces_mut(&mut *pairs, q.normals()?).zip(lanes.clone()).take(count)
            {
                normals_on(isa, &mut stream, blocks_mut::<T, 1>(normals)?);
                for lane in [k, k | 1] {
                    law.draw(normals, w)?;
                    place(w, centre, unit, parts.theta);
                    beside.put(lane, parts.theta);
                    normals.iter_mut().for_each(|e| *e = -*e);
                }
            }
            let lent = [&mut *parts.theta, &mut *by_z, &mut *parts.scratch];
            let values = beside.evaluate(isa, shape, &density, 2 * count, lent);
            passes += 2 * count as u64;
            let own = pieces_mut(&mut *pairs, q.normals()?).zip(values.as_chunks::<2>().0);
            for ((normals, values), k) in own.zip(lanes).take(count) {
                for (lane, value) in [k, k | 1].into_iter().zip(values) {
                    beside.slope(lane, by_z);
                    if backprop {
                        slope.fill(T::ZERO);
                    } else {
                        law.score(normals, slope, room)?;
                    }
                    for ((v, g), s) in slope.iter_mut().zip(&*by_z).zip(&*unit) {
                        *v += *s * *g;
                    }
                    // Where the density has overflowed there is nothing to learn.
                    if value.is_finite() {
                        law.pull_back(normals, slope, weight, gradient)?;
                    }
                    normals.iter_mut().for_each(|e| *e = -*e);
                }
            }
        }
        if backprop || o.pairs == 0 {
            law.add_entropy(share, gradient)?;
        }
        if closed {
            law.add_prior([&*centre, &*unit], share, gradient)?;
        }
        let [now_, first, second] = [&mut *now, first, second].map(|x| x.as_chunks_mut::<1>().0);
        let at = (t as usize, o.warmup as usize);
        adam(
            isa,
            now_,
            blocks::<T, 1>(gradient)?,
            [first, second],
            at,
            [T::lit(RATE), T::lit(FLOOR)],
        );
        if let Some(k) = t.checked_sub(o.warmup as u64 / 2) {
            let share = T::ONE / (T::of_usize(k as usize) + T::ONE);
            for (mean, now) in mean.iter_mut().zip(&*now) {
                let from = if k == 0 { *now } else { *mean };
                *mean = from + share * (*now - from);
            }
        }
    } else {
        let draw = t.saturating_sub(o.warmup as u64) as usize;
        let modes = nth_mut(parts.modes, MODE, b).first_chunk_mut::<MODE>()?;
        let (means, sds) = nth_mut(parts.laws, p.checked_mul(2)?, b).split_at_mut_checked(p)?;
        let law = q.law(mean, room_law)?;
        if draw == 0 {
            place(mean, centre, unit, means);
            law.sds(sds)?;
            sds.iter_mut().zip(&*unit).for_each(|(sd, s)| *sd = *sd * *s);
            let value = evaluate_one(isa, shape, &density, [means, by_z, parts.scratch])?;
            if !value.is_finite() {
                return Some(Err(BnnError::Start));
            }
            let at = (blocks::<T, 1>(means)?, &[value]);
            let scratch = blocks_mut::<T, 1>(parts.scratch)?;
            keep_best(isa, shape, &density, at, b, parts.point, scratch)?;
            *modes = [T::ZERO, T::ZERO, value, T::of_u32(o.warmup), T::ZERO, T::ZERO, T::ZERO];
            passes = 1;
            if o.pairs == 0 {
                let at = Place { law, centre, unit };
                let lists = [&mut *normals, &mut *slope, &mut *by_z];
                let [bound, ..] = modes;
                *bound = expectation(isa, &density, at, gradient, lists, parts.scratch)?;
                // The entropy: the score's log q at e = 0, and its share of |e|^2/2.
                normals.fill(T::ZERO);
                *bound += T::HALF * T::of_usize(p) - law.score(normals, slope, room)?;
                unit.iter().for_each(|s| *bound += ln(*s));
                passes += NODES as u64;
            }
        }
        normals_on(isa, &mut stream, blocks_mut::<T, 1>(normals)?);
        law.draw(normals, w)?;
        place(w, centre, unit, parts.theta);
        let value = evaluate_one(isa, shape, &density, [parts.theta, by_z, parts.scratch])?;
        let mut energy = law.score(normals, slope, room)? - value;
        unit.iter().for_each(|s| energy -= ln(*s));
        if o.pairs > 0 {
            let [bound, squares, ..] = modes;
            let mut own = -energy;
            if closed {
                // In the place of log p - log q: the rest of the density, less the divergence.
                own = value + T::HALF * dot(parts.theta, parts.theta);
                for (m, sd) in means.iter().zip(&*sds) {
                    own -= T::HALF * (*m * *m + *sd * *sd - T::ONE) - ln(*sd);
                }
            }
            let from = own - *bound;
            *bound += from / T::of_usize(draw.saturating_add(1));
            *squares += from * (own - *bound);
        }
        for ((z, m), sd) in parts.theta.iter_mut().zip(means).zip(sds).take(density.places().scales)
        {
            if m.abs() < o.prune * *sd {
                *z = T::ZERO;
            }
        }
        let (energy, acceptance) = ([energy], [T::ONE]);
        let (accepted, divergent) = ([true], [false]);
        let outcome = hmc::Outcome { acceptance, accepted, divergent, energy };
        let to = (&mut *parts.trace, &mut *parts.kept);
        let theta = blocks::<T, 1>(parts.theta)?;
        let [by_z, scratch] = [by_z, &mut *parts.scratch].map(|x| x.as_chunks_mut::<1>().0);
        record(isa, shape, &density, theta, &outcome, (b, draw), to, by_z, scratch)?;
        passes += 2;
    }
    let [stream] = stream;
    *words = stream.words();
    Some(Ok(passes))
}
