# SPDX-License-Identifier: BSD-3-Clause

# HS_MPI: --with-mpi=yes|no|WRAPPER[,WRAPPER...]. Asks wrapper compilers for their flags, so that one C compiler serves the
# planning library (no MPI) and the runtimes. The first MPI library is the one of the tests, applications and hs probe: sets
# MPI_CFLAGS, MPI_LIBS, MPICC, MPIEXEC, hs_mpi_flavour, HAVE_MPI. Each further one, of another flavour, sets OPENMPI_CFLAGS,
# OPENMPI_LIBS, OPENMPI_CC and the conditional OTHER_OPENMPI; MPICH_... and MPIABI_... (the ABI of MPI-5) alike.
AC_DEFUN([HS_MPI], [
  AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi@<:@=yes|no|WRAPPER,...@:>@],
    [the runtime, by MPI compiler wrappers such as mpicc.mpich, the first for tests (default: all that are found)])], [], [with_mpi=auto])
  AC_ARG_VAR([MPIEXEC], [how tests start MPI programs])
  hs_have_mpi=no hs_mpi_flavour=none hs_mpi_flavours=
  AS_CASE([$with_mpi], [no], [hs_wrappers=], [yes | auto], [hs_wrappers="$MPICC mpicc mpicc.openmpi mpicc.mpich mpicc_abi"],
    [hs_wrappers=`AS_ECHO(["$with_mpi"]) | tr , ' '`])
  MPICC=
  for hs_wrapper in $hs_wrappers; do
    hs_path=`command -v "$hs_wrapper"` || hs_path=
    AS_CASE([$with_mpi:$hs_path], [yes: | auto:], [continue], [*:], [AC_MSG_ERROR([--with-mpi=$with_mpi: no program $hs_wrapper])])
    HS_MPI_TRY([$hs_path])
    AS_CASE([$with_mpi:$hs_works], [*:yes], [], [yes:no | auto:no], [continue],
      [AC_MSG_ERROR([--with-mpi=$with_mpi: $hs_path makes no MPI program (Debian: apt-get install libopenmpi-dev openmpi-bin)])])
    AS_CASE([" $hs_mpi_flavours "], [*" $hs_flavour "*], [continue])
    hs_mpi_flavours="$hs_mpi_flavours $hs_flavour"
    AS_IF([test $hs_have_mpi = no],
      [hs_have_mpi=yes MPICC=$hs_path MPI_CFLAGS=$hs_cflags MPI_LIBS=$hs_libs hs_mpi_flavour=$hs_flavour hs_mpi_flavours=$hs_flavour],
      [AS_CASE([$hs_flavour],
        [openmpi], [OPENMPI_CC=$hs_path OPENMPI_CFLAGS=$hs_cflags OPENMPI_LIBS=$hs_libs],
        [mpich], [MPICH_CC=$hs_path MPICH_CFLAGS=$hs_cflags MPICH_LIBS=$hs_libs],
        [mpiabi], [MPIABI_CC=$hs_path MPIABI_CFLAGS=$hs_cflags MPIABI_LIBS=$hs_libs])])
  done
  AS_CASE([$with_mpi:$hs_have_mpi], [no:no | *:yes], [],
    [auto:no], [AC_MSG_WARN([no working mpicc was found (Debian: apt-get install libopenmpi-dev openmpi-bin): planners only])],
    [AC_MSG_ERROR([--with-mpi=$with_mpi: no working mpicc was found (Debian: apt-get install libopenmpi-dev openmpi-bin)])])
  AS_CASE([$MPICC], [*.mpich], [hs_launchers="mpiexec.mpich mpiexec"], [*.openmpi], [hs_launchers="mpiexec.openmpi mpiexec"],
    [hs_launchers="mpiexec mpirun"])
  AS_IF([test $hs_have_mpi = yes], [AC_PATH_PROGS([MPIEXEC], [$hs_launchers], [], [`AS_DIRNAME(["$MPICC"])`$PATH_SEPARATOR$PATH])
    AC_DEFINE([HAVE_MPI], [1], [Define to 1 when the runtime is built.])])
  AC_DEFINE_UNQUOTED([HS_MPI_FLAVOUR], ["$hs_mpi_flavour"], [openmpi, mpich, mpiabi, unknown or none: the MPI library of hs.])
  AC_SUBST([HS_MPI_FLAVOUR], [$hs_mpi_flavour])
  HS_FLAVOUR_PCS=; for hs_flavour in $hs_mpi_flavours; do HS_FLAVOUR_PCS="$HS_FLAVOUR_PCS heteroslice-$hs_flavour.pc"; done
  AC_SUBST([HS_FLAVOUR_PCS])
  AC_SUBST([MPICC])
  AC_SUBST([MPI_CFLAGS])
  AC_SUBST([MPI_LIBS])
  AM_CONDITIONAL([HAVE_MPI], [test $hs_have_mpi = yes])
  m4_foreach([hs_other], [[OPENMPI], [MPICH], [MPIABI]], [
    AC_SUBST(hs_other[_CC])
    AC_SUBST(hs_other[_CFLAGS])
    AC_SUBST(hs_other[_LIBS])
    AM_CONDITIONAL([OTHER_]hs_other, [test -n "$]hs_other[_CC"])])
])

# HS_MPI_TRY(WRAPPER): sets hs_works, hs_flavour, hs_cflags, hs_libs.
AC_DEFUN([HS_MPI_TRY], [
  AC_MSG_CHECKING([for the flags of $1])
  AS_IF([hs_cflags=`$1 --showme:compile 2>/dev/null`],
      [hs_libs=`$1 --showme:link`],
    [hs_line=`$1 -compile-info 2>/dev/null`],
      [hs_cflags=`echo "$hs_line" | $SED 's/^@<:@^ @:>@* *//'`
       hs_libs=`$1 -link-info | $SED 's/^@<:@^ @:>@* *//'`],
    [AC_MSG_ERROR([$1 answers neither --showme:compile nor -compile-info (--without-mpi builds the planners alone)])])
  AC_MSG_RESULT([$hs_cflags $hs_libs])
  hs_saved_CPPFLAGS=$CPPFLAGS hs_saved_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $hs_cflags" LIBS="$hs_libs $LIBS" hs_works=no
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[return PMPI_Init(0, 0);]])], [hs_works=yes],
    [LIBS="-lpmpi_abi $LIBS" # where MPICH 5 has the second names of the ABI's functions
     AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[return PMPI_Init(0, 0);]])], [hs_works=yes hs_libs="$hs_libs -lpmpi_abi"])])
  AS_CASE([" $hs_libs "], [*" -lmpi_abi "*], [hs_flavour=mpiabi],
    [HS_MPI_DEFINES([OPEN_MPI], [hs_flavour=openmpi], [HS_MPI_DEFINES([MPICH_VERSION], [hs_flavour=mpich], [hs_flavour=unknown])])])
  # gcc takes MPI_UNWEIGHTED and MPICH's MPI_STATUSES_IGNORE, addresses of nothing, for arrays that are too short.
  CPPFLAGS="$hs_saved_CPPFLAGS -Werror -Wno-stringop-overflow -Wno-stringop-overread"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [hs_cflags="$hs_cflags -Wno-stringop-overflow -Wno-stringop-overread"])
  CPPFLAGS=$hs_saved_CPPFLAGS LIBS=$hs_saved_LIBS
])

# HS_MPI_DEFINES(MACRO, IF-MPI.H-DEFINES-IT, IF-NOT)
AC_DEFUN([HS_MPI_DEFINES], [
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#ifndef $1
#error
#endif]])], [$2], [$3])])
