//! One visited xi, and what the visited xi together show.

use super::CertificateError;
use super::draws::WeightDraws;
use super::eigenvalue::{Estimate, eigenvalue_scratch, largest_eigenvalue};
use super::given::{CHAINS, GivenOptions, draw_given, given_len, given_scratch};
use super::lemma3::{lemma3, lemma3_scratch};
use crate::coupling::{Channel, Coupling, Sides, Triangular, factor_len, reduced_scratch};
use crate::plain::{Code, Plain, Switch, plain};
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
        /// 1: plain loops, or AVX2 for 8 lanes on an x86-64. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
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
        self.given().check()
    }
}

/// What one xi shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe<T> {
    /// The largest eigenvalue of A Cov\[w | xi\] A'.
    pub eigenvalue: Estimate<T>,
    /// The largest eigenvalue of the bound (25); `None` where it was left out or the prior is not
    /// Gaussian.
    pub lemma3: Option<Estimate<T>>,
}

/// What the visited xi show together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probes<T> {
    /// How many.
    pub count: u32,
    /// At the xi where `selection` was largest.
    pub eigenvalue: Estimate<T>,
    /// At the xi where it was largest.
    pub lemma3: Option<Estimate<T>>,
}

impl<T: Real> Probes<T> {
    /// With one xi more.
    pub fn with(before: Option<Self>, probe: &Probe<T>) -> Self {
        let larger = |a: Estimate<T>, b: Estimate<T>| if b.selection > a.selection { b } else { a };
        match before {
            None => Self { count: 1, eigenvalue: probe.eigenvalue, lemma3: probe.lemma3 },
            Some(own) => Self {
                count: own.count.saturating_add(1),
                eigenvalue: larger(own.eigenvalue, probe.eigenvalue),
                lemma3: match (own.lemma3, probe.lemma3) {
                    (Some(a), Some(b)) => Some(larger(a, b)),
                    (a, b) => a.or(b),
                },
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
    ];
    let work = work.into_iter().try_fold(0_usize, |max, k| k.map(|k| k.max(max)));
    Ok(Parts {
        rho: carve.take(n.checked_mul(classes).ok_or(overflow)?)?,
        factor: carve.take(count)?,
        xi: carve.take(dim)?,
        draws: carve.take(given_len(problem, &options.given()).ok_or(overflow)?)?,
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
        w: &[Self],
        which: u32,
        memory: &mut [u8],
    ) -> Result<Probe<Self>, CertificateError>;
}

macro_rules! probing {
    ($($t:ident),*) => {
        $(impl Probing for $t {
            fn run(
                isa: Isa,
                problem: &Problem<'_, $t>,
                options: &ProbeOptions,
                w: &[$t],
                which: u32,
                memory: &mut [u8],
            ) -> Result<Probe<$t>, CertificateError> {
                run(isa, problem, options, w, which, memory)
            }
        })*
    };
}

probing!(f32, f64);

/// Visits one xi: draws it given w, which is a draw of the posterior (of any exact sampler: the xi are
/// then draws from p(xi)), lets 8 chains sample w | xi, and estimates the largest eigenvalue of A Cov A'
/// and the bound (25) from them. `which` numbers the xi of one seed. The call takes 8 (warmup + draws)
/// leapfrogs n row-gradient visits and then what [`largest_eigenvalue`] and [`lemma3`] say: a caller with
/// a budget visits one xi a step.
pub fn probe<T: Probing>(
    isa: Isa,
    problem: &Problem<'_, T>,
    options: &ProbeOptions,
    w: &[T],
    which: u32,
    memory: &mut [u8],
) -> Result<Probe<T>, CertificateError> {
    T::run(isa, problem, options, w, which, memory)
}

fn run<T: AnyLanes>(
    isa: Isa,
    problem: &Problem<'_, T>,
    options: &ProbeOptions,
    w: &[T],
    which: u32,
    memory: &mut [u8],
) -> Result<Probe<T>, CertificateError> {
    let short = CertificateError::TooShort;
    let data = problem.data().ok_or(CertificateError::UserDensity)?;
    options.check()?;
    let Parts { rho, factor, xi, draws, work } =
        layout(&mut Memory::new(memory)?, problem, options)?;
    problem.rho(options.coupling.value(), rho)?;
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
    let w = w.get(..dim).ok_or(short)?;
    let mut stream = [Stream::new(options.seed, which as u64, Purpose::Gibbs)];
    let one = blocks_mut::<T, 1>(xi).ok_or(short)?;
    channel.draw(isa, &mut stream, blocks::<T, 1>(w).ok_or(short)?, one)?;
    draw_given(isa, problem, &channel, xi, which, &options.given(), draws, work)?;
    let draws = WeightDraws::new(draws, options.draws as usize, CHAINS, dim, dim)?;
    let eigenvalue = largest_eigenvalue(&channel, &draws, work)?;
    let gaussian = matches!(problem.prior(), Prior::Gaussian { .. });
    let lemma3 = if gaussian && options.lemma3 > 0 {
        let few = draws.thinned(options.lemma3 as usize);
        Some(lemma3(problem, &channel, &few, work)?)
    } else {
        None
    };
    Ok(Probe { eigenvalue, lemma3 })
}
