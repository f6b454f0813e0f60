# SPDX-License-Identifier: BSD-3-Clause
# hs-cg: the same bits for every rank count, mode and weights, made and read matrices; clear messages for bad input.
program="./hs-cg --json"
. "$HS_TEST_SRCDIR/tests/apps/common.sh"

for ranks in 1 2 3 4 7 9; do
    for mode in off static on; do
        same made $ranks --rows 301 --width 40 --iterations 30 --balance $mode
    done
    same made $ranks --rows 301 --width 40 --iterations 30 --balance on --weights off --intensity 7
    same made $ranks --rows 301 --width 40 --iterations 30 --balance on --weights learned --intensity 7
done

# Without a library's help slices have equal rows, or equal weights.
out=$(run 3 --rows 300 --width 80 --iterations 2 --balance off --weights off)
case $out in *'"rows":[100,100,100]'*) ;; *) fail "equal rows: $out" ;; esac
out=$(run 3 --rows 300 --width 80 --iterations 2 --balance off)
case $out in *'"rows":[100,100,100]'*) fail "equal weights: $out" ;; esac

# It converges, and says so; few and no iterations verify, too; more ranks than rows.
out=$(run 2 --rows 200 --width 16 --iterations 60)
case $out in *'"verified":true'*'"residual":'*e-1[2-9]*) ;; *) fail "60 iterations: $out" ;; esac
same none 2 --rows 50 --iterations 0
same none 1 --rows 50 --iterations 0
same few 4 --rows 2 --width 1 --iterations 3
same few 1 --rows 2 --width 1 --iterations 3

# A file: symmetric and general are the same matrix; an empty row takes no element.
cat >"$work/symmetric.mtx" <<END
%%MatrixMarket matrix coordinate real symmetric
% a comment

4 4 6
1 1 4
2 1 -1
2 2 4.5
3 3 3
4 4 9e0
4 1 -2
END
cat >"$work/general.mtx" <<END
%%MatrixMarket matrix coordinate real general
4 4 8
4 4 9
1 2 -1
2 1 -1
1 1 4
2 2 4.5
1 4 -2
4 1 -2
3 3 3
END
for ranks in 1 2 5; do
    same file $ranks --matrix "$work/symmetric.mtx" --iterations 4
    same file $ranks --matrix "$work/general.mtx" --iterations 4 --balance static
done

# The right side of a Laplacian is 0, which nothing is relative to; that of large elements is no number.
residual() { # VALUE ELEMENTS
    printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n%b' "$2" >"$work/residual.mtx"
    out=$(run 2 --matrix "$work/residual.mtx" --iterations 3)
    case $out in *"\"residual\":$1,"*) ;; *) fail "no residual of $1: $out" ;; esac
}
residual 0 '1 1 1\n2 1 -1\n2 2 1\n'
case $out in *'"verified":true'*) ;; *) fail "a Laplacian: $out" ;; esac
residual null '1 1 1e300\n2 1 0\n2 2 1e300\n'
case $out in *'"verified":false'*) ;; *) fail "elements that overflow: $out" ;; esac

refused() { # TEXT CONTENT: a file that is refused
    printf '%b' "$2" >"$work/bad.mtx"
    out=$(run 2 --matrix "$work/bad.mtx" --iterations 1)
    case $out in *"hs-cg: $work/bad.mtx:$1"*) ;; *) fail "'$1' is not in '$out'" ;; esac
}
head='%%%%MatrixMarket matrix coordinate real symmetric\n'
head=$(printf "$head")'\n'
refused "1: expected '%%MatrixMarket" ''
refused "1: expected '%%MatrixMarket" 'nonsense\n'
refused "1: 'matrix array'" '%%MatrixMarket matrix array real general\n'
refused "1: field 'complex'" '%%MatrixMarket matrix coordinate complex general\n'
refused "1: symmetry 'hermitian'" '%%MatrixMarket matrix coordinate real hermitian\n'
refused "2: expected rows" "${head}many\n"
refused "2: 3 x 4 elements" "${head}3 4 1\n"
refused "2: -1 elements" "${head}3 3 -1\n"
refused "3: element (4, 1)" "${head}3 3 1\n4 1 1\n"
refused "3: element (1, 1)" "${head}3 3 1\n1 1 nan\n"
refused "3: expected row, column and value" "${head}3 3 1\n1 1\n"
refused "2: expected rows" "${head}3 3 1 1\n"
refused "3: expected row, column and value" "${head}3 3 1\n1 1 2.5D-03\n"
refused "3: expected row, column and value" "${head}3 3 1\n1 1 2.5 0.5\n"
refused "3: expected row, column" "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 1 2.5\n"
refused "3: the file ends after 1 of 2" "${head}3 3 2\n1 1 1\n"
refused "4: the file ends after 2 of 3" "${head}3 3 3\n1 1 1\n2 1 1\n"
refused "4: more than 1 elements" "${head}3 3 1\n1 1 1\n2 2 1\n"
out=$(run 2 --matrix /nowhere.mtx --iterations 1)
case $out in *"hs-cg: /nowhere.mtx: No such file"*) ;; *) fail "a missing file: $out" ;; esac
out=$(run 2 --matrix "$work" --iterations 1)
case $out in *"hs-cg: $work: Is a directory"*) ;; *) fail "a folder: $out" ;; esac

# One rank has no such file: it says so, and no other waits for it.
out=$(HS_TIMEOUT=5s "$LAUNCH" -n 1 $program --matrix "$work/general.mtx" --iterations 1 : \
    -n 1 $program --matrix /nowhere.mtx --iterations 1 2>&1)
status=$?
[ $status -ne 0 ] && [ $status -ne 124 ] || fail "a file that one rank has not: exit $status: $out"
case $out in *"did not arrive"*) fail "a file that one rank has not: $out" ;; esac
case $out in *"hs-cg: /nowhere.mtx: No such file"*) ;; *) fail "a file that one rank has not: $out" ;; esac

usage "--iterations and one of --rows and --matrix are needed" --rows 5
usage "--iterations and one of --rows and --matrix are needed" --rows 5 --matrix a --iterations 2
usage "unexpected argument '5'" --rows 5 --iterations 5 5
usage "--weights takes off, on or learned, not 'some'" --rows 5 --iterations 1 --weights some
usage "--rows takes an integer from 1 to 1000000000, not '0'" --rows 0 --iterations 1
full --rows 50 --iterations 2
exit $failed
