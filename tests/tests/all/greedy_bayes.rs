//! Batch Greedy Bayes: the recursion exactly, its levels against quadrature, the object, the model.

use lcc_core::activation::Activation;
use lcc_core::checkpoint::{HEAD, Kind, checkpoint, restore, sealed_size};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::Extent;
use lcc_core::estimator::Status;
use lcc_core::estimator::greedy_bayes::{
    Compiled, Form, GreedyBayes, GreedyError, GreedyOptions, recursion,
};
use lcc_core::likelihood::GreedyTilt;
use lcc_core::posterior::Image;
use lcc_core::predict::Predictor;
use lcc_core::prior::Prior;
use lcc_core::problem::ProblemError;
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::smc::SmcError;
use lcc_core::workspace::WorkspaceError;
use lcc_tests::posteriors::Aligned;
use lcc_tests::problem::at;
use lcc_tests::quadrature::prior_rule;
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
    batch: Value,
}

fn cases() -> Vec<Case> {
    let file = reference("greedy_bayes.json");
    let read = |c: &Value| {
        let prior = match c["prior"]["kind"].as_str() {
            Some("gaussian") => Prior::Gaussian { sd: number(&c["prior"]["sigma0"]) },
            _ => Prior::L1Ball { radius: number(&c["prior"]["radius"]) },
        };
        Case {
            x: matrix(&c["X"]),
            y: numbers(&c["y"]),
            query: matrix(&c["query"]),
            d: number(&c["d"]) as usize,
            levels: number(&c["K"]) as usize,
            activation: Activation::from_name(c["activation"].as_str().unwrap()).unwrap(),
            prior,
            alpha: number(&c["alpha"]),
            beta: number(&c["beta"]),
            batch: c["batch"].clone(),
        }
    };
    file["cases"].as_array().unwrap().iter().map(read).collect()
}

impl Case {
    fn data(&self) -> Dataset<'_, f64> {
        let inputs = Inputs::row_major(&self.x, self.y.len(), self.d).unwrap();
        Dataset::new(inputs, &self.y).unwrap()
    }
    /// As the papers print it, on this case's own scales.
    fn options(&self) -> GreedyOptions<f64> {
        GreedyOptions {
            activation: self.activation.into(),
            alpha: self.alpha,
            beta: self.beta,
            ..GreedyOptions::papers(self.y.len(), self.levels as u32, self.prior)
        }
    }
}

fn whole<'m, T: Compiled>(
    memory: &'m mut Aligned,
    options: &GreedyOptions<T>,
    data: &Dataset<'_, T>,
) -> GreedyBayes<'m, T> {
    *memory = Aligned::new(GreedyBayes::size(options, data.n(), data.d()).unwrap());
    let mut fit = GreedyBayes::init(memory.bytes(), options, Isa::detect(), data).unwrap();
    while fit.step(data, u64::MAX).unwrap() == Status::Running {}
    fit
}

#[test]
fn the_recursion_with_given_expectations_is_exact() {
    let near = |a: &[f64], b: &Value| {
        let b = numbers(b);
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{a} {b}");
        }
    };
    for case in cases() {
        let (mut f, mut q) = (vec![0.0; case.y.len()], vec![0.0; 3]);
        let mut r = vec![0.0; case.y.len()];
        recursion::residuals(case.beta, &case.y, &f, &mut r);
        for level in case.batch["levels"].as_array().unwrap() {
            near(&r, &level["residuals_used_r_j_km1"]);
            recursion::advance(case.beta, &mut f, &numbers(&level["E_p_k_psi_xj"]));
            recursion::advance(case.beta, &mut q, &numbers(&level["E_p_k_psi_xq"]));
            recursion::residuals(case.beta, &case.y, &f, &mut r);
            near(&f, &level["f_hat_k_xj"]);
            near(&q, &level["f_hat_k_xq"]);
            near(&r, &level["residuals_r_k"]);
        }
        near(&q, &case.batch["f_hat_K_xq"]);
        // The same as a sum with the shares of the levels.
        let levels = case.batch["levels"].as_array().unwrap();
        let sum: f64 = levels
            .iter()
            .enumerate()
            .map(|(k, l)| {
                recursion::share(case.beta, k, levels.len()) * numbers(&l["E_p_k_psi_xq"])[0]
            })
            .sum();
        assert!((sum - q[0]).abs() < 1e-14);
    }
    assert_eq!(recursion::share(0.5, 3, 3), 0.0);
}

