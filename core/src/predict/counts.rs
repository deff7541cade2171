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
///
/// No draw counts in the moments with more than ten times the mean: exp(o) of one draw in a hundred, where nothing says what a
/// rate would be, would be the mean, far above the interval. Probabilities, quantiles and scores are of the draws as they are.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a, T> {
    rate: &'a [T],
    /// The largest rate in moments.
    highest: T,
    log_rate: &'a [T],
    size: &'a [T],
    rest: &'a [T],
}

/// Counts whose probabilities are taken together.
const BLOCK: usize = 64;
/// The most counts that are summed over one by one.
const MOST: u32 = 2048;
/// The points at which a longer range of counts is first summed.
const LEAST: u32 = 16;
/// In moments no rate is more than so many times their mean, which is then another: so many rounds. The graph of ONNX has them too.
pub const MOST_OF_MEAN: f64 = 10.0;
/// See [`MOST_OF_MEAN`].
pub const ROUNDS: usize = 16;

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
        let largest = rate.iter().fold(T::ZERO, |most, r| most.max(*r));
        let mut highest = T::INFINITY;
        for _ in 0..ROUNDS {
            let before = highest;
            highest = T::lit(MOST_OF_MEAN) * mean_of(rate.iter().map(|r| r.min(highest)));
            // No round changes it any more.
            if highest == before || largest <= highest {
                break;
            }
        }
        (!log_rate.is_empty()).then_some(Self { rate, highest, log_rate, size, rest })
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

    /// The rate of draw k as moments have it; NaN past the last.
    pub(super) fn mean_of(&self, k: usize) -> T {
        self.rate.get(k).map_or(T::NAN, |r| r.min(self.highest))
    }

    /// E Y, as [moments](Self) are.
    pub fn mean(&self) -> T {
        mean_of(self.rate.iter().map(|r| r.min(self.highest)))
    }

    /// The variance within the draws' laws, on average: noise.
    pub fn aleatoric(&self) -> T {
        let limited = |c: Component<T>| Component { rate: c.rate.min(self.highest), ..c };
        mean_of(self.components().map(|c| limited(c).variance()))
    }

    /// The variance of the draws' means: what is not known of the network.
    pub fn epistemic(&self) -> T {
        let mean = self.mean();
        let away = |r: &T| r.min(self.highest) - mean;
        mean_of(self.rate.iter().map(|r| away(r) * away(r)))
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
    /// Summed from the quantile at e to that at 1 - e, e = 1e-10 (`f64`) or 1e-5 (`f32`); beyond 2048 counts, to
    /// some 1e-6 of itself (`f32`: 1e-4) at as few as that needs: some 100 of one wide law.
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
            let mean = mean_of(self.rate.iter().copied());
            return short + short + (mean - y) - small;
        }
        let (low, high) = (self.first(rare, false), self.first(rare, true));
        // Before the law and behind it one of the two is all.
        let mut sum = Sum::ZERO;
        sum.add((low - y).max(y - high).max(T::ZERO));
        let mut below = Sum::ZERO;
        below.add(if low > T::ZERO { self.cdf(low - T::ONE) } else { T::ZERO });
        // The sd of a law is at least the root of its mean.
        let all = T::of_u32(MOST);
        let smooth = high - low > all && self.rate.iter().all(|rate| *rate > all);
        let single = if smooth { 0 } else { (high - low).min(all).to_usize() };
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
        if high > at {
            // Between the quartiles each square is 1/16 or more.
            let quarter = T::lit(0.25);
            let least = (self.first(quarter, true) - self.first(quarter, false)) * T::lit(0.0625);
            sum.add(self.strided(at, middle, least, false));
            sum.add(self.strided(middle, high, least, true));
        }
        sum.value()
    }

    /// P(Y <= k), or P(Y > k) if `upper`.
    fn tail(&self, k: T, upper: bool) -> T {
        let (below, above) = self.tails(k);
        if upper { above } else { below }
    }

    /// The square of [`tail`](Self::tail) and its derivative by k, of P(Y <= k) as a smooth function that is
    /// (P(Y = k) + P(Y = k + 1))/2.
    fn slope(&self, k: T, upper: bool) -> (T, T) {
        let twice = mean_of(self.components().map(|c| c.mass(k) * (T::ONE + c.ratio(k))));
        let tail = self.tail(k, upper);
        (tail * tail, tail * if upper { -twice } else { twice })
    }

    /// The sum of the squares of [`tail`](Self::tail) over the counts from `from` on to before `to`: over ranges as long as two numbers of
    /// points agree on, as a law may have several scales. `least`: of what the difference may be a small part.
    fn strided(&self, from: T, to: T, least: T, upper: bool) -> T {
        let tolerance = T::lit(if T::BITS == 32 { 1e-4 } else { 3e-5 });
        let (mut at, mut length, mut sum) = (from, to - from, Sum::<T>::ZERO);
        let mut begin = None;
        while at < to {
            let own = length.min(to - at);
            let next = (at + own).floor().min(to);
            // Of no count that the precision has between.
            if !(next > at) {
                break;
            }
            let ends = [begin.unwrap_or_else(|| self.slope(at, upper)), self.slope(next, upper)];
            let few = self.range(at, next, ends, LEAST, upper);
            let more = self.range(at, next, ends, 2 * LEAST, upper);
            let far = (more - few).abs();
            let large = (sum.value() + more).abs().max(least);
            // What is narrower is of little weight.
            let shortest = (at - from + T::of_u32(MOST)) / T::of_u32(4 * LEAST);
            if far > tolerance * large && own > shortest {
                begin = Some(ends[0]);
                length = (own * T::HALF).floor().max(T::ONE);
                continue;
            }
            // The error falls by 16.
            sum.add(more + (more - few) / T::lit(15.0));
            begin = Some(ends[1]);
            at = next;
            length = length + length;
        }
        sum.value()
    }

    /// [`strided`](Self::strided) over one range, given the ends' slopes, at every h-th count with the first terms of Euler and
    /// Maclaurin, h (g_0/2 + g_1 + ... + g_m/2) - (h^2 - 1)/12 (g'_m - g'_0) + (g_0 - g_m)/2, and over the rest of less than h
    /// in one step.
    fn range(&self, from: T, to: T, [begin, end]: [(T, T); 2], points: u32, upper: bool) -> T {
        let stride = ((to - from) / T::of_u32(points)).floor().max(T::ONE);
        let steps = ((to - from) / stride).floor();
        let last = from + stride * steps;
        let rest = to - last;
        let knot = if rest > T::ZERO { self.slope(last, upper) } else { end };
        let panel = |h: T, (g, slope): (T, T), (to, to_slope): (T, T)| {
            let curved = (to_slope - slope) * h * ((h - T::ONE / h) / T::lit(12.0));
            (g - to) * T::HALF - curved
        };
        let mut inside = Sum::ZERO;
        inside.add((begin.0 + knot.0) * T::HALF);
        for j in 1..steps.to_usize() {
            let tail = self.tail(from + stride * T::of_usize(j), upper);
            inside.add(tail * tail);
        }
        let mut sum = Sum::ZERO;
        sum.add(stride * inside.value() + panel(stride, begin, knot));
        if rest > T::ZERO {
            sum.add(rest * (knot.0 + end.0) * T::HALF + panel(rest, knot, end));
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
