//! The predictive law of one row: a mixture of Student-t laws, one for each draw, of equal weights
//! unless others are given.
//!
//! Every sum over the components is compensated and runs in their order, or is eight such sums of every eighth, so that no
//! instruction set changes a bit.

mod components;
mod integral;
mod quantile;

pub(super) use components::Compiled;
pub(super) use integral::integral;
pub(super) use quantile::quantile;

use super::network::Prediction;
use super::student_t;
use crate::dispatch::blank;
use crate::posterior::reach;
use crate::random::Stream;
use crate::scalar::Real;
use crate::simd::{Isa, Portable, Simd, Vector};
use crate::sum::{Sum, total};

/// Components (location, scale, nu), all of the same weight or [weighted](Self::weighted).
#[derive(Clone, Copy, Debug)]
pub struct Mixture<'a, T> {
    isa: Isa,
    location: &'a [T],
    scale: &'a [T],
    nu: &'a [T],
    log_norm: &'a [T],
    /// K times the probability of each component; empty where they are equal.
    weight: &'a [T],
    /// Components of one draw.
    each: usize,
}

/// The density of a law and its two tails at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tails<T> {
    /// f(x).
    pub density: T,
    /// P(Y <= x).
    pub lower: T,
    /// P(Y > x).
    pub upper: T,
}

blank!(Tails<T> { density, lower, upper });

/// Where a law's components are: the mean and the variance of their locations, the smallest scale, and the mean of the scales.
pub(super) struct Place<T> {
    pub(super) centre: T,
    pub(super) spread: T,
    pub(super) finest: T,
    pub(super) noise: T,
    /// The mean of 1/nu.
    pub(super) heavy: T,
    /// The largest distance of a location from the centre.
    pub(super) furthest: T,
}

/// Fills `out` with the logarithms of the densities' constants: [`student_t::log_normaliser`] of
/// each nu.
pub fn log_normalisers<T: Real>(nu: &[T], out: &mut [T]) {
    for (&nu, out) in nu.iter().zip(out) {
        let [c] = student_t::log_normaliser(Portable, Portable.load(&[nu])).array();
        *out = c;
    }
}

impl<'a, T: Real> Mixture<'a, T> {
    /// A mixture over as many components as the shortest slice holds: scales positive, nu at least
    /// 1/2 or infinite (normal), `log_norm` from [`log_normalisers`]. `None` if there is none.
    pub fn new(
        isa: Isa,
        location: &'a [T],
        scale: &'a [T],
        nu: &'a [T],
        log_norm: &'a [T],
    ) -> Option<Self> {
        let k = location.len().min(scale.len()).min(nu.len()).min(log_norm.len());
        if k == 0 {
            return None;
        }
        Some(Self {
            isa,
            location: location.get(..k)?,
            scale: scale.get(..k)?,
            nu: nu.get(..k)?,
            log_norm: log_norm.get(..k)?,
            weight: &[],
            each: 1,
        })
    }

    /// The same components with other weights: K times the probability of each, at least 0, their sum K.
    /// `None` if there are fewer weights than components.
    pub fn weighted(self, weight: &'a [T]) -> Option<Self> {
        Some(Self { weight: weight.get(..self.location.len())?, ..self })
    }

    /// The same law of draws that have `each` components side by side, at least 1.
    pub fn grouped(self, each: usize) -> Self {
        Self { each: each.max(1), ..self }
    }

    /// The components of draw k, whose weights are those of a law if they sum to their number; `None` past the last.
    pub fn of_draw(&self, k: usize) -> Option<Self> {
        let from = k.checked_mul(self.each)?;
        let own = from..from.checked_add(self.each)?;
        let weight = if self.weight.is_empty() { &[] } else { self.weight.get(own.clone())? };
        Some(Self {
            location: self.location.get(own.clone())?,
            scale: self.scale.get(own.clone())?,
            nu: self.nu.get(own.clone())?,
            log_norm: self.log_norm.get(own)?,
            weight,
            ..*self
        })
    }

    /// The components of each draw.
    fn draws(&self) -> impl Iterator<Item = Self> {
        let draws = self.components().checked_div(self.each).unwrap_or(0);
        (0..draws).filter_map(|k| self.of_draw(k))
    }

    /// The mass of a draw's components, and the mean of their locations.
    fn mass(&self) -> (T, T) {
        let all = || (0..self.components()).map(|k| self.weight(k));
        let mass = Sum::of(all());
        let sum = Sum::of(all().zip(self.location).map(|(w, m)| w * *m));
        (mass, if mass > T::ZERO { sum / mass } else { T::ZERO })
    }

