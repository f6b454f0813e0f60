#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files whose speeds are wrong, on the emulated cluster: prints CSV, one row a run, and the medians at the end.

usage: lab_pace.py BUILD_DIR [--repeats N] [--seconds S] [--intensities I,...] [--factors F,...]

Six hosts 9 5 5 4 4 2 behind 80 to 300 Mbps. The intensity (relaxations of a point in a sweep) sets the ratio of computing to
messages. Within a repetition a run without the library (equal slices), one with a file of the speeds that the program reaches,
and one with each wrong file follow each other; ratios of their times are quoted. Needs root (hs lab)."""
import csv, json, os, subprocess, sys, tempfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from cluster import Cluster, claim, claims_begin, parser

LAB = "bench-pace"
ROWS, COLS = 60, 20000
SPEEDS = {"a1": 9, "a2": 5, "a3": 5, "b1": 4, "b2": 4, "b3": 2}
LINKS = {"a1": 300, "a2": 200, "a3": 200, "b1": 150, "b2": 100, "b3": 80, "trunk": 80}


def flop(intensity):
    return ROWS * COLS * (4 + 2 * (intensity - 1))


def write_platform(path, gigaflop):
    """Hosts a* and b* behind two switches; gigaflop: the speed of one unit of SPEEDS."""
    duplex = 'latency="0s" sharing_policy="SPLITDUPLEX"'
    with open(path, "w") as out:
        print('<?xml version="1.0"?>\n<platform version="4.1">\n<zone id="cluster" routing="Floyd">', file=out)
        for host, speed in SPEEDS.items():
            print(f'<host id="{host}" speed="{speed * gigaflop:.9g}Gf"/>', file=out)
        print('<router id="sa"/><router id="sb"/>', file=out)
        for link, rate in LINKS.items():
            print(f'<link id="l{link}" bandwidth="{rate}Mbps" {duplex}/>', file=out)
        for host in SPEEDS:
            print(f'<route src="{host}" dst="s{host[0]}"><link_ctn id="l{host}" direction="UP"/></route>', file=out)
        print('<route src="sa" dst="sb"><link_ctn id="ltrunk" direction="UP"/></route>\n</zone>\n</platform>', file=out)


class Bench:
    def __init__(self, build):
        self.build = build
        self.out = csv.writer(sys.stdout)
        self.out.writerow("intensity repeat variant time_s moves efficiency rows".split())

    def run(self, intensity, repeat, variant, program, iterations, hosts=None, platform=None):
        words = [f"{self.build}/hs", "lab", "run", "--name", LAB] + (["--hosts", hosts] if hosts else [])
        words += ["--", f"{self.build}/{program}", "--rows", ROWS, "--cols", COLS, "--intensity", intensity,
                  "--iterations", iterations, "--json"]
        environment = dict(os.environ, **({"HS_PLATFORM": platform} if platform else {}))
        said = subprocess.run([str(w) for w in words], check=True, stdout=subprocess.PIPE, text=True,
                              env=environment).stdout
        result = json.loads(said[said.index("{"):])
        if not result["verified"]:
            sys.exit(f"intensity {intensity}, {variant}: wrong answer")
        self.out.writerow([intensity, repeat, variant, f"{result['time']:.4f}", result["rebalances"],
                           result["efficiency"], " ".join(map(str, result["rows"]))])
        sys.stdout.flush()
        return result["time"]


def one_intensity(bench, folder, intensity, words):
    ratio = {factor: [] for factor in words.factors}
    equal_ratio = []
    alone = bench.run(intensity, 0, "a1 alone", "hs-stencil-plain", 5, hosts="a1") / 5
    few = bench.run(intensity, 0, "equal slices, few", "hs-stencil-plain", 5) / 5
    iterations = max(20, round(words.seconds / few))
    for factor in [1] + words.factors:
        write_platform(os.path.join(folder, f"{factor}.xml"), flop(intensity) / alone / SPEEDS["a1"] * factor / 1e9)
    for repeat in range(words.repeats):
        equal = bench.run(intensity, repeat, "equal slices", "hs-stencil-plain", iterations)
        right = bench.run(intensity, repeat, "right file", "hs-stencil", iterations, platform=f"{folder}/1.xml")
        equal_ratio.append(right / equal)
        for factor in words.factors:
            time = bench.run(intensity, repeat, f"file {factor} times", "hs-stencil", iterations,
                             platform=f"{folder}/{factor}.xml")
            ratio[factor].append(time / right)
    claims = [(f"intensity {intensity}: right file against equal slices, times its time", equal_ratio, "<= 1.02")]
    return claims + [(f"intensity {intensity}: file {factor} times the truth against the right one, times its time",
                      ratio[factor], "<= 1.05") for factor in words.factors]


def main():
    numbers = lambda text: [float(x) if "." in x else int(x) for x in text.split(",")]
    line = parser(__doc__)
    line.set_defaults(repeats=3)
    line.add_argument("--seconds", type=float, default=8, help="of a run with equal slices")
    line.add_argument("--intensities", type=numbers, default=[1, 10, 100])
    line.add_argument("--factors", type=numbers, default=[0.02, 50])
    words = line.parse_args()
    bench = Bench(os.path.abspath(words.build))
    claims = []
    with tempfile.TemporaryDirectory() as folder:
        write_platform(f"{folder}/lab.xml", 1)
        with Cluster(words.build, LAB, f"{folder}/lab.xml"):
            for intensity in words.intensities:
                claims += one_intensity(bench, folder, intensity, words)
    claims_begin()
    for each in claims:
        claim(*each)


main()
