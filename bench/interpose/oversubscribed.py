#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Is any program slower with the library preloaded, where ranks share cores? Prints CSV: one row a program and number of
ranks, with the medians of seconds and of processor seconds, bare and preloaded.

usage: oversubscribed.py BUILD_DIR [--ranks N,...] [--repeats N] [--only PROGRAM,...] [--ways WAY,...] [--seconds S]

Bare and preloaded runs alternate. A way is a value of HS_WAIT; a run takes about S seconds bare. others: the part of the
machine that other processes used. ratio: the median of the ratios of a run to the bare one before it. MPIEXEC names the
launcher of the MPI library that BUILD_DIR is for."""
import argparse
import csv
import os
import resource
import statistics
import subprocess
import sys


class Bench:
    def __init__(self, build, seconds):
        self.build, self.seconds = build, seconds
        self.program = os.path.join(build, "bench", "interpose", "oversubscribed")
        self.preload = os.path.join(build, ".libs", "libheteroslice-preload.so")
        self.launch = [os.path.join(build, "tests", "launch", "start"), "-t", "0", "--measured"]

    def programs(self):
        return subprocess.run([self.program], check=True, stdout=subprocess.PIPE, text=True).stdout.split()

    def run(self, ranks, program, steps, way):
        """Seconds, processor seconds of its processes, and the part of the machine that others used."""
        command = [*self.launch, "-n", str(ranks), "env"]
        if way != "bare":
            command += [f"LD_PRELOAD={self.preload}", "HS_LOG=error", f"HS_WAIT={way}"]
        before, machine = own_seconds(), machine_seconds()
        said = subprocess.run([*command, self.program, program, str(steps)], check=True, stdout=subprocess.PIPE,
                              text=True).stdout
        used, (busy, total) = own_seconds() - before, (b - a for a, b in zip(machine, machine_seconds()))
        return float(said), used, (busy - used) / total

    def steps(self, ranks, program):
        """How many take about as long as was asked for."""
        steps = 1
        while True:
            seconds = self.run(ranks, program, steps, "bare")[0]
            if seconds > self.seconds / 4 or steps > 1000000:
                return max(1, int(steps * self.seconds / seconds))
            steps *= 4 if seconds > self.seconds / 64 else 16


def own_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def machine_seconds():
    """Busy and all, over all processors."""
    with open("/proc/stat") as stat:
        ticks = [int(word) for word in stat.readline().split()[1:9]]
    hertz = os.sysconf("SC_CLK_TCK")
    return (sum(ticks) - ticks[3] - ticks[4]) / hertz, sum(ticks) / hertz


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--ranks", default="3,5,10")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--ways", default="auto")
    parser.add_argument("--seconds", type=float, default=0.2)
    words = parser.parse_args()
    bench = Bench(os.path.abspath(words.build), words.seconds)
    out = csv.writer(sys.stdout)
    out.writerow("program ranks steps way bare_seconds seconds bare_processor processor others ratio".split())
    for program in words.only.split(",") if words.only else bench.programs():
        for ranks in map(int, words.ranks.split(",")):
            steps = bench.steps(ranks, program)
            runs = {way: [] for way in ["bare", *words.ways.split(",")]}
            for _ in range(words.repeats):
                for way, list_of_runs in runs.items():
                    list_of_runs.append(bench.run(ranks, program, steps, way))
            bare = [statistics.median(column) for column in zip(*runs["bare"])]
            for way in words.ways.split(","):
                on = [statistics.median(column) for column in zip(*runs[way])]
                ratio = statistics.median(b[0] / a[0] for a, b in zip(runs["bare"], runs[way]))
                out.writerow([program, ranks, steps, way, f"{bare[0]:.4f}", f"{on[0]:.4f}", f"{bare[1]:.2f}", f"{on[1]:.2f}",
                              f"{on[2]:.2f}", f"{ratio:.3f}"])
                sys.stdout.flush()


main()
