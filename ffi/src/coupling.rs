//! The coupling, whatever its precision: one chain at a time.

use crate::problem::{add_prior, scratch_layout};
use crate::status::lcc_status;
use lcc_core::coupling::{self, Channel, Conditional, Sides};
use lcc_core::likelihood::Likelihood;
use lcc_core::problem::Problem;
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::{AnyLanes, Isa};
use lcc_core::workspace::Memory;

fn rows<T: Real>(problem: &Problem<'_, T>) -> Result<usize, lcc_status> {
    problem.data().map(|d| d.n()).ok_or(lcc_status::LCC_ERROR_NO_COUPLING)
}

pub(crate) fn rho_len<T: Real>(
    problem: &Problem<'_, T>,
    sides: Sides,
) -> Result<usize, lcc_status> {
    rows(problem)?.checked_mul(problem.rho_classes(sides)).ok_or(lcc_status::LCC_ERROR_OVERFLOW)
}

pub(crate) fn xi_len<T: Real>(problem: &Problem<'_, T>) -> Result<usize, lcc_status> {
    rows(problem)?.checked_mul(problem.neurons()).ok_or(lcc_status::LCC_ERROR_OVERFLOW)
}

pub(crate) fn draw<T: AnyLanes>(
    problem: &Problem<'_, T>,
    rho: &[T],
    w: &[T],
    seed: u64,
    xi: &mut [T],
) -> Result<(), lcc_status> {
    let mut stream = [Stream::new(seed, 0, Purpose::Gibbs)];
    let coupling = problem.coupling(rho)?;
    let (w, xi) = (w.as_chunks::<1>().0, xi.as_chunks_mut::<1>().0);
    Ok(coupling.draw(Isa::detect(), &mut stream, w, xi)?)
}

pub(crate) fn log_density<T: AnyLanes>(
    problem: &Problem<'_, T>,
    rho: &[T],
    xi: &[T],
    w: &[T],
    gradient: &mut [T],
    scratch: &mut [u8],
) -> Result<T, lcc_status> {
    let scratch = scratch_layout(&mut Memory::new(scratch)?, problem)?;
    let coupling = problem.coupling(rho)?;
    let given = Conditional::new(problem.likelihood(), &coupling, xi)?;
    let (w, _) = w.as_chunks::<1>();
    let (gradient, _) = gradient.as_chunks_mut::<1>();
    let (scratch, _) = scratch.as_chunks_mut::<1>();
    let [value] = given.value_and_gradient(Isa::detect(), w, gradient, scratch);
    Ok(add_prior(problem, value, w, gradient))
}

pub(crate) fn score<T: AnyLanes>(
    problem: &Problem<'_, T>,
    rho: &[T],
    xi: &[T],
    mean: &[T],
    out: &mut [T],
) -> Result<(), lcc_status> {
    let coupling = problem.coupling(rho)?;
    let (xi, mean) = (xi.as_chunks::<1>().0, mean.as_chunks::<1>().0);
    Ok(coupling::score(Isa::detect(), &coupling, xi, mean, out.as_chunks_mut::<1>().0)?)
}

pub(crate) fn hessian<T: AnyLanes>(
    problem: &Problem<'_, T>,
    rho: &[T],
    covariance: &[T],
    out: &mut [T],
    scratch: &mut [T],
) -> Result<(), lcc_status> {
    Ok(coupling::hessian(&problem.coupling(rho)?, covariance, out, scratch)?)
}
