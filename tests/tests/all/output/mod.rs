//! The output families: densities, derivatives, information, priors and moments, against exact values and a
//! plain twin written from the definitions.

mod density;
mod information;

use lcc_core::network::output::{self, GROUP};
use lcc_core::network::{Family, Output};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::{AnyLanes, Isa, Lanes};
use std::f64::consts::PI;

/// One row: a family, its own coordinates, nu, and outputs.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) family: Family<f64>,
    pub(super) own: Vec<f64>,
    pub(super) nu: f64,
    pub(super) o: Vec<f64>,
}

/// ln p and its derivatives by outputs and own coordinates.
#[derive(Debug, PartialEq)]
struct Jet {
    value: f64,
    by_output: Vec<f64>,
    by_own: Vec<f64>,
}

/// The family in another precision.
fn cast<T: Real>(f: &Family<f64>) -> Family<T> {
    Family {
        output: f.output,
        categories: f.categories,
        reference: f.reference,
        noise: T::lit(f.noise),
        noise_shape: T::lit(f.noise_shape),
        noise_rate: T::lit(f.noise_rate),
        floor: T::lit(f.floor),
        size: T::lit(f.size),
    }
}

fn splat<T: Real, const N: usize>(x: &[f64]) -> Vec<[T; N]> {
    x.iter().map(|x| [T::lit(*x); N]).collect()
}

/// Rows of one family, chain and precision side by side: ln p of all and their derivatives, row by row.
fn group<T: Lanes<N>, const N: usize>(
    isa: Isa,
    family: &Family<T>,
    y: &[T],
    own: &[[T; N]],
    nu: [T; N],
    o: &mut [[[T; N]; GROUP]],
) -> ([T; N], Vec<[T; N]>) {
    let mut by_own = vec![[T::ZERO; N]; family.coordinates()];
    let mut ready = vec![[T::NAN; N]; family.ready_len()];
    let value = output::log_density(isa, family, y, own, &nu, o, &mut by_own, &mut ready);
    (value, by_own)
}

/// The core at one row.
fn core<T: Lanes<1>>(row: &Row, y: f64) -> Jet {
    let family = cast::<T>(&row.family);
    assert!(family.valid() && family.outputs() == row.o.len(), "{row:?}");
    let mut o: Vec<[[T; 1]; GROUP]> =
        row.o.iter().map(|o| [[T::lit(*o)], [T::NAN], [T::NAN], [T::NAN]]).collect();
    let own = splat(&row.own);
    let (value, by_own) =
        group::<T, 1>(Isa::Portable, &family, &[T::lit(y)], &own, [T::lit(row.nu)], &mut o);
    for o in &o {
        assert_eq!(o[1..], [[T::ZERO]; 3], "rows that are not there");
    }
    Jet {
        value: value[0].to_f64(),
        by_output: o.iter().map(|o| o[0][0].to_f64()).collect(),
        by_own: by_own.iter().map(|g| g[0].to_f64()).collect(),
    }
}

fn ln_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let top = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    top + terms.map(|t| libm::exp(t - top)).sum::<f64>().ln()
}

fn normal(y: f64, mean: f64, variance: f64) -> f64 {
    -0.5 * ((2.0 * PI * variance).ln() + (y - mean).powi(2) / variance)
}

/// ln of the density of the logarithm at y of a Gamma number of this mean and shape.
fn log_gamma(y: f64, log_mean: f64, k: f64) -> f64 {
    let t = y - log_mean;
    k * k.ln() - libm::lgamma(k) + k * t - k * libm::exp(t)
}

/// What a hurdle's network is given of y = 0.
pub(super) const ZERO: f64 = -f64::MAX;

