"""Learning: a Bayesian network from rows and targets."""

import ctypes
from concurrent.futures import ThreadPoolExecutor

import numpy

from . import _library as library
from . import columns
from ._library import LccError, Rows, at, block, call, fields, run_to_end, share_of, size_by, struct_by
from .model import Model


class _Network:
    """An lcc_bnn in memory of its own."""

    def __init__(self, options, rows):
        self.rows, self.precision = rows, rows.precision
        pointer = ctypes.byref(options)
        self.memory = block(size_by(f"lcc_bnn_size_{self.precision}", pointer, rows.n, rows.d))
        self.handle = ctypes.c_void_p()
        call(f"lcc_bnn_init_{self.precision}", at(self.memory), self.memory.size, pointer, rows.pointer,
             ctypes.byref(self.handle))

    def run(self, report):
        name = f"lcc_bnn_step_{self.precision}"
        run_to_end(lambda budget: call(name, self.handle, self.rows.pointer, budget), 64 * self.rows.n,
                   lambda: report(share_of(self.handle)))

    def model(self):
        size = size_by(f"lcc_bnn_model_size_{self.precision}", self.handle)
        image = numpy.empty(size, numpy.uint8)
        written = size_by(f"lcc_bnn_write_model_{self.precision}", self.handle, at(image), size)
        return Model(image[:written], self.diagnosis())

    def diagnosis(self):
        scratch = block(size_by(f"lcc_bnn_diagnose_scratch_{self.precision}", self.handle))
        return fields(struct_by(f"lcc_bnn_diagnosis_{self.precision}", f"lcc_bnn_diagnose_{self.precision}",
                                self.handle, at(scratch), scratch.size))


def fit(x, y, *, threads=1, progress=None, **options):
    """Fits a Bayesian neural network to rows `x` (n by d) and targets `y` (n), in their own units; returns a `Model`.

    Options are the members of the header's `lcc_bnn_options` by the same names: `widths=(20,)`, up to four hidden
    layers, or `()` for none; `output="student-t"` (also gaussian, mean-variance, mixture, log-normal, hurdle-log-normal,
    bernoulli, softmax, ordinal, poisson, negative-binomial); `method="bnn"` (also map, laplace, ensemble, ...); `activation`, `chains`, `warmup`,
    `draws`, `keep`, `seed` and so on. Nothing needs to be tuned. Classes are 0, 1, ... with `categories` of them.

    Without `output` y is numbers, and short fits, of which some rows are held out, choose what their noise is like:
    student-t, the same for all rows, log-normal (of positive numbers), mean-variance or mixture. `model.report["choice"]`
    says by how many nats. Numbers of which a fifth or more is 0, and none negative, get hurdle-log-normal.

    The same seed gives the same bytes on every machine, for every number of `threads`. `progress` is called between
    steps of some 50 ms with the share that is done, from one of the threads at a time; what it raises ends the fit.

    Of a data frame the names of its columns go with the model, which then finds them by name.

    `model.report` tells how it went: `luck_rms` is what another seed would change in a prediction, in predictive sds;
    `rhat_max` above 1.01 says that chains sit in different modes, whose ensemble the model then is.
    """
    rows, names = Rows(x, y), columns.names_of(x)
    choice = None
    if options.get("output") is None and options.get("method") in (None, "chains", "bnn"):
        options, choice = _choose(rows, threads, {**options, "output": "student-t"})
    model = _fit(rows, threads, progress, options)
    if choice is not None:
        model.report["choice"] = choice
    return model if names is None else _named(model, columns.write(names, rows))


