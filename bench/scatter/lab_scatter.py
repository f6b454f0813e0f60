#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A planned farm against its alternatives on the emulated star of examples/master-workers.xml: prints CSV, one row a run,
and the medians of the claims at the end.

usage: lab_scatter.py BUILD_DIR [--repeats N] [--items N]

The master only sends and receives. A record has 1 KiB, and the fastest worker needs some 2.4 times as long for its ray as its
transfer takes. The schedules alternate within one repetition; ratios are taken within a repetition. Needs root (hs lab)."""
import argparse, csv, json, os, statistics, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
PLATFORM = os.path.join(HERE, "..", "..", "examples", "master-workers.xml")
LAB = "bench-scatter"
SCHEDULES = ("planned", "equal", "proportional", "dynamic")


def run(build, items, schedule):
    words = [f"{build}/hs", "lab", "run", "--name", LAB, "--", f"{build}/hs-scatter", "--items", str(items),
             "--item-bytes", "1024", "--master", "idle", "--verify", "sample", "--schedule", schedule, "--json"]
    said = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    result = json.loads(said[said.index("{"):])
    if not result["verified"]:
        sys.exit(f"{schedule}: wrong answer")
    return result


def measure(build, repeats, items):
    out = csv.writer(sys.stdout)
    out.writerow("repeat schedule time_s planned_s corrections efficiency checksum".split())
    rows = []
    for repeat in range(repeats):
        row = {s: run(build, items, s) for s in SCHEDULES}
        for s, r in row.items():
            out.writerow([repeat, s, f"{r['time']:.4f}", f"{r['planned_time']:.4f}", r["rebalances"],
                          f"{r['efficiency']:.4f}", r["checksum"]])
        sys.stdout.flush()
        rows.append(row)
    return rows


def claim(text, values, target):
    print(f'"{text}",{statistics.median(values):.4g},{min(values):.4g},{max(values):.4g},"{target}"')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--items", type=int, default=40000)
    words = parser.parse_args()
    build = os.path.abspath(words.build)
    subprocess.run([f"{build}/hs", "lab", "down", "--name", LAB], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([f"{build}/hs", "lab", "up", "--name", LAB, PLATFORM], check=True, stdout=subprocess.DEVNULL)
    try:
        rows = measure(build, words.repeats, words.items)
    finally:
        subprocess.run([f"{build}/hs", "lab", "down", "--name", LAB], stdout=subprocess.DEVNULL)
    print("\nclaim,median,min,max,target")
    for schedule, target in (("equal", ">= 1.8"), ("proportional", ">= 1.15"), ("dynamic", ">= 1")):
        claim(f"planned against {schedule}, times faster", [r[schedule]["time"] / r["planned"]["time"] for r in rows],
              target)
    claim("measured over planned time", [r["planned"]["time"] / r["planned"]["planned_time"] for r in rows], "")


main()