/// ln p(y | o) from the definition; of those of ln y, of that.
pub(super) fn twin(Row { family: f, own, nu, o }: &Row, y: f64) -> f64 {
    let ln_precision = || own.first().copied().unwrap_or(-2.0 * f.noise.ln());
    let variance = |log: f64| libm::exp(log) + f.floor * f.floor;
    match f.output {
        Output::StudentT => {
            let beta = libm::exp(ln_precision());
            let constant = libm::lgamma((nu + 1.0) / 2.0) - libm::lgamma(nu / 2.0);
            constant + 0.5 * (beta / (nu * PI)).ln()
                - 0.5 * (nu + 1.0) * libm::log1p(beta * (y - o[0]).powi(2) / nu)
        }
        Output::Gaussian => normal(y, o[0], libm::exp(-ln_precision())),
        Output::MeanVariance | Output::LogNormal => normal(y, o[0], variance(o[1])),
        Output::HurdleLogNormal if y == ZERO => -libm::log1p(libm::exp(o[0])),
        Output::HurdleLogNormal => -libm::log1p(libm::exp(-o[0])) + normal(y, o[1], variance(o[2])),
        Output::Gamma => log_gamma(y, o[0], 1.0 / variance(o[1])),
        Output::HurdleGamma if y == ZERO => -libm::log1p(libm::exp(o[0])),
        Output::HurdleGamma => {
            -libm::log1p(libm::exp(-o[0])) + log_gamma(y, o[1], 1.0 / variance(o[2]))
        }
        Output::Mixture => {
            let k = f.categories as usize;
            let joint = (0..k).map(|j| o[j] + normal(y, o[k + j], variance(o[2 * k + j])));
            ln_sum(joint) - ln_sum(o[..k].iter().copied())
        }
        Output::Bernoulli => -libm::log1p(libm::exp(if y > 0.0 { -o[0] } else { o[0] })),
        Output::Softmax => {
            let mut logits = o.clone();
            if f.reference {
                logits.insert(0, 0.0);
            }
            logits[y as usize] - ln_sum(logits.iter().copied())
        }
        Output::Poisson => y * o[0] - libm::exp(o[0]) - libm::lgamma(y + 1.0),
        Output::NegativeBinomial => {
            let (r, m) = (own.first().map_or(f.size, |log| libm::exp(*log)), libm::exp(o[0]));
            libm::lgamma(y + r) - libm::lgamma(r) - libm::lgamma(y + 1.0) - r * libm::log1p(m / r)
                + y * (o[0] - (r + m).ln())
        }
        Output::Ordinal => {
            let t = thresholds(own);
            let below = |k: usize| t.get(k).map_or(1.0, |t| logistic(t - o[0]));
            let k = y as usize;
            (below(k) - k.checked_sub(1).map_or(0.0, below)).ln()
        }
    }
}

pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// Thresholds from the first and the logarithms of the gaps.
fn thresholds(own: &[f64]) -> Vec<f64> {
    let gap = |j: usize| if j == 0 { own[0] } else { libm::exp(own[j]) };
    (0..own.len()).scan(0.0, |t, j| Some(*t + gap(j)).inspect(|sum| *t = *sum)).collect()
}

/// The density of the own coordinates' prior, from the definition: of ln beta, of ln r, of thresholds.
fn prior_twin(f: &Family<f64>, own: &[f64]) -> f64 {
    match f.output {
        _ if own.is_empty() => 0.0,
        Output::StudentT | Output::Gaussian => {
            // beta ~ Gamma, times d beta / d ln beta.
            let (a, b) = (f.noise_shape, f.noise_rate);
            a * b.ln() - libm::lgamma(a) + a * own[0] - b * libm::exp(own[0])
        }
        Output::NegativeBinomial => {
            // tau = 1/sqrt(r) is half-Cauchy times exp(-tau^2/18), whose integral is e^a erfc(sqrt a), a = 1/18;
            // |d r^(-1/2) / d ln r| = r^(-1/2) / 2.
            let (tau, a) = (libm::exp(-0.5 * own[0]), 1.0 / 18.0_f64);
            let whole = a.exp() * libm::erfc(a.sqrt());
            (2.0 / PI / (1.0 + tau * tau) * 0.5 * tau / whole).ln() - a * tau * tau
        }
        Output::Ordinal => {
            // Uniform probabilities at output 0, times |d thresholds / d own|.
            let slopes = thresholds(own).into_iter().map(|t| (logistic(t) * logistic(-t)).ln());
            libm::lgamma(f64::from(f.categories))
                + slopes.sum::<f64>()
                + own[1..].iter().sum::<f64>()
        }
        _ => 0.0,
    }
}

