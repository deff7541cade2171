//! The drift of the gas turbine, followed row by row and by a window that is refitted.

use super::{image, learner};
use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::{self, NetworkOptions, NetworkRegressor, RegressorError, Status};
use lcc_core::posterior::Image;
use lcc_core::predict::Predictor;
use lcc_core::simd::Isa;
use lcc_core::stream::{Compiled, StreamLearner, StreamOptions, Window, WindowError};
use lcc_tests::datasets::Table;
use lcc_tests::posteriors::Aligned;

/// RMSE, coverage of 90 % intervals and mean log density, one step ahead.
fn prequential<T: Compiled>(learner: &mut StreamLearner<'_, T>, table: &Table) -> [f64; 3] {
    let mut out = [0.0; 3];
    let n = table.y.len() as f64;
    for (x, y) in table.x.chunks(table.inputs).zip(&table.y) {
        let x: Vec<T> = x.iter().map(|x| T::lit(*x)).collect();
        let y = T::lit(*y);
        let law = learner.predict(&x, T::lit(0.9)).unwrap();
        let score = learner.observe(&x, y).unwrap();
        out[0] += (law.mean - y).to_f64().powi(2) / n;
        out[1] += f64::from(u8::from(law.lower <= y && y <= law.upper)) / n;
        out[2] += score.log_density.to_f64() / n;
        assert!((0.0..=1.0).contains(&score.pit.to_f64()));
    }
    out[0] = out[0].sqrt();
    out
}

/// A network of ten neurons fitted to the gas turbine's first years.
fn fitted<T: estimator::Compiled>(table: &Table, chains: u32, keep: u32) -> Vec<u8> {
    let x: Vec<T> = table.x.iter().map(|x| T::lit(*x)).collect();
    let y: Vec<T> = table.y.iter().map(|y| T::lit(*y)).collect();
    let inputs = Inputs::row_major(&x, y.len(), table.inputs).unwrap();
    let data = Dataset::new(inputs, &y).unwrap();
    let options = NetworkOptions::<T> {
        neurons: 10,
        chains,
        warmup: 200,
        draws: 200,
        keep,
        start_steps: 500,
        ..Default::default()
    };
    let size = NetworkRegressor::size(&options, data.n(), data.d()).unwrap();
    let mut memory = Aligned::new(size);
    let mut fit = NetworkRegressor::init(memory.bytes(), &options, Isa::detect(), &data).unwrap();
    while fit.step(&data, u64::MAX).unwrap() == Status::Running {}
    let mut bytes = vec![0; fit.model_size().unwrap()];
    let length = fit.write_model(&mut bytes).unwrap();
    bytes.truncate(length);
    bytes
}

#[test]
fn follows_the_drift_of_the_gas_turbine() {
    let (early, late) = (Table::read("gas_turbine_nox"), Table::read("gas_turbine_nox_late"));
    let bytes = fitted::<f32>(&early, 4, 16);
    let image = Image::open(&bytes).unwrap();
    let mut buffer = vec![0.0; Predictor::<f64>::buffer_len(&image)];
    let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let mut scratch = vec![0.0; predictor.rows_scratch()];
    let inputs = Inputs::row_major(&late.x, late.y.len(), late.inputs).unwrap();
    let data = Dataset::new(inputs, &late.y).unwrap();
    let frozen = predictor.evaluate(&data, 0.9, false, &mut scratch).unwrap();
    assert!(frozen.rmse > 10.0 && frozen.coverage < 0.7, "{frozen:?}");

    let single = StreamOptions::<f32>::default();
    let mut memory = Aligned::new(0);
    let scores = prequential(&mut learner(&mut memory, &single, &bytes), &late);
    println!("frozen {frozen:?}\nstreamed {scores:?}");
    assert!(scores[0] < 5.1 && scores[1] > 0.9 && scores[1] < 0.975, "{scores:?}");
    assert!(scores[2] > -2.85, "{scores:?}");
    // The same stream in double precision.
    let double = StreamOptions::<f64>::default();
    let mut memory = Aligned::new(0);
    let same = prequential(&mut learner(&mut memory, &double, &bytes), &late);
    assert!((same[0] - scores[0]).abs() < 0.01 && (same[2] - scores[2]).abs() < 0.005);

    // On a device: 8 and 16 draws, one lane.
    for draws in [8, 16] {
        let small = StreamOptions::<f32> { draws, lanes: 1, ..single };
        let size = StreamLearner::size(&small, &image).unwrap();
        assert!(size < 32 * 1024, "{size}");
        let mut memory = Aligned::new(0);
        let scores = prequential(&mut learner(&mut memory, &small, &bytes), &late);
        println!("{draws} draws, {size} bytes: {scores:?}");
        assert!(scores[0] < 5.5 && scores[1] > 0.88 && scores[1] < 0.97, "{scores:?}");
    }
}

