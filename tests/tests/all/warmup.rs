//! A density of the user's own, wherever it lies and however wide it is: the warm-up, and `auto` about what it
//! finds. Right against closed forms, in units of the Monte Carlo standard error, or warned.

use lcc_core::auto::{Auto, AutoOptions, Choice, Verdict};
use lcc_core::column::Column;
use lcc_core::likelihood::LogDensity;
use lcc_core::problem::Problem;
use lcc_core::reference::Affine;
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::warmup::{Progress, Warmup, WarmupError, WarmupOptions};
use lcc_core::{sampler, smc, warmup};
use lcc_tests::posteriors::Aligned;
use lcc_tests::tools::by_turns;

/// A density by a function of x that writes the gradient.
struct By<F>(F);

impl<T: Real, F: Fn(&[T], &mut [T]) -> T> LogDensity<T> for By<F> {
    fn evaluate(&self, x: &[T], gradient: Option<&mut [T]>) -> Option<T> {
        let mut spare = vec![T::ZERO; x.len()];
        let value = (self.0)(x, gradient.unwrap_or(&mut spare));
        value.is_finite().then_some(value)
    }
}

/// log N(b, A A') at x, A lower bidiagonal: a_ii = `scale`_i, a_(i, i-1) = .7 times that, b_i = `far` `scale`_i.
fn chain<T: Real>(scales: &[f64], far: f64, x: &[T], gradient: &mut [T]) -> T {
    let mut z = Vec::new();
    for (i, s) in scales.iter().enumerate() {
        let before = if i == 0 { T::ZERO } else { T::lit(0.7 * s) * z[i - 1] };
        z.push((x[i] - T::lit(far * s) - before) / T::lit(*s));
    }
    // g = -A'^-1 z, from the last on.
    let mut after = T::ZERO;
    for i in (0..z.len()).rev() {
        after = (-z[i]
            - if i + 1 < z.len() { T::lit(0.7 * scales[i + 1]) * after } else { T::ZERO })
            / T::lit(scales[i]);
        gradient[i] = after;
    }
    z.iter().fold(T::ZERO, |sum, z| sum - T::HALF * *z * *z)
}

/// The run's choice, verdict, and the mean, variance and standard error of the mean of each f(x).
struct Ran {
    choice: Choice,
    verdict: Verdict,
    text: String,
    evaluations: u64,
    averages: Vec<[f64; 3]>,
}

fn run<T: smc::Compiled + sampler::Compiled + warmup::Compiled>(
    density: &dyn LogDensity<T>,
    dim: usize,
    seed: u64,
    functions: &[&dyn Fn(&[f64]) -> f64],
) -> Ran {
    let problem = Problem::user(density, dim, T::ONE, true).expect("a problem");
    let options = AutoOptions { seed, ..Default::default() };
    let mut memory = Aligned::new(Auto::<T>::size(&options, &problem).expect("size"));
    let mut auto = Auto::init(memory.bytes(), &options, Isa::detect(), &problem).expect("init");
    assert_eq!(auto.step(&problem, u64::MAX), Ok(Progress::Done));
    let report = auto.report();
    let evaluations = auto.position().evaluations;
    let shape = auto.recorded().expect("draws");
    let columns: Vec<Vec<f64>> = (0..dim)
        .map(|j| {
            let view = auto.draws(Column::Weight(j)).expect("a column");
            let all = (0..shape.draws).flat_map(|t| (0..shape.chains).map(move |c| (c, t)));
            all.map(|(c, t)| view.at(c, t).to_f64()).collect()
        })
        .collect();
    let mut averages = Vec::new();
    for f in functions {
        let values: Vec<T> = (0..columns[0].len())
            .map(|i| T::lit(f(&columns.iter().map(|c| c[i]).collect::<Vec<_>>())))
            .collect();
        let view = lcc_core::diagnostics::Draws::new(
            &values,
            shape.chains,
            shape.draws,
            0,
            1,
            shape.chains,
        );
        let mut scratch = vec![T::ZERO; auto.average_scratch().unwrap()];
        let own = auto.average(&view.unwrap(), &mut scratch).expect("an average");
        averages.push([own.mean, own.variance, own.standard_error].map(Real::to_f64));
    }
    let (choice, verdict, text) = (report.choice, report.verdict, report.to_string());
    Ran { choice, verdict, text, evaluations, averages }
}

