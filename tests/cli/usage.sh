# SPDX-License-Identifier: BSD-3-Clause
# The command hs: exit statuses, and the stream of each message.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
demo=$HS_TEST_SRCDIR/examples/two-switches.xml
expect 0 out "usage: hs VERB" hs help
expect 0 out "Other pages: hs help cg|" hs help
expect 2 err "usage: hs VERB" hs
expect 2 err "unknown verb 'nonsense' ('hs help' lists all verbs)" hs nonsense
expect 2 err "unknown verb or page 'nonsense' ('hs help' lists all verbs)" hs help nonsense
expect 2 err "unknown verb 'no?sense'" hs "$(printf 'no\033sense')"
expect 2 err "unknown verb 'rign'; did you mean 'ring'?" hs rign
expect 2 err "unknown verb 'hlep'; did you mean 'help'?" hs hlep
expect 2 err "unknown verb or page 'colums'; did you mean 'columns'?" hs help colums
expect 2 err "unknown verb or page 'platfrom'; did you mean 'platform'?" hs help platfrom
expect 2 err "unknown option '--hlep'; did you mean '--help'?" hs --hlep
expect 2 err "unknown option '--vesrion'; did you mean '--version'?" hs --vesrion
expect 2 err "unknown subcommand '--hepl'; did you mean '--help'?" hs lab --hepl
expect 2 err "unknown option '--sped'; did you mean '--speeds'?" hs columns --sped 1,2
expect 2 err "unknown option '--hepl'; did you mean '--help'?" hs weights --hepl
# Output that is lost is a failure, and one line.
lost() { # WHY EXIT VERB...
    why=$1 got=$2
    shift 2
    [ "$got" = 1 ] || fail "hs $*: $why: exit $got"
    [ "$(wc -l <"$work/err")" = 1 ] && grep -q "cannot write standard output: $why" "$work/err" ||
        fail "hs $*: $why: it says $(cat "$work/err")"
}
for verb in help "help ring" --version env "env --json" "columns --speeds 1,2" "columns --speeds 1,2 --json" \
    "grid --speeds 1,2 --shape 1x2" "generate --hosts 2 --routers 1 --links 2" "ring $demo --work 1Gf --halo 1MB" \
    "show $demo" "scatter --cycle-times 1,2 --comm 1,1 --load 10" "reduce --times 1,2" "weights $demo --ranks 6" \
    "completion bash" "cache list"; do
    hs $verb >&- 2>"$work/err"
    lost "Bad file descriptor" $? $verb
    [ -w /dev/full ] || continue
    hs $verb >/dev/full 2>"$work/err"
    lost "No space left on device" $? $verb
done
expect 0 out "hs " hs --version
expect 0 out "HS_DISABLE         0|1                      default 0      1 turns the library off" hs env
expect 0 out "HS_PLATFORM        text                     default -      " hs env
expect 0 out '{"variables":[{"name":"HS_DISABLE","accepts":"0|1","default":"0","help":"1 turns the library off"}' hs env --json

# What every verb has from the option parser
expect 2 err "hs show: no platform file given" hs show
expect 1 err "hs show: a?b.xml: cannot read it" hs show 'a
b.xml'
expect 2 err "unknown option '--a?b'" hs show '--a
b'
expect 1 err "hs show: '': cannot read it" hs show ""
expect 1 err "hs show: cannot write '': " hs show "$demo" --svg ""
expect 2 err "hs show: unexpected argument 'more'" hs show "$demo" more
expect 2 err "hs run: unexpected argument './solver' (a program follows --)" hs run -n 2 ./solver
expect 2 err "hs lab run: unexpected argument './solver' (a program follows --)" hs lab run ./solver
# What follows "--" is no option; a folder is no file.
(cd "$work" && cp "$demo" ./-x && expect 0 out "6 hosts, " hs show -- -x && expect 2 err "unexpected argument '--json'" hs show -- -x --json &&
    exit $failed) || failed=1
for verb in "show $work" "rebalance $work" "replay $work" "report $work -o $work/page" "columns $work" "run --dry-run --hostfile $work"; do
    expect 1 err "$work: cannot read it: Is a directory" hs $verb
