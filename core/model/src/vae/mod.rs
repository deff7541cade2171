//! Coordinates of rows by a variational auto-encoder: where rows are, what coordinates show, draws.

use crate::engine::Memory;
use crate::fault::{Fault, at};
use crate::rows::Rows;
use crate::watch::Watch;
use lcc_core::checkpoint::{Kind, checkpoint, sealed_size, unseal};
use lcc_core::data::Inputs;
use lcc_core::estimator::{Status, Vae, VaeBound, VaeOptions};
use lcc_core::simd::Isa;

const DOING: &str = "the auto-encoder";

/// Words of a state before the object: what the C ABI notes of it, units done and units in all first.
const NOTE: usize = 10;
const NOTE_BYTES: usize = NOTE * size_of::<u64>();

/// An auto-encoder in memory.
pub struct AutoEncoder(Memory);

/// What it is.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Of a row.
    pub columns: usize,
    /// Coordinates.
    pub latent: usize,
    /// Parameters of both networks.
    pub parameters: usize,
    /// The sd of the noise; 0 where the output is Bernoulli.
    pub noise: f64,
}

fn inputs(x: &[f64], d: usize) -> Result<Inputs<'_, f64>, Fault> {
    Inputs::row_major(x, x.len() / d.max(1), d).map_err(at("the rows"))
}

/// A buffer of so many numbers for each row.
fn room(n: usize, each: usize) -> Result<Vec<f64>, Fault> {
    const MOST: usize = isize::MAX as usize / size_of::<f64>();
    let size = n.checked_mul(each).filter(|size| *size <= MOST);
    let too_large = || Fault::failed("so many rows do not fit in memory");
    let mut own = Vec::new();
    own.try_reserve_exact(size.ok_or_else(too_large)?).map_err(|_| too_large())?;
    own.resize(n * each, 0.0);
    Ok(own)
}

impl AutoEncoder {
    /// Learns from rows; `None` where it was stopped.
    pub fn fit(
        options: &VaeOptions<f64>,
        rows: &Rows,
        watch: &dyn Watch,
    ) -> Result<Option<Self>, Fault> {
        let (isa, data) = (Isa::detect(), inputs(&rows.x, rows.d)?);
        let size = Vae::size(options, data.n(), data.d()).map_err(at(DOING))?;
        let mut memory = Memory::try_new(size, DOING)?;
        let mut vae = Vae::init(memory.bytes(), options, isa, &data).map_err(at(DOING))?;
        while !watch.stopped() {
            if vae.step(&data, 100_000).map_err(at("the fit"))? == Status::Done {
                return Ok(Some(Self(memory)));
            }
        }
        Ok(None)
    }

    /// Of the bytes of a file, which are checked.
    pub fn from_bytes(path: &str, bytes: &[u8]) -> Result<Self, Fault> {
        let sealed = unseal(bytes).map_err(at(path))?;
        let own = sealed.state.get(NOTE_BYTES..);
        let own = own.filter(|_| (sealed.kind, sealed.bits) == (Kind::Vae, 64));
        let state = own.ok_or_else(|| Fault::failed(format!("{path}: holds no auto-encoder")))?;
        let mut memory = Memory::new(state.len());
        memory.bytes().copy_from_slice(state);
        Vae::<f64>::open(memory.bytes(), Isa::detect()).map_err(at(path))?;
        Ok(Self(memory))
    }

    /// The bytes of a file, which every host reads.
    pub fn to_bytes(&mut self) -> Result<Vec<u8>, Fault> {
        let (done, total) = self.open()?.steps();
        let mut note = [0_u64; NOTE];
        (note[0], note[1], note[3]) = (done, total, done);
        let note: Vec<u8> = note.into_iter().flat_map(u64::to_ne_bytes).collect();
        let state = [&note, self.0.seen()].concat();
        let size = sealed_size(state.len());
        let mut sealed = vec![0; size.ok_or_else(|| Fault::failed("the run is too large"))?];
        checkpoint(&state, Kind::Vae, 64, &mut sealed).map_err(at(DOING))?;
        Ok(sealed)
    }

    fn open(&mut self) -> Result<Vae<'_, f64>, Fault> {
        Vae::open(self.0.bytes(), Isa::detect()).map_err(at(DOING))
    }

    /// Its sizes.
    pub fn shape(&mut self) -> Result<Shape, Fault> {
        let own = self.open()?;
        Ok(Shape {
            columns: own.columns(),
            latent: own.latent(),
            parameters: own.parameters().len(),
            noise: own.noise(),
        })
    }

    /// Mean and sd of the coordinates of each row of d numbers.
    pub fn encode(&mut self, x: &[f64], d: usize, doing: &str) -> Result<[Vec<f64>; 2], Fault> {
        let (own, rows) = (self.open()?, inputs(x, d)?);
        let size = || room(rows.n(), own.latent());
        let (mut means, mut sds) = (size()?, size()?);
        let mut scratch = vec![0.0; own.scratch()];
        own.encode(&rows, &mut means, &mut sds, &mut scratch).map_err(at(doing))?;
        Ok([means, sds])
    }

    /// The mean of a row given each row of d coordinates.
    pub fn decode(&mut self, z: &[f64], d: usize, doing: &str) -> Result<Vec<f64>, Fault> {
        let (own, codes) = (self.open()?, inputs(z, d)?);
        let mut out = room(codes.n(), own.columns())?;
        let mut scratch = vec![0.0; own.scratch()];
        own.decode(&codes, &mut out, &mut scratch).map_err(at(doing))?;
        Ok(out)
    }

    /// Draws of coordinates and rows, noise included.
    pub fn sample(&mut self, n: usize, seed: u64) -> Result<[Vec<f64>; 2], Fault> {
        let own = self.open()?;
        let (mut z, mut y) = (room(n, own.latent())?, room(n, own.columns())?);
        let mut scratch = vec![0.0; own.scratch()];
        own.sample(seed, &mut z, &mut y, &mut scratch).map_err(at("draws"))?;
        Ok([z, y])
    }

    /// The lower bound of the log density of rows, by so many draws of z a row.
    pub fn bound(&mut self, rows: &Rows, draws: u32, seed: u64) -> Result<VaeBound<f64>, Fault> {
        let (own, data) = (self.open()?, inputs(&rows.x, rows.d)?);
        let mut scratch = vec![0.0; own.scratch()];
        own.bound(&data, draws, seed, &mut scratch).map_err(at("the bound"))
    }
}

