#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: check_drawing.py DRAWING.svg [PLAN.json]

No text of a drawing is over another or outside of the picture, by boxes as wide as common fonts make them; with the plan of
a ring every host of it has its name, and going round the drawing one meets the hosts in the ring's order."""
import itertools, json, math, re, sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
EM, HEIGHT = 0.6, 0.9  # of the font's size: a mark's mean width in DejaVu Sans, and from the top of a capital to a tail


class Text:
    """A text's corners."""

    def __init__(self, element, size):
        self.words = "".join(element.itertext())
        size = float(element.get("font-size", size))
        x, y = float(element.get("x")), float(element.get("y"))
        width = EM * size * len(self.words)
        left = x - {"middle": width / 2, "end": width}.get(element.get("text-anchor"), 0)
        corners = [(left, y - 0.7 * size), (left + width, y - 0.7 * size), (left + width, y + 0.2 * size), (left, y + 0.2 * size)]
        turn = re.match(r"rotate\(([-0-9.]+) ([-0-9.]+) ([-0-9.]+)\)", element.get("transform", ""))
        angle, cx, cy = (math.radians(float(turn[1])), float(turn[2]), float(turn[3])) if turn else (0, 0, 0)
        c, s = math.cos(angle), math.sin(angle)
        self.corners = [(cx + c * (a - cx) - s * (b - cy), cy + s * (a - cx) + c * (b - cy)) for a, b in corners]

    def over(self, other):
        """Whether no side of either parts the two."""
        for corners in (self.corners, other.corners):
            for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
                mine, theirs = ([(px * (by - ay) - py * (bx - ax)) for px, py in t.corners] for t in (self, other))
                if max(mine) <= min(theirs) or max(theirs) <= min(mine):
                    return False
        return True


def check_ring(root, texts, plan):
    ring = [host["host"] for host in json.load(open(plan))["ring"]]
    words = {text.words.rstrip("…") for text in texts}
    at = {}
    for circle in root.iter(SVG + "circle"):
        title = circle.find(SVG + "title").text
        at[title[:title.rindex(": ")]] = float(circle.get("cx")), float(circle.get("cy"))
    unnamed = [host for host in ring if host not in words and host.split(".")[0] not in words]
    x, y = (sum(at[host][k] for host in ring) / len(ring) for k in (0, 1))
    angles = [math.atan2(at[host][1] - y, at[host][0] - x) for host in ring]
    steps = [(b - a) % (2 * math.pi) for a, b in zip(angles, angles[1:] + angles[:1])]
    turns = round(sum(steps) / (2 * math.pi))
    return [f"{host} has no name" for host in unnamed] + (
        [] if turns in (1, len(ring) - 1) else [f"the ring goes round {turns} times with {len(ring)} hosts"])


def main():
    root = ElementTree.parse(sys.argv[1]).getroot()
    left, top, width, height = map(float, root.get("viewBox").split())
    texts = [Text(element, root.get("font-size")) for element in root.iter(SVG + "text")]
    wrong = [f"'{a.words}' and '{b.words}' are over each other" for a, b in itertools.combinations(texts, 2) if a.over(b)]
    wrong += [f"'{t.words}' is not in the picture" for t in texts
              if any(not (left <= x <= left + width and top <= y <= top + height) for x, y in t.corners)]
    if len(sys.argv) > 2:
        wrong += check_ring(root, texts, sys.argv[2])
    sys.exit("\n".join(f"{sys.argv[1]}: {what}" for what in wrong) if wrong or not texts else 0)


main()
