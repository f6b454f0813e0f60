# SPDX-License-Identifier: BSD-3-Clause
# Ranks of one host on cores of two kinds: targets by what each has, also where hosts are equal. Six ranks on hosts h0 h1 h2 of
# speeds 4 3 2, two cores each; on each host a rank has twice as fast a core, or twice the quota, of the other.
. "$HS_TEST_SRCDIR/tests/interpose/partition/common.sh"
play="sh $HS_TEST_SRCDIR/tests/interpose/play_host.sh 3"
printf '%s\n' '<?xml version="1.0"?>' '<platform version="4.1"><zone id="z" routing="Full">' \
    '<host id="h0" speed="4Gf" core="2"/><host id="h1" speed="3Gf" core="2"/><host id="h2" speed="2Gf" core="2"/>' \
    '</zone></platform>' >"$work/three.xml"
sed 's/speed="[0-9]*Gf"/speed="4Gf"/g' "$work/three.xml" >"$work/alike.xml"
"$MPICC" -DINDEX=int32_t -DREAL=float -shared -fPIC -w -o "$work/libpath.so" "$here/path_metis.c" &&
    "$MPICC" -D_GNU_SOURCE -w -I"$HS_TEST_SRCDIR" -rdynamic -o "$work/cores" "$here/cores.c" "$here/repartition_parmetis.c" \
        -L"$work" -lpath "-Wl,-rpath,$work" -ldl || fail "does not compile"
for way in quota capacity; do
    HOSTS=$work/three.xml cut 6 on "$work/cores" $way
    sized $way 0.01 1 "8 6 4 4 3 2"
    HOSTS=$work/alike.xml cut 6 on "$work/cores" $way
    sized $way 0.01 1 "2 2 2 1 1 1"
done
HOSTS=$work/three.xml cut 6 on "$work/cores" none
sized none 0.01 1 "4 3 2 4 3 2"
HOSTS=$work/three.xml cut 6 off "$work/cores" quota
sized quota 0.01 1 "$equal"
exit $failed
