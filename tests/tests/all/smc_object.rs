//! Sequential Monte Carlo as an object: memory, budgets, lanes, copies, checkpoints, golden bits.

use lcc_core::activation::Activation;
use lcc_core::checkpoint::{HEAD, Kind, checkpoint, restore, sealed_size};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::{LogDensity, Signs};
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::sampler::Reference;
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::smc::{Column, Compiled, Ladder, Progress, Smc, SmcError, SmcOptions};
use lcc_core::workspace::WorkspaceError;
use lcc_tests::posteriors::Aligned;

const ROWS: usize = 13;

/// Data without pattern: rows of two columns and a target, in [-1, 1].
struct Raw<T> {
    x: Vec<T>,
    y: Vec<T>,
}

impl<T: Real> Raw<T> {
    fn new() -> Self {
        let mut state = 54321_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            T::lit((state >> 40) as f64 / (1_u64 << 23) as f64 - 1.0)
        };
        let x = (0..ROWS * 2).map(|_| next()).collect();
        let y = (0..ROWS).map(|_| next()).collect();
        Self { x, y }
    }

    /// Both kinds of posterior under both priors.
    fn problems(&self) -> [Problem<'_, T>; 4] {
        let data = Dataset::new(Inputs::row_major(&self.x, ROWS, 2).unwrap(), &self.y).unwrap();
        let priors = [Prior::Gaussian { sd: T::lit(1.5) }, Prior::L1Ball { radius: T::lit(2.0) }];
        let greedy = |p| Problem::greedy(data, Activation::Tanh, p, T::lit(8.0)).unwrap();
        let joint = |p| {
            let (outer, beta, signs) = (T::lit(2.0), T::lit(3.0), Signs::Alternating);
            Problem::joint(data, Activation::Tanh, p, 3, outer, beta, signs).unwrap()
        };
        let [gaussian, l1] = priors;
        [greedy(gaussian), greedy(l1), joint(gaussian), joint(l1)]
    }
}

fn options<T: Real>() -> SmcOptions<T> {
    SmcOptions { particles: 40, lanes: 8, leapfrogs: 3, seed: 42, ..Default::default() }
}

const GIVEN: [f64; 4] = [0.125, 0.25, 0.625, 1.0];

/// Every kind of problem on every kind of ladder, about the prior and about fits.
fn every<T: Compiled>(f: impl Fn(&SmcOptions<T>, &Problem<'_, T>)) {
    every_about(Reference::Prior, &f);
    every_about(Reference::Gaussian, &f);
}

/// The same about one kind of reference.
fn every_about<T: Compiled>(reference: Reference, f: impl Fn(&SmcOptions<T>, &Problem<'_, T>)) {
    let ladders = [
        (Ladder::Adaptive, 30),
        (Ladder::Even, 3),
        (Ladder::Geometric, 4),
        (Ladder::Given, 4),
        (Ladder::Cooling, 60),
    ];
    let raw = Raw::<T>::new();
    for problem in raw.problems() {
        for (ladder, stages) in ladders {
            let first = T::lit(if ladder == Ladder::Cooling { 0.02 } else { 0.05 });
            let (ladder, reference, share) = (ladder.into(), reference.into(), T::lit(0.6));
            let own = SmcOptions { ladder, stages, share, first, reference, ..options() };
            f(&own, &problem);
        }
    }
}

fn init<'m, T: Compiled>(
    memory: &'m mut Aligned,
    options: &SmcOptions<T>,
    isa: Isa,
    problem: &Problem<'_, T>,
) -> Result<Smc<'m, T>, SmcError> {
    match options.ladder.value() {
        Ladder::Given => Smc::init_given(memory.bytes(), options, &GIVEN.map(T::lit), isa, problem),
        _ => Smc::init(memory.bytes(), options, isa, problem),
    }
}

/// The bits of everything a run leaves behind.
fn outcome<T: Compiled>(smc: &Smc<'_, T>) -> Vec<u64> {
    let evidence = smc.evidence().expect("done");
    let stages = (0..).map_while(|k| smc.stage(k));
    let stages = stages.flat_map(|s| [s.temperature, s.ess, s.acceptance, s.step]);
    let values = smc.record().iter().copied().chain(stages);
    let mut out: Vec<u64> = values
        .chain([evidence.log, evidence.standard_error])
        .map(|x| x.to_f64().to_bits())
        .collect();
    out.push(evidence.families);
    out.extend(smc.origins().iter().map(|o| *o as u64));
    out
}

