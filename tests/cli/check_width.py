# SPDX-License-Identifier: BSD-3-Clause
"""Checks pages of hs report as a browser lays them out: check_width.py CHROMIUM FOLDER PAGE.html...

On a phone, a tablet and a desk no page is wider than the window, what is wider scrolls in a box of its own, and no text of a
picture is cut off or stands on another."""
import html
import os
import re
import subprocess
import sys

WIDTHS = 400, 800, 1280
SCRIPT = """onload = () => {
  const told = [];
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, width = page.documentElement.clientWidth;
    const tell = (text) => told.push(frame.title + " at " + width + ": " + text);
    if (!page.querySelector("table")) tell("no page");
    if (page.documentElement.scrollWidth > width) tell(page.documentElement.scrollWidth + " wide");
    for (const box of page.querySelectorAll(".scroll, h1, p, pre, dd, figure"))
      if (box.getBoundingClientRect().right > width + 1) tell(box.tagName + " reaches over the edge");
    for (const cell of page.querySelectorAll("td.w"))
      if (cell.getBoundingClientRect().width < 120) tell("a column of text is " + cell.getBoundingClientRect().width + " wide");
    for (const picture of page.querySelectorAll("svg")) {
      const edge = picture.getBoundingClientRect();
      const texts = [...picture.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
      for (const [text, a] of texts)
        if (a.left < edge.left - 1 || a.right > edge.right + 1 || a.top < edge.top - 1 || a.bottom > edge.bottom + 1)
          tell("'" + text + "' is cut off");
      texts.forEach(([text, a], i) => { for (const [other, b] of texts.slice(0, i))
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.35 * a.height)
          tell("'" + text + "' stands on '" + other + "'"); });
    }
  }
  document.getElementById("told").textContent = "laid out\\n" + told.join("\\n");
};"""

browser, folder, pages = sys.argv[1], sys.argv[2], sys.argv[3:]
frames = "".join(f'<iframe title="{os.path.basename(page)}" width="{width}" height="800" src="file://{os.path.abspath(page)}"></iframe>'
                 for page in pages for width in WIDTHS)
outer = os.path.join(folder, "frames.html")
with open(outer, "w", encoding="utf-8") as out:
    out.write(f'<!DOCTYPE html><meta charset="utf-8">{frames}<pre id="told"></pre><script>{SCRIPT}</script>')
done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--virtual-time-budget=5000",
                       f"--user-data-dir={folder}/profile", "--dump-dom", f"file://{os.path.abspath(outer)}"],
                      capture_output=True, text=True, check=False)
told = re.search(r'<pre id="told">laid out\n(.*?)</pre>', done.stdout, re.S)
if not told:
    print(f"skipped: {browser} lays out nothing: {done.stderr[-300:]}")
    sys.exit(77)
if told[1].strip():
    sys.exit(html.unescape(told[1]))
