# SPDX-License-Identifier: BSD-3-Clause
# Run by `make installcheck`: pkg-config finds the installed libraries, each header compiles alone in C and C++, programs of
# both libraries build and run, and the command finds its files.
# SOURCES PREFIX LIBDIR, and CC, MPICC, MPIEXEC (the last two empty without MPI), MPIFC, LAUNCH, DESTDIR in the environment
set -u
sources=$(cd "$1" && pwd) prefix=${DESTDIR:-}$2 libdir=${DESTDIR:-}$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
export PKG_CONFIG_PATH="$libdir/pkgconfig" PKG_CONFIG_SYSROOT_DIR="${DESTDIR:-}" LD_LIBRARY_PATH="$libdir"
flags() { pkg-config --cflags --libs "$1"; }

strict="-std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only"
for header in "$prefix"/include/heteroslice/*.h; do
    echo "#include <heteroslice/${header##*/}>" >"$work/one.c"
    cp "$work/one.c" "$work/one.cc"
    compiler=$CC cxx=c++
    if grep -q 'include <mpi.h>\|include <heteroslice/hs_runtime.h>' "$header"; then
        [ -n "$MPICC" ] || { fail "${header##*/} needs MPI and is installed without"; continue; }
        compiler=$MPICC cxx=$(echo "$MPICC" | sed 's/\(.*\)mpicc/\1mpicxx/')
    fi
    $compiler $strict -I"$prefix/include" "$work/one.c" || fail "${header##*/} does not stand by itself"
    command -v "$cxx" >/dev/null || continue
    $cxx -Wall -Werror -fsyntax-only -I"$prefix/include" "$work/one.cc" || fail "${header##*/} is no C++"
done

$CC -Wall -Werror -o "$work/plan" "$sources/plan.c" $(flags heteroslice-plan) || fail "plan.c does not build"
example=$prefix/share/heteroslice/examples/two-switches.xml
said=$("$work/plan" "$example") || fail "plan does not run"
[ "$said" = "20 10 20" ] || fail "plan says '$said'"
"$prefix/bin/hs" show "$example" >/dev/null || fail "the installed hs does not run"
preload_of() { pkg-config --variable=preload "$1"; }
if [ -n "$MPICC" ]; then
    for package in heteroslice $(cd "$libdir/pkgconfig" && ls heteroslice-openmpi.pc heteroslice-mpich.pc 2>/dev/null | sed 's/\.pc$//'); do
        file=$(preload_of "$package")
        [ -e "${DESTDIR:-}${file#"${DESTDIR:-}"}" ] || fail "$package.pc: its preload library, $file, is not there"
    done
fi
module=$(ls "$prefix"/share/heteroslice/modulefiles/heteroslice/* 2>/dev/null)
[ -n "$module" ] || fail "no modulefile"
! grep -n '@[a-z]*@' "$module" || fail "$module has words that configure should have replaced"
for path in $(sed -n 's/^prepend-path [A-Z_]* //p; s/^setenv [A-Z_]* //p' "$module"); do
    [ -e "${DESTDIR:-}$path" ] || fail "$module names $path, which is not there"
done
modulecmd=$(ls /usr/lib/*/modulecmd.tcl /usr/share/Modules/libexec/modulecmd.tcl 2>/dev/null | head -n 1)
if [ -n "$modulecmd" ]; then
    env -u MANPATH MODULEPATH="${module%/*/*}" "$modulecmd" sh load heteroslice 2>&1 | grep -q '^MANPATH=[^;]*:;' ||
        fail "a module without MANPATH hides the system's manual pages"
