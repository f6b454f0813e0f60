# SPDX-License-Identifier: BSD-3-Clause
# Sourced: a real Slurm, one slurmd on each host of an emulated cluster. Its files are in $work; nothing of the system's is used.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd srun salloc sbatch; do
    command -v $program >/dev/null || skip "no $program (packages slurmctld, slurmd, slurm-client, munge)"
done
need_mpirun
need_root
work=$(mktemp -d /tmp/hs-slurm-XXXXXX) # short: sockets are in it
daemons=

end_cluster() {
    [ -z "$daemons" ] || kill $daemons 2>/dev/null
    [ "$failed" = 0 ] || tail -n 20 "$work"/*.log
    remove_labs
    for daemon in $daemons; do wait "$daemon" 2>/dev/null; done
    rm -rf "$work"
}
trap end_cluster EXIT

# HOST COMMAND...: on that host, by the name that it has for everybody.
on() {
    place=$1
    shift
    timeout 600 hs lab exec --name "$LAB" "$place" -- env -u HS_LAB_HOST "$@" </dev/null
}

# CONDITION...: wait until it holds.
await() {
    for try in $(seq 600); do
        "$@" && return
        sleep 0.5
    done
    fail "still not: $*"
    exit 1
}

write_settings() {
    cat >"$work/slurm.conf" <<END
ClusterName=emulated
SlurmctldHost=n1
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool.%n
TmpFS=$work/tmp.%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1
ReturnToService=2
MessageTimeout=60
BatchStartTimeout=120
KillWait=2
NodeName=n[1-3] CPUs=2 RealMemory=2048
NodeName=n4 CPUs=1 RealMemory=1024
PartitionName=all Nodes=n[1-4] Default=YES DefMemPerCPU=100
END
}

all_idle() {
    [ "$(on n1 sinfo -h -N -o %T 2>/dev/null | sort | uniq -c | tr -s ' ')" = " 4 idle" ]
}

start_cluster() {
    export SLURM_CONF="$work/slurm.conf"
    write_settings
    hs lab up --name "$LAB" --cpus 1.6 "$HS_TEST_SRCDIR/tests/slurm/cluster.xml" >/dev/null || exit 1
    mkdir "$work/state"
    head -c 1024 /dev/urandom >"$work/key"
    chmod 600 "$work/key"
    munged -F --force --socket="$work/munge.socket" --key-file="$work/key" --pid-file="$work/munged.pid" \
        --seed-file="$work/munged.seed" --log-file="$work/munged.log" >/dev/null 2>&1 &
    daemons=$!
    await test -S "$work/munge.socket"
    for host in n1 n2 n3 n4; do
        mkdir "$work/spool.$host" "$work/tmp.$host"
        hs lab exec --name "$LAB" $host -- slurmd -D -N $host >/dev/null 2>&1 &
        daemons="$daemons $!"
    done
    hs lab exec --name "$LAB" n1 -- slurmctld -D -i >/dev/null 2>&1 &
    daemons="$daemons $!"
    await all_idle
}