done
expect 2 err "hs show: unknown option '--jsn'" hs show "$demo" --jsn
expect 2 err "hs show: --json takes no value" hs show "$demo" --json=1
expect 2 err "hs show: --json given twice" hs show "$demo" --json --json
expect 2 err "hs show: --svg needs a value" hs show "$demo" --svg
expect 2 err "hs show: --route needs two values" hs show "$demo" --route a1
expect 2 err "hs ring: --work is missing" hs ring "$demo"
expect 2 err "hs ring: --work given twice" hs ring "$demo" --work 1Gf --work 2Gf --halo 1KiB
expect 1 err "hs ring: --units takes an integer of at least 1, not '1.5'" hs ring "$demo" --work 1Gf --halo 1KiB --units 1.5
expect 1 err "hs ring: --routes takes one of fixed, free, not 'fre'" hs ring "$demo" --work 1Gf --halo 1KiB --routes fre
for value in -1 nan inf 1e400 "" 1GF 1MB x; do
    expect 1 err "hs ring: --work: '$value' " hs ring "$demo" --work "$value" --halo 1KiB
done
for value in -1 nan inf 1e400 "" 1Gf 1XB x; do
    expect 1 err "hs ring: --halo: '$value' " hs ring "$demo" --work 1Gf --halo "$value"
done
for value in " 6" "6 " +6; do # blanks count for nothing, as they do around other numbers
    expect 0 out 0.296296296 hs weights "$demo" --ranks "$value"
done
# What does not go together is refused, and never left out in silence.
expect 2 err "--minimum requires --units" hs ring "$demo" --work 1Gf --halo 1KiB --minimum 2
expect 2 err "--tolerance requires --blocks" hs columns --speeds 1,2 --tolerance 0.1
expect 2 err "--tolerance requires speeds" hs rebalance x --tolerance 0.1
expect 2 err "--all excludes --route" hs show "$demo" --all --route a1 b1
expect 2 err "--all excludes --route" hs show "$demo" --all --svg -
for verb in ring columns grid rebalance scatter reduce "run --dry-run" "lab status"; do
    expect 2 err "--all excludes --json" hs $verb --all --json
done
expect 2 err "hs lab: unknown subcommand 'stats'; did you mean 'status'?" hs lab stats
expect 2 err "hs help: unexpected argument 'ring'" hs help show ring
expect 2 err "unknown verb or page 'lab upp'; did you mean 'lab up'?" hs help lab upp
expect 2 err "hs help: unexpected argument 'b'" hs help lab up b
expect 0 out "usage: hs lab up PLATFORM" hs help lab up
expect 0 out "one JSON object" hs help help
expect 0 out "one JSON object" hs help --help
expect 0 out "one JSON object" hs help -h
expect 2 err "hs --version: unexpected argument 'now'" hs --version now
# One rule: a value that cannot be used is 1 and one line, whichever verb and kind of option; words that do not go together are 2.
expect 1 err "hs weights: --ranks takes an integer of at least 1, not 'x'" hs weights "$demo" --ranks x
expect 1 err "hs grid: --shape takes ROWSxCOLUMNS" hs grid "$demo" --shape 3
expect 1 err "hs lab up: --name takes 1 to" hs lab up "$demo" --name a/b
expect 1 err "hs run: -n takes an integer of at least 1, not '0'" hs run -n 0 -- true
expect 1 err "hs run: -n takes an integer of at most 16777216, not '16777217'" hs run -n 16777217 -- true
expect 1 err "hs replay: --threshold takes a share" hs replay x --threshold 2

# The manual page is there without man and without a terminal, and is not coloured.
for page in ring platform stencil; do
    expect 0 out "DESCRIPTION" hs help "$page"
    ! grep -q "$(printf '\033')" "$work/out" || fail "hs help $page: colours in a file"
