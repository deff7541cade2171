//! Prequential Greedy Bayes: every intermediate of (30)-(33) against quadrature, the model's averages, the
//! losses, what it costs, the object.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::Status;
use lcc_core::estimator::greedy_bayes::{Form, recursion};
use lcc_core::estimator::prequential::{Averaging, Compiled, Prequential, PrequentialOptions};
use lcc_core::likelihood::GreedyTilt;
use lcc_core::posterior::Image;
use lcc_core::predict::Predictor;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::simd::Isa;
use lcc_core::smc::{self, Smc, SmcOptions};
use lcc_tests::numeric::mean_and_variance;
use lcc_tests::posteriors::Aligned;
use lcc_tests::quadrature::prior_rule;
use lcc_tests::tools::{by_turns, runs};
use lcc_tests::{matrix, number, numbers, reference};
use serde_json::Value;

/// A case of the reference values.
struct Case {
    x: Vec<f64>,
    y: Vec<f64>,
    query: Vec<f64>,
    d: usize,
    levels: usize,
    activation: Activation,
    prior: Prior<f64>,
    alpha: f64,
    beta: f64,
    online: Value,
}

fn cases() -> Vec<Case> {
    let file = reference("greedy_bayes.json");
    let read = |c: &Value| Case {
        x: matrix(&c["X"]),
        y: numbers(&c["y"]),
        query: matrix(&c["query"]),
        d: number(&c["d"]) as usize,
        levels: number(&c["K"]) as usize,
        activation: Activation::from_name(c["activation"].as_str().unwrap()).unwrap(),
        prior: match c["prior"]["kind"].as_str() {
            Some("gaussian") => Prior::Gaussian { sd: number(&c["prior"]["sigma0"]) },
            _ => Prior::L1Ball { radius: number(&c["prior"]["radius"]) },
        },
        alpha: number(&c["alpha"]),
        beta: number(&c["beta"]),
        online: c["online"].clone(),
    };
    file["cases"].as_array().unwrap().iter().map(read).collect()
}

impl Case {
    /// As the papers print it, on this case's own scales.
    fn options(&self) -> PrequentialOptions<f64> {
        PrequentialOptions {
            activation: self.activation.into(),
            alpha: self.alpha,
            beta: self.beta,
            particles: 1024,
            ..PrequentialOptions::papers(self.y.len(), self.levels as u32, self.prior)
        }
    }
    fn rows(&self) -> impl Iterator<Item = (&[f64], f64)> {
        self.x.chunks(self.d).zip(self.y.iter().copied())
    }
    fn level(&self, k: usize) -> &Value {
        &self.online["levels"][k]
    }
}

/// A learner of its own memory.
pub(crate) fn learner<'m, T: Compiled>(
    memory: &'m mut Aligned,
    options: &PrequentialOptions<T>,
    rows: usize,
    d: usize,
) -> Prequential<'m, T> {
    *memory = Aligned::new(Prequential::size(options, rows, d).unwrap());
    Prequential::init(memory.bytes(), options, Isa::detect(), rows, d, None).unwrap()
}

pub(crate) fn finish<T: Compiled>(learner: &mut Prequential<'_, T>, x: &[T], y: T) {
    learner.observe(x, y).unwrap();
    while learner.step(u64::MAX).unwrap() == Status::Running {}
}

#[test]
fn the_recursion_with_given_expectations_is_exact() {
    let near = |a: f64, b: &Value| {
        let b = number(b);
        assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{a} {b}");
    };
    for case in cases() {
        let n = case.y.len();
        let mut average = [0.0; 3];
        for i in 0..n {
            let (mut own, mut at_query) = ([0.0], [0.0; 3]);
            for k in 0..case.levels {
                let level = case.level(k);
                let e = numbers(&level["E_p_ik_psi_xj"][i]);
                recursion::advance(case.beta, &mut own, &[e[i]]);
                recursion::advance(case.beta, &mut at_query, &numbers(&level["E_p_ik_psi_xq"][i]));
                near(own[0], &level["f_hat_ik_xj"][i][i]);
                let mut r = [0.0];
                recursion::residuals(case.beta, &[case.y[i]], &own, &mut r);
                near(r[0], &level["residuals_r_ik"][i]);
            }
            average.iter_mut().zip(at_query).for_each(|(a, f)| *a += f / n as f64);
        }
        average
            .iter()
            .zip(case.online["f_hat_K_xq"].as_array().unwrap())
            .for_each(|(a, b)| near(*a, b));
    }
}

