# SPDX-License-Identifier: BSD-3-Clause
# Python: the package, by its example; mpi4py's calls are seen when the package or the preloaded library comes first.
. "$HS_TEST_SRCDIR/tests/bindings/common.sh"
for python in "${PYTHON:-python3}" /usr/bin/python3 none; do
    "$python" -c 'import mpi4py, numpy' 2>/dev/null && break
done
[ "$python" != none ] || skip "no Python with mpi4py and numpy"
"$python" -c 'from mpi4py import MPI; print(MPI.get_vendor()[0])' 2>/dev/null | tr -d ' ' | grep -qix "$HS_TEST_FLAVOUR" ||
    skip "mpi4py is not of the MPI library of this build"
export PYTHONPATH="$HS_TEST_BUILDDIR/bindings/python" PYTHONDONTWRITEBYTECODE=1
example=$HS_TEST_SRCDIR/examples/python/jacobi.py
same_checksum "$python" "$example"
sees "the package" "$python" "$example" 30 40 200 on
moves "$python" "$example"
"$LAUNCH" -n 1 "$python" "$example" 30 forty 200 on 2>&1 | grep -q "^usage: jacobi.py" || fail "the example does not say how to call it"
for n in 1 2 4; do
    out=$("$LAUNCH" -n $n "$python" "$HS_TEST_SRCDIR/tests/bindings/boxes.py" 2>&1) || fail "boxes of $n ranks: $out"
done
out=$("$LAUNCH" -n 2 "$python" "$HS_TEST_SRCDIR/tests/bindings/closed.py" 2>&1) || fail "a closed context: $out"
weighs "$python" "$HS_TEST_SRCDIR/tests/bindings/weights.py"

plain=$HS_TEST_SRCDIR/tests/bindings/plain.py
LD_PRELOAD=$libraries/libheteroslice-preload.so sees "mpi4py, preloaded" "$python" "$plain"
LD_PRELOAD=$libraries/libheteroslice-preload.so sees "the package, preloaded" "$python" "$example" 30 40 200 on
# Its own installation's library comes before one that the system finds by name, which may be for another MPI library.
"$python" - <<'END' >"$work/out" || fail "the package cannot be told from where it loads"
import ctypes
load = ctypes.CDLL
def refuse(path, *rest):
    if path is None:
        return load(path, *rest)
    print(path)
    raise OSError(path)
ctypes.CDLL = refuse
try:
    import heteroslice
except ImportError:
    pass
END
folder=$(sed -n 's/^FOLDER = "\(.*\)"$/\1/p' "$PYTHONPATH/heteroslice/__init__.py")
[ "$(sed 's,/[^/]*$,,' "$work/out" | tail -n 2)" = "$folder
$(tail -n 1 "$work/out")" ] && ! tail -n 1 "$work/out" | grep -q / || fail "the package looks in: $(cat "$work/out")"
{ echo 'import heteroslice'; cat "$plain"; } >"$work/first.py"
sees "the package alone" "$python" "$work/first.py"
{ cat "$plain"; echo 'import heteroslice'; } >"$work/late.py"
"$LAUNCH" -n 1 "$python" "$work/late.py" 2>&1 | grep -q "mpi4py.MPI was imported before heteroslice" ||
    fail "nothing is said of an import that comes too late"
exit $failed
