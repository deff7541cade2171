//! The networks of an image, evaluated at rows in raw units.

use super::mixture::{self, Mixture, log_normalisers};
use crate::activation::Activation;
use crate::data::Inputs;
use crate::dispatch::dispatched;
use crate::error::{errors, refuse};
use crate::object::compiled;
use crate::posterior::{Image, in_units};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, Simd, Vector, WIDE, WIDEST, by_lanes, usual_lanes};

errors! {
    /// Why a prediction was refused.
    pub enum PredictError {
        Inputs = "the rows have another number of columns than the model",
        TooShort = "a buffer is shorter than its size query says",
        NotFinite = "an input is not finite",
        Level = "the level of an interval must lie inside (0, 1)",
        OutOfRange = "the image holds values beyond this precision",
        Reach = "a row lies so far out that its prediction is beyond this precision",
        Network = "the model is not of the kind that this predictor is for",
        Exposure = "an exposure must be positive and finite",
        Target = "a target is not a value that the model's output can take",
        Probability = "a probability is not in [0, 1], or those of a row do not sum to 1",
        Draws = "a model is thinned to at least one draw, and at most those that it has",
    }
}

/// The predictive law of one row in four numbers, in the target's units.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction<T> {
    /// E y (NaN where a draw has nu <= 1).
    pub mean: T,
    /// The standard deviation of y, noise included (infinite where a draw has nu <= 2). That of the draws: where
    /// ln variance is an output (mean-variance, mixture) of sampled scales, the law itself has no variance, and a
    /// few draws decide the number; the interval is what to go by.
    pub sd: T,
    /// The lower end of the central interval.
    pub lower: T,
    /// Its upper end.
    pub upper: T,
}

/// An image made ready to predict: what does not depend on the row (scales and degrees of freedom in
/// raw units) lies in a buffer of the caller.
#[derive(Clone, Copy, Debug)]
pub struct Predictor<'a, T> {
    pub(super) isa: Isa,
    image: Image<'a>,
    scale: &'a [T],
    nu: &'a [T],
    log_norm: &'a [T],
}

/// Rows that go through the networks together, at most.
const ROWS: usize = WIDEST as usize;

compiled! {
    Predictor: mixture::Compiled;
    fn locate(self, lanes: usize, x: &mut [Self], locations: &mut [Self]) -> ();
}

impl<T: AnyLanes> Predictor<'_, T> {
    fn locate(&self, lanes: usize, x: &mut [T], locations: &mut [T]) {
        by_lanes!(lanes, N => {
            let (x, out) = (x.as_chunks_mut::<N>().0, locations.as_chunks_mut::<N>().0);
            self::locations(self.isa, &self.image, x, out);
        });
    }
}

impl<'a, T: Compiled> Predictor<'a, T> {
    /// The numbers that [`new`](Self::new) needs: 3K.
    pub fn buffer_len(image: &Image<'_>) -> usize {
        image.draws().saturating_mul(3)
    }

    /// Reads the noise of every draw. The image may hold either precision; one of another
    /// network is [`PredictError::Network`] (see [`NetworkPredictor`](super::NetworkPredictor)).
    pub fn new(isa: Isa, image: Image<'a>, buffer: &'a mut [T]) -> Result<Self, PredictError> {
        if image.one_layer().is_none() {
            return Err(PredictError::Network);
        }
        let k = image.draws();
        let (scale, rest) = buffer.split_at_mut_checked(k).ok_or(PredictError::TooShort)?;
        let (nu, rest) = rest.split_at_mut_checked(k).ok_or(PredictError::TooShort)?;
        let log_norm = rest.get_mut(..k).ok_or(PredictError::TooShort)?;
        let sd_y: T = image.sd_y();
        for (k, (scale, nu)) in scale.iter_mut().zip(nu.iter_mut()).enumerate() {
            let mut values = image.values::<T>(k);
            *nu = values.next_back().unwrap_or(T::NAN);
            *scale = sd_y * values.next_back().unwrap_or(T::NAN);
            if !(*scale > T::ZERO && scale.is_finite() && *nu > T::ZERO) {
                return Err(PredictError::OutOfRange);
            }
        }
        log_normalisers(nu, log_norm);
        Ok(Self { isa, image, scale, nu, log_norm })
    }

