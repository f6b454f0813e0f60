#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Rows, a grid and columns of boxes on emulated clusters of 2, 6 and 13 hosts: prints CSV, one row a run, and the medians of
the claims at the end.

usage: lab_layouts.py BUILD_DIR [--repeats N] [--iterations K] [--hosts 2,6,13]

The layouts alternate within one repetition; ratios to rows are taken within one. A square and a flat domain of as many
points. halo_bytes is what all ranks together receive in a sweep, busiest_halo what the busiest one does; planned_s is the
model's step time when the run ended. Needs root (hs lab)."""
import csv, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lab"))
from cluster import Cluster, claim, claims_begin, parser

CLUSTERS = {2: ("two-switches.xml", ("a1", "b2")), 6: ("two-switches.xml", ()),
            13: (os.path.join(HERE, "three-switches.xml"), ())}
DOMAINS = {"square": (1200, 1200), "flat": (300, 4800)}
LAYOUTS = ["rows", "grid", "columns"]


def repetition(cluster, out, hosts, repeat, iterations, seen):
    for domain, (rows, cols) in DOMAINS.items():
        for layout in LAYOUTS:
            r = cluster.run("hs-stencil", "--rows", rows, "--cols", cols, "--iterations", iterations, "--intensity", 60,
                            "--layout", layout, hosts=CLUSTERS[hosts][1])
            step = r["time"] / iterations
            seen.setdefault((hosts, domain, layout), []).append((step, r["planned_step"], r["efficiency"]))
            out.writerow([hosts, domain, repeat, layout, f"{step:.4f}", f"{r['planned_step']:.4f}", sum(r["halo_bytes"]),
                          max(r["halo_bytes"]), r["rebalances"], f"{r['efficiency']:.3f}"])
            sys.stdout.flush()


def tell(seen):
    claims_begin()
    for (hosts, domain, layout), runs in seen.items():
        what = f"{hosts} hosts, {domain}, {layout}:"
        claim(f"{what} efficiency", [efficiency for _, _, efficiency in runs])
        if layout != "rows":
            claim(f"{what} step over that of rows", [a[0] / b[0] for a, b in zip(runs, seen[hosts, domain, "rows"])])
            claim(f"{what} planned step over measured", [planned / step for step, planned, _ in runs], "0.9 to 1.1")


def main():
    made = parser(__doc__)
    made.add_argument("--iterations", type=int, default=60)
    made.add_argument("--hosts", default="2,6,13", help="some of 2, 6 and 13")
    a = made.parse_args()
    out = csv.writer(sys.stdout)
    out.writerow("hosts domain repeat layout step_s planned_s halo_bytes busiest_halo moves efficiency".split())
    seen = {}
    for hosts in map(int, a.hosts.split(",")):
        with Cluster(a.build, "bench-boxes", CLUSTERS[hosts][0]) as cluster:
            for repeat in range(a.repeats):
                repetition(cluster, out, hosts, repeat, a.iterations, seen)
    tell(seen)


main()
