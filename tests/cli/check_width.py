# SPDX-License-Identifier: BSD-3-Clause
"""Checks pages of hs report as a browser lays them out: check_width.py CHROMIUM FOLDER PAGE.html...

On a phone, a tablet and a desk no page is wider than the window, what is wider scrolls in a box of its own, and no text of a
picture is cut off or stands on another. The same holds for what uPlot draws, and every page is looked at without scripts, too.
In light and dark colours texts differ from the page by a contrast of 4.5, lines and keys of colours by 3 (WCAG 2.1)."""
import html
import os
import re
import subprocess
import sys

WIDTHS = 360, 800, 1400
SCHEMES = {"light": WIDTHS, "dark": WIDTHS[:1]}
# Put before a page's own scripts: what is written on its canvases, and what goes wrong.
SPY = """<script>
const wrong = [], canvases = new Map();
onerror = (text) => wrong.push(text);
const own = CanvasRenderingContext2D.prototype, fill = own.fillText, clear = own.clearRect;
own.clearRect = function (...box) { canvases.set(this.canvas, []); clear.apply(this, box); };
own.fillText = function (text, x, y) {
  const m = this.measureText(text), t = this.getTransform();
  const corners = [[-m.actualBoundingBoxLeft, -m.actualBoundingBoxAscent], [m.actualBoundingBoxRight, m.actualBoundingBoxDescent]]
    .map(([dx, dy]) => new DOMPoint(x + dx, y + dy).matrixTransform(t));
  const [xs, ys] = [corners.map((c) => c.x), corners.map((c) => c.y)];
  canvases.get(this.canvas).push([text, {left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys),
                                         height: Math.max(...ys) - Math.min(...ys)}]);
  fill.call(this, text, x, y);
};
</script>"""
SCRIPT = """const look = () => {
  const told = [];
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, width = page.documentElement.clientWidth, bare = frame.hasAttribute("sandbox");
    const tell = (text) => told.push(frame.title + " at " + width + (bare ? " without scripts: " : ": ") + text);
    const check = (texts, edge) => {
      for (const [text, a] of texts)
        if (a.left < edge.left - 1 || a.right > edge.right + 1 || a.top < edge.top - 1 || a.bottom > edge.bottom + 1)
          tell("'" + text + "' is cut off");
      texts.forEach(([text, a], i) => { for (const [other, b] of texts.slice(0, i))
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.35 * a.height)
          tell("'" + text + "' stands on '" + other + "'"); });
    };
    if (!page.querySelector("table")) tell("no page");
    compare(page, tell);
    if (page.documentElement.scrollWidth > width) tell(page.documentElement.scrollWidth + " wide");
    for (const box of page.querySelectorAll(".scroll, h1, p, pre, dd, figure, .plot, canvas"))
      if (box.getBoundingClientRect().right > width + 1) tell(box.tagName + " reaches over the edge");
    for (const cell of page.querySelectorAll("td.w"))
      if (cell.getBoundingClientRect().width < 120) tell("a column of text is " + cell.getBoundingClientRect().width + " wide");
    for (const picture of page.querySelectorAll("svg"))
      check([...picture.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]), picture.getBoundingClientRect());
    const plots = bare ? [] : [...page.querySelectorAll("script[type]")];
    for (const figure of page.querySelectorAll("figure"))
      if (figure.querySelector("svg").getBoundingClientRect().height > 10 != !plots.includes(figure.nextElementSibling))
        tell("'" + figure.querySelector("title, [aria-label]").textContent + "': the picture " + (bare ? "is hidden" : "stands beside its plot, or both are hidden"));
    if (bare) continue;
    const {wrong, canvases} = frame.contentWindow.eval("({wrong, canvases})");
    wrong.forEach(tell);
    const drawn = page.querySelectorAll(".plot canvas");
    if (drawn.length != plots.length) tell(drawn.length + " canvases for " + plots.length + " plots");
    for (const canvas of drawn) {
      const texts = canvases.get(canvas) || [];
      if (texts.length < 5) tell("only " + texts.length + " texts on a plot");
      if (canvas.getBoundingClientRect().width < 0.9 * canvas.closest("figure").clientWidth) tell("a plot is narrower than its figure");
      check(texts, {left: 0, top: 0, right: canvas.width, bottom: canvas.height});
    }
    if (plots.length) use(page, tell);
  }
  document.getElementById("told").textContent = "laid out, " + (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light") + "\\n" + told.join("\\n");
};
/* Contrasts with the page, which is as dark as the browser was told to like. */
const compare = (page, tell) => {
  const style = (element) => page.defaultView.getComputedStyle(element);
  const light = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + [0.2126, 0.7152, 0.0722][i] * c, 0);
  const ground = light(style(page.body).backgroundColor), dark = matchMedia("(prefers-color-scheme: dark)").matches;
  if (ground < 0.5 != dark) tell("a page whose ground is " + style(page.body).backgroundColor + " where " + (dark ? "dark" : "light") + " is asked for");
  const check = (elements, property, least) => {
    for (const colour of new Set([...page.querySelectorAll(elements)].map((element) => style(element)[property]))) {
      const other = light(colour), contrast = (Math.max(ground, other) + 0.05) / (Math.min(ground, other) + 0.05);
      if (!(contrast >= least)) tell("a contrast of " + contrast.toFixed(2) + " of " + property + " in " + elements + (dark ? ", dark" : ""));
    }
  };
  check("h1, h2, p, a, th, td, caption, figcaption, dd, pre", "color", 4.5);
  check("svg text", "fill", 4.5);
  check("figure path[stroke], figure circle, figure rect[stroke], figure line, .grid, .mark", "stroke", 3);
  check(".key rect", "fill", 3);
  const sheet = page.querySelector(".card .sheet");
  if (sheet && style(sheet).fill != style(page.body).backgroundColor) tell("a picture on " + style(sheet).fill);
};
/* By keyboard: the numbers of the second rank, then of the last one. */
const use = (page, tell) => {
  const plot = page.querySelector("#ranks .plot"), read = page.querySelector("#ranks .read");
  const press = (key) => { plot.dispatchEvent(new page.defaultView.KeyboardEvent("keydown", {key})); return read.textContent; };
  const last = page.querySelector("#ranks tbody").children.length - 1;
  if (plot.tabIndex != 0 || !plot.getAttribute("aria-label")) tell("a plot is not for the keyboard");
  if (!/^rank 1 on .*: start-up .*, compute [0-9.]+ m?s, wait /.test(press("ArrowRight"))) tell("the key to the right: " + read.textContent);
  if (!press("End").startsWith("rank " + last + " on ")) tell("the key End: " + read.textContent);
  if (press("q") != press("End")) tell("another key");
};
onload = () => setTimeout(look, 1000);"""

