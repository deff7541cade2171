//! Where densities end: edges of the support and long tails are transformed away, exactly, and what has no finite mass is named.

use lcc_core::auto::{Auto, AutoError, AutoOptions, Cause, Progress, Report, Verdict};
use lcc_core::diagnostics::Draws;
use lcc_core::likelihood::{DensityCheck, LogDensity};
use lcc_core::problem::Problem;
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_core::uncentring::{FIELDS, Uncentred, Uncentring, add_edge, add_tails, room};
use lcc_tests::posteriors::Aligned;
use lcc_tests::tools::runs;

/// A density as a function of x and of where its gradient goes.
pub(super) struct Law<F>(pub(super) F);

impl<F: Fn(&[f64], &mut [f64]) -> f64> LogDensity<f64> for Law<F> {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        let mut own = vec![0.0; x.len()];
        let value = (self.0)(x, &mut own);
        gradient.into_iter().for_each(|to| to.copy_from_slice(&own));
        value.is_finite().then_some(value)
    }
}

/// What a run says, its draws of each coordinate, and their means with errors.
pub(super) type Seen = (Report<f64>, Vec<Vec<f64>>, Vec<[f64; 2]>, u64);

pub(super) fn run(density: &dyn LogDensity<f64>, start: &[f64], dim: usize, seed: u64) -> Seen {
    let problem = Problem::user(density, dim, 1.0, true).unwrap();
    let problem = problem.starting(start);
    let options = AutoOptions { ess: 1000, seed, ..AutoOptions::default() };
    let mut memory = Aligned::new(Auto::<f64>::size(&options, &problem).unwrap());
    let mut auto = Auto::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
    assert_eq!(auto.step(&problem, u64::MAX), Ok(Progress::Done));
    let shape = auto.recorded().unwrap();
    let record = auto.record().to_vec();
    let mut scratch = vec![0.0; auto.average_scratch().unwrap()];
    let (mut draws, mut means) = (Vec::new(), Vec::new());
    for j in 0..dim {
        let (first, stride) = (j * shape.chains, shape.columns * shape.chains);
        let own = Draws::new(&record, shape.chains, shape.draws, first, 1, stride).unwrap();
        let all = (0..shape.draws).flat_map(|t| (0..shape.chains).map(move |c| own.at(c, t)));
        draws.push(all.collect());
        let average = auto.average(&own, &mut scratch).unwrap();
        means.push([average.mean, average.standard_error]);
    }
    (auto.report(), draws, means, auto.position().evaluations)
}

fn quantile(draws: &[f64], p: f64) -> f64 {
    let mut sorted = draws.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[(p * sorted.len() as f64) as usize]
}

#[test]
fn maps_come_back_and_gradients_are_slopes() {
    let mut map = vec![0.0; 4 * FIELDS];
    add_edge(&mut map, 0, false, -2.0);
    add_edge(&mut map, 1, true, 3.0);
    add_edge(&mut map, 2, false, -1.0);
    add_edge(&mut map, 2, true, 1.0);
    add_tails(&mut map, 3, 0.5, 2.0);
    let map = Uncentring::new(&map);
    assert_eq!((map.stretched(), map.count()), ([3, 1], 0));
    for y in [-30.0_f64, -3.0, -1e-3, 0.0, 0.7, 5.0, 30.0] {
        let mut x = [y; 4];
        let volume = map.leave(&mut x, 1, 0);
        assert!(x[0] > -2.0 && x[1] < 3.0 && x[2].abs() <= 1.0, "{x:?}");
        // The derivative by differences.
        let h = 1e-6;
        let mut logs = 0.0_f64;
        let [mut up, mut down] = [[y + h; 4], [y - h; 4]];
        map.leave(&mut up, 1, 0);
        map.leave(&mut down, 1, 0);
        for j in 0..4 {
            logs += ((up[j] - down[j]) / (2.0 * h)).ln();
        }
        if y.abs() < 4.0 {
            assert!((logs - volume).abs() < 1e-7, "{y}: {logs}, {volume}");
        }
        map.enter(&mut x);
        for (j, back) in x.iter().enumerate().filter(|(j, _)| y.abs() < 6.0 || *j == 3) {
            assert!((back - y).abs() < 1e-9 * (1.0 + y.abs()), "{j}: {y}, {back}");
        }
    }
    let law = Law(|x: &[f64], g: &mut [f64]| {
        g.copy_from_slice(&[-1.0, 1.0, 0.3, -2.0 * x[3] / (1.0 + x[3] * x[3])]);
        -x[0] + x[1] + 0.3 * x[2] - (1.0 + x[3] * x[3]).ln()
    });
    let mut memory = vec![0.0; room(4, 1).unwrap()];
    let own = Uncentred::new(&law, map, &mut memory);
    let mut stream = Stream::new(1, 0, Purpose::Start);
    let mut check = DensityCheck::new();
    for _ in 0..20 {
        let mut z: Vec<f64> = (0..4).map(|_| stream.normal()).collect();
        check.add(&own, &mut z, &mut [0.0; 4]);
    }
    assert_eq!((check.wrong, check.outside), (0, 0));
}