const SWEEPS: usize = 40;

/// What it comes to.
#[derive(Clone, Copy, Debug)]
pub struct Pca {
    /// The mean log density of a training row ...
    pub train: f64,
    /// ... and of a held-out row; NaN without any.
    pub test: f64,
    /// The sd of the noise.
    pub noise: f64,
}

/// A covariance: its eigenvalues by size, and the eigenvectors, one after another.
struct Spectrum {
    mean: Vec<f64>,
    values: Vec<f64>,
    vectors: Vec<Vec<f64>>,
}

/// The rotation of planes p and q of rows that are `stride` numbers apart, `next` from one number to the next.
fn rotate(a: &mut [f64], (p, q): (usize, usize), (stride, next): (usize, usize), [c, s]: [f64; 2]) {
    for k in 0..a.len() / stride.max(next) {
        let (at_p, at_q) = (k * next + p * stride, k * next + q * stride);
        let (x, y) = (a[at_p], a[at_q]);
        a[at_p] = c * x - s * y;
        a[at_q] = s * x + c * y;
    }
}

/// Jacobi's rotations: the eigenvalues of the symmetric `a` are on its diagonal then; the eigenvectors, columns.
fn diagonalise(a: &mut [f64], d: usize) -> Vec<f64> {
    let mut v = vec![0.0; d * d];
    (0..d).for_each(|k| v[k * (d + 1)] = 1.0);
    for _ in 0..SWEEPS {
        let (mut off, mut trace) = (0.0, 0.0);
        for p in 0..d {
            trace += a[p * (d + 1)].abs();
            off = (0..p).fold(off, |off, q| off + a[p * d + q].abs());
        }
        if off <= 1e-15 * trace {
            break;
        }
        for (p, q) in (0..d).flat_map(|p| (p + 1..d).map(move |q| (p, q))) {
            let apq = a[p * d + q];
            if apq == 0.0 {
                continue;
            }
            let ratio = (a[q * (d + 1)] - a[p * (d + 1)]) / (2.0 * apq);
            let sign = if ratio < 0.0 { -1.0 } else { 1.0 };
            let t = sign / (ratio.abs() + ratio.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let by = [c, t * c];
            rotate(a, (p, q), (1, d), by);
            rotate(&mut v, (p, q), (1, d), by);
            rotate(a, (p, q), (d, 1), by);
        }
    }
    v
}

impl Spectrum {
    fn of(rows: &Rows) -> Self {
        let (n, d) = (rows.n as f64, rows.d);
        let (mut mean, mut a) = (vec![0.0; d], vec![0.0; d * d]);
        for x in rows.x.chunks_exact(d) {
            mean.iter_mut().zip(x).for_each(|(mean, x)| *mean += x / n);
        }
        for x in rows.x.chunks_exact(d) {
            for j in 0..d {
                for l in 0..d {
                    a[j * d + l] += (x[j] - mean[j]) * (x[l] - mean[l]) / n;
                }
            }
        }
        let v = diagonalise(&mut a, d);
        let mut order: Vec<usize> = (0..d).collect();
        // Stable, so that the order of equal ones is that of the columns.
        order.sort_by(|i, j| a[j * (d + 1)].total_cmp(&a[i * (d + 1)]));
        let values = order.iter().map(|i| a[i * (d + 1)]).collect();
        let vectors = order.iter().map(|i| (0..d).map(|j| v[j * d + i]).collect()).collect();
        Self { mean, values, vectors }
    }

    /// The mean log density of rows under the k largest eigenvalues and that noise beside.
    fn density(&self, rows: &Rows, k: usize, noise: f64) -> f64 {
        let d = rows.d;
        let log_det =
            self.values[..k].iter().fold((d - k) as f64 * noise.ln(), |sum, v| sum + v.ln());
        let mut sum = 0.0;
        for x in rows.x.chunks_exact(d) {
            let away = |j: usize| x[j] - self.mean[j];
            let mut square = (0..d).fold(0.0, |sum, j| sum + away(j) * away(j) / noise);
            for (value, vector) in self.values.iter().zip(&self.vectors).take(k) {
                let along = (0..d).fold(0.0, |sum, j| sum + vector[j] * away(j));
                square += along * along * (1.0 / value - 1.0 / noise);
            }
            sum -= 0.5 * (d as f64 * std::f64::consts::TAU.ln() + log_det + square);
        }
        sum / rows.n as f64
    }
}

/// With k coordinates, fewer than columns.
pub fn pca(train: &Rows, test: Option<&Rows>, k: usize) -> Pca {
    let own = Spectrum::of(train);
    let rest = (train.d - k) as f64;
    let noise = own.values[k..].iter().fold(0.0, |sum, v| sum + v / rest);
    Pca {
        train: own.density(train, k, noise),
        test: test.map_or(f64::NAN, |test| own.density(test, k, noise)),
        noise: noise.sqrt(),
    }
}
