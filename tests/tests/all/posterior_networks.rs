//! Images of networks of any depth and output: the description in their header, what is attached, what is refused.

use crate::posterior::{SHAPE, draw, fix_crc, image, with_store};
use lcc_core::activation::Activation;
use lcc_core::network::{Architecture, Output};
use lcc_core::posterior::{
    HEADER, Image, ImageError, Shape, Standardiser, Store, StoreError, image_size,
};
use lcc_core::predict::Predictor;
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;

/// A described image: its shape, the values behind the network's parameters of a draw, and the floor.
pub(crate) struct Described {
    shape: Shape,
    tail: &'static [f64],
    floor: f64,
}

pub(crate) fn described() -> Vec<Described> {
    use lcc_core::network::Output::*;
    let of = |output: Output, inputs, widths, (outputs, linear): (usize, bool)| Shape {
        architecture: Architecture { inputs, widths, outputs, linear },
        activation: Activation::Silu,
        output,
        categories: 0,
        reference: false,
        exposure: false,
        linearised: false,
    };
    let tailed = |shape, tail| Described { shape, tail, floor: 0.0 };
    let counts = |output, widths| Shape { exposure: true, ..of(output, 2, widths, (1, true)) };
    let softmax = of(Softmax, 2, [2, 3, 2, 1], (3, false));
    let mixture = Shape { categories: 3, ..of(Mixture, 2, [2, 0, 0, 0], (9, false)) };
    vec![
        tailed(of(StudentT, 3, [2, 3, 0, 0], (1, true)), &[0.25, 4.0]),
        tailed(of(StudentT, 3, [2, 0, 0, 0], (1, false)), &[0.25, 4.0]),
        tailed(of(Gaussian, 1, [3, 0, 0, 0], (1, true)), &[0.5, f64::INFINITY]),
        Described { shape: of(MeanVariance, 2, [3, 2, 0, 0], (2, true)), tail: &[], floor: 0.125 },
        Described { shape: mixture, tail: &[], floor: 0.0 },
        tailed(of(Bernoulli, 4, [0; 4], (1, true)), &[]),
        tailed(Shape { categories: 4, reference: true, ..softmax }, &[]),
        tailed(Shape { categories: 3, ..softmax }, &[]),
        tailed(counts(Poisson, [2, 0, 0, 0]), &[]),
        tailed(counts(NegativeBinomial, [0; 4]), &[1.5]),
        tailed(of(NegativeBinomial, 1, [1, 1, 1, 1], (1, true)), &[0.5]),
        Described {
            shape: of(HurdleLogNormal, 3, [2, 0, 0, 0], (3, true)),
            tail: &[],
            floor: 0.25,
        },
        Described { shape: of(Gamma, 2, [2, 0, 0, 0], (2, true)), tail: &[], floor: 0.125 },
    ]
}

/// Parameters of the network, layer by layer.
fn parameters(a: &Architecture) -> usize {
    let (mut below, mut sum) = (a.inputs, 0);
    for w in a.widths.into_iter().map(|w| w as usize).take_while(|w| *w > 0) {
        sum += w * below + w;
        below = w;
    }
    let hidden = a.widths[0] > 0;
    let outer = if hidden { a.outputs * below } else { 0 };
    sum + outer + a.outputs + if a.linear || !hidden { a.outputs * a.inputs } else { 0 }
}

fn values_of<T: Real>(kind: &Described, k: usize) -> Vec<T> {
    let network = (0..parameters(&kind.shape.architecture))
        .map(|i| ((k * 31 + i * 7) % 23) as f64 / 8.0 - 1.0);
    network.chain(kind.tail.iter().copied()).map(T::lit).collect()
}

/// Units of as many columns as a row has; an exposure and a target that is not real are as they come.
fn units<T: Real>(shape: &Shape) -> (Vec<T>, Vec<T>, [T; 2]) {
    let d = shape.architecture.inputs;
    let mut means: Vec<T> = (0..d).map(|j| T::lit(j as f64 - 0.5)).collect();
    let mut sds: Vec<T> = (0..d).map(|j| T::lit(0.5 + j as f64)).collect();
    if shape.exposure {
        means.push(T::ZERO);
        sds.push(T::ONE);
    }
    let real = matches!(shape.output as i32, 0..=3 | 9 | 10);
    (means, sds, if real { [T::lit(10.0), T::lit(3.0)] } else { [T::ZERO, T::ONE] })
}

