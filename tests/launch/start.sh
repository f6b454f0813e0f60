# SPDX-License-Identifier: BSD-3-Clause
# tests/launch/start: exit statuses, time-outs, and no process left, whatever the program or its launcher does.
set -u
. "$HS_TEST_SRCDIR/tests/work.sh"

# A stand-in for a launcher: it tells what it was given; its two ranks stay, one in a session of its own.
cat >"$work/launcher" <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "$SAYS"; exit; }
echo "yields=${OMPI_MCA_mpi_yield_when_idle:-} $*"
echo "preloaded=${LD_PRELOAD:-}"
echo "memory=${OMPI_MCA_btl_sm_backing_directory:-} $(ls -d "${OMPI_MCA_btl_sm_backing_directory:-none}" 2>&1)"
trap 'exit 9' TERM
while [ $# -gt 0 ]; do
    case $1 in
    stay) sleep 1000.$MARK & setsid sleep 1001.$MARK & ;;
    hang) sleep 1002.$MARK & wait $! ;;
    deaf) (trap '' TERM; sleep 1003.$MARK; sleep 1004.$MARK) & wait $! ;;
    *[!0-9]*) ;;
    *) status=$1 ;;
    esac
    shift
done
exit "$status"
END
chmod +x "$work/launcher"
export MPIEXEC="$work/launcher" SAYS="HYDRA build details:" MARK=$$

# expect STATUS TEXT COMMAND...: standard output and errors have the text; nothing that was started is left
expect() {
    status=$1 text=$2
    shift 2
    said=$("$LAUNCH" "$@" 2>&1 </dev/null)
    got=$?
    [ $got = "$status" ] || fail "$*: exit $got, expected $status: $said"
    case $said in *"$text"*) ;; *) fail "$*: '$text' is not in '$said'" ;; esac
    left=$(ps -e -o args | grep "[s]leep 100[0-4]\.$MARK\$")
    [ -z "$left" ] || fail "$*: leaves $left"
}
expect 0 hydra --which
SAYS="mpirun (Open MPI) 5.0.7" expect 0 prrte --which
SAYS="an editor" expect 1 "does not name" --which
expect 2 "usage: start"
expect 3 "yields= -bind-to none -n 2 ./a 3" -n 2 ./a 3
SAYS="mpirun (Open MPI) 4.1.4"
expect 0 "yields=1 --allow-run-as-root --oversubscribe --bind-to none --mca orte_tmpdir_base /tmp/hs-start-" -n 2 ./a 0
expect 0 " --host localhost:64 -n 2 ./a 0" -n 2 ./a 0
folder=$(echo "$said" | sed 's/.*orte_tmpdir_base \([^ ]*\) .*/\1/')
[ "$folder" != "$said" ] && [ ! -e "$folder" ] || fail "the launcher's own folder is left: $folder"
# Jobs at the same time have memory of their own, as long as they run.
unset OMPI_MCA_btl_sm_backing_directory
SAYS="mpirun (Open MPI) 5.0.7" expect 0 "memory=/dev/shm/hs-start-" -n 2 ./a 0
folder=$(echo "$said" | sed -n 's/^memory=\([^ ]*\) .*/\1/p')
echo "$said" | grep -qxF "memory=$folder $folder" || fail "there is no memory in $folder: $said"
[ ! -e "$folder" ] || fail "memory is left: $folder"
expect 0 "yields= --allow-run-as-root --oversubscribe --map-by core -n 2 ./a 0" --measured --map-by core -n 2 ./a 0
MPIEXEC="$work/nowhere" expect 127 "start: cannot start '$work/nowhere': No such file or directory" -n 2 ./a 0

LD_PRELOAD='' expect 0 "preloaded=libm.so.6" --preload libm.so.6 -n 2 ./a 0

# Ranks that a launcher forgot end, and its status stays; those of a whole test are a failure.
expect 4 "left behind" -n 2 stay 4
expect 0 "left behind" -n 2 stay 0
expect 1 "left behind" --plain "$work/launcher" stay 0
expect 77 "" --plain sh -c 'exit 77'
expect 137 "" --plain sh -c 'kill -9 $$'
expect 127 "cannot start /nowhere" --plain /nowhere
"$LAUNCH" --plain sh -c ': <&0 >&1' <&- >&- || fail "standard streams stay closed"
# What hangs is told to end, then killed.
expect 124 "start: not at its end within 1 s" -t 1 -n 1 hang 0
HS_TEST_TIMEOUT=5 expect 124 "left behind" -n 1 deaf 0

# Whoever ends the starter ends all of it.
"$LAUNCH" -n 2 stay hang 0 >"$work/said" 2>&1 &
starter=$!
for try in $(seq 600); do
    [ "$(ps -e -o args | grep -c "[s]leep 100[0-2]\.$MARK\$")" = 3 ] && break
    sleep 0.1
done
kill -TERM $starter
wait $starter
[ $? = 143 ] || fail "a starter that is ended does not say so"
left=$(ps -e -o args | grep "[s]leep 100[0-2]\.$MARK\$")
[ -z "$left" ] || fail "a starter that is ended leaves $left"
exit $failed
