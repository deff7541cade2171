//! Gradients of one's own

use crate::f64::problem::{self, lcc_problem_f64};
use crate::prelude::*;
use crate::problem::*;
use lcc_core::likelihood::DensityCheck;
use lcc_core::random::{Purpose, Stream};

/// What a density of one's own was seen to do at some points.
pub type lcc_gradient_check_f64 = DensityCheck<f64>;

abi! {
    /// Compares the gradient that a density of one's own writes with finite differences, of steps by the precision and
    /// extrapolated, at points given or drawn from N(0, scale^2 I): `wrong` is 0 and `outside` too where all is well.
    /// Looks as well whether the value is the same without a gradient. At most 18 calls a coordinate and point.
    ///
    /// @param x        points times dim values, or NULL: drawn
    /// @param points   at least 1
    /// @param scratch  lcc_problem_scratch_f64 bytes
    /// @return LCC_ERROR_POSTERIOR where it is none of one's own, LCC_ERROR_NO_GRADIENT, LCC_ERROR_NOT_FINITE_VALUE (x)
    fn lcc_density_check_f64(
        problem: *const lcc_problem_f64, x: *const f64, points: usize, seed: u64, scratch: *mut u8,
        bytes: usize,
    ) -> (check: lcc_gradient_check_f64) {
        let user = raw::sized(problem)?.posterior == LCC_POSTERIOR_USER;
        raw::refuse(!user, LCC_ERROR_POSTERIOR)?;
        let dim = problem::read(problem, core::ptr::null())?.dim();
        let density = raw::reference(problem)?;
        raw::refuse(density.gradient == 0, LCC_ERROR_NO_GRADIENT)?;
        raw::refuse(points == 0, LCC_ERROR_EMPTY)?;
        let given = if x.is_null() { &[] } else { raw::slice(x, raw::times(points, dim)?)? };
        raw::refuse(!given.iter().all(|x| x.is_finite()), LCC_ERROR_NOT_FINITE_VALUE)?;
        let [scratch] = raw::scratch(scratch, bytes, [dim.saturating_mul(3)])?;
        let scratch = scratch.get_mut(..dim.saturating_mul(2)).ok_or(LCC_ERROR_MEMORY_SIZE)?;
        let (at, gradient) = scratch.split_at_mut_checked(dim).ok_or(LCC_ERROR_MEMORY_SIZE)?;
        let mut given = given.chunks_exact(dim.max(1));
        let mut check = DensityCheck::new();
        for point in 0..points {
            if let Some(x) = given.next() {
                at.iter_mut().zip(x).for_each(|(at, x)| *at = *x);
            } else {
                let mut stream = Stream::new(seed, point as u64, Purpose::Start);
                at.iter_mut().for_each(|at| *at = density.scale * stream.normal::<f64>());
            }
            check.add(density, at, gradient);
        }
        check
    }
}
