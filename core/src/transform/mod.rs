//! Parameters with constraints, as Stan defines them (Stan Reference Manual, "Constraint Transforms"): maps from R^n,
//! where samplers live, with the Jacobians that make a density of the parameters one of the coordinates.
//!
//! ```
//! use lcc_core::transform::{Constraint, Parameter};
//!
//! // sigma > 0: y = exp(x), log |dy/dx| = x.
//! let sigma = Parameter::new("sigma", Constraint::Lower);
//! let mut y = [0.0_f64];
//! assert_eq!(sigma.constrain(&[1.5], &mut y)?, 1.5);
//! // log p(y) = -y: d/dx of log p(y(x)) + log |dy/dx|.
//! let mut dx = [0.0];
//! sigma.pull_back(&[1.5], &y, &[-1.0], &mut dx)?;
//! assert_eq!(dx[0], -y[0] + 1.0);
//! # Ok::<(), lcc_core::transform::TransformError>(())
//! ```

mod matrix;
mod scalar;
mod vector;

use crate::error::{errors, refuse};
use crate::pieces::{nth, nth_mut, pieces, pieces_mut};
use crate::plain::codes;
use crate::scalar::Real;
use core::fmt;

codes! {
    /// What holds of a parameter.
    pub enum Constraint {
        /// Nothing: y = x.
        Free = 0 "free",
        /// y > lower: y = lower + exp(x).
        Lower = 1 "lower",
        /// y < upper: y = upper - exp(x).
        Upper = 2 "upper",
        /// lower < y < upper: y = lower + (upper - lower) logistic(x).
        Interval = 3 "interval",
        /// Nothing, in other units: y = offset + multiplier x, the offset in `lower`, the multiplier in `upper`.
        Affine = 4 "affine",
        /// K positive numbers of sum 1: softmax of the K - 1 coordinates' zero-sum vector (isometric log ratios).
        Simplex = 5 "simplex",
        /// K increasing numbers: y_1 = x_1, y_k = y_(k-1) + exp(x_k).
        Ordered = 6 "ordered",
        /// K increasing positive numbers: y_1 = exp(x_1), y_k = y_(k-1) + exp(x_k).
        PositiveOrdered = 7 "positive_ordered",
        /// K numbers of norm 1: y = x/|x|; what stands for the Jacobian is the density of |x| of normal x, -|x|^2/2.
        UnitVector = 8 "unit_vector",
        /// The Cholesky factor of a K x K correlation matrix, row by row with zeros above the diagonal, from the
        /// canonical partial correlations tanh(x), row by row. The Jacobian is that of what lies below the diagonal.
        CholeskyCorrelation = 9 "cholesky_corr",
        /// The Cholesky factor of a K x K covariance matrix, row by row with zeros above: x below the diagonal, exp(x)
        /// on it, row by row. The Jacobian is that of the factor.
        CholeskyCovariance = 10 "cholesky_cov",
    }
}

errors! {
    /// Why a transform refused.
    pub enum TransformError {
        Size = "a parameter has no elements, too many, or more than its kind has",
        Bounds = "bounds must be finite and in order, a multiplier positive",
        Length = "a slice has not as many numbers as the parameter",
        Support = "a value does not satisfy its constraint",
    }
}

/// One parameter: a scalar, vector or matrix under a constraint, or several one after another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter<'a, T> {
    /// Its name.
    pub name: &'a str,
    /// What holds of it.
    pub constraint: Constraint,
    /// K: elements of a vector, rows of a matrix; of free, bounded and affine ones that many scalars.
    pub size: usize,
    /// How many of these, one after another.
    pub count: usize,
    /// The lower bound, or the offset.
    pub lower: T,
    /// The upper bound, or the multiplier.
    pub upper: T,
}

impl<'a, T: Real> Parameter<'a, T> {
    /// A scalar, above 0, below 0, between 0 and 1.
    pub fn new(name: &'a str, constraint: Constraint) -> Self {
        let upper = if constraint == Constraint::Upper { T::ZERO } else { T::ONE };
        Self { name, constraint, size: 1, count: 1, lower: T::ZERO, upper }
    }