/// Everything that a run meets, in a fixed order.
fn intermediates(case: &Case, options: &PrequentialOptions<f64>) -> Vec<f64> {
    let mut memory = Aligned::new(0);
    let mut run = learner(&mut memory, options, case.y.len(), case.d);
    let mut scratch = vec![0.0; run.row_scratch()];
    let mut all = Vec::new();
    for (x, y) in case.rows() {
        for k in 0..case.levels {
            for at in case.x.chunks(case.d).chain(case.query.chunks(case.d)) {
                all.push(run.expectation(k, at, &mut scratch).unwrap());
            }
            all.push(run.level_report(k).unwrap().log_evidence);
        }
        for at in case.query.chunks(case.d) {
            all.push(run.forecast(at, &mut scratch).unwrap().location);
        }
        let predicted = run.forecast(x, &mut scratch).unwrap().location;
        finish(&mut run, x, y);
        assert_eq!(run.last_forecast().unwrap().location, predicted);
        for k in 0..case.levels {
            all.push(run.level_report(k).unwrap().fit);
            all.push(*run.residuals(k).last().unwrap());
        }
        assert_eq!(run.level_report(case.levels - 1).unwrap().fit, predicted);
    }
    all
}

/// The same, exactly.
fn exact(case: &Case) -> Vec<f64> {
    let mut all = Vec::new();
    for i in 0..case.y.len() {
        for k in 0..case.levels {
            all.extend(numbers(&case.level(k)["E_p_ik_psi_xj"][i]));
            all.extend(numbers(&case.level(k)["E_p_ik_psi_xq"][i]));
            all.push(number(&case.level(k)["log_Z_i"][i]));
        }
        all.extend(numbers(&case.level(case.levels - 1)["f_hat_ik_xq"][i]));
        for k in 0..case.levels {
            all.push(number(&case.level(k)["f_hat_ik_xj"][i][i]));
            all.push(number(&case.level(k)["residuals_used_r_j_km1"][i]));
        }
    }
    all
}

/// z of the mean over replicates, one for each quantity; none where it is known without sampling.
fn scores(samples: &[Vec<f64>], exact: &[f64]) -> Vec<f64> {
    let count = samples.len() as f64;
    exact
        .iter()
        .enumerate()
        .filter_map(|(j, exact)| {
            let mean = samples.iter().map(|s| s[j]).sum::<f64>() / count;
            let square: f64 = samples.iter().map(|s| (s[j] - mean).powi(2)).sum();
            let error = (square / (count * (count - 1.0))).sqrt();
            if error < 1e-14 {
                assert!((mean - exact).abs() < 1e-12 * exact.abs().max(1.0), "{j}: {mean} {exact}");
                return None;
            }
            Some((mean - exact) / error)
        })
        .collect()
}

fn rms(z: &[f64]) -> f64 {
    (z.iter().map(|z| z * z).sum::<f64>() / z.len() as f64).sqrt()
}

const REPLICATES: u64 = 40;

/// Every expectation, fit, residual and evidence of every level at every time.
#[test]
fn every_intermediate_is_that_of_the_reference() {
    let mut all = Vec::new();
    for (number_of, case) in cases().iter().enumerate() {
        let runs: Vec<Vec<f64>> = (0..REPLICATES)
            .map(|seed| {
                intermediates(case, &PrequentialOptions { seed: 300 + seed, ..case.options() })
            })
            .collect();
        let exact = exact(case);
        assert_eq!(runs[0].len(), exact.len());
        let z = scores(&runs, &exact);
        for (j, z) in z.iter().enumerate() {
            assert!(z.abs() < 5.0, "case {number_of}, quantity {j}: z {z}");
        }
        all.extend(z);
    }
    // Many of them are correlated: within a fifth of 1 for about 100 independent ones.
    let rms = rms(&all);
    println!("{} quantities, rms z {rms:.3}", all.len());
    assert!(rms > 0.8 && rms < 1.2, "{rms}");
}