pub(crate) fn described_image<T: Real>(
    kind: &Described,
    draws: usize,
    attachment: &[u8],
) -> Vec<u8> {
    let (means, sds, [mean_y, sd_y]) = units::<T>(&kind.shape);
    let units = Standardiser::new(&means, &sds, mean_y, sd_y).unwrap();
    let size = image_size::<T>(kind.shape, draws).unwrap();
    let mut bytes = vec![0xAA; size + attachment.len()];
    let mut store =
        Store::<T>::with_floor(&mut bytes, kind.shape, &units, T::lit(kind.floor)).unwrap();
    assert_eq!(store.shape(), kind.shape);
    (0..draws).for_each(|k| store.push(&values_of(kind, k)).unwrap());
    // What was begun is taken up again.
    let again = Store::<T>::resume(&mut bytes).unwrap();
    assert_eq!((again.shape(), again.draws()), (kind.shape, draws));
    let sealed = again.seal_with(attachment).unwrap().to_vec();
    assert_eq!(sealed.len(), size + attachment.len());
    sealed
}

fn reads_back<T: Real, U: Real>() {
    for kind in described() {
        let d = kind.shape.architecture.inputs + kind.shape.exposure as usize;
        let standards = 2 * d + 2 + matches!(kind.shape.output as i32, 2 | 3 | 9..) as usize;
        let length = parameters(&kind.shape.architecture) + kind.tail.len();
        assert_eq!(kind.shape.draw_len(), Some(length));
        for attachment in [&b""[..], b"x", b"columns"] {
            let sealed = described_image::<T>(&kind, 2, attachment);
            assert_eq!(sealed.len(), 64 + (standards + 2 * length) * T::BYTES + attachment.len());
            let mut longer = sealed.clone();
            longer.extend([7; 9]);
            let image = Image::open(&longer).unwrap();
            assert_eq!((image.bytes(), image.attachment()), (&sealed[..], attachment));
            assert_eq!((image.shape(), image.draws()), (kind.shape, 2));
            assert_eq!((image.inputs(), kind.shape.inputs()), (d, d));
            assert_eq!(image.floor::<U>().to_f64(), kind.floor);
            let (means, sds, [mean_y, sd_y]) = units::<f64>(&kind.shape);
            for j in 0..d {
                let own = [image.mean_x::<U>(j), image.sd_x(j)].map(U::to_f64);
                assert_eq!(own, [means[j], sds[j]]);
            }
            assert_eq!([image.mean_y::<f64>(), image.sd_y()], [mean_y, sd_y]);
            for k in 0..2 {
                let values: Vec<f64> = image.values::<U>(k).map(U::to_f64).collect();
                assert_eq!(values, values_of::<f64>(&kind, k));
            }
            // What knows one hidden layer only, as versions before this one.
            let error = Image::open_one_layer(&sealed).err();
            assert_eq!(error, Some(ImageError::Unsupported));
        }
    }
}

#[test]
fn described_images_are_read_back_in_either_precision() {
    reads_back::<f32, f32>();
    reads_back::<f32, f64>();
    reads_back::<f64, f32>();
    reads_back::<f64, f64>();
}

