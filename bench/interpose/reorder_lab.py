#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reordering measured on the emulated cluster: prints CSV, one row a run, and the median gain at the end.

usage: reorder_lab.py BUILD_DIR [--repeats N] [--bytes B] [--iterations K]

Two sites of two hosts, joined by a link that is narrower than the hosts'. `halo grid` sends B bytes to the four neighbours
of a 4 x 4 grid made by MPI_Cart_create(reorder = 1). The hosts are listed alternately from both sites, so that every row of
the grid is on another site than the next. Both variants are preloaded; they differ only in HS_REORDER=off and topology, and
alternate. Needs root (hs lab)."""
import argparse
import csv
import os
import subprocess
import sys
import tempfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from built import built
from cluster import Cluster, claim, claims_begin

LAB = "bench-reorder"
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Floyd">
    <host id="a1" speed="1Gf"/> <host id="a2" speed="1Gf"/> <host id="b1" speed="1Gf"/> <host id="b2" speed="1Gf"/>
    <router id="left"/> <router id="right"/>
    <link id="la1" bandwidth="200Mbps" latency="0"/> <link id="la2" bandwidth="200Mbps" latency="0"/>
    <link id="lb1" bandwidth="200Mbps" latency="0"/> <link id="lb2" bandwidth="200Mbps" latency="0"/>
    <link id="wide" bandwidth="50Mbps" latency="0"/>
    <route src="a1" dst="left"><link_ctn id="la1"/></route>
    <route src="a2" dst="left"><link_ctn id="la2"/></route>
    <route src="b1" dst="right"><link_ctn id="lb1"/></route>
    <route src="b2" dst="right"><link_ctn id="lb2"/></route>
    <route src="left" dst="right"><link_ctn id="wide"/></route>
  </zone>
</platform>
"""


def run(options, platform, mode):
    """Seconds an iteration, and the checksum, which does not depend on the placement of ranks."""
    program = built(options.build, "bench", "interpose", "halo")
    command = [f"{options.build}/hs", "lab", "run", "--name", LAB, "-n", "16", "--hosts", "a1,b1,a2,b2", "--", "env",
               f"LD_PRELOAD={options.build}/.libs/libheteroslice-preload.so", f"HS_PLATFORM={platform}",
               f"HS_REORDER={mode}", "HS_LOG=error", program, "grid", str(options.bytes), str(options.iterations)]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    seconds, checksum = said.strip().splitlines()[-1].split(",")
    return float(seconds), checksum


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--bytes", type=int, default=65536)
    parser.add_argument("--iterations", type=int, default=10)
    options = parser.parse_args()
    out, gains = csv.writer(sys.stdout), []
    out.writerow("repeat off_s topology_s gain".split())
    with tempfile.TemporaryDirectory() as folder:
        platform = os.path.join(folder, "sites.xml")
        with open(platform, "w") as text:
            text.write(PLATFORM)
        with Cluster(options.build, LAB, platform):
            for repeat in range(options.repeats):
                found = {}
                for mode in ("off", "topology") if repeat % 2 == 0 else ("topology", "off"):
                    found[mode] = run(options, platform, mode)
                if found["off"][1] != found["topology"][1]:
                    sys.exit("the checksums differ")
                gains.append(found["off"][0] / found["topology"][0])
                out.writerow([repeat, f"{found['off'][0]:.5f}", f"{found['topology'][0]:.5f}", f"{gains[-1]:.3f}"])
                sys.stdout.flush()
    claims_begin()
    claim("topology against the default order, times faster", gains)


main()
