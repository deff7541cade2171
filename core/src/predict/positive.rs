//! The predictive law at one row of a number that is positive, or 0 or positive: a mixture over the draws of log-normal
//! or Gamma laws, each beyond a hurdle at 0 where the output has one.
//!
//! The density of y > 0 is that of ln y over y; the score of 0 is the logarithm of its probability.

use super::gammas::Gammas;
use super::mixture::{Compiled, Mixture, Tails};
use super::network::Prediction;
use super::{log_mean_exp, mean_of};
use crate::posterior::reach;
use crate::random::Stream;
use crate::scalar::Real;
use crate::special;

/// No draw's noise raises its mean by more than so many times what the usual noise does, and no draw's mean is more than so
/// many times the usual one, both where there is an amount.
const MOST: f64 = 3.0;

/// The law of ln Y of an amount, one component a draw.
#[derive(Clone, Copy, Debug)]
pub enum Amounts<'a, T> {
    /// Y is log-normal: one normal component a draw.
    LogNormal(Mixture<'a, T>),
    /// Y is a Gamma number.
    Gamma(Gammas<'a, T>),
}

impl<'a, T: Real> Amounts<'a, T> {
    fn draws(&self) -> usize {
        match self {
            Self::LogNormal(logs) => logs.components(),
            Self::Gamma(laws) => laws.laws(),
        }
    }

    fn weight(&self, k: usize) -> T {
        match self {
            Self::LogNormal(logs) => logs.weight(k),
            Self::Gamma(laws) => laws.weight(k),
        }
    }

    fn weighted(self, weight: &'a [T]) -> Option<Self> {
        Some(match self {
            Self::LogNormal(logs) => Self::LogNormal(logs.weighted(weight)?),
            Self::Gamma(laws) => Self::Gamma(laws.weighted(weight)?),
        })
    }

    /// Of draw k the variance of ln Y, or the squared coefficient of variation of Y.
    fn noise(&self, k: usize) -> Option<T> {
        Some(match self {
            Self::LogNormal(logs) => {
                let scale = *logs.own_scales().get(k)?;
                scale * scale
            }
            Self::Gamma(laws) => laws.log_of(k)?.1,
        })
    }

    /// The noise that is [`MOST`] times the usual, the harmonic mean.
    fn widest(&self) -> T {
        let each = (0..self.draws()).map_while(|k| self.noise(k));
        let usual = T::ONE / mean_of(each.map(|noise| T::ONE / noise));
        match self {
            Self::LogNormal(_) => usual + T::lit(2.0) * special::scalar::ln(T::lit(MOST)),
            Self::Gamma(_) => usual * T::lit(MOST * MOST),
        }
    }

    /// ln E(Y) and the squared coefficient of variation of draw k, of noise no larger than that.
    fn moments(&self, k: usize, widest: T) -> Option<(T, T)> {
        let noise = self.noise(k)?.min(widest);
        Some(match self {
            Self::LogNormal(logs) => {
                let location = *logs.locations().get(k)?;
                (location + T::HALF * noise, special::scalar::exp_m1(noise))
            }
            Self::Gamma(laws) => (laws.log_of(k)?.0, noise),
        })
    }
}

impl<T: Compiled> Amounts<'_, T> {
    fn log_density(&self, log: T) -> T {
        match self {
            Self::LogNormal(logs) => logs.log_density(log),
            Self::Gamma(laws) => laws.log_density(log),
        }
    }

    fn log_densities(&self, log: T, out: &mut [T]) {
        match self {
            Self::LogNormal(logs) => {
                logs.log_densities(log, out);
            }
            Self::Gamma(laws) => laws.log_densities(log, out),
        }
    }

    fn cdf(&self, log: T) -> T {
        match self {
            Self::LogNormal(logs) => logs.cdf(log),
            Self::Gamma(laws) => laws.tails(log).lower,
        }
    }

    /// P(ln Y <= log | draw k, Y > 0) times the weight of the draw; NaN past the last.
    fn cdf_of(&self, k: usize, log: T) -> T {
        match self {
            Self::LogNormal(logs) => logs.of_draw(k).map_or(T::NAN, |own| own.cdf(log)),
            Self::Gamma(laws) => laws.weight(k) * laws.cdf_of(k, log),
        }
    }

    fn tail_quantile(&self, p: T, upper: bool) -> T {
        match self {
            Self::LogNormal(logs) => logs.tail_quantile(p, upper),
            Self::Gamma(laws) => laws.tail_quantile(p, upper),
        }
    }

    /// E|Y - y| of draw k for y >= 0, given ln y, in closed form (Baran and Lerch 2015 for the log-normal one).
    fn distance(&self, k: usize, y: T, log: T) -> T {
        match self {
            Self::LogNormal(logs) => {
                let at = |list: &[T]| list.get(k).copied().unwrap_or(T::NAN);
                let (m, s) = (at(logs.locations()), at(logs.own_scales()));
                let variance = s * s;
                let mean = special::scalar::exp(m + T::HALF * variance);
                if !(y > T::ZERO) {
                    return mean - y;
                }
                let [below, rest] =
                    [log - m, log - m - variance].map(|x| special::scalar::normal_cdf(x / s));
                y * (below + below - T::ONE) + mean * (T::ONE - (rest + rest))
            }
            Self::Gamma(laws) => laws.distance(k, y, log),
        }
    }

    /// The integral over ln y of a term of it and the law there.
    fn integral(&self, term: impl Fn(T, &Tails<T>) -> T) -> T {
        match self {
            Self::LogNormal(logs) => {
                let scales = logs.own_scales().iter();
                let widest = scales.fold(T::ZERO, |most, s| most.max(*s * *s));
                logs.integral(widest, term)
            }
            Self::Gamma(laws) => laws.integral(term),
        }
    }

    fn draw(&self, stream: &mut Stream) -> T {
        match self {
            Self::LogNormal(logs) => logs.draw(stream),
            Self::Gamma(laws) => laws.draw(stream),
        }
    }
}

