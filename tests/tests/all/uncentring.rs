//! Hierarchies as people write them down: the map that is learnt for them, and `auto` in its coordinates. Right against
//! quadrature and closed forms, in units of the Monte Carlo standard error.

use lcc_core::auto::{Auto, AutoOptions, Progress, Verdict};
use lcc_core::column::Column;
use lcc_core::likelihood::{DensityCheck, LogDensity};
use lcc_core::problem::Problem;
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::uncentring::{
    FIELDS, Samples, Uncentred, Uncentring, deepen, learn, learning, refine, room,
};
use lcc_core::{sampler, smc, warmup};
use lcc_tests::numeric::normal;
use lcc_tests::posteriors::Aligned;
use lcc_tests::tools::{by_turns, runs};

const POINTS: usize = 256;

/// Groups about means of their own: y_j ~ N(theta_j, s_j^2), theta_j ~ N(mu, tau^2), mu ~ N(0, 10^2), tau half normal.
/// x = (mu, log tau, theta): towards tau = 0 the density grows without end, and there is no mass.
struct Groups(Vec<[f64; 2]>);

impl Groups {
    /// y_j and s_j: of one to twenty observations each, of variance .64.
    fn new(count: usize, tau: f64) -> Self {
        let mut stream = Stream::new(count as u64, 0, Purpose::Start);
        let own = |j: usize| {
            let s = 0.8 / (1.0 + (j * 7 % 20) as f64).sqrt();
            [1.3 + (tau * tau + s * s).sqrt() * normal(&mut stream), s]
        };
        Self((0..count).map(own).collect())
    }

    /// Mean and sd of log tau, by quadrature: given it mu and theta are Gaussian.
    fn exact(&self) -> [f64; 2] {
        let given = |log_tau: f64| {
            let variance = (2.0 * log_tau).exp();
            let own = || self.0.iter().map(|[y, s]| (y, 1.0 / (variance + s * s)));
            let precision = own().map(|(_, p)| p).sum::<f64>() + 0.01;
            let mean = own().map(|(y, p)| p * y).sum::<f64>() / precision;
            let log = log_tau - 0.5 * variance - 0.5 * precision.ln() - 0.005 * mean * mean;
            own().fold(log, |log, (y, p)| log + 0.5 * p.ln() - 0.5 * p * (y - mean).powi(2))
        };
        let nodes: Vec<f64> = (0..18_000).map(|i| -14.0 + 1e-3 * i as f64).collect();
        let top = nodes.iter().map(|t| given(*t)).fold(f64::MIN, f64::max);
        let mut sums = [0.0; 3];
        for t in nodes {
            let p = (given(t) - top).exp();
            sums.iter_mut().zip([p, p * t, p * t * t]).for_each(|(sum, f)| *sum += f);
        }
        let mean = sums[1] / sums[0];
        [mean, (sums[2] / sums[0] - mean * mean).sqrt()]
    }
}

impl<T: Real> LogDensity<T> for Groups {
    fn evaluate(&self, x: &[T], gradient: Option<&mut [T]>) -> Option<T> {
        let (mu, t) = (x[0].to_f64(), x[1].to_f64());
        let precision = (-2.0 * t).exp();
        let mut log = t - 0.5 * (2.0 * t).exp() - mu * mu / 200.0 - self.0.len() as f64 * t;
        let mut g = vec![-mu / 100.0, 1.0 - (2.0 * t).exp() - self.0.len() as f64];
        for ([y, s], theta) in self.0.iter().zip(&x[2..]) {
            let (left, apart) = ((y - theta.to_f64()) / s, theta.to_f64() - mu);
            log -= 0.5 * (left * left + apart * apart * precision);
            g.push(left / s - apart * precision);
            g[0] += apart * precision;
            g[1] += apart * apart * precision;
        }
        let to = gradient.into_iter().flatten();
        to.zip(g).for_each(|(to, g)| *to = T::lit(g));
        Some(T::lit(log))
    }
}

/// beta_j ~ N(0, (tau lambda_j)^2), log tau ~ N(0, 1), log lambda_j ~ N(0, 1), 1 ~ N(beta_j, 1): log tau, log
/// lambda, beta. A width that hangs on two coordinates.
struct Shrunk(usize);

