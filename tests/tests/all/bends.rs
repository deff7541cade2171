//! Bananas: means that are curved by the square of another coordinate are straightened exactly, also one behind another.

use super::ends::{Law, run};
use super::uncentring;
use lcc_core::auto::Verdict;
use lcc_core::likelihood::{DensityCheck, LogDensity};
use lcc_core::problem::Problem;
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::uncentring::{FIELDS, Samples, Uncentred, Uncentring, learn, learning, room};
use lcc_tests::tools::runs;

const POINTS: usize = 256;

/// x_0 ~ N(0, 1), and each that `of` names behind it: x_i ~ N((x_of - centre)^2, sd^2).
struct Banana {
    of: Vec<usize>,
    centre: f64,
    sd: f64,
}

impl<T: Real> LogDensity<T> for Banana {
    fn evaluate(&self, x: &[T], gradient: Option<&mut [T]>) -> Option<T> {
        let x: Vec<f64> = x.iter().map(|x| x.to_f64()).collect();
        let mut g = vec![0.0; x.len()];
        g[0] = -x[0];
        let mut log = -0.5 * x[0] * x[0];
        for (i, of) in (1..).zip(&self.of) {
            let away = x[*of] - self.centre;
            let left = (x[i] - away * away) / self.sd;
            log -= 0.5 * left * left;
            g[i] -= left / self.sd;
            g[*of] += left / self.sd * 2.0 * away;
        }
        gradient.into_iter().flatten().zip(g).for_each(|(to, g)| *to = T::lit(g));
        Some(T::lit(log))
    }
}

/// The map that is learnt from points about 0, in the coordinates of another, and joined with it.
fn learnt(density: &dyn LogDensity<f64>, dim: usize, known: Option<Uncentring<f64>>) -> Vec<f64> {
    let mut stream = Stream::new(1, 0, Purpose::Start);
    let mut memory = vec![0.0; learning(dim, POINTS).unwrap()];
    let mut map = vec![0.0; FIELDS * dim];
    let mut samples = Samples::new(&mut memory, dim, POINTS).unwrap();
    for k in 0..POINTS {
        samples.point.iter_mut().for_each(|x| *x = 0.3 + 2.0 * stream.normal::<f64>());
        density.evaluate(samples.point, Some(samples.gradient)).unwrap();
        samples.put(k);
    }
    assert!(learn(&mut samples, known, true, &mut map) > 0.05);
    let numbers: Vec<f64> = known.iter().flat_map(Uncentring::numbers).collect();
    for (to, own) in map.chunks_mut(FIELDS).zip(numbers.chunks(FIELDS)) {
        if own[3] > 0.0 {
            to.copy_from_slice(own);
        }
    }
    map
}

/// Checks that all but the first are standard normal wherever they are, and that gradients are slopes.
fn straight(density: &Banana, map: Uncentring<f64>) {
    let dim = density.of.len() + 1;
    assert_eq!(map.count(), dim - 1);
    let mut memory = vec![0.0; room(dim, 1).unwrap()];
    let straight = Uncentred::new(density, map, &mut memory);
    let mut stream = Stream::new(2, 0, Purpose::Start);
    let mut check = DensityCheck::new();
    for _ in 0..50 {
        let mut z: Vec<f64> = (0..dim).map(|_| 2.0 * stream.normal::<f64>()).collect();
        let mut gradient = vec![0.0; dim];
        straight.evaluate(&z, Some(&mut gradient)).unwrap();
        z.iter().zip(&gradient).for_each(|(z, g)| assert!((z + g).abs() < 1e-6, "{z} {g}"));
        let mut x = z.clone();
        map.leave(&mut x, 1, 0);
        for i in 0..dim {
            assert!((map.own(i, |k| x[k]) - z[i]).abs() < 1e-8, "{i}");
        }
        map.enter(&mut x);
        x.iter().zip(&z).for_each(|(x, z)| assert!((x - z).abs() < 1e-8, "{x} {z}"));
        check.add(&straight, &mut z, &mut vec![0.0; dim]);
    }
    assert!(check.wrong == 0 && check.outside == 0, "{check:?}");
}

#[test]
fn bananas_are_straight_from_points_anywhere() {
    for (centre, sd) in [(0.0, 0.5), (2.0, 0.5), (-1.0, 0.02)] {
        let density = Banana { of: vec![0, 0, 0], centre, sd };
        straight(&density, Uncentring::new(&learnt(&density, 4, None)));
    }
    // One behind another: the last first, and what it hung on in its coordinates.
    let density = Banana { of: vec![0, 1], centre: 0.5, sd: 0.5 };
    let first = learnt(&density, 3, None);
    let first = Uncentring::new(&first);
    assert_eq!(first.count(), 1);
    let mut memory = vec![0.0; room(3, 1).unwrap()];
    let second = learnt(&Uncentred::new(&density, first, &mut memory), 3, Some(first));
    straight(&density, Uncentring::new(&second));
}

