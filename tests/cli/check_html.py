# SPDX-License-Identifier: BSD-3-Clause
"""Checks a page of hs report: check_html.py PAGE.html RUN.json

It must be one well-formed file that loads nothing, has its sections in order, can be read aloud and by keyboard, lets no text of
a picture stand on another, and has all of a picture within its frame. A page of a program with uPlot ends with one script and its
licence, and has the numbers of plots behind their pictures; any other page has no script."""
import html.parser
import json
import re
import sys

VOID = {"meta", "br", "hr", "img", "input", "link", "rect", "circle", "line", "path"}
SECTIONS = ["summary", "time", "hosts", "slices", "partitions", "ranks", "messages", "calls", "settings", "changes"]


def corners(tag, given):
    """Two corners of what is drawn; of a text where it begins or ends."""
    at = {name: float(given.get(name, 0)) for name in ("x", "y", "width", "height", "cx", "cy", "r", "x1", "y1", "x2", "y2")}
    if tag == "rect":
        return (at["x"], at["y"]), (at["x"] + at["width"], at["y"] + at["height"])
    if tag == "circle":
        return (at["cx"] - at["r"], at["cy"] - at["r"]), (at["cx"] + at["r"], at["cy"] + at["r"])
    if tag == "line":
        return (at["x1"], at["y1"]), (at["x2"], at["y2"])
    return ((at["y"], -at["x"]) if given.get("transform") == "rotate(-90)" else (at["x"], at["y"]),)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.order, self.pictures, self.rows = [], [], [], [], [], []
        self.text, self.cell, self.tables, self.figure, self.in_scroll = None, None, 0, 0, False
        self.scripts, self.after_figure, self.frame = [], False, None

    def handle_startendtag(self, tag, given):
        self.start(tag, dict(given))

    def handle_starttag(self, tag, given):
        self.start(tag, dict(given))
        if tag not in VOID or self.open and "svg" in self.open and tag != "meta":
            self.open.append(tag)

    def start(self, tag, given):
        if tag == "script":
            assert given in ({}, {"type": "application/json"}), f"<script {given}>"
            assert not given or self.after_figure, "numbers that stand behind no picture"
            self.scripts.append([bool(given), ""])
        self.after_figure = False
        assert tag not in ("iframe", "object", "link", "img"), f"<{tag}> in a page that must stand alone"
        for name, value in given.items():
            assert not name.startswith("on"), f"{tag} {name}"
            assert name not in ("src", "href", "xlink:href") or value.startswith("#"), f"{tag} {name}={value}"
        if "id" in given:
            self.ids.append(given["id"])
        if given.get("href"):
            self.links.append(given["href"][1:])
        if tag == "section":
            self.order.append(given["id"])
            self.section = given["id"]
        if tag == "svg":
            self.frame = [float(word) for word in given["viewbox"].split()]
        if tag == "svg" and given.get("aria-hidden") != "true":
            self.pictures.append([])
        if tag in ("rect", "circle", "line", "text") and given.get("width") != "100%":
            left, top, width, height = self.frame
            for x, y in corners(tag, given):
                assert left <= x <= left + width and top <= y <= top + height, (tag, given, self.frame)
        if tag == "figure":
            self.figure += 1
        if tag == "table":
            self.tables += 1
            assert self.in_scroll, "a table outside of a box that scrolls"
        if tag == "div" and "scroll" in given.get("class", ""):
            assert given.get("tabindex") == "0" and given.get("aria-label"), "what scrolls needs a name and the keyboard"
        if tag == "div":
            self.in_scroll = "scroll" in given.get("class", "")
        if tag == "th":
            assert given.get("scope") in ("col", "row"), "th without scope"
        if tag == "tr":
            self.rows.append((self.section, []))
        if tag in ("td", "th"):
            self.cell = ""
        if tag == "text":
            self.text = (given, "")

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1][1] += data
        if self.cell is not None:
            self.cell += data
        if self.text is not None:
            self.text = (self.text[0], self.text[1] + data)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()
        self.after_figure = tag == "figure"
        if tag == "div":
            self.in_scroll = False
        if tag in ("td", "th"):
            self.rows[-1][1].append(self.cell)
            self.cell = None
        if tag == "text":
            self.pictures[-1].append(self.text)
            self.text = None