/// The description, spelled out by hand.
#[test]
fn the_bytes_of_a_description_are_the_documented_ones() {
    let kinds = described();
    let softmax = &kinds[6];
    let mut bytes = b"LCCM".to_vec();
    bytes.extend([1, 1, 64, 0, 32, 8, 2, 0]);
    bytes.extend([2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]);
    let values = values_of::<f32>(softmax, 0);
    bytes.extend((64 + (6 + values.len() as u64) * 4 + 3).to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend([5, 2, 4, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0]);
    bytes.resize(HEADER, 0);
    let standards = [-0.5, 0.5, 0.5, 1.5, 0.0, 1.0].map(f32::to_le_bytes);
    standards.iter().for_each(|v| bytes.extend(v));
    values.iter().for_each(|v| bytes.extend(v.to_le_bytes()));
    bytes.extend(b"abc");
    fix_crc(&mut bytes);
    assert_eq!(described_image::<f32>(softmax, 1, b"abc"), bytes);
    // Linear part and exposure are the other bits.
    let poisson = described_image::<f64>(&kinds[8], 1, b"");
    assert_eq!(poisson[36..40], [6, 5, 0, 0]);
    assert_eq!(poisson[12], 3);
    // One hidden layer gets a description where there is something attached, and only then.
    let mut one = vec![0xAA; image_size::<f32>(SHAPE, 1).unwrap() + 2];
    with_store::<f32, _>(&mut one, |mut store| {
        store.push(&draw(0)).unwrap();
        let image = Image::open(store.seal_with(b"hi").unwrap()).unwrap();
        assert_eq!((image.shape(), image.attachment()), (SHAPE, &b"hi"[..]));
        assert_eq!(image.values::<f32>(0).collect::<Vec<_>>(), draw::<f32>(0));
        assert_eq!(image.bytes()[36..38], [0, 1]);
    });
    let plain = image::<f32>(1);
    assert_eq!(Image::open_one_layer(&plain).unwrap().attachment(), b"");
    // Attached or not it is the same network; without what was attached the same bytes.
    let mut named = vec![0xAA; plain.len() + 5];
    Image::open(&plain).unwrap().attach(b"names", &mut named).unwrap();
    let image = Image::open(&named).unwrap();
    let mut buffer = vec![0.0; Predictor::<f32>::buffer_len(&image)];
    assert!(Predictor::new(Isa::detect(), image, &mut buffer).is_ok());
    let mut again = vec![0xAA; plain.len()];
    assert_eq!(image.attach(b"", &mut again), Ok(plain.len()));
    assert_eq!(again, plain);
    // There must be room for it.
    with_store::<f32, _>(&mut one, |mut store| {
        store.push(&draw(0)).unwrap();
        assert_eq!(store.seal_with(b"hi!").err(), Some(StoreError::TooSmall));
    });
    with_store::<f32, _>(&mut one, |store| {
        assert_eq!(store.seal_with(b"").err(), Some(StoreError::NoDraw));
    });
}

/// Every bit and every length of every kind.
#[test]
fn every_defect_of_a_description_is_refused() {
    for kind in described() {
        let whole = described_image::<f32>(&kind, 2, b"names");
        let length = |shape: &Shape| shape.draw_len().unwrap() * 4;
        for n in 0..whole.len() {
            let error = Image::open(&whole[..n]).err();
            let short = if n < HEADER { ImageError::TooShort } else { ImageError::Truncated };
            assert_eq!(error, Some(short), "{n}");
        }
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Image::open(&bytes).is_err(), "{bit}");
            // With a checksum that fits, the header still says what lies there, or is refused.
            if bit >= 8 * HEADER {
                continue;
            }
            fix_crc(&mut bytes);
            if let Ok(image) = Image::open(&bytes) {
                let shape = image.shape();
                let total = 64 + image.attachment().len() + 4 * (2 * image.inputs() + 2);
                let floor = matches!(shape.output as i32, 2 | 3 | 9..) as usize * 4;
                let draws = image.draws() * length(&shape) * image.precision() as usize / 32;
                if image.precision() == 32 && bytes[6] == 64 {
                    assert_eq!(total + floor + draws, whole.len(), "{bit} {shape:?}");
                }
                let depth = shape.architecture.depth();
                assert!(shape.architecture.widths[depth..].iter().all(|w| *w == 0));
            }
        }
        let refused = |edit: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = whole.clone();
            edit(&mut bytes);
            fix_crc(&mut bytes);
            Image::open(&bytes).err()
        };
        use ImageError::*;
        assert_eq!(refused(&|b| b[10] |= 1), Some(Unsupported));
        assert_eq!(refused(&|b| b[10] |= 4), Some(Unsupported));
        assert_eq!(refused(&|b| b[36] = 200), Some(Unsupported));
        assert_eq!(refused(&|b| b[37] |= 8), Some(BadShape));
        assert_eq!(refused(&|b| b[37] |= 16), Some(Unsupported));
        assert_eq!(refused(&|b| b[38] ^= 9), Some(BadShape));
        assert_eq!(refused(&|b| b[40..52].fill(0xFF)), Some(BadShape));
        assert_eq!(refused(&|b| b[52] += 1), Some(BadShape));
        let counts = matches!(kind.shape.output as i32, 6 | 7);
        if !counts {
            assert_eq!(refused(&|b| b[37] |= 4), Some(BadShape));
        }
        // No value that is none, in any place.
        let first = whole.len() - 5 - 2 * length(&kind.shape);
        for at in (HEADER..whole.len() - 8).step_by(4) {
            let edit = |b: &mut Vec<u8>| b[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
            assert_eq!(refused(&edit), Some(BadValue), "{at}");
        }
        let tail = first + length(&kind.shape) - 4 * kind.tail.len();
        for (i, v) in kind.tail.iter().enumerate() {
            for bad in [0.0, -v, f64::NAN] {
                let bad = (bad as f32).to_le_bytes();
                let edit =
                    |b: &mut Vec<u8>| b[tail + 4 * i..tail + 4 * i + 4].copy_from_slice(&bad);
                assert_eq!(refused(&edit), Some(BadValue));
            }
        }
        // Units that an exposure, a class or a count cannot have.
        let put = |at: usize, v: f32| {
            move |b: &mut Vec<u8>| b[at..at + 4].copy_from_slice(&v.to_le_bytes())
        };
        let d = kind.shape.inputs();
        if kind.shape.exposure {
            assert_eq!(refused(&put(HEADER + 4 * (d - 1), 0.5)), Some(BadValue));
            assert_eq!(refused(&put(HEADER + 4 * (2 * d - 1), 2.0)), Some(BadValue));
        }
        let real = matches!(kind.shape.output as i32, 0..=3 | 9..);
        let expected = |v| if real { None } else { Some(v) };
        assert_eq!(refused(&put(HEADER + 8 * d, 0.5)), expected(BadValue));
        // Of a class it is a temperature.
        let sd = if kind.shape.is_class() { None } else { expected(BadValue) };
        assert_eq!(refused(&put(HEADER + 8 * d + 4, 2.0)), sd);
        assert_eq!(refused(&put(HEADER + 8 * d + 4, -2.0)), Some(BadValue));
        if matches!(kind.shape.output as i32, 2 | 3 | 9..) {
            assert_eq!(refused(&put(HEADER + 8 * d + 8, -0.5)), Some(BadValue));
        }
    }
}

