"""The options of a function as keyword arguments that help() and completion show, from the structs of the header."""

import ctypes
import inspect

from ._library import STRUCTS, codes, family_of, options


def literals(kind, name):
    """What an option may be called, where it is one of some; else None."""
    family = family_of(kind, name)
    if family is None:
        return None
    names = [text.replace("_", "-") for text in codes(family)]
    return ["bnn", *names[1:]] if family == "INFERENCE" else names


def _shown(kind, name, value):
    names = literals(kind, name)
    if names is not None:
        return names[value]
    return tuple(v for v in value if v) if isinstance(value, ctypes.Array) else value


def with_options(kind, **own):
    """Gives a function that takes `**options` the signature that names them, with the defaults of the library or `own`."""
    made = options(kind, "f64", {})
    names = [name for name, _ in STRUCTS[f"lcc_{kind}_options_f64"]._fields_ if name not in ("struct_size", "reserved")]

    def decorate(function):
        given = [p for p in inspect.signature(function).parameters.values() if p.kind != p.VAR_KEYWORD]
        extra = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY,
                                   default=own.get(name, _shown(kind, name, getattr(made, name)))) for name in names]
        function.__signature__ = inspect.Signature(given + extra)
        return function

    return decorate
