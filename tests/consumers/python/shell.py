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
import zipfile
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

import numpy as np

import lcc
from lcc.page import command

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
                      "ffi/src/lib.rs", "ffi/build.rs", "cli/src/main.rs", "cli/data/gas_turbine_nox.csv",
                      "core/model/src/report/page/style.css", "include/lcc.h", "include/lcc/f64.h", "ffi/python/src/lcc/py.typed")
            self.assertFalse({f"{base}/{file}" for file in needed} - set(names))
            self.assertFalse([n for n in names if "__pycache__" in n or n.startswith((f"{base}/tests", f"{base}/cli/tests"))])
            if shutil.which("cargo"):
                said = subprocess.run(["cargo", "metadata", "--offline", "--no-deps", "--format-version", "1"], cwd=tree,
                                      capture_output=True, text=True, check=True).stdout
                self.assertEqual({p["name"] for p in json.loads(said)["packages"]}, {"lcc-core", "lcc-hooks", "lcc-model", "lcc-cli", "lcc-ffi"})
            make = "import sys; sys.path.insert(0, 'ffi/python'); import backend; backend.build_wheel(sys.argv[1])"
            environment = {**os.environ, "LCC_LIBRARY": lcc.PATH}
            subprocess.run([sys.executable, "-c", make, folder], cwd=tree, env=environment, check=True)
            self.assertEqual(len(list(Path(folder).glob("*.whl"))), 1)
            with zipfile.ZipFile(*Path(folder).glob("*.whl")) as wheel:
                self.assertFalse([n for n in wheel.namelist() if ".data/" in n], "no command beside a library that was given")
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

    def test_it_carries_the_command(self):
        """pip put it beside this Python; it is the one that was given, and the package finds it."""
        self.assertEqual(Path(command()).parent, Path(sys.executable).parent)
        ran = subprocess.run([command(), "--version"], capture_output=True, text=True, check=True)
        self.assertIn(lcc.__version__, ran.stdout)
        backend = module("backend")
        with tempfile.TemporaryDirectory() as folder:
            given = {"LCC_LIBRARY": lcc.PATH, "LCC_PROGRAM": command()}
            with mock.patch.dict(os.environ, given):
                wheel = Path(folder) / backend.build_wheel(folder)
            self.assertLess(wheel.stat().st_size, 8e6)
            with zipfile.ZipFile(wheel) as packed:
                own = next(entry for entry in packed.infolist() if entry.filename.endswith(".data/scripts/lcc"))
                self.assertEqual((own.external_attr >> 16, packed.read(own)), (0o100755, Path(command()).read_bytes()))
            with mock.patch.dict(os.environ, {**given, "LCC_PROGRAM": "/no/lcc"}), self.assertRaisesRegex(SystemExit, "LCC_PROGRAM is /no/lcc"):
                backend.build_wheel(folder)


class Html(unittest.TestCase):
    """The page of `lcc report`."""

    def test_it_is_that_of_the_command(self):
        """Arrays and data frames give the page that the command writes for a CSV of the same rows."""
        import pandas

        rng = np.random.default_rng(5)
        x = rng.normal(size=(80, 2))
        frame = pandas.DataFrame({"a, b": x[:, 0] / 3, "town": rng.choice(["Bern", 'the "O"'], 80), "gap": x[:, 1]})
        frame.loc[3, "gap"] = np.nan
        y = pandas.Series(x[:, 0] + 0.1 * x[:, 1], name="size")
        model = lcc.fit(frame, y, missing="mean", **SHORT)
        page = model.to_html(frame[:40], y[:40], level=0.8)
        self.assertIn("evaluated by 40 rows", page)
        self.assertIn("promised 80 %", page)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.html"
            self.assertEqual(model.to_html(frame[:40], y[:40], path, 0.8), page)
            self.assertEqual(path.read_text("utf-8"), page)
            model.save(Path(folder) / "model.lcc")
            frame[:40].assign(size=y[:40]).to_csv(Path(folder) / "rows.csv", index=False)
            subprocess.run([command(), "report", "--model", "model.lcc", "--data", "rows.csv", "--interval", ".8", "-o", "own.html"],
                           cwd=folder, check=True)
            own = (Path(folder) / "own.html").read_text("utf-8")
        # The file's checksum is of its bytes.
        parts = [re.split(r"<h2>Where this comes from", text)[0] for text in (own, page)]
        self.assertEqual(*parts)
        rmse = model.evaluate(frame[:40], y[:40])["rmse"]
        self.assertIn(f"typical error of {rmse:.4g}", page)
        self.assertIn("srcdoc=\"&lt;!DOCTYPE html&gt;", page._repr_html_())
        self.assertEqual(repr(page), "<Page: What was learnt of size>")
        figures = page.figures
        self.assertLessEqual({"Predicted against measured values", "What the model expects along a, b",
                              "Promised probability against the share of rows that kept it"}, set(figures))
        for figure in figures.values():
            self.assertEqual(ElementTree.fromstring(figure).tag, "{http://www.w3.org/2000/svg}svg")
            self.assertNotIn("var(", figure)
            self.assertIn("data:image/svg+xml;base64,", figure._repr_html_())
        self.assertNotIn("evaluated by", model.to_html())
        self.assertNotIn("RMSE", model.to_html(frame[:9]))

    def test_arrays_classes_and_refusals(self):
        x = np.random.default_rng(6).normal(size=(60, 2))
        single = lcc.fit(x.astype(np.float32), x[:, 0].astype(np.float32), **SHORT)
        self.assertIn("x1", single.to_html(x.astype(np.float32), x[:, 0].astype(np.float32)))
        sort = lcc.fit(x, x[:, 0] > 0, **SHORT)
        accuracy = sort.evaluate(x, x[:, 0] > 0)["accuracy"]
        self.assertIn(f"{100 * accuracy:.1f} %", sort.to_html(x, x[:, 0] > 0))
        for call, sentence in ((lambda: single.to_html(x[:, :1], x[:, 0]), "inputs|columns"), (lambda: single.to_html(None, x[:, 0]), "x is None"),
                               (lambda: single.to_html(x, x[:, 0], level=2), "--interval takes a number between 0 and 1")):
            with self.assertRaisesRegex(ValueError, sentence):
                call()
        with mock.patch.dict(os.environ, {"LCC_PROGRAM": "/no/lcc"}), self.assertRaisesRegex(FileNotFoundError, "/no/lcc"):
            single.to_html()


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