/// Both forms, with and without a sign, weights or rows let in by parts: each level's expectations given
/// the run's own residuals.
#[test]
fn levels_have_the_expectations_of_their_posteriors() {
    let outer = 1.5;
    let mut all = Vec::new();
    for case in cases() {
        let inputs = Inputs::row_major(&case.x, case.y.len(), case.d).unwrap();
        let rule = prior_rule(case.prior, &inputs, 24, case.activation == Activation::SquaredRelu);
        let at_query = &case.query[..case.d];
        let psi_at = |x: &[f64], w: &[f64]| {
            let [psi, _, _] = case.activation.jet(x.iter().zip(w).map(|(x, w)| x * w).sum());
            psi
        };
        let forms =
            [(Form::Tilt, true, 0.5), (Form::Quadratic, false, 0.95), (Form::Quadratic, true, 0.9)];
        for (form, signed, ess) in by_turns(forms, 3, 0) {
            let mut samples: Vec<Vec<f64>> = Vec::new();
            for seed in 0..REPLICATES {
                let options = PrequentialOptions {
                    form: form.into(),
                    either_sign: signed.into(),
                    outer,
                    ess,
                    seed: 70 + seed,
                    ..case.options()
                };
                let mut memory = Aligned::new(0);
                let mut run = learner(&mut memory, &options, case.y.len(), case.d);
                let mut scratch = vec![0.0; run.row_scratch()];
                case.rows().for_each(|(x, y)| finish(&mut run, x, y));
                let misses = (0..case.levels).map(|k| {
                    let r = run.residuals(k);
                    let (mut total, mut sum) = (0.0, 0.0);
                    for (w, p) in &rule {
                        let psi: Vec<f64> = case.x.chunks(case.d).map(|x| psi_at(x, w)).collect();
                        let linear: f64 = psi.iter().zip(r).map(|(psi, r)| psi * r).sum();
                        let square: f64 = psi.iter().map(|psi| psi * psi).sum();
                        let tilt = case.alpha * outer * linear;
                        let (value, sign) =
                            if signed { (tilt.cosh(), tilt.tanh()) } else { (tilt.exp(), 1.0) };
                        let p =
                            p * value * (-options.quadratic(options.alpha) / 2.0 * square).exp();
                        total += p;
                        sum += p * outer * sign * psi_at(at_query, w);
                    }
                    run.expectation(k, at_query, &mut scratch).unwrap() - sum / total
                });
                samples.push(misses.collect());
            }
            let z = scores(&samples, &vec![0.0; case.levels]);
            assert!(z.iter().all(|z| z.abs() < 4.5), "{form:?} {signed} {z:?}");
            all.extend(z);
        }
    }
    let rms = rms(&all);
    println!("{} quantities, rms z {rms:.3}", all.len());
    let most = runs(0.5, 0.3);
    assert!((rms - 1.0).abs() < most, "{rms}");
}

