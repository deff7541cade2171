//! What follows a pilot, chains, particles: what is thought of them, and what is tried next.

use super::judge::{self, Probes};
use super::plan::{is_hard, reflects};
use super::{
    ANEW, Auto, AutoError, BACK, BEGUN, CAUSE, CHAINS, CHECK, CHOICE, Cause, Choice, DISAGREEMENT,
    DONE, EARLY, FIRST, IMPROPER, LEAPFROGS, MODES, OVERLAP, PARTICLES, PHASE, RHAT_FOUND, SHORT,
    SLOWEST, SPENT, SPREAD_FOUND, STAGES, STOPPED, STRAYS, USUAL, VERDICT, Verdict, WRONG,
};
use crate::problem::Problem;
use crate::sampler::{self, Sampler};
use crate::smc::{self, Smc};
use crate::warmup;

/// R-hat above which chains do not agree, of a user's density or where w has few dimensions, in which a mixture is cheap, and
/// elsewhere (on J1, of 24, a run in twenty has 1.02 and no fault); with few draws 1 + 4/draws, which is
/// twice what they have when they agree.
const RHAT: [f64; 2] = [1.02, 1.05];
const FEW: usize = 10;
/// R-hat of patient chains that know widths better than a pilot.
const SURE: f64 = 1.01;
/// R-hat up to which chains that are everywhere are too slow rather than apart.
const SLOW: f64 = 1.1;
/// Steps where those of the warm-up were too long for chains.
const CALM: u32 = 4;
/// Temperatures up to which the pilot is made again, with more particles.
const NEAR: u32 = 3;
/// How much wider than a chain the pilot may be.
const SPREAD: f64 = 1.25;
/// The share of its proposals that a method of chains must accept.
const ACCEPTANCE: f64 = 0.1;
/// The share of refusals above which the usual steps do not fit everywhere where chains of a user's density have been.
const REFUSED: f64 = 0.02;
/// The E-BFMI below which chains of a user's density are slow to come where the energy is high, as in the neck of a funnel.
const ENERGY: f64 = 0.6;
/// Standard errors by which two runs of particles may differ.
const APART: f64 = 5.0;
/// Draws of the prior that the particles must at least descend from.
const FAMILIES: u64 = 50;
/// How much wider than a chain the pilot is where chains stand in modes of their own. (In a funnel they are
/// slow, and it is not.)
const APART_BY: f64 = 2.0;

/// How much the logarithm of a width must vary (its sd) for the density to be un-centred after a pilot or chains that agree, and
/// where the warm-up or chains had trouble.
pub(super) const VARIES: f64 = 0.2;
const VARIES_AT_ALL: f64 = 0.05;

/// The share of a variance that particles out of the reach of patient chains may stand for: a tenth of an sd.
const HARMLESS: f64 = 0.2;

/// The logarithm of how many times as much mass short ascents must find: what the first frame had is then forgotten.
const MORE: f64 = 4.605_170_185_988_092;

