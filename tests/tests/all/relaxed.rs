//! Greedy least squares: errors against the bounds, searches against grids, the object, the model.

use lcc_core::activation::Activation;
use lcc_core::checkpoint::{Kind, checkpoint, restore, sealed_size};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::Status;
use lcc_core::estimator::relaxed::{
    Compiled, RelaxedError, RelaxedGreedy, RelaxedMethod, RelaxedOptions,
};
use lcc_core::posterior::Image;
use lcc_core::predict::Predictor;
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_tests::posteriors::Aligned;

const METHODS: [RelaxedMethod; 3] =
    [RelaxedMethod::Relaxed, RelaxedMethod::FrankWolfe, RelaxedMethod::Orthogonal];

/// n rows of d inputs in [-1, 1], and the output of a network of three neurons, of total weight 4,
/// with |w|_1 <= 3 each: a function of the hull of V = 4, R = 3.
fn in_the_hull<T: Real>(n: usize, d: usize) -> (Vec<T>, Vec<T>) {
    let mut state = 77_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1_u64 << 23) as f64 - 1.0
    };
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let row: Vec<f64> = (0..d).map(|_| next()).collect();
        let f = 2.0 * (2.0 * row[0] - 0.9 * row[1]).tanh()
            - 1.2 * (2.5 * row[1] + 0.5 * row[0]).tanh()
            + 0.8 * (3.0 * row[0]).tanh();
        y.push(T::lit(f));
        x.extend(row.into_iter().map(T::lit));
    }
    (x, y)
}

fn raw<T: Real>(method: RelaxedMethod) -> RelaxedOptions<T> {
    RelaxedOptions {
        method: method.into(),
        outer: T::lit(4.0),
        radius: T::lit(3.0),
        standardise: false.into(),
        intercept: false.into(),
        ..Default::default()
    }
}

fn whole<'m, T: Compiled>(
    memory: &'m mut Aligned,
    options: &RelaxedOptions<T>,
    data: &Dataset<'_, T>,
) -> RelaxedGreedy<'m, T> {
    *memory = Aligned::new(RelaxedGreedy::size(options, data.n(), data.d()).unwrap());
    let mut fit = RelaxedGreedy::init(memory.bytes(), options, Isa::detect(), data).unwrap();
    while fit.step(data, u64::MAX).unwrap() == Status::Running {}
    fit
}

#[test]
fn a_function_of_the_hull_is_approximated_within_the_bounds() {
    let (x, y) = in_the_hull::<f64>(150, 2);
    let data = Dataset::new(Inputs::row_major(&x, 150, 2).unwrap(), &y).unwrap();
    for method in METHODS {
        let mut memory = Aligned::new(0);
        let fit = whole(&mut memory, &raw(method), &data);
        let mut before = f64::INFINITY;
        for k in 0..40 {
            let level = fit.level_report(k).unwrap();
            let (v, size) = (4.0_f64, (3.0 * x.iter().fold(0.0_f64, |m, x| m.max(x.abs()))).tanh());
            let bound = v * v * size * size / (k + 1) as f64;
            assert!((level.bound - bound).abs() < 1e-12 * bound);
            let most = match method {
                RelaxedMethod::FrankWolfe => 16.0 * v * v * size * size / (k + 3) as f64,
                _ => 4.0 * bound,
            };
            assert!(level.error <= most, "{method:?} {k}: {} {most}", level.error);
            assert!(level.error <= before * (1.0 + 1e-9), "{method:?} {k}");
            match method {
                // The best of the hull has error 0: the gap before the level bounds that error.
                RelaxedMethod::FrankWolfe if k > 0 => {
                    assert!(level.gap >= before * 0.999, "{} {before}", level.gap);
                }
                RelaxedMethod::FrankWolfe => {}
                _ => assert!(level.gap.is_nan()),
            }
            if method != RelaxedMethod::Orthogonal {
                assert!(level.variation <= v * (1.0 + 1e-12));
            }
            before = level.error;
        }
        // And much better than that: the variance of y is about 4.
        let most = if method == RelaxedMethod::Orthogonal { 1e-5 } else { 0.1 };
        assert!(before < most, "{method:?}: {before}");
        for k in 0..40 {
            let size: f64 = fit.weights(k).iter().map(|w| w.abs()).sum();
            assert!(size <= 3.0 * (1.0 + 1e-12), "{size}");
        }
        // The error reported is that of the fit.
        let error: f64 = y.iter().zip(fit.fit()).map(|(y, f)| (y - f).powi(2)).sum::<f64>() / 150.0;
        assert!((error - before).abs() < 1e-12);
    }
}

