"""What the papers bound, as numbers: theory.risk(variation=3, d=9, layers=1, observations=500).

Each function is one of the C header; those of plain numbers have its manual as their help.
"""

import ctypes
import inspect
import re

import numpy

from ._library import HEADERS, at, call, function, number_by, size_by, whole


def _bound(manual, name, parameters):
    """A function of plain numbers, as the header declares it."""
    c = function(f"lcc_theory_{name}_f64")
    names = [text.split()[-1] for text in parameters.split(",")]
    signature = inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names])

    def bound(*values, **named):
        given = signature.bind(*values, **named).arguments.values()
        value = c(*(whole(v, n, t) if t is not ctypes.c_double else v for v, n, t in zip(given, names, c.argtypes)))
        if numpy.isnan(value):
            raise ValueError(f"{name}{tuple(given)} is not defined: numbers are 0 or more, probabilities at most 1")
        return value

    bound.__name__, bound.__qualname__, bound.__signature__ = name, name, signature
    bound.__doc__ = inspect.cleandoc(re.sub(r"^ \* ?", "", manual.strip(), flags=re.M))
    return bound


_SCALAR = [_bound(*m.groups()) for m in re.finditer(
    r"/\*\*((?:(?!\*/).)*)\*/\s*double lcc_theory_(\w+)_f64\(([^)]*)\);", HEADERS, re.S)]
globals().update((bound.__name__, bound) for bound in _SCALAR)


def _array(values, *shape):
    """Doubles of a shape, of which None is any length."""
    values = numpy.ascontiguousarray(values, float)
    if values.ndim != len(shape) or any(s not in (None, n) for s, n in zip(shape, values.shape)):
        raise ValueError(f"an array of shape {values.shape} in place of {shape}")
    return values


def model_probabilities(log_evidence):
    """The posterior probabilities of models of equal prior probability, from their log evidences in nats."""
    p = _array(log_evidence, None).copy()
    if (bad := numpy.isnan(p) | (p == numpy.inf)).any():
        raise ValueError(f"log evidence {int(bad.argmax())} (from 0) is {p[bad.argmax()]}")
    size_by("lcc_theory_model_probabilities_f64", at(p), p.size)
    return p


def resolvability(variation, nats, beta, observations, most):
    """M neurons of 1 to `most`, and the index of resolvability that they attain: V^2/M + M nats/(beta N)."""
    neurons, bound = ctypes.c_size_t(), ctypes.c_double()
    call("lcc_theory_resolvability_f64", variation, nats, beta, whole(observations, "observations"),
         whole(most, "most"), ctypes.byref(neurons), ctypes.byref(bound))
    return neurons.value, bound.value


def spectral_norm(amplitudes, frequencies, order):
    """sum_k |a_k| |w_k|_1^order of sum_k a_k cos(w_k.x + b_k); `frequencies`: a row each."""
    w = _array(frequencies, None, None)
    a = _array(amplitudes, w.shape[0])
    return number_by("lcc_theory_spectral_norm_f64", at(a), at(w), *w.shape, whole(order, "order", ctypes.c_uint32))


def variation(outer, inner, degree):
    """sum_m |c_m| |w_m|_1^degree of a network of one hidden layer; `inner`: a row a neuron."""
    w = _array(inner, None, None)
    c = _array(outer, w.shape[0])
    return number_by("lcc_theory_variation_f64", at(c), at(w), *w.shape, whole(degree, "degree", ctypes.c_uint32))


def subnetwork(outer, neurons, seed=1, which=0):
    """`neurons` of a network's last hidden units, drawn to stand for all (Maurey): the outer weights of that network."""
    c = _array(outer, None)
    sparse = numpy.empty_like(c)
    number_by("lcc_theory_subnetwork_f64", at(c), c.size, whole(neurons, "neurons"),
              whole(seed, "seed", ctypes.c_uint64), whole(which, "which", ctypes.c_uint64), at(sparse))
    return sparse


def subnetwork_error(outer, values, neurons):
    """E|f - f_M|^2 of such subnetworks exactly; `values`: the units at each row."""
    g = _array(values, None, None)
    c = _array(outer, g.shape[1])
    return number_by("lcc_theory_subnetwork_error_f64", at(c), c.size, at(g), g.shape[0], whole(neurons, "neurons"))


def paths(weights):
    """V_L: the sum over all paths of the products of their |weights|; `weights`: a matrix a layer, a row a unit."""
    layers = [_array(w, None, None) for w in weights]
    if any(a.shape[0] != b.shape[1] for a, b in zip(layers, layers[1:])):
        raise ValueError(f"layers of shapes {[w.shape for w in layers]}")
    widths = [layers[0].shape[1], *(w.shape[0] for w in layers)] if layers else [0]
    scratch = numpy.empty(2 * max(widths))
    return number_by("lcc_theory_paths_f64", (ctypes.c_void_p * len(layers))(*map(at, layers)),
                   (ctypes.c_size_t * len(widths))(*widths), len(layers), at(scratch), scratch.size)


def gamma_xi(values, s):
    """log E_0 exp(s g_xi(w)) from g_xi at draws of the prior."""
    g = _array(values, None)
    return number_by("lcc_gamma_xi_f64", at(g), g.size, s)


def hoelder(moment, order, values):
    """Hoelder's bound of Var[v.w | xi] of an order above 1; `moment`: E_0 (v.w)^(2 order); `values` as for gamma_xi."""
    g = _array(values, None)
    return number_by("lcc_hoelder_f64", moment, order, at(g), g.size)


def hoelder_least(lambda_max, b2, d, radius):
    """The least of Hoelder's bounds on the l1 ball, and its order (1 where there is none)."""
    bound, order = ctypes.c_double(), ctypes.c_uint32()
    call("lcc_hoelder_least_f64", lambda_max, b2, whole(d, "d"), radius, ctypes.byref(bound), ctypes.byref(order))
    return bound.value, order.value


__all__ = [
    *(bound.__name__ for bound in _SCALAR), "gamma_xi", "hoelder", "hoelder_least", "model_probabilities", "paths",
    "resolvability", "spectral_norm", "subnetwork", "subnetwork_error", "variation",
]
