"""The shared library and its ABI, read from the headers that it was built with.

`STRUCTS[name]` and `call(name, ...)` are the header's structs and functions; of those of both precisions the names end
in _f64 or _f32, as there. On loading, the ABI's number and the place of every member are compared with the library's.
"""

import ctypes
import ctypes.util
import difflib
import os
import re
import time
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
SCALARS = {
    "int": ctypes.c_int, "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64,
    "uint8_t": ctypes.c_uint8, "size_t": ctypes.c_size_t, "double": ctypes.c_double, "float": ctypes.c_float,
    "void": None,
}


class LccError(ValueError):
    """What the library refused: `status` (negative), its `name` in the header, and a sentence."""

    def __init__(self, status, place=""):
        self.status, self._place = status, place
        self.name = STATUSES.get(status, "unknown")
        super().__init__(f"{_message(status).decode()}{place} ({self.name})")

    def __reduce__(self):
        return LccError, (self.status, self._place)


def _headers():
    """lcc.h and lcc/f64.h: beside this file in a wheel, in the tree's include folder otherwise."""
    folders = [HERE / "include", HERE.parents[3] / "include"]
    for folder in folders:
        if (folder / "lcc.h").is_file():
            return "".join((folder / name).read_text("utf-8") for name in ("lcc.h", "lcc/f64.h"))
    raise ImportError("lcc.h lies neither beside the package nor in the tree")


def _path():
    """LCC_LIBRARY, or the library of the wheel, or the system's."""
    given = os.environ.get("LCC_LIBRARY")
    if given:
        return given
    for name in ("liblcc.so", "liblcc.dylib", "lcc.dll"):
        if (HERE / name).is_file():
            return str(HERE / name)
    found = ctypes.util.find_library("lcc")
    if found is None:
        raise ImportError("there is no liblcc: install LCC, or set LCC_LIBRARY to the full path of its shared library")
    return found


HEADERS = _headers()
_text = re.sub(r"/\*.*?\*/", "", HEADERS, flags=re.S)
_defines = dict(re.findall(r"^#define (LCC_\w+) (\d+)\s*$", _text, flags=re.M))
_text = re.sub(r"^#.*$", "", _text, flags=re.M)
CODES = {name: int(value) for name, value in _defines.items()}
STATUSES = {int(v): k for k, v in re.findall(r"(LCC_\w+) = (-?\d+)", re.search(r"enum lcc_status \{(.*?)\};", _text, re.S)[1])}
STRUCTS = {}
_signatures = {}


def _single(text, name):
    """The same with the numbers and names of the other precision."""
    return re.sub(r"\bdouble\b", "float", text).replace("_f64", "_f32"), name.replace("_f64", "_f32")


def _type(text):
    """A C type; pointers are addresses."""
    text = text.replace("const", "").strip()
    if text.endswith("*") or text.startswith(("lcc_densit", "lcc_quantities")):
        return ctypes.c_void_p
    return STRUCTS[text] if text in STRUCTS else SCALARS[text]


def _member(text):
    what, name, length = re.fullmatch(r"(.*?)(\w+)(?:\[(\d+)\])?", text.strip(), re.S).groups()
    return name, _type(what) * int(length) if length else _type(what)


def _struct(body, name):
    fields = [_member(text) for text in body.split(";") if text.strip()]
    STRUCTS[name] = type(name, (ctypes.Structure,), {"_fields_": fields})


for _match in re.finditer(r"typedef struct \{([^}]*)\} (lcc_\w+);", _text):
    _struct(*_match.groups())
    if _match[2].endswith("_f64"):
        _struct(*_single(*_match.groups()))
for _match in re.finditer(r"^([\w ]+?[ *]+)(lcc_\w+)\(([^()]*)\);", _text, re.M):
    _result, _name, _arguments = _match.groups()
    _signatures[_name] = (_result, _arguments)
    if _name.endswith("_f64"):
        _arguments, _name = _single(_arguments, _name)
        _signatures[_name] = (_result, _arguments)

PATH = _path()
_library = ctypes.CDLL(PATH)
_functions = {}


def function(name):
    """A function of the library, with its types."""
    if name not in _functions:
        result, arguments = _signatures[name]
        try:
            found = getattr(_library, name)
        except AttributeError:
            raise ImportError(f"{PATH} has no {name}: it belongs to another version of LCC than this package") from None
        found.restype = ctypes.c_char_p if "char" in result else _type(result)
        found.argtypes = [] if arguments.strip() == "void" else [_member(text)[1] for text in arguments.split(",")]
        _functions[name] = found
    return _functions[name]


