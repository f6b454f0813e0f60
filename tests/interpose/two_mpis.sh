# SPDX-License-Identifier: BSD-3-Clause
# Two MPI libraries side by side: hs run takes the runtime of the one that a program is linked to, also by a shared library;
# the wrong library preloaded leaves a program as it is, with one warning; a program that links both is refused.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
unset SLURM_JOB_NODELIST HS_PLATFORM
export LD_PRELOAD="${HS_TEST_SANITIZER:-}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
case $HS_TEST_FLAVOUR in openmpi) other=mpich ;; *) other=openmpi ;; esac
other=${HS_TEST_SECOND:-$other} # mpi_abi.sh has a third one
second_cc=${HS_TEST_SECOND_CC:-mpicc.$other} second_launcher=${HS_TEST_SECOND_MPIEXEC:-mpiexec.$other}
second=$HS_TEST_BUILDDIR/.libs/libheteroslice-preload-$other.so
[ -e "$second" ] || skip "built for $HS_TEST_FLAVOUR only"
second="$second${HS_TEST_SANITIZER:+ $HS_TEST_SANITIZER}"
command -v "$second_cc" >/dev/null && second_launcher=$(command -v "$second_launcher") || skip "no $second_cc or no $second_launcher"
first_launcher=$MPIEXEC
tests=$HS_TEST_SRCDIR/tests/interpose
cat >"$work/late.c" <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
    if (argc > 3 && dlopen(argv[3], RTLD_NOW))
        return 1;
    int (*part)(int, char **) = (int (*)(int, char **))dlsym(dlopen(argv[1], RTLD_NOW), "part");
    return part(argc, argv);
}
END
cat >"$work/crowd.c" <<'END'
#include <dlfcn.h>
#include <pthread.h>
static void *load(void *path)
{
    return dlopen(path, RTLD_NOW);
}
int main(int argc, char **argv)
{
    pthread_t thread[8];
    void *object = 0;
    for (int k = 2; k < argc; k++)
        pthread_create(&thread[k], 0, load, argv[k]);
    for (int k = 2; k < argc; k++)
        pthread_join(thread[k], &object);
    int (*part)(int, char **) = (int (*)(int, char **))dlsym(object, "part");
    return part(2, argv);
}
END
# The list of loaded objects takes 10 ms to walk, as on a core that is taken away meanwhile.
cat >"$work/slow.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
int dl_iterate_phdr(int (*call)(struct dl_phdr_info *, size_t, void *), void *context)
{
    int (*next)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
    *(void **)&next = dlsym(RTLD_NEXT, "dl_iterate_phdr");
    usleep(10000);
    return next(call, context);
}
END
cat >"$work/files.c" <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int part(int argc, char **argv)
{
    int size, sum = 0, one = 1;
    MPI_File file;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, getenv("FILES"), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 0, &sum, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    printf("%d of %d\n", sum, size);
    return MPI_Finalize();
}
END
{ "$MPICC" -o "$work/first" "$tests/ordered.c" && "$second_cc" -o "$work/second" "$tests/ordered.c" &&
    "$second_cc" -Dmain=part -shared -fPIC -o "$work/libpart.so" "$tests/ordered.c" &&
    "$second_cc" -shared -fPIC -o "$work/libsecondfiles.so" "$work/files.c" &&
    "$MPICC" -shared -fPIC -o "$work/libfirstfiles.so" "$work/files.c" &&
    ${CC:-cc} -shared -fPIC -o "$work/libaround.so" -Wl,--no-as-needed -L"$work" -lfirstfiles "-Wl,-rpath,$work" &&
    mkdir "$work/apart" && "$MPICC" -shared -fPIC -o "$work/apart/libapart.so" "$work/files.c" &&
    ${CC:-cc} -shared -fPIC -o "$work/libfar.so" -Wl,--no-as-needed -L"$work/apart" -lapart "-Wl,-rpath,$work/apart" &&
    ${CC:-cc} -shared -fPIC -o "$work/libnear.so" -Wl,--no-as-needed -L"$work/apart" -lapart -Wl,--disable-new-dtags "-Wl,-rpath,/nowhere:\$ORIGIN/apart" &&
    "$MPICC" -Dmain=part -shared -fPIC -o "$work/libfirst.so" "$tests/ordered.c" &&
    ${CC:-cc} -o "$work/late" "$work/late.c" -ldl &&
    sed 's/dlopen(/dlmopen(LM_ID_BASE, /g' "$work/late.c" >"$work/past.c" && ${CC:-cc} -D_GNU_SOURCE -o "$work/past" "$work/past.c" -ldl &&
    ${CC:-cc} -pthread -o "$work/crowd" "$work/crowd.c" -ldl &&
    ${CC:-cc} -shared -fPIC -o "$work/slow.so" "$work/slow.c" -ldl &&
    printf 'int part(int argc, char **argv);\nint main(int argc, char **argv) { return part(argc, argv); }\n' >"$work/main.c" &&
    ${CC:-cc} -o "$work/indirect" "$work/main.c" -L"$work" -lpart "-Wl,-rpath,$work" &&
    "$MPICC" -o "$work/both" -Wl,--no-as-needed "$work/main.c" -L"$work" -lpart "-Wl,-rpath,$work"; } || exit 1
