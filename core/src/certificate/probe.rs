//! Visited xi, and what they show together.

use super::CertificateError;
use super::draws::WeightDraws;
use super::eigenvalue::{Estimate, eigenvalue_scratch, largest_eigenvalue, leading};
use super::given::{CHAINS, GivenOptions, draw_given, given_len, given_scratch};
use super::lemma3::{lemma3, lemma3_scratch};
use super::seek::{
    GRID, Spot, climb, climb_scratch, longest, normalise, on_line, seek_scratch, start,
};
use super::status::Status;
use crate::coupling::{Channel, Coupling, Sides, Triangular, factor_len, reduced_scratch};
use crate::error::refuse;
use crate::plain::{Code, Plain, Reserved, Switch, plain};
use crate::prior::Prior;
use crate::problem::Problem;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, blocks, blocks_mut};
use crate::workspace::{Carve, Measure, Memory, WorkspaceError};

plain! {
    /// How the xi of a posterior are visited.
    #[repr(C)]
    pub struct ProbeOptions {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// LCC_COUPLING_ONE_SIDED or LCC_COUPLING_TWO_SIDED. Default: one-sided.
        pub coupling: Code<Sides> = Sides::OneSided.into(),
        /// 1 for the reduced coupling: Gaussian prior only. Default 0.
        pub reduced: Switch = false.into(),
        /// Draws of each inner chain at which the bound of Lemma 3 is averaged; 0 leaves it out. Default 16.
        pub lemma3: u32 = 16,
        /// Transitions of the 8 inner chains that adapt and are discarded. Default 200.
        pub warmup: u32 = 200,
        /// Transitions of each that count, at least 4. Default 250.
        pub draws: u32 = 250,
        /// Gradients in one transition, at least 1. Default 4.
        pub leapfrogs: u32 = 4,
        /// Steps, at most 12, by which the largest eigenvalue is climbed, each a visited xi. Default 3.
        pub ascent: u32 = 3,
        /// 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// Must be 0.
        pub reserved: Reserved = Reserved::default(),
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
    }
}

impl ProbeOptions {
    /// How long the inner chains run.
    pub fn given(&self) -> GivenOptions {
        let Self { warmup, draws, leapfrogs, seed, .. } = *self;
        GivenOptions { warmup, draws, leapfrogs, seed }
    }

    /// The first option out of its range.
    pub fn check(&self) -> Result<(), CertificateError> {
        self.known()?;
        refuse(self.ascent > MOST, CertificateError::Ascent)?;
        self.given().check()
    }
}

/// The most steps of an ascent.
const MOST: u32 = 12;

/// The xi of one call at most: theirs are the random numbers 16 `which` to 16 `which` + 15.
const VISITS: u32 = 16;

/// What the visited xi show together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probes<T> {
    /// How many.
    pub count: u32,
    /// The largest eigenvalue of A Cov\[w | xi\] A', at the xi where `selection` was largest.
    pub eigenvalue: Estimate<T>,
    /// Whether it is below 1 by more than [`ERRORS`](super::ERRORS) standard errors at every one of them.
    pub agree: bool,
    /// The largest eigenvalue of the bound (25), at the xi where it was largest; `None` where it was left out
    /// or the prior is not Gaussian.
    pub lemma3: Option<Estimate<T>>,
}

impl<T: Real> Probes<T> {
    /// Of one xi.
    pub fn one(eigenvalue: Estimate<T>, lemma3: Option<Estimate<T>>) -> Self {
        let Estimate { value, error, .. } = eigenvalue;
        let status = Status::estimated(value, error, T::ONE, Status::NotLogConcave);
        Self { count: 1, eigenvalue, agree: status == Status::Empirical, lemma3 }
    }

    /// Of these and others.
    pub fn with(self, other: &Self) -> Self {
        let larger = |a: Estimate<T>, b: Estimate<T>| if b.selection > a.selection { b } else { a };
        Self {
            count: self.count.saturating_add(other.count),
            eigenvalue: larger(self.eigenvalue, other.eigenvalue),
            agree: self.agree && other.agree,
            lemma3: match (self.lemma3, other.lemma3) {
                (Some(a), Some(b)) => Some(larger(a, b)),
                (a, b) => a.or(b),
            },
        }
    }
}

/// The memory of a probe.
struct Parts<'a, T> {
    rho: &'a mut [T],
    factor: &'a mut [T],
    xi: &'a mut [T],
    draws: &'a mut [T],
    /// A line of w, another, and what is found on them.
    from: &'a mut [T],
    lines: [&'a mut [T]; 2],
    grid: &'a mut [T],
    work: &'a mut [T],
}

