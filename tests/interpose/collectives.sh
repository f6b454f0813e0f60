# SPDX-License-Identifier: BSD-3-Clause
# Reductions and broadcasts of programs that know nothing of the library, on five hosts of a platform file: right by all
# interfaces of Fortran, and ours where they can be.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
{
    echo '<?xml version="1.0"?>'
    echo '<platform version="4.1"><zone id="z" routing="Floyd">'
    for h in 0 1 2 3 4; do echo "<host id=\"h$h\" speed=\"1Gf\"/>"; done
    echo '<router id="s"/>'
    for h in 0 1 2 3 4; do
        echo "<link id=\"l$h\" bandwidth=\"$((125 - h % 2 * 100))MBps\" latency=\"20us\" sharing_policy=\"SPLITDUPLEX\"/>"
    done
    for h in 0 1 2 3 4; do echo "<route src=\"h$h\" dst=\"s\"><link_ctn id=\"l$h\" direction=\"UP\"/></route>"; done
    echo '</zone></platform>'
} >"$work/platform.xml"
export HS_PLATFORM="$work/platform.xml" HS_COLLECTIVES=deterministic HS_LOG=info

# Fortran's calls are ours but in Open MPI from version 6 on, see collectives_fortran.c.
passed_on=$(printf '#include <mpi.h>\nint version = OMPI_MAJOR_VERSION;\n' | "$MPICC" -E -x c - 2>/dev/null | sed -n 's/^int version = \([0-9]*\);/\1/p')
[ "${passed_on:-0}" -ge 6 ] && least=0 || least=12

# The launcher counts the ranks, as one word or another.
cat >"$work/as_host" <<'END'
#!/bin/sh
HS_LAB_HOST=h${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} LD_PRELOAD=$1
export HS_LAB_HOST LD_PRELOAD
shift
exec "$@"
END
chmod +x "$work/as_host"
ran=0
for kind in include module 2008; do
    program=$HERE/fortran_collectives_$kind
    [ -x "$program" ] || continue
    ran=1 before=$failed failed=0
    run 5 "$work/out" "$work/as_host" "$PRELOAD" "$program"
    [ "$(cat "$work/out.status")" = 0 ] || fail "$kind: exit $(cat "$work/out.status"): $(cat "$work/out.err")"
    [ "$(grep -c ': right$' "$work/out")" = 5 ] || fail "$kind: $(cat "$work/out")"
    taken=$(grep -c 'taken$' "$work/out.err")
    [ "$taken" -ge $least ] || fail "$kind: only $taken operations were taken"
    tally "collectives_$kind" "$([ $failed = 0 ] && echo passed || echo failed)"
    failed=$((before | failed))
done
run 5 "$work/out" "$work/as_host" "$PRELOAD" "$HERE/watched" 1 long
for what in reduce all-reduce broadcast; do
    grep -q "info: $what of .*taken\$" "$work/out.err" || fail "C's $what is not ours: $(cat "$work/out.err")"
done
[ $ran = 1 ] || [ $failed = 1 ] || skip "no Fortran"
exit $failed
