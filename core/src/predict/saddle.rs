//! Logarithms of probabilities of counts, without the cancellation of large logarithms of factorials:
//! Loader's saddle-point form (Fast and accurate computation of binomial probabilities, 2000).

use crate::scalar::Real;
use crate::simd::{Portable, Simd, Vector};
use crate::special::scalar::{binet, ln_1p};
use crate::special::{self, binet_of_count};

/// ln(2 pi) / 2.
pub(super) const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;

/// h(t) = (1 + t) ln(1 + t) - t for t >= -1: to a few tens of epsilon of itself, also where t is tiny.
#[inline(never)]
pub(super) fn excess<T: Real>(t: T) -> T {
    if t.abs() < T::lit(0.0625) {
        // t^2 sum_n (-t)^n / ((n + 1)(n + 2)).
        let [x] = if T::BITS == 32 {
            Portable
                .horner(
                    Portable.load(&[t]),
                    [1.0 / 2.0, -1.0 / 6.0, 1.0 / 12.0, -1.0 / 20.0, 1.0 / 30.0, -1.0 / 42.0],
                )
                .array()
        } else {
            Portable
                .horner(
                    Portable.load(&[t]),
                    [
                        1.0 / 2.0,
                        -1.0 / 6.0,
                        1.0 / 12.0,
                        -1.0 / 20.0,
                        1.0 / 30.0,
                        -1.0 / 42.0,
                        1.0 / 56.0,
                        -1.0 / 72.0,
                        1.0 / 90.0,
                        -1.0 / 110.0,
                        1.0 / 132.0,
                        -1.0 / 156.0,
                        1.0 / 182.0,
                    ],
                )
                .array()
        };
        return t * t * x;
    }
    if t <= -T::ONE { T::ONE } else { (T::ONE + t) * ln_1p(t) - t }
}

/// p ln(p/q) - p + q for p >= 0, q > 0, given t = (p - q)/q and ln q: at least 0.
fn deviance<T: Real>(p: T, q: T, ln_q: T, t: T) -> T {
    // Far above, q may be too small for the quotient.
    if t > T::ONE { p * (special::scalar::ln(p) - ln_q) - p + q } else { q * excess(t) }
}

/// A law of counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Component<T> {
    /// Its mean mu, at least 0.
    pub(super) rate: T,
    /// ln mu.
    pub(super) log_rate: T,
    /// r of a negative binomial, whose variance is mu + mu^2/r; infinite for Poisson's.
    pub(super) size: T,
    /// [`binet`] of r.
    pub(super) rest: T,
}

impl<T: Real> Component<T> {
    /// mu + mu^2/r.
    pub(super) fn variance(&self) -> T {
        let over =
            if self.size < T::INFINITY { self.rate * (self.rate / self.size) } else { T::ZERO };
        self.rate + over
    }

    /// ln P(Y = y) for a whole y >= 0. About 8 epsilon of itself and of 1 where y is 16 or more.
    pub(super) fn log_mass(&self, y: T) -> T {
        let Self { rate, size, rest, .. } = *self;
        let poisson = !(size < T::INFINITY);
        if y == T::ZERO {
            return if poisson { -rate } else { -(size * ln_1p(rate / size)) };
        }
        if poisson {
            return -(binet_of_count(y)
                + self.divergence(y)
                + T::HALF * special::scalar::ln(y)
                + T::lit(HALF_LN_2_PI));
        }
        let (n, far) = (y + size, self.divergence(y));
        let rest = binet(n) - binet_of_count(y) - rest;
        let log = special::scalar::ln(size / n) - special::scalar::ln(y);
        rest - far + T::HALF * log - T::lit(HALF_LN_2_PI)
    }

