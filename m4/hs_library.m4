# SPDX-License-Identifier: BSD-3-Clause

# HS_FIND_LIBRARY(VAR, LIBRARIES, HEADER, FUNCTION)
# Sets VAR_CFLAGS and VAR_LIBS, and hs_found to yes or no. pkg-config is asked first, then the linker.
AC_DEFUN([HS_FIND_LIBRARY], [
  hs_found=no
  PKG_CHECK_EXISTS([$2], [$1_CFLAGS=`$PKG_CONFIG --cflags "$2"` $1_LIBS=`$PKG_CONFIG --libs "$2"`],
    [$1_CFLAGS= $1_LIBS=; for hs_lib in $2; do $1_LIBS="$$1_LIBS -l$hs_lib"; done])
  hs_saved_CPPFLAGS=$CPPFLAGS hs_saved_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $$1_CFLAGS" LIBS="$$1_LIBS $LIBS"
  AC_CHECK_HEADER([$3], [
    AC_MSG_CHECKING([for $4 in $2])
    AC_LINK_IFELSE([AC_LANG_CALL([], [$4])], [hs_found=yes])
    AC_MSG_RESULT([$hs_found])], [], [AC_INCLUDES_DEFAULT
#include <setjmp.h>
#include <stdarg.h>])
  CPPFLAGS=$hs_saved_CPPFLAGS LIBS=$hs_saved_LIBS
  AS_IF([test $hs_found = no], [$1_CFLAGS= $1_LIBS=])
  AC_SUBST([$1_CFLAGS])
  AC_SUBST([$1_LIBS])
])

# HS_REQUIRE_LIBRARY(VAR, LIBRARIES, HEADER, FUNCTION, DEBIAN PACKAGE)
AC_DEFUN([HS_REQUIRE_LIBRARY], [
  HS_FIND_LIBRARY([$1], [$2], [$3], [$4])
  AS_IF([test $hs_found = no],
    [AC_MSG_ERROR([$2 is needed and was not found (Debian: apt-get install $5)])])
])

# HS_OPTIONAL_LIBRARY(NAME, VAR, LIBRARIES, HEADER, FUNCTION, PURPOSE, DEBIAN PACKAGE)
# --with-NAME (auto by default): defines HAVE_VAR, the conditional HAVE_VAR and hs_have_NAME.
AC_DEFUN([HS_OPTIONAL_LIBRARY], [
  AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1@<:@=yes|no@:>@], [$6 (default: when found)])], [], [with_$1=auto])
  hs_found=no
  AS_CASE([$with_$1], [no], [$2_CFLAGS= $2_LIBS=; AC_SUBST([$2_CFLAGS]) AC_SUBST([$2_LIBS])],
    [yes|auto], [HS_FIND_LIBRARY([$2], [$3], [$4], [$5])],
    [AC_MSG_ERROR([--with-$1 takes yes or no, not '$with_$1'])])
  AS_IF([test $with_$1 = yes && test $hs_found = no],
    [AC_MSG_ERROR([--with-$1: $3 was not found; it is for $6 (Debian: apt-get install $7)])])
  AS_IF([test $hs_found = yes], [AC_DEFINE([HAVE_$2], [1], [Define to 1 when $3 is there: $6.])])
  AM_CONDITIONAL([HAVE_$2], [test $hs_found = yes])
  hs_have_$1=$hs_found
])

# HS_SUMMARY: what configure decided, one screen.
AC_DEFUN([HS_SUMMARY], [
AS_IF([test $hs_have_mpi = yes], [hs_mpi_says="$MPICC ($hs_mpi_flavour); built for: $hs_mpi_flavours" hs_fortran_says="wrapped; module and tests by ${MPIFC:-nothing}, mpi_f08: $hs_have_f08"],
  [hs_mpi_says="no: planners, hs show, hs lab; no runtime, no hs probe, no applications" hs_fortran_says=no])
AC_MSG_NOTICE([
  heteroslice $PACKAGE_VERSION
    prefix      $prefix
    compiler    $CC $CFLAGS
    MPI         $hs_mpi_says
    Fortran     $hs_fortran_says
    PMIx        $hs_have_pmix
    hwloc       $hs_have_hwloc
    PAPI        $hs_have_papi
    BLAS        $hs_have_openblas
    KINSOL      $hs_have_kinsol
    protobuf-c  $hs_have_protobuf
    uPlot       $hs_have_uplot
    SimGrid     $hs_have_simgrid (tests only)
    cmocka      $hs_have_cmocka (tests only)
    ScaLAPACK   $hs_have_scalapack (benchmarks only)])])
