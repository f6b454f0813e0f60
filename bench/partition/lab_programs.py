#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that nobody here wrote, with their partitioners left alone and with targets by host speed: prints CSV, one row a run,
and the medians at the end.

usage: lab_programs.py BUILD_DIR [--repeats N] [--only NAME,...] [--platform FILE]

Each program is an example of PETSc (libpetsc-dev-examples), compiled as it is, with a rank on each host of an emulated cluster; the two ways
alternate. `worst` is the largest difference of a part from its target, in percent of that target, by the report; `seconds` the
time from MPI_Init to MPI_Finalize; `answer` a line that the program prints, which must be the same within its tolerance.
Needs root (hs lab)."""
import argparse
import csv
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLATFORM = os.path.join(HERE, "..", "..", "examples", "two-switches.xml")
LAB = "bench-partition"
EXAMPLES = "/usr/share/petsc/*/share/petsc/examples/src"

# name: source, the call whose parts count, options, pattern of the answer
PROGRAMS = {
    "petsc ex2, rows by VecCreate": (
        "ksp/ksp/tutorials/ex2.c", "PetscSplitOwnership",
        "-m 1200 -n 1200 -ksp_type cg -ksp_max_it 100 -ksp_rtol 1e-30 -pc_type jacobi", r"Norm of error ([0-9.eE+-]+)"),
    "petsc ex45, a grid by DMDA": (
        "ksp/ksp/tutorials/ex45.c", "DMSetUp",
        "-da_grid_x 90 -da_grid_y 90 -da_grid_z 135 -ksp_type cg -ksp_max_it 80 -ksp_rtol 1e-30 -pc_type jacobi", r"Residual norm ([0-9.eE+-]+)"),
    "petsc ex13, a mesh by PT-Scotch": (
        "snes/tutorials/ex13.c", "SCOTCH_",
        "-dm_plex_dim 2 -dm_plex_simplex 0 -dm_plex_box_faces 90,90 -petscpartitioner_type ptscotch "
        "-potential_petscspace_degree 3 -ksp_type cg -ksp_rtol 1e-8 -pc_type jacobi -snes_monitor_short", r"1 SNES Function norm ([0-9.eE+-]+)"),
}


def compile_all(folder, names):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "petsc"], stdout=subprocess.PIPE, text=True, check=True).stdout
    made = {}
    for name in names:
        sources = glob.glob(os.path.join(EXAMPLES, PROGRAMS[name][0]))
        if not sources:
            sys.exit(f"{PROGRAMS[name][0]} is not there (package libpetsc3.18-dev-examples)")
        made[name] = os.path.join(folder, os.path.basename(sources[0])[:-2])
        subprocess.run(["mpicc", "-O2", "-w", "-o", made[name], sources[0], *flags.split(), "-lm"], check=True)
    return made


def worst_part(report, call):
    """(percent, parts, targets) of the call whose largest part counts most."""
    entries = [e for e in report["partitions"] if e["call"].startswith(call) and e["reached"] and sum(e["reached"]) > 0]
    if not entries:
        return None
    e = max(entries, key=lambda entry: sum(entry["reached"]))
    whole, targets = sum(e["reached"]), e["given"] or e["wished"]
    return (max(100 * abs(part / whole / target - 1) for part, target in zip(e["reached"], targets)),
            [round(part) for part in e["reached"]], targets)


def run(build, program, name, mode, folder, platform):
    report = os.path.join(folder, "report.json")
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    ours = [f"LD_PRELOAD={build}/.libs/libheteroslice-preload.so", f"HS_PARTITION={mode}", f"HS_PLATFORM={platform}",
            f"HS_REPORT={report}"]
    done = subprocess.run([f"{build}/hs", "lab", "run", "--name", LAB, "--", "env", *ours, program, *PROGRAMS[name][2].split()],
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    answer = re.findall(PROGRAMS[name][3], done.stdout)
    with open(report, encoding="utf-8") as file:
        return json.load(file), answer[-1] if answer else ""


def measure(build, folder, words):
    names = [name for name in PROGRAMS if not words.only or any(only in name for only in words.only.split(","))]
    programs, times = compile_all(folder, names), {}
    out = csv.writer(sys.stdout)
    out.writerow("program repeat partition seconds load_balance worst_percent parts answer".split())
    for name in names:
        for repeat in range(words.repeats):
            for mode in ("off", "on"):
                report, answer = run(build, programs[name], name, mode, folder, os.path.abspath(words.platform))
                worst = worst_part(report, PROGRAMS[name][1])
                times.setdefault((name, mode), []).append(report["run"])
                out.writerow([name, repeat, mode, f"{report['run']:.3f}", f"{report['efficiency']['load_balance']:.3f}",
                              f"{worst[0]:.2f}" if worst else "", " ".join(map(str, worst[1])) if worst else "", answer])
                sys.stdout.flush()
    print("\nprogram,seconds_off,seconds_on,gain_median,gain_min,gain_max")
    for name in names:
        gains = [off / on for off, on in zip(times[name, "off"], times[name, "on"])]
        print(f'"{name}",{statistics.median(times[name, "off"]):.2f},{statistics.median(times[name, "on"]):.2f},'
              f"{statistics.median(gains):.2f},{min(gains):.2f},{max(gains):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only")
    parser.add_argument("--platform", default=PLATFORM)
    words = parser.parse_args()
    build = os.path.abspath(words.build)
    subprocess.run([f"{build}/hs", "lab", "up", "--name", LAB, words.platform], check=True, stdout=subprocess.DEVNULL)
    try:
        with tempfile.TemporaryDirectory() as folder:
            measure(build, folder, words)
    finally:
        subprocess.run([f"{build}/hs", "lab", "down", "--name", LAB], stdout=subprocess.DEVNULL)


main()