/// f_K as a model: printed, with the last row, and the last posteriors alone. The reference's six rows, and
/// its first five, whose sixth posteriors are those given all five.
#[test]
fn the_model_holds_the_average_that_it_names() {
    for case in cases() {
        let (n, beta) = (case.y.len(), case.beta);
        let queries = case.query.len() / case.d;
        let last: Vec<f64> = numbers(&case.level(case.levels - 1)["f_hat_ik_xq"][n - 1]);
        let whole = numbers(&case.online["f_hat_K_xq"]);
        for (averaging, rows, exact) in [
            (Averaging::Printed, n, &whole),
            (Averaging::Inclusive, n - 1, &whole),
            (Averaging::Last, n - 1, &last),
        ] {
            let samples: Vec<Vec<f64>> = (0..REPLICATES)
                .map(|seed| {
                    let options =
                        PrequentialOptions { seed: 900 + seed, keep: 512, beta, ..case.options() };
                    let mut memory = Aligned::new(0);
                    let mut run = learner(&mut memory, &options, n, case.d);
                    case.rows().take(rows).for_each(|(x, y)| finish(&mut run, x, y));
                    let mut bytes = vec![0; run.model_size().unwrap()];
                    let mut scratch = vec![0.0; run.model_scratch()];
                    let length = run.write_model(averaging, &mut bytes, &mut scratch).unwrap();
                    let image = Image::open(&bytes[..length]).unwrap();
                    let mut buffer = vec![0.0; Predictor::<f64>::buffer_len(&image)];
                    let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
                    let mut scratch = vec![0.0; predictor.row_scratch()];
                    case.query
                        .chunks(case.d)
                        .map(|x| predictor.predict_row(x, 0.9, &mut scratch).unwrap().mean)
                        .collect()
                })
                .collect();
            let z = scores(&samples, exact);
            assert_eq!(z.len(), queries);
            assert!(z.iter().all(|z| z.abs() < 4.5), "{averaging:?} {z:?}");
        }
    }
}

/// The error of the average as printed falls as 1/sqrt(keep): over seeds, 64 times the draws have an eighth of
/// the standard deviation, but for the particles' own. With slots that move together it stays.
#[test]
fn the_average_converges_in_the_draws_that_are_kept() {
    let case = cases().swap_remove(0);
    let spread = |keep: u32| {
        let seeds = runs(24, 48);
        let means: Vec<f64> = (0..seeds)
            .map(|seed| {
                let options = PrequentialOptions {
                    seed: 50 + seed,
                    keep,
                    particles: 4096,
                    levels: 2,
                    ..case.options()
                };
                let mut memory = Aligned::new(0);
                let mut run = learner(&mut memory, &options, case.y.len(), case.d);
                case.rows().for_each(|(x, y)| finish(&mut run, x, y));
                let mut bytes = vec![0; run.model_size().unwrap()];
                let mut scratch = vec![0.0; run.model_scratch()];
                let length = run.write_model(Averaging::Printed, &mut bytes, &mut scratch).unwrap();
                let image = Image::open(&bytes[..length]).unwrap();
                let mut buffer = vec![0.0; Predictor::<f64>::buffer_len(&image)];
                let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
                let mut scratch = vec![0.0; predictor.row_scratch()];
                let x = &case.query[..case.d];
                predictor.predict_row(x, 0.9, &mut scratch).unwrap().mean
            })
            .collect();
        mean_and_variance(&means).1.sqrt()
    };
    let [few, some, many] = [64, 512, 4096].map(spread);
    let told = format!("{few} {some} {many}");
    println!("standard deviations at 64, 512 and 4096 draws: {told}");
    assert!(few / some > 1.8 && few / some < 4.5, "{told}");
    assert!(few / many > 4.5, "{told}");
}

/// A stream of rows of a smooth function.
pub(crate) fn stream(n: usize, d: usize) -> (Vec<f64>, Vec<f64>) {
    let mut state = 12345_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let row: Vec<f64> = (0..d).map(|_| uniform()).collect();
        let noise = (uniform() + uniform() + uniform()) * 0.2;
        y.push((2.0 * row[0]).sin() + row[1 % d] * row[2 % d] + noise);
        x.extend(row);
    }
    (x, y)
}

