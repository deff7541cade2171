//! What the conditions need to know of a posterior, computed once.

use super::CertificateError;
use super::spectral::{largest_of_weighted, largest_symmetric, weighted_scratch};
use crate::activation::Bounds;
use crate::coupling::rho::Range;
use crate::coupling::{RhoError, Sides};
use crate::data::{Dataset, Inputs};
use crate::error::refuse;
use crate::pieces::{pieces, pieces_mut};
use crate::prior::Prior;
use crate::problem::{Problem, Target};
use crate::scalar::Real;

/// What is known of a coupling Q_s = X' diag(rho_s) X over the classes s of neurons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CouplingFacts<T> {
    /// The largest eigenvalue of any Q_s.
    pub lambda_max: T,
    /// sum_m max_j (Q_m)_jj over the neurons.
    pub columns: T,
    /// sum rho_im over rows and neurons.
    pub sum: T,
    /// The largest rho_im.
    pub largest: T,
}

/// The numbers from which every certificate that needs no draws follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts<T> {
    /// Rows.
    pub n: usize,
    /// Columns.
    pub d: usize,
    /// M.
    pub neurons: usize,
    /// max |x_ij|.
    pub x_max: T,
    /// max |y_i| (greedy: of the residuals), and sum |y_i|.
    pub y_inf: T,
    /// sum |y_i|.
    pub y_l1: T,
    /// Greedy: alpha |r|_inf, with the square kept kappa sup|psi| more; else NaN.
    pub strength: T,
    /// lambda_max(X'X).
    pub gram: T,
    /// The two-sided coupling, or why there is none.
    pub two_sided: Result<CouplingFacts<T>, RhoError>,
    /// The one-sided coupling, or why there is none.
    pub one_sided: Result<CouplingFacts<T>, RhoError>,
    /// l1 prior: the largest eigenvalue of a bound on the Hessian of log p(w) over the ball, rounded up; of a
    /// greedy tilt by the sign of each term, else of one that is never negative.
    pub own: Option<T>,
    /// Bounds of psi over the line, and over what can be reached.
    pub line: Bounds<T>,
    /// The same over |z| <= the largest |x_i.w|.
    pub reachable: Bounds<T>,
}

impl<T: Real> Facts<T> {
    /// The numbers of scratch that [`of`](Self::of) takes; `None` if that overflows.
    pub fn scratch(problem: &Problem<'_, T>) -> Option<usize> {
        let (n, d) = problem.data().map_or((0, 0), |data| (data.n(), data.d()));
        let spectral = weighted_scratch(n, d)?.max(d.checked_mul(d)?);
        n.checked_mul(2)?.checked_add(spectral)
    }

    /// Reads the data a few times: 5 (joint: up to 4) factorisations of [`largest_of_weighted`]'s cost at
    /// most. [`CertificateError::UserDensity`] of a density of the user's own,
    /// [`CertificateError::Form`] of one whose sign is summed out, [`RhoError::Kink`] of the ReLU,
    /// [`Improper`](crate::problem::ProblemError::Improper) as of any sampler.
    pub fn of(problem: &Problem<'_, T>, scratch: &mut [T]) -> Result<Self, CertificateError> {
        let data = problem.data().ok_or(CertificateError::UserDensity)?;
        refuse(problem.sums_signs(), CertificateError::Form)?;
        refuse(problem.has_kink(), RhoError::Kink)?;
        let (n, inputs) = (data.n(), data.inputs);
        let size = Self::scratch(problem).ok_or(CertificateError::Overflow)?;
        let short = CertificateError::TooShort;
        let scratch = scratch.get_mut(..size).ok_or(short)?;
        problem.check_proper(scratch)?;
        let (rho, work) = scratch.split_at_mut_checked(n.saturating_mul(2)).ok_or(short)?;
        let ones = rho.get_mut(..n).ok_or(short)?;
        ones.fill(T::ONE);
        let gram = largest_of_weighted(inputs, ones, work)?;
        let two_sided = coupling(problem, inputs, Sides::TwoSided, rho, work)?;
        let one_sided = coupling(problem, inputs, Sides::OneSided, rho, work)?;
        let activation = match problem.likelihood() {
            Target::Greedy(l) => l.activation,
            Target::Joint(l) => l.activation,
            Target::User(_) | Target::Network(_) | Target::Deep(_) => {
                return Err(CertificateError::UserDensity);
            }
        };
        let x_max = inputs.max_abs();
        let own = match (problem.prior(), problem.likelihood()) {
            (Prior::Gaussian { .. }, _) => None,
            (prior, Target::Greedy(l)) if l.is_plain() => {
                let range = Range::reachable(activation, prior, inputs);
                Some(own_curvature(data, l.alpha, range, work)?)
            }
            (Prior::L1Ball { .. }, _) => one_sided.ok().map(|facts| facts.lambda_max),
        };
        let y_inf = data.y().iter().fold(T::ZERO, |max, y| max.max(y.abs()));
        let reachable = activation.bounds_within(problem.prior().reach(x_max));
        let strength = match problem.likelihood() {
            Target::Greedy(l) if l.is_plain() => l.alpha * y_inf,
            Target::Greedy(l) => l.alpha * y_inf + l.quadratic * reachable.value,
            _ => T::NAN,
        };
        Ok(Self {
            n,
            d: data.d(),
            neurons: problem.neurons(),
            x_max,
            y_inf,
            strength,
            y_l1: data.y().iter().fold(T::ZERO, |sum, y| sum + y.abs()),
            gram,
            two_sided,
            one_sided,
            own,
            line: activation.bounds(),
            reachable,
        })
    }
}

