"""What a person sees at the keyboard: signatures, tables, bars, refusals; the wheel, the source distribution and the page."""

import importlib.util
import inspect
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import lcc

ROOT = Path(__file__).resolve().parents[3]
SHORT = {"chains": 8, "start_steps": 200, "warmup": 10, "draws": 4, "keep": 2, "leapfrogs": 20}


def module(name):
    """A program beside the package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "ffi" / "python" / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def normal(q):
    return -q @ q / 2, -q


class Shell(unittest.TestCase):
    def test_signatures_name_the_options(self):
        shown = inspect.signature(lcc.fit).parameters
        usual = {name: shown[name].default for name in ("method", "widths", "output", "draws", "precision", "penalty")}
        self.assertEqual(usual, {"method": "bnn", "widths": (20,), "output": None, "draws": 6, "precision": "auto",
                                 "penalty": "series"})
        self.assertTrue(all(p.kind is p.KEYWORD_ONLY for p in list(shown.values())[2:]))
        rows = np.random.default_rng(1).normal(size=(40, 1))
        self.assertEqual(lcc.fit(rows, rows[:, 0], **{**SHORT, **usual, "draws": 4}), lcc.fit(rows, rows[:, 0], **SHORT))
        self.assertEqual(inspect.signature(lcc.sample).parameters["warmup"].default, 100)
        stubs = module("stubs")
        self.assertEqual(stubs.PATH.read_text("utf-8"), stubs.text(), "python3 ffi/python/stubs.py writes it anew")
        compile(stubs.text(), "stub", "exec")
        for given, near in (({"width": 3}, "widths"), ({"thread": 2}, "threads"), ({"progres": True}, "progress"),
                            ({"activation": "thanh"}, "tanh"), ({"method": "laplac"}, "laplace")):
            with self.assertRaisesRegex((TypeError, ValueError), f"; is '{near}' meant"):
                lcc.fit(rows, rows[:, 0], **given)
        with self.assertRaisesRegex(TypeError, "is 'quantities' meant"):
            lcc.sample(normal, 1, quantitys=len)

    def test_a_sample_is_a_table(self):
        sample = lcc.sample(normal, 40, draws=100, seed=3)
        lines = str(sample).splitlines()
        self.assertEqual(repr(sample), str(sample))
        self.assertEqual(lines[0].split(), "mean error sd 5 % 50 % 95 % ESS bulk ESS tail R-hat".split())
        s = sample.summary
        exact = [f"{s.mean[2]:.4g}", f"{s.error[2]:.2g}", *(f"{v[2]:.4g}" for v in (s.sd, s.q5, s.median, s.q95)),
                 f"{s.ess_bulk[2]:.0f}", f"{s.ess_tail[2]:.0f}", f"{s.rhat[2]:.3f}"]
        self.assertEqual(lines[3].split(), ["x[2]", *exact])
        self.assertEqual((lines[-2], len(lines)), ("... 10 more", 33))
        self.assertEqual(lines[-1], f"16 chains of 100 draws. {sample.report}")
        named = lcc.sample(lambda q: (-0.5 * q["t"] ** 2, {"t": -q["t"]}), lcc.Parameters(t="free"), draws=100,
                           quantities=lambda q: {"<b>": [[q["t"], 1.0]]})
        self.assertEqual([line.split("  ")[0] for line in str(named).splitlines()[1:4]], ["t", "<b>[0, 0]", "<b>[0, 1]"])
        page = named._repr_html_()
        self.assertIn("<td>&lt;b&gt;[0, 1]</td><td>1</td>", page)
        self.assertEqual(page.count("<tr>"), 4)

    def test_parameters_say_what_is_wrong_with_them(self):
        rules = {"mu": "free", "p": {"constraint": "simplex", "size": 3}}
        self.assertEqual(repr(lcc.Parameters(**rules)), f"Parameters(mu='free', p={rules['p']!r})")
        for rule, sentence in (({"size": 3}, "'constraint' is missing: one of free, lower"), (3, "or a dictionary with one"),
                               ("simplx", "is not one of free.*; is 'simplex' meant"), ({"constraint": "lower", "lower": "a"}, "lower is"),
                               ({"constraint": "simplex", "sise": 3}, "no key 'sise'; is 'size' meant.*count, lower, upper"),
                               ({"constraint": "simplex", "size": 0}, "size is a whole number from 1, not 0"),
                               ({"constraint": "interval", "lower": 2, "upper": 1}, "LCC_ERROR_CONSTRAINT")):
            with self.assertRaisesRegex((TypeError, ValueError), f"(?i)parameter q: .*{sentence}|Parameter q.*{sentence}"):
                lcc.Parameters(mu="free", q=rule)

    def test_progress_is_a_bar_on_a_terminal(self):
        x = np.random.default_rng(1).normal(size=(40, 1))
        runs = (lambda bar: lcc.fit(x, x[:, 0], progress=bar, **SHORT), lambda bar: lcc.sample(normal, 1, draws=50, pilot=64, progress=bar),
                lambda bar: lcc.Vae.fit(x, latent=1, widths=(), steps=50, progress=bar))
        for run in runs:
            for terminal, bar, ends in ((True, True, "\r[##############################] 100 % 0:00\n"), (True, None, ""),
                                        (False, True, ""), (True, False, "")):
                with mock.patch("sys.stderr", io.StringIO()) as stream:
                    stream.isatty = lambda: terminal
                    run(bar)
                self.assertEqual(stream.getvalue()[-len(ends):] if ends else stream.getvalue(), ends)
            shares = []
            run(shares.append)
            self.assertEqual((sorted(shares), shares[-1]), (shares, 1.0))
            with self.assertRaisesRegex(TypeError, "progress is True, None or a function"):
                run("yes")

    def test_the_source_distribution_has_what_it_needs(self):
        """Its workspace is whole, its bytes are always the same, and a wheel comes from it."""
        backend = module("backend")
        with tempfile.TemporaryDirectory() as folder:
            name = backend.build_sdist(folder)
            archive = Path(folder) / name
            first = archive.read_bytes()
            self.assertEqual((backend.build_sdist(folder), archive.read_bytes()), (name, first))
            with tarfile.open(archive) as tar:
                names, base = tar.getnames(), name[:-len(".tar.gz")]
                tar.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
            tree = Path(folder) / base
            needed = ("PKG-INFO", "pyproject.toml", "Cargo.toml", "Cargo.lock", "LICENSE-MIT", "core/src/lib.rs",
                      "ffi/src/lib.rs", "ffi/build.rs", "include/lcc.h", "include/lcc/f64.h", "ffi/python/src/lcc/py.typed")
            self.assertFalse({f"{base}/{file}" for file in needed} - set(names))
            self.assertFalse([n for n in names if "__pycache__" in n or n.startswith((f"{base}/tests", f"{base}/core/model"))])
            if shutil.which("cargo"):
                said = subprocess.run(["cargo", "metadata", "--offline", "--no-deps", "--format-version", "1"], cwd=tree,
                                      capture_output=True, text=True, check=True).stdout
                self.assertEqual({p["name"] for p in json.loads(said)["packages"]}, {"lcc-core", "lcc-hooks", "lcc-ffi"})
            make = "import sys; sys.path.insert(0, 'ffi/python'); import backend; backend.build_wheel(sys.argv[1])"
            environment = {**os.environ, "LCC_LIBRARY": lcc.PATH}
            subprocess.run([sys.executable, "-c", make, folder], cwd=tree, env=environment, check=True)
            self.assertEqual(len(list(Path(folder).glob("*.whl"))), 1)
            del environment["LCC_LIBRARY"]
            ran = subprocess.run([sys.executable, "-c", make, folder], cwd=tree, env={**environment, "PATH": folder}, text=True,
                                 capture_output=True)
            self.assertRegex(ran.stderr, r"^LCC is built by Rust, .*install Rust from https://rustup.rs, or set LCC_LIBRARY .*\.\n$")


class Wheel(unittest.TestCase):
    def test_its_platform_is_what_the_library_asks_for(self):
        """As objdump reads it: the newest symbol of glibc, and no other library."""
        backend = module("backend")
        library = Path(lcc.PATH).read_bytes()
        said = subprocess.run(["objdump", "-T", "-p", lcc.PATH], capture_output=True, text=True, check=True).stdout
        newest = max(int(version) for version in re.findall(r"GLIBC_2\.(\d+)", said))
        needed = set(re.findall(r"NEEDED +(\S+)", said))
        self.assertLessEqual(needed, {"libc.so.6", "libm.so.6"})
        tag = backend.platform_tag(library)
        self.assertRegex(tag, rf"^manylinux_2_{max(newest, 5)}_x86_64$|^manylinux_2_{max(newest, 17)}_")
        self.assertRegex(backend.platform_tag(library + b"\0GLIBC_2.99\0"), "^manylinux_2_99_")
        self.assertRegex(backend.platform_tag(library + b"\0libblas.so.3\0"), "^linux_")


class Page(unittest.TestCase):
    def test_programs_of_the_readme_run(self):
        """With fewer and shorter chains."""
        page = (ROOT / "ffi" / "python" / "README.md").read_text("utf-8")
        program = "\n".join(re.findall(r"```python\n(.*?)```", page, flags=re.S))
        self.assertGreater(program.count("\n"), 20)
        short = f"""
import functools, lcc
for name in ("fit", "LCCRegressor", "LCCClassifier"):
    setattr(lcc, name, functools.partial(getattr(lcc, name), **{SHORT!r}))
"""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-c", short + program], check=True, cwd=folder)


if __name__ == "__main__":
    unittest.main()