    /// Whether it makes sense.
    pub fn check(&self) -> Result<(), TransformError> {
        let (lower, upper) = (self.lower.is_finite(), self.upper.is_finite());
        let bounds = match self.constraint {
            Constraint::Lower => lower,
            Constraint::Upper => upper,
            Constraint::Interval => lower && upper && self.lower < self.upper,
            Constraint::Affine => lower && upper && self.upper > T::ZERO,
            _ => true,
        };
        refuse(!bounds, TransformError::Bounds)?;
        // All there is to hold in memory, so that products below do not overflow.
        let elements = self.size.checked_mul(self.size).and_then(|s| s.checked_mul(self.count));
        let bytes = elements.and_then(|n| n.checked_mul(T::BYTES));
        refuse(bytes.is_none_or(|b| b == 0 || b > isize::MAX as usize), TransformError::Size)
    }

    /// Coordinates and elements of each of the `count`.
    fn each(&self) -> (usize, usize) {
        let k = self.size;
        let below = k.wrapping_mul(k.wrapping_sub(1)) / 2;
        match self.constraint {
            Constraint::Simplex => (k.wrapping_sub(1), k),
            Constraint::CholeskyCorrelation => (below, k.wrapping_mul(k)),
            Constraint::CholeskyCovariance => (below.wrapping_add(k), k.wrapping_mul(k)),
            _ => (k, k),
        }
    }

    /// How many coordinates x it has, and how many elements y. Of one that was not checked anything.
    pub fn dims(&self) -> (usize, usize) {
        let (x, y) = self.each();
        (x.wrapping_mul(self.count), y.wrapping_mul(self.count))
    }

    fn lengths(&self, x: usize, y: usize) -> Result<(), TransformError> {
        self.check()?;
        refuse((x, y) != self.dims(), TransformError::Length)
    }

    /// Writes y of x and returns log |det dy/dx|, -infinity where rounding puts y on the edge of its constraint or where
    /// it overflows: there is no density to ask for there. Some 30 flops an element, of a matrix a row.
    pub fn constrain(&self, x: &[T], y: &mut [T]) -> Result<T, TransformError> {
        self.lengths(x.len(), y.len())?;
        let (n, k) = self.each();
        let mut log_jacobian = T::ZERO;
        for (s, y) in pieces_mut(y, k).enumerate() {
            let x = nth(x, n, s);
            log_jacobian += match self.constraint {
                Constraint::Simplex => vector::simplex(x, y),
                Constraint::Ordered => vector::ordered(x, y, false),
                Constraint::PositiveOrdered => vector::ordered(x, y, true),
                Constraint::UnitVector => vector::unit(x, y),
                Constraint::CholeskyCorrelation => matrix::correlation(x, y, self.size),
                Constraint::CholeskyCovariance => matrix::covariance(x, y, self.size),
                _ => scalar::constrain(self, x, y),
            };
        }
        Ok(self.supports(y).map_or(-T::INFINITY, |()| log_jacobian))
    }

    /// The gradient by x of log p(y(x)) + log |det dy/dx|, from that of log p by y, each element by itself: `y` is what
    /// [`constrain`](Self::constrain) made of `x`. As costly.
    pub fn pull_back(
        &self,
        x: &[T],
        y: &[T],
        dy: &[T],
        dx: &mut [T],
    ) -> Result<(), TransformError> {
        self.lengths(x.len(), y.len())?;
        self.lengths(dx.len(), dy.len())?;
        let (n, k) = self.each();
        for (s, (y, dy)) in pieces(y, k).zip(pieces(dy, k)).enumerate() {
            let (x, dx) = (nth(x, n, s), nth_mut(dx, n, s));
            match self.constraint {
                Constraint::Simplex => vector::simplex_back(y, dy, dx),
                Constraint::Ordered => vector::ordered_back(x, dy, dx, false),
                Constraint::PositiveOrdered => vector::ordered_back(x, dy, dx, true),
                Constraint::UnitVector => vector::unit_back(x, y, dy, dx),
                Constraint::CholeskyCorrelation => {
                    matrix::correlation_back(x, y, dy, dx, self.size);
                }
                Constraint::CholeskyCovariance => matrix::covariance_back(y, dy, dx, self.size),
                _ => scalar::pull_back(self, x, dy, dx),
            }
        }
        Ok(())
    }

