//! Mixtures of Gamma laws, as laws of the logarithm.

use super::mixture::{Place, Tails, integral, quantile};
use super::saddle::{Component, HALF_LN_2_PI, gamma_fraction};
use super::{log_mean_exp, mean_of};
use crate::random::Stream;
use crate::scalar::Real;
use crate::special::{self, scalar::exp_m1};
use crate::sum::Sum;

/// Shapes from which on the tails are those of large ones, to 6e-8 (`f32`) and 1e-8.
const LARGE: [f64; 2] = [1e3, 3e3];

/// Gamma laws, one a draw, each by ln E(Y), its shape k (Y has the variance E(Y)^2/k) and the
/// [`binet`](special::scalar::binet) of that; of equal weight or [weighted](Self::weighted).
#[derive(Clone, Copy, Debug)]
pub struct Gammas<'a, T> {
    log_mean: &'a [T],
    shape: &'a [T],
    rest: &'a [T],
    /// K times the probability of each; empty where they are equal.
    weight: &'a [T],
}

/// One of them.
#[derive(Clone, Copy)]
struct One<T> {
    log_mean: T,
    shape: T,
    rest: T,
}

impl<T: Real> One<T> {
    /// ln of the density of ln Y at x.
    fn log_density(&self, x: T) -> T {
        let t = x - self.log_mean;
        let level = T::HALF * special::scalar::ln(self.shape) - (self.rest + T::lit(HALF_LN_2_PI));
        level - self.shape * (exp_m1(t) - t)
    }

    /// The density of ln Y at x and both tails, the smaller one to some 30 epsilon of itself, or as [`LARGE`] says: by the power
    /// series of the lower one up to about the mean, the continued fraction of the upper one beyond (DLMF 8.11.4, 8.9.2),
    /// some 6 sqrt(k) steps near it and fewer elsewhere.
    fn tails(&self, x: T) -> Tails<T> {
        let (one, shape, t) = (T::ONE, self.shape, x - self.log_mean);
        let density = special::scalar::exp(self.log_density(x));
        let z = shape * special::scalar::exp(t);
        let [single, double] = LARGE;
        let (lower, upper) = if shape >= T::lit(if T::BITS == 32 { single } else { double }) {
            // P(Y > y) is that of less than k events at the rate z.
            let log_rate = special::scalar::ln(shape) + t;
            let events = Component { rate: z, log_rate, size: T::INFINITY, rest: T::ZERO };
            let (upper, lower) = if z > T::ZERO && z.is_finite() {
                events.uniform_tails(shape - one)
            } else if z > one {
                (T::ZERO, one)
            } else {
                (one, T::ZERO)
            };
            (lower, upper)
        } else if z < shape + one {
            let (mut term, mut sum, mut at) = (one, one, shape);
            while term > sum * T::EPSILON * T::lit(0.25) {
                at += one;
                term = term * (z / at);
                sum += term;
            }
            let lower = (density / shape * sum).min(one);
            (lower, one - lower)
        } else {
            let tail = density * if density > T::ZERO { gamma_fraction(shape, z) } else { one };
            let upper = tail.min(one);
            (one - upper, upper)
        };
        Tails { density, lower, upper }
    }
}

impl<'a, T: Real> Gammas<'a, T> {
    /// Of as many laws as the shortest slice holds; `None` if there is none.
    pub fn new(log_mean: &'a [T], shape: &'a [T], rest: &'a [T]) -> Option<Self> {
        let k = log_mean.len().min(shape.len()).min(rest.len());
        let (log_mean, shape, rest) = (log_mean.get(..k)?, shape.get(..k)?, rest.get(..k)?);
        (k > 0).then_some(Self { log_mean, shape, rest, weight: &[] })
    }

    /// The same laws with other weights: K times the probability of each, at least 0, their sum K. `None` if there are fewer.
    pub fn weighted(self, weight: &'a [T]) -> Option<Self> {
        Some(Self { weight: weight.get(..self.laws())?, ..self })
    }

    /// How many laws there are.
    pub fn laws(&self) -> usize {
        self.log_mean.len()
    }

    pub(super) fn weight(&self, k: usize) -> T {
        self.weight.get(k).copied().unwrap_or(T::ONE)
    }

    /// ln E(Y) and 1/k of a law.
    pub(super) fn log_of(&self, k: usize) -> Option<(T, T)> {
        Some((*self.log_mean.get(k)?, T::ONE / *self.shape.get(k)?))
    }