fn layout<'a, T: AnyLanes>(
    carve: &mut impl Carve<'a>,
    problem: &Problem<'_, T>,
    options: &ProbeOptions,
) -> Result<Parts<'a, T>, WorkspaceError> {
    let overflow = WorkspaceError::Overflow;
    let (d, dim) = (problem.d(), problem.dim());
    let n = problem.data().map_or(0, |data| data.n());
    let classes = problem.rho_classes(options.coupling.value());
    let count = factor_len(d, classes).ok_or(overflow)?;
    // A triangular channel has as many rows as w has coordinates.
    let work = [
        given_scratch(problem, dim),
        reduced_scratch(d),
        eigenvalue_scratch(dim, dim),
        lemma3_scratch(dim, dim, problem.neurons()),
        seek_scratch(problem),
        problem.proper_scratch(),
        // The leading direction, kept at the end, beside what a step of the ascent takes.
        eigenvalue_scratch(dim, dim).max(climb_scratch(dim, dim)).and_then(|k| k.checked_add(dim)),
    ];
    let work = work.into_iter().try_fold(0_usize, |max, k| k.map(|k| k.max(max)));
    Ok(Parts {
        rho: carve.take(n.checked_mul(classes).ok_or(overflow)?)?,
        factor: carve.take(count)?,
        xi: carve.take(dim)?,
        draws: carve.take(given_len(problem, &options.given()).ok_or(overflow)?)?,
        from: carve.take(dim)?,
        lines: [carve.take(dim)?, carve.take(dim)?],
        grid: carve.take(GRID)?,
        work: carve.take(work.ok_or(overflow)?)?,
    })
}

/// The bytes of memory, aligned to [`ALIGN`](crate::workspace::ALIGN), that [`probe`] takes.
pub fn probe_size<T: AnyLanes>(
    problem: &Problem<'_, T>,
    options: &ProbeOptions,
) -> Result<usize, CertificateError> {
    options.check()?;
    let mut measure = Measure::new();
    layout(&mut measure, problem, options)?;
    Ok(measure.bytes())
}

/// A precision in which probes are compiled, once, with this crate: `f32` and `f64`.
pub trait Probing: AnyLanes {
    /// The work of [`probe`].
    #[doc(hidden)]
    fn run(
        isa: Isa,
        problem: &Problem<'_, Self>,
        options: &ProbeOptions,
        w: (&[Self], Option<&[Self]>),
        which: u32,
        memory: &mut [u8],
    ) -> Result<Probes<Self>, CertificateError>;
}

macro_rules! probing {
    ($($t:ident),*) => {
        $(impl Probing for $t {
            fn run(
                isa: Isa,
                problem: &Problem<'_, $t>,
                options: &ProbeOptions,
                w: (&[$t], Option<&[$t]>),
                which: u32,
                memory: &mut [u8],
            ) -> Result<Probes<$t>, CertificateError> {
                run(isa, problem, options, w, which, memory)
            }
        })*
    };
}

probing!(f32, f64);

/// Looks for a xi at which p(xi) is not log-concave. `w` is a draw of the posterior (of any exact sampler) and
/// `other` another, best of another chain; without it the origin. Visited are
///
/// - a xi drawn given w, which is then a draw from p(xi);
/// - the origin, where `which` is 0;
/// - the xi for which the law of w on the line through w and `other`, or on that through w along the longest
///   axis of A, has the largest variance by quadrature: the valley between two modes, if there is one. With one
///   coordinate of w that is the worst of all xi;
/// - `ascent` more, each a step up from there.
///
/// At each 8 chains sample w | xi, from which the largest eigenvalue of A Cov A' is estimated and the bound
/// (25). `which` numbers the calls of one seed. A call takes 8 (warmup + draws) leapfrogs n row-gradient visits
/// for each xi, 1000 more for the lines, and what [`largest_eigenvalue`](super::largest_eigenvalue) and
/// [`lemma3`] say. Refuses an improper posterior.
pub fn probe<T: Probing>(
    isa: Isa,
    problem: &Problem<'_, T>,
    options: &ProbeOptions,
    w: &[T],
    other: Option<&[T]>,
    which: u32,
    memory: &mut [u8],
) -> Result<Probes<T>, CertificateError> {
    T::run(isa, problem, options, (w, other), which, memory)
}

