/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

long calls_made;
unsigned long calls_sum;
int calls_rank, calls_size;

void calls_mix(long value)
{
    calls_sum = (calls_sum ^ (unsigned long)value) * 1099511628211ul + 1;
}

int calls_note(const char *what, int code)
{
    int kind;
    MPI_Error_class(code, &kind);
    for (; *what; what++)
        calls_mix(*what);
    calls_mix(kind);
    return code;
}

void calls_mix_all(const int *value, int n)
{
    for (int i = 0; i < n; i++)
        calls_mix(value[i]);
}

void calls_mix_status(const MPI_Status *status)
{
    int count;
    MPI_Get_count(status, MPI_INT, &count);
    calls_mix(status->MPI_SOURCE);
    calls_mix(status->MPI_TAG);
    calls_mix(count);
}

void calls_section(const char *name)
{
    printf("rank %d of %d: %s: %016lx\n", calls_rank, calls_size, name, calls_sum);
    calls_sum = 0;
}
