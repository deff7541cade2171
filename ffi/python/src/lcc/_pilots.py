"""Short fits, of which some rows are held out: they choose the noise of numbers and calibrate classes, as for `lcc fit`."""

import ctypes

import numpy

from . import _library as library
from ._library import LccError, at, call, number_by, size_by, struct_by
from ._network import Network, together
from .model import Model


def _dealt(rows, made):
    """The fold of each row, how many there are, and the options of each candidate's short fits."""
    precision, dealt, folds = rows.precision, numpy.empty(rows.n, numpy.uint32), ctypes.c_uint32()
    weights, groups = (None if own is None else at(own) for own in (rows.weights, rows.groups))
    call(f"lcc_bnn_folds_weighted_{precision}", ctypes.byref(made), rows.pointer, weights, groups, at(dealt), dealt.size,
         ctypes.byref(folds))
    pilots, pilot_of = [], library.function(f"lcc_bnn_pilot_{precision}")
    while pilot_of(ctypes.byref(made), rows.pointer, len(pilots), ctypes.byref(pilot := type(made)())) == 0:
        pilots.append(pilot)
    return dealt, folds.value, pilots


def _by_folds(rows, threads, dealt, folds, pilots, report, told):
    """Calls `told(candidate, model, held)` with the model of all folds but one, and that one's rows."""

    def work(candidate, fold):
        def one(tell):
            held, rest = dealt == fold, (dealt != fold) & (dealt < folds)
            network = Network(pilots[candidate], rows.some(rest))
            network.run(tell)
            told(candidate, network.model(), held)

        return one

    works = [work(k, fold) for k in range(len(pilots)) for fold in range(folds)]
    together(max(1, int(threads)), works, report)


def choose(rows, threads, options, report):
    """The options with the output and the scales that held-out rows speak for, and by how much; None where they do not tell."""
    precision, made = rows.precision, library.network_options(rows.precision, options)
    dealt, folds, pilots = _dealt(rows, made)
    if "scales" in options:
        pilots = [pilot for pilot in pilots if pilot.scales == made.scales]
    if len(pilots) == 1:
        return {**options, "output": library.name_of("OUTPUT", pilots[0].output)}, None
    if folds == 0:
        return options, None
    scores = numpy.full((len(pilots), rows.n), numpy.nan, rows.dtype)

    def told(candidate, model, held):
        try:
            scores[candidate, held] = model.scores(rows.x[held], rows.y[held])["log_density"]
        except LccError as error:
            if error.name != "LCC_ERROR_NOT_FINITE_X":  # a law beyond the precision
                raise

    _by_folds(rows, threads, dealt, folds, pilots, report, told)
    y, scores = (numpy.ascontiguousarray(a[..., dealt < folds]) for a in (rows.y, scores))
    choice = struct_by(f"lcc_bnn_choice_{precision}", f"lcc_bnn_choose_{precision}", at(y), y.size, at(scores), len(pilots))
    own = pilots[choice.candidate]
    told = {"output": library.name_of("OUTPUT", own.output), "scales": library.name_of("SCALES", own.scales)}
    return {**options, **told}, {**told, "ahead": choice.ahead, "error": choice.error}


def calibrated(rows, threads, made, model, report):
    """The model of classes at the temperature that held-out rows ask for; as it is where they are too few."""
    dealt, folds, pilots = _dealt(rows, made)
    if folds == 0:
        return model
    probabilities = numpy.zeros((rows.n, model.classes(rows.x[:1]).probabilities.shape[1]))

    def told(_, own, held):
        probabilities[held] = own.classes(rows.x[held]).probabilities

    _by_folds(rows, threads, dealt, folds, pilots[:1], report, told)
    y = rows.y.astype(float)
    temperature = number_by("lcc_bnn_temperature_f64", at(probabilities), *probabilities.shape, at(y), out=ctypes.c_double)
    image = numpy.frombuffer(model.bytes, numpy.uint8)
    out = numpy.empty_like(image)
    written = size_by("lcc_model_temper", at(image), image.size, ctypes.c_double(temperature), at(out), out.size)
    return Model(out[:written], model.report)


__all__ = ["calibrated", "choose"]