fi
if command -v cmake >/dev/null; then # with a compiler of several words, as ccache gcc is one
    CC="env $CC" cmake -S "$sources/cmake" -B "$work/cmake" -DLANGUAGE=C -DSOURCES="$sources" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_LIBRARY_PATH="$libdir" \
        ${MPICC:+-DMPI_C_COMPILER="$MPICC"} >"$work/said" 2>&1 && cmake --build "$work/cmake" >>"$work/said" 2>&1 ||
        { cat "$work/said"; fail "find_package(heteroslice): the project does not build"; }
    [ "$("$work/cmake/plan" "$example")" = "20 10 20" ] || fail "a project of CMake: plan says something else"
    if [ -n "$MPICC" ]; then
        [ "$("$LAUNCH" -n 2 "$work/cmake/runtime")" = "30 units" ] || fail "a project of CMake: runtime says something else"
        [ -e "$(cat "$work/cmake/preload")" ] || fail "heteroslice_PRELOAD is not there"
    fi
    cxx=$(echo "$MPICC" | sed 's/\(.*\)mpicc/\1mpicxx/')
    if [ -n "$MPICC" ] && command -v "$cxx" >/dev/null; then
        for languages in CXX "C;CXX"; do
            cmake -S "$sources/cmake" -B "$work/cxx-${#languages}" -DLANGUAGE="$languages" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_LIBRARY_PATH="$libdir" \
                -DMPI_C_COMPILER="$MPICC" -DMPI_CXX_COMPILER="$cxx" >"$work/said" 2>&1 && cmake --build "$work/cxx-${#languages}" >>"$work/said" 2>&1 ||
                { cat "$work/said"; fail "find_package(heteroslice): a project of $languages with a program of C++ does not build"; }
        done
    fi
fi
"$prefix/bin/hs" help run | grep -q '^EXIT STATUS' || fail "hs help run is not the page"
for file in share/bash-completion/completions/hs.bash share/zsh/site-functions/_hs share/man/man1/hs-report.1 share/man/man3/hs_balance.3; do
    [ -e "$prefix/$file" ] || fail "no $file"
done
documents=$prefix/share/doc/heteroslice
for document in "$documents"/*.md "$documents"/doc/*.md "$documents"/doc/*/*.md; do
    for link in $(grep -o '](\(\.\./\)*[^)#]*' "$document" | tr -d '](' | grep -v '^[a-z]*://'); do
        [ -e "${document%/*}/$link" ] || fail "the installed ${document#"$documents"/} names $link, which is not there"
    done
