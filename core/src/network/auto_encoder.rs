//! Two networks about a few coordinates: the variational auto-encoder (Kingma and Welling 2014).
//!
//! Rows y in R^D have coordinates z ~ N(0, I_k). The decoder says what y is given z: N(f(z), s^2 I), or
//! independent y_j in \[0, 1\] with ln p = y_j f_j(z) - ln(1 + e^f_j(z)) (Bernoulli where y_j is 0 or 1). The
//! encoder says where z is given y: q = N(m, diag e^2l), (m, l) its 2 k outputs. Of one row
//!
//! ```text
//! ln p(y) >= E_q ln p(y | z) - KL(q || N(0, I)),    KL = (1/2) sum_j (e^2l_j + m_j^2 - 1 - 2 l_j)
//! ```
//!
//! and with z = m + e^l eps, eps ~ N(0, I), the right side has an unbiased estimate with unbiased gradients. The KL
//! is the closed one: what is random is ln p(y | z) alone. Without hidden layers on either side the maximum of
//! the bound is the likelihood of probabilistic PCA.

use super::architecture::{Architecture, DEEPEST};
use super::output::{AtGroup, GROUP, HALF_LN_2_PI};
use super::pass::{Backward, FlowBack, Forward, Stack};
use crate::activation::Activation;
use crate::data::Inputs;
use crate::pieces::{cut, nth, total};
use crate::plain::codes;
use crate::scalar::Real;
use crate::simd::{Portable, Simd};
use crate::special::scalar::{exp, ln, softplus_and_derivative};
use crate::sum::Sum;

codes! {
    /// What a row is given its coordinates.
    pub enum Observed: Output {
        /// Normal about the decoder's outputs, with one sd for all columns.
        Gaussian = 0 "gaussian",
        /// In \[0, 1\], column by column, the decoder's outputs being log odds.
        Bernoulli = 1 "bernoulli",
    }
}

/// The two networks. Their parameters lie one after the other, encoder first, each in the order of
/// [`Architecture`]; then ln s, where it is learnt.
#[derive(Clone, Copy, Debug)]
pub struct AutoEncoder<T> {
    /// D inputs, 2 k outputs: the means, then the logarithms of the sds.
    pub encoder: Architecture,
    /// k inputs, D outputs.
    pub decoder: Architecture,
    /// psi of both.
    pub activation: Activation,
    /// What y is.
    pub observed: Observed,
    /// Gaussian: s, or 0 where it is learnt.
    pub noise: T,
}

/// Values at four rows, side by side.
type Four<T> = [T; GROUP];

/// What four rows pass through, by use.
pub(crate) struct Rows<'w, T> {
    /// y: D.
    pub y: &'w mut [Four<T>],
    /// eps, and z: k each.
    pub normals: &'w mut [Four<T>],
    pub z: &'w mut [Four<T>],
    /// m, then l: 2 k. Or the derivatives by them.
    pub code: &'w mut [Four<T>],
    /// f: D. Or the derivatives by it.
    pub outputs: &'w mut [Four<T>],
    /// The derivatives by z.
    back: &'w mut [Four<T>],
    /// psi and psi' of the encoder's units, and of the decoder's.
    encoder: [&'w mut [Four<T>]; 2],
    decoder: [&'w mut [Four<T>]; 2],
}

/// The bound at four rows: ln p(y | z) and KL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms<T> {
    pub likelihood: Four<T>,
    pub kl: Four<T>,
}

/// One lane as the layers have it.
fn lane<T: Real>(four: &mut [Four<T>]) -> &mut [AtGroup<T, 1>] {
    four.as_flattened_mut().as_chunks_mut::<1>().0.as_chunks_mut().0
}

/// The same, to read.
fn lane_of<T: Real>(four: &[Four<T>]) -> &[AtGroup<T, 1>] {
    four.as_flattened().as_chunks::<1>().0.as_chunks().0
}

impl<T: Real> AutoEncoder<T> {
    /// D columns, k coordinates, and hidden layers of these widths in the encoder, from the rows on; the decoder's are
    /// the same backwards.
    pub fn new(
        (columns, latent): (usize, usize),
        widths: [u32; DEEPEST],
        activation: Activation,
        observed: Observed,
        noise: T,
    ) -> Self {
        let outputs = latent.saturating_mul(2);
        let encoder = Architecture { inputs: columns, widths, outputs, linear: false };
        let mut back = [0; DEEPEST];
        let used = widths.iter().take(encoder.depth()).rev();
        back.iter_mut().zip(used).for_each(|(b, w)| *b = *w);
        let decoder =
            Architecture { inputs: latent, widths: back, outputs: columns, linear: false };
        Self { encoder, decoder, activation, observed, noise }
    }

    /// Coordinates k.
    pub fn latent(&self) -> usize {
        self.decoder.inputs
    }

    /// Columns D.
    pub fn columns(&self) -> usize {
        self.encoder.inputs
    }

    /// Whether ln s is a parameter.
    pub fn learns_noise(&self) -> bool {
        self.observed == Observed::Gaussian && self.noise == T::ZERO
    }