    /// The mean over the draws of the variance within each: noise. Infinite where a nu is 2 or less.
    pub fn aleatoric(&self) -> T {
        let spreads = self.draws().map(|draw| {
            let (_, centre) = draw.mass();
            let away = draw.location.iter().map(|m| *m - centre).enumerate();
            Sum::of(away.map(|(k, m)| draw.weight(k) * (m * m)))
        });
        self.noise() + if self.each > 1 { Sum::of(spreads) / self.count() } else { T::ZERO }
    }

    /// The variance over the draws of their means: what is not known of the network.
    pub fn epistemic(&self) -> T {
        let centre = self.centre();
        let means = self.draws().map(|draw| draw.mass());
        Sum::of(means.map(|(mass, m)| mass * ((m - centre) * (m - centre)))) / self.count()
    }

    /// The mean of the locations of draw k; NaN past the last.
    pub(super) fn mean_of(&self, k: usize) -> T {
        match self.of_draw(k) {
            Some(draw) if self.each > 1 => draw.mass().1,
            Some(draw) => draw.location.first().copied().unwrap_or(T::NAN),
            None => T::NAN,
        }
    }

    /// Whether squares of locations and scales can be summed.
    pub(super) fn within_reach(&self) -> bool {
        let (most, mut sizes) = (reach::<T>(), self.location.iter().chain(self.scale));
        sizes.all(|x| x.abs() <= most)
    }

    /// How many components there are.
    pub fn components(&self) -> usize {
        self.location.len()
    }

    /// The components' scales.
    pub(super) fn own_scales(&self) -> &'a [T] {
        self.scale
    }

    /// The components' locations: f(x) of each draw where the mixture is a prediction.
    pub fn locations(&self) -> &'a [T] {
        self.location
    }

    fn count(&self) -> T {
        T::of_usize(self.location.len())
    }

    /// The weight of component k: one where they are equal.
    #[inline(always)]
    pub(super) fn weight(&self, k: usize) -> T {
        self.weight.get(k).copied().unwrap_or(T::ONE)
    }

    /// E Y: the mean of the locations (NaN where a nu is 1 or less).
    pub fn mean(&self) -> T {
        if self.has_mean() { self.centre() } else { T::NAN }
    }

    fn has_mean(&self) -> bool {
        self.nu.iter().all(|&nu| nu > T::ONE)
    }

    /// The mean of m - about over the locations m, or of its square.
    #[inline(never)]
    fn moment(&self, about: T, squared: bool) -> T {
        let away = |m: T| if squared { (m - about) * (m - about) } else { m - about };
        self.sum(self.location, |m, _| away(m)) / self.count()
    }

    /// The mean of the locations, in two compensated passes.
    fn centre(&self) -> T {
        let first = self.moment(T::ZERO, false);
        first + self.moment(first, false)
    }

    /// The sum over the components of a term of one of their lists and of nu, each as often as its weight says.
    #[inline(never)]
    fn sum(&self, list: &[T], term: impl Fn(T, T) -> T) -> T {
        let mut sums = [Sum::ZERO; 8];
        for (k, (x, nu)) in list.iter().zip(self.nu).enumerate() {
            if let Some(sum) = sums.get_mut(k % 8) {
                sum.add(self.weight(k) * term(*x, *nu));
            }
        }
        total(&sums)
    }

    /// The smallest scale, and the mean of the scales of all.
    fn scales(&self) -> (T, T) {
        let finest = self.scale.iter().fold(T::MAX, |least, scale| least.min(*scale));
        (finest, self.sum(self.scale, |scale, _| scale) / self.count())
    }

    /// Where its locations and scales are.
    fn place(&self) -> Place<T> {
        let centre = self.centre();
        let (finest, noise) = self.scales();
        let heavy = self.sum(self.scale, |_, nu| T::ONE / nu) / self.count();
        let furthest = self.location.iter().fold(T::ZERO, |most, m| most.max((*m - centre).abs()));
        Place { centre, spread: self.moment(centre, true), finest, noise, heavy, furthest }
    }

    /// The mean of scale^2 nu / (nu - 2). Infinite where a nu is 2 or less.
    fn noise(&self) -> T {
        let two = T::lit(2.0);
        if self.nu.iter().any(|nu| *nu <= two) {
            return T::INFINITY;
        }
        let tail = |nu: T| if nu < T::INFINITY { nu / (nu - two) } else { T::ONE };
        self.sum(self.scale, |scale, nu| scale * scale * tail(nu)) / self.count()
    }

    /// The standard deviation of Y: the spread of the locations and the noise of each component,
    /// scale^2 nu / (nu - 2). Infinite where a nu is 2 or less.
    pub fn sd(&self) -> T {
        (self.moment(self.centre(), true) + self.noise()).sqrt()
    }
}

