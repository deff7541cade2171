//! The predictive law of a count at one row: a mixture over the draws of Poisson or negative binomial laws.

use super::saddle::Component;
use super::small::Small;
use super::{log_mean_exp, mean_of};
use crate::random::Stream;
use crate::scalar::Real;
use crate::special;
use crate::sum::Sum;

/// Poisson laws, or negative binomial ones with variance mu + mu^2/r, one a draw, of equal weight. Counts are
/// whole numbers >= 0 of the precision T.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a, T> {
    rate: &'a [T],
    log_rate: &'a [T],
    size: &'a [T],
    rest: &'a [T],
}

/// Counts whose probabilities are taken together.
const BLOCK: usize = 64;
/// The most counts that are summed over one by one.
const MOST: u32 = 16384;

impl<'a, T: Real> Counts<'a, T> {
    /// From the logarithms of the means; their exponentials are written to `rate`. `size`: r of each draw and `rest` its
    /// [`binet`](special::scalar::binet), or empty for Poisson's. `None` without draws, or if a list is shorter.
    pub fn new(log_rate: &'a [T], size: &'a [T], rest: &'a [T], rate: &'a mut [T]) -> Option<Self> {
        let rate = rate.get_mut(..log_rate.len())?;
        for (rate, log) in rate.iter_mut().zip(log_rate) {
            *rate = special::scalar::exp(*log);
        }
        if !size.is_empty() && size.len().min(rest.len()) < log_rate.len() {
            return None;
        }
        (!log_rate.is_empty()).then_some(Self { rate, log_rate, size, rest })
    }

    /// The draws.
    pub fn draws(&self) -> usize {
        self.rate.len()
    }

