"""How well a model would tell each row had it not seen it: leave-one-out by Pareto-smoothed importance sampling."""

import ctypes
import warnings
from typing import NamedTuple

import numpy

from ._library import STRUCTS, at, block, call, fields, size_by


class Loo(NamedTuple):
    """`elpd`, the expected log predictive density of rows like these (larger is better), its standard `error`, the
    effective number of parameters `p`, the largest Pareto `k` and the limit above which it is not to be relied on,
    WAIC's estimate; and of each row `elpds` and `ks`."""

    elpd: float
    error: float
    p: float
    k: float
    k_limit: float
    waic: float
    elpds: numpy.ndarray
    ks: numpy.ndarray
    rows: numpy.ndarray

    def minus(self, other):
        """By how much this elpd is larger than another's of the same rows, and the standard error of that."""
        if len(self.elpds) != len(other.elpds):
            raise ValueError(f"{len(self.elpds)} rows and {len(other.elpds)}")
        difference, error = ctypes.c_double(), ctypes.c_double()
        call("lcc_loo_compare_f64", at(self.rows), at(other.rows), len(self.elpds), ctypes.byref(difference),
             ctypes.byref(error))
        return difference.value, error.value


def loo(model, x, y):
    """Leave-one-out predictive densities of the rows that a model was fitted to, without fitting it again; of classes before their
    calibration."""
    values = numpy.ascontiguousarray(model.log_likelihood(x, y), float)
    n, draws = values.shape
    view = STRUCTS["lcc_draws_f64"](at(values), 1, draws, draws, 1)
    scratch = block(size_by("lcc_draws_scratch_f64", 1, draws))
    rows = numpy.empty((n, len(STRUCTS["lcc_loo_row_f64"]._fields_)))
    total = STRUCTS["lcc_loo_f64"]()
    call("lcc_loo_estimate_f64", ctypes.byref(view), n, draws, at(scratch), scratch.size, at(rows), n,
         ctypes.byref(total))
    t = fields(total)
    if (bad := int((~(rows[:, 2] <= t["k_limit"])).sum())) > 0:
        warnings.warn(f"Pareto k is above its limit at {bad} of {n} rows: {draws} draws are too few to tell these rows had they not "
                      "been seen; hold rows out, or fit with more chains", stacklevel=2)
    return Loo(t["elpd"], t["elpd_error"], t["p"], t["k_max"], t["k_limit"], t["elpd_waic"], rows[:, 0].copy(),
               rows[:, 2].copy(), rows)


__all__ = ["Loo", "loo"]