impl<T: Compiled> Mixture<'_, T> {
    /// The density and both tails at x. About 100 flops and 40 divisions a component.
    pub fn tails(&self, x: T) -> Tails<T> {
        T::tails_at(self, x)
    }

    /// P(Y <= y), the probability integral transform of y: uniform if y follows this law.
    pub fn cdf(&self, y: T) -> T {
        self.tails(y).lower
    }

    /// ln f(y), the log score. Two passes over the components.
    pub fn log_density(&self, y: T) -> T {
        self.log_densities(y, &mut [])
    }

    /// ln f_k(y) of every component (whatever its weight) into `out`, and ln f(y) of the mixture.
    pub fn log_densities(&self, y: T, out: &mut [T]) -> T {
        T::log_densities_at(self, y, out)
    }

    /// The x with P(Y <= x) = p: infinite at 0 and 1, NaN outside [0, 1].
    pub fn quantile(&self, p: T) -> T {
        if p <= T::HALF {
            self.tail_quantile(p, false)
        } else {
            self.tail_quantile(T::ONE - p, true)
        }
    }

    /// The interval that leaves (1 - level)/2 on each side, 0 < level < 1.
    pub fn central_interval(&self, level: T) -> (T, T) {
        self.interval(&self.place(), level)
    }

    fn interval(&self, place: &Place<T>, level: T) -> (T, T) {
        let tail = (T::ONE - level) * T::HALF;
        (self.tail_from(place, tail, false), self.tail_from(place, tail, true))
    }

    /// Mean, sd and the central interval of the given level.
    pub fn prediction(&self, level: T) -> Prediction<T> {
        let place = self.place();
        let (lower, upper) = self.interval(&place, level);
        let mean = if self.has_mean() { place.centre } else { T::NAN };
        Prediction { mean, sd: (place.spread + self.noise()).sqrt(), lower, upper }
    }

    /// The point with probability p, at most about 1/2, below it (or above): usually 2 or 3 evaluations of
    /// [`tails`](Self::tails), at most 400.
    pub fn tail_quantile(&self, p: T, upper: bool) -> T {
        self.tail_from(&self.place(), p, upper)
    }

    fn tail_from(&self, place: &Place<T>, p: T, upper: bool) -> T {
        quantile(place, &|x| self.tails(x), p, upper)
    }

    /// The integral over x of a term of x and the law there ([`integral`]).
    pub(super) fn integral(&self, beyond: T, term: impl Fn(T, &Tails<T>) -> T) -> T {
        integral(&self.place(), beyond, &|x| term(x, &self.tails(x)))
    }

    /// A draw of Y: a uniform chooses the component, then one normal, and unless nu is infinite one
    /// Gamma(nu/2) number.
    pub fn draw(&self, stream: &mut Stream) -> T {
        let u: T = stream.uniform();
        let last = self.location.len().saturating_sub(1);
        let mut left = u * self.count();
        let k = if self.weight.is_empty() {
            left.to_usize().min(last)
        } else {
            let passed = |w: &&T| {
                left -= **w;
                left >= T::ZERO
            };
            self.weight.iter().take_while(passed).count().min(last)
        };
        let z: T = stream.normal();
        let (Some(&location), Some(&scale), Some(&nu)) =
            (self.location.get(k), self.scale.get(k), self.nu.get(k))
        else {
            return T::NAN;
        };
        if nu < T::INFINITY {
            let half = nu * T::HALF;
            let g = stream.gamma(half) / half;
            location + scale * (z / g.sqrt())
        } else {
            location + scale * z
        }
    }

    /// The continuous ranked probability score of an observation y (smaller is better, in units of
    /// y): E|Y - y| - E|Y - Y'|/2 (Gneiting and Raftery 2007, equation 21). Infinite where a nu is
    /// 1 or less.
    ///
    /// The first term has a closed form for t (Jordan, Krueger, Lerch 2019); the second is the
    /// integral of F (1 - F), by the trapezoidal rule in x = centre + S sinh(pi/2 sinh t) (Takahasi and Mori 1974), whose
    /// error falls exponentially with the number of points: some 60 evaluations of [`tails`](Self::tails) where locations
    /// and scales are alike. Where they are not it starts from a wider step, which is halved until the integral moves by
    /// less than 1e-7 (`f64`) or 1e-4 (`f32`) of itself or the step is small enough for the narrowest component, at most
    /// 2000 evaluations.
    pub fn crps(&self, y: T) -> T {
        if !self.has_mean() {
            return T::INFINITY;
        }
        T::distance_to(self, y) - self.self_distance()
    }

    /// E|Y - Y'| / 2 for independent Y, Y'.
    fn self_distance(&self) -> T {
        self.integral(T::ZERO, |_, at| at.lower * at.upper)
    }
}
