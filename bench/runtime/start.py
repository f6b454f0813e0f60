#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What hs_init takes with a measurement that was kept, against the same file given as HS_PLATFORM. Prints CSV.

usage: start.py BUILD_DIR [--ranks N] [--hosts N] [--repeats N]

Pairs of starts alternate: of HS_PLATFORM, and of the cache, which a first start has filled. `held`: starts that found that the
measurement holds; the others measured anew, up to 2 s each, and are in `anew` and not in the difference. The ranks are on this machine,
and on so many hosts by name. A machine with fewer cores than ranks tells little of a cluster."""
import argparse
import os
import statistics
import subprocess
import tempfile


def start(build, ranks, hosts, **settings):
    command = [f"{build}/tests/launch/start", "-t", "0", "--measured", "-n", str(ranks), f"{build}/bench/runtime/start", str(hosts)]
    environment = dict(os.environ, HS_LOG="info", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **settings)
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1]), "using the measurement" in done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("--repeats", type=int, default=20)
    words = parser.parse_args()
    build, pairs, anew = os.path.abspath(words.build), [], []
    print("repeat,platform_ms,cache_ms,held")
    with tempfile.TemporaryDirectory() as cache:
        start(build, words.ranks, words.hosts, XDG_CACHE_HOME=cache, HS_CACHE="on")
        folder = os.path.join(cache, "heteroslice")
        file = os.path.join(folder, os.listdir(folder)[0])
        for repeat in range(words.repeats):
            given, _ = start(build, words.ranks, words.hosts, HS_PLATFORM=file)
            kept, held = start(build, words.ranks, words.hosts, XDG_CACHE_HOME=cache, HS_CACHE="on")
            print(f"{repeat},{given:.1f},{kept:.1f},{int(held)}", flush=True)
            if held:
                pairs.append(kept - given)
            else:
                anew.append(kept)
    print("\nclaim,median,min,max,target")
    if pairs:
        print(f'"milliseconds more with the cache, {words.ranks} ranks",{statistics.median(pairs):.4g},{min(pairs):.4g},{max(pairs):.4g},"< 50"')
    print(f'"starts that held, of {words.repeats}",{len(pairs)},,,""')
    if anew:
        print(f'"milliseconds of a start that measured anew",{statistics.median(anew):.4g},{min(anew):.4g},{max(anew):.4g},""')


main()
