//! What an iteration does, unit by unit.
//!
//! **On the posterior itself**: one unit, one transition of the kernel ([`crate::kernel`]).
//!
//! The others draw a coupling variable xi, d-dimensional for each neuron ([`crate::coupling::Triangular`]),
//! and make inner transitions of their kernel, which leave the law of w | xi invariant. A unit is one inner
//! transition; the first at a new xi also evaluates the conditional density.
//!
//! **Coupled Gibbs**: xi | w, then `inner` transitions (\[MB\]; the proximal sampler in the metric of the
//! coupling). Exact for any number of inner transitions.
//!
//! **Langevin on xi** (\[MB\], \[B\]):
//!
//! xi <- xi + (h/2) (A E[w | xi] - xi) + sqrt(h) N(0, I),
//!
//! the expectation being the average over the `inner` transitions of a chain on w | xi, warm (from
//! where the last one ended) or fresh (from a draw of the prior, after `burn_in` transitions). The
//! draw that counts is that chain's last state, before xi moves on. Biased in h, and in the inner
//! length: the average is not the expectation (its noise adds to the temperature) and the inner
//! chain has not quite reached its law. In t = R'xi the step reads t + (h/2) (Q E[w | t] - t) + sqrt(h) N(0, Q).
//!
//! **Adjusted Langevin on xi**: the same step as a proposal, taken or not by Metropolis' rule with an estimate of
//! p(xi')/p(xi) and a penalty for its noise ([`super::adjusted`]). An iteration: at xi and then at xi', `inner`
//! transitions for the mean of w and `inner` for the ratio. No bias in h. What is left is of the noise, where
//! it is not normal or large ([`Penalty`](crate::kernel::penalty::Penalty)), and of the inner chain: its draws count as independent, and warm it
//! has not quite left the law at xi when it is asked about xi'.
//!
//! **Reverse diffusion**: from noise to data along the laws of the noised coupling variable (\[MB\] III.C).
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
//! **Reverse diffusion from noise**: xi_(tau*) ~ N(0, I) in each iteration, and the same steps. Exact only where
//! nothing is left of w in xi_(tau*), which a coupling that certifies the inner law never allows: the law of
//! xi_(tau*) has covariance I + A Cov\[w\] A'. It is what others call sampling by diffusion, and the draws are
//! independent but for the starts of the inner chains.
//!
//! Bias. Given w the bridge above, with w in place of its mean, is exact; so a step misses the variance
//! of a_(tau-h) (1 - e^-2h) A w given xi_tau, and draws come out too narrow by a variance of order h:
//! order 1/levels. The mean is over `inner` transitions, warm from level to level (or fresh, after
//! `burn_in`). Of m independent draws it would put 1/m of the missing variance back: with one inner
//! transition that forgets, the step is nearly the exact bridge, with many it is the method as it is
//! written, and a chain that has not reached its law adds a bias of its own. More levels repair all
//! three; more inner transitions the last alone.

use super::Method;
use super::block::Block;
use super::options::SamplerOptions;
use crate::scalar::Real;
use crate::simd::Lanes;
use crate::special::scalar::{exp, exp_m1};

impl<T: Real> SamplerOptions<T> {
    /// Inner transitions at each xi that are not averaged.
    fn unaveraged(&self) -> u32 {
        if self.fresh.on() { self.burn_in } else { 0 }
    }

    /// Inner transitions that a mean of w is over.
    pub(super) fn averaged(&self) -> u32 {
        self.inner.max(if self.method() == Method::XiMala { 2 } else { 1 })
    }

    /// Inner transitions at each xi.
    fn transitions(&self) -> u32 {
        let all = match self.method() {
            Method::XiMala => self.unaveraged().saturating_add(self.averaged().saturating_mul(2)),
            method if method.averages() => self.unaveraged().saturating_add(self.inner),
            Method::CoupledGibbs => self.inner,
            _ => 1,
        };
        all.max(1)
    }

    /// Units of an iteration: of a reverse diffusion at the levels tau*, ..., h and 0.
    pub(super) fn units(&self) -> u32 {
        let levels = match self.method() {
            Method::XiMala => 2,
            method if method.diffuses() => self.levels.saturating_add(1),
            _ => 1,
        };
        levels.saturating_mul(self.transitions())
    }

    /// Whether a unit is the first at a new xi.
    pub(super) fn opens(&self, unit: u64) -> bool {
        self.method().is_coupled() && unit.is_multiple_of(self.transitions() as u64)
    }

    /// a_tau of a level of a reverse diffusion: 0 is tau*, `levels` is 0.
    fn strength(&self, level: u32) -> T {
        exp(self.diffusion_time * (T::of_u32(level) / T::of_u32(self.levels.max(1))))
    }
}

/// One unit of an iteration.
pub(super) fn advance<T: Lanes<N>, const N: usize>(block: &mut Block<'_, '_, T, N>) -> Option<()> {
    let options = &block.shared.shape.options;
    let (method, units) = (options.method(), options.units());
    // One step size for all levels: its updates are counted through.
    let before = block.iteration.saturating_mul(units).saturating_add(block.unit);
    let count = before.saturating_add(1);
    if !method.is_coupled() {
        return block.on_posterior(&mut |block, law| block.transition(law, count, units));
    }
    let diffuses = method.diffuses();
    let transitions = options.transitions().max(1);
    let (level, unit) = (block.unit / transitions, block.unit % transitions);
    if diffuses {
        block.strength = options.strength(level);
    }
    // Langevin moves its xi, from the start of the chain on.
    if block.unit == 0 {
        match method {
            method if method.keeps_xi() => {}
            Method::DiffusionFromNoise => block.draw_noise(),
            _ => block.draw_xi()?,
        }
    }
    if unit == 0 && method.averages() {
        block.mean.fill([T::ZERO; N]);
        if options.fresh.on() {
            block.draw_latent()?;
        }
    }
    block.conditional(&mut |block, law| {
        if unit == 0 {
            block.evaluate(law)?;
        }
        block.transition(law, count, units)
    })?;
    let averaged = unit.saturating_add(1).saturating_sub(options.unaveraged());
    if method.averages() && averaged > 0 && averaged <= options.averaged() {
        block.average(T::ONE / T::of_u32(options.averaged()))?;
    }
    if method == Method::XiMala && averaged >= options.averaged() {
        let end = level as usize;
        if averaged == options.averaged() {
            return block.propose(end);
        }
        block.weigh()?;
        return if unit.saturating_add(1) < transitions { Some(()) } else { block.turn(end) };
    }
    if !diffuses || unit.saturating_add(1) < transitions || level >= options.levels {
        return Some(());
    }
    // On to the next level. score = a A E[w | xi] - xi with its a.
    block.strength = options.strength(level.saturating_add(1));
    let h = options.diffusion_time / T::of_u32(options.levels.max(1));
    let keep = exp(-h);
    let lost = exp_m1(-(h + h));
    let (share, root) = (-lost, (-lost).sqrt());
    block.move_xi(|xi, score, z| *xi = keep * *xi + share * (score + *xi) + root * z)
}

/// Moves the xi of Langevin, after the draw has been recorded.
pub(super) fn finish<T: Lanes<N>, const N: usize>(block: &mut Block<'_, '_, T, N>) -> Option<()> {
    let h = block.shared.shape.options.langevin_step;
    let (half, root) = (T::HALF * h, h.sqrt());
    block.move_xi(|xi, score, z| *xi += half * score + root * z)
}
