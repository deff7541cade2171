//! Metropolis' rule where the change of the loss is known from minibatches only.
//!
//! M independent minibatches give M changes L_j' - L_j: their mean delta, and of that the variance chi^2, their sum of
//! squares over M (M - 1). The proposal is taken with probability a(delta + u), u a penalty for the noise (Ceperley and
//! Dewing 1999) and a one of [`Penalty`]'s two rules, min(1, e^-x) or Barker's 1/(1 + e^x).
//!
//! Where delta ~ N(Delta, s^2) and u = s^2/2 detailed balance is exact, for E a(delta + u) is then e^-Delta times the
//! same of -Delta. That holds of every a with a(x) = e^-x a(-x), hence of both rules; of Metropolis' it is
//! Phi(-(Delta + s^2/2)/s) + e^-Delta Phi((Delta - s^2/2)/s). An estimated s^2 breaks it: with u = chi^2/2 by
//! .046, .0097, .0023 in log(a(Delta)/a(-Delta)) at Delta = s = 1 and M = 4, 16, 64; by .027, .0008, .00004 with
//! chi^2/2 + chi^4/(4 (M + 1)) + chi^6/(3 (M + 1)(M + 3)), the terms of small noise of the u whose e^-u has the mean
//! e^-s^2/2. At a large chi^2 there is no such u: keep it below 1 and M/4.
//!
//! ```
//! use lcc_core::kernel::penalty::{Noisy, Penalty};
//!
//! let noisy = Noisy::of([0.5_f64, 0.3, 0.7, 0.1]);
//! assert!((noisy.change - 0.4).abs() < 1e-15 && (noisy.variance - 0.2 / 12.0).abs() < 1e-15);
//! let accepted = Penalty::Estimated.probability(noisy.change, noisy.variance, 4, false);
//! assert!((accepted - (-0.4_f64 - 0.1 / 12.0).exp()).abs() < 1e-15);
//! ```

use crate::plain::codes;
use crate::scalar::Real;
use crate::special::scalar::exp;

codes! {
    /// What is added to a change of the loss for its noise.
    pub enum Penalty: Penalty {
        /// chi^2/2.
        Estimated = 0 "estimated",
        /// Three terms of small noise, see the module.
        Series = 1 "series",
        /// s^2/2, s^2 the variance over all minibatches: exact but for what is not normal, and each step goes over all rows.
        Known = 2 "known",
        /// As the series, of what is left of changes beyond second order about one point: control variates.
        Controlled = 3 "controlled",
    }
}

impl Penalty {
    /// The probability of acceptance at a change of the loss by `change`, whose variance is (estimated from so many
    /// minibatches as) `variance`; by Barker's rule where so asked. 0 where the change is not a number or minus
    /// infinity.
    pub fn probability<T: Real>(self, change: T, variance: T, count: u32, barker: bool) -> T {
        let mut penalty = T::HALF * variance;
        if matches!(self, Self::Series | Self::Controlled) {
            let m = T::of_u32(count);
            let [four, three] = [T::lit(4.0), T::lit(3.0)];
            let square = variance * variance / (m + T::ONE);
            penalty += square / four + square * variance / (three * (m + three));
        }
        let total = change + penalty;
        if !(total > -T::INFINITY) {
            return T::ZERO;
        }
        if barker { T::ONE / (T::ONE + exp(total)) } else { exp((-total).min(T::ZERO)) }
    }
}

/// Changes of the loss by several minibatches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noisy<T> {
    /// Their mean: delta. Of equal changes, those bits.
    pub change: T,
    /// The estimated variance of that mean: chi^2. 0 of one.
    pub variance: T,
    /// Their skewness times the sign of delta, which is the same on the way back; 0 in the mean of normal changes. NaN
    /// of fewer than three, or where they are equal.
    pub skewness: T,
    /// Their excess kurtosis; 0 in the mean of normal changes. NaN of fewer than four, or where they are equal.
    pub kurtosis: T,
}

impl<T: Real> Noisy<T> {
    /// Of these, by central moments that are updated one by one (Terriberry 2007).
    pub fn of(changes: impl IntoIterator<Item = T>) -> Self {
        let [mut mean, mut second, mut third, mut fourth, mut n] = [T::ZERO; 5];
        let [two, three, four, six] = [2.0, 3.0, 4.0, 6.0].map(T::lit);
        for change in changes {
            let before = n;
            n += T::ONE;
            let from = change - mean;
            let share = from / n;
            let term = from * share * before;
            mean += share;
            fourth += term * share * share * (n * n - three * n + three)
                + six * share * share * second
                - four * share * third;
            third += term * share * (n - two) - three * share * second;
            second += term;
        }
        let variance = if n > T::ONE { second / (n * (n - T::ONE)) } else { T::ZERO };
        let spread = second > T::ZERO;
        let sd = (second / n).sqrt();
        let mut out = Self { change: mean, variance, skewness: T::NAN, kurtosis: T::NAN };
        if spread && n >= three {
            let sign = T::ONE.copysign(mean);
            let adjusted = (n * (n - T::ONE)).sqrt() / (n - two);
            out.skewness = sign * adjusted * (third / n / (sd * sd * sd));
        }
        if spread && n >= four {
            let excess = n * fourth / (second * second) - three;
            let adjusted = (n - T::ONE) / ((n - two) * (n - three));
            out.kurtosis = adjusted * ((n + T::ONE) * excess + six);
        }
        out
    }
}
