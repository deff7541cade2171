//! Cumulative losses of one-step-ahead predictions, and their regret.

use super::ln;
use crate::scalar::Real;
use crate::sum::Sum;

/// sum_i (y_i - f_i)^2 over the shorter of the two, f_i predicted before y_i was seen. Compensated.
pub fn squared_loss<T: Real>(y: &[T], predictions: &[T]) -> T {
    let mut sum = Sum::ZERO;
    for (y, f) in y.iter().zip(predictions) {
        let e = *y - *f;
        sum.add(e * e);
    }
    sum.value()
}

/// -sum_i log p(y_i | y_1..y_(i-1)) of log predictive densities: by the chain rule -log of the evidence
/// of all, the prequential description length in nats. Compensated.
pub fn log_loss<T: Real>(log_densities: &[T]) -> T {
    let mut sum = Sum::ZERO;
    for l in log_densities {
        sum.add(-*l);
    }
    sum.value()
}

/// V sqrt(log d/N): the order of the mean squared regret of predictions of N targets one step ahead
/// against the best of the networks of variation V (\[B\]). Half the least of V^2/M + M log d/N over real M,
/// what M neurons miss and what telling them costs at log d nats each; it is reached at M = V sqrt(N/log d).
pub fn of_variation<T: Real>(variation: T, d: usize, observations: usize) -> T {
    variation * (ln(T::of_usize(d)) / T::of_usize(observations)).sqrt()
}

/// The cumulative loss less that of the best member of the class in hindsight.
pub fn regret<T: Real>(cumulative: T, best: T) -> T {
    cumulative - best
}

/// The log loss of n targets under Gaussian noise about given predictions, of the variance that suits them
/// best, `squared` / n: (n/2) (log(2 pi squared/n) + 1). What predictions fitted in hindsight come to.
pub fn gaussian_log_loss<T: Real>(squared: T, observations: usize) -> T {
    let n = T::of_usize(observations);
    T::HALF * n * (ln(T::lit(core::f64::consts::TAU) * (squared / n)) + T::ONE)
}

/// log(1/P0(A)) + sup over A of the cumulative log loss, less the best one: what the Bayes mixture's log
/// loss exceeds the best network's by at most, A being a set of networks about it of prior probability
/// P0(A) whose cumulative loss is within `excess` of it (\[B\]; -log int e^-loss dP0 <= excess - log
/// P0(A)). NaN of a probability above 1.
pub fn bayes_regret<T: Real>(prior_probability: T, excess: T) -> T {
    if prior_probability > T::ONE {
        return T::NAN;
    }
    excess - ln(prior_probability)
}

/// (2/(beta N)) [`bayes_regret`]: bounds the mean squared regret of the predictive means under
/// exp(-(beta/2) squared loss) where beta (y - f)^2 <= 1 throughout, so that exp(-(beta/2) (y - f)^2) is
/// concave in f; `excess` is in units of (beta/2) squared loss.
pub fn mean_squared_regret<T: Real>(
    prior_probability: T,
    excess: T,
    beta: T,
    observations: usize,
) -> T {
    T::lit(2.0) * bayes_regret(prior_probability, excess) / (beta * T::of_usize(observations))
}
