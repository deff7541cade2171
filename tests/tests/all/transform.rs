//! Constrained parameters: closed forms, determinants and gradients by differences, and laws that are known, sampled
//! through the transforms.

use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::transform::{Constraint, Parameter, TransformError};
use nalgebra::DMatrix;

fn parameter<T: Real>(
    constraint: Constraint,
    size: usize,
    count: usize,
    bounds: [f64; 2],
) -> Parameter<'static, T> {
    let [lower, upper] = bounds.map(T::lit);
    Parameter { name: "a", constraint, size, count, lower, upper }
}

/// Every constraint, alone and several.
fn cases<T: Real>() -> Vec<Parameter<'static, T>> {
    use Constraint::*;
    let mut out = vec![
        parameter(Free, 3, 1, [0.0, 1.0]),
        parameter(Lower, 2, 2, [-1.5, f64::NAN]),
        parameter(Upper, 3, 1, [f64::NAN, 2.5]),
        parameter(Interval, 4, 1, [-2.0, 5.0]),
        parameter(Affine, 2, 1, [3.0, 0.25]),
    ];
    for constraint in
        [Simplex, Ordered, PositiveOrdered, UnitVector, CholeskyCorrelation, CholeskyCovariance]
    {
        for (size, count) in [(2, 1), (4, 1), (3, 2)] {
            out.push(parameter(constraint, size, count, [f64::NAN, f64::NAN]));
        }
    }
    out
}

fn point<T: Real>(p: &Parameter<'_, T>, seed: u64) -> Vec<T> {
    let mut stream = Stream::new(seed, 0, Purpose::Start);
    (0..p.dims().0).map(|_| T::lit(1.2 * stream.normal::<f64>())).collect()
}

fn constrained<T: Real>(p: &Parameter<'_, T>, x: &[T]) -> (Vec<T>, T) {
    let mut y = vec![T::NAN; p.dims().1];
    let log_jacobian = p.constrain(x, &mut y).unwrap();
    (y, log_jacobian)
}

/// Elements that are coordinates of the set which y lies in.
fn chart(p: &Parameter<'_, f64>) -> Vec<usize> {
    let k = p.size;
    let own: Vec<usize> = match p.constraint {
        Constraint::Simplex => (0..k - 1).collect(),
        Constraint::CholeskyCorrelation => (0..k * k).filter(|i| i % k < i / k).collect(),
        Constraint::CholeskyCovariance => (0..k * k).filter(|i| i % k <= i / k).collect(),
        _ => (0..k).collect(),
    };
    let each = p.dims().1 / p.count;
    (0..p.count).flat_map(|s| own.iter().map(move |i| s * each + i)).collect()
}

/// d f/d x_j by differences, extrapolated.
fn slope(x: &[f64], j: usize, f: &dyn Fn(&[f64]) -> f64) -> f64 {
    let central = |h: f64| {
        let mut moved = x.to_vec();
        moved[j] = x[j] + h;
        let up = f(&moved);
        moved[j] = x[j] - h;
        (up - f(&moved)) / (2.0 * h)
    };
    (4.0 * central(5e-4) - central(1e-3)) / 3.0
}

#[test]
fn the_jacobian_is_the_determinant_of_differences() {
    for p in cases::<f64>() {
        for seed in 0..4 {
            let x = point(&p, seed);
            let (_, log_jacobian) = constrained(&p, &x);
            let expected = if p.constraint == Constraint::UnitVector {
                -0.5 * x.iter().map(|x| x * x).sum::<f64>()
            } else {
                let chart = chart(&p);
                assert_eq!(chart.len(), x.len());
                let row = |i: usize| -> Vec<f64> {
                    (0..x.len()).map(|j| slope(&x, j, &|x| constrained(&p, x).0[i])).collect()
                };
                let slopes = chart.iter().flat_map(|i| row(*i));
                let jacobian = DMatrix::from_row_iterator(x.len(), x.len(), slopes);
                jacobian.determinant().abs().ln()
            };
            assert!((log_jacobian - expected).abs() < 2e-8, "{p:?}: {log_jacobian} {expected}");
        }
    }
}

/// A function of y with a gradient that no symmetry hides.
fn functional(y: &[f64]) -> (f64, Vec<f64>) {
    let weight = |i: usize| 0.3 + (1.7 * i as f64).sin();
    let value =
        y.iter().enumerate().map(|(i, y)| weight(i) * y + 0.4 * weight(i + 9) * y * y).sum();
    (value, y.iter().enumerate().map(|(i, y)| weight(i) + 0.8 * weight(i + 9) * y).collect())
}

