//! Networks linearised at a mode: derivatives against differences, variances against J H^-1 J', and where the network is
//! linear the network itself; what cannot evaluate them refuses them.

use crate::bnn::run;
use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::bnn::BnnError;
use lcc_core::estimator::{Bnn, BnnMethod, BnnOptions};
use lcc_core::network::{Output, Scales};
use lcc_core::posterior::{Image, ImageError, Shape, Standardiser, Store, StoreError, image_size};
use lcc_core::predict::{Law, NetworkPredictor, PredictError, Predictor};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_tests::posteriors::Aligned;
use lcc_tests::tools::runs;

const ROWS: usize = 40;

/// Two inputs and what bends in them; of classes which third it lies in.
fn table(classes: bool) -> (Vec<f64>, Vec<f64>) {
    let mut stream = Stream::new(3, 0, Purpose::Gibbs);
    let x: Vec<f64> = (0..2 * ROWS).map(|_| stream.normal()).collect();
    let y = (0..ROWS)
        .map(|i| {
            let e: f64 = stream.normal();
            let f = (1.5 * x[2 * i]).sin() + 0.5 * x[2 * i] * x[2 * i + 1] + 0.2 * e;
            if classes { (f > -0.4) as u8 as f64 + (f > 0.5) as u8 as f64 } else { f }
        })
        .collect();
    (x, y)
}

fn options(method: BnnMethod, output: Output, widths: [u32; 4], scales: Scales) -> BnnOptions<f64> {
    BnnOptions {
        method: method.into(),
        output: output.into(),
        widths,
        scales: scales.into(),
        categories: 3,
        chains: 1,
        start_steps: 300,
        draws: 4,
        keep: 4,
        noise: if output == Output::Gaussian { 0.3 } else { 0.0 },
        ..BnnOptions::default()
    }
}

fn written(
    network: &Bnn<'_, f64>,
    write: impl Fn(&mut [u8]) -> Result<usize, BnnError>,
) -> Vec<u8> {
    let mut bytes = vec![0; network.model_size().unwrap()];
    let length = write(&mut bytes).unwrap();
    bytes.truncate(length);
    bytes
}

/// What each draw says at a row: the mean of a real number, ln P(c)/P(0) of classes.
pub(crate) fn outputs(bytes: &[u8], row: &[f64]) -> Vec<Vec<f64>> {
    let image = Image::open(bytes).unwrap();
    let mut own = vec![0.0; NetworkPredictor::<f64>::buffer_len(&image)];
    let predictor = NetworkPredictor::new(Isa::detect(), image, &mut own).unwrap();
    let mut scratch = vec![0.0; predictor.row_scratch()];
    let law = predictor.law(row, &mut scratch).unwrap();
    (0..image.draws())
        .map(|k| match &law {
            Law::Real(law) => vec![law.of_draw(k).unwrap().mean()],
            Law::Classes(law) => {
                let logs = law.log_probabilities(k);
                logs.iter().map(|l| l - logs[0]).collect()
            }
            Law::Positive(_) | Law::Counts(_) => unreachable!(),
        })
        .collect()
}

fn close(a: &[Vec<f64>], b: &[Vec<f64>], within: f64, what: &str) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
        assert!((a - b).abs() <= within * (1.0 + b.abs()), "{what}: {a}, not {b}");
    }
}

const AT: [[f64; 2]; 4] = [[0.3, -0.8], [-1.4, 0.2], [2.5, 1.0], [0.0, 0.0]];

/// Without hidden layers, and where the last layer alone moves, it is the network; elsewhere it is not.
#[test]
fn where_the_network_is_linear_it_is_the_network() {
    for (output, scales, method, widths, same) in [
        (Output::Softmax, Scales::Known, BnnMethod::Laplace, [0; 4], true),
        (Output::Gaussian, Scales::Known, BnnMethod::LaplaceDiagonal, [0; 4], true),
        (Output::Gaussian, Scales::Inputs, BnnMethod::LastLayer, [4, 0, 0, 0], true),
        (Output::StudentT, Scales::Inputs, BnnMethod::LastLayer, [4, 3, 0, 0], true),
        (Output::Softmax, Scales::Layers, BnnMethod::LastLayer, [3, 2, 2, 0], true),
        (Output::Gaussian, Scales::Known, BnnMethod::Laplace, [4, 0, 0, 0], false),
    ] {
        let (x, y) = table(output == Output::Softmax);
        let data = Dataset::new(Inputs::row_major(&x, ROWS, 2).unwrap(), &y).unwrap();
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &options(method, output, widths, scales), &data);
        let plain = written(&network, |b| network.write_model(b));
        let linear = written(&network, |b| network.write_linearised(b));
        for row in &AT {
            let (f, l) = (outputs(&plain, row), outputs(&linear, row));
            if same {
                close(&l, &f, 1e-11, output.name());
            } else {
                assert!((0..4).any(|k| (f[k][0] - l[k][0]).abs() > 1e-3));
            }
        }
    }
}

