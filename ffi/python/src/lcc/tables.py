"""Tables as numbers, by the rules of `lcc fit` (core/model/src/columns): a column of words becomes one of 0 and 1 for each
of its categories (of two, one column), a missing value the mean of its column and 1 in a column of its own."""

import datetime
import re

import numpy

from ._rows import is_number, numeric, refuse
from .columns import Column, Columns, level_of, level_order, names_of, real

_MOST = 256
_DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}(\1\d{1,4}([ T].*)?)?|\d{1,2}:\d{2}([: ].*)?", re.ASCII)
_MARKED = re.compile(r"[-+\u2212]?\s*[$\u20ac\u00a3\u00a5]?\s*(\d{1,3}([,' \u00a0\u202f\u2009]\d{3})+|\d+)([.,]\d+)?"
                     r"\s*[%$\u20ac\u00a3\u00a5]?")
# What stands for no value, and what may among numbers (core/model/src/table/cell.rs), in small letters.
_MISSING = {"", "?", "1.#qnan", "1.#ind", "-1.#ind", "nan", "na", "null", "n/a", "#n/a", "#na", "<na>", "#div/0!", "#ref!", "#value!",
            "#num!", "#name?", "#null!", "#nv", "#bezug!", "#wert!", "#zahl!", "#valeur!", "#nombre!"}
_MAY_MISS = re.compile("[-.*\u2013\u2014]+|none|missing|n\\.a\\.?|nil|nat|\\(null\\)|\\\\n|undefined|unknown", re.ASCII | re.IGNORECASE)
_MEAN = 'missing="mean" takes the mean of the column, and marks such rows in a column of their own'


class Cells:
    """One column: `numbers` (NaN where missing), or None where it holds words; `texts` (None where missing)."""

    def __init__(self, values, what):
        self.what = what
        refuse(values, what)
        kind = str(getattr(values, "dtype", "")).lower()
        self.categorical = kind.startswith(("categor", "enum"))
        array = numpy.asarray(values)
        if array.ndim != 1:
            raise ValueError(f"{what} has the shape {array.shape} in place of ({len(array) if array.ndim else 0},)")
        refuse(array, what)
        self.dtype, self.values = array.dtype, array
        self._texts = self.numbers = None
        if array.dtype.kind in "iuf":
            self.numbers = None if self.categorical else array.astype(float)
            self.missing = numpy.isnan(array) if array.dtype.kind == "f" else numpy.zeros(len(array), bool)
        else:
            self.missing = numpy.array([text is None for text in self.texts], bool)
            known = [text for text in self.texts if text is not None]
            if not self.categorical and all(map(_numeric, known)):
                self.numbers = numpy.array([numpy.nan if text is None else float(text) for text in self.texts], float)
        if self.numbers is not None and numpy.isinf(self.numbers).any():
            raise ValueError(f"{self.place(numpy.isinf(self.numbers))} is not a finite number: leave such rows out")

    @property
    def texts(self):
        """The cells as texts, made when they are asked for."""
        if self._texts is None:
            self._texts = [self._text(row, cell) for row, cell in enumerate(self.values.tolist())]
        return self._texts

    def _text(self, row, cell):
        if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
            return None
        if isinstance(cell, str):
            text = cell.strip()
            return None if text.lower() in _MISSING else text
        if isinstance(cell, (bool, numpy.bool_)):
            return str(bool(cell))
        if is_number(cell):
            return None if cell != cell else str(cell) if isinstance(cell, int) else repr(float(cell))
        where = f"{self.what}, row {row} (from 0)"
        if isinstance(cell, (datetime.date, datetime.time, datetime.timedelta)):
            raise ValueError(f"{where} is a date or time, {cell}: make a number of it, as days since the first")
        if self.categorical:
            return str(cell)
        raise ValueError(f"{where} is {cell!r}, neither a number nor a word: give a number, or a text by str(...)")

    def place(self, where):
        """The first of some rows, for messages."""
        row = int(numpy.argmax(where))
        cell = self.values[row]
        return f"{self.what}, row {row} (from 0)" + (f": {cell!r}" if isinstance(cell, str) else "")

    def levels(self):
        """The text of the category of each cell; None where it is missing."""
        known = {text: level_of(text) for text in set(self.texts) if text is not None}
        return [known.get(text) for text in self.texts]

    def check_words(self, mend):
        """Refuses dates, numbers beside words, and numbers that are written with marks, as 1,234."""
        if self.categorical:
            return
        known = [text for text in self.texts if text is not None]
        plain = [_numeric(text) for text in known]
        words = [text for text, number in zip(known, plain) if not number]
        first = self.place([text == words[0] for text in self.texts])
        if _DATE.fullmatch(words[0]):
            raise ValueError(f"{first} is a date or time, which is no number: make a number of it, as days since the first")
        if all(map(_MARKED.fullmatch, words)):
            decimal = any(re.fullmatch(r".*,(\d{1,2}|\d{4,})\D*", text) for text in words)
            mark, by = (",", ".") if decimal else ("[^0-9.eE+-]", "")
            raise ValueError(f"{first} is a number written with marks: make numbers of the column, as by "
                             f'.str.replace("{mark}", "{by}", regex=True).astype(float); {mend} takes it as categories')
        if any(plain) and all(map(_MAY_MISS.fullmatch, words)):
            raise ValueError(f"{first} is not a number, as others of the column are: .replace({words[0]!r}, None) makes it a missing "
                             f"value; {mend} takes all as categories")
        if any(plain):
            raise ValueError(f"{first} is not a number, as others of the column are; {mend} takes all as categories")


