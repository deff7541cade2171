//! Every certificate of a posterior at once.

use super::CertificateError;
use super::eigenvalue::Estimate;
use super::facts::{CouplingFacts, Facts};
use super::formulas;
use super::kind::Kind;
use super::probe::Probes;
use super::status::Status;
use crate::coupling::RhoError;
use crate::likelihood::GreedyTilt;
use crate::prior::Prior;
use crate::problem::{Problem, Target};
use crate::scalar::Real;
use heapless::Vec;

/// A certificate, evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate<T> {
    /// Which.
    pub kind: Kind,
    /// The number that must be below the threshold (or, where the equation says so, at most it); NaN
    /// where the argument does not apply.
    pub value: T,
    /// Its threshold.
    pub threshold: T,
    /// The Monte Carlo standard error of an estimate; 0 of anything else.
    pub error: T,
    /// What it says.
    pub status: Status,
}

impl<T: Real> Certificate<T> {
    /// threshold - value: positive where the condition holds.
    pub fn margin(&self) -> T {
        self.threshold - self.value
    }

    /// Whether the condition holds, whatever that is worth.
    pub fn holds(&self) -> bool {
        let margin = self.margin();
        let closed = matches!(
            self.kind,
            Kind::Lemma2
                | Kind::RhoTwoSided
                | Kind::RhoOneSided
                | Kind::OwnCurvature
                | Kind::BakryEmery
        );
        margin > T::ZERO || (closed && margin == T::ZERO)
    }
}

/// The most certificates of one posterior.
pub const CAPACITY: usize = 16;

/// The certificates of a posterior. [`Display`](core::fmt::Display) is the verdict: one paragraph on what is
/// proved, what is conditional on what, what is only empirical, and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificates<T> {
    entries: Vec<Certificate<T>, CAPACITY>,
    pub(super) prior: Prior<T>,
    pub(super) coupled: Option<RhoError>,
    pub(super) probes: u32,
}

/// The certificates, in the order of their kinds within each group.
impl<T> core::ops::Deref for Certificates<T> {
    type Target = [Certificate<T>];

    fn deref(&self) -> &[Certificate<T>] {
        &self.entries
    }
}

/// sum rho_i, two-sided.
fn sum_of<T: Real>(facts: &Facts<T>) -> T {
    facts.two_sided.map_or(T::NAN, |facts| facts.sum)
}

/// max rho_i, two-sided.
fn largest_of<T: Real>(facts: &Facts<T>) -> T {
    facts.two_sided.map_or(T::NAN, |facts| facts.largest)
}

impl<T: Real> Certificates<T> {
    /// The numbers of scratch that [`of`](Self::of) takes; `None` if that overflows.
    pub fn scratch(problem: &Problem<'_, T>) -> Option<usize> {
        Facts::scratch(problem)
    }

    /// Those that need no draws: [`Facts::of`], and a handful of flops.
    /// [`CertificateError::UserDensity`] of a density of the user's own.
    pub fn of(problem: &Problem<'_, T>, scratch: &mut [T]) -> Result<Self, CertificateError> {
        Ok(Self::from_facts(problem, &Facts::of(problem, scratch)?))
    }

    /// The same from facts computed before.
    pub fn from_facts(problem: &Problem<'_, T>, facts: &Facts<T>) -> Self {
        let prior = problem.prior();
        let coupled = facts.one_sided.err();
        let mut own = Self { entries: Vec::new(), prior, coupled, probes: 0 };
        match (problem.likelihood(), prior) {
            (Target::Greedy(tilt), Prior::Gaussian { sd }) => {
                own.greedy_gaussian(facts, tilt, sd);
            }
            (Target::Greedy(tilt), Prior::L1Ball { radius }) => {
                let plain = tilt.alpha * facts.line.curvature() * facts.y_l1;
                let sum = if tilt.is_plain() { plain } else { sum_of(facts) };
                own.on_ball(facts, radius, sum);
                own.greedy_ball(facts, tilt, radius);
            }
            (Target::Joint(_), Prior::Gaussian { sd }) => own.by_rho(facts, sd),
            (Target::Joint(joint), Prior::L1Ball { radius }) => {
                own.on_ball(facts, radius, sum_of(facts));
                let c = facts.y_inf + joint.outer;
                let unit = facts.reachable.value <= T::ONE && facts.reachable.curvature() <= T::ONE;
                let rho = formulas::joint_rho(joint.beta, c, joint.outer, joint.neurons);
                own.joint_ball(facts, radius, if unit { rho } else { T::NAN });
            }
            (Target::User(_) | Target::Network(_) | Target::Deep(_), _) => {}
        }
        own
    }

