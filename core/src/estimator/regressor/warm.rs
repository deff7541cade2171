//! A warm start: chains that go on from the draws of a model, for data that have changed a little.
//!
//! A draw of a model holds w = s z, not s and z. The scales start where their conditional law has its
//! weight, s_j^2 = (sum_m w_mj^2 + A^2) / (M + 1), tau_v and tau_c likewise, lambda at 1, nu at the
//! nearest degree of its grid: all are drawn anew by the first transitions.

use super::layout::{Parts, SCALARS};
use super::{NetworkRegressor, RegressorError};
use crate::data::Dataset;
use crate::error::refuse;
use crate::estimator::noise::{TAILS, literals};
use crate::estimator::options::{NetworkOptions, OptionsError};
use crate::pieces::{nth_mut, pieces_mut};
use crate::plain::below;
use crate::posterior::{Image, Standardiser};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa};
use crate::special::scalar::ln;
use crate::sum::Sum;

/// (squares + scale^2) / (k + 1): of k values with a half-Cauchy sd.
fn variance<T: Real>(values: impl Iterator<Item = T>, scale: T) -> T {
    let (mut sum, mut count) = (Sum::ZERO, T::ONE);
    for x in values {
        sum.add(x * x);
        count += T::ONE;
    }
    (sum.value() + scale * scale) / count
}

impl<'a, T: AnyLanes> NetworkRegressor<'a, T> {
    /// As [`init`](Self::init), but the chains start from draws of `image` (chain c of C from draw
    /// c K / C of K) and the data are put in the image's units: no search, whatever `starts`. The image
    /// has as many inputs and neurons as data and options, and the same activation; `standardise` is on and
    /// `first_chain` 0.
    /// A short warm-up (some tens of iterations) finds step and mass anew.
    pub fn init_from(
        memory: &'a mut [u8],
        options: &NetworkOptions<T>,
        isa: Isa,
        data: &Dataset<'_, T>,
        image: &Image<'_>,
    ) -> Result<Self, RegressorError> {
        let own = image.shape();
        let same = own.inputs() == data.d() && own.neurons() == Some(options.neurons as usize);
        let same = same && own.activation == options.activation.value();
        refuse(!(same && options.standardise.on()), RegressorError::Image)?;
        refuse(options.first_chain != 0, OptionsError::Chains)?;
        let mut this = Self::begin(memory, isa, data, options, true)?;
        this.take_units(data, image)?;
        this.take_draws(image)?;
        this.own_data(data)?;
        Ok(this)
    }

    /// The data in the units of the image.
    fn take_units(
        &mut self,
        data: &Dataset<'_, T>,
        image: &Image<'_>,
    ) -> Result<(), RegressorError> {
        let (n, d) = (self.shape.n, self.shape.d);
        let Parts { standards, x, y, .. } = &mut self.parts;
        for (k, to) in standards.iter_mut().enumerate() {
            *to = match k.checked_sub(d) {
                None => image.mean_x(k),
                Some(j) if j < d => image.sd_x(j),
                Some(j) if j == d => image.mean_y(),
                Some(_) => image.sd_y(),
            };
        }
        Standardiser::load(standards, d)?.copy(data, 0..n, d, x, y);
        Ok(())
    }

    /// The state of every chain.
    fn take_draws(&mut self, image: &Image<'_>) -> Result<(), RegressorError> {
        let broken = RegressorError::Image;
        let shape = self.shape;
        let (network, o, lanes) = (shape.network(), &shape.options, shape.lanes());
        let (d, neurons) = (network.inputs, network.neurons);
        let p = shape.coordinates();
        let block_of = |length: usize| length.checked_mul(lanes).ok_or(broken);
        let outer_scale = o.outer_scale / T::of_usize(neurons).sqrt();
        self.parts.weights.fill(T::ONE);
        let chains = shape.blocks().saturating_mul(lanes);
        for chain in 0..chains {
            let b = chain.checked_div(lanes).ok_or(broken)?;
            let lane = chain.checked_rem(lanes).ok_or(broken)?;
            // Lanes past the last chain repeat it.
            let own = chain.min(shape.chains().saturating_sub(1)) as u64;
            let draw = own.saturating_mul(image.draws() as u64);
            let draw = draw.checked_div(shape.chains() as u64).unwrap_or(0) as usize;
            let values = image.values::<T>(draw);
            refuse(!values.clone().take(network.dim()).all(|x| x.is_finite()), broken)?;
            let from = |start: usize, length: usize| values.clone().skip(start).take(length);
            let theta = nth_mut(self.parts.theta, block_of(p)?, b);
            let mut set = |k: usize, value: T| -> Option<()> {
                *theta.get_mut(k.checked_mul(lanes)?.checked_add(lane)?)? = value;
                Some(())
            };
            for (k, x) in values.clone().take(network.dim()).enumerate() {
                set(k, x).ok_or(broken)?;
            }
            for j in 0..=d {
                let column = |m: usize| match j {
                    j if j < d => m.saturating_mul(d).saturating_add(j),
                    _ => network.biases_at().saturating_add(m),
                };
                let w = |m: usize| values.clone().nth(column(m)).unwrap_or(T::ZERO);
                let square = variance((0..neurons).map(w), o.input_scale);
                let scale = square.sqrt();
                for m in 0..neurons {
                    set(column(m), w(m) / scale).ok_or(broken)?;
                }
                set(network.dim().saturating_add(j), ln(scale)).ok_or(broken)?;
            }
            let tau_v = T::ONE / variance(from(network.outer_at(), neurons), outer_scale);
            let tau_c = T::ONE / variance(from(network.linear_at(), d), o.linear_scale);
            let mut last = values.clone();
            let nu = last.next_back().unwrap_or(T::NAN);
            let sigma = last.next_back().unwrap_or(T::NAN);
            let beta = T::ONE / (sigma * sigma);
            refuse(!(nu > T::ZERO && below(beta, T::INFINITY)), broken)?;
            let scalars = nth_mut(self.parts.scalars, block_of(SCALARS)?, b);
            let new = [beta, tau_v, tau_c, if o.gaussian.on() { T::INFINITY } else { nearest(nu) }];
            for (cells, value) in pieces_mut(scalars, lanes).zip(new) {
                *cells.get_mut(lane).ok_or(broken)? = value;
            }
        }
        Ok(())
    }
}

/// The degree of freedom of the grid next to nu, by their reciprocals.
fn nearest<T: Real>(nu: T) -> T {
    let inverse = if nu < T::INFINITY { T::ONE / nu } else { T::ZERO };
    let (mut best, mut least) = (T::INFINITY, T::INFINITY);
    for tail in literals::<T>(TAILS) {
        let distance = (T::ONE / tail - inverse).abs();
        if distance < least {
            (best, least) = (tail, distance);
        }
    }
    best
}
