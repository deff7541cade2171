//! What a run found, chose and thinks of it.

use crate::plain::codes;
use crate::scalar::Real;
use crate::smc::Evidence;
use core::fmt;

codes! {
    /// How the posterior was sampled.
    pub enum Choice {
        /// Nothing has been chosen yet.
        Undecided = 0 "undecided",
        /// Split HMC about the prior, in antithetic pairs.
        SplitPrior = 1 "split-hmc",
        /// Split HMC about a Gaussian fitted to the pilot, in antithetic pairs.
        SplitFitted = 2 "split-hmc",
        /// Random-walk Metropolis, in antithetic pairs: the density has no gradient.
        RandomWalk = 3 "random-walk",
        /// Sequential Monte Carlo, after chains that disagreed.
        Particles = 4 "smc",
        /// Independence Metropolis from a mixture fitted to the pilot's clusters, in antithetic pairs, after
        /// chains that disagreed.
        Mixture = 5 "independence",
        /// Split HMC about the fitted Gaussian with many short steps, in antithetic pairs, after chains that
        /// disagreed where nothing showed modes.
        Patient = 6 "split-hmc",
        /// HMC that reflects at the facets of the l1 ball, in antithetic pairs: several neurons, far from the prior.
        Reflection = 7 "reflection",
        /// Split HMC about the fitted Gaussian with one or two dozen steps, in antithetic pairs: what is tried before many.
        Careful = 8 "split-hmc",
    }
}

codes! {
    /// Whether the draws are to be trusted.
    pub enum Verdict {
        /// The run is not over.
        Open = 0,
        /// The chains agree with one another and with the pilot.
        Mixed = 1,
        /// The chains did not, and two independent runs of particles do.
        Modes = 2,
        /// Nothing mixes: neither do chains agree nor runs of particles, or there are none; or the gradients
        /// at the draws contradict them.
        Unreliable = 3,
    }
}

codes! {
    /// Why draws are not to be trusted: what was found first.
    pub enum Cause {
        /// They are, or the run is not over.
        None = 0,
        /// R-hat is too large.
        Disagreement = 1,
        /// The pilot is wider than the chains are, or particles of it lie far outside of their range.
        Missed = 2,
        /// Transitions are refused where the chains have come to, as at the mouth of a funnel.
        Refused = 3,
        /// The energy hardly changes, as in a long tail or the neck of a funnel.
        Energy = 4,
        /// The gradients at the draws contradict them (Stein's identities), or of two runs of particles that agree do not confirm
        /// them.
        Gradients = 5,
        /// Two runs of particles differ.
        Particles = 6,
        /// Particles descend from few draws of the prior.
        Families = 7,
        /// There may be modes: an ascent from far out ended where no draw has been, and no gradients were left to begin anew.
        Mode = 8,
        /// The density has no finite mass: along a coordinate, or along rays, it falls too slowly.
        Improper = 9,
        /// The support ends where draws are, at what is no coordinate plane: chains run into it, and gradients cannot confirm the draws.
        Edge = 10,
        /// The gradient is not the derivative of the density, at the start already.
        WrongGradient = 11,
    }
}