/// Runs in memory of the exact size, with budgets from `budget` in turn.
fn whole<T: Compiled>(
    options: &SmcOptions<T>,
    problem: &Problem<'_, T>,
    isa: Isa,
    mut budget: impl FnMut() -> u64,
) -> Vec<u64> {
    let mut memory = Aligned::new(Smc::size(options, problem).unwrap());
    let mut smc = init(&mut memory, options, isa, problem).unwrap();
    while smc.step(problem, budget()).unwrap() == Progress::Running {}
    assert_eq!(smc.step(problem, 1), Ok(Progress::Done));
    outcome(&smc)
}

#[test]
fn budgets_change_no_bit() {
    every::<f64>(|options, problem| {
        let straight = whole(options, problem, Isa::detect(), || u64::MAX);
        assert_eq!(whole(options, problem, Isa::detect(), || 1), straight);
        let mut k = 0_u64;
        let uneven = || {
            k = (k * 7 + 3) % 1009;
            k * 3
        };
        assert_eq!(whole(options, problem, Isa::detect(), uneven), straight);
    });
}

#[test]
fn lanes_and_instruction_sets_change_no_bit() {
    fn check<T: Compiled>(options: &SmcOptions<T>, problem: &Problem<'_, T>) {
        let four = whole(options, problem, Isa::detect(), || u64::MAX);
        for lanes in [1, 8] {
            let options = SmcOptions { lanes, ..*options };
            for isa in Isa::all() {
                let found = whole(&options, problem, isa, || u64::MAX);
                assert_eq!(found, four, "{lanes} lanes, {}", isa.name());
            }
        }
    }
    every::<f64>(check);
    every::<f32>(check);
}

/// Stopped anywhere, moved or sealed, and gone on with.
#[test]
fn copies_and_checkpoints_go_on() {
    every::<f32>(|options, problem| {
        let straight = whole(options, problem, Isa::detect(), || u64::MAX);
        let size = Smc::size(options, problem).unwrap();
        for budget in [1, 300, 3000, 9000] {
            let mut first = Aligned::new(size);
            let mut smc = init(&mut first, options, Isa::detect(), problem).unwrap();
            assert_eq!(smc.step(problem, budget), Ok(Progress::Running));
            let mut second = Aligned::new(size);
            second.bytes().copy_from_slice(first.bytes());
            let mut sealed = vec![0; sealed_size(size).unwrap()];
            assert_eq!(checkpoint(first.bytes(), Kind::Smc, 32, &mut sealed), Ok(size + HEAD));
            first.bytes().fill(0xA5);
            let mut third = Aligned::new(size);
            assert_eq!(restore(&sealed, Kind::Smc, 32, third.bytes()), Ok(size));
            for memory in [&mut second, &mut third] {
                let mut smc = Smc::<f32>::open(memory.bytes(), Isa::Portable).unwrap();
                assert_eq!(smc.options(), options);
                while smc.step(problem, 777).unwrap() == Progress::Running {}
                assert_eq!(outcome(&smc), straight);
            }
        }
    });
}