def _choose(rows, threads, options):
    """The options with the output that held-out rows speak for, and by how much; None where they do not tell."""
    precision, made = rows.precision, library.network_options(rows.precision, options)
    dealt = numpy.empty(rows.n, numpy.uint32)
    folds = ctypes.c_uint32()
    call(f"lcc_bnn_folds_{precision}", ctypes.byref(made), rows.pointer, at(dealt), dealt.size, ctypes.byref(folds))
    pilots, pilot_of = [], library.function(f"lcc_bnn_pilot_{precision}")
    while pilot_of(ctypes.byref(made), rows.pointer, len(pilots), ctypes.byref(pilot := type(made)())) == 0:
        pilots.append(pilot)
    if len(pilots) == 1:
        return {**options, "output": library.name_of("OUTPUT", pilots[0].output)}, None
    if folds.value == 0:
        return options, None
    scores = numpy.full((len(pilots), rows.n), numpy.nan, rows.dtype)

    def tell(candidate, fold):
        held, rest = dealt == fold, (dealt != fold) & (dealt < folds.value)
        network = _Network(pilots[candidate], Rows(rows.x[rest], rows.y[rest]))
        network.run(lambda share: None)
        try:
            scores[candidate, held] = network.model().scores(rows.x[held], rows.y[held])["log_density"]
        except LccError as error:
            if error.name != "LCC_ERROR_NOT_FINITE_X":  # a law beyond the precision
                raise

    with ThreadPoolExecutor(max(1, int(threads))) as pool:
        for one in [pool.submit(tell, k, fold) for k in range(len(pilots)) for fold in range(folds.value)]:
            one.result()
    y, scores = (numpy.ascontiguousarray(a[..., dealt < folds.value]) for a in (rows.y, scores))
    choice = struct_by(f"lcc_bnn_choice_{precision}", f"lcc_bnn_choose_{precision}", at(y), y.size, at(scores), len(pilots))
    output = library.name_of("OUTPUT", pilots[choice.candidate].output)
    return {**options, "output": output}, {"output": output, "ahead": choice.ahead, "error": choice.error}


def _named(model, attachment):
    """The model with bytes attached."""
    image, attachment = numpy.frombuffer(model.bytes, numpy.uint8), numpy.frombuffer(attachment, numpy.uint8)
    out = numpy.empty(image.size + attachment.size, numpy.uint8)
    written = size_by("lcc_model_attach", at(image), image.size, at(attachment), attachment.size, at(out), out.size)
    return Model(out[:written], model.report)


def _fit(rows, threads, progress, options):
    made = library.network_options(rows.precision, options)
    report = progress or (lambda share: None)
    chains = ctypes.c_uint32()
    call(f"lcc_bnn_chains_{rows.precision}", ctypes.byref(made), rows.n, rows.d, ctypes.byref(chains))
    blocks = -(-chains.value // made.lanes)
    threads = min(int(threads), blocks)
    if threads <= 1:
        network = _Network(made, rows)
        network.run(report)
        return network.model()
    return _by_threads(made, rows, chains.value, blocks, threads, report)


def _by_threads(made, rows, chains, blocks, threads, report):
    """Chains dealt out in blocks, and joined: the bits of one run."""
    struct = type(made)
    whole = _Network(struct.from_buffer_copy(made), rows)
    parts, first = [], 0
    for k in range(threads):
        last = min(blocks * (k + 1) // threads * made.lanes, chains)
        own = struct.from_buffer_copy(made)
        own.chains, own.first_chain = last - first, made.first_chain + first
        parts.append(_Network(own, rows))
        first = last
    shares, stopped = [0.0] * threads, []

    def run(k):
        def tell(share):
            if stopped:
                raise stopped[0]
            shares[k] = share
            report(sum(shares) / threads)

        try:
            parts[k].run(tell)
        except BaseException as error:
            stopped.append(error)
            raise

    with ThreadPoolExecutor(threads) as pool:
        runs = [pool.submit(run, k) for k in range(threads)]
        try:
            for one in runs:
                one.result()
        except BaseException as error:
            stopped.append(error)
            raise
    handles = (ctypes.c_void_p * threads)(*[part.handle for part in parts])
    call(f"lcc_bnn_join_{rows.precision}", whole.handle, ctypes.addressof(handles), threads)
    return whole.model()


__all__ = ["fit"]