    /// From its parts, as another representation keeps them: the prior, why there is no coupling if there
    /// is none, the visited xi, and the certificates, of which no more than [`CAPACITY`] are taken.
    pub fn assemble(
        prior: Prior<T>,
        coupled: Option<RhoError>,
        probes: u32,
        certificates: impl Iterator<Item = Certificate<T>>,
    ) -> Self {
        let mut own = Self { entries: Vec::new(), prior, coupled, probes };
        certificates.for_each(|certificate| own.push(certificate));
        own
    }

    /// The xi that were visited.
    pub fn probes(&self) -> u32 {
        self.probes
    }

    /// Why there is no coupling, if there is none.
    pub fn coupling_error(&self) -> Option<RhoError> {
        self.coupled
    }

    /// The one of a kind, if it was evaluated.
    pub fn find(&self, kind: Kind) -> Option<&Certificate<T>> {
        self.iter().find(|c| c.kind == kind)
    }

    /// Adds what probes of this posterior found, in place of what earlier ones did. Nothing is empirical
    /// unless the eigenvalue is below 1 at every visited xi: the bound of Lemma 3 alone does not say so.
    pub fn with_probes(mut self, probes: &Probes<T>) -> Self {
        self.probes = probes.count;
        let agreed = |status| match status {
            Status::Empirical if !probes.agree => Status::Inconclusive,
            status => status,
        };
        if let Some(bound) = probes.lemma3 {
            // An upper bound above 1 says nothing.
            self.put(Kind::Lemma3, bound, Status::NotSatisfied, agreed);
        }
        self.put(Kind::Eigenvalue, probes.eigenvalue, Status::NotLogConcave, agreed);
        self
    }

    /// The entry of a kind, in its place or at the end: an estimate of what must be below 1. `above` is what
    /// one far above it means, `of` what is made of that.
    fn put(
        &mut self,
        kind: Kind,
        estimate: Estimate<T>,
        above: Status,
        of: impl FnOnce(Status) -> Status,
    ) {
        let (Estimate { value, error, .. }, threshold) = (estimate, T::ONE);
        let status = of(Status::estimated(value, error, threshold, above));
        let new = Certificate { kind, value, threshold, error, status };
        match self.entries.iter_mut().find(|c| c.kind == kind) {
            Some(old) => *old = new,
            None => self.push(new),
        }
    }

    /// At the end, if there is room: no posterior has as many as [`CAPACITY`].
    fn push(&mut self, new: Certificate<T>) {
        let _ = self.entries.push(new);
    }

    /// A condition that needs no draws; NaN does not apply.
    fn add(&mut self, kind: Kind, value: T, threshold: T, then: Status) {
        let mut new = Certificate { kind, value, threshold, error: T::ZERO, status: then };
        if !value.is_finite() {
            new.status = Status::NotApplicable;
        } else if then != Status::PublishedFalse {
            new.status = Status::provided(new.holds(), then);
        }
        self.push(new);
    }

    fn greedy_gaussian(&mut self, facts: &Facts<T>, tilt: &GreedyTilt<'_, T>, sd: T) {
        let value = if tilt.is_plain() {
            formulas::lemma2(tilt.alpha, facts.line.curvature(), facts.y_inf, facts.gram, sd)
        } else {
            formulas::rho(largest_of(facts) * facts.gram, sd)
        };
        self.add(Kind::Lemma2, value, T::ONE, Status::AlreadyLogConcave);
        self.by_rho(facts, sd);
    }