/// What a run says of itself on the way, and the record against a direct evaluation.
#[test]
fn reports_are_those_of_the_run() {
    every::<f64>(|options, problem| {
        let mut memory = Aligned::new(Smc::size(options, problem).unwrap());
        let mut smc = init(&mut memory, options, Isa::detect(), problem).unwrap();
        assert_eq!(smc.step(problem, 0), Ok(Progress::Running));
        assert_eq!(smc.evaluations(), 0);
        let mut before = smc.position();
        assert_eq!((before.stages, before.temperature, before.done), (0, 0.0, false));
        while smc.step(problem, 200).unwrap() == Progress::Running {
            let now = smc.position();
            assert!(now.stages >= before.stages && now.temperature >= before.temperature);
            assert!(smc.record().is_empty() && smc.column(Column::LogDensity).is_none());
            assert_eq!(smc.evidence().is_some(), now.temperature == 1.0);
            before = now;
        }
        let position = smc.position();
        assert!(position.done && position.temperature == 1.0);
        let stages: Vec<_> = (0..).map_while(|k| smc.stage(k)).collect();
        assert_eq!(stages.len(), position.stages as usize);
        assert_eq!(smc.evaluations(), 1 + stages.len() as u64 * 2 * 3);
        let expected: Vec<f64> = match options.ladder.value() {
            Ladder::Adaptive => {
                let ess = options.share;
                assert!(stages.len() > 2);
                assert!(stages.is_sorted_by(|a, b| a.temperature < b.temperature));
                // Every step but the last one leaves the share wanted.
                for s in &stages[..stages.len() - 1] {
                    assert!(s.ess >= ess && s.ess < ess + 1e-3, "{s:?}");
                }
                stages.iter().map(|s| s.temperature).collect()
            }
            Ladder::Even => vec![1.0 / 3.0, 2.0 / 3.0, 1.0],
            Ladder::Geometric => (0..4).map(|k| 0.05_f64.powf((3 - k) as f64 / 3.0)).collect(),
            Ladder::Given => GIVEN.to_vec(),
            Ladder::Cooling => {
                let ess = options.share;
                assert!(stages.len() > 2 && stages[0].temperature == 0.0);
                assert!(stages.is_sorted_by(|a, b| a.temperature < b.temperature));
                // Every step leaves the share wanted, and is short of it where a quarter of the precision goes.
                for pair in stages[..stages.len() - 1].windows(2) {
                    let [before, now] = [pair[0], pair[1]];
                    let quarter = (1.0 - before.temperature + options.first.powi(2)) / 4.0;
                    let left = before.temperature + quarter - now.temperature;
                    assert!(now.ess >= ess && (now.ess < ess + 1e-3 || left.abs() < 1e-14));
                }
                stages.iter().map(|s| s.temperature).collect()
            }
            Ladder::Rows => unreachable!("smc_rows has its tests"),
        };
        for (s, expected) in stages.iter().zip(&expected) {
            assert!((s.temperature - expected).abs() < 1e-14);
            assert!(s.ess > 0.0 && s.ess <= 1.0 && s.acceptance > 0.3 && s.acceptance <= 1.0);
            assert!(s.step > 0.0 && s.step <= options.total_time / 3.0);
        }
        let column = |c| smc.column(c).unwrap();
        let prior = match problem.prior() {
            Prior::Gaussian { .. } => None,
            Prior::L1Ball { radius } => {
                Some(-(2.0 * radius * radius).ln() * smc.dim() as f64 / 2.0)
            }
        };
        let draws = smc.draws(Column::Weight(1)).unwrap();
        for i in 0..40 {
            assert_eq!(draws.at(i, 0), column(Column::Weight(1))[i]);
            let log_prior = column(Column::LogDensity)[i] - column(Column::LogLikelihood)[i];
            let expected = prior.unwrap_or_else(|| {
                let w = (0..smc.dim()).map(|j| column(Column::Weight(j))[i]);
                w.map(|w| -w * w / 4.5 - 1.5_f64.ln() - 0.5 * std::f64::consts::TAU.ln()).sum()
            });
            assert!((log_prior - expected).abs() < 1e-12 * (1.0 + expected.abs()));
        }
        assert!(smc.column(Column::Weight(smc.dim())).is_none());
        let evidence = smc.evidence().unwrap();
        assert!(evidence.families > 1 && evidence.families <= 40);
        let mut origins = smc.origins().to_vec();
        origins.sort();
        origins.dedup();
        assert!(origins.len() as u64 <= evidence.families);
    });
}

/// Particles that went into the coordinates of a fit and back carry the log likelihood of where they
/// are: nothing is evaluated again, and rounding does not add up.
#[test]
fn fits_leave_values_right() {
    fn check<T: Compiled>(tolerance: f64) {
        let raw = Raw::<T>::new();
        for problem in &raw.problems()[..2] {
            let options = SmcOptions::<T> {
                reference: Reference::Gaussian.into(),
                ladder: Ladder::Geometric.into(),
                stages: 40,
                first: T::lit(0.001),
                ..options()
            };
            let mut memory = Aligned::new(Smc::size(&options, problem).unwrap());
            let mut smc = init(&mut memory, &options, Isa::detect(), problem).unwrap();
            assert_eq!(smc.step(problem, u64::MAX), Ok(Progress::Done));
            let column = |c| smc.column(c).unwrap();
            let w = [0, 1].map(|j| column(Column::Weight(j)));
            for i in 0..40 {
                let rows = raw.x.chunks_exact(2).zip(&raw.y);
                let expected: f64 = rows
                    .map(|(x, y)| {
                        let u: f64 = (0..2).map(|j| x[j].to_f64() * w[j][i].to_f64()).sum();
                        8.0 * y.to_f64() * u.tanh()
                    })
                    .sum();
                let found = column(Column::LogLikelihood)[i].to_f64();
                let miss = (found - expected).abs() / (1.0 + expected.abs());
                assert!(miss < tolerance, "particle {i}: {found} {expected}");
            }
        }
    }
    check::<f64>(1e-13);
    check::<f32>(5e-5);
}

