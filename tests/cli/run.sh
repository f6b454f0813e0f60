# SPDX-License-Identifier: BSD-3-Clause
# hs run: ranks of each host for every list of hosts; the program's environment; bad input.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
unset $(env | sed -n 's/^\(SLURM_[A-Z0-9_]*\|PBS_NODEFILE\|LSB_[A-Z_]*HOSTS\|OMP_NUM_THREADS\)=.*/\1/p') HS_PLATFORM LD_PRELOAD
export HS_CACHE=on
unset PRTE_ALLOW_RUN_AS_ROOT PRTE_ALLOW_RUN_AS_ROOT_CONFIRM
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # Open MPI starts nothing of root without
cd "$work" || exit 1
for program in program usr1 hup interrupted; do cp /bin/true $program; done # which stand-ins for launchers do not start
cat >"$work/six.xml" <<'END'
<?xml version='1.0'?>
<platform version="4.1">
<zone id="net" routing="Floyd">
<host id="a8" speed="8Gf"/><host id="a6" speed="6Gf"/><host id="a4" speed="4Gf"/>
<host id="b4" speed="4Gf"/><host id="b3" speed="3Gf"/><host id="b2" speed="2Gf"/>
<router id="a"/><router id="b"/>
<link id="l1" bandwidth="1GBps" latency="0s"/><link id="l2" bandwidth="1GBps" latency="0s"/>
<link id="l3" bandwidth="1GBps" latency="0s"/><link id="l4" bandwidth="1GBps" latency="0s"/>
<link id="l5" bandwidth="1GBps" latency="0s"/><link id="l6" bandwidth="1GBps" latency="0s"/>
<link id="shared" bandwidth="10MBps" latency="0s"/>
<route src="a8" dst="a"><link_ctn id="l1"/></route><route src="a6" dst="a"><link_ctn id="l2"/></route>
<route src="a4" dst="a"><link_ctn id="l3"/></route><route src="b4" dst="b"><link_ctn id="l4"/></route>
<route src="b3" dst="b"><link_ctn id="l5"/></route><route src="b2" dst="b"><link_ctn id="l6"/></route>
<route src="a" dst="b"><link_ctn id="shared"/></route>
</zone>
</platform>
END
plan() {
    hs run --platform "$work/six.xml" --dry-run "$@"
}
# counts EXPECTED COMMAND...: "host:ranks" in alphabetical order
counts() {
    expected=$1
    shift
    got=$("$@" | sed -n 's/^\([ab0-9]*\)  *\([0-9]*\) .*%$/\1:\2/p' | sort | tr '\n' ' ')
    [ "$got" = "$expected" ] || fail "$*: '$got', expected '$expected'"
}
counts "a4:4 a6:6 a8:8 b2:2 b3:3 b4:4 " plan -n 27
counts "a4:1 a6:1 a8:2 b3:1 b4:1 " plan
counts "a4:1 a6:1 a8:2 b3:1 b4:1 " sh -c 'cat six.xml | hs run --dry-run --platform /dev/stdin'
expect 0 out '"ranks":27,"time":1.0' plan -n 27 --json
# A host of speed 0 is off: it gets no rank, and does not count where there is no -n.
sed 's,id="a6" speed="6Gf",id="a6" speed="0",' "$work/six.xml" >"$work/off.xml"
counts "a4:4 a8:8 b2:2 b3:3 b4:4 " hs run --platform "$work/off.xml" --dry-run -n 21
expect 0 out '"ranks":5,' hs run --platform "$work/off.xml" --dry-run --json
# The hosts of either side are neighbours: the ring crosses the shared link twice.
sides=$(plan -n 27 | sed -n 's/^\([ab]\)[0-9] .*/\1/p' | tr -d '\n')
case $sides$sides in *aaabbb*) ;; *) fail "the order along the ring is $sides" ;; esac

printf '# hosts\na8 slots = 2 max_slots=\t3 // two\n\nb2 slots=1\r\nb4\nb4 # twice\n' >"$work/hosts"
counts "a8:3 b2:2 b4:4 " plan -n 9 --hostfile "$work/hosts"
printf 'a8 memory=4GiB\nb2 memory=64GiB\n' >"$work/hosts"
counts "a8:2 b2:3 " plan -n 5 --hostfile "$work/hosts" --memory 2GiB
python3 - "$work" <<'END' || fail "a hostfile from a socket, as sshd gives it: $(cat "$work/out")"
import socket, subprocess, sys
work = sys.argv[1]
ours, theirs = socket.socketpair()
ours.sendall(b"a8\nb2\n")
ours.close()
with open(work + "/out", "w") as out:
    sys.exit(subprocess.run(["hs", "run", "--platform", work + "/six.xml", "--dry-run", "--hostfile", "-"], stdin=theirs, stdout=out,
                            stderr=out).returncode)
