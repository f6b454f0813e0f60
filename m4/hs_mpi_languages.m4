# SPDX-License-Identifier: BSD-3-Clause

# HS_MPI_LANGUAGES: the Fortran and C++ wrappers that belong to MPICC, for the Fortran module and for tests: the library
# wraps Fortran's MPI without a Fortran compiler. Sets MPIFC, MPICXX, HS_FCFLAGS, HS_MODULE_FCFLAGS (of the module),
# HS_OPENMP_FCFLAGS (for threads, where there are any) and the conditionals HAVE_MPIFC, HAVE_MPI_F08, HAVE_MPICXX.
AC_DEFUN([HS_MPI_LANGUAGES], [
  AC_ARG_VAR([MPIFC], [MPI compiler for the Fortran module and Fortran test programs])
  AC_ARG_VAR([MPICXX], [MPI compiler for C++ test programs])
  hs_have_f08=no
  AS_IF([test $hs_have_mpi = yes], [
    hs_folder=`AS_DIRNAME(["$MPICC"])` # another folder of PATH may have another MPI library's
    AC_PATH_PROGS([MPIFC], [`AS_ECHO(["$MPICC"]) | $SED 's/.*mpicc/mpifort/'`], [], [$hs_folder])
    AC_PATH_PROGS([MPICXX], [`AS_ECHO(["$MPICC"]) | $SED 's/.*mpicc/mpicxx/'`], [], [$hs_folder])])
  AS_IF([test -n "$MPIFC"], [
    # Programs with mpif.h pass all types to one name, which gfortran takes for a mistake.
    HS_MPI_TRY_FORTRAN([include 'mpif.h'], [-fallow-argument-mismatch],
      [HS_FCFLAGS=-fallow-argument-mismatch],
      [HS_MPI_TRY_FORTRAN([include 'mpif.h'], [], [], [MPIFC=])])])
  AS_IF([test -n "$MPIFC"], [HS_MPI_TRY_FORTRAN([use mpi_f08], [], [hs_have_f08=yes], [])
    HS_MPI_TRY_FORTRAN([use omp_lib], [-fopenmp], [HS_OPENMP_FCFLAGS=-fopenmp], [])])
  AS_IF([test $hs_have_f08 = yes], [HS_MODULE_FCFLAGS=-DHS_MPI_F08])
  AC_SUBST([HS_FCFLAGS])
  AC_SUBST([HS_MODULE_FCFLAGS])
  AC_SUBST([HS_OPENMP_FCFLAGS])
  AM_CONDITIONAL([HAVE_MPIFC], [test -n "$MPIFC"])
  AM_CONDITIONAL([HAVE_MPI_F08], [test $hs_have_f08 = yes])
  AM_CONDITIONAL([HAVE_MPICXX], [test -n "$MPICXX"])
])

# HS_MPI_TRY_FORTRAN(LINE, FLAGS, IF-IT-LINKS, IF-NOT)
AC_DEFUN([HS_MPI_TRY_FORTRAN], [
  AC_MSG_CHECKING([whether $MPIFC[]m4_ifval([$2], [ $2]) takes $1])
  AS_MKDIR_P([conftest.dir])
  printf '%s\n' "      program conftest" "      $1" "      integer e" "      call MPI_Init(e)" "      end" >conftest.dir/try.f
  AS_IF([(cd conftest.dir && $MPIFC $2 -o try try.f) >&AS_MESSAGE_LOG_FD 2>&1],
    [AC_MSG_RESULT([yes])
     $3],
    [AC_MSG_RESULT([no])
     $4])
  rm -rf conftest.dir
])
