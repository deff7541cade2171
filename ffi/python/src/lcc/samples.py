"""Draws of a posterior, and what they say, as the run that made them has it."""

import ctypes
from typing import NamedTuple, Optional

import numpy

from ._library import CODES, STRUCTS, at, block, call, fields, number_by, run_to_end, share_of, size_by, struct_by
from . import _table
from .model import Model


class Summary(NamedTuple):
    """Of each coordinate its mean with the standard error, sd, quantiles of 5, 50 and 95 %, and of chains effective
    sample sizes and R-hat (NaN of particles), by ArviZ's definitions. The error is NaN where a tail is so heavy that a few
    draws lead the mean and the sd: the Pareto k of the draws is above .7."""

    mean: numpy.ndarray
    error: numpy.ndarray
    sd: numpy.ndarray
    q5: numpy.ndarray
    median: numpy.ndarray
    q95: numpy.ndarray
    ess_bulk: numpy.ndarray
    ess_tail: numpy.ndarray
    rhat: numpy.ndarray


class Sample(NamedTuple):
    """`draws[chain, draw, coordinate]` (of particles one draw a chain), their summary, and `report`: what was chosen,
    why, and whether to trust it. `trusted` is False where a warning was given. `log_evidence` and its error are NaN where no
    particles ran. `values` are the draws by name, `[chain, draw, ...]`: of `Parameters` under their constraints, of a
    `Posterior` w and f, else the vector x, and of generated quantities. `of` has a summary of each, in its shape:
    `of["tau"].mean`. Printed, and in a notebook, it is a table."""

    draws: numpy.ndarray
    summary: Summary
    report: str
    trusted: bool
    choice: str
    log_evidence: float
    values: dict
    of: dict
    log_evidence_error: float = numpy.nan
    model: Optional[Model] = None

    def __repr__(self):
        return _table.text(self)

    def _repr_html_(self):
        return _table.page(self)

    def to_arviz(self):
        """ArviZ's InferenceData of the values. Chains come in antithetic pairs: ArviZ's own diagnostics take them as
        independent, `summary` does not."""
        import arviz

        one = int(arviz.__version__.partition(".")[0]) >= 1   # which asks for the groups
        return arviz.from_dict({"posterior": self.values} if one else self.values)