/// Scales from 1 to 1/`condition`, in every order of size.
fn scales(dim: usize, condition: f64) -> Vec<f64> {
    let place = |i: usize| ((7 * i) % dim) as f64 / (dim - 1) as f64;
    (0..dim).map(|i| condition.powf(-place(i))).collect()
}

#[test]
fn the_frame_is_the_law_wherever_it_is_and_however_narrow() {
    for (dim, condition, far) in [(2, 1.0, 0.0), (10, 1e6, 0.0), (10, 1e6, 1e6), (40, 1e3, 10.0)] {
        let scales = scales(dim, condition);
        let density = By(|x: &[f64], g: &mut [f64]| chain(&scales, far, x, g));
        let problem = Problem::user(&density, dim, 1.0, true).unwrap();
        let options = WarmupOptions::default();
        let mut memory = Aligned::new(Warmup::size(&options, &problem).unwrap());
        let mut warmup = Warmup::init(memory.bytes(), &options, Isa::Portable, &problem).unwrap();
        // Any splitting of the work.
        while warmup.step(&problem, 1 + 13 * dim as u64).unwrap() == Progress::Running {
            assert!(warmup.frame().is_none());
        }
        println!("{dim} {condition} {far}: {} evaluations", warmup.evaluations());
        let frame = Affine::new(warmup.frame().unwrap(), dim).unwrap();
        // A^-1 (m - b) and A^-1 L, column by column: 0 and a rotation.
        let whiten = |x: &[f64]| {
            let mut z: Vec<f64> = Vec::new();
            for (i, s) in scales.iter().enumerate() {
                z.push(x[i] / s - if i == 0 { 0.0 } else { 0.7 * z[i - 1] });
            }
            z
        };
        let centre: Vec<f64> = frame.mean().iter().zip(&scales).map(|(m, s)| m - far * s).collect();
        // The second half of a round is 192 draws or more of chains that hardly resemble each other.
        let error = 1.0 / 192_f64.sqrt();
        for z in whiten(&centre) {
            assert!(z.abs() < 5.0 * error, "mean off by {z}");
        }
        let mut squares = vec![0.0; dim];
        for j in 0..dim {
            let unit: Vec<f64> = (0..dim).map(|i| (i == j) as u8 as f64).collect();
            let mut column = vec![0.0; dim];
            frame.point(&unit, &mut column);
            let column: Vec<f64> = column.iter().zip(frame.mean()).map(|(c, m)| c - m).collect();
            whiten(&column).iter().zip(&mut squares).for_each(|(z, s)| *s += z * z);
        }
        // Variances of the whitened coordinates: 1 +- sqrt(2/192).
        for s in squares {
            assert!((s - 1.0).abs() < 5.0 * 2_f64.sqrt() * error, "variance {s}");
        }
    }
}

#[test]
fn the_same_in_coordinates_of_any_scale_and_place() {
    fn check<T: smc::Compiled + sampler::Compiled + warmup::Compiled>(
        condition: f64,
        far: f64,
    ) -> Choice {
        let scales = scales(10, condition);
        let density = By(|x: &[T], g: &mut [T]| chain(&scales, far, x, g));
        let mut choices = Vec::new();
        for seed in 1..=4 {
            let own = |j: usize| {
                let s = scales[j];
                move |x: &[f64]| x[j] / s - far
            };
            let (first, last) = (own(0), own(9));
            let ran = run::<T>(&density, 10, seed, &[&first, &last]);
            assert_eq!(ran.verdict, Verdict::Mixed, "{}", ran.text);
            // x_0 = s_0 z_0; x_9 = s_9 (z_9 + .7 z_8).
            for ([mean, variance, error], exact) in ran.averages.iter().zip([1.0, 1.49]) {
                // A frame that is right makes pairs cancel; what is left is rounding.
                let error = error.max(far * T::EPSILON.to_f64() + 1e-3);
                assert!((mean / error).abs() < 5.0, "{mean} +- {error}");
                assert!((variance / exact - 1.0).abs() < 0.06, "{variance} for {exact}");
            }
            choices.push(ran.choice);
        }
        assert!(choices.iter().all(|c| *c == choices[0]));
        choices[0]
    }
    let near = check::<f64>(1.0, 0.0);
    assert_eq!(check::<f64>(1e6, 1e6), near);
    assert_eq!(check::<f32>(1e3, 1e3), near);
}

