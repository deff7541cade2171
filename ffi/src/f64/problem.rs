//! Problems

use crate::f64::bnn_options::lcc_bnn_options_f64;
use crate::f64::data::{dataset, lcc_data_f64};
use crate::prelude::*;
use crate::problem::*;
use core::ffi::{c_int, c_void};
use lcc_core::activation::Activation;
use lcc_core::density::Extent;
use lcc_core::likelihood::{Likelihood, LogDensity, Signs};
use lcc_core::network::{Deep, DeepPosterior};
use lcc_core::output::Output;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::random::{Purpose, Stream};
use lcc_core::reference::{Affine, affine_len};
use lcc_core::scalar::Real;
use lcc_core::simd::{Isa, Portable};

/// log p(x) of your own, up to a constant: writes it to logp and, unless grad is NULL, its gradient to
/// grad (n values). Returns 0, or anything else where x is outside the support; so is what it writes NaN for. Called for one chain at a
/// time, from the thread that calls the sampler; x, grad and logp are valid during the call only. The same
/// x must give the same bits wherever resumed or repeated runs are to agree: compile it with
/// -ffp-contract=off.
pub type lcc_density_f64 = Option<
    unsafe extern "C" fn(
        n: usize,
        x: *const f64,
        grad: *mut f64,
        logp: *mut f64,
        ctx: *mut c_void,
    ) -> c_int,
>;

/// The same of `lanes` points at once, 1 or 8, for densities that are faster so: coordinate i of point k is
/// x[i * lanes + k], as is its derivative in grad (NULL or n * lanes values), and logp holds `lanes` values, -INFINITY or
/// NaN outside the support. Each point must have the bits that it has alone. Returns 0, or anything else where all are
/// outside the support.
pub type lcc_densities_f64 = Option<
    unsafe extern "C" fn(
        n: usize,
        lanes: usize,
        x: *const f64,
        grad: *mut f64,
        logp: *mut f64,
        ctx: *mut c_void,
    ) -> c_int,
>;

/// A posterior to sample. Its data are handed in beside it.
///
/// Greedy: p(w) ~ exp(alpha sum_i y_i psi(x_i.w)) p0(w), w in R^d, the y_i being residuals.
/// Joint:  p(w_1..w_M) ~ exp(-(beta/2) sum_i (y_i - (outer/M) sum_m s_m psi(x_i.w_m))^2) prod p0(w_m).
/// p0 is N(0, scale^2 I), or uniform on the l1 ball of radius scale.
/// User:   p(x) by the callback, x in R^dim; no data (NULL), no prior. Chains start from N(0, scale^2 I),
/// which is also what split HMC solves exactly and what independence Metropolis proposes: make scale
/// about as large as the law is wide.
/// Network: every parameter of a network of any depth and output under its prior. w are coordinates, N(0, 1)
/// each under the law that chains start from: one for each parameter in units of its scale, and behind them, in
/// units of their priors, the logarithms of the sampled scales and of the family's own (the noise's precision, r); lcc_read_model_f64
/// makes networks of them. Its evidence is that of y.
/// Layers: the joint posterior of several hidden layers, f = (outer/M) sum_m s_m psi(w_m . psi(... psi(W_1 x))), every row of
/// every layer under p0. w are coordinates, N(0, 1) each under the prior; lcc_read_model_f64 makes networks of them. Under the
/// l1 prior LCC_METHOD_GIBBS goes layer by layer, chain by chain whatever lanes are asked for.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_problem_f64 {
    /// sizeof(lcc_problem_f64), set by lcc_problem_default_f64.
    pub struct_size: u32,
    /// LCC_POSTERIOR_GREEDY, _JOINT, _USER, _NETWORK or _LAYERS. Default: greedy.
    pub posterior: i32,
    /// An LCC_ACTIVATION_ code. Default: tanh.
    pub activation: i32,
    /// LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
    pub prior: i32,
    /// Joint, layers: LCC_SIGNS_ALTERNATING (+ - + - ...) or LCC_SIGNS_POSITIVE. Default: alternating.
    pub signs: i32,
    /// Joint: the neurons M, at least 1. Default 8.
    pub neurons: u32,
    /// The prior's sd, or the radius of the l1 ball: positive. Default 1.
    pub scale: f64,
    /// Greedy: alpha, positive. Default 1/sqrt(n).
    pub alpha: f64,
    /// Joint, layers: the outer weight V, positive. Default 4.
    pub outer: f64,
    /// Joint, layers: the noise's precision beta, positive. Default 1.
    pub beta: f64,
    /// User: the log density. Default NULL.
    pub density: lcc_density_f64,
    /// User: the same of several points at once, instead or beside it: then asked wherever there are several. Default
    /// NULL.
    pub densities: lcc_densities_f64,
    /// User: handed to the density. Default NULL.
    pub context: *mut c_void,
    /// User: the coordinates of x, at least 1. Default 0.
    pub dim: usize,
    /// User: 1 where the density writes gradients; 0 where it does not (grad is then always NULL), and
    /// random walk and independence are the methods. Default 1.
    pub gradient: u32,
    /// Must be 0.
    pub reserved: u32,
    /// Network: its layers, activation, output, noise and prior, as lcc_bnn_options_f64 has them; student-t
    /// needs a known tail. The data are taken as they are: standardise, and what is about chains, mean nothing
    /// here. Layers: its widths are theirs; no other member is read. Default NULL.
    pub network: *const lcc_bnn_options_f64,
    /// User: the frame x = m + L w in which it is sampled, N(m, LL') taking the place of N(0, scale^2 I): m, then L
    /// row by row (lcc_warmup_frame_f64), dim + dim (dim + 1)/2 numbers; L's diagonal is positive. Draws are of x.
    /// Not for lcc_auto_f64, which finds its own. Default NULL: none.
    pub frame: *const f64,
    /// User: points x at which chains, and ascents of a warm-up (lcc_auto_f64's too), begin, one after another,
    /// dim numbers each: chain 0 at the first. Those beyond them begin about the points in turn, at draws of
    /// N(x, scale^2 I), or in a frame N(x, LL'), and so does an ascent whose point is outside the support. Read when they
    /// begin, and not by particles and tempered chains. Default NULL: draws about 0, or the frame's mean.
    pub start: *const f64,
    /// User: how many points. Default 0.
    pub starts: usize,
}

