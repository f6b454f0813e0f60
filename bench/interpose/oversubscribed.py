#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Is any program slower with the library preloaded, where ranks share cores? Prints CSV: one row a program and number of
ranks, with the medians of seconds and the median ratio of preloaded to bare runs with its 95 % interval.

usage: oversubscribed.py BUILD_DIR [--ranks N,...] [--only PROGRAM,...] [--ways WAY,...] [--seconds S] [--limit R]
                         [--budget S]

Bare and preloaded runs alternate; every row has six pairs at least. Rows whose interval holds the limit get more while the
budget lasts: "within" and "slower" tell on which side a row is, "open" that the budget was over first. A way is a value of
HS_WAIT; a run takes about S seconds bare. others: the part of the machine that other processes used; rows are only worth
reading when it is small. The exit status is 1 when a row is slower. MPIEXEC names the launcher of the MPI library that
BUILD_DIR is for."""
import argparse
import csv
import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from built import built
from paired import Launcher, Row, Usage, measure_all


class Bench:
    def __init__(self, build, seconds):
        self.seconds, self.launcher = seconds, Launcher(build)
        self.program = built(self.launcher.build, "bench", "interpose", "oversubscribed")

    def programs(self):
        return subprocess.run([self.program], check=True, stdout=subprocess.PIPE, text=True).stdout.split()

    def run(self, ranks, program, steps, way=None):
        """Seconds of the steps. way: None is bare."""
        settings = None if way is None else [f"HS_WAIT={way}"]
        return float(self.launcher.run(ranks, [self.program, program, str(steps)], settings, check=True).stdout)

    def steps(self, ranks, program, steps):
        """How many take about as long as was asked for, tried from `steps` on."""
        while True:
            seconds = self.run(ranks, program, steps)
            if seconds > self.seconds / 2 or steps > 1000000:
                return max(1, int(steps * self.seconds / seconds))
            steps = int(steps * min(16, max(2, self.seconds / seconds)))

    def rows(self, programs, ranks, ways):
        rows = []
        for program in programs:
            steps = 1
            for n in ranks:
                steps = self.steps(n, program, max(1, steps // 8))
                for way in ways:
                    def measure(preloaded, n=n, program=program, steps=steps, way=way):
                        return self.run(n, program, steps, way if preloaded else None)
                    rows.append(Row([program, n, steps, way], measure))
        return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--ranks", default="3,8")
    parser.add_argument("--only", default="")
    parser.add_argument("--ways", default="auto")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--limit", type=float, default=1.05)
    parser.add_argument("--budget", type=float, default=1080, help="seconds for all rows")
    words = parser.parse_args()
    bench, usage, slower = Bench(words.build, words.seconds), Usage(), 0
    out = csv.writer(sys.stdout)
    out.writerow("program ranks steps way pairs bare_seconds seconds ratio low high verdict".split())
    programs = words.only.split(",") if words.only else bench.programs()
    rows = bench.rows(programs, list(map(int, words.ranks.split(","))), words.ways.split(","))
    for row in measure_all(rows, words.limit, words.budget):
        if row.bare:
            out.writerow([*row.name, len(row.bare), f"{statistics.median(row.bare):.4f}",
                          f"{statistics.median(row.preloaded):.4f}", *(f"{x:.3f}" for x in row.interval()),
                          row.verdict(words.limit)])
        sys.stdout.flush()
        slower += row.verdict(words.limit) == "slower"
    print(f"# {len(rows)} rows, {slower} slower than {words.limit}, others used {usage.others():.2f} of the machine")
    sys.exit(slower > 0)


main()
