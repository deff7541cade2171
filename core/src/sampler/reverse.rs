//! Reverse diffusion: from noise to data along the laws of the noised coupling variable (\[MB\] III.C).
//!
//! Let xi_0 = e^(tau*) A w + Z with A the coupling of the other methods, e^(2 tau*) times as precise as
//! log-concavity asks for. The Ornstein-Uhlenbeck process xi_tau = e^-tau xi_0 + sqrt(1 - e^-2tau) Z' is
//! a coupling again, of the same unit noise and a weaker signal,
//!
//! xi_tau | w ~ N(a_tau A w, I),   a_tau = e^(tau* - tau),
//!
//! so log p(w | xi_tau) is concave in w for tau <= tau*, where a_tau >= 1, and the score of its law is
//! grad log p(xi_tau) = a_tau A E[w | xi_tau] - xi_tau, from an inner chain. (\[MB\] noise X w itself,
//! xi_0 = X w, and find tau* = (1/2) log(1 + 1/(alpha c)): there the precision 1/(e^(2 tau) - 1) of the
//! channel has fallen to alpha c. It is the same family of laws, in the precision of the channel, from
//! the one at which the certificate ends upwards; the time is counted from another end, and the part
//! of infinite precision is left out: w is drawn given xi_0.)
//!
//! An iteration: xi_(tau*) | w from the last draw w; then `levels` steps of the reverse process, each
//! h = tau*/levels long,
//!
//! xi_(tau-h) = e^-h xi_tau + (1 - e^-2h) a_(tau-h) A E[w | xi_tau] + sqrt(1 - e^-2h) N(0, I),
//!
//! the reverse equation dxi = (xi + 2 grad log p(xi)) ds + sqrt(2) dB solved exactly with E[w | xi] held
//! over the step; then w | xi_0, the draw. If the steps were exact w would have the posterior's law
//! again, so p(xi_(tau*)) is reached as coupled Gibbs reaches its own.
//!
//! Bias. Given w the bridge above, with w in place of its mean, is exact; so a step misses the variance
//! of a_(tau-h) (1 - e^-2h) A w given xi_tau, and draws come out too narrow by a variance of order h:
//! order 1/levels. The mean is over `inner` transitions, warm from level to level (or fresh, after
//! `burn_in`). Of m independent draws it would put 1/m of the missing variance back: with one inner
//! transition that forgets, the step is nearly the exact bridge, with many it is the method as it is
//! written, and a chain that has not reached its law adds a bias of its own. More levels repair all
//! three; more inner transitions the last alone.
//!
//! A unit is one inner transition; the first of a level also evaluates its conditional density, the
//! last moves xi on, but for the last level.

use super::SamplerError;
use super::block::Block;
use super::options::SamplerOptions;
use super::xi_langevin::burn_in;
use crate::scalar::Real;
use crate::simd::Lanes;
use crate::special;
use crate::special::scalar::exp;

/// Inner transitions of a level.
fn transitions<T>(options: &SamplerOptions<T>) -> u32 {
    burn_in(options).saturating_add(options.inner).max(1)
}

/// Units of an iteration: the levels tau*, ..., h and 0.
pub(super) fn units<T>(options: &SamplerOptions<T>) -> u32 {
    options.levels.saturating_add(1).saturating_mul(transitions(options))
}

/// Whether a unit is the first of a level.
pub(super) fn opens<T>(options: &SamplerOptions<T>, unit: u64) -> bool {
    unit.is_multiple_of(transitions(options) as u64)
}

/// a_tau of a level: 0 is tau*, `levels` is 0.
fn strength<T: Real>(options: &SamplerOptions<T>, level: u32) -> T {
    exp(options.diffusion_time * (T::of_u32(level) / T::of_u32(options.levels.max(1))))
}

/// The first unit of a chain.
pub(super) fn start<T: Lanes<N>, const N: usize>(
    block: &mut Block<'_, '_, T, N>,
) -> Result<(), SamplerError> {
    block.start()
}

/// One inner transition.
pub(super) fn advance<T: Lanes<N>, const N: usize>(
    block: &mut Block<'_, '_, T, N>,
) -> Result<(), SamplerError> {
    let options = &block.shape.options;
    let transitions = transitions(options).max(1);
    let (level, unit) = (block.unit / transitions, block.unit % transitions);
    block.strength = strength(options, level);
    if block.unit == 0 {
        block.draw_xi()?;
    }
    if unit == 0 {
        block.mean.fill([T::ZERO; N]);
        if options.fresh.on() {
            block.draw_latent()?;
        }
    }
    // One step size for all levels: its updates are counted through.
    let (units, count) = (units(options), block.iteration.saturating_mul(units(options)));
    let count = count.saturating_add(block.unit).saturating_add(1);
    block.conditional(|block, density| {
        if unit == 0 {
            block.evaluate(density)?;
        }
        block.transition(density, count, units)
    })?;
    if unit >= burn_in(options) {
        block.average(T::ONE / T::of_u32(options.inner.max(1)))?;
    }
    if unit.saturating_add(1) < transitions || level >= options.levels {
        return Ok(());
    }
    // On to the next level. score = a A E[w | xi] - xi with its a.
    block.strength = strength(options, level.saturating_add(1));
    let h = options.diffusion_time / T::of_u32(options.levels.max(1));
    let keep = exp(-h);
    let lost = special::scalar::exp_m1(-(h + h));
    let (share, root) = (-lost, (-lost).sqrt());
    block.move_xi(|xi, score, z| *xi = keep * *xi + share * (score + *xi) + root * z)
}