END
expect 1 err "hs run: 50 ranks do not fit on the hosts" plan -n 50 --hostfile "$work/hosts" --memory 2GiB
printf 'a8 memory=1GiB\n' >"$work/small"
expect 1 err "hs run: 1 rank does not fit on the hosts" plan -n 1 --hostfile "$work/small" --memory 2GiB

# Queueing systems: tests/launch/host_list.c has every form, tests/slurm a real Slurm.
SLURM_JOB_NODELIST='a[4,6],b[3-4]' SLURM_TASKS_PER_NODE='6(x3),5' counts "a4:4 a6:6 b3:3 b4:4 " plan -n 17
SLURM_JOB_NODELIST='a[4,6],b[3-4]' SLURM_TASKS_PER_NODE='1(x3),2' expect 1 err "17 ranks do not fit" plan -n 17
SLURM_JOB_NODELIST='a[4,6],b[3-4]' SLURM_TASKS_PER_NODE='1(x3),2' SLURM_OVERCOMMIT=1 counts "a4:4 a6:6 b3:3 b4:4 " plan -n 17
SLURM_JOB_NODELIST='b2,a8' SLURM_JOB_CPUS_PER_NODE='4,4' SLURM_MEM_PER_NODE=1024 counts "a8:1 b2:1 " plan -n 2 --memory 1GiB
SLURM_JOB_NODELIST='b2,a8' SLURM_JOB_CPUS_PER_NODE='1,2' SLURM_MEM_PER_CPU=1024 counts "a8:2 b2:1 " plan -n 3 --memory 1GiB
SLURM_JOB_NODELIST='b2,a8' SLURM_JOB_CPUS_PER_NODE=1 expect 1 err "'1' has fewer numbers than the 2 hosts" plan -n 5
SLURM_JOB_NODELIST='b[2-' expect 1 err "SLURM_JOB_NODELIST: invalid item 'b[2-'" plan -n 5
SLURM_JOB_ID=1 expect 1 err "hs run: SLURM_JOB_NODELIST is not set in this Slurm job" plan -n 5
SLURM_HET_SIZE=2 SLURM_JOB_NODELIST_HET_GROUP_0=a8 SLURM_TASKS_PER_NODE_HET_GROUP_0=8 SLURM_JOB_NODELIST_HET_GROUP_1=b[2,4] \
    SLURM_TASKS_PER_NODE_HET_GROUP_1='2,4' counts "a8:8 b2:2 b4:4 " plan -n 14
LSB_MCPU_HOSTS='a8 8 b2 4' counts "a8:8 b2:2 " plan -n 10
SLURM_JOB_NODELIST=here SLURM_TASKS_PER_NODE=2 expect 1 err "hs run: 3 ranks do not fit on the hosts" \
    env XDG_CACHE_HOME="$work/none" MPIEXEC=false hs run -n 3 -- true # nor is anything measured for them
LSB_HOSTS='a8 a8 b2' expect 1 err "10 ranks do not fit" plan -n 10
printf 'a8\na8\nb2\n' >"$work/nodes"
PBS_NODEFILE=$work/nodes counts "a8:2 b2:1 " plan -n 3
printf 'a8\nb2\a\n' >"$work/nodes"
PBS_NODEFILE=$work/nodes expect 1 err "hs run: $work/nodes:2: column 3: control byte 0x07" plan -n 3