impl LogDensity<f64> for Shrunk {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        let m = self.0;
        let (scales, beta) = x[1..].split_at(m);
        let mut g = vec![0.0; x.len()];
        let mut log = 0.0;
        for (g, x) in g.iter_mut().zip(x).take(m + 1) {
            *g = -x;
            log -= 0.5 * x * x;
        }
        for (j, (s, b)) in scales.iter().zip(beta).enumerate() {
            let z = b * b * (-2.0 * (x[0] + s)).exp();
            log -= 0.5 * z + x[0] + s + 0.5 * (b - 1.0).powi(2);
            g[0] += z - 1.0;
            g[1 + j] += z - 1.0;
            g[1 + m + j] = -b * (-2.0 * (x[0] + s)).exp() - (b - 1.0);
        }
        gradient.into_iter().for_each(|to| to.copy_from_slice(&g));
        Some(log)
    }
}

/// The map that is learnt from points which `draw` makes of normal numbers, and by how much widths vary.
fn learnt(
    density: &dyn LogDensity<f64>,
    dim: usize,
    draw: &dyn Fn(&mut dyn FnMut() -> f64) -> Vec<f64>,
) -> (Vec<f64>, f64) {
    let mut stream = Stream::new(1, 0, Purpose::Start);
    let mut memory = vec![0.0; learning(dim, POINTS).unwrap()];
    let mut map = vec![0.0; FIELDS * dim];
    let mut samples = Samples::new(&mut memory, dim, POINTS).unwrap();
    for k in 0..POINTS {
        samples.point.copy_from_slice(&draw(&mut || stream.normal()));
        density.evaluate(samples.point, Some(samples.gradient)).unwrap();
        samples.put(k);
    }
    let varies = learn(&mut samples, None, false, &mut map);
    for k in (0..POINTS).step_by(2) {
        deepen(&mut samples, Uncentring::new(&map), k, k as f64 / POINTS as f64);
        density.evaluate(samples.point, Some(samples.gradient)).unwrap();
        samples.put(k);
    }
    refine(&mut samples, &mut map);
    (map, varies)
}

/// Points in the mouth: the neck is not seen.
fn in_the_mouth(groups: &Groups) -> (Vec<f64>, f64) {
    let dim = groups.0.len() + 2;
    learnt(groups, dim, &|normal| {
        let (mu, t) = (1.0 + 0.5 * normal(), -0.3 + 0.3 * normal());
        let mut x = vec![mu, t];
        x.extend((2..dim).map(|_| mu + t.exp() * normal()));
        x
    })
}

#[test]
fn the_law_of_a_gaussian_level_is_found_to_the_last_digits() {
    let groups = Groups::new(8, 0.3);
    let (map, varies) = in_the_mouth(&groups);
    assert!(varies > 0.05, "{varies}");
    let map = Uncentring::new(&map);
    assert_eq!(map.count(), 8);
    let mut memory = vec![0.0; room(10, 1).unwrap()];
    let density = Uncentred::new(&groups, map, &mut memory);
    let mut stream = Stream::new(2, 0, Purpose::Start);
    for _ in 0..50 {
        // The neck too: sds from 2e-4 to 5. Given mu and tau each theta is standard normal in these coordinates.
        let mut z: Vec<f64> = (0..10).map(|_| stream.normal()).collect();
        z[1] *= 3.0;
        let mut gradient = vec![0.0; 10];
        density.evaluate(&z, Some(&mut gradient)).unwrap();
        for (z, g) in z.iter().zip(&gradient).skip(2) {
            assert!((z + g).abs() < 1e-5, "{z} {g}");
        }
        let mut x = z.clone();
        map.leave(&mut x, 1, 0);
        map.enter(&mut x);
        x.iter().zip(&z).for_each(|(x, z)| assert!((x - z).abs() < 1e-7, "{x} {z}"));
    }
}