/// One level in two dimensions: the neuron found is the best of a fine grid of the ball.
#[test]
fn the_search_finds_what_a_grid_finds() {
    for activation in [Activation::Tanh, Activation::GaussianBump, Activation::SquaredRelu] {
        for method in METHODS {
            let (x, y) = in_the_hull::<f64>(60, 2);
            let data = Dataset::new(Inputs::row_major(&x, 60, 2).unwrap(), &y).unwrap();
            let psi = activation.into();
            let options = RelaxedOptions { activation: psi, levels: 1, ..raw(method) };
            let mut memory = Aligned::new(0);
            let fit = whole(&mut memory, &options, &data);
            // At the first level b = 1: relaxed greedy seeks the nearest V s psi.
            let merit = |w: &[f64]| {
                let (mut linear, mut square) = (0.0, 0.0);
                for (row, y) in x.chunks(2).zip(&y) {
                    let [psi, _, _] = activation.jet(row[0] * w[0] + row[1] * w[1]);
                    linear += y * psi;
                    square += psi * psi;
                }
                match method {
                    RelaxedMethod::Relaxed => linear.abs() - 2.0 * square,
                    _ => linear.abs(),
                }
            };
            let mut best = f64::NEG_INFINITY;
            for a in -120..=120_i32 {
                for b in -120..=120_i32 {
                    if a.abs() + b.abs() <= 120 {
                        let w = [f64::from(a) / 40.0, f64::from(b) / 40.0];
                        best = best.max(merit(&w));
                    }
                }
            }
            let found = merit(fit.weights(0));
            assert!(found >= best - 1e-3 * best.abs(), "{activation:?} {method:?}: {found} {best}");
        }
    }
}

fn outcome<T: Compiled>(fit: &RelaxedGreedy<'_, T>) -> Vec<u64> {
    let mut out: Vec<u64> = Vec::new();
    let mut push = |x: &[T]| out.extend(x.iter().map(|x| x.to_f64().to_bits()));
    push(fit.fit());
    push(fit.coefficients());
    for k in 0..fit.levels() {
        push(fit.weights(k));
        push(&[fit.level_report(k).unwrap().error]);
    }
    let mut model = vec![0; fit.model_size().unwrap()];
    let written = fit.write_model(&mut model, &mut vec![T::ZERO; fit.model_scratch()]).unwrap();
    out.extend(model[..written].iter().map(|b| *b as u64));
    out
}

fn budgets_and_lanes<T: Compiled>() {
    let (x, y) = in_the_hull::<T>(41, 3);
    let data = Dataset::new(Inputs::row_major(&x, 41, 3).unwrap(), &y).unwrap();
    for method in METHODS {
        let options = RelaxedOptions {
            method: method.into(),
            levels: 3,
            starts: 16,
            steps: 12,
            ..RelaxedOptions::<T>::default()
        };
        let mut memory = Aligned::new(0);
        let straight = outcome(&whole(&mut memory, &options, &data));
        for lanes in [1, 8] {
            for isa in [Isa::Portable, Isa::detect()] {
                let options = RelaxedOptions { lanes, ..options };
                let size = RelaxedGreedy::size(&options, 41, 3).unwrap();
                let mut memory = Aligned::new(size);
                memory.bytes().fill(0x5A);
                RelaxedGreedy::init(memory.bytes(), &options, isa, &data).unwrap();
                let mut budget = 1_u64;
                loop {
                    // Sealed and taken up again between any two calls.
                    let mut sealed = vec![0; sealed_size(size).unwrap()];
                    checkpoint(memory.bytes(), Kind::Relaxed, T::BITS, &mut sealed).unwrap();
                    let mut other = Aligned::new(size);
                    restore(&sealed, Kind::Relaxed, T::BITS, other.bytes()).unwrap();
                    memory = other;
                    let mut fit = RelaxedGreedy::open(memory.bytes(), isa).unwrap();
                    if fit.step(&data, budget).unwrap() == Status::Done {
                        assert_eq!(outcome(&fit), straight, "{method:?} {lanes} {isa:?}");
                        break;
                    }
                    budget = budget * 7 % 1009 + 1;
                }
            }
        }
    }
}

