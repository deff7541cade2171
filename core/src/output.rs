//! The output of a network as a function of its weights: psi(x.w), or f(x; W).
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::Inputs;
//! use lcc_core::likelihood::Signs;
//! use lcc_core::output::Output;
//!
//! let f = Output { activation: Activation::Tanh, neurons: 1, signs: Signs::Positive, factor: 2.0 };
//! let inputs = Inputs::row_major(&[0.5, -1.0], 1, 2)?;
//! let w = [1.0, 0.25];
//! assert!((f.at(&inputs, 0, |j| w[j]) - 2.0 * 0.25_f64.tanh()).abs() < 1e-15);
//! # Ok::<(), lcc_core::data::DataError>(())
//! ```

use crate::activation::Activation;
use crate::data::Inputs;
use crate::likelihood::Signs;
use crate::scalar::Real;
use crate::simd::Portable;

/// Neurons whose activations are taken together.
const TOGETHER: usize = 8;

/// f(x; W) = factor sum_m s_m psi(x.w_m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output<T> {
    /// psi.
    pub activation: Activation,
    /// M.
    pub neurons: usize,
    /// s_m.
    pub signs: Signs,
    /// V / M for a joint posterior, 1 for a greedy one.
    pub factor: T,
}

impl<T: Real> Output<T> {
    /// The coordinates of W for rows of d columns.
    pub fn dim(&self, d: usize) -> usize {
        self.neurons.saturating_mul(d)
    }

    /// The output at a row, coordinate j of W being `w(j)`: M (2 d flops and an activation).
    #[inline(always)]
    pub fn at(&self, inputs: &Inputs<'_, T>, row: usize, w: impl Fn(usize) -> T) -> T {
        let d = inputs.d();
        let mut sum = T::ZERO;
        let mut psi = [[T::ZERO]; TOGETHER];
        for first in (0..self.neurons).step_by(TOGETHER) {
            let neurons = first..self.neurons.min(first.saturating_add(TOGETHER));
            let Some(psi) = psi.get_mut(..neurons.len()) else { return T::NAN };
            for (m, [u]) in neurons.clone().zip(&mut *psi) {
                *u = T::ZERO;
                for j in 0..d {
                    *u += inputs.at(row, j) * w(m.wrapping_mul(d).wrapping_add(j));
                }
            }
            self.activation.apply_value(Portable, psi);
            for (m, [psi]) in neurons.zip(psi) {
                sum += if self.signs.negative(m) { -*psi } else { *psi };
            }
        }
        self.factor * sum
    }
}
