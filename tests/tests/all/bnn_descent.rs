//! Modes by stochastic gradients, against Newton's method and closed forms.

use crate::bnn_exact::generalised;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::bnn::{BnnMode, BnnOptionsError, Optimiser, Status};
use lcc_core::estimator::{Bnn, BnnError, BnnMethod, BnnOptions, Conjugate};
use lcc_core::network::{Output, Scales};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_tests::posteriors::Aligned;
use lcc_tests::{numbers, reference};
use nalgebra::{DMatrix, DVector};

fn fit(
    options: &BnnOptions<f64>,
    data: &Dataset<'_, f64>,
) -> Result<(Vec<f64>, BnnMode<f64>), BnnError> {
    let mut memory = Aligned::new(Bnn::size(options, data.n(), data.d())?);
    Bnn::init(memory.bytes(), options, Isa::detect(), data)?;
    // As from a checkpoint before every thousand visits.
    while Bnn::<f64>::open(memory.bytes(), Isa::detect())?.step(data, 1000)? == Status::Running {}
    let done = Bnn::<f64>::open(memory.bytes(), Isa::detect())?;
    Ok((done.mode_coordinates().to_vec(), done.mode(0).unwrap()))
}

fn sgd(own: &BnnOptions<f64>) -> BnnOptions<f64> {
    let (method, optimiser) = (BnnMethod::Map.into(), Optimiser::Sgd.into());
    BnnOptions { method, optimiser, chains: 1, ..*own }
}

/// d log p(y) / d eta and minus the second derivative.
fn slopes(o: &BnnOptions<f64>, y: f64, eta: f64) -> [f64; 2] {
    let mean = match o.output.value() {
        Output::Gaussian => eta,
        Output::Bernoulli => 1.0 / (1.0 + (-eta).exp()),
        _ => eta.exp(),
    };
    match o.output.value() {
        Output::Gaussian => [(y - mean) / (o.noise * o.noise), 1.0 / (o.noise * o.noise)],
        Output::Bernoulli => [y - mean, mean * (1.0 - mean)],
        Output::Poisson => [y - mean, mean],
        _ => {
            let share = o.size / (o.size + mean);
            [(y - mean) * share, mean * share * (y + o.size) / (o.size + mean)]
        }
    }
}

/// A case in the coordinates of its weights.
struct Exact<'a> {
    options: BnnOptions<f64>,
    data: Dataset<'a, f64>,
    d: usize,
    /// Of each weight.
    precision: f64,
}

impl Exact<'_> {
    fn row(&self, i: usize) -> Vec<f64> {
        (0..self.d).map(|j| self.data.inputs.at(i, j)).collect()
    }

    fn slopes(&self, i: usize, w: &[f64]) -> [f64; 2] {
        let exposed = self.options.exposure.on();
        let own = if exposed { self.data.inputs.at(i, self.d).ln() } else { 0.0 };
        let eta = self.row(i).iter().zip(w).map(|(x, w)| x * w).sum::<f64>() + own;
        slopes(&self.options, self.data.y()[i], eta)
    }

    /// H^-1.
    fn inverse(&self, w: &[f64]) -> DMatrix<f64> {
        let mut hessian = DMatrix::from_diagonal_element(self.d, self.d, self.precision);
        for i in 0..self.data.n() {
            let (x, [_, h]) = (DVector::from_vec(self.row(i)), self.slopes(i, w));
            hessian += h * &x * x.transpose();
        }
        hessian.cholesky().expect("a mode").inverse()
    }

    /// The mode from w on.
    fn newton(&self, mut w: Vec<f64>) -> Vec<f64> {
        for _ in 0..100 {
            let mut gradient: Vec<f64> = w.iter().map(|w| -self.precision * w).collect();
            for i in 0..self.data.n() {
                let [slope, _] = self.slopes(i, &w);
                gradient.iter_mut().zip(self.row(i)).for_each(|(g, x)| *g += slope * x);
            }
            let step = self.inverse(&w) * DVector::from_vec(gradient);
            // Shorter where an exponential would overshoot.
            let longest = step.iter().fold(1.0_f64, |most, s| most.max(s.abs()));
            w.iter_mut().zip(&step).for_each(|(w, s)| *w += s / longest);
        }
        w
    }

    /// For the average of m points by minibatches of b, the sds of each weight's error (Polyak and Juditsky 1992: H^-1 S H^-1
    /// / m; S, the covariance of the gradient, is n (n - b) / b times that of the rows), and the posterior's sds.
    fn errors(&self, w: &[f64], b: usize, m: usize) -> Vec<[f64; 2]> {
        let (n, inverse) = (self.data.n(), self.inverse(w));
        let each: Vec<DVector<f64>> = (0..n)
            .map(|i| {
                let [slope, _] = self.slopes(i, w);
                slope * &inverse * DVector::from_vec(self.row(i))
            })
            .collect();
        let of = |k: usize| {
            let mean = each.iter().map(|g| g[k]).sum::<f64>() / n as f64;
            let squares: f64 = each.iter().map(|g| (g[k] - mean).powi(2)).sum();
            let share = (n * (n - b)) as f64 / b as f64 / m as f64;
            [(squares / (n as f64 - 1.0).max(1.0) * share).sqrt(), inverse[(k, k)].sqrt()]
        };
        (0..self.d).map(of).collect()
    }
}

