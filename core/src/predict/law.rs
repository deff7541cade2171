//! From the outputs of every draw at a row to the law of y there.

use super::classes::{Classes, softmax};
use super::counts::Counts;
use super::forward::Compiled;
use super::gammas::Gammas;
use super::mixture::{self, Mixture};
use super::network::{PredictError, Prediction};
use super::positive::{Amounts, Positive};
use super::predictor::{NetworkPredictor, Outputs};
use crate::error::refuse;
use crate::pieces::{cut, nth, pieces_mut};
use crate::posterior::reach;
use crate::random::Stream;
use crate::scalar::Real;
use crate::special::{self, scalar::softplus};

/// The law of y at one row: always an average over the draws of densities or probabilities.
#[derive(Clone, Copy, Debug)]
pub enum Law<'a, T> {
    /// Of a real number.
    Real(Mixture<'a, T>),
    /// Of a positive number, or one that is 0 or positive.
    Positive(Positive<'a, T>),
    /// Of a class.
    Classes(Classes<'a, T>),
    /// Of a count.
    Counts(Counts<'a, T>),
}

impl<T: mixture::Compiled> Law<'_, T> {
    /// Whether what it predicts are numbers.
    fn within_reach(&self) -> bool {
        match self {
            Self::Real(law) => law.within_reach(),
            Self::Positive(law) => law.within_reach(),
            Self::Classes(law) => law.within_reach(),
            Self::Counts(law) => law.rates().iter().all(|rate| *rate <= reach()),
        }
    }

    /// ln p(y), the log score: of a density, or of a probability (minus infinity where y is no class or count).
    pub fn log_score(&self, y: T) -> T {
        match self {
            Self::Real(law) => law.log_density(y),
            Self::Positive(law) => law.log_score(y),
            Self::Classes(law) => class(y, law).map_or(-T::INFINITY, |c| law.log_score(c)),
            Self::Counts(law) => law.log_mass(y),
        }
    }

    /// ln p(y | draw) of every draw, as far as `out` reaches.
    pub fn log_scores(&self, y: T, out: &mut [T]) {
        match self {
            Self::Real(law) => {
                for (k, o) in out.iter_mut().enumerate() {
                    *o = law.of_draw(k).map_or(T::NAN, |own| own.log_density(y));
                }
            }
            Self::Positive(law) => law.log_scores(y, out),
            Self::Classes(law) => {
                let own = class(y, law).unwrap_or(usize::MAX);
                for (k, o) in out.iter_mut().enumerate() {
                    *o = law.log_probabilities(k).get(own).copied().unwrap_or(-T::INFINITY);
                }
            }
            Self::Counts(law) => {
                law.log_masses(y, out);
            }
        }
    }

    /// The probability integral transform of y, uniform if y follows this law: P(Y <= y), and where y has a probability
    /// P(Y < y) + u P(Y = y) with a uniform u.
    pub fn pit(&self, y: T, u: T) -> T {
        match self {
            Self::Real(law) => law.cdf(y),
            Self::Positive(law) => law.pit(y, u),
            Self::Classes(law) => class(y, law).map_or(T::NAN, |c| law.pit(c, u)),
            Self::Counts(law) => law.pit(y, u),
        }
    }

    /// Mean, standard deviation and central interval of y. Of a class those of its code: the mean of a Bernoulli
    /// output is P(1), an interval of ordinal classes runs from class to class.
    pub fn prediction(&self, level: T) -> Prediction<T> {
        match self {
            Self::Real(law) => law.prediction(level),
            Self::Positive(law) => law.prediction(level),
            Self::Classes(law) => {
                let (lower, upper) = tails(level);
                let (mean, sd) = law.moments();
                Prediction { mean, sd, lower: law.quantile(lower), upper: law.quantile(upper) }
            }
            Self::Counts(law) => {
                let (lower, upper) = law.central_interval(level);
                Prediction { mean: law.mean(), sd: law.sd(), lower, upper }
            }
        }
    }

    /// P(Y <= y), of a class in the order of the codes.
    pub fn cdf(&self, y: T) -> T {
        match self {
            Self::Real(law) => law.cdf(y),
            Self::Positive(law) => law.cdf(y),
            Self::Classes(law) => class(y, law).map_or(T::NAN, |c| law.pit(c, T::ONE)),
            Self::Counts(law) => law.cdf(y),
        }
    }

    /// P(Y <= y | draw k), of a class P(Y = y | draw k); NaN past the last.
    pub(super) fn probability(&self, k: usize, y: T) -> T {
        match self {
            Self::Real(law) => law.of_draw(k).map_or(T::NAN, |own| own.cdf(y)),
            Self::Positive(law) => law.cdf_of(k, y),
            Self::Classes(law) => {
                let own = law.log_probabilities(k).get(y.to_usize());
                own.map_or(T::NAN, |log| special::scalar::exp(*log))
            }
            Self::Counts(law) => law.cdf_of(k, y),
        }
    }

    /// The smallest y with P(Y <= y) >= p, of a class its code.
    pub fn quantile(&self, p: T) -> T {
        match self {
            Self::Real(law) => law.quantile(p),
            Self::Positive(law) => law.quantile(p),
            Self::Classes(law) => law.quantile(p),
            Self::Counts(law) => law.quantile(p),
        }
    }

    /// The continuous ranked probability score, of counts the ranked one; NaN of classes, which need have no order.
    pub fn crps(&self, y: T) -> T {
        match self {
            Self::Real(law) => law.crps(y),
            Self::Positive(law) => law.crps(y),
            Self::Classes(_) => T::NAN,
            Self::Counts(law) => law.crps(y),
        }
    }

    /// E(y | draw) of every draw, as far as `out` reaches: the location of noise that has no mean, too.
    pub fn means(&self, out: &mut [T]) {
        for (k, o) in out.iter_mut().enumerate() {
            *o = match self {
                Self::Real(law) => law.mean_of(k),
                Self::Positive(law) => law.mean_of(k),
                Self::Classes(law) => law.mean_of(k),
                Self::Counts(law) => law.mean_of(k),
            };
        }
    }

    /// The standard deviation of y as the sum of squares of two: what stays if the network were known, and what the
    /// draws differ by in their means. Of a class that of its code.
    pub fn spread(&self) -> [T; 2] {
        let squares = match self {
            Self::Real(law) => [law.aleatoric(), law.epistemic()],
            Self::Positive(law) => [law.aleatoric(), law.epistemic()],
            Self::Classes(law) => law.parts(),
            Self::Counts(law) => [law.aleatoric(), law.epistemic()],
        };
        squares.map(T::sqrt)
    }

    /// A draw of y.
    pub fn draw(&self, stream: &mut Stream) -> T {
        match self {
            Self::Real(law) => law.draw(stream),
            Self::Positive(law) => law.draw(stream),
            Self::Classes(law) => T::of_usize(law.draw(stream)),
            Self::Counts(law) => law.draw(stream),
        }
    }
}

/// The two ends of a central interval.
fn tails<T: Real>(level: T) -> (T, T) {
    let below = (T::ONE - level) * T::HALF;
    (below, T::ONE - below)
}

/// The class that y is.
pub(super) fn class<T: Real>(y: T, law: &Classes<'_, T>) -> Option<usize> {
    let own = y.to_usize();
    (T::of_usize(own) == y && own < law.classes()).then_some(own)
}

impl<'a, T: Compiled> NetworkPredictor<'a, T> {
    /// The law of outputs; its numbers lie in `room`.
    pub(super) fn read<'b>(
        &self,
        o: Outputs<'_, T>,
        exposure: T,
        room: &'b mut [T],
    ) -> Result<Law<'b, T>, PredictError>
    where
        'a: 'b,
    {
        let law = match self.shape.output as i32 {
            0 | 1 => self.noisy(o, room).map(Law::Real),
            2 | 3 => self.scattered(o, room).map(Law::Real),
            9..=12 => self.positive(o, room).map(Law::Positive),
            6 | 7 => self.counted(o, exposure, room).map(Law::Counts),
            _ => self.classed(o, room).map(Law::Classes),
        };
        let law = law.ok_or(PredictError::TooShort)?;
        refuse(!law.within_reach(), PredictError::Reach)?;
        Ok(law)
    }

    /// mean_y + sd_y o.
    fn located(&self) -> impl Fn(T) -> T + use<T> {
        let (mean, sd) = (self.image.mean_y::<T>(), self.image.sd_y::<T>());
        move |o| mean + sd * o
    }

    /// Noise that is the same at every row.
    fn noisy<'b>(&self, o: Outputs<'_, T>, room: &'b mut [T]) -> Option<Mixture<'b, T>>
    where
        'a: 'b,
    {
        let draws = self.image.draws();
        let (scale, rest) = self.own.split_at_checked(draws)?;
        let (nu, log_norm) = rest.split_at_checked(draws)?;
        let (location, located) = (room.get_mut(..draws)?, self.located());
        for (k, location) in location.iter_mut().enumerate() {
            *location = located(o.at(k, 0));
        }
        Mixture::new(self.isa, location, scale, nu, log_norm)
    }

    /// Noise of each row's own, of one normal component or several: sd^2 = exp(log variance) + floor^2, the first at most
    /// 1000^2, in units of the target's sd.
    fn scattered<'b>(&self, o: Outputs<'_, T>, room: &'b mut [T]) -> Option<Mixture<'b, T>>
    where
        'a: 'b,
    {
        let (draws, each) = (self.image.draws(), self.shape.components());
        let all = draws.checked_mul(each)?;
        let (nu, log_norm) = self.own.split_at_checked(all)?;
        let (parts, weight) = cut(room, [all, all])?;
        let [location, scale] = parts;
        // The outputs of a mixture start with its logits.
        let shift = if self.shape.output as i32 == 3 { each } else { 0 };
        self.components(o, (shift, each), location, scale);
        let law = Mixture::new(self.isa, location, scale, nu, log_norm)?.grouped(each);
        if shift == 0 {
            return Some(law);
        }
        let weight = weight.get_mut(..all)?;
        for (k, weight) in pieces_mut(weight, each).enumerate() {
            weight.iter_mut().enumerate().for_each(|(c, w)| *w = o.at(k, c));
            softmax(weight);
            weight.iter_mut().for_each(|w| *w = special::scalar::exp(*w) * T::of_usize(each));
        }
        law.weighted(weight)
    }

    /// Amounts with noise of each row's own: of log-normal ones the sd of the logarithm is at most 4 and at most three of theirs,
    /// of Gamma ones the coefficient of variation at most 10. The hurdle's log odds come first.
    fn positive<'b>(&self, o: Outputs<'_, T>, room: &'b mut [T]) -> Option<Positive<'b, T>>
    where
        'a: 'b,
    {
        let draws = self.image.draws();
        let ([location, scale], rest) = cut(room, [draws, draws])?;
        let hurdle = self.shape.output.has_hurdle();
        self.components(o, (hurdle as usize, 1), location, scale);
        let (logs, rest) = if self.shape.output.is_gamma() {
            let ([binet], rest) = cut(rest, [draws])?;
            for (scale, binet) in scale.iter_mut().zip(&mut *binet) {
                let wide = scale.min(T::lit(WIDEST_GAMMA)).max(T::lit(NARROWEST_GAMMA));
                *scale = T::ONE / (wide * wide);
                *binet = special::scalar::binet(*scale);
            }
            (Amounts::Gamma(Gammas::new(location, scale, binet)?), rest)
        } else {
            let (nu, log_norm) = self.own.split_at_checked(draws)?;
            let widest = T::lit(WIDEST_LOG).min(T::lit(WIDEST_LOGS) * self.image.sd_y());
            scale.iter_mut().for_each(|s| *s = s.min(widest));
            (Amounts::LogNormal(Mixture::new(self.isa, location, scale, nu, log_norm)?), rest)
        };
        let law = Positive::new(logs);
        if !hurdle {
            return Some(law);
        }
        let ([log_zero, zero, weight], _) = cut(rest, [draws, draws, draws])?;
        log_zero.iter_mut().enumerate().for_each(|(k, log)| *log = o.at(k, 0));
        law.with_hurdle(log_zero, zero, weight)
    }

    /// Locations and scales of `each` components a draw, whose means begin with output `first`, and whose log variances
    /// follow.
    fn components(
        &self,
        o: Outputs<'_, T>,
        (first, each): (usize, usize),
        location: &mut [T],
        scale: &mut [T],
    ) {
        let floor: T = self.image.floor();
        let (sd, located): (T, _) = (self.image.sd_y(), self.located());
        let places = pieces_mut(location, each).zip(pieces_mut(scale, each));
        for (k, (location, scale)) in places.enumerate() {
            for (c, (location, scale)) in location.iter_mut().zip(scale).enumerate() {
                let at = first.saturating_add(c);
                *location = located(o.at(k, at));
                let log = o.at(k, at.saturating_add(each));
                *scale = sd * spread(log, floor);
            }
        }
    }

    fn counted<'b>(
        &self,
        o: Outputs<'_, T>,
        exposure: T,
        room: &'b mut [T],
    ) -> Option<Counts<'b, T>>
    where
        'a: 'b,
    {
        let (log_rate, rate) = room.split_at_mut_checked(self.image.draws())?;
        let log = special::scalar::ln(exposure);
        log_rate.iter_mut().enumerate().for_each(|(k, rate)| *rate = o.at(k, 0) + log);
        let (size, rest) = self.own.split_at_checked(self.own.len() / 2)?;
        Counts::new(log_rate, size, rest, rate)
    }

    pub(super) fn classed<'b>(
        &self,
        o: Outputs<'_, T>,
        room: &'b mut [T],
    ) -> Option<Classes<'b, T>> {
        let (draws, classes) = (self.image.draws(), self.shape.classes());
        let (log, mean) = room.split_at_mut_checked(draws.checked_mul(classes)?)?;
        let fixed = self.shape.reference as usize;
        for (k, log) in pieces_mut(log, classes).enumerate() {
            match self.shape.output as i32 {
                4 => {
                    let logit = o.at(k, 0);
                    let both = [-softplus(logit), -softplus(-logit)];
                    log.iter_mut().zip(both).for_each(|(l, x)| *l = x);
                }
                5 => {
                    for (c, l) in log.iter_mut().enumerate() {
                        *l = c.checked_sub(fixed).map_or(T::ZERO, |c| o.at(k, c));
                    }
                    softmax(log);
                }
                _ => ordered(nth(self.own, classes.saturating_sub(1), k), o.at(k, 0), log),
            }
        }
        Classes::new(log, mean, self.image.temperature())
    }
}