# Whole cores before sharing; of a host's cores only those that are ours.
sed 's,id="\([ab][48]\)" ,& core="4" ,g; s,speed="[0-9]*Gf",speed="4Gf",g' "$work/six.xml" >"$work/cores.xml"
cores() {
    hs run --platform "$work/cores.xml" --dry-run "$@"
}
printf 'a8\nb4\nb2\n' >"$work/hosts"
counts "a8:4 b4:4 " cores -n 8 --hostfile "$work/hosts"
counts "a8:4 b2:1 b4:4 " cores -n 9 --hostfile "$work/hosts"
counts "a8:4 b2:1 b4:4 " cores --hostfile "$work/hosts"
printf 'a8 slots=2\nb4 slots=1\nb2\n' >"$work/hosts"
counts "a8:2 b2:1 b4:1 " cores --hostfile "$work/hosts"
counts "a8:4 b2:1 b4:2 " cores -n 7 --hostfile "$work/hosts"
SLURM_JOB_NODELIST='a8,b[2,4]' SLURM_TASKS_PER_NODE='2,1(x2)' SLURM_JOB_CPUS_PER_NODE='2,1(x2)' counts "a8:2 b2:1 b4:1 " cores
# Ranks of two threads: those of four cores are two, and Slurm's number of tasks is a limit also for them.
export SLURM_CPUS_PER_TASK=2
SLURM_JOB_NODELIST='a8,b4' SLURM_TASKS_PER_NODE='2(x2)' SLURM_JOB_CPUS_PER_NODE='4(x2)' counts "a8:2 b4:2 " cores
SLURM_JOB_NODELIST='a8,b4' SLURM_TASKS_PER_NODE='1(x2)' SLURM_JOB_CPUS_PER_NODE='4(x2)' counts "a8:1 b4:1 " cores
unset SLURM_CPUS_PER_TASK

printf 'a8 slots=0\n' >"$work/hosts"
expect 1 err "hs run: $work/hosts:1: expected slots=N, max_slots=N or memory=SIZE, not 'slots=0'" plan --hostfile "$work/hosts"
printf 'a8\nnobody\n' >"$work/hosts"
expect 1 err "host 'nobody' is not in the platform" plan --hostfile "$work/hosts"
printf '# nothing\n' >"$work/hosts"
expect 1 err "hs run: $work/hosts: no hosts" plan --hostfile "$work/hosts"
expect 1 err "No such file" plan --hostfile "$work/nowhere"
# Ranges of hosts; what is no text; this machine by its names; slots after a colon where the launcher reads them.
printf 'a[4,6-6] slots=2\nb[3-4]\n' >"$work/hosts"
counts "a4:4 a6:6 b3:3 b4:4 " plan -n 17 --hostfile "$work/hosts"
printf 'a8\nb[2-\n' >"$work/hosts"
expect 1 err "hs run: $work/hosts:2: invalid item 'b[2-'" plan --hostfile "$work/hosts"
printf 'a8\nb2\a slots=2\n' >"$work/hosts"
expect 1 err "hs run: $work/hosts:2: column 3: control byte 0x07" plan --hostfile "$work/hosts"
printf 'a8\0\n' >"$work/hosts"
expect 1 err "hs run: $work/hosts:1: column 3: control byte 0x00" plan --hostfile "$work/hosts"
sed "s,id=\"a8\",id=\"$(hostname)\",g; s,\"a8\",\"$(hostname)\",g" "$work/six.xml" >"$work/here.xml"
printf 'localhost slots=2\n127.0.0.1\n%s\n' "$(hostname)" >"$work/hosts"
expect 0 out '"ranks":4,' hs run --platform "$work/here.xml" --dry-run -n 4 --hostfile "$work/hosts" --json
expect 0 out "\"host\":\"$(hostname)\",\"ranks\":4" hs run --platform "$work/here.xml" --dry-run -n 4 --hostfile "$work/hosts" --json
# A launcher that is told the host of every rank may not know these names.
for name in localhost 127.0.0.1; do
    printf '%s slots=2\n' $name >"$work/hosts"
    [ -z "${MPIEXEC:-}" ] || hs run --platform "$work/here.xml" -n 2 --hostfile "$work/hosts" -- true >"$work/out" 2>&1 ||
        { cat "$work/out"; fail "a hostfile of $name"; }
done
printf 'b2:3\n' >"$work/hosts"
for says in "mpirun (Open MPI) 4.1.4" "mpirun (Open MPI) 5.0.7" "HYDRA build details:"; do
    printf '#!/bin/sh\necho "%s"\n' "$says" >"$work/says"
    chmod +x "$work/says"
    export MPIEXEC_SAVED="${MPIEXEC:-}" MPIEXEC="$work/says"
    case $says in
    HYDRA*) counts "b2:4 " plan -n 4 --hostfile "$work/hosts" ;;
    *) expect 1 err "'b2:3': Open MPI reads no slots after a colon (expected 'b2 slots=3')" plan --hostfile "$work/hosts" ;;
    esac
    MPIEXEC=$MPIEXEC_SAVED