impl LogDensity<f64> for lcc_problem_f64 {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        let mut value = f64::NAN;
        let Some(density) = self.density else {
            self.evaluate_many(x, gradient, core::slice::from_mut(&mut value));
            return (value != f64::NEG_INFINITY).then_some(value);
        };
        let gradient = gradient.map_or(core::ptr::null_mut(), |g| g.as_mut_ptr());
        // SAFETY: x and gradient hold as many values as the callback is told.
        let status =
            unsafe { density(x.len(), x.as_ptr(), gradient, &raw mut value, self.context) };
        (status == 0).then_some(value)
    }

    fn evaluate_many(&self, x: &[f64], gradient: Option<&mut [f64]>, values: &mut [f64]) -> bool {
        let Some(densities) = self.densities else { return false };
        let gradient = gradient.map_or(core::ptr::null_mut(), |g| g.as_mut_ptr());
        let lanes = values.len();
        let n = x.len().checked_div(lanes).unwrap_or(0);
        // SAFETY: x and gradient hold n * lanes values, and values as many as there are lanes.
        let status =
            unsafe { densities(n, lanes, x.as_ptr(), gradient, values.as_mut_ptr(), self.context) };
        if status != 0 {
            values.fill(f64::NEG_INFINITY);
        }
        true
    }
}

impl lcc_problem_f64 {
    fn activation(&self) -> Result<Activation, lcc_status> {
        Activation::from_code(self.activation).ok_or(LCC_ERROR_ACTIVATION)
    }

    fn signs(&self) -> Result<Signs, lcc_status> {
        match self.signs {
            LCC_SIGNS_ALTERNATING => Ok(Signs::Alternating),
            LCC_SIGNS_POSITIVE => Ok(Signs::Positive),
            _ => Err(LCC_ERROR_SIGNS),
        }
    }

    /// The network's output under this problem.
    pub(crate) fn output(&self) -> Result<Output<f64>, lcc_status> {
        let activation = self.activation()?;
        let (neurons, signs, factor) = match self.posterior {
            LCC_POSTERIOR_GREEDY => (1, Signs::Positive, 1.0),
            LCC_POSTERIOR_JOINT => {
                (self.neurons as usize, self.signs()?, self.outer / self.neurons as f64)
            }
            _ => return Err(LCC_ERROR_POSTERIOR),
        };
        Ok(Output { activation, neurons, signs, factor })
    }
}

