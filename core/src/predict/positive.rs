//! The predictive law at one row of a number that is positive, or 0 or positive: a mixture over the draws of log-normal
//! laws, each beyond a hurdle at 0 where the output has one.
//!
//! The density of y > 0 is that of ln y over y; the score of 0 is the logarithm of its probability.

use super::log_mean_exp;
use super::mean_of;
use super::mixture::{Compiled, Mixture};
use super::network::Prediction;
use crate::posterior::reach;
use crate::random::Stream;
use crate::scalar::Real;
use crate::special;

/// No draw's noise raises its mean by more than so many times what the usual noise does, and no draw's mean is more than so
/// many times the usual one, both where there is an amount.
const MOST: f64 = 3.0;

/// Log-normal laws, one a draw, and the probability of 0 before each.
///
/// Its moments are those of draws whose noise is at most somewhat wider than the usual at the row, the harmonic mean of
/// their variances, and whose mean of an amount is at most somewhat above the usual, the geometric mean of theirs: exp(s^2/2) of
/// one draw in a hundred, or exp(m) where nothing says what an amount would be, would be the mean, far above the interval, and
/// its square the variance. Densities, probabilities, quantiles and scores are of the draws as they are.
#[derive(Clone, Copy, Debug)]
pub struct Positive<'a, T> {
    /// ln Y where Y is above 0; weighted by the probabilities of that.
    logs: Mixture<'a, T>,
    /// P(Y = 0) of each draw; empty where there is no hurdle.
    zero: &'a [T],
    /// ln P(Y = 0) of each draw.
    log_zero: &'a [T],
    /// P(Y = 0) and P(Y > 0).
    none: T,
    share: T,
    /// The largest variance of ln Y in moments, and the largest ln E(Y | Y > 0).
    widest: T,
    highest: T,
}

impl<'a, T: Real> Positive<'a, T> {
    /// Of positive numbers, whose logarithms have one normal component a draw.
    pub fn new(logs: Mixture<'a, T>) -> Self {
        let usual = T::ONE / mean_of(logs.own_scales().iter().map(|s| T::ONE / (*s * *s)));
        let widest = usual + T::lit(2.0) * special::scalar::ln(T::lit(MOST));
        let none = T::ZERO;
        Self { logs, zero: &[], log_zero: &[], none, share: T::ONE, widest, highest: none }
            .limited()
    }

    /// The same with the largest mean that a draw may have.
    fn limited(self) -> Self {
        let logs = (0..self.logs.components()).map_while(|k| {
            let (location, variance) = self.log_of(k)?;
            Some(self.logs.weight(k) * (location + T::HALF * variance))
        });
        let highest = mean_of(logs) + special::scalar::ln(T::lit(MOST));
        Self { highest, ..self }
    }

    /// Mean and variance of ln Y of draw k, as moments have them.
    fn log_of(&self, k: usize) -> Option<(T, T)> {
        let (location, scale) = (self.logs.locations().get(k)?, *self.logs.own_scales().get(k)?);
        Some((*location, (scale * scale).min(self.widest)))
    }

    /// The same with a hurdle, P(Y > 0) of draw k having the log odds `log_zero[k]`, which becomes ln P(Y = 0). `zero` and
    /// `weight` are written: a number a draw. `None` with fewer.
    pub fn with_hurdle(
        self,
        log_zero: &'a mut [T],
        zero: &'a mut [T],
        weight: &'a mut [T],
    ) -> Option<Self> {
        let draws = self.logs.components();
        let (log_zero, zero) = (log_zero.get_mut(..draws)?, zero.get_mut(..draws)?);
        let weight = weight.get_mut(..draws)?;
        for ((log, zero), weight) in log_zero.iter_mut().zip(zero.iter_mut()).zip(&mut *weight) {
            let odds = *log;
            // ln(1 + e^odds) and ln(1 + e^-odds) from one.
            let rest = special::scalar::softplus(-odds.abs());
            *log = -(odds.max(T::ZERO) + rest);
            *zero = special::scalar::exp(*log);
            // Above 0, so that there is a law of ln y.
            *weight =
                special::scalar::exp(-((-odds).max(T::ZERO) + rest)).max(T::EPSILON * T::EPSILON);
        }
        let share = mean_of(weight.iter().copied());
        weight.iter_mut().for_each(|w| *w = *w / share);
        let logs = self.logs.weighted(weight)?;
        let none = mean_of(zero.iter().copied());
        Some(Self { logs, zero, log_zero, none, share, ..self }.limited())
    }

