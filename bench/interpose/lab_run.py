#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The gain of placement for an unmodified program with equal parts: prints CSV, and medians at the end.

usage: lab_run.py BUILD_DIR LAB [--repeats N] [--ranks N] [--rows N] [--columns N] [--iterations N]

The same ranks of bench/interpose/halo on a lab that is up: placed by Open MPI's default (by slot), by node, and by hs run.
The three alternate; checksums must agree."""
import argparse
import csv
import os
import statistics
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("lab")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--ranks", default="27")
    parser.add_argument("--rows", default="10800")
    parser.add_argument("--columns", default="4000")
    parser.add_argument("--iterations", default="10")
    words = parser.parse_args()
    build = os.path.abspath(words.build)
    hs = os.path.join(build, "hs")
    program = ["-n", words.ranks, "--", os.path.join(build, "bench", "interpose", "halo"), "stencil", words.rows,
               words.columns, words.iterations]
    ways = {"by slot": [hs, "lab", "run", "--name", words.lab, "--mpirun", "--map-by slot", *program],
            "by node": [hs, "lab", "run", "--name", words.lab, "--mpirun", "--map-by node", *program],
            "hs run": [hs, "run", "--lab", words.lab, *program]}
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", HS_LOG="error")
    times, sums = {way: [] for way in ways}, set()
    out = csv.writer(sys.stdout)
    out.writerow("repeat placement seconds_an_iteration checksum".split())
    for repeat in range(words.repeats):
        for way, command in ways.items():
            said = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
            seconds, checksum = said.strip().split(",")
            times[way].append(float(seconds))
            sums.add(checksum)
            out.writerow([repeat, way, seconds, checksum])
            sys.stdout.flush()
    print("\nplacement,median,min,max,times_hs_run")
    ours = statistics.median(times["hs run"])
    for way, seconds in times.items():
        middle = statistics.median(seconds)
        print(f"{way},{middle:.6f},{min(seconds):.6f},{max(seconds):.6f},{middle / ours:.2f}")
    if len(sums) != 1:
        sys.exit("lab_run.py: the checksums differ")


main()
