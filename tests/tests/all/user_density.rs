//! A density of one's own as a tilt of its reference: by the formula, in a frame, and of several points at once.

use lcc_core::likelihood::{Likelihood, LogDensity, UserDensity};
use lcc_core::problem::Problem;
use lcc_core::reference::Affine;
use lcc_core::sampler::{Method, Sampler, SamplerOptions};
use lcc_core::simd::{Isa, Lanes};
use lcc_tests::numeric::close;
use lcc_tests::posteriors::Aligned;
use std::cell::{Cell, RefCell};

const DIM: usize = 3;
const SCALE: f64 = 0.7;

/// -sum_i x_i^4/4 + x_0 x_1, outside where x_2 > 2.5; `many`: of several points at once. Counts its calls.
struct Quartic {
    many: bool,
    calls: Cell<usize>,
}

impl<T: Lanes<8>> LogDensity<T> for Quartic {
    fn evaluate(&self, x: &[T], mut gradient: Option<&mut [T]>) -> Option<T> {
        self.calls.set(self.calls.get() + 1);
        let mut value = x[0] * x[1];
        for (i, x) in x.iter().enumerate() {
            value -= *x * *x * *x * *x * T::lit(0.25);
            if let Some(gradient) = gradient.as_deref_mut() {
                gradient[i] = -*x * *x * *x;
            }
        }
        if let Some(gradient) = gradient {
            gradient[0] += x[1];
            gradient[1] += x[0];
        }
        (x[2] <= T::lit(2.5)).then_some(value)
    }

    fn evaluate_many(&self, x: &[T], gradient: Option<&mut [T]>, values: &mut [T]) -> bool {
        let mut gradient = gradient;
        let lanes = values.len();
        for (k, value) in values.iter_mut().enumerate().filter(|_| self.many) {
            let own: Vec<T> = x.iter().skip(k).step_by(lanes).copied().collect();
            let mut slope = vec![T::NAN; own.len()];
            let asked = gradient.is_some().then_some(&mut slope[..]);
            *value = self.evaluate(&own, asked).unwrap_or(-T::INFINITY);
            for (i, s) in slope.iter().enumerate() {
                if let Some(gradient) = gradient.as_deref_mut() {
                    gradient[i * lanes + k] = *s;
                }
            }
        }
        self.calls.set(if self.many { self.calls.get() + 1 - lanes } else { self.calls.get() });
        self.many
    }
}

fn points<T: Lanes<8>>() -> [[T; 8]; DIM] {
    std::array::from_fn(|i| std::array::from_fn(|k| T::lit(0.3 * k as f64 + 0.4 * i as f64 - 0.9)))
}

/// Values and gradients of 8 lanes, the values alone, and the calls of the former.
fn all<T: Lanes<8>>(
    many: bool,
    gradient: bool,
    frame: Option<&[T]>,
) -> ([T; 8], [[T; 8]; DIM], [T; 8], usize) {
    let density = Quartic { many, calls: Cell::new(0) };
    let frame = frame.map(|numbers| Affine::new(numbers, DIM).unwrap());
    let volume = T::lit(frame.map_or(0.0, |_| (1.5_f64 * 0.5 * 2.0).ln()));
    let scale = T::lit(SCALE);
    let user = UserDensity {
        density: &density,
        dim: DIM,
        scale,
        gradient,
        frame,
        volume,
        uncentring: None,
        starts: &[],
    };
    let mut scratch = vec![[T::NAN; 8]; 3 * DIM];
    let (mut slopes, mut spare) = ([[T::NAN; 8]; DIM], [[T::NAN; 8]; DIM]);
    let isa = Isa::detect();
    let values = user.value_and_gradient(isa, &points(), &mut slopes, &mut scratch);
    let calls = density.calls.get();
    let alone = user.value(isa, &points(), &mut spare, &mut scratch);
    (values, slopes, alone, calls)
}

fn several_points_have_the_bits_of_one<T: Lanes<8>>() {
    let frame: Vec<T> =
        [0.1, -0.2, 0.3, 1.5, 0.4, 0.5, -0.3, 0.2, 2.0].iter().map(|v| T::lit(*v)).collect();
    for frame in [None, Some(&frame[..])] {
        for gradient in [true, false] {
            let (one, many) = (all(false, gradient, frame), all(true, gradient, frame));
            assert_eq!((one.3, many.3), (8, 1));
            assert_eq!((one.0, one.1, one.2), (many.0, many.1, many.2));
            assert_eq!(one.0, one.2);
            assert!(gradient || one.1 == [[T::ZERO; 8]; DIM]);
        }
        let (values, slopes, ..) = all(true, true, frame);
        let outside: Vec<usize> = (0..8).filter(|k| values[*k] == -T::INFINITY).collect();
        assert_eq!(outside, if frame.is_some() { vec![4, 5, 6, 7] } else { vec![] });
        assert!(outside.iter().all(|k| slopes.iter().all(|g| g[*k] == T::ZERO)));
    }
}