/// The mode of every generalised linear model with known scales, and the maximum of the likelihood: by all rows but for what
/// the steps leave; by minibatches within four times the error that theory has.
#[test]
fn the_mode_is_newtons() {
    let file = reference("glm_posteriors.json")["cases"].as_array().unwrap().clone();
    for (case, exact) in generalised().iter().zip(file) {
        let map = numbers(&exact["laplace"]["map"]);
        let own = &case.options;
        let scale = own.linear_scale;
        let (data, d) = (case.data(), map.len());
        let n = data.n();
        let mut of = Exact { options: *own, data, d, precision: scale.powi(-2) };
        let newton = of.newton(map.clone());
        assert!(map.iter().zip(&newton).all(|(a, b)| (a - b).abs() < 1e-9), "{}", case.name);
        for likelihood in [false, true] {
            if likelihood {
                of.precision = 0.0;
            }
            let none = [("separable", BnnError::Separable), ("n<d", BnnError::Singular)];
            let none = none.iter().find(|(kind, _)| likelihood && case.name.contains(kind));
            if let Some((_, error)) = none {
                let method = BnnMethod::MaximumLikelihood.into();
                assert_eq!(fit(&BnnOptions { method, ..sgd(own) }, &data).err(), Some(*error));
                continue;
            }
            let mode = of.newton(map.clone());
            // Separable, though its name does not say it.
            if case.name.starts_with("06") && likelihood {
                assert!(!mode.iter().all(|w| w.abs() < 20.0));
                continue;
            }
            for (batch, steps) in [(n, 20_000), (1, 40_000), (n.min(4), 20_000)] {
                let mut options =
                    BnnOptions { batch: batch as u32, ascent_steps: steps, ..sgd(own) };
                if likelihood {
                    options.method = BnnMethod::MaximumLikelihood.into();
                }
                let what = format!("{} {likelihood} {batch}", case.name);
                let (at, told) = fit(&options, &data).expect(&what);
                let scale = if likelihood { 1.0 } else { scale };
                let rms = told.distance_squared.sqrt();
                // Nearly separable: a valley so narrow that these steps are too few, which is reported.
                if likelihood && case.name.starts_with("07") {
                    assert!(rms > 0.03, "{what}: {rms}");
                    continue;
                }
                let errors = of.errors(&mode, batch, steps as usize / 2);
                for (k, [error, sd]) in errors.iter().enumerate() {
                    let off = (scale * at[1 + k] - mode[k]).abs();
                    println!("{what} {k}: {:.5} sd, {:.3} errors", off / sd, off / error);
                    let (error, left) = if batch == n { (0.0, 1e-4) } else { (*error, 0.01) };
                    assert!(off < 4.0 * error + left * sd, "{what} {k}: {off} {error} {sd}");
                }
                println!("  {rms} sds away");
            }
        }
    }
}

/// Rows of a line with noise of sd .6, and what they are of.
fn line(n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut stream = Stream::new(3, 0, Purpose::Predictive);
    let x: Vec<f64> = (0..2 * n).map(|_| stream.normal()).collect();
    let y = x.chunks(2).map(|x| x[0] - 0.5 * x[1] + 0.6 * stream.normal::<f64>()).collect();
    (x, y)
}

