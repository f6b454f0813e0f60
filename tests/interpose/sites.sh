# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests that run programs on two sites of two hosts each, with each value of HS_REORDER.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
n=${HS_TEST_RANKS:-8} # an even number
play="sh $HS_TEST_SRCDIR/tests/interpose/play_host.sh 4"
cat >"$work/sites.xml" <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Floyd">
    <host id="h0" speed="1Gf"/> <host id="h2" speed="1Gf"/>
    <host id="h1" speed="1Gf"/> <host id="h3" speed="1Gf"/>
    <router id="left"/> <router id="right"/>
    <link id="l0" bandwidth="100MBps" latency="0"/> <link id="l1" bandwidth="100MBps" latency="0"/>
    <link id="l2" bandwidth="100MBps" latency="0"/> <link id="l3" bandwidth="100MBps" latency="0"/>
    <link id="wide" bandwidth="5MBps" latency="0"><prop id="bandwidth" value="at least"/></link>
    <route src="h0" dst="left"><link_ctn id="l0"/></route>
    <route src="h2" dst="left"><link_ctn id="l2"/></route>
    <route src="h1" dst="right"><link_ctn id="l1"/></route>
    <route src="h3" dst="right"><link_ctn id="l3"/></route>
    <route src="left" dst="right"><link_ctn id="wide"/></route>
  </zone>
</platform>
XML

# forget_last_words NAME OUTPUT: whether a rank that aborts says more before it is killed is chance (MPICH 4.2.1)
forget_last_words() {
    case $1 in *" abort "*) sed -i '/: after /d' "$2" ;; esac
}

# again NAME VALUES COMMAND...: bare, then preloaded with each of the VALUES of HS_REORDER; `orders` is then how often
# ranks got another order with the last one
again() {
    name=$1 values=$2
    shift 2
    # $play and $values are several words.
    # shellcheck disable=SC2086
    run "$n" "$work/bare" $play "$@"
    forget_last_words "$name" "$work/bare"
    case $name in
    edges*) ;;
    *) runs_bare "$name" || return ;;
    esac
    for value in $values; do
        for try in 1 2; do # MPICH 4.2's launcher tells of no failure now and then: see same_end
            LD_PRELOAD=$PRELOAD HS_PLATFORM=$work/sites.xml HS_REORDER=$value HS_LOG=debug \
                run "$n" "$work/$value" $play "$@"
            case $launcher:$name:$(cat "$work/$value.status") in hydra:*" fatal"*:0) ;; *) break ;; esac
        done
        forget_last_words "$name" "$work/$value"
        compare "$name, HS_REORDER=$value" "$work/bare" "$work/$value"
        grep -E '^heteroslice: (rank [0-9]+: )?(warn|error): ' "$work/$value.err" &&
            fail "$name: complains with HS_REORDER=$value"
    done
    orders=$(grep -c 'in another order' "$work/$value.err")
}

# at_least WHAT WANTED
at_least() {
    [ "$orders" -ge "$2" ] || { cat "$work/$value.err"; fail "$1: $orders other orders with HS_REORDER=$value"; }
}
