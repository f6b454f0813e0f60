# SPDX-License-Identifier: BSD-3-Clause
# Ranks that hs run starts with a measurement made before look whether it holds, say when it does not, and mark the file, but only
# one of the cache.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
unset HS_PLATFORM
export XDG_CACHE_HOME="$work/cache" HS_CACHE=on OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
platform() { # SPEED FILE
    printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="%s" speed="%s" core="2"/></zone></platform>\n' \
        "$(hostname)" "$1" >"$2"
}
started() { # WHAT OPTION...
    what=$1
    shift
    LD_PRELOAD=${HS_TEST_SANITIZER:-} hs run "$@" -n 2 -- "$HERE/ordered" >"$work/out" 2>"$work/err" </dev/null || fail "$what: exit $?: $(cat "$work/err")"
}
# The name of the file is that of these hosts: the first run writes it.
HS_PROBE_BUDGET=100ms started "no measurement"
file=$(ls "$XDG_CACHE_HOME"/heteroslice/platform-*.xml) || fail "nothing is kept: $(cat "$work/err")"
grep -q "the next hs run measures anew" "$work/err" && fail "a new measurement is looked at: $(cat "$work/err")"
platform 1f "$file"
started "a wrong speed"
[ "$(grep -c "warn: $(hostname): .* now, 1 f in $file: the next hs run measures anew" "$work/err")" = 1 ] ||
    fail "a wrong speed: $(cat "$work/err")"
hs cache list | grep -q "not used: it did not hold any more" || fail "not marked: $(hs cache list)"
HS_PROBE_BUDGET=100ms started "a marked file"
grep -q "is not used: it did not hold any more" "$work/err" && grep -q "measuring 1 host" "$work/err" ||
    fail "a marked file: $(cat "$work/err")"
hs cache list | grep -q "1 host: $(hostname)" || fail "not measured anew: $(hs cache list)"
# A file of the user's is not looked at, and whatever says so, not marked.
platform 1f "$work/mine.xml"
before=$(stat -c %Y "$work/mine.xml")
started "a file of the user's" --platform "$work/mine.xml"
grep -q "measures anew" "$work/err" && fail "a file of the user's: $(cat "$work/err")"
HS_CACHE=run HS_PLATFORM=$work/mine.xml LD_PRELOAD=$PRELOAD run 2 "$work/out" "$HERE/ordered"
grep -q "now, 1 f in $work/mine.xml$" "$work/out.err" || fail "HS_CACHE=run: $(cat "$work/out.err")"
[ "$(stat -c %Y "$work/mine.xml")" = "$before" ] || fail "a file of the user's is marked"
# Without the library nothing is looked at, and HS_CACHE=off neither uses nor changes the file.
platform 1f "$file"
HS_DISABLE=1 started "switched off"
grep -q "measures anew" "$work/err" && fail "HS_DISABLE=1: $(cat "$work/err")"
cp "$file" "$work/copy.xml"
HS_CACHE=off HS_PROBE_BUDGET=100ms started "HS_CACHE=off"
grep -q "measuring 1 host into .*/hs-platform-" "$work/err" && cmp -s "$file" "$work/copy.xml" || fail "HS_CACHE=off: $(cat "$work/err")"
exit $failed