    /// (y + r) KL of y and r among y + r trials from the probabilities mu/(mu + r) and r/(mu + r); Poisson's limit of it.
    fn divergence(&self, y: T) -> T {
        let Self { rate, log_rate, size, .. } = *self;
        let far = (y - rate) / rate;
        if !(size < T::INFINITY) {
            return deviance(y, rate, log_rate, far);
        }
        let (n, both) = (y + size, rate + size);
        let (of_y, of_r) = (n * (rate / both), n * (size / both));
        let ln_of_y = special::scalar::ln(n) + log_rate - special::scalar::ln(both);
        of_r * excess((rate - y) / n) + deviance(y, of_y, ln_of_y, (size / n) * far)
    }

    /// P(Y = y).
    pub(super) fn mass(&self, y: T) -> T {
        special::scalar::exp(self.log_mass(y))
    }

    /// P(Y = y + 1) / P(Y = y).
    #[inline(always)]
    pub(super) fn ratio(&self, y: T) -> T {
        let next = y + T::ONE;
        if self.size < T::INFINITY {
            (self.rate / (self.rate + self.size)) * ((y + self.size) / next)
        } else {
            self.rate / next
        }
    }

    /// (P(Y <= y), P(Y > y)) for a whole y >= 0. Where y and r are 1e5 and more (`f32`: 1e3), to 1e-10 (1e-7) in some 100
    /// flops. Else the smaller one to full relative accuracy within 8 sd of the mean, at most some 6 sqrt(mu) steps near it, or
    /// where r < mu those of a continued fraction, the root of the smaller of r and y.
    pub(super) fn tails(&self, y: T) -> (T, T) {
        if !(self.rate > T::ZERO) {
            return (T::ONE, T::ZERO);
        }
        if !self.rate.is_finite() {
            return (T::ZERO, T::ONE);
        }
        let poisson = !(self.size < T::INFINITY);
        let large = T::lit(if T::BITS == 32 { 1e3 } else { 1e5 });
        if y >= large && self.size >= large {
            self.uniform_tails(y)
        } else if poisson || (y < large && self.size >= self.rate) {
            self.sums(y)
        } else {
            self.beta_tails(y)
        }
    }

    /// The tails where y and r are large (Temme 1992; DLMF 8.18.9 with its first term, or Poisson's 8.12.3): what is left out is
    /// some 2e-3 of min(y, r)^(-3/2).
    pub(super) fn uniform_tails(&self, y: T) -> (T, T) {
        let (one, a) = (T::ONE, y + T::ONE);
        // Of the distance x - a/n, in sds, and the skewness and excess kurtosis of that scale.
        let (share, rest) = if self.size < T::INFINITY {
            (self.size / (self.rate + self.size), self.size / (a + self.size))
        } else {
            (one, one)
        };
        let variance = a * rest;
        let u = share * (self.rate - a) / variance.sqrt();
        let skewness = (rest + rest - one) / variance.sqrt();
        let twice = self.divergence(a) * T::lit(2.0);
        let z = twice.max(T::ZERO).sqrt().copysign(u);
        // 1/z - 1/u, which near 0 would cancel.
        let near = T::lit(if T::BITS == 32 { 0.25 } else { 0.03 });
        let own = if u.abs() < near {
            let curved = (one - T::lit(3.0) * rest * (one - rest)) / variance;
            let third = skewness / T::lit(3.0);
            third + u * (third * skewness * T::HALF - curved * T::lit(0.25))
        } else {
            one / z - one / u
        };
        // Phi(-|z|), the smaller of the two.
        let (tail, density) = special::normal_cdf_and_density(Portable, Portable.load(&[-z.abs()]));
        let ([tail], [density]) = (tail.array(), density.array());
        let (below, above) = if z < T::ZERO { (one - tail, tail) } else { (tail, one - tail) };
        let over = density * own;
        ((below - over).max(T::ZERO), (above + over).max(T::ZERO))
    }

