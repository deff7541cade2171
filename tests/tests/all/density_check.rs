//! Gradients of one's own against differences: right ones pass, in either precision and on any scale, and each kind of
//! mistake is seen and named.

use lcc_core::auto::{Auto, AutoError, AutoOptions, Cause, Progress};
use lcc_core::likelihood::{DensityCheck, LogDensity};
use lcc_core::problem::Problem;
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_tests::posteriors::Aligned;

/// -cosh((x_j - c)/s_j) summed, s_j over decades, times 3, plus an offset; `wrong` changes coordinate 2 of the gradient.
struct Cosh<T> {
    offset: T,
    wrong: fn(T) -> T,
    alone: T,
    edge: T,
}

fn exp<T: Real>(x: T) -> T {
    lcc_core::special::scalar::exp(x)
}

fn scale<T: Real>(j: usize) -> T {
    [T::lit(1.0), T::lit(0.01), T::lit(3.0), T::lit(100.0)][j]
}

impl<T: Real> LogDensity<T> for Cosh<T> {
    fn evaluate(&self, x: &[T], gradient: Option<&mut [T]>) -> Option<T> {
        let mut value = self.offset + if gradient.is_none() { self.alone } else { T::ZERO };
        if x[0] > self.edge {
            return None;
        }
        for (j, x) in x.iter().enumerate() {
            let u = *x / scale(j);
            value -= T::lit(1.5) * (exp(u) + exp(-u));
        }
        for (j, g) in gradient.into_iter().flatten().enumerate() {
            let u = x[j] / scale(j);
            *g = -T::lit(1.5) * (exp(u) - exp(-u)) / scale(j);
            if j == 2 {
                *g = (self.wrong)(*g);
            }
        }
        Some(value)
    }
}

fn check<T: Real>(density: &Cosh<T>) -> DensityCheck<T> {
    let mut stream = Stream::new(3, 0, Purpose::Start);
    let (mut out, mut gradient) = (DensityCheck::new(), [T::NAN; 4]);
    for _ in 0..20 {
        let mut x: [T; 4] = std::array::from_fn(|j| scale::<T>(j) * stream.normal::<T>());
        let before = x;
        out.add(density, &mut x, &mut gradient);
        assert_eq!(x, before);
    }
    out
}

fn right<T: Real>() -> Cosh<T> {
    Cosh { offset: T::ZERO, wrong: |g| g, alone: T::ZERO, edge: T::INFINITY }
}

fn in_precision<T: Real>() {
    let inf = T::INFINITY;
    for offset in [T::ZERO, T::lit(100.0)] {
        let seen = check(&Cosh { offset, ..right::<T>() });
        assert!(seen.points == 20 && seen.first_outside == 20, "{seen:?}");
        let none = [seen.outside, seen.unequal, seen.wrong, seen.unchecked];
        assert_eq!(none, [0; 4], "{seen:?}");
        assert!(seen.gradient.is_finite() && seen.error > T::ZERO);
        // Nothing beyond the error: of equals the first is told.
        assert!(seen.relative == T::ZERO && (seen.point, seen.coordinate) == (0, 0), "{seen:?}");
    }
    // What each precision can see: 2^-17 in double, 2^-7 in single.
    let slight = check(&Cosh { wrong: |g| g * T::lit(1.0 + 1.0 / 4096.0), ..right::<T>() });
    assert_eq!(slight.wrong, if T::BITS == 64 { 20 } else { 0 }, "{slight:?}");
    let mistakes: [fn(T) -> T; 4] = [|g| -g, |_| T::ZERO, |g| g * T::lit(1.05), |g| g + T::ONE];
    for wrong in mistakes {
        let seen = check(&Cosh { wrong, ..right::<T>() });
        assert!(seen.wrong >= 15 && seen.wrong <= 20 && seen.coordinate == 2, "{seen:?}");
        assert!(
            seen.relative > T::lit(0.03) && (seen.gradient - seen.difference).abs() > seen.error
        );
    }
    assert_eq!(check(&Cosh { wrong: |_| T::NAN, ..right::<T>() }).outside, 20);
    assert_eq!(check(&Cosh { wrong: |_| -T::INFINITY, ..right::<T>() }).outside, 20);
    assert_eq!(check(&Cosh { offset: T::NAN, ..right::<T>() }).outside, 20);
    assert_eq!(check(&Cosh { alone: T::ONE, ..right::<T>() }).unequal, 20);
    let cut = check(&Cosh { edge: T::ZERO, ..right::<T>() });
    assert!(
        cut.outside > 3 && cut.outside < 17 && cut.first_outside < 10 && cut.wrong == 0,
        "{cut:?}"
    );
    let nowhere = check(&Cosh { edge: -inf, ..right::<T>() });
    assert!(
        nowhere.outside == 20 && nowhere.first_outside == 0 && nowhere.gradient.to_f64().is_nan()
    );
}

