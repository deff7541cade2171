"""The page of `lcc report` on a model, and its figures. The command writes it: the wheel carries it, beside Python."""

import base64
import csv
import html
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from . import columns, tables

_SVG = re.compile(r"<svg (.*?</title>)(.*?</svg>)", re.S)


class Figure(str):
    """A figure as SVG, a file of its own. Notebooks show it."""

    def _repr_html_(self):
        data = base64.b64encode(self.encode()).decode()
        return f'<img style="width:100%;max-width:30rem" src="data:image/svg+xml;base64,{data}"/>'


class Page(str):
    """A page as HTML. Notebooks show it. `figures` has its figures by their titles."""

    @property
    def figures(self):
        style = re.search(r"<style>(.*?)</style>", self, re.S)[1]
        # Colours of a light ground: a picture does not know what is around it, and not all that read SVG know variables.
        style = re.sub(r"^@media.*\n", "", style, flags=re.M) + "svg{font-family:system-ui,sans-serif;background:var(--ground)}"
        colours = dict(re.findall(r"--(\w+):(#\w+)", style))
        style = re.sub(r"var\(--(\w+)\)", lambda own: colours[own[1]], style)
        found = {}
        for head, body in _SVG.findall(self):
            title = html.unescape(re.search("<title>(.*?)</title>", head, re.S)[1])
            found[title] = Figure(f'<svg xmlns="http://www.w3.org/2000/svg" {head}<style>{style}</style>{body}')
        return found

    def __repr__(self):
        return f"<Page: {html.unescape(re.search('<title>(.*?)</title>', self, re.S)[1])}>"

    def _repr_html_(self):
        return f'<iframe style="width:100%;height:40rem;border:0" srcdoc="{html.escape(self)}"></iframe>'


def command():
    """The command `lcc`: LCC_PROGRAM, or that of the wheel, or the system's."""
    given, name = os.environ.get("LCC_PROGRAM"), "lcc.exe" if sys.platform == "win32" else "lcc"
    if given:
        return given
    users = sysconfig.get_path("scripts", f"{os.name}_user")
    for folder in (sysconfig.get_path("scripts"), Path(sys.executable).parent, users, Path(__file__).parents[1] / "bin"):
        if (Path(folder) / name).is_file():
            return str(Path(folder) / name)
    found = shutil.which("lcc")
    if found is None:
        raise FileNotFoundError("there is no command lcc, which writes the page: install a wheel of LCC, or set LCC_PROGRAM to "
                                "the full path of the command")
    return found


def _cells(own, of):
    """A column of a table as texts for `lcc`; nothing where a value is missing."""
    if own.levels:
        return [text or "" for text in of.levels()]
    return ["" if value != value else value for value in of.numbers.tolist()]


def _table(model, x, y, unknown):
    """Names and columns of rows, as the model has them."""
    rows, known = model._rows(x, y, unknown), model._columns
    if known is None or columns.names_of(x) is None:
        if known is not None and sum(own.width + own.indicator for own in known.inputs) != len(known.inputs):
            raise ValueError("the model was fitted to columns of words or with missing values: give x as a data frame")
        names = model.columns or [f"x{k + 1}" for k in range(rows.d)]
        table = rows.x.T.tolist()
    else:
        names = model.columns
        table = [_cells(*own) for own in zip(known.inputs, tables.cells_of(x, names))]
    if y is not None:
        target = columns.Column("y", (), ()) if known is None else known.target
        table.append(_cells(target, tables.Cells(y, "y")))
        names = [*names, target.name]
    return names, table


def page(model, x, y, level, unknown):
    """The page of `lcc report`, from the command."""
    if x is None and y is not None:
        raise ValueError("x is None: give the rows of y")
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "model.lcc")
        options = ["--model", "model.lcc", "-o", "page.html", "--interval", repr(float(level)), "--unknown", unknown]
        if x is not None:
            names, table = _table(model, x, y, unknown)
            with open(Path(folder) / "rows.csv", "w", newline="", encoding="utf-8") as file:
                write = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
                write.writerow(names)
                write.writerows(zip(*table))
            options += ["--data", "rows.csv", "--delimiter", "comma"]
            if y is not None:
                options += ["--target", names[-1]]
        ran = subprocess.run([command(), "report", *options], cwd=folder, capture_output=True, encoding="utf-8")
        if ran.returncode:
            raise ValueError("\n".join(line.removeprefix("lcc: ") for line in ran.stderr.splitlines()))
        return Page((Path(folder) / "page.html").read_text("utf-8"))


__all__ = ["Figure", "Page", "command", "page"]
