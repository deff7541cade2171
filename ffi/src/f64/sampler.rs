//! Samplers

use crate::f64::data::lcc_data_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::prelude::*;
use lcc_core::diagnostics;
use lcc_core::sampler::{Column, Sampler, SamplerOptions};

handle! {
    /// A sampler of a posterior, in the caller's memory.
    struct lcc_sampler_f64: Sampler<f64>, Sampler, sampler;
}

/// What a sampler is asked to do.
pub type lcc_sampler_options_f64 = SamplerOptions<f64>;

abi! {
    /// Writes the defaults.
    fn lcc_sampler_options_default_f64() -> (options: lcc_sampler_options_f64) {
        SamplerOptions::default()
    }

    /// The bytes that a sampler takes.
    ///
    /// @return LCC_ERROR_NO_COUPLING
    fn lcc_sampler_size_f64(
        options: *const lcc_sampler_options_f64, problem: *const lcc_problem_f64,
        data: *const lcc_data_f64,
    ) -> (bytes: usize) {
        handle::size(Sampler::size(&raw::sized(options)?, &problem::read(problem, data)?)?)?
    }

    /// Builds a sampler at the start of a block of memory. Reads the data, and for a coupled method forms
    /// rho and its d x d factor (3 n d^2 flops). Chains start at draws from the prior in the first step.
    ///
    /// @return LCC_ERROR_IMPROPER, LCC_ERROR_NO_COUPLING, LCC_ERROR_REDUCED, LCC_ERROR_NO_GRADIENT,
    ///         LCC_ERROR_NO_PILOT, LCC_ERROR_NEEDS_BALL
    fn lcc_sampler_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_sampler_options_f64,
        problem: *const lcc_problem_f64, data: *const lcc_data_f64,
    ) -> (sampler: *mut lcc_sampler_f64) {
        let (options, problem) = (raw::sized(options)?, problem::read(problem, data)?);
        let size = Sampler::size(&options, &problem)?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            Sampler::init(block, &options, isa, &problem)
        })?
    }

    /// Works until the budget is used up, or to the end. A unit of work (one transition of a block of
    /// chains) is never split: a call overshoots by less than (leapfrogs + 1) * n * lanes
    /// (hit-and-run: 65 * n * lanes for each of its lines, mostly 10).
    ///
    /// @return LCC_ERROR_START (the density is not finite at a start, a point that one's own function was asked for in
    ///         this call)
    fn lcc_sampler_step_f64(
        sampler: *mut lcc_sampler_f64, problem: *const lcc_problem_f64, data: *const lcc_data_f64,
        budget: u64,
    ) {
        handle::step(sampler, |o| Ok(o.step(&problem::read(problem, data)?, budget)?))?
    }

    /// Mean and variance of each coordinate of w over all draws of one chain so far, stored or not.
    ///
    /// @param mean      out: dim values
    /// @param variance  out: dim values (denominator draws - 1; NaN below two draws)
    /// @param dim       lcc_problem_dim_f64
    fn lcc_sampler_moments_f64(
        sampler: *const lcc_sampler_f64, chain: usize, mean: *mut f64, variance: *mut f64,
        dim: usize,
    ) {
        let sampler = open(sampler)?;
        raw::refuse(dim < sampler.dim(), LCC_ERROR_CAPACITY)?;
        raw::refuse(chain >= sampler.options().chains as usize, LCC_ERROR_INDEX)?;
        let (mean, variance) =
            (raw::slice_mut(mean, sampler.dim())?, raw::slice_mut(variance, sampler.dim())?);
        for (j, (m, v)) in mean.iter_mut().zip(variance).enumerate() {
            if let Some(moments) = sampler.moments(chain, Column::Weight(j)) {
                (*m, *v) = (moments.mean, moments.variance);
            }
        }
    }

    /// R-hat of one coordinate from the means and variances of the chains, over every draw so far, stored
    /// or not (Gelman and Rubin 1992: not split, not rank-normalised; blind to a drift that all chains
    /// share). The check that is left where there is no memory for draws.
    ///
    /// @param rhat  out: NaN for one chain
    /// @return LCC_ERROR_NOT_DONE before the second draw
    fn lcc_sampler_rhat_f64(sampler: *const lcc_sampler_f64, coordinate: usize) -> (rhat: f64) {
        let sampler = open(sampler)?;
        raw::refuse(coordinate >= sampler.dim(), LCC_ERROR_INDEX)?;
        let draws = sampler.position().draws;
        raw::refuse(draws < 2, LCC_ERROR_NOT_DONE)?;
        // Of one chain of each antithetic pair. In the middle of an iteration some chains are one draw ahead: the
        // variance of each is that of its own draws.
        let step = if sampler.options().antithetic.on() { 2 } else { 1 };
        let squares = draws.saturating_sub(1) as f64;
        let chains = (0..sampler.options().chains as usize)
            .step_by(step)
            .filter_map(|chain| sampler.moments(chain, Column::Weight(coordinate)))
            .map(|m| [m.mean, 0.0, m.variance * squares, 0.0]);
        diagnostics::rhat_from_moments(draws.into(), chains)
    }

    /// The step size of one chain, in radians of the rotation under the reference.
    fn lcc_sampler_step_size_f64(
        sampler: *const lcc_sampler_f64, chain: usize,
    ) -> (step_size: f64) {
        open(sampler)?.step_size(chain).ok_or(LCC_ERROR_INDEX)?
    }

    /// Puts chains together that ran apart, in threads, processes or machines: takes over the chains of parts
    /// and becomes, in everything that it reports or goes on to draw, bit for bit the sampler that would have run
    /// them all.
    ///
    /// Parts are handles of the same data and options, chains, first_chain, lanes and portable apart, in the
    /// order of their chains and without a gap. All stand at the same place, between iterations of all chains: at their
    /// end, or where steps of a budget of 1, which never go past one, have brought them. What the sampler
    /// held before does not matter: a part may as well be made from a whole, to go on with its share. Parts from other
    /// processes come as checkpoints. Copies, no flops.
    ///
    /// @param sampler  the handle: made as if to run all chains
    /// @param parts    handles, none of them this one; unchanged
    /// @return LCC_ERROR_PARTS
    fn lcc_sampler_join_f64(
        sampler: *mut lcc_sampler_f64, parts: *const *const lcc_sampler_f64, count: usize,
    ) {
        handle::join(sampler, parts, count, |whole, parts| {
            whole.join(parts.iter().map(|part| open(*part)))
        })?
    }
}
