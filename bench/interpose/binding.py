#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The gain of binding inside a node when ranks have unequal work: prints CSV, and medians at the end.

usage: binding.py BUILD_DIR [--repeats N] [--steps N] [--ms M0,M1,...] [--cores N]

--ms gives each rank's milliseconds of computing in a step. Ranks run on the first cores of this machine, alternately left to
the scheduler and bound by Open MPI's default for cores (round robin), each without the library, preloaded, and preloaded
with HS_BIND=on. Seconds a step of the second half of the steps."""
import argparse
import csv
import os
import statistics
import subprocess
import sys

SCHEDULER = ["--bind-to", "none"]
LAUNCHER = ["--map-by", "core", "--bind-to", "core:overload-allowed"]
WAYS = {
    "scheduler": (SCHEDULER, None),
    "scheduler, preloaded": (SCHEDULER, "off"),
    "scheduler, HS_BIND=on": (SCHEDULER, "on"),
    "launcher": (LAUNCHER, None),
    "launcher, preloaded": (LAUNCHER, "off"),
    "launcher, HS_BIND=on": (LAUNCHER, "on"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--steps", default="100")
    parser.add_argument("--ms", default="20,10,10")
    parser.add_argument("--cores", type=int, default=2)
    words = parser.parse_args()
    build = os.path.abspath(words.build)
    preload = os.path.join(build, ".libs", "libheteroslice-preload.so")
    work = words.ms.split(",")
    seconds = {way: [] for way in WAYS}
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: words.cores])
    out = csv.writer(sys.stdout)
    out.writerow("repeat way seconds_a_step".split())
    for repeat in range(words.repeats):
        for way, (options, bind) in WAYS.items():
            library = ["env", f"LD_PRELOAD={preload}", f"HS_BIND={bind}", "HS_LOG=error"] if bind else []
            said = subprocess.run(
                [os.path.join(build, "tests", "launch", "start"), "-t", "0", "--measured", *options, "-n",
                 str(len(work)), *library, os.path.join(build, "tests", "interpose", "bound"), words.steps, *work],
                check=True, stdout=subprocess.PIPE, text=True).stdout
            seconds[way].append(float(said.splitlines()[-1].split()[0]))
            out.writerow([repeat, way, f"{seconds[way][-1]:.6f}"])
            sys.stdout.flush()
    print("\nway,median,min,max")
    for way, times in seconds.items():
        print(f"{way},{statistics.median(times):.6f},{min(times):.6f},{max(times):.6f}")


main()
