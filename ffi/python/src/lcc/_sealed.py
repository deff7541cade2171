"""Objects in memory of their own that files keep."""

import copy
import struct

import numpy

from . import columns
from ._library import at, block, call, function, size_by, struct_by

_NAMED = b"lccnames"   # ends a file that holds, behind the sealed object, what the columns of its table are


def suffix_of(precision):
    """The end of the names of functions of a precision."""
    if precision not in ("single", "double"):
        raise ValueError(f'precision is "single" or "double", not {precision!r}')
    return "f32" if precision == "single" else "f64"


class Sealed:
    """An object of the library, lcc_KIND, in memory of its own."""

    _kind = ""
    _columns = None   # what the columns of its table are, where it has one

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

    def __copy__(self):
        return copy.deepcopy(self)   # its memory is its own

    def save(self, path):
        """Writes a sealed copy to a file, for this version of LCC."""
        sealed = numpy.empty(size_by("lcc_checkpoint_size", self._handle), numpy.uint8)
        call("lcc_checkpoint", self._handle, at(sealed), sealed.size)
        names = b"" if self._columns is None else columns.write(self._columns)
        with open(path, "wb") as file:
            file.write(sealed.tobytes())
            if names:
                file.write(names + struct.pack("<Q", len(names)) + _NAMED)

    @classmethod
    def load(cls, path):
        """Reads and verifies one."""
        with open(path, "rb") as file:
            data, names = file.read(), None
        if data.endswith(_NAMED):
            head, (length,) = len(_NAMED) + 8, struct.unpack("<Q", data[-len(_NAMED) - 8:-len(_NAMED)])
            data, names = data[:-head - length], data[-head - length:-head]
        sealed = numpy.frombuffer(data, numpy.uint8)
        memory = block(sealed.size)
        call("lcc_restore", at(memory), memory.size, at(sealed), sealed.size)
        own = cls.__new__(cls)._hold(memory)
        if names is not None:
            own._columns = columns.read(names)
        return own


__all__ = ["Sealed", "suffix_of"]