def call(name, *arguments):
    """Calls a function that returns a status; raises what is an error, returns what is an outcome."""
    status = function(name)(*arguments)
    if status < 0:
        raise LccError(status)
    return status


def _message(status):
    return function("lcc_status_message")(status)


def _check():
    ours, theirs = CODES["LCC_ABI_VERSION"], function("lcc_abi_version")()
    if ours != theirs:
        raise ImportError(f"{PATH} has ABI number {theirs}, and this package is written for {ours}")
    offset, size = ctypes.c_size_t(), ctypes.c_size_t()

    def lies(name, member):
        status = function("lcc_layout")(name.encode(), member, ctypes.byref(offset), ctypes.byref(size))
        return (offset.value, size.value) if status >= 0 else None

    for name, struct in STRUCTS.items():
        same = lies(name, None) == (0, ctypes.sizeof(struct))
        for member, _ in struct._fields_:
            here = getattr(struct, member)
            same = same and lies(name, member.encode()) == (here.offset, here.size)
        if not same:
            raise ImportError(f"{name} does not lie in memory as {PATH} has it")


_check()


def codes(family):
    """The codes of a family by their names: codes("PRIOR") is {"gaussian": 0, "l1_ball": 1}."""
    head = f"LCC_{family}_"
    return {name[len(head):].lower(): value for name, value in CODES.items() if name.startswith(head)}


def spelt(name):
    """A name with - as the command line writes it."""
    return name.replace("_", "-")


def name_of(family, code):
    """The name of a code."""
    return next((spelt(name) for name, value in codes(family).items() if value == code), "unknown")


# The members that hold a code, with the family of their names; some are another's in another struct.
_FAMILIES = {"activation": "ACTIVATION", "output": "OUTPUT", "scales": "SCALES", "prior": "PRIOR",
             "observed": "VAE", "penalty": "PENALTY", "mass": "MASS", "optimiser": "OPTIMISER", "signs": "SIGNS", "coupling": "COUPLING", "form": "GREEDY",
             "ladder": "LADDER", "inner_method": "METHOD"}
_FAMILIES_OF = {("bnn", "method"): "INFERENCE", ("sampler", "method"): "METHOD", ("relaxed", "method"): "RELAXED",
                ("sampler", "reference"): "REFERENCE", ("smc", "reference"): "REFERENCE"}
# What the command line calls them.
_ALIASES = {("INFERENCE", "bnn"): "chains", ("PRIOR", "l1"): "l1-ball"}
# What the functions here take beside the members of a struct.
_BESIDE = {"bnn": ("threads", "progress", "precision", "missing"), "vae": ("progress",),
           "auto": ("gradient", "vectorized", "scale", "start", "quantities", "progress")}


def family_of(kind, name):
    """The family of the codes that an option holds, or None."""
    return _FAMILIES_OF.get((kind, name)) or _FAMILIES.get(name)


def nearest(name, names):
    """"; is NAME meant?", of the most similar name, if one is."""
    near = difflib.get_close_matches(str(name), list(names), 1)
    return f"; is {near[0]!r} meant?" if near else ""


def whole(value, name, type_=ctypes.c_size_t):
    """A value of an unsigned type; ctypes would take -1 for the largest of all."""
    count, top = int(value), 2 ** (8 * ctypes.sizeof(type_))
    if count != value or not 0 <= count < top:
        raise ValueError(f"{name} must be a whole number from 0 to {top - 1}, not {value!r}")
    return count


def output_of(given):
    """The output's name that a dictionary of options has, "" where none."""
    output = given.get("output")
    return (name_of("OUTPUT", output) if isinstance(output, int) else output or "").replace("_", "-")


def network_options(precision, given):
    """The library's defaults of a network's method and output, changed by a dictionary."""
    asked = options("bnn", precision, given)
    suit = type(asked)()
    call(f"lcc_bnn_options_for_{precision}", asked.method, asked.output, int(asked.widths[0] > 0), ctypes.byref(suit))
    if "draws" in given and "keep" not in given:  # all where all are kept
        given = {**given, "keep": given["draws"] if suit.keep == suit.draws else min(suit.keep, given["draws"])}
    return options("bnn", precision, given, suit)


