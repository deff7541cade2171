"""Uses the page as a reader would, beside the command line: drive.py PAGE BITS, folders that `lcc-page` made."""

import math
import os
import resource
import shutil
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from browser import Browser

ROOT = Path(os.environ["LCC_ROOT"])
LCC = os.environ["LCC"]
HERE = Path.cwd()
asked = []


class Server(SimpleHTTPRequestHandler):
    """That of `python3 -m http.server`, which keeps what it is asked for."""

    def log_request(self, code="-", size="-"):
        asked.append((self.path, int(code)))


def table(name, rows, row):
    """A file of rows by some numbers in [0, 1) that are not in step."""
    lines = [row(*(i * by % 1 for by in (.618034, .414214, .732051))) for i in range(1, rows + 1)]
    (HERE / name).write_text("\n".join(lines) + "\n")


def said(*given):
    """What `lcc fit` refuses with."""
    ran = subprocess.run([LCC, "fit", *given], capture_output=True, text=True, cwd=HERE)
    assert ran.returncode, given
    return [line.removeprefix("lcc: ") for line in ran.stderr.splitlines()]


def take(b, path):
    """Gives the page a file, and waits until it is read."""
    b.script("document.querySelector('#file').value = ''")
    b.type("#file", str(path))
    b.until("!document.querySelector('#about').textContent.startsWith('reading')")


def fit(b, **given):
    for name, value in given.items():
        b.choose("#" + name, str(value))
    b.click("#fit")


def done(b):
    """Waits for the end of a fit, and says what was wrong."""
    b.until("document.querySelector('#stop').hidden")
    return b.script("return document.querySelector('#result').hidden ? document.querySelector('#wrong').textContent : ''")


def taken(b, folder):
    """The model, from the folder of downloads."""
    path = folder / b.script("return document.querySelector('#model').download")
    path.unlink(missing_ok=True)
    b.click("#model")
    size = b.script("return fetch(document.querySelector('#model').href).then(r => r.arrayBuffer()).then(a => a.byteLength)")
    for _ in range(200):
        if path.is_file() and path.stat().st_size == size:
            return path
        threading.Event().wait(.05)
    raise AssertionError(f"{path}: not there")


def same(b, folder, data, seconds):
    """Runs the command that the page shows: the same bytes, which `lcc predict` reads."""
    model = taken(b, folder)
    own = HERE / "own"
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir()
    shutil.copy(data, own)
    command = b.text("#command")
    path = f"{Path(LCC).parent}{os.pathsep}{os.environ['PATH']}"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command + " --threads 1 --quiet", shell=True, cwd=own, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "PATH": path})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    native = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    ours = (own / model.name).read_bytes()
    assert ours == model.read_bytes(), f"{command}: other bytes"
    out = subprocess.run([LCC, "predict", "--model", str(model), "--data", str(data), "--predictions", "-"],
                         capture_output=True, text=True, check=True).stdout
    assert len(out.splitlines()) == len(Path(data).read_text().splitlines())
    print(f"{command}: the same {len(ours)} bytes; {seconds:.1f} s of CPU in the browser, {native:.1f} s by lcc fit")


LOOK = r"""
const wide = document.documentElement.scrollWidth, view = document.documentElement.clientWidth, bad = [];
if (wide > view) bad.push(`is ${wide} wide`);
for (const e of document.querySelectorAll('button, select, input:not(#file), .button'))
  if (e.offsetParent && (e.getBoundingClientRect().right > view || e.getBoundingClientRect().height < 20)) bad.push(e.id);
for (const e of document.querySelectorAll('select, input, progress'))
  if (!(e.labels?.length || e.getAttribute('aria-label'))) bad.push(`${e.id} has no label`);
return bad;
"""


def looks(b, name):
    for width, height in [(390, 844), (1280, 900)]:
        for dark in [False, True]:
            b.size(width, height, dark)
            bad = b.script(LOOK)
            assert not bad, f"{name} at {width}: {bad}"
            b.picture(HERE / f"{name}-{width}{'-dark' if dark else ''}.png")
    b.own_size()


def refusals(b):
    """What is wrong is said in the sentences of the command line."""
    (HERE / "none.csv").write_text("")
    (HERE / "short.csv").write_text("a,y\n1,2\n3\n")
    (HERE / "same.csv").write_text("a,y\n" + "1,2\n2,2\n3,2\n" * 5)
    (HERE / "text.csv").write_text("a,name,y\n" + "".join(f"{i},word {i},{i * 7 % 5}.5\n" for i in range(100)))
    (HERE / "mixed.csv").write_text("a,b,y\n" + "".join(f"{i},{'x' if i == 7 else i},{i * 7 % 5}.5\n" for i in range(40)))
    (HERE / "other.csv").write_text("a,z\n" + "".join(f"{i},{i * 7 % 5}\n" for i in range(40)))
    for name in ["none", "short"]:
        take(b, HERE / f"{name}.csv")
        assert b.text("#wrong").split("\n") == said("--data", f"{name}.csv"), b.text("#wrong")
        assert b.script("return document.querySelector('#fit').disabled")
    for name in ["same", "text", "mixed", "other"]:
        take(b, HERE / f"{name}.csv")
        fit(b, share=0)
        wrong = done(b)
        ours = said("--data", f"{name}.csv")
        # Remarks come first on standard error, and stand apart on the page.
        assert wrong and ours[-len(wrong.split("\n")):] == wrong.split("\n"), (wrong, ours)
        print("refused:", wrong)
    b.script("return take('huge.csv', 3e9)")
    assert b.text("#wrong") == "huge.csv: too large: 2 GB at most are read at once", b.text("#wrong")


