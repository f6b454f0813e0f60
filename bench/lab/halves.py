# SPDX-License-Identifier: BSD-3-Clause
"""Unequal work on unequal hosts: each half of balancing alone, and both. For programs with --balance and --weights.

Hosts of speeds 8 6 4 : 4 3 2 behind two switches.
  counts   equal numbers of units
  weights  equal work on every host
  hosts    units by the hosts' speeds, as if they were equal work
  both     work by the hosts' speeds, planned once
  learned  units as if they were equal work, and what was measured corrects the hosts' speeds
  on       as both, and what changes is followed
The variants alternate within a repetition; ratios are taken within one. Speeds are those of each host alone, measured
before and after the variants. A claim with a target is met or missed as the numbers say."""
import csv, sys
from cluster import Cluster, claim, claims_begin, parser

HOSTS = ["a1", "a2", "a3", "b1", "b2", "b3"]
VARIANTS = {"counts": ("off", "off"), "weights": ("off", "on"), "hosts": ("static", "off"), "both": ("static", "on"),
            "learned": ("on", "off"), "on": ("on", "on")}


class Halves:
    """Runs of one program on that cluster."""

    def __init__(self, cluster, program, words, units):
        self.cluster, self.program, self.words, self.units = cluster, program, words, units
        self.out = csv.writer(sys.stdout)
        self.out.writerow("repeat variant time_s moves moved_bytes efficiency verified".split() + [units])

    def run(self, repeat, variant, iterations, mode, weights, hosts=()):
        r = self.cluster.run(self.program, *self.words, "--iterations", iterations, "--balance", mode, "--weights",
                             weights, hosts=hosts)
        self.out.writerow([repeat, variant, f"{r['time']:.4f}", r["rebalances"], r["moved_bytes"],
                           f"{r['efficiency']:.4f}", r["verified"], " ".join(map(str, r[self.units]))])
        sys.stdout.flush()
        return r["time"]

    def alone(self, repeat):
        """Iterations a second of all hosts together, each computing the whole alone, once."""
        return sum(1 / self.run(repeat, f"alone {host}", 1, "off", "off", [host]) for host in HOSTS)

    def repetition(self, repeat, iterations):
        speed = self.alone(repeat)
        times = {v: self.run(repeat, v, iterations, *how) for v, how in VARIANTS.items()}
        speed = (speed + self.alone(repeat)) / 2
        return times, {v: iterations / t / speed for v, t in times.items()}


def tell(rows, met_by):
    """@param met_by  the variants that the targets are set for"""
    claims_begin()
    for variant in VARIANTS:
        claim(f"{variant}: times faster than equal counts", [t["counts"] / t[variant] for t, _ in rows],
              ">= 2.0" if variant in met_by else "")
    for variant in VARIANTS:
        claim(f"{variant}: efficiency (iterations a second over the hosts' sum)", [e[variant] for _, e in rows],
              ">= 0.93" if variant in met_by else "")
    for half in ("weights", "hosts"):
        claim(f"both halves against {half} alone, times faster", [t[half] / t["on"] for t, _ in rows])


def main(text, name, program, words, units, iterations, met_by):
    line = parser(f"{text}\n\n{__doc__}")
    line.add_argument("--scale", type=float, default=1.0, help="shorten or lengthen the runs")
    given = line.parse_args()
    with Cluster(given.build, name, "two-switches.xml") as cluster:
        halves = Halves(cluster, program, words, units)
        iterations = max(10, round(iterations * given.scale))
        tell([halves.repetition(repeat, iterations) for repeat in range(given.repeats)], met_by)