/// What there is to say. [`Display`](fmt::Display) says it in one sentence, for people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report<T> {
    /// How the posterior was sampled.
    pub choice: Choice,
    /// Whether the draws are to be trusted.
    pub verdict: Verdict,
    /// Whether the warm-up needed trajectories of many steps: what follows has them too.
    pub hard: bool,
    /// The coordinates of a density of the user's own that it was un-centred in: given others they are Gaussian or near it.
    pub uncentred: u32,
    /// Its coordinates whose support ends somewhere, which were sampled as logarithms or logits, and those with tails as of a power,
    /// as inverse hyperbolic sines.
    pub stretched: [u32; 2],
    /// The temperatures between the prior and the posterior; 0 without a pilot.
    pub stages: u32,
    /// The effective sample size of the prior's draws as a share, if one step from the prior was
    /// enough; else NaN: below a half.
    pub overlap: T,
    /// The largest split R-hat over the functionals; NaN before the chains are done.
    pub rhat: T,
    /// The coordinate of that, of a density of the user's own.
    pub rhat_coordinate: Option<usize>,
    /// Why the draws are not to be trusted.
    pub cause: Cause,
    /// The least effective sample size of the functionals, in bulk and in tail, of one chain of each pair; NaN where none was
    /// [asked for](super::AutoOptions::ess), or before it is known.
    pub effective: T,
    /// How much was asked for.
    pub asked: u32,
    /// Whether it ended before its time: told to stop, or for want of gradients.
    pub stopped: bool,
    /// The largest ratio of the pilot's spread to the spread within a chain; NaN before that.
    pub spread: T,
    /// The most particles of the pilot, over the functionals, far outside the range of all chains.
    pub strays: u32,
    /// The largest difference between two runs of particles in standard errors; NaN without a second.
    pub disagreement: T,
    /// By how much the gradients at the draws say that the mean of a coordinate is off, in its sds, at most;
    /// NaN but for a density of the user's own, once it is done.
    pub shift: T,
    /// By what share they say that a variance is off, at most.
    pub stretch: T,
    /// The coordinate that is off by more than chance.
    pub coordinate: Option<usize>,
    /// The particles of the largest run.
    pub particles: u32,
    /// The evidence, of the largest run of particles; `None` before it, or without a pilot.
    pub evidence: Option<Evidence<T>>,
}

impl<T> Report<T> {
    /// The coordinate to look at where the draws are not to be trusted: the one that the gradients contradict, or else that
    /// of the largest R-hat.
    pub fn suspect(&self) -> Option<usize> {
        self.coordinate.or(self.rhat_coordinate.filter(|_| self.verdict == Verdict::Unreliable))
    }
}

/// A number with two decimals, without the formatting of floating-point numbers, which is large and can
/// panic.
struct Hundredths<T>(T);

impl<T: Real> fmt::Display for Hundredths<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = self.0 * T::lit(100.0);
        if !(x >= T::ZERO && x < T::lit(1e6)) {
            return f.write_str("over 10000");
        }
        let x = (x + T::HALF).floor().to_usize();
        write!(f, "{}.{}{}", x / 100, x / 10 % 10, x % 10)
    }
}

/// R-hat, and of a user's density where it is largest.
struct Rhat<T>(T, Option<usize>);

impl<T: Real> fmt::Display for Rhat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R-hat {}", Hundredths(self.0))?;
        self.1.map_or(Ok(()), |k| write!(f, ", the largest in coordinate {k}"))
    }
}

