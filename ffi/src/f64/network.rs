//! The network regressor

use crate::f64::data::lcc_data_f64;
use crate::handle;
use crate::model;
use crate::network;
use crate::note;
use crate::raw;
use crate::status::lcc_status;
use lcc_core::checkpoint::Kind;
use lcc_core::estimator::{NetworkOptions, NetworkRegressor, Status};

/// A regressor, in the caller's memory.
///
/// On standardised inputs and target, f(x) = b0 + c.x + sum_m v_m psi(b_m + x.w_m), and y is f plus
/// Student-t noise. Weights have hierarchical priors: a scale for each input (automatic relevance),
/// for the outer weights and for the linear part, all sampled, as are the noise's scale and its tail.
/// Chains start from the best of some optimised points, are sampled by Hamiltonian Monte Carlo with
/// Gibbs draws between, and are kept as an ensemble.
pub struct lcc_network_f64 {
    _private: [u8; 0],
}

impl handle::Object for lcc_network_f64 {
    const KIND: Kind = Kind::Network;
    type Real = f64;
}

/// What a regressor is asked to do. The defaults need no tuning.
pub type lcc_network_options_f64 = NetworkOptions<f64>;

/// # Safety
/// NULL or a handle of this type that nobody else uses during `'a`.
pub(crate) unsafe fn open<'a>(
    network: *const lcc_network_f64,
) -> Result<NetworkRegressor<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let (memory, isa) = unsafe { handle::open(network)? };
    Ok(NetworkRegressor::open(memory, isa)?)
}

/// Writes the defaults.
///
/// @param options  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_options_default_f64(
    options: *mut lcc_network_options_f64,
) -> i32 {
    // SAFETY: the header asks for valid pointers.
    raw::call(|| unsafe { raw::defaults(options) })
}

/// The bytes that a regressor takes, at an address that is a multiple of 16.
///
/// @param options  what to do
/// @param n        rows
/// @param d        columns
/// @param bytes    out
/// @return LCC_OK, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, or what is wrong with an option
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_size_f64(
    options: *const lcc_network_options_f64,
    n: usize,
    d: usize,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let options = unsafe { raw::sized(options)? };
        let size = NetworkRegressor::size(&options, n, d)?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, handle::size(size)?)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Builds a regressor at the start of a block of memory. Reads the data.