done
[ -n "$MPIEXEC" ] || unset MPIEXEC
# A dry run starts nothing, and says that it would have to measure; a measurement says its age, and counts for some time.
dry() {
    env XDG_CACHE_HOME="$work/cache" MPIEXEC="$work/says" hs run --dry-run "$@"
}
expect 0 out "1 host would be measured first" dry
expect 0 out '{"measure":true,"hosts":["' dry --json
printf 'x1\nx2\n' >"$work/hosts"
expect 0 out "2 hosts would be measured first" dry --hostfile "$work/hosts"
expect 0 out '{"measure":true,"hosts":["x1","x2"]}' dry --hostfile "$work/hosts" --json
said=$(env -u HOME -u XDG_CACHE_HOME MPIEXEC="$work/says" hs run --dry-run 2>&1) || fail "nowhere to keep it: exit $?"
case $said in
*"not kept: neither XDG_CACHE_HOME nor HOME names a folder"*"1 host would be measured first"*) ;;
*) fail "nowhere to keep it: $said" ;;
esac
[ ! -e "$work/cache" ] || fail "a dry run writes $(ls -R "$work/cache")"
printf '#!/bin/sh\numask 022\n[ "$1" = --version ] && { echo "slurm 1"; exit; }\nwhile [ "$1" != -o ]; do shift; done\ncp "%s" "$2"\n' "$work/one.xml" >"$work/says"
printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="%s" speed="1Gf"/></zone></platform>\n' \
    "$(hostname)" >"$work/one.xml"
XDG_CACHE_HOME="$work/cache" MPIEXEC="$work/says" hs run -n 1 -- true >/dev/null 2>&1
# A measurement leaves standard input to the program.
printf '#!/bin/sh\numask 022\n[ "$1" = --version ] && { echo "slurm 1"; exit; }\ncat\nwhile [ $# -gt 0 ]; do [ "$1" != -o ] || cp "%s" "$2"; shift; done\n' \
    "$work/one.xml" >"$work/reads"
chmod +x "$work/reads"
got=$(echo lines | env XDG_CACHE_HOME="$work/input" MPIEXEC="$work/reads" hs run -n 1 -- ./program 2>/dev/null)
[ "$got" = lines ] || fail "after a measurement a program reads '$got'"
# A host is the same with its domain and without, in the list of hosts and in what is measured.
for names in "here here.site" "here.site here"; do
    echo "${names% *}" >"$work/hosts"
    sed "s,<host id=\"[^\"]*\",<host id=\"${names#* }\"," "$work/one.xml" >"$work/named.xml"
    sed "s,$work/one.xml,$work/named.xml," "$work/reads" >"$work/named"
    chmod +x "$work/named"
    for said in "measuring 1 host" "using the measurement"; do
        XDG_CACHE_HOME="$work/names" MPIEXEC="$work/named" hs run --hostfile "$work/hosts" -n 1 -- ./program >"$work/out" 2>&1 </dev/null &&
            grep -q "$said" "$work/out" || fail "$names: '$said' is not in '$(cat "$work/out")'"
    done
