#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A link that drifts, on the emulated cluster: the trunk between the switches has half its bandwidth after a third of the run.
Prints CSV, one row a run, and the medians at the end.

usage: lab_links.py BUILD_DIR [--repeats N] [--iterations K] [--intensity I] [--factor F]

Against a clairvoyant run: a third of the iterations at the step of a run on the whole trunk, the rest at that of a run on the
narrow one with a file that says so, each the better of planned once and balanced. What the library tells of links is printed, too.
Needs root (hs lab)."""
import csv, os, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from cluster import EXAMPLES, Cluster, claim, claims_begin, parser, write_changed

LAB, PLATFORM, LINK = "bench-links", "two-switches.xml", "trunk"
ROWS, COLS = 120, 20000


class Bench:
    def __init__(self, lab, intensity):
        self.lab, self.intensity = lab, intensity
        self.out = csv.writer(sys.stdout)
        self.out.writerow("repeat variant time_s moves verified".split())

    def at(self, iteration, factor):
        return ["--at", f"{iteration}:{self.lab.build}/hs lab link --name {LAB} {LINK} {factor}"]

    def run(self, repeat, variant, platform, iterations, mode, *options):
        os.environ["HS_PLATFORM"] = platform
        r = self.lab.run("hs-stencil", "--rows", ROWS, "--cols", COLS, "--intensity", self.intensity, "--iterations",
                         iterations, "--balance", mode, *options)
        self.out.writerow([repeat, f"{variant}, {mode}", f"{r['time']:.4f}", r["rebalances"], r["verified"]])
        sys.stdout.flush()
        return r["time"]


def best_step(bench, repeat, variant, platform, iterations):
    return min(bench.run(repeat, variant, platform, iterations, mode) for mode in ("static", "on")) / iterations


def main():
    p = parser(__doc__)
    p.add_argument("--iterations", type=int, default=300)
    p.add_argument("--intensity", type=int, default=40)
    p.add_argument("--factor", type=float, default=0.5)
    words = p.parse_args()
    os.environ["HS_LOG"] = "info"
    wide, k, before = os.path.join(EXAMPLES, PLATFORM), words.iterations, words.iterations // 3
    price, gain = [], []
    with tempfile.TemporaryDirectory() as folder, Cluster(words.build, LAB, PLATFORM) as lab:
        after = os.path.join(folder, "narrow.xml")
        write_changed(after, PLATFORM, LINK, words.factor)
        bench = Bench(lab, words.intensity)
        for repeat in range(words.repeats):
            lab.link(LINK, 1)
            clairvoyant = before * best_step(bench, repeat, "whole", wide, k // 3)
            lab.link(LINK, words.factor)
            clairvoyant += (k - before) * best_step(bench, repeat, "narrow", after, k // 3)
            times = {}
            for mode in ("static", "on"):
                lab.link(LINK, 1)
                times[mode] = bench.run(repeat, "drifting", wide, k, mode, *bench.at(before, words.factor))
            price.append(times["on"] / clairvoyant)
            gain.append(times["static"] / times["on"])
    claims_begin()
    claim("the link drifts: balanced against clairvoyant, times its time", price, "<= 1.15")
    claim("the link drifts: balanced against planned once, times faster", gain)


main()