fn run<T: AnyLanes>(
    isa: Isa,
    problem: &Problem<'_, T>,
    options: &ProbeOptions,
    w: (&[T], Option<&[T]>),
    which: u32,
    memory: &mut [u8],
) -> Result<Probes<T>, CertificateError> {
    let short = CertificateError::TooShort;
    let data = problem.data().ok_or(CertificateError::UserDensity)?;
    options.check()?;
    let Parts { rho, factor, xi, draws, from, lines: [line, longest_line], grid, work } =
        layout(&mut Memory::new(memory)?, problem, options)?;
    problem.rho(options.coupling.value(), rho)?;
    problem.check_proper(work)?;
    let (neurons, signs) = (problem.neurons(), problem.signs());
    let coupling = Coupling::joint(data.inputs, rho, neurons, signs)?;
    let channel = match problem.prior() {
        Prior::Gaussian { sd } if options.reduced.on() => {
            Triangular::factorise_reduced(&coupling, sd, factor, work)?
        }
        Prior::L1Ball { .. } if options.reduced.on() => {
            return Err(CertificateError::NeedsGaussian);
        }
        _ => Triangular::factorise(&coupling, factor, work)?,
    };
    let dim = problem.dim();
    let (w, other) = w;
    let w = w.get(..dim).ok_or(short)?;
    refuse(other.is_some_and(|other| other.len() < dim), short)?;
    let mut visit = Visit { isa, problem, options, channel: &channel, draws, work };
    let number = which.wrapping_mul(VISITS);
    let later = |k: u32| number.wrapping_add(k);

    let mut stream = [Stream::new(options.seed, number as u64, Purpose::Gibbs)];
    let one = blocks_mut::<T, 1>(xi).ok_or(short)?;
    channel.draw(isa, &mut stream, blocks::<T, 1>(w).ok_or(short)?, one)?;
    let mut all = visit.at(xi, number)?;
    if which == 0 {
        xi.fill(T::ZERO);
        all = all.with(&visit.at(xi, later(1))?);
    }

    from.iter_mut().zip(w).for_each(|(own, w)| *own = *w);
    line.iter_mut().zip(w).for_each(|(own, w)| *own = *w);
    for (line, other) in line.iter_mut().zip(other.unwrap_or(&[])) {
        *line -= *other;
    }
    for (j, v) in longest_line.iter_mut().enumerate() {
        *v = T::ONE / T::of_usize(j.saturating_add(1));
    }
    let mut best = None::<(Spot<T>, &[T])>;
    let reached = [normalise(line), dim > 1 && longest(&channel, longest_line, xi)];
    for (line, reached) in [&*line, &*longest_line].into_iter().zip(reached) {
        if !reached {
            continue;
        }
        let found = on_line(isa, problem, &channel, from, line, grid, xi, visit.work);
        if let Some(spot) = found
            && best.is_none_or(|(best, _)| spot.value > best.value)
        {
            best = Some((spot, line));
        }
    }
    let Some((spot, line)) = best else { return Ok(all) };
    if start(isa, problem, &channel, (from, line), &spot, xi, visit.work).is_none() {
        return Ok(all);
    }
    let mut here = visit.at(xi, later(2))?;
    all = all.with(&here);
    for step in 0..options.ascent {
        if !visit.climb(xi)? {
            break;
        }
        let before = here.eigenvalue.selection;
        here = visit.at(xi, later(step.saturating_add(3)))?;
        all = all.with(&here);
        if here.eigenvalue.selection <= before {
            break;
        }
    }
    Ok(all)
}

/// What a visit takes.
struct Visit<'a, 'p, T> {
    isa: Isa,
    problem: &'a Problem<'p, T>,
    options: &'a ProbeOptions,
    channel: &'a Triangular<'a, T>,
    draws: &'a mut [T],
    work: &'a mut [T],
}

impl<T: AnyLanes> Visit<'_, '_, T> {
    /// Draws of w given xi, and what they show.
    fn at(&mut self, xi: &[T], number: u32) -> Result<Probes<T>, CertificateError> {
        let Self { isa, problem, options, channel, .. } = *self;
        let (dim, given) = (problem.dim(), options.given());
        draw_given(isa, problem, channel, xi, number, &given, self.draws, self.work)?;
        let draws = WeightDraws::new(self.draws, options.draws as usize, CHAINS, dim, dim)?;
        let gaussian = matches!(problem.prior(), Prior::Gaussian { .. });
        let bound = if gaussian && options.lemma3 > 0 {
            let few = draws.thinned(options.lemma3 as usize);
            Some(lemma3(problem, channel, &few, self.work)?)
        } else {
            None
        };
        let eigenvalue = largest_eigenvalue(channel, &draws, self.work)?;
        Ok(Probes::one(eigenvalue, bound))
    }

    /// Moves xi up from the last visit; false at the top.
    fn climb(&mut self, xi: &mut [T]) -> Result<bool, CertificateError> {
        let dim = self.problem.dim();
        let draws = WeightDraws::new(self.draws, self.options.draws as usize, CHAINS, dim, dim)?;
        let short = CertificateError::TooShort;
        let (kept, rest) = self.work.split_at_mut_checked(dim).ok_or(short)?;
        let (_, direction) = leading(self.channel, &draws, rest)?;
        kept.iter_mut().zip(direction).for_each(|(k, v)| *k = *v);
        Ok(climb(self.channel, &draws, kept, xi, rest))
    }
}