/// Sums of squares of z, their number, and the largest.
#[derive(Default)]
struct Scores {
    squares: f64,
    count: f64,
    largest: f64,
}

impl Scores {
    fn add(&mut self, z: f64) {
        self.squares += z * z;
        self.count += 1.0;
        self.largest = self.largest.max(z.abs());
    }
    fn rms(&self) -> f64 {
        (self.squares / self.count).sqrt()
    }
}

const REPLICATES: u64 = 40;

/// E[V s psi(x.w)] over the particles of level k.
fn mean_at(fit: &GreedyBayes<'_, f64>, psi: Activation, k: usize, x: &[f64]) -> f64 {
    let (w, signs) = (fit.particles(k), fit.signs(k));
    let at = |i: usize| x.iter().enumerate().map(|(j, x)| x * w[j * signs.len() + i]).sum();
    let sum: f64 = (0..signs.len()).map(|i| signs[i] * psi.jet::<f64>(at(i))[0]).sum();
    fit.options().outer * sum / signs.len() as f64
}

/// f after every level at the rows and the query points, over replicates, against the exact values.
#[test]
fn residuals_and_fits_are_those_of_the_reference() {
    for (number_of, case) in cases().iter().enumerate() {
        let levels = case.batch["levels"].as_array().unwrap();
        let mut samples: Vec<Vec<f64>> = Vec::new();
        for seed in 0..REPLICATES {
            let options = GreedyOptions { particles: 1024, seed: 900 + seed, ..case.options() };
            let mut memory = Aligned::new(0);
            let fit = whole(&mut memory, &options, &case.data());
            let (mut f, mut q) = (vec![0.0; case.y.len()], vec![0.0; 3]);
            let mut all = Vec::new();
            for k in 0..case.levels {
                let means: Vec<f64> = case
                    .query
                    .chunks(case.d)
                    .map(|x| mean_at(&fit, case.activation, k, x))
                    .collect();
                recursion::advance(case.beta, &mut f, fit.expectations(k));
                recursion::advance(case.beta, &mut q, &means);
                all.extend_from_slice(&f);
                all.extend_from_slice(&q);
            }
            assert_eq!(fit.fit(), f);
            samples.push(all);
        }
        let exact: Vec<f64> = levels
            .iter()
            .flat_map(|l| [numbers(&l["f_hat_k_xj"]), numbers(&l["f_hat_k_xq"])].concat())
            .collect();
        for (j, exact) in exact.iter().enumerate() {
            let values: Vec<f64> = samples.iter().map(|s| s[j]).collect();
            let mean = values.iter().sum::<f64>() / REPLICATES as f64;
            let square: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
            let error = (square / (REPLICATES * (REPLICATES - 1)) as f64).sqrt();
            let z = (mean - exact) / error;
            assert!(z.abs() < 5.0, "case {number_of}, quantity {j}: {mean} {exact} +- {error}");
        }
    }
}

