#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Six topologies of 8 hosts on the emulated cluster: the platform that hs probe finds, against the true one. Prints CSV.

usage: discover_lab.py BUILD_DIR [--repeats N] [--budget TIME] [--only NAME] [--hs FILE] [--keep FOLDER]

--only server is one host with a link as wide as those of four others. The lab's bandwidths are of payload, so what it gets
is the true file. median and p95 are relative errors of the max-min bandwidths of 200 random sets of 1 to 8 flows
(bench/platform/judge); clique_...: those of the best file without shared links, which has each pair's true bandwidth.
trunks: how many of the links between switches were found, by the hosts they divide; extra: links found that divide hosts as
no true one does. flows: probes, at most 6 n log2 n = 144; 0: no tree was found, or the hs of --hs is older and measures
pairs. --keep keeps files and readings."""
import argparse
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from built import built
from cluster import Cluster

# name: hosts as (switch, Mbps); trunks as (switch, switch, Mbps, whether flows of 8 hosts can fill it)
TOPOLOGIES = {
    "one-switch": ([("s", 100)] * 8, []),
    "two-sites": ([("s", 100)] * 4 + [("t", 100)] * 4, [("s", "t", 100, 1)]),
    "three-sites": ([(s, 100) for s in "ssstttuu"], [("core", x, 80, 1) for x in "stu"]),
    "chain": ([(s, 150) for s in "aabbccdd"], [("a", "b", 90, 1), ("b", "c", 60, 1), ("c", "d", 80, 1)]),
    "racks": ([(s, 100) for s in "aaabbbdd"], [("core", s, 60 if s == "d" else 400, s == "d") for s in "abd"]),
    "unequal": ([("s", (200, 100, 50)[k % 3]) for k in range(8)], []),
    "server": ([("s", 80)] + [("s", 20)] * 7, []),
}
BY_DEFAULT = [name for name in TOPOLOGIES if name != "server"]
NAME = f"discover{os.getpid()}"


def write_true(path, hosts, trunks):
    switches = sorted({s for s, _ in hosts} | {s for a, b, *_ in trunks for s in (a, b)})
    lines = ['<?xml version="1.0"?>', '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
             '<platform version="4.1">', '<zone id="lab" routing="Floyd">']
    lines += [f'<host id="h{k}" speed="1Gf"/>' for k in range(len(hosts))]
    lines += [f'<router id="r{s}"/>' for s in switches]
    edges = [(f"h{k}", f"r{s}", bandwidth) for k, (s, bandwidth) in enumerate(hosts)]
    edges += [(f"r{a}", f"r{b}", bandwidth) for a, b, bandwidth, _ in trunks]
    lines += [f'<link id="l{k}" bandwidth="{bandwidth}Mbps" latency="0s" sharing_policy="SPLITDUPLEX"/>'
              for k, (_, _, bandwidth) in enumerate(edges)]
    lines += [f'<route src="{a}" dst="{b}"><link_ctn id="l{k}" direction="UP"/></route>'
              for k, (a, b, _) in enumerate(edges)]
    with open(path, "w", encoding="ascii") as out:
        out.write("\n".join(lines + ["</zone>", "</platform>\n"]))


def divide(edges, without):
    """The hosts on the side of h0 when an edge is taken away."""
    reached, before = {"h0"}, 0
    while len(reached) > before:
        before = len(reached)
        for other in edges - {without}:
            if other & reached:
                reached |= other
    return frozenset(node for node in reached if node.startswith("h"))


def sides(path):
    """How links between routers divide the hosts, by edge in file order."""
    edges = []
    for route in ElementTree.parse(path).getroot().find("zone").findall("route"):
        edge = frozenset((route.get("src"), route.get("dst")))
        if edge not in edges:
            edges.append(edge)
    between = [edge for edge in edges if not any(node.startswith("h") for node in edge)]
    return [divide(set(edges), edge) for edge in between]


def measure(words, name, work, turn):
    true = os.path.join(work, f"{name}-true.xml")
    found, readings = (os.path.join(work, f"{name}-{turn}.{part}") for part in ("xml", "csv"))
    command = [words.hs, "probe", "-o", found, "--budget", words.budget]
    if words.hs == os.path.join(words.build, "hs"):
        command += ["--readings", readings]
    said = subprocess.run([os.path.join(words.build, "hs"), "lab", "run", "--name", NAME, "--", *command], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    judged = subprocess.run([built(words.build, "bench", "platform", "judge"), true, found], check=True,
                            stdout=subprocess.PIPE, text=True).stdout.strip().split(",")
    truly, wanted = sides(true), [k for k, trunk in enumerate(TOPOLOGIES[name][1]) if trunk[3]]
    with open(found, encoding="utf-8") as text:
        probes = re.search(r"from (\d+) flows", text.read())
    got = sides(found) if probes else []
    return [name, turn, re.search(r"measured in ([\d.]+) s", said).group(1), probes.group(1) if probes else 0,
            sum(truly[k] in got for k in wanted), len(wanted), sum(side not in truly for side in got)] + judged


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--budget", default="2s")
    parser.add_argument("--only", choices=TOPOLOGIES)
    parser.add_argument("--hs", type=os.path.abspath)
    parser.add_argument("--keep", type=os.path.abspath)
    words = parser.parse_args()
    words.hs = words.hs or os.path.join(words.build, "hs")
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    out, errors = csv.writer(sys.stdout, lineterminator="\n"), []
    out.writerow("topology turn seconds flows trunks of extra median p95 clique_median clique_p95".split())
    with tempfile.TemporaryDirectory() as scratch:
        work = words.keep or scratch
        for name in [words.only] if words.only else BY_DEFAULT:
            path = os.path.join(work, f"{name}-true.xml")
            write_true(path, *TOPOLOGIES[name])
            with Cluster(words.build, NAME, path):
                for turn in range(words.repeats):
                    row = measure(words, name, work, turn)
                    errors.append([float(value) for value in row[-4:]])
                    out.writerow(row)
                    sys.stdout.flush()
    out.writerow(["median of all"] + [""] * 6 + [f"{statistics.median(part):.3f}" for part in zip(*errors)])


main()