browser, folder, pages = sys.argv[1], sys.argv[2], sys.argv[3:]
for page in pages:
    spied = os.path.join(os.path.abspath(folder), "spied-" + os.path.basename(page))
    with open(page, encoding="utf-8") as source, open(spied, "w", encoding="utf-8") as out:
        out.write(source.read().replace("<head>", "<head>" + SPY, 1))
for scheme, widths in SCHEMES.items():
    frames = ""
    for page in pages:
        spied = os.path.join(os.path.abspath(folder), "spied-" + os.path.basename(page))
        for width in widths:
            for sandbox in "", 'sandbox="allow-same-origin"':
                frames += f'<iframe title="{os.path.basename(page)}" width="{width}" height="800" {sandbox} src="file://{spied}"></iframe>'
    outer = os.path.join(folder, "frames.html")
    with open(outer, "w", encoding="utf-8") as out:
        out.write(f'<!DOCTYPE html><meta charset="utf-8">{frames}<pre id="told"></pre><script>{SCRIPT}</script>')
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                           "--disable-component-update", "--disable-sync", "--allow-file-access-from-files", "--virtual-time-budget=10000",
                           f"--blink-settings=preferredColorScheme={int(scheme == 'light')}",
                           f"--user-data-dir={folder}/profile", "--dump-dom", f"file://{os.path.abspath(outer)}"],
                          capture_output=True, text=True, check=False)
    told = re.search(r'<pre id="told">laid out, (\w+)\n(.*?)</pre>', done.stdout, re.S)
    if not told:
        print(f"skipped: {browser} lays out nothing: {done.stderr[-300:]}")
        sys.exit(77)
    if told[2].strip():
        sys.exit(html.unescape(told[2]))
    if told[1] != scheme:
        print(f"not tried: {browser} shows no {scheme} page")
