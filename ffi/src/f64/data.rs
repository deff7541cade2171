//! Data

use crate::raw::{self, RawData};
use crate::status::lcc_status;
use lcc_core::data::{DataError, Dataset};

/// Rows x_i in R^d with a target (or a residual) y_i each, where they lie: nothing is copied.
/// x_ij = x[i * row_stride + j * column_stride], strides in elements: row-major C arrays have
/// strides (d, 1), column-major Julia or Fortran arrays (1, n). All values must be finite.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_data_f64 {
    /// The inputs.
    pub x: *const f64,
    /// The targets, n of them; may be NULL where a function only reads rows.
    pub y: *const f64,
    /// Rows, at least 1.
    pub n: usize,
    /// Columns, at least 1.
    pub d: usize,
    /// Elements from one row to the next.
    pub row_stride: usize,
    /// Elements from one column to the next.
    pub column_stride: usize,
}

impl lcc_data_f64 {
    pub(crate) fn raw(&self) -> RawData<f64> {
        let Self { x, y, n, d, row_stride, column_stride } = *self;
        RawData { x, y, n, d, row_stride, column_stride }
    }
}

/// # Safety
/// NULL, or data as the header asks, unwritten during `'a`.
pub(crate) unsafe fn dataset<'a>(
    data: *const lcc_data_f64,
) -> Result<Dataset<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    unsafe { raw::reference(data)?.raw().dataset() }
}

abi! {
    /// Checks data as every function does, and says where they are bad. Reads x and (unless NULL) y
    /// once.
    ///
    /// @param row     out: on LCC_ERROR_NOT_FINITE_X or _Y the row (from 0) of the first bad value; may be NULL
    /// @param column  out: on LCC_ERROR_NOT_FINITE_X its column (from 0); may be NULL
    fn lcc_data_check_f64(data: *const lcc_data_f64, row: *mut usize, column: *mut usize) {
        let data = raw::reference(data)?.raw();
        let x = raw::slice(data.x, data.span()?)?;
        let y = if data.y.is_null() { None } else { Some(raw::slice(data.y, data.n)?) };
        let found = data.check(x, y);
        let place = match found {
            Err(DataError::NotFiniteX { row, column }) => Some((row, Some(column))),
            Err(DataError::NotFiniteY { row }) => Some((row, None)),
            _ => None,
        };
        if let Some((bad_row, bad_column)) = place {
            if !row.is_null() {
                raw::write(row, bad_row)?;
            }
            if let (false, Some(bad_column)) = (column.is_null(), bad_column) {
                raw::write(column, bad_column)?;
            }
        }
        found?;
    }
}