class Run:
    """A sampler in memory of its own: `kind` and `precision` name its functions. `raised` is where a density of the user's own
    puts what it raised."""

    def __init__(self, kind, precision, asked, problem, data, *, init=None, before=(), after=(), raised=()):
        self.raised = raised
        self.kind, self.precision, self.where = kind, precision, (problem, data)
        self.real = ctypes.c_float if precision == "f32" else ctypes.c_double
        self.pairs, self.particles = kind == "auto" or bool(getattr(asked, "antithetic", 0)), kind == "smc"
        self.memory = block(size_by(f"lcc_{kind}_size_{precision}", ctypes.byref(asked), *self.where))
        self.handle = ctypes.c_void_p()
        call(f"lcc_{init or kind + '_init'}_{precision}", at(self.memory), self.memory.size, ctypes.byref(asked), *before,
             *self.where, *after, ctypes.byref(self.handle))

    def step(self, budget):
        try:
            return call(f"lcc_{self.kind}_step_{self.precision}", self.handle, *self.where, budget)
        finally:
            if self.raised:
                raise self.raised[0]

    def to_end(self, budget, tell):
        run_to_end(self.step, budget, lambda: tell(share_of(self.handle)))
        return self

    def by(self, struct, name, *arguments):
        """What lcc_NAME writes of this run that ends in a lcc_STRUCT *."""
        return struct_by(f"lcc_{struct}_{self.precision}", f"lcc_{name}_{self.precision}", self.handle, *arguments)

    def choice(self):
        """What a run that chooses for itself came to, and in words."""
        choice, text = self.by("choice", "auto_report"), ctypes.create_string_buffer(512)
        number_by(f"lcc_auto_explain_{self.precision}", self.handle, text, 512, out=ctypes.c_size_t)
        self.particles = choice.choice == CODES["LCC_CHOICE_PARTICLES"]
        return choice, text.value.decode()

    def draws(self, dim):
        """All coordinates, [chain, draw, coordinate], and their summary."""
        views = [self.by("draws", "read_draws", j) for j in range(dim)]
        return numpy.stack([self._copy(view) for view in views], axis=-1), Summary(
            *map(numpy.array, zip(*map(self._summary, views))))

    def outputs(self, queries):
        """f at rows, [chain, draw, row]."""
        view = self.by("draws", "read_draws", 0)
        values = numpy.empty((queries.n, view.chains, view.draws), queries.dtype)
        for i, own in enumerate(values):
            self.by("draws", "read_output", self.where[0], queries.pointer, i, at(own), own.size)
        return numpy.ascontiguousarray(numpy.moveaxis(values, 0, -1))

    def model(self):
        """The networks of all draws, chain by chain."""
        p, sizes = self.precision, (ctypes.c_size_t(), ctypes.c_size_t())
        call(f"lcc_read_model_size_{p}", self.handle, *self.where, *map(ctypes.byref, sizes))
        scratch, image = block(sizes[0].value), numpy.empty(sizes[1].value, numpy.uint8)
        size = size_by(f"lcc_read_model_{p}", self.handle, *self.where, at(scratch), scratch.size, at(image), image.size)
        return Model(image[:size])

    def summary_of(self, value):
        """The summary of an array of draws, each field in the shape of a draw."""
        chains, draws, *shape = value.shape
        flat = numpy.ascontiguousarray(value).reshape(chains, draws, -1)
        size, unit = flat.shape[2], flat.itemsize
        each = [self._summary(self._view(flat.ctypes.data + unit * k, chains, draws, draws * size, size)) for k in range(size)]
        return Summary(*(numpy.reshape(field, shape)[()] for field in zip(*each)))

    def _view(self, *members):
        return STRUCTS[f"lcc_draws_{self.precision}"](*members)

    def _copy(self, view):
        flat = (self.real * ((view.chains - 1) * view.chain_stride + (view.draws - 1) * view.draw_stride + 1))
        values = numpy.ctypeslib.as_array(flat.from_address(view.data))
        strides = (view.chain_stride * values.itemsize, view.draw_stride * values.itemsize)
        return numpy.lib.stride_tricks.as_strided(values, (view.chains, view.draws), strides).copy()

    def _summary(self, view):
        """The error from antithetic pairs or families of particles; R-hat and ESS from one chain of each pair."""
        scratch = numpy.empty(2 * view.chains * view.draws, self.real)
        one = self._view(*(getattr(view, name) for name, _ in view._fields_))
        if self.particles:  # as one chain: only mean, sd and quantiles mean something
            one.chains, one.draws, one.draw_stride = 1, view.chains, view.chain_stride
        s = half = self._summarise(one)
        error = s["mcse_mean"]
        if self.kind in ("auto", "smc"):
            error = self.by("average", f"{self.kind}_average", ctypes.byref(view), at(scratch), scratch.size).standard_error
        elif self.pairs:
            means = self._view()
            call(f"lcc_draws_pair_means_{self.precision}", ctypes.byref(view), ctypes.byref(means), at(scratch), scratch.size)
            error = self._summarise(means)["mcse_mean"]
        if self._is_heavy(one):
            error = numpy.nan
        if self.particles:
            half = dict.fromkeys(("ess_bulk", "ess_tail", "rhat"), numpy.nan)
        elif self.pairs:
            one.chains, one.chain_stride = view.chains // 2, 2 * view.chain_stride
            half = self._summarise(one)
        return s["mean"], error, s["sd"], s["q5"], s["median"], s["q95"], half["ess_bulk"], half["ess_tail"], half["rhat"]

    def _room(self, view):
        return block(size_by(f"lcc_draws_scratch_{self.precision}", view.chains, view.draws))

    def _is_heavy(self, view):
        """Whether a few draws lead the mean."""
        room, k = self._room(view), self.real()
        return number_by(f"lcc_draws_tail_{self.precision}", ctypes.byref(view), at(room), room.size, ctypes.byref(k), out=ctypes.c_int32)

    def _summarise(self, view):
        room = self._room(view)
        return fields(struct_by(f"lcc_summary_{self.precision}", f"lcc_draws_summarise_{self.precision}", ctypes.byref(view),
                                at(room), room.size))


def heavy(of):
    """A sentence on those of named summaries whose mean a few draws lead, or none."""
    names = [name for name, own in of.items() if (numpy.isnan(own.error) & numpy.isfinite(own.mean)).any()]
    return names and (f" A tail of {', '.join(names)} is so heavy that a few draws lead the mean and the sd, which have no error:"
                      " take quantiles, or the logarithm.") or ""


__all__ = ["Run", "Sample", "Summary", "heavy"]
