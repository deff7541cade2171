"""The names of a table's columns, as a model keeps them: the bytes that lcc reads (core/model/src/columns/bytes.rs)."""

import struct

import numpy


def names_of(x):
    """The names of a table's columns (a data frame's, of any package), or None."""
    names = getattr(x, "columns", None)
    return None if names is None else [str(name) for name in names]


def write(names, rows):
    """What goes with a model of rows of numbers: names, means and ranges."""
    def column(name, values):
        text = name.encode()
        values = values.astype(float)
        return struct.pack("<H", len(text)) + text + struct.pack(
            "<BHddd", 0, 0, values.mean(), values.min(), values.max())

    columns = [column(name, rows.x[:, k]) for k, name in enumerate(names)]
    return struct.pack("<HHI", 2, 0, len(names)) + b"".join(columns) + column("y", rows.y)


def read(data):
    """The names, in the model's order; None where there are none."""
    if not data:
        return None
    version, _, count = struct.unpack_from("<HHI", data)
    if version > 3:
        raise ValueError("the model's columns were written by a newer LCC")
    names, at = [], 8
    for _ in range(count):
        length, = struct.unpack_from("<H", data, at)
        name = data[at + 2:at + 2 + length].decode()
        at += 2 + length
        if struct.unpack_from("<BH", data, at) != (0, 0):
            raise ValueError(f"column {name} of the model holds words or missing values: predict with lcc predict")
        at += 3 + (8 if version == 1 else 24)
        names.append(name)
    return names


def in_order(x, model):
    """The columns of a table by name, in the model's order, extra ones left out; other rows as they are."""
    names = names_of(x)
    known = None if names is None else model.columns
    if known is None:
        return x
    lacking = [name for name in known if name not in names]
    if lacking:
        raise ValueError(f"the model was fitted to columns that are not there: {', '.join(lacking)}")
    return numpy.asarray(x[[x.columns[names.index(name)] for name in known]])