impl<T: Real> fmt::Display for Report<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.choice {
            Choice::Undecided if matches!(self.cause, Cause::WrongGradient | Cause::Improper) => {
                f.write_str("Nothing was sampled: ")?;
                self.doubt(f)?;
                return f.write_str(".");
            }
            Choice::Undecided => return f.write_str("The pilot is still at work."),
            Choice::SplitPrior => write!(
                f,
                "Split HMC about the prior, because draws from the prior keep {} of their weight",
                Hundredths(self.overlap)
            )?,
            Choice::SplitFitted => write!(
                f,
                "Split HMC about a fitted Gaussian, because the posterior is {} temperatures away from the prior",
                self.stages
            )?,
            Choice::Reflection => write!(
                f,
                "HMC with reflection at the facets of the l1 ball, because the posterior is {} temperatures away from the prior",
                self.stages
            )?,
            Choice::RandomWalk => {
                f.write_str("Random-walk Metropolis, because the density has no gradient")?;
            }
            Choice::Careful | Choice::Patient => write!(
                f,
                "Split HMC with {} short steps, because {}",
                if self.choice == Choice::Careful { "one or two dozen" } else { "many" },
                if self.hard {
                    "long ones are refused wherever the warm-up has been"
                } else {
                    "chains of few disagreed, were refused where they had come to or hardly changed their energy, and nothing stood apart"
                }
            )?,
            Choice::Mixture => f.write_str(
                "Independence Metropolis from a mixture, because chains of split HMC disagreed or missed particles of the pilot",
            )?,
            Choice::Particles => write!(
                f,
                "Sequential Monte Carlo with {} particles, because chains disagreed ({}) or missed modes (the pilot is {} times as wide as they are, {} of its particles out of their reach)",
                self.particles,
                Rhat(self.rhat, self.rhat_coordinate),
                Hundredths(self.spread),
                self.strays
            )?,
        }
        let [edges, tails] = self.stretched;
        if edges > 0 {
            write!(f, "; coordinates with edges, {edges}, were transformed")?;
        }
        if tails > 0 {
            write!(f, "; coordinates with long tails, {tails}, were transformed")?;
        }
        match self.uncentred {
            0 => {}
            1 => f.write_str("; one coordinate was un-centred")?,
            many => write!(f, "; {many} coordinates were un-centred")?,
        }
        if let Some(coordinate) = self.coordinate.filter(|_| self.cause == Cause::Gradients) {
            return write!(
                f,
                "; WARNING: the gradients at the draws contradict them in coordinate {coordinate} given those before it (mean off by up to {} sd, variance by {}): do not trust these draws.",
                Hundredths(self.shift),
                Hundredths(self.stretch)
            );
        }
        match self.verdict {
            Verdict::Open => return f.write_str("; still at work."),
            Verdict::Mixed => write!(f, "; the chains agree (R-hat {})", Hundredths(self.rhat))?,
            Verdict::Modes => write!(
                f,
                "; it agrees with a smaller run within {} standard errors",
                Hundredths(self.disagreement)
            )?,
            Verdict::Unreliable => {
                f.write_str("; WARNING: ")?;
                self.doubt(f)?;
                f.write_str(": do not trust these draws")?;
            }
        }
        if self.stopped {
            f.write_str("; stopped early")?;
        }
        if self.choice != Choice::Particles && self.effective < T::of_u32(self.asked) {
            write!(
                f,
                "; {} effective draws of {} asked for",
                self.effective.to_usize(),
                self.asked
            )?;
        }
        f.write_str(".")
    }
}

impl<T: Real> Report<T> {
    /// Why the draws are not to be trusted, in a clause.
    fn doubt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cause {
            Cause::Missed if self.strays > 0 => write!(
                f,
                "{} particles of the pilot lie far outside of what the chains have reached",
                self.strays
            ),
            Cause::Missed => write!(
                f,
                "the pilot is {} times as wide as the chains are",
                Hundredths(self.spread)
            ),
            Cause::Refused => f.write_str(
                "steps are refused where the chains have come to, as at the mouth of a funnel",
            ),
            Cause::Energy => f.write_str(
                "the energy of the chains hardly changes, as in a long tail or in the neck of a funnel",
            ),
            Cause::Gradients => f.write_str("the gradients at the draws do not confirm them"),
            Cause::Particles => write!(
                f,
                "it differs from a smaller run by {} standard errors",
                Hundredths(self.disagreement)
            ),
            Cause::Families => f.write_str("its particles descend from too few draws of the prior"),
            Cause::Improper => match self.coordinate {
                Some(k) => write!(
                    f,
                    "the density is improper: along coordinate {k}, perhaps together with others, it falls no faster than 1/x"
                ),
                None => f.write_str("the density is improper: its tails fall too slowly to hold a finite mass"),
            },
            Cause::Edge => f.write_str(
                "the support ends where draws are, at what is no coordinate plane: chains run into it, and gradients cannot confirm them",
            ),
            Cause::WrongGradient => write!(
                f,
                "the gradient is not the derivative of the density in coordinate {}, by finite differences at the start",
                self.coordinate.unwrap_or(0)
            ),
            Cause::Mode => f.write_str("there may be a mode where no draw has been"),
            Cause::None | Cause::Disagreement => {
                write!(f, "the chains disagree ({})", Rhat(self.rhat, self.rhat_coordinate))
            }
        }
    }
}