done
for page in "$HS_TEST_SRCDIR"/doc/man/*.[15]; do
    name=${page##*/hs-}
    case $name in */*) name=help ;; esac # hs.1
    hs help "${name%.*}" >"$work/out" || fail "hs help ${name%.*}"
    ! grep '\\\((\|f[A-Z]\|&\|-\)' "$work/out" || fail "hs help ${name%.*}: what groff alone understands"
done
expect 0 out "--search paper|best" hs help ring
expect 0 out "EXIT STATUS" hs ring --help
expect 0 out "hs help ring: the manual page" hs ring -h
[ "$(hs ring -h | wc -l)" = 3 ] || fail "hs ring -h: not three lines"

# Standard input is "-" for every file to read, once; and no output replaces an input.
speeds=$work/speeds
echo 3 2 1 >"$speeds"
hs ring "$demo" --work 1Gf --halo 1KiB --json >"$work/plan.json"
cp "$demo" "$work/copy.xml"
cat >"$work/layout.json" <<'END'
{"columns":[{"width":2,"rectangles":[{"host":0,"height":2,"delta":1},{"host":1,"height":2,"delta":-1}]}]}
END
same() { # INPUT COMMAND... with the word - where INPUT is
    input=$1; shift
    "$@" <"$input" >"$work/a" 2>&1 || fail "$*: $(cat "$work/a")"
    named=$(for word in "$@"; do [ "$word" = - ] && word=$input; printf "'%s' " "$word"; done)
    eval "$named" >"$work/b" 2>&1
    cmp -s "$work/a" "$work/b" || fail "$*: another answer from standard input"
}
same "$demo" hs show -
same "$demo" hs show - --flows a1:b1 --json
same "$demo" hs ring - --work 1Gf --halo 1KiB
same "$demo" hs columns -
same "$demo" hs grid - --shape 2x3
same "$demo" hs weights - --ranks 4
same "$demo" hs reduce - --bytes 1MiB
same "$demo" hs scatter - --item-work 1Gf --item-bytes 1KiB --load 100
same "$speeds" hs columns --speeds-file -
same "$work/layout.json" hs rebalance -
printf 'a1 slots=2\nb3\n' >"$work/hostfile"
same "$demo" hs run --dry-run --platform -
same "$work/hostfile" hs run --dry-run --platform "$demo" --hostfile -
hs run --dry-run --platform - <"$speeds" 2>"$work/err" && fail "hs run takes a list of speeds for a platform"
grep -q '^hs run: -:1: ' "$work/err" || fail "hs run --platform -: $(cat "$work/err")"
[ -z "$(TMPDIR=$work hs run --dry-run --platform - <"$demo" >/dev/null; ls "$work" | grep hs-platform)" ] || fail "a platform from standard input is left behind"
same "$work/plan.json" hs show "$demo" --ring - --dot "$work/drawn"
expect 2 err "standard input (-) is given twice" hs rebalance - --speeds-file -
expect 1 err "would overwrite $work/copy.xml" hs show "$work/copy.xml" --svg "$work/copy.xml"
expect 1 err "would overwrite $work/copy.xml" hs columns "$work/copy.xml" --svg "$work/./copy.xml"
expect 1 err "would overwrite $work/plan.json" hs show "$demo" --ring "$work/plan.json" --svg "$work/plan.json"
expect 1 err "would overwrite $work/layout.json" hs rebalance "$work/layout.json" --svg "$work/layout.json"
expect 1 err "would overwrite $work/new" hs show "$demo" --svg "$work/new" --dot "$work/new"
expect 1 err "would overwrite $work/new" hs show "$demo" --svg "$work/new" --dot "$work/./new"
(cd "$work" && expect 1 err "would overwrite new" hs show "$demo" --svg new --dot ./new && exit $failed) || failed=1
expect 0 out "" hs show "$demo" --svg "$work/new" --dot "$work/new.dot"
ln -s new "$work/link"
expect 0 out "" hs show "$demo" --dot "$work/link"
[ -L "$work/link" ] && cmp -s "$work/new" "$work/new.dot" || fail "a link is replaced, and not written through"
cmp -s "$demo" "$work/copy.xml" || fail "the platform file was overwritten"

# Large platforms in few lines, and hosts left out by name.
echo '<?xml version="1.0"?><platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="1-200" speed="2Gf" bw="125MBps" lat="0s"/></platform>' >"$work/large.xml"
hs show "$work/large.xml" >"$work/out" && [ "$(wc -l <"$work/out")" -lt 20 ] || fail "200 hosts take $(wc -l <"$work/out") lines"
grep -q '^    200 .*n1 ... n200' "$work/out" || fail "200 hosts alike are not in one row"
# Hosts alike are one row wherever they stand; of rows with as many hosts the one that begins first.
{ echo '<?xml version="1.0"?><platform version="4.1"><zone id="z" routing="Floyd">'
for k in $(seq 20); do echo "<host id='f$k' speed='3Gf'/><host id='s$k' speed='1Gf'/>"; done
echo "<host id='last' speed='3Gf'/></zone></platform>"; } >"$work/mixed.xml"
hs show "$work/mixed.xml" | tr -s ' ' >"$work/out"
grep -A1 'f1 ... last$' "$work/out" | tr '\n' '|' | grep -q '^ 21 3 Gf 1 f1 ... last| 20 1 Gf 1 s1 ... s20|' || fail "hosts alike: $(cat "$work/out")"
# Twenty kinds are listed, and the rest of them counted: 20 kinds of three, 5 of one.
{ echo '<?xml version="1.0"?><platform version="4.1"><zone id="z" routing="Floyd">'
for what in host link; do
    for kind in $(seq 25); do
        for copy in $([ "$kind" -gt 20 ] || echo b c) a; do
            case $what in
            host) echo "<host id='h$kind$copy' speed='${kind}Gf'/>" ;;
            link) echo "<link id='l$kind$copy' bandwidth='${kind}MBps' latency='0s'/>" ;;
            esac
        done
    done
done
echo '</zone></platform>'; } >"$work/kinds.xml"
hs show "$work/kinds.xml" | tr -s ' ' >"$work/out"
for rest in hosts links; do
    grep -q "^ 5 other $rest of 5 kinds\$" "$work/out" || fail "$rest of many kinds: $(cat "$work/out")"
done
grep -q '^ 3 20 Gf 1 h20b ... h20a$' "$work/out" && ! grep -q '21 Gf' "$work/out" || fail "not the twenty kinds: $(cat "$work/out")"
[ "$(hs show "$work/large.xml" --all | wc -l)" -gt 400 ] || fail "hs show --all does not list all"
hs ring "$work/large.xml" --work 1e13 --halo 1KiB --budget 10 >"$work/out" && [ "$(wc -l <"$work/out")" -lt 50 ] ||
    fail "a ring of 200 hosts takes $(wc -l <"$work/out") lines"
[ "$(hs ring "$work/large.xml" --work 1e13 --halo 1KiB --budget 10 --all | wc -l)" -gt 600 ] || fail "hs ring --all does not list all"
{ echo '<?xml version="1.0"?><platform version="4.1"><zone id="z" routing="Floyd"><host id="n1" speed="1Gf"/>'
for k in $(seq 2 200); do echo "<host id='n$k' speed='0f'/>"; done; echo '</zone></platform>'; } >"$work/off.xml"
few() { # ROWS ALL COMMAND...: a table of ten rows that says how many more there are; with --all it has ALL lines
    rest=$1 all=$2
    shift 2
    hs "$@" >"$work/out" 2>&1 && [ "$(wc -l <"$work/out")" -lt 20 ] || fail "hs $*: $(wc -l <"$work/out") lines"
    grep -q -e "^\.\.\. and $rest (--all: every row)\$" "$work/out" || fail "hs $*: not '$rest': $(cat "$work/out")"
    hs "$@" --all >"$work/out" 2>&1
    [ "$(wc -l <"$work/out")" -eq "$all" ] && ! grep -q '^\.\.\.' "$work/out" || fail "hs $* --all: $(wc -l <"$work/out") lines"
}
few "190 rectangles that receive no more" 204 columns "$work/large.xml"
few "190 hosts that wait no longer" 13 grid "$work/large.xml" --shape 10x20
hs grid "$work/large.xml" --shape 1x200 | grep -q '^1 row with heights of ' || fail "a grid of one row"
few "190 hosts that get no more items" 203 scatter "$work/large.xml" --item-work 1Gf --item-bytes 1B --load 1e6
few "189 transfers that end no later" 202 reduce "$work/large.xml" --bytes 1MiB --method snf
few "190 hosts that take no longer" 202 run --platform "$work/large.xml" --dry-run
speeds=$(seq 200 | paste -sd,)
hs columns --speeds "$speeds" --blocks 1000 --json >"$work/layout" || fail "no layout"
few "190 rectangles whose heights change no more" 203 rebalance "$work/layout" --speeds "$speeds"
# The ten of a hundred speeds that matter, in the order of the whole table: the fastest receive most.
hs columns --speeds "$(seq 100 | paste -sd,)" >"$work/out"
[ "$(awk 'NF >= 7 && $(NF - 5) + 0 > 0 { print $(NF - 5) + 0 }' "$work/out" | sort -n | paste -sd' ')" = "91 92 93 94 95 96 97 98 99 100" ] ||
    fail "not the ten that receive most: $(cat "$work/out")"
hs scatter --cycle-times 1,1$(printf ',1%.0s' $(seq 98)) --comm 0$(printf ',1%.0s' $(seq 99)) --load 1000 --results 1 >"$work/out"
[ "$(wc -w <"$work/out")" -lt 200 ] && grep -q ' more$' "$work/out" || fail "names of hosts are not cut: $(cat "$work/out")"
expect 2 err "--all requires --dry-run" hs run --all -- true
# Hosts that get nothing are named, ten of them without --all.
expect 0 out "left out: n2, n3, n4, n5, n6, n7, n8, n9, n10, n11 and 189 more" hs run --platform "$work/large.xml" --dry-run -n 1
expect 0 out ", n199, n200" hs run --platform "$work/large.xml" --dry-run -n 1 --all
expect 0 out " and 189 more" hs columns --speeds "1$(printf ',0%.0s' $(seq 199))"
expect 0 out ", 198, 199" hs columns --speeds "1$(printf ',0%.0s' $(seq 199))" --all
expect 0 out "left out: n2 (speed 0), n3 (speed 0), " hs ring "$work/off.xml" --work 1Gf --halo 1KiB
expect 0 out " and 189 more" hs ring "$work/off.xml" --work 1Gf --halo 1KiB
expect 0 out ", n200 (speed 0)" hs ring "$work/off.xml" --work 1Gf --halo 1KiB --all
# As much as fits is no summary.
[ "$(hs columns --speeds "$(seq 40 | paste -sd,)" | wc -l)" -gt 40 ] || fail "forty rows are cut"

for verb in show ring columns grid rebalance scatter generate env lab; do
    expect 0 out "usage: hs $verb" hs "$verb" --help
    expect 0 out "usage: hs $verb" hs help "$verb"
    expect 2 err "hs $verb" hs "$verb" --no-such-option
done

# Clusters of no use still have an answer or a clear error
head='<?xml version="1.0"?><platform version="4.1"><zone id="z" routing="Full">'
echo "$head<host id='a' speed='1Gf'/></zone></platform>" >"$work/one.xml"
echo "$head<host id='a' speed='1Gf'/><host id='b' speed='2Gf'/></zone></platform>" >"$work/apart.xml"
echo "$head<router id='a'/></zone></platform>" >"$work/none.xml"
expect 0 out '"step_time":1.0,' hs ring "$work/one.xml" --work 1Gf --halo 1KiB --json
expect 0 out '"step_time":0.5,' hs ring "$work/apart.xml" --work 1Gf --halo 1KiB --json
expect 0 out "left out: a (no route from the ring)" hs ring "$work/apart.xml" --work 1Gf --halo 1KiB
expect 1 err "none.xml:2: no host in this platform" hs ring "$work/none.xml" --work 1Gf --halo 1KiB
expect 1 err "'a' to 'b': no route leads there" hs show "$work/apart.xml" --route a b
expect 1 err "no host or router 'q'" hs show "$work/one.xml" --route a q

# An output file appears whole or not at all
expect 1 err "cannot write /nonexistent/x.svg" hs show "$demo" --svg /nonexistent/x.svg
expect 1 err "no host in this platform" hs show "$work/none.xml" --svg "$work/x.svg"
[ ! -e "$work/x.svg" ] || fail "a drawing of nothing was left behind"
if [ "$(id -u)" != 0 ]; then
    chmod 0 "$work/one.xml"
    expect 1 err "one.xml: cannot read it: Permission denied" hs show "$work/one.xml"
fi
exit $failed