/// Half a Gaussian, an exponential, a box, a scale under a flat prior: right and calm at a tenth of what they took.
#[test]
fn edges_are_transformed_away() {
    let half = Law(|x: &[f64], g: &mut [f64]| {
        g.copy_from_slice(&[-x[0], -x[1]]);
        if x[0] < 0.0 { f64::NAN } else { -0.5 * (x[0] * x[0] + x[1] * x[1]) }
    });
    let exponential = Law(|x: &[f64], g: &mut [f64]| {
        g.fill(-1.0);
        if x.iter().any(|x| *x < 0.0) { f64::NEG_INFINITY } else { -x.iter().sum::<f64>() }
    });
    let flat = Law(|x: &[f64], _: &mut [f64]| {
        if x[0].abs() > 100.0 || !(0.0..=1.0).contains(&x[1]) { f64::NEG_INFINITY } else { 0.0 }
    });
    let root = (2.0 / std::f64::consts::PI).sqrt();
    type Case<'a> = (&'a dyn LogDensity<f64>, Vec<f64>, u32, Vec<[f64; 2]>);
    let cases: [Case<'_>; 3] = [
        (&half, vec![], 1, vec![[root, (1.0 - root * root).sqrt()], [0.0, 1.0]]),
        (&exponential, vec![1.0; 3], 3, vec![[1.0, 1.0]; 3]),
        (&flat, vec![0.0, 0.5], 2, vec![[0.0, 100.0 / 3f64.sqrt()], [0.5, 1.0 / 12f64.sqrt()]]),
    ];
    for (density, start, edges, exact) in cases {
        for seed in 1..=runs(2, 16) {
            let (report, draws, means, evaluations) = run(density, &start, exact.len(), seed);
            println!("{evaluations}: {report}");
            assert_eq!((report.verdict, report.stretched[0]), (Verdict::Mixed, edges), "{report}");
            assert!(evaluations < 120_000, "{evaluations}");
            for ((own, [mean, error]), [m, sd]) in draws.iter().zip(means).zip(&exact) {
                assert!((mean - m).abs() < 5.0 * error, "{mean} +- {error}, {m}");
                let square = own.iter().map(|x| (x - m).powi(2)).sum::<f64>() / own.len() as f64;
                assert!((square.sqrt() / sd - 1.0).abs() < 0.12, "{}, {sd}", square.sqrt());
            }
        }
    }
}

/// Five Cauchy laws: quantiles within five errors of what a thousand effective draws tell.
#[test]
fn long_tails_are_transformed_away() {
    let cauchy = Law(|x: &[f64], g: &mut [f64]| {
        g.iter_mut().zip(x).for_each(|(g, x)| *g = -2.0 * x / (1.0 + x * x));
        -x.iter().map(|x| (1.0 + x * x).ln()).sum::<f64>()
    });
    let student = Law(|x: &[f64], g: &mut [f64]| {
        g.iter_mut().zip(x).for_each(|(g, x)| *g = -6.0 * x / (5.0 + x * x));
        -3.0 * x.iter().map(|x| (1.0 + x * x / 5.0).ln()).sum::<f64>()
    });
    for seed in 1..=runs(2, 16) {
        let (report, draws, _, evaluations) = run(&cauchy, &[], 5, seed);
        println!("{evaluations}: {report}");
        assert_eq!((report.verdict, report.stretched), (Verdict::Mixed, [0, 5]), "{report}");
        assert!(evaluations < 120_000, "{evaluations}");
        for own in draws {
            let count = |p: f64, at: f64| {
                let share = own.iter().filter(|x| **x < at).count() as f64 / own.len() as f64;
                assert!((share - p).abs() < 5.0 * (p * (1.0 - p) / 1000.0).sqrt(), "{share}, {p}");
            };
            [(0.05, -6.313_751_515), (0.5, 0.0), (0.95, 6.313_751_515)]
                .into_iter()
                .for_each(|(p, at)| count(p, at));
            assert!(quantile(&own, 0.5).abs() < 0.3);
        }
        let (report, ..) = run(&student, &[], 4, seed);
        assert_eq!((report.verdict, report.stretched), (Verdict::Mixed, [0, 0]), "{report}");
    }
}