    /// The conditions on the largest eigenvalue of either coupling, below 1.
    fn of_both(&mut self, facts: &Facts<T>, kinds: [Kind; 2], then: Status, of: impl Fn(T) -> T) {
        for (kind, facts) in kinds.into_iter().zip([facts.two_sided, facts.one_sided]) {
            self.add(kind, facts.map_or(T::NAN, |f| of(f.lambda_max)), T::ONE, then);
        }
    }

    fn by_rho(&mut self, facts: &Facts<T>, sd: T) {
        let kinds = [Kind::RhoTwoSided, Kind::RhoOneSided];
        self.of_both(facts, kinds, Status::AlreadyLogConcave, |q| formulas::rho(q, sd));
    }

    fn on_ball(&mut self, facts: &Facts<T>, radius: T, sum: T) {
        let own = facts.own.unwrap_or(T::NAN);
        self.add(Kind::OwnCurvature, own, T::ZERO, Status::AlreadyLogConcave);
        self.add(Kind::Trace, formulas::trace(sum, radius, facts.x_max), T::ONE, Status::Proved);
        let columns = facts.one_sided.map_or(T::NAN, |f| f.columns * (radius * radius));
        self.add(Kind::Columns, columns, T::ONE, Status::Proved);
    }

    fn by_matrix(&mut self, facts: &Facts<T>, radius: T) {
        let kinds = [Kind::MatrixTwoSided, Kind::MatrixOneSided];
        let of = |q| formulas::matrix(q, facts.d, radius);
        self.of_both(facts, kinds, Status::Conditional, of);
    }

    fn greedy_ball(&mut self, facts: &Facts<T>, tilt: &GreedyTilt<'_, T>, radius: T) {
        let (d, n, line) = (facts.d, T::of_usize(facts.n), facts.line);
        let b = if tilt.is_plain() {
            tilt.alpha * line.curvature() * n * facts.y_inf
        } else {
            n * largest_of(facts)
        };
        // |x_ij| <= 1 and R = 1 are assumed: larger ones are put into B.
        let larger = facts.x_max.max(T::ONE);
        let square = larger * larger;
        let scaled = b * (radius * radius) * square;
        let (one, conditional) = (T::ONE, Status::Conditional);
        self.add(Kind::Lemma4Published, b, T::of_usize(d), Status::PublishedFalse);
        self.add(Kind::Lemma4, formulas::lemma4(b, d, radius) * square, one, conditional);
        self.by_matrix(facts, radius);
        self.add(Kind::Remark1, formulas::remark1(scaled, d), one, conditional);
        // As psi(s z) of inputs within 1 on the ball of radius 1.
        let (s, strength) = (radius * larger, n * facts.strength);
        let slope = line.slope.min(facts.reachable.slope);
        let unit = slope <= one && line.curvature() <= one;
        let published = formulas::slides_published(strength * s.max(s * s), d);
        let published = if unit { published } else { T::NAN };
        self.add(Kind::SlidesPublished, published, one, Status::PublishedFalse);
        let b = formulas::slides_constants(strength, s * slope, s * s * line.curvature());
        let [_, b2] = b;
        let small = formulas::slides_order(b2) < T::lit(2.0);
        let value = if small { T::NAN } else { formulas::slides(b, d) };
        self.add(Kind::Slides, value, one, conditional);
        let bound = |f: CouplingFacts<T>| formulas::hoelder_least(f.lambda_max, b2, d, radius).0;
        self.add(Kind::Hoelder, facts.one_sided.map_or(T::NAN, bound), one, conditional);
    }

    fn joint_ball(&mut self, facts: &Facts<T>, radius: T, rho: T) {
        let (n, d) = (facts.n, facts.d);
        let larger = facts.x_max.max(T::ONE);
        let square = larger * larger;
        let value = formulas::joint(rho, n, d, radius) * square;
        let sharper = formulas::joint_sharper(rho, n, d, radius) * square;
        self.by_matrix(facts, radius);
        self.add(Kind::JointHessian, value, T::ONE, Status::Conditional);
        self.add(Kind::JointHessianSharper, sharper, T::ONE, Status::Conditional);
        self.add(Kind::BakryEmery, value, T::HALF, Status::Conditional);
    }
}
