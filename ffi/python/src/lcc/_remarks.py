"""What a person should know of rows before a network takes them at their word: the sentences of `lcc fit`."""

import ctypes
import warnings

import numpy

from ._library import STRUCTS, at, function, name_of, size_by
from ._rows import Rows

_MOST = 16
# Outputs of a number that has a density, and no hurdle.
_REAL = ("student-t", "gaussian", "mean-variance", "mixture", "log-normal")


def said(rows, output, learned, depth=3):
    """Sentences about the rows, each given as a warning of the caller so many calls up."""
    if learned is None:
        names = [f"column {k} of x" for k in range(rows.d)]
    else:
        names = [f'column "{c.name}"' for c in learned.inputs for _ in range(c.width + c.indicator)]
    real = output in _REAL
    found = [_sentence(own, rows, names[own.column]) for own in _found(rows, real)]
    if real:   # mistakes and codes decide the scale of y too
        alone = Rows(rows.y[:, None], rows.y, rows.dtype)
        found += [_sentence(own, rows, "y") for own in _found(alone, False)]
    for sentence in found:
        warnings.warn(sentence, stacklevel=depth)
    return found


def _found(rows, real):
    found, scratch = (STRUCTS[f"lcc_remark_{rows.precision}"] * _MOST)(), numpy.empty(2 * rows.n, rows.dtype)
    count = size_by(f"lcc_data_remarks_{rows.precision}", rows.pointer, int(real), at(scratch), scratch.size,
                    ctypes.byref(found), _MOST)
    return found[:count]


def _sentence(own, rows, column):
    what, kind = function("lcc_remark_message")(own.remark).decode(), name_of("REMARK", own.remark)
    return {"wide": f"there are {what} ({rows.d}, {rows.n})",
            "repeated": f"y {what} ({own.value:g} in {own.rows} of {rows.n})",
            "counts": f"{column} {what}"}.get(kind, f"{column} {what} ({own.rows} of {rows.n} rows, {own.value:g} the farthest)")


__all__ = ["said"]