[ "$(MPIEXEC=$second_launcher "$LAUNCH" -n 2 "$work/second" 2>/dev/null | grep -c ' of 1: ')" = 2 ] &&
    skip "$second_launcher starts two worlds of one rank, as Ubuntu 24.04's"

printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="%s" speed="1Gf" core="2"/></zone></platform>\n' "$(hostname)" >"$work/platform.xml"
# monitored PROGRAM: hs run, with no launcher named, starts it under its own, and its calls are seen
monitored() {
    (unset MPIEXEC; timeout 120 hs run -n 2 --platform "$work/platform.xml" -- "$@") >"$work/out" 2>"$work/err" </dev/null &&
        grep -q "^heteroslice: 2 ranks" "$work/err" || { cat "$work/out" "$work/err"; fail "hs run $*"; }
    grep -q "is for programs of" "$work/err" && fail "hs run $*: takes the wrong library"
}
# refused TEXT COMMAND...
refused() {
    text=$1
    shift
    "$@" >"$work/out" 2>"$work/err" </dev/null && fail "$* is not refused"
    [ "$(wc -l <"$work/err")" = 1 ] && grep -q "$text" "$work/err" || { cat "$work/err"; fail "$*: no line with '$text'"; }
}
# untouched LAUNCHER LIBRARY PROGRAM...: the same as bare, and one warning
untouched() {
    MPIEXEC=$1 library=$2
    shift 2
    run 2 "$work/bare" "$@"
    LD_PRELOAD="$library" run 2 "$work/out" "$@"
    compare "$* with ${library##*/}" "$work/bare" "$work/out"
    [ "$(grep -c "heteroslice.* is for programs of .*: it runs without" "$work/out.err")" = 1 ] &&
        [ "$(grep -c heteroslice "$work/out.err")" = 1 ] ||
        { cat "$work/out.err"; fail "$* with ${library##*/}: not one warning"; }
}
for program in first second indirect; do
    monitored "$work/$program"
done
# The ABI stands for what is below it.
[ $other = mpiabi ] || refused "is linked to both Open MPI and MPICH" hs run -n 2 --platform "$work/platform.xml" -- "$work/both"
# An empty folder of PATH is the working one.
here=$PWD
cd "$work" || exit 1
[ $other = mpiabi ] || PATH=:$PATH refused "is linked to both Open MPI and MPICH" hs run -n 2 --platform platform.xml -- both
cd "$here" || exit 1
[ "$(MPIEXEC=$second_launcher "$LAUNCH" --which)" = "$launcher" ] ||
    MPIEXEC=$first_launcher refused "starts no programs of" hs run -n 2 --platform "$work/platform.xml" -- "$work/second"
# A script may be of either; who measures is of the first. (Hydra crashes, bare, too, where programs end at once.)
MPIEXEC=$second_launcher hs run -n 2 -- sleep 1 >"$work/out" 2>&1 </dev/null || { cat "$work/out"; fail "hs run measures for a script of the second"; }
untouched "$first_launcher" "$second" "$work/first"
untouched "$second_launcher" "$PRELOAD" "$work/second"
untouched "$second_launcher" "$PRELOAD" "$work/indirect"
# A tool that is preloaded with the wrong library stays.
tool=$HS_TEST_BUILDDIR/tests/interpose/.libs/tool.so
for both in "$second $tool" "$tool:$second"; do
    untouched "$first_launcher" "$both" "$work/first"
    [ "$(grep -c '^tool: rank [01]: 1 inits' "$work/out.err")" = 2 ] || { cat "$work/out.err"; fail "$both: the tool is lost"; }
done
# So do programs that load MPI later, of which only the launcher knows the library. The ABI's are started by all.
if [ $other != mpiabi ] && [ "$HS_TEST_FLAVOUR" != mpiabi ]; then
    untouched "$first_launcher" "$second" "$work/late" "$work/libfirst.so"
    untouched "$second_launcher" "$PRELOAD" "$work/late" "$work/libpart.so"
    untouched "$first_launcher" "$second" sh -c "$work/late $work/libfirst.so"
    MPIEXEC=$first_launcher LD_PRELOAD="$second" run 2 "$work/out" "$work/second"
    grep "is for programs of" "$work/out.err" && fail "a launcher of another MPI library counts more than the program's own"
