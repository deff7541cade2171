//! Names

use crate::prelude::*;
use core::ffi::c_char;
use lcc_core::activation::Activation;
use lcc_core::network::{Output, Scales};
use lcc_core::remarks::Remark;
use lcc_core::sampler::Method;

codes! {
    i32 LCC_REMARK_FAR = 0, "A column of X has a few values far from all others.";
    i32 LCC_REMARK_REPEATED = 1, "The target is one number in many rows.";
    i32 LCC_REMARK_COUNTS = 2, "A column of X grows by whole numbers from row to row.";
    i32 LCC_REMARK_WIDE = 3, "There are more inputs than rows.";
    i32 LCC_REMARK_CONSTANT = 4, "Columns of X have the same value in all rows.";
    i32 LCC_REMARK_DATES = 5, "A column of X has dates of eight digits.";
    i32 LCC_REMARK_TOTALS = 6, "A row has the sums of all others.";
    i32 LCC_REMARK_FEW = 7, "There are few rows.";
    i32 LCC_REMARK_COPIES = 8, "Rows are there more than once.";
    i32 LCC_REMARK_SAME = 9, "A column of X is the target in many rows, and not in the others.";
    i32 LCC_ACTIVATION_TANH = 0, "tanh(z)";
    i32 LCC_ACTIVATION_LOGISTIC = 1, "1 / (1 + exp(-z))";
    i32 LCC_ACTIVATION_SOFTPLUS = 2, "log(1 + exp(z))";
    i32 LCC_ACTIVATION_SQUARED_RELU = 3, "max(z, 0)^2 / 2; V is half as large where a network is written in max(z, 0)^2";
    i32 LCC_ACTIVATION_ERF = 4, "erf(z)";
    i32 LCC_ACTIVATION_SINE = 5, "sin(z)";
    i32 LCC_ACTIVATION_GAUSSIAN_BUMP = 6, "exp(-z^2 / 2)";
    i32 LCC_ACTIVATION_GELU = 7, "z Phi(z), Phi the standard normal distribution function";
    i32 LCC_ACTIVATION_SILU = 8, "z / (1 + exp(-z))";
    i32 LCC_ACTIVATION_ARCTAN = 9, "arctan(z)";
    i32 LCC_ACTIVATION_RELU = 10, "max(z, 0): no coupling and no certificate, for its curvature has no bound.";
    i32 LCC_METHOD_SPLIT_HMC = 0, "HMC with exact rotations under the Gaussian reference.";
    i32 LCC_METHOD_GIBBS = 1, "xi given w, then w given xi: exact, and log-concave inside.";
    i32 LCC_METHOD_XI_LANGEVIN = 2, "Langevin on the score of p(xi) with an inner chain: biased in its step and inner length.";
    i32 LCC_METHOD_HMC = 3, "HMC by leapfrog steps of the whole log density: exact; split HMC is mostly the better.";
    i32 LCC_METHOD_MALA = 4, "Metropolis-adjusted Langevin, HMC of one step adapted to acceptance .574: exact, a cheap iteration.";
    i32 LCC_METHOD_LANGEVIN = 5, "Unadjusted Langevin: biased in its step.";
    i32 LCC_METHOD_RANDOM_WALK = 6, "Random-walk Metropolis, adapted to acceptance .234: exact, no gradients, slow in many dimensions.";
    i32 LCC_METHOD_INDEPENDENCE = 7, "Metropolis with proposals from the prior: exact, no gradients, for posteriors close to the prior.";
    i32 LCC_METHOD_REVERSE_DIFFUSION = 8, "From noise to data along the laws of the noised xi: biased in its levels and inner length.";
    i32 LCC_METHOD_HIT_AND_RUN = 9, "Random lines through w in the l1 ball, needing the l1 prior as all below: exact, no gradients, no step size; exact draws along lines for squared ReLU.";
    i32 LCC_METHOD_COORDINATE_HIT_AND_RUN = 10, "The same along the coordinates, all of them in an iteration.";
    i32 LCC_METHOD_BALL_WALK = 11, "Metropolis with uniform steps in a Euclidean ball: exact, no gradients, for comparisons.";
    i32 LCC_METHOD_DIKIN = 12, "Metropolis with Gaussian steps in the metric of a barrier: exact, no gradients, for densities that fill the l1 ball.";
    i32 LCC_METHOD_MIRROR_LANGEVIN = 13, "Metropolis-adjusted Langevin in the dual coordinates of the same barrier: exact.";
    i32 LCC_METHOD_REFLECTION = 14, "HMC with reflection at the facets of the l1 ball: exact.";
    i32 LCC_METHOD_DIFFUSION_FROM_NOISE = 15, "Reverse diffusion whose every iteration begins from N(0, I): biased in its start, which no number of levels or steps mends.";
    i32 LCC_METHOD_XI_MALA = 16, "Langevin on the score of p(xi), adjusted by Metropolis' rule with an estimated ratio and a penalty for its noise: not biased in its step.";
    i32 LCC_METHOD_RIEMANNIAN = 17, "HMC in the metric of the l1 ball's barrier, its steps checked to be reversible: exact, for comparisons.";
    i32 LCC_OUTPUT_STUDENT_T = 0, "y = o + sigma t_nu.";
    i32 LCC_OUTPUT_GAUSSIAN = 1, "y ~ N(o, sigma^2).";
    i32 LCC_OUTPUT_MEAN_VARIANCE = 2, "y ~ N(o1, exp(o2) + floor^2).";
    i32 LCC_OUTPUT_MIXTURE = 3, "A mixture of K Gaussians: K logits, K means, K logarithms of variances.";
    i32 LCC_OUTPUT_BERNOULLI = 4, "y is 0 or 1, P(1) = 1 / (1 + exp(-o)).";
    i32 LCC_OUTPUT_SOFTMAX = 5, "y is a class 0 to K - 1, P(k) ~ exp(o_k).";
    i32 LCC_OUTPUT_POISSON = 6, "y is a count of mean exp(o) times exposure.";
    i32 LCC_OUTPUT_NEGATIVE_BINOMIAL = 7, "y is a count of the same mean m and of variance m + m^2 / r.";
    i32 LCC_OUTPUT_ORDINAL = 8, "y is a class 0 to K - 1 in order, P(y <= k) = 1 / (1 + exp(o - c_k)), c increasing.";
    i32 LCC_OUTPUT_LOG_NORMAL = 9, "y is a positive number, ln y ~ N(o_0, exp(o_1) + floor^2).";
    i32 LCC_OUTPUT_HURDLE_LOG_NORMAL = 10, "y is 0 with probability 1 / (1 + exp(o_0)), else positive, ln y ~ N(o_1, exp(o_2) + floor^2).";
    i32 LCC_OUTPUT_GAMMA = 11, "y is a positive number, Gamma of mean exp(o_0) and squared coefficient of variation exp(o_1) + floor^2.";
    i32 LCC_OUTPUT_HURDLE_GAMMA = 12, "y is 0 with probability 1 / (1 + exp(o_0)), else such a number by o_1 and o_2.";
    i32 LCC_SCALES_INPUTS = 0, "A scale for each input (automatic relevance), for each layer above and its biases, for the outputs and the direct part: sampled.";
    i32 LCC_SCALES_LAYERS = 1, "The same with one for all inputs.";
    i32 LCC_SCALES_KNOWN = 2, "One a layer, known.";
    i32 LCC_REFERENCE_PRIOR = 0, "The prior.";
    i32 LCC_REFERENCE_GAUSSIAN = 1, "A Gaussian fitted to a pilot, of SMC to its own particles: for posteriors far from the prior.";
    i32 LCC_REFERENCE_STUDENT_T = 2, "Student's t with 8 degrees of freedom about the same fit: independence Metropolis only.";
    i32 LCC_REFERENCE_MIXTURE = 3, "A mixture of Student's t fitted to clusters of a pilot, which goes from mode to mode: independence Metropolis only.";
}