#[test]
fn gradients_are_pulled_back_with_the_jacobian() {
    for (p, single) in cases::<f64>().into_iter().zip(cases::<f32>()) {
        for seed in 0..4 {
            let x = point(&p, seed);
            let (y, log_jacobian) = constrained(&p, &x);
            let dy = functional(&y).1;
            let mut dx = vec![f64::NAN; x.len()];
            p.pull_back(&x, &y, &dy, &mut dx).unwrap();
            for j in 0..x.len() {
                let expected = slope(&x, j, &|x| {
                    let (y, log_jacobian) = constrained(&p, x);
                    functional(&y).0 + log_jacobian
                });
                assert!(
                    (dx[j] - expected).abs() < 1e-8 * (1.0 + expected.abs()),
                    "{p:?} {j}: {} {expected}",
                    dx[j]
                );
            }
            // In single precision the same to rounding.
            let low = |x: &[f64]| x.iter().map(|x| *x as f32).collect::<Vec<f32>>();
            let (x32, dy32) = (low(&x), low(&dy));
            let (y32, log32) = constrained(&single, &x32);
            let mut dx32 = vec![f32::NAN; x.len()];
            single.pull_back(&x32, &y32, &dy32, &mut dx32).unwrap();
            let near = |a: f32, b: f64| (a as f64 - b).abs() < 1e-5 * (1.0 + b.abs());
            assert!(near(log32, log_jacobian), "{p:?}: {log32} {log_jacobian}");
            assert!(y32.iter().zip(&y).all(|(a, b)| near(*a, *b)), "{p:?}: {y32:?} {y:?}");
            assert!(dx32.iter().zip(&dx).all(|(a, b)| near(*a, *b)), "{p:?}: {dx32:?} {dx:?}");
        }
    }
}

fn there_and_back<T: Real>(tolerance: f64) {
    for p in cases::<T>() {
        for seed in 0..4 {
            let x = point(&p, seed);
            let (y, _) = constrained(&p, &x);
            let mut back = vec![T::NAN; x.len()];
            p.supports(&y).unwrap();
            p.unconstrain(&y, &mut back).unwrap();
            let expected = if p.constraint == Constraint::UnitVector { &y } else { &x };
            for (a, b) in back.iter().zip(expected) {
                let (a, b) = (a.to_f64(), b.to_f64());
                assert!((a - b).abs() < tolerance * (1.0 + b.abs()), "{p:?}: {a} {b}");
            }
        }
    }
}

#[test]
fn initial_points_come_back() {
    there_and_back::<f64>(1e-12);
    there_and_back::<f32>(1e-4);
}

/// Closed forms of the manual at points worked out by hand.
#[test]
fn values_are_those_of_the_manual() {
    use Constraint::*;
    let at = |constraint, size, bounds, x: &[f64]| {
        constrained(&parameter::<f64>(constraint, size, 1, bounds), x)
    };
    let near = |got: (Vec<f64>, f64), y: &[f64], log_jacobian: f64| {
        assert!(
            got.0.iter().zip(y).all(|(a, b)| (a - b).abs() < 1e-15 * (1.0 + b.abs())),
            "{got:?} {y:?}"
        );
        assert!(
            got.0.len() == y.len() && (got.1 - log_jacobian).abs() < 2e-15,
            "{got:?} {log_jacobian}"
        );
    };
    let (e, half) = (std::f64::consts::E, 0.5f64);
    near(at(Free, 1, [0.0; 2], &[3.0]), &[3.0], 0.0);
    near(at(Lower, 1, [2.0, 0.0], &[1.0]), &[2.0 + e], 1.0);
    near(at(Upper, 1, [0.0, 2.0], &[1.0]), &[2.0 - e], 1.0);
    near(at(Interval, 1, [1.0, 5.0], &[0.0]), &[3.0], 0.0);
    near(at(Affine, 1, [1.0, 2.0], &[3.0]), &[7.0], 2f64.ln());
    // The middle of the simplex; and e^(1/sqrt 2) : e^(-1/sqrt 2).
    near(at(Simplex, 3, [0.0; 2], &[0.0, 0.0]), &[1.0 / 3.0; 3], 0.5 * 3f64.ln() - 3.0 * 3f64.ln());
    let ratio = (2.0 / 2f64.sqrt()).exp();
    let (a, b) = (ratio / (1.0 + ratio), 1.0 / (1.0 + ratio));
    near(at(Simplex, 2, [0.0; 2], &[1.0]), &[a, b], 0.5 * 2f64.ln() + (a * b).ln());
    near(at(Ordered, 3, [0.0; 2], &[-1.0, 0.0, 1.0]), &[-1.0, 0.0, e], 1.0);
    near(at(PositiveOrdered, 2, [0.0; 2], &[0.0, 1.0]), &[1.0, 1.0 + e], 1.0);
    near(at(UnitVector, 2, [0.0; 2], &[3.0, 4.0]), &[0.6, 0.8], -12.5);
    let (t, s) = (half.tanh(), (1.0 - half.tanh().powi(2)).sqrt());
    near(at(CholeskyCorrelation, 2, [0.0; 2], &[0.5]), &[1.0, 0.0, t, s], 2.0 * s.ln());
    near(
        at(CholeskyCorrelation, 3, [0.0; 2], &[0.5, 0.0, 0.5]),
        &[1.0, 0.0, 0.0, t, s, 0.0, 0.0, t, s],
        4.0 * s.ln(),
    );
    near(at(CholeskyCovariance, 2, [0.0; 2], &[1.0, 2.0, 0.0]), &[e, 0.0, 2.0, 1.0], 1.0);
}

