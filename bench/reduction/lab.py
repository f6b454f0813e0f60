#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Collectives on the emulated cluster: Open MPI's own decisions against the preloaded library. Eight hosts, access
links alternating between 200 and 20 Mbit/s, or all of 200. Prints CSV, a row a sample, and the medians of the claims at
the end; a summary goes to stderr.

usage: lab.py BUILD_DIR [--links shared|duplex] [--equal] [--rounds N] [--repeats N] [--calls N] [--warm-up N] [--bytes N,N,...] [--only OPERATION:ROOT] [--turns] [--mode on|off|deterministic|none]

  shared   both directions share a link: a host is either sending or receiving at full rate, the paper's one port
  duplex   each direction has the whole rate
The two alternate in each round, in alternating order, so that disturbances of the machine affect both. With --turns they
alternate from sample to sample of one process, where the MPI library is called by PMPI_X. The lower bound is one vector
over the slowest link (two for an all-reduce over shared links). Needs root (hs lab)."""
import argparse, csv, math, os, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lab"))
from cluster import Cluster, claim, claims_begin

LAB = "bench-collectives"
HOSTS = 8
FAST, SLOW = 200, 20  # Mbit/s
DECIDED, DECIDED_LONG = 20, 12  # calls until the library has decided; from 64 KiB on


def platform(links, equal):
    policy, direction = ("SHARED", "") if links == "shared" else ("SPLITDUPLEX", ' direction="UP"')
    rates = [FAST if equal or h % 2 == 0 else SLOW for h in range(HOSTS)]
    parts = [f'<host id="h{h}" speed="1Gf"/>' for h in range(HOSTS)] + ['<router id="switch"/>']
    parts += [f'<link id="l{h}" bandwidth="{r}Mbps" latency="20us" sharing_policy="{policy}"/>' for h, r in enumerate(rates)]
    parts += [f'<route src="h{h}" dst="switch"><link_ctn id="l{h}"{direction}/></route>' for h in range(HOSTS)]
    return '<?xml version="1.0"?>\n<platform version="4.1">\n<zone id="z" routing="Floyd">\n' + "\n".join(parts) + "\n</zone>\n</platform>\n"


def output(*words, **variables):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **variables})
    if done.returncode:
        sys.exit(f"{' '.join(str(w) for w in words[:6])}: {done.stderr.strip()}")
    sys.stderr.write("".join(line + "\n" for line in done.stderr.splitlines() if "heteroslice: info" in line))
    return done.stdout


def bound(operation, size, a):
    ways = 2 if operation == "allreduce" and a.links == "shared" else 1
    return ways * size * 8 / (1e6 * (FAST if a.equal else SLOW))


def paired(ours, bare):
    """The median of the pairs' ratios and its 95 % range by order statistics; below six pairs, the whole range."""
    ratios = sorted(o / b for o, b in zip(ours, bare))
    n, outside, cut = len(ratios), 0.0, 0
    while (outside := outside + math.comb(n, cut) / 2**n) <= 0.025:
        cut += 1
    cut = max(cut - 1, 0)
    return ratios[cut], statistics.median(ratios), ratios[n - 1 - cut]


def warm_up(a, label):
    if a.warm_up is not None:
        return a.warm_up
    if a.mode != "on":
        return 1  # connections
    if max(map(int, a.bytes.split(","))) <= 65536:
        return DECIDED
    return 2 if label == "bare" else DECIDED_LONG if min(map(int, a.bytes.split(","))) >= 65536 else DECIDED


def run(a, label, file, program):
    variables = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    if label != "bare" and a.mode != "none":
        variables |= {"HS_COLLECTIVES": a.mode, "HS_PLATFORM": file, "HS_LOG": "info", "LD_PRELOAD": f"{os.path.abspath(a.build)}/.libs/libheteroslice-preload.so"}
    said = output(f"{a.build}/hs", "lab", "run", "--name", LAB, "--", program, label, a.repeats, warm_up(a, label), a.calls, *(["--only", a.only] if a.only else []),
                  *a.bytes.split(","), **variables)
    return [row.split(",") for row in said.splitlines() if row.startswith(("bare,", "ours,"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--links", choices=("shared", "duplex"), default="shared")
    parser.add_argument("--equal", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--calls", type=int, default=1, help="calls a sample, of which the mean counts (default: 1)")
    parser.add_argument("--warm-up", type=int, help="calls before (default: until the library has decided)")
    parser.add_argument("--bytes", default="8,8192,1048576")
    parser.add_argument("--turns", action="store_true")
    parser.add_argument("--mode", choices=("on", "off", "deterministic", "none"), default="on",
                        help="HS_COLLECTIVES (default: on); none: without the library, to see what a measurement can tell")
    parser.add_argument("--only", help="an operation and root, such as reduce:0 or reduce:all, each root in turn (default: all but these)")
    a = parser.parse_args()
    out, found = csv.writer(sys.stdout), {}
    out.writerow("round label operation root bytes seconds".split())
    with tempfile.TemporaryDirectory() as folder:
        file, program = os.path.join(folder, "platform.xml"), os.path.join(folder, "collectives")
        with open(file, "w") as text:
            text.write(platform(a.links, a.equal))
        output("mpicc", "-O2", os.path.join(HERE, "collectives.c"), "-o", program)
        with Cluster(a.build, LAB, file):
            for round in range(a.rounds):
                labels = ("turns",) if a.turns else ("bare", "ours") if round % 2 == 0 else ("ours", "bare")
                for started in labels:
                    for label, operation, root, size, seconds in run(a, started, file, program):
                        out.writerow([round, label, operation, root, size, seconds])
                        found.setdefault((operation, root, int(size)), {}).setdefault(label, []).append(float(seconds))
                sys.stdout.flush()
    claims_begin()
    for (operation, root, size), times in found.items():
        claim(f"{operation} of {size} bytes, root {root}: ours against Open MPI's, times faster",
              [bare / ours for bare, ours in zip(times["bare"], times["ours"])])
    print("operation  root     bytes     bare     ours  ours/bare  (of 95 %)      ours/bound  bare/bound", file=sys.stderr)
    for (operation, root, size), times in found.items():
        bare, ours, least = statistics.median(times["bare"]), statistics.median(times["ours"]), bound(operation, size, a)
        low, ratio, high = paired(times["ours"], times["bare"])
        print(f"{operation:10} {root:>4} {size:9} {bare:8.5f} {ours:8.5f} {ratio:10.3f}  ({low:.3f} - {high:.3f}) "
              f"{ours / least:10.2f} {bare / least:11.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