    /// P(Y > 0 | draw k).
    fn above(&self, k: usize) -> T {
        self.share * self.logs.weight(k)
    }

    /// P(Y = 0).
    pub fn zero(&self) -> T {
        self.none
    }

    /// P(Y > 0), E(Y | Y > 0), and the variance of ln Y of draw k.
    fn draw_of(&self, k: usize) -> Option<[T; 3]> {
        let (location, variance) = self.log_of(k)?;
        let mean = special::scalar::exp((location + T::HALF * variance).min(self.highest));
        Some([self.above(k), mean, variance])
    }

    /// The same of all of them.
    fn draws(&self) -> impl Iterator<Item = [T; 3]> + Clone {
        (0..self.logs.components()).map_while(|k| self.draw_of(k))
    }

    /// E(Y | draw k); NaN past the last.
    pub(super) fn mean_of(&self, k: usize) -> T {
        self.draw_of(k).map_or(T::NAN, |[p, mean, _]| p * mean)
    }

    /// E Y, as [moments](Self) are.
    pub fn mean(&self) -> T {
        mean_of(self.draws().map(|[p, mean, _]| p * mean))
    }

    /// The mean over the draws of the variance within each: noise.
    pub fn aleatoric(&self) -> T {
        mean_of(self.draws().enumerate().map(|(k, [p, mean, variance])| {
            let zero = self.zero.get(k).copied().unwrap_or(T::ZERO);
            p * (mean * mean) * (special::scalar::exp_m1(variance) + zero)
        }))
    }

    /// The variance over the draws of their means: what is not known of the network.
    pub fn epistemic(&self) -> T {
        let centre = self.mean();
        mean_of(self.draws().map(|[p, mean, _]| (p * mean - centre) * (p * mean - centre)))
    }

    /// The standard deviation of Y.
    pub fn sd(&self) -> T {
        (self.aleatoric() + self.epistemic()).sqrt()
    }

    /// Whether squares of means and standard deviations can be summed.
    pub(super) fn within_reach(&self) -> bool {
        let fine = |[_, mean, variance]: [T; 3]| {
            mean * special::scalar::exp(T::HALF * variance) <= reach()
        };
        self.logs.within_reach() && self.draws().all(fine)
    }
}