#[test]
fn stores_refuse_what_an_image_may_not_hold() {
    use lcc_core::network::Output::*;
    for kind in described() {
        let (mut means, mut sds, [mean_y, sd_y]) = units::<f64>(&kind.shape);
        let mut bytes = vec![0; image_size::<f64>(kind.shape, 3).unwrap()];
        let mut store = |means: &[f64], sds: &[f64], y: [f64; 2], floor: f64| {
            let units = Standardiser::new(means, sds, y[0], y[1]).unwrap();
            Store::with_floor(&mut bytes, kind.shape, &units, floor).map(|_| ()).err()
        };
        assert_eq!(store(&means, &sds, [mean_y, sd_y], kind.floor), None);
        let off = [Some(StoreError::Units), None]
            [matches!(kind.shape.output as i32, 0..=3 | 9..) as usize];
        assert_eq!(store(&means, &sds, [mean_y, 2.0], kind.floor), off);
        assert_eq!(store(&means, &sds, [1.0, sd_y], kind.floor), off);
        assert_eq!(store(&means, &sds, [mean_y, sd_y], -1.0), Some(StoreError::Units));
        assert_eq!(store(&means, &sds, [mean_y, sd_y], f64::NAN), Some(StoreError::Units));
        if !(matches!(kind.shape.output, MeanVariance | Mixture) || kind.shape.output.is_log()) {
            assert_eq!(store(&means, &sds, [mean_y, sd_y], 0.5), Some(StoreError::Units));
        }
        if kind.shape.exposure {
            *sds.last_mut().unwrap() = 2.0;
            assert_eq!(store(&means, &sds, [mean_y, sd_y], 0.0), Some(StoreError::Units));
        }
        means.pop();
        sds.pop();
        assert_eq!(store(&means, &sds, [mean_y, sd_y], kind.floor), Some(StoreError::Inputs));

        let (means, sds, _) = units::<f64>(&kind.shape);
        let units = Standardiser::new(&means, &sds, mean_y, sd_y).unwrap();
        let mut store = Store::with_floor(&mut bytes, kind.shape, &units, kind.floor).unwrap();
        let good = values_of::<f64>(&kind, 0);
        store.push(&good).unwrap();
        assert_eq!(store.push(&good[1..]), Err(StoreError::Length));
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] = f64::NAN;
            assert_eq!(store.push(&bad), Err(StoreError::Value));
            let tail = at >= good.len() - kind.tail.len();
            bad[at] = -1.0;
            assert_eq!(store.push(&bad).is_err(), tail);
            if !tail {
                store = Store::with_floor(&mut bytes, kind.shape, &units, kind.floor).unwrap();
            }
        }
    }
    // Shapes that contradict themselves.
    let kinds = described();
    let sizes = |shape: Shape| image_size::<f32>(shape, 1);
    let edit = |k: usize, edit: fn(&mut Shape)| {
        let mut shape = kinds[k].shape;
        edit(&mut shape);
        shape
    };
    for shape in [
        edit(0, |s| s.architecture.widths = [2, 0, 3, 0]),
        edit(0, |s| s.architecture.outputs = 2),
        edit(0, |s| s.architecture.inputs = 0),
        edit(0, |s| s.categories = 2),
        edit(0, |s| s.reference = true),
        edit(0, |s| s.exposure = true),
        edit(4, |s| s.categories = 0),
        edit(5, |s| s.exposure = true),
        edit(6, |s| s.reference = false),
        edit(7, |s| s.categories = 1),
        edit(7, |s| s.architecture.widths = [u32::MAX; 4]),
    ] {
        assert_eq!(sizes(shape), Err(ImageError::BadShape), "{shape:?}");
    }
}
