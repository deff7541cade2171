//! The verdict over all certificates, in words.

use super::kind::Kind;
use super::list::{Certificate, Certificates};
use super::status::Status;
use crate::plain::codes;
use crate::prior::Prior;
use crate::scalar::Real;
use core::fmt;

codes! {
    /// What the certificates together allow to be said.
    pub enum Conclusion {
        /// p(w) is log-concave, proved: sample w directly.
        AlreadyLogConcave = 0 "already-log-concave",
        /// p(xi) is log-concave, proved: use the coupling.
        Proved = 1 "proved",
        /// p(xi) is log-concave under an assumption that is not proved: use the coupling, and check.
        Conditional = 2 "conditional",
        /// Only estimates at visited xi speak for it: use the coupling, and check against SMC.
        Empirical = 3 "empirical",
        /// p(xi) is not log-concave: use SMC or tempering.
        NotLogConcave = 4 "not-log-concave",
        /// Nothing is known: use SMC, or what `auto` chooses.
        Unknown = 5 "unknown",
    }
}

impl<T: Real> Certificates<T> {
    /// The strongest thing that may be said. A proof outranks an estimate; an estimate that refutes
    /// outranks what is conditional.
    pub fn conclusion(&self) -> Conclusion {
        let strongest_first = [
            (Status::AlreadyLogConcave, Conclusion::AlreadyLogConcave),
            (Status::Proved, Conclusion::Proved),
            (Status::NotLogConcave, Conclusion::NotLogConcave),
            (Status::Conditional, Conclusion::Conditional),
            (Status::Empirical, Conclusion::Empirical),
        ];
        let found = |(status, _): &(Status, _)| self.iter().any(|c| c.status == *status);
        let strongest = strongest_first.into_iter().find(found);
        strongest.map_or(Conclusion::Unknown, |(_, conclusion)| conclusion)
    }

    /// The certificate of a status with the smallest value relative to its threshold; of the conditional
    /// ones first those on (27), the weakest condition on the data.
    pub fn strongest(&self, status: Status) -> Option<&Certificate<T>> {
        let rank = |c: &Certificate<T>| {
            let implied = matches!(c.kind, Kind::Remark1 | Kind::Slides | Kind::Hoelder);
            let estimated = matches!(c.kind, Kind::Lemma3 | Kind::Eigenvalue);
            let ratio = if c.threshold > T::ZERO { c.value / c.threshold } else { T::INFINITY };
            (implied || estimated, ratio)
        };
        let ours = self.iter().filter(|c| c.status == status);
        ours.reduce(|best, c| if rank(c) < rank(best) { c } else { best })
    }
}

/// What holds of every coupling.
const ONLY: &str = ". Proved is only that w given xi is log-concave for every xi.";

/// A number with three decimals, without the formatting of floating-point numbers, which is large and
/// can panic.
struct Decimal<T>(T);

impl<T: Real> fmt::Display for Decimal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < T::ZERO {
            f.write_str("-")?;
        }
        let x = self.0.abs() * T::lit(1000.0);
        if !x.is_finite() {
            return f.write_str("not a number");
        }
        if x > T::ZERO && x < T::HALF {
            return f.write_str("0.000");
        }
        if x >= T::lit(1e9) {
            return f.write_str("over 1000000");
        }
        let x = (x + T::HALF).floor().to_usize();
        write!(f, "{}.{}{}{}", x / 1000, x / 100 % 10, x / 10 % 10, x % 10)
    }
}

/// "name (equation: value v against t)".
struct Named<'a, T>(&'a Certificate<T>);

impl<T: Real> fmt::Display for Named<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = self.0;
        let (name, equation) = (c.kind.name(), c.kind.equation());
        write!(f, "{name} ({equation}; the left side is {})", Decimal(c.value))
    }
}

impl<T: Real> fmt::Display for Certificates<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str(
                "Nothing is certified of a density given by a function alone: sample it with chains \
                 from dispersed starts, or with sequential Monte Carlo, and compare the two.",
            );
        }
        let conclusion = self.conclusion();
        match conclusion {
            Conclusion::AlreadyLogConcave => self.already(f)?,
            Conclusion::Proved => self.proved(f)?,
            Conclusion::Conditional => self.conditional(f)?,
            Conclusion::NotLogConcave if self.strongest(Status::Conditional).is_some() => {
                self.refuted(f)?;
            }
            _ => self.nothing(f)?,
        }
        self.estimated(f, conclusion)?;
        self.published(f)?;
        f.write_str(self.advice(conclusion))
    }
}

impl<T: Real> Certificates<T> {
    fn already(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Proved: the posterior p(w) itself is log-concave")?;
        if let Some(best) = self.strongest(Status::AlreadyLogConcave) {
            write!(f, ", by {}", Named(best))?;
            self.limit(f, best)?;
        }
        f.write_str(
            ". So the law p(xi) of the coupling is log-concave too, for whatever coupling, and none is \
             needed.",
        )
    }

