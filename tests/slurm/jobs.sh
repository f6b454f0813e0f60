# SPDX-License-Identifier: BSD-3-Clause
# hs run in jobs of a real Slurm: its hosts and its limits are those of the job, whichever launcher starts the ranks.
. "$HS_TEST_SRCDIR/tests/slurm/cluster.sh"
start_cluster
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 XDG_CACHE_HOME="$work/cache" HS_CACHE=on
platform=$HS_TEST_SRCDIR/tests/slurm/cluster.xml
preload=$HS_TEST_BUILDDIR/.libs/libheteroslice-preload.so
stencil="$HS_TEST_BUILDDIR/hs-stencil-plain --rows 60 --cols 100 --iterations 50"
unset OMP_NUM_THREADS LD_PRELOAD
cd "$work" || exit 1

# EXPECTED JOB OPTION... -- COMMAND...: what the ranks of hs run print, sorted, in a job of salloc. JOB is one word.
ranks() {
    expected=$1 job=$2
    shift 2
    got=$(on n1 salloc -Q $job hs run --platform "$platform" "$@" 2>said | sort | uniq -c | tr -s ' \n' ' ')
    [ "$got" = "$expected" ] || fail "${MPIEXEC:-}: salloc $job hs run $*: '$got', expected '$expected': $(cat said)"
}

# TEXT JOB COMMAND...: exit status 1 and a line with the text.
refused() {
    text=$1 job=$2
    shift 2
    on n1 salloc -Q $job "$@" >said 2>&1 && fail "salloc $job $*: exit 0"
    grep -q -e "$text" said || fail "salloc $job $*: '$text' is not in: $(cat said)"
}

two_components="-N2 -n3 -w n[1-2] : -n1 -w n3 --cpus-per-task=2"
try_launcher() {
    ranks " 2 n1 2 n2 1 n3 " "-N3 --exclusive" -n 5 -- hostname
    ranks " 1 n1 1 n2 1 n3 1 n4 " "-N4 --ntasks-per-node=1" -- hostname
    # A rank of several threads is not bound to fewer cores, and OpenMP knows.
    ranks " 1 n1 2 1 n2 2 1 n3 2 " "-n3 --cpus-per-task=2" -- sh -c 'echo $(hostname) $OMP_NUM_THREADS'
    [ "$(nproc)" -lt 2 ] || ranks " 3 $(nproc) " "-n3 --cpus-per-task=2" -- env -u OMP_NUM_THREADS nproc
    OMP_NUM_THREADS=7 ranks " 3 7 " "-n3 --cpus-per-task=2" -- sh -c 'echo $OMP_NUM_THREADS'
    ranks " 1 n1 1 n2 " "-N2 --exclusive --mem=512" -n 2 --memory 400MiB -- hostname
}

launcher=$("$LAUNCH" --which)
given=${MPIEXEC:-}
try_launcher
# Every component of a heterogeneous job, however many nodes it has; one of them has ranks of two threads.
[ "$launcher" = srun ] || ranks " 2 n1 1 n2 1 n3 " "$two_components" -- hostname
export MPIEXEC=srun
try_launcher
SLURM_EXPORT_ENV=NONE HS_LOG=error ranks " 2 error " "-n2" -- sh -c 'echo $HS_LOG' # as in a job of sbatch --export=NONE
refused "srun reaches hosts by Slurm's daemons alone" "$two_components" hs run --platform "$platform" -- hostname

# What a job has is a limit, and what is not understood is an error.
refused "4 ranks do not fit" "-N3 --ntasks-per-node=1 --cpus-per-task=2" hs run --platform "$platform" -n 4 -- hostname
refused "4 ranks do not fit" "-N3 --exclusive --mem=512" hs run --platform "$platform" -n 4 --memory 400MiB -- hostname
refused "4 ranks do not fit" "-n3 --cpus-per-task=2 --mem-per-cpu=200" hs run --platform "$platform" -n 4 --memory 400MiB -- hostname
refused "SLURM_TASKS_PER_NODE: '2' has fewer numbers" "-N3" env SLURM_TASKS_PER_NODE=2 hs run --platform "$platform" -- hostname

# From sbatch to report: the hosts are measured, the program is placed and watched.
export MPIEXEC="$given"
cat >job.sh <<END
#!/bin/sh
#SBATCH --nodes=3 --exclusive --job-name=stencil --output=job.out
HS_REPORT=report.json hs run -n 5 -- $stencil
END
on n1 sbatch --wait job.sh >said 2>&1 || fail "sbatch: $(cat said job.out)"
grep -q "measuring 3 hosts into $work/cache/" job.out || fail "sbatch: no measurement: $(cat job.out)"
reports_all() { # FILE
    for host in n1 n2 n3; do
        grep -q "\"$host\"" "$1" || fail "$1 does not name $host: $(cat "$1")"
    done
}
reports_all report.json

# srun starts the ranks itself, with the library preloaded. Slurm's PMIx is Open MPI's, and tells all ranks that each has it.
if [ "$launcher" != hydra ] && srun --mpi=list 2>&1 | grep -q pmix; then
    on n1 srun --mpi=pmix -N3 -n 5 --exclusive --export=ALL,LD_PRELOAD="$preload",HS_REPORT=srun.json $stencil >said 2>&1 ||
        fail "srun: $(cat said)"
    reports_all srun.json
    # That of another MPI library leaves the ranks as they are, with one warning.
    wrong=$HS_TEST_BUILDDIR/.libs/libheteroslice-preload-mpich.so
    if [ -e "$wrong" ]; then
        on n1 srun --mpi=pmix -N3 -n 5 --exclusive --export=ALL,LD_PRELOAD="$wrong",HS_REPORT=wrong.json $stencil >said 2>&1 ||
            fail "srun with ${wrong##*/}: $(cat said)"
        [ "$(grep -c "is for programs of .*: it runs without" said)" = 1 ] && grep -q 'verified true' said && [ ! -e wrong.json ] ||
            fail "srun with ${wrong##*/}: $(cat said)"
    fi
fi
exit $failed
