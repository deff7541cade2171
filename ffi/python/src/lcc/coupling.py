"""The coupling of a posterior: xi, whose law is log-concave where a certificate holds, and w given xi, whose law always is."""

import ctypes

import numpy

from ._library import CODES, at, call, function, options, whole
from .posterior import Posterior


class _Given(Posterior):
    """The law of w given xi: for the samplers a density of the user's own, which calls the library."""

    def __init__(self, coupling, xi):
        p = coupling.posterior
        self._rows, self._precision, self.dim, self._shape, self._network = p._rows, p._precision, p.dim, p._shape, None
        xi, room = p._values(xi, coupling._shape, "xi"), p._scratch("problem")
        start, spare = p.draw_prior(16), numpy.empty(p.dim, xi.dtype)
        self._arrays = coupling, xi, start, room, spare  # read and written where they lie
        before = *p.where, at(coupling._rho), coupling._rho.size, at(xi)
        log_density, after, spare = function(f"lcc_coupling_log_density_{p._precision}"), (at(room), room.size), at(spare)

        def density(_n, x, grad, logp, _context):
            try:
                return log_density(*before, x, *after, logp, grad or spare)
            except BaseException as error:  # Ctrl-C finds no way through the library
                self._raised.append(error)
                return 1

        self._raised, address = [], ctypes.c_void_p
        self._density = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_size_t, *[address] * 4)(density)
        made = self._problem = type(p._problem).from_buffer_copy(p._problem)
        made.posterior, made.dim = CODES["LCC_POSTERIOR_USER"], p.dim
        made.density, made.start, made.starts = ctypes.cast(self._density, address).value, at(start), len(start)
        self.where = ctypes.byref(made), None

    def _queries(self, queries):
        if queries is not None:
            raise ValueError("queries are of the posterior, not of w given xi")


class Coupling:
    """xi_i = sqrt(rho_i) x_i.w + N(0, 1) of each row (and hidden unit) of a `Posterior`, with rho so large that w given xi is
    log-concave. `sides` is "one-sided" (rho by the sign of the residual) or "two-sided" (as the papers print it).

    `rho` is a number for each row, of a one-sided coupling of a joint posterior with signs of both kinds a row for +, then one
    for -. xi has the shape (n,), of a joint posterior (n, M); w has that of the posterior.
    """

    def __init__(self, posterior, sides="one-sided"):
        self.posterior, n, dtype = posterior, posterior._rows.n, posterior._rows.dtype
        asked = options("sampler", posterior._precision, {"coupling": sides})
        rho, count = numpy.empty(2 * n, dtype), ctypes.c_size_t()
        call(f"lcc_coupling_rho_{posterior._precision}", *posterior.where, asked.coupling, at(rho), rho.size,
             ctypes.byref(count))
        self._rho = rho[:count.value]
        self.rho = self._rho if count.value == n else self._rho.reshape(2, n)
        self._shape = (n, *posterior._shape[:-1])

    def _call(self, name, *arguments):
        p = self.posterior
        call(f"lcc_coupling_{name}_{p._precision}", *p.where, at(self._rho), self._rho.size, *arguments)

    def draw(self, w, seed=1):
        """A draw of xi given w."""
        w, xi = self.posterior._values(w, self.posterior._shape, "w"), numpy.empty(self._shape, self._rho.dtype)
        self._call("draw", at(w), whole(seed, "seed", ctypes.c_uint64), at(xi), xi.size)
        return xi

    def log_density(self, w, xi):
        """log p(w | xi) up to a constant that depends on xi, concave in w, and its gradient."""
        p = self.posterior
        w, xi = p._values(w, p._shape, "w"), p._values(xi, self._shape, "xi")
        value, gradient, room = numpy.empty(1, w.dtype), numpy.empty_like(w), p._scratch("problem")
        self._call("log_density", at(xi), at(w), at(room), room.size, at(value), at(gradient))
        return value[0], gradient

    def given(self, xi, sampler=None, **options):
        """Draws of w given xi, as `Posterior.sample` makes them: `of["w"].mean` is E[w | xi]. By "auto" under a Gaussian prior; on
        the l1 ball by "random-walk", every tenth of 10,000 draws a chain: others would have to find where the ball ends."""
        if sampler is None and self.posterior._problem.prior == CODES["LCC_PRIOR_L1_BALL"]:
            sampler, options = "random-walk", {"draws": 10_000, "stored": 1000, **options}
        return _Given(self, xi).sample(sampler or "auto", **options)

    def score(self, xi, mean=None):
        """grad log p(xi) = -xi + S X E[w | xi], S = diag(sqrt(rho)), from the conditional mean; without it from draws."""
        p = self.posterior
        xi = p._values(xi, self._shape, "xi")
        mean = p._values(self.given(xi).of["w"].mean if mean is None else mean, p._shape, "mean")
        out = numpy.empty(self._shape, xi.dtype)
        self._call("score", at(xi), at(mean), at(out), out.size)
        return out

    def hessian(self, covariance):
        """The Hessian of log p(xi), -I + S X Cov[w | xi] X' S, from the conditional covariance: p(xi) is log-concave where its
        largest eigenvalue is negative everywhere."""
        p, size = self.posterior, self.posterior.dim
        covariance, count = p._values(covariance, (size, size), "covariance"), int(numpy.prod(self._shape))
        scratch, out = numpy.empty(size, covariance.dtype), numpy.empty((count, count), covariance.dtype)
        self._call("hessian", at(covariance), at(scratch), at(out), out.size)
        return out


__all__ = ["Coupling"]
