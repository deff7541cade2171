"""Learning row by row: Greedy Bayes in its prequential form, and models that go on learning."""

import ctypes
from typing import NamedTuple

import numpy

from . import _library as library
from . import tables
from ._library import LccError, at, block, call, codes, fields, size_by, struct_by, whole
from ._rows import Rows
from ._sealed import Sealed, suffix_of
from ._signature import with_options
from .model import Model, Predictions, written


class Forecast(NamedTuple):
    """Student's law of a target before it is seen: location f(x), scale, degrees of freedom, sd, and the ends of its central
    interval."""

    location: float
    scale: float
    nu: float
    sd: float
    lower: float
    upper: float


class Score(NamedTuple):
    """How a target fared under its prediction one step ahead: log density, P(Y <= y), and the CRPS (NaN of a `Stream`)."""

    log_density: float
    pit: float
    crps: float = numpy.nan


class _Learner(Sealed):
    """What `Prequential` and `Stream` have in common."""

    def _row(self, x):
        if self._columns is not None and hasattr(x, "to_frame") and hasattr(x, "index"):   # a row of a data frame, by its names
            inputs = self._columns.inputs
            plain = x.dtype.kind in "iuf" and not any(column.levels or column.indicator for column in inputs)
            if not plain or list(x.index) != [column.name for column in inputs]:   # a tenth of the time where they are in order
                x, = tables.encode(x.to_frame().T, self._columns, "refuse")
        x = numpy.ascontiguousarray(x, self._dtype)
        if x.ndim != 1:
            raise ValueError(f"a row has one dimension: {x.shape} has {x.ndim}")
        return x


class Prequential(_Learner):
    """Greedy Bayes row by row: each row is predicted from those before it, then learnt.

    `Prequential(inputs, rows)` has room for so many rows of so many inputs. `units=(x, y)` are data whose means and sds
    standardise every row, the first rows, say; without, rows are taken as they are. Of a data frame the inputs' names are kept,
    and rows of it found by them. What it can follow is bounded, |f| <= V in sds of the target: for levels that move see `Stream`.
    Its time grows with the square of the rows. Options are the members of the header's
    `lcc_prequential_options`: `levels`, `particles`, `form="tilt"`, `prior="l1-ball"`, `alpha`, `beta`, `outer` and so on. As the
    paper prints it: `form="tilt", intercept=0, outer=1` with alpha and beta 1/sqrt(rows), and `model("printed")`.
    """

    _kind = "prequential"

    @with_options("prequential")
    def __init__(self, inputs, rows, *, units=None, precision="double", **options):
        p = suffix_of(precision)
        asked = library.options(self._kind, p, options)
        given = None
        if units is not None:
            if not isinstance(units, (tuple, list)) or len(units) != 2:
                raise TypeError("units are the inputs and the targets of some rows: units=(x, y)")
            x, y, self._columns = tables.learn_numbers(*units)
            given = Rows(x, y, numpy.float32 if p == "f32" else numpy.float64)
            if given.d != inputs:
                raise ValueError(f"units have {given.d} inputs in place of {inputs}")
        sizes = whole(rows, "rows"), whole(inputs, "inputs")
        memory = block(size_by(f"lcc_prequential_size_{p}", ctypes.byref(asked), *sizes))
        call(f"lcc_prequential_init_{p}", at(memory), memory.size, ctypes.byref(asked), *sizes,
             None if given is None else given.pointer, ctypes.byref(ctypes.c_void_p()))
        self._hold(memory)

    def _scratch(self):
        return block(size_by(f"lcc_prequential_scratch_{self._precision}", self._handle))

    def predict(self, x, level=0.9):
        """The law of the target at a row, given the rows so far; learns nothing."""
        x, room = self._row(x), self._scratch()
        return Forecast(**fields(self._by("forecast", "forecast", at(x), x.size, level, at(room), room.size)))

    def observe(self, x, y):
        """Learns a row, and returns how its target fared under its prediction: `Score`."""
        x = self._row(x)
        try:
            call(f"lcc_prequential_observe_{self._precision}", self._handle, at(x), x.size, float(y))
        except LccError as error:
            if error.name == "LCC_ERROR_CAPACITY":
                raise LccError(error.status, " All rows that there was room for are learnt: make it with more rows.") from None
            raise
        call(f"lcc_prequential_step_{self._precision}", self._handle, 2**62)  # to the end of the row
        law = self._by("forecast", "last", 0.9)
        return Score(**fields(struct_by(f"lcc_score_{self._precision}", f"lcc_forecast_score_{self._precision}",
                                        ctypes.byref(law), float(y))))

    @property
    def losses(self):
        """Of the rows so far, each predicted one step ahead: how many, the sum of squared errors, and of minus log densities in
        nats."""
        return fields(self._by("losses", "losses"))

    def level(self, index):
        """A level (from 0), after the rows so far: log evidence, effective particles as a share, acceptance, fit, resamplings."""
        return fields(self._by("prequential_level", "report", whole(index, "index")))

    def expectation(self, index, x):
        """E[V s psi(x.w)] at a row under the posterior of a level (from 0), in the hidden units' units."""
        x, room, out = self._row(x), self._scratch(), numpy.empty(1, self._dtype)
        call(f"lcc_prequential_expectation_{self._precision}", self._handle, whole(index, "index"), at(x), x.size, at(room),
             room.size, at(out))
        return out[0]

    def model(self, averaging="last"):
        """The rows so far as a `Model`: of the posteriors before each row ("printed", the paper's mean), of these and the last
        ("inclusive"), or given all rows ("last")."""
        names = list(codes("AVERAGING"))
        if averaging not in names:
            raise ValueError(f"averaging {averaging!r} is not one of {', '.join(names)}{library.nearest(averaging, names)}")
        model = written(self._kind, self._precision, self._handle, codes("AVERAGING")[averaging])
        return model.with_columns(self._columns)


