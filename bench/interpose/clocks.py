#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How well HS_TRACE aligns the clocks of ranks: clocks.py BUILD_FOLDER [RANKS...] [--seconds S] [--runs N]

The ranks run on one host, where they all read the same clock, so that the truth is known: each says when it began a phase, and the
timeline says when by what was found out with messages. One CSV row a run: ranks, marks, median and largest error in
microseconds, and the error that the library said to be possible."""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

for beside in pathlib.Path("tests", "interpose"), pathlib.Path("bench", "lab"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / beside))
from built import built
from read_trace import named, read_tracks


INTERRUPTED_NS = 3000


def errors(said, tracks):
    """Nanoseconds by which each mark is off the middle of the two readings around it, which are some hundred apart: where they are
    farther apart, the processor was taken away in between, and the truth is not known."""
    for rank, track in ((number - 1, track) for number, track in tracks.items()):
        readings = [tuple(map(int, line.split()[1:])) for line in said if int(line.split()[0]) == rank]
        for (before, after), phase in zip(readings, named(track, "phase 16"), strict=True):
            if after - before < INTERRUPTED_NS:
                yield abs(phase[0] - (before + after) / 2)


def run(build, ranks, seconds):
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LD_PRELOAD": f"{build}/.libs/libheteroslice-preload.so", "HS_TRACE": folder, "HS_LOG": "info"}
        done = subprocess.run([f"{build}/tests/launch/start", "-n", str(ranks), built(build, "bench", "interpose", "clocks"), str(10 * seconds)],
                              env={**environment, "MPIEXEC": os.environ.get("MPIEXEC", "mpiexec")}, text=True, check=True,
                              stdin=subprocess.DEVNULL, capture_output=True)
        trace, = pathlib.Path(folder).iterdir()
        off = [1e-3 * error for error in errors(done.stdout.splitlines(), read_tracks(trace))]
    said = re.search(r"clocks agree within ([0-9.]+) us", done.stderr)[1]
    print(f"{ranks},{len(off)},{statistics.median(off):.2f},{max(off):.2f},{said}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("ranks", type=int, nargs="*", default=[2, 4, 8])
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    print("ranks,marks,median_us,largest_us,possible_us")
    for ranks in options.ranks:
        for _ in range(options.runs):
            run(options.build, ranks, options.seconds)


main()
