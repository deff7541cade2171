//! The special functions: their stated errors, their limits, and the same bits on every
//! instruction set and lane count.

use lcc_core::scalar::Real;
use lcc_core::simd::{AnyLanes, Isa, LaneOp, Lanes, Simd, Vector, blocks};
use lcc_core::special as sp;
use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, PI, SQRT_2};

/// The functions under test, by name. Each has a kernel of its own: one with all of them inside would keep the compiler
/// for minutes.
macro_rules! functions {
    ($($name:ident $call:expr;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq)]
        enum Function { $($name),* }
        use Function::*;
        const ALL: &[Function] = &[$($name),*];

        mod kernel {
            $(pub(super) struct $name;)*
        }

        $(impl<T: Real, const N: usize> LaneOp<T, N> for Apply<'_, T, N, kernel::$name> {
            type Output = Vec<[[T; N]; 2]>;
            #[inline(always)]
            fn run<S: Simd<T, N>>(self, s: S) -> Self::Output {
                let mut out = Vec::with_capacity(self.1.len());
                for x in self.1 {
                    let (y, d): (S::V, S::V) = ($call)(s, s.load(x));
                    out.push([y.array(), d.array()]);
                }
                out
            }
        })*

        fn dispatch<T: Lanes<N>, const N: usize>(
            isa: Isa,
            function: Function,
            x: &[[T; N]],
        ) -> Vec<[[T; N]; 2]> {
            match function {
                $($name => T::dispatch(isa, Apply(kernel::$name, x))),*
            }
        }
    };
}

/// One function over many blocks; functions of one value return it twice.
struct Apply<'a, T, const N: usize, F>(F, &'a [[T; N]]);

functions! {
    Exp |s, x| twice(sp::exp(s, x));
    ExpM1 |s, x| twice(sp::exp_m1(s, x));
    Ln |s, x| twice(sp::ln(s, x));
    Ln1p |s, x| twice(sp::ln_1p(s, x));
    Asinh |s, x| twice(sp::asinh(s, x));
    Tanh |s, x| twice(sp::tanh(s, x));
    TanhAndDerivative |s, x| sp::tanh_and_derivative(s, x);
    Logistic |s, x| twice(sp::logistic(s, x));
    LogisticAndDerivative |s, x| sp::logistic_and_derivative(s, x);
    Softplus |s, x| twice(sp::softplus(s, x));
    SoftplusAndDerivative |s, x| sp::softplus_and_derivative(s, x);
    Erf |s, x| twice(sp::erf(s, x));
    ErfAndDerivative |s, x| sp::erf_and_derivative(s, x);
    Erfc |s, x| twice(sp::erfc(s, x));
    Hazard |s, x| twice(sp::hazard(s, x));
    LaplaceFromNormal |s, x| sp::laplace_from_normal(s, x);
    NormalFromHalf |s, x| twice(sp::normal_from_half(s, x));
    NormalQuantile |s, x| twice(sp::normal_quantile(s, x));
    NormalCdf |s, x| twice(sp::normal_cdf(s, x));
    NormalCdfAndDensity |s, x| sp::normal_cdf_and_density(s, x);
    Sin |s, x| twice(sp::sin(s, x));
    Cos |s, x| twice(sp::cos(s, x));
    SinCos |s, x| sp::sin_cos(s, x);
    Arctan |s, x| twice(sp::arctan(s, x));
    Ln1pAndInverse |s, x| sp::ln_1p_and_inverse(s, x);
    LnAddExp |s: S, x| sp::ln_add_exp(s, x, s.lit(-3.0));
    LnGamma |s, x| twice(sp::ln_gamma(s, x));
    Binet |s, x| sp::binet(s, x);
    Trigamma |s, x| twice(sp::trigamma_m1(s, x));
    Exp2i |_, x: S::V| twice(x.exp2i());
    SplitExponent |_, x: S::V| x.split_exponent();
    CopySign |s: S, x: S::V| (s.one().copysign(x), x.copysign(s.lit(-0.0)));
    Round |s: S, x| twice(s.round(x));
}

fn twice<V: Copy>(y: V) -> (V, V) {
    (y, y)
}