/// Both forms, with and without a sign: each level's expectations, given the run's own residuals.
#[test]
fn levels_have_the_expectations_of_their_posteriors() {
    let outer = 1.5;
    let mut scores = Scores::default();
    for case in cases() {
        let kinks = case.activation == Activation::SquaredRelu;
        let rule = prior_rule(case.prior, &case.data().inputs, 24, kinks);
        // What the posteriors integrate, once for all.
        let psi_at = |x: &[f64], w: &[f64]| {
            let [psi, _, _] = case.activation.jet(x.iter().zip(w).map(|(x, w)| x * w).sum());
            psi
        };
        let at_rows: Vec<Vec<f64>> = rule
            .iter()
            .map(|(w, _)| case.x.chunks(case.d).map(|x| psi_at(x, w)).collect())
            .collect();
        let at_query: Vec<f64> =
            rule.iter().map(|(w, _)| psi_at(&case.query[..case.d], w)).collect();
        for (form, signed) in [
            (Form::Tilt, false),
            (Form::Tilt, true),
            (Form::Quadratic, false),
            (Form::Quadratic, true),
        ] {
            // Signs have no meaning for odd psi but that the answer must not change.
            for seed in 0..6 {
                let options = GreedyOptions {
                    form: form.into(),
                    either_sign: signed.into(),
                    outer,
                    // Proper under the Gaussian prior, for either sign.
                    particles: 1024,
                    seed: 70 + seed,
                    ..case.options()
                };
                let mut memory = Aligned::new(0);
                let fit = whole(&mut memory, &options, &case.data());
                let mut f = vec![0.0; case.y.len()];
                let mut r = vec![0.0; case.y.len()];
                for k in 0..case.levels {
                    recursion::residuals(case.beta, &case.y, &f, &mut r);
                    recursion::advance(case.beta, &mut f, fit.expectations(k));
                    let (mut total, mut sum) = (0.0, 0.0);
                    for (((_, p), rows), psi) in rule.iter().zip(&at_rows).zip(&at_query) {
                        let linear: f64 = rows.iter().zip(&r).map(|(psi, r)| psi * r).sum();
                        let square: f64 = rows.iter().map(|psi| psi * psi).sum();
                        let tilt = case.alpha * outer * linear;
                        let rest = if form == Form::Quadratic {
                            case.alpha * case.beta * outer * outer / 2.0 * square
                        } else {
                            0.0
                        };
                        let (value, sign) =
                            if signed { (tilt.cosh(), tilt.tanh()) } else { (tilt.exp(), 1.0) };
                        let p = p * value * (-rest).exp();
                        total += p;
                        sum += p * outer * sign * psi;
                    }
                    let own = fit.particles(k);
                    let particles = options.particles as usize;
                    let values: Vec<f64> = (0..particles)
                        .map(|i| {
                            let w: Vec<f64> = (0..case.d).map(|j| own[j * particles + i]).collect();
                            outer * fit.signs(k)[i] * psi_at(&case.query[..case.d], &w)
                        })
                        .collect();
                    let average = fit.average(k, &values, &mut vec![0.0; particles]).expect("done");
                    if average.variance > 1e-20 {
                        scores.add((average.mean - sum / total) / average.standard_error);
                    }
                    let level = fit.level_report(k).unwrap();
                    let z = (level.log_evidence - total.ln()) / level.evidence_error;
                    assert!(z.abs() < 5.0, "{} {}", level.log_evidence, total.ln());
                }
            }
        }
    }
    assert!(scores.largest < 5.0, "{}", scores.largest);
    assert!((0.85..1.15).contains(&scores.rms()), "{} of {}", scores.rms(), scores.count);
}

/// Rows of d inputs and a smooth target with a little noise.
fn made_up<T: Real>(n: usize, d: usize) -> (Vec<T>, Vec<T>) {
    let mut state = 2026_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1_u64 << 23) as f64 - 1.0
    };
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let row: Vec<f64> = (0..d).map(|_| 10.0 + 3.0 * next()).collect();
        let (a, b) = ((row[0] - 10.0) / 3.0, (row[1] - 10.0) / 3.0);
        y.push(T::lit(100.0 + 40.0 * (2.0 * a).tanh() + 20.0 * b * b + 2.0 * next()));
        x.extend(row.into_iter().map(T::lit));
    }
    (x, y)
}

fn small<T: Real>() -> GreedyOptions<T> {
    GreedyOptions { levels: 4, particles: 40, keep: 10, seed: 5, ..Default::default() }
}

/// The bits of everything a fit leaves behind.
fn outcome<T: Compiled>(fit: &GreedyBayes<'_, T>) -> Vec<u64> {
    let mut out: Vec<u64> = Vec::new();
    let mut push = |x: &[T]| out.extend(x.iter().map(|x| x.to_f64().to_bits()));
    for k in 0..fit.options().levels as usize {
        push(fit.particles(k));
        push(fit.signs(k));
        push(fit.expectations(k));
        let l = fit.level_report(k).unwrap();
        push(&[l.log_evidence, l.evidence_error, l.acceptance, l.rmse]);
    }
    push(fit.coefficients());
    push(&[fit.intercept(), fit.noise()]);
    let mut model = vec![0; fit.model_size().unwrap()];
    let written = fit.write_model(&mut model, &mut vec![T::ZERO; fit.model_scratch()]).unwrap();
    out.extend(model[..written].iter().map(|b| *b as u64));
    out
}

