//! The image of a posterior: its format, what it refuses, and its standardisation.

use crate::posterior_networks::{described, described_image};
use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::posterior::{
    HEADER, Image, ImageError, Shape, StandardiseError, Standardiser, Store, StoreError, image_size,
};
use lcc_core::scalar::Real;

pub(crate) const SHAPE: Shape = Shape::one_layer(3, 2, Activation::Softplus);
/// w, b, v, b0, c, sigma, nu.
const LEN: usize = 6 + 2 + 2 + 1 + 3 + 2;

/// An independent CRC-32.
fn crc32(bytes: impl Iterator<Item = u8>) -> u32 {
    let step = |c: u32, b: u8| {
        (0..8).fold(c ^ b as u32, |c, _| if c & 1 == 1 { (c >> 1) ^ 0xEDB8_8320 } else { c >> 1 })
    };
    !bytes.fold(!0, step)
}

pub(crate) fn fix_crc(image: &mut [u8]) {
    let crc = crc32(image[..32].iter().chain(&image[36..]).copied());
    image[32..36].copy_from_slice(&crc.to_le_bytes());
}

struct Generator(u64);
impl Generator {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 20) as usize % n
    }
    fn value(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

pub(crate) fn draw<T: Real>(k: usize) -> Vec<T> {
    let mut values: Vec<T> =
        (0..LEN - 2).map(|i| T::lit(((k * 31 + i * 7) % 23) as f64 / 8.0 - 1.0)).collect();
    values.push(T::lit(0.25 + k as f64));
    values.push(if k == 1 { T::INFINITY } else { T::lit(4.5) });
    values
}

pub(crate) fn with_store<T: Real, R>(
    bytes: &mut [u8],
    use_it: impl FnOnce(Store<'_, T>) -> R,
) -> R {
    let means = [T::lit(1.0), T::lit(-2.0), T::lit(0.5)];
    let sds = [T::lit(2.0), T::lit(4.0), T::lit(0.125)];
    let standardiser = Standardiser::new(&means, &sds, T::lit(10.0), T::lit(3.0)).unwrap();
    use_it(Store::new(bytes, SHAPE, &standardiser).unwrap())
}

pub(crate) fn image<T: Real>(draws: usize) -> Vec<u8> {
    let mut bytes = vec![0xAA; image_size::<T>(SHAPE, draws).unwrap()];
    with_store::<T, _>(&mut bytes, |mut store| {
        assert_eq!(store.capacity(), draws);
        (0..draws).for_each(|k| store.push(&draw(k)).unwrap());
        assert_eq!(store.push(&draw(0)), Err(StoreError::Full));
        store.seal().unwrap().to_vec()
    })
}

fn round_trip<T: Real, U: Real>() {
    let sealed = image::<T>(3);
    assert_eq!(sealed.len(), image_size::<T>(SHAPE, 3).unwrap());
    for shift in 0..16 {
        let mut moved = vec![0x55; shift];
        moved.extend(&sealed);
        moved.extend([0x77; 5]);
        let image = Image::open(&moved[shift..]).unwrap();
        assert_eq!(image.bytes(), &sealed[..]);
        assert_eq!(image.shape(), SHAPE);
        assert_eq!((image.draws(), image.precision()), (3, T::BITS));
        for k in 0..3 {
            let values: Vec<f64> = image.values::<U>(k).map(U::to_f64).collect();
            let expected: Vec<f64> = draw::<f64>(k);
            assert_eq!(values, expected);
        }
        assert_eq!(image.values::<U>(3).len(), 0);
        let of = |x: U| x.to_f64();
        assert_eq!([0, 1, 2].map(|j| of(image.mean_x(j))), [1.0, -2.0, 0.5]);
        assert_eq!([0, 1, 2].map(|j| of(image.sd_x(j))), [2.0, 4.0, 0.125]);
        assert_eq!([of(image.mean_y()), of(image.sd_y())], [10.0, 3.0]);
    }
}

#[test]
fn what_is_stored_is_read_back_at_any_alignment_in_either_precision() {
    round_trip::<f32, f32>();
    round_trip::<f32, f64>();
    round_trip::<f64, f32>();
    round_trip::<f64, f64>();
}

#[test]
fn doubles_are_rounded_to_singles_as_the_hardware_does() {
    let shape = Shape::one_layer(1, 1, Activation::Tanh);
    let standardiser = Standardiser::new(&[0.0], &[1.0], 0.0, 1.0).unwrap();
    let mut bytes = vec![0; image_size::<f64>(shape, 1).unwrap()];
    let mut g = Generator(7);
    let mut store = Store::new(&mut bytes, shape, &standardiser).unwrap();
    let ties = [1.0 + f64::from(f32::EPSILON) / 2.0, 1.0 + 1.5 * f64::from(f32::EPSILON)];
    let edges = [
        f64::from(f32::MAX) * (1.0 + 1e-8),
        f64::from(f32::MAX) * (1.0 + 2f64.powi(-25)),
        1e300,
        f64::from(f32::MIN_POSITIVE) * (1.0 - 1e-9),
        2f64.powi(-149),
        2f64.powi(-150),
        2f64.powi(-150) * 1.000001,
        1.5 * 2f64.powi(-149),
        2f64.powi(-151),
        1e-310,
        0.0,
    ];
    store.push(&[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 3.0]).unwrap();
    let mut check = |v: f64| {
        store.replace(0, &[v, -v, 0.0, 0.0, 0.0, 1.0, 3.0]).unwrap();
        let read: Vec<u32> = store.image().values::<f32>(0).take(2).map(f32::to_bits).collect();
        assert_eq!(read, [v as f32, -v as f32].map(f32::to_bits), "{v:e}");
    };
    ties.into_iter().chain(edges).for_each(&mut check);
    for _ in 0..100_000 {
        let bits = g.next();
        // Every exponent of a single and a few beyond, low bits often a tie.
        let exponent = 1023 - 155 + bits % 290;
        let mantissa = if bits & 1024 == 0 { g.next() >> 12 } else { (g.next() >> 40) << 28 };
        check(f64::from_bits(exponent << 52 | mantissa));
    }
}

/// The format, spelled out by hand; the golden checksum is over the whole image.
#[test]
fn the_bytes_are_the_documented_ones() {
    fn expected<T: Real>() -> Vec<u8> {
        let mut bytes = b"LCCM".to_vec();
        bytes.extend([0, 1, 64, 0, T::BITS as u8, 2, 0, 0]);
        bytes.extend([3, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
        bytes.extend((64 + (8 + 3 * LEN as u64) * T::BYTES as u64).to_le_bytes());
        bytes.resize(HEADER, 0);
        let standards = [1.0, -2.0, 0.5, 2.0, 4.0, 0.125, 10.0, 3.0].map(T::lit);
        for v in standards.into_iter().chain((0..3).flat_map(draw::<T>)) {
            let mut place = [0; 8];
            assert!(v.write_le(&mut place[..T::BYTES]));
            bytes.extend(&place[..T::BYTES]);
        }
        fix_crc(&mut bytes);
        bytes
    }
    assert_eq!(image::<f32>(3), expected::<f32>());
    assert_eq!(image::<f64>(3), expected::<f64>());
    assert_eq!(crc32(image::<f32>(3).into_iter()), GOLDEN_F32);
    assert_eq!(crc32(image::<f64>(3).into_iter()), GOLDEN_F64);
    assert_eq!(crc32(b"123456789".iter().copied()), 0xCBF4_3926);
}

#[test]
fn every_defect_has_its_error() {
    use ImageError::*;
    fn refused(edit: impl FnOnce(&mut Vec<u8>)) -> ImageError {
        let mut bytes = image::<f32>(3);
        edit(&mut bytes);
        Image::open(&bytes).expect_err("opened")
    }
    /// As `refused`, with a checksum that fits.
    fn resealed(edit: impl FnOnce(&mut Vec<u8>)) -> ImageError {
        refused(|b| {
            edit(b);
            fix_crc(b);
        })
    }
    let put =
        |at: usize, v: f32| move |b: &mut Vec<u8>| b[at..at + 4].copy_from_slice(&v.to_le_bytes());
    let first = HEADER + 8 * 4;
    for n in [0, 3, 5, 63] {
        assert_eq!(refused(|b| b.truncate(n)), TooShort, "{n}");
    }
    assert_eq!(refused(|b| b[3] = b'N'), BadMagic);
    assert_eq!(refused(|b| b[5] = 2), NewerVersion);
    assert_eq!(refused(|b| b[5] = 0), Unsupported);
    assert_eq!(refused(|b| b[8] = 16), Unsupported);
    assert_eq!(refused(|b| b[9] = 200), Unsupported);
    assert_eq!(refused(|b| b[10] = 1), Unsupported);
    assert_eq!(refused(|b| b[11] = 0x80), Unsealed);
    for at in [12, 16, 20] {
        assert_eq!(resealed(|b| b[at..at + 4].fill(0)), BadShape, "{at}");
        assert_eq!(resealed(|b| b[at..at + 4].fill(0xFF)), BadShape, "{at}");
        assert_eq!(resealed(|b| b[at] += 1), BadShape, "{at}");
    }
    assert_eq!(resealed(|b| b[6] = 60), BadShape);
    assert_eq!(resealed(|b| b[24] += 1), BadShape);
    assert_eq!(refused(|b| b.truncate(b.len() - 1)), Truncated);
    assert_eq!(refused(|b| b.truncate(64)), Truncated);
    for at in [32, 40, first, first + 20] {
        assert_eq!(refused(|b| b[at] ^= 4), Corrupt, "{at}");
    }
    assert_eq!(resealed(put(first, f32::NAN)), BadValue);
    assert_eq!(resealed(put(first + 4, f32::NEG_INFINITY)), BadValue);
    assert_eq!(resealed(put(HEADER, f32::INFINITY)), BadValue);
    assert_eq!(resealed(put(HEADER + 3 * 4, 0.0)), BadValue);
    assert_eq!(resealed(put(HEADER + 7 * 4, -1.0)), BadValue);
    let sigma = first + 4 * (LEN - 2);
    for v in [0.0, -1.0, f32::INFINITY, f32::NAN] {
        assert_eq!(resealed(put(sigma, v)), BadValue);
    }
    for v in [0.0, -1.0, f32::NEG_INFINITY, f32::NAN] {
        assert_eq!(resealed(put(sigma + 4, v)), BadValue);
    }
    // A newer minor version with a longer header is read.
    let mut bytes = image::<f32>(3);
    bytes[4] = 7;
    bytes[6] = 72;
    bytes.splice(64..64, [9; 8]);
    let total = bytes.len() as u64;
    bytes[24..32].copy_from_slice(&total.to_le_bytes());
    fix_crc(&mut bytes);
    let image = Image::open(&bytes).unwrap();
    assert_eq!(image.values::<f64>(2).collect::<Vec<_>>(), draw::<f64>(2));
}

/// Flips, truncations and random headers, with and without a fitting checksum: an error or an image
/// whose every value can be read, never a panic.
#[test]
fn any_bytes_are_safe_to_open() {
    let mut g = Generator(99);
    let kinds = described();
    let others = kinds.iter().map(|kind| described_image::<f32>(kind, 2, b"what"));
    let sources: Vec<_> = [image::<f32>(3), image::<f64>(2)].into_iter().chain(others).collect();
    let mut opened = 0;
    for round in 0..40_000 {
        let mut bytes = sources[round % sources.len()].clone();
        for _ in 0..1 + g.below(4) {
            let at = if g.below(2) == 0 { g.below(HEADER) } else { g.below(bytes.len()) };
            match g.below(3) {
                0 => bytes[at] ^= 1 << g.below(8),
                1 => bytes[at] = g.next() as u8,
                _ => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][g.below(5)],
            }
        }
        if g.below(4) == 0 {
            bytes.truncate(g.below(bytes.len() + 1));
        }
        if bytes.len() >= 36 && g.below(4) != 0 {
            fix_crc(&mut bytes);
        }
        if let Ok(image) = Image::open(&bytes) {
            opened += 1;
            for k in 0..=image.draws() {
                let all = image.values::<f64>(k);
                let network = all.clone().take(all.len().saturating_sub(1));
                assert!(network.into_iter().all(f64::is_finite));
                assert!(all.clone().all(|v| !v.is_nan()));
                image.values::<f32>(k).for_each(drop);
            }
            let d = image.shape().inputs();
            assert!((0..d).all(|j| image.sd_x::<f64>(j) != 0.0));
        }
        // A store must survive them too.
        if let Ok(mut store) = Store::<f32>::resume(&mut bytes) {
            let _ = store.push(&draw(0));
            let _ = store.seal();
        }
    }
    assert!(opened > 1000, "{opened}");
}

#[test]
fn a_store_is_resumed_and_overwritten() {
    let mut bytes = vec![0; image_size::<f32>(SHAPE, 5).unwrap()];
    with_store::<f32, _>(&mut bytes, |mut s| {
        [1, 3].into_iter().for_each(|k| s.push(&draw(k)).unwrap())
    });
    assert_eq!(Image::open(&bytes).err(), Some(ImageError::Unsealed));
    assert_eq!(Store::<f64>::resume(&mut bytes).err(), Some(StoreError::NotAStore));
    let mut moved = bytes.clone();
    let mut store = Store::<f32>::resume(&mut moved).unwrap();
    assert_eq!((store.draws(), store.capacity(), store.shape()), (2, 5, SHAPE));
    store.replace(0, &draw(7)).unwrap();
    assert_eq!(store.replace(2, &draw(7)), Err(StoreError::NoDraw));
    for (edit, error) in
        [(0, StoreError::Value), (LEN - 2, StoreError::Value), (LEN - 1, StoreError::Value)]
    {
        let mut bad = draw::<f32>(0);
        bad[edit] = f32::NAN;
        assert_eq!(store.push(&bad), Err(error));
    }
    assert_eq!(store.push(&draw::<f32>(0)[1..]), Err(StoreError::Length));
    assert_eq!(store.draws(), 2);
    assert_eq!(store.image().draws(), 2);
    let sealed = store.seal().unwrap();
    assert_eq!(sealed.len(), image_size::<f32>(SHAPE, 2).unwrap());
    let image = Image::open(sealed).unwrap();
    assert_eq!(image.values::<f32>(0).collect::<Vec<_>>(), draw::<f32>(7));
    assert_eq!(image.values::<f32>(1).collect::<Vec<_>>(), draw::<f32>(3));
    assert_eq!(Store::<f32>::resume(&mut moved).err(), Some(StoreError::NotAStore));
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let shape = |inputs, neurons| Shape::one_layer(inputs, neurons, Activation::Tanh);
    for (s, capacity) in [
        (shape(0, 1), 1),
        (shape(1, 0), 1),
        (shape(1, 1), 0),
        (shape(usize::MAX, 1), 1),
        (shape(1, usize::MAX), 1),
        (shape(usize::MAX / 2, 3), 1),
        (shape(1 << 31, 1 << 31), 1 << 31),
        (shape(1, 1), usize::MAX),
    ] {
        assert_eq!(image_size::<f32>(s, capacity), Err(ImageError::BadShape), "{s:?} {capacity}");
    }
    let mut buffer = [0.0; 6];
    let standardiser = Standardiser::identity(3, &mut buffer).unwrap();
    let mut bytes = vec![0; image_size::<f64>(SHAPE, 1).unwrap() - 1];
    let error = Store::new(&mut bytes, SHAPE, &standardiser).err();
    assert_eq!(error, Some(StoreError::TooSmall));
    bytes.push(0);
    assert!(Store::new(&mut bytes, SHAPE, &standardiser).unwrap().seal().is_none());
    let error = Store::new(&mut bytes, shape(2, 2), &standardiser).err();
    assert_eq!(error, Some(StoreError::Inputs));
}

fn standardises<T: Real>(unit: f64) {
    // A column with a mean of 10^4 sds, a constant one, and one in tiny units.
    let n = 5000;
    let mut g = Generator(3);
    let columns: Vec<[f64; 4]> = (0..n)
        .map(|_| [1e4 + g.value(), 7.3, g.value() * 1e-30, unit * (3.0 + g.value())])
        .map(|row| row.map(|v| T::lit(v).to_f64()))
        .collect();
    // Column-major, the target last.
    let at = |j: usize| columns.iter().map(move |r| r[j]);
    let x: Vec<T> = (0..3).flat_map(|j| at(j).map(T::lit)).collect();
    let y: Vec<T> = at(3).map(T::lit).collect();
    let data = Dataset::new(Inputs::new(&x, n, 3, 1, n).unwrap(), &y).unwrap();
    let mut buffer = vec![T::ZERO; 6];
    let s = Standardiser::fit(&data, &mut buffer).unwrap();
    let moments = |j: usize| {
        // In f64, from deviations in units of the largest value.
        let (first, scale) = (at(j).next().unwrap(), at(j).fold(0.0, |m: f64, v| m.max(v.abs())));
        let deviation = |v: f64| v / scale - first / scale;
        let shift = at(j).map(deviation).sum::<f64>() / n as f64;
        let squares = at(j).map(|v| (deviation(v) - shift).powi(2)).sum::<f64>();
        (first + shift * scale, (squares / n as f64).sqrt() * scale)
    };
    let eps = T::EPSILON.to_f64();
    for (j, m, sd) in
        [(0, s.means()[0], s.sds()[0]), (2, s.means()[2], s.sds()[2]), (3, s.mean_y(), s.sd_y())]
    {
        let (mean, expected) = moments(j);
        let far = (m.to_f64() - mean).abs() / (mean.abs() + expected);
        assert!(far < if T::BITS == 32 { 4.0 * eps } else { 1e-13 }, "mean {j}: {far:e}");
        let far = (sd.to_f64() / expected - 1.0).abs();
        assert!(far < if T::BITS == 32 { 4.0 * eps } else { 1e-12 }, "sd {j}: {far:e}");
    }
    assert_eq!((s.means()[1], s.sds()[1]), (T::lit(7.3), T::ONE));
    let mut row = [T::ZERO; 3];
    s.row(&data, 17, &mut row);
    assert_eq!(row[1], T::ZERO);
    assert_eq!(row[0], s.input(0, x[17]));
    let back = s.means()[0] + s.sds()[0] * row[0] - x[17];
    assert!(back.abs().to_f64() <= eps * 1e4);
    let back = s.raw_target(s.target(y[5])) - y[5];
    assert!(back.abs().to_f64() <= 4.0 * eps * unit);
}

#[test]
fn moments_are_exact_to_rounding() {
    standardises::<f32>(1.0);
    standardises::<f64>(1.0);
    // Where squares would overflow or vanish.
    standardises::<f32>(1e37);
    standardises::<f32>(1e-33);
    standardises::<f64>(1e300);
}

#[test]
fn a_constant_target_is_an_error() {
    let x = [1.0f32, 2.0, 3.0];
    let y = [0.1f32; 3];
    let data = Dataset::new(Inputs::row_major(&x, 3, 1).unwrap(), &y).unwrap();
    let mut buffer = [0.0; 2];
    let error = Standardiser::fit(&data, &mut buffer).err();
    assert_eq!(error, Some(StandardiseError::ConstantTarget));
    let error = Standardiser::fit(&data, &mut buffer[..1]).err();
    assert_eq!(error, Some(StandardiseError::TooShort));
    let error = Standardiser::new(&[0.0f32], &[0.0], 0.0, 1.0).err();
    assert_eq!(error, Some(StandardiseError::OutOfRange));
}

/// Of a target whose predictions have squares in double precision alone.
#[test]
fn a_target_beyond_the_precision_is_an_error() {
    fn of<T: Real>(scale: f64) -> Option<StandardiseError> {
        let x = [1.0, 2.0, 3.0].map(T::lit);
        let y = [1.0, 2.5, 3.0].map(|y| T::lit(y * scale));
        let data = Dataset::new(Inputs::row_major(&x, 3, 1).unwrap(), &y).unwrap();
        Standardiser::store(1, Some(&data), &mut [T::ZERO; 4]).err()
    }
    for scale in [1e20, 1e-22] {
        assert_eq!(of::<f32>(scale), Some(StandardiseError::OutOfRange));
        assert_eq!(of::<f64>(scale), None);
    }
    assert_eq!([of::<f32>(1e13), of::<f32>(1e-14)], [None, None]);
}

const GOLDEN_F32: u32 = 3_385_026_320;
const GOLDEN_F64: u32 = 371_113_512;