class Stream(_Learner):
    """A `Model` that goes on learning where the data drift: `predict` a row when its inputs are known, `observe` it when its
    target is. Options are the members of the header's `lcc_stream_options`: `draws`, `weighted`, `forgetting` and so on. It
    begins unsure: observe the training rows first, and it begins with what they say."""

    _kind = "stream"

    @with_options("stream")
    def __init__(self, model, *, precision="double", **options):
        p = suffix_of(precision)
        if not isinstance(model, Model):
            raise TypeError(f"a stream begins with a Model, as lcc.fit and lcc.Model.load return, and not with {type(model).__name__}")
        asked, image = library.options(self._kind, p, options), numpy.frombuffer(model.bytes, numpy.uint8)
        ways = {"LCC_ERROR_STREAM_MODEL": ' lcc.fit(x, y, output="student-t") fits such.'}
        if p == "f32":
            ways["LCC_ERROR_IMAGE_VALUE"] = ' precision="double" holds them.'
        try:
            memory = block(size_by(f"lcc_stream_size_{p}", ctypes.byref(asked), at(image), image.size))
            call(f"lcc_stream_init_{p}", at(memory), memory.size, ctypes.byref(asked), at(image), image.size,
                 ctypes.byref(ctypes.c_void_p()))
        except LccError as error:
            raise LccError(error.status, ways.get(error.name, "")) from None
        self._hold(memory)
        self._columns = model._columns

    def predict(self, x, level=0.9):
        """The predictive law at a row: mean, sd, and the ends of its central interval. Learns nothing."""
        x = self._row(x)
        return Predictions(**fields(self._by("prediction", "predict", at(x), x.size, level)))

    def observe(self, x, y):
        """Learns a row, and returns how its target fared under the prediction before: `Score`."""
        x = self._row(x)
        return Score(**fields(self._by("stream_score", "observe", at(x), x.size, float(y))))

    @property
    def info(self):
        """Rows learnt, inputs, hidden units, draws, and whether these are weighted."""
        return fields(struct_by("lcc_stream_info", f"lcc_stream_read_info_{self._precision}", self._handle))

    @property
    def weights(self):
        """The weight of each draw."""
        out = numpy.empty(self.info["draws"], self._dtype)
        call(f"lcc_stream_weights_{self._precision}", self._handle, at(out), out.size)
        return out

    def model(self, *, spread=True, seed=1):
        """The `Model` as it is now: each draw's output weights and noise drawn from their law, or with `spread=False` their means."""
        model = written(self._kind, self._precision, self._handle, int(spread), whole(seed, "seed", ctypes.c_uint64))
        return model.with_columns(self._columns)


__all__ = ["Forecast", "Prequential", "Score", "Stream"]