impl<T: Compiled> Positive<'_, T> {
    /// ln f(y) of y > 0, ln P(Y = 0) of 0, minus infinity below, and of 0 where there is no hurdle.
    pub fn log_score(&self, y: T) -> T {
        if y > T::ZERO {
            let log = special::scalar::ln(y);
            return special::scalar::ln(self.share) + self.logs.log_density(log) - log;
        }
        let hurdle = y == T::ZERO && !self.zero.is_empty();
        if hurdle { log_mean_exp(self.log_zero.iter().copied()) } else { -T::INFINITY }
    }

    /// [`log_score`](Self::log_score) by each draw, as far as `out` reaches.
    pub fn log_scores(&self, y: T, out: &mut [T]) {
        if y > T::ZERO {
            let log = special::scalar::ln(y);
            self.logs.log_densities(log, out);
            for (k, o) in out.iter_mut().enumerate() {
                *o = special::scalar::ln(self.above(k)) + *o - log;
            }
            return;
        }
        for (k, o) in out.iter_mut().enumerate() {
            let own = self.log_zero.get(k).filter(|_| y == T::ZERO);
            *o = own.copied().unwrap_or(-T::INFINITY);
        }
    }

    /// P(Y <= y).
    pub fn cdf(&self, y: T) -> T {
        if !(y > T::ZERO) {
            let below = if y < T::ZERO { T::ZERO } else { T::NAN };
            return if y == T::ZERO { self.zero() } else { below };
        }
        self.zero() + self.share * self.logs.cdf(special::scalar::ln(y))
    }

    /// P(Y <= y | draw k) of y >= 0; NaN past the last.
    pub(super) fn cdf_of(&self, k: usize, y: T) -> T {
        let zero = self.zero.get(k).copied().unwrap_or(T::ZERO);
        let own = || self.logs.of_draw(k).map_or(T::NAN, |own| own.cdf(special::scalar::ln(y)));
        // Its weight is that of the draw.
        if y > T::ZERO { zero + self.share * own() } else { zero }
    }

    /// P(Y < y) + u P(Y = y).
    pub fn pit(&self, y: T, u: T) -> T {
        if y == T::ZERO { u * self.zero() } else { self.cdf(y) }
    }

    /// The smallest y with P(Y <= y) >= p: 0 up to P(Y = 0), NaN outside of [0, 1].
    pub fn quantile(&self, p: T) -> T {
        if p <= T::HALF {
            self.tail_quantile(p, false)
        } else {
            self.tail_quantile(T::ONE - p, true)
        }
    }

    /// The interval that leaves (1 - level)/2 on each side, 0 < level < 1.
    pub fn central_interval(&self, level: T) -> (T, T) {
        let tail = (T::ONE - level) * T::HALF;
        (self.tail_quantile(tail, false), self.tail_quantile(tail, true))
    }

    /// The y with probability p up to it, or above it.
    fn tail_quantile(&self, p: T, upper: bool) -> T {
        if !(p >= T::ZERO && p <= T::ONE) {
            return T::NAN;
        }
        // Of ln Y, each from its nearer end.
        let below = if upper { T::ONE - p } else { p } - self.zero();
        let above = if upper { p } else { T::ONE - p };
        if !self.zero.is_empty() && !(below > T::ZERO) {
            return T::ZERO;
        }
        let log = if below < above {
            self.logs.tail_quantile((below / self.share).min(T::ONE), false)
        } else {
            self.logs.tail_quantile((above / self.share).min(T::ONE), true)
        };
        special::scalar::exp(log)
    }

    /// Mean, sd and the central interval of the given level.
    pub fn prediction(&self, level: T) -> Prediction<T> {
        let (lower, upper) = self.central_interval(level);
        Prediction { mean: self.mean(), sd: self.sd(), lower, upper }
    }

    /// The continuous ranked probability score: E|Y - y| - E|Y - Y'|/2, the first in closed form (Baran and Lerch 2015), the
    /// second, the integral of F (1 - F), as that of [`Mixture::crps`].
    pub fn crps(&self, y: T) -> T {
        let (location, scale) = (self.logs.locations(), self.logs.own_scales());
        let own = location.iter().zip(scale).enumerate();
        let log = special::scalar::ln(y.max(T::ZERO));
        let away = mean_of(own.map(|(k, (m, s))| {
            let (p, variance) = (self.above(k), *s * *s);
            let mean = special::scalar::exp(*m + T::HALF * variance);
            if !(y > T::ZERO) {
                return p * (mean - y);
            }
            let [below, rest] =
                [log - *m, log - *m - variance].map(|x| special::scalar::normal_cdf(x / *s));
            p * (y * (below + below - T::ONE) + mean * (T::ONE - (rest + rest)))
        }));
        let widest = scale.iter().fold(T::ZERO, |most, s| most.max(*s * *s));
        let zero = self.zero();
        let within = self.logs.integral(widest, |x, at| {
            let (lower, upper) = (zero + self.share * at.lower, self.share * at.upper);
            // By halves: e^x overflows where it is the tail's turn to be nothing.
            let half = special::scalar::exp(x * T::HALF);
            let tail = upper * half;
            if tail > T::ZERO { lower * tail * half } else { T::ZERO }
        });
        away + zero * y.abs() - within
    }

    /// A draw of Y: with a hurdle a uniform for it first.
    pub fn draw(&self, stream: &mut Stream) -> T {
        if !self.zero.is_empty() {
            let u: T = stream.uniform();
            if u < self.zero() {
                return T::ZERO;
            }
        }
        special::scalar::exp(self.logs.draw(stream))
    }
}
