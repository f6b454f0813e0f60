# SPDX-License-Identifier: BSD-3-Clause
# What the library does in a move and in the call behind it is a path of transaction.pml, step by step, whatever goes wrong
# on one rank; the same steps with one changed are none.
[ -n "${MPIEXEC:-}" ] || { echo "skipped: no mpiexec was found"; exit 77; }
command -v spin >/dev/null || { echo "skipped: no spin"; exit 77; }
. "$HS_TEST_SRCDIR/tests/work.sh"

# A record is a file of steps, "RANK EXCHANGE STEP"; accepted or rejected says what the model should do with it.
records=
add() { records="$records $1.$2"; } # NAME EXPECTED

# run CASE HS_CHECK: writes what happens to $work/CASE.accepted
run() {
    : >"$work/all"
    HS_CHECK=$2 TMPDIR=$work "$LAUNCH" -t 120 -n 4 "$HS_TEST_BUILDDIR/tests/runtime/slices/traced" "$1" "$work/all" \
        >"$work/out" 2>&1
    ! grep -q 'not so' "$work/out" && [ "$(grep -c ' end$' "$work/all")" -ge 3 ] || {
        fail "$1 did not end well"
        cat "$work/out" "$work/all"
        return
    }
    grep -v ' end$' "$work/all" >"$work/$1.accepted"
    add "$1" accepted
}

# tamper CASE NAME COMMAND: the record as a command of awk changes it
tamper() {
    [ -s "$work/$1.accepted" ] || return
    awk "$3" "$work/$1.accepted" >"$work/$1-$2.rejected"
    ! cmp -s "$work/$1.accepted" "$work/$1-$2.rejected" || fail "$1-$2 is what it was"
    add "$1-$2" rejected
}

# verdict CASE STEP TIMES: so often ranks took that step
verdict() {
    [ "$(grep -c " $2\$" "$work/$1.accepted")" = "$3" ] || {
        fail "$1: not $3 times $2"
        cat "$work/$1.accepted"
    }
}

run well 0; verdict well moved 4
run memory 0; verdict memory refused 4; verdict memory send_failure 1
run short 0; verdict short refused 4; verdict short send_failure 1
run flipped 1; verdict flipped refused 4; verdict flipped send_failure 0
run lost 0; verdict lost refused 4; verdict lost give_up 4
run late 0; verdict late refused 4; verdict late give_up 4
run failing 0; verdict failing refused 4; verdict failing give_up 4
for moment in agree data confirm next; do
    run $moment 0
    verdict $moment crash 1
done
verdict next moved 4

# An agreement that is done before all have sent; a rank that is told otherwise than the others; a message that nobody sent.
tamper well early '$2 == "agree" && $3 == "done" && !n++ { early = $0; next } { line[NR] = $0 }
    END { print early; for (k = 1; k <= NR; k++) if (line[k]) print line[k] }'
tamper well refused '$3 == "moved" && !n++ { $3 = "refused" } { print }'
tamper well unsent '$1 == 1 && $2 == "confirm" && $3 == "send" { next } { print }'
tamper memory moved '$3 == "refused" && !n++ { $3 = "moved" } { print }'
tamper memory well '$3 == "failed" && !n++ { $3 = "done" } { print }'
tamper short well '$2 == "confirm" && $3 == "failed" && !n++ { $3 = "done" } { print }'
tamper flipped well '$2 == "confirm" && $3 == "failed" && !n++ { $3 = "done" } { print }'
tamper lost moved '$3 == "refused" && !n++ { $3 = "moved" } { print }'
tamper late on '{ print } $3 == "give_up" && !n++ { print $1, "next", "send" }'
tamper failing failed '$2 == "agree" && $3 == "give_up" { $3 = "failed" } { print }'
tamper data on '{ print } $3 == "crash" { print $1, "confirm", "send" }'
tamper next alone '$3 == "moved" && !n++ { $3 = "refused" } { print }'

# ---- The model takes one step after the other. ----

width=100
{
    echo "#define RECORDED"
    echo "#define OVER 999"
    echo "#define WIDTH $width"
    set -- $records
    echo "hidden short recorded[$(($# * width))] = {"
    for record in $records; do
        awk -v width=$width -v comma="$([ "$record" = "${records##* }" ] || echo ,)" '
            BEGIN {
                split("agree data confirm next", e); for (k in e) exchange[e[k]] = k - 1
                split("send send_failure done failed give_up crash moved refused", s); for (k in s) step[s[k]] = k - 1
            }
            { printf "%d, ", ($1 * 4 + exchange[$2]) * 8 + step[$3] }
            END { for (k = NR + 1; k < width; k++) printf "OVER, "; print "OVER" comma }' "$work/$record"
    done
    echo "};"
    cat "$HS_TEST_SRCDIR/tests/runtime/slices/transaction.pml"
} >"$work/recorded.pml"
cd "$work" || exit 99
spin -DLATE -a recorded.pml >spin.out 2>&1 || { cat spin.out; exit 1; }
${CC:-cc} -O1 -w -DSAFETY -o pan pan.c || exit 1
number=0
for record in $records; do
    RECORD=$number ./pan -E -w16 -m1000 >out 2>&1
    if grep -q 'assertion violated (recorded' out; then found=accepted; else found=rejected; fi
    grep -q 'errors: [01]$' out || fail "the model was not explored"
    [ "$found" = "${record##*.}" ] || {
        fail "the model: $record is $found"
        cat "$record" out
    }
    number=$((number + 1))
done
[ $number -gt 20 ] || fail "only $number records"
exit $failed