/// An image of networks about a point, or of networks themselves.
fn image(shape: Shape, units: &Image<'_>, point: &[f64], draws: &[Vec<f64>]) -> Vec<u8> {
    let d = shape.inputs();
    let mut buffer: Vec<f64> =
        (0..d).map(|j| units.mean_x(j)).chain((0..d).map(|j| units.sd_x(j))).collect();
    buffer.extend([units.mean_y::<f64>(), units.sd_y()]);
    let mut bytes = vec![0; image_size::<f64>(shape, draws.len()).unwrap()];
    let units = Standardiser::load(&buffer, d).unwrap();
    let mut store = Store::with_point(&mut bytes, shape, &units, 0.0, point).unwrap();
    draws.iter().for_each(|draw| store.push(draw).unwrap());
    store.seal().unwrap().to_vec()
}

/// f(w*) and the derivative along each draw, by differences.
#[test]
fn draws_are_followed_along_the_derivative() {
    for (output, widths, activation, linear) in [
        (Output::Gaussian, [5, 0, 0, 0], Activation::Tanh, true),
        (Output::StudentT, [3, 4, 0, 0], Activation::Silu, false),
        (Output::Softmax, [4, 2, 3, 0], Activation::Tanh, true),
        (Output::Softmax, [2, 3, 2, 2], Activation::Tanh, false),
    ] {
        let (x, y) = table(output == Output::Softmax);
        let data = Dataset::new(Inputs::row_major(&x, ROWS, 2).unwrap(), &y).unwrap();
        let o = BnnOptions {
            activation: activation.into(),
            linear: linear.into(),
            ..options(BnnMethod::Laplace, output, widths, Scales::Known)
        };
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &o, &data);
        let bytes = written(&network, |b| network.write_linearised(b));
        let of = Image::open(&bytes).unwrap();
        assert!(of.shape().linearised);
        let point = written(&network, |b| network.write_point(b));
        let point: Vec<f64> = Image::open(&point).unwrap().values(0).collect();
        let plain = Shape { linearised: false, ..of.shape() };
        let h = 1e-4;
        for k in 0..of.draws() {
            let draw: Vec<f64> = of.values(k).collect();
            // Noise of Student's t may be infinite.
            let moved = |h: f64| {
                let each = point.iter().zip(&draw).enumerate();
                each.map(
                    |(j, (p, w))| {
                        if j < plain.architecture.dim() { p + h * (w - p) } else { *p }
                    },
                )
                .collect::<Vec<f64>>()
            };
            let points = [moved(0.0), moved(h), moved(-h), moved(2.0 * h), moved(-2.0 * h)];
            let differences = image(plain, &of, &[], &points);
            for row in &AT {
                let f = outputs(&differences, row);
                let exact: Vec<f64> = (0..f[0].len())
                    .map(|c| {
                        let slope = 8.0 * (f[1][c] - f[2][c]) - (f[3][c] - f[4][c]);
                        f[0][c] + slope / (12.0 * h)
                    })
                    .collect();
                close(&outputs(&bytes, row)[k..=k], &[exact], 1e-8, "a derivative");
            }
        }
    }
}

/// Over many draws the mean is f at the mode and the variance J H^-1 J', J by differences in all coordinates, scales that are
/// sampled among them.
#[test]
fn variances_are_those_of_linear_algebra() {
    for scales in [Scales::Known, Scales::Inputs] {
        let (x, y) = table(false);
        let data = Dataset::new(Inputs::row_major(&x, ROWS, 2).unwrap(), &y).unwrap();
        let draws = runs(4000, 40000);
        let o = BnnOptions {
            draws,
            keep: draws,
            trace_rows: 0,
            standardise: false.into(),
            ..options(BnnMethod::Laplace, Output::Gaussian, [3, 2, 0, 0], scales)
        };
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &o, &data);
        let bytes = written(&network, |b| network.write_linearised(b));
        let of = Image::open(&bytes).unwrap();
        let plain = Shape { linearised: false, ..of.shape() };
        let mode = network.mode_coordinates();
        let posterior = o.network(data).posterior::<1>();
        let network_at = |z: &[f64]| {
            let blocks: Vec<[f64; 1]> = z.iter().map(|z| [*z]).collect();
            let mut out = vec![[0.0]; plain.architecture.dim()];
            posterior.parameters(Isa::detect(), &blocks, &mut out);
            let mut draw = out.concat();
            draw.extend([0.3, f64::INFINITY]);
            draw
        };
        let h = 1e-5;
        let mut points = vec![network_at(mode)];
        for j in 0..mode.len() {
            for by in [h, -h] {
                let mut z = mode.to_vec();
                z[j] += by;
                points.push(network_at(&z));
            }
        }
        let differences = image(plain, &of, &[], &points);
        // L of H = LL', with reciprocals on its diagonal.
        let factor = network.mode_factor();
        for row in &AT {
            let f = outputs(&differences, row);
            let mut j: Vec<f64> =
                (0..mode.len()).map(|k| (f[1 + 2 * k][0] - f[2 + 2 * k][0]) / (2.0 * h)).collect();
            for i in 0..j.len() {
                let own = &factor[i * (i + 1) / 2..];
                let sum: f64 = (0..i).map(|k| own[k] * j[k]).sum();
                j[i] = (j[i] - sum) * own[i];
            }
            let variance: f64 = j.iter().map(|v| v * v).sum();
            let found = outputs(&bytes, row);
            let n = found.len() as f64;
            let mean = found.iter().map(|f| f[0]).sum::<f64>() / n;
            let spread = found.iter().map(|l| (l[0] - f[0][0]).powi(2)).sum::<f64>() / n;
            println!("{mean} of {}, {spread} of {variance}", f[0][0]);
            assert!((mean - f[0][0]).abs() < 4.0 * (variance / n).sqrt(), "{mean} {}", f[0][0]);
            assert!(
                (spread / variance - 1.0).abs() < 4.0 * (2.0 / n).sqrt(),
                "{spread} {variance}"
            );
        }
    }
}

