#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Six topologies on the emulated cluster: the platform that hs probe finds, against the true one. Prints CSV.

usage: discover_lab.py BUILD_DIR [--repeats N] [--budget TIME] [--only NAME]

For 200 random sets of 1 to 8 flows at once: relative error of the max-min bandwidths on the found file against the true
one, whose links are scaled by the part that TCP/IP leaves (--goodput, 0.95); median and 95th percentile. Beside it
("clique"): a private link for every pair, with the bandwidth of that pair alone on the true file, which is the best that
measuring pairs can give. trunks: true trunks that are found, by the hosts they divide, of those that flows can fill;
extra: trunks found that divide hosts as no true one does."""
import argparse
import csv
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

# name: hosts of each switch as (switch, Mbps); trunks as (switch, switch, Mbps, whether flows can fill it)
TOPOLOGIES = {
    "one-switch": ([("s", 100)] * 8, []),
    "two-sites": ([("s", 100)] * 4 + [("t", 100)] * 4, [("s", "t", 100, 1)]),
    "three-sites": ([("s", 100)] * 4 + [("t", 100)] * 4 + [("u", 100)] * 4,
                    [("core", x, 150, 1) for x in "stu"]),
    "chain": ([(s, 150) for s in "abcd" for _ in range(2)], [("a", "b", 90, 1), ("b", "c", 60, 1), ("c", "d", 80, 1)]),
    "racks": ([(s, 100) for s in "abcd" for _ in range(4)],
              [("core", s, 100 if s == "d" else 400, s == "d") for s in "abcd"]),
    "unequal": ([("s", (200, 100, 50)[k % 3]) for k in range(10)], []),
}


def write_true(path, hosts, trunks, scale):
    switches = sorted({s for s, _ in hosts} | {s for a, b, *_ in trunks for s in (a, b)})
    lines = ['<?xml version="1.0"?>', '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
             '<platform version="4.1">', '<zone id="lab" routing="Floyd">']
    lines += [f'<host id="h{k}" speed="1Gf"/>' for k in range(len(hosts))]
    lines += [f'<router id="r{s}"/>' for s in switches]
    edges = [(f"h{k}", f"r{s}", bandwidth) for k, (s, bandwidth) in enumerate(hosts)]
    edges += [(f"r{a}", f"r{b}", bandwidth) for a, b, bandwidth, _ in trunks]
    lines += [f'<link id="l{k}" bandwidth="{scale * bandwidth}Mbps" latency="0s" sharing_policy="SPLITDUPLEX"/>'
              for k, (_, _, bandwidth) in enumerate(edges)]
    lines += [f'<route src="{a}" dst="{b}"><link_ctn id="l{k}" direction="UP"/></route>'
              for k, (a, b, _) in enumerate(edges)]
    with open(path, "w", encoding="ascii") as out:
        out.write("\n".join(lines + ["</zone>", "</platform>\n"]))


def sides(path):
    """How each link between routers divides the hosts, as frozensets that hold the first host."""
    zone = ElementTree.parse(path).getroot().find("zone")
    hosts = [host.get("id") for host in zone.findall("host")]
    edges = {frozenset((route.get("src"), route.get("dst"))) for route in zone.findall("route")}
    found = set()
    for edge in edges:
        if edge & set(hosts):
            continue
        reached, before = {hosts[0]}, 0
        while len(reached) > before:
            before = len(reached)
            for other in edges - {edge}:
                if other & reached:
                    reached |= other
        found.add(frozenset(reached & set(hosts)))
    return found, hosts


def bandwidths(hs, path, flows):
    text = ",".join(f"{a}:{b}" for a, b in flows)
    shown = subprocess.run([hs, "show", path, "--flows", text, "--json"], check=True, stdout=subprocess.PIPE)
    return [flow["bandwidth"] for flow in json.loads(shown.stdout)["flows"]]


def errors(hs, true, found, hosts):
    """Relative errors of the found file, and of a clique, over random sets of flows."""
    ends = random.Random(1)
    alone, ours, clique = {}, [], []
    for _ in range(200):
        flows = [tuple(ends.sample(hosts, 2)) for _ in range(ends.randint(1, 8))]
        right, got = bandwidths(hs, true, flows), bandwidths(hs, found, flows)
        sharers = {flow: sum(1 for other in flows if set(other) == set(flow)) for flow in flows}
        for flow in flows:
            if flow not in alone:
                alone[flow] = bandwidths(hs, true, [flow])[0]
        ours += [abs(b / a - 1) for a, b in zip(right, got)]
        clique += [abs(alone[flow] / sharers[flow] / a - 1) for a, flow in zip(right, flows)]
    return sorted(ours), sorted(clique)


def late(values):
    return values[len(values) * 95 // 100]


def measure(words, hs, name, work):
    hosts, trunks = TOPOLOGIES[name]
    lab, true, found = (os.path.join(work, f"{name}-{part}.xml") for part in ("lab", "true", "found"))
    write_true(lab, hosts, trunks, 1)
    write_true(true, hosts, trunks, words.goodput)
    fillable = set()
    for k in range(len(trunks)):
        if trunks[k][3]:
            only = os.path.join(work, "only.xml")
            write_true(only, hosts, trunks, 1)
            zone = ElementTree.parse(only).getroot().find("zone")
            route = zone.findall("route")[len(hosts) + k]
            fillable |= {s for s in sides(only)[0] if divides(only, s, route)}
    subprocess.run([hs, "lab", "up", "--name", f"discover-{os.getpid()}", lab], check=True, stdout=subprocess.DEVNULL)
    try:
        said = subprocess.run([hs, "lab", "run", "--name", f"discover-{os.getpid()}", "--", hs, "probe", "-o", found,
                               "--budget", words.budget, "--json"], check=True, stdout=subprocess.PIPE, text=True)
    finally:
        subprocess.run([hs, "lab", "down", "--name", f"discover-{os.getpid()}"], check=True)
    cuts, ids = sides(found)
    ours, clique = errors(hs, true, found, ids)
    with open(found, encoding="utf-8") as text:
        probes = text.read().split("bandwidths from ")[1].split()[0]
    return [name, len(hosts), f"{json.loads(said.stdout)['time']:.2f}", probes, len(fillable & cuts), len(fillable),
            len(cuts - sides(true)[0]), f"{statistics.median(ours):.3f}", f"{late(ours):.3f}",
            f"{statistics.median(clique):.3f}", f"{late(clique):.3f}"]


def divides(path, side, route):
    """Whether taking this route away leaves just these hosts together."""
    zone = ElementTree.parse(path).getroot().find("zone")
    reached, before = set(side), 0
    edges = [{r.get("src"), r.get("dst")} for r in zone.findall("route")]
    edges.remove({route.get("src"), route.get("dst")})
    while len(reached) > before:
        before = len(reached)
        for edge in edges:
            if edge & reached:
                reached |= edge
    return {one for one in reached if one.startswith("h")} == set(side)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--budget", default="2s")
    parser.add_argument("--goodput", type=float, default=0.95)
    parser.add_argument("--only", choices=TOPOLOGIES)
    words = parser.parse_args()
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    out = csv.writer(sys.stdout)
    out.writerow("topology hosts seconds flows trunks of extra median p95 clique_median clique_p95".split())
    with tempfile.TemporaryDirectory() as work:
        names = [words.only] if words.only else TOPOLOGIES
        for _, name in itertools.product(range(words.repeats), names):
            out.writerow(measure(words, os.path.join(os.path.abspath(words.build), "hs"), name, work))
            sys.stdout.flush()


main()