done
told() { # TEXT OPTION...
    text=$1
    shift
    said=$(dry "$@" 2>&1)
    case $said in *"$text"*) ;; *) fail "hs run --dry-run $*: '$text' is not in '$said'" ;; esac
}
told " ago in $work/cache/heteroslice/platform-" -n 1
# Ranks are told to check it, and no measurement that was just made, nor a file of the user's.
printf '#!/bin/sh\n[ "$1" = --version ] && { echo "slurm 1"; exit; }\necho "HS_CACHE=${HS_CACHE:-} ${*##* }" >>"%s"\necho "${HS_RUN_HOSTS-none}" >"%s"\n' "$work/started" "$work/run_hosts" >"$work/notes"
chmod +x "$work/notes"
starts() { # EXPECTED VARIABLE=VALUE... OPTION...
    expected=$1
    shift
    : >"$work/started"
    env XDG_CACHE_HOME="$work/cache" MPIEXEC="$work/notes" "$@" -n 1 -- ./program >/dev/null 2>&1
    [ "$(tr '\n' ' ' <"$work/started")" = "$expected" ] || fail "$*: started $(cat "$work/started")"
}
starts "HS_CACHE=run ./program " hs run
starts "HS_CACHE=on ./program " hs run --platform "$work/one.xml"
starts "HS_CACHE= ./program " HS_CACHE=run hs run --platform "$work/one.xml"
starts "HS_CACHE=run ./program " HS_CACHE=run hs run
# And what to say of hosts in advice, where a shell takes the name as it is and finds the file again.
run_hosts() { # EXPECTED OPTION...
    expected=$1
    shift
    rm -f "$work/run_hosts"
    env XDG_CACHE_HOME="$work/cache" MPIEXEC="$work/notes" HS_RUN_HOSTS=old hs run "$@" -n 1 -- ./program >/dev/null 2>"$work/err"
    [ "$(cat "$work/run_hosts")" = "$expected" ] || fail "HS_RUN_HOSTS of hs run $*: '$(cat "$work/run_hosts" "$work/err")'"
}
hostname >"$work/hostfile"
cp "$work/one.xml" "$work/of one.xml"
run_hosts none
run_hosts "--platform $work/one.xml" --platform "$work/one.xml"
run_hosts "--hostfile $work/hostfile --platform $work/one.xml" --platform "$work/one.xml" --hostfile "$work/hostfile"
run_hosts "--hostfile $work/hostfile" --platform "$work/of one.xml" --hostfile "$work/hostfile"
run_hosts none --platform - <"$work/one.xml"
touch -d '3 days ago' "$work"/cache/heteroslice/platform-*
told "using the measurement of 3 days ago" -n 1
told "is too old (--max-age sets the limit)" -n 1 --max-age 2d
told "would be measured first" -n 1 --max-age 2d
touch -d '8 days ago' "$work"/cache/heteroslice/platform-*
told "would be measured first" -n 1
told "would be measured first" -n 1 --measure
# A measurement that fails leaves nothing, and is no platform.
printf '#!/bin/sh\n[ "$1" != --version ] || { echo "slurm 1"; exit; }\nexit 3\n' >"$work/fails"
chmod +x "$work/fails"
mkdir "$work/temporary"
for use in on off; do
    said=$(HS_CACHE=$use TMPDIR="$work/temporary" XDG_CACHE_HOME="$work/failed" MPIEXEC="$work/fails" hs run -n 1 -- true 2>&1)
    [ $? = 1 ] || fail "a measurement fails: exit $?"
    case $said in *"measuring 1 host into "*"the measurement failed (--platform FILE avoids it)"*) ;; *) fail "a measurement fails: $said" ;; esac
    [ -z "$(find "$work/temporary" "$work/failed" -type f)" ] || fail "left of a measurement: $(find "$work/temporary" "$work/failed" -type f)"
done
# Nothing is measured for a program that is not there; other hosts may have it, and the working folder.
missing() { # STATUS OPTION... -- PROGRAM
    expected=$1
    shift
    said=$(XDG_CACHE_HOME="$work/missing" MPIEXEC="$work/notes" hs run -n 1 "$@" 2>&1)
    [ $? = "$expected" ] || fail "hs run $*: $said"
}
missing 127 -- nonexistent
[ "$said" = "hs run: cannot start nonexistent: No such file or directory" ] || fail "a missing program: $said"
missing 127 --platform one.xml -- ./nonexistent
mkdir folder
for folder in folder ./folder; do
    missing 127 -- $folder
    [ "$said" = "hs run: cannot start $folder: Is a directory" ] || fail "a folder for a program: $said"
done
missing 0 --platform one.xml -- program
missing 0 --platform one.xml --mpirun "-wdir /" -- ./nonexistent
echo elsewhere >hosts
sed 's,<host id="[^"]*",<host id="elsewhere",' one.xml >elsewhere.xml
missing 0 --platform elsewhere.xml --hostfile hosts -- ./nonexistent
expect 1 err "no temporary file for the platform: No such file" env TMPDIR="$work/none" hs run --platform - --dry-run
expect 1 err "standard input cannot be kept in $work/temporary/hs-platform-" \
    env TMPDIR="$work/temporary" sh -c 'exec hs run --platform - --dry-run <"$0"' "$work"
[ -z "$(ls "$work/temporary")" ] || fail "left of standard input: $(ls "$work/temporary")"
# A signal removes what a run has made, also while it waits for standard input.
mkfifo "$work/endless"
exec 9<>"$work/endless"
TMPDIR="$work/temporary" hs run --platform - --dry-run <&9 &
for try in $(seq 600); do [ -n "$(ls "$work/temporary")" ] && break; sleep 0.1; done
kill $!
wait $! 2>/dev/null
[ $? = 143 ] || fail "a run that a signal has ended: no status 143"
exec 9>&-
[ -z "$(ls "$work/temporary")" ] || fail "left of a run that a signal has ended: $(ls "$work/temporary")"
expect 1 err "hs run: --platform takes a file, not ''" hs run --platform "" --dry-run # of a variable that is not set
expect 2 err "--platform excludes --measure" plan --measure
expect 2 err "--platform excludes --max-age" plan --max-age 2d
expect 2 err "--measure excludes --max-age" hs run --dry-run --measure --max-age 2d
expect 2 err "--lab excludes --hostfile" hs run --dry-run --lab a --hostfile "$work/hosts"
expect 2 err "no program given (expected after --)" hs run -n 2
expect 2 err "starts one program, not several with ':' between them" hs run -n 2 --dry-run -- one : -n 2 two
expect 2 err "--json requires --dry-run" hs run --json -- true
expect 1 err "at least 1" plan -n 0

