"""A variational auto-encoder: two networks about a few coordinates of rows."""

import ctypes
from typing import NamedTuple

import numpy

from . import _library as library
from ._library import at, block, call, fields, function, run_to_end, share_of, size_by, struct_by
from ._progress import shown
from ._rows import Rows


class Bound(NamedTuple):
    """The lower bound of ln p(row), on average over rows, its Monte Carlo error, and the divergence in it."""

    bound: float
    error: float
    kl: float


class Vae:
    """`Vae.fit(x)` fits one; `encode`, `decode`, `sample` and `bound` use it; `save` and `load` keep it, in the form of
    `lcc vae`. `info` says what it is."""

    def __init__(self, memory):
        self._memory = memory
        self._precision = function("lcc_read_type")(at(memory)).decode()[-3:]
        self.info = fields(struct_by(f"lcc_vae_shape_{self._precision}", f"lcc_vae_shape_of_{self._precision}",
                                     at(memory)))

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
        return cls(memory)

    def save(self, path):
        """Writes a sealed copy to a file."""
        sealed = numpy.empty(size_by("lcc_checkpoint_size", at(self._memory)), numpy.uint8)
        call("lcc_checkpoint", at(self._memory), at(sealed), sealed.size)
        sealed.tofile(path)

    @classmethod
    def load(cls, path):
        """Reads and verifies one."""
        sealed = numpy.fromfile(path, numpy.uint8)
        memory = block(sealed.size)
        call("lcc_restore", at(memory), memory.size, at(sealed), sealed.size)
        if not function("lcc_read_type")(at(memory)).startswith(b"lcc_vae_"):
            raise ValueError(f"{path} holds no auto-encoder")
        return cls(memory)

    def _rows(self, x):
        return Rows(x, dtype=numpy.float32 if self._precision == "f32" else numpy.float64)

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
        dtype = numpy.float32 if self._precision == "f32" else numpy.float64
        z, y = numpy.empty((n, self.info["latent"]), dtype), numpy.empty((n, self.info["columns"]), dtype)
        self._call("sample", n, seed, at(z), z.size, at(y), y.size)
        return z, y

    def bound(self, x, draws=100, seed=1):
        """How well it tells rows, by so many draws of their coordinates."""
        rows, out = self._rows(x), library.STRUCTS[f"lcc_vae_bound_{self._precision}"]()
        self._call("bound_of", rows.pointer, draws, seed, end=(ctypes.byref(out),))
        return Bound(out.bound, out.error, out.kl)


__all__ = ["Bound", "Vae"]
