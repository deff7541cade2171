"""The wheel, by one command and without any other package: `python3 backend.py FOLDER`, or `pip install ffi/python`.

It holds the package, the headers, the shared library and the command `lcc`: the files that LCC_LIBRARY and LCC_PROGRAM name.
Without either cargo builds both; with a library alone the wheel has no command.
`python3 backend.py --sdist FOLDER` makes the source distribution, from which `pip install` builds where Rust is.
"""

import base64
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NAME, DISTRIBUTION = "log_concave_coupling", "log-concave-coupling"
PROGRAM = "lcc.exe" if sys.platform == "win32" else "lcc"
SUFFIX = {"darwin": "liblcc.dylib", "win32": "lcc.dll"}.get(sys.platform, "liblcc.so")


def _version():
    return re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text("utf-8"), re.M)[1]


def _given(name, what):
    """The file that the environment names."""
    given = os.environ.get(name)
    if given and not Path(given).is_file():
        sys.exit(f"{name} is {given}, which is not a file: give the full path of {what}.")
    return Path(given) if given else None


def _cargo(folder, *options):
    subprocess.run(["cargo", "rustc", "--target-dir", folder, *options], cwd=ROOT, check=True)


def _library(folder):
    given = _given("LCC_LIBRARY", "liblcc's shared library")
    if given:
        return given
    if shutil.which("cargo") is None:
        sys.exit("LCC is built by Rust, and there is no cargo here: install a wheel of LCC, install Rust from https://rustup.rs, or set "
                 "LCC_LIBRARY to the full path of a shared library of LCC.")
    _cargo(folder, "-p", "lcc-ffi", "--lib", "--profile", "dist", "--features", "panic-handler", "--crate-type", "cdylib")
    return Path(folder) / "dist" / SUFFIX


def _program(folder):
    """The command; None where a library is given without one."""
    given = _given("LCC_PROGRAM", "the command lcc")
    if given or os.environ.get("LCC_LIBRARY"):
        return given
    _cargo(folder, "-p", "lcc-cli", "--release", "--", "-C", "strip=symbols")
    return Path(folder) / "release" / PROGRAM


def _metadata():
    return "\n".join([
        "Metadata-Version: 2.1", f"Name: {DISTRIBUTION}", f"Version: {_version()}",
        "Summary: Bayesian neural networks with honest uncertainty, and draws from log densities",
        "License: MIT OR Apache-2.0", "Requires-Python: >=3.9", "Requires-Dist: numpy>=1.21",
        "Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text("utf-8")])


# Of ELF's machines: the name, and the oldest glibc 2 that they have.
_MACHINES = {3: ("i686", 5), 62: ("x86_64", 5), 183: ("aarch64", 17), 21: ("ppc64le", 17), 22: ("s390x", 17)}


def platform_tag(library):
    """The platform that a library (its bytes) runs on: on Linux manylinux of the newest glibc that it has symbols of, as
    PEP 600 says, where it asks for no other libraries than the C library's. That of its machine, not of this one."""
    here = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    order = "big" if library[5] == 2 else "little"
    machine, floor = _MACHINES.get(int.from_bytes(library[18:20], order), (None, None))
    if not here.startswith("linux_") or machine is None:
        return here
    symbols = re.findall(rb"\0GLIBC_2\.(\d+)", library)
    others = {name for name in re.findall(rb"\0(lib[\w+-]+\.so(?:\.\d+)*)(?=\0)", library)
              if not re.match(rb"lib(c|m|dl|rt|pthread|gcc_s|lcc)\.so", name)}
    if not symbols or others:
        return f"linux_{machine}"
    return f"manylinux_2_{max(floor, *map(int, symbols))}_{machine}"


# What library and command are built from. Of the workspace's members these stay.
_MEMBERS = ("core", "core/hooks", "core/model", "cli", "ffi")
_SOURCES = ("Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT", "core/Cargo.toml", "core/src/**/*", "core/docs/**/*",
            "core/hooks/Cargo.toml", "core/hooks/src/**/*", "core/model/Cargo.toml", "core/model/src/**/*", "cli/Cargo.toml", "cli/src/**/*", "cli/data/*",
            "ffi/Cargo.toml", "ffi/build.rs", "ffi/src/**/*", "ffi/docs/**/*",
            "include/**/*", "ffi/python/*.*", "ffi/python/src/lcc/*.py*", "ffi/python/src/lcc/py.typed")


def get_requires_for_build_sdist(config_settings=None):
    return []


def build_sdist(sdist_directory, config_settings=None):
    """The tree, without what library and command do not need."""
    base, files = f"{NAME}-{_version()}", {}
    for pattern in _SOURCES:
        found = [path for path in ROOT.glob(pattern) if path.is_file() and path.suffix != ".pyc"]
        if not found:
            sys.exit(f"there is no {pattern} in {ROOT}: make the source distribution from LCC's tree.")
        files.update((path.relative_to(ROOT).as_posix(), path.read_bytes()) for path in found)
    cargo = (ROOT / "Cargo.toml").read_text("utf-8")
    members = ", ".join(f'"{member}"' for member in _MEMBERS)
    cargo = re.sub(r"^members = .*$", f"members = [{members}]", cargo, flags=re.M)
    files["Cargo.toml"] = re.sub(r"^(#.*\n)?default-members = .*\n", "", cargo, flags=re.M).encode()
    cli = files["cli/Cargo.toml"].decode()   # tests are not among them
    files["cli/Cargo.toml"] = re.sub(r"^\[dev-dependencies\]\n(.+\n)*\n", "", cli, flags=re.M).encode()
    project = files["ffi/python/pyproject.toml"].decode()
    project = project.replace('"README.md"', '"ffi/python/README.md"').replace('backend-path = ["."]', 'backend-path = ["ffi/python"]')
    files["pyproject.toml"], files["PKG-INFO"] = project.encode(), _metadata().encode()
    with open(Path(sdist_directory) / f"{base}.tar.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size, entry.mtime, entry.mode = len(files[name]), 315532800, 0o644   # as in the wheel
            archive.addfile(entry, io.BytesIO(files[name]))
    return f"{base}.tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        library, program = _library(folder).read_bytes(), _program(folder)
        program = program.read_bytes() if program else b""
    tag = f"py3-none-{platform_tag(library + program)}"
    wheel = f"{NAME}-{_version()}-{tag}.whl"
    info = f"{NAME}-{_version()}.dist-info"
    record = []
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:

        def put(name, content, mode=0o644):
            # A time of its own would make every wheel another.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr, entry.compress_type = mode << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")

        for file in sorted([*(HERE / "src" / "lcc").glob("*.py*"), HERE / "src" / "lcc" / "py.typed"]):
            put(f"lcc/{file.name}", file.read_bytes())
        for name in ("lcc.h", "lcc/f64.h"):
            put(f"lcc/include/{name}", (ROOT / "include" / name).read_bytes())
        put(f"lcc/{SUFFIX}", library)
        if program:
            put(f"{NAME}-{_version()}.data/scripts/{PROGRAM}", program, 0o100755)   # pip asks for a regular file
        for name in ("LICENSE-APACHE", "LICENSE-MIT"):
            put(f"{info}/licenses/{name}", (ROOT / name).read_bytes())
        put(f"{info}/METADATA", _metadata().encode())
        put(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: lcc\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        put(f"{info}/RECORD", ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode())
    return wheel


if __name__ == "__main__":
    wanted = [argument for argument in sys.argv[1:] if argument != "--sdist"] or ["."]
    print((build_sdist if "--sdist" in sys.argv else build_wheel)(wanted[0]))
