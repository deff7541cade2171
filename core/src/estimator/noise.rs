//! The tail of the noise: the grid of nu, the Student-t log density, and the weights lambda_i.

use crate::dispatch::dispatched;
use crate::estimator::chains::Hyper;
use crate::random::{self, Stream};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;
use crate::sum::Sum;

/// The degrees of freedom nu may have, each with prior probability 1/6.
pub const TAILS: [f64; 6] = [3.0, 4.5, 7.0, 12.0, 30.0, 200.0];

/// log Gamma((nu + 1)/2) - log Gamma(nu/2) - log(nu pi)/2 for each of [`TAILS`].
const NORMALISERS: [f64; 6] = [
    -1.000_888_849_623_509_5,
    -0.974_060_689_290_296_3,
    -0.954_534_150_571_375_1,
    -0.939_747_950_743_607_7,
    -0.927_270_325_378_851_5,
    -0.920_188_527_996_488_3,
];

/// 1/nu.
const fn rates() -> [f64; 6] {
    let [a, b, c, d, e, f] = TAILS;
    [1.0 / a, 1.0 / b, 1.0 / c, 1.0 / d, 1.0 / e, 1.0 / f]
}

/// (nu + 1)/2.
const fn powers() -> [f64; 6] {
    let [a, b, c, d, e, f] = TAILS;
    [
        0.5 * (a + 1.0),
        0.5 * (b + 1.0),
        0.5 * (c + 1.0),
        0.5 * (d + 1.0),
        0.5 * (e + 1.0),
        0.5 * (f + 1.0),
    ]
}

/// One by one: in a loop, single precision would convert them from double as it goes.
#[inline(always)]
pub(crate) fn literals<T: Real>([a, b, c, d, e, f]: [f64; 6]) -> [T; 6] {
    [T::lit(a), T::lit(b), T::lit(c), T::lit(d), T::lit(e), T::lit(f)]
}

/// -log(2 pi)/2.
const GAUSSIAN: f64 = -0.918_938_533_204_672_7;

dispatched! {
    /// sum_i log p(r_i | beta, nu), lambda integrated out, in each lane; nu must be one of [`TAILS`] or
    /// infinity. One logarithm a row, compensated.
    pub(crate) fn log_likelihood(s: S, residuals: &[[T; N]], hyper: &Hyper<T, N>) -> [T; N] {
        let half = s.splat(T::HALF);
        let beta = s.load(&hyper.beta);
        let mut constant = [T::lit(GAUSSIAN); N];
        for (c, nu) in constant.iter_mut().zip(&hyper.nu) {
            for (tail, normaliser) in literals::<T>(TAILS).iter().zip(literals::<T>(NORMALISERS)) {
                if *nu == *tail {
                    *c = normaliser;
                }
            }
        }
        // Gaussian lanes run the same loop with nu = 1 and take the quadratic sum instead.
        let nu = s.load(&hyper.nu);
        let finite = nu.lt(s.splat(T::INFINITY));
        let nu = nu.select(finite, s.one());
        let rate = beta / nu;
        let (mut tails, mut squares) = (Sum::new(s.zero()), Sum::new(s.zero()));
        for r in residuals {
            let r = s.load(r);
            tails.add(special::ln_1p(s, rate * (r * r)));
            squares.add(r * r);
        }
        let t = half * (nu + s.one()) * tails.value();
        let gaussian = half * beta * squares.value();
        let each = s.load(&constant) + half * special::called::ln(s, beta);
        (s.splat(T::of_usize(residuals.len())) * each - t.select(finite, gaussian)).array()
    }

    /// nu from its grid with lambda integrated out, then at once lambda_i | nu ~ Gamma((nu + 1)/2,
    /// (nu + beta r_i^2)/2). Draws of each lane: one uniform, then the gammas row by row.
    pub(crate) fn tail(
        s: S, residuals: &[[T; N]], hyper: &mut Hyper<T, N>, weights: &mut [[T; N]],
        streams: &mut [Stream; N],
    ) {
        let beta = s.load(&hyper.beta);
        let mut sums = [Sum::new(s.zero()); TAILS.len()];
        let rates = literals::<T>(const { rates() });
        for r in residuals {
            let r = s.load(r);
            let square = beta * (r * r);
            for (sum, rate) in sums.iter_mut().zip(rates) {
                sum.add(special::ln_1p(s, square * s.splat(rate)));
            }
        }
        let mut totals = [s.zero(); TAILS.len()];
        for (total, sum) in totals.iter_mut().zip(sums) {
            *total = sum.value();
        }
        let nu = choose(s, T::of_usize(residuals.len()), totals, streams);
        hyper.nu = nu.array();

        let half = s.splat(T::HALF);
        let shape = (half * (nu + s.one())).array();
        for (r, weight) in residuals.iter().zip(weights) {
            let r = s.load(r);
            let mut draw = [T::ONE; N];
            for ((g, stream), shape) in draw.iter_mut().zip(streams.iter_mut()).zip(shape) {
                *g = stream.gamma(shape);
            }
            *weight = (s.load(&draw) / (half * (nu + beta * (r * r)))).array();
        }
    }
}

/// 1/nu for each of [`TAILS`].
#[inline(always)]
pub(crate) fn rates_of<T: Real>() -> [T; 6] {
    literals(const { rates() })
}

/// nu from its grid, `sums` being sum_i ln(1 + q_i / nu) over n rows, or weights that sum to n, for each. One uniform a lane.
#[inline(always)]
pub(crate) fn choose<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    n: T,
    sums: [S::V; TAILS.len()],
    streams: &mut [Stream; N],
) -> S::V {
    let n = s.splat(n);
    let mut logs = [s.zero(); TAILS.len()];
    let mut largest = s.splat(-T::INFINITY);
    let normalisers = literals::<T>(NORMALISERS);
    let powers = literals::<T>(const { powers() });
    for (((log, sum), power), normaliser) in logs.iter_mut().zip(sums).zip(powers).zip(normalisers)
    {
        *log = n * s.splat(normaliser) - s.splat(power) * sum;
        largest = log.max(largest);
    }
    let mut total = s.zero();
    let mut cumulative = [s.zero(); TAILS.len()];
    for (c, log) in cumulative.iter_mut().zip(logs) {
        total = total + special::called::exp(s, log - largest);
        *c = total;
    }
    let target = s.load(&random::uniforms(streams)) * total;
    let mut nu = s.lit(TAILS[TAILS.len() - 1]);
    for (c, tail) in cumulative.iter().rev().zip(literals::<T>(TAILS).iter().rev()) {
        nu = s.splat(*tail).select(target.lt(*c), nu);
    }
    nu
}
