//! Whole runs as hashes: what C, Rust, every CPU and every optimisation level must agree on.

use crate::posteriors::Aligned;
use bytemuck::bytes_of;
use lcc_core::activation::Activation;
use lcc_core::auto::{Auto, AutoOptions};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::prequential::{Averaging, Prequential, PrequentialOptions};
use lcc_core::estimator::vae::{self, Vae, VaeOptions};
use lcc_core::estimator::{
    self, Bnn, BnnMethod, BnnOptions, GreedyBayes, GreedyOptions, NetworkOptions, NetworkRegressor,
    Status, bnn, greedy_bayes, prequential,
};
use lcc_core::likelihood::{LogDensity, Signs};
use lcc_core::posterior::Image;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::sampler::{self, Column, Method, Progress, Sampler, SamplerOptions};
use lcc_core::scalar::Real;
use lcc_core::simd::{Isa, usual_lanes};
use lcc_core::smc::{self, Ladder, Smc, SmcOptions};
use lcc_core::stream::{self, StreamLearner, StreamOptions, Window};
use lcc_core::tempering::{self, Tempering, TemperingOptions};
use lcc_core::warmup::{self, Warmup, WarmupOptions};

/// FNV-1a.
fn feed(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |h, b| (h ^ *b as u64).wrapping_mul(0x100_0000_01b3))
}

/// One lane for plain loops, which have none of eight; else the usual ones.
fn lanes(isa: Isa) -> u32 {
    if isa.is_wide() { usual_lanes() } else { 1 }
}

const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// One line a run: precision, method, hash. The same runs as `tests/c/bits.c`.
pub fn runs<T>(isa: Isa) -> Vec<String>
where
    T: sampler::Compiled
        + estimator::Compiled
        + bnn::Compiled
        + greedy_bayes::Compiled
        + prequential::Compiled
        + stream::Compiled
        + tempering::Compiled
        + vae::Compiled
        + warmup::Compiled,
{
    let entry = |i: usize, j: usize| T::lit(((i * 7 + j * 3) % 11) as f64 / 8.0 - 0.625);
    let x: Vec<T> = (0..60).map(|k| entry(k / 2, k % 2)).collect();
    let y: Vec<T> = (0..30).map(|i| T::lit((i * 5 % 9) as f64 / 4.0 - 1.0)).collect();
    let data = Dataset::new(Inputs::row_major(&x, 30, 2).expect("rows"), &y).expect("targets");
    let mut lines = Vec::new();
    for method in Method::ALL {
        let prior = if method.needs_ball() {
            Prior::L1Ball { radius: T::ONE }
        } else {
            Prior::Gaussian { sd: T::ONE }
        };
        let problem = Problem::greedy(data, Activation::Tanh, prior, T::HALF).expect("problem");
        let options = SamplerOptions {
            method: method.into(),
            chains: 5,
            warmup: 50,
            draws: 30,
            stored: 30,
            lanes: lanes(isa),
            ..SamplerOptions::default()
        };
        let mut memory = Aligned::new(Sampler::size(&options, &problem).expect("size"));
        let mut s = Sampler::init(memory.bytes(), &options, isa, &problem).expect("init");
        while s.step(&problem, 7777).expect("step") == Progress::Running {}
        let mut hash = EMPTY;
        for j in 0..2 {
            let draws = s.draws(Column::Weight(j)).expect("draws");
            for c in 0..5 {
                for t in 0..30 {
                    hash = feed(hash, bytes_of(&draws.at(c, t)));
                }
            }
        }
        lines.push(format!("{} {} {hash:016x}", T::BITS, method.name()));
    }
    let (smc, tempering) = ladders::<T>(isa, &data);
    lines.push(format!("{} smc {smc:016x}", T::BITS));
    lines.push(format!("{} tempering {tempering:016x}", T::BITS));
    for (name, ladder) in [("smc-rows", Ladder::Rows), ("smc-cooling", Ladder::Cooling)] {
        lines.push(format!("{} {name} {:016x}", T::BITS, online::<T>(isa, &data, ladder)));
    }
    lines.push(format!("{} auto {:016x}", T::BITS, chooser::<T>(isa, &data)));
    lines.push(format!("{} warmup {:016x}", T::BITS, warmed::<T>(isa)));
    for method in &BnnMethod::ALL {
        lines.push(format!(
            "{} bnn-{} {:016x}",
            T::BITS,
            method.name(),
            mode::<T>(isa, &data, *method)
        ));
    }
    lines.push(format!("{} vae {:016x}", T::BITS, coded::<T>(isa, &data.inputs)));
    let options = NetworkOptions {
        neurons: 3,
        warmup: 20,
        draws: 20,
        keep: 5,
        start_steps: 20,
        lanes: lanes(isa),
        ..NetworkOptions::default()
    };
    let mut memory = Aligned::new(NetworkRegressor::size(&options, 30, 2).expect("size"));
    let mut network = NetworkRegressor::init(memory.bytes(), &options, isa, &data).expect("init");
    while network.step(&data, 33_333).expect("step") == Status::Running {}
    let mut model = vec![0; network.model_size().expect("size")];
    let length = network.write_model(&mut model).expect("model");
    lines.push(format!("{} network {:016x}", T::BITS, feed(EMPTY, &model[..length])));
    let (stream, window) = followers::<T>(isa, &x, &y, &model[..length]);
    lines.push(format!("{} stream {stream:016x}", T::BITS));
    lines.push(format!("{} window {window:016x}", T::BITS));
    let options = GreedyOptions {
        activation: Activation::Logistic.into(),
        levels: 3,
        particles: 40,
        keep: 10,
        either_sign: true.into(),
        lanes: lanes(isa),
        ..Default::default()
    };
    let mut memory = Aligned::new(GreedyBayes::size(&options, 30, 2).expect("size"));
    let mut greedy = GreedyBayes::init(memory.bytes(), &options, isa, &data).expect("init");
    while greedy.step(&data, 33_333).expect("step") == Status::Running {}
    let mut model = vec![0; greedy.model_size().expect("size")];
    let mut scratch = vec![T::ZERO; greedy.model_scratch()];
    let length = greedy.write_model(&mut model, &mut scratch).expect("model");
    lines.push(format!("{} greedy {:016x}", T::BITS, feed(EMPTY, &model[..length])));
    let options = PrequentialOptions {
        levels: 3,
        particles: 40,
        keep: 10,
        alpha: T::ONE,
        beta: T::lit(0.2),
        lanes: lanes(isa),
        ..PrequentialOptions::default()
    };
    let mut memory = Aligned::new(Prequential::size(&options, 30, 2).expect("size"));
    let mut learner =
        Prequential::init(memory.bytes(), &options, isa, 30, 2, Some(&data)).expect("init");
    for (row, y) in x.chunks(2).zip(&y) {
        learner.observe(row, *y).expect("row");
        while learner.step(3333).expect("step") == Status::Running {}
    }
    let mut model = vec![0; learner.model_size().expect("size")];
    let mut scratch = vec![T::ZERO; learner.model_scratch()];
    let length =
        learner.write_model(Averaging::Inclusive, &mut model, &mut scratch).expect("model");
    lines.push(format!("{} prequential {:016x}", T::BITS, feed(EMPTY, &model[..length])));
    lines
}

