"""A fitted posterior, and what it says of new rows."""

import ctypes
from typing import NamedTuple

import numpy

from . import columns, tables
from ._library import STRUCTS, at, block, call, fields, name_of, size_by, struct_by, whole
from ._rows import Rows
from .page import page


class Predictions(NamedTuple):
    """The predictive law at each row: mean, sd (noise included), and the ends of its central interval."""

    mean: numpy.ndarray
    sd: numpy.ndarray
    lower: numpy.ndarray
    upper: numpy.ndarray


class Spread(NamedTuple):
    """What the sd at each row is made of: noise, and what more data make smaller. Their squares add up."""

    aleatoric: numpy.ndarray
    epistemic: numpy.ndarray


class Classes(NamedTuple):
    """The probabilities of the classes, a row each, and of each row their entropy, the mutual information of class and
    network (the part of it that more data make smaller; before the calibration) and the largest probability."""

    probabilities: numpy.ndarray
    entropy: numpy.ndarray
    mutual_information: numpy.ndarray
    top: numpy.ndarray


class Thinned(NamedTuple):
    """A model of some of the draws, and by how much its probabilities differ from those of all: root mean square, largest."""

    model: "Model"
    rms: float
    largest: float


class Model:
    """Posterior draws of a network, of any depth and output, with the units of its data, as bytes that every LCC reads,
    in C and on a microcontroller too.

    `fit` makes one; `save` and `load` keep it; `Model(bytes)` verifies bytes from elsewhere. `info` says what it is,
    `report` how its fit went (None after loading). A model may be used by several threads at a time, and be pickled.

    Rows are arrays of n rows and d columns, read where they lie; results are float32 where the rows are, else float64. The
    columns of a data frame are found by name, where the model was fitted to one (`columns`), and its words looked up. A
    category that was not seen in training is refused, or with `unknown="mean"` counts for the mean.
    """

    def __init__(self, image, report=None):
        held = numpy.frombuffer(bytes(image), numpy.uint8)
        info = struct_by("lcc_model_info", "lcc_model_check", at(held), held.size)
        self._image = held[:info.bytes]
        self.info = fields(info)
        self.info["widths"] = tuple(w for w in info.widths if w > 0)
        self.info["activation"] = name_of("ACTIVATION", info.activation)
        self.info["output"] = name_of("OUTPUT", info.output)
        self.report = report
        self._columns = columns.read(self.bytes[info.bytes - info.attachment:])

    @property
    def columns(self):
        """The names of the columns, where it was fitted to a table, here or by `lcc fit`; else None."""
        return None if self._columns is None else [column.name for column in self._columns.inputs]

    @property
    def classes_(self):
        """The names of the classes, in the order of `classes(x).probabilities`, where the target had names; else None."""
        return None if self._columns is None else list(self._columns.target.levels) or None

    def _rows(self, x, y=None, unknown="refuse"):
        if y is not None and self.classes_:
            y = tables.encode_classes(self._columns.target, y)
        if self._columns is not None and columns.names_of(x) is not None:
            return Rows(tables.encode(x, self._columns, unknown), y)
        rows, inputs = Rows(x, y), self.info["inputs"]
        if self._columns is not None and rows.d != inputs:
            raise ValueError(f"x has {rows.d} columns, and the model {inputs} inputs, made of the columns "
                             f"{', '.join(self.columns)}: give a table with these")
        return rows

    def with_columns(self, learned):
        """The model that knows what the columns of its table are (`lcc.columns.Columns`); itself where these are None."""
        if learned is None:
            return self
        attachment = numpy.frombuffer(columns.write(learned), numpy.uint8)
        out = numpy.empty(self._image.size + attachment.size, numpy.uint8)
        size = size_by("lcc_model_attach", at(self._image), self._image.size, at(attachment), attachment.size, at(out), out.size)
        return Model(out[:size], self.report)

    @property
    def bytes(self):
        """The image."""
        return self._image.tobytes()

    def save(self, path):
        """Writes the image to a file."""
        with open(path, "wb") as file:
            file.write(self.bytes)

    @classmethod
    def load(cls, path):
        """Reads and verifies an image."""
        with open(path, "rb") as file:
            return cls(file.read())

    def __getstate__(self):
        return {"image": self.bytes, "report": self.report}

    def __setstate__(self, state):
        self.__init__(state["image"], state["report"])

    def __eq__(self, other):
        return isinstance(other, Model) and self.bytes == other.bytes

    def __hash__(self):
        return hash(self.bytes)

    def __repr__(self):
        hidden = "-".join(map(str, self.info["widths"])) or "no"
        return (f"Model({self.info['inputs']} inputs, {hidden} hidden units, {self.info['output']} output, "
                f"{self.info['draws']} draws)")

    def _on(self, what, rows, before, after):
        """Calls lcc_model_WHAT on rows."""
        image = at(self._image), self._image.size
        scratch = block(size_by(f"lcc_model_scratch_{rows.precision}", *image))
        call(f"lcc_model_{what}_{rows.precision}", *image, rows.pointer, *before, at(scratch), scratch.size, *after)

    def _table(self, what, struct, x, unknown, before=()):
        """One struct a row, as arrays by its members."""
        rows = self._rows(x, None, unknown)
        members = [name for name, _ in STRUCTS[f"lcc_{struct}_{rows.precision}"]._fields_]
        out = numpy.empty((rows.n, len(members)), rows.dtype)
        self._on(what, rows, before, (at(out), rows.n))
        return dict(zip(members, numpy.ascontiguousarray(out.T)))

    def _matrix(self, what, rows, columns, before=()):
        """Some numbers a row."""
        out = numpy.empty((rows.n, columns), rows.dtype)
        self._on(what, rows, before, (at(out), out.size))
        return out

    def predict(self, x, level=0.9, *, unknown="refuse"):
        """The predictive law at each row, with its central interval of probability `level`."""
        return Predictions(**self._table("predict", "prediction", x, unknown, before=(level,)))

    def quantiles(self, x, p, *, unknown="refuse"):
        """The quantiles `p` (probabilities) of the predictive law, a row for each row."""
        rows = self._rows(x, None, unknown)
        levels = numpy.ascontiguousarray(numpy.atleast_1d(p), rows.dtype)
        return self._matrix("quantile", rows, levels.size, before=(at(levels), levels.size))

    def simulate(self, x, draws=100, seed=1, *, unknown="refuse"):
        """Draws of the target from the predictive law: `draws` columns for each row."""
        draws, seed = whole(draws, "draws"), whole(seed, "seed", ctypes.c_uint64)
        return self._matrix("draw", self._rows(x, None, unknown), draws, before=(seed, draws))

    def functions(self, x, *, unknown="refuse"):
        """f(x) of each posterior draw (a column) at each row, without noise."""
        return self._matrix("function", self._rows(x, None, unknown), self.info["draws"])

    def log_likelihood(self, x, y, *, unknown="refuse"):
        """The log density of each target (a row) under each draw (a column), of classes before their calibration, which is of the
        average over draws."""
        return self._matrix("log_likelihood", self._rows(x, y, unknown), self.info["draws"])

    def extrapolates(self, x):
        """How many columns of each row of a data frame lie outside of the training data: a number below the least or above the
        greatest, a category that was not seen (`unknown="mean"` predicts it). There the model extrapolates."""
        if self._columns is None or columns.names_of(x) is None:
            raise ValueError("the range of the training data is that of the columns of data frames: fit one, and ask of one")
        return tables.outside(x, self._columns)

    def scores(self, x, y, *, unknown="refuse"):
        """Of each target its log density, the probability integral transform P(Y <= y) and the CRPS, as a dictionary."""
        rows = self._rows(x, y, unknown)
        out = numpy.empty((rows.n, 3), rows.dtype)
        self._on("score", rows, (), (at(out), rows.n))
        return dict(zip(("log_density", "pit", "crps"), numpy.ascontiguousarray(out.T)))

    def spread(self, x, *, unknown="refuse"):
        """What the sd at each row is made of."""
        return Spread(**self._table("spread", "spread", x, unknown))

    def classes(self, x, *, unknown="refuse"):
        """Of a model whose target is a class: its probabilities, averaged over the draws."""
        rows = self._rows(x, None, unknown)
        out = numpy.empty((rows.n, max(self.info["categories"], 2)), rows.dtype)
        facts = numpy.empty((rows.n, 3), rows.dtype)
        self._on("classes", rows, (), (at(out), out.size, at(facts), rows.n))
        return Classes(out, *numpy.ascontiguousarray(facts.T))

    def thin(self, draws, x=None, *, unknown="refuse"):
        """The model of so many of its draws, which predicts in less time and memory: those that together predict most nearly
        as all do at the rows of x, of which 256 are used; without x, at random rows by the model's means and sds."""
        precision = f"f{self.info['precision']}"
        image, dtype = (at(self._image), self._image.size), f"float{self.info['precision']}"
        rows = None if x is None else Rows(self._rows(x, None, unknown).x, dtype=dtype)
        scratch = block(size_by(f"lcc_model_thin_scratch_{precision}", *image))
        out, size = numpy.empty(self._image.size, numpy.uint8), ctypes.c_size_t()
        lost = STRUCTS[f"lcc_thinned_{precision}"]()
        call(f"lcc_model_thin_{precision}", *image, whole(draws, "draws"), rows and rows.pointer, at(scratch), scratch.size, at(out),
             out.size, ctypes.byref(size), ctypes.byref(lost))
        return Thinned(Model(out[:size.value]), lost.rms, lost.largest)

    def evaluate(self, x, y, level=0.9, crps=False, *, unknown="refuse"):
        """Scores of a test set, as a dictionary: of numbers rmse, log_likelihood, coverage and width (and crps, which
        takes ten times as long as the rest); of classes accuracy, log_likelihood, brier, calibration and more."""
        rows = self._rows(x, y, unknown)
        if self.info["output"] in ("bernoulli", "softmax", "ordinal"):
            out = STRUCTS[f"lcc_class_evaluation_{rows.precision}"]()
            self._on("evaluate_classes", rows, (level,), (ctypes.byref(out),))
        else:
            out = STRUCTS[f"lcc_evaluation_{rows.precision}"]()
            self._on("evaluate", rows, (level, int(crps)), (ctypes.byref(out),))
        return fields(out)

    def to_html(self, x=None, y=None, path=None, level=0.9, *, unknown="refuse"):
        """The page of `lcc report`: what was learnt, how good it is at these rows, calibration, the effect of each input.

        Give test rows: the training rows flatter the model. Without y there are no scores, without x there is what the model
        alone says. It is a text, written to the file `path` if given; notebooks show it, and its `figures` one by one.
        """
        made = page(self, x, y, level, unknown)
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(made)
        return made


def written(kind, precision, handle, *before):
    """The model that an object writes by lcc_KIND_write_model, `before` being what that asks for first."""
    sizes = ctypes.c_size_t(), ctypes.c_size_t()
    call(f"lcc_{kind}_model_size_{precision}", handle, *map(ctypes.byref, sizes))
    image, scratch = numpy.empty(sizes[0].value, numpy.uint8), block(sizes[1].value)
    size = size_by(f"lcc_{kind}_write_model_{precision}", handle, *before, at(scratch), scratch.size, at(image), image.size)
    return Model(image[:size])


__all__ = ["Classes", "Model", "Predictions", "Spread", "Thinned", "written"]
