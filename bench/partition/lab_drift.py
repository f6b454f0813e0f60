#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that nobody here wrote and that repartition (unmodified.py), while the fastest host drops to a quarter of its speed: prints CSV,
one row a run, and the medians of the claims at the end.

usage: lab_drift.py BUILD_DIR [--repeats N] [--only NAME,...]

Six hosts of speeds 8 6 4 : 4 3 2; their meshes stay about as large as they are. The speed changes when the program prints that a third of
the run is over.
  whole     all hosts at their speeds, and targets by them
  slow      the host slow from the start, and targets by these speeds
  on        the speed changes, and targets follow
  static    the speed changes, and targets stay those of the start (HS_BALANCE=static)
  off       the speed changes, and parts are equal: the program by itself
A clairvoyant run takes as long as whole before the change and as slow after it. The variants alternate within a repetition; ratios
are taken within one. Needs root (hs lab)."""
import csv, os, re, sys, tempfile, time
from unmodified import REPARTITIONING, last_targets, prepare, run
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from cluster import Cluster, claim, claims_begin, parser, write_changed

PLATFORM, HOST, FACTOR = "two-switches.xml", "a1", 0.25

# The host's speed before and after the change, HS_PARTITION, HS_BALANCE. The file has the speed before.
VARIANTS = {"whole": (1, 1, "on", "static"), "slow": (FACTOR, FACTOR, "on", "static"), "on": (1, FACTOR, "on", "on"),
            "static": (1, FACTOR, "on", "static"), "off": (1, FACTOR, "off", "off")}


class Clock:
    """When the program began to compute, when a third of its run was over, and when its last line came."""

    def __init__(self, of, act):
        self.of, self.act, self.begin, self.change, self.last = of, act, None, None, None

    def see(self, line):
        self.last = time.monotonic()
        mark = re.match(self.of.mark, line)
        if mark and self.begin is None:
            self.begin = self.last
        if mark and self.change is None and float(mark[1]) >= self.of.end / 3:
            self.act()
            self.change = self.last

    def seconds(self):
        """Before the change and after it."""
        return self.change - self.begin, self.last - self.change


def measure(cluster, place, of, repeat, variant, out):
    before, after, mode, balance = VARIANTS[variant]
    platform = os.path.join(os.path.dirname(place), "platform.xml")
    clock = Clock(of, lambda: cluster.speed(HOST, after))
    write_changed(platform, PLATFORM, HOST, before)
    cluster.speed(HOST, before)
    report, answer = run(cluster, place, of.program, mode, platform, clock.see, HS_BALANCE=balance)
    changes, targets = last_targets(report, of.program.call)
    out.writerow([of.name, repeat, variant, *(f"{s:.3f}" for s in clock.seconds()), f"{report['efficiency']['load_balance']:.3f}",
                  changes, " ".join(f"{target:.1f}" for target in targets), answer])
    sys.stdout.flush()
    return clock.seconds()


def tell(name, rows):
    total = [{variant: sum(seconds) for variant, seconds in row.items()} for row in rows]
    claim(f"{name}: targets that follow against clairvoyant, times its time",
          [t["on"] / (row["whole"][0] + row["slow"][1]) for t, row in zip(total, rows)])
    claim(f"{name}: targets that follow against those of the start, times faster", [t["static"] / t["on"] for t in total])
    claim(f"{name}: targets that follow against the program by itself, times faster", [t["off"] / t["on"] for t in total])


def main():
    line = parser(__doc__)
    line.add_argument("--only", default="")
    words = line.parse_args()
    out, found = csv.writer(sys.stdout), {}
    out.writerow("program repeat variant before_s after_s load_balance changes last_targets_percent answer".split())
    with Cluster(words.build, "bench-parts-drift", PLATFORM) as cluster, tempfile.TemporaryDirectory() as folder:
        for of in REPARTITIONING:
            if not any(only in of.name for only in words.only.split(",")):
                continue
            place = prepare(folder, of.name, of.program)
            if place:
                found[of.name] = [{variant: measure(cluster, place, of, repeat, variant, out) for variant in VARIANTS}
                                  for repeat in range(words.repeats)]
    claims_begin()
    for name, rows in found.items():
        tell(name, rows)


main()
