#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that nobody here wrote (unmodified.py), with their partitioners left alone and with targets by host speed: prints CSV, one
row a run, and the medians at the end.

usage: lab_programs.py BUILD_DIR [--repeats N] [--only NAME,...] [--platform FILE] [--links FACTOR | --equal]

A rank on each host of an emulated cluster, whose links may have FACTOR times the bandwidth of the file, or whose hosts one speed; the two
ways alternate. `worst` is the largest difference of a part from its target, in percent of that target, by the report; `seconds` the time from
MPI_Init to MPI_Finalize; `used` the part of the summed speed that was used: what hosts computed in that time, each at its speed, over what
all could have; `answer` what the program prints, which must be the same within its tolerance. Needs root (hs lab)."""
import csv, os, statistics, sys, tempfile
from unmodified import PROGRAMS, prepare, run, worst_part
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from cluster import EXAMPLES, Cluster, parser, write_equal, write_links


def used(report):
    """Part of the summed speed. Ranks have a host each."""
    ranks = report["ranks"]
    return sum(r["speed"] * r["compute"] for r in ranks) / (report["run"] * sum(r["speed"] for r in ranks))


def measure(cluster, folder, words):
    names = [name for name in PROGRAMS if not words.only or any(only in name for only in words.only.split(","))]
    places, times, shares = {name: prepare(folder, name, PROGRAMS[name]) for name in names}, {}, {}
    out = csv.writer(sys.stdout)
    out.writerow("program repeat partition seconds load_balance used worst_percent parts answer".split())
    for name in filter(places.get, names):
        for repeat in range(words.repeats):
            for mode in ("off", "on"):
                report, answer = run(cluster, places[name], PROGRAMS[name], mode, cluster.platform)
                worst = worst_part(report, PROGRAMS[name].call)
                times.setdefault((name, mode), []).append(report["run"])
                shares.setdefault((name, mode), []).append(used(report))
                out.writerow([name, repeat, mode, f"{report['run']:.3f}", f"{report['efficiency']['load_balance']:.3f}",
                              f"{shares[name, mode][-1]:.3f}",
                              f"{worst[0]:.2f}" if worst else "", " ".join(map(str, worst[1])) if worst else "", answer])
                sys.stdout.flush()
    print("\nprogram,seconds_off,seconds_on,gain_median,gain_min,gain_max,used_off,used_on")
    for name in filter(places.get, names):
        gains = [off / on for off, on in zip(times[name, "off"], times[name, "on"])]
        print(f'"{name}",{statistics.median(times[name, "off"]):.2f},{statistics.median(times[name, "on"]):.2f},'
              f"{statistics.median(gains):.2f},{min(gains):.2f},{max(gains):.2f},"
              f"{statistics.median(shares[name, 'off']):.3f},{statistics.median(shares[name, 'on']):.3f}")


def main():
    line = parser(__doc__)
    line.add_argument("--only")
    line.add_argument("--platform", default=os.path.join(EXAMPLES, "two-switches.xml"))
    changed = line.add_mutually_exclusive_group()
    changed.add_argument("--links", type=float, default=1)
    changed.add_argument("--equal", action="store_true")
    words = line.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        platform = os.path.join(folder, "platform.xml")
        given = os.path.abspath(words.platform)
        if words.equal:
            write_equal(platform, given)
        else:
            write_links(platform, given, words.links)
        with Cluster(words.build, "bench-partition", platform) as cluster:
            measure(cluster, folder, words)


main()
