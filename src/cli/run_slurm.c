/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts of a Slurm job, as its environment tells them. */
#include "config.h"

#include "cli/run_hosts.h"
#include "util/array.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SLOTS = 1 << 24 };

/* The next number of "4(x2),3"; *repeats counts the repetitions left. @return 0 at the end or at invalid text */
static int64_t next_task_count(const char **text, int64_t *last, int64_t *repeats)
{
    if (*repeats > 0) {
        --*repeats;
        return *last;
    }
    char *end;
    *last = strtoll(*text, &end, 10);
    if (end == *text || *last < 1 || *last > MAX_SLOTS)
        return 0;
    if (strncmp(end, "(x", 2) == 0) {
        *repeats = strtoll(end + 2, &end, 10) - 1;
        if (*end++ != ')' || *repeats < 0)
            return 0;
    }
    if (*end && *end != ',')
        return 0;
    *text = *end ? end + 1 : end;
    return *last;
}

/* Ends the item at the next comma outside brackets. @return the next item; NULL when there is none */
static char *cut_item(char *text)
{
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '[') - (*text == ']');
        if (*text == ',' && depth == 0) {
            *text = '\0';
            return text + 1;
        }
    }
    return NULL;
}

/* Read a number for each host. @return 0 when the list is invalid or too short */
static int read_numbers(const char *text, size_t hosts, int64_t *number)
{
    int64_t last = 0, repeats = 0;
    for (size_t i = 0; i < hosts; i++)
        if ((number[i] = next_task_count(&text, &last, &repeats)) < 1)
            return 0;
    return 1;
}

hs_status run_hosts_slurm(const char *nodes, const char *tasks, const char *cpus, const char *memory, run_hosts *hosts,
                          hs_error *error)
{
    char *copy = hs__text_copy(nodes), *next = copy;
    hs_status status = copy ? HS_OK : hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
    while (next && status == HS_OK) {
        char *item = next;
        next = cut_item(item);
        status = run_hosts_expand("SLURM_JOB_NODELIST: ", item, hosts, error);
    }
    free(copy);
    size_t n = hosts->count;
    int64_t *slots = hs__array_new(2 * n, sizeof *slots), *cores = slots + n;
    if (status == HS_OK && !slots)
        status = hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
    if (status == HS_OK && !(read_numbers(tasks ? tasks : cpus, n, slots) && (!cpus || read_numbers(cpus, n, cores))))
        status = hs_error_set(error, HS_ERR_PARSE, 0, "Slurm gives fewer numbers of tasks or cpus than hosts");
    for (size_t i = 0; i < n && status == HS_OK; i++) {
        hosts->item[i].slots = slots[i];
        hosts->item[i].cores = cores[i];
        if (memory)
            hosts->item[i].memory = strtod(memory, NULL) * 1024 * 1024;
    }
    free(slots);
    return status;
}