/// A learner that follows a stream from the draws of a model, predictions, scores and the model in the end;
/// and a refit of the last rows from the same draws.
fn followers<T>(isa: Isa, x: &[T], y: &[T], model: &[u8]) -> (u64, u64)
where
    T: estimator::Compiled + stream::Compiled,
{
    let image = Image::open(model).expect("image");
    let options = StreamOptions { lanes: lanes(isa), ..StreamOptions::default() };
    let mut memory = Aligned::new(StreamLearner::size(&options, &image).expect("size"));
    let mut learner = StreamLearner::init(memory.bytes(), &options, isa, &image).expect("stream");
    let mut store = Aligned::new(Window::<T>::size(20, 2).expect("size"));
    let mut rows = Window::init(store.bytes(), 20, 2).expect("window");
    let mut stream = EMPTY;
    for (row, y) in x.chunks(2).zip(y) {
        let law = learner.predict(row, T::lit(0.75)).expect("row");
        let score = learner.observe(row, *y).expect("row");
        for value in [law.mean, law.sd, law.lower, law.upper, score.log_density, score.pit] {
            stream = feed(stream, bytes_of(&value));
        }
        rows.push(row, *y).expect("row");
    }
    let (bytes, values) = learner.model_size().expect("size");
    let (mut model, mut scratch) = (vec![0; bytes], vec![T::ZERO; values]);
    let length = learner.write_model(Some(7), &mut model, &mut scratch).expect("model");
    let stream = feed(stream, &model[..length]);

    let options = NetworkOptions {
        neurons: 3,
        warmup: 10,
        draws: 10,
        keep: 5,
        lanes: lanes(isa),
        ..NetworkOptions::default()
    };
    let data = rows.data().expect("rows");
    let mut memory = Aligned::new(NetworkRegressor::size(&options, 20, 2).expect("size"));
    let mut refit =
        NetworkRegressor::init_from(memory.bytes(), &options, isa, &data, &image).expect("refit");
    while refit.step(&data, 33_333).expect("step") == Status::Running {}
    let mut model = vec![0; refit.model_size().expect("size")];
    let length = refit.write_model(&mut model).expect("model");
    (stream, feed(EMPTY, &model[..length]))
}