def check_read(kind, code, asked, given):
    """Refuses members of `asked` that are given, and other than by default, where a method or an output does not read them: `kind`
    is the KIND of lcc_KIND_reads."""
    usual = type(asked)()
    call(f"{type(asked).__name__.replace('options', 'options_default')}", ctypes.byref(usual))
    for member in given:
        if _number(usual, member) != _number(asked, member) and not number_by(f"lcc_{kind}_reads", code, member.encode(), out=ctypes.c_int32):
            name = function(f"lcc_{kind}_name")(code).decode()
            raise TypeError(f"{member} is not of {'output' if kind == 'output' else 'method'} {name!r}: it would change nothing")


def _number(struct, member):
    value = getattr(struct, member, None)
    return tuple(value) if isinstance(value, ctypes.Array) else value


def struct_of(kind, precision="f64"):
    """lcc_KIND_options, which may have a precision; of a problem itself."""
    names = f"lcc_{kind}_options_{precision}", f"lcc_{kind}_options", f"lcc_{kind}_{precision}"
    return next(STRUCTS[name] for name in names if name in STRUCTS)


def defaults(kind, precision):
    """The library's defaults of `lcc_KIND_options`."""
    name = struct_of(kind, precision).__name__
    return struct_by(name, name.replace("options", "options_default"))


def options(kind, precision, given, made=None):
    """The library's defaults of `lcc_KIND_options`, or those of `made`, changed by a dictionary."""
    made = defaults(kind, precision) if made is None else made
    known = {name: type_ for name, type_ in type(made)._fields_ if name not in ("struct_size", "reserved")}
    for name, value in given.items():
        if name not in known:
            near = nearest(name, [*known, *_BESIDE.get(kind, ())])
            raise TypeError(f"there is no option {name!r}{near or '; there are ' + ', '.join(known)}")
        if isinstance(value, str):
            family = family_of(kind, name)
            if family is None:
                raise TypeError(f"{name} must be a number")
            names = codes(family)
            value = _ALIASES.get((family, value), value)
            if value.replace("-", "_") not in names:
                known = [n.replace("_", "-") for n in names]
                raise ValueError(f"{name} {value!r} is not one of {', '.join(known)}{nearest(value, known)}")
            value = names[value.replace("-", "_")]
        type_ = known[name]
        if issubclass(type_, ctypes.Array):
            value = [int(v) for v in (value if numpy.ndim(value) else [value])]
            if len(value) > type_._length_ or any(v < 0 for v in value):
                raise ValueError(f"{name} has at most {type_._length_} numbers, none of them negative")
            value = type_(*value)
        elif type_ in (ctypes.c_float, ctypes.c_double):
            value = float(value)
        else:
            value = whole(value, name, type_)
        setattr(made, name, value)
    return made


def block(size):
    """Memory for an object: zeros, aligned to 16 bytes."""
    memory = numpy.zeros(size + 16, numpy.uint8)
    skipped = -memory.ctypes.data % 16
    return memory[skipped:skipped + size]


def at(array):
    """The address of an array, which the caller keeps alive."""
    return array.ctypes.data


def number_by(name, *arguments, out=ctypes.c_double):
    """What a function writes that ends in a pointer to a number."""
    value = out()
    call(name, *arguments, ctypes.byref(value))
    return value.value


def size_by(name, *arguments):
    """What a function writes that ends in a size_t *."""
    return number_by(name, *arguments, out=ctypes.c_size_t)


def struct_by(struct, name, *arguments):
    """What a function writes that ends in a struct *."""
    out = STRUCTS[struct]()
    call(name, *arguments, ctypes.byref(out))
    return out


def fields(struct):
    """The numbers of a struct as a dictionary."""
    return {name: getattr(struct, name) for name, _ in struct._fields_ if name not in ("struct_size", "reserved")}


def run_to_end(step, budget, report):
    """Steps to the end, some 50 ms each: between them Python handles Ctrl-C and other threads. However the work is
    cut, the results are the same bits."""
    while True:
        began = time.perf_counter()
        if step(budget) == CODE_DONE:
            break
        spent = max(time.perf_counter() - began, 1e-6)
        budget = int(min(max(budget * min(max(0.05 / spent, 0.5), 2.0), 1), 2**48))
        report()
    report()


CODE_DONE = next(code for code, name in STATUSES.items() if name == "LCC_DONE")


def share_of(handle):
    """The share of an object's work that is done."""
    progress = struct_by("lcc_progress", "lcc_read_progress", handle)
    return min(progress.done / progress.total, 1.0) if progress.total else 0.0
