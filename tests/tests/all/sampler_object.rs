//! The sampler as an object: memory, budgets, lanes, copies, checkpoints, golden bits.

use lcc_core::activation::Activation;
use lcc_core::checkpoint::{
    CheckpointError, HEAD, Kind, checkpoint, restore, sealed_size, state_size,
};
use lcc_core::coupling::Sides;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::Signs;
use lcc_core::prior::{Prior, PriorError};
use lcc_core::problem::{Problem, ProblemError};
use lcc_core::sampler::{
    Column, Compiled, Method, Progress, Reference, Sampler, SamplerError, SamplerOptions,
};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::workspace::WorkspaceError;
use lcc_tests::posteriors::Aligned;

const ROWS: usize = 13;

/// Data without pattern: n rows of d columns and a target, in [-1, 1].
struct Raw<T> {
    x: Vec<T>,
    y: Vec<T>,
    d: usize,
}

impl<T: Real> Raw<T> {
    fn new(d: usize) -> Self {
        let mut state = 12345_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            T::lit((state >> 40) as f64 / (1_u64 << 23) as f64 - 1.0)
        };
        let x = (0..ROWS * d).map(|_| next()).collect();
        let y = (0..ROWS).map(|_| next()).collect();
        Self { x, y, d }
    }

    fn data(&self) -> Dataset<'_, T> {
        Dataset::new(Inputs::row_major(&self.x, ROWS, self.d).unwrap(), &self.y).unwrap()
    }

    /// Both kinds of posterior under both priors.
    fn problems(&self) -> [Problem<'_, T>; 4] {
        let priors = [Prior::Gaussian { sd: T::lit(1.5) }, Prior::L1Ball { radius: T::lit(2.0) }];
        let greedy = |p| Problem::greedy(self.data(), Activation::Tanh, p, T::lit(0.8)).unwrap();
        let joint = |p| {
            let (outer, beta, signs) = (T::lit(2.0), T::ONE, Signs::Alternating);
            Problem::joint(self.data(), Activation::Tanh, p, 3, outer, beta, signs).unwrap()
        };
        let [gaussian, l1] = priors;
        [greedy(gaussian), greedy(l1), joint(gaussian), joint(l1)]
    }
}

/// A short run that goes through everything: warm-up, thinning, a block that is not full.
fn options<T: Real>(method: Method) -> SamplerOptions<T> {
    SamplerOptions {
        method: method.into(),
        chains: 9,
        lanes: 8,
        warmup: 20,
        draws: 30,
        stored: 12,
        seed: 42,
        leapfrogs: 3,
        inner: 2,
        burn_in: 2,
        ..Default::default()
    }
}

fn bits<T: Real>(values: &[T]) -> Vec<u64> {
    let mut bytes = [0; 8];
    let one = |x: &T| {
        assert!(x.write_le(&mut bytes[..T::BYTES]));
        u64::from_le_bytes(bytes)
    };
    values.iter().map(one).collect()
}

/// The record and the moments of every chain and column.
fn outcome<T: Compiled>(sampler: &Sampler<'_, T>) -> Vec<u64> {
    let mut out = bits(sampler.record());
    for chain in 0..sampler.options().chains as usize {
        for j in 0..sampler.dim() {
            let m = sampler.moments(chain, Column::Weight(j)).unwrap();
            out.extend(bits(&[m.mean, m.variance, sampler.step_size(chain).unwrap()]));
        }
    }
    out
}

/// Runs in memory of the exact size, with budgets from `budget` in turn.
fn run<T: Compiled>(
    options: &SamplerOptions<T>,
    problem: &Problem<'_, T>,
    isa: Isa,
    mut budget: impl FnMut() -> u64,
) -> Vec<u64> {
    let mut memory = Aligned::new(Sampler::size(options, problem).unwrap());
    let mut sampler = Sampler::init(memory.bytes(), options, isa, problem).unwrap();
    while sampler.step(problem, budget()).unwrap() == Progress::Running {}
    assert_eq!(sampler.position().draws, options.draws);
    assert_eq!(sampler.position().stored, options.stored as usize);
    outcome(&sampler)
}

