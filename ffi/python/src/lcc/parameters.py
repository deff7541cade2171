"""Named parameters with constraints, as Stan defines them."""

import ctypes
import functools
import numbers

import numpy

from ._library import STRUCTS, LccError, at, call, codes, nearest

_MATRICES = ("cholesky-corr", "cholesky-cov")
_KEYS = ("constraint", "size", "count", "lower", "upper")
_VECTORS = ("simplex", "ordered", "positive-ordered", "unit-vector")


def _fill(raw, name, rule):
    """The struct of a parameter from what the user says of it; the name of its constraint."""
    names = {text.replace("_", "-"): code for text, code in codes("CONSTRAINT").items()}
    if not isinstance(rule, dict):
        raise TypeError(f"parameter {name}: a constraint ({', '.join(names)}) or a dictionary with one, not {rule!r}")
    for key in rule:
        if key not in _KEYS:
            raise TypeError(f"parameter {name}: there is no key {key!r}{nearest(key, _KEYS)} (keys: {', '.join(_KEYS)})")
    if "constraint" not in rule:
        raise TypeError(f"parameter {name}: the key 'constraint' is missing: one of {', '.join(names)}")
    kind = str(rule["constraint"]).replace("_", "-")
    if kind not in names:
        raise ValueError(f"parameter {name}: the constraint {kind!r} is not one of {', '.join(names)}"
                         f"{nearest(kind, names)}")
    raw.constraint = names[kind]
    for key, usual in (("size", 1), ("count", 1), ("lower", 0.0), ("upper", 0.0 if kind == "upper" else 1.0)):
        value = rule.get(key, usual)
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or key in ("size", "count") and (
                value < 1 or value != int(value)):
            what = "a whole number from 1" if key in ("size", "count") else "a number"
            raise ValueError(f"parameter {name}: {key} is {what}, not {value!r}")
        setattr(raw, key, int(value) if key in ("size", "count") else float(value))
    try:
        call("lcc_parameters_dims_f64", ctypes.addressof(raw), 1, *(ctypes.byref(ctypes.c_size_t()) for _ in range(2)))
    except LccError as error:
        raise LccError(error.status, f" Parameter {name}: {rule}.") from None
    return kind


def both(got):
    """A value and its gradient, as a density returns them."""
    try:
        if isinstance(got, numpy.ndarray):
            raise TypeError
        value, slope = got
    except (TypeError, ValueError):
        raise TypeError("log_density returns the value and its gradient, or with gradient=False the value alone: it returned "
                        f"{type(got).__name__}") from None
    return value, slope


class Parameters:
    """Named parameters, each a constraint or a dictionary of it with `size`, `count`, `lower` and `upper`:

        Parameters(mu="free", tau="lower", p={"constraint": "simplex", "size": 3})

    Constraints are free, lower, upper, interval, affine (offset in lower, multiplier in upper), simplex, ordered,
    positive-ordered, unit-vector, cholesky-corr and cholesky-cov (`size` rows), `count` of them one after another.
    `sample` takes it in place of a dimension: the density is then of a dictionary of values, and so is its gradient.
    """

    def __init__(self, **rules):
        self._raw = (STRUCTS["lcc_parameter_f64"] * len(rules))()
        self._rules, self.shapes = rules, {}
        for raw, (name, rule) in zip(self._raw, rules.items()):
            kind = _fill(raw, name, {"constraint": rule} if isinstance(rule, str) else rule)
            one = (raw.size, raw.size) if kind in _MATRICES else (raw.size,) if raw.size > 1 or kind in _VECTORS else ()
            self.shapes[name] = (raw.count, *one) if raw.count > 1 else one
        coordinates, elements = ctypes.c_size_t(), ctypes.c_size_t()
        call("lcc_parameters_dims_f64", *self._list(), ctypes.byref(coordinates), ctypes.byref(elements))
        self.coordinates, self.elements = coordinates.value, elements.value

    def __repr__(self):
        return f"Parameters({', '.join(f'{name}={rule!r}' for name, rule in self._rules.items())})"

    def __reduce__(self):
        return functools.partial(Parameters, **self._rules), ()

    def _list(self):
        return ctypes.addressof(self._raw), len(self._raw)

    def _split(self, flat):
        values, start = {}, 0
        for name, shape in self.shapes.items():
            size = int(numpy.prod(shape, dtype=int))
            values[name] = flat[..., start:start + size].reshape((*flat.shape[:-1], *shape))
            start += size
        return values

    def _join(self, values):
        if not hasattr(values, "keys"):
            raise TypeError("with Parameters the gradient is a dictionary, of the derivatives by each of "
                            f"{', '.join(self.shapes)}, not {type(values).__name__}")
        if set(values) != set(self.shapes):
            raise ValueError(f"there are the parameters {', '.join(self.shapes)}, not {', '.join(values)}")
        parts = []
        for name, shape in self.shapes.items():
            part = numpy.asarray(values[name], float)
            if part.shape != shape:
                raise ValueError(f"{name} has the shape {shape}, not {part.shape}")
            parts.append(part.reshape(-1))
        return numpy.concatenate(parts)

    def _elements(self, x):
        x = numpy.ascontiguousarray(x, float)
        if x.shape != (self.coordinates,):
            raise ValueError(f"there are {self.coordinates} coordinates, not {x.shape}")
        y, log_jacobian = numpy.empty(self.elements), ctypes.c_double()
        call("lcc_parameters_constrain_f64", *self._list(), at(x), at(y), y.size, ctypes.byref(log_jacobian))
        return x, y, log_jacobian.value

    def constrain(self, x):
        """The values, by name, of coordinates, and log |det dy/dx|: -inf where they round to an edge of a constraint."""
        _, y, log_jacobian = self._elements(x)
        return self._split(y), log_jacobian

    def unconstrain(self, values):
        """The coordinates of values that satisfy their constraints."""
        y, x = self._join(values), numpy.empty(self.coordinates)
        call("lcc_parameters_unconstrain_f64", *self._list(), at(y), at(x), x.size)
        return x

    def constrain_all(self, draws):
        """The values, by name, of an array whose last axis are coordinates."""
        flat = draws.reshape(-1, self.coordinates)
        elements = numpy.stack([self._elements(x)[1] for x in flat])
        return self._split(elements.reshape((*draws.shape[:-1], self.elements)))

    def of_coordinates(self, log_density, gradient):
        """A density of the coordinates from one of the values."""

        def value_alone(x):
            _, y, log_jacobian = self._elements(x)
            return log_density(self._split(y)) + log_jacobian if numpy.isfinite(log_jacobian) else log_jacobian

        def with_gradient(x):
            x, y, log_jacobian = self._elements(x)
            if not numpy.isfinite(log_jacobian):
                return log_jacobian, numpy.zeros(self.coordinates)
            value, slope = both(log_density(self._split(y)))
            dy, dx = self._join(slope), numpy.empty(self.coordinates)
            call("lcc_parameters_pull_back_f64", *self._list(), at(x), at(y), at(dy), at(dx), dx.size)
            return value + log_jacobian, dx

        return with_gradient if gradient else value_alone


__all__ = ["Parameters"]
