#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Balancing measured on the emulated cluster: prints CSV, one row a run, and the medians of the claims at the end.

usage: lab_balance.py BUILD_DIR [--repeats N] [--only EXPERIMENT,...] [--scale X]

Every claim is a ratio of runs that alternate within one repetition; the median over the repetitions is quoted.
  heavy     six unequal hosts: equal slices, planned once, balanced; efficiency against the hosts' speeds measured alone
  drift     the fastest host drops to a quarter of its speed after a third of the run
  steady    the cost of balancing when nothing drifts, against planned once
  equal     the same on equal hosts, against no library at all
  three     three hosts drift one after another
  recovery  a host slows down and recovers
  noise     a host's speed changes by 20 % repeatedly, for a moment each time
Needs root (hs lab)."""
import csv, os, sys, tempfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from cluster import Cluster, claim, claims_begin, parser, write_equal

PLATFORM = "two-switches.xml"
LAB = "bench-stencil"
HOSTS = ["a1", "a2", "a3", "b1", "b2", "b3"]
ROWS, COLS = 600, 1000

# Sweeps over a point per step: long steps to measure efficiency, short ones where speeds drift.
LONG, SHORT = 480, 120


class Bench:
    def __init__(self, repeats, scale):
        self.repeats, self.scale = repeats, scale
        self.out = csv.writer(sys.stdout)
        self.out.writerow("experiment repeat variant time_s moves moved_bytes efficiency verified".split())
        self.claims = []

    def run(self, experiment, repeat, variant, program, iterations, *options, hosts=(), rows=ROWS, intensity=SHORT):
        result = self.cluster.run(program, "--rows", rows, "--cols", COLS, "--intensity", intensity, "--iterations", iterations,
                                  *options, hosts=hosts)
        self.out.writerow([experiment, repeat, variant, f"{result['time']:.4f}", result["rebalances"],
                           result["moved_bytes"], f"{result['efficiency']:.4f}", result["verified"]])
        sys.stdout.flush()
        return result

    def at(self, iteration, host, factor):
        return ["--at", f"{iteration}:{self.cluster.build}/hs lab speed --name {LAB} {host} {factor}"]

    def steps(self, n):
        return max(6, int(n * self.scale))

    def claim(self, text, values, target):
        self.claims.append((text, values, target))


def alone(bench, repeat):
    """Sum of the hosts' points per second, each computing alone."""
    total = 0
    for host in HOSTS:
        r = bench.run("heavy", repeat, f"alone {host}", "hs-stencil-plain", bench.steps(12), hosts=[host], rows=100,
                      intensity=LONG)
        total += 100 * COLS * bench.steps(12) / r["time"]
    return total


def heavy(bench):
    k = bench.steps(120)
    gain, efficiency = [], []
    for repeat in range(bench.repeats):
        equal = bench.run("heavy", repeat, "equal slices", "hs-stencil-plain", k, intensity=LONG)
        bench.run("heavy", repeat, "planned once", "hs-stencil", k, "--balance", "static", intensity=LONG)
        before = alone(bench, repeat)
        balanced = bench.run("heavy", repeat, "balanced", "hs-stencil", k, "--balance", "on", intensity=LONG)
        speeds = (before + alone(bench, repeat)) / 2
        gain.append(equal["time"] / balanced["time"])
        efficiency.append(ROWS * COLS * k / speeds / balanced["time"])
    bench.claim("balanced against equal slices, times faster", gain, ">= 2.0")
    bench.claim("efficiency of balanced (W / sum of speeds alone / step time)", efficiency, ">= 0.95")


def step_times(bench, experiment, repeat, slow):
    """Seconds a step of the best known slices under the given speeds: the clairvoyant's."""
    for host, factor in slow.items():
        bench.cluster.speed(host, factor)
    k = bench.steps(90)
    runs = [bench.run(experiment, repeat, f"clairvoyant {mode} {sorted(slow.items())}", "hs-stencil", k, "--balance", mode)
            for mode in ("static", "on")]
    for host in slow:
        bench.cluster.speed(host, 1)
    return min(r["time"] for r in runs) / k


