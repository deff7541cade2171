//! The automatic regressor: its potential, its conditional draws, its reproducibility.

use lcc_core::activation::Activation;
use lcc_core::checkpoint::{self, Kind};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::chains::state_len;
use lcc_core::estimator::model::{Model, Scratch, coordinates};
use lcc_core::estimator::noise::TAILS;
use lcc_core::estimator::transition::prediction;
use lcc_core::estimator::{
    Chains, Compiled, Hyper, MassKind, NetworkOptions, NetworkPrior, NetworkRegressor,
    OptionsError, RegressorError, Stage, Status, draw_prior, gibbs, write_prior_draws,
};
use lcc_core::kernel::adapt::{StepSize, Target};
use lcc_core::likelihood::NetworkShape;
use lcc_core::posterior::{self, Image, Standardiser, Store};
use lcc_core::predict::Predictor;
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_core::workspace::WorkspaceError;
use lcc_tests::datasets::{Memory, Table};
use nalgebra::{DMatrix, DVector};

/// y = sin(2 x_0) + x_1 / 2 + noise.
fn data(n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut stream = Stream::new(5, 0, Purpose::Start);
    let x: Vec<f64> = (0..2 * n).map(|_| stream.normal()).collect();
    let y = x
        .chunks(2)
        .map(|r| (2.0 * r[0]).sin() + 0.5 * r[1] + 0.2 * stream.normal::<f64>())
        .collect();
    (x, y)
}

fn model<'a>(x: &'a [f64], y: &'a [f64], neurons: usize) -> Model<'a, f64> {
    Model {
        data: Dataset::new(Inputs::row_major(x, y.len(), 2).unwrap(), y).unwrap(),
        activation: Activation::Tanh,
        neurons,
        gaussian: false,
        prior: NetworkPrior::default(),
    }
}

#[test]
fn gradient_of_the_potential_matches_differences() {
    let (x, y) = data(23);
    for activation in Activation::ALL {
        let model = Model { activation, ..model(&x, &y, 3) };
        let p = model.coordinates();
        assert_eq!(p, 3 * 4 + 6);
        let mut stream = Stream::new(1, 0, Purpose::Start);
        let theta: Vec<[f64; 8]> =
            (0..p).map(|_| std::array::from_fn(|_| 0.7 * stream.normal::<f64>())).collect();
        let weights: Vec<[f64; 8]> =
            (0..23).map(|_| std::array::from_fn(|_| stream.gamma(2.0))).collect();
        let hyper = Hyper {
            beta: [2.0, 0.5, 1.0, 3.0, 0.3, 7.0, 1.5, 0.9],
            tau_v: [1.0, 4.0, 2.0, 0.1, 0.6, 1.7, 9.0, 0.4],
            tau_c: [0.2, 1.0, 3.0, 1.0, 0.5, 6.0, 0.8, 2.0],
            nu: [3.0; 8],
        };
        let mut parameters = vec![[0.0; 8]; p];
        let mut scratch = vec![[0.0; 8]; model.shape().scratch()];
        let mut potential = |theta: &[[f64; 8]], gradient: &mut [[f64; 8]]| {
            let isa = Isa::detect();
            let w = Some(&weights[..]);
            model.potential(isa, &hyper, w, theta, gradient, &mut parameters, &mut scratch).0
        };
        let mut gradient = vec![[0.0; 8]; p];
        let mut ignored = vec![[0.0; 8]; p];
        potential(&theta, &mut gradient);
        for k in 0..p {
            let h = 1e-5;
            let (mut up, mut down) = (theta.clone(), theta.clone());
            up[k] = up[k].map(|t| t + h);
            down[k] = down[k].map(|t| t - h);
            let (up, down) = (potential(&up, &mut ignored), potential(&down, &mut ignored));
            for lane in 0..8 {
                let slope = (up[lane] - down[lane]) / (2.0 * h);
                let error = (slope - gradient[k][lane]).abs();
                // The kink of the squared ReLU's second derivative costs first-order differences.
                assert!(error < 2e-6 * (1.0 + slope.abs()), "{activation:?} {k} {lane}: {error}");
            }
        }
    }
}

