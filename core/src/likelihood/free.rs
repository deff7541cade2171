//! The Gaussian network with every parameter free, and the sd of its noise if that is not known.

use super::network::Network;
use super::{Likelihood, NetworkShape, Precision};
use crate::density::Extent;
use crate::dispatch::dispatched;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Portable, Vector};
use crate::special;

/// The prior of a [`FreeNetwork`]: sds of normal laws.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct NetworkScales<T> {
    /// Of the inner weights w and the biases b.
    pub inner: T,
    /// Of the outer weights v.
    pub outer: T,
    /// Of the intercept b0.
    pub intercept: T,
    /// Of the linear part c.
    pub linear: T,
    /// The median of the noise's sd ...
    pub noise: T,
    /// ... and the sd of its logarithm; 0 where it is known.
    pub noise_spread: T,
}

/// The normalised log likelihood of y_i ~ N(f(x_i), sigma^2), f(x) = b0 + c.x + sum_m v_m psi(b_m + x.w_m),
/// in coordinates z ~ N(0, 1): each parameter is its sd times its coordinate, in the order of
/// [`NetworkShape`], and behind them, where its spread is not 0, the noise's: log sigma = log(noise) +
/// spread z.
///
/// One evaluation costs that of [`Network::evaluate`], 3 flops a parameter and an exponential.
#[derive(Clone, Copy, Debug)]
pub struct FreeNetwork<'a, T> {
    /// Rows, psi and M.
    pub network: Network<'a, T>,
    /// The prior.
    pub scales: NetworkScales<T>,
}

impl<T: Real> FreeNetwork<'_, T> {
    /// Whether the noise has a coordinate.
    pub fn has_noise(&self) -> bool {
        self.scales.noise_spread > T::ZERO
    }

    /// The sd of parameter k.
    fn scale(&self, shape: &NetworkShape, k: usize) -> T {
        match k {
            k if k < shape.outer_at() => self.scales.inner,
            k if k < shape.intercept_at() => self.scales.outer,
            k if k < shape.linear_at() => self.scales.intercept,
            _ => self.scales.linear,
        }
    }

    /// f at a row, coordinate k being `z(k)`.
    pub fn output(&self, row: usize, z: impl Fn(usize) -> T) -> T {
        let (shape, inputs) = (self.network.shape(), self.network.data.inputs);
        let (d, neurons) = (shape.inputs, shape.neurons);
        let at = |k: usize| self.scale(&shape, k) * z(k);
        let affine = |constant: usize, first: usize| {
            (0..d).fold(at(constant), |sum, j| sum + inputs.at(row, j) * at(first.wrapping_add(j)))
        };
        (0..neurons).fold(affine(shape.intercept_at(), shape.linear_at()), |sum, m| {
            let u = affine(shape.biases_at().wrapping_add(m), m.wrapping_mul(d));
            let psi = &mut [[u]];
            self.network.activation.apply_value(Portable, psi);
            let [[psi]] = *psi;
            sum + at(shape.outer_at().wrapping_add(m)) * psi
        })
    }
}

impl<T: Real> Extent for FreeNetwork<'_, T> {
    fn dim(&self) -> usize {
        self.network.shape().dim().saturating_add(self.has_noise() as usize)
    }

    /// The parameters, and what [`Network::evaluate`] needs.
    fn scratch(&self) -> usize {
        let shape = self.network.shape();
        shape.dim().saturating_add(shape.scratch())
    }

    fn rows(&self) -> usize {
        self.network.data.n()
    }
}

impl<T: Lanes<N>, const N: usize> Likelihood<T, N> for FreeNetwork<'_, T> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        z: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let dim = self.network.shape().dim();
        let (Some(z), Some(gradient), Some(scratch)) = (
            z.get(..self.dim()),
            gradient.get_mut(..self.dim()),
            scratch.get_mut(..self.scratch()),
        ) else {
            return [T::NAN; N];
        };
        let (Some((z, noise)), Some((gradient, noise_gradient)), Some((parameters, scratch))) = (
            z.split_at_checked(dim),
            gradient.split_at_mut_checked(dim),
            scratch.split_at_mut_checked(dim),
        ) else {
            return [T::NAN; N];
        };
        let target = self;
        parameters.iter_mut().zip(z).for_each(|(p, z)| *p = *z);
        rescale(isa, target, parameters);
        let [beta, log_beta] = precision_of(isa, target, noise);
        let precision = Precision { beta, weights: None };
        let fit = self.network.evaluate(isa, parameters, &precision, gradient, None, scratch);
        rescale(isa, target, gradient);
        let fit = fit.log_likelihood;
        finish(isa, target, log_beta, fit, noise_gradient)
    }
}

dispatched!(
    /// x_k <- sd_k x_k.
    fn rescale(s: S, target: &FreeNetwork<'_, T>, x: &mut [[T; N]]) {
        let shape = target.network.shape();
        for (k, x) in x.iter_mut().enumerate() {
            *x = (s.splat(target.scale(&shape, k)) * s.load(x)).array();
        }
    }
);

dispatched!(
    /// The precision of the noise and its logarithm.
    fn precision_of(s: S, target: &FreeNetwork<'_, T>, z: &[[T; N]]) -> [[T; N]; 2] {
        let scales = target.scales;
        let mut log = special::ln(s, s.splat(scales.noise));
        if let Some(z) = z.first() {
            log = log + s.splat(scales.noise_spread) * s.load(z);
        }
        let log = -(log + log);
        [special::exp(s, log).array(), log.array()]
    }
);

dispatched!(
    /// The normaliser, n (log beta - log 2 pi)/2, and the gradient by the noise's coordinate.
    fn finish(
        s: S,
        target: &FreeNetwork<'_, T>,
        log_beta: [T; N],
        fit: [T; N],
        gradient: &mut [[T; N]],
    ) -> [T; N] {
        let (half, fit) = (s.splat(T::HALF), s.load(&fit));
        let n = s.splat(T::of_usize(target.rows()));
        for g in gradient {
            // d log beta / dz = -2 spread.
            let slope = half * n + fit;
            *g = (-(slope + slope) * s.splat(target.scales.noise_spread)).array();
        }
        // log(2 pi).
        let log_beta = s.load(&log_beta) - s.lit(1.837_877_066_409_345_5);
        (fit + half * n * log_beta).array()
    }
);
