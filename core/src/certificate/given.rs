//! Draws of w given xi, which is log-concave for every xi: 8 chains of split HMC from the prior.

use super::CertificateError;
use crate::coupling::{Channel, Conditional};
use crate::density::Extent;
use crate::error::refuse;
use crate::kernel::adapt::{FIELDS, StepSize, Target as Aim};
use crate::kernel::hmc::{self, Flow, State, Trajectory, Work, work_len};
use crate::lifted::Lifted;
use crate::pieces::{cut, pieces_mut, total};
use crate::problem::Problem;
use crate::random::{Purpose, Stream, normals_on};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, by_lanes, usual_lanes};

/// Chains given one xi, side by side where the CPU has the registers.
pub const CHAINS: usize = 8;

/// How long the chains of w | xi run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenOptions {
    /// Transitions that adapt step sizes and are discarded.
    pub warmup: u32,
    /// Transitions of each chain that count, at least 4.
    pub draws: u32,
    /// Evaluations of the density in one transition, at least 1.
    pub leapfrogs: u32,
    /// Names the random numbers.
    pub seed: u64,
}

impl GivenOptions {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), CertificateError> {
        refuse(self.draws < 4, CertificateError::TooFew)?;
        refuse(self.warmup.checked_add(self.draws).is_none(), CertificateError::Draws)?;
        refuse(self.leapfrogs == 0, CertificateError::Leapfrogs)
    }
}

/// The numbers that [`draw_given`] writes: draws M d times 8. `None` if that overflows.
pub fn given_len<T: Real>(problem: &Problem<'_, T>, options: &GivenOptions) -> Option<usize> {
    problem.dim().checked_mul(CHAINS)?.checked_mul(options.draws as usize)
}

/// The numbers of scratch that [`draw_given`] takes through a channel of k = [`Channel::len`] rows; `None`
/// if that overflows, and of a density of the user's own.
pub fn given_scratch<T: Real>(problem: &Problem<'_, T>, k: usize) -> Option<usize> {
    total(parts(problem, k)?)?.checked_mul(CHAINS)
}

/// Blocks: xi; position, gradient, value; the step sizes; w and the map's scratch; the kernel's work.
fn parts<T: Real>(problem: &Problem<'_, T>, k: usize) -> Option<[usize; 8]> {
    let (latent, dim, density) = (problem.latent_dim(), problem.dim(), problem.density()?);
    let work = work_len(latent, density.scratch())?;
    Some([k, latent, latent, 1, FIELDS, dim, density.map_scratch(), work])
}

/// `options.draws` of each of 8 chains given one xi ([`Channel::len`] numbers), to be read as
/// [`WeightDraws`](super::WeightDraws) of 8 chains and M d columns. Chain c draws its start from the
/// stream `Start` and its transitions from `Kernel` of chain 8 k + c, k = `which`: different for every
/// xi of one seed. Each transition is `leapfrogs` evaluations of 8 chains.
pub fn draw_given<T: AnyLanes, C: Channel<T>>(
    isa: Isa,
    problem: &Problem<'_, T>,
    channel: &C,
    xi: &[T],
    which: u32,
    options: &GivenOptions,
    out: &mut [T],
    scratch: &mut [T],
) -> Result<(), CertificateError> {
    let short = CertificateError::TooShort;
    options.check()?;
    refuse(problem.data().is_none(), CertificateError::UserDensity)?;
    let size = given_len(problem, options).ok_or(CertificateError::Overflow)?;
    let out = out.get_mut(..size).ok_or(short)?;
    by_lanes!(usual_lanes(), N => {
        for first in (0..CHAINS).step_by(N) {
            chains::<T, C, N>(isa, problem, channel, xi, which, options, first, out, scratch)?;
        }
    });
    refuse(out.iter().any(|x| !x.is_finite()), CertificateError::NotFinite)
}

/// N of the chains, from the `first`.
fn chains<T: Lanes<N>, C: Channel<T>, const N: usize>(
    isa: Isa,
    problem: &Problem<'_, T>,
    channel: &C,
    xi: &[T],
    which: u32,
    options: &GivenOptions,
    first: usize,
    out: &mut [T],
    scratch: &mut [T],
) -> Result<(), CertificateError> {
    let short = CertificateError::TooShort;
    let total = options.warmup.saturating_add(options.draws);
    let sizes = parts(problem, channel.len()).ok_or(CertificateError::Overflow)?;
    let (scratch, _) = scratch.as_chunks_mut::<N>();
    let ([own, position, gradient, value, steps, w, map, work], _) =
        cut(scratch, sizes).ok_or(short)?;
    refuse(xi.len() < own.len(), short)?;
    own.iter_mut().zip(xi).for_each(|(own, xi)| *own = [*xi; N]);
    let given = Conditional::new(problem.likelihood(), channel, own.as_flattened())?;
    let lifted =
        Lifted::new(&given, problem.prior(), problem.d(), problem.neurons()).map_err(|_| short)?;
    let latent = lifted.dim();
    let value = value.first_mut().ok_or(short)?;
    let steps: &mut [[T; N]; FIELDS] = steps.try_into().map_err(|_| short)?;

    let number = (which as u64).wrapping_mul(CHAINS as u64).wrapping_add(first as u64);
    let stream = |purpose: Purpose| {
        let mut chain = number;
        [(); N].map(|()| {
            let stream = Stream::new(options.seed, chain, purpose);
            chain = chain.wrapping_add(1);
            stream
        })
    };
    let mut starts = stream(Purpose::Start);
    normals_on(isa, &mut starts, position);
    let mut streams = stream(Purpose::Kernel);
    let mut state = State { position, gradient, value };
    hmc::evaluate(isa, &lifted, &mut state, &mut *work);
    let mut work = Work::new(work, latent).ok_or(short)?;
    let cap = T::lit(1.6) / T::of_u32(options.leapfrogs);
    let aim = Aim { acceptance: T::lit(0.85), cap };
    let mut sizes = StepSize::Dual(steps);
    sizes.reset(isa, aim.cap);
    let mut kept = out.chunks_exact_mut(problem.dim().saturating_mul(CHAINS).max(1));
    for count in 1..=total {
        let trajectory = Trajectory {
            flow: Flow::Split,
            unadjusted: false,
            step: sizes.step(isa),
            steps: options.leapfrogs,
            jitter: T::lit(0.2),
            short: problem.prior().short_share(),
        };
        let outcome =
            hmc::transition(isa, &lifted, &mut streams, &trajectory, &mut state, &mut work);
        if count <= options.warmup {
            sizes.update(isa, aim, count, &outcome.acceptance);
            if count == options.warmup {
                sizes.freeze(isa, aim);
            }
            continue;
        }
        refuse(!lifted.to_weights(isa, state.position, w, map), short)?;
        if let Some(kept) = kept.next() {
            for (kept, w) in pieces_mut(kept, CHAINS).zip(&*w) {
                kept.iter_mut().skip(first).zip(w).for_each(|(k, w)| *k = *w);
            }
        }
    }
    Ok(())
}
