"""What a person should know of rows before a network takes them at their word: the sentences of `lcc fit`."""

import ctypes
import itertools
import warnings

import numpy

from ._library import STRUCTS, at, function, name_of, size_by

_MOST = 16
_FEW = 10
# Words of a row of totals (core/model/src/columns/doubts.rs).
_TOTALS = {"total", "totals", "grand total", "sum", "average", "mean", "summe", "gesamt", "suma", "totaal"}
# Outputs of a number that has a density, and no hurdle.
_REAL = ("student-t", "gaussian", "mean-variance", "mixture", "log-normal", "gamma")


def said(rows, output, learned, exposed=False, depth=3):
    """Sentences about the rows, each given as a warning of the caller so many calls up."""
    if learned is None:
        names = [f"column {k} of x" for k in range(rows.d)]
    else:
        names = [f'column "{c.name}"' for c in learned.inputs for _ in range(c.width + c.indicator)]
    real = output in _REAL
    names.append("y")
    # Where a cell that is there says one thing only, that it is missing says the other.
    told = lambda own: name_of("REMARK", own.remark) == "constant" and names[own.column] == names[own.column + 1]
    found = [_sentence(own, rows, names[own.column]) for own in _found(rows, 2 if exposed else int(real)) if not told(own)]
    total = rows.n if rows.weights is None else float(numpy.sum(rows.weights))
    if total < _FEW <= rows.n:
        found.append(f"the weights sum to {total:g}: {rows.n} rows count as so few; where their scale says nothing, divide them by their mean")
    if learned is not None:
        found += [sentence for column in learned.inputs for sentence in _words(column, rows.n)]
    for sentence in found:
        warnings.warn(sentence, stacklevel=depth)
    return found


def _words(column, n):
    """Of categories: two that differ in capitals alone, and a row of totals."""
    for a, b in [(a, b) for a, b in itertools.combinations(column.levels, 2) if len(a) > 1 and a.lower() == b.lower()][:3]:
        yield f'column "{column.name}": "{a}" and "{b}" are two categories: are they one?'
    for word, share in zip(column.levels, column.fill):
        if word.rstrip(": ").lower() in _TOTALS and share * n < 1.5:
            yield f'column "{column.name}": "{word}" in one row: is it one of totals? then leave it out'


def _found(rows, real):
    found, scratch = (STRUCTS[f"lcc_remark_{rows.precision}"] * _MOST)(), numpy.empty(2 * rows.n, rows.dtype)
    count = size_by(f"lcc_data_remarks_{rows.precision}", rows.pointer, real, at(scratch), scratch.size,
                    ctypes.byref(found), _MOST)
    return found[:count]


def _sentence(own, rows, column):
    what, kind = function("lcc_remark_message")(own.remark).decode(), name_of("REMARK", own.remark)
    such = f", and {own.value - 1:g} more such columns" if kind == "constant" and own.value > 1 else ""
    return {"wide": f"there are {what} ({rows.d}, {rows.n})",
            "few": f"there are {what} ({rows.n})",
            "copies": f"{own.rows} of {rows.n} rows {what}",
            "totals": f"row {own.value:g} (from 0) {what}",
            "same": f"{column} {what} ({own.rows} of {rows.n})",
            "repeated": f"{column} {what} ({own.value:g} in {own.rows} of {rows.n})",
            "far": f"{column} {what} ({own.rows} of {rows.n} rows, {own.value:g} the farthest)"}.get(kind, f"{column} {what}{such}")


__all__ = ["said"]
