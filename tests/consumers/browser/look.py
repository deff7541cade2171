"""Lays pages out in headless Chromium at several widths, light and dark, and says what is wrong with them."""

import json
import re
import subprocess
import sys
from pathlib import Path

WIDTHS = [320, 390, 820, 1280]
DARK = "@media screen and (prefers-color-scheme:dark)"
# Run on each page in its frame: text is [what, rectangle].
SCRIPT = r"""
function ground(element) {
  for (let e = element; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor.match(/[\d.]+/g).map(Number);
    if (c.length < 4 || c[3] > 0) return c;
  }
  return [255, 255, 255];
}
function luminance(c) {
  const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b;
}
function look(frame, name) {
  const d = frame.contentDocument, root = d.documentElement, said = [], view = frame.contentWindow;
  const getComputedStyle = view.getComputedStyle.bind(view);
  if (root.scrollWidth > root.clientWidth) said.push(`is ${root.scrollWidth} wide`);
  let least = 99;
  const walk = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT);
  for (let t; t = walk.nextNode();) {
    const e = t.parentElement, style = getComputedStyle(e);
    if (!t.data.trim() || ['STYLE', 'SCRIPT', 'TITLE', 'title'].includes(e.tagName)) continue;
    const range = d.createRange();
    range.selectNodeContents(t);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue;
    const svg = e.closest('svg');
    const ink = (svg ? style.fill : style.color).match(/[\d.]+/g).map(Number);
    const [a, b] = [luminance(ink), luminance(ground(e))].sort((x, y) => y - x);
    const contrast = (a + .05) / (b + .05);
    least = Math.min(least, contrast);
    if (contrast < 4.5) said.push(`contrast ${contrast.toFixed(2)}: ${t.data.trim().slice(0, 40)}`);
    if (!e.closest('.wide, pre, nav') && box.right > root.clientWidth + 1)
      said.push(`ends at ${box.right.toFixed(0)}: ${t.data.trim().slice(0, 40)}`);
  }
  for (const svg of d.querySelectorAll('svg')) {
    const all = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].map(e => [e.textContent, e.getBoundingClientRect(), e])
      .filter(([, r]) => r.width > 0);
    texts.forEach(([what, r, e], i) => {
      if (r.left < all.left - 1 || r.right > all.right + 1 || r.top < all.top - 1 || r.bottom > all.bottom + 1)
        said.push(`is cut off: ${what.slice(0, 60)}`);
      // Boxes of turned text are not its own.
      if (e.getAttribute('transform')) return;
      for (const [other, o, f] of texts.slice(i + 1))
        if (!f.getAttribute('transform') && Math.min(r.right, o.right) - Math.max(r.left, o.left) > 1 &&
            Math.min(r.bottom, o.bottom) - Math.max(r.top, o.top) > 3)
          said.push(`on each other: ${what.slice(0, 30)} | ${other.slice(0, 30)}`);
    });
  }
  return [name, least, said];
}
"""


def main():
    pages = [Path(p).resolve() for p in sys.argv[1:]]
    frames = []
    for page in pages:
        text = page.read_text()
        assert "<script" not in text, page
        # What the reader's system asks for, asked for here.
        dark = page.with_name("dark-" + page.name)
        dark.write_text(text.replace(DARK, "@media screen"))
        style = page.parent / "style.css"
        if DARK not in text:
            sheets = re.findall(r'<link rel="stylesheet" href="([^"]*)"', text)
            assert sheets, f"{page}: no dark colours"
            for sheet in sheets:
                style = (page.parent / sheet).resolve()
                rules = style.read_text()
                assert DARK in rules, style
                style.with_name("dark-" + style.name).write_text(rules.replace(DARK, "@media screen"))
                own = str(Path(sheet).with_name("dark-" + Path(sheet).name))
                dark.write_text(dark.read_text().replace(f'href="{sheet}"', f'href="{own}"'))
        frames += [(path, width) for path in (page, dark) for width in WIDTHS]
    bad = 0
    least = 99.0
    for at in range(0, len(frames), 32):
        some = frames[at:at + 32]
        host = Path("host.html").resolve()
        host.write_text(
            "<!DOCTYPE html><html><body>"
            + "".join(f'<iframe src="{p.as_uri()}" title="{p.name} {w}" style="width:{w}px;height:900px;border:0"></iframe>'
                      for p, w in some)
            + f"<script>{SCRIPT}\nonload = () => {{ const all = [...document.querySelectorAll('iframe')]"
              ".map(f => look(f, f.title)); document.body.textContent = 'SAID' + JSON.stringify(all) + 'END'; };"
              "</script></body></html>")
        ran = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--allow-file-access-from-files",
             "--disable-dev-shm-usage", "--enable-logging=stderr", "--log-level=0", f"--user-data-dir={Path('profile').resolve()}", "--dump-dom",
             host.as_uri()], capture_output=True, text=True, timeout=300, check=True)
        told = re.search(r"SAID(.*)END", ran.stdout, re.S)
        assert told, ran.stdout[-2000:] + ran.stderr[-2000:]
        for line in ran.stderr.splitlines():
            if "CONSOLE" in line:
                bad += 1
                print("console:", line)
        told = json.loads(told.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        assert len(told) == len(some)
        for name, contrast, said in told:
            assert contrast < 99, f"{name}: no text"
            least = min(least, contrast)
            for what in said:
                bad += 1
                print(f"{name}: {what}")
    print(f"{len(pages)} pages at {len(WIDTHS)} widths, light and dark; least contrast {least:.2f}")
    sys.exit(bad > 0)


main()