/// Readers of one hidden layer, unknown bits, points that are none; methods without a Gaussian about a mode.
#[test]
fn what_cannot_linearise_refuses() {
    let shape = Shape { linearised: true, ..Shape::one_layer(1, 1, Activation::Tanh) };
    let draw = [1.0, 0.0, 2.0, 0.5, 0.0, 0.1, 5.0];
    let mut buffer = [0.0_f64; 2];
    buffer.fill(0.0);
    let mut units = [0.0_f64; 4];
    let units = Standardiser::identity(1, &mut units).unwrap();
    let mut bytes = vec![0; image_size::<f64>(shape, 1).unwrap()];
    for (point, error) in [
        (&draw[..4], StoreError::Length),
        (&[], StoreError::Length),
        (&[1.0, 0.0, 2.0, f64::NAN, 0.0], StoreError::Value),
    ] {
        let refused = Store::with_point(&mut bytes, shape, &units, 0.0, point);
        assert_eq!(refused.map(|_| ()).err(), Some(error));
    }
    let plain = Shape { linearised: false, ..shape };
    let refused = Store::with_point(&mut bytes, plain, &units, 0.0, &draw[..5]);
    assert_eq!(refused.map(|_| ()).err(), Some(StoreError::Length));
    let mut store = Store::with_point(&mut bytes, shape, &units, 0.0, &draw[..5]).unwrap();
    store.push(&draw).unwrap();
    let length = store.seal().unwrap().len();
    let image = Image::open(&bytes[..length]).unwrap();
    assert_eq!(image.shape(), shape);
    // At the point itself it is the network.
    let mean = outputs(&bytes[..length], &[0.7])[0][0];
    assert!((mean - (0.5 + 2.0 * 0.7_f64.tanh())).abs() < 1e-14);
    assert_eq!(Image::open_one_layer(&bytes).err(), Some(ImageError::Unsupported));
    let mut buffer = vec![0.0_f64; Predictor::<f64>::buffer_len(&image)];
    let refused = Predictor::new(Isa::detect(), image, &mut buffer).err();
    assert_eq!(refused, Some(PredictError::Network));
    // A temperature stands before the point.
    let class = crate::predict_classes::shape(Output::Bernoulli, 1, [1, 0, 0, 0], 1);
    let class = Shape { linearised: true, ..class };
    let mut bytes_of_class = vec![0; image_size::<f64>(class, 1).unwrap()];
    let point: Vec<f64> = (0..class.architecture.dim()).map(|k| 0.3 + k as f64).collect();
    let mut store = Store::with_point(&mut bytes_of_class, class, &units, 0.0, &point).unwrap();
    store.push(&point).unwrap();
    let sealed = store.seal().unwrap();
    let (mut cold, mut back) = (vec![0; sealed.len()], vec![0; sealed.len()]);
    Image::open(sealed).unwrap().temper(0.5, &mut cold).unwrap();
    assert_eq!(Image::open(&cold).unwrap().temperature::<f64>(), 0.5);
    Image::open(&cold).unwrap().temper(1.0, &mut back).unwrap();
    assert_eq!(back, sealed);
    // Copies keep the point.
    let mut copy = vec![0; length + 3];
    let copied = image.attach(&[1, 2, 3], &mut copy).unwrap();
    assert_eq!(outputs(&copy[..copied], &[0.7])[0][0], mean);
    let mut unknown = bytes[..length].to_vec();
    unknown[37] |= 16;
    assert_eq!(Image::open(&unknown).err(), Some(ImageError::Unsupported));

    let (x, y) = table(false);
    let data = Dataset::new(Inputs::row_major(&x, ROWS, 2).unwrap(), &y).unwrap();
    for method in [BnnMethod::Map, BnnMethod::Ensemble, BnnMethod::Variational] {
        let o = BnnOptions {
            lanes: 1,
            ascent_steps: 20,
            start_steps: 5,
            ..options(method, Output::Gaussian, [2, 0, 0, 0], Scales::Known)
        };
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &o, &data);
        let mut bytes = vec![0; network.model_size().unwrap()];
        assert_eq!(network.write_linearised(&mut bytes), Err(BnnError::NoDraws));
        assert!(bytes.iter().all(|b| *b == 0));
    }
}