/// What y can be: all real numbers, or counts below a bound.
fn range(f: &Family<f64>) -> Option<usize> {
    match f.output {
        Output::Bernoulli => Some(2),
        Output::Softmax | Output::Ordinal => Some(f.categories as usize),
        Output::Poisson | Output::NegativeBinomial => Some(400),
        _ => None,
    }
}

/// Rows of every family at ordinary places, some of them random.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut stream = Stream::new(3, 0, Purpose::Predictive);
    for output in Output::ALL {
        let usual = Family::of(output);
        let families = match output {
            Output::StudentT | Output::Gaussian => {
                vec![
                    Family { noise: 0.7, ..usual },
                    Family { noise_shape: 1.5, noise_rate: 0.4, ..usual },
                    usual,
                ]
            }
            Output::MeanVariance
            | Output::Gamma
            | Output::HurdleLogNormal
            | Output::HurdleGamma => {
                vec![usual, Family { floor: 0.0, ..usual }, Family { floor: 0.5, ..usual }]
            }
            Output::Mixture => (1..6)
                .flat_map(|categories| {
                    [0.0, 0.3].map(|floor| Family { categories, floor, ..usual })
                })
                .collect(),
            Output::Softmax => (2..6)
                .flat_map(|categories| {
                    [false, true].map(|reference| Family { categories, reference, ..usual })
                })
                .collect(),
            Output::NegativeBinomial => vec![usual, Family { size: 2.5, ..usual }],
            Output::Ordinal => (2..6).map(|categories| Family { categories, ..usual }).collect(),
            _ => vec![usual],
        };
        for family in families {
            for nu in [3.0, 12.0] {
                let mut draw = |n: usize| -> Vec<f64> { (0..n).map(|_| stream.normal()).collect() };
                let (own, mut o) = (draw(family.coordinates()), draw(family.outputs()));
                if output == Output::Ordinal && nu > 3.0 {
                    o = vec![0.0];
                }
                rows.push(Row { family, own, nu, o });
            }
        }
    }
    rows
}

/// Values of y to try at a row.
fn targets(row: &Row) -> Vec<f64> {
    match range(&row.family) {
        Some(n) => (0..n.min(30)).map(|y| y as f64).collect(),
        None if row.family.output.has_hurdle() => vec![-4.0, ZERO, 0.3, 6.0],
        None => vec![-4.0, -0.7, 0.0, 0.3, 6.0],
    }
}

/// The derivative at h = 0, to O(h^4).
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let h = 1e-3;
    (8.0 * (f(h) - f(-h)) - f(2.0 * h) + f(-2.0 * h)) / (12.0 * h)
}

fn moved(list: &[f64], k: usize, h: f64) -> Vec<f64> {
    let mut list = list.to_vec();
    list[k] += h;
    list
}

fn near(got: f64, want: f64, tolerance: f64, what: impl std::fmt::Debug) {
    assert!((got - want).abs() <= tolerance * (1.0 + want.abs()), "{got} against {want}: {what:?}");
}

fn moments(row: &Row, y: f64, o: &mut [[[f64; 1]; GROUP]]) -> [f64; 2] {
    let own = splat(&row.own);
    let mut ready = vec![[f64::NAN]; row.family.ready_len()];
    let isa = Isa::Portable;
    output::moments(isa, &row.family, y, 0, &own, &[row.nu], o, &mut ready).map(|[m]| m)
}