/// # Safety
/// Valid or NULL pointers, unwritten during `'a`.
pub(crate) unsafe fn read<'a>(
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
) -> Result<Problem<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let p = unsafe { raw::sized(problem)? };
    if p.posterior == LCC_POSTERIOR_USER {
        raw::refuse(p.density.is_none() && p.densities.is_none(), LCC_ERROR_NULL)?;
        raw::refuse(p.reserved != 0, LCC_ERROR_SWITCH)?;
        let gradient = handle::switch(p.gradient)?;
        // SAFETY: as above; its size was checked.
        let density = unsafe { raw::reference(problem)? };
        let mut problem = Problem::user(density, p.dim, p.scale, gradient)?;
        if !p.start.is_null() || p.starts != 0 {
            raw::refuse(p.starts == 0, LCC_ERROR_EMPTY)?;
            // SAFETY: the caller's promise.
            let points = unsafe { raw::slice(p.start, raw::times(p.starts, p.dim)?)? };
            raw::refuse(!points.iter().all(|x| x.is_finite()), LCC_ERROR_NOT_FINITE_VALUE)?;
            problem = problem.starting(points);
        }
        if p.frame.is_null() {
            return Ok(problem);
        }
        let numbers = affine_len(p.dim).ok_or(LCC_ERROR_OVERFLOW)?;
        // SAFETY: the caller's promise.
        let frame = Affine::new(unsafe { raw::slice(p.frame, numbers)? }, p.dim);
        let frame = frame.filter(Affine::is_sound).ok_or(LCC_ERROR_REFERENCE)?;
        return Ok(problem.about(frame));
    }
    // SAFETY: as above.
    let data = unsafe { dataset(data)? };
    if p.posterior == LCC_POSTERIOR_NETWORK {
        // SAFETY: the caller's promise.
        let options = unsafe { raw::sized(p.network)? };
        options.check()?;
        return Ok(Problem::network(options.network(data))?);
    }
    let activation = p.activation()?;
    let prior = prior(p.prior, p.scale).ok_or(LCC_ERROR_PRIOR)?;
    Ok(match p.posterior {
        LCC_POSTERIOR_GREEDY => Problem::greedy(data, activation, prior, p.alpha)?,
        LCC_POSTERIOR_JOINT => {
            let (neurons, signs) = (p.neurons as usize, p.signs()?);
            Problem::joint(data, activation, prior, neurons, p.outer, p.beta, signs)?
        }
        LCC_POSTERIOR_LAYERS => {
            // SAFETY: the caller's promise.
            let widths = unsafe { raw::sized(p.network)? }.widths;
            let (outer, beta, signs) = (p.outer, p.beta, p.signs()?);
            let deep = Deep { data, activation, widths, outer, beta, signs };
            Problem::deep(DeepPosterior::new(deep, prior)?)?
        }
        _ => return Err(LCC_ERROR_POSTERIOR),
    })
}

/// Adds the prior to the value and the gradient of the likelihood, or of what is conditional on xi.
pub(crate) fn add_prior(
    problem: &Problem<'_, f64>,
    likelihood: f64,
    w: &[[f64; 1]],
    gradient: &mut [[f64; 1]],
) -> f64 {
    let prior = problem.prior();
    let [log_prior] = prior.log_density(Portable, problem.d(), w);
    if let Prior::Gaussian { sd } = prior {
        for ([g], [w]) in gradient.iter_mut().zip(w) {
            *g -= *w / (sd * sd);
        }
    }
    likelihood + log_prior
}

/// The latent coordinates of a draw from the prior, and what mapping them leaves.
fn prior_scratch(problem: &Problem<'_, f64>) -> [usize; 2] {
    let (prior, d) = (problem.prior(), problem.d());
    [prior.latent_dim(d), prior.scratch(d)]
}

