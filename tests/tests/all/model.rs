//! lcc-model against what it stands on: the same bytes and numbers, and refusals.

use lcc_core::data::{DataError, Dataset, Inputs};
use lcc_core::estimator::{Bnn, BnnMethod, BnnOptions};
use lcc_core::network::Output;
use lcc_core::posterior::{Image, ImageError};
use lcc_core::predict::{NetworkPredictor, PredictError};
use lcc_core::simd::Isa;
use lcc_model::{Error, Model, fit};
use lcc_tests::posteriors::Aligned;

fn small() -> BnnOptions<f64> {
    BnnOptions {
        widths: [3, 0, 0, 0],
        chains: 4,
        start_steps: 40,
        warmup: 2,
        leapfrogs: 8,
        ..BnnOptions::default()
    }
}

fn rows() -> (Vec<f64>, Vec<f64>) {
    let x: Vec<f64> = (0..60).map(|i| ((i * 7) % 30) as f64 / 10.0).collect();
    let y = x.chunks(2).map(|x| x[0] - 0.3 * x[1] * x[1]).collect();
    (x, y)
}

#[test]
fn it_is_the_network_and_its_predictor() {
    let (x, y) = rows();
    let data = Dataset::new(Inputs::row_major(&x, 30, 2).unwrap(), &y).unwrap();
    for (method, linearised) in [(BnnMethod::Hmc, false), (BnnMethod::Laplace, true)] {
        let options = BnnOptions { method: method.into(), ..small() };
        let model = fit(&x, &y, &options).unwrap();
        let mut memory = Aligned::new(Bnn::size(&options, 30, 2).unwrap());
        let mut network = Bnn::init(memory.bytes(), &options, Isa::detect(), &data).unwrap();
        network.step(&data, u64::MAX).unwrap();
        let mut bytes = vec![0; network.model_size().unwrap()];
        let length = match linearised {
            true => network.write_linearised(&mut bytes).unwrap(),
            false => network.write_model(&mut bytes).unwrap(),
        };
        assert_eq!(model.bytes(), &bytes[..length]);
        let luck = network.luck(&mut vec![0.0; 2 * network.traced_predictions()]).rms;
        assert_eq!(model.luck(), Some(luck).filter(|l| l.is_finite()));

        let image = Image::open(model.bytes()).unwrap();
        let mut buffer = vec![0.0; NetworkPredictor::<f64>::buffer_len(&image)];
        let predictor = NetworkPredictor::new(Isa::detect(), image, &mut buffer).unwrap();
        let mut scratch = vec![0.0; predictor.row_scratch()];
        let told = model.predict(&x[..6], 0.8).unwrap();
        assert_eq!(told.len(), 3);
        for (p, row) in told.iter().zip(x.chunks(2)) {
            let own = predictor.law(row, &mut scratch).unwrap().prediction(0.8);
            assert_eq!((p.mean, p.sd, p.lower, p.upper), (own.mean, own.sd, own.lower, own.upper));
        }
    }
}

#[test]
fn classes_and_bytes() {
    let (x, y) = rows();
    let y: Vec<f64> = y.iter().map(|y| f64::from(*y > 0.0)).collect();
    let model = fit(&x, &y, &BnnOptions { output: Output::Bernoulli.into(), ..small() }).unwrap();
    let p = model.probabilities(&x).unwrap();
    assert!(p.len() == 60 && p.chunks(2).all(|p| (p[0] + p[1] - 1.0).abs() < 1e-12));
    let mut longer = model.bytes().to_vec();
    longer.extend([1, 2, 3]);
    let again = Model::from_bytes(longer.clone()).unwrap();
    assert_eq!((again.bytes(), again.luck()), (model.bytes(), None));
    longer[60] ^= 1;
    assert_eq!(Model::from_bytes(longer), Err(Error::Image(ImageError::Corrupt)));
}

#[test]
fn what_is_refused() {
    let (x, y) = rows();
    assert_eq!(fit(&x, &y[..29], &small()), Err(Error::Shape));
    assert_eq!(fit(&x, &[], &small()), Err(Error::Data(DataError::Empty)));
    let wide = BnnOptions { lanes: 3, ..small() };
    assert!(matches!(fit(&x, &y, &wide), Err(Error::Fit(_))));
    let model = fit(&x, &y, &small()).unwrap();
    assert_eq!(model.predict(&x[..3], 0.9), Err(Error::Shape));
    assert_eq!(model.probabilities(&x), Err(Error::Predict(PredictError::Network)));
    let error = model.predict(&[f64::NAN, 0.0], 0.9).unwrap_err();
    assert!(matches!(error, Error::Data(DataError::NotFiniteX { .. })), "{error}");
}
