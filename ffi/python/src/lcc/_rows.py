"""Rows of numbers for the library; what NumPy would convert without a warning is refused by name."""

import ctypes
import datetime
import decimal
import numbers

import numpy

from ._library import STATUSES, STRUCTS, LccError, at, function


def is_number(cell):
    return isinstance(cell, (numbers.Real, decimal.Decimal, numpy.bool_))


def _place(index, shape):
    """A cell's row, and its column where there are several."""
    place = [int(k) for k in numpy.unravel_index(index, shape)] if shape else []
    return ", ".join(f"{name} {k}" for name, k in zip(("row", "column", "axis"), place)) + " (from 0)" if place else "it"


def refuse(values, what):
    """Refuses masked cells, dates and complex numbers, of arrays and of the columns of data frames."""
    if hasattr(values, "toarray"):
        raise ValueError(f"{what} is a sparse matrix: give {what}.toarray()")
    if hasattr(values, "columns"):
        names = list(values.columns)
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f'{what} has two columns called "{name}": rename one')
            refuse(values[name], f'column "{name}" of {what}')
        return
    if isinstance(values, numpy.ma.MaskedArray) and (mask := numpy.ma.getmaskarray(values)).any():
        place = _place(mask.argmax(), mask.shape)
        raise ValueError(f"{what} is masked at {place}: leave such rows out, or give a value by .filled(value)")
    dtype = getattr(values, "dtype", None)
    kind, text = getattr(dtype, "kind", ""), str(dtype).lower()
    if kind in tuple("mM") or text.startswith(("date", "time", "duration", "period")):
        raise ValueError(f"{what} holds dates or times ({text}), which are no numbers: make numbers of them that can "
                         "matter, as days since the first: (t - t.min()) / numpy.timedelta64(1, 'D')")
    if kind == "c":
        raise ValueError(f"Complex data not supported: {what} is {text}; give the real and imaginary parts as two columns")


def numeric(values, what):
    """An array of numbers."""
    refuse(values, what)
    array = numpy.asarray(values)
    if array.dtype.kind in "US" and not isinstance(values, numpy.ndarray):
        array = numpy.asarray(values, object)   # NumPy makes text of the numbers beside a word
    refuse(array, what)
    if array.dtype.kind not in "OUSV":
        return array.astype(float) if array.dtype.kind == "b" else array
    if array.dtype.names:
        raise ValueError(f"{what} has named fields: give a data frame, or a plain array of its columns")
    for k, cell in enumerate(array.reshape(-1).tolist()):
        if not is_number(cell):
            place = f"{what} at {_place(k, array.shape)} is "
            if cell is None:
                raise ValueError(f"{place}missing (None): leave such rows out")
            if isinstance(cell, (datetime.date, datetime.time, datetime.timedelta)):
                raise ValueError(f"{place}a date or time, {cell}: make a number of it, as days since the first")
            if isinstance(cell, complex):
                raise ValueError(f"Complex data not supported: {place}{cell}")
            raise ValueError(f"{place}{cell!r}, which is not a number: leave it out, or give a data frame, whose columns "
                             "of words become categories" if array.ndim > 1 else
                             f"{place}{cell!r}, which is not a number: convert it by float(...), or leave its row out")
    return array.astype(float)


def weights_of(values, n):
    """Which of n rows have a weight, and these weights; (None, None) without."""
    if values is None:
        return None, None
    weights = numeric(values, "sample_weight").astype(float)
    if weights.shape != (n,):
        raise ValueError(f"sample_weight has the shape {weights.shape}, and there are {n} rows")
    if (bad := ~(weights >= 0) | ~numpy.isfinite(weights)).any():
        row = int(bad.argmax())
        raise ValueError(f"sample_weight at row {row} (from 0) is {weights[row]}: a weight is 0 or more")
    if not (has := weights > 0).any():
        raise ValueError("sample_weight is zero for every row")
    return has, weights[has]


def groups_of(values, n):
    """The group of each of n rows as a list; None without."""
    if values is None:
        return None
    cells = numpy.asarray(values)
    if cells.shape != (n,):
        raise ValueError(f"groups has the shape {cells.shape}, and there are {n} rows")
    cells = cells.tolist()
    for row, cell in enumerate(cells):
        if cell is None or type(cell).__name__ in ("NAType", "NaTType") or cell != cell:
            raise ValueError(f"groups at row {row} (from 0) is missing: each row is of a group")
    return cells


def numbered(groups):
    """Groups by numbers, from 0 in the order of their first rows; None of none."""
    known = {}
    return None if groups is None else numpy.array([known.setdefault(g, len(known)) for g in groups], numpy.uint32)


def some_of(values, which):
    """Those rows of an array, a list, or a data frame or series of pandas or polars."""
    if hasattr(values, "loc"):
        return values.loc[which]
    if hasattr(values, "columns") or hasattr(values, "to_numpy"):
        return values.filter(which.tolist())
    return numpy.asanyarray(values)[which]


class Rows:
    """Rows, with or without targets, borrowed where they lie: any strides that are multiples of an element, of float32
    where all are, else of float64. Others are copied once. `dtype` converts them. `weights` and `groups`, one for each row."""

    def __init__(self, x, y=None, dtype=None, weights=None, groups=None):
        x = numeric(x, "x")
        if x.ndim == 1:
            raise ValueError("Expected 2D array, got 1D array instead: one row for each observation. "
                             "Reshape your data: x.reshape(-1, 1) has one column, x.reshape(1, -1) one row.")
        if x.ndim != 2:
            raise ValueError(f"x has {x.ndim} dimensions in place of 2")
        y = None if y is None else numeric(y, "y")
        if y is not None and y.shape != (x.shape[0],):
            raise ValueError(f"x has {x.shape[0]} rows and y has the shape {y.shape}")
        single = x.dtype == numpy.float32 and (y is None or y.dtype == numpy.float32)
        self.dtype = numpy.dtype(dtype or (numpy.float32 if single else numpy.float64))
        self.precision = "f32" if self.dtype == numpy.float32 else "f64"
        unit = self.dtype.itemsize
        x = numpy.asarray(x, self.dtype)
        # An axis that repeats (stride 0), as of numpy.broadcast_to, is none that the library knows.
        if any(k > 1 and (s <= 0 or s % unit) for k, s in zip(x.shape, x.strides)) or not x.flags.aligned:
            x = numpy.ascontiguousarray(x)
        self.x, self.y = x, None if y is None else numpy.ascontiguousarray(y, self.dtype)
        self.n, self.d = x.shape
        self.weights = None if weights is None else numpy.ascontiguousarray(weights, self.dtype)
        self.groups = numbered(groups)
        strides = [max(s // unit, 1) for s in x.strides]
        self.data = STRUCTS[f"lcc_data_{self.precision}"](
            at(x), None if y is None else at(self.y), self.n, self.d, *strides)
        row, column = ctypes.c_size_t(), ctypes.c_size_t()
        name = f"lcc_data_check_{self.precision}"
        status = function(name)(self.pointer, ctypes.byref(row), ctypes.byref(column))
        if status < 0:
            place = {"LCC_ERROR_NOT_FINITE_X": f" Row {row.value}, column {column.value}, from 0.",
                     "LCC_ERROR_NOT_FINITE_Y": f" Row {row.value}, from 0."}
            raise LccError(status, place.get(STATUSES[status], ""))

    def some(self, which):
        """Some of the rows."""
        return Rows(self.x[which], self.y[which], weights=None if self.weights is None else self.weights[which])

    @property
    def pointer(self):
        return ctypes.byref(self.data)