#[test]
fn several_points_at_once() {
    several_points_have_the_bits_of_one::<f64>();
    several_points_have_the_bits_of_one::<f32>();
}

/// log p(m + L w) + log det L - log N(w; 0, scale^2 I), and its gradient in w.
#[test]
fn the_tilt_is_that_of_the_formula() {
    let [m, l] = [[0.1, -0.2, 0.3], [1.5, 0.5, 2.0]];
    let lower = [0.4, -0.3, 0.2];
    let numbers = [m[0], m[1], m[2], l[0], lower[0], l[1], lower[1], lower[2], l[2]];
    let (values, slopes, ..) = all::<f64>(false, true, Some(&numbers));
    let w = points::<f64>();
    for k in 0..4 {
        let [a, b, c] = w.map(|w| w[k]);
        let x = [
            m[0] + l[0] * a,
            m[1] + lower[0] * a + l[1] * b,
            m[2] + lower[1] * a + lower[2] * b + l[2] * c,
        ];
        let log_p = x[0] * x[1] - x.iter().map(|x| x.powi(4) / 4.0).sum::<f64>();
        let log_reference = -(a * a + b * b + c * c) / (2.0 * SCALE * SCALE)
            - 1.5 * (2.0 * std::f64::consts::PI * SCALE * SCALE).ln();
        let volume = (l[0] * l[1] * l[2]).ln();
        let exact = log_p + volume - log_reference;
        close(&[values[k]], &[exact], 1e-13, "value");
        let by_x = [x[1] - x[0].powi(3), x[0] - x[1].powi(3), -x[2].powi(3)];
        let by_w = [
            l[0] * by_x[0] + lower[0] * by_x[1] + lower[1] * by_x[2],
            l[1] * by_x[1] + lower[2] * by_x[2],
            l[2] * by_x[2],
        ];
        for (i, w) in [a, b, c].iter().enumerate() {
            close(&[slopes[i][k]], &[by_w[i] + w / (SCALE * SCALE)], 1e-13, "gradient");
        }
    }
}

/// Keeps the points that it is asked at.
struct Kept(RefCell<Vec<[f64; DIM]>>);

impl LogDensity<f64> for Kept {
    fn evaluate(&self, x: &[f64], _: Option<&mut [f64]>) -> Option<f64> {
        self.0.borrow_mut().push(std::array::from_fn(|i| x[i]));
        Some(0.0)
    }
}

/// Chains begin at the points given, those beyond them about the points in turn, as far off as a chain of the same number
/// is from the reference's middle without any.
#[test]
fn chains_begin_at_and_about_the_points() {
    const CHAINS: usize = 8;
    let points = [1.0, -2.0, 0.5, 3.0, 0.25, -1.5, 0.0, 7.0, 2.0];
    let frame = [0.4, -0.3, 2.0, 1.5, 0.2, 0.8, -0.6, 0.1, 0.9];
    for (lanes, framed) in [(1, false), (8, false), (8, true)] {
        let begun = |points| {
            let density = Kept(RefCell::new(Vec::new()));
            let problem = Problem::user(&density, DIM, SCALE, false).unwrap();
            let problem = problem.starting(points);
            let affine = Affine::new(&frame, DIM).unwrap();
            let problem = if framed { problem.about(affine) } else { problem };
            let method = Method::RandomWalk.into();
            let options = SamplerOptions {
                method,
                lanes,
                warmup: 0,
                draws: 1,
                stored: 1,
                ..Default::default()
            };
            let mut memory = Aligned::new(Sampler::size(&options, &problem).unwrap());
            let mut s = Sampler::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
            s.step(&problem, u64::MAX).unwrap();
            density.0.take()
        };
        let (with, without) = (begun(&points[..]), begun(&[]));
        // Eight in lock-step are all evaluated before the first moves, and one alone moves before the next begins.
        let own = |all: &[[f64; DIM]], k: usize| all[if lanes == 1 { 2 * k } else { k }];
        for k in 0..CHAINS {
            let (at, z) = (own(&with, k), own(&without, k));
            for i in 0..DIM {
                let middle = if framed { frame[i] } else { 0.0 };
                let off = if k < 3 { 0.0 } else { z[i] - middle };
                let exact = points[DIM * (k % 3) + i] + off;
                close(&[at[i]], &[exact], 1e-12, &format!("{lanes} lanes, chain {k}, x_{i}"));
            }
        }
    }
}
