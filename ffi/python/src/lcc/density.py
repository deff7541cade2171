"""Draws from a log density of one's own, by whatever sampler suits it."""

import ctypes
import time
import warnings
from typing import NamedTuple

import numpy

from . import _library as library
from ._library import CODES, STRUCTS, LccError, at, block, call, fields, name_of, run_to_end, share_of, size_by, struct_by
from . import _table
from ._progress import shown
from ._rows import numeric
from ._signature import with_options
from .parameters import Parameters


class Summary(NamedTuple):
    """Of each coordinate its mean with the standard error, sd, quantiles of 5, 50 and 95 %, and of chains effective
    sample sizes and R-hat (NaN of particles), by ArviZ's definitions."""

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
    why, and whether to trust it. `trusted` is False where a warning was given. `log_evidence` is NaN where no
    particles ran. `values` are the draws by name, `[chain, draw, ...]`: of `Parameters` under their constraints, else
    the vector x, and of generated quantities. `of` has a summary of each, in its shape: `of["tau"].mean`. Printed, and in a
    notebook, it is a table."""

    draws: numpy.ndarray
    summary: Summary
    report: str
    trusted: bool
    choice: str
    log_evidence: float
    values: dict
    of: dict

    def __repr__(self):
        return _table.text(self)

    def _repr_html_(self):
        return _table.page(self)

    def to_arviz(self):
        """ArviZ's InferenceData of the values. Chains come in antithetic pairs: ArviZ's own diagnostics take them as
        independent, `summary` does not."""
        import arviz

        return arviz.from_dict(self.values)


#: Effective draws that a run ends with, where neither these nor draws are asked for: a call of a function here is dear.
ENOUGH = 1000


@with_options("auto", ess=ENOUGH)
def sample(log_density, dim, *, gradient=True, vectorized=False, scale=1.0, start=None, quantities=None, progress=None,
           timeout=None, **options):
    """Samples a log density (up to a constant) of `dim` real coordinates, or of `Parameters`; returns a `Sample`.

    `log_density(x)` returns the value and its gradient, or with `gradient=False` the value alone; -inf or NaN is outside the
    support (`report` counts NaN). x is valid during the call only: copy what is to be kept. A `vectorized` one is given several points, mostly
    8, as the rows of x, and returns an array of values and one with a gradient in each row; a point's must not depend
    on the others. Of `Parameters` x is a dictionary of values, the
    gradient one of their derivatives, and the Jacobian is added here. With a gradient a warm-up finds where and how
    wide the law is, from N(0, scale^2 I), or from the points of `start`, one or several, of `Parameters` dictionaries of
    values; without, a random walk is as wide as `scale`. `quantities(x)`, of `Parameters` of a dictionary, makes of every
    draw a dictionary of numbers or arrays: they join `values`. `progress=True` shows a bar on standard error, a function is
    called with the share that is done. A warning is given where the draws are not to be trusted: the report says why.

    The run ends when every coordinate has `ess` effective draws, in bulk and in tail, and the chains agree; with `draws` and no
    `ess`, after so many of each chain. `max_gradients` is the most calls that it makes, `timeout` the seconds after which it ends
    with the draws that there are (LccError where there are none yet); the report says what was reached. Other options are
    those of the header's `lcc_auto_options`: chains, warmup, pilot, seed.

    First the gradient is compared with finite differences, in 76 calls, and a run whose gradient is wrong ends early, with a
    warning that says where.
    """
    parameters = dim if isinstance(dim, Parameters) else None
    if parameters is not None:
        if vectorized:
            raise ValueError("a density of Parameters is of one point at a time")
        log_density, dim = parameters.of_coordinates(log_density, gradient), parameters.coordinates
        if start is not None:
            start = [parameters.unconstrain(one) for one in ([start] if isinstance(start, dict) else start)]
    problem = library.STRUCTS["lcc_problem_f64"]()
    call("lcc_problem_default_f64", ctypes.byref(problem), 1)
    raised, lost = [], []
    points_asked, undefined, first_undefined = 0, 0, None

    def evaluate(n, lanes, x, grad, values, _):
        nonlocal points_asked, undefined, first_undefined
        if raised:
            return 1
        try:
            points, out = numpy.ctypeslib.as_array(x, (n, lanes)).T, numpy.ctypeslib.as_array(values, (lanes,))
            slopes = numpy.ctypeslib.as_array(grad, (n, lanes)).T if grad else None
            every = [(slice(None), points)] if vectorized else enumerate(points)
            # A search goes far out, where exponentials overflow: what is not finite is outside of the support.
            with numpy.errstate(all="ignore"):
                for k, point in every:
                    if not gradient:
                        out[k] = log_density(point)
                        continue
                    out[k], slope = log_density(point)
                    if slopes is not None:
                        slopes[k] = slope
            if not lost and not (numpy.isfinite(out).all() and (slopes is None or numpy.isfinite(slopes).all())):
                bad = ~numpy.isfinite(out) if slopes is None else ~(numpy.isfinite(out) & numpy.isfinite(slopes).all(axis=1))
                lost.append(points[bad][0].copy())
            points_asked += lanes
            # Beyond 1e100 it is squares and exponentials that overflow.
            if (nan := numpy.isnan(out) & (numpy.abs(points) < 1e100).all(axis=1)).any():
                undefined += int(nan.sum())
                first_undefined = points[nan][0].copy() if first_undefined is None else first_undefined
            return 0
        except BaseException as error:  # no exception finds its way through the library
            raised.append(error)
            return 1

    real = ctypes.POINTER(ctypes.c_double)
    callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_size_t, ctypes.c_size_t, real, real, real,
                                ctypes.c_void_p)(evaluate)
    problem.posterior, problem.dim, problem.scale = CODES["LCC_POSTERIOR_USER"], dim, scale
    problem.gradient, problem.densities = int(gradient), ctypes.cast(callback, ctypes.c_void_p).value
    if start is not None:
        start = numpy.ascontiguousarray(numeric(start, "start"), float)
        if start.size == 0 or start.shape[-1] != dim or start.ndim > 2:
            raise ValueError(f"start has the shape (points, {dim}), not {start.shape}")
        problem.start, problem.starts = start.ctypes.data, start.size // dim
    if "draws" not in options:
        options.setdefault("ess", ENOUGH)
    asked = library.options("auto", "f64", options)
    began = time.perf_counter()
    pointer = ctypes.byref(problem)
    handle = ctypes.c_void_p()

    def step(budget):
        try:
            return call("lcc_auto_step_f64", handle, pointer, None, budget)
        except LccError as error:
            if error.name == "LCC_ERROR_START" and lost:
                raise LccError(error.status, f" First at {numpy.array2string(lost[0], threshold=8)}.") from None
            if error.name == "LCC_ERROR_GRADIENT":
                where = struct_by("lcc_choice_f64", "lcc_auto_report_f64", handle).coordinate
                raise LccError(error.status, f" It is {where} (from 0).") from None
            raise
        finally:
            if raised:
                raise raised[0]

    memory = block(size_by("lcc_auto_size_f64", ctypes.byref(asked), pointer, None))
    call("lcc_auto_init_f64", at(memory), memory.size, ctypes.byref(asked), pointer, None, ctypes.byref(handle))
    with shown(progress) as tell:
        def between():
            nonlocal timeout
            tell(share_of(handle))
            if timeout is not None and time.perf_counter() - began >= timeout:
                call("lcc_auto_stop_f64", handle)
                timeout = None

        run_to_end(step, 64, between)
    choice = struct_by("lcc_choice_f64", "lcc_auto_report_f64", handle)
    text, length = ctypes.create_string_buffer(512), ctypes.c_size_t()
    call("lcc_auto_explain_f64", handle, text, 512, ctypes.byref(length))
    report = text.value.decode()
    if undefined:
        first = numpy.array2string(first_undefined, threshold=8)
        report += (f" The density was NaN at {undefined} of {points_asked} points, which counts as outside of its support:"
                   f" first at {first}.")
    trusted = choice.verdict != CODES["LCC_VERDICT_UNRELIABLE"]
    if not trusted:
        warnings.warn(report, stacklevel=2)
    particles = choice.choice == CODES["LCC_CHOICE_PARTICLES"]
    draws, summaries = [], []
    for j in range(dim):
        view = struct_by("lcc_draws_f64", "lcc_read_draws_f64", handle, j)
        draws.append(_copy(view))
        summaries.append(_summary(handle, view, particles))
    draws = numpy.stack(draws, axis=-1)
    summary = Summary(*map(numpy.array, zip(*summaries)))
    values, of = ({"x": draws}, {"x": summary}) if parameters is None else (parameters.constrain_all(draws), {})
    if quantities is not None:
        values |= _generated(quantities, values, parameters is None)
    of |= {name: _summary_of(handle, value, particles) for name, value in values.items() if name not in of}
    return Sample(draws, summary, report, trusted,
                  name_of("CHOICE", choice.choice), choice.log_evidence, values, of)


def _generated(quantities, values, plain):
    """What a function makes of every draw, by name."""
    chains, draws = next(iter(values.values())).shape[:2]
    made = []
    for c in range(chains):
        for t in range(draws):
            own = {name: value[c, t] for name, value in values.items()}
            made.append(quantities(own["x"] if plain else own))
    if twice := set(made[0]) & set(values):
        raise ValueError(f"there is a parameter {', '.join(sorted(twice))} already")
    stacked = {name: numpy.asarray([one[name] for one in made], float) for name in made[0]}
    return {name: value.reshape((chains, draws, *value.shape[1:])) for name, value in stacked.items()}


def _summary_of(handle, value, particles):
    """The summary of an array of draws, each field in the shape of a draw."""
    chains, draws, *shape = value.shape
    flat = numpy.ascontiguousarray(value).reshape(chains, draws, -1)
    size = flat.shape[2]
    each = [_summary(handle, STRUCTS["lcc_draws_f64"](flat.ctypes.data + 8 * k, chains, draws, draws * size, size),
                     particles) for k in range(size)]
    return Summary(*(numpy.reshape(field, shape)[()] for field in zip(*each)))


def _copy(view):
    flat = (ctypes.c_double * ((view.chains - 1) * view.chain_stride + (view.draws - 1) * view.draw_stride + 1))
    values = numpy.ctypeslib.as_array(flat.from_address(view.data))
    strides = (view.chain_stride * 8, view.draw_stride * 8)
    return numpy.lib.stride_tricks.as_strided(values, (view.chains, view.draws), strides).copy()


def _summary(handle, view, particles):
    """The error from antithetic pairs or families of particles; R-hat and ESS from one chain of each pair."""
    scratch = numpy.empty(2 * view.chains * view.draws)
    average = struct_by("lcc_average_f64", "lcc_auto_average_f64", handle, ctypes.byref(view), at(scratch),
                        scratch.size)
    one = STRUCTS["lcc_draws_f64"].from_buffer_copy(view)
    if particles:  # as one chain: only mean, sd and quantiles mean something
        one.chains, one.draws, one.draw_stride = 1, view.chains, view.chain_stride
    s = _summarise(one)
    if particles:
        ess_bulk = ess_tail = rhat = numpy.nan
    else:
        one.chains, one.chain_stride = view.chains // 2, 2 * view.chain_stride
        half = _summarise(one)
        ess_bulk, ess_tail, rhat = half["ess_bulk"], half["ess_tail"], half["rhat"]
    return s["mean"], average.standard_error, s["sd"], s["q5"], s["median"], s["q95"], ess_bulk, ess_tail, rhat


def _summarise(view):
    room = block(size_by("lcc_draws_scratch_f64", view.chains, view.draws))
    return fields(struct_by("lcc_summary_f64", "lcc_draws_summarise_f64", ctypes.byref(view), at(room), room.size))


__all__ = ["Sample", "Summary", "sample"]