def against_clairvoyant(bench, name, periods, claims):
    """periods: [(share of the run, {host: factor})]; the first is undisturbed."""
    k = bench.steps(360)
    gain, price, moves = [], [], []
    for repeat in range(bench.repeats):
        begins, events, best, state = 0, [], 0, {}
        for share, slow in periods:
            best += share * k * step_times(bench, name, repeat, slow)
            for host in HOSTS:
                if slow.get(host, 1) != state.get(host, 1):
                    events += bench.at(round(begins * k), host, slow.get(host, 1))
            begins, state = begins + share, slow
        times = {}
        for mode in ("static", "on"):
            for host in HOSTS:
                bench.cluster.speed(host, periods[0][1].get(host, 1))
            r = bench.run(name, repeat, f"balance {mode}", "hs-stencil", k, "--balance", mode, *events)
            times[mode] = r["time"]
        for host in HOSTS:
            bench.cluster.speed(host, 1)
        moves.append(r["rebalances"])
        gain.append(times["static"] / times["on"])
        price.append(times["on"] / best)
    bench.claim(f"{name}: balanced against clairvoyant, times its time", price, claims.get("price", ""))
    bench.claim(f"{name}: balanced against planned once, times faster", gain, claims.get("gain", ""))
    bench.claim(f"{name}: moves", moves, "")


def drift(bench):
    against_clairvoyant(bench, "drift", [(1 / 3, {}), (2 / 3, {"a1": 0.25})], {"price": "<= 1.10", "gain": ">= 1.5"})


def three(bench):
    against_clairvoyant(bench, "three", [(0.25, {}), (0.25, {"a1": 0.5}), (0.25, {"a1": 0.5, "b1": 0.5}),
                                         (0.25, {"a1": 0.5, "b1": 0.5, "a2": 0.6})], {})


def recovery(bench):
    against_clairvoyant(bench, "recovery", [(1 / 3, {}), (1 / 3, {"a2": 0.3}), (1 / 3, {})], {})


def noise(bench):
    k = bench.steps(240)
    moves, price = [], []
    for repeat in range(bench.repeats):
        bursts = []
        for n in range(4):
            begin = round(k * (n + 1) / 6)
            bursts += bench.at(begin, "a1", 0.8) + bench.at(begin + 2, "a1", 1)
        still = bench.run("noise", repeat, "balance static", "hs-stencil", k, "--balance", "static", *bursts)
        live = bench.run("noise", repeat, "balance on", "hs-stencil", k, "--balance", "on", *bursts)
        moves.append(live["rebalances"])
        price.append(live["time"] / still["time"])
    bench.claim("noise: balanced against planned once, times its time", price, "")
    bench.claim("noise: moves", moves, "")


def steady(bench):
    k = bench.steps(240)
    price, deciding = [], []
    for repeat in range(bench.repeats):
        pair = {}
        for mode in ("static", "on") if repeat % 2 == 0 else ("on", "static"):
            pair[mode] = bench.run("steady", repeat, f"balance {mode}", "hs-stencil", k, "--balance", mode)
        price.append(pair["on"]["time"] / pair["static"]["time"])
        deciding.append(pair["on"]["deciding"])
    bench.claim("steady: balance on against static, times its time", price, "<= 1.01")
    bench.claim("steady: measuring and deciding, share of the time", deciding, "<= 0.005")


def equal(bench):
    k = bench.steps(240)
    gain = []
    for repeat in range(bench.repeats):
        pair = {}
        for program in ("hs-stencil-plain", "hs-stencil") if repeat % 2 == 0 else ("hs-stencil", "hs-stencil-plain"):
            options = ["--balance", "on"] if program == "hs-stencil" else []
            pair[program] = bench.run("equal", repeat, program, program, k, *options)["time"]
        gain.append(pair["hs-stencil-plain"] / pair["hs-stencil"])
    bench.claim("equal hosts: balanced against no library, times faster", gain, ">= 0.99")


def main():
    line = parser(__doc__)
    line.add_argument("--scale", type=float, default=1.0, help="shorten or lengthen every run")
    line.add_argument("--only", default="heavy,drift,steady,equal,three,recovery,noise")
    words = line.parse_args()
    bench = Bench(words.repeats, words.scale)
    experiments = dict(heavy=heavy, drift=drift, steady=steady, equal=equal, three=three, recovery=recovery, noise=noise)
    with tempfile.TemporaryDirectory() as folder:
        of_one_speed = os.path.join(folder, "equal.xml")
        write_equal(of_one_speed, PLATFORM)
        for name in words.only.split(","):
            with Cluster(words.build, LAB, of_one_speed if name == "equal" else PLATFORM) as bench.cluster:
                experiments[name](bench)
    claims_begin()
    for each in bench.claims:
        claim(*each)


main()