/// A run of SMC row by row, what every row was predicted to be and the particles, or by cooling.
fn online<T: smc::Compiled>(isa: Isa, data: &Dataset<'_, T>, ladder: Ladder) -> u64 {
    let prior = Prior::L1Ball { radius: T::ONE };
    let (psi, signs) = (Activation::Tanh, Signs::Alternating);
    let (outer, beta) = (T::lit(3.0), T::lit(4.0));
    let problem = Problem::joint(*data, psi, prior, 2, outer, beta, signs).expect("problem");
    let options = SmcOptions {
        ladder: ladder.into(),
        particles: 64,
        lanes: lanes(isa),
        ..SmcOptions::default()
    };
    let mut memory = Aligned::new(Smc::size(&options, &problem).expect("size"));
    let mut run = Smc::init(memory.bytes(), &options, isa, &problem).expect("init");
    while run.step(&problem, 7777).expect("step") == Progress::Running {}
    let mut hash = EMPTY;
    for row in (0..).map_while(|i| run.predicted(i)) {
        hash = feed(hash, bytes_of(&row.log_likelihood));
        hash = feed(hash, bytes_of(&row.mean));
    }
    run.record().iter().fold(hash, |hash, x| feed(hash, bytes_of(x)))
}

/// A run of SMC, particles and evidence, and one of tempering on the temperatures that it found, draws
/// and evidence.
fn ladders<T: smc::Compiled + tempering::Compiled>(isa: Isa, data: &Dataset<'_, T>) -> (u64, u64) {
    let prior = Prior::Gaussian { sd: T::ONE };
    let problem = Problem::greedy(*data, Activation::Tanh, prior, T::lit(4.0)).expect("problem");
    let options = SmcOptions { particles: 64, lanes: lanes(isa), ..SmcOptions::default() };
    let mut memory = Aligned::new(Smc::size(&options, &problem).expect("size"));
    let mut run = Smc::init(memory.bytes(), &options, isa, &problem).expect("init");
    while run.step(&problem, 7777).expect("step") == Progress::Running {}
    let mut smc = feed(EMPTY, bytes_of(&run.evidence().expect("evidence").log));
    for j in 0..2 {
        let column = run.column(Column::Weight(j)).expect("particles");
        smc = column.iter().fold(smc, |hash, x| feed(hash, bytes_of(x)));
    }
    let ladder: Vec<T> = (0..).map_while(|k| run.stage(k)).map(|stage| stage.temperature).collect();
    let options = TemperingOptions {
        chains: 5,
        temperatures: ladder.len() as u32,
        warmup: 50,
        draws: 30,
        stored: 30,
        lanes: lanes(isa),
        ..TemperingOptions::default()
    };
    let mut memory = Aligned::new(Tempering::size(&options, &problem).expect("size"));
    let mut run = Tempering::init(memory.bytes(), &options, &ladder, isa, &problem).expect("init");
    while run.step(&problem, 7777).expect("step") == Progress::Running {}
    let mut tempering = feed(EMPTY, bytes_of(&run.log_evidence(4).expect("evidence")));
    for j in 0..2 {
        let draws = run.draws(Column::Weight(j)).expect("draws");
        for c in 0..5 {
            for t in 0..30 {
                tempering = feed(tempering, bytes_of(&draws.at(c, t)));
            }
        }
    }
    (smc, tempering)
}