/// Options of every kind.
fn kinds<T: Real>() -> Vec<GreedyOptions<T>> {
    let l1 = Prior::L1Ball { radius: T::lit(3.0) };
    vec![
        small(),
        GreedyOptions { form: Form::Tilt.into(), refit: false.into(), ..small() }.with_prior(l1),
        GreedyOptions {
            either_sign: true.into(),
            holdout: T::ZERO,
            activation: Activation::Logistic.into(),
            ..small()
        },
        GreedyOptions {
            either_sign: true.into(),
            form: Form::Tilt.into(),
            standardise: false.into(),
            follow: false.into(),
            alpha: T::lit(1e-3),
            ..small()
        },
    ]
}

fn budgets_and_lanes<T: Compiled>() {
    let (x, y) = made_up::<T>(50, 3);
    let data = Dataset::new(Inputs::row_major(&x, 50, 3).unwrap(), &y).unwrap();
    for options in kinds() {
        let mut memory = Aligned::new(0);
        let straight = outcome(&whole(&mut memory, &options, &data));
        for lanes in [1, 8] {
            for isa in [Isa::Portable, Isa::detect()] {
                let options = GreedyOptions { lanes, ..options };
                let mut memory = Aligned::new(GreedyBayes::size(&options, 50, 3).unwrap());
                // What was in the memory does not matter.
                memory.bytes().fill(0x5A);
                let mut fit = GreedyBayes::init(memory.bytes(), &options, isa, &data).unwrap();
                let mut budget = 1_u64;
                while fit.step(&data, budget).unwrap() == Status::Running {
                    budget = budget * 7 % 50_021 + 1;
                }
                assert_eq!(outcome(&fit), straight, "{options:?} {lanes} {isa:?}");
            }
        }
    }
}

#[test]
fn budgets_lanes_and_instruction_sets_change_no_bit() {
    budgets_and_lanes::<f64>();
    budgets_and_lanes::<f32>();
}

#[test]
fn a_checkpoint_goes_on_with_the_same_bits() {
    let (x, y) = made_up::<f64>(50, 3);
    let data = Dataset::new(Inputs::row_major(&x, 50, 3).unwrap(), &y).unwrap();
    for options in kinds() {
        let mut memory = Aligned::new(0);
        let straight = outcome(&whole(&mut memory, &options, &data));
        let size = GreedyBayes::size(&options, 50, 3).unwrap();
        let mut memory = Aligned::new(size);
        GreedyBayes::init(memory.bytes(), &options, Isa::detect(), &data).unwrap();
        let mut calls = 0;
        loop {
            let mut sealed = vec![0; sealed_size(size).unwrap()];
            checkpoint(memory.bytes(), Kind::GreedyBayes, 64, &mut sealed).unwrap();
            assert_eq!(sealed.len(), size + HEAD);
            let mut other = Aligned::new(size);
            restore(&sealed, Kind::GreedyBayes, 64, other.bytes()).unwrap();
            memory = other;
            let mut fit = GreedyBayes::open(memory.bytes(), Isa::detect()).unwrap();
            calls += 1;
            if fit.step(&data, 4_000).unwrap() == Status::Done {
                assert_eq!(outcome(&fit), straight);
                break;
            }
        }
        assert!(calls > 3);
    }
}