/// What is no square, or next to straight over the points, is left alone.
#[test]
fn other_curves_are_left_alone() {
    let slight = Law(|x: &[f64], g: &mut [f64]| {
        let left = (x[1] - 0.02 * x[0] * x[0]) / 0.5;
        g.copy_from_slice(&[-x[0] + left / 0.5 * 0.04 * x[0], -left / 0.5]);
        -0.5 * (x[0] * x[0] + left * left)
    });
    let wave = Law(|x: &[f64], g: &mut [f64]| {
        let left = (x[1] - (3.0 * x[0]).sin()) / 0.5;
        g.copy_from_slice(&[-x[0] + left / 0.5 * 3.0 * (3.0 * x[0]).cos(), -left / 0.5]);
        -0.5 * (x[0] * x[0] + left * left)
    });
    for density in [&slight as &dyn LogDensity<f64>, &wave] {
        let mut stream = Stream::new(1, 0, Purpose::Start);
        let mut memory = vec![0.0; learning(2, POINTS).unwrap()];
        let mut map = vec![0.0; 2 * FIELDS];
        let mut samples = Samples::new(&mut memory, 2, POINTS).unwrap();
        for k in 0..POINTS {
            samples.point.iter_mut().for_each(|x| *x = stream.normal());
            density.evaluate(samples.point, Some(samples.gradient)).unwrap();
            samples.put(k);
        }
        let varies = learn(&mut samples, None, true, &mut map);
        assert_eq!((varies, Uncentring::new(&map).count()), (0.0, 0));
    }
}

/// Some half to three million gradients before, and a chain of two was calmly wrong.
#[test]
fn bananas_are_right_and_calm() {
    // Means and sds: E (x - c)^2 = 1 + c^2, var = 2 + 4 c^2 for standard normal x.
    let wide = (Banana { of: vec![0; 4], centre: 0.0, sd: 0.5 }, vec![[1.0, 2.25_f64.sqrt()]; 4]);
    let thin = (Banana { of: vec![0], centre: 2.0, sd: 0.1 }, vec![[5.0, 18.01_f64.sqrt()]]);
    // Of y = x^2 + e the second and fourth moments are 3 + s^2 and 105 + 6 * 15 s^2 / 5 + 3 s^4.
    let fourth: f64 = 105.0 + 18.0 * 0.25 + 3.0 * 0.0625;
    let chain = (
        Banana { of: vec![0, 1], centre: 0.0, sd: 0.5 },
        vec![[1.0, 1.5], [3.25, (0.25 + fourth - 3.25 * 3.25).sqrt()]],
    );
    for (density, exact) in [wide, thin, chain] {
        let dim = exact.len() + 1;
        for seed in 1..=runs(2, 8) {
            let (report, draws, means, evaluations) = run(&density, &vec![0.1; dim], dim, seed);
            assert_eq!(report.verdict, Verdict::Mixed, "{report}");
            assert_eq!(report.uncentred as usize, dim - 1);
            assert!(evaluations < 200_000, "{evaluations}");
            for (j, [mean, sd]) in (1..).zip(&exact) {
                let [m, e] = means[j];
                assert!(((m - mean) / e).abs() < 4.5, "{j} {seed}: {m} +- {e} for {mean}");
                let left = |x: &f64| (x - mean) * (x - mean);
                let own = draws[j].iter().map(left).sum::<f64>() / draws[j].len() as f64;
                // The last has a kurtosis of hundreds.
                let within = if j == 2 && dim == 3 { 0.4 } else { 0.2 };
                assert!((own.sqrt() / sd - 1.0).abs() < within, "{j} {seed}: {own} for {sd}");
            }
        }
    }
}

#[test]
fn single_precision_straightens_too() {
    let density = Banana { of: vec![0, 1], centre: 0.0, sd: 0.5 };
    let problem = Problem::<f32>::user(&density, 3, 1.0, true).unwrap();
    for seed in 1..=runs(1, 8) {
        let ran = uncentring::run(&problem, (seed, u64::MAX), 1);
        let [mean, variance, error] = ran.average;
        assert!(ran.verdict == Verdict::Mixed && ran.uncentred == 2, "{}", ran.text);
        assert!(((mean - 1.0) / error).abs() < 4.5 && (variance.sqrt() / 1.5 - 1.0).abs() < 0.2);
        assert!(ran.evaluations < 200_000, "{}", ran.evaluations);
    }
}