/// Named, with the coordinate, at the price of a short run; a proper law beside one is not.
#[test]
fn what_has_no_finite_mass_is_named() {
    let slow = Law(|x: &[f64], g: &mut [f64]| {
        g.copy_from_slice(&[-x[0], -x[1].signum() / (1.0 + x[1].abs())]);
        -0.5 * x[0] * x[0] - (1.0 + x[1].abs()).ln()
    });
    let angle = Law(|x: &[f64], g: &mut [f64]| {
        g.copy_from_slice(&[-x[0], -2.0 * x[1].sin()]);
        -0.5 * x[0] * x[0] + 2.0 * x[1].cos()
    });
    let power = |power: f64| {
        Law(move |x: &[f64], g: &mut [f64]| {
            let square = x.iter().map(|x| x * x).sum::<f64>();
            g.iter_mut().zip(x).for_each(|(g, x)| *g = -power * x / (1.0 + square));
            -0.5 * power * (1.0 + square).ln()
        })
    };
    let (improper, proper) = (power(3.0), power(3.5));
    let cases: [(&dyn LogDensity<f64>, usize, Option<usize>); 3] =
        [(&slow, 2, Some(1)), (&angle, 2, Some(1)), (&improper, 3, None)];
    for seed in 1..=runs(2, 16) {
        for (density, dim, coordinate) in cases {
            let (report, _, _, evaluations) = run(density, &[], dim, seed);
            println!("{evaluations}: {report}");
            let found = (report.verdict, report.cause, report.coordinate);
            assert_eq!(found, (Verdict::Unreliable, Cause::Improper, coordinate), "{report}");
            assert!(evaluations < 40_000, "{evaluations}");
        }
    }
    let (report, ..) = run(&proper, &[], 3, 1);
    println!("{report}");
    assert!(report.cause != Cause::Improper, "{report}");
}

/// Logits of three classes that no prior tells from all of them plus a number, and two intercepts of one mean; with a wide prior
/// on one of them each is proper.
#[test]
fn combinations_that_nothing_hangs_on_are_named() {
    let softmax = |sd: f64| {
        Law(move |x: &[f64], g: &mut [f64]| {
            let counts = [9.0, 4.0, 3.0];
            let most = x.iter().fold(f64::NEG_INFINITY, |most, x| most.max(*x));
            let sum = x.iter().map(|x| (x - most).exp()).sum::<f64>().ln() + most;
            let mut value = -0.5 * (x[0] / sd).powi(2);
            for ((g, x), k) in g.iter_mut().zip(x).zip(counts) {
                value += k * (x - sum);
                *g = k - 16.0 * (x - sum).exp();
            }
            g[0] -= x[0] / (sd * sd);
            value
        })
    };
    let intercepts = |sd: f64| {
        Law(move |x: &[f64], g: &mut [f64]| {
            let off = 3.0 * (x[0] + 2.0 * x[2] - 1.0);
            g.copy_from_slice(&[-3.0 * off - x[0] / (sd * sd), -x[1], -6.0 * off]);
            -0.5 * (off * off + x[1] * x[1] + (x[0] / sd).powi(2))
        })
    };
    for seed in 1..=runs(2, 16) {
        for sd in [f64::INFINITY, 1e3] {
            let (one, other) = (softmax(sd), intercepts(sd));
            for density in [&one as &dyn LogDensity<f64>, &other] {
                let (report, _, _, evaluations) = run(density, &[], 3, seed);
                println!("{evaluations}: {report}");
                assert_eq!(report.cause == Cause::Improper, sd.is_infinite(), "{report}");
                assert_eq!(report.coordinate.is_some(), sd.is_infinite(), "{report}");
                assert!(evaluations < 40_000 || sd.is_finite(), "{evaluations}");
            }
        }
    }
}

/// The negative of a log density, and one that lacks its bound: told at the start.
#[test]
fn densities_that_rise_without_end_are_refused() {
    let negative = Law(|x: &[f64], g: &mut [f64]| {
        g.copy_from_slice(x);
        0.5 * x.iter().map(|x| x * x).sum::<f64>()
    });
    let open = Law(|x: &[f64], g: &mut [f64]| {
        g.copy_from_slice(&[-x[0], 1.0]);
        x[1] - 0.5 * x[0] * x[0]
    });
    // Separated classes under a Cauchy prior gain by coefficients without end, and are proper.
    let separated = Law(|x: &[f64], g: &mut [f64]| {
        g.copy_from_slice(&[500.0 / (1.0 + x[0].exp()) - 2.0 * x[0] / (1.0 + x[0] * x[0])]);
        -500.0 * (-x[0]).exp().ln_1p() - (1.0 + x[0] * x[0]).ln()
    });
    let cases: [(&dyn LogDensity<f64>, usize, Option<usize>); 3] =
        [(&negative, 2, Some(0)), (&open, 2, Some(1)), (&separated, 1, None)];
    for (density, dim, along) in cases {
        let problem = Problem::user(density, dim, 1.0, true).unwrap();
        let options = AutoOptions::default();
        let mut memory = Aligned::new(Auto::<f64>::size(&options, &problem).unwrap());
        let mut auto = Auto::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
        let ended = auto.step(&problem, u64::MAX);
        let report = auto.report();
        println!("{report}");
        assert_eq!(ended.err(), along.map(|_| AutoError::Improper));
        assert_eq!(report.cause == Cause::Improper, along.is_some());
        assert!(along.is_none() || report.coordinate == along, "{report}");
    }
}

