"""Greedy Bayes on all rows, and greedy least squares: hidden units that enter one after another."""

import ctypes

from . import _library as library
from ._library import at, block, call, fields, number_by, run_to_end, share_of, size_by, struct_by
from ._progress import shown
from ._rows import Rows
from ._signature import with_options
from .model import written
from .tables import learn_numbers


def _fit(kind, x, y, progress, given):
    """The model, and a dictionary of each level."""
    x, y, learned = learn_numbers(x, y)
    rows = Rows(x, y)
    p, asked = rows.precision, library.options(kind, rows.precision, given)
    if "particles" in given and "keep" not in given:
        asked.keep = min(asked.keep, asked.particles)
    memory, handle = block(size_by(f"lcc_{kind}_size_{p}", ctypes.byref(asked), rows.n, rows.d)), ctypes.c_void_p()
    call(f"lcc_{kind}_init_{p}", at(memory), memory.size, ctypes.byref(asked), rows.pointer, ctypes.byref(handle))
    with shown(progress) as tell:
        run_to_end(lambda budget: call(f"lcc_{kind}_step_{p}", handle, rows.pointer, budget), 64 * rows.n,
                   lambda: tell(share_of(handle)))
    model = written(kind, p, handle)
    levels = [fields(struct_by(f"lcc_{kind}_level_{p}", f"lcc_{kind}_report_{p}", handle, k)) for k in range(asked.levels)]
    model.report = {"levels": levels}
    if kind == "greedy":
        used = ctypes.c_uint32()
        real = ctypes.c_float if p == "f32" else ctypes.c_double
        model.report["noise"] = number_by(f"lcc_greedy_result_{p}", handle, ctypes.byref(used), out=real)
        model.report["used"] = used.value
    return model.with_columns(learned)


@with_options("greedy")
def greedy_bayes(x, y, *, progress=None, **options):
    """Greedy Bayes, the algorithm of the papers: each level is the posterior of one hidden unit given what the levels before
    left over, and its mean a share of the fit. Returns a `Model`; its `report` has the `levels`, how many are `used`, and the
    `noise` in standardised units. As a regressor `lcc.fit` predicts better.

    Options are the members of the header's `lcc_greedy_options`: `levels`, `particles`, `form="tilt"`, `prior="l1-ball"`,
    `scale`, `alpha`, `beta`, `outer` and so on. As `lcc fit --method greedy --as-printed` has it: `form="tilt", standardise=0,
    intercept=0, follow=0, refit=0, holdout=0, outer=1` and alpha and beta 1/sqrt(n), keep being `particles`.
    """
    return _fit("greedy", x, y, progress, options)


@with_options("relaxed")
def greedy_least_squares(x, y, *, progress=None, **options):
    """Greedy least squares: at each level the hidden unit that suits what is left over best, in place of a posterior's mean.
    Returns a `Model` of one draw, its `report` the `levels`. Options are the members of the header's `lcc_relaxed_options`;
    `method` is "greedy" (Jones, Barron), "frank-wolfe" or "orthogonal"."""
    return _fit("relaxed", x, y, progress, options)


__all__ = ["greedy_bayes", "greedy_least_squares"]