/// The longest name.
const LONGEST: usize = 32;

/// Looks a C string up among codes. Compiled once.
///
/// # Safety
/// `name`, if not NULL, is zero-terminated.
#[inline(never)]
pub(crate) unsafe fn look_up(
    name: *const c_char,
    find: &dyn Fn(&str) -> Option<i32>,
) -> Result<i32, lcc_status> {
    // SAFETY: a zero-terminated string has at least its zero.
    unsafe { raw::reference(name)? };
    // SAFETY: as long as no byte before it was zero, the string reaches here.
    let byte = |k: usize| unsafe { name.add(k).read() } as u8;
    let mut text = [0u8; LONGEST];
    let length = (0..LONGEST).find(|k| byte(*k) == 0).ok_or(LCC_ERROR_NAME)?;
    text.iter_mut().take(length).enumerate().for_each(|(k, t)| *t = byte(k));
    let text = text.get(..length).and_then(|t| core::str::from_utf8(t).ok());
    text.and_then(find).ok_or(LCC_ERROR_NAME)
}

abi! {
    /// The code of an activation's name: tanh logistic softplus squared_relu erf sine gaussian_bump gelu
    /// silu arctan relu.
    ///
    /// @param activation  out: an LCC_ACTIVATION_ code
    /// @return LCC_ERROR_NAME
    fn lcc_activation_from_name(name: *const c_char) -> (activation: i32) {
        look_up(name, &|name| Activation::from_name(name).map(|a| a as i32))?
    }
}

