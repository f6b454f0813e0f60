#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A planned farm against its alternatives on the emulated star of examples/master-workers.xml: prints CSV, one row a run,
and the medians of the claims at the end.

usage: lab_scatter.py BUILD_DIR [--repeats N] [--items N]

The master only sends and receives. A record has 1 KiB, and the fastest worker needs some 2.4 times as long for its ray as its
transfer takes. The schedules alternate within one repetition; ratios are taken within a repetition. Needs root (hs lab)."""
import csv, os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from cluster import Cluster, claim, claims_begin, parser

SCHEDULES = ("planned", "equal", "proportional", "dynamic")


def run(cluster, items, schedule):
    return cluster.run("hs-scatter", "--items", items, "--item-bytes", 1024, "--master", "idle", "--verify", "sample",
                       "--schedule", schedule)


def measure(cluster, repeats, items):
    out = csv.writer(sys.stdout)
    out.writerow("repeat schedule time_s planned_s corrections efficiency checksum".split())
    rows = []
    for repeat in range(repeats):
        row = {s: run(cluster, items, s) for s in SCHEDULES}
        for s, r in row.items():
            out.writerow([repeat, s, f"{r['time']:.4f}", f"{r['planned_time']:.4f}", r["rebalances"],
                          f"{r['efficiency']:.4f}", r["checksum"]])
        sys.stdout.flush()
        rows.append(row)
    return rows


def main():
    line = parser(__doc__)
    line.add_argument("--items", type=int, default=40000)
    words = line.parse_args()
    with Cluster(words.build, "bench-scatter", "master-workers.xml") as cluster:
        rows = measure(cluster, words.repeats, words.items)
    claims_begin()
    for schedule, target in (("equal", ">= 1.8"), ("proportional", ">= 1.15"), ("dynamic", ">= 1")):
        claim(f"planned against {schedule}, times faster", [r[schedule]["time"] / r["planned"]["time"] for r in rows],
              target)
    claim("measured over planned time", [r["planned"]["time"] / r["planned"]["planned_time"] for r in rows])


main()