    fn one(&self, k: usize) -> One<T> {
        let at = |list: &[T]| list.get(k).copied().unwrap_or(T::NAN);
        One { log_mean: at(self.log_mean), shape: at(self.shape), rest: at(self.rest) }
    }

    fn all(&self) -> impl Iterator<Item = One<T>> + Clone {
        (0..self.laws()).map(|k| self.one(k))
    }

    /// Where they are: about one wide above the mean where a law is wide, however far its logarithms reach down.
    fn place(&self) -> Place<T> {
        let weighted = |term: &dyn Fn(T) -> T| {
            mean_of(self.log_mean.iter().enumerate().map(|(k, m)| self.weight(k) * term(*m)))
        };
        let centre = weighted(&|m| m);
        let spread = weighted(&|m| (m - centre) * (m - centre));
        let wide = || self.shape.iter().map(|k| T::ONE / (T::ONE + *k).sqrt());
        let finest = wide().fold(T::ONE, |least, s| least.min(s));
        let noise = mean_of(wide().enumerate().map(|(k, s)| self.weight(k) * s));
        let furthest = self.log_mean.iter().fold(T::ZERO, |most, m| most.max((*m - centre).abs()));
        Place { centre, spread, finest, noise, heavy: T::ZERO, furthest }
    }

    /// The density of ln Y at x and both tails.
    pub fn tails(&self, x: T) -> Tails<T> {
        let mut sums = [Sum::ZERO; 3];
        for (k, law) in self.all().enumerate() {
            let (own, weight) = (law.tails(x), self.weight(k));
            let each = [own.density, own.lower, own.upper];
            sums.iter_mut().zip(each).for_each(|(sum, x)| sum.add(weight * x));
        }
        let [density, lower, upper] = sums.map(|sum| sum.value() / T::of_usize(self.laws()));
        Tails { density, lower, upper }
    }

    /// P(ln Y <= x) by law k, whatever its weight; NaN past the last.
    pub(super) fn cdf_of(&self, k: usize, x: T) -> T {
        self.one(k).tails(x).lower
    }

    /// ln f(x) of the density of ln Y.
    pub fn log_density(&self, x: T) -> T {
        let log = |(k, law): (usize, One<T>)| law.log_density(x) + self.log_weight(k);
        log_mean_exp(self.all().enumerate().map(log))
    }

    fn log_weight(&self, k: usize) -> T {
        self.weight.get(k).map_or(T::ZERO, |w| special::scalar::ln(*w))
    }

    /// ln f(x) of every law into `out`, whatever its weight.
    pub(super) fn log_densities(&self, x: T, out: &mut [T]) {
        out.iter_mut().zip(self.all()).for_each(|(o, law)| *o = law.log_density(x));
    }

    /// The x with probability p, at most about 1/2, below it (or above): some 5 evaluations of [`tails`](Self::tails).
    pub fn tail_quantile(&self, p: T, upper: bool) -> T {
        quantile(&self.place(), &|x| self.tails(x), p, upper)
    }

    /// The integral over x of a term of x and the law there, which falls with both tails.
    pub(super) fn integral(&self, term: impl Fn(T, &Tails<T>) -> T) -> T {
        // What a wide law leaves beyond its mean m falls as exp(-k y/m).
        let narrow = self.shape.iter().fold(T::ONE, |least, k| least.min(*k));
        let beyond = T::lit(4.0) - special::scalar::ln(narrow);
        integral(&self.place(), beyond, &|x| term(x, &self.tails(x)))
    }

    /// E|Y - y| of law k for ln y = x: y (2 P(k, z) - 1) + E(Y) (1 - 2 P(k + 1, z)), z = k y / E(Y).
    pub(super) fn distance(&self, k: usize, y: T, x: T) -> T {
        let law = self.one(k);
        let mean = special::scalar::exp(law.log_mean);
        if !(y > T::ZERO) {
            return mean - y;
        }
        let Tails { density, lower, upper } = law.tails(x);
        let step = density / law.shape;
        y * (lower - upper) + mean * (upper - lower + step + step)
    }

    /// A draw of ln Y: a uniform chooses the law, and then one Gamma(k) number.
    pub fn draw(&self, stream: &mut Stream) -> T {
        let u: T = stream.uniform();
        let last = self.laws().saturating_sub(1);
        let mut left = u * T::of_usize(self.laws());
        let passed = |k: &usize| {
            left -= self.weight(*k);
            left >= T::ZERO
        };
        let law = self.one((0..last).take_while(passed).count());
        law.log_mean + special::scalar::ln(stream.gamma(law.shape) / law.shape)
    }
}