#[test]
fn what_is_out_of_range_is_refused() {
    let raw = Raw::<f64>::new();
    let problems = raw.problems();
    let problem = problems[0];
    let o = |f: &dyn Fn(&mut SmcOptions<f64>)| {
        let mut options = options::<f64>();
        f(&mut options);
        Smc::size(&options, &problem).err()
    };
    assert_eq!(o(&|_| ()), None);
    assert_eq!(o(&|o| o.lanes = 2), Some(SmcError::Lanes));
    assert_eq!(o(&|o| o.particles = 0), Some(SmcError::Particles));
    assert_eq!(o(&|o| o.particles = 42), Some(SmcError::Particles));
    assert_eq!(o(&|o| (o.particles, o.lanes) = (1, 1)), Some(SmcError::Particles));
    assert_eq!(o(&|o| o.moves = 0), Some(SmcError::Moves));
    assert_eq!(o(&|o| o.leapfrogs = 0), Some(SmcError::Leapfrogs));
    for reference in [Reference::StudentT, Reference::Mixture] {
        assert_eq!(o(&|o| o.reference = reference.into()), Some(SmcError::Reference));
    }
    assert_eq!(o(&|o| o.reference = Reference::Gaussian.into()), None);
    for bad in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(o(&|o| o.share = bad), Some(SmcError::Ladder));
        assert_eq!(o(&|o| o.target_accept = bad), Some(SmcError::TargetAccept));
        let geometric =
            |o: &mut SmcOptions<f64>| (o.ladder, o.first) = (Ladder::Geometric.into(), bad);
        assert!(bad == 1.0 || o(&geometric) == Some(SmcError::Ladder));
        assert!(bad == 1.0 || o(&|o| o.total_time = bad) == Some(SmcError::TotalTime));
        assert!(bad == 0.0 || o(&|o| o.jitter = bad) == Some(SmcError::Jitter));
    }
    assert_eq!(o(&|o| o.stages = 0), Some(SmcError::Ladder));
    let huge = |o: &mut SmcOptions<f64>| (o.ladder, o.stages) = (Ladder::Even.into(), u32::MAX);
    assert!(usize::BITS > 32 || o(&huge) == Some(SmcError::Memory(WorkspaceError::Overflow)));

    // Temperatures: as many as said, increasing, the last one 1.
    let given = SmcOptions { ladder: Ladder::Given.into(), stages: 3, ..options() };
    let mut memory = Aligned::new(Smc::size(&given, &problem).unwrap());
    let isa = Isa::detect();
    for (t, fine) in [
        (&[0.1, 0.5, 1.0][..], true),
        (&[0.5, 1.0], false),
        (&[0.5, 0.5, 1.0], false),
        (&[0.0, 0.5, 1.0], false),
        (&[0.1, 0.5, 0.9], false),
        (&[0.1, f64::NAN, 1.0], false),
        (&[0.1, 0.5, 1.1], false),
    ] {
        let made = Smc::init_given(memory.bytes(), &given, t, isa, &problem).err();
        assert_eq!(made, (!fine).then_some(SmcError::Temperatures), "{t:?}");
    }
    let made = Smc::init(memory.bytes(), &given, isa, &problem).err();
    assert_eq!(made, Some(SmcError::Temperatures));

    // A ladder that is too short, whenever it is asked.
    let short = SmcOptions { share: 0.9, stages: 2, ..options() };
    let mut memory = Aligned::new(Smc::size(&short, &problem).unwrap());
    let mut smc = Smc::init(memory.bytes(), &short, isa, &problem).unwrap();
    assert_eq!(smc.step(&problem, u64::MAX), Err(SmcError::Stages));
    assert_eq!(smc.step(&problem, 1), Err(SmcError::Stages));
    assert_eq!(smc.position().stages, 2);

    // Other problems, other memory.
    let mut smc = Smc::init(memory.bytes(), &short, isa, &problem).unwrap();
    for (k, other) in problems.iter().enumerate() {
        let expected = if k == 0 { Ok(Progress::Running) } else { Err(SmcError::OtherProblem) };
        assert_eq!(smc.step(other, 1), expected);
    }
    let single = Smc::<f32>::open(memory.bytes(), isa).err();
    assert_eq!(single, Some(SmcError::NotAnSmc));
    let size = memory.bytes().len();
    let refused = |memory: &mut [u8]| Smc::<f64>::open(memory, isa).err();
    let too_small = SmcError::Memory(WorkspaceError::TooSmall);
    assert_eq!(refused(&mut memory.bytes()[..size - 16]), Some(too_small));
    assert_eq!(refused(Aligned::new(4096).bytes()), Some(SmcError::NotAnSmc));
    let made = Smc::init(&mut memory.bytes()[..size - 1], &short, isa, &problem).err();
    assert_eq!(made, Some(too_small));
    let made = Smc::init(&mut memory.bytes()[1..], &short, isa, &problem).err();
    assert_eq!(made, Some(SmcError::Memory(WorkspaceError::Misaligned)));
}

