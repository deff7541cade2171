"""A browser by the WebDriver protocol, with Python's library alone."""

import atexit
import base64
import json
import os
import subprocess
import time
import urllib.request
from pathlib import Path

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    def __init__(self, folder, width=1280, height=900, dark=False):
        folder = Path(folder).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        atexit.register(self.driver.terminate)
        for line in self.driver.stdout:
            if "on port" in line and "successfully" in line:
                self.at = f"http://127.0.0.1:{line.rstrip().rstrip('.').split()[-1]}/session"
                break
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     f"--user-data-dir={folder / 'profile'}", f"--window-size={width},{height}"]
        options = {"args": arguments + (["--force-dark-mode"] if dark else []),
                   "prefs": {"download.default_directory": str(folder)}}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
                  "timeouts": {"script": 600000}}
        self.at += "/" + self.call("", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def call(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.at + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=900) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    def script(self, text, *given):
        return self.call("/execute/sync", {"script": text, "args": list(given)})

    def element(self, css):
        return self.call("/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.call(f"/element/{self.element(css)}/click", {})

    def type(self, css, text):
        self.call(f"/element/{self.element(css)}/value", {"text": text})

    def text(self, css):
        return self.script("return document.querySelector(arguments[0]).textContent", css)

    def choose(self, css, value):
        self.script("const e = document.querySelector(arguments[0]); e.value = arguments[1];"
                    "if (e.value !== arguments[1]) throw Error('no such option')", css, value)

    def until(self, text, seconds=600):
        """Waits for an expression."""
        end = time.monotonic() + seconds
        while not self.script("return !!(" + text + ")"):
            assert time.monotonic() < end, "in vain: " + text
            time.sleep(0.1)

    def seconds(self):
        """CPU time of the browser, all its processes."""
        stats, ticks = {}, 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            stats[int(path.parent.name)] = (int(fields[1]), int(fields[11]) + int(fields[12]))
        for pid, (parent, own) in stats.items():
            while parent not in (0, 1, self.driver.pid):
                parent = stats.get(parent, (0, 0))[0]
            ticks += own if parent == self.driver.pid else 0
        return ticks / os.sysconf("SC_CLK_TCK")

    def console(self):
        return [line["message"] for line in self.call("/se/log", {"type": "browser"}) if line["level"] == "SEVERE"]

    def size(self, width, height, dark):
        """As a screen of this width, whose owner likes it light or dark."""
        for name, given in [("Emulation.setDeviceMetricsOverride",
                             {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}),
                            ("Emulation.setEmulatedMedia",
                             {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})]:
            self.call("/goog/cdp/execute", {"cmd": name, "params": given})

    def own_size(self):
        self.call("/goog/cdp/execute", {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})

    def picture(self, path):
        given = {"captureBeyondViewport": True, "format": "png"}
        got = self.call("/goog/cdp/execute", {"cmd": "Page.captureScreenshot", "params": given})
        Path(path).write_bytes(base64.b64decode(got["data"]))

    def end(self):
        self.call("", method="DELETE")
        self.driver.terminate()
        self.driver.wait()