/// Families meet where they are one law.
#[test]
fn families_meet_in_their_limits() {
    let row = |family: Family<f64>, own: &[f64], o: &[f64]| Row {
        family,
        own: own.to_vec(),
        nu: 1e12,
        o: o.to_vec(),
    };
    let usual = |output| Family::of(output);
    let pairs = [
        (
            row(Family { reference: true, ..usual(Output::Softmax) }, &[], &[0.8]),
            row(usual(Output::Bernoulli), &[], &[0.8]),
            vec![0.0, 1.0],
        ),
        (
            row(usual(Output::NegativeBinomial), &[30.0], &[1.3]),
            row(usual(Output::Poisson), &[], &[1.3]),
            vec![0.0, 1.0, 5.0, 40.0],
        ),
        (
            row(usual(Output::StudentT), &[0.4], &[1.3]),
            row(usual(Output::Gaussian), &[0.4], &[1.3]),
            vec![-1.0, 1.5],
        ),
        (
            row(usual(Output::MeanVariance), &[], &[1.3, -0.4]),
            row(
                Family { noise: (0.67032004603564_f64 + 1e-6).sqrt(), ..usual(Output::Gaussian) },
                &[],
                &[1.3],
            ),
            vec![-1.0, 1.5],
        ),
    ];
    for (a, b, targets) in pairs {
        for y in targets {
            let (a, b) = (core::<f64>(&a, y), core::<f64>(&b, y));
            near(a.value, b.value, 1e-9, y);
            near(a.by_output[0], b.by_output[0], 1e-9, y);
        }
    }
    // One component is the mean-variance law; equal components are one.
    for k in 1..=3_usize {
        let family = Family { categories: k as u32, ..usual(Output::Mixture) };
        let o = [vec![0.4; k], vec![1.3; k], vec![-0.4; k]].concat();
        let (a, b) = (row(family, &[], &o), row(usual(Output::MeanVariance), &[], &[1.3, -0.4]));
        near(core::<f64>(&a, 0.7).value, core::<f64>(&b, 0.7).value, 1e-14, k);
    }
}

/// Four rows are the sum of each, and lanes and instruction sets do not change a bit.
#[test]
fn every_machine_the_same() {
    fn check<T: AnyLanes>() {
        for (index, row) in rows().into_iter().enumerate() {
            let family = cast::<T>(&row.family);
            let targets: Vec<T> = targets(&row).into_iter().map(T::lit).collect();
            let mut stream = Stream::new(7, index as u64, Purpose::Predictive);
            let mut draw = || T::lit(3.0 * stream.normal::<f64>());
            let own: Vec<[T; 8]> =
                row.own.iter().map(|_| std::array::from_fn(|_| draw())).collect();
            let o: Vec<[[T; 8]; GROUP]> = row
                .o
                .iter()
                .map(|_| std::array::from_fn(|_| std::array::from_fn(|_| draw())))
                .collect();
            let nu = std::array::from_fn(|k| T::of_usize(3 + k));
            for count in 1..=GROUP {
                let y: Vec<T> = (0..count).map(|r| targets[(index + r) % targets.len()]).collect();
                let mut first = o.clone();
                let base = group::<T, 8>(Isa::Portable, &family, &y, &own, nu, &mut first);
                for isa in Isa::all() {
                    let mut again = o.clone();
                    assert_eq!(base, group::<T, 8>(isa, &family, &y, &own, nu, &mut again));
                    assert_eq!(first, again);
                    for lane in 0..8 {
                        let own: Vec<[T; 1]> = own.iter().map(|x| [x[lane]]).collect();
                        let mut one: Vec<[[T; 1]; GROUP]> =
                            o.iter().map(|o| o.map(|x| [x[lane]])).collect();
                        let (value, by_own) =
                            group::<T, 1>(isa, &family, &y, &own, [nu[lane]], &mut one);
                        assert_eq!(value, [base.0[lane]]);
                        assert!(by_own.iter().zip(&base.1).all(|(a, b)| a[0] == b[lane]));
                        for (a, b) in one.iter().zip(&first) {
                            assert!(a.iter().zip(b).all(|(a, b)| a[0] == b[lane]));
                        }
                    }
                }
                let mut sum = T::ZERO;
                for (r, y) in y.iter().enumerate() {
                    let mut alone: Vec<[[T; 8]; GROUP]> = o.iter().map(|o| [o[r]; GROUP]).collect();
                    let (value, _) =
                        group::<T, 8>(Isa::Portable, &family, &[*y], &own, nu, &mut alone);
                    sum += value[0];
                    assert!(alone.iter().zip(&first).all(|(a, b)| a[0] == b[r]));
                }
                let scale = 16.0 * T::EPSILON.to_f64() * (1.0 + sum.to_f64().abs());
                assert!((sum - base.0[0]).to_f64().abs() <= 4.0 * scale, "{row:?}");
            }
        }
    }
    check::<f64>();
    check::<f32>();
}