def box(given, text):
    """Where a text stands, by letters of 0.55 of its height."""
    size = float(given.get("font-size", 9 if "stroke" in given else 12))
    width, x, y = 0.55 * size * len(text), float(given["x"]), float(given["y"])
    left = x - {"middle": width / 2, "end": width}.get(given.get("text-anchor"), 0)
    if given.get("transform") == "rotate(-90)":
        return y - 0.7 * size, -left - width, y + 0.2 * size, -left
    return left, y - 0.7 * size, left + width, y + 0.2 * size


page, source = Page(), open(sys.argv[1], encoding="utf-8").read()
page.feed(source)
page.close()
assert not page.open, page.open
assert source.startswith("<!DOCTYPE html>") and '<html lang="en">' in source and "viewport" in source
for text in (re.sub("<script>.*</script>", "", source, flags=re.S), *(text for data, text in page.scripts if not data)):
    text = text.replace("/*! https://github.com/leeoniya/uPlot", "")
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", text), "something is loaded from elsewhere"
    assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|\bimport\(", text), "a script that loads"
plots = [json.loads(text) for data, text in page.scripts if data]
codes = [text for data, text in page.scripts if not data]
assert len(codes) == (1 if plots else 0) and [plot["kind"] for plot in plots].count("ranks") == len(codes), (len(plots), len(codes))
assert all("The MIT License" in code and "Leon Sorokin" in code for code in codes), "uPlot without its licence"
for plot in plots:
    steps = len(plot["x"]) - 1
    assert steps > 0 and plot["x"] == sorted(plot["x"]) and plot["edge"], plot["kind"]
    assert all(len(edge) == steps for edge in plot["edge"]), plot["kind"]
    assert all(low <= high for lower, upper in zip(plot["edge"], plot["edge"][1:]) for low, high in zip(lower, upper)), plot["kind"]
    assert plot["kind"] != "slices" or plot["x"][0] == 0 and set(plot["edge"][-1]) == {1}, "parts of the units are not all of them"
assert "prefers-color-scheme:dark" in source and "@media print" in source
assert page.order == SECTIONS, page.order
assert len(page.ids) == len(set(page.ids)), sorted(i for i in page.ids if page.ids.count(i) > 1)
assert set(page.links) <= set(page.ids) and set(SECTIONS) <= set(page.links)
assert page.tables >= page.figure >= 2
for picture in page.pictures:
    boxes = [(box(given, text), text) for given, text in picture]
    for i, (a, one) in enumerate(boxes):
        for b, other in boxes[:i]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], f"'{one}' stands on '{other}'"
time = [cells for section, cells in page.rows if section == "time"][1:]
assert [cells[0] for cells in time] == ["start-up", "compute", "wait", "transfer", "library", "wall time"], time
seconds = [float(cells[1]) for cells in time]
assert abs(sum(seconds[:-1]) - seconds[-1]) < 4e-6, seconds
ranks = json.load(open(sys.argv[2], encoding="utf-8"))["ranks"]
for plot in plots:
    if plot["kind"] == "ranks" and len(ranks) <= 1000:
        assert plot["named"] and plot["x"] == list(range(len(ranks) + 1)), plot["x"]
        for kind, edge in enumerate(plot["edge"], 1):
            for r, upper in zip(ranks, edge):
                expected = sum(r.get(k, 0) for k in ("startup", "compute", "wait", "transfer", "library")[:kind])
                assert abs(upper - expected) <= 1e-4 * expected, (kind, r["rank"], upper, expected)
    elif plot["kind"] == "ranks":
        assert not plot["named"] and len(plot["x"]) == 1001 and plot["x"][-1] == len(ranks), plot["x"]
wall = sum(r.get("startup", 0) + r["run"] for r in ranks) / len(ranks)
assert abs(seconds[-1] - wall) < 1e-5 + 1e-6 * wall, (seconds, wall)
