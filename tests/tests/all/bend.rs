//! Inputs with long tails: which are bent, to what, and that an image means by them what a caller may do by hand.

use crate::posterior::fix_crc;
use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::{Bnn, BnnOptions};
use lcc_core::network::Output;
use lcc_core::posterior::{BENT_UNIT, Image, ImageError, Shape, Standardiser, Store, image_size};
use lcc_core::predict::{NetworkPredictor, Predictor};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_tests::posteriors::Aligned;

const N: usize = 200;

/// The means and sds by which a network standardises these columns.
fn units(columns: &[Vec<f64>], y: &[f64], options: BnnOptions<f64>) -> (Vec<f64>, Vec<f64>) {
    let x: Vec<f64> = (0..N).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
    let data = Dataset::new(Inputs::row_major(&x, N, columns.len()).unwrap(), y).unwrap();
    let options = BnnOptions { chains: 1, ..options };
    let mut memory = Aligned::new(Bnn::size(&options, N, columns.len()).unwrap());
    let network = Bnn::init(memory.bytes(), &options, Isa::detect(), &data).unwrap();
    let own = network.standardiser().unwrap();
    (own.means().to_vec(), own.sds().to_vec())
}

/// Normal numbers, and what one has of them.
fn table() -> (Vec<f64>, Vec<f64>) {
    let mut stream = Stream::new(5, 0, Purpose::Predictive);
    let mut normal = || (0..N).map(|_| stream.normal()).collect::<Vec<f64>>();
    (normal(), normal())
}

#[test]
fn long_tails_are_bent_and_others_are_not() {
    let (z, noise) = table();
    let of = |f: &dyn Fn(f64) -> f64| z.iter().map(|z| f(*z)).collect::<Vec<f64>>();
    let columns = [
        of(&|z| (1.5 * z).exp()),
        z.clone(),
        // One value in twenty, and one cell that is a code.
        of(&|z| f64::from(z > 1.6)),
        z.iter().enumerate().map(|(i, z)| if i == 7 { -9999.0 } else { *z }).collect(),
        // A tenth is not 0.
        of(&|z| if z > 1.3 { (2.0 * z).exp() } else { 0.0 }),
    ];
    let y: Vec<f64> = z.iter().zip(&noise).map(|(z, e)| z + 0.3 * e).collect();
    let (means, sds) = units(&columns, &y, BnnOptions::default());
    assert_eq!([0, 1, 2, 3, 4].map(|j| sds[j] < 0.0), [true, false, false, true, true], "{sds:?}");
    // The median, and half the distance of the quartiles.
    for j in [0, 3] {
        let mut sorted = columns[j].clone();
        sorted.sort_by(f64::total_cmp);
        let between = |k: usize| (sorted[k - 1] + sorted[k]) / 2.0;
        let (centre, half) = (between(N / 2), (between(3 * N / 4) - between(N / 4)) / 2.0);
        assert!((means[j] - centre).abs() < 1e-12 && (sds[j] + half).abs() < 1e-12, "{j}");
    }
    // Most rows are one number: the mean distance from it.
    let mean = columns[4].iter().sum::<f64>() / N as f64;
    assert!(means[4] == 0.0 && (sds[4] + mean).abs() < 1e-12 * mean, "{} {mean}", sds[4]);
    let straight = units(&columns, &y, BnnOptions { standardise: 1, ..BnnOptions::default() });
    assert!(straight.1.iter().all(|sd| *sd > 0.0));
    // Where the tails are what y grows with: numbers, and classes by theirs.
    let (_, sds) = units(&columns[..1], &columns[0], BnnOptions::default());
    assert!(sds[0] > 0.0);
    let classes =
        BnnOptions { output: Output::Softmax.into(), categories: 3, ..BnnOptions::default() };
    let far = columns[0].iter().map(|x| f64::from((*x / 10.0) as u8).min(2.0)).collect::<Vec<_>>();
    let near = z.iter().map(|z| f64::from((z + 1.5).clamp(0.0, 2.9) as u8)).collect::<Vec<_>>();
    for (y, bent) in [(far, false), (near, true)] {
        let (_, sds) = units(&columns[..1], &y, classes);
        assert_eq!(sds[0] < 0.0, bent, "{sds:?}");
    }
}