/// Sums of z-scores' ingredients: a martingale difference and its conditional variance are not
/// needed, the sample's own variance is.
#[derive(Default)]
struct Score {
    n: f64,
    sum: f64,
    squares: f64,
}
impl Score {
    fn add(&mut self, x: f64) {
        self.n += 1.0;
        self.sum += x;
        self.squares += x * x;
    }
    fn check(&self, name: &str) {
        let mean = self.sum / self.n;
        let sd = (self.squares / self.n - mean * mean).sqrt();
        let z = mean / (sd / self.n.sqrt());
        assert!(sd > 0.0 && z.abs() < 4.0, "{name}: mean {mean}, z {z}");
    }
}

/// E[1/sigma'^2] of the half-Cauchy step, integrated over its exponential.
fn half_cauchy_mean(precision: f64, k: usize, squares: f64, scale: f64) -> f64 {
    let rate = 1.0 / (scale * scale) + precision;
    let shape = 0.5 * (k as f64 + 1.0);
    // e = -ln u at the midpoints of a fine grid.
    let cells = 20_000;
    let mean = (0..cells)
        .map(|i| {
            let e = -((i as f64 + 0.5) / cells as f64).ln();
            1.0 / (e / rate + 0.5 * squares)
        })
        .sum::<f64>()
        / cells as f64;
    shape * mean
}