///
/// @param memory   lcc_network_size_f64 bytes, aligned to 16
/// @param bytes    the bytes at memory
/// @param options  what to do
/// @param data     rows and targets, in their own units
/// @param network  out: the handle, which is memory itself
/// @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_CONSTANT_TARGET, or what is
///         wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_init_f64(
    memory: *mut u8,
    bytes: usize,
    options: *const lcc_network_options_f64,
    data: *const lcc_data_f64,
    network: *mut *mut lcc_network_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (options, data) =
            unsafe { (raw::sized(options)?, raw::reference(data)?.raw().dataset()?) };
        raw::writable(network)?;
        let size = NetworkRegressor::size(&options, data.n(), data.d())?;
        let portable = options.portable.on();
        // SAFETY: as above.
        unsafe {
            handle::build(memory, bytes, size, portable, network, |block| {
                NetworkRegressor::init(block, &options, handle::isa(portable), &data)
                    .map(|o| note::network(&o))
            })?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// As lcc_network_init_f64, but the chains start from draws of a model, evenly spread, and the data are
/// put in the model's units: no search, whatever starts says. For data that have changed a little: a
/// window of the last rows, refitted from the last model with some tens of iterations of warm-up.
///
/// @param memory       lcc_network_size_f64 bytes, aligned to 16
/// @param bytes        the bytes at memory
/// @param options      what to do, with the model's neurons and activation, and standardise 1
/// @param data         rows and targets, in their own units
/// @param model        the model, of either precision; not needed afterwards
/// @param model_bytes  the bytes at model
/// @param network      out: the handle, which is memory itself
/// @return as lcc_network_init_f64; LCC_ERROR_IMAGE_SHAPE where the model does not fit data and options
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_init_from_f64(
    memory: *mut u8,
    bytes: usize,
    options: *const lcc_network_options_f64,
    data: *const lcc_data_f64,
    model: *const u8,
    model_bytes: usize,
    network: *mut *mut lcc_network_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (options, data, image) = unsafe {
            (
                raw::sized(options)?,
                raw::reference(data)?.raw().dataset()?,
                model::open(model, model_bytes)?,
            )
        };
        raw::writable(network)?;
        let size = NetworkRegressor::size(&options, data.n(), data.d())?;
        let portable = options.portable.on();
        // SAFETY: as above.
        unsafe {
            handle::build(memory, bytes, size, portable, network, |block| {
                let isa = handle::isa(portable);
                NetworkRegressor::init_from(block, &options, isa, &data, &image)
                    .map(|o| note::network(&o))
            })?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// Works until the budget is used up, or to the end. A unit of work (one optimisation step or one
/// transition of a block of chains) is never split: a call overshoots by less than
/// (leapfrogs + 4) * n * lanes. Each call also reads the data once to know them again, so give it many
/// times n. One visit costs about 4 M (d + 2) flops and M activations.
///
/// @param network  the handle
/// @param data     its data, unchanged
/// @param budget   rows of data times chains to visit; any positive budget advances
/// @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, or what is wrong with the data
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_step_f64(
    network: *mut lcc_network_f64,
    data: *const lcc_data_f64,
    budget: u64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (mut object, data) =
            unsafe { (open(network)?, raw::reference(data)?.raw().dataset()?) };
        let status = object.step(&data, budget);
        let now = note::network(&object);
        // SAFETY: as above.
        unsafe { handle::note(network, now)? };
        Ok(match status? {
            Status::Running => lcc_status::LCC_RUNNING,
            Status::Done => lcc_status::LCC_DONE,
        })
    })
}

/// The bytes of the model at most: chains * keep draws of M (d + 2) + d + 3 values, and a head.
///
/// @param network  the handle
/// @param bytes    out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_model_size_f64(
    network: *const lcc_network_f64,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let value = unsafe { open(network)? }.model_size()?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Writes the model (a posterior image): the draws kept so far by the chains in use, with the units of
/// the data. It may be asked for as soon as there is a draw, and again later.
///
/// @param network  the handle
/// @param model    out: lcc_network_model_size_f64 bytes, of any alignment
/// @param bytes    the bytes at model
/// @param written  out: the model's own length
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_write_model_f64(
    network: *const lcc_network_f64,
    model: *mut u8,
    bytes: usize,
    written: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (network, model) = unsafe { (open(network)?, raw::slice_mut(model, bytes)?) };
        raw::writable(written)?;
        if bytes < network.model_size()? {
            return Err(lcc_status::LCC_ERROR_MEMORY_SIZE);
        }
        let value = network.write_model(model)?;
        // SAFETY: as above.
        unsafe { raw::write(written, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The bytes that lcc_network_write_prior_f64 needs.
///
/// @param network  the handle
/// @param draws    draws from the prior, at least 1
/// @param model    out: bytes of the model
/// @param scratch  out: bytes of scratch
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_DRAWS, LCC_ERROR_OVERFLOW,
///         LCC_ERROR_MEMORY_SIZE where no model is that large
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_prior_size_f64(
    network: *const lcc_network_f64,
    draws: usize,
    model: *mut usize,
    scratch: *mut usize,
) -> i32 {
    raw::call(|| {
        raw::writable(model)?;
        raw::writable(scratch)?;
        // SAFETY: the header asks for valid pointers.
        let (bytes, own) = network::prior_size(&unsafe { open(network)? }, draws)?;
        // SAFETY: as above.
        unsafe {
            raw::write(model, bytes)?;
            raw::write(scratch, own)?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// Writes a model of draws from the prior, in the units of the data: what the regressor believes of y
/// before it learns. Every lcc_model_ function reads it, so predictions and draws from it are those of
/// the prior predictive law. May be asked for as soon as there is a handle.
///
/// @param network        the handle
/// @param seed           names the random numbers
/// @param draws          draws from the prior, at least 1
/// @param scratch        bytes as lcc_network_prior_size_f64 says, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param model          out: bytes as lcc_network_prior_size_f64 says, of any alignment
/// @param bytes          the bytes at model
/// @param written        out: the model's own length
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_DRAWS, LCC_ERROR_OVERFLOW,
///         LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_write_prior_f64(
    network: *const lcc_network_f64,
    seed: u64,
    draws: usize,
    scratch: *mut u8,
    scratch_bytes: usize,
    model: *mut u8,
    bytes: usize,
    written: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (network, scratch, model) = unsafe {
            (open(network)?, raw::slice_mut(scratch, scratch_bytes)?, raw::slice_mut(model, bytes)?)
        };
        raw::writable(written)?;
        let value = network::write_prior(&network, seed, draws, scratch, model)?;
        // SAFETY: as above.
        unsafe { raw::write(written, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The step size of one chain's trajectories, in units of its mass matrix; the one adapted to once the
/// warm-up is over.
///
/// @param network    the handle
/// @param chain      which
/// @param step_size  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_step_size_f64(
    network: *const lcc_network_f64,
    chain: usize,
    step_size: *mut f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let network = unsafe { open(network)? };
        let value = network.step_size(chain).ok_or(lcc_status::LCC_ERROR_INDEX)?;
        // SAFETY: as above.
        unsafe { raw::write(step_size, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Puts chains together that ran apart, in threads, processes or machines: takes over the chains of parts
/// and becomes, in everything that it reports or goes on to draw, bit for bit the network that would have run
/// them all.
///
/// Parts are handles of the same data and options, chains, first_chain, lanes and portable apart, in the
/// order of their chains and without a gap. All stand at the same place, between search steps or iterations of all chains: at their
/// end, or where steps of a budget of 1, which never go past one, have brought them. What the network
/// held before does not matter: a part may as well be made from a whole, to go on with its share. Parts from other
/// processes come as checkpoints. Copies, no flops.
///
/// @param network   the handle: made as if to run all chains
/// @param parts    handles, none of them this one; unchanged
/// @param count    how many
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_PARTS
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_join_f64(
    network: *mut lcc_network_f64,
    parts: *const *const lcc_network_f64,
    count: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (mut whole, parts) = unsafe { (open(network)?, raw::slice(parts, count)?) };
        if parts.contains(&network.cast_const()) {
            return Err(lcc_status::LCC_ERROR_PARTS);
        }
        // SAFETY: as above; one part at a time.
        whole.join(parts.iter().map(|part| unsafe { open(*part) }))?;
        let now = note::network(&whole);
        // SAFETY: as above.
        unsafe { handle::note(network, now)? };
        Ok(lcc_status::LCC_OK)
    })
}
