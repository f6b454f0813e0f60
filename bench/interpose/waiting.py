#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The gain of HS_WAIT on a host with more ranks than processors: prints CSV, and medians at the end.

usage: waiting.py BUILD_DIR LAB HOST [--repeats N] [--ranks N] [--steps N] [--ms M]

Ranks of one program on one host of a lab that is up, started under the host's quota by the launcher itself, so that only
HS_WAIT changes how they wait. In each step one rank computes for M milliseconds and the others wait for it."""
import argparse
import csv
import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from built import built


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("build", "lab", "host"):
        parser.add_argument(name)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--ranks", default="8")
    parser.add_argument("--steps", default="40")
    parser.add_argument("--ms", default="5")
    words = parser.parse_args()
    build = os.path.abspath(words.build)
    preload = os.path.join(build, ".libs", "libheteroslice-preload.so")
    ways = {"bare": [], "poll": [], "yield": [], "sleep": [], "auto": []}
    out = csv.writer(sys.stdout)
    out.writerow("repeat wait seconds_a_step".split())
    for repeat in range(words.repeats):
        for way, seconds in ways.items():
            with_library = [] if way == "bare" else [f"LD_PRELOAD={preload}", f"HS_WAIT={way}", "HS_LOG=error"]
            said = subprocess.run(
                [os.path.join(build, "hs"), "lab", "exec", "--name", words.lab, words.host, "--",
                 os.path.join(build, "tests", "launch", "start"), "-t", "0", "--measured", "--bind-to", "none",
                 "-n", words.ranks, "env", *with_library, built(build, "bench", "interpose", "waiting"),
                 words.steps, words.ms],
                check=True, stdout=subprocess.PIPE, text=True).stdout
            seconds.append(float(said.split(",")[0]))
            out.writerow([repeat, way, f"{seconds[-1]:.6f}"])
            sys.stdout.flush()
    print("\nwait,median,min,max,times_poll")
    poll = statistics.median(ways["poll"])
    for way, seconds in ways.items():
        middle = statistics.median(seconds)
        print(f"{way},{middle:.6f},{min(seconds):.6f},{max(seconds):.6f},{poll / middle:.2f}")


main()
