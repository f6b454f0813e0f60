#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Matrix products measured on the emulated cluster: prints CSV, one row a run, and the medians of the claims at the end.

usage: lab_matmul.py BUILD_DIR [--repeats N] [--only EXPERIMENT,...] [--pdgemm RxC:BLOCK,RxC:BLOCK]
                     [--grids RxC,...] [--shape BLOCKS:SIZE] [--bandwidth LINKS] [--skip-left]

Every claim is a ratio of runs that alternate within one repetition; the median over the repetitions is quoted.
  six       hosts 8 6 4 : 4 3 2 behind two switches: equal rectangles, columns, pdgemm; efficiency against the hosts'
            own speeds, all measured at once before and after
  thirteen  the same on 13 hosts of random speeds behind one switch
  equal     the same on six equal hosts
  six-tour, thirteen-tour, equal-tour
            pdgemm's tour on these hosts; a long one can be made in parts with --grids
  drift     the fastest of the six hosts drops to a quarter of its speed after a third of the steps
pdgemm distributes blocks of 32 to 256 cyclically over a grid of ranks. A first tour runs it on all hosts in the
platform's order (a prime number of them also without the last), then on picked hosts: the k fastest, fastest first, for
all k. In both cases it tries the grids and blocks whose shares are within a quarter of the best. The best of the former
and the best of all are repeated. --pdgemm names these two and skips the tour; --only six-tour runs only the tour.
--shape sets the blocks (default: SHAPES), --bandwidth the bandwidth of the links, --skip-left skips the run without
balancing under drift. BLAS runs the kernels of a slow processor (OPENBLAS_CORETYPE); otherwise a share of one real core
multiplies so fast that its share of the kernel's network code is the bottleneck.
Needs root (hs lab)."""
import csv, json, os, random, subprocess, sys, tempfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
from built import built
from cluster import Cluster, claim, claims_begin, parser

LAB = f"bench-matmul-{os.getpid()}"
CPUS = "1.2"
SHAPES = {"six": "48:64", "thirteen": "96:64", "equal": "48:64", "drift": "96:64"}
TOLERANCE = 0.02  # of the first cut, as in hs-matmul
SIX = {"a1": 8, "a2": 6, "a3": 4, "b1": 4, "b2": 3, "b3": 2}
EQUAL = {host: 4 for host in SIX}
random.seed(13)
THIRTEEN = {f"h{i}": round(random.uniform(1, 8), 2) for i in range(1, 14)}


def platform_text(speeds, bandwidth):
    """Hosts behind one switch, or two when their names begin with a and b."""
    switches = sorted({host[0] for host in speeds})
    lines = ['<?xml version="1.0"?>', '<platform version="4.1">', '<zone id="cluster" routing="Floyd">']
    lines += [f'<host id="{h}" speed="{s}Gf"/>' for h, s in speeds.items()]
    lines += [f'<router id="s{w}"/>' for w in switches]
    link = '<link id="{}" bandwidth="' + bandwidth + '" latency="0s" sharing_policy="SPLITDUPLEX"/>'
    lines += [link.format("l" + h) for h in speeds] + [link.format("trunk")] * (len(switches) - 1)
    route = '<route src="{}" dst="{}"><link_ctn id="{}" direction="UP"/></route>'
    lines += [route.format(h, "s" + h[0], "l" + h) for h in speeds]
    lines += [route.format("sa", "sb", "trunk")] * (len(switches) - 1)
    return "\n".join(lines + ["</zone></platform>\n"])


class Bench:
    def __init__(self, build, repeats, folder):
        self.build, self.repeats, self.folder = build, repeats, folder
        self.out = csv.writer(sys.stdout)
        self.out.writerow("experiment repeat variant time_s gflops efficiency rebalances planned moved".split())
        self.claims = []
        os.environ.update(OPENBLAS_NUM_THREADS="1", OPENBLAS_CORETYPE="Atom")

    def hs(self, *words):
        return subprocess.run([f"{self.build}/hs", *words], check=True, stdout=subprocess.PIPE, text=True).stdout

    def cluster(self, speeds):
        return Cluster(self.build, LAB, self.platform("up", speeds), "--cpus", CPUS)

    def platform(self, name, speeds):
        path = os.path.join(self.folder, name + ".xml")
        with open(path, "w") as file:
            file.write(platform_text(speeds, self.bandwidth))
        return path

    def command(self, hosts, *program):
        return [f"{self.build}/hs", "lab", "run", "--name", LAB, "--hosts", ",".join(hosts), "--", *program]

    def rows(self):
        return self.shape[0] * self.shape[1]

    def row(self, experiment, repeat, variant, *rest):
        self.out.writerow([experiment, repeat, variant, *rest])
        sys.stdout.flush()

    def matmul(self, experiment, repeat, variant, speeds, *options, plan=None):
        """plan: the speeds to plan for, given in a platform file; without it they are measured."""
        environment = dict(os.environ)
        if plan:
            environment["HS_PLATFORM"] = self.platform("plan", plan)
        blocks, size = map(str, self.shape)
        said = subprocess.run(self.command(speeds, f"{self.build}/hs-matmul", "--blocks", blocks, "--block-size", size,
                                           "--json", *options), check=True, stdout=subprocess.PIPE, text=True,
                              env=environment).stdout
        r = json.loads(said[said.index("{"):])
        if not r["verified"]:
            sys.exit(f"{experiment}: {variant}: wrong answer")
        self.row(experiment, repeat, variant, f"{r['time']:.4f}", f"{r['gflops']:.3f}", f"{r['efficiency']:.4f}",
                 r["rebalances"], r["planned_blocks"], r["moved_blocks"])
        return r

    def pdgemm(self, experiment, repeat, speeds, choice):
        hosts, (rows, columns), block = choice
        said = subprocess.run(self.command(hosts, built(self.build, "bench", "matmul", "pdgemm"), str(self.rows()), str(block),
                                           str(rows), str(columns)), check=True, stdout=subprocess.PIPE,
                              text=True).stdout
        fields = said.split()[-1].split(",")
        if fields[5] != "true":
            sys.exit(f"{experiment}: pdgemm: wrong answer")
        self.row(experiment, repeat, "pdgemm " + choice_text(speeds, choice), fields[3], fields[4])
        return float(fields[3])

    def own_speeds(self, experiment, repeat, speeds):
        """Sum of the hosts' Gflop/s, each multiplying alone in blocks of 256, all at once."""
        jobs = [subprocess.Popen(self.command([h], f"{self.build}/hs-matmul", "--blocks", "3", "--block-size", "256",
                                              "--balance", "off", "--json"), stdout=subprocess.PIPE, text=True)
                for h in speeds]
        said = [job.communicate()[0] for job in jobs]
        total = sum(json.loads(text[text.index("{"):])["gflops"] for text in said)
        self.row(experiment, repeat, "hosts alone, added up", "", f"{total:.3f}")
        return total

    def claim(self, text, values, target):
        self.claims.append((text, values, target))