abi! {
    /// Writes the defaults: a greedy posterior with tanh under N(0, I), alpha = 1/sqrt(n).
    ///
    /// @param n  the rows of the data that will go with it, at least 1
    fn lcc_problem_default_f64(problem: *mut lcc_problem_f64, n: usize) {
        raw::refuse(n == 0, LCC_ERROR_EMPTY)?;
        let value = lcc_problem_f64 {
            struct_size: size_of::<lcc_problem_f64>() as u32,
            posterior: LCC_POSTERIOR_GREEDY,
            activation: Activation::Tanh as i32,
            prior: LCC_PRIOR_GAUSSIAN,
            signs: LCC_SIGNS_ALTERNATING,
            neurons: 8,
            scale: 1.0,
            alpha: 1.0 / <f64 as Real>::of_usize(n).sqrt(),
            outer: 4.0,
            beta: 1.0,
            density: None,
            densities: None,
            context: core::ptr::null_mut(),
            dim: 0,
            gradient: 1,
            reserved: 0,
            network: core::ptr::null(),
            frame: core::ptr::null(),
            start: core::ptr::null(),
            starts: 0,
        };
        raw::write(problem, value)?;
    }

    /// The coordinates of w: d (greedy), M d (joint; w_1 first), dim (user), or those of a network or of its layers.
    fn lcc_problem_dim_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64,
    ) -> (dim: usize) {
        read(problem, data)?.dim()
    }

    /// The bytes of scratch that lcc_problem_log_density_f64 needs.
    fn lcc_problem_scratch_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64,
    ) -> (bytes: usize) {
        raw::scratch_size::<f64, _>([read(problem, data)?.likelihood().scratch()])?
    }

    /// log p(w) up to the posterior's own constant (the prior is normalised) and its gradient: what the
    /// samplers see, and a density for any other program. 4 n dim flops and n activations (n M for the
    /// joint posterior). Outside the l1 ball the density is -infinity and the gradient that of the
    /// likelihood alone.
    ///
    /// @param w         dim values
    /// @param scratch   lcc_problem_scratch_f64 bytes
    /// @param gradient  out: dim values
    fn lcc_problem_log_density_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64, w: *const f64,
        scratch: *mut u8, bytes: usize, log_density: *mut f64, gradient: *mut f64,
    ) {
        let problem = read(problem, data)?.unframed();
        let (dim, likelihood) = (problem.dim(), problem.likelihood());
        raw::writable(log_density)?;
        let (w, _) = raw::slice(w, dim)?.as_chunks();
        let (gradient, _) = raw::slice_mut(gradient, dim)?.as_chunks_mut();
        let [scratch] = raw::scratch(scratch, bytes, [likelihood.scratch()])?;
        let (scratch, _) = scratch.as_chunks_mut();
        let [value] = likelihood.value_and_gradient(Isa::detect(), w, gradient, scratch);
        raw::write(log_density, add_prior(&problem, value, w, gradient))?;
    }

    /// The bytes of scratch that lcc_problem_draw_prior_f64 needs.
    fn lcc_problem_prior_scratch_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64,
    ) -> (bytes: usize) {
        raw::scratch_size::<f64, _>(prior_scratch(&read(problem, data)?))?
    }

    /// Independent draws of w from the prior p0: out[k * dim + j] is coordinate j of draw k. One seed names
    /// one sequence, so that more draws begin with the same ones.
    ///
    /// @param data     its data, for their columns
    /// @param draws    how many, at least 1
    /// @param scratch  lcc_problem_prior_scratch_f64 bytes
    /// @param out      out: draws * dim values
    /// @return LCC_ERROR_DRAWS
    fn lcc_problem_draw_prior_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64, seed: u64, draws: usize,
        scratch: *mut u8, bytes: usize, out: *mut f64, len: usize,
    ) {
        let problem = read(problem, data)?;
        raw::refuse(draws == 0, LCC_ERROR_DRAWS)?;
        let out = raw::array(out, len, raw::times(draws, problem.dim())?)?;
        let scratch = raw::scratch(scratch, bytes, prior_scratch(&problem))?;
        let [latent, scratch] = scratch.map(|part| part.as_chunks_mut().0);
        let mut stream = [Stream::new(seed, 0, Purpose::Predictive)];
        let (prior, d, isa) = (problem.prior(), problem.d(), Isa::detect());
        for w in out.as_chunks_mut().0.chunks_exact_mut(d.max(1)) {
            prior.draw_on(isa, d, &mut stream, latent, w, scratch);
            if let Some(frame) = problem.own().and_then(|user| user.frame) {
                let z = latent.as_flattened_mut();
                z.iter_mut().zip(&*w).for_each(|(z, [w])| *z = *w);
                frame.point(z, w.as_flattened_mut());
            }
        }
    }
}