# Programs: a stand-in for each launcher tells what it was given.
cat >"$work/mpirun" <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "$SAYS"; exit; }
printf 'yields=%s ' "${OMPI_MCA_mpi_yield_when_idle:-}"
[ -z "${SLURM_HOSTFILE:-}" ] || tr '\n' ' ' <"$SLURM_HOSTFILE"
while [ $# -gt 0 ]; do
    case $1 in
    --hostfile | -f) echo "$1" "$(tr '\n' ' ' <"$2")"; shift ;;
    -x) case $2 in LD_PRELOAD=*) echo "$2" | sed 's,/[^:]*/,,g' ;; *) printf '%s ' "$2" ;; esac; shift ;;
    *) printf '%s ' "$1" ;;
    esac
    shift
done
exit 7
END
chmod +x "$work/mpirun"
printf 'a8 slots=2\nb2\n' >"$work/hosts"
export SAYS="mpirun (Open MPI) 4.1.4"
if [ "$(id -u)" = 0 ]; then
    for say in "mpirun (Open MPI) 4.1.4" "mpirun (Open MPI) 5.0.7"; do
        expect 1 err "set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1" env -u OMPI_ALLOW_RUN_AS_ROOT SAYS="$say" \
            MPIEXEC="$work/mpirun" hs run --platform six.xml --hostfile hosts -n 4 -- ./program
    done
    expect 7 out "HYDRA" env -u OMPI_ALLOW_RUN_AS_ROOT SAYS="HYDRA build details:" MPIEXEC="$work/mpirun" sh -c \
        'echo HYDRA; exec hs run --platform six.xml --hostfile hosts -n 4 -- ./program'
    expect 7 out "--allow-run-as-root" env -u OMPI_ALLOW_RUN_AS_ROOT MPIEXEC="$work/mpirun" \
        hs run --platform six.xml --hostfile hosts -n 4 --mpirun --allow-run-as-root -- ./program
fi
told=$(MPIEXEC=$work/mpirun HS_LOG=info hs run --platform six.xml --hostfile hosts -n 4 \
    --mpirun "--report-bindings -x LD_PRELOAD=mine.so -x MINE=1 --mca a b" -- ./program -x 1)
[ $? = 7 ] || fail "the exit status of mpirun is lost"
# tells SAYS PART...: this launcher is given all these, in this order
tells() {
    SAYS=$1
    given=$(MPIEXEC=$work/mpirun hs run --platform six.xml --hostfile hosts -n 4 -- ./program -x 1 2>&1 | tr '\n' ' ')
    pattern=
    shift
    for part in "$@"; do pattern="$pattern.*$part"; done
    echo "$given" | grep -q -e "$pattern" || fail "$SAYS was told: $given"
}
tells "mpirun (Open MPI) 4.1.4" yields=1 "--oversubscribe --bind-to none --map-by seq --hostfile" "\( b2 a8 a8 a8 \| a8 a8 a8 b2 \)" \
    "-n 4 ./program"
tells "mpirun (Open MPI) 5.0.7" yields=1 "--map-by seq:OVERSUBSCRIBE --bind-to none --hostfile" "\( b2 a8 a8 a8 \| a8 a8 a8 b2 \)" \
    "-n 4 ./program"
tells "HYDRA build details:" "-bind-to none -f" "\( b2:1 a8:3 \| a8:3 b2:1 \)" "-n 4 ./program"
export SLURM_JOB_NODELIST='a8,b2' SLURM_TASKS_PER_NODE='3(x2)' SLURM_CPUS_PER_TASK=2
threads() { SAYS=$1 MPIEXEC=$work/mpirun hs run --platform six.xml -n 4 -- ./program 2>&1 | tr '\n' ' '; }
case $(threads "slurm-wlm 22.05.8") in *"--cpus-per-task=2 --distribution=arbitrary"*) ;; *) fail "srun: $(threads "slurm-wlm 22.05.8")" ;; esac
case $(threads "mpirun (Open MPI) 4.1.4") in *"--bind-to none"*" OMP_NUM_THREADS "*) ;; *) fail "mpirun: $(threads "mpirun (Open MPI) 4.1.4")" ;; esac
OMP_NUM_THREADS=
export OMP_NUM_THREADS # empty, and so not set
case $(threads "mpirun (Open MPI) 4.1.4") in *" OMP_NUM_THREADS "*) ;; *) fail "mpirun: $(threads "mpirun (Open MPI) 4.1.4")" ;; esac
unset SLURM_JOB_NODELIST SLURM_TASKS_PER_NODE SLURM_CPUS_PER_TASK OMP_NUM_THREADS
# mpirun reaches the components of a heterogeneous Slurm job by a script of ours, which is gone afterwards. srun has no use for one.
cat >"$work/components" <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "$SAYS"; exit; }
for word; do
    case $word in /tmp/hs-agent-*) echo "agent $word"; cat "$word"; "$word" -x nobody true 2>&1; echo "it ends with $?" ;; esac