def stops(b, folder):
    """A fit that takes long, stopped: what was drawn is a model; stopped twice: nothing, and the page goes on."""
    long = ROOT / "c_examples/data/gas_turbine_nox.csv"
    take(b, long)
    fit(b, share="0.2", method="ensemble")
    b.until("document.querySelector('#bar').value > .3")
    b.click("#stop")
    wrong = done(b)
    if not wrong:
        assert "Stopped early" in b.text("#said")
        subprocess.run([LCC, "show", str(taken(b, folder))], check=True, stdout=subprocess.DEVNULL)
    print("stopped:", wrong or b.text("#said"))
    fit(b, method="bnn")
    b.until("document.querySelector('#bar').value > .001")
    b.script("const s = document.querySelector('#stop'); s.click(); s.click()")
    assert done(b) == "Ended: there is no model."


def main():
    page, bits = sys.argv[1:]
    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *a: Server(*a, directory=str(HERE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_port}"
    folder = HERE / "downloads"
    b = Browser(folder)
    ready = "'ready' in document.body.dataset"
    b.call("/url", {"url": f"{site}/{page}/"})
    b.until(ready)
    assert b.text("#lanes") == "simd128, blocks of 8 chains", b.text("#lanes")
    looks(b, "empty")

    b.click("#example")
    b.until("!document.querySelector('#fit').disabled")
    (HERE / "example.csv").write_text(b.script("return new TextDecoder().decode(table.bytes)"))
    table("numbers.csv", 60, lambda u, v, w: f"{u:.3f},{v:.3f},{math.sin(6 * u) + v * w:.3f}")
    table("a class.csv", 60, lambda u, v, w: f"{u:.3f},{v:.3f},{'high' if u + .4 * w > .6 else 'low'}")
    table("counts.csv", 60, lambda u, v, w: f"{u:.3f},{v:.3f},{int(9 * u * w)}")
    for name, head in [("numbers", "a,b,the target"), ("a class", "a,b,y"), ("counts", "a,b,y")]:
        path = HERE / f"{name}.csv"
        path.write_text(head + "\n" + path.read_text())
    cases = [("example", dict(drop="idle")), ("numbers", dict(target="the target", share="0.2", seed=7)), ("a class", dict(target="y", share=0, seed=1)),
             ("counts", dict(target="y", share="0.1", seed=4294967295)),
             ("numbers", dict(target="the target", share=0, seed=3, method="laplace"))]
    for name, given in cases:
        take(b, HERE / f"{name}.csv")
        b.choose("#method", "bnn")
        b.choose("#drop", "")
        before = b.seconds()
        fit(b, **given)
        wrong = done(b)
        assert not wrong, wrong
        # The report: predictions against what was observed, calibration, inputs.
        body = b.text("#body")
        for heading in ["How well it predicts", "Calibration", "Which inputs matter", "Where this comes from"]:
            assert heading in body, heading
        assert b.script("return document.querySelectorAll('#body svg').length") > 5
        same(b, folder, HERE / f"{name}.csv", b.seconds() - before)
        if name == "numbers" and given.get("seed") == 7:
            looks(b, "result")
    refusals(b)
    stops(b, folder)
    assert not b.console(), b.console()
    assert set(asked) == {(f"/{page}/", 200)}, asked

    # Every line of the golden bits, those of networks among them.
    b.call("/url", {"url": f"{site}/{bits}/"})
    b.until(ready)
    got = b.script("return ask('bits')")
    golden = (ROOT / "tests/golden/bits.txt").read_text().splitlines()
    assert got == golden, [pair for pair in zip(got, golden) if pair[0] != pair[1]]
    print(f"{len(got)} golden bits by {b.text('#lanes')}")

    # From a file, without any server.
    b.call("/url", {"url": (HERE / page / "index.html").as_uri()})
    b.until(ready)
    take(b, HERE / "numbers.csv")
    before = b.seconds()
    fit(b, target="the target", share="0.2", seed=7)
    wrong = done(b)
    assert not wrong, wrong
    same(b, folder, HERE / "numbers.csv", b.seconds() - before)
    assert not b.console(), b.console()
    b.end()


main()
