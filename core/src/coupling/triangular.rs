//! The coupling in d dimensions: xi = R w + Z with R'R = Q = X' diag(rho) X.

use super::reduced;
use super::xi::class;
use super::{Channel, Coupling, CouplingError};
use crate::error::refuse;
use crate::likelihood::Signs;
use crate::linalg::{lower_len, rotate_in};
use crate::pieces::pieces_mut;
use crate::scalar::Real;

/// The numbers of a packed d x d triangle for each class: classes d (d + 1) / 2.
pub fn factor_len(d: usize, classes: usize) -> Option<usize> {
    classes.checked_mul(lower_len(d)?)
}

/// The upper triangular factor R of Q = X' diag(rho) X, one for each class of neurons, as a channel.
///
/// With t = R' xi: t | w ~ N(Q w, Q), and -|xi - R w|^2/2 = t.w - w'Q w/2 up to a constant. Q itself
/// is never formed: its rounding error would be that of R squared, and a singular Q (n < d, or
/// rho_i = 0) needs no care, R then has zeros on its diagonal.
#[derive(Clone, Copy, Debug)]
pub struct Triangular<'a, T> {
    factor: &'a [T],
    signs: Signs,
    neurons: usize,
    classes: usize,
    d: usize,
    strength: T,
}

impl<'a, T: Real> Triangular<'a, T> {
    /// Factorises S X by Givens rotations, row by row in the order of the data: 3 d^2 flops and d
    /// square roots a row and class. `factor` (at least [`factor_len`] numbers) receives R, row by
    /// row from the diagonal on; `scratch` holds d numbers.
    pub fn factorise(
        coupling: &Coupling<'_, T>,
        factor: &'a mut [T],
        scratch: &mut [T],
    ) -> Result<Self, CouplingError> {
        let (d, classes) = (coupling.d(), coupling.classes());
        let triangle = factor_len(d, 1).ok_or(CouplingError::Shape)?;
        let count = factor_len(d, classes).ok_or(CouplingError::Shape)?;
        let scratch = scratch.get_mut(..d).ok_or(CouplingError::Shape)?;
        {
            let factor = factor.get_mut(..count).ok_or(CouplingError::Shape)?;
            for (class, r) in pieces_mut(factor, triangle).enumerate() {
                r.iter_mut().for_each(|r| *r = T::ZERO);
                for i in 0..coupling.observations() {
                    let root = coupling.rho_of_class(i, class).sqrt();
                    coupling.inputs().copy_row(i, scratch);
                    scratch.iter_mut().for_each(|x| *x = root * *x);
                    rotate_in(r, scratch);
                }
            }
            refuse(factor.iter().any(|r| !r.is_finite()), CouplingError::Overflow)?;
        }
        Self::from_factor(d, coupling.neurons(), coupling.signs(), classes, factor)
    }

    /// The reduced coupling under the prior N(0, sd^2 I): R'R = (X' diag(rho) X - I/sd^2)_+, the
    /// positive part, only what the prior's curvature does not give already. log p(w | xi) is as
    /// concave as before, and xi holds w back less: where p(w) is log-concave by itself R is zero.
    ///
    /// [`factorise`](Self::factorise), then the eigenvectors of R'R, about 30 d^3 flops a class.
    /// `scratch` holds [`reduced_scratch`](super::reduced_scratch) numbers.
    pub fn factorise_reduced(
        coupling: &Coupling<'_, T>,
        sd: T,
        factor: &'a mut [T],
        scratch: &mut [T],
    ) -> Result<Self, CouplingError> {
        let (d, classes) = (coupling.d(), coupling.classes());
        Triangular::factorise(coupling, &mut *factor, scratch)?;
        let triangle = factor_len(d, 1).ok_or(CouplingError::Shape)?;
        for r in pieces_mut(&mut *factor, triangle).take(classes) {
            reduced::reduce(r, d, sd, scratch)?;
        }
        Self::from_factor(d, coupling.neurons(), coupling.signs(), classes, factor)
    }

    /// A channel over a factor computed before (or over any other: every R gives a valid coupling,
    /// and log p(w | xi) is concave where R'R outweighs the Hessian of log p(w)).
    pub fn from_factor(
        d: usize,
        neurons: usize,
        signs: Signs,
        classes: usize,
        factor: &'a [T],
    ) -> Result<Self, CouplingError> {
        let count = factor_len(d, classes).ok_or(CouplingError::Shape)?;
        let factor = factor.get(..count).ok_or(CouplingError::Shape)?;
        let dim = d.checked_mul(neurons).ok_or(CouplingError::Shape)?;
        refuse(dim == 0 || classes == 0 || classes > 2, CouplingError::Shape)?;
        Ok(Self { factor, signs, neurons, classes, d, strength: T::ONE })
    }

    /// The channel xi = strength R w + Z.
    pub fn scaled(self, strength: T) -> Self {
        Self { strength, ..self }
    }

    /// R of each class, row by row from the diagonal on.
    pub fn factor(&self) -> &'a [T] {
        self.factor
    }

    /// 1, or 2 where rho depends on the sign of the neuron.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Q_jk of a class, j and k below d: sum_i R_ij R_ik, whatever the strength. For reports and
    /// certificates.
    pub fn q(&self, class: usize, j: usize, k: usize) -> T {
        let mut sum = T::ZERO;
        for i in 0..self.d.min(j.min(k).saturating_add(1)) {
            let row = self.packed_row(i, class);
            let at = |column: usize| {
                column.checked_sub(i).and_then(|c| row.get(c)).copied().unwrap_or(T::ZERO)
            };
            sum += at(j) * at(k);
        }
        sum
    }

    /// Row i of a class's triangle, from the diagonal on.
    #[inline(always)]
    fn packed_row(&self, i: usize, class: usize) -> &'a [T] {
        // Within bounds by from_factor: wrapping never happens, and a miss would be an empty row.
        let triangle = self.d.wrapping_mul(self.d.wrapping_add(1)) / 2;
        let left = self.d.wrapping_sub(i);
        let start = triangle
            .wrapping_mul(class.wrapping_add(1))
            .wrapping_sub(left.wrapping_mul(left.wrapping_add(1)) / 2);
        self.factor.get(start..start.wrapping_add(left)).unwrap_or(&[])
    }
}

impl<T: Real> Channel<T> for Triangular<'_, T> {
    #[inline(always)]
    fn d(&self) -> usize {
        self.d
    }
    #[inline(always)]
    fn neurons(&self) -> usize {
        self.neurons
    }
    #[inline(always)]
    fn observations(&self) -> usize {
        self.d
    }
    #[inline(always)]
    fn data_rows(&self) -> usize {
        0
    }
    #[inline(always)]
    fn row(&self, i: usize, m: usize) -> (T, usize, impl Iterator<Item = T>) {
        let row = self.packed_row(i, class(self.signs, self.classes, m));
        (self.strength, i, row.iter().copied())
    }
}