/// Far out nothing is a NaN: a trajectory that strays is refused by its density, or by a Jacobian of 0 where y rounds to
/// an edge.
fn far_out<T: Real>() {
    for p in cases::<T>() {
        for far in [-40.0, 40.0] {
            let x = vec![T::lit(far); p.dims().0];
            let (y, log_jacobian) = constrained(&p, &x);
            let mut dx = x.clone();
            p.pull_back(&x, &y, &vec![T::ZERO; y.len()], &mut dx).unwrap();
            assert_eq!(log_jacobian.is_finite(), p.supports(&y).is_ok(), "{p:?} {far}: {y:?}");
            assert!(
                log_jacobian < T::INFINITY && y.iter().chain(&dx).all(|v| v.is_finite()),
                "{p:?} {far}: {y:?} {dx:?}"
            );
        }
    }
}

#[test]
fn far_out_all_is_finite() {
    far_out::<f64>();
    far_out::<f32>();
}

#[test]
fn what_makes_no_sense_is_refused_and_nothing_written() {
    use Constraint::*;
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    for (constraint, bounds) in [
        (Lower, [nan, 1.0]),
        (Lower, [-inf, 1.0]),
        (Upper, [0.0, inf]),
        (Interval, [0.0, 0.0]),
        (Interval, [1.0, 0.0]),
        (Interval, [0.0, inf]),
        (Affine, [0.0, 0.0]),
        (Affine, [0.0, -1.0]),
        (Affine, [nan, 1.0]),
    ] {
        let p: Parameter<'_, f64> = parameter(constraint, 1, 1, bounds);
        assert_eq!(p.constrain(&[0.0], &mut [7.0]), Err(TransformError::Bounds), "{p:?}");
    }
    for (size, count) in [(0, 1), (1, 0), (usize::MAX, 1), (1 << 20, 1 << 30)] {
        let p: Parameter<'_, f64> = parameter(Simplex, size, count, [0.0, 1.0]);
        assert_eq!(p.check(), Err(TransformError::Size), "{p:?}");
    }
    for (constraint, size, y) in [
        (Free, 1, vec![nan]),
        (Lower, 1, vec![0.0]),
        (Upper, 1, vec![1.0]),
        (Interval, 2, vec![0.5, 1.0]),
        (Interval, 1, vec![0.0]),
        (Simplex, 2, vec![0.5, 0.6]),
        (Simplex, 2, vec![1.0, 0.0]),
        (Ordered, 3, vec![0.0, 1.0, 1.0]),
        (PositiveOrdered, 2, vec![0.0, 1.0]),
        (UnitVector, 2, vec![0.6, 0.9]),
        (CholeskyCorrelation, 2, vec![1.0, 0.0, 0.6, 0.9]),
        (CholeskyCorrelation, 2, vec![1.0, 0.1, 0.6, 0.8]),
        (CholeskyCorrelation, 2, vec![1.0, 0.0, 0.6, -0.8]),
        (CholeskyCovariance, 2, vec![1.0, 0.0, 0.6, 0.0]),
        (CholeskyCovariance, 2, vec![1.0, 2.0, 0.6, 1.0]),
    ] {
        let p = parameter(constraint, size, 1, [0.0, 1.0]);
        let mut x = vec![77.0; p.dims().0];
        assert_eq!(p.unconstrain(&y, &mut x), Err(TransformError::Support), "{p:?}");
        assert!(x.iter().all(|x| *x == 77.0));
    }
    let p: Parameter<'_, f64> = parameter(Simplex, 3, 1, [0.0, 1.0]);
    let mut y = [77.0; 3];
    assert_eq!(p.constrain(&[0.0; 3], &mut y), Err(TransformError::Length));
    assert_eq!(p.constrain(&[0.0; 2], &mut y[..2]), Err(TransformError::Length));
    assert_eq!(
        p.pull_back(&[0.0; 2], &[0.0; 3], &[0.0; 2], &mut [0.0; 2]),
        Err(TransformError::Length)
    );
    assert_eq!(y, [77.0; 3]);
}

#[test]
fn elements_have_names() {
    use Constraint::*;
    let name = |constraint, size, count, index| {
        let p =
            Parameter { name: "theta", ..parameter::<f64>(constraint, size, count, [0.0, 1.0]) };
        p.element(index).to_string()
    };
    assert_eq!(name(Lower, 1, 1, 0), "theta");
    assert_eq!(name(Lower, 3, 1, 2), "theta[3]");
    assert_eq!(name(Lower, 1, 3, 2), "theta[3]");
    assert_eq!(name(Lower, 2, 3, 4), "theta[3,1]");
    assert_eq!(name(Simplex, 3, 2, 5), "theta[2,3]");
    assert_eq!(name(UnitVector, 1, 1, 0), "theta[1]");
    assert_eq!(name(CholeskyCorrelation, 2, 1, 2), "theta[2,1]");
    assert_eq!(name(CholeskyCovariance, 2, 2, 6), "theta[2,2,1]");
}
