"""A variational auto-encoder: two networks about a few coordinates of rows."""

import ctypes
from typing import NamedTuple

import numpy

from . import _library as library
from ._library import at, block, call, fields, run_to_end, share_of, size_by
from ._progress import shown
from ._rows import Rows
from ._sealed import Sealed


class Bound(NamedTuple):
    """The lower bound of ln p(row), on average over rows, its Monte Carlo error, and the divergence in it."""

    bound: float
    error: float
    kl: float


class Vae(Sealed):
    """`Vae.fit(x)` fits one; `encode`, `decode`, `sample` and `bound` use it; `save` and `load` keep it, in the form of
    `lcc vae`. `info` says what it is."""

    _kind = "vae"

    def _hold(self, memory):
        super()._hold(memory)
        self.info = fields(self._by("vae_shape", "shape_of"))
        return self

    @classmethod
    def fit(cls, x, progress=None, **options):
        """Fits rows. Options are the members of `lcc_vae_options`: `latent=2`, `widths=(32,)` of the encoder (the decoder's
        backwards; `()` is probabilistic PCA), `observed="bernoulli"` for rows between 0 and `largest`, `steps`, `batch`,
        `rate`, `seed` and so on."""
        rows = Rows(x)
        made = library.options("vae", rows.precision, options)
        memory = block(size_by(f"lcc_vae_size_{rows.precision}", ctypes.byref(made), rows.n, rows.d))
        handle = ctypes.c_void_p()
        call(f"lcc_vae_init_{rows.precision}", at(memory), memory.size, ctypes.byref(made), rows.pointer,
             ctypes.byref(handle))
        with shown(progress) as report:
            run_to_end(lambda budget: call(f"lcc_vae_step_{rows.precision}", handle, rows.pointer, budget), 64 * rows.n,
                       lambda: report(share_of(handle)))
        return cls.__new__(cls)._hold(memory)

    def _rows(self, x):
        return Rows(x, dtype=self._dtype)

    def _call(self, what, *arguments, end=()):
        scratch = block(self.info["scratch"])
        call(f"lcc_vae_{what}_{self._precision}", at(self._memory), *arguments, at(scratch), scratch.size, *end)

    def encode(self, x):
        """The mean and the sd of the coordinates of each row, a row each."""
        rows = self._rows(x)
        mean = numpy.empty((rows.n, self.info["latent"]), rows.dtype)
        sd = numpy.empty_like(mean)
        self._call("encode", rows.pointer, at(mean), at(sd), mean.size)
        return mean, sd

    def decode(self, z):
        """The mean of a row given its coordinates."""
        rows = self._rows(z)
        out = numpy.empty((rows.n, self.info["columns"]), rows.dtype)
        self._call("decode", rows.pointer, at(out), out.size)
        return out

    def sample(self, n, seed=1):
        """Draws of coordinates and of rows, noise included."""
        n, seed = library.whole(n, "n"), library.whole(seed, "seed", ctypes.c_uint64)
        z, y = (numpy.empty((n, self.info[side]), self._dtype) for side in ("latent", "columns"))
        self._call("sample", n, seed, at(z), z.size, at(y), y.size)
        return z, y

    def bound(self, x, draws=100, seed=1):
        """How well it tells rows, by so many draws of their coordinates."""
        draws, seed = library.whole(draws, "draws", ctypes.c_uint32), library.whole(seed, "seed", ctypes.c_uint64)
        rows, out = self._rows(x), library.STRUCTS[f"lcc_vae_bound_{self._precision}"]()
        self._call("bound_of", rows.pointer, draws, seed, end=(ctypes.byref(out),))
        return Bound(out.bound, out.error, out.kl)


__all__ = ["Bound", "Vae"]
