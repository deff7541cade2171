"""What the columns of a table are, as a model keeps it: the bytes that lcc reads (core/model/src/columns/bytes.rs)."""

import re
import struct
from typing import NamedTuple

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class Column(NamedTuple):
    """Numbers, or categories: `levels` in their order. `fill` is the mean, or the share of each category; `least` and
    `greatest` are of numbers. With `indicator` one column more is 1 where the value is missing."""

    name: str
    levels: tuple
    fill: tuple
    least: float = 0.0
    greatest: float = 0.0
    indicator: bool = False

    @property
    def width(self):
        """The columns of its values."""
        return len(self.levels) if len(self.levels) > 2 else 1

    @property
    def average(self):
        """What stands there for a missing value."""
        return self.fill[1:] if len(self.levels) == 2 else self.fill


class Columns(NamedTuple):
    """The inputs in the model's order, whether the last is an exposure, and the target."""

    inputs: tuple
    exposure: bool
    target: Column


def real(text):
    """The number that a text is, or None."""
    return float(text) if _NUMBER.fullmatch(text) else None


def level_of(text):
    """The text of a category: 1 and 1.0 are the same; what has more digits than a double holds is an identifier."""
    value = real(text)
    return text if value is None or sum(c.isdigit() for c in text) > 15 else f"{value + 0.0:.15g}"


def level_order(text):
    """Numbers by value, then words by their bytes."""
    value = real(text)
    return (value is None, value or 0.0, text.encode())


def names_of(x):
    """The names of a table's columns (a data frame's, of any package), or None."""
    names = getattr(x, "columns", None) if not hasattr(x, "column_names") else x.column_names   # pyarrow's columns are arrays
    return None if names is None else [str(name) for name in names]


def _text(text):
    data = text.encode()
    if not 0 < len(data) < 2**16 or 0 in data:
        raise ValueError(f"{text[:40]!r}: the name of a column or category must have 1 to 65535 bytes, none of them 0")
    return struct.pack("<H", len(data)) + data


def _write(column):
    head = _text(column.name) + struct.pack("<BH", column.indicator, len(column.levels))
    if not column.levels:
        return head + struct.pack("<ddd", column.fill[0], column.least, column.greatest)
    return head + b"".join(_text(t) + struct.pack("<d", s) for t, s in zip(column.levels, column.fill))


def write(columns):
    """The bytes that go with a model."""
    levels = columns.target.levels
    ordered = list(levels) != sorted(levels, key=level_order)   # by an order that was given: version 4, without a note
    head = struct.pack("<HHI", 4 if ordered else 2, columns.exposure, len(columns.inputs))
    return head + b"".join(map(_write, (*columns.inputs, columns.target))) + (bytes(6) if ordered else b"")


def read(data):
    """The columns that bytes tell of; None where there are none."""
    if not data:
        return None
    at = 0

    def take(form):
        nonlocal at
        values = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return values

    def text():
        return take(f"{take('H')[0]}s")[0].decode("utf-8", "replace")

    def column():
        name = text()
        indicator, count = take("BH")
        if count == 0:
            mean, least, greatest = take("ddd") if version > 1 else (*take("d"), 0.0, -1.0)
            return Column(name, (), (mean,), least, greatest, indicator == 1)
        levels = [(text(), *take("d")) for _ in range(count)]
        return Column(name, *zip(*levels), indicator=indicator == 1)

    try:
        version, exposure, count = take("HHI")
        if version > 4:
            raise ValueError("the model's columns were written by a newer LCC: update this package")
        inputs = tuple(column() for _ in range(count))
        return Columns(inputs, exposure == 1, column())
    except struct.error:
        raise ValueError("the model's columns cannot be read: the file is damaged") from None