/// A run that chooses for itself: its draws, and what it says.
fn chooser<T: sampler::Compiled + smc::Compiled + warmup::Compiled>(
    isa: Isa,
    data: &Dataset<'_, T>,
) -> u64 {
    let prior = Prior::Gaussian { sd: T::ONE };
    let problem = Problem::greedy(*data, Activation::Tanh, prior, T::lit(4.0)).expect("problem");
    let options = AutoOptions {
        chains: 4,
        pilot: 64,
        warmup: 20,
        draws: 30,
        lanes: lanes(isa),
        ..AutoOptions::default()
    };
    let mut memory = Aligned::new(Auto::size(&options, &problem).expect("size"));
    let mut run = Auto::init(memory.bytes(), &options, isa, &problem).expect("init");
    while run.step(&problem, 7777).expect("step") == Progress::Running {}
    let mut hash = feed(EMPTY, run.report().to_string().as_bytes());
    for j in 0..2 {
        let draws = run.draws(Column::Weight(j)).expect("draws");
        for c in 0..draws.chains() {
            for t in 0..draws.draws() {
                hash = feed(hash, bytes_of(&draws.at(c, t)));
            }
        }
    }
    hash
}

/// What a method makes of a network's posterior: its model.
fn mode<T: bnn::Compiled>(isa: Isa, data: &Dataset<'_, T>, method: BnnMethod) -> u64 {
    let linear = method == BnnMethod::MaximumLikelihood;
    let options = BnnOptions {
        method: method.into(),
        widths: [if linear { 0 } else { 3 }, 0, 0, 0],
        chains: 3,
        start_steps: 20,
        ascent_steps: 40,
        // Of what is fitted by the evidence lower bound, minibatches.
        batch: if method as i32 >= BnnMethod::Variational as i32 { 7 } else { 0 },
        draws: 5,
        keep: 5,
        leapfrogs: 20,
        minibatches: 2,
        lanes: lanes(isa),
        ..BnnOptions::default()
    };
    let mut memory = Aligned::new(Bnn::size(&options, 30, 2).expect("size"));
    let mut network = Bnn::init(memory.bytes(), &options, isa, data).expect("init");
    while network.step(data, 7777).expect("step") == Status::Running {}
    let mut model = vec![0; network.model_size().expect("size")];
    let length = network.write_model(&mut model).expect("model");
    feed(EMPTY, &model[..length])
}

/// An auto-encoder: where it puts the rows, and their bound.
fn coded<T: vae::Compiled>(isa: Isa, rows: &Inputs<'_, T>) -> u64 {
    let widths = [3, 2, 0, 0];
    let options = VaeOptions { latent: 1, widths, steps: 40, batch: 7, ..Default::default() };
    let mut memory = Aligned::new(Vae::size(&options, 30, 2).expect("size"));
    let mut vae = Vae::init(memory.bytes(), &options, isa, rows).expect("init");
    while vae.step(rows, 33).expect("step") == Status::Running {}
    let (mut means, mut sds) = ([T::ZERO; 30], [T::ZERO; 30]);
    let mut scratch = vec![T::ZERO; vae.scratch()];
    vae.encode(rows, &mut means, &mut sds, &mut scratch).expect("codes");
    let bound = vae.bound(rows, 4, 9, &mut scratch).expect("bound");
    [&means[..], &sds, &[bound.bound, bound.error]]
        .concat()
        .iter()
        .fold(EMPTY, |hash, x| feed(hash, bytes_of(x)))
}

/// 0 at (3, 4.5), bent.
#[derive(Debug)]
struct Bent;

impl<T: Real> LogDensity<T> for Bent {
    fn evaluate(&self, x: &[T], gradient: Option<&mut [T]>) -> Option<T> {
        let [u, v] = *x else { return None };
        let (two, eight) = (T::lit(2.0), T::lit(8.0));
        let (a, b) = (u - T::lit(3.0), v - u * u / two);
        if let Some([g, h]) = gradient {
            (*g, *h) = (b * u - eight * a, -b);
        }
        Some(-(eight * (a * a) + b * b) / two)
    }
}

/// The frame of a density of one's own.
fn warmed<T: warmup::Compiled>(isa: Isa) -> u64 {
    let problem = Problem::user(&Bent, 2, T::ONE, true).expect("problem");
    let options = WarmupOptions { ascents: 2, chains: 8, rounds: 2, ..Default::default() };
    let mut memory = Aligned::new(Warmup::<T>::size(&options, &problem).expect("size"));
    let mut run = Warmup::init(memory.bytes(), &options, isa, &problem).expect("init");
    while run.step(&problem, 777).expect("step") == Progress::Running {}
    run.frame().expect("frame").iter().fold(EMPTY, |hash, x| feed(hash, bytes_of(x)))
}

/// Both precisions.
pub fn all(isa: Isa) -> Vec<String> {
    [runs::<f64>(isa), runs::<f32>(isa)].concat()
}
