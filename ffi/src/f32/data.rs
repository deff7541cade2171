// Generated from ../f64 by `cargo run -p lcc-header`: do not edit.
//! Data

use crate::raw::{self, RawData};
use crate::status::lcc_status;
use lcc_core::data::DataError;

/// Rows x_i in R^d with a target (or a residual) y_i each, where they lie: nothing is copied.
/// x_ij = x[i * row_stride + j * column_stride], strides in elements: row-major C arrays have
/// strides (d, 1), column-major Julia or Fortran arrays (1, n). All values must be finite.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_data_f32 {
    /// The inputs.
    pub x: *const f32,
    /// The targets, n of them; may be NULL where a function only reads rows.
    pub y: *const f32,
    /// Rows, at least 1.
    pub n: usize,
    /// Columns, at least 1.
    pub d: usize,
    /// Elements from one row to the next.
    pub row_stride: usize,
    /// Elements from one column to the next.
    pub column_stride: usize,
}

impl lcc_data_f32 {
    pub(crate) fn raw(&self) -> RawData<f32> {
        let Self { x, y, n, d, row_stride, column_stride } = *self;
        RawData { x, y, n, d, row_stride, column_stride }
    }
}

/// Checks data as every function does, and says where they are bad. Reads x and (unless NULL) y
/// once.
///
/// @param data    the data
/// @param row     out: on LCC_ERROR_NOT_FINITE_X or _Y the row (from 0) of the first bad value;
///                may be NULL
/// @param column  out: on LCC_ERROR_NOT_FINITE_X its column (from 0); may be NULL
/// @return LCC_OK, LCC_ERROR_NULL, _MISALIGNED, _EMPTY, _OVERFLOW, _NOT_FINITE_X, _NOT_FINITE_Y
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_data_check_f32(
    data: *const lcc_data_f32,
    row: *mut usize,
    column: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let data = unsafe { raw::reference(data)? }.raw();
        // SAFETY: as above.
        let x = unsafe { raw::slice(data.x, data.span()?)? };
        let y = if data.y.is_null() {
            None
        } else {
            // SAFETY: as above.
            Some(unsafe { raw::slice(data.y, data.n)? })
        };
        let found = data.check(x, y);
        let place = match found {
            Err(DataError::NotFiniteX { row, column }) => Some((row, Some(column))),
            Err(DataError::NotFiniteY { row }) => Some((row, None)),
            _ => None,
        };
        if let Some((bad_row, bad_column)) = place {
            if !row.is_null() {
                // SAFETY: as above.
                unsafe { raw::write(row, bad_row)? };
            }
            if let (false, Some(bad_column)) = (column.is_null(), bad_column) {
                // SAFETY: as above.
                unsafe { raw::write(column, bad_column)? };
            }
        }
        found?;
        Ok(lcc_status::LCC_OK)
    })
}