/// Noise that is learnt is where its evidence times its prior is largest, from [`Conjugate`]'s closed form, and the weights
/// are at their mode there.
#[test]
fn noise_is_where_its_evidence_is_largest() {
    let (x, y) = line(120);
    let data = Dataset::new(Inputs::row_major(&x, 120, 2).unwrap(), &y).unwrap();
    let own = BnnOptions {
        widths: [0; 4],
        output: Output::Gaussian.into(),
        scales: Scales::Known.into(),
        intercept_sd: 0.0,
        linear_scale: 2.0,
        noise_shape: 1.5,
        noise_rate: 0.8,
        standardise: 0,
        ..BnnOptions::<f64>::default()
    };
    let exact = |log: f64| {
        let mut memory = vec![0.0; Conjugate::<f64>::values(2).unwrap()];
        let mut exact = Conjugate::new(2, (-0.5 * log).exp(), 2.0, &mut memory).unwrap();
        exact.add(&data).unwrap();
        let mut mean = vec![0.0; 2];
        exact.mean(&mut mean).unwrap();
        (exact.log_evidence() + 1.5 * log - 0.8 * log.exp(), mean)
    };
    let best = (0..40_000).map(|k| -2.0 + 1e-4 * k as f64);
    let best = best.max_by(|a, b| exact(*a).0.total_cmp(&exact(*b).0)).unwrap();
    let mean = exact(best).1;
    // The sd of ln beta is some sqrt(2/120), of a weight .6/sqrt(120).
    for (batch, allowed) in [(120, 0.02), (10, 0.1)] {
        let (at, _) = fit(&BnnOptions { batch, ascent_steps: 8000, ..sgd(&own) }, &data).unwrap();
        let off = [
            (at[3] - best).abs() / 0.129,
            (2.0 * at[1] - mean[0]).abs() / 0.055,
            (2.0 * at[2] - mean[1]).abs() / 0.055,
        ];
        println!("{batch}: {off:?} sds");
        assert!(off.iter().all(|off| *off < allowed), "{batch}: {off:?}");
    }
}

/// A step that somebody chose and that is too long is an error, however finite it ends; the core's own is made shorter.
#[test]
fn what_runs_away_is_refused() {
    let (x, y) = line(100);
    let counts: Vec<f64> = y.iter().map(|y| (50.0 + 5.0 * y).round()).collect();
    for (output, y) in [(Output::Gaussian, &y), (Output::Poisson, &counts)] {
        let data = Dataset::new(Inputs::row_major(&x, 100, 2).unwrap(), y).unwrap();
        for method in [BnnMethod::Map, BnnMethod::MaximumLikelihood] {
            let own =
                BnnOptions { output: output.into(), widths: [0; 4], ..sgd(&Default::default()) };
            let own = BnnOptions { method: method.into(), ascent_steps: 2000, ..own };
            assert!(fit(&own, &data).is_ok(), "{output:?} {method:?}");
            for rate in [100.0, 1e6, 1e300] {
                for average in [false, true] {
                    let own = BnnOptions { rate, average: average.into(), ..own };
                    // A noise that is climbed in widens until the step is short enough.
                    let tamed = rate < 1e6 && output == Output::Gaussian;
                    if !(tamed && method == BnnMethod::MaximumLikelihood) {
                        let told = fit(&own, &data).map(|(at, _)| at);
                        assert_eq!(told, Err(BnnError::Diverged), "{output:?} {method:?} {rate}");
                    }
                }
            }
        }
    }
    assert!(BnnError::Diverged.to_string().contains("take a smaller step size (rate, step)"));
}

/// Of one mode alone.
#[test]
fn other_methods_take_it_for_their_start_alone() {
    for method in BnnMethod::ALL {
        let options = BnnOptions {
            method: method.into(),
            widths: [0; 4],
            optimiser: Optimiser::Sgd.into(),
            ..BnnOptions::<f64>::default()
        };
        let modes = [BnnMethod::Map, BnnMethod::MaximumLikelihood];
        let refused = options.check() == Err(BnnOptionsError::Optimiser);
        assert_eq!(refused, !modes.contains(&method), "{method:?}");
    }
}
