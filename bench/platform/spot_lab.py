#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How often a short look (hs probe --check) agrees with a measurement of six hosts on the emulated cluster: with the hosts as they were,
where each "differs" is a false alarm, and with one of them slower or faster. Prints CSV. Needs root (hs lab).

usage: spot_lab.py BUILD_DIR [--repeats N]"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from cluster import Cluster, parser

FACTORS = (1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.25)


def main():
    words = parser(__doc__).parse_args()
    hs = os.path.join(os.path.abspath(words.build), "hs")
    print("factor_of_one,looks,held,what_differed")
    with Cluster(words.build, f"spot{os.getpid()}", "two-switches.xml") as cluster, tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "measured.xml")
        probe = [hs, "lab", "run", "--name", cluster.name, "--", hs, "probe", "-o"]
        subprocess.run([*probe, file], check=True, stdout=subprocess.DEVNULL)
        for factor in FACTORS:
            subprocess.run([hs, "lab", "speed", "--name", cluster.name, "a2", str(factor)], check=True, stdout=subprocess.DEVNULL)
            held, differed = 0, []
            for _ in range(words.repeats):
                copy = os.path.join(folder, "copy.xml")
                with open(file) as source, open(copy, "w") as target:
                    target.write(source.read())
                done = subprocess.run([*probe, copy, "--check", "--budget", "10ms"], check=True, capture_output=True, text=True)
                held += "still holds" in done.stdout
                differed += [line.split(": ", 1)[1].split(":")[0] for line in done.stderr.splitlines() if "measuring anew" in line]
            print(f'{factor},{words.repeats},{held},"{" ".join(sorted(differed))}"', flush=True)


main()