    fn proved(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Proved: the law p(xi) of the coupling is log-concave")?;
        if let Some(best) = self.strongest(Status::Proved) {
            write!(f, ", by {}", Named(best))?;
        }
        f.write_str(
            ", without further assumptions; w given xi is log-concave for every xi. That p(w) itself \
             is log-concave is not certified.",
        )
    }

    fn conditional(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Nothing is proved of p(xi). It is log-concave")?;
        if let Some(best) = self.strongest(Status::Conditional) {
            write!(f, " by {}, on one condition: {}", Named(best), best.kind.assumption())?;
        }
        f.write_str(ONLY)
    }

    fn refuted(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("An assumption fails here")?;
        if let Some(best) = self.strongest(Status::Conditional) {
            write!(f, ": {} holds and would imply log-concavity of p(xi) given ", Named(best))?;
            f.write_str(best.kind.assumption())?;
        }
        f.write_str(ONLY)
    }

    fn nothing(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(why) = self.coupled {
            return write!(f, "There is no coupling for this posterior: {why}.");
        }
        f.write_str("No sufficient condition holds, which by itself says nothing of p(xi)")?;
        if let Some(nearest) = self.strongest(Status::NotSatisfied) {
            write!(f, ": the nearest is {}", Named(nearest))?;
            self.limit(f, nearest)?;
        }
        f.write_str(ONLY)
    }

    /// Where the prior's sd would be the largest certified one.
    fn limit(&self, f: &mut fmt::Formatter<'_>, certificate: &Certificate<T>) -> fmt::Result {
        let Prior::Gaussian { sd } = self.prior else { return Ok(()) };
        let by_sd =
            matches!(certificate.kind, Kind::Lemma2 | Kind::RhoTwoSided | Kind::RhoOneSided);
        if by_sd && certificate.value > T::ZERO {
            let limit = sd / certificate.value.sqrt();
            write!(f, ", and would hold up to a prior sd of {}", Decimal(limit))?;
        }
        Ok(())
    }

    /// What the probes say.
    fn estimated(&self, f: &mut fmt::Formatter<'_>, conclusion: Conclusion) -> fmt::Result {
        let Some(own) = self.find(Kind::Eigenvalue) else { return Ok(()) };
        if self.probes == 1 {
            f.write_str(" Estimated at one visited xi:")?;
        } else {
            let count = self.probes;
            write!(f, " Estimated at the worst of {count} visited xi (chosen by other draws):")?;
        }
        let (value, error) = (Decimal(own.value), Decimal(own.error));
        write!(f, " the largest eigenvalue that must be below 1 is {value} +- {error}")?;
        f.write_str(" (Monte Carlo standard error)")?;
        f.write_str(match own.status {
            Status::NotLogConcave if conclusion == Conclusion::NotLogConcave => {
                ": p(xi) is not log-concave."
            }
            Status::NotLogConcave => {
                ", which contradicts the proof by chance or by an error: repeat it with another seed."
            }
            Status::Empirical => {
                ", which agrees with log-concavity there and proves nothing of other xi."
            }
            _ => ": there, or at another, too close to 1 to tell.",
        })?;
        if let Some(bound) = self.find(Kind::Lemma3)
            && bound.status == Status::Empirical
        {
            let (value, error) = (Decimal(bound.value), Decimal(bound.error));
            write!(f, " The bound (25) on it, {value} +- {error}, agrees.")?;
        }
        Ok(())
    }

    /// Published conditions that would claim more than is true.
    fn published(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut holding =
            self.iter().filter(|c| c.status == Status::PublishedFalse && c.holds()).map(|c| c.kind);
        holding.try_for_each(|kind| {
            let (name, equation) = (kind.name(), kind.equation());
            write!(f, " The condition {name} ({equation}) holds, but the statement printed with it is false.")
        })
    }

    fn advice(&self, conclusion: Conclusion) -> &'static str {
        match conclusion {
            Conclusion::AlreadyLogConcave => {
                " Sample w directly: it has one mode, and any of the exact chains will do."
            }
            Conclusion::Proved => {
                " Sample by the coupling (Gibbs, or Langevin on xi), which has one mode to find, or \
                 directly, and compare."
            }
            Conclusion::Conditional => {
                " Sample by the coupling, or directly, from dispersed starts, and check with sequential \
                 Monte Carlo, for a second mode is not excluded."
            }
            Conclusion::Empirical => {
                " Sample by the coupling or directly, but believe the chains only where sequential Monte \
                 Carlo agrees."
            }
            Conclusion::NotLogConcave => {
                " There may be several modes: sample with sequential Monte Carlo or tempering; the \
                 coupling does not cross between modes by itself."
            }
            Conclusion::Unknown => {
                " Sample with sequential Monte Carlo, or let `auto` choose: it starts from particles \
                 and compares."
            }
        }
    }
}