def _numeric(text):
    bare = text[1:] if text[0] in "+-" else text
    return real(text) is not None or bare.lower() in ("inf", "infinity", "nan")


def _learn_numbers(name, cells):
    mean, values = 0.0, cells.numbers[~cells.missing].tolist()
    for count, value in enumerate(values, 1):   # as lcc fit, to the bit
        mean += value / count - mean / count
    return Column(name, (), (mean,), min(values), max(values), bool(cells.missing.any()))


def _learn_levels(name, cells):
    texts = [text for text in cells.levels() if text is not None]
    counts = {}
    for text in texts:
        counts[text] = counts.get(text, 0) + 1
    levels = tuple(sorted(counts, key=level_order))
    if len(levels) > _MOST:
        raise ValueError(f"{cells.what} has {len(levels)} categories, and a column may have {_MOST}: leave it out")
    return Column(name, levels, tuple(counts[text] / len(texts) for text in levels), indicator=bool(cells.missing.any()))


def _learn_input(name, cells, missing):
    if cells.missing.any() and missing != "mean":
        raise ValueError(f"{cells.place(cells.missing)} is missing: {_MEAN}")
    if cells.missing.all():
        raise ValueError(f"{cells.what} has no values: leave it out")
    if cells.numbers is not None:
        return _learn_numbers(name, cells)
    cells.check_words('astype("category")')
    column, present = _learn_levels(name, cells), int((~cells.missing).sum())
    if len(column.levels) == 1 and not column.indicator:
        raise ValueError(f'{cells.what} is "{column.levels[0]}" in all rows, which tells nothing: leave it out')
    if len(column.levels) > 20 and len(column.levels) > present // 2:
        raise ValueError(f"{cells.what}: {len(column.levels)} different words in {len(cells.values)} rows tell nothing: "
                         "leave it out")
    return column


def _encode(column, cells, unknown):
    """A table's column as the columns of a model."""
    out = numpy.zeros((len(cells.values), column.width + column.indicator))
    absent = cells.missing
    if column.indicator:
        out[:, -1] = absent
    elif absent.any() and unknown != "mean":
        raise ValueError(f"{cells.place(absent)} is missing, and no training row missed it there: "
                         'unknown="mean" takes the average')
    if column.levels:
        codes = {text: k for k, text in enumerate(column.levels)}
        code = numpy.array([codes.get(text, -1) for text in cells.levels()], int)
        new = (code < 0) & ~absent
        if new.any() and unknown != "mean":
            raise ValueError(f'{_unknown(column, cells, new)}; unknown="mean" takes the average')
        known = code >= 0
        if len(column.levels) == 2:
            out[known, 0] = code[known]
        else:
            out[numpy.flatnonzero(known), code[known]] = 1.0
        absent = ~known
    elif cells.numbers is None:
        words = [text is not None and not _numeric(text) for text in cells.texts]
        raise ValueError(f"{cells.place(words)} is not a number, and the model has numbers in this column")
    else:
        out[:, 0] = cells.numbers
    out[absent, :column.width] = column.average
    return out


def _unknown(column, cells, where):
    text = cells.texts[int(numpy.argmax(where))]
    some = ", ".join(f'"{level}"' for level in column.levels[:12]) + (" ..." if len(column.levels) > 12 else "")
    return f'{cells.what}, row {int(numpy.argmax(where))} (from 0): category "{text}" was not seen in training ({some})'


def cells_of(x, names):
    """The columns of a table by name."""
    own = names_of(x)
    lacking = [name for name in names if name not in own]
    if lacking:
        raise ValueError(f"the model was fitted to columns that are not there: {', '.join(lacking)}")
    twice = [name for name in names if own.count(name) > 1]
    if twice:
        raise ValueError(f'x has two columns called "{twice[0]}": rename one')
    if hasattr(x, "collect"):
        raise ValueError("x is a lazy frame: give x.collect()")
    labels = own if hasattr(x, "column_names") else list(x.columns)
    return [Cells(x[labels[own.index(name)]], f'column "{name}"') for name in names]


