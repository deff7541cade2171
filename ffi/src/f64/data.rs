//! Data

use crate::prelude::*;
use lcc_core::data::{DataError, Dataset, Inputs};
use lcc_core::remarks::{Found, remarks};

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
    /// What the rows lie among.
    ///
    /// # Safety
    /// Data as the header asks, unwritten during `'a`.
    unsafe fn values<'a>(&self) -> Result<&'a [f64], lcc_status> {
        let span = raw::span(self.n, self.d, self.row_stride, self.column_stride)?;
        // SAFETY: the caller's promise.
        unsafe { raw::slice(self.x, span) }
    }

    fn rows<'a>(&self, values: &'a [f64]) -> Result<Inputs<'a, f64>, DataError> {
        Inputs::new(values, self.n, self.d, self.row_stride, self.column_stride)
    }
}

/// The rows of data.
///
/// # Safety
/// NULL, or data as the header asks, unwritten during `'a`.
pub(crate) unsafe fn inputs<'a>(data: *const lcc_data_f64) -> Result<Inputs<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let data = unsafe { raw::reference(data)? };
    // SAFETY: as above.
    Ok(data.rows(unsafe { data.values()? })?)
}

/// The rows of data with their targets.
///
/// # Safety
/// The same.
pub(crate) unsafe fn dataset<'a>(
    data: *const lcc_data_f64,
) -> Result<Dataset<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let rows = unsafe { inputs(data)? };
    // SAFETY: as above; data are not NULL.
    Ok(Dataset::new(rows, unsafe { raw::slice((*data).y, rows.n())? })?)
}

/// The rows of data with their targets, and n weights unless they are NULL.
///
/// # Safety
/// The same, of the weights too.
pub(crate) unsafe fn weighted<'a>(
    data: *const lcc_data_f64,
    weights: *const f64,
) -> Result<Dataset<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let data = unsafe { dataset(data)? };
    if weights.is_null() {
        return Ok(data);
    }
    // SAFETY: as above.
    Ok(data.weighted(unsafe { raw::slice(weights, data.n())? })?)
}

/// Something remarkable of rows: lcc_data_remarks_f64.
pub type lcc_remark_f64 = Found<f64>;

abi! {
    /// Checks data as every function does, and says where they are bad. Reads x and (unless NULL) y
    /// once.
    ///
    /// @param row     out: on LCC_ERROR_NOT_FINITE_X or _Y the row (from 0) of the first bad value; may be NULL
    /// @param column  out: on LCC_ERROR_NOT_FINITE_X its column (from 0); may be NULL
    fn lcc_data_check_f64(data: *const lcc_data_f64, row: *mut usize, column: *mut usize) {
        let data = raw::reference(data)?;
        let x = data.values()?;
        let y = if data.y.is_null() { None } else { Some(raw::slice(data.y, data.n)?) };
        let rows = data.rows(x);
        let found = rows.and_then(|rows| y.map_or(Ok(()), |y| Dataset::new(rows, y).map(|_| ())));
        let (bad_row, bad_column) = match found {
            Err(DataError::NotFiniteX { row, column }) => (Some(row), Some(column)),
            Err(DataError::NotFiniteY { row }) => (Some(row), None),
            _ => (None, None),
        };
        raw::write_if(row, bad_row)?;
        raw::write_if(column, bad_column)?;
        found?;
    }

    /// What a person should know of rows before a network learns from them: what it takes at its word, and is wrong about
    /// without a warning. lcc_remark_message has a sentence for each. Two sorts a column.
    ///
    /// @param real     1: y is a real number; then it is looked at too, as column d; 0: a class or a count, or has a
    ///                 hurdle for the number that many are; 2: a count, and the last column is its exposure
    /// @param scratch  2 n numbers
    /// @param out      out: the first `len` of them
    /// @param found    out: how many there are
    /// @return LCC_ERROR_SWITCH if real is none of these, LCC_ERROR_CAPACITY of less scratch
    fn lcc_data_remarks_f64(
        data: *const lcc_data_f64, real: u32, scratch: *mut f64, scratch_len: usize,
        out: *mut lcc_remark_f64, len: usize,
    ) -> (found: usize) {
        let data = dataset(data)?;
        raw::refuse(real > 2, LCC_ERROR_SWITCH)?;
        let scratch = raw::array(scratch, scratch_len, raw::times(data.n(), 2)?)?;
        let out = raw::slice_mut(out, len)?;
        let mut found = 0;
        remarks(&data, real == 1, real == 2, scratch, |remark| {
            if let Some(out) = out.get_mut(found) {
                *out = remark;
            }
            found += 1;
        });
        found
    }
}