    /// The mean of each draw's law.
    pub fn rates(&self) -> &'a [T] {
        self.rate
    }

    fn component(&self, k: usize) -> Component<T> {
        Component {
            rate: self.rate.get(k).copied().unwrap_or(T::NAN),
            log_rate: self.log_rate.get(k).copied().unwrap_or(T::NAN),
            size: self.size.get(k).copied().unwrap_or(T::INFINITY),
            rest: self.rest.get(k).copied().unwrap_or(T::ZERO),
        }
    }

    fn components(&self) -> impl Iterator<Item = Component<T>> + Clone {
        (0..self.rate.len()).map(|k| self.component(k))
    }

    /// E Y.
    pub fn mean(&self) -> T {
        mean_of(self.rate.iter().copied())
    }

    /// The variance within the draws' laws, on average: noise.
    pub fn aleatoric(&self) -> T {
        mean_of(self.components().map(|c| c.variance()))
    }

    /// The variance of the draws' means: what is not known of the network.
    pub fn epistemic(&self) -> T {
        let mean = self.mean();
        mean_of(self.rate.iter().map(|r| (*r - mean) * (*r - mean)))
    }

    /// The standard deviation of Y: of [`aleatoric`](Self::aleatoric) and [`epistemic`](Self::epistemic) together.
    pub fn sd(&self) -> T {
        (self.aleatoric() + self.epistemic()).sqrt()
    }

    /// ln P(Y = y); minus infinity where y is no count. Some 100 flops and 4 logarithms a draw.
    pub fn log_mass(&self, y: T) -> T {
        self.log_masses(y, &mut [])
    }

    /// ln P(Y = y) of every draw into `out`, and of the mixture.
    pub fn log_masses(&self, y: T, out: &mut [T]) -> T {
        if !is_count(y) {
            out.iter_mut().for_each(|o| *o = -T::INFINITY);
            return -T::INFINITY;
        }
        for (o, c) in out.iter_mut().zip(self.components()) {
            *o = c.log_mass(y);
        }
        match out.get(..self.draws()) {
            Some(own) => log_mean_exp(own.iter().copied()),
            None => log_mean_exp(self.components().map(|c| c.log_mass(y))),
        }
    }

    /// P(Y = y).
    pub fn mass(&self, y: T) -> T {
        special::scalar::exp(self.log_mass(y))
    }

    /// (P(Y <= y), P(Y > y)), each without the cancellation of the other. At the counts near a mean mu some
    /// 6 sqrt(mu) steps a draw, fewer elsewhere.
    pub fn tails(&self, y: T) -> (T, T) {
        if !(y >= T::ZERO) {
            return if y < T::ZERO { (T::ZERO, T::ONE) } else { (T::NAN, T::NAN) };
        }
        let at = y.floor();
        let (mut lower, mut upper) = (Sum::ZERO, Sum::ZERO);
        for c in self.components() {
            let (below, above) = if at.is_finite() { c.tails(at) } else { (T::ONE, T::ZERO) };
            lower.add(below);
            upper.add(above);
        }
        let count = T::of_usize(self.rate.len());
        (lower.value() / count, upper.value() / count)
    }

    /// P(Y <= y | draw k) of a count y.
    pub(super) fn cdf_of(&self, k: usize, y: T) -> T {
        if y.is_finite() { self.component(k).tails(y).0 } else { T::ONE }
    }

    /// P(Y <= y).
    pub fn cdf(&self, y: T) -> T {
        self.tails(y).0
    }

    /// The least count y with P(Y <= y) >= p: infinite at 1, NaN outside [0, 1].
    pub fn quantile(&self, p: T) -> T {
        if !(p >= T::ZERO && p <= T::ONE) {
            return T::NAN;
        }
        if p == T::ONE {
            return T::INFINITY;
        }
        let small = self.small();
        if p <= T::HALF { self.lower(&small, p) } else { self.upper(&small, T::ONE - p) }
    }

    /// The quantiles at (1 - level)/2 and (1 + level)/2, 0 < level < 1: an interval with at least the
    /// probability `level`.
    pub fn central_interval(&self, level: T) -> (T, T) {
        let (tail, small) = ((T::ONE - level) * T::HALF, self.small());
        (self.lower(&small, tail), self.upper(&small, tail))
    }

    fn small(&self) -> Option<Small<T>> {
        Small::new(self.components())
    }

    /// The least count y with P(Y <= y) >= p.
    fn lower(&self, small: &Option<Small<T>>, p: T) -> T {
        let own = small.as_ref().and_then(|small| small.lower(p));
        own.unwrap_or_else(|| self.first(p, false))
    }

    /// The least count y with P(Y > y) <= p.
    fn upper(&self, small: &Option<Small<T>>, p: T) -> T {
        let own = small.as_ref().and_then(|small| small.upper(p));
        own.unwrap_or_else(|| self.first(p, true))
    }

    fn first(&self, p: T, upper: bool) -> T {
        first(self.mean(), self.sd(), |y| self.tails(y), p, upper)
    }

    /// P(Y < y) + u P(Y = y): uniform if y follows this law and u is uniform in (0, 1).
    pub fn pit(&self, y: T, u: T) -> T {
        let below = if y > T::ZERO { self.cdf(y - T::ONE) } else { T::ZERO };
        below + u * self.mass(y)
    }

    /// A draw of Y: a uniform chooses the draw, a Gamma(r) number the rate where the law is negative binomial,
    /// and one uniform the count, by inversion: some 10 evaluations of one Poisson law's tails.
    pub fn draw(&self, stream: &mut Stream) -> T {
        let u: T = stream.uniform();
        let last = self.rate.len().saturating_sub(1);
        let own = self.component((u * T::of_usize(self.rate.len())).to_usize().min(last));
        let rate = if own.size < T::INFINITY {
            own.rate * (stream.gamma(own.size) / own.size)
        } else {
            own.rate
        };
        let u: T = stream.uniform();
        invert(rate, u)
    }

    /// P(Y = first), ..., P(Y = first + 63).
    fn masses(&self, first: T) -> [T; BLOCK] {
        let mut sums = [Sum::ZERO; BLOCK];
        for c in self.components() {
            let (mut mass, mut y) = (c.mass(first), first);
            for sum in &mut sums {
                sum.add(mass);
                mass = mass * c.ratio(y);
                y += T::ONE;
            }
        }
        sums.map(|sum| sum.value() / T::of_usize(self.rate.len()))
    }

    /// The continuous ranked probability score of an observation y, which for counts is the ranked probability
    /// score: sum over k of (P(Y <= k) - 1{y <= k})^2 (Gneiting and Raftery 2007, equation 21; smaller is better). Infinite
    /// where a rate is, NaN where y is no count.
    ///
    /// Summed from the quantile at e to that at 1 - e, e = 1e-10 (`f64`) or 1e-5 (`f32`). Past the first 16384 counts it is
    /// taken at 4096 of the others or some more, of negative binomial laws with r and counts beyond 1e5 at fewer.
    pub fn crps(&self, y: T) -> T {
        if !self.mean().is_finite() {
            return T::INFINITY;
        }
        if !is_count(y) {
            return T::NAN;
        }
        let rare = T::lit(if T::BITS == 32 { 1e-5 } else { 1e-10 });
        let small = self.small().filter(|small| small.is_whole(rare));
        if let Some((small, short)) = small.and_then(|own| Some((own.within(), own.short_of(y)?))) {
            return short + short + (self.mean() - y) - small;
        }
        let (low, high) = (self.first(rare, false), self.first(rare, true));
        // Before the law and behind it one of the two is all.
        let mut sum = Sum::ZERO;
        sum.add((low - y).max(y - high).max(T::ZERO));
        let mut below = Sum::ZERO;
        below.add(if low > T::ZERO { self.cdf(low - T::ONE) } else { T::ZERO });
        let single = (high - low).min(T::of_u32(MOST)).to_usize();
        let mut at = low;
        for first in (0..single).step_by(BLOCK) {
            for mass in self.masses(at).into_iter().take(single.saturating_sub(first)) {
                below.add(mass);
                let own = below.value();
                let part = if at < y { own } else { T::ONE - own };
                sum.add(part * part);
                at += T::ONE;
            }
        }
        let middle = y.max(at).min(high);
        sum.add(self.strided(at, middle, |(below, _)| below * below));
        sum.add(self.strided(middle, high, |(_, above)| above * above));
        sum.value()
    }

    /// The sum of g(P(Y <= k), P(Y > k)) over the counts from `from` on to before `to`: over ranges each twice as long as the
    /// one before, as a law may have several scales, at every h-th count with the first terms of Euler and Maclaurin,
    /// h (g_0/2 + g_1 + ... + g_m/2) - (h^2 - 1)/12 (g'_m - g'_0) + (g_0 - g_m)/2.
    fn strided(&self, from: T, to: T, g: impl Fn((T, T)) -> T) -> T {
        if !(to > from) {
            return T::ZERO;
        }
        // Of negative binomial laws each has its sqrt(r) steps or sqrt(y): where both are large there are fewer points.
        let size = self.size.iter().fold(T::ONE, |most, size| most.max(*size));
        let points = (T::lit(1.6e6) / size.min(to).sqrt()).min(T::of_u32(MOST / 4));
        let unit = T::of_u32(MOST);
        let ranges =
            special::scalar::ln((to - from) / unit + T::ONE) / T::lit(core::f64::consts::LN_2);
        let points = (points / (ranges + T::ONE).floor()).max(T::lit(64.0)).floor();
        let (mut at, mut length, mut sum) = (from, unit, Sum::ZERO);
        while at < to {
            let own = length.min(to - at);
            let stride = (own / points).floor().max(T::ONE);
            let steps = (own / stride).floor();
            let next = at + stride * steps;
            // Of no count that the precision has between.
            if !(next > at) {
                break;
            }
            let (mut begin, mut end) = ([T::ZERO; 3], [T::ZERO; 3]);
            let mut inside = Sum::ZERO;
            for j in 0..=steps.to_usize() {
                let own = g(self.tails(at + stride * T::of_usize(j)));
                inside.add(own);
                if let Some(to) = begin.get_mut(j) {
                    *to = own;
                }
                end = [own, end[0], end[1]];
            }
            let slope = |[a, b, c]: [T; 3]| (T::lit(4.0) * b - c - T::lit(3.0) * a) * T::HALF;
            let trapezium = inside.value() - (begin[0] + end[0]) * T::HALF;
            let curved = (slope(begin) + slope(end)) * (stride - T::ONE / stride) / T::lit(12.0);
            sum.add(stride * trapezium + curved + (begin[0] - end[0]) * T::HALF);
            at = next;
            length = length + length;
        }
        sum.value()
    }
}

