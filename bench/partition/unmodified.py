# SPDX-License-Identifier: BSD-3-Clause
"""Programs that nobody here wrote, and their runs on an emulated cluster: what the benchmarks of this folder share.

Each comes from a package of Debian 12 and is left as it is, but for numbers in its source that say how large a case it computes.
What is not installed is left out, with a line on standard error. The examples of Zoltan and p4est have no package: ZOLTAN and P4EST name
folders with the sources of the versions that are installed."""
import collections, glob, json, os, re, subprocess, sys, tempfile

PETSC = "/usr/share/petsc/*/share/petsc/examples/src/"
DEAL_II = "/usr/share/doc/libdeal.ii-doc/examples/"
DOLFINX = "/usr/share/dolfinx/demo-python/"
FREEFEM = "/usr/share/doc/freefem++/examples/mpi/"
ZOLTAN = os.path.join(os.environ.get("ZOLTAN", "$ZOLTAN"), "example/C/")
P4EST = os.path.join(os.environ.get("P4EST", "$P4EST"), "example/steps/")

# Shell lines that make a program of {source} in a folder of its own.
BY_PETSC = "mpicc -O2 -w -o program {source} $(pkg-config --cflags --libs petsc) -lm"
BY_CMAKE = "cp $(dirname {source})/* . && {edit} && cmake -DCMAKE_BUILD_TYPE=Release . && make"
BY_P4EST = "sed {edit} {source} >program.c && mpicc -O2 -w -o program program.c -lp4est -lsc -lm"
BY_ZOLTAN = "mpicc -w -I/usr/include/trilinos -o program {source} -ltrilinos_zoltan -lm && cp $(dirname {source})/*.txt ."
# One run on one rank compiles the forms of dolfinx.
BY_DOLFINX = "sed {edit} {source} >program.py && /usr/bin/python3 program.py"

# source; packages that it needs; shell line before the first run; what is run, variables first; call whose parts count; pattern of the answer
Program = collections.namedtuple("Program", "source packages prepare command call answer")

PROGRAMS = {
    "petsc ex2, rows by VecCreate": Program(
        PETSC + "ksp/ksp/tutorials/ex2.c", "libpetsc3.18-dev-examples", BY_PETSC,
        "./program -m 5000 -n 5000 -ksp_type cg -ksp_max_it 40 -ksp_rtol 1e-30 -pc_type jacobi",
        "PetscSplitOwnership", r"Norm of error ([0-9.eE+-]+)"),
    "petsc ex45, a grid by DMDA": Program(
        PETSC + "ksp/ksp/tutorials/ex45.c", "libpetsc3.18-dev-examples", BY_PETSC,
        "./program -da_grid_x 240 -da_grid_y 240 -da_grid_z 270 -ksp_type cg -ksp_max_it 30 -ksp_rtol 1e-30 -pc_type jacobi",
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
        DEAL_II + "step-40/step-40.cc", "libdeal.ii-dev libdeal.ii-doc", BY_CMAKE.replace("{edit}", "true"), "./step-40",
        "p4est_", r"degrees of freedom: +([0-9]+)"),
    "zoltan simpleGRAPH, 25 vertices by Zoltan": Program(
        ZOLTAN + "simpleGRAPH.c", "libtrilinos-zoltan-dev", BY_ZOLTAN, "./program",
        "Zoltan_", r"Total number of edge cuts: ([0-9]+)"),
}

# Programs that repartition again and again: name, program, pattern of the lines that tell how far it is, and how far it goes.
Repartitioning = collections.namedtuple("Repartitioning", "name program mark end")

REPARTITIONING = [
    # An advected bump, cut at every fourth of some 290 steps.
    Repartitioning("p4est step3", Program(
        P4EST + "p4est_step3.c", "libp4est-dev", BY_P4EST.replace(
            "{edit}", "-e 's/max_err = 2.e-2/max_err = 1.4e-3/' -e 's/write_period = 8/write_period = 10000/'"),
        "./program", "p4est_", r"u_max ([0-9.]+)"), r".*time ([0-9.]+)$", 0.1),
    # 15 cycles, each of which refines a little and coarsens as much.
    Repartitioning("deal.ii step-40", PROGRAMS["deal.ii step-40, an adaptive mesh by p4est"]._replace(
        prepare=BY_CMAKE.replace("{edit}", "sed -i -e 's/n_cycles = 8;/n_cycles = 15;/' -e 's/0[.]3, 0[.]03)/0.03, 0.3)/' "
                                 "-e 's/refine_global(5)/refine_global(6)/' step-40.cc")),
                   r"Cycle ([0-9]+):", 15),
]


def settings(folder):
    """Variables of all programs: PT-Scotch may hang with threads of its own (doc/partitioners.md), and BLAS has one core a host."""
    return {"SCOTCH_PTHREAD_NUMBER": "1", "OMP_NUM_THREADS": "1", "XDG_CACHE_HOME": folder,
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def prepare(folder, name, program):
    """A folder with the program, made ready to run; None: its source is not installed."""
    sources = glob.glob(program.source)
    if not sources:
        print(f"{name}: left out, {program.source} is not there (Debian's {program.packages})", file=sys.stderr)
        return None
    place = tempfile.mkdtemp(dir=folder)
    done = subprocess.run(["sh", "-ec", program.prepare.replace("{source}", sources[0])], cwd=place,
                          env=dict(os.environ, **settings(folder)), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stdout[-2000:]}")
    return place


def worst_part(report, call):
    """(percent, parts, targets) of the call whose largest part counts most."""
    entries = [e for e in report["partitions"] if e["call"].startswith(call) and e["reached"] and sum(e["reached"]) > 0]
    if not entries:
        return None
    e = max(entries, key=lambda entry: sum(entry["reached"]))
    whole, targets = sum(e["reached"]), e["given"] or e["wished"]
    return (max(100 * abs(part / whole / target - 1) for part, target in zip(e["reached"], targets)),
            [round(part) for part in e["reached"]], targets)


def last_targets(report, call):
    """How often the call's targets changed, and what they are in the end, in percent."""
    entries = [e for e in report["partitions"] if e["call"].startswith(call)]
    last = (entries[-1]["given"] or entries[-1]["wished"]) if entries else []
    return max(len(entries) - 1, 0), [100 * share for share in last]


def run(cluster, place, program, mode, platform, see=lambda line: None, **variables):
    """Run a prepared program with HS_PARTITION=mode, a rank on each core of the hosts.
    @param see  called with each line of standard output, as it comes
    @return (report, answer)"""
    folder, lines = os.path.dirname(place), []
    report = os.path.join(folder, "report.json")
    ours = {"LD_PRELOAD": f"{cluster.build}/.libs/libheteroslice-preload.so", "HS_PARTITION": mode, "HS_PLATFORM": platform,
            "HS_REPORT": report, **settings(folder), **variables}
    command = [f"{cluster.build}/hs", "lab", "run", "--name", cluster.name, "--", "env",
               *(f"{key}={value}" for key, value in ours.items()), *program.command.split()]
    with tempfile.TemporaryFile("w+") as errors, subprocess.Popen(
            command, cwd=place, env=dict(os.environ, **settings(folder)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=errors, text=True) as process:
        for line in process.stdout:
            see(line)
            lines.append(line)
        if process.wait() != 0:
            errors.seek(0)
            sys.exit(f"{' '.join(command)}: {''.join(lines)[-2000:]}{errors.read()[-2000:]}")
    answer = re.findall(program.answer, "".join(lines))
    with open(report, encoding="utf-8") as file:
        return json.load(file), answer[-1] if answer else ""