#[test]
fn the_model_is_the_fit() {
    let (x, y) = made_up::<f64>(80, 2);
    let inputs = Inputs::row_major(&x, 80, 2).unwrap();
    let data = Dataset::new(inputs, &y).unwrap();
    for options in kinds() {
        // Every particle in the model.
        let options = GreedyOptions { keep: options.particles, ..options };
        let mut memory = Aligned::new(0);
        let fit = whole(&mut memory, &options, &data);
        let mut model = vec![0; fit.model_size().unwrap()];
        let mut scratch = vec![0.0; fit.model_scratch()];
        let written = fit.write_model(&mut model, &mut scratch).unwrap();
        let image = Image::open(&model[..written]).unwrap();
        assert_eq!((image.draws(), image.shape().neurons()), (40, Some(fit.used())));
        let mut buffer = vec![0.0; Predictor::<f64>::buffer_len(&image)];
        let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
        let units = fit.standardiser().unwrap();
        for (i, row) in fit.order().iter().enumerate() {
            let row = *row as usize;
            let mut expected = fit.intercept();
            for (k, c) in fit.coefficients().iter().enumerate() {
                expected += c * fit.expectations(k)[i];
            }
            let expected = units.raw_target(expected);
            let mut scratch = vec![0.0; predictor.row_scratch()];
            let law = predictor.mixture(&x[2 * row..2 * row + 2], &mut scratch).unwrap();
            assert!((law.mean() - expected).abs() < 1e-9 * expected.abs(), "{options:?}");
            assert!(law.sd() >= 0.999_999 * units.sd_y() * fit.noise());
            assert!(law.quantile(0.05) < law.mean() && law.mean() < law.quantile(0.95));
        }
        if !options.refit.on() {
            // The fit is the recursion's, after the levels used.
            for (k, c) in fit.coefficients().iter().enumerate() {
                assert_eq!(*c, recursion::share(options.beta, k, fit.used()));
            }
        }
    }
}

#[test]
fn learns_a_smooth_function() {
    let (x, y) = made_up::<f32>(400, 2);
    let (train, test) = (&x[..600], &x[600..]);
    let data = Dataset::new(Inputs::row_major(train, 300, 2).unwrap(), &y[..300]).unwrap();
    let rest = Dataset::new(Inputs::row_major(test, 100, 2).unwrap(), &y[300..]).unwrap();
    let options = GreedyOptions::<f32>::default();
    let mut memory = Aligned::new(0);
    let fit = whole(&mut memory, &options, &data);
    let mut model = vec![0; fit.model_size().unwrap()];
    let written = fit.write_model(&mut model, &mut vec![0.0; fit.model_scratch()]).unwrap();
    let image = Image::open(&model[..written]).unwrap();
    let mut buffer = vec![0.0; Predictor::<f32>::buffer_len(&image)];
    let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let mut scratch = vec![0.0; predictor.rows_scratch()];
    let scores = predictor.evaluate(&rest, 0.9, false, &mut scratch).unwrap();
    // The target's sd is about 30, its noise's 1.2.
    assert!(scores.rmse < 4.0, "{scores:?}");
    assert!(scores.coverage > 0.8, "{scores:?}");
    let progress = fit.progress();
    assert!(progress.done && progress.levels == options.levels && progress.evaluations > 0);
}