/// The facts of one coupling: an inner error where the posterior has none.
fn coupling<T: Real>(
    problem: &Problem<'_, T>,
    inputs: Inputs<'_, T>,
    sides: Sides,
    rho: &mut [T],
    work: &mut [T],
) -> Result<Result<CouplingFacts<T>, RhoError>, CertificateError> {
    let (n, neurons) = (inputs.n(), problem.neurons());
    let classes = problem.rho_classes(sides);
    let count = n.checked_mul(classes).ok_or(CertificateError::Overflow)?;
    let rho = rho.get_mut(..count).ok_or(CertificateError::TooShort)?;
    if let Err(e) = problem.rho(sides, rho) {
        return Ok(Err(e));
    }
    let zero = T::ZERO;
    let mut facts = CouplingFacts { lambda_max: zero, columns: zero, sum: zero, largest: zero };
    let negative = if classes == 2 { neurons / 2 } else { 0 };
    for (class, rho) in pieces(rho, n).enumerate() {
        let members = if class == 0 { neurons.saturating_sub(negative) } else { negative };
        let members = T::of_usize(members);
        facts.lambda_max = facts.lambda_max.max(largest_of_weighted(inputs, rho, work)?);
        facts.largest = rho.iter().fold(facts.largest, |max, r| max.max(*r));
        facts.sum += members * rho.iter().fold(T::ZERO, |sum, r| sum + *r);
        let mut largest = T::ZERO;
        for j in 0..inputs.d() {
            let mut sum = T::ZERO;
            for (i, rho) in rho.iter().enumerate() {
                let x = inputs.at(i, j);
                sum += *rho * (x * x);
            }
            largest = largest.max(sum);
        }
        facts.columns += members * largest;
    }
    Ok(Ok(facts))
}

/// An upper bound of lambda_max(X' diag(h) X), h_i the supremum of alpha r_i psi'' over the reach of
/// row i, its sign kept: exactly 0 where no h_i is positive (and some may be zero).
fn own_curvature<T: Real>(
    data: Dataset<'_, T>,
    alpha: T,
    range: impl Fn(usize) -> Range<T>,
    work: &mut [T],
) -> Result<T, CertificateError> {
    let (d, inputs) = (data.d(), data.inputs);
    let size = d.checked_mul(d).ok_or(CertificateError::Overflow)?;
    let rows = work.get_mut(..size).ok_or(CertificateError::TooShort)?;
    rows.fill(T::ZERO);
    let mut positive = false;
    for (i, r) in data.y().iter().enumerate() {
        let (a, bounds) = (alpha * *r, range(i).bounds);
        let h = if a > T::ZERO { a * bounds.plus } else { -a * bounds.minus };
        positive |= h > T::ZERO;
        for (j, row) in pieces_mut(rows, d).enumerate() {
            let scaled = h * inputs.at(i, j);
            for (k, x) in row.iter_mut().enumerate() {
                *x += scaled * inputs.at(i, k);
            }
        }
    }
    if !positive {
        return Ok(T::ZERO);
    }
    let (largest, rounding) = largest_symmetric(rows, d).ok_or(CertificateError::NotFinite)?;
    Ok(largest + rounding)
}