    /// Whether y satisfies the constraint; sums and norms may be off by the root of epsilon.
    pub fn supports(&self, y: &[T]) -> Result<(), TransformError> {
        self.lengths(self.dims().0, y.len())?;
        let (_, k) = self.each();
        let finite = y.iter().all(|y| y.is_finite());
        let holds = finite
            && pieces(y, k).all(|y| match self.constraint {
                Constraint::Simplex => vector::is_simplex(y),
                Constraint::Ordered => vector::is_ordered(y, false),
                Constraint::PositiveOrdered => vector::is_ordered(y, true),
                Constraint::UnitVector => vector::is_unit(y),
                Constraint::CholeskyCorrelation => matrix::is_factor(y, self.size, true),
                Constraint::CholeskyCovariance => matrix::is_factor(y, self.size, false),
                _ => scalar::supports(self, y),
            });
        refuse(!holds, TransformError::Support)
    }

    /// x of a y that it [`supports`](Self::supports), else nothing is written: where a chain is to start. Of a unit
    /// vector it is y.
    pub fn unconstrain(&self, y: &[T], x: &mut [T]) -> Result<(), TransformError> {
        self.lengths(x.len(), y.len())?;
        self.supports(y)?;
        let (n, k) = self.each();
        for (s, y) in pieces(y, k).enumerate() {
            let x = nth_mut(x, n, s);
            match self.constraint {
                Constraint::Simplex => vector::simplex_free(y, x),
                Constraint::Ordered => vector::ordered_free(y, x, false),
                Constraint::PositiveOrdered => vector::ordered_free(y, x, true),
                Constraint::UnitVector => x.iter_mut().zip(y).for_each(|(x, y)| *x = *y),
                Constraint::CholeskyCorrelation => matrix::correlation_free(y, x, self.size),
                Constraint::CholeskyCovariance => matrix::covariance_free(y, x, self.size),
                _ => scalar::unconstrain(self, y, x),
            }
        }
        Ok(())
    }

    /// The name of an element, indices from 1: `theta`, `theta[2]`, `L[2,1]`; of several `theta[3,2]`, the third's.
    pub fn element(self, index: usize) -> impl fmt::Display {
        Element { parameter: self, index }
    }
}

/// Whether a number is 1 but for rounding.
fn is_one<T: Real>(x: T) -> bool {
    (x - T::ONE).abs() <= T::EPSILON.sqrt()
}

struct Element<'a, T> {
    parameter: Parameter<'a, T>,
    index: usize,
}

impl<T: Real> fmt::Display for Element<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { name, constraint, size, count, .. } = self.parameter;
        let (_, k) = self.parameter.each();
        let split = |i: usize, by: usize| {
            (i.checked_div(by).unwrap_or(0).wrapping_add(1), i.checked_rem(by).unwrap_or(0))
        };
        let (outer, inner) = split(self.index, k);
        let matrix =
            matches!(constraint, Constraint::CholeskyCorrelation | Constraint::CholeskyCovariance);
        f.write_str(name)?;
        let mut open = "[";
        if count > 1 {
            write!(f, "{open}{outer}")?;
            open = ",";
        }
        if matrix {
            let (row, column) = split(inner, size);
            write!(f, "{open}{row},{}]", column.wrapping_add(1))
        } else if size > 1 || !self.parameter.scalar() {
            write!(f, "{open}{}]", inner.wrapping_add(1))
        } else if count > 1 {
            f.write_str("]")
        } else {
            Ok(())
        }
    }
}

impl<T> Parameter<'_, T> {
    /// Whether its elements are constrained one by one.
    fn scalar(&self) -> bool {
        (self.constraint as i32) < Constraint::Simplex as i32
    }
}
