//! The coupling

use crate::coupling;
use crate::f64::data::lcc_data_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::raw;
use crate::status::lcc_status::*;

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
        len: usize, count: *mut usize,
    ) {
        let problem = problem::read(problem, data)?;
        let sides = crate::sampler::sides(coupling)?;
        raw::writable(count)?;
        let needed = coupling::rho_len(&problem, sides)?;
        raw::refuse(len < needed, LCC_ERROR_CAPACITY)?;
        let out = raw::slice_mut(rho, needed)?;
        problem.rho(sides, out)?;
        raw::write(count, needed)?;
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
        let needed = coupling::xi_len(&problem)?;
        raw::refuse(len < needed, LCC_ERROR_CAPACITY)?;
        let (w, xi) = (raw::slice(w, problem.dim())?, raw::slice_mut(xi, needed)?);
        coupling::draw(&problem, rho, w, seed, xi)?;
    }

    /// log p(w | xi) up to a constant that depends on xi alone, and its gradient: concave in w for every xi. The
    /// posterior's log density less |xi - S X w|^2/2, S = diag(sqrt(rho)). A NaN in xi or w comes out as NaN.
    ///
    /// @param rho       from lcc_coupling_rho_f64
    /// @param xi        n M values
    /// @param w         dim values
    /// @param scratch   lcc_problem_scratch_f64 bytes, aligned to 16
    /// @param gradient  out: dim values
    /// @return LCC_ERROR_CAPACITY (rho), LCC_ERROR_NOT_FINITE_VALUE (rho)
    fn lcc_coupling_log_density_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64, rho: *const f64,
        rho_count: usize, xi: *const f64, w: *const f64, scratch: *mut u8, bytes: usize,
        log_density: *mut f64, gradient: *mut f64,
    ) {
        let (problem, rho) = (problem::read(problem, data)?, raw::slice(rho, rho_count)?);
        raw::writable(log_density)?;
        let (n, dim) = (coupling::xi_len(&problem)?, problem.dim());
        let (xi, w, gradient, scratch) = (
            raw::slice(xi, n)?,
            raw::slice(w, dim)?,
            raw::slice_mut(gradient, dim)?,
            raw::slice_mut(scratch, bytes)?,
        );
        raw::write(log_density, coupling::log_density(&problem, rho, xi, w, gradient, scratch)?)?;
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
        let needed = coupling::xi_len(&problem)?;
        raw::refuse(len < needed, LCC_ERROR_CAPACITY)?;
        let (xi, mean, score) = (
            raw::slice(xi, needed)?,
            raw::slice(mean, problem.dim())?,
            raw::slice_mut(score, needed)?,
        );
        coupling::score(&problem, rho, xi, mean, score)?;
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
        let square = |k: usize| k.checked_mul(k).ok_or(LCC_ERROR_OVERFLOW);
        let (needed, dim) = (square(coupling::xi_len(&problem)?)?, problem.dim());
        raw::refuse(len < needed, LCC_ERROR_CAPACITY)?;
        let (covariance, scratch, out) = (
            raw::slice(covariance, square(dim)?)?,
            raw::slice_mut(scratch, dim)?,
            raw::slice_mut(hessian, needed)?,
        );
        coupling::hessian(&problem, rho, covariance, out, scratch)?;
    }
}