#[test]
fn conditional_draws_have_their_exact_moments() {
    let (n, neurons) = (30, 3);
    let (x, y) = data(n);
    let model = model(&x, &y, neurons);
    let shape = model.shape();
    let (p, dim) = (model.coordinates(), shape.dim());
    let mut start = Stream::new(9, 0, Purpose::Start);
    let theta: Vec<f64> = (0..p).map(|_| 0.6 * start.normal::<f64>()).collect();
    let lambda: Vec<f64> = (0..n).map(|_| start.gamma(1.5)).collect();
    let (beta, tau_v, tau_c) = (3.0, 2.0, 0.7);
    let scale = |j: usize| theta[dim + j].exp();
    let w = |m: usize, j: usize| theta[m * 2 + j] * scale(j);
    let b = |m: usize| theta[2 * neurons + m] * scale(2);
    // The head's conditional law.
    let order = neurons + 3;
    let features = DMatrix::from_fn(n, order, |i, k| {
        let row = &x[2 * i..2 * i + 2];
        match k {
            _ if k < neurons => (b(k) + w(k, 0) * row[0] + w(k, 1) * row[1]).tanh(),
            _ if k == neurons => 1.0,
            _ => row[k - neurons - 1],
        }
    });
    let prior = DVector::from_fn(order, |k, _| match k {
        _ if k < neurons => tau_v,
        _ if k == neurons => 0.01,
        _ => tau_c,
    });
    let weighted = DMatrix::from_fn(n, order, |i, k| beta * lambda[i] * features[(i, k)]);
    let precision = weighted.tr_mul(&features) + DMatrix::from_diagonal(&prior);
    let covariance = precision.cholesky().expect("a positive matrix").inverse();
    let mean = &covariance * weighted.tr_mul(&DVector::from_column_slice(&y));

    let mut head = Vec::new();
    head.resize_with(order + order * order, Score::default);
    let mut tails: Vec<Score> = (0..TAILS.len()).map(|_| Score::default()).collect();
    let mut scores: Vec<Score> = (0..7).map(|_| Score::default()).collect();

    let state: Vec<f64> =
        theta.iter().copied().chain([beta, tau_v, tau_c, 7.0]).chain(lambda.clone()).collect();
    let mut cells = vec![[0.0; 8]; p];
    let mut weights = vec![[0.0; 8]; n];
    let mut buffer = vec![[0.0; 8]; Model::<f64>::scratch_len(n, 2, neurons).unwrap()];
    let mut chains = Chains {
        theta: &mut cells,
        weights: &mut weights,
        hyper: Hyper::start(neurons, false),
        kernel: std::array::from_fn(|k| Stream::new(1, k as u64, Purpose::Kernel)),
        gibbs: std::array::from_fn(|k| Stream::new(1, k as u64, Purpose::Gibbs)),
    };
    let mut scratch: Scratch<'_, f64, 8> = model.scratch(&mut buffer).unwrap();
    let mut after = vec![0.0; state.len()];
    for _ in 0..3000 {
        for lane in 0..8 {
            assert!(chains.set_state(lane, &state));
        }
        gibbs::sweep(Isa::detect(), &model, &mut chains, &mut scratch);
        for lane in 0..8 {
            assert!(chains.get_state(lane, &mut after));
            let (t, rest) = after.split_at(p);
            let (hyper, l) = rest.split_at(4);
            let h = &t[2 * neurons + neurons..dim];
            for j in 0..order {
                head[j].add(h[j] - mean[j]);
                for k in 0..=j {
                    let product = (h[j] - mean[j]) * (h[k] - mean[k]);
                    head[order + j * order + k].add(product - covariance[(j, k)]);
                }
            }
            let r: Vec<f64> =
                (0..n).map(|i| y[i] - prediction(&model, &scratch, i).unwrap()[lane]).collect();
            // nu given the residuals and the old beta, lambda integrated out.
            let logs: Vec<f64> = TAILS
                .iter()
                .map(|nu| {
                    let norm =
                        libm::lgamma((nu + 1.0) / 2.0) - libm::lgamma(nu / 2.0) - 0.5 * nu.ln();
                    r.iter().map(|r| norm - 0.5 * (nu + 1.0) * (1.0 + beta * r * r / nu).ln()).sum()
                })
                .collect();
            let top = logs.iter().cloned().fold(f64::MIN, f64::max);
            let total: f64 = logs.iter().map(|l| (l - top).exp()).sum();
            for ((nu, log), score) in TAILS.iter().zip(&logs).zip(&mut tails) {
                let hit = if hyper[3] == *nu { 1.0 } else { 0.0 };
                score.add(hit - (log - top).exp() / total);
            }
            let nu = hyper[3];
            let gap = |i: usize| l[i] - (nu + 1.0) / (nu + beta * r[i] * r[i]);
            scores[0].add(gap(0) + gap(7) + gap(29));
            let squares: f64 = (0..n).map(|i| l[i] * r[i] * r[i]).sum();
            scores[1].add(hyper[0] - (0.5 + n as f64 / 2.0) / (5e-5 + squares / 2.0));
            let v2: f64 = h[..neurons].iter().map(|v| v * v).sum();
            let c2: f64 = h[neurons + 1..].iter().map(|v| v * v).sum();
            // The mean over the exponential is exact enough at a hundredth of the draws.
            if scores[2].n < 2000.0 {
                let a = 1.0 / (neurons as f64).sqrt();
                scores[2].add(hyper[1] - half_cauchy_mean(tau_v, neurons, v2, a));
                scores[3].add(hyper[2] - half_cauchy_mean(tau_c, 2, c2, 1.0));
            }
            for j in 0..3 {
                let w2: f64 = if j < 2 {
                    (0..neurons).map(|m| w(m, j).powi(2)).sum()
                } else {
                    (0..neurons).map(|m| b(m).powi(2)).sum()
                };
                let old = scale(j).powi(-2);
                let new = (-2.0 * t[dim + j]).exp();
                if scores[4 + j].n < 2000.0 {
                    scores[4 + j].add(new - half_cauchy_mean(old, neurons, w2, 1.0));
                }
                // w = s z stays.
                let (was, z) = if j < 2 { (w(1, j), t[2 + j]) } else { (b(1), t[2 * neurons + 1]) };
                let is = z * t[dim + j].exp();
                assert!((was - is).abs() < 1e-12 * (1.0 + was.abs()));
            }
        }
    }
    for (k, score) in head.iter().enumerate().filter(|(_, s)| s.n > 0.0) {
        score.check(&format!("head {k}"));
    }
    for (nu, score) in TAILS.iter().zip(&tails) {
        score.check(&format!("nu {nu}"));
    }
    let names = ["lambda", "beta", "tau_v", "tau_c", "s_1", "s_2", "s_0"];
    for (score, name) in scores.iter().zip(names) {
        score.check(name);
    }
}

fn small<T: Compiled>() -> NetworkOptions<T> {
    NetworkOptions {
        neurons: 3,
        chains: 5,
        warmup: 20,
        draws: 12,
        keep: 4,
        start_steps: 30,
        leapfrogs: 6,
        early_leapfrogs: 4,
        seed: 3,
        ..NetworkOptions::default()
    }
}

fn numbers<T: Compiled>(v: &[f64]) -> Vec<T> {
    v.iter().map(|x| T::lit(*x)).collect()
}

