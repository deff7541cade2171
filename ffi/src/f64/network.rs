//! The network regressor

use crate::f64::data::{dataset, lcc_data_f64};
use crate::model;
use crate::prelude::*;
use lcc_core::estimator::{NetworkOptions, NetworkRegressor};

handle! {
    /// A regressor, in the caller's memory.
    ///
    /// On standardised inputs and target, f(x) = b0 + c.x + sum_m v_m psi(b_m + x.w_m), and y is f plus
    /// Student-t noise. Weights have hierarchical priors: a scale for each input (automatic relevance),
    /// for the outer weights and for the linear part, all sampled, as are the noise's scale and its tail.
    /// Chains start from the best of some optimised points, are sampled by Hamiltonian Monte Carlo with
    /// Gibbs draws between, and are kept as an ensemble.
    struct lcc_network_f64: NetworkRegressor<f64>, Network, network;
}

/// What a regressor is asked to do. The defaults need no tuning.
pub type lcc_network_options_f64 = NetworkOptions<f64>;

abi! {
    /// Writes the defaults.
    fn lcc_network_options_default_f64() -> (options: lcc_network_options_f64) {
        NetworkOptions::default()
    }

    /// The bytes that a regressor takes.
    fn lcc_network_size_f64(
        options: *const lcc_network_options_f64, n: usize, d: usize,
    ) -> (bytes: usize) {
        handle::size(NetworkRegressor::size(&raw::sized(options)?, n, d)?)?
    }

    /// Builds a regressor at the start of a block of memory. Reads the data.
    ///
    /// @return LCC_ERROR_CONSTANT_TARGET
    fn lcc_network_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_network_options_f64,
        data: *const lcc_data_f64,
    ) -> (network: *mut lcc_network_f64) {
        let (options, data) = (raw::sized(options)?, dataset(data)?);
        let size = NetworkRegressor::size(&options, data.n(), data.d())?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            NetworkRegressor::init(block, &options, isa, &data)
        })?
    }

    /// As lcc_network_init_f64, but the chains start from draws of a model, evenly spread, and the data are
    /// put in the model's units: no search, whatever starts says. For data that have changed a little: a
    /// window of the last rows, refitted from the last model with some tens of iterations of warm-up.
    ///
    /// @param options  what to do, with the model's neurons and activation, and standardise 1
    /// @param model    the model, of either precision; not needed afterwards
    /// @return as lcc_network_init_f64; LCC_ERROR_IMAGE_SHAPE where the model does not fit data and options
    fn lcc_network_init_from_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_network_options_f64,
        data: *const lcc_data_f64, model: *const u8, model_bytes: usize,
    ) -> (network: *mut lcc_network_f64) {
        let (options, data, image) =
            (raw::sized(options)?, dataset(data)?, model::open(model, model_bytes)?);
        let size = NetworkRegressor::size(&options, data.n(), data.d())?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            NetworkRegressor::init_from(block, &options, isa, &data, &image)
        })?
    }

    /// Works until the budget is used up, or to the end. A unit of work (one optimisation step or one
    /// transition of a block of chains) is never split: a call overshoots by less than
    /// (leapfrogs + 4) * n * lanes. One visit costs about 4 M (d + 2) flops and M activations.
    fn lcc_network_step_f64(network: *mut lcc_network_f64, data: *const lcc_data_f64, budget: u64) {
        handle::step(network, |o| Ok(o.step(&dataset(data)?, budget)?))?
    }

    /// The bytes of the model at most: chains * keep draws of M (d + 2) + d + 3 values, and a head.
    fn lcc_network_model_size_f64(network: *const lcc_network_f64) -> (bytes: usize) {
        open(network)?.model_size()?
    }

    /// Writes the model (a posterior image): the draws kept so far by the chains in use, with the units of
    /// the data. It may be asked for as soon as there is a draw, and again later.
    ///
    /// @param model  out: lcc_network_model_size_f64 bytes, of any alignment
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_network_write_model_f64(
        network: *const lcc_network_f64, model: *mut u8, bytes: usize,
    ) -> (written: usize) {
        let network = open(network)?;
        network.write_model(model::room(model, bytes, network.model_size()?)?)?
    }

    /// The bytes that lcc_network_write_prior_f64 needs.
    ///
    /// @param draws  draws from the prior, at least 1
    /// @return LCC_ERROR_DRAWS, LCC_ERROR_MEMORY_SIZE where no model is that large
    fn lcc_network_prior_size_f64(
        network: *const lcc_network_f64, draws: usize,
    ) -> (model: usize, scratch: usize) {
        raw::refuse(draws == 0, LCC_ERROR_DRAWS)?;
        let (bytes, values) = open(network)?.prior_size(draws)?;
        (bytes, raw::scratch_size::<f64, _>([values])?)
    }

    /// Writes a model of draws from the prior, in the units of the data: what the regressor believes of y
    /// before it learns. Every lcc_model_ function reads it, so predictions and draws from it are those of
    /// the prior predictive law. May be asked for as soon as there is a handle.
    ///
    /// @param draws    draws from the prior, at least 1
    /// @param scratch  bytes as lcc_network_prior_size_f64 says
    /// @param model    out: bytes as lcc_network_prior_size_f64 says, of any alignment
    /// @return LCC_ERROR_DRAWS
    fn lcc_network_write_prior_f64(
        network: *const lcc_network_f64, seed: u64, draws: usize, scratch: *mut u8,
        scratch_bytes: usize, model: *mut u8, bytes: usize,
    ) -> (written: usize) {
        let network = open(network)?;
        raw::refuse(draws == 0, LCC_ERROR_DRAWS)?;
        let (most, values) = network.prior_size(draws)?;
        let [scratch] = raw::scratch(scratch, scratch_bytes, [values])?;
        network.write_prior(seed, draws, scratch, model::room(model, bytes, most)?)?
    }

    /// The step size of one chain's trajectories, in units of its mass matrix; the one adapted to once the
    /// warm-up is over.
    fn lcc_network_step_size_f64(
        network: *const lcc_network_f64, chain: usize,
    ) -> (step_size: f64) {
        open(network)?.step_size(chain).ok_or(LCC_ERROR_INDEX)?
    }

    /// Puts chains together that ran apart, as lcc_sampler_join_f64 does those of a sampler: bit for bit the network
    /// that would have run them all. All parts stand between search steps or iterations of all chains.
    ///
    /// @param network  the handle: made as if to run all chains
    /// @param parts    handles, none of them this one; unchanged
    /// @return LCC_ERROR_PARTS
    fn lcc_network_join_f64(
        network: *mut lcc_network_f64, parts: *const *const lcc_network_f64, count: usize,
    ) {
        handle::join(network, parts, count, |whole, parts| {
            whole.join(parts.iter().map(|part| open(*part)))
        })?
    }
}