fi

# Loaded by no variable, as by /etc/ld.so.preload or dlopen(): there is nothing to start anew without, and no crash.
echo 'void *dlopen(const char *file, int mode); int main(int argc, char **argv) { return !dlopen(argv[argc - 1], 2); }' >"$work/loads.c"
"$second_cc" -o "$work/loads" -Wl,--no-as-needed "$work/loads.c" -ldl || exit 1
"$work/loads" "${PRELOAD%% *}" >"$work/out" 2>&1 || { cat "$work/out"; fail "the wrong library, loaded by no variable"; }

# alone LIBRARY PROGRAM...: started by no launcher, the same, and no report; switched off, not even the warning
alone() {
    library=$1
    shift
    timeout 60 "$@" >"$work/bare" 2>"$work/err" </dev/null || { cat "$work/err"; fail "$* does not run bare"; }
    for disable in 0 1; do
        LD_PRELOAD="$library" HS_DISABLE=$disable HS_REPORT=$work/alone.json timeout 60 "$@" >"$work/out" 2>"$work/err" </dev/null &&
            diff "$work/bare" "$work/out" && [ "$(grep -c heteroslice "$work/err")" = $((1 - disable)) ] &&
            [ "$(grep -c "heteroslice.* is for programs of .*: it runs without" "$work/err")" = $((1 - disable)) ] ||
            { cat "$work/out" "$work/err"; fail "$* with ${library##*/}, alone, HS_DISABLE=$disable"; }
    done
    [ ! -e "$work/alone.json" ] || fail "$* with ${library##*/}, alone: a report"
}
if [ $other != mpiabi ] && [ "$HS_TEST_FLAVOUR" != mpiabi ]; then
    # Open MPI's component for files by ROMIO, where it has one, calls MPI, and names no MPI library.
    export FILES="$work/file"
    ompi_info 2>/dev/null | grep -q 'io: romio' && export OMPI_MCA_io=^ompio
    alone "$second" "$work/late" "$work/libfirstfiles.so"
    alone "$PRELOAD" "$work/late" "$work/libsecondfiles.so"
    alone "$second" "$work/late" "$work/libaround.so" # brings its MPI library by another one
    alone "$second" "$work/late" "$work/libfar.so" # in a folder that only it names
    alone "$second" "$work/late" "$work/libnear.so" # from its own folder on, in the older form
    alone "$second" env LD_LIBRARY_PATH="$work" "$work/late" libaround.so
    unset OMPI_MCA_io
    # Threads load objects at the same time.
    for copy in 1 2 3 4; do
        cp "$work/libsecondfiles.so" "$work/copy$copy.so"
    done
    for slow in "" "" "" "" "" "" " $work/slow.so"; do
        alone "$PRELOAD$slow" "$work/crowd" "" "$work/copy1.so" "$work/copy2.so" "$work/copy3.so" "$work/copy4.so"
    done
    # A library of another MPI library that is not there changes nothing.
    LD_PRELOAD=$PRELOAD timeout 60 "$work/late" "$work/libfirstfiles.so" "" libmpi_abi.so.none >"$work/out" 2>&1 </dev/null &&
        grep -q '^heteroslice: 1 rank' "$work/out" && ! grep "is for programs of" "$work/out" ||
        { cat "$work/out"; fail "the right library, after another one was looked for"; }
    # What is loaded past dlopen() is told an error, not a crash.
    LD_PRELOAD="$second" timeout 60 "$work/past" "$work/libfar.so" >"$work/out" 2>&1 </dev/null
    [ $? = 1 ] && [ "$(grep -c "is for programs of .*: MPI_Init fails" "$work/out")" = 1 ] ||
        { cat "$work/out"; fail "the wrong library, not seen before it is loaded"; }
fi
for python in python3 /usr/bin/python3; do
    [ $other != mpiabi ] || break
    "$python" -c 'from mpi4py import MPI; print(MPI.get_vendor()[0])' 2>/dev/null | tr -d ' ' | grep -qix "$HS_TEST_FLAVOUR" || continue
    alone "$second" "$python" "$HS_TEST_SRCDIR/tests/bindings/plain.py"
    untouched "$first_launcher" "$second" "$python" "$HS_TEST_SRCDIR/tests/bindings/plain.py"
    break
done
exit $failed
