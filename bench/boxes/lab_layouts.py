#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Rows, a grid and columns of boxes on the emulated cluster: prints CSV, one row a run, and the medians at the end.

usage: lab_layouts.py BUILD_DIR [--repeats N] [--iterations K]

The layouts alternate within one repetition; ratios to rows are quoted. A square and a flat domain of as many points.
halo_bytes is what all ranks together receive in a sweep, busiest_halo what the busiest one does. Needs root (hs lab)."""
import argparse, csv, json, os, statistics, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
PLATFORM = os.path.join(HERE, "..", "..", "examples", "two-switches.xml")
LAB = "bench-boxes"
DOMAINS = {"square": (1200, 1200), "flat": (300, 4800)}
LAYOUTS = ["rows", "grid", "columns"]


def run(build, layout, rows, cols, iterations):
    words = [f"{build}/hs", "lab", "run", "--name", LAB, "--", f"{build}/hs-stencil", "--rows", str(rows), "--cols",
             str(cols), "--iterations", str(iterations), "--intensity", "60", "--layout", layout, "--json"]
    said = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    result = json.loads(said[said.index("{"):])
    if not result["verified"]:
        sys.exit(f"{layout}: wrong answer")
    return result


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=60)
    a = parser.parse_args()
    out = csv.writer(sys.stdout)
    out.writerow("domain repeat layout step_s halo_bytes busiest_halo moves efficiency".split())
    step = {}
    subprocess.run([f"{a.build}/hs", "lab", "up", PLATFORM, "--name", LAB], check=True, stdout=subprocess.DEVNULL)
    try:
        for repeat in range(a.repeats):
            for domain, (rows, cols) in DOMAINS.items():
                for layout in LAYOUTS:
                    r = run(a.build, layout, rows, cols, a.iterations)
                    step.setdefault((domain, layout), []).append(r["time"] / a.iterations)
                    out.writerow([domain, repeat, layout, f"{r['time'] / a.iterations:.4f}", sum(r["halo_bytes"]),
                                  max(r["halo_bytes"]), r["rebalances"], f"{r['efficiency']:.3f}"])
                    sys.stdout.flush()
    finally:
        subprocess.run([f"{a.build}/hs", "lab", "down", "--name", LAB], stdout=subprocess.DEVNULL)
    for domain in DOMAINS:
        for layout in LAYOUTS[1:]:
            ratios = [t / r for t, r in zip(step[domain, layout], step[domain, "rows"])]
            print(f"# {domain}: step of {layout} over that of rows: median {statistics.median(ratios):.3f}, "
                  f"{min(ratios):.3f} to {max(ratios):.3f}")


main()
