#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Rows, a grid and columns of boxes on 64 and 512 simulated hosts behind links that routes share (SimGrid's SMPI): prints
CSV, one row a plan.

usage: simulated.py BUILD_DIR [--hosts 64,512] [--platforms N] [--iterations K]

Platforms are those of hs generate, with seeds from 1 on. A square and a flat domain of as many cells; a cell takes 100 and
1000 flop and travels as 8 bytes. simulated_s is a step in SMPI's fluid network, and quotient that over the planned one,
which takes all messages to be under way at the same time and so is an upper bound. over_rows is the simulated step over
that of rows. `make bench/boxes/plan` first; needs smpicc."""
import argparse, csv, itertools, os, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("lab", "ring")]
from built import built
from ring_simulated import generate, output, play

SHAPES = {64: (64, 40, 140), 512: (512, 160, 900)}  # hosts, routers, links
DOMAINS = {"square": (4096, 4096), "flat": (1024, 16384)}
LAYOUTS = ["rows", "grid", "columns"]
FLOP, BYTES = (100, 1000), 8


def plan(build, platform, layout, domain, flop, folder):
    """The planned seconds of a step, the bytes of all halos, the hosts, and the file."""
    text = output(built(build, "bench", "boxes", "plan"), platform, layout, *DOMAINS[domain], BYTES, flop)
    path = os.path.join(folder, "plan")
    with open(path, "w") as f:
        f.write(text)
    first, *hosts = text.splitlines()
    return *map(float, first.split()), [line.split()[0] for line in hosts], path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--hosts", default="64,512", help="some of 64 and 512")
    parser.add_argument("--platforms", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=5)
    a = parser.parse_args()
    out = csv.writer(sys.stdout)
    out.writerow("hosts seed domain flop layout halo_bytes planned_s simulated_s quotient over_rows".split())
    with tempfile.TemporaryDirectory() as folder:
        program, platform = os.path.join(folder, "step"), os.path.join(folder, "platform.xml")
        output("smpicc", "-O2", os.path.join(HERE, "step.c"), "-o", program)
        for hosts, seed in itertools.product(map(int, a.hosts.split(",")), range(1, a.platforms + 1)):
            generate(a.build, platform, SHAPES[hosts], seed)
            for domain, flop, layout in itertools.product(DOMAINS, FLOP, LAYOUTS):
                planned, halo, names, path = plan(a.build, platform, layout, domain, flop, folder)
                step = play(platform, names, folder, program, path, a.iterations)
                rows = step if layout == "rows" else rows
                out.writerow([hosts, seed, domain, flop, layout, f"{halo:.0f}", f"{planned:.6g}", f"{step:.6g}",
                              f"{step / planned:.4f}", f"{step / rows:.4f}"])
                sys.stdout.flush()


main()
