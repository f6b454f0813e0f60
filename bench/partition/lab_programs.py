#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that nobody here wrote, with their partitioners left alone and with targets by host speed: prints CSV, one row a run,
and the medians at the end.

usage: lab_programs.py BUILD_DIR [--repeats N] [--only NAME,...] [--platform FILE]

Each program comes from a package of Debian 12 and is left as it is (the demos of dolfinx get finer meshes), with a rank on each host of an emulated cluster; the two ways
alternate. What is not installed is left out, with a line on standard error. `worst` is the largest difference of a part from its target,
in percent of that target, by the report; `seconds` the time from MPI_Init to MPI_Finalize; `answer` what the program prints, which must be
the same within its tolerance. Zoltan's examples have no package: ZOLTAN names a folder with Zoltan's sources. Needs root (hs lab)."""
import argparse
import collections
import csv
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

os.environ.setdefault("HS_CACHE", "off")  # each run measures

HERE = os.path.dirname(os.path.abspath(__file__))
PLATFORM = os.path.join(HERE, "..", "..", "examples", "two-switches.xml")
LAB = "bench-partition"
PETSC = "/usr/share/petsc/*/share/petsc/examples/src/"
DEAL_II = "/usr/share/doc/libdeal.ii-doc/examples/"
DOLFINX = "/usr/share/dolfinx/demo-python/"
FREEFEM = "/usr/share/doc/freefem++/examples/mpi/"
ZOLTAN = os.path.join(os.environ.get("ZOLTAN", "$ZOLTAN"), "example/C/")

# Shell lines that make a program of {source} in a folder of its own.
BY_PETSC = "mpicc -O2 -w -o program {source} $(pkg-config --cflags --libs petsc) -lm"
BY_CMAKE = "cp $(dirname {source})/* . && cmake -DCMAKE_BUILD_TYPE=Release . && make"
BY_ZOLTAN = "mpicc -w -I/usr/include/trilinos -o program {source} -ltrilinos_zoltan -lm && cp $(dirname {source})/*.txt ."
# One run on one rank compiles the forms of dolfinx.
BY_DOLFINX = "sed {edit} {source} >program.py && /usr/bin/python3 program.py"

# source; packages that it needs; shell line before the first run; what is run, variables first; call whose parts count; pattern of the answer
Program = collections.namedtuple("Program", "source packages prepare command call answer")

PROGRAMS = {
    "petsc ex2, rows by VecCreate": Program(
        PETSC + "ksp/ksp/tutorials/ex2.c", "libpetsc3.18-dev-examples", BY_PETSC,
        "./program -m 1200 -n 1200 -ksp_type cg -ksp_max_it 100 -ksp_rtol 1e-30 -pc_type jacobi",
        "PetscSplitOwnership", r"Norm of error ([0-9.eE+-]+)"),
    "petsc ex45, a grid by DMDA": Program(
        PETSC + "ksp/ksp/tutorials/ex45.c", "libpetsc3.18-dev-examples", BY_PETSC,
        "./program -da_grid_x 90 -da_grid_y 90 -da_grid_z 135 -ksp_type cg -ksp_max_it 80 -ksp_rtol 1e-30 -pc_type jacobi",
        "DMSetUp", r"Residual norm ([0-9.eE+-]+)"),
    "petsc ex13, a mesh by PT-Scotch": Program(
        PETSC + "snes/tutorials/ex13.c", "libpetsc3.18-dev-examples", BY_PETSC,
        "./program -dm_plex_dim 2 -dm_plex_simplex 0 -dm_plex_box_faces 90,90 -petscpartitioner_type ptscotch "
        "-potential_petscspace_degree 3 -ksp_type cg -ksp_rtol 1e-8 -pc_type jacobi -snes_monitor_short",
        "SCOTCH_", r"1 SNES Function norm ([0-9.eE+-]+)"),
    "freefem++ DDM-Schwarz-Lap-2dd, a mesh by METIS": Program(
        FREEFEM + "DDM-Schwarz-Lap-2dd.edp", "freefem++ libfreefem++ libfreefem++-dev freefem++-doc", "cp {source} program.edp",
        "FF_LOADPATH=/usr/lib/freefem++/mpi/ FF_INCLUDEPATH=/usr/include/freefem++/idp/ "
        "FreeFem++-mpi program.edp -n 30 -k 4 -d 0 -ns -v 0", "METIS_", r"umax global += ([0-9.eE+-]+)"),
    "dolfinx poisson, a mesh by PT-Scotch": Program(
        DOLFINX + "demo_poisson.py", "python3-dolfinx dolfinx-doc",
        BY_DOLFINX.replace("{edit}", """-e 's/n=(32, 16)/n=(480, 240)/' -e '$a print("Norm", uh.vector.norm())'"""),
        "/usr/bin/python3 program.py", "SCOTCH_", r"Norm ([0-9.eE+-]+)"),
    "dolfinx elasticity, a mesh by PT-Scotch": Program(
        DOLFINX + "demo_elasticity.py", "python3-dolfinx dolfinx-doc", BY_DOLFINX.replace("{edit}", "'s/16, 16, 16/30, 30, 30/'"),
        "/usr/bin/python3 program.py", "SCOTCH_", r"Solution vector norm: ([0-9.eE+-]+)"),
    "deal.ii step-40, an adaptive mesh by p4est": Program(
        DEAL_II + "step-40/step-40.cc", "libdeal.ii-dev libdeal.ii-doc", BY_CMAKE, "./step-40",
        "p4est_", r"degrees of freedom: +([0-9]+)"),
    "zoltan simpleGRAPH, 25 vertices by Zoltan": Program(
        ZOLTAN + "simpleGRAPH.c", "libtrilinos-zoltan-dev", BY_ZOLTAN, "./program",
        "Zoltan_", r"Total number of edge cuts: ([0-9]+)"),
}


def prepare(folder, names):
    """Folders of the programs whose sources are installed, by name."""
    made = {}
    for name in names:
        program = PROGRAMS[name]
        sources = glob.glob(program.source)
        if not sources:
            print(f"{name}: left out, {program.source} is not there (Debian's {program.packages})", file=sys.stderr)
            continue
        made[name] = tempfile.mkdtemp(dir=folder)
        done = subprocess.run(["sh", "-ec", program.prepare.replace("{source}", sources[0])], cwd=made[name],
                              env=dict(os.environ, **settings(folder)), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{name}: {done.stdout[-2000:]}")
    return made


def settings(folder):
    """Variables of all programs: PT-Scotch may hang with threads of its own (doc/partitioners.md), and BLAS has one core a host."""
    return {"SCOTCH_PTHREAD_NUMBER": "1", "OMP_NUM_THREADS": "1", "XDG_CACHE_HOME": folder,
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def worst_part(report, call):
    """(percent, parts, targets) of the call whose largest part counts most."""
    entries = [e for e in report["partitions"] if e["call"].startswith(call) and e["reached"] and sum(e["reached"]) > 0]
    if not entries:
        return None
    e = max(entries, key=lambda entry: sum(entry["reached"]))
    whole, targets = sum(e["reached"]), e["given"] or e["wished"]
    return (max(100 * abs(part / whole / target - 1) for part, target in zip(e["reached"], targets)),
            [round(part) for part in e["reached"]], targets)


def run(build, place, name, mode, folder, platform):
    program, report = PROGRAMS[name], os.path.join(folder, "report.json")
    ours = [f"LD_PRELOAD={build}/.libs/libheteroslice-preload.so", f"HS_PARTITION={mode}", f"HS_PLATFORM={platform}",
            f"HS_REPORT={report}", *(f"{key}={value}" for key, value in settings(folder).items())]
    done = subprocess.run([f"{build}/hs", "lab", "run", "--name", LAB, "--", "env", *ours, *program.command.split()], cwd=place,
                          env=dict(os.environ, **settings(folder)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    answer = re.findall(program.answer, done.stdout)
    with open(report, encoding="utf-8") as file:
        return json.load(file), answer[-1] if answer else ""


def measure(build, folder, words):
    names = [name for name in PROGRAMS if not words.only or any(only in name for only in words.only.split(","))]
    places, times = prepare(folder, names), {}
    out = csv.writer(sys.stdout)
    out.writerow("program repeat partition seconds load_balance worst_percent parts answer".split())
    for name in places:
        for repeat in range(words.repeats):
            for mode in ("off", "on"):
                report, answer = run(build, places[name], name, mode, folder, os.path.abspath(words.platform))
                worst = worst_part(report, PROGRAMS[name].call)
                times.setdefault((name, mode), []).append(report["run"])
                out.writerow([name, repeat, mode, f"{report['run']:.3f}", f"{report['efficiency']['load_balance']:.3f}",
                              f"{worst[0]:.2f}" if worst else "", " ".join(map(str, worst[1])) if worst else "", answer])
                sys.stdout.flush()
    print("\nprogram,seconds_off,seconds_on,gain_median,gain_min,gain_max")
    for name in places:
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
