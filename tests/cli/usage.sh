# SPDX-License-Identifier: BSD-3-Clause
# The front door: exit statuses and where words go.
set -u
failed=0
expect() { # STATUS STREAM TEXT COMMAND...
    status=$1 stream=$2 text=$3
    shift 3
    out=$("$@" 2>/dev/null </dev/null); got=$?
    err=$("$@" 2>&1 >/dev/null </dev/null)
    case $stream in out) said=$out ;; err) said=$err ;; esac
    case $said in *"$text"*) ;; *) echo "$*: '$text' is not in '$said'"; failed=1 ;; esac
    [ "$got" -eq "$status" ] || { echo "$*: exit $got, expected $status"; failed=1; }
}
expect 0 out "usage: hs VERB" hs help
expect 2 err "usage: hs VERB" hs
expect 2 err "'nonsense' is no verb" hs nonsense
expect 2 err "'nonsense' is no verb" hs help nonsense
expect 0 out "hs " hs --version
exit $failed
