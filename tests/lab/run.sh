# SPDX-License-Identifier: BSD-3-Clause
# hs lab run: ranks on the right hosts, exit statuses, environment, and nothing left when it is stopped.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_root
need_mpirun
first=${MPIEXEC:-mpirun}
hs lab up --name "$LAB" "$HERE/two.xml" >/dev/null || fail "up"

tell='echo ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}} $(hostname) $HS_LAB_HOST'
hosts_of() {
    hs lab run --name "$LAB" "$@" -- sh -c "$tell" | sort | tr '\n' ' '
}

# By each launcher that there is. hs run decides where ranks go, so that only their order and numbers are known.
for MPIEXEC in "${MPIEXEC:-mpirun}" mpiexec.openmpi mpiexec.mpich; do
    command -v "$MPIEXEC" >/dev/null || continue
    export MPIEXEC
    [ "$(hosts_of)" = "0 a1 a1 1 a2 a2 2 b1 b1 3 b2 b2 " ] || fail "$MPIEXEC: all hosts: $(hosts_of)"
    [ "$(hosts_of --hosts b2,a1)" = "0 b2 b2 1 a1 a1 " ] || fail "$MPIEXEC: some hosts: $(hosts_of --hosts b2,a1)"
    [ "$(hosts_of -n 2)" = "0 a1 a1 1 a2 a2 " ] || fail "$MPIEXEC: two ranks: $(hosts_of -n 2)"
    [ "$(hosts_of -n 5 | wc -w)" = 15 ] || fail "$MPIEXEC: more ranks than cores"
    hs run --lab "$LAB" -n 9 --keep -- sh -c "$tell" 2>"$LAB.said" | sort -n | cut -d' ' -f2 >"$LAB.got"
    file=$(sed -n 's/^hs run: wrote the host of every rank to //p' "$LAB.said")
    sed 's/^\(.*\):\(.*\)/\1 \2/' "$file" | awk '{ for (i = 0; i < (NF > 1 ? $2 : 1); i++) print $1 }' | diff - "$LAB.got" ||
        fail "$MPIEXEC: hs run: $(cat "$LAB.said")"
    rm -f "$file" "$LAB.said" "$LAB.got"
done
MPIEXEC=$first
said=$(hs run --lab "$LAB" --measure -n 2 -- true 2>&1) || fail "hs run --lab --measure: $said"
case $said in *"hs run: measuring 4 hosts into "*) ;; *) fail "hs run --lab --measure: $said" ;; esac

hs lab run --name "$LAB" -n 2 -- sh -c 'exit 5' >/dev/null 2>&1
[ $? = 5 ] || fail "exit status of a rank"
said=$(hs lab run --name "$LAB" -- /no/such/program 2>&1)
[ "$?:$said" = "127:hs lab run: cannot start /no/such/program: No such file or directory" ] || fail "a program that is not there: $said"

said=$(HS_LOG=debug LD_PRELOAD= hs lab run --name "$LAB" --hosts b2 -- sh -c 'echo $HS_LOG')
[ "$said" = debug ] || fail "HS_LOG is '$said' in a rank"
hs lab run --name "$LAB" --hosts b2 --mpirun "-x LAB_TEST_X=seven" -- sh -c 'test "$LAB_TEST_X" = seven' ||
    fail "options of mpirun"
many=$(seq 70 | sed 's/.*/-x LAB_TEST_&=&/' | tr '\n' ' ')
[ "$(hs lab run --name "$LAB" --hosts b2 --mpirun "$many" -- sh -c 'echo $LAB_TEST_70')" = 70 ] || fail "140 words for mpirun"
# Without HS_RANKS Open MPI's ranks on several hosts learn by PMIx which of them have the library.
preload=$HS_TEST_BUILDDIR/.libs/libheteroslice-preload.so
preloaded_but_on() { # HOST
    hs lab run --name "$LAB" --mpirun "-x LAB_TEST_BARE=$1 -x LAB_TEST_LIBRARY=$preload" -- sh -c 'unset HS_RANKS
        [ $HS_LAB_HOST = $LAB_TEST_BARE ] || export LD_PRELOAD=$LAB_TEST_LIBRARY
        exec "$0" "$@"' "$HS_TEST_BUILDDIR/hs-stencil-plain" --rows 60 --cols 200 --iterations 10 2>&1
}
case $("$LAUNCH" --which):$(grep -c 'define HAVE_PMIX' "$HS_TEST_BUILDDIR/config.h") in
orte:1 | prrte:1)
    said=$(preloaded_but_on nowhere)
    case $said in *"heteroslice: 4 ranks on 4 hosts, "*) ;; *) fail "preloaded everywhere: $said" ;; esac
    case $said in *"verified true"*) ;; *) fail "preloaded everywhere, and not verified: $said" ;; esac
    said=$(preloaded_but_on b1)
    case $said in *"only 3 of 4 ranks are known"*) ;; *) fail "not preloaded on b1: $said" ;; esac
    case $said in *"verified true"*) ;; *) fail "not preloaded on b1: $said" ;; esac
    ;;
esac
# A launcher listens on some of the 1024 ports from 0xf000 on, whose traffic no link of the lab slows down.
printf '#!/bin/sh\n[ "$1" = --version ] && echo HYDRA || echo "$MPIEXEC_PORT_RANGE"\n' >"$LAB.launcher"
chmod +x "$LAB.launcher"
ports=$(MPIEXEC=$PWD/$LAB.launcher hs lab run --name "$LAB" -- true)
rm "$LAB.launcher"
[ "${ports%:*}" -ge 61440 ] && [ "${ports%:*}" -lt "${ports#*:}" ] && [ "${ports#*:}" -lt 62464 ] || fail "a launcher's ports: $ports"
# A launcher starts hs wherever it is.
mkdir -p "$LAB dir/a:b"
cp "$HS_TEST_BUILDDIR/hs" "$LAB dir/a:b/hs"
[ "$("$PWD/$LAB dir/a:b/hs" lab run --name "$LAB" -- hostname 2>/dev/null | sort | tr '\n' ' ')" = "a1 a2 b1 b2 " ] || fail "a path with blanks and colons"
rm -r "$LAB dir"

# Ended by a signal, and killed outright: the ranks go with it.
nothing_runs() {
    left=$(EXPECTED_PROCESS=hs-lab-throttle processes_of "$LAB")
    [ -z "$left" ]
}
for signal in TERM KILL; do
    : >"$LAB.got"
    hs lab run --name "$LAB" -- sh -c 'echo; exec sleep 1000' >"$LAB.got" 2>&1 &
    job=$!
    until_true test -s "$LAB.got" || fail "nothing runs"
    kill -$signal $job
    wait $job 2>/dev/null
    until_true nothing_runs || fail "after $signal: $left"
done
rm -f "$LAB.got"
hs lab down --name "$LAB" || fail "down"
expect_nothing "$LAB" "down"

# The ranks of a lab of one host, which has no link, have an address to meet at.
printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="h" speed="1Gf" core="2"/></zone></platform>\n' >"$LAB.xml"
hs lab up --name "$LAB" "$LAB.xml" >/dev/null || fail "one host: up"
said=$(hs lab run --name "$LAB" -n 2 -- "$HS_TEST_BUILDDIR/hs-stencil" --rows 60 --cols 200 --iterations 10 2>&1)
case $said in *"verified true"*) ;; *) fail "one host: $said" ;; esac
hs lab down --name "$LAB" || fail "one host: down"
expect_nothing "$LAB" "one host: down"
rm -f "$LAB.xml"
exit $failed
