//! Learning from a stream: against closed forms and a plain filter, over a million rows in single
//! precision, on the drift of the gas turbine; the object.

mod drift;
mod filter;
mod object;

use lcc_core::activation::Activation;
use lcc_core::posterior::{Image, Shape, Standardiser, Store, image_size};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::stream::{Compiled, StreamLearner, StreamOptions};
use lcc_tests::posteriors::Aligned;
use nalgebra::SMatrix;

const D: usize = 3;
const M: usize = 4;
const P: usize = M + D + 1;

/// Uniform numbers in (-1, 1) and rough normals.
struct Noise(u64);
impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f64 / (1_u64 << 23) as f64 - 1.0
    }
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() / 2.0
    }
}

/// An image of some networks with d = 3 and M = 4; values exact in either precision.
fn image<T: Real>(draws: usize, nu: &[f64]) -> Vec<u8> {
    image_about::<T>(3.0, draws, nu)
}

/// The same of targets about another mean, of sd 4.
fn image_about<T: Real>(mean: f64, draws: usize, nu: &[f64]) -> Vec<u8> {
    let mut noise = Noise(5);
    let mut next = || T::lit((noise.uniform() * 4096.0).round() / 2048.0);
    let shape = Shape::one_layer(D, M, Activation::Tanh);
    let means = [T::lit(1.0), T::lit(-2.0), T::lit(0.5)];
    let sds = [T::lit(2.0), T::lit(1.0), T::lit(0.5)];
    let units = Standardiser::new(&means, &sds, T::lit(mean), T::lit(4.0)).unwrap();
    let mut bytes = vec![0; image_size::<T>(shape, draws).unwrap()];
    let mut store = Store::new(&mut bytes, shape, &units).unwrap();
    for k in 0..draws {
        let mut values: Vec<T> = (0..shape.draw_len().unwrap()).map(|_| next()).collect();
        let last = values.len() - 2;
        values[last] = T::lit(0.125 + k as f64 / 64.0);
        values[last + 1] = T::lit(nu[k % nu.len()]);
        store.push(&values).unwrap();
    }
    store.seal().unwrap().to_vec()
}

fn learner<'m, T: Compiled>(
    memory: &'m mut Aligned,
    options: &StreamOptions<T>,
    bytes: &[u8],
) -> StreamLearner<'m, T> {
    let image = Image::open(bytes).unwrap();
    *memory = Aligned::new(StreamLearner::size(options, &image).unwrap());
    memory.bytes().fill(0xA5);
    StreamLearner::init(memory.bytes(), options, Isa::detect(), &image).unwrap()
}

/// A row in raw units and its target: a head that drifts over one of the image's hidden layers, more or
/// less, exact in single precision.
fn row(noise: &mut Noise, t: usize) -> ([f64; D], f64) {
    let f = |x: f64| f64::from(x as f32);
    let x =
        [f(1.0 + 2.0 * noise.normal()), f(-2.0 + noise.normal()), f(0.5 + 0.5 * noise.normal())];
    let drift = (t as f64 / 700.0).sin();
    let y = 3.0 + 4.0 * (drift * (x[0] - 1.0) / 2.0 - 0.5 * (x[1] + drift).tanh() + 0.7 * drift);
    (x, f(y + 0.6 * noise.normal()))
}

/// The features of draw k, in double precision.
fn features(image: &Image<'_>, k: usize, x: &[f64]) -> Vec<f64> {
    let values: Vec<f64> = image.values(k).collect();
    let x: Vec<f64> = x
        .iter()
        .enumerate()
        .map(|(j, x)| (x - image.mean_x::<f64>(j)) / image.sd_x::<f64>(j))
        .collect();
    let mut phi: Vec<f64> = (0..M)
        .map(|m| (values[M * D + m] + (0..D).map(|j| values[m * D + j] * x[j]).sum::<f64>()).tanh())
        .collect();
    phi.push(1.0);
    phi.extend(x);
    phi
}

/// The inverse of a symmetric positive matrix.
fn inverse(a: &[[f64; P]; P]) -> [[f64; P]; P] {
    SMatrix::<f64, P, P>::from(*a).cholesky().expect("a positive matrix").inverse().into()
}

fn apply(a: &[[f64; P]; P], x: &[f64]) -> Vec<f64> {
    a.iter().map(|r| r.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

/// V of draw k, from its factors.
fn covariance<T: Compiled>(learner: &StreamLearner<'_, T>, k: usize) -> [[f64; P]; P] {
    let packed: Vec<f64> = learner.covariance(k).unwrap().map(Real::to_f64).collect();
    let mut u = [[0.0; P]; P];
    let mut v = [[0.0; P]; P];
    for j in 0..P {
        let start = j * (j + 1) / 2;
        (0..j).for_each(|i| u[i][j] = packed[start + i]);
        u[j][j] = 1.0;
        let d = packed[start + j];
        assert!(d > 0.0 && d.is_finite(), "{d}");
        for a in 0..P {
            for b in 0..P {
                v[a][b] += u[a][j] * d * u[b][j];
            }
        }
    }
    v
}

fn variances<T: Compiled>(o: &StreamOptions<T>) -> [f64; P] {
    core::array::from_fn(|j| {
        let sd = match j {
            j if j < M => o.outer_sd,
            M => o.intercept_sd,
            _ => o.linear_sd,
        };
        sd.to_f64().powi(2)
    })
}