/// Modes of unlike widths, whose widths seem to hang on where they are, and correlated laws of scales so far apart that chains do
/// not arrive: doubted, but for what is so.
#[test]
fn hard_laws_are_not_called_improper() {
    let modes = Law(|x: &[f64], g: &mut [f64]| {
        let all = [
            (0.1, 1.0, -8.0),
            (0.3, 0.5, 3.0),
            (0.15, 2.0, 9.0),
            (0.25, 1.0, -2.0),
            (0.2, 0.7, 14.0),
        ];
        let logs = all.map(|(share, sd, at): (f64, f64, f64)| {
            let place = |k: usize| at * [1.0, -0.6, 0.3, 0.8][k];
            let square =
                x.iter().enumerate().map(|(k, x)| ((x - place(k)) / sd).powi(2)).sum::<f64>();
            share.ln() - 4.0 * sd.ln() - 0.5 * square
        });
        let most = logs.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let sum = logs.into_iter().map(|l| (l - most).exp()).sum::<f64>();
        g.fill(0.0);
        for (log, (_, sd, at)) in logs.into_iter().zip(all) {
            let weight = (log - most).exp() / sum;
            for (k, (g, x)) in g.iter_mut().zip(x).enumerate() {
                *g -= weight * (x - at * [1.0, -0.6, 0.3, 0.8][k]) / (sd * sd);
            }
        }
        most + sum.ln()
    });
    // Equal correlations of .9999, sds from 1e-6 to 1e6.
    let scales = Law(|x: &[f64], g: &mut [f64]| {
        let (d, r) = (x.len() as f64, 0.9999);
        let sd = |k: usize| 10f64.powf(12.0 * k as f64 / (d - 1.0) - 6.0);
        let (a, b) = (1.0 / (1.0 - r), -r / ((1.0 - r) * (1.0 - r + d * r)));
        let sum = x.iter().enumerate().map(|(k, x)| x / sd(k)).sum::<f64>();
        let mut value = 0.0;
        for (k, (g, x)) in g.iter_mut().zip(x).enumerate() {
            let slope = -(a * x / sd(k) + b * sum);
            value += 0.5 * slope * x / sd(k);
            *g = slope / sd(k);
        }
        value
    });
    let cases: [(&dyn LogDensity<f64>, usize); 2] = [(&modes, 4), (&scales, 12)];
    for (density, dim) in cases {
        let problem = Problem::user(density, dim, 1.0, true).unwrap();
        for seed in 1..=runs(3, 16) {
            let options = AutoOptions { max_gradients: 400_000, seed, ..AutoOptions::default() };
            let mut memory = Aligned::new(Auto::<f64>::size(&options, &problem).unwrap());
            let mut auto = Auto::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
            let ended = auto.step(&problem, u64::MAX);
            let report = auto.report();
            println!("{ended:?}: {report}");
            assert!(report.cause != Cause::Improper, "{report}");
        }
    }
}

/// An edge that is no coordinate plane is the cause that is named, if it is doubted at all.
#[test]
fn edges_that_are_no_planes_are_named() {
    let disk = Law(
        |x: &[f64], _: &mut [f64]| {
            if x[0] * x[0] + x[1] * x[1] > 1.0 { f64::NEG_INFINITY } else { 0.0 }
        },
    );
    let problem = Problem::user(&disk, 2, 1.0, true).unwrap();
    let options = AutoOptions { max_gradients: 300_000, ..AutoOptions::default() };
    let mut memory = Aligned::new(Auto::<f64>::size(&options, &problem).unwrap());
    let mut auto = Auto::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
    assert_eq!(auto.step(&problem, u64::MAX), Ok(Progress::Done));
    let report = auto.report();
    assert_eq!((report.verdict, report.cause), (Verdict::Unreliable, Cause::Edge), "{report}");
    for seed in 1..=runs(1, 8) {
        let (report, draws, ..) = run(&disk, &[], 2, seed);
        println!("{report}");
        let square = draws[0].iter().map(|x| x * x).sum::<f64>() / draws[0].len() as f64;
        assert!((square.sqrt() - 0.5).abs() < 0.05, "{square}");
        assert_eq!(report.stretched, [0, 0], "{report}");
        assert!(matches!(report.cause, Cause::None | Cause::Edge), "{report}");
    }
}