#[test]
fn gradients_in_its_coordinates_are_slopes_and_lanes_have_the_same_bits() {
    let shrunk = Shrunk(5);
    let (map, varies) = learnt(&shrunk, 11, &|normal| {
        let mut x: Vec<f64> = (0..6).map(|_| 0.7 * normal()).collect();
        for j in 1..6 {
            x.push((x[0] + x[j]).exp() * normal());
        }
        x
    });
    let map = Uncentring::new(&map);
    assert!(varies > 0.3 && map.count() >= 4, "{varies} {}", map.count());
    let mut memory = vec![0.0; room(11, 1).unwrap()];
    let density = Uncentred::new(&shrunk, map, &mut memory);
    let mut stream = Stream::new(4, 0, Purpose::Start);
    let mut check = DensityCheck::new();
    for _ in 0..20 {
        let mut z: Vec<f64> = (0..11).map(|_| stream.normal()).collect();
        check.add(&density, &mut z, &mut [0.0; 11]);
    }
    assert!(check.wrong == 0 && check.outside == 0, "{check:?}");

    /// Answers several points at once, from those one by one.
    struct Many(Shrunk);
    impl LogDensity<f64> for Many {
        fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
            self.0.evaluate(x, gradient)
        }
        fn evaluate_many(&self, x: &[f64], g: Option<&mut [f64]>, values: &mut [f64]) -> bool {
            let lanes = values.len();
            let mut all = vec![0.0; x.len()];
            for (k, value) in values.iter_mut().enumerate() {
                let one: Vec<f64> = x.iter().skip(k).step_by(lanes).copied().collect();
                let mut own = vec![0.0; one.len()];
                *value = self.0.evaluate(&one, Some(&mut own)).unwrap();
                let to = all.iter_mut().skip(k).step_by(lanes);
                to.zip(own).for_each(|(to, g)| *to = g);
            }
            g.into_iter().for_each(|g| g.copy_from_slice(&all));
            true
        }
    }
    let many = Many(Shrunk(5));
    let mut wide = vec![0.0; room(11, 8).unwrap()];
    let lanes = Uncentred::new(&many, map, &mut wide);
    let z: Vec<f64> = (0..88).map(|_| stream.normal()).collect();
    let (mut values, mut gradients) = ([0.0; 8], vec![0.0; 88]);
    assert!(lanes.evaluate_many(&z, Some(&mut gradients), &mut values));
    for k in 0..8 {
        let one: Vec<f64> = z.iter().skip(k).step_by(8).copied().collect();
        let mut own = vec![0.0; 11];
        assert_eq!(density.evaluate(&one, Some(&mut own)), Some(values[k]));
        assert!(own.iter().eq(gradients.iter().skip(k).step_by(8)));
    }
}

/// A Gaussian and a logistic regression: nobody's width hangs on anything.
#[test]
fn what_is_no_hierarchy_is_left_alone() {
    struct Plain(bool);
    impl LogDensity<f64> for Plain {
        fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
            let (mut log, mut g) = (0.0, vec![0.0; x.len()]);
            for row in 0..40 {
                let at = |j: usize| ((row * (j + 3) * 7 + j) % 11) as f64 / 5.0 - 1.0;
                let f: f64 = x.iter().enumerate().map(|(j, x)| at(j) * x).sum();
                let y = (row % 3 == 0) as u8 as f64;
                let slope = if self.0 { y - 1.0 / (1.0 + (-f).exp()) } else { y - f };
                log += if self.0 { y * f - (1.0 + f.exp()).ln() } else { -0.5 * (y - f).powi(2) };
                g.iter_mut().enumerate().for_each(|(j, g)| *g += at(j) * slope);
            }
            for (g, x) in g.iter_mut().zip(x) {
                log -= 0.5 * x * x;
                *g -= x;
            }
            gradient.into_iter().for_each(|to| to.copy_from_slice(&g));
            Some(log)
        }
    }
    for logistic in [false, true] {
        let draw = |normal: &mut dyn FnMut() -> f64| (0..6).map(|_| 0.4 * normal()).collect();
        let (map, varies) = learnt(&Plain(logistic), 6, &draw);
        let count = Uncentring::new(&map).count();
        assert!(varies < 0.05, "{logistic}: {varies}, {count}");
    }
}

/// What a run came to.
pub(super) struct Ran {
    pub(super) verdict: Verdict,
    pub(super) uncentred: u32,
    pub(super) evaluations: u64,
    /// Mean, variance and standard error of the mean of a coordinate.
    pub(super) average: [f64; 3],
    pub(super) text: String,
    record: Vec<f64>,
}