/// The log variance of the largest noise of a row, a thousand sds of the target: a component that no row speaks of may have
/// any variance under the prior, and next to no weight.
const LARGEST: f64 = 13.815_510_557_964_274;

/// The largest sd of a logarithm: its mean is then 3000 times the median.
const WIDEST_LOG: f64 = 4.0;
/// And in sds of the logarithms: far from the training rows a draw in a hundred has any noise, which the median does not
/// mind, and the mean is that draw's.
const WIDEST_LOGS: f64 = 3.0;
/// The largest coefficient of variation of a Gamma number, half of which are then below 1e-30 of the mean, and the smallest.
const WIDEST_GAMMA: f64 = 10.0;
const NARROWEST_GAMMA: f64 = 1e-7;

/// sqrt(exp(log) + floor^2), without the square of a small exponential.
fn spread<T: Real>(log: T, floor: T) -> T {
    let log = if log > T::lit(LARGEST) { T::lit(LARGEST) } else { log };
    let own = special::scalar::exp(log * T::HALF);
    let (large, small) = (own.max(floor), own.min(floor));
    if small > T::ZERO && large.is_finite() {
        let ratio = small / large;
        large * (T::ONE + ratio * ratio).sqrt()
    } else {
        large
    }
}

/// ln P of the classes between increasing thresholds t: P(Y <= k) = 1 / (1 + exp(o - t_k)), so that with
/// a = t_k - o and b = t_(k-1) - o the probability of k is l(a) l(-b) (1 - exp(b - a)), l the logistic function.
fn ordered<T: Real>(thresholds: &[T], o: T, log: &mut [T]) {
    let mut last = None;
    for (k, l) in log.iter_mut().enumerate() {
        let own = thresholds.get(k).map(|t| *t - o);
        let below = own.map_or(T::ZERO, |a| -softplus(-a));
        let above = last.map_or(T::ZERO, |b| -softplus(b));
        let between = match (last, own) {
            (Some(b), Some(a)) => special::scalar::ln(-special::scalar::exp_m1(b - a)),
            _ => T::ZERO,
        };
        *l = below + above + between;
        last = own;
    }
}
