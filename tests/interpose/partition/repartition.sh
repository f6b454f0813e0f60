# SPDX-License-Identifier: BSD-3-Clause
# A program that repartitions gets targets by what its own phases took. The clock is the program's own (see repartition.c), so
# nothing depends on how busy the machine is. Hosts h0 h1 h2 have the speeds 4 3 2.
. "$HS_TEST_SRCDIR/tests/interpose/partition/common.sh"
[ -z "${HS_TEST_SANITIZER:-}" ] || skip "the program has a calloc() of its own, which sanitizers do not know"
sed 's/\(id="h0" speed="\)8/\14/; s/\(id="h1" speed="\)6/\13/; s/\(id="h2" speed="\)4/\12/' "$work/hosts.xml" >"$work/three.xml"
HOSTS=$work/three.xml BALANCE=on
"$MPICC" -DINDEX=int32_t -DREAL=float -shared -fPIC -w -o "$work/libpath.so" "$here/path_metis.c" || fail "path_metis.c does not compile"

# compile PARTITIONER FLAGS...
compile() {
    name=$1
    shift
    "$MPICC" -D_GNU_SOURCE -w -I"$HS_TEST_SRCDIR" -rdynamic -o "$work/$name" "$here/repartition.c" "$here/repartition_$name.c" "$@" -ldl
}
compile parmetis -L"$work" -lpath "-Wl,-rpath,$work" || fail "does not compile"
program=$work/parmetis
by_speed="4 3 2"

# Noise moves nothing, nor does a burst, nor what happens between MPI_Pcontrol(0) and (1).
cut 3 on "$program" noise:8:1 burst:1:3 calm:3:1 off:4:3 back:2:1 starved:1:1 fed:2:1 slow:2:3 follows:3:3 \
    sub:5:1 subslow:2:3 subfollows:2:3 whole:1:3
sized noise 0.01 8 "$by_speed"
sized burst 0.01 1 "$by_speed"
sized calm 0.01 3 "$by_speed"
sized off 0.01 4 "$by_speed"
sized back 0.01 2 "$by_speed"

# A rank without memory: the call passes through, on all ranks.
sized starved 0.01 1 "1 1 1"
sized fed 0.01 2 "$by_speed"

# A rank that needs three times as long: after one phase it may be a burst, after two the targets follow, and stay.
sized slow 0.01 2 "$by_speed"
sized follows 0.05 3 "4 9 6"
told ParMETIS_V3_AdaptiveRepart 3 'e["given"] is None or sum(e["reached"]) == 2700'

# The other two by themselves are judged by their own phases, and do not wait for rank 0.
sized sub 0.01 5 "3 2"
sized subslow 0.01 2 "3 2"
sized subfollows 0.05 2 "1 2"
sized whole 0.05 1 "4 9 6"

# Targets of the start, and none.
BALANCE=static cut 3 on "$program" slow:6:3
sized slow 0.01 6 "$by_speed"
cut 3 off "$program" slow:6:3
sized slow 0.01 6 "1 1 1"

# The same by other partitioners, where they are there.
follows() {
    cut 3 on "$work/$1" same:4:1 slow:2:3 follows:2:3 starved:1:1
    sized same 0.05 4 "$by_speed"
    sized slow 0.05 2 "$by_speed"
    sized follows 0.07 2 "4 9 6"
    sized starved 0.05 1 "1 1 1"
}
if [ "$HS_TEST_FLAVOUR" = openmpi ]; then
    scotch=$(ls -d /usr/lib/*-linux-gnu/scotch-int32 2>/dev/null | head -1)
    compile scotch -I/usr/include/scotch-int32 -L"$scotch" "-Wl,-rpath,$scotch" -lptscotch -lptscotcherr -lscotch -lscotcherr \
        -lpthread -lm 2>/dev/null && follows scotch
    compile zoltan -I/usr/include/trilinos -ltrilinos_zoltan -lm 2>/dev/null && follows zoltan
    compile p4est -lp4est -lsc 2>/dev/null && follows p4est
fi
exit $failed