/// Whether y is a whole number, 0 or above.
pub(super) fn is_count<T: Real>(y: T) -> bool {
    y >= T::ZERO && y.is_finite() && y.floor() == y
}

/// The count of a Poisson law at which its distribution function passes u.
fn invert<T: Real>(rate: T, u: T) -> T {
    if !(rate > T::ZERO && rate.is_finite()) {
        return if rate == T::INFINITY { rate } else { T::ZERO };
    }
    let log_rate = special::scalar::ln(rate);
    let own = Component { rate, log_rate, size: T::INFINITY, rest: T::ZERO };
    let upper = u > T::HALF;
    first(rate, rate.sqrt(), |y| own.tails(y), if upper { T::ONE - u } else { u }, upper)
}

/// The first count y with P(Y <= y) >= p, or with P(Y > y) <= p: by secants through the normal scores of the tails, which
/// are nearly a line, then bisection.
fn first<T: Real>(mean: T, sd: T, tails: impl Fn(T) -> (T, T), p: T, upper: bool) -> T {
    let score = special::scalar::normal_quantile::<T>;
    let goal = if upper { -score(p) } else { score(p) };
    // No less than the distance from the mean to the next number of the precision.
    let mut step = sd.max(T::ONE).max(mean * T::EPSILON);
    let (mut low, mut high) = (-T::ONE, T::INFINITY);
    let within = |y: T| if y.is_finite() { y.floor().max(T::ZERO) } else { T::ZERO };
    let (mut at, mut before) = (within(mean + goal * step), None);
    let mut tried = 0_u32;
    loop {
        let (below, above) = tails(at);
        let z = if below < above { score(below) } else { -score(above) };
        if if upper { above <= p } else { below >= p } {
            high = at;
        } else {
            low = at;
        }
        let slope = before.map_or(step, |(y, old): (T, T)| (at - y) / (z - old));
        before = Some((at, z));
        let secant = (at + (goal - z) * slope).floor();
        let secant = if secant.is_finite() { secant } else { low };
        tried = tried.wrapping_add(1);
        at = if !high.is_finite() {
            // Upwards by doubling steps at least.
            step = step + step;
            (low + step).floor().max(secant.min(low + step * T::lit(4.0)))
        } else {
            let near = secant.max(low + T::ONE).min(high - T::ONE);
            let middle = (low + (high - low) * T::HALF).floor();
            // A secant of what is no line may creep.
            if !tried.is_multiple_of(3) && near > low && near < high { near } else { middle }
        };
        if !at.is_finite() {
            return T::INFINITY;
        }
        if !(at > low && at < high) {
            break;
        }
    }
    high
}
