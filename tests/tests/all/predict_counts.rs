//! The predictive laws of counts: against sums of their probabilities, and the networks that give their rates.

use crate::predict_classes::{DRAWS, each_law, image, near, outputs, rows, shape};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::network::Output;
use lcc_core::posterior::{Image, Shape};
use lcc_core::predict::{Counts, Law, NetworkCompiled, NetworkPredictor, PredictError, Scores};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::special::scalar::binet;

/// P(Y = 0), ..., P(Y = most) of one law, by the recurrence from 0.
fn masses(rate: f64, size: f64, most: usize) -> Vec<f64> {
    let poisson = size.is_infinite();
    let mut p = if poisson { (-rate).exp() } else { (-size * (rate / size).ln_1p()).exp() };
    (0..=most)
        .map(|k| {
            let own = p;
            let k = k as f64;
            let q = if poisson { rate } else { rate / (rate + size) * (k + size) };
            p *= q / (k + 1.0);
            own
        })
        .collect()
}

/// Mixtures of moderate counts, with the masses of each.
fn cases() -> Vec<(Vec<f64>, Vec<f64>)> {
    vec![
        (vec![3.0], vec![]),
        (vec![0.01, 0.02], vec![]),
        (vec![1.0, 4.0, 20.0, 150.0], vec![]),
        (vec![2.0, 5.0], vec![0.5, 3.0]),
        (vec![40.0, 60.0, 3.0], vec![1e-2, 100.0, 1e9]),
    ]
}

