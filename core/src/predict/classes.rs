//! The predictive law of a class at one row: the probabilities of every draw, and their mean.

use super::saddle::excess;
use super::{log_mean_exp, mean_of};
use crate::pieces::{nth, pieces};
use crate::random::Stream;
use crate::scalar::Real;
use crate::special;
use crate::sum::Sum;

/// Classes 0, ..., C - 1 with the probabilities of K draws of equal weight. What is said of the law is said of the
/// mean of the probabilities, to the power 1/t at a temperature t and normalised; what is said of the draws (the
/// parts of the entropy) is of the posterior, before its temperature. Entropies are in nats. Scores that speak of an order (of the labels) do so for
/// ordinal outputs; for others it is that of the codes.
#[derive(Clone, Copy, Debug)]
pub struct Classes<'a, T> {
    /// ln P(c | draw), draw by draw.
    log: &'a [T],
    /// The mean of the probabilities, and what it is at the temperature.
    plain: &'a [T],
    mean: &'a [T],
    /// 1/t, and the logarithm of the sum of what it makes of the mean's probabilities.
    power: [T; 2],
}

/// Probabilities from their logarithms.
fn exponentials<T: Real>(logs: &[T]) -> impl Iterator<Item = T> + Clone {
    logs.iter().map(|log| special::scalar::exp(*log))
}

/// ln P(c | draw), draw by draw.
fn each<T: Real>(log: &[T], classes: usize, c: usize) -> impl Iterator<Item = T> + Clone {
    pieces(log, classes).map(move |draw| draw.get(c).copied().unwrap_or(-T::INFINITY))
}

/// Mean and variance of a class's code.
fn code<T: Real>(probabilities: impl Iterator<Item = T> + Clone) -> (T, T) {
    let all = probabilities.enumerate().map(|(c, p)| (T::of_usize(c), p));
    let mean = Sum::of(all.clone().map(|(c, p)| c * p));
    (mean, Sum::of(all.map(|(c, p)| p * ((c - mean) * (c - mean)))))
}

impl<'a, T: Real> Classes<'a, T> {
    /// From the logarithms of the probabilities, draw by draw, of half as many classes as `means` has entries; the
    /// mean of the probabilities is written there, and behind it what it is at that temperature. `None` without a
    /// whole draw.
    pub fn new(log: &'a [T], means: &'a mut [T], temperature: T) -> Option<Self> {
        let (plain, mean) = means.split_at_mut_checked(means.len() / 2)?;
        let classes = plain.len();
        let draws = log.len().checked_div(classes).filter(|k| *k > 0)?;
        let log = log.get(..draws.checked_mul(classes)?)?;
        let mean = mean.get_mut(..classes)?;
        for (c, (plain, mean)) in plain.iter_mut().zip(&mut *mean).enumerate() {
            *plain = mean_of(each(log, classes, c).map(special::scalar::exp));
            *mean = *plain;
        }
        let mut power = [T::ONE, T::ZERO];
        if temperature != T::ONE {
            let inverse = T::ONE / temperature;
            for (c, mean) in mean.iter_mut().enumerate() {
                *mean = inverse * log_mean_exp(each(log, classes, c));
            }
            power = [inverse, softmax(mean)];
            mean.iter_mut().for_each(|p| *p = special::scalar::exp(*p));
        }
        Some(Self { log, plain, mean, power })
    }

    /// Whether the probabilities are numbers.
    pub(super) fn within_reach(&self) -> bool {
        self.mean.iter().all(|p| p.is_finite())
    }

    /// C.
    pub fn classes(&self) -> usize {
        self.mean.len()
    }

