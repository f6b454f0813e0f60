#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What preloading costs: prints CSV, one row a pair of runs, and the medians of the claims at the end.

usage: overhead.py BUILD_DIR [--repeats N] [--only EXPERIMENT,...]

Bare and preloaded runs alternate; a claim is the median over the pairs of their difference. Messages are compared within
each run, so that both ways have the same memory and cores; a claim is the median over the runs, and its range goes from
the least to the greatest end of their 95 % confidence ranges. Bare runs show what the comparison itself cannot tell.
  calls     nanoseconds added to a call: those that may wait or poll, those that begin something, one that answers from memory
  recording the same with HS_REPORT, with HS_SITES=1 beside it, with HS_METRICS and with HS_TRACE
  shared    ping-pong of 1 B and 1 MiB through shared memory
  tcp       as shared, through TCP
  reduce    MPI_Allreduce of 8 B over 8 ranks, with HS_WAIT=poll, which is how bare ranks wait, and by default
  wait      ping-pong of 1 B and MPI_Allreduce over 2 ranks by each way to wait, though nothing is oversubscribed
  init      milliseconds added to MPI_Init of 8 ranks: preloaded, with HS_PLATFORM, and by hs run with its cache, which it
            checks there; and to the whole start, against hs run --platform with the same file"""
import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from built import built

TCP = ["--mca", "btl", "tcp,self", "--mca", "pml", "ob1"]


class Bench:
    def __init__(self, build, repeats):
        self.build, self.repeats, self.claims = build, repeats, []
        self.preload = os.path.join(build, ".libs", "libheteroslice-preload.so")
        self.launcher = [os.path.join(build, "tests", "launch", "start"), "-t", "0", "--measured"]
        self.out = csv.writer(sys.stdout)
        self.out.writerow("experiment repeat what bare preloaded ...".split())

    def run(self, ranks, program, *words, options=(), preloaded=False, settings=()):
        launch = [*self.launcher, *options, "-n", str(ranks), "env"]
        if preloaded:
            launch += [f"LD_PRELOAD={self.preload}", "HS_LOG=error", *settings]
        return self.start(launch, program, *words)

    def start(self, launch, program, *words, **settings):
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **settings)
        return subprocess.run([*launch, built(self.build, "bench", "interpose", program), *words],
                              env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def pairs(self, experiment, what, measure):
        """Pairs (bare, preloaded) of what measure(preloaded) returns; which comes first alternates."""
        pairs = []
        for repeat in range(self.repeats):
            pair = {}
            for preloaded in (False, True) if repeat % 2 == 0 else (True, False):
                pair[preloaded] = measure(preloaded)
            pairs.append((pair[False], pair[True]))
            self.out.writerow([experiment, repeat, what, f"{pair[False]:.4f}", f"{pair[True]:.4f}"])
            sys.stdout.flush()
        return pairs

    def claim(self, text, values, target):
        self.claims.append((text, statistics.median(values), min(values), max(values), target))


CALLS = {"MPI_Iprobe": "<= 25", "MPI_Allreduce over one rank": "<= 25", "MPI_Irecv from nobody": "<= 15",
         "MPI_Isend to nobody": "<= 15", "MPI_Comm_rank": "<= 15", "a message to oneself: Irecv, Isend, Waitall, each": ""}


def cost_of_calls(bench, experiment, settings=()):
    rows = {False: [], True: []}
    for repeat in range(bench.repeats):
        for preloaded in (False, True):
            said = bench.run(1, "call_cost", preloaded=preloaded, settings=settings)
            rows[preloaded].append([float(x) for x in said.split(",")[1:]])
    for column, (name, target) in enumerate(CALLS.items()):
        added = []
        for repeat, (bare, on) in enumerate(zip(rows[False], rows[True])):
            bench.out.writerow([experiment, repeat, name, bare[column], on[column]])
            added.append(on[column] - bare[column])
        bench.claim(f"{experiment}: {name}, nanoseconds added", added, target)


def calls(bench):
    cost_of_calls(bench, "calls")


def recording(bench):
    with tempfile.TemporaryDirectory() as folder:
        report = f"HS_REPORT={folder}/report.json"
        for what, settings in {"HS_REPORT": [report], "HS_SITES": [report, "HS_SITES=1"],
                               "HS_METRICS": [f"HS_METRICS={folder}/metrics"], "HS_TRACE": [f"HS_TRACE={folder}"]}.items():
            cost_of_calls(bench, what, settings)


def ratios(bench, experiment, what, ranks, words, options=(), settings=(), target="<= 1.01"):
    """One row a run: preloaded or not, microseconds of the bare call, and the ratio of MPI_X to it with its confidence range."""
    rows = {False: [], True: []}
    for repeat in range(bench.repeats):
        for preloaded in (False, True):
            said = bench.run(ranks, "messages", *words, options=options, preloaded=preloaded, settings=settings)
            rows[preloaded].append([float(x) for x in said.split(",")])
            bench.out.writerow([experiment, repeat, f"{what}, {'preloaded' if preloaded else 'bare'}", *said.split(",")])
            sys.stdout.flush()
    for preloaded in (True, False):
        middle, low, high = (list(column) for column in list(zip(*rows[preloaded]))[1:])
        text = f"{experiment}: {what}{'' if preloaded else ', compared in a bare run'}, times bare"
        bench.claims.append((text, statistics.median(middle), min(low), max(high), target if preloaded else "1"))


def shared(bench):
    ratios(bench, "shared", "ping-pong of 1 B", 2, ["pingpong", "1"], target="DLB TALP 1.59, mpiP 1.70")
    ratios(bench, "shared", "ping-pong of 1 MiB", 2, ["pingpong", str(1 << 20)])


def tcp(bench):
    ratios(bench, "tcp", "ping-pong of 1 B", 2, ["pingpong", "1"], TCP, target="")
    ratios(bench, "tcp", "ping-pong of 1 MiB", 2, ["pingpong", str(1 << 20)], TCP)


def reduce(bench):
    yielding = ["--mca", "mpi_yield_when_idle", "1"]
    ratios(bench, "reduce", "allreduce over 8 ranks", 8, ["allreduce"], yielding, ["HS_WAIT=poll"])
    ratios(bench, "reduce", "allreduce over 8 ranks, HS_WAIT=auto", 8, ["allreduce"], yielding)


def wait(bench):
    for what, words in ("ping-pong of 1 B", ["pingpong", "1"]), ("allreduce over 2 ranks", ["allreduce"]):
        for way in "auto", "poll", "yield", "sleep":
            def measure(preloaded):
                said = bench.run(2, "messages", *words, preloaded=preloaded, settings=[f"HS_WAIT={way}"])
                return float(said.split(",")[0]) * (float(said.split(",")[1]) if preloaded else 1)
            pairs = bench.pairs("wait", f"{what} {way}", measure)
            bench.claim(f"wait: {what}, microseconds added by HS_WAIT={way}", [on - bare for bare, on in pairs], "a few")


def init(bench):
    hs_run = [os.path.join(bench.build, "hs"), "run", "-n", "8", "--"]
    with tempfile.TemporaryDirectory() as cache:
        cached = dict(XDG_CACHE_HOME=cache, HS_CACHE="on", HS_LOG="error")
        bench.start(hs_run, "init", **cached)  # measures
        kept = os.path.join(cache, "heteroslice")
        platform = os.path.join(kept, os.listdir(kept)[0])
        ways = {"preloaded": [], "HS_PLATFORM": [f"HS_PLATFORM={platform}"], "hs run, cached": None}
        for way, settings in ways.items():
            def measure(preloaded):
                if preloaded and settings is None:
                    return float(bench.start(hs_run, "init", **cached))
                return float(bench.run(8, "init", preloaded=preloaded, settings=settings or []))
            pairs = bench.pairs("init", way, measure)
            bench.claim(f"init: {way}, milliseconds added", [on - bare for bare, on in pairs], "< 50")

        def whole(uses_cache):
            begun = time.monotonic()
            bench.start(hs_run if uses_cache else [*hs_run[:2], "--platform", platform, *hs_run[2:]], "init", **cached)
            return 1e3 * (time.monotonic() - begun)
        pairs = bench.pairs("init", "hs run, the whole start: --platform, cached", whole)
        bench.claim("init: hs run, whole start, milliseconds added by the cache", [on - given for given, on in pairs], "< 50")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--only", default="calls,shared,tcp,reduce,wait,init")
    words = parser.parse_args()
    bench = Bench(os.path.abspath(words.build), words.repeats)
    experiments = dict(calls=calls, recording=recording, shared=shared, tcp=tcp, reduce=reduce, wait=wait, init=init)
    for name in words.only.split(","):
        experiments[name](bench)
    print("\nclaim,median,min,max,target")
    for text, median, low, high, target in bench.claims:
        print(f'"{text}",{median:.5g},{low:.5g},{high:.5g},"{target}"')


main()
