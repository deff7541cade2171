//! Where and how wide a density of one's own is

use crate::f64::problem::{self, lcc_problem_f64};
use crate::prelude::*;
use lcc_core::reference::affine_len;
use lcc_core::warmup::{Warmup, WarmupOptions};

handle! {
    /// Ascents, and chains that start from them, in the caller's memory.
    struct lcc_warmup_f64: Warmup<f64>, Warmup, warmup;
}

/// What a warm-up is asked to do.
pub type lcc_warmup_options_f64 = WarmupOptions;

abi! {
    /// Writes the defaults.
    fn lcc_warmup_options_default_f64() -> (options: lcc_warmup_options_f64) {
        WarmupOptions::default()
    }

    /// The bytes that a warm-up takes.
    ///
    /// @param problem  of LCC_POSTERIOR_USER, with a gradient and without a frame
    /// @return LCC_ERROR_POSTERIOR, LCC_ERROR_NO_GRADIENT
    fn lcc_warmup_size_f64(
        options: *const lcc_warmup_options_f64, problem: *const lcc_problem_f64,
    ) -> (bytes: usize) {
        let problem = problem::read(problem, core::ptr::null())?;
        handle::size(Warmup::size(&raw::sized(options)?, &problem)?)?
    }

    /// Builds a warm-up at the start of a block of memory: ascents from draws of N(0, scale^2 I), each to the
    /// Gaussian along its path with the best evidence bound; then chains of split HMC, about a Gaussian that is
    /// fitted to their draws round after round.
    ///
    /// @return LCC_ERROR_POSTERIOR, LCC_ERROR_NO_GRADIENT
    fn lcc_warmup_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_warmup_options_f64, problem: *const lcc_problem_f64,
    ) -> (warmup: *mut lcc_warmup_f64) {
        let (options, problem) = (raw::sized(options)?, problem::read(problem, core::ptr::null())?);
        let size = Warmup::size(&options, &problem)?;
        handle::build(memory, bytes, size, true, |block, isa| {
            Warmup::init(block, &options, isa, &problem)
        })?
    }

    /// Works until the budget, in evaluations of the density, is used up, or to the end.
    ///
    /// @return LCC_ERROR_START (density or gradient are finite nowhere that it was begun)
    fn lcc_warmup_step_f64(
        warmup: *mut lcc_warmup_f64, problem: *const lcc_problem_f64, budget: u64,
    ) {
        handle::step(warmup, |o| {
            Ok(o.step(&problem::read(problem, core::ptr::null())?, budget)?)
        })?
    }

    /// The frame: the posterior's mean and the Cholesky factor of its covariance, as far as the warm-up knows.
    /// As lcc_problem_f64's frame it is what chains, particles and temperatures sample about; widen the factor by
    /// half where tails matter. These numbers and the leapfrogs are all that is wanted of a warm-up later: keep them, or
    /// lcc_checkpoint() of it, and samplers of other runs begin with them.
    ///
    /// @param frame  out: dim + dim (dim + 1)/2 numbers: the mean, then the factor row by row, 1, 2, 3, ... of
    ///               each row
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_warmup_frame_f64(warmup: *const lcc_warmup_f64, frame: *mut f64, len: usize) {
        let warmup = open(warmup)?;
        let needed = affine_len(warmup.dim()).ok_or(LCC_ERROR_OVERFLOW)?;
        let out = raw::array(frame, len, needed)?;
        let found = warmup.frame().ok_or(LCC_ERROR_NOT_DONE)?;
        out.iter_mut().zip(found).for_each(|(o, x)| *o = *x);
    }

    /// The steps of a trajectory that gets somewhere in the frame, 4 to 128: for lcc_sampler_options_f64's
    /// leapfrogs. Many where the posterior is far from its Gaussian.
    ///
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_warmup_leapfrogs_f64(warmup: *const lcc_warmup_f64) -> (leapfrogs: u32) {
        Some(open(warmup)?.leapfrogs()).filter(|steps| *steps > 0).ok_or(LCC_ERROR_NOT_DONE)?
    }
}