#[test]
fn a_window_holds_the_last_rows() {
    assert_eq!(Window::<f32>::size(0, 2), Err(WindowError::Empty));
    assert_eq!(Window::<f32>::size(2, 0), Err(WindowError::Empty));
    assert!(Window::<f32>::size(usize::MAX / 2, 3).is_err());
    let size = Window::<f32>::size(5, 2).unwrap();
    let mut memory = Aligned::new(size);
    assert_eq!(Window::<f32>::open(memory.bytes()).unwrap_err(), WindowError::NotAWindow);
    Window::<f32>::init(memory.bytes(), 5, 2).unwrap();
    assert_eq!(Window::<f64>::open(memory.bytes()).unwrap_err(), WindowError::NotAWindow);
    for t in 0..23_u16 {
        // Moved between any two rows.
        let mut other = Aligned::new(size);
        other.bytes().copy_from_slice(memory.bytes());
        memory = other;
        let mut window = Window::<f32>::open(memory.bytes()).unwrap();
        assert_eq!(window.data().is_err(), t == 0);
        assert_eq!(window.push(&[1.0], 0.0), Err(WindowError::Columns));
        assert_eq!(window.push(&[1.0, f32::NAN], 0.0), Err(WindowError::Input));
        assert_eq!(window.push(&[1.0, 0.0], f32::INFINITY), Err(WindowError::Target));
        let x = f32::from(t);
        assert_eq!(window.push(&[x, -x], 2.0 * x), Ok(usize::from(t % 5)));
        assert_eq!((window.seen(), window.rows()), (u64::from(t) + 1, usize::from(t + 1).min(5)));
        let data = window.data().unwrap();
        let mut seen: Vec<u16> = data.y().iter().map(|y| (*y / 2.0) as u16).collect();
        for (i, y) in data.y().iter().enumerate() {
            assert_eq!((data.inputs.at(i, 0), data.inputs.at(i, 1)), (y / 2.0, -y / 2.0));
        }
        seen.sort_unstable();
        assert_eq!(seen, ((t + 1).saturating_sub(5)..=t).collect::<Vec<_>>());
    }
}

/// A window of later rows, refitted from the draws of the early model, and from random points.
#[test]
fn chains_go_on_from_the_draws_of_a_model() {
    let (early, late) = (Table::read("gas_turbine_nox"), Table::read("gas_turbine_nox_late"));
    let bytes = fitted::<f32>(&early, 4, 4);
    let image = Image::open(&bytes).unwrap();
    let d = late.inputs;
    let mut store = Aligned::new(Window::<f32>::size(300, d).unwrap());
    let mut window = Window::<f32>::init(store.bytes(), 300, d).unwrap();
    for (x, y) in late.x.chunks(d).zip(&late.y).take(500) {
        let x: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        window.push(&x, *y as f32).unwrap();
    }
    let data = window.data().unwrap();
    let inputs = Inputs::row_major(&late.x[500 * d..600 * d], 100, d).unwrap();
    let next = Dataset::new(inputs, &late.y[500..600]).unwrap();
    let score = |bytes: &[u8]| {
        let image = Image::open(bytes).unwrap();
        let mut buffer = vec![0.0; Predictor::<f64>::buffer_len(&image)];
        let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
        let mut scratch = vec![0.0; predictor.rows_scratch()];
        predictor.evaluate(&next, 0.9, false, &mut scratch).unwrap().rmse
    };
    let options = NetworkOptions::<f32> {
        neurons: 10,
        warmup: 20,
        draws: 30,
        keep: 5,
        starts: 0,
        drop: false.into(),
        ..Default::default()
    };
    let fit = |options: &NetworkOptions<f32>, warm: bool, budget: u64| {
        let size = NetworkRegressor::size(options, data.n(), d).unwrap();
        let mut memory = Aligned::new(size);
        if warm {
            let made =
                NetworkRegressor::init_from(memory.bytes(), options, Isa::detect(), &data, &image);
            made.unwrap();
        } else {
            NetworkRegressor::init(memory.bytes(), options, Isa::detect(), &data).unwrap();
        }
        loop {
            let mut other = Aligned::new(size);
            other.bytes().copy_from_slice(memory.bytes());
            memory = other;
            let mut fit = NetworkRegressor::open(memory.bytes(), Isa::detect()).unwrap();
            if fit.step(&data, budget).unwrap() == Status::Done {
                let mut bytes = vec![0; fit.model_size().unwrap()];
                let length = fit.write_model(&mut bytes).unwrap();
                bytes.truncate(length);
                return bytes;
            }
        }
    };
    // Fifty iterations find the later rows, also with a search and lanes of another number, in any budgets.
    let warm = fit(&options, true, u64::MAX);
    let (frozen, refitted) = (score(&bytes), score(&warm));
    assert!(refitted < 0.5 * frozen, "{frozen} {refitted}");
    // Chain c starts from draw c K / C: with hardly a step, its hidden layer is still that draw's.
    let still = NetworkOptions {
        warmup: 0,
        draws: 1,
        keep: 1,
        leapfrogs: 1,
        first_step: 1e-7,
        largest_step: 1e-7,
        ..options
    };
    let one = fit(&still, true, u64::MAX);
    let one = Image::open(&one).unwrap();
    assert_eq!(one.draws(), 4);
    for c in 0..4 {
        let own = one.values::<f32>(c).zip(image.values::<f32>(c * image.draws() / 4));
        for (k, (a, b)) in own.take(10 * (d + 1)).enumerate() {
            assert!((a - b).abs() < 1e-3 * b.abs().max(1.0), "{c} {k}: {a} {b}");
        }
    }
    // The search is skipped, and neither budgets nor lanes change a bit.
    let other = NetworkOptions { lanes: 1, starts: 3, ..options };
    assert_eq!(fit(&other, true, 20_000), warm);

    for (options, image) in [
        (NetworkOptions { neurons: 9, ..options }, &image),
        (NetworkOptions { activation: Activation::Erf.into(), ..options }, &image),
        (NetworkOptions { standardise: false.into(), ..options }, &image),
        (options, &Image::open(&self::image::<f32>(2, &[3.0])).unwrap()),
    ] {
        let mut memory = Aligned::new(NetworkRegressor::size(&options, data.n(), d).unwrap());
        let made =
            NetworkRegressor::init_from(memory.bytes(), &options, Isa::detect(), &data, image);
        assert_eq!(made.unwrap_err(), RegressorError::Image);
    }
}
