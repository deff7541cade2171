//! The Bayesian network, whatever its precision.

use crate::names::look_up;
use crate::prelude::*;
use core::ffi::c_char;
use lcc_core::estimator::BnnMethod;

codes! {
    i32 LCC_INFERENCE_CHAINS = 0, "Draws of the posterior by many short chains.";
    i32 LCC_INFERENCE_MAP = 1, "The weights' mode in the coordinates in which their prior is N(0, I); scales and noise that are learnt where Laplace's evidence of them is the largest met; the best of the ascents by that.";
    i32 LCC_INFERENCE_MAXIMUM_LIKELIHOOD = 2, "The maximum of the likelihood, without hidden layers; LCC_ERROR_SEPARABLE where it has none.";
    i32 LCC_INFERENCE_LAPLACE = 3, "Draws of N(mode, H^-1), H minus the Hessian of the log density at the mode; of hidden layers its generalised Gauss-Newton part, and then its draws may predict much worse than the mode: it is a Gaussian in weights, not in predictions.";
    i32 LCC_INFERENCE_LAPLACE_DIAGONAL = 4, "The same of the diagonal of H alone.";
    i32 LCC_INFERENCE_LAST_LAYER = 5, "Draws of the outputs' weights, intercepts and direct part by the same Gaussian given all else at the mode.";
    i32 LCC_INFERENCE_ENSEMBLE = 6, "Such modes of all chains, LCC_INFERENCE_MAP's, of equal weight.";
    i32 LCC_INFERENCE_DROPOUT = 7, "Networks whose hidden units are left out at random, as they were in each step of the start.";
    i32 LCC_INFERENCE_VARIATIONAL = 8, "Draws of the Gaussian without correlations that has the largest evidence lower bound.";
    i32 LCC_INFERENCE_VARIATIONAL_FULL = 9, "The same of all Gaussians: for P coordinates memory and work as P^2.";
    i32 LCC_INFERENCE_VARIATIONAL_LOW_RANK = 10, "The same of a diagonal and `rank` columns times their transpose.";
    i32 LCC_INFERENCE_BACKPROP = 11, "Bayes by Backprop: the Gaussian without correlations, with its prior and its minibatches.";
    i32 LCC_INFERENCE_TEMPERED = 12, "A random walk on the posterior tempered at T = rows / batch, likelihood^(1/T) times prior, by all rows: the law that the next three aim at. T = 1 with `full`.";
    i32 LCC_INFERENCE_BATCHED = 13, "The same walk by changes of the loss from `minibatches`: biased, to show it.";
    i32 LCC_INFERENCE_SGLD = 14, "Stochastic gradient Langevin dynamics, a minibatch a step, without rejection: biased by its step.";
    i32 LCC_INFERENCE_PENALTY = 15, "The batched walk with a penalty for the noise of the change.";
    i32 LCC_INFERENCE_SWAG = 16, "SWAG: the Gaussian of the later iterates of gradient ascent by minibatches, a diagonal and `rank` columns; of several chains the mixture, Multi-SWAG.";
    i32 LCC_PENALTY_ESTIMATED = 0, "chi^2/2, chi^2 the variance of the mean change as the minibatches estimate it.";
    i32 LCC_PENALTY_SERIES = 1, "chi^2/2 + chi^4/(4 (M + 1)) + chi^6/(3 (M + 1)(M + 3)) of M minibatches: nearer to detailed balance.";
    i32 LCC_PENALTY_KNOWN = 2, "Half the variance over all minibatches: each step goes over all rows.";
    i32 LCC_PENALTY_CONTROLLED = 3, "The series, of what minibatches leave of the loss beyond its second order about the mode; proposals from the Gaussian there. For many rows: no step goes over all of them.";
    i32 LCC_OPTIMISER_ASCENT = 0, "Adam, then quasi-Newton steps; without hidden layers scoring and Newton's method.";
    i32 LCC_OPTIMISER_SGD = 1, "Stochastic gradient ascent with Robbins-Monro steps, by minibatches.";
    u32 LCC_NO_FOLD = 0xffffffff, "The fold of a row that takes no part.";
    i32 LCC_BNN_TRACE_LOG_LIKELIHOOD = 0, "The log likelihood of the training data, in standardised units.";
    i32 LCC_BNN_TRACE_ACCEPT = 1, "The probability of acceptance.";
    i32 LCC_BNN_TRACE_DIVERGENT = 2, "1 where the trajectory diverged, else 0.";
    i32 LCC_BNN_TRACE_ENERGY = 3, "The energy at the start of the trajectory.";
    i32 LCC_BNN_TRACE_PREDICTION = 4, "E(y) at a traced training row, in standardised units; of classes the probability of the one observed there.";
}

/// The name of a method of lcc_bnn_, e.g. "laplace"; NULL past the last, so that a loop from 0 lists them.
///
/// @param method  an LCC_INFERENCE_ code
#[unsafe(no_mangle)]
pub extern "C" fn lcc_inference_name(method: i32) -> *const c_char {
    let method = BnnMethod::from_code(method);
    method.map_or(core::ptr::null(), |m| m.c_name().as_ptr().cast())
}

abi! {
    /// Whether a method of lcc_bnn_ reads the member of lcc_bnn_options_f64 that has this name, as "leapfrogs": see
    /// lcc_method_reads.
    ///
    /// @param method  an LCC_INFERENCE_ code
    /// @param member  zero-terminated
    /// @param reads   out: 1 or 0
    /// @return LCC_ERROR_METHOD, LCC_ERROR_NAME: more than 31 bytes
    fn lcc_inference_reads(method: i32, member: *const c_char) -> (reads: i32) {
        let method = BnnMethod::from_code(method).ok_or(LCC_ERROR_METHOD)?;
        look_up(member, &|name| Some(method.reads(name) as i32))?
    }
}

/// What law the draws of a method aim at, in a line: for whoever reads its results. NULL past the last.
///
/// @param method  an LCC_INFERENCE_ code
#[unsafe(no_mangle)]
pub extern "C" fn lcc_inference_law(method: i32) -> *const c_char {
    BnnMethod::from_code(method).map_or(core::ptr::null(), |m| m.law().as_ptr())
}