impl<T: smc::Compiled + sampler::Compiled + warmup::Compiled> Auto<'_, T> {
    pub(super) fn judge_pilot(&mut self, problem: &Problem<'_, T>) -> Result<(), AutoError> {
        let pilot = Smc::<T>::open(self.parts.pilot, self.isa)?;
        let (stages, particles) = (pilot.position().stages, pilot.options().particles);
        let overlap = pilot.stage(0).filter(|_| stages == 1).map(|s| s.ess);
        let hard = is_hard(self.leapfrogs());
        let least = T::lit(if hard { VARIES_AT_ALL } else { VARIES });
        // What one step from the prior was enough for has no funnel to speak of.
        let asked = (hard || stages > 1) && self.may_begin_anew();
        if asked && self.uncentre(problem, least).ok_or(AutoError::NotAnAuto)? {
            return Ok(());
        }
        let again = self.shape.options.more::<T>(self.leapfrogs())?;
        let anew = self.may_begin_anew();
        let few = self.shape.options.asks_for_few() || !anew;
        if (2..=NEAR).contains(&stages) && particles < again.particles && !few {
            Smc::init(&mut *self.parts.pilot, &again, self.isa, problem)?;
            return Ok(());
        }
        self.set(STAGES, stages as u64);
        self.note(OVERLAP, overlap.unwrap_or(T::NAN));
        let begun = self.word(BEGUN);
        if hard && begun == USUAL && anew && !self.is_doomed() {
            self.anew(SHORT);
            return Ok(());
        }
        // Another mode has to outweigh by far what the first frame may have had; a neck has next to no mass.
        let mass = self.mass().unwrap_or(T::NAN);
        let (more, modes) = (mass - self.noted(FIRST), self.word(MODES) == 1);
        if begun == SHORT && anew && !(more > if modes { T::lit(MORE) } else { T::ZERO }) {
            self.anew(BACK);
            return Ok(());
        }
        let unsure = begun == SHORT && !(more > T::lit(MORE)) || begun == BACK && !modes;
        let choice = if hard {
            Choice::Patient
        } else if unsure {
            Choice::Careful
        } else if stages <= 1 {
            Choice::SplitPrior
        } else if reflects(problem) {
            Choice::Reflection
        } else {
            Choice::SplitFitted
        };
        self.begin_chains(problem, choice)
    }

    pub(super) fn begin_chains(
        &mut self,
        problem: &Problem<'_, T>,
        choice: Choice,
    ) -> Result<(), AutoError> {
        let [low, _] = RHAT;
        let agreed = self.noted(RHAT_FOUND) <= T::lit(low);
        let (isa, leapfrogs) = (self.isa, self.leapfrogs());
        let main = &mut *self.parts.main;
        if choice == Choice::RandomWalk {
            let options = self.shape.options.walks::<T>(problem.dim());
            Sampler::init(main, &options, isa, problem)?;
        } else {
            let options = self.shape.options.chains::<T>(choice, leapfrogs, agreed);
            let pilot = Smc::<T>::open(self.parts.pilot, isa)?;
            let cloud = pilot.cloud().ok_or(AutoError::NotAnAuto)?;
            Sampler::init_from(main, &options, isa, problem, &cloud)?;
        }
        self.set(CHOICE, choice as u64);
        self.set(PHASE, CHAINS);
        self.first_round();
        Ok(())
    }

    pub(super) fn judge_chains(&mut self, problem: &Problem<'_, T>) -> Result<(), AutoError> {
        let (choice, own) = (self.choice(), !self.parts.warmup.is_empty());
        let patient = choice == Choice::Patient;
        let options = self.shape.options;
        let usual = matches!(choice, Choice::SplitPrior | Choice::SplitFitted | Choice::Careful);
        let (probes, scratch) =
            Probes::new(problem, self.parts.scratch).ok_or(AutoError::NotAnAuto)?;
        let piloted = !self.parts.pilot.is_empty();
        let (judged, obstacle, stored) = {
            let chains = Sampler::<T>::open(self.parts.main, self.isa)?;
            let pilot = piloted.then(|| Smc::<T>::open(self.parts.pilot, self.isa)).transpose()?;
            let obstacle = if own && usual && !(judge::refused(&chains) <= T::lit(REFUSED)) {
                Some(Cause::Refused)
            } else if own && usual && !(judge::energy(&chains) >= T::lit(ENERGY)) {
                Some(Cause::Energy)
            } else if judge::acceptance(&chains) >= T::lit(ACCEPTANCE) {
                None
            } else {
                Some(Cause::Disagreement)
            };
            let reach = &mut *self.parts.stein;
            let stored = u32::try_from(chains.position().stored).unwrap_or(u32::MAX);
            (judge::chains(&probes, &chains, pilot.as_ref(), scratch, reach), obstacle, stored)
        };
        self.note(RHAT_FOUND, judged.rhat);
        self.note(SPREAD_FOUND, if piloted { judged.spread } else { T::NAN });
        self.set(STRAYS, judged.strays as u64);
        if own {
            self.set(SLOWEST, (judged.slowest as u64).saturating_add(1));
        }
        // The scale of a hierarchy has a long tail to 0, where only a particle may stand.
        let map = problem.own().and_then(|user| user.uncentring);
        let mapped = map.is_some_and(|map| map.count() > 0);
        let lenient = patient || mapped || options.asks_for_few();
        // What proposes everywhere may leave out the few that stand where next to no mass is, patient chains
        // those that would hardly matter: of 512 particles one often stands at the end of a tail.
        let strays = match choice {
            Choice::Mixture => self.piloted() / 256,
            _ if lenient && judged.weight <= T::lit(HARMLESS) => judged.strays,
            _ => 0,
        };
        // It may also have nothing to propose where chains before it have been.
        let left = judged.left && choice == Choice::Mixture;
        let [low, high] = RHAT;
        // Of heavy tails a pilot of 512 particles knows a width to a third.
        let sure = patient && judged.strays == 0 && judged.rhat <= T::lit(SURE);
        let spread = T::lit(if sure { APART_BY } else { SPREAD });
        let everywhere = judged.spread <= spread && judged.strays <= strays && !left;
        let limit = if (own || problem.dim() <= FEW) && !patient { low } else { high };
        let few = T::ONE + T::lit(4.0) / T::of_u32(stored);
        let cause = match obstacle {
            _ if self.word(WRONG) > 0 => Cause::WrongGradient,
            _ if self.word(IMPROPER) > 0 => Cause::Improper,
            _ if !(judged.rhat <= T::lit(limit).max(few)) => Cause::Disagreement,
            _ if !everywhere => Cause::Missed,
            obstacle => obstacle.unwrap_or(Cause::None),
        };
        self.set(CAUSE, cause as u64);
        let mixed = cause == Cause::None;
        let refused = matches!(cause, Cause::Refused | Cause::Energy);
        let few_steps = (1..CALM).contains(&self.leapfrogs()) && choice != Choice::Careful;
        if refused && usual && few_steps && !self.is_doomed() {
            self.set(LEAPFROGS, CALM as u64);
            return self.begin_chains(problem, choice);
        }
        let (open, over) = self.at_a_round().ok_or(AutoError::NotAnAuto)?;
        let doomed = self.is_doomed();
        if !mixed && open && !doomed {
            // R-hat may be large for want of draws.
            let running = self.running();
            self.set(SPENT, self.word(SPENT).saturating_sub(running));
            self.next_round(u64::MAX);
            return Ok(());
        }
        let anew = self.may_begin_anew() && !doomed;
        if !over && !open || !mixed && !anew && !doomed {
            self.set(STOPPED, EARLY);
        }
        // Of a funnel, where there was one, part may be left that is too narrow for chains to have seen; what varies by less
        // than is worth another beginning hides none.
        let astray = piloted && !mixed && !matches!(choice, Choice::Mixture | Choice::Patient);
        let least = T::lit(if mixed { VARIES } else { VARIES_AT_ALL });
        if (mapped || astray)
            && anew
            && self.uncentre(problem, least).ok_or(AutoError::NotAnAuto)?
        {
            return Ok(());
        }
        if mixed || !piloted || !anew {
            let verdict = if mixed { Verdict::Mixed } else { Verdict::Unreliable };
            self.end(verdict);
            return Ok(());
        }
        let apart = judged.strays > self.piloted() / 256 || judged.spread > T::lit(APART_BY);
        match choice {
            Choice::Mixture => {}
            Choice::Patient => return self.begin_chains(problem, Choice::Mixture),
            _ => {
                // Without a warm-up nobody has asked how long steps may be.
                self.set(MODES, (apart || !own) as u64);
                // What is left of a funnel wants short steps rather than other beginnings.
                if mapped && choice != Choice::Careful && !apart {
                    return self.begin_chains(problem, Choice::Careful);
                }
                // Of few draws too many may be refused by chance, or as the reference is rough: shorter steps are tried first.
                let slow =
                    cause == Cause::Disagreement && everywhere && judged.rhat <= T::lit(SLOW);
                let steps_first =
                    options.asks_for_few() && (refused || slow) && choice != Choice::Careful;
                if own && self.word(BEGUN) == USUAL && !steps_first {
                    self.anew(SHORT);
                    return Ok(());
                }
                let next = match choice {
                    _ if apart || !own => Choice::Mixture,
                    Choice::Careful => Choice::Patient,
                    _ => Choice::Careful,
                };
                return self.begin_chains(problem, next);
            }
        }
        let many = self.shape.options.many::<T>(self.leapfrogs())?;
        Smc::init(self.parts.main, &many, self.isa, problem)?;
        self.set(CHOICE, Choice::Particles as u64);
        self.set(PHASE, PARTICLES);
        Ok(())
    }

    pub(super) fn judge_particles(&mut self, problem: &Problem<'_, T>) -> Result<(), AutoError> {
        let (probes, scratch) =
            Probes::new(problem, self.parts.scratch).ok_or(AutoError::NotAnAuto)?;
        let (apart, families) = {
            let pilot = Smc::<T>::open(self.parts.pilot, self.isa)?;
            let many = Smc::<T>::open(self.parts.main, self.isa)?;
            let families = many.evidence().map_or(0, |e| e.families);
            (judge::agreement(&probes, &pilot, &many, scratch), families)
        };
        self.note(DISAGREEMENT, apart);
        let cause = if !(apart <= T::lit(APART)) {
            Cause::Particles
        } else if families < FAMILIES {
            Cause::Families
        } else {
            Cause::None
        };
        // Where nothing stood apart particles may be wrong as chains were, and that is why.
        let sound = cause == Cause::None && self.word(MODES) == 1;
        if sound || cause != Cause::None {
            self.set(CAUSE, cause as u64);
        }
        let verdict = if sound { Verdict::Modes } else { Verdict::Unreliable };
        self.end(verdict);
        Ok(())
    }

    /// The evidence of the pilot, its logarithm.
    pub(super) fn mass(&mut self) -> Option<T> {
        Some(self.pilot()?.evidence()?.log)
    }

    /// All begins again, with a warm-up of its own.
    fn anew(&mut self, begun: u64) {
        let mass = self.mass().unwrap_or(T::NAN);
        self.forget(begun, ANEW);
        self.note(FIRST, mass);
    }

    fn end(&mut self, verdict: Verdict) {
        self.parts.stein.fill(T::ZERO);
        self.set(VERDICT, verdict as u64);
        let over = self.parts.stein.is_empty() || self.is_doomed();
        self.set(PHASE, if over { DONE } else { CHECK });
    }
}
