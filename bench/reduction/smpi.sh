#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Collectives on simulated hosts (SimGrid's SMPI, model LV08): 16 hosts with links of 125 and 12.5 MB/s alternately, and 16
# equal ones, against Open MPI's decisions and every algorithm of SMPI's collection.
#     [SMPI_LIMIT=SECONDS] bench/reduction/smpi.sh BUILDDIR [alternating|equal] [--only OPERATION:ROOT] [BYTES...]
# prints CSV: label,operation,root,bytes,seconds,bound,over_bound. The bound: each vector once over the slowest link, at the
# simulation's 97 % of its bandwidth. Labels: ours (HS_COLLECTIVES=on), deterministic, ompi, mpich, mvapich2, impi (their
# selections), or a single algorithm; some of these hang or give wrong results, and have no row. Each may take SMPI_LIMIT
# seconds of this machine, or 120.
set -u
build=$1 kind=${2:-alternating}
shift; [ $# -eq 0 ] || shift
sizes=${*:-8 8192 1048576 16777216}
top=$(cd "$(dirname "$0")/../.." && pwd)
limit=${SMPI_LIMIT:-120}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
smpicc -O2 -w -std=gnu11 -I"$build" -I"$top/src" -I"$top/include" -Wl,-Bsymbolic -o "$work/program" \
    "$top"/bench/reduction/collectives.c "$top"/bench/reduction/smpi_calls.c "$top"/src/runtime/collectives/*.c \
    "$top"/src/runtime/base/backoff.c "$top"/src/runtime/base/environment.c "$top"/src/runtime/base/host_names.c \
    "$top"/src/runtime/base/parked_buffer.c "$top"/src/runtime/base/peers.c \
    "$build"/src/plan/.libs/libplan.a "$build"/src/platform/.libs/libplatform.a "$build"/src/util/.libs/libutil.a \
    $(sed -n 's/^\(EXPAT\|JANSSON\|KINSOL\)_LIBS = //p' "$build/Makefile") || exit 1

slow=12.5MBps bound_rate=12.125e6
[ "$kind" = equal ] && slow=125MBps bound_rate=121.25e6
awk -v slow=$slow 'BEGIN {
    print "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
    print "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Floyd\">"
    for (i = 0; i < 16; i++) printf "<host id=\"h%d\" speed=\"1Gf\"/>\n", i
    print "<router id=\"switch\"/>"
    for (i = 0; i < 16; i++)
        printf "<link id=\"l%d\" bandwidth=\"%s\" latency=\"20us\" sharing_policy=\"SPLITDUPLEX\"/>\n", i, i % 2 ? slow : "125MBps"
    for (i = 0; i < 16; i++)
        printf "<route src=\"h%d\" dst=\"switch\"><link_ctn id=\"l%d\" direction=\"UP\"/></route>\n", i, i
    print "</zone>\n</platform>" }' >"$work/platform.xml"
seq 0 15 | sed 's/^/h/' >"$work/hosts"

run() { # LABEL MODE FLAG...
    label=$1 mode=$2 warm_up=1
    shift 2
    [ $mode = on ] && warm_up=20
    HS_PLATFORM=$work/platform.xml HS_COLLECTIVES=$mode timeout -k 1 $limit smpirun -np 16 -platform "$work/platform.xml" \
        -hostfile "$work/hosts" --cfg=network/model:LV08 --cfg=network/latency-factor:1 --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1f \
        --cfg=smpi/wtime:0 --cfg=smpi/test:1e-6 --cfg=smpi/iprobe:0 --log=root.thres:critical "$@" \
        "$work/program" "$label" 1 $warm_up 1 $sizes 2>"$work/err" </dev/null |
        awk -F, -v rate=$bound_rate 'NF == 5 && $5 > 0 { bound = $4 / rate + 4e-5; printf "%s,%.6f,%.3f\n", $0, bound, $5 / bound }'
}

echo "label,operation,root,bytes,seconds,bound,over_bound"
run ours on --cfg=smpi/coll-selector:ompi
run deterministic deterministic
for selector in ompi mpich mvapich2 impi; do
    run $selector off --cfg=smpi/coll-selector:$selector
done

for operation in reduce bcast allreduce; do # the refusal of a wrong name lists the right ones
    for algorithm in $(smpirun -np 16 -platform "$work/platform.xml" -hostfile "$work/hosts" \
        --cfg=smpi/$operation:none "$work/program" 2>&1 </dev/null |
        sed -n 's/.*Valid algorithms: //; t found; d; :found; s/[,.]//g; s/\<\(default\|automatic\)\>//gp'); do
        run "$operation:$algorithm" off "--cfg=smpi/$operation:$algorithm" |
            grep ",$(echo $operation | sed s/bcast/broadcast/),"
    done
done