/// Laws of amounts, one a draw, and the probability of 0 before each.
///
/// Its moments are those of draws whose noise is at most somewhat wider than the usual at the row, the harmonic mean of
/// their variances, and whose mean of an amount is at most somewhat above the usual, the geometric mean of theirs: exp(s^2/2) of
/// one draw in a hundred, or exp(m) where nothing says what an amount would be, would be the mean, far above the interval, and
/// its square the variance. Densities, probabilities, quantiles and scores are of the draws as they are.
#[derive(Clone, Copy, Debug)]
pub struct Positive<'a, T> {
    /// ln Y where Y is above 0; weighted by the probabilities of that.
    logs: Amounts<'a, T>,
    /// P(Y = 0) of each draw; empty where there is no hurdle.
    zero: &'a [T],
    /// ln P(Y = 0) of each draw.
    log_zero: &'a [T],
    /// P(Y = 0) and P(Y > 0).
    none: T,
    share: T,
    /// The largest noise in moments, and the largest ln E(Y | Y > 0).
    widest: T,
    highest: T,
}

impl<'a, T: Real> Positive<'a, T> {
    /// Of positive numbers.
    pub fn new(logs: Amounts<'a, T>) -> Self {
        let (widest, none) = (logs.widest(), T::ZERO);
        Self { logs, zero: &[], log_zero: &[], none, share: T::ONE, widest, highest: none }
            .limited()
    }

    /// The same with the largest mean that a draw may have.
    fn limited(self) -> Self {
        let logs = (0..self.logs.draws()).map_while(|k| {
            let (log, _) = self.logs.moments(k, self.widest)?;
            Some(self.logs.weight(k) * log)
        });
        let highest = mean_of(logs) + special::scalar::ln(T::lit(MOST));
        Self { highest, ..self }
    }

    /// The same with a hurdle, P(Y > 0) of draw k having the log odds `log_zero[k]`, which becomes ln P(Y = 0). `zero` and
    /// `weight` are written: a number a draw. `None` with fewer.
    pub fn with_hurdle(
        self,
        log_zero: &'a mut [T],
        zero: &'a mut [T],
        weight: &'a mut [T],
    ) -> Option<Self> {
        let draws = self.logs.draws();
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

    /// P(Y > 0), E(Y | Y > 0), and the squared coefficient of variation of that of draw k.
    fn draw_of(&self, k: usize) -> Option<[T; 3]> {
        let (log, noise) = self.logs.moments(k, self.widest)?;
        let mean = special::scalar::exp(log.min(self.highest));
        Some([self.above(k), mean, noise])
    }

    /// The same of all of them.
    fn draws(&self) -> impl Iterator<Item = [T; 3]> + Clone {
        (0..self.logs.draws()).map_while(|k| self.draw_of(k))
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
        mean_of(self.draws().enumerate().map(|(k, [p, mean, noise])| {
            let zero = self.zero.get(k).copied().unwrap_or(T::ZERO);
            p * (mean * mean) * (noise + zero)
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
        let fine = |[_, mean, noise]: [T; 3]| mean * (T::ONE + noise).sqrt() <= reach();
        let sound = match &self.logs {
            Amounts::LogNormal(logs) => logs.within_reach(),
            Amounts::Gamma(_) => true,
        };
        sound && self.draws().all(fine)
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
        let own = || self.logs.cdf_of(k, special::scalar::ln(y));
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

    /// The continuous ranked probability score: E|Y - y| - E|Y - Y'|/2, the first in closed form, the second, the integral of
    /// F (1 - F), as that of [`Mixture::crps`].
    pub fn crps(&self, y: T) -> T {
        let log = special::scalar::ln(y.max(T::ZERO));
        let draws = 0..self.logs.draws();
        let away = mean_of(draws.map(|k| self.above(k) * self.logs.distance(k, y, log)));
        let zero = self.zero();
        let within = self.logs.integral(|x, at| {
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