/// The model after steps of the given budget, on one instruction set; also moved and resealed
/// between steps if asked.
fn run<T: Compiled>(options: &NetworkOptions<T>, isa: Isa, budget: u64, resume: bool) -> Vec<u8> {
    let (x, y) = data(40);
    let (x, y) = (numbers::<T>(&x), numbers::<T>(&y));
    let data = Dataset::new(Inputs::row_major(&x, 40, 2).unwrap(), &y).unwrap();
    let size = NetworkRegressor::<T>::size(options, 40, 2).unwrap();
    let mut memory = Memory::new(size);
    NetworkRegressor::init(memory.bytes(), options, isa, &data).unwrap();
    let mut sealed = vec![0; checkpoint::sealed_size(size).unwrap()];
    loop {
        let status = {
            let mut regressor = NetworkRegressor::<T>::open(memory.bytes(), isa).unwrap();
            regressor.step(&data, budget).unwrap()
        };
        if status == Status::Done {
            break;
        }
        if resume {
            checkpoint::checkpoint(memory.bytes(), Kind::Network, T::BITS, &mut sealed).unwrap();
            memory = Memory::new(size);
            checkpoint::restore(&sealed, Kind::Network, T::BITS, memory.bytes()).unwrap();
        }
    }
    let regressor = NetworkRegressor::<T>::open(memory.bytes(), isa).unwrap();
    let progress = regressor.progress();
    assert_eq!((progress.stage, progress.draws), (Stage::Done, options.draws as usize));
    assert_eq!(progress.passes, progress.passes_in_all);
    let mut model = vec![0; regressor.model_size().unwrap()];
    let length = regressor.write_model(&mut model).unwrap();
    model.truncate(length);
    Image::open(&model).unwrap();
    model
}

fn reproducible<T: Compiled>() {
    let options = small::<T>();
    let whole = run(&options, Isa::detect(), u64::MAX, false);
    assert_eq!(whole, run(&options, Isa::Portable, u64::MAX, false));
    for lanes in [1, 8] {
        let options = NetworkOptions { lanes, ..options };
        assert_eq!(whole, run(&options, Isa::detect(), u64::MAX, false), "{lanes} lanes");
    }
    assert_eq!(whole, run(&options, Isa::detect(), 1, false), "one unit at a time");
    assert_eq!(whole, run(&options, Isa::detect(), 2500, true), "through checkpoints");
    let other = NetworkOptions { seed: 4, ..options };
    assert_ne!(whole, run(&other, Isa::detect(), u64::MAX, false));
}

#[test]
fn same_bits_whatever_the_lanes_the_cpu_and_the_budget_f32() {
    reproducible::<f32>();
}

#[test]
fn same_bits_whatever_the_lanes_the_cpu_and_the_budget_f64() {
    reproducible::<f64>();
}

/// FNV-1a over the bits of the kept draws of a short fit.
fn hash<T: Compiled>(mass: MassKind) -> u64 {
    let options = NetworkOptions { mass: mass.into(), ..small::<T>() };
    let model = run(&options, Isa::detect(), u64::MAX, false);
    let image = Image::open(&model).unwrap();
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for draw in 0..image.draws() {
        for x in image.values::<T>(draw) {
            for byte in x.to_f64().to_bits().to_le_bytes() {
                hash = (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3);
            }
        }
    }
    hash
}

/// The same bits on every machine, in every build. A change here is a change of the specification.
#[test]
fn golden_bits_of_the_regressor() {
    let found = [MassKind::Dense, MassKind::Diagonal].map(|m| (hash::<f64>(m), hash::<f32>(m)));
    println!("{found:#018x?}");
    assert_eq!(found, GOLDEN);
}

const GOLDEN: [(u64, u64); 2] = [
    (0x56B1_B3E6_1491_3DE7, 0xA6BE_2E0C_8C86_9F4C),
    (0x2573_5F0C_795E_4293, 0xF309_1861_F2F0_F416),
];

/// Chains whose acceptance falls with the step h as 1 / (1 + (h/c)^2), each with a c of its own,
/// and where it is a coin that is seen, not its probability: the step tends to c / 2 for .8.
#[test]
fn step_sizes_tend_to_the_target() {
    let isa = Isa::detect();
    let scales = [0.02_f64, 0.2, 1.0, 100.0, 0.05, 0.1, 0.5, 2.0];
    let target = Target { acceptance: 0.8, cap: 1.0 };
    let mut numbers = [[0.0_f64; 8]; 2];
    StepSize::Decaying { state: &mut numbers, restarted: false }.reset(isa, 0.1);
    let mut stream = Stream::new(3, 0, Purpose::Start);
    for t in 0..4000 {
        let restarted = t >= 1000;
        let mut adaptation = StepSize::Decaying { state: &mut numbers, restarted };
        let step = adaptation.step(isa);
        let seen = std::array::from_fn(|k| {
            let p = 1.0 / (1.0 + (step[k] / scales[k]).powi(2));
            if stream.uniform::<f64>() < p { 1.0 } else { 0.0 }
        });
        if t == 1000 {
            adaptation.restart();
        }
        let count = if restarted { t - 999 } else { t + 1 };
        adaptation.update(isa, target, count, &seen);
    }
    let mut adaptation = StepSize::Decaying { state: &mut numbers, restarted: true };
    adaptation.freeze(isa, target);
    let step = adaptation.step(isa);
    for k in (0..8).filter(|k| *k != 3) {
        assert!((step[k] / (0.5 * scales[k])).ln().abs() < 0.2, "{step:?}");
    }
    // Limited by the largest step.
    assert!((step[3] - 1.0).abs() < 1e-6, "{step:?}");
}

