"""The options of a function as keyword arguments that help() and completion show, from the structs of the header."""

import ctypes
import inspect

from ._library import codes, defaults, family_of


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


def _default(kinds, name, structs, first):
    """What an option is where it is not given: None where that differs between kinds, unless the first of them counts."""
    shown = [_shown(kind, name, getattr(structs[kind], name)) for kind in kinds if hasattr(structs[kind], name)]
    return shown[0] if first or all(value == shown[0] for value in shown) else None


def with_options(*kinds, first=False, **own):
    """Gives a function that takes `**options` the signature that names them, with the defaults of the library or `own`; of
    options of several kinds that of the `first`, if that is to count."""
    structs = {kind: defaults(kind, "f64") for kind in kinds}
    names = dict.fromkeys(name for struct in structs.values() for name, _ in struct._fields_)

    def decorate(function):
        given = [p for p in inspect.signature(function).parameters.values() if p.kind != p.VAR_KEYWORD]
        taken = {"struct_size", "reserved", *(p.name for p in given)}
        if "sampler" in taken:  # which names the method
            taken.add("method")
        extra = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY,
                                   default=own[name] if name in own else _default(kinds, name, structs, first))
                 for name in names if name not in taken]
        function.__signature__ = inspect.Signature(given + extra)
        function.kinds = kinds
        return function

    return decorate
