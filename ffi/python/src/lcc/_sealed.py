"""Objects in memory of their own that files keep."""

import numpy

from ._library import at, block, call, function, size_by, struct_by


def suffix_of(precision):
    """The end of the names of functions of a precision."""
    if precision not in ("single", "double"):
        raise ValueError(f'precision is "single" or "double", not {precision!r}')
    return "f32" if precision == "single" else "f64"


class Sealed:
    """An object of the library, lcc_KIND, in memory of its own."""

    _kind = ""

    def _hold(self, memory):
        """Takes over a block that an object lies in."""
        kind = function("lcc_read_type")(at(memory)).decode()
        if kind[:-4] != f"lcc_{self._kind}":
            raise ValueError(f"this is a {kind}, and no lcc_{self._kind}")
        self._memory, self._precision = memory, kind[-3:]
        self._dtype = numpy.dtype(numpy.float32 if kind.endswith("f32") else numpy.float64)
        return self

    @property
    def _handle(self):
        return at(self._memory)

    def _by(self, struct, name, *arguments):
        """What lcc_KIND_NAME writes that ends in a lcc_STRUCT *."""
        return struct_by(f"lcc_{struct}_{self._precision}", f"lcc_{self._kind}_{name}_{self._precision}", self._handle, *arguments)

    def save(self, path):
        """Writes a sealed copy to a file, for this version of LCC."""
        sealed = numpy.empty(size_by("lcc_checkpoint_size", self._handle), numpy.uint8)
        call("lcc_checkpoint", self._handle, at(sealed), sealed.size)
        sealed.tofile(path)

    @classmethod
    def load(cls, path):
        """Reads and verifies one."""
        sealed = numpy.fromfile(path, numpy.uint8)
        memory = block(sealed.size)
        call("lcc_restore", at(memory), memory.size, at(sealed), sealed.size)
        return cls.__new__(cls)._hold(memory)


__all__ = ["Sealed", "suffix_of"]