    /// P(c), class by class.
    pub fn probabilities(&self) -> &'a [T] {
        self.mean
    }

    /// ln P(c | draw k), class by class; empty past the last draw.
    pub fn log_probabilities(&self, k: usize) -> &'a [T] {
        nth(self.log, self.mean.len(), k)
    }

    fn draws(&self) -> impl Iterator<Item = &'a [T]> + Clone {
        pieces(self.log, self.mean.len())
    }

    /// The entropy of the probabilities: all that is uncertain of the class.
    pub fn entropy(&self) -> T {
        let all = self.mean.iter().filter(|p| **p > T::ZERO);
        Sum::of(all.map(|p| -(*p * special::scalar::ln(*p))))
    }

    /// The mean of the draws' entropies: the aleatoric part of the [`entropy`](Self::entropy) at temperature 1.
    pub fn expected_entropy(&self) -> T {
        mean_of(self.draws().map(|draw| {
            // A class that the precision knows no probability of has no share, whatever its logarithm.
            let terms = draw.iter().map(|log| (special::scalar::exp(*log), *log));
            Sum::of(terms.map(|(p, log)| if p > T::ZERO { -(p * log) } else { T::ZERO }))
        }))
    }

    /// The mutual information of class and draw, the epistemic part: at temperature 1 the rest of the entropy. Computed as the
    /// mean divergence of the draws from the mean, each term of which is at least 0, so that a tiny one keeps its
    /// digits.
    pub fn mutual_information(&self) -> T {
        mean_of(self.draws().map(|draw| {
            let both = draw.iter().zip(self.plain).filter(|(_, q)| **q > T::ZERO);
            Sum::of(both.map(|(log, q)| *q * excess((special::scalar::exp(*log) - *q) / *q)))
        }))
    }

    /// The mean of the class's code under draw k; NaN past the last. Of two classes P(1).
    pub(super) fn mean_of(&self, k: usize) -> T {
        let own = self.log_probabilities(k);
        if own.is_empty() { T::NAN } else { code(exponentials(own)).0 }
    }

    /// Mean and standard deviation of the class's code.
    pub(super) fn moments(&self) -> (T, T) {
        let (mean, variance) = code(self.mean.iter().copied());
        (mean, variance.sqrt())
    }

    /// The variance of the code within the draws, on average, and that of the draws' means: at a temperature their sum is that of
    /// the law, and their ratio the posterior's.
    pub(super) fn parts(&self) -> [T; 2] {
        let (centre, _) = code(self.plain.iter().copied());
        let own = self.draws().map(|draw| code(exponentials(draw)));
        let away = own.clone().map(|(mean, _)| (mean - centre) * (mean - centre));
        let parts = [mean_of(own.map(|(_, variance)| variance)), mean_of(away)];
        let [within, between] = parts;
        let [power, _] = self.power;
        if power == T::ONE || !(within + between > T::ZERO) {
            return parts;
        }
        let (_, variance) = code(self.mean.iter().copied());
        parts.map(|part| part / (within + between) * variance)
    }

    /// The code of the first class c with P(Y <= c) >= p; of the last where there is none.
    pub(super) fn quantile(&self, p: T) -> T {
        let mut below = Sum::ZERO;
        let last = self.mean.len().saturating_sub(1);
        let passed = self.mean.iter().take(last).take_while(|own| {
            below.add(**own);
            below.value() < p
        });
        T::of_usize(passed.count())
    }

    /// The class of the largest probability (the first of equals), and that probability.
    pub fn top(&self) -> (usize, T) {
        let all = self.mean.iter().enumerate();
        all.fold((0, -T::ONE), |best, (c, p)| if *p > best.1 { (c, *p) } else { best })
    }

    /// The smallest set of classes whose probability reaches `level`, in (0, 1]: its classes into `set`, by falling
    /// probability (equals by their codes), as far as it reaches, and how many they are. C^3 comparisons.
    pub fn set(&self, level: T, set: &mut [u32]) -> usize {
        let mut places = set.iter_mut();
        self.visit(level, |c| {
            if let Some(place) = places.next() {
                *place = c as u32;
            }
        })
    }

    /// Visits the classes of that set.
    pub(super) fn visit(&self, level: T, mut each: impl FnMut(usize)) -> usize {
        let mut sum = Sum::ZERO;
        for r in 0..self.mean.len() {
            if sum.value() >= level {
                return r;
            }
            // The class that r others precede.
            let own = self.mean.iter().enumerate().find(|(c, _)| self.rank(*c) == r);
            if let Some((c, p)) = own {
                each(c);
                sum.add(*p);
            }
        }
        self.mean.len()
    }

    /// How many classes precede c by falling probability.
    fn rank(&self, c: usize) -> usize {
        let own = self.mean.get(c).copied().unwrap_or(T::NAN);
        let before = |(k, p): &(usize, &T)| **p > own || (**p == own && *k < c);
        self.mean.iter().enumerate().filter(before).count()
    }

    /// ln P(c): the log score. From the draws' logarithms, so that it is finite wherever one of them is.
    pub fn log_score(&self, c: usize) -> T {
        let [inverse, sum] = self.power;
        inverse * log_mean_exp(each(self.log, self.mean.len(), c)) - sum
    }

    /// Brier's score: the sum over the classes k of (P(k) - 1{k = c})^2, in [0, 2]. Smaller is better.
    pub fn brier(&self, c: usize) -> T {
        Sum::of(self.mean.iter().enumerate().map(|(k, p)| {
            let away = if k == c { *p - T::ONE } else { *p };
            away * away
        }))
    }

    /// The ranked probability score: the sum over k < C - 1 of (P(Y <= k) - 1{c <= k})^2. Smaller is better.
    pub fn ranked(&self, c: usize) -> T {
        let mut below = Sum::ZERO;
        let steps = self.mean.len().saturating_sub(1);
        Sum::of(self.mean.iter().take(steps).enumerate().map(|(k, p)| {
            below.add(*p);
            let away = below.value() - if c <= k { T::ONE } else { T::ZERO };
            away * away
        }))
    }

    /// P(Y < c) + u P(Y = c): uniform if c follows this law and u is uniform in (0, 1).
    pub fn pit(&self, c: usize, u: T) -> T {
        let below = Sum::of(self.mean.iter().take(c).copied());
        below + u * self.mean.get(c).copied().unwrap_or(T::ZERO)
    }

    /// A draw of the class, by one uniform.
    pub fn draw(&self, stream: &mut Stream) -> usize {
        let u: T = stream.uniform();
        let mut below = Sum::ZERO;
        let passed = self.mean.iter().take_while(|p| {
            below.add(**p);
            below.value() <= u
        });
        passed.count().min(self.mean.len().saturating_sub(1))
    }
}