/// A function over a slice, padded to whole blocks.
fn apply<T: Lanes<N>, const N: usize>(isa: Isa, function: Function, x: &[T]) -> Vec<[T; 2]> {
    let pad = x.len().next_multiple_of(N) - x.len();
    let padded: Vec<T> = x.iter().copied().chain((0..pad).map(|_| T::lit(0.25))).collect();
    let x_blocks = blocks::<T, N>(&padded).expect("whole blocks");
    let out = dispatch(isa, function, x_blocks);
    let flat = out.iter().flat_map(|[y, d]| y.iter().zip(d).map(|(y, d)| [*y, *d]));
    flat.take(x.len()).collect()
}

/// Random words (xorshift), for test points only.
struct Words(u64);

impl Words {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    /// In [0, 1).
    fn uniform(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The last place of y, in a precision of so many bits.
fn ulp(y: f64, bits: i32, lowest: i32) -> f64 {
    let e = if y == 0.0 { lowest } else { (libm::ilogb(y) - bits).max(lowest) };
    libm::ldexp(1.0, e)
}

/// What the documentation states: (points, function, first or second result, f64 bound, f32 bound),
/// in ulp.
#[rustfmt::skip]
const BOUNDS: &[(&str, Function, usize, f64, f64)] = &[
    ("exp", Exp, 0, 0.9, 1.1),
    ("exp_m1", ExpM1, 0, 1.7, 1.9),
    ("ln", Ln, 0, 0.8, 0.9),
    ("ln_1p", Ln1p, 0, 0.8, 0.9),
    ("asinh", Asinh, 0, 1.2, 1.7),
    ("tanh", Tanh, 0, 2.2, 3.0),
    ("tanh", TanhAndDerivative, 0, 2.2, 3.0),
    ("tanh", TanhAndDerivative, 1, 3.7, 5.3),
    ("logistic", Logistic, 0, 1.8, 2.3),
    ("logistic", LogisticAndDerivative, 0, 1.8, 2.3),
    ("logistic", LogisticAndDerivative, 1, 2.1, 3.3),
    ("softplus", Softplus, 0, 1.8, 2.0),
    ("softplus", SoftplusAndDerivative, 1, 1.8, 2.3),
    ("erf", Erf, 0, 1.8, 1.9),
    ("erf", ErfAndDerivative, 1, 1.7, 2.5),
    ("erfc", Erfc, 0, 3.3, 5.0),
    ("laplace_from_normal", LaplaceFromNormal, 0, 2.4, 3.4),
    ("laplace_from_normal", LaplaceFromNormal, 1, 4.5, 6.3),
    ("normal_from_half", NormalFromHalf, 0, 4.3, 4.5),
    ("normal_quantile", NormalQuantile, 0, 4.3, 4.5),
    ("normal_cdf", NormalCdf, 0, 4.3, 5.0),
    ("normal_cdf", NormalCdfAndDensity, 1, 2.1, 2.1),
    ("sin_cos", SinCos, 0, 1.4, 1.6),
    ("sin_cos", SinCos, 1, 1.4, 1.6),
    ("arctan", Arctan, 0, 1.4, 1.9),
    ("ln_1p_and_inverse", Ln1pAndInverse, 0, 1.0, 1.3),
    ("ln_1p_and_inverse", Ln1pAndInverse, 1, 2.5, 3.0),
    ("ln_add_exp", LnAddExp, 1, 2.1, 2.3),
];

/// The same of those that are exact to epsilon times 1 + |result|.
#[rustfmt::skip]
const SCALED: &[(&str, Function, usize, f64, f64)] = &[
    ("ln_add_exp", LnAddExp, 0, 0.6, 0.6),
    ("ln_gamma", LnGamma, 0, 9.0, 9.0),
    ("binet", Binet, 0, 10.0, 12.0),
    ("binet", Binet, 1, 5.0, 7.0),
];

/// The unit of a function's error at the exact result y.
fn unit(scaled: bool, y: f64, bits: i32, lowest: i32) -> f64 {
    if scaled { libm::ldexp(1.0 + y.abs(), -bits) } else { ulp(y, bits, lowest) }
}

/// Every bound, and whether it is of the second kind.
fn bounds() -> impl Iterator<Item = (bool, (&'static str, Function, usize, f64, f64))> {
    let scaled = SCALED.iter().map(|bound| (true, *bound));
    BOUNDS.iter().map(|bound| (false, *bound)).chain(scaled)
}

#[test]
fn double_precision() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/reference/special.json");
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let table: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut held = true;
    for (scaled, (name, function, column, bound, _)) in bounds() {
        let rows: Vec<Vec<f64>> = table[name].as_array().unwrap().iter().map(row).collect();
        let x: Vec<f64> = rows.iter().map(|r| r[0]).collect();
        let y = apply::<f64, 8>(Isa::detect(), function, &x);
        let (mut worst, mut at) = (0.0, f64::NAN);
        for (r, y) in rows.iter().zip(&y) {
            let (high, low) = (r[1 + 2 * column], r[2 + 2 * column]);
            if high.abs() < 4.0 * f64::MIN_POSITIVE {
                continue;
            }
            let e = ((y[column] - high) - low).abs() / unit(scaled, high, 52, -1074);
            if !(e <= worst) {
                (worst, at) = (e, r[0]);
            }
        }
        held &= report(&format!("{function:?}.{column}"), 64, worst, at, bound);
    }
    assert!(held, "an error exceeds its stated bound, or the bound is loose: see the list");
}

/// Numbers in one string, parsed exactly.
fn row(v: &serde_json::Value) -> Vec<f64> {
    v.as_str().unwrap().split(' ').map(|x| x.parse().unwrap()).collect()
}

#[test]
fn single_precision() {
    let mut held = true;
    for (scaled, (name, function, column, _, bound)) in bounds() {
        let mut words = Words(88_172_645_463_325_252);
        let (mut worst, mut at) = (0.0, f32::NAN);
        for _ in 0..20 {
            let x: Vec<f32> = (0..50_000).map(|i| point(name, i, &mut words)).collect();
            let y = apply::<f32, 8>(Isa::detect(), function, &x);
            for (x, y) in x.iter().zip(&y) {
                let exact = exact(name, f64::from(*x))[column];
                if exact.abs() < 4.0 * f64::from(f32::MIN_POSITIVE) {
                    continue;
                }
                let e = (f64::from(y[column]) - exact).abs() / unit(scaled, exact, 23, -149);
                if !(e <= worst) {
                    (worst, at) = (e, *x);
                }
            }
        }
        held &= report(&format!("{function:?}.{column}"), 32, worst, f64::from(at), bound);
    }
    assert!(held, "an error exceeds its stated bound, or the bound is loose: see the list");
}

/// A test point of the function: in its bulk, scaled towards 0, or over its range.
fn point(name: &str, i: usize, words: &mut Words) -> f32 {
    let u = words.uniform();
    let sign = if words.word() & 1 == 0 { 1.0 } else { -1.0 };
    let bulk = sign * 3.0 * u;
    let scaled = sign * libm::exp(-20.0 * u);
    let x = match (name, i % 3) {
        ("exp" | "exp_m1", 2) => -87.3 + 176.0 * u,
        ("ln", 2) => libm::exp(-103.0 + 191.0 * u),
        ("ln", _) => 2.0 * u,
        ("ln_1p", 2) => libm::exp(88.0 * u),
        ("ln_1p", 0) => 3.0 * u - 1.0,
        ("normal_from_half", 0) => 0.5 * u,
        ("normal_from_half", 1) => 0.5 - 0.5 * scaled.abs(),
        ("normal_from_half", _) => 0.5 * libm::exp(-124.0 * LN_2 * u),
        ("normal_quantile", 0) => u,
        ("normal_quantile", 1) => 1.0 - 0.5 * scaled.abs(),
        ("normal_quantile", _) => 0.5 * libm::exp(-124.0 * LN_2 * u),
        ("ln_1p_and_inverse", 0) => 2.5 * u - 0.5,
        ("ln_1p_and_inverse", 1) => 0.5 * scaled,
        ("ln_1p_and_inverse", _) => libm::exp(87.0 * u),
        ("ln_add_exp", 0) => -3.0 + bulk,
        ("ln_add_exp", _) => sign * 80.0 * u,
        ("ln_gamma" | "binet", 0) => 20.0 * u,
        ("ln_gamma" | "binet", 1) => scaled.abs(),
        ("ln_gamma" | "binet", _) => libm::exp(15.0 * u),
        (_, 0) => bulk,
        (_, 1) => scaled,
        ("asinh", _) => sign * libm::exp(41.0 * u),
        ("tanh", _) => sign * 44.0 * u,
        ("logistic" | "softplus", _) => sign * 88.0 * u,
        ("erf" | "erfc" | "normal_cdf", _) => sign * 14.0 * u,
        ("laplace_from_normal", _) => sign * 36.0 * u,
        ("sin_cos", _) if i.is_multiple_of(2) => (PI / 2.0) * libm::floor(637.0 * u),
        ("sin_cos", _) => sign * 1000.0 * u,
        ("arctan", _) => sign * libm::exp(88.0 * u),
        _ => panic!("{name}"),
    };
    let x = x as f32;
    // Keep what rounding moved out of the domain inside it.
    match name {
        "normal_from_half" => x.clamp(2e-38, 0.5),
        "normal_quantile" => x.clamp(2e-38, 1.0 - f32::EPSILON / 2.0),
        "ln" => x.max(1e-45),
        "ln_1p" => x.max(f32::EPSILON / 2.0 - 1.0),
        "ln_gamma" | "binet" => x.max(1e-20),
        _ => x,
    }
}

/// The value and the derivative (or the value twice) in double precision.
fn exact(name: &str, x: f64) -> [f64; 2] {
    let hazard = |g: f64| SQRT_2 / PI.sqrt() * libm::exp(-0.5 * g * g) / libm::erfc(g / SQRT_2);
    let log_erfc = |x: f64| {
        if x < 0.1 { libm::log1p(-libm::erf(x)) } else { libm::log(libm::erfc(x)) }
    };
    let logistic = |x: f64| 1.0 / (1.0 + libm::exp(-x));
    match name {
        "exp" => [libm::exp(x); 2],
        "exp_m1" => [libm::expm1(x); 2],
        "ln" => [libm::log(x); 2],
        "ln_1p" => [libm::log1p(x); 2],
        "asinh" => [libm::asinh(x); 2],
        "tanh" => [libm::tanh(x), 1.0 / (libm::cosh(x) * libm::cosh(x))],
        "logistic" => [logistic(x), logistic(x) * logistic(-x)],
        "softplus" => [x.max(0.0) + libm::log1p(libm::exp(-x.abs())), logistic(x)],
        "erf" => [libm::erf(x), FRAC_2_SQRT_PI * libm::exp(-x * x)],
        "erfc" => [libm::erfc(x); 2],
        "laplace_from_normal" => [(-log_erfc(x.abs() / SQRT_2)).copysign(x), hazard(x.abs())],
        "normal_from_half" => [upper(x); 2],
        "normal_quantile" => [if x < 0.5 { -upper(x) } else { upper(1.0 - x) }; 2],
        "normal_cdf" => {
            [0.5 * libm::erfc(-x / SQRT_2), libm::exp(-0.5 * x * x) / (2.0 * PI).sqrt()]
        }
        "sin_cos" => [libm::sin(x), libm::cos(x)],
        "arctan" => [libm::atan(x); 2],
        "ln_1p_and_inverse" => [libm::log1p(x), 1.0 / (1.0 + x)],
        "ln_add_exp" => {
            let more = (x + 3.0).max(0.0) + libm::log1p(libm::exp(-(x + 3.0).abs()));
            [more - 3.0, logistic(x + 3.0)]
        }
        "ln_gamma" => [libm::lgamma(x); 2],
        "binet" => {
            let power = (x - 0.5) * libm::log(x) - x + 0.5 * libm::log(2.0 * PI);
            [libm::lgamma(x) - power, digamma(x) - libm::log(x)]
        }
        _ => panic!("{name}"),
    }
}

/// By 30 steps of the recurrence and two terms of the series.
fn digamma(x: f64) -> f64 {
    let below: f64 = (0..30).map(|j| 1.0 / (x + f64::from(j))).sum();
    let w = x + 30.0;
    libm::log(w) - 0.5 / w - 1.0 / (12.0 * w * w) + 1.0 / (120.0 * w.powi(4)) - below
}

/// x with Phi(-x) = p, p in (0, 1/2], by Newton's method.
fn upper(p: f64) -> f64 {
    let q = 0.5 - p;
    let central = p > 0.2;
    let mut x = if central { q * (2.0 * PI).sqrt() } else { (-2.0 * libm::log(p)).sqrt() };
    for _ in 0..60 {
        let density = libm::exp(-0.5 * x * x) / (2.0 * PI).sqrt();
        let step = if central {
            (q - 0.5 * libm::erf(x / SQRT_2)) / density
        } else {
            let tail = 0.5 * libm::erfc(x / SQRT_2);
            libm::log(tail / p) * tail / density
        };
        x += step;
        if step.abs() <= 1e-15 * x.abs() {
            break;
        }
    }
    x
}

/// The largest error found must be within the stated bound, and the bound not loose.
fn report(what: &str, bits: u32, worst: f64, at: f64, bound: f64) -> bool {
    println!("{what:26} f{bits} {worst:.3} ulp at {at:e}, stated {bound}");
    // The bounds of double precision are from a table three times as dense as the one kept.
    let slack = if bits == 32 { 1.3 } else { 2.2 };
    worst <= bound && slack * worst >= bound
}

/// Both results of one number.
fn at<T: Lanes<1>>(function: Function, x: T) -> [f64; 2] {
    apply::<T, 1>(Isa::Portable, function, &[x])[0].map(T::to_f64)
}

#[test]
fn limits() {
    fn check<T: Lanes<1>>() {
        let (inf, nan, huge) = (f64::INFINITY, f64::NAN, T::MAX.to_f64());
        let hazard_0 = T::lit(SQRT_2 / PI.sqrt()).to_f64();
        let half_pi = T::lit(PI / 2.0).to_f64();
        let cases = [
            (Exp, -inf, 0.0, 0.0),
            (Exp, inf, inf, inf),
            (Exp, 0.0, 1.0, 1.0),
            (Exp, huge, inf, inf),
            (Exp, -huge, 0.0, 0.0),
            (ExpM1, -inf, -1.0, -1.0),
            (ExpM1, inf, inf, inf),
            (ExpM1, 0.0, 0.0, 0.0),
            (Ln, 0.0, -inf, -inf),
            (Ln, -0.0, -inf, -inf),
            (Ln, -1.0, nan, nan),
            (Ln, -inf, nan, nan),
            (Ln, inf, inf, inf),
            (Ln, 1.0, 0.0, 0.0),
            (Ln1p, -1.0, -inf, -inf),
            (Ln1p, -2.0, nan, nan),
            (Ln1p, inf, inf, inf),
            (Ln1p, 0.0, 0.0, 0.0),
            (TanhAndDerivative, inf, 1.0, 0.0),
            (TanhAndDerivative, -inf, -1.0, 0.0),
            (TanhAndDerivative, huge, 1.0, 0.0),
            (TanhAndDerivative, 0.0, 0.0, 1.0),
            (LogisticAndDerivative, inf, 1.0, 0.0),
            (LogisticAndDerivative, -inf, 0.0, 0.0),
            (LogisticAndDerivative, -huge, 0.0, 0.0),
            (LogisticAndDerivative, 0.0, 0.5, 0.25),
            (SoftplusAndDerivative, inf, inf, 1.0),
            (SoftplusAndDerivative, -inf, 0.0, 0.0),
            (SoftplusAndDerivative, huge, huge, 1.0),
            (ErfAndDerivative, inf, 1.0, 0.0),
            (ErfAndDerivative, -inf, -1.0, 0.0),
            (ErfAndDerivative, huge, 1.0, 0.0),
            (Erfc, inf, 0.0, 0.0),
            (Erfc, -inf, 2.0, 2.0),
            (Erfc, 0.0, 1.0, 1.0),
            (Hazard, 0.0, hazard_0, hazard_0),
            (Hazard, inf, inf, inf),
            (LaplaceFromNormal, 0.0, 0.0, hazard_0),
            (LaplaceFromNormal, inf, inf, inf),
            (LaplaceFromNormal, -inf, -inf, inf),
            (NormalFromHalf, 0.5, 0.0, 0.0),
            (NormalQuantile, 0.5, 0.0, 0.0),
            (NormalQuantile, 0.0, -inf, -inf),
            (NormalQuantile, 1.0, inf, inf),
            (NormalQuantile, -0.25, nan, nan),
            (NormalQuantile, 1.25, nan, nan),
            (NormalQuantile, inf, nan, nan),
            (NormalCdfAndDensity, inf, 1.0, 0.0),
            (NormalCdfAndDensity, -inf, 0.0, 0.0),
            (NormalCdf, 0.0, 0.5, 0.5),
            (SinCos, 0.0, 0.0, 1.0),
            (SinCos, inf, nan, nan),
            (SinCos, -inf, nan, nan),
            (LnAddExp, -inf, T::lit(-3.0).to_f64(), 0.0),
            (LnAddExp, huge, huge, 1.0),
            (Arctan, inf, half_pi, half_pi),
            (Arctan, -inf, -half_pi, -half_pi),
            (Arctan, huge, half_pi, half_pi),
            (Arctan, 0.0, 0.0, 0.0),
            (Arctan, 1.0, half_pi / 2.0, half_pi / 2.0),
        ];
        for (function, x, y, d) in cases {
            let got = at(function, T::lit(x));
            for (got, want) in got.into_iter().zip([y, d]) {
                let near = (got - want).abs() <= 4.0 * T::EPSILON.to_f64() * want.abs();
                let same = got == want || near && want.is_finite() || got.is_nan() && want.is_nan();
                assert!(same, "{function:?} f{} {x}: {got}, not {want}", T::BITS);
            }
        }
        for &function in ALL {
            if !matches!(function, Exp2i | SplitExponent | CopySign) {
                let got = at(function, T::NAN);
                assert!(got.iter().all(|y| y.is_nan()), "{function:?} of NaN: {got:?}");
            }
        }
        // Where the sine's reduction fails it stays bounded.
        for k in 0..100 {
            let x = T::lit(1e5 * 1.4f64.powi(k));
            assert!(at(SinCos, x).iter().all(|y| y.is_nan() || y.abs() <= 1.0), "{x:?}");
        }
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn underflow_is_graceful() {
    // Subnormal results are right to the last place of a subnormal number, while there are any.
    let x: Vec<f64> = (0..2000).map(|i| -708.3 - 1e-3 * f64::from(i % 430)).collect();
    for (x, y) in x.iter().zip(apply::<f64, 8>(Isa::detect(), Exp, &x)) {
        assert!(
            (y[0] - libm::exp(*x)).abs() <= 1e-15 * libm::exp(*x) + 1e-323,
            "exp {x}: {}",
            y[0]
        );
    }
    assert_eq!(at(Exp, -710.0f64)[0], 0.0);
    assert_eq!(at(Exp, -89.0f32)[0], 0.0);
    // The logarithm and the inverse normal at the far end of the numbers.
    assert!((at(Ln, 5e-324f64)[0] - libm::log(5e-324)).abs() < 2e-13);
    assert!((at(Ln, 1e-45f32)[0] - libm::log(1e-45f32 as f64)).abs() < 8e-6);
    for e in 66..1022 {
        let p = libm::ldexp(1.0, -e);
        // ln p by the asymptotic series of the tail; it is better than 1e-6 of x here.
        let x = at(NormalFromHalf, p)[0];
        let series = 1.0 - 1.0 / (x * x) + 3.0 / x.powi(4) - 15.0 / x.powi(6);
        let log_tail = -0.5 * x * x - libm::log(x * (2.0 * PI).sqrt()) + libm::log(series);
        assert!((log_tail / libm::log(p) - 1.0).abs() < 2e-7, "2^-{e}: {x}");
    }
}

/// (k, mu(k), phi(k)), by mpmath to 50 digits.
#[rustfmt::skip]
const BINET: &[(u32, f64, f64)] = &[
    (1, 0.08106146679532726, -0.5772156649015329),
    (2, 0.0413406959554093, -0.27036284546147815),
    (3, 0.02767792568499834, -0.17582795356964256),
    (4, 0.020790672103765093, -0.13017669268809015),
    (5, 0.016644691189821193, -0.1033202440022999),
    (6, 0.013876128823070748, -0.08564180079625452),
    (7, 0.01189670994589177, -0.07312581395684617),
    (8, 0.010411265261972096, -0.06380006372422593),
    (9, 0.009255462182712733, -0.05658309938060939),
    (12, 0.00694284010720953, -0.042244969812188296),
    (16, 0.0052076559196096404, -0.03157539391232087),
    (17, 0.004901395948434738, -0.029700015728755712),
    (25, 0.003333155636728093, -0.02013331201622674),
    (40, 0.0020832899383024218, -0.012552080079093177),
    (100, 0.0008333305556349147, -0.005008333250003967),
    (1000, 8.333333055555635e-05, -0.000500083333325),
    (65536, 1.2715657551984647e-06, -7.629413933803637e-06),
    (16777215, 4.967054027342042e-09, -2.9802324460111766e-08),
];

/// Binet's functions keep their relative accuracy where they are small; that of counts has it everywhere.
#[test]
fn binet_is_relatively_exact() {
    fn check<T: Lanes<1>>() {
        for &(k, mu, phi) in BINET {
            let x = T::of_u32(k);
            let [own, slope] = at(Binet, x);
            let off = |got: f64, want: f64| (got / want - 1.0).abs() / T::EPSILON.to_f64();
            let by_count = off(sp::binet_of_count(x).to_f64(), mu);
            let (own, slope) = (off(own, mu), off(slope, phi));
            println!("{k} f{}: {by_count:.2} {own:.2} {slope:.2}", T::BITS);
            assert!(by_count <= 2.0 && (k < 16 || own.max(slope) <= 2.0), "{k}");
        }
    }
    check::<f32>();
    check::<f64>();
}

/// (x, x psi'(x) - 1), by mpmath to 60 digits.
const TRIGAMMA: &[(f64, f64)] = &[
    (9.5367431640625e-7, 1048575.0000015687),
    (0.125, 7.1735166806235043),
    (0.5, 1.4674011002723397),
    (1.0, 0.64493406684822644),
    (2.5, 0.22589439025058716),
    (7.0, 0.074816245715362833),
    (7.875, 0.066170988741103369),
    (8.0, 0.065096117552251401),
    (9.0, 0.057608132246282826),
    (20.0, 0.025416458704062397),
    (100.0, 0.0050166663333571395),
    (1000.0, 0.00050016666663333336),
    (1048576.0, 4.768373097855753e-7),
];

#[test]
fn trigamma_is_relatively_exact() {
    fn check<T: Lanes<1>>() {
        for &(x, want) in TRIGAMMA {
            let [own, _] = at(Trigamma, T::lit(x));
            let off = (own / want - 1.0).abs() / T::EPSILON.to_f64();
            println!("{x} f{}: {off:.2}", T::BITS);
            assert!(off <= if x < 16.0 { 20.0 } else { 1.0 }, "{x} {off}");
        }
    }
    check::<f32>();
    check::<f64>();
}

/// mu(x) - mu(x + 1) = (x + 1/2) ln(1 + 1/x) - 1 and phi(x) - phi(x + 1) = ln(1 + 1/x) - 1/x, near 8 too, where the
/// series alone begins.
#[test]
fn binet_obeys_its_recurrence() {
    for x in [0.5, 1.0, 3.3, 6.9, 7.0, 7.03, 7.5, 7.97, 8.0, 8.03, 8.2, 9.0] {
        let ([mu, phi], [next, next_phi]) = (at(Binet, x), at(Binet, x + 1.0));
        let log = libm::log1p(1.0 / x);
        assert!((mu - next - ((x + 0.5) * log - 1.0)).abs() < 1e-14, "{x}");
        assert!((phi - next_phi - (log - 1.0 / x)).abs() < 1e-14, "{x}");
    }
}

#[test]
fn every_machine_the_same() {
    fn check<T: AnyLanes>(points: &[T]) {
        for &function in ALL {
            let bits = |y: Vec<[T; 2]>| -> Vec<[Vec<u8>; 2]> {
                // A NaN is a NaN: its payload and sign are not part of the result.
                let bytes = |y: T| {
                    let y = if y.to_f64().is_nan() { T::NAN } else { y };
                    let mut b = vec![0; T::BYTES];
                    assert!(y.write_le(&mut b));
                    b
                };
                y.into_iter().map(|y| y.map(bytes)).collect()
            };
            let base = bits(apply::<T, 1>(Isa::Portable, function, points));
            for isa in Isa::all() {
                assert!(
                    base == bits(apply::<T, 1>(isa, function, points)),
                    "{function:?} 1 {isa:?}"
                );
                assert!(
                    base == bits(apply::<T, 8>(isa, function, points)),
                    "{function:?} 8 {isa:?}"
                );
            }
        }
    }
    let mut words = Words(1);
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN,
        5e-324,
        1e-310,
    ];
    // Any bits at all, then moderate numbers, then integers.
    let moderate = |w: &mut Words| 8.0 * w.uniform() - 4.0;
    let mut f64s: Vec<f64> = (0..20_000).map(|_| f64::from_bits(words.word())).collect();
    f64s.extend((0..20_000).map(|_| moderate(&mut words)));
    f64s.extend(edges);
    f64s.extend((-1100..1100).map(f64::from));
    check(&f64s);
    let mut f32s: Vec<f32> = (0..20_000).map(|_| f32::from_bits(words.word() as u32)).collect();
    f32s.extend((0..20_000).map(|_| moderate(&mut words) as f32));
    f32s.extend(edges.map(|x| x as f32));
    f32s.extend((-200..200).map(|k| k as f32));
    f32s.extend([1e-45, 1e-39]);
    check(&f32s);
}
