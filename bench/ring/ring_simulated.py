#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Planned step times against SimGrid: random platforms are planned on their routes with max-min sharing, the rings run
under smpirun, and the simulated time of a step is divided by the planned one, and by that of hs ring --simulate. The plan
assumes that all messages share the links at the same time, so it is an upper bound. Prints CSV; a summary goes to stderr."""
import argparse, csv, json, os, re, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = 1e9
ENVELOPE = 16  # bytes that SMPI adds to a message
# The fluid max-min network, without latencies, windows or return traffic; no time but what is simulated
EXACT = ["network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:1e15", "smpi/simulate-computation:no",
         "smpi/host-speed:1f", "smpi/wtime:0", "smpi/test:0", "smpi/iprobe:0"]
SIZES = [(37, 47, 91), (70, 103, 182)]  # the paper's sizes


def output(*words):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(str(w) for w in words[:4])}: {done.stderr.strip()}")
    return done.stdout


def play(platform, hosts, folder, program, *words):
    """The seconds of a step that a program prints when smpirun runs it with a rank on each of the hosts."""
    path = os.path.join(folder, "hosts")
    with open(path, "w") as f:
        f.writelines(host + "\n" for host in hosts)
    said = output("smpirun", "-np", len(hosts), "-hostfile", path, "-platform", platform,
                  *[f"--cfg={c}" for c in EXACT], "--log=root.thresh:error", program, *words)
    step = re.search(r"^step (\S+)$", said, re.M)  # smpirun ends with 0 even after a deadlock
    return float(step.group(1)) if step else sys.exit("the simulation did not end: " + said)


def generate(build, platform, size, seed):
    """Write a random platform without latencies."""
    hosts, routers, links = size
    text = output(f"{build}/hs", "generate", "--hosts", hosts, "--routers", routers, "--links", links, "--seed", seed)
    with open(platform, "w") as f:
        f.write(re.sub(r'latency="[^"]*"', 'latency="0s"', text))


def planned_ring(build, platform, size, seed, halo, iterations):
    generate(build, platform, size, seed)
    return json.loads(output(f"{build}/hs", "ring", platform, "--work", WORK, "--halo", halo + ENVELOPE, "--share",
                             "maxmin", "--simulate", iterations, "--json"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--rings", type=int, default=50, help="for each ratio, half of them of either size")
    parser.add_argument("--ratios", default="0.1,0.3,1", help="H/W, kB a Mflop")
    parser.add_argument("--iterations", type=int, default=20)
    a = parser.parse_args()
    out = csv.writer(sys.stdout)
    out.writerow("ratio hosts seed members comm_part planned simulated quotient by_played".split())
    with tempfile.TemporaryDirectory() as folder:
        program, platform = os.path.join(folder, "ring_step"), os.path.join(folder, "platform.xml")
        output("smpicc", "-O2", os.path.join(HERE, "ring_step.c"), "-o", program)
        for ratio in a.ratios.split(","):
            halo, quotients, by_played = round(float(ratio) * WORK / 1e6 * 1e3), [], []
            for ring in range(a.rings):
                size, seed = SIZES[ring % 2], ring // 2 + 1
                plan = planned_ring(os.path.abspath(a.build), platform, size, seed, halo, a.iterations)
                simulated = play(platform, [m["host"] for m in plan["ring"]], folder, program, a.iterations, halo,
                                 *[repr(m["share"] * plan["work"]) for m in plan["ring"]])
                comm = statistics.mean(m["comm_time"] for m in plan["ring"]) / plan["step_time"]
                quotients.append(simulated / plan["step_time"])
                by_played.append(simulated / plan["simulated_time"])
                out.writerow([ratio, size[0], seed, len(plan["ring"]), f"{comm:.3f}", f"{plan['step_time']:.9g}",
                              f"{simulated:.9g}", f"{quotients[-1]:.4f}", f"{by_played[-1]:.6f}"])
                sys.stdout.flush()
            inside = sum(0.9 <= x <= 1 + 1e-6 for x in quotients)
            print(f"H/W = {ratio}: simulated/planned {min(quotients):.3f} to {max(quotients):.3f}, median "
                  f"{statistics.median(quotients):.3f}; {inside} of {len(quotients)} within 0.9 to 1.0; simulated/played {min(by_played):.4f} to "
                  f"{max(by_played):.4f}", file=sys.stderr)


if __name__ == "__main__":
    main()
