//! The coupling

use crate::f64::data::lcc_data_f64;
use crate::f64::problem::{self, add_prior, lcc_problem_f64};
use crate::prelude::*;
use lcc_core::coupling::{self, Channel, Conditional, Sides};
use lcc_core::density::Extent;
use lcc_core::likelihood::Likelihood;
use lcc_core::problem::Problem;
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;

/// The rows that are coupled.
fn rows(problem: &Problem<'_, f64>) -> Result<usize, lcc_status> {
    problem.data().map(|d| d.n()).ok_or(LCC_ERROR_NO_COUPLING)
}

/// The values of xi, n M.
fn xi_len(problem: &Problem<'_, f64>) -> Result<usize, lcc_status> {
    raw::times(rows(problem)?, problem.neurons())
}

abi! {
    /// rho_i of the coupling xi_i = sqrt(rho_i) x_i.w + N(0, 1), large enough that w given xi is
    /// log-concave: over what x.w can reach under the prior. n values, or for a joint posterior with one-sided
    /// coupling and signs of both kinds 2 n: first for the neurons with s_m = +1, then for the others.
    ///
    /// @param coupling  an LCC_COUPLING_ code
    /// @param len       the values that fit at rho: 2 n always suffice
    /// @param count     out: the values written
    /// @return LCC_ERROR_COUPLING, LCC_ERROR_NO_COUPLING
    fn lcc_coupling_rho_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64, coupling: i32, rho: *mut f64,
        len: usize,
    ) -> (count: usize) {
        let problem = problem::read(problem, data)?;
        let sides = Sides::from_code(coupling).ok_or(LCC_ERROR_COUPLING)?;
        let needed = raw::times(rows(&problem)?, problem.rho_classes(sides))?;
        problem.rho(sides, raw::array(rho, len, needed)?)?;
        needed
    }

    /// A draw of xi given w: xi_(i,m) at xi[i * M + m] (M = 1 for a greedy posterior).
    ///
    /// @param rho  from lcc_coupling_rho_f64
    /// @param w    dim values
    /// @param xi   out: n M values
    /// @return LCC_ERROR_NOT_FINITE_VALUE (rho)
    fn lcc_coupling_draw_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64, rho: *const f64,
        rho_count: usize, w: *const f64, seed: u64, xi: *mut f64, len: usize,
    ) {
        let (problem, rho) = (problem::read(problem, data)?, raw::slice(rho, rho_count)?);
        let xi = raw::array(xi, len, xi_len(&problem)?)?;
        let (w, xi) = (raw::slice(w, problem.dim())?.as_chunks().0, xi.as_chunks_mut().0);
        let mut stream = [Stream::new(seed, 0, Purpose::Gibbs)];
        problem.coupling(rho)?.draw(Isa::detect(), &mut stream, w, xi)?;
    }

    /// log p(w | xi) up to a constant that depends on xi alone, and its gradient: concave in w for every xi. The
    /// posterior's log density less |xi - S X w|^2/2, S = diag(sqrt(rho)). A NaN in xi or w comes out as NaN.
    ///
    /// @param rho       from lcc_coupling_rho_f64
    /// @param xi        n M values
    /// @param w         dim values
    /// @param scratch   lcc_problem_scratch_f64 bytes
    /// @param gradient  out: dim values
    /// @return LCC_ERROR_CAPACITY (rho), LCC_ERROR_NOT_FINITE_VALUE (rho)
    fn lcc_coupling_log_density_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64, rho: *const f64,
        rho_count: usize, xi: *const f64, w: *const f64, scratch: *mut u8, bytes: usize,
        log_density: *mut f64, gradient: *mut f64,
    ) {
        let (problem, rho) = (problem::read(problem, data)?, raw::slice(rho, rho_count)?);
        raw::writable(log_density)?;
        let (xi, dim) = (raw::slice(xi, xi_len(&problem)?)?, problem.dim());
        let (w, _) = raw::slice(w, dim)?.as_chunks();
        let (gradient, _) = raw::slice_mut(gradient, dim)?.as_chunks_mut();
        let likelihood = problem.likelihood();
        let [scratch] = raw::scratch(scratch, bytes, [likelihood.scratch()])?;
        let (scratch, _) = scratch.as_chunks_mut();
        let coupling = problem.coupling(rho)?;
        let given = Conditional::new(likelihood, &coupling, xi)?;
        let [value] = given.value_and_gradient(Isa::detect(), w, gradient, scratch);
        raw::write(log_density, add_prior(&problem, value, w, gradient))?;
    }

    /// The score of the marginal, grad log p(xi) = -xi + S X E[w | xi], from the conditional mean.
    ///
    /// @param rho    from lcc_coupling_rho_f64
    /// @param xi     n M values
    /// @param mean   E[w | xi]: dim values
    /// @param score  out: n M values
    /// @return LCC_ERROR_NOT_FINITE_VALUE (rho)
    fn lcc_coupling_score_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64, rho: *const f64,
        rho_count: usize, xi: *const f64, mean: *const f64, score: *mut f64, len: usize,
    ) {
        let (problem, rho) = (problem::read(problem, data)?, raw::slice(rho, rho_count)?);
        let n = xi_len(&problem)?;
        let (score, _) = raw::array(score, len, n)?.as_chunks_mut::<1>();
        let (xi, _) = raw::slice(xi, n)?.as_chunks();
        let (mean, _) = raw::slice(mean, problem.dim())?.as_chunks();
        coupling::score(Isa::detect(), &problem.coupling(rho)?, xi, mean, score)?;
    }

    /// The Hessian of log p(xi), -I + S X Cov[w | xi] X' S, from the conditional covariance: where its
    /// largest eigenvalue is negative, p(xi) is log-concave there.
    ///
    /// @param rho         from lcc_coupling_rho_f64
    /// @param covariance  Cov[w | xi]: dim x dim values, row by row
    /// @param scratch     dim values
    /// @param hessian     out: (n M) x (n M) values, row by row
    /// @return LCC_ERROR_NOT_FINITE_VALUE (rho)
    fn lcc_coupling_hessian_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64, rho: *const f64,
        rho_count: usize, covariance: *const f64, scratch: *mut f64, hessian: *mut f64, len: usize,
    ) {
        let (problem, rho) = (problem::read(problem, data)?, raw::slice(rho, rho_count)?);
        let (n, dim) = (xi_len(&problem)?, problem.dim());
        let out = raw::array(hessian, len, raw::times(n, n)?)?;
        let covariance = raw::slice(covariance, raw::times(dim, dim)?)?;
        let scratch = raw::slice_mut(scratch, dim)?;
        coupling::hessian(&problem.coupling(rho)?, covariance, out, scratch)?;
    }
}