def fastest_first(speeds):
    return tuple(sorted(speeds, key=lambda host: -speeds[host]))


def choice_text(speeds, choice):
    hosts, (rows, columns), block = choice
    return f"{rows}x{columns} {block}" + ("" if hosts == tuple(speeds)[:len(hosts)] else " fastest first")


def share_cost(n, speeds, choice):
    """Time of the slowest host for its share of the blocks, without communication, over that of all hosts' speeds together."""
    hosts, (rows, columns), block = choice
    count = n // block
    share = [len(range(i, count, rows)) * len(range(j, count, columns)) for i in range(rows) for j in range(columns)]
    return max(s / speeds[h] for s, h in zip(share, hosts)) * sum(speeds.values()) / count ** 2


def choices(order, numbers):
    """Settings of pdgemm, (hosts, grid, block), for this number of the first hosts."""
    return [(order[:k], (r, k // r), block) for k in numbers for r in range(1, k + 1) if k % r == 0
            for block in (32, 64, 128, 256)]


def near(bench, speeds, given):
    """Settings whose shares cost at most a quarter more than the best; only with the given grids, if any."""
    cost = {choice: share_cost(bench.rows(), speeds, choice) for choice in given}
    return [c for c in given if cost[c] <= 1.25 * min(cost.values()) and (not bench.grids or c[1] in bench.grids)]


def best_pdgemm(bench, name, speeds):
    """The best setting on all hosts in the platform's order, and the best on any hosts in any order."""
    p = len(speeds)
    prime = all(p % r for r in range(2, p))
    listed, picked = (near(bench, speeds, choices(order, numbers)) for order, numbers in (
        (tuple(speeds), [p, p - 1] if prime else [p]), (fastest_first(speeds), range(1, p + 1))))
    times = {choice: bench.pdgemm(name, "tour", speeds, choice) for choice in dict.fromkeys(listed + picked)}
    return [min(listed or times, key=times.get), min(times, key=times.get)]


def tour(bench, name, speeds, best, target):
    for choice in best_pdgemm(bench, name, speeds):
        print("best:", choice_text(speeds, choice))


def steady(bench, name, speeds, best, target):
    if best:
        orders = (tuple(speeds), fastest_first(speeds))
        best = [(order[:grid[0] * grid[1]], grid, block) for order, (grid, block) in zip(orders, best)]
    else:
        best = best_pdgemm(bench, name, speeds)
    against, efficiency = {"equal": [], **{choice: [] for choice in best}}, []
    for repeat in range(bench.repeats):
        equal = bench.matmul(name, repeat, "equal", speeds, "--layout", "equal", "--balance", "off")
        before = bench.own_speeds(name, repeat, speeds)
        columns = bench.matmul(name, repeat, "columns", speeds, "--balance", "static", plan=speeds)
        own = (before + bench.own_speeds(name, repeat, speeds)) / 2
        against["equal"].append(equal["time"] / columns["time"])
        for choice in dict.fromkeys(best):
            against[choice].append(bench.pdgemm(name, repeat, speeds, choice) / columns["time"])
        efficiency.append(columns["gflops"] / own)
    bench.claim(f"{name}: columns against equal rectangles, times faster", against["equal"],
                ">= 1.8" if target >= 1.8 else "")
    for choice, which in zip(best, ("all hosts as listed", "any hosts in any order")):
        said = f"{choice_text(speeds, choice)} (its shares alone cost {share_cost(bench.rows(), speeds, choice):.2f})"
        bench.claim(f"{name}: columns against pdgemm on {which}, {said}, times faster", against[choice],
                    f">= {target}")
    bench.claim(f"{name}: efficiency (achieved / sum of the hosts' own)", efficiency, ">= 0.85")


def owners(bench, speeds):
    """Host of every block of a partition from scratch."""
    said = bench.hs("columns", "--speeds", ",".join(map(str, speeds.values())), "--blocks", str(bench.shape[0]),
                    "--tolerance", str(TOLERANCE), "--json")
    owner, x = {}, 0
    for column in json.loads(said)["columns"]:
        y = 0
        for rectangle in column["rectangles"]:
            for i in range(int(rectangle["height"])):
                for j in range(int(column["width"])):
                    owner[y + i, x + j] = rectangle["host"]
            y += int(rectangle["height"])
        x += int(column["width"])
    return owner


def drift(bench, name, speeds, best, target):
    slow = dict(speeds, a1=speeds["a1"] / 4)
    before, after = owners(bench, speeds), owners(bench, slow)
    scratch = sum(before[place] != after[place] for place in before)
    command = f"{bench.build}/hs lab speed --name {LAB} a1"
    price, extra, fewer, gain = [], [], [], []
    for repeat in range(bench.repeats):
        fast = bench.matmul(name, repeat, "before, planned", speeds, "--balance", "static", plan=speeds)
        bench.hs("lab", "speed", "--name", LAB, "a1", "0.25")
        late = bench.matmul(name, repeat, "after, planned", speeds, "--balance", "static", plan=slow)
        clairvoyant = fast["time"] / 3 + late["time"] * 2 / 3
        event = ["--at", f"{bench.shape[0] // 3}:{command} 0.25"]
        bench.hs("lab", "speed", "--name", LAB, "a1", "1")
        if not bench.skip_left:
            left = bench.matmul(name, repeat, "left alone", speeds, "--balance", "static", *event, plan=speeds)
            bench.hs("lab", "speed", "--name", LAB, "a1", "1")
        on = bench.matmul(name, repeat, "balanced", speeds, "--balance", "on", *event, plan=speeds)
        bench.hs("lab", "speed", "--name", LAB, "a1", "1")
        price.append(on["time"] / clairvoyant)
        if not bench.skip_left:
            gain.append(left["time"] / on["time"])
        if on["moved_blocks"]:
            extra.append(on["moved_blocks"] / on["planned_blocks"])
            fewer.append(scratch / on["moved_blocks"])
    bench.claim("drift: balanced against clairvoyant, times its time", price, "<= 1.15")
    if gain:
        bench.claim("drift: balanced against left alone, times faster", gain, "")
    bench.claim("drift: blocks moved over blocks planned", extra or [0], "<= 1.05")
    bench.claim(f"drift: blocks of a partition from scratch ({scratch}) over blocks moved", fewer or [0], ">= 3")


def main():
    line = parser(__doc__)
    line.add_argument("--only", default="six,thirteen,equal,drift")
    line.add_argument("--pdgemm", help="the best grid and block on all hosts as listed and on any, if known")
    line.add_argument("--grids", help="the only ones that a tour visits")
    line.add_argument("--shape", help="blocks and their size")
    line.add_argument("--bandwidth", default="1Gbps", help="of every link")
    line.add_argument("--skip-left", action="store_true", help="under drift, no run that is left alone")
    words = line.parse_args()
    best = None
    if words.pdgemm:
        known = [choice.split(":") for choice in words.pdgemm.split(",")]
        best = [(tuple(map(int, grid.split("x"))), int(block)) for grid, block in known]
    experiments = dict(six=(steady, SIX, 1.8), thirteen=(steady, THIRTEEN, 1.8), equal=(steady, EQUAL, 0.95),
                       drift=(drift, SIX, 0))
    experiments.update({f"{name}-tour": (tour, experiments[name][1], 0) for name in ("six", "thirteen", "equal")})
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(words.build), words.repeats, folder)
        bench.grids = [tuple(map(int, grid.split("x"))) for grid in words.grids.split(",")] if words.grids else None
        bench.bandwidth = words.bandwidth
        bench.skip_left = words.skip_left
        for name in words.only.split(","):
            run, speeds, target = experiments[name]
            bench.shape = tuple(map(int, (words.shape or SHAPES[name.removesuffix("-tour")]).split(":")))
            with bench.cluster(speeds):
                run(bench, name, speeds, best, target)
    claims_begin()
    for each in bench.claims:
        claim(*each)


main()