#[test]
fn a_hundred_correlated_coordinates() {
    // Standard deviations from 1 to 1e-4.
    let scales = scales(100, 1e4);
    let density = By(|x: &[f64], g: &mut [f64]| chain(&scales, 0.0, x, g));
    for seed in 1..=2 {
        let own = |j: usize| {
            let s = scales[j];
            move |x: &[f64]| x[j] / s
        };
        let all = [own(0), own(1), own(50), own(99)];
        let functions: Vec<&dyn Fn(&[f64]) -> f64> = all.iter().map(|f| f as _).collect();
        let ran = run::<f64>(&density, 100, seed, &functions);
        println!("{:?} {}", ran.averages, ran.text);
        assert_eq!(ran.verdict, Verdict::Mixed, "{}", ran.text);
        for ([mean, variance, error], exact) in ran.averages.iter().zip([1.0, 1.49, 1.49, 1.49]) {
            assert!((mean / error.max(1e-3)).abs() < 5.0 && *error < 0.02, "{mean} +- {error}");
            assert!((variance / exact - 1.0).abs() < 0.08, "{variance} for {exact}");
        }
    }
}

/// Whether a run that ends calmly is near enough: means within .3 sd, sds within 30 %.
fn right(ran: &Ran, exact: &[[f64; 2]]) -> bool {
    ran.averages.iter().zip(exact).all(|([mean, variance, _], [m, s])| {
        (mean - m).abs() < 0.3 * s && (variance.sqrt() / s - 1.0).abs() < 0.3
    })
}

/// Each seed: right, or warned. Returns how many were warned of.
fn never_calmly_wrong(
    name: &str,
    density: &dyn LogDensity<f64>,
    dim: usize,
    exact: &[[f64; 2]],
    seeds: u64,
) -> usize {
    let mut warned = 0;
    for seed in 1..=seeds {
        let (a, b) = (|x: &[f64]| x[0], |x: &[f64]| x[1]);
        let ran = run::<f64>(density, dim, seed, &[&a, &b]);
        let Ran { averages, text, evaluations, .. } = &ran;
        println!("{name} {seed}: {evaluations} evaluations, {averages:?} {text}");
        let calm = ran.verdict != Verdict::Unreliable;
        assert!(
            !calm || right(&ran, exact),
            "{name}, seed {seed}: {:?} {}",
            ran.averages,
            ran.text
        );
        warned += !calm as usize;
    }
    warned
}

#[test]
fn gamma_on_the_log_scale() {
    // e^x ~ Gamma(2, 1): E x = digamma(2), Var x = trigamma(2).
    let density = By(|x: &[f64], g: &mut [f64]| {
        let (e, f) = (x[0].exp(), x[1].exp());
        (g[0], g[1]) = (2.0 - e, 2.0 - f);
        2.0 * (x[0] + x[1]) - e - f
    });
    for seed in 1..=4 {
        let ran = run::<f64>(&density, 2, seed, &[&|x| x[0], &|x| x[0] * x[1]]);
        assert_eq!(ran.verdict, Verdict::Mixed, "{}", ran.text);
        let digamma = 0.422_784_335_098_467_1;
        for ([mean, _, error], exact) in ran.averages.iter().zip([digamma, digamma * digamma]) {
            assert!(((mean - exact) / error).abs() < 4.5, "{mean} +- {error}, {exact}");
        }
        assert!((ran.averages[0][1] - 0.644_934_066_848_226).abs() < 0.06);
    }
}

