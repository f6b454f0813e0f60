#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What hs_init takes with a measurement that was kept, against the same file given as HS_PLATFORM. Prints CSV.

usage: start.py BUILD_DIR [--ranks N] [--hosts N] [--repeats N]

Pairs of starts alternate: of HS_PLATFORM, and of the cache, which a first start has filled. `held`: starts that found that the
measurement holds; some of them, `refreshed`, after a longer look with other speeds. The others measured anew, up to 2 s each. Only
those that held as it was are in the difference. The ranks are on this machine, and on so many hosts by name. A machine with fewer cores than ranks tells little of a cluster."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from built import built


def start(build, ranks, hosts, **settings):
    command = [f"{build}/tests/launch/start", "-t", "0", "--measured", "-n", str(ranks),
               built(build, "bench", "runtime", "start"), str(hosts)]
    environment = dict(os.environ, HS_LOG="info", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **settings)
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1]), "using the measurement" in done.stderr, "speeds are refreshed" in done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("--repeats", type=int, default=20)
    words = parser.parse_args()
    build, pairs, late, anew = os.path.abspath(words.build), [], [], []
    print("repeat,platform_ms,cache_ms,held,refreshed")
    with tempfile.TemporaryDirectory() as cache:
        start(build, words.ranks, words.hosts, XDG_CACHE_HOME=cache, HS_CACHE="on")
        folder = os.path.join(cache, "heteroslice")
        file = os.path.join(folder, os.listdir(folder)[0])
        for repeat in range(words.repeats):
            given = start(build, words.ranks, words.hosts, HS_PLATFORM=file)[0]
            kept, held, refreshed = start(build, words.ranks, words.hosts, XDG_CACHE_HOME=cache, HS_CACHE="on")
            print(f"{repeat},{given:.1f},{kept:.1f},{int(held)},{int(refreshed)}", flush=True)
            (late if refreshed else pairs if held else anew).append(kept - given)
    print("\nclaim,median,min,max,target")
    if pairs:
        print(f'"milliseconds more with the cache, {words.ranks} ranks",{statistics.median(pairs):.4g},{min(pairs):.4g},{max(pairs):.4g},"< 50"')
    print(f'"starts that held as it was, of {words.repeats}",{len(pairs)},,,""')
    for more, what in (late, "refreshed speeds"), (anew, "measured anew"):
        if more:
            print(f'"milliseconds more of {len(more)} starts that {what}",{statistics.median(more):.4g},{min(more):.4g},{max(more):.4g},""')


main()