    /// All parameters.
    pub fn dim(&self) -> usize {
        let both = self.encoder.dim().saturating_add(self.decoder.dim());
        both.saturating_add(self.learns_noise() as usize)
    }

    /// Numbers of scratch of an evaluation: 8 D + 20 k + 8 for each hidden unit; `None` if that overflows.
    pub fn scratch(&self) -> Option<usize> {
        total(self.sizes())?.checked_mul(GROUP)
    }

    fn sizes(&self) -> [usize; 10] {
        let (columns, k) = (self.columns(), self.latent());
        let (below, above) = (self.encoder.hidden(), self.decoder.hidden());
        let code = self.encoder.outputs;
        [columns, k, k, code, columns, k, below, below, above, above]
    }

    pub(crate) fn rows<'w>(&self, scratch: &'w mut [T]) -> Option<Rows<'w, T>> {
        let ([y, normals, z, code, outputs, back, a, b, c, d], _) =
            cut(scratch.as_chunks_mut().0, self.sizes())?;
        Some(Rows { y, normals, z, code, outputs, back, encoder: [a, b], decoder: [c, d] })
    }

    fn stack(&self, architecture: Architecture) -> Stack {
        Stack { architecture, activation: self.activation, exposure: false }
    }

    /// The decoder's parameters and what follows them.
    fn decoder_of<'p>(&self, parameters: &'p [T]) -> &'p [T] {
        parameters.get(self.encoder.dim()..).unwrap_or(&[])
    }

    /// s at these parameters; 1 where there is none.
    pub fn noise_at(&self, parameters: &[T]) -> T {
        match self.observed {
            Observed::Gaussian if self.learns_noise() => {
                let last = self.dim().wrapping_sub(1);
                parameters.get(last).map_or(T::NAN, |log| exp(*log))
            }
            Observed::Gaussian => self.noise,
            Observed::Bernoulli => T::ONE,
        }
    }

    /// m and l at the rows.
    pub(crate) fn encode(&self, parameters: &[T], rows: &mut Rows<'_, T>) {
        let [values, slopes] = &mut rows.encoder;
        Simd::<T, 1>::outline(
            Portable,
            Forward {
                net: &self.stack(self.encoder),
                parameters: parameters.as_chunks().0,
                tile: rows.y,
                values: lane(values),
                slopes: lane(slopes),
                outputs: lane(rows.code),
            },
        );
    }

    /// z = m + e^l eps.
    pub(crate) fn place(&self, rows: &mut Rows<'_, T>) {
        let (means, logs) = rows.code.split_at_checked(self.latent()).unwrap_or_default();
        let (means, logs) = (means.as_flattened(), logs.as_flattened());
        let from = means.iter().zip(logs).zip(rows.normals.as_flattened());
        for (z, ((mean, log), normal)) in rows.z.as_flattened_mut().iter_mut().zip(from) {
            *z = *mean + exp(*log) * *normal;
        }
    }

    /// f at z.
    pub(crate) fn decode(&self, parameters: &[T], rows: &mut Rows<'_, T>) {
        let [values, slopes] = &mut rows.decoder;
        Simd::<T, 1>::outline(
            Portable,
            Forward {
                net: &self.stack(self.decoder),
                parameters: self.decoder_of(parameters).as_chunks().0,
                tile: rows.z,
                values: lane(values),
                slopes: lane(slopes),
                outputs: lane(rows.outputs),
            },
        );
    }

    /// ln p(y | z) and the squares of y - f; `outputs` become the derivatives by f.
    pub(crate) fn compare(&self, noise: T, rows: &mut Rows<'_, T>) -> [Four<T>; 2] {
        let (mut sums, mut squares) = ([Sum::ZERO; GROUP], [T::ZERO; GROUP]);
        let precision = T::ONE / (noise * noise);
        for (y, f) in rows.y.iter().zip(&mut *rows.outputs) {
            let cells = y.iter().zip(f).zip(sums.iter_mut().zip(&mut squares));
            for ((y, f), (sum, square)) in cells {
                match self.observed {
                    Observed::Bernoulli => {
                        let (log, p) = softplus_and_derivative(*f);
                        sum.add(*y * *f - log);
                        *f = *y - p;
                    }
                    Observed::Gaussian => {
                        let r = *y - *f;
                        *f = precision * r;
                        *square += r * r;
                    }
                }
            }
        }
        if self.observed == Observed::Gaussian {
            let log = T::lit(HALF_LN_2_PI) + ln(noise);
            for (sum, square) in sums.iter_mut().zip(&squares) {
                sum.add(-(T::of_usize(self.columns()) * log));
                sum.add(-(T::HALF * precision * *square));
            }
        }
        [sums.map(Sum::value), squares]
    }

    /// KL of what the encoder says from N(0, I).
    pub(crate) fn kl(&self, rows: &Rows<'_, T>) -> Four<T> {
        let mut sums = [Sum::ZERO; GROUP];
        let (means, logs) = rows.code.split_at_checked(self.latent()).unwrap_or_default();
        for (mean, log) in means.iter().zip(logs) {
            for ((m, l), sum) in mean.iter().zip(log).zip(&mut sums) {
                let sd = exp(*l);
                sum.add(T::HALF * (sd * sd + *m * *m - T::ONE) - *l);
            }
        }
        sums.map(Sum::value)
    }

    /// The terms at four rows with their normals; of the first `count` of them the gradient of their sum is added to
    /// `gradient`.
    pub(crate) fn add(
        &self,
        parameters: &[T],
        rows: &mut Rows<'_, T>,
        count: usize,
        gradient: &mut [T],
    ) -> Option<Terms<T>> {
        let noise = self.noise_at(parameters);
        self.encode(parameters, rows);
        self.place(rows);
        self.decode(parameters, rows);
        let [likelihood, squares] = self.compare(noise, rows);
        let terms = Terms { likelihood, kl: self.kl(rows) };

        let (below, rest) = gradient.split_at_mut_checked(self.encoder.dim())?;
        let (above, log_noise) = rest.split_at_mut_checked(self.decoder.dim())?;
        if let (true, Some(g)) = (self.learns_noise(), log_noise.first_mut()) {
            let precision = T::ONE / (noise * noise);
            for square in squares.iter().take(count) {
                *g += precision * *square - T::of_usize(self.columns());
            }
        }
        // Rows that only fill up weigh nothing.
        let silent = |list: &mut [Four<T>]| {
            list.iter_mut().for_each(|f| f.iter_mut().skip(count).for_each(|f| *f = T::ZERO));
        };
        silent(rows.outputs);
        let decoder = self.decoder_of(parameters);
        let [values, slopes] = &mut rows.decoder;
        Simd::<T, 1>::outline(
            Portable,
            Backward {
                net: &self.stack(self.decoder),
                parameters: decoder.as_chunks().0,
                tile: rows.z,
                values: lane_of(values),
                slopes: lane(slopes),
                outputs: lane_of(rows.outputs),
                gradient: above.as_chunks_mut().0,
            },
        );
        rows.back.as_flattened_mut().fill(T::ONE);
        let first = self.decoder.layer(0);
        let weights = match first {
            Some(layer) => decoder.get(..layer.units.checked_mul(layer.inputs)?)?,
            None => decoder.get(self.decoder.linear_at()..self.decoder.dim())?,
        };
        let from: &[Four<T>] = match first {
            Some(layer) => slopes.get(..layer.units)?,
            None => rows.outputs,
        };
        Simd::<T, 1>::outline(
            Portable,
            FlowBack {
                weights: weights.as_chunks::<1>().0,
                above: lane_of(from),
                slopes: lane(rows.back),
            },
        );
        let (means, logs) = rows.code.split_at_mut_checked(self.latent())?;
        let (means, logs) = (means.as_flattened_mut(), logs.as_flattened_mut());
        let by_z = rows.z.as_flattened().iter().zip(rows.back.as_flattened());
        for ((mean, log), (z, back)) in means.iter_mut().zip(logs).zip(by_z) {
            let (m, sd) = (*mean, exp(*log));
            *mean = *back - m;
            *log = *back * (*z - m) + T::ONE - sd * sd;
        }
        silent(rows.code);
        let [values, slopes] = &mut rows.encoder;
        Simd::<T, 1>::outline(
            Portable,
            Backward {
                net: &self.stack(self.encoder),
                parameters: parameters.as_chunks().0,
                tile: rows.y,
                values: lane_of(values),
                slopes: lane(slopes),
                outputs: lane_of(rows.code),
                gradient: below.as_chunks_mut().0,
            },
        );
        Some(terms)
    }

    /// The bound of all rows at given normals, k a row, row by row, and its gradient, written over `gradient`. `None`
    /// where the rows have other columns or a buffer is too short.
    ///
    /// n 6 P flops for P parameters.
    pub fn bound(
        &self,
        parameters: &[T],
        rows: &Inputs<'_, T>,
        normals: &[T],
        gradient: &mut [T],
        scratch: &mut [T],
    ) -> Option<T> {
        let parameters = parameters.get(..self.dim())?;
        let gradient = gradient.get_mut(..self.dim())?;
        let (n, k) = (rows.n(), self.latent());
        let normals = normals.get(..n.checked_mul(k)?)?;
        let mut four = self.rows(scratch).filter(|_| rows.d() == self.columns())?;
        gradient.fill(T::ZERO);
        let mut sum = Sum::ZERO;
        for first in (0..n).step_by(GROUP) {
            rows.interleave(first, four.y);
            for (j, cells) in four.normals.iter_mut().enumerate() {
                for (r, cell) in cells.iter_mut().enumerate() {
                    let row = first.wrapping_add(r).min(n.wrapping_sub(1));
                    *cell = nth(normals, k, row).get(j).copied()?;
                }
            }
            let count = n.wrapping_sub(first).min(GROUP);
            let Terms { likelihood, kl } = self.add(parameters, &mut four, count, gradient)?;
            for (likelihood, kl) in likelihood.iter().zip(kl).take(count) {
                sum.add(*likelihood);
                sum.add(-kl);
            }
        }
        Some(sum.value())
    }
}
