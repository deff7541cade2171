//! Data in matrices of nalgebra, seen where they lie. A row of the matrix is a row of data.
//!
//! ```
//! use lcc_core::data::{DataError, Dataset, Inputs};
//! use nalgebra::{Matrix3, Matrix3x2, Vector3};
//!
//! let (x, y) = (Matrix3x2::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0), Vector3::new(0.5, 1.5, 2.5));
//! let data = Dataset::try_from((&x, &y))?;
//! assert_eq!((data.n(), data.d(), data.inputs.at(2, 1)), (3, 2, 6.0));
//!
//! // The target in the matrix, as its last column.
//! let all = Matrix3::new(1.0, 2.0, 0.5, 3.0, 4.0, 1.5, 5.0, 6.0, 2.5);
//! let inputs = Inputs::try_from(&all)?.columns(0, 2).ok_or(DataError::Empty)?;
//! let y = all.column(2).data.into_slice();
//! assert_eq!(Dataset::new(inputs, y)?.fingerprint(), data.fingerprint());
//! # Ok::<(), DataError>(())
//! ```

use crate::data::{DataError, Dataset, Inputs};
use crate::error::refuse;
use crate::scalar::Real;
use nalgebra::{Dim, IsContiguous, Matrix, RawStorage, U1};

/// Whole matrices: owned ones, of fixed or dynamic size, and views of contiguous memory. Of other views, those of some columns
/// are [`Inputs::columns`] of the whole, those of some rows [`Dataset::rows`].
impl<'a, T, R, C, S> TryFrom<&'a Matrix<T, R, C, S>> for Inputs<'a, T>
where
    T: Real,
    R: Dim,
    C: Dim,
    S: RawStorage<T, R, C> + IsContiguous,
{
    type Error = DataError;

    fn try_from(x: &'a Matrix<T, R, C, S>) -> Result<Self, DataError> {
        let (row_stride, column_stride) = x.strides();
        Self::new(x.as_slice(), x.nrows(), x.ncols(), row_stride, column_stride)
    }
}

/// A matrix of n rows, and n targets.
impl<'a, T, R, C, S, Q, U> TryFrom<(&'a Matrix<T, R, C, S>, &'a Matrix<T, Q, U1, U>)>
    for Dataset<'a, T>
where
    T: Real,
    R: Dim,
    C: Dim,
    S: RawStorage<T, R, C> + IsContiguous,
    Q: Dim,
    U: RawStorage<T, Q, U1> + IsContiguous,
{
    type Error = DataError;

    fn try_from(
        (x, y): (&'a Matrix<T, R, C, S>, &'a Matrix<T, Q, U1, U>),
    ) -> Result<Self, DataError> {
        refuse(y.nrows() != x.nrows(), DataError::TooShort)?;
        Self::new(Inputs::try_from(x)?, y.as_slice())
    }
}