/// N(0, 1) cut to x > 0, without its normaliser.
struct Half;

impl LogDensity<f64> for Half {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        if let Some(gradient) = gradient {
            gradient[0] = -x[0];
        }
        (x[0] > 0.0).then_some(-0.5 * x[0] * x[0])
    }
}

/// A density of the user's own: particles outside its support have weight 0.
#[test]
fn densities_of_the_user() {
    let problem = Problem::user(&Half, 1, 3.0, true).unwrap();
    let (mut logs, mut means) = (Vec::new(), Vec::new());
    for seed in 1..=30 {
        let options = SmcOptions::<f64> { seed, ..Default::default() };
        let mut memory = Aligned::new(Smc::size(&options, &problem).unwrap());
        let mut smc = Smc::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
        assert_eq!(smc.step(&problem, u64::MAX), Ok(Progress::Done));
        logs.push(smc.evidence().unwrap().log);
        let w = smc.column(Column::Weight(0)).unwrap();
        assert!(w.iter().all(|w| *w > 0.0));
        means.push(w.iter().sum::<f64>() / w.len() as f64);
    }
    let exact = [0.5 * std::f64::consts::FRAC_PI_2.ln(), std::f64::consts::FRAC_2_PI.sqrt()];
    for (values, exact) in [logs, means].iter().zip(exact) {
        let mean = values.iter().sum::<f64>() / 30.0;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 29.0;
        let error = (variance / 30.0).sqrt();
        assert!((mean - exact).abs() < 4.0 * error && error < 0.02, "{mean} {error} {exact}");
    }
    let without = Problem::user(&Half, 1, 3.0, false).unwrap();
    let options = SmcOptions::<f64>::default();
    assert_eq!(Smc::size(&options, &without).err(), Some(SmcError::NoGradient));
}

/// FNV-1a over the bits of every kind of run.
fn hash<T: Compiled>(reference: Reference) -> u64 {
    let hash = std::cell::Cell::new(0xCBF2_9CE4_8422_2325_u64);
    every_about::<T>(reference, |options, problem| {
        // Has a line of its own among the golden bits.
        if options.ladder == Ladder::Cooling {
            return;
        }
        for word in whole(options, problem, Isa::detect(), || u64::MAX) {
            for byte in word.to_le_bytes() {
                hash.set((hash.get() ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3));
            }
        }
    });
    hash.get()
}

/// The same bits on every machine, in every build. A change here is a change of the specification.
#[test]
fn golden_bits() {
    let found = [Reference::Prior, Reference::Gaussian].map(|r| (hash::<f64>(r), hash::<f32>(r)));
    println!("{found:#018x?}");
    assert_eq!(found, GOLDEN);
}

const GOLDEN: [(u64, u64); 2] = [
    (0x8DE6_E9AA_656C_1BFB, 0xC5E6_27E2_0CC9_B0CA),
    (0xEC2B_9E0A_7396_731B, 0x2FA0_9FF6_D6CF_2410),
];