/// n = 200, K = 8: all 1600 posteriors against one by sequential Monte Carlo with as many particles.
#[test]
fn all_posteriors_cost_less_than_twenty() {
    let (n, d, levels) = (200, 5, 8);
    let (x, y) = stream(n, d);
    for (alpha, beta) in [(1.0, 0.2), (1.0 / (n as f64).sqrt(), 1.0 / (n as f64).sqrt())] {
        let options = PrequentialOptions {
            levels,
            alpha,
            beta,
            intercept: false.into(),
            ..PrequentialOptions::default()
        };
        let mut memory = Aligned::new(0);
        let mut run = learner(&mut memory, &options, n, d);
        x.chunks(d).zip(&y).for_each(|(x, y)| finish(&mut run, x, *y));
        let visits = run.progress().visits;
        // One posterior of the first level, given all rows.
        let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), run.residuals(0)).unwrap();
        let tilt = GreedyTilt {
            quadratic: options.quadratic(options.alpha),
            ..GreedyTilt::new(data, options.alpha * options.outer, options.activation.value())
        };
        let problem = Problem::greedy_tilt(tilt, options.prior()).unwrap();
        let own = SmcOptions { particles: options.particles, ..SmcOptions::default() };
        let mut room = Aligned::new(Smc::size(&own, &problem).unwrap());
        let mut one = Smc::init(room.bytes(), &own, Isa::detect(), &problem).unwrap();
        while one.step(&problem, u64::MAX).unwrap() == smc::Progress::Running {}
        let single = one.evaluations() * n as u64 * options.particles as u64;
        let ratio = visits as f64 / single as f64;
        println!("alpha {alpha:.3}: {ratio:.1} posteriors' worth");
        assert!(ratio < 20.0, "{ratio}");
    }
}

/// ln of the density of t by a formula of its own: ln Gamma by Stirling's series.
fn log_t(z: f64, nu: f64) -> f64 {
    let log_gamma = |mut x: f64| {
        let mut shift = 0.0;
        while x < 20.0 {
            shift -= x.ln();
            x += 1.0;
        }
        let s = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
        shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + s
    };
    log_gamma((nu + 1.0) / 2.0)
        - log_gamma(nu / 2.0)
        - 0.5 * (nu * std::f64::consts::PI).ln()
        - (nu + 1.0) / 2.0 * (z * z / nu).ln_1p()
}

/// The losses are those of the forecasts, and the forecasts learn their scale from the errors.
#[test]
fn losses_are_those_of_forecasts_made_before() {
    let (n, d) = (60, 3);
    let (x, y) = stream(n, d);
    // Raw units of another scale and origin.
    let x: Vec<f64> = x.iter().map(|x| 5.0 + 3.0 * x).collect();
    let y: Vec<f64> = y.iter().map(|y| 100.0 + 20.0 * y).collect();
    let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &y).unwrap();
    let options =
        PrequentialOptions { noise: 0.5, alpha: 1.0, beta: 0.2, ..PrequentialOptions::default() };
    let mut memory = Aligned::new(Prequential::size(&options, n, d).unwrap());
    let mut run =
        Prequential::init(memory.bytes(), &options, Isa::detect(), n, d, Some(&data)).unwrap();
    let sd = run.standardiser().unwrap().sd_y();
    let mut scratch = vec![0.0; run.row_scratch()];
    let (mut squared, mut log, mut squares) = (0.0, 0.0, 0.0);
    let mut inside = 0;
    for (i, (x, y)) in x.chunks(d).zip(&y).enumerate() {
        let law = run.forecast(x, &mut scratch).unwrap();
        let nu = 4.0 + i as f64;
        let scale = sd * ((0.5 + squares / 2.0) / (nu / 2.0)).sqrt();
        assert_eq!(law.nu, nu);
        assert!((law.scale / scale - 1.0).abs() < 1e-12, "{i}: {} {scale}", law.scale);
        let z = (y - law.location) / law.scale;
        squared += (y - law.location).powi(2);
        log -= log_t(z, nu) - law.scale.ln();
        squares += ((y - law.location) / sd).powi(2);
        let p = law.prediction(0.9);
        inside += (p.lower < *y && *y < p.upper) as u32;
        finish(&mut run, x, *y);
        assert_eq!(run.last_forecast(), Some(law));
    }
    let losses = run.losses();
    assert_eq!(losses.rows, n as u64);
    assert!((losses.squared / squared - 1.0).abs() < 1e-12);
    assert!((losses.log / log - 1.0).abs() < 1e-11, "{} {log}", losses.log);
    assert!(squared / (n as f64) < 0.6 * sd * sd, "it learns: {}", squared / n as f64 / sd / sd);
    assert!((48..=59).contains(&inside), "{inside}");
}