done
if [ -n "$MPICC" ]; then
    $MPICC -Wall -Werror -o "$work/runtime" "$sources/runtime.c" $(flags heteroslice) || fail "runtime.c does not build"
    said=$("$LAUNCH" -n 2 "$work/runtime" 2>"$work/err") || { cat "$work/err"; fail "runtime does not run"; }
    [ "$said" = "30 units" ] || fail "runtime says '$said'"
    examples=$prefix/share/heteroslice/examples
    for flavour in openmpi mpich; do
        [ -e "$libdir/pkgconfig/heteroslice-$flavour.pc" ] && command -v mpicc.$flavour mpiexec.$flavour >/dev/null || continue
        mpicc.$flavour -Wall -Werror -o "$work/runtime" "$sources/runtime.c" $(flags heteroslice-$flavour) || fail "runtime.c does not build for $flavour"
        said=$(MPIEXEC=mpiexec.$flavour "$LAUNCH" -n 2 "$work/runtime") && [ "$said" = "30 units" ] || fail "runtime of $flavour says '$said'"
        [ -e "$libdir/heteroslice/libheteroslice-preload-$flavour.so" ] || fail "no preload library for $flavour"
        if command -v cmake >/dev/null; then
            cmake -S "$sources/cmake" -B "$work/cmake-$flavour" -DLANGUAGE=C -DSOURCES="$sources" -DCMAKE_PREFIX_PATH="$prefix" \
                -DCMAKE_LIBRARY_PATH="$libdir" -DMPI_C_COMPILER=mpicc.$flavour >"$work/said" 2>&1 && cmake --build "$work/cmake-$flavour" >>"$work/said" 2>&1 &&
                said=$(MPIEXEC=mpiexec.$flavour "$LAUNCH" -n 2 "$work/cmake-$flavour/runtime" 2>&1) && [ "$said" = "30 units" ] ||
                { cat "$work/said"; fail "a project of CMake with $flavour says '$said'"; }
            file=$(preload_of heteroslice-$flavour)
            [ "$(cat "$work/cmake-$flavour/preload")" -ef "${DESTDIR:-}${file#"${DESTDIR:-}"}" ] ||
                fail "heteroslice_PRELOAD is not that of $flavour: $(cat "$work/cmake-$flavour/preload")"
        fi
        cp -r "$examples" "$work/$flavour" && make -s -C "$work/$flavour" run MPI=$flavour CC=mpicc.$flavour CXX=mpicxx.$flavour FC=mpifort.$flavour \
            MPIEXEC="env MPIEXEC=mpiexec.$flavour '$LAUNCH'" >"$work/said" 2>&1 && grep -q '^rank 1: ' "$work/said" ||
            { cat "$work/said"; fail "the makefile of the examples for $flavour"; }
        [ -e "$libdir/pkgconfig/heteroslice-fortran-$flavour.pc" ] || continue
        (cd "$work" && mpifort.$flavour -o jacobi "$examples/fortran/jacobi.f90" $(flags heteroslice-fortran-$flavour)) &&
            MPIEXEC=mpiexec.$flavour "$LAUNCH" -n 2 "$work/jacobi" 20 20 50 off | grep -q 'verified T' || fail "jacobi.f90 does not run with $flavour"
    done
    cp -r "$examples" "$work/examples" && make -s -C "$work/examples" run CC="$MPICC" CXX="$(echo "$MPICC" | sed 's/\(.*\)mpicc/\1mpicxx/')" \
        FC="$MPIFC" MPIEXEC="env MPIEXEC='${MPIEXEC:-}' '$LAUNCH'" >"$work/said" 2>&1 || { cat "$work/said"; fail "the makefile of the examples"; }
    for line in 'the glider is back' 'rank 1: '; do
        grep -q "^$line" "$work/said" || fail "the examples do not say: $line"
    done
    "$LAUNCH" -n 2 "$work/examples/life" 5 2>"$work/err" | grep -q 'is back' || { cat "$work/err"; fail "the smallest game of life"; }
    ! "$LAUNCH" -n 1 "$work/examples/life" 4 >"$work/said" 2>&1 && grep -q '^usage: life SIZE (at least 5)' "$work/said" ||
        fail "a game of life that is too small is played: $(cat "$work/said")"
    if [ -e "$libdir/pkgconfig/heteroslice-fortran.pc" ]; then
        (cd "$work" && $MPIFC -o jacobi "$examples/fortran/jacobi.f90" $(flags heteroslice-fortran)) || fail "jacobi.f90 does not build"
        "$LAUNCH" -n 2 "$work/jacobi" 20 20 50 off >"$work/said" && grep -q 'verified T' "$work/said" || fail "jacobi.f90 does not run"
        if command -v cmake >/dev/null; then
            cmake -S "$sources/cmake" -B "$work/cmake-fortran" -DLANGUAGE=Fortran -DJACOBI="$examples/fortran/jacobi.f90" -DCMAKE_PREFIX_PATH="$prefix" \
                -DCMAKE_LIBRARY_PATH="$libdir" -DMPI_Fortran_COMPILER="$MPIFC" >"$work/said" 2>&1 && cmake --build "$work/cmake-fortran" >>"$work/said" 2>&1 &&
                "$LAUNCH" -n 2 "$work/cmake-fortran/jacobi" 20 20 50 off >"$work/said" 2>&1 && grep -q 'verified T' "$work/said" ||
                { cat "$work/said"; fail "a project of CMake in Fortran"; }
        fi
    fi
    for python in python3 /usr/bin/python3; do
        PYTHONPATH=$prefix/share/heteroslice/python $python -c 'import heteroslice, numpy' 2>/dev/null || continue
        PYTHONPATH=$prefix/share/heteroslice/python "$LAUNCH" -n 2 $python "$examples/python/jacobi.py" 20 20 50 off >"$work/said" &&
            grep -q 'verified True' "$work/said" || fail "jacobi.py does not run"
        break
    done
elif [ -e "$libdir/pkgconfig/heteroslice.pc" ]; then
    fail "heteroslice.pc is installed without MPI"
fi
[ $failed = 0 ] && echo "what is installed in $prefix builds and runs programs"
exit $failed