#[test]
fn funnels_and_bananas_are_right_or_warned_of() {
    // Neal's funnel: v ~ N(0, 3^2), nine x_i ~ N(0, e^v).
    let funnel = By(|x: &[f64], g: &mut [f64]| {
        let precision = (-x[0]).exp();
        let squares: f64 = x[1..].iter().map(|x| x * x).sum();
        g[0] = -x[0] / 9.0 + 0.5 * squares * precision - 4.5;
        g[1..].iter_mut().zip(&x[1..]).for_each(|(g, x)| *g = -x * precision);
        -x[0] * x[0] / 18.0 - 0.5 * squares * precision - 4.5 * x[0]
    });
    never_calmly_wrong("funnel", &funnel, 10, &[[0.0, 3.0]], 8);
    // x_0 ~ N(0, 10^2), x_1 ~ N(.03 (x_0^2 - 100), 1).
    let banana = By(|x: &[f64], g: &mut [f64]| {
        let left = x[1] - 0.03 * (x[0] * x[0] - 100.0);
        (g[0], g[1]) = (-x[0] / 100.0 + left * 0.06 * x[0], -left);
        -x[0] * x[0] / 200.0 - 0.5 * left * left
    });
    let spread = (1.0 + 2.0 * 9.0_f64).sqrt();
    let warned = never_calmly_wrong("banana", &banana, 2, &[[0.0, 10.0], [0.0, spread]], 8);
    assert!(warned <= 2, "{warned} of 8");
}

/// A hybrid Rosenbrock law (Pagani, Wiegand and Nadarajah 2022): x_0 ~ N(1, 1), three x_i ~ N(x_0^2, .1^2). E x_i = 2,
/// Var x_i = 6.01.
#[test]
fn trajectories_grow_where_steps_stay_short() {
    let density = By(|x: &[f64], g: &mut [f64]| {
        let mut value = -0.5 * (x[0] - 1.0).powi(2);
        g[0] = 1.0 - x[0];
        for i in 1..4 {
            let z = (x[i] - x[0] * x[0]) / 0.1;
            value -= 0.5 * z * z;
            g[i] = -z / 0.1;
            g[0] += 2.0 * x[0] * z / 0.1;
        }
        value
    });
    let problem = Problem::user(&density, 4, 1.0, true).unwrap();
    let options = WarmupOptions { seed: 5, ..Default::default() };
    let mut memory = Aligned::new(Warmup::size(&options, &problem).unwrap());
    let mut warmup = Warmup::init(memory.bytes(), &options, Isa::Portable, &problem).unwrap();
    assert_eq!(warmup.step(&problem, u64::MAX), Ok(Progress::Done));
    assert!(warmup.leapfrogs() >= 16, "{}", warmup.leapfrogs());
    let exact = [[1.0, 1.0], [2.0, 6.01_f64.sqrt()]];
    let warned = never_calmly_wrong("rosenbrock", &density, 4, &exact, 8);
    assert!(warned <= 6, "{warned} of 8");
}