def learn(x, missing, exposure):
    """What the columns of a table or an array are, and its rows as numbers."""
    if missing not in ("refuse", "mean"):
        raise ValueError(f'missing is "refuse" or "mean", not {missing!r}')
    names = names_of(x)
    if names is None:
        names = [f"x{k + 1}" for k in range(x.shape[1])]
        cells = [Cells(x[:, k], f"column {k} of x") for k in range(x.shape[1])]
    else:
        cells = cells_of(x, names)
    for name in names:
        if not 0 < len(name.encode()) < 2**16 or "\0" in name:
            raise ValueError(f"a column of x is called {name[:40]!r}: give it a name, or leave it out; an index that was written with "
                             "a table is such")
    if not cells or not len(cells[0].values):
        raise ValueError("x has no rows or no columns")
    inputs = tuple(_learn_input(name, own, missing) for name, own in zip(names, cells))
    if exposure and (inputs[-1].levels or inputs[-1].indicator):
        raise ValueError(f"{cells[-1].what}: the exposure is the last column, of numbers, none of them missing")
    return inputs, _matrix(inputs, cells, "refuse")


def encode(x, columns, unknown):
    """Rows of a table as numbers, its columns found by name, others left out."""
    if unknown not in ("refuse", "mean"):
        raise ValueError(f'unknown is "refuse" or "mean", not {unknown!r}')
    return _matrix(columns.inputs, cells_of(x, [column.name for column in columns.inputs]), unknown)


def _matrix(inputs, cells, unknown):
    out = numpy.hstack([_encode(column, own, unknown) for column, own in zip(inputs, cells)])
    return out.astype(numpy.float32) if all(own.dtype == numpy.float32 for own in cells) else out


def outside(x, learned):
    """How many columns of each row are outside of the training data."""
    out = 0
    for column, cells in zip(learned.inputs, cells_of(x, [column.name for column in learned.inputs])):
        if column.levels:
            out = out + numpy.array([text is not None and text not in column.levels for text in cells.levels()], int)
        elif column.least <= column.greatest:   # bytes of version 1 have no range
            out = out + ((cells.numbers < column.least) | (cells.numbers > column.greatest))
    return out + numpy.zeros(len(x), int)


def _order(y):
    """The texts of the categories of an ordered categorical of pandas or an enumeration of polars, in their order; else None."""
    dtype = getattr(y, "dtype", None)
    if not getattr(dtype, "ordered", False) and not str(dtype).lower().startswith("enum"):
        return None
    return [level_of(str(own)) for own in dtype.categories]


def learn_target(y, name, classes, ordinal=False):
    """The column of a target, and y as numbers: of a class which one it is, from 0."""
    cells = Cells(y, "y")
    if cells.missing.any():
        raise ValueError(f"{cells.place(cells.missing)} is missing: leave such rows out")
    if not len(cells.values):
        raise ValueError("y has no rows")
    if not classes:
        return _learn_numbers(name, cells), y
    column = _learn_levels(name, cells)
    if len(column.levels) < 2:
        raise ValueError(f'y: all rows are of one class, "{"".join(column.levels)}"')
    if ordinal and (order := _order(y)) is not None:
        share = dict(zip(column.levels, column.fill))
        levels = tuple(level for level in order if level in share)
        column = column._replace(levels=levels, fill=tuple(map(share.get, levels)))
    elif ordinal and len(column.levels) > 2 and any(real(level) is None for level in column.levels):
        raise ValueError(f'y: output="ordinal" needs the order of the classes, from the lowest on: '
                         f"pandas.Categorical(y, {list(column.levels)}, ordered=True), say")
    return column, encode_classes(column, cells)


def learn_numbers(x, y):
    """Rows of a data frame with targets that are numbers, as numbers, and what the columns are; as they are, and None, of arrays."""
    if names_of(x) is None:
        return x, y, None
    target, y = learn_target(numeric(y, "y"), str(getattr(y, "name", None) or "y"), False)
    inputs, x = learn(x, "refuse", False)
    return x, y, Columns(inputs, False, target)


def encode_classes(column, y):
    """The number of the class of each row."""
    cells = y if isinstance(y, Cells) else Cells(y, "y")
    codes = {text: k for k, text in enumerate(column.levels)}
    code = numpy.array([codes.get(text, -1) for text in cells.levels()], float)
    if (code < 0).any():
        raise ValueError(_unknown(column, cells, code < 0))
    return code


def names_classes(y, output):
    """Whether a target names classes: words, true or false, or what `output="classes"` takes as such."""
    if output == "classes" or str(getattr(y, "dtype", "")).lower().startswith(("categor", "enum")):
        return True
    array = numpy.asarray(y)
    if array.dtype.kind == "b":
        return output in ("", "bernoulli", "softmax", "ordinal")
    if array.dtype.kind not in "OUS" or not any(isinstance(cell, (str, bool)) for cell in array.reshape(-1).tolist()):
        return False
    cells = Cells(y, "y")
    if cells.numbers is not None:
        raise ValueError('y holds numbers written as text: y.astype(float) makes numbers of them, output="classes" takes '
                         "them as classes")
    cells.check_words('output="classes"')
    return True
