#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that nobody here wrote (unmodified.py) on one host with cores of two kinds: prints CSV, one row a run, and the medians of the
claims at the end.

usage: lab_cores.py BUILD_DIR [--repeats N] [--ranks N] [--only NAME,...]

A rank on each core of an emulated host. The control groups of the first half of the ranks have twice the quota of the others', so
parts should be 2 : 1, and a program that only computes be 1.5 times faster than with equal parts. `off` and `on` (HS_PARTITION)
alternate within a repetition; ratios are taken within one. `seconds` is the time from MPI_Init to MPI_Finalize. Needs root (hs lab)."""
import csv, os, sys, tempfile
from unmodified import PROGRAMS, prepare, run, worst_part
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from cluster import Cluster, claim, claims_begin, parser

LAB, PERIOD_US = "bench-cores", 10000
CORES = 0.9  # of the machine, for all ranks: less than the lab gives the host
ONLY = "ex2,ex45"


def kinds(ranks):
    """How fast the rank of each core is."""
    return [2 if core < ranks // 2 else 1 for core in range(ranks)]


def write_platform(path, cores):
    """A host of so many cores."""
    with open(path, "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full">'
                  f'<host id="h" speed="4Gf" core="{cores}"/></zone></platform>\n')


def quota_files():
    """The folder of the control groups that have quotas, and how a group's is written."""
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        for _, root, kind, options, *_ in map(str.split, mounts):
            if kind == "cgroup" and "cpu" in options.split(","):
                return root, "cpu.cfs_quota_us", "{quota}"
            if kind == "cgroup2":
                with open(f"{root}/cgroup.controllers", encoding="utf-8") as controllers:
                    if "cpu" in controllers.read().split():
                        return root, "cpu.max", "{quota} {period}"
    sys.exit("no control groups with quotas are mounted")


def set_quotas(ranks):
    """Of each core of the lab's host, whose period is as the lab has it."""
    root, name, text = quota_files()
    unit = CORES / sum(kinds(ranks))
    for core, kind in enumerate(kinds(ranks)):
        with open(f"{root}/heteroslice/{LAB}/h0.{core}/{name}", "w", encoding="utf-8") as file:
            file.write(text.format(quota=round(unit * kind * PERIOD_US), period=PERIOD_US))


def difference(parts):
    """The largest of a part from its share by cores, in percent of that share."""
    speeds = kinds(len(parts))
    return max(100 * abs(part / sum(parts) * sum(speeds) / speed - 1) for part, speed in zip(parts, speeds))


def measure(cluster, folder, name, repeats, out):
    """[(times faster, the largest difference)] by repetition; None: it is not installed."""
    program, rows = PROGRAMS[name], []
    place = prepare(folder, name, program)
    if not place:
        return None
    for repeat in range(repeats):
        seconds = {}
        for mode in ("off", "on"):
            report, answer = run(cluster, place, program, mode, cluster.platform)
            worst, seconds[mode] = worst_part(report, program.call), report["run"]
            out.writerow([name, repeat, mode, f"{report['run']:.3f}", f"{report['efficiency']['load_balance']:.3f}",
                          f"{difference(worst[1]):.2f}" if worst else "", " ".join(map(str, worst[1])) if worst else "", answer])
            sys.stdout.flush()
        rows.append((seconds["off"] / seconds["on"], difference(worst[1])))
    return rows


def main():
    line = parser(__doc__)
    line.add_argument("--ranks", type=int, default=2, help="an even number")
    line.add_argument("--only", default=ONLY)
    words = line.parse_args()
    out, found = csv.writer(sys.stdout), {}
    with tempfile.TemporaryDirectory() as folder:
        platform = os.path.join(folder, "platform.xml")
        write_platform(platform, words.ranks)
        with Cluster(words.build, LAB, platform) as cluster:
            set_quotas(words.ranks)
            out.writerow("program repeat partition seconds load_balance percent_off_2_to_1 parts answer".split())
            for name in PROGRAMS:
                if any(only in name for only in words.only.split(",")):
                    found[name] = measure(cluster, folder, name, words.repeats, out)
    claims_begin()
    for name, rows in found.items():
        if rows:
            claim(f"{name}: parts by cores against equal parts, times faster", [gain for gain, _ in rows], "1.5 at best")
            claim(f"{name}: largest difference of a part from 2 : 1, percent", [off for _, off in rows], "<= 1")


main()