/// Modes of masses .7 and .3, so many sd apart, the lower one here: the other, that no draw of N(0, I) sees from 9 sd on, is
/// seen by ascents that begin far out; at 40 sd by the look around afterwards.
#[test]
fn modes_apart_are_right_or_warned_of() {
    let cases = [
        (2, 6.0, 0.0, 2),
        (10, 6.0, 0.0, 2),
        (2, 8.0, 0.0, 8),
        (2, 12.0, -3.0, 2),
        (10, 10.0, -2.5, 2),
        (2, 40.0, 0.0, 2),
    ];
    for (dim, apart, low, most) in by_turns(cases, 3, 1) {
        let density = By(|x: &[f64], g: &mut [f64]| {
            let rest: f64 = x[1..].iter().map(|x| 0.5 * x * x).sum();
            g.iter_mut().zip(x).for_each(|(g, x)| *g = -x);
            let x = x[0] - low;
            let (p, q) = (0.7 * (-0.5 * x * x).exp(), 0.3 * (-0.5 * (x - apart).powi(2)).exp());
            let (far, middle) = ((-x).max(x - apart) > 30.0, 0.5 * apart);
            g[0] = if far { middle - x } else { -(p * x + q * (x - apart)) / (p + q) };
            if far { -0.5 * (x - middle).powi(2) - rest } else { (p + q).ln() - rest }
        });
        let (mean, sd) = (low + 0.3 * apart, (1.0 + apart * apart * 0.21_f64).sqrt());
        let warned = never_calmly_wrong("mixture", &density, dim, &[[mean, sd], [0.0, 1.0]], 8);
        assert!(warned <= most, "{dim}, {apart}: {warned} of 8");
    }
}

/// Three modes in a row, twenty sds apart: a look around that has found one missing does not end the search.
#[test]
fn three_modes_are_right_or_warned_of() {
    const MODES: [([f64; 2], f64); 3] =
        [([-20.0, 0.0], 0.2), ([0.0, 0.0], 0.3), ([20.0, 0.0], 0.5)];
    let density = By(|x: &[f64], g: &mut [f64]| {
        let logs = MODES
            .map(|(m, share)| share.ln() - 0.5 * ((x[0] - m[0]).powi(2) + (x[1] - m[1]).powi(2)));
        let most = logs.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let parts = logs.map(|log| (log - most).exp());
        let sum: f64 = parts.iter().sum();
        g.fill(0.0);
        for ((m, _), part) in MODES.iter().zip(parts) {
            (0..2).for_each(|j| g[j] -= part / sum * (x[j] - m[j]));
        }
        most + sum.ln()
    });
    let exact = [[6.0, (281.0_f64 - 36.0).sqrt()], [0.0, 1.0]];
    let warned = never_calmly_wrong("three modes", &density, 2, &exact, 20);
    assert!(warned <= 4, "{warned} of 20");
}

#[test]
fn what_a_warmup_refuses() {
    let flat = By(|_: &[f64], g: &mut [f64]| {
        g.fill(0.0);
        f64::NAN
    });
    let options = WarmupOptions::default();
    let problem = Problem::user(&flat, 3, 1.0, true).unwrap();
    let mut memory = Aligned::new(Warmup::size(&options, &problem).unwrap());
    let mut warmup = Warmup::init(memory.bytes(), &options, Isa::Portable, &problem).unwrap();
    assert_eq!(warmup.step(&problem, u64::MAX), Err(WarmupError::Start));
    let blind = Problem::user(&flat, 3, 1.0, false).unwrap();
    assert_eq!(Warmup::size(&options, &blind), Err(WarmupError::NoGradient));
    let numbers = [0.0, 1.0];
    let framed = Problem::user(&flat, 1, 1.0, true).unwrap();
    let framed = framed.about(Affine::new(&numbers, 1).unwrap());
    assert_eq!(Warmup::size(&options, &framed), Err(WarmupError::NotUser));
    for (options, error) in [
        (WarmupOptions { ascents: 0, ..options }, WarmupError::Ascents),
        (WarmupOptions { chains: 3, ..options }, WarmupError::Chains),
        (WarmupOptions { rounds: 0, ..options }, WarmupError::Rounds),
        (WarmupOptions { leapfrogs: 0, ..options }, WarmupError::Leapfrogs),
    ] {
        assert_eq!(Warmup::size(&options, &problem), Err(error));
    }
    let other = Problem::user(&flat, 4, 1.0, true).unwrap();
    let mut warmup = Warmup::init(memory.bytes(), &options, Isa::Portable, &problem).unwrap();
    assert_eq!(warmup.step(&other, 1), Err(WarmupError::OtherProblem));
}