#[test]
fn budgets_lanes_checkpoints_and_instruction_sets_change_no_bit() {
    budgets_and_lanes::<f64>();
    budgets_and_lanes::<f32>();
}

#[test]
fn the_model_is_the_fit_so_far() {
    let (x, y) = in_the_hull::<f64>(60, 2);
    let data = Dataset::new(Inputs::row_major(&x, 60, 2).unwrap(), &y).unwrap();
    for method in METHODS {
        let options =
            RelaxedOptions { method: method.into(), levels: 6, ..RelaxedOptions::default() };
        let mut memory = Aligned::new(0);
        let fit = whole(&mut memory, &options, &data);
        let mut model = vec![0; fit.model_size().unwrap()];
        let written = fit.write_model(&mut model, &mut vec![0.0; fit.model_scratch()]).unwrap();
        let image = Image::open(&model[..written]).unwrap();
        assert_eq!((image.draws(), image.shape().neurons()), (1, Some(6)));
        let mut buffer = vec![0.0; Predictor::<f64>::buffer_len(&image)];
        let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
        let units = fit.standardiser().unwrap();
        for (i, f) in fit.fit().iter().enumerate() {
            let mut scratch = vec![0.0; predictor.row_scratch()];
            let law = predictor.mixture(&x[2 * i..2 * i + 2], &mut scratch).unwrap();
            assert!((law.mean() - units.raw_target(*f)).abs() < 1e-10, "{method:?}");
        }
    }
}

#[test]
fn refuses_what_it_must() {
    let good = RelaxedOptions::<f64>::default();
    for (options, error) in [
        (RelaxedOptions { levels: 0, ..good }, RelaxedError::Levels),
        (RelaxedOptions { levels: 4097, ..good }, RelaxedError::Levels),
        (RelaxedOptions { outer: 0.0, ..good }, RelaxedError::Outer),
        (RelaxedOptions { outer: f64::NAN, ..good }, RelaxedError::Outer),
        (RelaxedOptions { radius: -1.0, ..good }, RelaxedError::Radius),
        (RelaxedOptions { starts: 0, ..good }, RelaxedError::Starts),
        (RelaxedOptions { starts: 12, ..good }, RelaxedError::Starts),
        (RelaxedOptions { lanes: 2, ..good }, RelaxedError::Lanes),
        (RelaxedOptions { steps: 0, ..good }, RelaxedError::Steps),
    ] {
        assert_eq!(RelaxedGreedy::size(&options, 20, 2), Err(error));
        assert!(!error.to_string().is_empty());
    }
    assert!(RelaxedGreedy::size(&good, 0, 2).is_err());
    assert!(RelaxedGreedy::size(&good, 20, usize::MAX).is_err());
    let (x, y) = in_the_hull::<f64>(20, 2);
    let data = Dataset::new(Inputs::row_major(&x, 20, 2).unwrap(), &y).unwrap();
    let mut memory = Aligned::new(RelaxedGreedy::size(&good, 20, 2).unwrap());
    let mut fit = RelaxedGreedy::init(memory.bytes(), &good, Isa::detect(), &data).unwrap();
    let mut model = vec![0; fit.model_size().unwrap()];
    let mut scratch = vec![0.0; fit.model_scratch()];
    assert_eq!(fit.write_model(&mut model, &mut scratch), Err(RelaxedError::NotDone));
    assert!(fit.level_report(0).is_none() && fit.weights(0).is_empty());
    let mut other = y.clone();
    other[3] += 1.0;
    let changed = Dataset::new(data.inputs, &other).unwrap();
    assert_eq!(fit.step(&changed, 1), Err(RelaxedError::OtherData));
    memory.bytes()[0] ^= 1;
    let opened = RelaxedGreedy::<f64>::open(memory.bytes(), Isa::detect());
    assert_eq!(opened.unwrap_err(), RelaxedError::NotAFit);
}