fn whole<T: Compiled>(options: &SamplerOptions<T>, problem: &Problem<'_, T>) -> Vec<u64> {
    run(options, problem, Isa::detect(), || u64::MAX)
}

/// Every method that the posterior allows, and three with an inner method of their own.
fn choices<T: Real>(problem: &Problem<'_, T>) -> Vec<SamplerOptions<T>> {
    let ball = matches!(problem.prior(), Prior::L1Ball { .. });
    let methods = Method::ALL.into_iter().filter(|m| ball || !m.needs_ball());
    let mut all: Vec<_> = methods.map(options).collect();
    let inner = if ball { Method::HitAndRun } else { Method::Mala };
    for method in [Method::CoupledGibbs, Method::XiLangevin, Method::XiMala] {
        all.push(SamplerOptions { inner_method: inner.into(), ..options(method) });
    }
    all
}

fn every<T: Compiled>(f: impl Fn(&SamplerOptions<T>, &Problem<'_, T>)) {
    let raw = Raw::<T>::new(2);
    for problem in raw.problems() {
        for options in choices(&problem) {
            f(&options, &problem);
        }
    }
}

#[test]
fn size_and_init_agree() {
    let mut k = 1_u32;
    for d in 1..=4 {
        let raw = Raw::<f32>::new(d);
        for problem in raw.problems() {
            for base in choices::<f32>(&problem) {
                for lanes in [1, 8] {
                    k = k.wrapping_mul(747796405).wrapping_add(2891336453);
                    let draws = 1 + (k >> 8) % 7;
                    let stored = (k >> 12) % (draws + 1);
                    let chains = 1 + (k >> 16) % 11;
                    let o = SamplerOptions { lanes, draws, stored, chains, ..base };
                    let size = Sampler::size(&o, &problem).unwrap();
                    let mut memory = Aligned::new(size + 1);
                    let isa = Isa::detect();
                    let (exact, _) = memory.bytes().split_at_mut(size);
                    assert!(Sampler::init(exact, &o, isa, &problem).is_ok());
                    let short = &mut exact[..size - 1];
                    let error = Sampler::init(short, &o, isa, &problem).err();
                    assert_eq!(error, Some(SamplerError::Memory(WorkspaceError::TooSmall)));
                    let misaligned = &mut memory.bytes()[1..];
                    let error = Sampler::init(misaligned, &o, isa, &problem).err();
                    assert_eq!(error, Some(SamplerError::Memory(WorkspaceError::Misaligned)));
                }
            }
        }
    }
}

#[test]
fn budgets_change_no_bit() {
    every::<f64>(|options, problem| {
        let straight = whole(options, problem);
        assert_eq!(run(options, problem, Isa::detect(), || 1), straight);
        let mut k = 0_u64;
        let uneven = || {
            k = (k * 7 + 3) % 1009;
            k * 3
        };
        assert_eq!(run(options, problem, Isa::detect(), uneven), straight);
    });
}

#[test]
fn budgets_are_kept() {
    let raw = Raw::<f64>::new(2);
    let problem = raw.problems()[0];
    let options = options::<f64>(Method::CoupledGibbs);
    let mut memory = Aligned::new(Sampler::size(&options, &problem).unwrap());
    let mut sampler = Sampler::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
    assert_eq!(sampler.step(&problem, 0), Ok(Progress::Running));
    assert_eq!(sampler.evaluations(), 0);
    let (mut calls, budget) = (0_u64, 1000_u64);
    while sampler.step(&problem, budget).unwrap() == Progress::Running {
        calls += 1;
    }
    // Each chain: a start, and in every iteration a new density and two transitions of three steps.
    assert_eq!(sampler.evaluations(), 1 + 50 * (1 + 2 * 3));
    let visits = sampler.evaluations() * (2 * 8 * ROWS) as u64;
    let unit = 4 * (8 * ROWS) as u64;
    assert!(calls * budget <= visits && visits <= (calls + 1) * (budget + unit));
}

#[test]
fn lanes_and_instruction_sets_change_no_bit() {
    every::<f64>(lanes_of);
    every::<f32>(lanes_of);
}

fn lanes_of<T: Compiled>(options: &SamplerOptions<T>, problem: &Problem<'_, T>) {
    let eight = whole(options, problem);
    assert_eq!(whole(&SamplerOptions { lanes: 1, ..*options }, problem), eight);
    assert_eq!(run(options, problem, Isa::Portable, || u64::MAX), eight);
}

#[test]
fn chains_do_not_depend_on_their_number() {
    every::<f32>(|options, problem| {
        let sampled = |chains| {
            let o = SamplerOptions { chains, ..*options };
            let mut memory = Aligned::new(Sampler::size(&o, problem).unwrap());
            let mut sampler = Sampler::init(memory.bytes(), &o, Isa::detect(), problem).unwrap();
            sampler.step(problem, u64::MAX).unwrap();
            let draws = sampler.draws(Column::Weight(1)).unwrap();
            (0..12).map(|t| draws.at(2, t).to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(sampled(3), sampled(12));
    });
}

#[test]
fn a_copy_goes_on() {
    every::<f64>(|options, problem| {
        let straight = whole(options, problem);
        let size = Sampler::size(options, problem).unwrap();
        let (mut first, mut second) = (Aligned::new(size), Aligned::new(size));
        let mut sampler = Sampler::init(first.bytes(), options, Isa::detect(), problem).unwrap();
        assert_eq!(sampler.step(problem, 1500), Ok(Progress::Running));
        second.bytes().copy_from_slice(first.bytes());
        first.bytes().fill(0xA5);
        let mut sampler = Sampler::<f64>::open(second.bytes(), Isa::Portable).unwrap();
        assert_eq!(sampler.options(), options);
        while sampler.step(problem, 5000).unwrap() == Progress::Running {}
        assert_eq!(outcome(&sampler), straight);
    });
}

#[test]
fn a_checkpoint_goes_on() {
    every::<f32>(|options, problem| {
        let straight = whole(options, problem);
        let size = Sampler::size(options, problem).unwrap();
        let mut memory = Aligned::new(size);
        let mut sampler = Sampler::init(memory.bytes(), options, Isa::detect(), problem).unwrap();
        assert_eq!(sampler.step(problem, 1500), Ok(Progress::Running));
        let mut sealed = vec![0; sealed_size(size).unwrap()];
        assert_eq!(checkpoint(memory.bytes(), Kind::Sampler, 32, &mut sealed), Ok(size + HEAD));
        // What runs on meanwhile is not in the checkpoint.
        let mut ahead = Sampler::<f32>::open(memory.bytes(), Isa::detect()).unwrap();
        ahead.step(problem, 500).unwrap();
        assert_eq!(state_size(&sealed), Ok(size));
        let mut memory = Aligned::new(size);
        assert_eq!(restore(&sealed, Kind::Sampler, 32, memory.bytes()), Ok(size));
        let mut sampler = Sampler::<f32>::open(memory.bytes(), Isa::detect()).unwrap();
        while sampler.step(problem, 777).unwrap() == Progress::Running {}
        assert_eq!(outcome(&sampler), straight);
    });
}

#[test]
fn broken_checkpoints_are_refused() {
    let state: Vec<u8> = (0..100_u8).collect();
    let mut sealed = vec![0; 148];
    assert_eq!(
        checkpoint(&state, Kind::Sampler, 64, &mut sealed[..147]),
        Err(CheckpointError::TooSmall)
    );
    assert!(sealed.iter().all(|b| *b == 0), "nothing is written on failure");
    checkpoint(&state, Kind::Sampler, 64, &mut sealed).unwrap();

    let attempt = |sealed: &[u8], kind, bits, room: usize| {
        let mut memory = vec![7; room];
        let result = restore(sealed, kind, bits, &mut memory);
        match result {
            Ok(size) => assert_eq!(memory[..size], state),
            Err(_) => assert!(memory.iter().all(|b| *b == 7), "nothing is written on failure"),
        }
        result
    };
    let sampler = Kind::Sampler;
    assert_eq!(attempt(&sealed, sampler, 64, 100), Ok(100));
    assert_eq!(attempt(&sealed, sampler, 64, 130), Ok(100));
    assert_eq!(attempt(&sealed, sampler, 64, 99), Err(CheckpointError::TooSmall));
    assert_eq!(attempt(&sealed, sampler, 32, 100), Err(CheckpointError::OtherPrecision));
    assert_eq!(attempt(&sealed, Kind::Network, 64, 100), Err(CheckpointError::OtherKind));
    for length in 0..148 {
        assert_eq!(
            attempt(&sealed[..length], sampler, 64, 100),
            Err(CheckpointError::Truncated),
            "{length} bytes"
        );
    }
    // Every flipped bit is found; which error it is depends on where it lies.
    for k in 0..148 * 8 {
        let mut changed = sealed.clone();
        changed[k / 8] ^= 1 << (k % 8);
        let error = attempt(&changed, sampler, 64, 100).expect_err("a flipped bit");
        match k / 8 {
            0..8 => assert_eq!(error, CheckpointError::NotACheckpoint),
            8..12 => assert_eq!(error, CheckpointError::OtherVersion),
            // The length, and what it cuts off.
            32..40 => {
                assert!(matches!(error, CheckpointError::Truncated | CheckpointError::Corrupt));
            }
            _ => assert_eq!(error, CheckpointError::Corrupt, "byte {}", k / 8),
        }
    }
    let mut swapped = sealed.clone();
    swapped[24..28].reverse();
    assert_eq!(attempt(&swapped, sampler, 64, 100), Err(CheckpointError::ByteOrder));
    assert_eq!(state_size(b"not a checkpoint"), Err(CheckpointError::Truncated));
    assert_eq!(state_size(&[b'x'; 60]), Err(CheckpointError::NotACheckpoint));
}

#[test]
fn moments_are_those_of_the_draws() {
    let raw = Raw::<f32>::new(3);
    for problem in raw.problems() {
        let options =
            SamplerOptions { stored: 500, draws: 500, ..options::<f32>(Method::SplitHmc) };
        let mut memory = Aligned::new(Sampler::size(&options, &problem).unwrap());
        let mut sampler = Sampler::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
        while sampler.step(&problem, 3333).unwrap() == Progress::Running {
            if sampler.position().draws == 0 {
                continue;
            }
            // In the middle of a run too: a block that is ahead has one draw more.
            let count = sampler.moments(0, Column::Energy).unwrap().count;
            assert!(count == sampler.position().draws || count == sampler.position().draws + 1);
        }
        let columns =
            [Column::Weight(0), Column::Weight(2), Column::LogDensity, Column::Acceptance];
        for column in columns {
            for chain in 0..9 {
                let draws = sampler.draws(column).unwrap();
                let x: Vec<f64> = (0..500).map(|t| draws.at(chain, t) as f64).collect();
                let mean = x.iter().sum::<f64>() / 500.0;
                let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 499.0;
                let m = sampler.moments(chain, column).unwrap();
                assert_eq!(m.count, 500);
                let sd = variance.sqrt();
                assert!((m.mean as f64 - mean).abs() < 1e-6 * (sd + mean.abs()), "{column:?}");
                assert!((m.variance as f64 / variance - 1.0).abs() < 1e-5, "{column:?}");
            }
        }
        assert!(sampler.draws(Column::Weight(sampler.dim())).is_none());
        assert!(sampler.moments(9, Column::Energy).is_none());
        assert!(sampler.step_size(9).is_none());
    }
}

/// The stored draws are every second, third, ... of those of a run that stores all, whatever is
/// stored; without any the moments are the same.
#[test]
fn thinning_is_even() {
    every::<f64>(|options, problem| {
        let with = |stored, f: &dyn Fn(&Sampler<'_, f64>)| {
            let o = SamplerOptions { stored, ..*options };
            let mut memory = Aligned::new(Sampler::size(&o, problem).unwrap());
            let mut sampler = Sampler::init(memory.bytes(), &o, Isa::detect(), problem).unwrap();
            sampler.step(problem, u64::MAX).unwrap();
            f(&sampler);
        };
        with(30, &|all| {
            let full = all.draws(Column::LogDensity).unwrap();
            with(10, &|tenth| {
                let thin = tenth.draws(Column::LogDensity).unwrap();
                for (c, t) in (0..9).flat_map(|c| (0..10).map(move |t| (c, t))) {
                    assert_eq!(thin.at(c, t).to_bits(), full.at(c, 3 * t + 2).to_bits());
                }
                assert_eq!(all.moments(3, Column::Energy), tenth.moments(3, Column::Energy));
            });
            with(0, &|none| {
                assert!(none.draws(Column::LogDensity).is_none() && none.record().is_empty());
                assert_eq!(all.moments(1, Column::Weight(0)), none.moments(1, Column::Weight(0)));
            });
        });
    });
}

/// The log density is that of a direct evaluation.
#[test]
fn log_density_is_likelihood_times_prior() {
    every::<f64>(|options, problem| {
        let mut memory = Aligned::new(Sampler::size(options, problem).unwrap());
        let mut sampler = Sampler::init(memory.bytes(), options, Isa::detect(), problem).unwrap();
        sampler.step(problem, u64::MAX).unwrap();
        let raw = Raw::<f64>::new(2);
        let draws = |j| sampler.draws(j).unwrap();
        for (c, t) in [(0, 0), (4, 11), (2, 5)] {
            let w: Vec<f64> =
                (0..sampler.dim()).map(|j| draws(Column::Weight(j)).at(c, t)).collect();
            let psi = |w: &[f64], x: &[f64]| (w[0] * x[0] + w[1] * x[1]).tanh();
            let rows = raw.x.chunks_exact(2).zip(&raw.y);
            let likelihood: f64 = match w.len() {
                2 => rows.map(|(x, r)| 0.8 * r * psi(&w, x)).sum(),
                _ => rows
                    .map(|(x, y)| {
                        let f = psi(&w[0..2], x) - psi(&w[2..4], x) + psi(&w[4..6], x);
                        -0.5 * (y - 2.0 / 3.0 * f).powi(2)
                    })
                    .sum(),
            };
            let prior = match problem.prior() {
                Prior::Gaussian { sd } => {
                    let squares: f64 = w.iter().map(|w| w * w).sum();
                    let scale = (2.0 * std::f64::consts::PI * sd * sd).ln();
                    -squares / (2.0 * sd * sd) - 0.5 * w.len() as f64 * scale
                }
                // Area 2 R^2 of the square |w_1| + |w_2| <= R.
                Prior::L1Ball { radius } => -(2.0 * radius * radius).ln() * w.len() as f64 / 2.0,
            };
            let found = draws(Column::LogDensity).at(c, t);
            assert!((found - (likelihood + prior)).abs() < 1e-11 * (1.0 + found.abs()));
        }
    });
}

#[test]
fn options_out_of_range_are_refused() {
    let raw = Raw::<f64>::new(2);
    let problem = raw.problems()[0];
    let base = options::<f64>(Method::SplitHmc);
    let o = |f: &dyn Fn(&mut SamplerOptions<f64>)| {
        let mut options = base;
        f(&mut options);
        Sampler::size(&options, &problem).err()
    };
    assert_eq!(o(&|_| ()), None);
    assert_eq!(o(&|o| o.chains = 0), Some(SamplerError::Chains));
    assert_eq!(o(&|o| o.lanes = 2), Some(SamplerError::Lanes));
    assert_eq!(o(&|o| o.draws = 0), Some(SamplerError::Draws));
    assert_eq!(o(&|o| o.warmup = u32::MAX), Some(SamplerError::Draws));
    assert_eq!(o(&|o| o.stored = 31), Some(SamplerError::Stored));
    for bad in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(o(&|o| o.target_accept = bad), Some(SamplerError::TargetAccept));
        assert!(bad == 1.0 || o(&|o| o.total_time = bad) == Some(SamplerError::TotalTime));
        assert!(bad == 1.0 || o(&|o| o.langevin_step = bad) == Some(SamplerError::LangevinStep));
        assert!(bad == 0.0 || o(&|o| o.jitter = bad) == Some(SamplerError::Jitter));
        let short = o(&|o| o.short_steps = bad);
        assert!(bad == 0.0 || short == Some(SamplerError::ShortSteps));
    }
    assert_eq!(o(&|o| o.leapfrogs = 0), Some(SamplerError::Leapfrogs));
    assert_eq!(o(&|o| o.inner = 0), Some(SamplerError::Inner));
    for levels in [0, u32::MAX / 2, u32::MAX] {
        assert_eq!(o(&|o| o.levels = levels), Some(SamplerError::Levels));
    }
    for time in [0.0, -1.0, 4.1, f64::NAN, f64::INFINITY] {
        assert_eq!(o(&|o| o.diffusion_time = time), Some(SamplerError::DiffusionTime));
    }
    for inner in [Method::CoupledGibbs, Method::ReverseDiffusion, Method::Langevin] {
        assert_eq!(o(&|o| o.inner_method = inner.into()), Some(SamplerError::InnerMethod));
    }
    for ball in Method::ALL.into_iter().filter(|m| m.needs_ball()) {
        assert_eq!(o(&|o| o.method = ball.into()), Some(SamplerError::NeedsBall));
        let inside = |o: &mut SamplerOptions<f64>| {
            (o.method, o.inner_method) = (Method::CoupledGibbs.into(), ball.into());
        };
        assert_eq!(o(&inside), Some(SamplerError::NeedsBall));
        let fitted = |o: &mut SamplerOptions<f64>| {
            (o.method, o.reference) = (ball.into(), Reference::Gaussian.into());
        };
        assert_eq!(o(&fitted), Some(SamplerError::Reference));
    }
    let huge = |o: &mut SamplerOptions<f64>| {
        (o.chains, o.draws, o.stored) = (u32::MAX - 8, u32::MAX - 20, u32::MAX - 20);
    };
    assert_eq!(o(&huge), Some(SamplerError::Memory(WorkspaceError::Overflow)));
    for method in Method::ALL {
        assert_eq!(Method::from_name(method.name()), Some(method));
        assert_eq!(Method::from_code(method as i32), Some(method));
    }
    assert_eq!(Method::from_name("nuts"), None);
    assert_eq!(Method::from_code(-1), None);
}

#[test]
fn problems_out_of_range_are_refused() {
    let raw = Raw::<f64>::new(2);
    let prior = Prior::Gaussian { sd: 1.0 };
    let bad = [0.0, -1.0, f64::NAN, f64::INFINITY];
    let joint = |m, v, b| {
        Problem::joint(raw.data(), Activation::Tanh, prior, m, v, b, Signs::Positive).err()
    };
    for x in bad {
        let greedy = Problem::greedy(raw.data(), Activation::Tanh, prior, x);
        assert_eq!(greedy.err(), Some(ProblemError::Alpha));
        assert_eq!(joint(2, x, 1.0), Some(ProblemError::Outer));
        assert_eq!(joint(2, 1.0, x), Some(ProblemError::Beta));
        let wide = Prior::Gaussian { sd: x };
        let greedy = Problem::greedy(raw.data(), Activation::Tanh, wide, 1.0);
        assert_eq!(greedy.err(), Some(ProblemError::Prior(PriorError::Sd)));
        let ball = Prior::L1Ball { radius: x };
        let greedy = Problem::greedy(raw.data(), Activation::Tanh, ball, 1.0);
        assert_eq!(greedy.err(), Some(ProblemError::Prior(PriorError::Radius)));
    }
    assert_eq!(joint(0, 1.0, 1.0), Some(ProblemError::Neurons));
    assert_eq!(joint(usize::MAX, 1.0, 1.0), Some(ProblemError::Neurons));
}

/// psi = max(z, 0)^2/2, x = r = 1, alpha = 1/2: Z is finite exactly for sd^2 < 2.
#[test]
fn improper_posteriors_are_refused() {
    let (x, y) = ([1.0], [1.0]);
    let data = Dataset::new(Inputs::row_major(&x, 1, 1).unwrap(), &y).unwrap();
    for (variance, proper) in [(0.5, true), (1.9, true), (1.9999, true), (2.0, false), (3.0, false)]
    {
        let prior = Prior::Gaussian { sd: f64::sqrt(variance) };
        let problem = Problem::greedy(data, Activation::SquaredRelu, prior, 0.5).unwrap();
        let options = options::<f64>(Method::SplitHmc);
        let mut memory = Aligned::new(Sampler::size(&options, &problem).unwrap());
        let made = Sampler::init(memory.bytes(), &options, Isa::detect(), &problem);
        let expected = (!proper).then_some(SamplerError::Problem(ProblemError::Improper));
        assert_eq!(made.err(), expected, "variance {variance}");
        assert_eq!(problem.check_proper(&mut []), Err(ProblemError::ScratchTooShort));
    }
    // In three dimensions: lambda_max of X'X by its definition, on both sides of the limit.
    let x = [1.0, 2.0, 0.5, -1.0, 0.3, 0.8, 0.2, 0.2, -1.5, 0.7, 0.1, 0.4];
    let y = [1.0, 0.5, 2.0, -3.0];
    let data = Dataset::new(Inputs::row_major(&x, 4, 3).unwrap(), &y).unwrap();
    let mut v = [1.0, 1.0, 1.0];
    let mut largest = 0.0;
    for _ in 0..200 {
        let mut next = [0.0; 3];
        for (x, r) in x.chunks_exact(3).zip(y) {
            let dot: f64 = x.iter().zip(v).map(|(x, v)| x * v).sum();
            x.iter().zip(&mut next).for_each(|(x, n)| *n += f64::max(r, 0.0) * dot * x);
        }
        largest = next.iter().map(|n| n * n).sum::<f64>().sqrt();
        v = next.map(|n| n / largest);
    }
    for (factor, proper) in [(0.999, true), (1.001, false)] {
        let prior = Prior::Gaussian { sd: 1.0 };
        let alpha = factor / largest;
        let problem = Problem::greedy(data, Activation::SquaredRelu, prior, alpha).unwrap();
        let mut scratch = vec![0.0; problem.proper_scratch().unwrap()];
        assert_eq!(problem.check_proper(&mut scratch).is_ok(), proper);
    }
}

#[test]
fn other_problems_are_refused() {
    let raw = Raw::<f64>::new(2);
    let problems = raw.problems();
    let options = options::<f64>(Method::CoupledGibbs);
    let mut memory = Aligned::new(Sampler::size(&options, &problems[1]).unwrap());
    let mut sampler = Sampler::init(memory.bytes(), &options, Isa::detect(), &problems[1]).unwrap();
    for (k, other) in problems.iter().enumerate() {
        let expected = if k == 1 { Ok(Progress::Running) } else { Err(SamplerError::OtherProblem) };
        assert_eq!(sampler.step(other, 1), expected);
    }
    let mut changed = Raw::<f64>::new(2);
    changed.y[7] += 1e-9;
    assert_eq!(sampler.step(&changed.problems()[1], 1), Err(SamplerError::OtherProblem));
    assert_eq!(sampler.step(&problems[1], 1), Ok(Progress::Running));

    // Memory that holds something else, or the other precision.
    let refused = |memory: &mut [u8]| Sampler::<f64>::open(memory, Isa::detect()).err();
    assert!(matches!(refused(Aligned::new(64).bytes()), Some(SamplerError::Memory(_))));
    assert_eq!(refused(Aligned::new(4096).bytes()), Some(SamplerError::NotASampler));
    let single = Sampler::<f32>::open(memory.bytes(), Isa::detect()).err();
    assert_eq!(single, Some(SamplerError::NotASampler));
    let size = memory.bytes().len();
    let short = &mut memory.bytes()[..size - 16];
    assert_eq!(refused(short), Some(SamplerError::Memory(WorkspaceError::TooSmall)));

    // No bound on the residual of softplus under a Gaussian prior: no joint coupling.
    let prior = Prior::Gaussian { sd: 1.0 };
    let (data, signs) = (raw.data(), Signs::Alternating);
    let unbounded = Problem::joint(data, Activation::Softplus, prior, 2, 1.0, 1.0, signs).unwrap();
    let options = SamplerOptions { coupling: Sides::TwoSided.into(), ..options };
    let mut memory = Aligned::new(Sampler::size(&options, &unbounded).unwrap());
    let made = Sampler::init(memory.bytes(), &options, Isa::detect(), &unbounded);
    assert_eq!(made.err(), Some(SamplerError::NoCoupling));
}
