//! A bounded window of rows: appended until it is full, then the oldest is replaced.

use crate::data::{DataError, Dataset, Inputs};
use crate::pieces::pieces_mut;
use crate::scalar::Real;
use crate::workspace::{Carve, Measure, Memory, WorkspaceError};
use core::fmt;

const HEAD: usize = 6;
const MAGIC: u64 = 0x4C43_4357_4E44_0001;

/// Why a window refused. Nothing has been stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowError {
    /// No rows or no columns.
    Empty,
    /// The memory is too small, misaligned, or its size overflows.
    Memory(WorkspaceError),
    /// The memory does not hold a window of this version and precision.
    NotAWindow,
    /// The row has another number of columns.
    Columns,
    /// An input is not finite.
    Input,
    /// The target is not finite.
    Target,
}

impl fmt::Display for WindowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a window without rows or columns"),
            Self::Memory(e) => e.fmt(f),
            Self::NotAWindow => f.write_str("the memory holds no window of this precision"),
            Self::Columns => f.write_str("the row has another number of columns than the window"),
            Self::Input => f.write_str("an input is not finite"),
            Self::Target => f.write_str("the target is not finite"),
        }
    }
}

impl core::error::Error for WindowError {}

impl From<WorkspaceError> for WindowError {
    fn from(e: WorkspaceError) -> Self {
        Self::Memory(e)
    }
}

/// Rows and targets in the caller's memory, without pointers: a copy of it, [`open`](Self::open)ed, is the
/// same window. Rows lie one after another, so that they are [`data`](Self::data) as they are; their order
/// in memory is not that of their arrival, which no posterior minds.
#[derive(Debug)]
pub struct Window<'a, T> {
    /// Magic, version, capacity, columns, rows that ever came.
    head: &'a mut [u64],
    x: &'a mut [T],
    y: &'a mut [T],
    capacity: usize,
    columns: usize,
}

fn carve<'a, T: Real>(
    c: &mut impl Carve<'a>,
    capacity: usize,
    columns: usize,
) -> Result<Window<'a, T>, WorkspaceError> {
    let cells = capacity.checked_mul(columns).ok_or(WorkspaceError::Overflow)?;
    Ok(Window { head: c.take(HEAD)?, x: c.take(cells)?, y: c.take(capacity)?, capacity, columns })
}

impl<'a, T: Real> Window<'a, T> {
    /// The bytes of memory for so many rows, to be aligned to [`ALIGN`](crate::workspace::ALIGN).
    pub fn size(capacity: usize, columns: usize) -> Result<usize, WindowError> {
        if capacity == 0 || columns == 0 {
            return Err(WindowError::Empty);
        }
        let mut measure = Measure::new();
        carve::<T>(&mut measure, capacity, columns)?;
        Ok(measure.bytes())
    }

    /// An empty window in the front of `memory`.
    pub fn init(
        memory: &'a mut [u8],
        capacity: usize,
        columns: usize,
    ) -> Result<Self, WindowError> {
        let bytes = Self::size(capacity, columns)?;
        let memory = memory.get_mut(..bytes).ok_or(WorkspaceError::TooSmall)?;
        memory.fill(0);
        let this = carve(&mut Memory::new(memory)?, capacity, columns)?;
        let version = (crate::checkpoint::STATE_VERSION as u64) << 32 | T::BITS as u64;
        let words = [MAGIC, version, capacity as u64, columns as u64];
        this.head.iter_mut().zip(words).for_each(|(h, w)| *h = w);
        Ok(this)
    }

    /// The window that `memory` holds.
    pub fn open(memory: &'a mut [u8]) -> Result<Self, WindowError> {
        let broken = WindowError::NotAWindow;
        let (capacity, columns) = {
            let head: &mut [u64] =
                Memory::new(&mut *memory)?.take(HEAD).map_err(|_| WindowError::NotAWindow)?;
            let [magic, version, capacity, columns, ..] = *head else { return Err(broken) };
            if magic != MAGIC
                || version != ((crate::checkpoint::STATE_VERSION as u64) << 32 | T::BITS as u64)
            {
                return Err(broken);
            }
            let size = |x: u64| usize::try_from(x).map_err(|_| broken);
            (size(capacity)?, size(columns)?)
        };
        let bytes = Self::size(capacity, columns).map_err(|_| broken)?;
        let memory = memory.get_mut(..bytes).ok_or(WorkspaceError::TooSmall)?;
        Ok(carve(&mut Memory::new(memory)?, capacity, columns)?)
    }

    /// Rows that fit.
    pub fn capacity(&self) -> usize {
        self.capacity
    }
    /// d.
    pub fn columns(&self) -> usize {
        self.columns
    }
    /// Rows that ever came.
    pub fn seen(&self) -> u64 {
        self.head.get(4).copied().unwrap_or(0)
    }
    /// Rows that are there.
    pub fn rows(&self) -> usize {
        self.seen().min(self.capacity as u64) as usize
    }

    /// Appends a row, or replaces the oldest where the window is full. Returns the place.
    pub fn push(&mut self, row: &[T], y: T) -> Result<usize, WindowError> {
        if row.len() != self.columns {
            return Err(WindowError::Columns);
        }
        if !row.iter().all(|x| x.is_finite()) {
            return Err(WindowError::Input);
        }
        if !y.is_finite() {
            return Err(WindowError::Target);
        }
        let broken = WindowError::NotAWindow;
        let seen = self.seen();
        let place = seen.checked_rem(self.capacity as u64).ok_or(broken)? as usize;
        let own = pieces_mut(self.x, self.columns).nth(place).ok_or(broken)?;
        own.iter_mut().zip(row).for_each(|(o, x)| *o = *x);
        *self.y.get_mut(place).ok_or(broken)? = y;
        *self.head.get_mut(4).ok_or(broken)? = seen.saturating_add(1);
        Ok(place)
    }

    /// The inputs of the rows that are there, row by row.
    pub fn inputs(&self) -> &[T] {
        self.x.get(..self.rows().saturating_mul(self.columns)).unwrap_or(&[])
    }

    /// The rows that are there; [`DataError::Empty`] before the first.
    pub fn data(&self) -> Result<Dataset<'_, T>, DataError> {
        let rows = self.rows();
        Dataset::new(
            Inputs::row_major(self.inputs(), rows, self.columns)?,
            self.y.get(..rows).unwrap_or(&[]),
        )
    }
}
