"""Writes src/lcc/__init__.pyi, from which editors know the options and their types: `python3 stubs.py`, with the package and
liblcc on the path, after the structs of the header changed."""

import ctypes
import inspect
from pathlib import Path

import lcc
from lcc import _library, _signature

PATH = Path(__file__).resolve().parent / "src" / "lcc" / "__init__.pyi"
SAMPLERS = f"""Literal[{', '.join(f'"{name}"' for name in ["auto", "smc", "tempering", *map(_library.spelt, _library.codes("METHOD"))])}]"""
OWN = {
    "x": "ArrayLike", "y": "ArrayLike", "sample_weight": "Optional[ArrayLike]", "groups": "Optional[ArrayLike]",
    "threads": "Optional[int]", "precision": 'Literal["auto", "single", "double"]',
    "progress": "Union[bool, Callable[[float], object], None]", "missing": 'Literal["refuse", "mean"]', "calibrate": "bool",
    "log_density": "Callable[..., Any]", "dim": "Union[int, Parameters]", "gradient": "bool", "vectorized": "bool",
    "scale": "float", "start": "Any", "quantities": "Optional[Callable[[Any], Mapping[str, ArrayLike]]]",
    "timeout": "Optional[float]", "r": "ArrayLike", "w": "ArrayLike", "xi": "ArrayLike", "mean": "Optional[ArrayLike]",
    "covariance": "ArrayLike", "queries": "Optional[ArrayLike]", "temperatures": "Optional[ArrayLike]", "probes": "int",
    "posterior": "Posterior", "sides": 'Literal["one-sided", "two-sided"]', "inputs": "int", "rows": "int", "model": "Model",
    "units": "Optional[Tuple[ArrayLike, ArrayLike]]", "level": "float", "index": "int", "spread": "bool", "sample": "Optional[Sample]",
    "averaging": 'Literal["printed", "inclusive", "last"]', "path": "Union[str, os.PathLike[str]]", "options": "Any", "draws": "int", "seed": "int", "self": "", "cls": "",
    "sampler": SAMPLERS, "JointPosterior.__init__.layers": "Union[int, Sequence[int], None]", **{f"{name}.observe.y": "float" for name in ("Prequential", "Stream")},
    **{f"{name}.__init__.precision": 'Literal["single", "double"]' for name in ("Prequential", "Stream")},
}
# Classes with what their members return.
VALUE = "Tuple[float, numpy.ndarray]"
LEARNER = {"predict": "Predictions", "observe": "Score", "model": "Model", "save": "None"}
CLASSES = {
    "Posterior": {"dim": "int", "certify": "Certificates", "draw_prior": "numpy.ndarray", "log_density": VALUE, "sample": "Sample"},
    "GreedyPosterior": {}, "JointPosterior": {}, "NetworkPosterior": {},
    "Coupling": {"rho": "numpy.ndarray", "draw": "numpy.ndarray", "given": "Sample", "hessian": "numpy.ndarray", "log_density": VALUE,
                 "score": "numpy.ndarray"},
    "Prequential": {**LEARNER, "predict": "Forecast", "load": "Prequential", "expectation": "float", "level": "Dict[str, float]",
                    "losses": "Dict[str, float]"},
    "Stream": {**LEARNER, "load": "Stream", "info": "Dict[str, int]", "weights": "numpy.ndarray"},
}


def kind_of(struct, option):
    """The type of an option."""
    names = _signature.literals(struct, option)
    if names is not None:
        more = {("bnn", "output"): ["regression", "classes", "counts"], ("bnn", "method"): ["chains"]}.get((struct, option), [])
        quoted = ", ".join(f'"{name}"' for name in names + more)
        return f"Union[Literal[{quoted}], int, None]"
    member = dict(_library.struct_of(struct)._fields_)[option]
    if issubclass(member, ctypes.Array):
        return "Union[int, Sequence[int]]"
    return "float" if member is ctypes.c_double else "int"


def declared(function, structs, result, name=None):
    """A function, a line for each of its arguments; `structs` have its options."""
    lines, star = [], False
    for own in inspect.signature(function).parameters.values():
        if own.kind is own.KEYWORD_ONLY and not star:
            lines, star = [*lines, "*"], True
        mine = OWN.get(f"{function.__qualname__}.{own.name}", OWN.get(own.name))
        explicit = own.name in function.__code__.co_varnames and mine is not None
        struct = None if explicit else next((s for s in structs if own.name in dict(_library.struct_of(s)._fields_)), None)
        kind = kind_of(struct, own.name) if struct else mine
        if own.name == "method" and "network" in structs:
            kind = kind.replace('"chains"', '"chains", "network"')
        if own.name == "exposure" and "network" in structs:
            kind = "Union[int, str]"
        if own.default is None and "None" not in kind and not kind.startswith(("Optional", "Any")):
            kind = f"Optional[{kind}]"
        usual = "" if own.default is own.empty else f" = {own.default!r}"
        stars = "**" if own.kind is own.VAR_KEYWORD else ""
        lines.append(f"{stars}{own.name}{': ' * bool(kind)}{kind}{usual}")
    return f"def {name or function.__name__}(\n" + "".join(f"    {line},\n" for line in lines) + f") -> {result}: ...\n"


def class_of(name, members):
    """A class with its constructor, attributes, properties and methods."""
    made, parts = getattr(lcc, name), []
    base = [b.__name__ for b in made.__bases__ if b.__name__ in CLASSES]
    if name != "Posterior":
        structs = getattr(made.__init__, "kinds", ("problem",) if base else ())
        parts.append(declared(made.__init__, structs, "None"))
    for member, result in members.items():
        own = getattr(made, member, None)
        if own is None:
            parts.append(f"{member}: {result}\n")
        elif isinstance(own, property):
            parts.append(f"@property\ndef {member}(self) -> {result}: ...\n")
        elif inspect.ismethod(own):
            parts.append("@classmethod\n" + declared(own.__func__, (), result))
        else:
            parts.append(declared(own, getattr(own, "kinds", ()), result))
    body = "".join("    " + line if line.strip() else line for part in parts for line in part.splitlines(True))
    return f"class {name}({', '.join(base)}):\n{body}" if base else f"class {name}:\n{body}"


def text():
    """The file."""
    modules = {"_library": ("PATH", "LccError"), "certificates": ("Certificate", "Certificates"),
               "estimators": ("LCCClassifier", "LCCRegressor"), "loo": ("Loo", "loo"),
               "model": ("Classes", "Model", "Predictions", "Spread", "Thinned"), "online": ("Forecast", "Score"),
               "page": ("Figure", "Page"), "parameters": ("Parameters",),
               "samples": ("Sample", "Summary"), "vae": ("Vae",)}
    imports = "".join(f"from .{module} import {', '.join(f'{name} as {name}' for name in names)}\n"
                      for module, names in modules.items())
    functions = [(lcc.fit, "Model"), (lcc.sample, "Sample"), (lcc.greedy_bayes, "Model"), (lcc.greedy_least_squares, "Model")]
    parts = [*(declared(function, function.kinds, result) for function, result in functions), *map(class_of, CLASSES, CLASSES.values())]
    return ("# Written by stubs.py.\nimport os\nfrom typing import Any, Callable, Dict, Literal, Mapping, Optional, Sequence, Tuple, Union\n\n"
            "import numpy\nfrom numpy.typing import ArrayLike\n\nfrom . import theory as theory\n"
            f"{imports}\n__version__: str\n\n" + "\n".join(parts))


if __name__ == "__main__":
    PATH.write_text(text(), "utf-8")
