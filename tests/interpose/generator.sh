# SPDX-License-Identifier: BSD-3-Clause
# The generator: the same bytes in every run, the output for a small table, and messages about bad tables.
set -u
python3 -c 'import dataclasses' 2>/dev/null || { echo "skipped: no python3"; exit 77; }
source=$HS_TEST_SRCDIR/src/interpose
. "$HS_TEST_SRCDIR/tests/work.sh"
generate() {
    python3 "$source/gen_wrappers.py" "$@"
}

for file in wrap_c.c wrap_fortran.c; do
    generate "$source/calls.txt" "$source/$file.in" >"$work/one"
    (cd / && LC_ALL=C PYTHONHASHSEED=7 TZ=UTC+3 generate "$source/calls.txt" "$source/$file.in") >"$work/two"
    cmp "$work/one" "$work/two" || fail "$file differs from run to run"
    made=$HS_TEST_BUILDDIR/src/interpose/$file
    [ -e "$made" ] || made=$source/$file
    cmp "$work/one" "$made" || fail "$made is not what the generator makes"
done

cat >"$work/table" <<'EOF'
# a comment
MPI_Init init argc:ARGC argv:ARGV
MPI_Get_name local comm:COMM name:TEXT_OUT length:INT_OUT  # with a hidden length
MPI_Waitall wait count:INT requests:REQS statuses:STATUSES
MPI_Psend post MPI-4 counts:COUNTS displs:DISPLS
EOF
cat >"$work/template" <<'EOF'
@each@
@if@
@number@ @name@ @lower@ @upper@ @class@ @interfaces@
  (@parameters@) (@arguments@)
  (@fortran_parameters@) (@fortran_arguments@)
@endif@
@end@
end
EOF
cat >"$work/golden" <<'EOF'
0 MPI_Init init INIT init FORTRAN
  (int *argc, char ***argv) (argc, argv)
  (A a1) (a1)
1 MPI_Get_name get_name GET_NAME local FORTRAN
  (MPI_Comm comm, char *name, int *length) (comm, name, length)
  (A a1, A a2, A a3, A a4, A a5) (a1, a2, a3, a4, a5)
2 MPI_Waitall waitall WAITALL wait FORTRAN
  (int count, MPI_Request requests[], MPI_Status statuses[]) (count, requests, statuses)
  (A a1, A a2, A a3, A a4) (a1, a2, a3, a4)
#if HS__HAS_MPI4
3 MPI_Psend psend PSEND post FORTRAN
  (const int counts[], const int displs[]) (counts, displs)
  (A a1, A a2, A a3) (a1, a2, a3)
#endif
#if HS__HAS_LARGE
3 MPI_Psend_c psend PSEND post FORTRAN_LARGE
  (const MPI_Count counts[], const MPI_Aint displs[]) (counts, displs)
  (A a1, A a2, A a3) (a1, a2, a3)
#endif
end
EOF
generate "$work/table" "$work/template" | diff "$work/golden" - || fail "the small table is written out otherwise"

refused() { # TEXT TABLE-LINE
    printf '# one\n%s\n' "$2" >"$work/bad"
    said=$(generate "$work/bad" "$work/template" 2>&1 >"$work/out") && fail "accepts '$2'"
    [ -s "$work/out" ] && fail "writes something for '$2'"
    case $said in "$work/bad:2: $1"*) ;; *) fail "says '$said' of '$2'" ;; esac
}
refused "'Send' is no MPI function" "Send wait"
refused "MPI_Send may do 'nothing'" "MPI_Send"
refused "MPI_Send may do 'comm:COMM'" "MPI_Send comm:COMM"
refused "MPI_Send: 'comm' is not" "MPI_Send wait comm"
refused "MPI_Send: 'comm:COM' is not" "MPI_Send wait comm:COM"
printf 'MPI_A wait\nMPI_A wait\n' >"$work/bad"
case $(generate "$work/bad" "$work/template" 2>&1) in
"$work/bad:2: MPI_A stands there twice") ;;
*) fail "takes a function twice" ;;
esac
printf '@each@\n@nonsense@\n@end@\n' >"$work/template"
case $(generate "$work/table" "$work/template" 2>&1) in
"$work/template:2: '@nonsense@' means nothing here") ;;
*) fail "takes a template with a word it does not know" ;;
esac
exit $failed
