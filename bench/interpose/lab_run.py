#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The gain of placement for an unmodified program with equal parts: prints CSV, and medians at the end.

usage: lab_run.py BUILD_DIR [--repeats N] [--ranks N] [--rows N] [--columns N] [--iterations N]

The same ranks of bench/interpose/halo on the six hosts of examples/two-switches.xml: placed by Open MPI's default (by slot),
by node, and by hs run. The three alternate; ratios are taken within a repetition; checksums must agree. Needs root (hs lab)."""
import csv, os, statistics, subprocess, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from built import built
from cluster import Cluster, claim, claims_begin, parser


def measure(ways, repeats):
    """Seconds an iteration of every way, one of each a repetition."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", HS_LOG="error")
    times, sums = {way: [] for way in ways}, set()
    out = csv.writer(sys.stdout)
    out.writerow("repeat placement seconds_an_iteration checksum".split())
    for repeat in range(repeats):
        for way, command in ways.items():
            said = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
            seconds, checksum = said.strip().split(",")
            times[way].append(float(seconds))
            sums.add(checksum)
            out.writerow([repeat, way, seconds, checksum])
            sys.stdout.flush()
    if len(sums) != 1:
        sys.exit("lab_run.py: the checksums differ")
    return times


def main():
    line = parser(__doc__)
    line.add_argument("--ranks", default="27")
    line.add_argument("--rows", default="10800")
    line.add_argument("--columns", default="4000")
    line.add_argument("--iterations", default="10")
    words = line.parse_args()
    with Cluster(words.build, "bench-run", "two-switches.xml") as cluster:
        hs = os.path.join(cluster.build, "hs")
        program = ["-n", words.ranks, "--", built(cluster.build, "bench", "interpose", "halo"), "stencil",
                   words.rows, words.columns, words.iterations]
        times = measure({"by slot": [hs, "lab", "run", "--name", cluster.name, "--mpirun", "--map-by slot", *program],
                         "by node": [hs, "lab", "run", "--name", cluster.name, "--mpirun", "--map-by node", *program],
                         "hs run": [hs, "run", "--lab", cluster.name, *program]}, words.repeats)
    claims_begin()
    for way, seconds in times.items():
        claim(f"{way}: seconds an iteration", seconds)
    better = min(times["by slot"], times["by node"], key=statistics.median)
    claim("hs run against the better placement, times faster", [b / o for b, o in zip(better, times["hs run"])])


main()
