# SPDX-License-Identifier: BSD-3-Clause

# HS_MPI: --with-mpi=yes|no|WRAPPER. Asks the wrapper compiler for its flags, so that one C compiler serves the
# planning library (no MPI) and the runtime. Sets MPI_CFLAGS, MPI_LIBS, MPICC, MPIEXEC, hs_mpi_flavour, HAVE_MPI.
AC_DEFUN([HS_MPI], [
  AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi@<:@=yes|no|WRAPPER@:>@],
    [the runtime, by an MPI compiler wrapper such as mpicc.mpich (default: mpicc when found)])], [], [with_mpi=auto])
  AC_ARG_VAR([MPIEXEC], [how tests start MPI programs])
  hs_have_mpi=no hs_mpi_flavour=none
  AS_CASE([$with_mpi],
    [no], [MPICC=],
    [yes|auto], [AC_PATH_PROGS([MPICC], [mpicc mpicc.openmpi mpicc.mpich])],
    [*/*], [MPICC=$with_mpi],
    [AC_PATH_PROG([MPICC], [$with_mpi])])
  AS_CASE([$with_mpi], [no | yes | auto], [],
    [AS_IF([test ! -x "$MPICC"], [AC_MSG_ERROR([--with-mpi=$with_mpi: no such program])])])
  AS_IF([test -n "$MPICC"], [HS_MPI_FLAGS])
  AS_CASE([$with_mpi:$hs_have_mpi], [no:no | *:yes], [],
    [auto:no], [AC_MSG_WARN([no working mpicc was found (Debian: apt-get install libopenmpi-dev openmpi-bin): planners only])],
    [AC_MSG_ERROR([--with-mpi=$with_mpi: ${MPICC:-mpicc} makes no MPI program (Debian: apt-get install libopenmpi-dev openmpi-bin)])])
  AS_CASE([$MPICC], [*.mpich], [hs_launchers="mpiexec.mpich mpiexec"], [*.openmpi], [hs_launchers="mpiexec.openmpi mpiexec"],
    [hs_launchers="mpiexec mpirun"])
  AS_IF([test $hs_have_mpi = yes], [AC_PATH_PROGS([MPIEXEC], [$hs_launchers], [], [`AS_DIRNAME(["$MPICC"])`$PATH_SEPARATOR$PATH])
    AC_DEFINE([HAVE_MPI], [1], [Define to 1 when the runtime is built.])])
  AC_DEFINE_UNQUOTED([HS_MPI_FLAVOUR], ["$hs_mpi_flavour"], [openmpi, mpich, unknown or none: the MPI library of the runtime.])
  AC_SUBST([HS_MPI_FLAVOUR], [$hs_mpi_flavour])
  AC_SUBST([MPI_CFLAGS])
  AC_SUBST([MPI_LIBS])
  AM_CONDITIONAL([HAVE_MPI], [test $hs_have_mpi = yes])
])

AC_DEFUN([HS_MPI_FLAGS], [
  AC_MSG_CHECKING([for the flags of $MPICC])
  AS_IF([MPI_CFLAGS=`$MPICC --showme:compile 2>/dev/null`],
      [MPI_LIBS=`$MPICC --showme:link`],
    [hs_line=`$MPICC -compile-info 2>/dev/null`],
      [MPI_CFLAGS=`echo "$hs_line" | $SED 's/^@<:@^ @:>@* *//'`
       MPI_LIBS=`$MPICC -link-info | $SED 's/^@<:@^ @:>@* *//'`],
    [AC_MSG_ERROR([$MPICC answers neither --showme:compile nor -compile-info (--without-mpi builds the planners alone)])])
  AC_MSG_RESULT([$MPI_CFLAGS $MPI_LIBS])
  hs_saved_CPPFLAGS=$CPPFLAGS hs_saved_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $MPI_CFLAGS" LIBS="$MPI_LIBS $LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[return MPI_Init(0, 0);]])], [hs_have_mpi=yes])
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#ifndef OPEN_MPI
#error
#endif]])], [hs_mpi_flavour=openmpi],
    [AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#ifndef MPICH_VERSION
#error
#endif]])], [hs_mpi_flavour=mpich], [hs_mpi_flavour=unknown])])
  # gcc takes MPI_UNWEIGHTED and MPICH's MPI_STATUSES_IGNORE, addresses of nothing, for arrays that are too short.
  CPPFLAGS="$hs_saved_CPPFLAGS -Werror -Wno-stringop-overflow -Wno-stringop-overread"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [MPI_CFLAGS="$MPI_CFLAGS -Wno-stringop-overflow -Wno-stringop-overread"])
  CPPFLAGS=$hs_saved_CPPFLAGS LIBS=$hs_saved_LIBS
])
