"""Writes src/lcc/__init__.pyi, from which editors know the options and their types: `python3 stubs.py`, with the package and
liblcc on the path, after the structs of the header changed."""

import ctypes
import inspect
from pathlib import Path

import lcc
from lcc import _library, _signature

PATH = Path(__file__).resolve().parent / "src" / "lcc" / "__init__.pyi"
OWN = {
    "x": "ArrayLike", "y": "ArrayLike", "threads": "int", "precision": 'Literal["auto", "single", "double"]',
    "progress": "Union[bool, Callable[[float], object], None]", "missing": 'Literal["refuse", "mean"]', "calibrate": "bool",
    "log_density": "Callable[..., Any]", "dim": "Union[int, Parameters]", "gradient": "bool", "vectorized": "bool",
    "scale": "float", "start": "Any", "quantities": "Optional[Callable[[Any], Mapping[str, ArrayLike]]]",
    "timeout": "Optional[float]",
}


def kind_of(struct, option):
    """The type of an option."""
    names = _signature.literals(struct, option)
    if names is not None:
        more = ["classes"] if option == "output" else ["chains"] if option == "method" else []
        quoted = ", ".join(f'"{name}"' for name in names + more)
        return f"Union[Literal[{quoted}], int, None]"
    member = dict(_library.STRUCTS[f"lcc_{struct}_options_f64"]._fields_)[option]
    if issubclass(member, ctypes.Array):
        return "Union[int, Sequence[int]]"
    return "float" if member is ctypes.c_double else "int"


def declared(function, struct, result):
    """A function of the package, a line for each of its arguments."""
    lines, star = [], False
    for name, own in inspect.signature(function).parameters.items():
        if own.kind is own.KEYWORD_ONLY and not star:
            lines, star = [*lines, "*,"], True
        usual = "" if own.default is own.empty else f" = {own.default!r}"
        lines.append(f"{name}: {OWN.get(name) or kind_of(struct, name)}{usual},")
    return f"def {function.__name__}(\n" + "".join(f"    {line}\n" for line in lines) + f") -> {result}: ...\n"


def text():
    """The file."""
    modules = {"_library": ("PATH", "LccError"), "density": ("Sample", "Summary"), "estimators": ("LCCClassifier", "LCCRegressor"),
               "loo": ("Loo", "loo"), "model": ("Classes", "Model", "Predictions", "Spread"), "parameters": ("Parameters",),
               "vae": ("Vae",)}
    imports = "".join(f"from .{module} import {', '.join(f'{name} as {name}' for name in names)}\n"
                      for module, names in modules.items())
    return ("# Written by stubs.py.\nfrom typing import Any, Callable, Literal, Mapping, Optional, Sequence, Union\n\n"
            f"from numpy.typing import ArrayLike\n\nfrom . import theory as theory\n{imports}\n__version__: str\n\n"
            f"{declared(lcc.fit, 'bnn', 'Model')}\n{declared(lcc.sample, 'auto', 'Sample')}")


if __name__ == "__main__":
    PATH.write_text(text(), "utf-8")
