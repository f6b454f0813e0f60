/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/mpi_flavour.h"
#include "tests/unit.h"

static void libraries_are_known_by_their_names(void **state)
{
    static const struct {
        const char *path;
        hs__mpi_flavour flavour;
    } row[] = {
        {"libmpi.so.40", HS__MPI_OPENMPI},
        {"/usr/lib/x86_64-linux-gnu/libmpi.so.40.30.4", HS__MPI_OPENMPI},
        {"libmpi.so.12", HS__MPI_MPICH},
        {"/opt/lib/libmpich.so.12.6.2", HS__MPI_MPICH},
        {"libmpi_cray.so.12", HS__MPI_MPICH},
        {"libmpi_abi.so.1", HS__MPI_ABI},
        {"/usr/lib/x86_64-linux-gnu/libmpi_abi_mpich.so.1.0.0", HS__MPI_ABI},
        {"libmpi_abi_openmpi.so.1.0.0", HS__MPI_ABI},
        {"libmpi_mpifh.so.40", HS__MPI_NONE},
        {"libmpichfort.so.12", HS__MPI_NONE},
        {"libopen_mpi.so.40", HS__MPI_NONE},
        {"libmpi_abicus.so.1", HS__MPI_NONE},
        {"/libmpi.so.40/libm.so.6", HS__MPI_NONE},
        {"", HS__MPI_NONE},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_int_equal(hs__mpi_of_library(row[i].path), row[i].flavour);
}

static void names_and_flavours_translate(void **state)
{
    static const char *const names[] = {"openmpi", "mpich", "mpiabi"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(hs__mpi_name(hs__mpi_of_name(names[i])), names[i]);
    assert_int_equal(hs__mpi_of_name("none"), HS__MPI_NONE);
    assert_null(hs__mpi_name(HS__MPI_NONE));
    assert_null(hs__mpi_name(HS__MPI_OPENMPI | HS__MPI_MPICH));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries_are_known_by_their_names),
        cmocka_unit_test(names_and_flavours_translate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