done
END
chmod +x "$work/components"
components() {
    SAYS=$1 SLURM_HET_SIZE=2 SLURM_JOB_NODELIST_HET_GROUP_0=a8 SLURM_TASKS_PER_NODE_HET_GROUP_0=3 SLURM_JOB_NODELIST_HET_GROUP_1=b2 \
        SLURM_TASKS_PER_NODE_HET_GROUP_1=3 SLURM_CPUS_PER_TASK_HET_GROUP_1=2 MPIEXEC=$work/components \
        hs run --platform six.xml -n 4 -- ./program 2>&1
}
components "mpirun (Open MPI) 4.1.4" >"$work/told" || fail "a heterogeneous job: exit $?: $(cat "$work/told")"
for line in 'hs run: components differ in --cpus-per-task: OMP_NUM_THREADS is not set' 'a8) component=0 ;;' 'b2) component=1 ;;' \
    'nobody is not a host of this Slurm job' 'it ends with 1'; do
    grep -q -x -F -e "$line" "$work/told" || fail "a heterogeneous job: no '$line' in $(cat "$work/told")"
done
[ ! -e "$(sed -n 's/^agent //p' "$work/told")" ] || fail "a heterogeneous job: the script is left behind"
unwritten=$(trap '' XFSZ; ulimit -f 0; components "mpirun (Open MPI) 4.1.4")
agent=$(echo "$unwritten" | sed -n 's,^hs run: cannot write \(/tmp/hs-agent-[^:]*\): File too large$,\1,p')
[ -n "$agent" ] && [ ! -e "$agent" ] || fail "a heterogeneous job whose script cannot be written: $unwritten"
components "slurm-wlm 22.05.8" >"$work/told"
[ $? = 1 ] && grep -q "srun reaches hosts by Slurm's daemons alone" "$work/told" || fail "a heterogeneous job by srun: $(cat "$work/told")"
tells "slurm-wlm 22.05.8" "\(b2 a8 a8 a8 \|a8 a8 a8 b2 \)" "--overcommit --cpu-bind=none --distribution=arbitrary -n 4 ./program"
expect 1 err "cannot start '$work/mpirun --oversubscribe': No such file or directory (expected Open MPI's mpirun, MPICH's mpiexec or Slurm's srun, without options)" \
    env MPIEXEC="$work/mpirun --oversubscribe" hs run --platform six.xml --hostfile hosts -- ./program
SAYS="something else" expect 1 err "does not name Open MPI's mpirun" env MPIEXEC="$work/mpirun" hs run --platform six.xml --hostfile hosts -- ./program
case $told in
"yields=1 "*"--oversubscribe --bind-to none --map-by seq "*"HS_LOG "*"--report-bindings MINE=1 --mca a b -n 4 ./program "*) ;;
*) fail "mpirun was told: $told" ;;
esac
# The user's list stays, behind our library where that is built.
if [ -e "$HS_TEST_BUILDDIR/.libs/libheteroslice-preload.so" ]; then list=libheteroslice-preload.so:mine.so; else list=mine.so; fi
[ "$(echo "$told" | grep -o '=[^ ]*mine.so')" = "=$list" ] || fail "LD_PRELOAD is $told"
[ "$(ls "$work" | grep -c '^hs-run')" = 0 ] || fail "files are left behind"
SAYS="mpirun (Open MPI) 4.1.4"
# A daemon's streams may be closed.
MPIEXEC=$work/mpirun hs run --platform six.xml --hostfile hosts -n 4 -- ./program <&- >&- 2>"$work/told"
got=$?
[ $got = 7 ] || fail "closed standard streams: exit $got, $(cat "$work/told")"
MPIEXEC=$work/mpirun hs run --platform six.xml --hostfile hosts -n 4 --keep -- ./program >"$work/told" 2>&1
[ "$(sort "$work"/hs-run-?????? | uniq -c | tr -s ' \n' ' ')" = " 3 a8 1 b2 " ] || fail "--keep: $(cat "$work"/hs-run-*)"