/// The sentence of a remark (lcc_data_remarks_f64), after the name of its column, of the target, of its row, or "there are";
/// NULL past the last.
///
/// @param remark  an LCC_REMARK_ code
#[unsafe(no_mangle)]
pub extern "C" fn lcc_remark_message(remark: i32) -> *const c_char {
    Remark::from_code(remark).map_or(core::ptr::null(), |r| r.c_name().as_ptr().cast())
}

/// The name of an activation; NULL past the last, so that a loop from 0 lists them.
///
/// @param activation  an LCC_ACTIVATION_ code
#[unsafe(no_mangle)]
pub extern "C" fn lcc_activation_name(activation: i32) -> *const c_char {
    Activation::from_code(activation).map_or(core::ptr::null(), |a| a.c_name().as_ptr().cast())
}

abi! {
    /// The code of a sampling method's name: split-hmc gibbs xi-langevin hmc mala langevin random-walk
    /// independence reverse-diffusion hit-and-run coordinate-hit-and-run ball-walk dikin mirror-langevin
    /// reflection diffusion-from-noise xi-mala riemannian.
    ///
    /// @param method  out: an LCC_METHOD_ code
    /// @return LCC_ERROR_NAME
    fn lcc_method_from_name(name: *const c_char) -> (method: i32) {
        look_up(name, &|name| Method::from_name(name).map(|m| m as i32))?
    }
}

/// The name of a sampling method; NULL past the last, so that a loop from 0 lists them.
///
/// @param method  an LCC_METHOD_ code
#[unsafe(no_mangle)]
pub extern "C" fn lcc_method_name(method: i32) -> *const c_char {
    Method::from_code(method).map_or(core::ptr::null(), |m| m.c_name().as_ptr().cast())
}

/// What law the draws of a sampling method have, in a line: "the posterior" where that is all. NULL past the last.
///
/// @param method  an LCC_METHOD_ code
#[unsafe(no_mangle)]
pub extern "C" fn lcc_method_law(method: i32) -> *const c_char {
    Method::from_code(method).map_or(core::ptr::null(), |m| m.law().as_ptr())
}

abi! {
    /// Whether a sampling method reads the member of lcc_sampler_options_f64 that has this name, as "langevin_step": another
    /// would change nothing, and hosts refuse it.
    ///
    /// @param method  an LCC_METHOD_ code
    /// @param member  zero-terminated
    /// @param reads   out: 1 or 0; 1 of a member that no method is peculiar in, and of a name that is none
    /// @return LCC_ERROR_METHOD, LCC_ERROR_NAME: more than 31 bytes
    fn lcc_method_reads(method: i32, member: *const c_char) -> (reads: i32) {
        let method = Method::from_code(method).ok_or(LCC_ERROR_METHOD)?;
        look_up(member, &|name| Some(method.reads(name) as i32))?
    }
}

abi! {
    /// Whether an output reads the member of lcc_bnn_options_f64 that has this name, as "size": see lcc_method_reads.
    ///
    /// @param output  an LCC_OUTPUT_ code
    /// @param member  zero-terminated
    /// @param reads   out: 1 or 0
    /// @return LCC_ERROR_OUTPUT, LCC_ERROR_NAME: more than 31 bytes
    fn lcc_output_reads(output: i32, member: *const c_char) -> (reads: i32) {
        let output = Output::from_code(output).ok_or(LCC_ERROR_OUTPUT)?;
        look_up(member, &|name| Some(output.reads(name) as i32))?
    }
}

/// The name of an output, e.g. "student-t"; NULL where this library has none of that code.
///
/// @param output  an LCC_OUTPUT_ code
#[unsafe(no_mangle)]
pub extern "C" fn lcc_output_name(output: i32) -> *const c_char {
    Output::from_code(output).map_or(core::ptr::null(), |o| o.c_name().as_ptr().cast())
}

/// The name of a prior's scales; NULL past the last, so that a loop from 0 lists them.
///
/// @param scales  an LCC_SCALES_ code
#[unsafe(no_mangle)]
pub extern "C" fn lcc_scales_name(scales: i32) -> *const c_char {
    Scales::from_code(scales).map_or(core::ptr::null(), |s| s.c_name().as_ptr().cast())
}