#[test]
fn right_gradients_pass_and_wrong_ones_are_named() {
    in_precision::<f64>();
    in_precision::<f32>();
}

/// A lone point has no neighbours to take differences with.
#[test]
fn what_cannot_be_checked_is_counted() {
    struct Point;
    impl LogDensity<f64> for Point {
        fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
            gradient.into_iter().for_each(|g| g.fill(1.0));
            (x[0] == 0.5).then_some(x[1])
        }
    }
    let mut seen = DensityCheck::new();
    seen.add(&Point, &mut [0.5, 0.25], &mut [0.0; 2]);
    assert_eq!((seen.unchecked, seen.wrong, seen.coordinate, seen.gradient), (1, 0, 1, 1.0));
    assert!((seen.difference - 1.0).abs() < 1e-9);
}

/// Laplace laws of sd .1 to 10, with kinks, in 60 coordinates; of one the gradient is changed. `coarse`: computed in single precision.
struct Kinked {
    wrong: fn(f64) -> f64,
    coarse: bool,
}

impl LogDensity<f64> for Kinked {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        let scale = |j: usize| 0.1 * 100_f64.powf(j as f64 / 59.0);
        let all = x.iter().enumerate();
        let value = if self.coarse {
            -all.map(|(j, x)| (x.abs() / scale(j)) as f32).sum::<f32>() as f64
        } else {
            -all.map(|(j, x)| x.abs() / scale(j)).sum::<f64>()
        };
        for (j, (g, x)) in gradient.into_iter().flatten().zip(x).enumerate() {
            *g = -x.signum() / scale(j);
            if j == 37 {
                *g = (self.wrong)(*g);
            }
        }
        Some(value)
    }
}

/// What `auto` finds at the start, in how many evaluations of a run that asks for little.
fn asked(density: &Kinked, seed: u64) -> (Result<Cause, AutoError>, Option<usize>, u64) {
    let problem = Problem::user(density, 60, 1.0, true).unwrap();
    let options = AutoOptions { ess: 100, seed, ..AutoOptions::default() };
    let mut memory = Aligned::new(Auto::<f64>::size(&options, &problem).unwrap());
    let mut auto = Auto::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
    let done = loop {
        match auto.step(&problem, u64::MAX) {
            Ok(Progress::Running) => {}
            Ok(Progress::Done) => break Ok(auto.report().cause),
            Err(e) => break Err(e),
        }
    };
    (done, auto.report().suspect(), auto.position().evaluations)
}

/// The rest of a run is not made with a gradient that is wrong, and nothing else is taken for one.
#[test]
fn auto_names_a_wrong_gradient() {
    let mistakes: [fn(f64) -> f64; 4] = [|g| -g, |_| 0.0, |g| g * 2.0, |g| g + 1.0];
    for (seed, wrong) in (1..).zip(mistakes) {
        let (done, coordinate, evaluations) = asked(&Kinked { wrong, coarse: false }, seed);
        assert!(
            matches!(done, Ok(Cause::WrongGradient) | Err(AutoError::WrongGradient)),
            "{done:?}"
        );
        assert_eq!(coordinate, Some(37));
        assert!(evaluations < 40_000, "{evaluations}");
    }
    for (seed, coarse) in [(1, false), (2, false), (3, true), (4, true)] {
        let right = Kinked { wrong: |g| g * 1.03, coarse };
        let (done, _, evaluations) = asked(&right, seed);
        assert!(matches!(done, Ok(cause) if cause != Cause::WrongGradient), "{done:?}");
        println!("{seed}: {done:?}, {evaluations} evaluations");
    }
}