fn with<T: Real>(rates: &[f64], sizes: &[f64], check: impl FnOnce(Counts<'_, T>)) {
    let log: Vec<T> = rates.iter().map(|r| T::lit(r.ln())).collect();
    let size: Vec<T> = sizes.iter().map(|r| T::lit(*r)).collect();
    let rest: Vec<T> = size.iter().map(|r| binet(*r)).collect();
    let mut rate = vec![T::ZERO; log.len()];
    check(Counts::new(&log, &size, &rest, &mut rate).unwrap());
}

fn moderate<T: Real>() {
    // Some 40 times as far as the slowest tail falls by e: 4000 counts.
    const MOST: usize = 160_000;
    let eps = if T::BITS == 32 { 3e-5 } else { 1e-12 };
    for (rates, sizes) in cases() {
        let all: Vec<Vec<f64>> = rates
            .iter()
            .enumerate()
            .map(|(k, r)| masses(*r, sizes.get(k).copied().unwrap_or(f64::INFINITY), MOST))
            .collect();
        let n = rates.len() as f64;
        let mass: Vec<f64> =
            (0..=MOST).map(|y| all.iter().map(|m| m[y]).sum::<f64>() / n).collect();
        let mut below = 0.0;
        let lower: Vec<f64> = mass
            .iter()
            .map(|p| {
                below += p;
                below
            })
            .collect();
        let mut above = 0.0;
        let mut upper: Vec<f64> = mass
            .iter()
            .rev()
            .map(|p| {
                above += p;
                above - p
            })
            .collect();
        upper.reverse();
        let mean = rates.iter().sum::<f64>() / n;
        let noise = |k: usize| {
            let r = rates[k];
            r + sizes.get(k).map_or(0.0, |size| r * r / size)
        };
        let aleatoric = (0..rates.len()).map(noise).sum::<f64>() / n;
        let epistemic = rates.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / n;
        with::<T>(&rates, &sizes, |law| {
            near(law.mean(), mean, "mean");
            near(law.aleatoric(), aleatoric, "aleatoric");
            near(law.epistemic(), epistemic, "epistemic");
            near(law.sd(), (aleatoric + epistemic).sqrt(), "sd");
            for y in [0, 1, 2, 3, 7, 16, 40, 100, 151, 300] {
                let t = T::of_usize(y);
                let p = mass[y];
                if p > 1e-30 {
                    let far = law.mass(t).to_f64() / p - 1.0;
                    assert!(far.abs() < 4.0 * eps, "{rates:?} {y} {far:e}");
                    assert!((law.log_mass(t).to_f64() - p.ln()).abs() < 4.0 * eps);
                }
                let (a, b) = law.tails(t);
                for (own, exact) in [(a, lower[y]), (b, upper[y])] {
                    let relative = (own.to_f64() - exact).abs() / exact;
                    assert!(exact < 1e-30 || relative < 8.0 * eps, "{rates:?} {y} {relative:e}");
                }
                near(law.pit(t, T::lit(0.25)), lower[y] - 0.75 * p, "pit");
                if ![0, 3, 40].contains(&y) {
                    continue;
                }
                let crps: f64 = lower
                    .iter()
                    .enumerate()
                    .map(|(k, f)| (f - (y <= k) as u8 as f64).powi(2))
                    .sum();
                let far = (law.crps(t).to_f64() - crps).abs() / crps.max(mean);
                assert!(far < if T::BITS == 32 { 1e-3 } else { 1e-6 }, "{rates:?} {y} {far:e}");
            }
            for p in [1e-6, 0.01, 0.25, 0.5, 0.77, 0.99, 1.0 - 1e-4] {
                let q = law.quantile(T::lit(p)).to_f64() as usize;
                let slack = 1e-6 * p.min(1.0 - p) + if T::BITS == 32 { 1e-6 } else { 1e-12 };
                assert!(lower[q] >= p - slack, "{rates:?} {p} {q}");
                assert!(q == 0 || lower[q - 1] < p + slack, "{rates:?} {p} {q}");
            }
            let (a, b) = law.central_interval(T::lit(0.9));
            let (a, b) = (a.to_f64() as usize, b.to_f64() as usize);
            let inside = lower[b] - if a > 0 { lower[a - 1] } else { 0.0 };
            assert!(inside >= 0.9 - 1e-5);
            // No counts.
            assert_eq!(law.log_mass(T::lit(-1.0)), -T::INFINITY);
            assert_eq!(law.log_mass(T::HALF), -T::INFINITY);
            assert_eq!(law.tails(T::lit(-1.0)), (T::ZERO, T::ONE));
            assert_eq!(law.tails(T::lit(1.5)), law.tails(T::ONE));
            assert_eq!(law.quantile(T::ONE), T::INFINITY);
            assert_eq!(law.quantile(T::ZERO), T::ZERO);
            assert!(!(law.quantile(T::lit(1.5)) >= T::ZERO));
            assert!(!(law.crps(T::HALF) >= T::ZERO));
        });
    }
}

#[test]
fn probabilities_tails_and_scores_against_sums() {
    moderate::<f64>();
    moderate::<f32>();
}

/// Where sums would take too long: what the tails say of neighbours must be their probabilities, and both together
/// everything, on both sides of the change of method.
#[test]
fn large_counts() {
    for rate in [9.99e5, 1e6, 1.0005e6, 1e8, 1e12] {
        with::<f64>(&[rate], &[], |law| {
            for z in [-6.0, -1.0, 0.0, 0.5, 3.0, 7.0] {
                let y = (rate + z * f64::sqrt(rate)).floor();
                let ((a, above), (b, over)) = (law.tails(y - 1.0), law.tails(y));
                assert!((a + above - 1.0).abs() < 1e-12);
                let (step, mass) = (if z < 0.0 { b - a } else { above - over }, law.mass(y));
                let lost = 4.0 * f64::EPSILON * b.min(above) + 1e-12 / rate.sqrt();
                assert!((step - mass).abs() < lost + 1e-6 * mass, "{rate} {z}: {step:e} {mass:e}");
            }
            // Close to a normal law: the CRPS at the mean is sd (sqrt 2 - 1)/sqrt pi.
            let expected = rate.sqrt() * (2f64.sqrt() - 1.0) / core::f64::consts::PI.sqrt();
            let crps = law.crps(rate.floor());
            assert!((crps / expected - 1.0).abs() < 3e-3, "{rate} {crps} {expected}");
            let median = law.quantile(0.5);
            assert!((median - rate).abs() <= 1.0, "{median}");
        });
    }
    // At 1e6 the sums end and the expansion begins: one law, one distribution function.
    with::<f64>(&[1e6], &[], |law| {
        let step = law.cdf(1e6) - law.cdf(1e6 - 1.0);
        assert!((step / law.mass(1e6) - 1.0).abs() < 1e-8, "{step:e}");
    });
    // Nothing hangs, nor is it wrong, where singles have no whole numbers.
    for rate in [3e7, 1e10, 1e30] {
        with::<f32>(&[rate], &[], |law| {
            let median = f64::from(law.quantile(0.5));
            assert!((median / rate - 1.0).abs() < 1e-3);
            let mut stream = Stream::new(1, 0, Purpose::Predictive);
            let y = f64::from(law.draw(&mut stream));
            assert!((y / rate - 1.0).abs() < 8.0 / rate.sqrt() + 1e-6, "{rate} {y}");
            assert!(law.crps(law.quantile(0.5)).is_finite());
        });
    }
    with::<f64>(&[f64::INFINITY], &[], |law| {
        assert_eq!(law.crps(1.0), f64::INFINITY);
        assert_eq!(law.quantile(0.5), f64::INFINITY);
    });
}

/// The rate of one draw in a hundred, which nothing tells, is no mean: (99 * 2 + 10 m) / 100 = m. Of ten draws it counts.
#[test]
fn moments_are_not_those_of_one_rate_that_nothing_tells() {
    fn check<T: Real>() {
        // A tenth of what is above stays in each round.
        let near = |got: T, want: f64| {
            assert!((got.to_f64() / want - 1.0).abs() < 1e-5, "{got:?} {want}");
        };
        let rates =
            |n: usize| -> Vec<f64> { (0..n).map(|k| if k == 3 { 1e9 } else { 2.0 }).collect() };
        with::<T>(&rates(100), &[], |law| {
            near(law.mean(), 2.2);
            near(law.aleatoric(), 2.2);
            near(law.epistemic(), (99.0 * 0.04 + 19.8 * 19.8) / 100.0);
            // The law is that of the draws.
            near(law.tails(T::lit(1e6)).1, 0.01);
            near(law.rates()[3], 1e9);
        });
        with::<T>(&rates(10), &[], |law| near(law.mean(), 1e8 + 1.8));
    }
    check::<f64>();
    check::<f32>();
}

/// P(Y = first), P(Y = first + 1), ... of a law of large counts, by the recurrence from its mean: from 14 sds below on.
fn around(rate: f64, size: f64) -> (f64, Vec<f64>) {
    let sd = (rate + rate * rate / size).sqrt();
    let (mean, far) = (rate.floor(), (14.0 * sd).floor().min(rate.floor()));
    let ratio = |y: f64| match size.is_infinite() {
        true => rate / (y + 1.0),
        false => rate / (rate + size) * ((y + size) / (y + 1.0)),
    };
    let mut mass = vec![1.0; (far + 50.0 * sd) as usize];
    let at = far as usize;
    for k in at..mass.len() - 1 {
        mass[k + 1] = mass[k] * ratio(mean + (k - at) as f64);
    }
    for k in (0..at).rev() {
        mass[k] = mass[k + 1] / ratio(mean - (at - k) as f64);
    }
    let all: f64 = mass.iter().sum();
    mass.iter_mut().for_each(|m| *m /= all);
    (mean - far, mass)
}

fn tails_of_large<T: Real>() {
    let (eps, relative) = if T::BITS == 32 { (3e-4, 1e-3) } else { (3e-10, 1e-6) };
    let sizes = [f64::INFINITY, 1e9, 3e5, 1.2e5, 5e3, 70.0, 3.0];
    for rate in [900.0, 1.3e3, 2e4, 1.1e5, 4e5] {
        for size in sizes {
            let own = if size.is_infinite() { vec![] } else { vec![size] };
            with::<T>(&[rate], &own, |law| {
                // That of its rounded logarithm.
                let rate = law.rates()[0].to_f64();
                let sd = (rate + rate * rate / size).sqrt();
                let (first, mass) = around(rate, size);
                for z in [-5.0, -2.0, -0.5, -0.02, 0.0, 0.01, 0.2, 1.0, 3.0, 5.0] {
                    let y = (rate + z * sd).floor();
                    if y < first + 1.0 {
                        continue;
                    }
                    let (below, above) = mass.split_at((y - first) as usize + 1);
                    let exact = [below, above].map(|part| part.iter().sum::<f64>());
                    let (a, b) = law.tails(T::lit(y));
                    for (own, exact) in [a.to_f64(), b.to_f64()].into_iter().zip(exact) {
                        let far = (own - exact).abs();
                        let most = eps.min(relative * exact + eps * 1e-3);
                        assert!(far < most, "{rate} {size} {z}: {own} {exact}");
                    }
                }
            });
        }
    }
}

#[test]
fn tails_of_large_counts_against_sums() {
    tails_of_large::<f64>();
    tails_of_large::<f32>();
}

/// The score of mixtures of narrow and wide laws, some far apart, against sums over all counts.
fn scores_of_large<T: Real>() {
    let eps = if T::BITS == 32 { 2e-4 } else { 2e-6 };
    let mixtures: [(&[f64], &[f64]); 6] = [
        (&[2e5], &[]),
        (&[2e4, 2.1e4, 2.3e4], &[]),
        (&[5e4, 5e4, 5.2e4], &[3e5, 1e9, 9e5]),
        (&[3e4, 3e4, 3e4], &[1.0, 1e9, 40.0]),
        (&[0.3, 9e3, 8e4], &[1.0, 1e9, 1e7]),
        (&[4e3, 6e4], &[1e8, 0.7]),
    ];
    for (rates, sizes) in mixtures {
        const MOST: usize = 4_000_000;
        let mut mass = vec![0.0; MOST];
        for (k, rate) in rates.iter().enumerate() {
            let size = sizes.get(k).copied().unwrap_or(f64::INFINITY);
            let own = if size < 50.0 {
                (0, masses(*rate, size, MOST - 1))
            } else {
                let (first, mass) = around(*rate, size);
                (first as usize, mass)
            };
            for (to, from) in mass[own.0..].iter_mut().zip(own.1) {
                *to += from / rates.len() as f64;
            }
        }
        with::<T>(rates, sizes, |law| {
            for y in [0.0, 5.0, 3e4, 5.03e4, 2.004e5] {
                let (mut below, mut crps) = (0.0, 0.0);
                for (k, p) in mass.iter().enumerate() {
                    below += p;
                    let part: f64 = if (k as f64) < y { below } else { 1.0 - below };
                    crps += part * part;
                }
                let own = law.crps(T::lit(y)).to_f64();
                assert!((own / crps - 1.0).abs() < eps, "{rates:?} {sizes:?} {y}: {own} {crps}");
            }
        });
    }
}

#[test]
fn scores_of_large_counts_against_sums() {
    scores_of_large::<f64>();
    scores_of_large::<f32>();
}

/// Mixtures of geometric laws (r = 1) of every scale at once: P(Y > y) is the mean of q_k^(y + 1), and the CRPS of 0 that of
/// q_j q_k / (1 - q_j q_k).
fn geometric<T: Real>(largest: f64) {
    let eps = if T::BITS == 32 { 2e-3 } else { 1e-6 };
    let rates: Vec<f64> =
        (0..24).map(|k| ((largest + 2.0) * k as f64 / 23.0 - 2.0).exp()).collect();
    let logs: Vec<f64> = rates.iter().map(|r| -(1.0 / r).ln_1p()).collect();
    let count = rates.len() as f64;
    with::<T>(&rates, &vec![1.0; rates.len()], |law| {
        let above = |y: f64| logs.iter().map(|l| (l * (y + 1.0)).exp()).sum::<f64>() / count;
        for p in [0.02, 0.5, 0.9, 0.95, 0.999] {
            let y = law.quantile(T::lit(p)).to_f64();
            let (less, more) = ((1.0 - p) * (1.0 - eps), (1.0 - p) * (1.0 + eps));
            let before = (y * (1.0 - eps)).floor() - 1.0;
            assert!(above(y * (1.0 + eps)) <= more, "{largest} {p}: {y}");
            assert!(y == 0.0 || above(before) > less, "{largest} {p}: {y}");
        }
        let pairs = logs.iter().flat_map(|a| logs.iter().map(move |b| -1.0 / (-(a + b)).exp_m1()));
        let exact = -pairs.sum::<f64>() / (count * count);
        let crps = law.crps(T::ZERO).to_f64();
        assert!((crps / exact - 1.0).abs() < eps, "{largest}: {crps} {exact}");
        // Of y far above all: y - 2 sum_(k < y) P(Y > k) + sum of squares, the first of which is the mean.
        let far = if T::BITS == 32 { 2f64.powi(40) } else { 2f64.powi(52) };
        let crps = law.crps(T::lit(far)).to_f64();
        let exact = far - 2.0 * rates.iter().sum::<f64>() / count + exact;
        assert!((crps / exact - 1.0).abs() < eps, "{largest}: {crps} {exact}");
    });
}

#[test]
fn mixtures_of_many_scales() {
    for largest in [3.0, 6.0, 9.0, 12.0, 16.0, 20.0, 23.0] {
        geometric::<f64>(largest);
        geometric::<f32>(largest);
    }
}

/// Draws have the masses, and their randomised transforms are uniform.
#[test]
fn draws_follow_their_law() {
    for (rates, sizes) in cases() {
        with::<f64>(&rates, &sizes, |law| {
            let n = 5_000;
            let mut stream = Stream::new(17, 0, Purpose::Predictive);
            let mut bins = [0.0_f64; 20];
            for _ in 0..n {
                let y = law.draw(&mut stream);
                let u = law.pit(y, stream.uniform());
                assert!((0.0..=1.0 + 1e-12).contains(&u));
                bins[((u * 20.0) as usize).min(19)] += 1.0;
            }
            let each = f64::from(n) / 20.0;
            let chi: f64 = bins.iter().map(|b| (b - each).powi(2) / each).sum();
            let z = (chi - 19.0) / 38f64.sqrt();
            assert!(z.abs() < 4.0, "{rates:?} {chi}");
        });
    }
}

fn networks<T: NetworkCompiled>() {
    let kinds = [
        (shape(Output::Poisson, 2, [4, 3, 0, 0], 1), None),
        (Shape { exposure: true, ..shape(Output::Poisson, 2, [5, 0, 0, 0], 1) }, None),
        (Shape { exposure: true, ..shape(Output::NegativeBinomial, 3, [0; 4], 1) }, Some(1.5)),
    ];
    for (shape, size) in kinds {
        let tail: Vec<f64> = size.into_iter().collect();
        let bytes = image::<T>(shape, 0.0, [0.0, 1.0], &tail);
        each_law::<T>(&bytes, 11, |row, law| {
            let exposure = if shape.exposure { *row.last().unwrap() } else { 1.0 };
            let rates: Vec<f64> =
                outputs(&shape, row, &tail).iter().map(|o| exposure * o[0].exp()).collect();
            let of = |r: &f64| masses(*r, size.unwrap_or(f64::INFINITY), 9);
            let all: Vec<Vec<f64>> = rates.iter().map(of).collect();
            let mut logs = [T::ZERO; DRAWS];
            law.log_scores(T::lit(4.0), &mut logs);
            for (log, m) in logs.iter().zip(&all) {
                near(*log, m[4].ln(), "log mass of a draw");
            }
            let Law::Counts(law) = law else { panic!("another law") };
            near(law.mean(), rates.iter().sum::<f64>() / DRAWS as f64, "mean");
            for y in 0..10 {
                let p = all.iter().map(|m| m[y]).sum::<f64>() / DRAWS as f64;
                near(law.log_mass(T::of_usize(y)), p.ln(), "log mass");
            }
        });
    }
}

#[test]
fn networks_of_counts_with_exposure() {
    networks::<f64>();
    networks::<f32>();
}

#[test]
fn evaluation_of_counts_sums_what_rows_say() {
    let shape = Shape { exposure: true, ..shape(Output::Poisson, 2, [5, 0, 0, 0], 1) };
    let bytes = image::<f64>(shape, 0.0, [0.0, 1.0], &[]);
    let image = Image::open(&bytes).unwrap();
    let mut buffer = vec![0.0; NetworkPredictor::<f64>::buffer_len(&image)];
    let predictor = NetworkPredictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let n = 23;
    let mut x = rows(&shape, n);
    let mut scratch = vec![0.0; predictor.rows_scratch()];
    let mut y = vec![0.0; n];
    let inputs = Inputs::row_major(&x, n, 3).unwrap();
    let mut stream = Stream::new(9, 0, Purpose::Predictive);
    predictor.draws(&inputs, &mut stream, &mut y, &mut scratch).unwrap();
    let data = Dataset::new(inputs, &y).unwrap();
    let Scores::Numbers(e) = predictor.evaluate(&data, 0.8, true, &mut scratch).unwrap() else {
        panic!("scores of classes")
    };
    let (mut sums, mut i) = ([0.0; 5], 0);
    each_law::<f64>(&bytes, n, |_, law| {
        let Law::Counts(law) = law else { panic!("another law") };
        let (lower, upper) = law.central_interval(0.8);
        let inside = (lower <= y[i] && y[i] <= upper) as u8 as f64;
        let error = (law.mean() - y[i]).powi(2);
        let own = [error, law.log_mass(y[i]), inside, upper - lower, law.crps(y[i])];
        sums.iter_mut().zip(own).for_each(|(s, x)| *s += x / n as f64);
        i += 1;
    });
    let own = [e.rmse * e.rmse, e.log_likelihood, e.coverage, e.width, e.crps];
    for (a, b) in own.iter().zip(sums) {
        assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{a} {b}");
    }
    let bad = [&y[..n - 1], &[0.5]].concat();
    let error = predictor.evaluate(&Dataset::new(inputs, &bad).unwrap(), 0.8, false, &mut scratch);
    assert_eq!(error.err(), Some(PredictError::Target));
    x[5] = 0.0;
    let inputs = Inputs::row_major(&x, n, 3).unwrap();
    let error = predictor.for_each_row(&inputs, &mut scratch, |_, _| ()).err();
    assert_eq!(error, Some(PredictError::Exposure));
    // The smaller predictor is for one hidden layer and Student-t noise.
    let error =
        lcc_core::predict::Predictor::<f64>::new(Isa::detect(), image, &mut [0.0; 99]).err();
    assert_eq!(error, Some(PredictError::Network));
}
