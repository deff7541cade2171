"""A Bayesian network, of many short chains or of a few long ones, in memory of its own, run by threads."""

import ctypes
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy

from ._library import LccError, at, block, call, fields, run_to_end, share_of, size_by, struct_by
from .model import Model


class Network:
    """An lcc_bnn, or an lcc_network, in memory of its own."""

    def __init__(self, options, rows):
        self.rows, self.precision = rows, rows.precision
        self.kind = _kind(options)
        pointer = ctypes.byref(options)
        self.memory = block(size_by(f"{self.kind}_size_{self.precision}", pointer, rows.n, rows.d))
        self.handle = ctypes.c_void_p()
        self._weighted = "" if rows.weights is None else "_weighted"
        self._on = (rows.pointer,) if rows.weights is None else (rows.pointer, at(rows.weights))
        call(f"{self.kind}_init{self._weighted}_{self.precision}", at(self.memory), self.memory.size, pointer, *self._on,
             ctypes.byref(self.handle))

    def run(self, report):
        name = f"{self.kind}_step{self._weighted}_{self.precision}"
        run_to_end(lambda budget: call(name, self.handle, *self._on, budget), 64 * self.rows.n,
                   lambda: report(share_of(self.handle)))

    def model(self):
        size = size_by(f"{self.kind}_model_size_{self.precision}", self.handle)
        image = numpy.empty(size, numpy.uint8)
        written = self._written(at(image), size)
        return Model(image[:written], self.diagnosis())

    def _written(self, *room):
        """The bytes of the model: of a Gaussian about a mode that of the network linearised there."""
        if self.kind == "lcc_bnn":
            try:
                return size_by(f"lcc_bnn_write_linearised_{self.precision}", self.handle, *room)
            except LccError as error:
                if error.name != "LCC_ERROR_METHOD":
                    raise
        return size_by(f"{self.kind}_write_model_{self.precision}", self.handle, *room)

    def diagnosis(self):
        scratch = block(size_by(f"{self.kind}_diagnose_scratch_{self.precision}", self.handle))
        told = fields(struct_by(f"{self.kind}_diagnosis_{self.precision}", f"{self.kind}_diagnose_{self.precision}",
                                self.handle, at(scratch), scratch.size))
        modes = self.modes() if self.kind == "lcc_bnn" else None
        return {**told, "modes": modes} if modes else told

    def modes(self):
        """Of methods that climb to a mode or fit, chain by chain: Laplace's log evidence or the bound of it, and more."""
        modes = []
        try:
            while True:
                modes.append(fields(struct_by(f"lcc_bnn_mode_{self.precision}", f"lcc_bnn_report_{self.precision}",
                                              self.handle, len(modes))))
        except LccError:   # of others, and past the last
            return modes


def _kind(options):
    """What the names of an object's functions begin with."""
    return type(options).__name__.partition("_options")[0]


def at_once():
    """As many threads as run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def together(threads, works, report):
    """Runs functions of what they tell the share to that is done, on so many threads, and reports the mean share; where one ends by
    an exception, or the caller is interrupted, all end soon."""
    shares, stopped, turn = [0.0] * len(works), [], threading.Lock()

    def run_one(k):
        def tell(share):
            if stopped:
                raise stopped[0]
            shares[k] = share
            with turn:
                report(sum(shares) / len(works))

        try:
            tell(0.0)
            works[k](tell)
        except BaseException as error:
            stopped.append(error)
            raise

    with ThreadPoolExecutor(threads) as pool:
        runs = [pool.submit(run_one, k) for k in range(len(works))]
        try:
            for one in runs:
                one.result()
        except BaseException as error:
            stopped.append(error)
            raise


def run(made, rows, threads, report):
    """The model of a network of these options."""
    chains = ctypes.c_uint32(made.chains)
    if _kind(made) == "lcc_bnn":
        call(f"lcc_bnn_chains_{rows.precision}", ctypes.byref(made), rows.n, rows.d, ctypes.byref(chains))
    blocks = -(-chains.value // made.lanes)
    threads = min(int(threads), blocks)
    if threads <= 1:
        network = Network(made, rows)
        network.run(report)
        return network.model()
    return _by_threads(made, rows, chains.value, blocks, threads, report)


def _by_threads(made, rows, chains, blocks, threads, report):
    """Chains dealt out in blocks, and joined: the bits of one run."""
    struct = type(made)
    whole = Network(struct.from_buffer_copy(made), rows)
    parts, first = [], 0
    for k in range(threads):
        last = min(blocks * (k + 1) // threads * made.lanes, chains)
        own = struct.from_buffer_copy(made)
        own.chains, own.first_chain = last - first, made.first_chain + first
        parts.append(Network(own, rows))
        first = last
    together(threads, [part.run for part in parts], report)
    handles = (ctypes.c_void_p * threads)(*[part.handle for part in parts])
    call(f"{whole.kind}_join_{rows.precision}", whole.handle, ctypes.addressof(handles), threads)
    return whole.model()


__all__ = ["Network", "run", "together"]
