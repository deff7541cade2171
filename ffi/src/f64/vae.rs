//! The variational auto-encoder

use crate::f64::data::{inputs, lcc_data_f64};
use crate::prelude::*;
use lcc_core::estimator::vae::{Vae, VaeBound, VaeOptions};

handle! {
    /// A variational auto-encoder (Kingma and Welling 2014) in the caller's memory: rows y in R^d have k coordinates
    /// z ~ N(0, I); a decoder network says what y is given z, an encoder network the mean and the sd of z given y. Both
    /// are fitted by the evidence lower bound with one draw of z a row, minibatches and Adam, the parameters averaged
    /// over the last quarter of the steps: a local maximum of a lower bound, no posterior of the parameters. Without
    /// hidden layers it is probabilistic PCA.
    ///
    /// The handle is the model: lcc_checkpoint() of it is what is stored, lcc_restore() what reads it, and it holds no
    /// row of the data.
    struct lcc_vae_f64: Vae<f64>, Vae, vae;
}

/// What an auto-encoder is asked to be, and how it is fitted.
pub type lcc_vae_options_f64 = VaeOptions<f64>;

/// The bound of ln p(y), a row, in the data's units: of a Gaussian output a log density, of a Bernoulli one the logarithm
/// of a probability where y is 0 or the largest value, and of values between them a score that is no density. The two are
/// not comparable.
pub type lcc_vae_bound_f64 = VaeBound<f64>;

/// What an auto-encoder is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_vae_shape_f64 {
    /// Columns d of the rows.
    pub columns: u64,
    /// Coordinates k of z.
    pub latent: u64,
    /// Parameters of both networks.
    pub parameters: u64,
    /// The bytes of scratch of every function that asks for some, aligned to 16.
    pub scratch: u64,
    /// An LCC_VAE_ output.
    pub observed: i32,
    /// Must be ignored.
    pub reserved: u32,
    /// The sd of the noise in the data's units, learnt or given; 0 where the output is Bernoulli.
    pub noise: f64,
}

abi! {
    /// Writes the defaults.
    fn lcc_vae_options_default_f64() -> (options: lcc_vae_options_f64) {
        VaeOptions::default()
    }

    /// The bytes that an auto-encoder of n rows of d columns takes: 5 numbers a parameter and some.
    fn lcc_vae_size_f64(
        options: *const lcc_vae_options_f64, n: usize, d: usize,
    ) -> (bytes: usize) {
        handle::size(Vae::size(&raw::sized(options)?, n, d)?)?
    }

    /// Builds an auto-encoder at the start of a block of memory. Reads x, not y, which may be NULL.
    ///
    /// @return LCC_ERROR_CONSTANT_TARGET where every column is constant, LCC_ERROR_TARGET where a value is below 0
    ///         or above the largest and the output Bernoulli, LCC_ERROR_BATCH
    fn lcc_vae_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_vae_options_f64,
        data: *const lcc_data_f64,
    ) -> (vae: *mut lcc_vae_f64) {
        let (options, rows) = (raw::sized(options)?, inputs(data)?);
        let size = Vae::size(&options, rows.n(), rows.d())?;
        handle::build(memory, bytes, size, false, |block, isa| {
            Vae::init(block, &options, isa, &rows)
        })?
    }

    /// Works until the budget of row visits is used up, or to the end. A step of the fit, `batch` visits, is never split.
    ///
    /// @return LCC_ERROR_START where the bound is no number any more: the rate is too large
    fn lcc_vae_step_f64(vae: *mut lcc_vae_f64, data: *const lcc_data_f64, budget: u64) {
        handle::step(vae, |o| Ok(o.step(&inputs(data)?, budget)?))?
    }

    /// What it is; at any time, as are all that follow.
    fn lcc_vae_shape_of_f64(vae: *const lcc_vae_f64) -> (shape: lcc_vae_shape_f64) {
        let vae = open(vae)?;
        lcc_vae_shape_f64 {
            columns: vae.columns() as u64,
            latent: vae.latent() as u64,
            parameters: vae.parameters().len() as u64,
            scratch: raw::scratch_size::<f64, _>([vae.scratch()])? as u64,
            observed: vae.options().observed.value() as i32,
            reserved: 0,
            noise: vae.noise(),
        }
    }

    /// Writes the mean and the sd of z given each row: n k values each, row by row.
    ///
    /// @param values  room of means and of sds, each
    fn lcc_vae_encode_f64(
        vae: *const lcc_vae_f64, data: *const lcc_data_f64, means: *mut f64, sds: *mut f64,
        values: usize, scratch: *mut u8, scratch_bytes: usize,
    ) {
        let (vae, rows) = (open(vae)?, inputs(data)?);
        let [scratch] = raw::scratch(scratch, scratch_bytes, [vae.scratch()])?;
        raw::refuse(rows.d() != vae.columns(), LCC_ERROR_INPUTS)?;
        let needed = raw::times(rows.n(), vae.latent())?;
        let (means, sds) = (raw::array(means, values, needed)?, raw::array(sds, values, needed)?);
        vae.encode(&rows, means, sds, scratch)?;
    }

    /// Writes the mean of y given each z: n d values, row by row.
    ///
    /// @param data  n rows of k coordinates, as x; y is not read
    fn lcc_vae_decode_f64(
        vae: *const lcc_vae_f64, data: *const lcc_data_f64, out: *mut f64, values: usize,
        scratch: *mut u8, scratch_bytes: usize,
    ) {
        let (vae, z) = (open(vae)?, inputs(data)?);
        let [scratch] = raw::scratch(scratch, scratch_bytes, [vae.scratch()])?;
        raw::refuse(z.d() != vae.latent(), LCC_ERROR_INPUTS)?;
        let out = raw::array(out, values, raw::times(z.n(), vae.columns())?)?;
        vae.decode(&z, out, scratch)?;
    }

    /// Writes n draws of (z, y), noise included: n k values and n d, row by row. The means of y at these z are
    /// lcc_vae_decode_f64's.
    ///
    /// @param z_values  room of z
    /// @param y_values  room of y
    fn lcc_vae_sample_f64(
        vae: *const lcc_vae_f64, n: usize, seed: u64, z: *mut f64, z_values: usize, y: *mut f64,
        y_values: usize, scratch: *mut u8, scratch_bytes: usize,
    ) {
        let vae = open(vae)?;
        raw::refuse(n == 0, LCC_ERROR_DRAWS)?;
        let [scratch] = raw::scratch(scratch, scratch_bytes, [vae.scratch()])?;
        let z = raw::array(z, z_values, raw::times(n, vae.latent())?)?;
        let y = raw::array(y, y_values, raw::times(n, vae.columns())?)?;
        vae.sample(seed, z, y, scratch)?;
    }

    /// The bound of ln p(y), a row, at rows, by so many draws of z a row, two or more.
    ///
    /// @return LCC_ERROR_DRAWS, LCC_ERROR_TARGET
    fn lcc_vae_bound_of_f64(
        vae: *const lcc_vae_f64, data: *const lcc_data_f64, draws: u32, seed: u64, scratch: *mut u8,
        scratch_bytes: usize,
    ) -> (bound: lcc_vae_bound_f64) {
        let (vae, rows) = (open(vae)?, inputs(data)?);
        let [scratch] = raw::scratch(scratch, scratch_bytes, [vae.scratch()])?;
        vae.bound(&rows, draws, seed, scratch)?
    }
}