pub(super) fn run<T: smc::Compiled + sampler::Compiled + warmup::Compiled>(
    problem: &Problem<'_, T>,
    (seed, budget): (u64, u64),
    coordinate: usize,
) -> Ran {
    let options = AutoOptions { seed, ..Default::default() };
    let mut memory = Aligned::new(Auto::size(&options, problem).unwrap());
    let mut auto = Auto::init(memory.bytes(), &options, Isa::Portable, problem).unwrap();
    let mut before = 0;
    while auto.step(problem, budget).unwrap() == Progress::Running {
        let at = auto.position().thousandths;
        assert!(at >= before, "{at} after {before}");
        before = at;
    }
    let mut scratch = vec![T::ZERO; auto.average_scratch().unwrap()];
    let shape = auto.recorded().unwrap();
    let record: Vec<T> = auto.record().to_vec();
    let stride = shape.columns * shape.chains;
    let draws = lcc_core::diagnostics::Draws::new(
        &record,
        shape.chains,
        shape.draws,
        coordinate * shape.chains,
        1,
        stride,
    );
    let average = auto.average(&draws.unwrap(), &mut scratch).unwrap();
    let own = auto.draws(Column::Weight(coordinate)).unwrap();
    assert!(own.at(1, 3).same(&draws.unwrap().at(1, 3)));
    let report = auto.report();
    Ran {
        verdict: report.verdict,
        uncentred: report.uncentred,
        evaluations: auto.position().evaluations,
        average: [average.mean, average.variance, average.standard_error].map(Real::to_f64),
        text: report.to_string(),
        record: record.into_iter().map(Real::to_f64).collect(),
    }
}

/// The sds of log tau are 1, .7, .6, .4, .17 and .17: necks with mass, and two with next to none, to which all ascents lead.
#[test]
fn centred_groups_are_right_and_calm() {
    let cases = [(8, 0.3), (12, 0.3), (60, 0.15), (30, 0.3), (40, 0.5), (85, 0.3)];
    for (count, tau) in by_turns(cases, 3, 0) {
        let groups = Groups::new(count, tau);
        let [mean, sd] = groups.exact();
        for seed in 1..=runs(2, 8) {
            let problem = Problem::<f64>::user(&groups, count + 2, 1.0, true).unwrap();
            let Ran { average: [m, v, e], verdict, evaluations, text, .. } =
                run(&problem, (seed, u64::MAX), 1);
            println!(
                "{count} {tau} {seed}: {evaluations} evaluations, {m} +- {e} for {mean}, {} for {sd}; {text}",
                v.sqrt()
            );
            assert_eq!(verdict, Verdict::Mixed);
            assert!(((m - mean) / e).abs() < 4.5 && (v.sqrt() / sd - 1.0).abs() < 0.2);
            // A few million before, where there is a neck.
            assert!(evaluations < 700_000);
        }
    }
}

#[test]
fn single_precision_starts_and_budgets() {
    let groups = Groups::new(8, 0.3);
    let [mean, sd] = groups.exact();
    let problem = Problem::<f32>::user(&groups, 10, 1.0, true).unwrap();
    let ran = run(&problem, (1, u64::MAX), 1);
    let [m, v, e] = ran.average;
    assert!(ran.verdict != Verdict::Unreliable, "{}", ran.text);
    assert!(((m - mean) / e).abs() < 4.5 && (v.sqrt() / sd - 1.0).abs() < 0.2, "{m} {e} {v}");
    let starts: Vec<f64> = (0..20).map(|k| if k % 10 == 1 { -0.5 } else { 0.8 }).collect();
    let problem = Problem::<f64>::user(&groups, 10, 1.0, true).unwrap().starting(&starts);
    let ran = run(&problem, (2, u64::MAX), 1);
    let [m, _, e] = ran.average;
    assert!(ran.verdict == Verdict::Mixed && ran.uncentred >= 8, "{}", ran.text);
    assert!(((m - mean) / e).abs() < 4.5, "{m} {e}");
    // However the budget is split.
    assert_eq!(run(&problem, (2, 97), 1).record, ran.record);
}

/// A flat prior for log tau: in floating point the neck has an end, where theta - mu is rounded, and chains come to it.
#[test]
fn a_neck_without_end_is_named() {
    struct Flat(Groups);
    impl LogDensity<f64> for Flat {
        fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
            // Less what the half normal prior of tau has.
            let mut own = vec![0.0; x.len()];
            let log = self.0.evaluate(x, Some(&mut own))?;
            own[1] += (2.0 * x[1]).exp() - 1.0;
            gradient.into_iter().for_each(|to| to.copy_from_slice(&own));
            Some(log + 0.5 * (2.0 * x[1]).exp() - x[1])
        }
    }
    let density = Flat(Groups::new(8, 0.0));
    for seed in 1..=runs(2, 8) {
        let problem = Problem::<f64>::user(&density, 10, 1.0, true).unwrap();
        let ran = run(&problem, (seed, u64::MAX), 1);
        assert_eq!(ran.verdict, Verdict::Unreliable);
        assert!(ran.text.contains("improper: along coordinate 1"), "{}", ran.text);
        assert!(ran.evaluations < 400_000, "{}", ran.evaluations);
    }
}