/// A sum of three inputs with long tails, of which none by itself tells it as a line better than bent: each is a line, and all rows
/// are within five of its units; a fourth that enters as its logarithm is bent. Two of them that are nearly one are no sum.
#[test]
fn a_sum_is_told_by_lines() {
    let mut stream = Stream::new(7, 0, Purpose::Predictive);
    let mut long = || (0..N).map(|_| stream.normal::<f64>().exp()).collect::<Vec<_>>();
    let columns = [long(), long(), long(), long()];
    let y: Vec<f64> = (0..N)
        .map(|i| columns[..3].iter().map(|c| c[i]).sum::<f64>() + 2.0 * columns[3][i].ln())
        .collect();
    let (means, sds) = units(&columns, &y, BnnOptions::default());
    assert_eq!([0, 1, 2, 3].map(|j| sds[j] < 0.0), [false, false, false, true], "{sds:?}");
    for j in 0..3 {
        let far = columns[j].iter().map(|x| ((x - means[j]) / sds[j]).abs()).fold(0.0, f64::max);
        assert!((far - 5.0).abs() < 1e-9, "{far}");
    }
    let near: Vec<f64> = columns[3].iter().map(|x| 1.01 * x).collect();
    let pair = [columns[3].clone(), near];
    let y: Vec<f64> = columns[3].iter().map(|x| x.ln()).collect();
    let (_, sds) = units(&pair, &y, BnnOptions::default());
    assert!(sds.iter().all(|sd| *sd < 0.0), "{sds:?}");
}

#[test]
fn an_image_bends_what_it_is_given() {
    let (centre, half) = (3.0, 0.25);
    for layers in [&[2_u32][..], &[2, 2]] {
        let mut shape = Shape::one_layer(2, 2, Activation::Tanh);
        shape.architecture.widths[..layers.len()].copy_from_slice(layers);
        let draw: Vec<f64> = (0..shape.draw_len().unwrap())
            .map(|k| if k + 2 < shape.draw_len().unwrap() { (k as f64).sin() } else { 4.0 })
            .collect();
        let image = |means: &[f64], sds: &[f64]| {
            let units = Standardiser::new(means, sds, 5.0, 2.0).unwrap();
            let mut bytes = vec![0; image_size::<f64>(shape, 1).unwrap()];
            let mut store = Store::new(&mut bytes, shape, &units).unwrap();
            store.push(&draw).unwrap();
            store.seal().unwrap();
            bytes
        };
        let (bent, plain) = (image(&[centre, 0.5], &[-half, 2.0]), image(&[0.0, 0.5], &[1.0, 2.0]));
        let mean = |bytes: &[u8], x: [f64; 2]| {
            let (isa, image) = (Isa::detect(), Image::open(bytes).unwrap());
            let mut own = vec![0.0; NetworkPredictor::<f64>::buffer_len(&image)];
            let all = NetworkPredictor::new(isa, image, &mut own).unwrap();
            let mut scratch = vec![0.0; all.row_scratch()];
            let law = all.law(&x, &mut scratch).unwrap().prediction(0.9);
            if layers.len() == 1 {
                let mut own = vec![0.0; Predictor::<f64>::buffer_len(&image)];
                let one = Predictor::new(isa, image, &mut own).unwrap();
                let mut scratch = vec![0.0; one.row_scratch()];
                assert_eq!(one.predict_row(&x, 0.9, &mut scratch).unwrap().mean, law.mean);
            }
            law.mean
        };
        for x in [3.0, 3.1, 2.0, -9999.0, 1e300] {
            let by_hand = BENT_UNIT * ((x - centre) / half).clamp(-1e18, 1e18).asinh();
            let (own, told) = (mean(&bent, [x, 0.7]), mean(&plain, [by_hand, 0.7]));
            assert!((own - told).abs() < 1e-13 * told.abs(), "{x}: {own} {told}");
        }
        // Far beyond all rows that trained a line goes on as a logarithm, unless it was not standardised.
        let line = image(&[2.0, 0.5], &[0.5, 2.0]);
        let beyond = |z: f64| (10.0 + (z.abs() - 10.0).min(1e18).asinh()).copysign(z);
        let far = [11.0, -2e4, 1e300].map(|z| (z, beyond(z)));
        for (z, by_hand) in [(9.5, 9.5), (-10.0, -10.0)].into_iter().chain(far) {
            let (own, told) = (mean(&line, [2.0 + 0.5 * z, 0.7]), mean(&plain, [by_hand, 0.7]));
            assert!((own - told).abs() < 1e-13 * told.abs(), "{z}: {own} {told}");
        }
        // No unit is 0, nor is that of the target turned.
        for (k, value) in [(2, 0.0), (2, f64::NAN), (5, -2.0)] {
            let mut other = bent.clone();
            let at = lcc_core::posterior::HEADER + 8 * k;
            other[at..at + 8].copy_from_slice(&f64::to_le_bytes(value));
            fix_crc(&mut other);
            assert_eq!(Image::open(&other).err(), Some(ImageError::BadValue), "{k} {value}");
        }
    }
}