#[test]
fn every_switch_runs() {
    for (k, mass) in [MassKind::Dense, MassKind::Diagonal].into_iter().enumerate() {
        let options = NetworkOptions {
            mass: mass.into(),
            gaussian: (k == 1).into(),
            standardise: (k == 0).into(),
            drop: (k == 0).into(),
            starts: k as u32,
            activation: if k == 0 { Activation::Gelu } else { Activation::Tanh }.into(),
            trace_rows: k as u32,
            ..small::<f32>()
        };
        let model = run(&options, Isa::detect(), u64::MAX, false);
        let image = Image::open(&model).unwrap();
        assert!(k == 0 || image.draws() == 5 * 4);
        let nu = image.values::<f32>(0).next_back().unwrap();
        assert_eq!(nu.is_infinite(), k == 1);
    }
}

#[test]
fn memory_and_misuse() {
    let (x, y) = data(17);
    let dataset = Dataset::new(Inputs::row_major(&x, 17, 2).unwrap(), &y).unwrap();
    let options = NetworkOptions { neurons: 2, ..small::<f64>() };
    type R<'a> = NetworkRegressor<'a, f64>;
    let isa = Isa::detect();
    for (chains, lanes, warmup) in [(1, 1, 0), (3, 8, 5), (9, 8, 1), (4, 1, 7)] {
        let options = NetworkOptions { chains, lanes, warmup, ..options };
        let size = R::size(&options, 17, 2).unwrap();
        let mut memory = Memory::new(size);
        let short = R::init(&mut memory.bytes()[..size - 1], &options, isa, &dataset);
        assert_eq!(short.unwrap_err(), RegressorError::Workspace(WorkspaceError::TooSmall));
        let off = R::init(&mut memory.bytes()[1..], &options, isa, &dataset);
        assert!(matches!(off.unwrap_err(), RegressorError::Workspace(_)));
        let mut regressor = R::init(memory.bytes(), &options, isa, &dataset).unwrap();
        assert_eq!(regressor.step(&dataset, 0), Ok(Status::Running));
        assert_eq!(regressor.write_model(&mut []), Err(RegressorError::NoDraws));
        assert!(regressor.kept_draw(0, 0).is_none());
        while regressor.step(&dataset, 1000).unwrap() != Status::Done {}
        assert!(regressor.kept_draw(chains as usize - 1, 3).is_some());
        assert!(regressor.kept_draw(chains as usize, 0).is_none());
        let mut other = y.clone();
        other[3] += 1.0;
        let other = Dataset::new(Inputs::row_major(&x, 17, 2).unwrap(), &other).unwrap();
        assert_eq!(regressor.step(&other, 1), Err(RegressorError::OtherData));
    }
    let mut memory = Memory::new(4096);
    assert!(matches!(R::open(memory.bytes(), isa).unwrap_err(), RegressorError::NotARegressor));
    for (options, error) in [
        (NetworkOptions { neurons: 0, ..options }, OptionsError::Neurons),
        (NetworkOptions { chains: 0, ..options }, OptionsError::Chains),
        (NetworkOptions { lanes: 2, ..options }, OptionsError::Lanes),
        (NetworkOptions { keep: 13, ..options }, OptionsError::Keep),
        (NetworkOptions { leapfrogs: 0, ..options }, OptionsError::Leapfrogs),
        (NetworkOptions { target_accept: f64::NAN, ..options }, OptionsError::TargetAccept),
    ] {
        assert_eq!(R::size(&options, 17, 2), Err(RegressorError::Options(error)));
    }
    let huge = NetworkOptions { neurons: u32::MAX, ..options };
    assert!(R::size(&huge, usize::MAX / 2, usize::MAX / 2).is_err());
}

