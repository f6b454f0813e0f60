#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Planned step times against the emulated cluster, and the gain of the order of hosts. Prints CSV; a summary goes to stderr.
Two sites of three hosts behind one slow trunk; the file lists hosts alternately from both sites.

usage: ring_lab.py BUILD_DIR [--repeats N] [--halo BYTES] [--iterations K]

  planned   the ring that hs ring finds, and its slices
  bad       the hosts in the order given, with the best slices for that order
  equal     the hosts in the order given, with equal slices
  stencil   hs-stencil in the order given: without the library's order and slices, and with them
Speeds are measured first, each host alone, since a lab emulates only ratios of speeds. Both directions share every link, as
in the paper. Needs root (hs lab)."""
import csv, json, os, re, statistics, sys, tempfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from cluster import EXAMPLES, Cluster, parser
from ring_simulated import HERE, output

LAB = "bench-ring"
HOSTS = ["a1", "b1", "a2", "b2", "a3", "b3"]
COMPUTE_S = 0.25  # a step without communication; many quota periods of 10 ms, which blur single messages
INTENSITY = 8     # about the same work for hs-stencil


class Bench:
    def __init__(self, build, folder, iterations):
        self.platform = os.path.join(folder, "platform.xml")
        with open(os.path.join(EXAMPLES, "two-switches.xml")) as given, open(self.platform, "w") as shared:
            shared.write(re.sub('sharing_policy="SPLITDUPLEX"|direction="UP"', "", given.read()))
        self.hs, self.build, self.iterations = f"{build}/hs", build, iterations
        self.step = os.path.join(folder, "ring_step")
        output("mpicc", "-O2", os.path.join(HERE, "ring_step.c"), "-o", self.step)

    def run(self, hosts, *words):
        return output(self.hs, "lab", "run", "--name", LAB, "--hosts", ",".join(hosts), "--", *words)

    def seconds(self, hosts, halo, flop, iterations=None):
        said = self.run(hosts, self.step, iterations or self.iterations, halo, *[repr(f) for f in flop])
        return float(re.search(r"^step (\S+)$", said, re.M).group(1))

    def plan(self, work, halo, *options):
        return json.loads(output(self.hs, "ring", self.platform, "--work", work, "--halo", halo, "--simulate",
                                 self.iterations, "--json", *options))

    def stencil(self, balance, halo):
        said = self.run(HOSTS, f"{self.build}/hs-stencil", "--rows", 240, "--cols", halo // 8 - 2, "--intensity",
                        INTENSITY, "--iterations", self.iterations, "--balance", balance, "--json")
        result = json.loads(said[said.index("{"):])
        return result["time"] / self.iterations if result["verified"] else sys.exit("hs-stencil: wrong answer")


def members(plan):
    return [m["host"] for m in plan["ring"]]


def measure(bench, repeat, halo, out, found):
    flop = 5e7
    given = {h["host"]: h["speed"] for h in json.loads(output(bench.hs, "lab", "status", "--name", LAB, "--json"))["hosts"]}
    alone = {h: flop / bench.seconds([h], 1, [flop], 8) for h in HOSTS}
    real = statistics.median(alone[h] / given[h] for h in HOSTS)  # measured flop per flop of the file
    work = COMPUTE_S * sum(given.values())

    def row(variant, planned, seconds, comm=None, played=None):
        out.writerow([repeat, variant, f"{planned:.5f}" if planned else "", f"{seconds:.5f}",
                      f"{seconds / planned:.4f}" if planned else "", f"{comm:.3f}" if comm else "",
                      f"{played:.5f}" if played else ""])
        sys.stdout.flush()
        found.setdefault(variant, []).append((seconds, seconds / planned if planned else 0))

    for variant, options in ("planned", []), ("bad", ["--order", ",".join(HOSTS)]):
        plan = bench.plan(work, halo, *options)
        seconds = bench.seconds(members(plan), halo, [m["share"] * work * real for m in plan["ring"]])
        row(variant, plan["step_time"], seconds, statistics.mean(m["comm_time"] for m in plan["ring"]) / plan["step_time"],
            plan["simulated_time"])
    print("speeds of the hosts against the file's "
          + " ".join(f"{h} {alone[h] / given[h] / real:.3f}" for h in HOSTS), file=sys.stderr)
    row("equal", None, bench.seconds(HOSTS, halo, [work * real / len(HOSTS)] * len(HOSTS)))
    for balance in "off", "static":
        row(f"stencil {balance}", None, bench.stencil(balance, halo))


def main():
    line = parser(__doc__)
    line.add_argument("--iterations", type=int, default=12)
    line.add_argument("--halo", type=int, default=250000)
    a = line.parse_args()
    out, found = csv.writer(sys.stdout), {}
    out.writerow("repeat variant planned_s measured_s quotient comm_part played_s".split())
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(a.build), folder, a.iterations)
        with Cluster(a.build, LAB, bench.platform):
            for repeat in range(a.repeats):
                measure(bench, repeat, a.halo, out, found)
    median = {v: [statistics.median(x) for x in zip(*rows)] for v, rows in found.items()}
    for variant in "planned", "bad":
        print(f"{variant}: measured/planned, median {median[variant][1]:.3f}", file=sys.stderr)
    for slow, fast in ("bad", "planned"), ("equal", "planned"), ("stencil off", "stencil static"):
        print(f"{fast} against {slow}: {median[slow][0] / median[fast][0]:.2f} times faster", file=sys.stderr)


if __name__ == "__main__":
    main()