#[test]
fn refuses_what_it_must() {
    let good = small::<f64>();
    let refused = |options: &GreedyOptions<f64>| GreedyBayes::size(options, 50, 3).unwrap_err();
    for (options, error) in [
        (GreedyOptions { levels: 0, ..good }, GreedyError::Levels),
        (GreedyOptions { levels: 65536, ..good }, GreedyError::Levels),
        (GreedyOptions { alpha: 0.0, ..good }, GreedyError::Alpha),
        (GreedyOptions { alpha: f64::NAN, ..good }, GreedyError::Alpha),
        (GreedyOptions { beta: 0.0, ..good }, GreedyError::Beta),
        (GreedyOptions { beta: 1.5, ..good }, GreedyError::Beta),
        (GreedyOptions { outer: -1.0, ..good }, GreedyError::Outer),
        (GreedyOptions { outer: 1e200, ..good }, GreedyError::Outer),
        (GreedyOptions { ridge: -1.0, ..good }, GreedyError::Ridge),
        (GreedyOptions { holdout: 0.6, ..good }, GreedyError::Holdout),
        (GreedyOptions { holdout: 1e-9, ..good }, GreedyError::Holdout),
        (GreedyOptions { keep: 0, ..good }, GreedyError::Keep),
        (GreedyOptions { keep: 41, ..good }, GreedyError::Keep),
        (GreedyOptions { particles: 41, ..good }, GreedyError::Smc(SmcError::Particles)),
        (GreedyOptions { lanes: 3, ..good }, GreedyError::Smc(SmcError::Lanes)),
        (GreedyOptions { moves: 0, ..good }, GreedyError::Smc(SmcError::Moves)),
    ] {
        assert_eq!(refused(&options), error);
        assert!(!error.to_string().is_empty());
    }
    let problem = refused(&GreedyOptions { scale: 0.0, ..good });
    assert!(matches!(problem, GreedyError::Problem(ProblemError::Prior(_))));
    assert!(matches!(GreedyBayes::size(&good, 0, 3), Err(GreedyError::Data(_))));
    assert!(matches!(GreedyBayes::size(&good, 50, 0), Err(GreedyError::Data(_))));
    assert!(GreedyBayes::size(&good, 50, usize::MAX).is_err());

    let (x, y) = made_up::<f64>(50, 3);
    let data = Dataset::new(Inputs::row_major(&x, 50, 3).unwrap(), &y).unwrap();
    let size = GreedyBayes::size(&good, 50, 3).unwrap();
    let mut memory = Aligned::new(size);
    let short = GreedyBayes::init(&mut memory.bytes()[..size - 1], &good, Isa::detect(), &data);
    assert_eq!(short.unwrap_err(), GreedyError::Memory(WorkspaceError::TooSmall));
    let mut fit = GreedyBayes::init(memory.bytes(), &good, Isa::detect(), &data).unwrap();
    fit.step(&data, 1).unwrap();
    let mut other = y.clone();
    other[7] += 1.0;
    let changed = Dataset::new(data.inputs, &other).unwrap();
    assert_eq!(fit.step(&changed, 1), Err(GreedyError::OtherData));
    let mut model = vec![0; fit.model_size().unwrap()];
    let mut scratch = vec![0.0; fit.model_scratch()];
    assert_eq!(fit.write_model(&mut model, &mut scratch), Err(GreedyError::NotDone));
    assert!(fit.expectations(0).is_empty() && fit.level_report(0).is_none());
    assert!(GreedyBayes::<f32>::open(memory.bytes(), Isa::detect()).is_err());
    memory.bytes()[0] ^= 1;
    let opened = GreedyBayes::<f64>::open(memory.bytes(), Isa::detect());
    assert_eq!(opened.unwrap_err(), GreedyError::NotAnEstimator);
    // Squared ReLU, V^2 alpha large, under a Gaussian prior: no posterior.
    let options = GreedyOptions {
        activation: Activation::SquaredRelu.into(),
        form: Form::Tilt.into(),
        standardise: false.into(),
        ..good
    };
    let mut memory = Aligned::new(GreedyBayes::size(&options, 50, 3).unwrap());
    let mut fit = GreedyBayes::init(memory.bytes(), &options, Isa::detect(), &data).unwrap();
    let stopped = fit.step(&data, u64::MAX).unwrap_err();
    assert_eq!(stopped, GreedyError::Smc(SmcError::Problem(ProblemError::Improper)));
}

#[test]
fn the_tilt_of_a_level_is_the_likelihood_of_the_papers() {
    // (alpha, beta, V) = (tau beta, beta, V): -(tau/2) sum (r - beta V psi)^2 up to its constant.
    let case = &cases()[4];
    let (tau, outer) = (3.0, 1.7);
    let options = GreedyOptions::<f64> {
        alpha: tau * case.beta,
        beta: case.beta,
        outer,
        form: Form::Quadratic.into(),
        ..Default::default()
    };
    let tilt = GreedyTilt {
        quadratic: options.quadratic(options.alpha),
        ..GreedyTilt::new(case.data(), options.alpha * outer, case.activation)
    };
    let w = [0.3, -0.8];
    let (value, _) = at(&tilt, &w);
    assert_eq!(tilt.dim(), 2);
    let exact: f64 = case
        .x
        .chunks(2)
        .zip(&case.y)
        .map(|(x, y)| {
            let [psi, _, _] = case.activation.jet(x[0] * w[0] + x[1] * w[1]);
            -0.5 * tau * ((y - case.beta * outer * psi).powi(2) - y * y)
        })
        .sum();
    assert!((value - exact).abs() < 1e-12 * exact.abs().max(1.0), "{value} {exact}");
}