    /// The tails by the sum of the probabilities on the side where they fall.
    fn sums(&self, y: T) -> (T, T) {
        let above = y >= self.rate;
        let mut at = if above { y + T::ONE } else { y };
        let (mut sum, mut term) = (T::ONE, T::ONE);
        while term > sum * T::EPSILON * T::lit(0.25) {
            if above {
                term = term * self.ratio(at);
                at += T::ONE;
            } else {
                at -= T::ONE;
                term = if at < T::ZERO { T::ZERO } else { term / self.ratio(at) };
            }
            sum += term;
        }
        let tail = (self.mass(if above { y + T::ONE } else { y }) * sum).min(T::ONE);
        if above { (T::ONE - tail, tail) } else { (tail, T::ONE - tail) }
    }

    /// The tails of a negative binomial: incomplete beta integrals (DLMF 8.17.22), or where a count's step is none of the
    /// scale those of the gamma law that it then is.
    fn beta_tails(&self, y: T) -> (T, T) {
        let (one, r, next) = (T::ONE, self.size, y + T::ONE);
        let both = self.rate + r;
        let (q, p) = (self.rate / both, r / both);
        let mass = self.mass(next);
        // P(Y > y) = I_q(y + 1, r): q (y + r + 3) < y + 2, by the smaller of p and q.
        let terms = next + r + T::lit(2.0);
        let above = if q < p { q * terms < next + one } else { p * terms > r + one };
        if !above {
            let tail = (mass * (next / r) * fraction(r, next, p)).min(one);
            return (tail, one - tail);
        }
        // Of itself the one loses epsilon/p, the other r p^2.
        let tail = if p * p * (p * r) < T::EPSILON {
            let w = next + (r - one) * T::HALF;
            mass * w * (one + T::HALF * p) * gamma_fraction(r, w * ln_1p(r / self.rate))
        } else {
            mass * fraction(next, r, q)
        };
        let tail = tail.min(one);
        (one - tail, tail)
    }
}

/// K in Q(r, z) = z^r e^-z K / Gamma(r), z > r + 1 (DLMF 8.9.2). With q^(y + 1) = e^-z', I_q(y + 1, r) is
/// Q(r, z) at z = -(y + (r + 1)/2) ln q, but for some r p^2 of itself (DLMF 8.18.9, of BGRAT in Didonato and Morris 1992).
pub(super) fn gamma_fraction<T: Real>(r: T, z: T) -> T {
    let one = T::ONE;
    let mut b = z + one - r;
    let (mut c, mut d) = (T::MAX, one / b);
    let (mut value, mut i) = (d, T::ZERO);
    for _ in 0..8192_u32 {
        i += one;
        let a = i * (r - i);
        b += T::lit(2.0);
        d = one / (a * d + b);
        c = b + a / c;
        let step = c * d;
        value = value * step;
        if !((step - one).abs() > T::EPSILON) {
            break;
        }
    }
    value
}

/// K in I_x(a, b) = x^a (1 - x)^b K / (a B(a, b)): by Lentz's method, some sqrt(min(a, b)) steps for
/// x < (a + 1)/(a + b + 2). An end is set to them, for images of any bytes.
fn fraction<T: Real>(a: T, b: T, x: T) -> T {
    let one = T::ONE;
    let tiny = T::MIN_POSITIVE / T::EPSILON;
    let kept = |v: T| if v.abs() < tiny { tiny } else { v };
    let mut d = one / kept(one - (a + b) * x / (a + one));
    let (mut c, mut value) = (one, d);
    let mut m = T::ZERO;
    for _ in 0..8192_u32 {
        m += one;
        let top = a + m + m;
        let even = m * (b - m) * x / ((top - one) * top);
        let odd = -((a + m) * (a + b + m) * x / (top * (top + one)));
        d = one / kept(one + even * d);
        c = kept(one + even / c);
        value = value * (d * c);
        d = one / kept(one + odd * d);
        c = kept(one + odd / c);
        let step = d * c;
        value = value * step;
        // Nor where numbers overflow, and a step is none.
        if !((step - one).abs() > T::EPSILON) {
            break;
        }
    }
    value
}