#[test]
fn prior_draws_have_the_priors_quantiles() {
    let shape = NetworkShape { inputs: 2, neurons: 4 };
    let p = coordinates(2, 4);
    let mut stream = Stream::new(2, 0, Purpose::Predictive);
    let mut state = vec![0.0_f64; state_len(p, 3)];
    let prior = NetworkPrior::default();
    let draws = 20_000;
    let mut below = [0.0; 6];
    for _ in 0..draws {
        assert!(draw_prior(&shape, &prior, false, &mut stream, &mut state));
        let log_s = state[shape.dim()];
        let hits = [
            state[0] < 0.674_489_750_196_081_7,  // 3/4 of N(0, 1)
            log_s < 0.0,                         // half of the half-Cauchy(1)
            log_s.exp() < 2.414_213_562_373_095, // 3/4 of it
            state[p + 1].powf(-0.5) < 0.5,       // half of half-Cauchy(1 / sqrt 4)
            state[p + 3] == 30.0,                // a sixth
            state[p] > 4_549.364_231_195_724,    // median of Gamma(1/2, 5e-5)
        ];
        for (b, hit) in below.iter_mut().zip(hits) {
            *b += if hit { 1.0 } else { 0.0 };
        }
    }
    for (b, q) in below.iter().zip([0.75, 0.5, 0.75, 0.5, 1.0 / 6.0, 0.5]) {
        let n = draws as f64;
        let z = (b - n * q) / (n * q * (1.0 - q)).sqrt();
        assert!(z.abs() < 4.0, "{b} of {n}, expected {q}: z {z}");
    }

    let (x, y) = data(10);
    let model = model(&x, &y, 4);
    let shape = posterior::Shape::one_layer(2, 4, Activation::Tanh);
    let mut buffer = [0.0; 4];
    let standardiser = Standardiser::fit(&model.data, &mut buffer).unwrap();
    let mut bytes = vec![0; posterior::image_size::<f64>(shape, 50).unwrap()];
    let mut store = Store::new(&mut bytes, shape, &standardiser).unwrap();
    let mut state = vec![0.0; state_len(model.coordinates(), 0)];
    let mut draw = vec![0.0; shape.draw_len().unwrap()];
    write_prior_draws(&mut store, 50, &prior, false, &mut stream, &mut state, &mut draw).unwrap();
    let image = Image::open(store.seal().unwrap()).unwrap();
    assert_eq!(image.draws(), 50);
}

#[test]
fn single_precision_stands_nearly_noise_free_data() {
    let split = Table::read("yacht").split(0, false);
    let numbers = |v: &[f64]| v.iter().map(|x| *x as f32).collect::<Vec<f32>>();
    let (x, y) = (numbers(&split.train_x), numbers(&split.train_y));
    let data = Dataset::new(Inputs::row_major(&x, y.len(), split.inputs).unwrap(), &y).unwrap();
    let options = NetworkOptions::<f32> {
        warmup: 250,
        draws: 100,
        start_steps: 600,
        ..NetworkOptions::default()
    };
    let size = NetworkRegressor::size(&options, y.len(), split.inputs).unwrap();
    let mut memory = Memory::new(size);
    let isa = Isa::detect();
    let mut regressor = NetworkRegressor::init(memory.bytes(), &options, isa, &data).unwrap();
    while regressor.step(&data, 1 << 24).unwrap() != Status::Done {}
    let mut model = vec![0; regressor.model_size().unwrap()];
    let length = regressor.write_model(&mut model).unwrap();
    let image = Image::open(&model[..length]).unwrap();
    let mut buffer = vec![0.0; Predictor::<f32>::buffer_len(&image)];
    let predictor = Predictor::new(isa, image, &mut buffer).unwrap();
    let mut scratch = vec![0.0; predictor.rows_scratch()];
    let (x, y) = (numbers(&split.test_x), numbers(&split.test_y));
    let test = Dataset::new(Inputs::row_major(&x, y.len(), split.inputs).unwrap(), &y).unwrap();
    let scores = predictor.evaluate(&test, 0.9, false, &mut scratch).unwrap();
    // The target's sd is 15; a linear fit has 9, a random forest 1.1.
    assert!(scores.rmse < 0.7, "{scores:?}");
    assert!(scores.log_likelihood > -0.5, "{scores:?}");
    assert!(scores.coverage > 0.75, "{scores:?}");
}
