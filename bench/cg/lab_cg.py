#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Conjugate gradients on unequal rows and unequal hosts: each half of balancing alone, and both. Prints CSV, one row a run, and the
medians of the claims at the end.

usage: lab_cg.py BUILD_DIR [--repeats N] [--scale X]

Hosts of speeds 8 6 4 : 4 3 2 behind two switches. The last quarter of the rows has some eight times as many elements as the others.
  counts   equal numbers of rows
  weights  equal work on every host
  hosts    rows by the hosts' speeds, as if they were equal work
  both     work by the hosts' speeds, planned once
  learned  rows as if they were equal work, and what was measured corrects the hosts' speeds
  on       as both, and drifts are followed
Speeds are those of each host alone, measured before and after. Needs root (hs lab)."""
import argparse, csv, json, os, statistics, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
PLATFORM = os.path.join(HERE, "..", "..", "examples", "two-switches.xml")
LAB = "bench-cg"
HOSTS = ["a1", "a2", "a3", "b1", "b2", "b3"]
ROWS, WIDTH, INTENSITY = 4000, 400, 300
VARIANTS = {"counts": ("off", "off"), "weights": ("off", "on"), "hosts": ("static", "off"), "both": ("static", "on"),
            "learned": ("on", "off"), "on": ("on", "on")}


class Bench:
    def __init__(self, build):
        self.build = build
        self.out = csv.writer(sys.stdout)
        self.out.writerow("repeat variant time_s moves moved_bytes efficiency verified rows".split())

    def hs(self, *words, check=True):
        subprocess.run([f"{self.build}/hs", "lab", words[0], "--name", LAB, *words[1:]], check=check,
                       stdout=subprocess.DEVNULL, stderr=None if check else subprocess.DEVNULL)

    def run(self, repeat, variant, iterations, mode, weights, hosts=None):
        words = [f"{self.build}/hs", "lab", "run", "--name", LAB]
        if hosts:
            words += ["--hosts", ",".join(hosts)]
        words += ["--", f"{self.build}/hs-cg", "--rows", str(ROWS), "--width", str(WIDTH), "--intensity", str(INTENSITY),
                  "--iterations", str(iterations), "--balance", mode, "--weights", weights, "--json"]
        said = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
        result = json.loads(said[said.index("{"):])
        if not result["verified"]:
            sys.exit(f"{variant}: wrong answer")
        self.out.writerow([repeat, variant, f"{result['time']:.4f}", result["rebalances"], result["moved_bytes"],
                           f"{result['efficiency']:.4f}", result["verified"], " ".join(map(str, result["rows"]))])
        sys.stdout.flush()
        return result

    def alone(self, repeat):
        """Iterations a second of all hosts together, each computing the whole alone, once."""
        return sum(1 / self.run(repeat, f"alone {host}", 1, "off", "off", [host])["time"] for host in HOSTS)


def claim(text, values, target):
    print(f'"{text}",{statistics.median(values):.4g},{min(values):.4g},{max(values):.4g},"{target}"')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0, help="shorten or lengthen the runs")
    words = parser.parse_args()
    bench = Bench(os.path.abspath(words.build))
    iterations = max(10, round(24 * words.scale))
    rows = []
    bench.hs("down", check=False)
    bench.hs("up", PLATFORM)
    try:
        for repeat in range(words.repeats):
            speed = bench.alone(repeat)
            row = {v: bench.run(repeat, v, iterations, *how)["time"] for v, how in VARIANTS.items()}
            speed = (speed + bench.alone(repeat)) / 2
            rows.append((row, {v: iterations / t / speed for v, t in row.items()}))
    finally:
        bench.hs("down")
    print("\nclaim,median,min,max,target")
    for variant in VARIANTS:
        claim(f"{variant}: times faster than equal counts", [r["counts"] / r[variant] for r, _ in rows],
              ">= 2.0" if variant in ("both", "on") else "")
    for variant in VARIANTS:
        claim(f"{variant}: efficiency (iterations a second over the hosts' sum)", [e[variant] for _, e in rows],
              ">= 0.93" if variant in ("both", "on") else "")
    for half in ("weights", "hosts"):
        claim(f"both halves against {half} alone, times faster", [r[half] / r["on"] for r, _ in rows], "")


main()