    /// The image.
    pub fn image(&self) -> Image<'a> {
        self.image
    }

    /// The numbers of scratch that one row needs: d + K.
    pub fn row_scratch(&self) -> usize {
        self.image.inputs().saturating_add(self.image.draws())
    }

    /// f_k at N rows, in raw units: `x` holds the d inputs of the rows in raw units, coordinate by
    /// coordinate, and is standardised in place; `locations` gets one entry a draw, as far as it
    /// reaches. Order of each sum: b0, then c_j x_j over j, then v_m psi(b_m + sum_j x_j w_mj) over m.
    /// About M (2d + 2) + 2d flops and M activations a draw and row; each weight is read once for
    /// the N rows.
    pub fn locations<const N: usize>(&self, x: &mut [[T; N]], locations: &mut [[T; N]])
    where
        T: Lanes<N>,
    {
        T::locate(self, N, x.as_flattened_mut(), locations.as_flattened_mut());
    }

    /// The law of y where the components lie at `locations` (K of them, in raw units).
    pub fn mixture_at<'b>(&self, locations: &'b [T]) -> Result<Mixture<'b, T>, PredictError>
    where
        'a: 'b,
    {
        let k = self.image.draws();
        let locations = locations.get(..k).ok_or(PredictError::TooShort)?;
        let law = Mixture::new(self.isa, locations, self.scale, self.nu, self.log_norm);
        let law = law.ok_or(PredictError::TooShort)?;
        refuse(!law.within_reach(), PredictError::Reach)?;
        Ok(law)
    }

    /// The law of y at one row in raw units. `scratch`: [`row_scratch`](Self::row_scratch) numbers,
    /// which hold the mixture.
    pub fn mixture<'b>(
        &self,
        row: &[T],
        scratch: &'b mut [T],
    ) -> Result<Mixture<'b, T>, PredictError>
    where
        'a: 'b,
    {
        let (d, k) = (self.image.inputs(), self.image.draws());
        if row.len() != d {
            return Err(PredictError::Inputs);
        }
        if !row.iter().all(|x| x.is_finite()) {
            return Err(PredictError::NotFinite);
        }
        let (x, rest) = scratch.split_at_mut_checked(d).ok_or(PredictError::TooShort)?;
        let locations = rest.get_mut(..k).ok_or(PredictError::TooShort)?;
        x.iter_mut().zip(row).for_each(|(x, v)| *x = *v);
        self.locations::<1>(x.as_chunks_mut().0, locations.as_chunks_mut().0);
        self.mixture_at(locations)
    }

    /// Mean, sd and the central interval of the given level at one row in raw units.
    pub fn predict_row(
        &self,
        row: &[T],
        level: T,
        scratch: &mut [T],
    ) -> Result<Prediction<T>, PredictError> {
        if !(level > T::ZERO && level < T::ONE) {
            return Err(PredictError::Level);
        }
        Ok(self.mixture(row, scratch)?.prediction(level))
    }

    /// The numbers of scratch that walking over many rows needs: 8 d + 9 K, or d + 2 K
    /// without the feature `wide`.
    pub fn rows_scratch(&self) -> usize {
        Self::rows_scratch_len(&self.image)
    }

    /// [`rows_scratch`](Self::rows_scratch) of an image, before there is a predictor.
    pub fn rows_scratch_len(image: &Image<'_>) -> usize {
        let k = image.draws();
        image.inputs().saturating_add(k).saturating_mul(ROWS).saturating_add(k)
    }

    /// Calls `use_it(row, mixture)` for every row in turn, a few rows at a time through the networks.
    /// `scratch`: [`rows_scratch`](Self::rows_scratch) numbers.
    pub fn for_each_row(
        &self,
        inputs: &Inputs<'_, T>,
        scratch: &mut [T],
        mut use_it: impl FnMut(usize, Mixture<'_, T>),
    ) -> Result<(), PredictError> {
        by_lanes!(usual_lanes(), N => self.each_row::<N>(inputs, scratch, &mut use_it))
    }

    /// [`for_each_row`](Self::for_each_row), N at a time.
    // Compiled once, whatever is done with the rows.
    #[inline(never)]
    fn each_row<const N: usize>(
        &self,
        inputs: &Inputs<'_, T>,
        scratch: &mut [T],
        use_it: &mut dyn FnMut(usize, Mixture<'_, T>),
    ) -> Result<(), PredictError>
    where
        T: Lanes<N>,
    {
        let (d, k) = (self.image.inputs(), self.image.draws());
        if inputs.d() != d {
            return Err(PredictError::Inputs);
        }
        let short = PredictError::TooShort;
        let (x, rest) = scratch.split_at_mut_checked(d.saturating_mul(N)).ok_or(short)?;
        let (block, rest) = rest.split_at_mut_checked(k.saturating_mul(N)).ok_or(short)?;
        let own = rest.get_mut(..k).ok_or(short)?;
        let (x, block) = (x.as_chunks_mut::<N>().0, block.as_chunks_mut::<N>().0);
        for first in (0..inputs.n()).step_by(N) {
            for (j, x) in x.iter_mut().enumerate() {
                for (lane, x) in x.iter_mut().enumerate() {
                    // Past the last row: zeros, never used.
                    let row = first.saturating_add(lane);
                    *x = if row < inputs.n() { inputs.at(row, j) } else { T::ZERO };
                }
            }
            self.locations::<N>(x, block);
            for lane in 0..N.min(inputs.n().saturating_sub(first)) {
                for (o, f) in own.iter_mut().zip(block.iter()) {
                    *o = f.get(lane).copied().unwrap_or(T::NAN);
                }
                use_it(first.saturating_add(lane), self.mixture_at(own)?);
            }
        }
        Ok(())
    }
}

/// Neurons at a time: one activation has to wait for itself, eight overlap. Where a register holds one
/// number, small code is worth more.
pub(super) const TOGETHER: usize = if WIDE { 8 } else { 1 };

dispatched! {
    /// See [`Predictor::locations`].
    fn locations(s: S, image: &Image<'_>, x: &mut [[T; N]], locations: &mut [[T; N]]) {
        let Some((inputs, neurons, activation)) = image.one_layer() else { return };
        let Some(x) = x.get_mut(..inputs) else { return };
        for (j, x) in x.iter_mut().enumerate() {
            *x = in_units(s, s.load(x), image.mean_x(j), image.sd_x(j)).array();
        }
        let (mean, sd) = (s.splat(image.mean_y()), s.splat(image.sd_y()));
        for (k, out) in locations.iter_mut().enumerate().take(image.draws()) {
            let f = network(s, image, k, neurons, activation, x);
            *out = (mean + sd * f).array();
        }
    }
}

/// f of one draw at N standardised rows.
#[inline(always)]
fn network<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    image: &Image<'_>,
    draw: usize,
    neurons: usize,
    activation: Activation,
    x: &[[T; N]],
) -> S::V {
    let inner = neurons.saturating_mul(x.len());
    let heads = inner.saturating_add(neurons);
    let mut weights = image.part::<T>(draw, 0, inner);
    let mut biases = image.part::<T>(draw, inner, neurons);
    let mut outer = image.part::<T>(draw, heads, neurons);
    let tail = heads.saturating_add(neurons);
    let mut linear = image.part::<T>(draw, tail, x.len().saturating_add(1));
    let mut f = s.splat(linear.next().unwrap_or(T::NAN));
    for (c, x) in linear.zip(x) {
        f = f + s.splat(c) * s.load(x);
    }
    let mut left = neurons;
    while left > 0 {
        let mut group = [[T::ZERO; N]; TOGETHER];
        let Some(z) = group.get_mut(..left.min(TOGETHER)) else { break };
        left = left.saturating_sub(TOGETHER);
        for (z, b) in z.iter_mut().zip(biases.by_ref()) {
            let mut sum = s.splat(b);
            for (x, w) in x.iter().zip(weights.by_ref()) {
                sum = sum + s.splat(w) * s.load(x);
            }
            *z = sum.array();
        }
        activation.apply_value(s, z);
        for (z, v) in z.iter().zip(outer.by_ref()) {
            f = f + s.splat(v) * s.load(z);
        }
    }
    f
}
