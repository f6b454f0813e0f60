#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the log of a run says of another platform (hs replay --platform) against a run there, on the emulated cluster: prints CSV,
one row a change, and the medians of foretold over measured at the end.

usage: lab_elsewhere.py BUILD_DIR [--repeats N] [--iterations K] [--intensity I]

Both are seconds an iteration of what the logs cover. Beside it what the run took before the change. Needs root (hs lab)."""
import csv, glob, json, os, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from cluster import EXAMPLES, Cluster, claim, claims_begin, parser, write_changed

LAB, PLATFORM = "bench-elsewhere", "two-switches.xml"
ROWS, COLS = 120, 20000
CHANGES = [(Cluster.link, "trunk", 4), (Cluster.link, "trunk", 0.5), (Cluster.speed, "a1", 0.5), (Cluster.speed, "b1", 0.25)]


class Bench:
    def __init__(self, lab, folder, words):
        self.lab, self.words, self.log = lab, words, os.path.join(folder, "log")

    def run(self, platform):
        """@return seconds an iteration, as the log has them"""
        for log in glob.glob(f"{self.log}*"):
            os.remove(log)
        os.environ.update(HS_PLATFORM=platform, HS_LOG_DECISIONS=self.log)
        self.lab.run("hs-stencil", "--rows", ROWS, "--cols", COLS, "--intensity", self.words.intensity, "--iterations",
                     self.words.iterations)
        return self.ask("measured")

    def ask(self, rule, *options):
        said = subprocess.run([f"{self.lab.build}/hs", "replay", self.log, "--json", *options], check=True, stdout=subprocess.PIPE).stdout
        layout, = json.loads(said)["layouts"]
        seconds, = [o["seconds"] for o in layout["outcomes"] if o["rule"] == rule]
        path, = glob.glob(f"{self.log}*")  # of the ring's first rank
        with open(path) as log:
            return seconds / sum(json.loads(line).get("iterations", 0) for line in log)


def main():
    p = parser(__doc__)
    p.add_argument("--iterations", type=int, default=300)
    p.add_argument("--intensity", type=int, default=20)
    words = p.parse_args()
    os.environ["HS_LOG"] = "warn"
    ratios = {change: [] for change in CHANGES}
    out = csv.writer(sys.stdout)
    out.writerow("repeat change here_s foretold_s measured_s".split())
    with tempfile.TemporaryDirectory() as folder, Cluster(words.build, LAB, PLATFORM) as lab:
        bench, there = Bench(lab, folder, words), os.path.join(folder, "there.xml")
        for repeat in range(words.repeats):
            for change in CHANGES:
                change_lab, name, factor = change
                write_changed(there, PLATFORM, name, factor)
                here = bench.run(os.path.join(EXAMPLES, PLATFORM))
                foretold = bench.ask("the run's rule", "--platform", there)
                change_lab(lab, name, factor)
                measured = bench.run(there)
                change_lab(lab, name, 1)
                ratios[change].append(foretold / measured)
                out.writerow([repeat, f"{name} x {factor}", f"{here:.4f}", f"{foretold:.4f}", f"{measured:.4f}"])
                sys.stdout.flush()
    claims_begin()
    for change, values in ratios.items():
        claim(f"{change[1]} x {change[2]}: foretold over measured", values)


main()