/// Logits become logarithms of probabilities; the logarithm of the sum of their exponentials.
pub(super) fn softmax<T: Real>(logits: &mut [T]) -> T {
    let largest = logits.iter().fold(-T::INFINITY, |most, o| o.max(most));
    let sum = Sum::of(logits.iter().map(|o| special::scalar::exp(*o - largest)));
    let log = special::scalar::ln(sum);
    logits.iter_mut().for_each(|o| *o = (*o - largest) - log);
    largest + log
}

/// The area under the receiver operating characteristic: the probability that a score of `higher` lies above one
/// of `lower`, ties counting half (Mann and Whitney 1947). Exact but for one rounding; n m comparisons. NaN where a
/// list is empty; a NaN is above nothing.
pub fn auroc<T: Real>(lower: &[T], higher: &[T]) -> T {
    let mut halves = 0_u64;
    for high in higher {
        for low in lower {
            let won = if high > low { 2 } else { (high == low) as u64 };
            halves = halves.saturating_add(won);
        }
    }
    // Both are counts: exact up to 2^24 (`f32`) or 2^53 pairs.
    let pairs = T::of_usize(lower.len()) * T::of_usize(higher.len());
    T::of_usize(usize::try_from(halves).unwrap_or(usize::MAX)) * T::HALF / pairs
}

/// Bins of the top probability, (b/15, (b + 1)/15].
const BINS: usize = 15;

/// The calibration error of rows: over bins of the top probability, the distance between the mean of it and how
/// often the top class was right, weighted by rows (Naeini, Cooper and Hauskrecht 2015; 15 bins).
#[derive(Clone, Copy, Debug)]
pub struct Calibration<T> {
    /// Of each bin, the sum over its rows of top probability less 1 where it was right.
    away: [Sum<T>; BINS],
    rows: usize,
}

impl<T: Real> Default for Calibration<T> {
    fn default() -> Self {
        Self { away: [Sum::ZERO; BINS], rows: 0 }
    }
}

impl<T: Real> Calibration<T> {
    /// Adds a row.
    pub fn add(&mut self, top: T, right: bool) {
        let scaled = top * T::of_usize(BINS);
        let bin = scaled.to_usize();
        // A bin has its upper end.
        let bin = if T::of_usize(bin) == scaled { bin.saturating_sub(1) } else { bin };
        if let Some(away) = self.away.get_mut(bin.min(BINS - 1)) {
            away.add(top);
            away.add(if right { -T::ONE } else { T::ZERO });
        }
        self.rows = self.rows.saturating_add(1);
    }

    /// The error, in [0, 1]; NaN without rows.
    pub fn error(&self) -> T {
        Sum::of(self.away.iter().map(|away| away.value().abs())) / T::of_usize(self.rows)
    }
}