/// Targets that a family cannot give, and fields that it cannot have.
#[test]
fn what_is_impossible_is_refused() {
    let no = [f64::NAN, f64::INFINITY, -f64::INFINITY];
    for output in Output::ALL {
        let family = Family::<f64> { categories: 3, ..Family::of(output) };
        assert!(family.valid() && no.iter().all(|y| !family.possible(*y)), "{output:?}");
        assert_eq!(family.is_real() && !output.is_log(), family.possible(-0.5), "{output:?}");
        let positive = output.is_log() && !output.has_hurdle();
        assert_eq!(!positive, family.possible(0.0), "{output:?}");
        assert_eq!(family.is_real(), family.possible(0.5), "{output:?}");
    }
    for output in [Output::Softmax, Output::Ordinal] {
        let classes = Family::<f64> { categories: 3, ..Family::of(output) };
        assert!([0.0, 1.0, 2.0].iter().all(|y| classes.possible(*y)));
        assert!([-1.0, 3.0, 0.5].iter().all(|y| !classes.possible(*y)));
    }
    for output in [Output::Poisson, Output::NegativeBinomial] {
        let (single, double) = (Family::<f32>::of(output), Family::<f64>::of(output));
        assert!([-1.0, 0.5, 1e300].iter().all(|y| !double.possible(*y)));
        assert!(single.possible(16_777_215.0) && !single.possible(16_777_216.0));
        assert!(double.possible(16_777_216.0) && !double.possible(9_007_199_254_740_992.0));
    }
    let of = Family::<f64>::of;
    let refused = [
        Family { categories: 1, ..of(Output::Softmax) },
        Family { categories: 1, ..of(Output::Ordinal) },
        Family { categories: 0, ..of(Output::Mixture) },
        Family { categories: 17, ..of(Output::Mixture) },
        Family { floor: -1.0, ..of(Output::Mixture) },
        Family { floor: f64::NAN, ..of(Output::MeanVariance) },
        Family { size: -1.0, ..of(Output::NegativeBinomial) },
        Family { size: f64::INFINITY, ..of(Output::NegativeBinomial) },
        Family { noise: f64::NAN, ..of(Output::Gaussian) },
        Family { noise_shape: 0.0, ..of(Output::StudentT) },
        Family { noise_rate: f64::NAN, ..of(Output::StudentT) },
    ];
    assert!(refused.iter().all(|family| !family.valid()));
}

/// What a network of ln y is given: 0 is the least number, in every unit.
#[test]
fn logarithms_are_seen_in_their_units() {
    for output in Output::ALL {
        let family = Family::<f64>::of(output);
        let halved = |y: f64| family.seen(y, |y| 0.5 * (y - 3.0));
        let want = if output.is_log() { [0.5 * (7.0_f64.ln() - 3.0), ZERO] } else { [2.0, -1.5] };
        near(halved(7.0), want[0], 1e-15, output);
        assert_eq!(halved(0.0), want[1], "{output:?}");
    }
    let single = Family::<f32>::of(Output::HurdleLogNormal);
    assert_eq!(single.seen(0.0, |y| y), -f32::MAX);
}

/// What a draw keeps of the own coordinates.
#[test]
fn tails_are_what_the_law_is_made_of() {
    for row in rows() {
        let mut tail = row.own.clone();
        tail.resize(row.family.tail_len(), f64::NAN);
        row.family.tail(row.nu, &mut tail);
        let sd = row.own.first().map_or(row.family.noise, |log| libm::exp(-0.5 * log));
        let size = row.own.first().map_or(row.family.size, |log| libm::exp(*log));
        let want = match row.family.output {
            Output::StudentT => vec![sd, row.nu],
            Output::Gaussian => vec![sd, f64::INFINITY],
            Output::NegativeBinomial => vec![size],
            Output::Ordinal => thresholds(&row.own),
            _ => vec![],
        };
        assert_eq!(tail.len(), want.len());
        let same = tail.iter().zip(&want).all(|(a, b)| a == b || (a / b - 1.0).abs() < 1e-15 * 4.0);
        assert!(same, "{tail:?} {want:?}");
    }
}
