//! The options of each phase. `leapfrogs` is what the warm-up found.

use super::{AutoError, AutoOptions, Choice, SHORT, WIDER};
use crate::prior::Prior;
use crate::problem::Problem;
use crate::sampler::{Method, Reference, SamplerOptions};
use crate::scalar::Real;
use crate::smc::SmcOptions;
use crate::warmup::WarmupOptions;

/// Particles of the pilot that is made again, in those of the first.
pub(super) const AGAIN: u32 = 4;
/// Warm-up of chains that start from the prior, in warm-ups of chains that start from a pilot.
const LONGER: u32 = 10;

/// Patient chains: steps at least, the acceptance aimed at, and how many draws are made for each that is stored;
/// fewer where the warm-up found that trajectories need more steps.
const STEPS: u32 = 32;
const ACCEPTED: f64 = 0.95;
const THINNED: u32 = 4;
/// Of their transitions such a share has steps that are shorter by the cube of a uniform number, of which some fit wherever a
/// chain may be, as in the neck of a funnel.
const SHORTER: f64 = 0.25;
/// Transitions between two draws of a random walk, at most.
const FARTHEST: u32 = 128;
/// Careful chains, which are tried before them at a fifth of their price: steps, half as many where R-hat was well, and the
/// warm-up in usual ones.
const CAREFUL_STEPS: u32 = 24;
const CAREFUL_WARMUP: u32 = 3;
/// Steps of short ascents: of a hierarchy long ones end where its scale is 0, which has a density without end and no mass.
const SHORT_ASCENTS: u32 = 10;

/// Whether chains far from the prior are to reflect at the facets of the l1 ball.
pub(super) fn reflects<T: Real>(problem: &Problem<'_, T>) -> bool {
    matches!(problem.prior(), Prior::L1Ball { .. }) && problem.neurons() > 1
}

/// Whether the few steps of the usual trajectories get nowhere.
pub(super) fn is_hard(leapfrogs: u32) -> bool {
    leapfrogs > STEPS / 2
}

impl AutoOptions {
    pub(super) fn warm_up(&self, begun: u64) -> WarmupOptions {
        let usual = WarmupOptions { seed: self.seed, ..Default::default() };
        let ascent_steps = if begun == SHORT { SHORT_ASCENTS } else { usual.ascent_steps };
        WarmupOptions { ascent_steps, ..usual }
    }

    pub(super) fn few<T: Real>(&self, leapfrogs: u32) -> SmcOptions<T> {
        let usual = SmcOptions::default();
        SmcOptions {
            particles: self.pilot,
            lanes: self.lanes,
            seed: self.seed,
            leapfrogs: match leapfrogs {
                steps if is_hard(steps) => steps.min(STEPS),
                steps => usual.leapfrogs.max(steps / 2),
            },
            ..usual
        }
    }

    /// The pilot again, with more particles.
    pub(super) fn more<T: Real>(&self, leapfrogs: u32) -> Result<SmcOptions<T>, AutoError> {
        let particles = self.pilot.checked_mul(AGAIN).ok_or(AutoError::Pilot)?;
        Ok(SmcOptions { particles, ..self.few(leapfrogs) })
    }

    /// As the pilot, with other random numbers.
    pub(super) fn many<T: Real>(&self, leapfrogs: u32) -> Result<SmcOptions<T>, AutoError> {
        let particles = self.particles().ok_or(AutoError::Draws)?;
        let seed = self.seed ^ 0x7365_636F_6E64_7275;
        Ok(SmcOptions { particles, seed, ..self.few(leapfrogs) })
    }

    /// Random walks in so many dimensions: draws are twice as many transitions apart.
    pub(super) fn walks<T: Real>(&self, dim: usize) -> SamplerOptions<T> {
        let usual = self.chains::<T>(Choice::RandomWalk, 0, false);
        let apart = u32::try_from(dim).unwrap_or(FARTHEST).saturating_mul(2).min(FARTHEST);
        let most = u32::MAX.saturating_sub(usual.warmup);
        SamplerOptions { draws: self.draws.saturating_mul(apart).min(most), ..usual }
    }

    pub(super) fn chains<T: Real>(
        &self,
        choice: Choice,
        leapfrogs: u32,
        agreed: bool,
    ) -> SamplerOptions<T> {
        let framed = leapfrogs > 0;
        // About kinks errors fall with the step, not its square: shorter ones lose more than they gain.
        let kinks = leapfrogs > STEPS / 4 && !is_hard(leapfrogs);
        let steps = STEPS.max(leapfrogs);
        let few = self.asks_for_few();
        let own_warmup = if few { (self.warmup as u64 * 2 / 5) as u32 } else { self.warmup };
        let thinned = STEPS.saturating_mul(THINNED).checked_div(steps).unwrap_or(1).max(1);
        let (method, reference, warmup) = match choice {
            Choice::SplitFitted => (Method::SplitHmc, Reference::Gaussian, own_warmup),
            Choice::Mixture => (Method::Independence, Reference::Mixture, own_warmup),
            Choice::Reflection => (Method::Reflection, Reference::Prior, own_warmup),
            Choice::RandomWalk => {
                (Method::RandomWalk, Reference::Prior, own_warmup.saturating_mul(LONGER))
            }
            Choice::Patient => {
                let longer = LONGER.saturating_mul(thinned).div_ceil(THINNED);
                let reference =
                    if is_hard(leapfrogs) { Reference::Prior } else { Reference::Gaussian };
                (Method::SplitHmc, reference, own_warmup.saturating_mul(longer))
            }
            Choice::Careful => {
                (Method::SplitHmc, Reference::Gaussian, own_warmup.saturating_mul(CAREFUL_WARMUP))
            }
            _ => (Method::SplitHmc, Reference::Prior, own_warmup),
        };
        let patient = choice == Choice::Patient;
        let draws = if patient { self.draws.saturating_mul(thinned) } else { self.draws };
        let usual = SamplerOptions::default();
        let (leapfrogs, target_accept, short_steps) = match choice {
            Choice::Patient => (steps, T::lit(ACCEPTED), T::lit(SHORTER)),
            Choice::Careful if kinks => (CAREFUL_STEPS, usual.target_accept, usual.short_steps),
            Choice::Careful => {
                let steps = if agreed { CAREFUL_STEPS / 2 } else { CAREFUL_STEPS };
                (steps, T::lit(ACCEPTED), usual.short_steps)
            }
            _ if framed => (leapfrogs.min(STEPS / 2), usual.target_accept, usual.short_steps),
            _ => (usual.leapfrogs, usual.target_accept, usual.short_steps),
        };
        // Of a frame that is so much wider than the posterior a quarter turn of the posterior is so much shorter.
        let wide = choice == Choice::SplitPrior && framed;
        let turn = if wide { T::lit(WIDER) } else { T::ONE };
        SamplerOptions {
            method: method.into(),
            reference: reference.into(),
            total_time: usual.total_time / turn,
            antithetic: true.into(),
            chains: self.chains,
            lanes: self.lanes,
            warmup: warmup.min(u32::MAX.saturating_sub(draws)),
            draws,
            stored: self.draws,
            seed: self.seed,
            leapfrogs,
            target_accept,
            short_steps,
            ..usual
        }
    }
}