# Where /tmp cannot be written, what the launcher reads is in TMPDIR.
closed_tmp() { unshare -m sh -c 'mount --bind /tmp /tmp && mount -o remount,ro,bind /tmp && mount -t tmpfs none temporary && exec "$@"' - "$@"; }
if closed_tmp true 2>/dev/null; then
    told=$(MPIEXEC=$work/mpirun TMPDIR=$work/temporary closed_tmp hs run --platform six.xml --hostfile hosts -n 4 -- ./program 2>&1)
    case $told in *"--hostfile "*a8*) ;; *) fail "/tmp cannot be written: $told" ;; esac
fi

# Signals: a launcher gets those that a batch system sends, and Ctrl-C once, which the terminal has sent it, too. What was ignored
# before stays ignored, as nohup has it, also behind a measurement; but not SIGCHLD, without which no exit status is known.
cat >"$work/signalled" <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "slurm 1"; exit; }
case $* in
*" probe -o "*) while [ "$1" != -o ]; do shift; done; cp one.xml "$2" ;;
*./usr1)
    trap 'exit 5' USR1
    handled() { [ $((0x$(sed -n 's/^SigCgt:[^0-9a-f]*//p' /proc/$PPID/status) & 0x200)) != 0 ]; } # hs has just begun to wait
    for try in $(seq 100); do ! handled || break; sleep 0.1; done
    kill -USR1 $PPID
    for try in $(seq 600); do sleep 0.1; done
    ;;
*./hup) kill -HUP $$; kill -HUP $PPID; exit 6 ;;
*./interrupted)
    trap 'echo interrupted >>interrupts; kill -CONT $PPID' INT
    exec 3<pipe
    kill -STOP $PPID
    echo started >&2
    for try in $(seq 600); do [ ! -s interrupts ] || break; sleep 0.1; done
    sleep 1
    ;;
*) exit 7 ;;
esac
END
chmod +x "$work/signalled"
signalled() { # EXPECTED IGNORED PROGRAM OPTION...
    expected=$1 ignored=$2 program=$3
    shift 3
    env ${ignored:+--ignore-signal="$ignored"} XDG_CACHE_HOME="$work/signals" MPIEXEC="$work/signalled" hs run -n 1 "$@" -- "$program" >/dev/null 2>&1
    got=$?
    [ $got = "$expected" ] || fail "$program with '$ignored' ignored: exit $got, expected $expected"
}
signalled 5 "" ./usr1 --platform one.xml
signalled 6 HUP ./hup --platform one.xml
signalled 6 HUP ./hup --measure
signalled 7 CHLD ./program --platform one.xml
mkfifo "$work/pipe"
MPIEXEC="$work/signalled" python3 "$HS_TEST_SRCDIR/tests/cli/terminal.py" interrupt pipe started \
    hs run --platform one.xml -n 1 -- ./interrupted >"$work/told"
[ "$(cat interrupts)" = interrupted ] || fail "Ctrl-C: $(cat interrupts "$work/told")"

# A real one: the user's own preloaded library stays behind ours.
if [ -n "${MPIEXEC:-}" ] && [ -e "$HS_TEST_BUILDDIR/.libs/libheteroslice-preload.so" ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 MPIEXEC
    name=$(hostname)
    printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="%s" speed="1Gf" core="2"/></zone></platform>\n' "$name" >one.xml
    said=$(LD_PRELOAD=libm.so.6 hs run --platform one.xml -n 3 -- sh -c 'echo "${LD_PRELOAD##*/} $HS_PLATFORM"' | sort | uniq -c | tr -s ' ')
    [ "$said" = " 3 libheteroslice-preload.so:libm.so.6 $work/one.xml" ] || fail "ranks see: $said"
    # A launcher that refuses is told of before anything is measured.
    if [ "$(id -u)" = 0 ] && "$MPIEXEC" --version 2>&1 | grep -q -i "open.mpi\|prrte\|prte"; then
        expect 1 err "hs run: Open MPI does not start programs of root" env -u OMPI_ALLOW_RUN_AS_ROOT XDG_CACHE_HOME="$work/new" hs run -n 1 -- true
        [ ! -e "$work/new" ] || fail "it measures for a program that is not started"
    fi
fi
exit $failed
