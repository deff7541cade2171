"""Draws from a log density of one's own, by whatever sampler suits it."""

import ctypes
import numbers
import time
import warnings

import numpy

from . import _library as library
from ._library import CODES, LccError, at, call, name_of, run_to_end, share_of
from ._progress import shown
from ._rows import numeric
from ._signature import with_options
from .parameters import Parameters, both
from .samples import Run, Sample, heavy


#: Effective draws that a run ends with, where neither these nor draws are asked for: a call of a function here is dear.
ENOUGH = 1000
#: No law with a density has draws as large; the logarithm of the largest number is 709.
_ENDLESS = 1e290
#: The share of points without a number that is told: a search goes far out, where a few have none.
_MENTIONED = 0.001


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
    elif not isinstance(dim, numbers.Integral):
        raise TypeError(f"dim is a whole number of coordinates, or Parameters, not {dim!r}")
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
                    got = log_density(point)
                    if not gradient and isinstance(got, tuple):
                        raise TypeError("with gradient=False log_density returns the value alone, not a tuple")
                    value, slope = both(got) if gradient else (got, None)
                    _check_shapes(value, slope, point.shape)
                    out[k] = value
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
    if timeout is not None and not (isinstance(timeout, numbers.Real) and timeout > 0):
        raise ValueError(f"timeout is a number of seconds above 0, not {timeout!r}")
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

    def step(budget):
        try:
            return run.step(budget)
        except LccError as error:
            if error.name == "LCC_ERROR_START" and lost:
                raise LccError(error.status, f" First at {numpy.array2string(lost[0], threshold=8)}.") from None
            if error.name in ("LCC_ERROR_GRADIENT", "LCC_ERROR_IMPROPER"):
                raise LccError(error.status, " " + run.choice()[1]) from None
            raise

    run = Run("auto", "f64", asked, pointer, None, raised=raised)
    with shown(progress) as tell:
        def between():
            nonlocal timeout
            tell(share_of(run.handle))
            if timeout is not None and time.perf_counter() - began >= timeout:
                call("lcc_auto_stop_f64", run.handle)
                timeout = None

        run_to_end(step, 64, between)
    choice, report = run.choice()
    if undefined > _MENTIONED * points_asked:
        first = numpy.array2string(first_undefined, threshold=8)
        report += (f" The density was NaN at {undefined} of {points_asked} points, which counts as outside of its support:"
                   f" first at {first}.")
    draws, summary = run.draws(dim)
    values, of = ({"x": draws}, {"x": summary}) if parameters is None else (parameters.constrain_all(draws), {})
    endless = [name for name, value in values.items() if not (numpy.abs(value) < _ENDLESS).all()]
    if endless:
        report += (f" Draws of {', '.join(endless)} are as large as numbers can be: the density has no finite mass there"
                   " (it is improper). Do not trust them.")
    trusted = choice.verdict != CODES["LCC_VERDICT_UNRELIABLE"] and not endless
    if not trusted:
        warnings.warn(report, stacklevel=2)
    if quantities is not None:
        values |= _generated(quantities, values, parameters is None)
    of |= {name: run.summary_of(value) for name, value in values.items() if name not in of}
    report += heavy(of)
    return Sample(draws, summary, report, trusted, name_of("CHOICE", choice.choice), choice.log_evidence, values, of,
                  choice.log_evidence_error)


def _check_shapes(values, slopes, shape):
    """That a density returns a number, and a gradient, for a point, or for each: NumPy would take one for all."""
    for own, wanted, what in ((values, shape[:-1], "value"), (slopes, shape, "gradient")):
        if own is not None and (got := numpy.shape(own)) != wanted:
            raise ValueError(f"log_density returns a {what} of the shape {wanted} for x of the shape {shape}, not {got}")


def _generated(quantities, values, plain):
    """What a function makes of every draw, by name."""
    chains, draws = next(iter(values.values())).shape[:2]
    made = []
    for c in range(chains):
        for t in range(draws):
            own = {name: value[c, t] for name, value in values.items()}
            with numpy.errstate(all="ignore"):
                made.append(quantities(own["x"] if plain else own))
    if not hasattr(made[0], "keys"):
        raise TypeError(f"quantities returns a dictionary of numbers or arrays, not {type(made[0]).__name__}")
    if twice := set(made[0]) & set(values):
        raise ValueError(f"there is a parameter {', '.join(sorted(twice))} already")
    stacked = {name: numpy.asarray([one[name] for one in made], float) for name in made[0]}
    return {name: value.reshape((chains, draws, *value.shape[1:])) for name, value in stacked.items()}


__all__ = ["sample"]
