/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

/* Of a file's status only the count is defined. */
static void mix_count(const MPI_Status *status)
{
    int count;
    MPI_Get_count(status, MPI_INT, &count);
    calls_mix(count);
}

/* The file's name comes in the environment, since MPI_Init may change argv. */
void calls_files(void)
{
    const char *path = getenv("CALLS_FILE");
    MPI_File file;
    MPI_Status status;
    MPI_Offset size, place;
    MPI_Request request;
    int out[2] = {calls_rank, 7}, in[2] = {0}, mode;
    MPI_Offset here = calls_rank * (MPI_Offset)sizeof out;
    CALL(MPI_File_open, MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    CALL(MPI_File_set_view, file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    CALL(MPI_File_write_at_all, file, here, out, 2, MPI_INT, &status);
    mix_count(&status);
    CALL(MPI_File_sync, file);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    here = (calls_rank + 1) % calls_size * (MPI_Offset)sizeof out;
    CALL(MPI_File_read_at, file, here, in, 2, MPI_INT, MPI_STATUS_IGNORE);
    calls_mix_all(in, 2);
    CALL(MPI_File_iread_at, file, here, in, 1, MPI_INT, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_File_seek, file, here, MPI_SEEK_SET);
    CALL(MPI_File_read_all, file, in, 1, MPI_INT, &status);
    mix_count(&status);
    CALL(MPI_File_get_position, file, &place);
    CALL(MPI_File_get_size, file, &size);
    CALL(MPI_File_get_amode, file, &mode);
    MIX(in[0], (int)place, (int)size, mode);
    CALL(MPI_File_close, &file);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    if (calls_rank == 0)
        CALL(MPI_File_delete, path, MPI_INFO_NULL);
    CALL(MPI_File_open, MPI_COMM_WORLD, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    calls_section("files");
}
