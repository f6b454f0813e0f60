/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts of a Slurm job, with their cores, memory and limits on ranks, from the variables that Slurm sets. */
#include "config.h"

#include "launch/host_list.h"
#include "util/array.h"
#include "util/status.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_COMPONENTS = 1024, NAME_ROOM = 96 };
static const double mebibyte = 1024 * 1024;

/* One component of a heterogeneous job. Any other job is a single component, whose variables have no suffix. */
typedef struct component {
    hs__variable *variable;
    char suffix[32];                                  /* "_HET_GROUP_0" */
    int64_t threads, memory_per_cpu, memory_per_node; /* 0: not set */
    int64_t *tasks, *cpus;                            /* of each node; NULL: not set */
} component;

/* Writes a variable's name in this component to `name`. @return its value; NULL when it is not set */
static const char *look_up(const component *c, const char *variable, char *name)
{
    snprintf(name, NAME_ROOM, "%s%s", variable, c->suffix);
    return c->variable(name);
}

static hs_status read_one(const component *c, const char *variable, int64_t at_least, int64_t *number, hs_error *error)
{
    char name[NAME_ROOM];
    const char *text = look_up(c, variable, name);
    if (text && hs__read_number(text, strlen(text), at_least, INT64_MAX, number) != 0)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%s: expected a whole number of at least %d, not '%.100s'", name,
                            (int)at_least, text);
    return HS_OK;
}

/* Reads "4" (once) or "4(x2)" (twice). @return the end of what was read; NULL on a syntax error */
static const char *read_group(const char *text, int64_t *number, int64_t *times)
{
    size_t length = strcspn(text, ",(");
    *times = 1;
    if (hs__read_number(text, length, 1, HS__MAX_SLOTS, number) != 0)
        return NULL;
    text += length;
    if (strncmp(text, "(x", 2) != 0)
        return *text == '(' ? NULL : text;
    length = strcspn(text += 2, ")");
    if (text[length] != ')' || hs__read_number(text, length, 1, HS__MAX_HOSTS, times) != 0)
        return NULL;
    text += length + 1;
    return *text && *text != ',' ? NULL : text;
}

/* Reads the numbers of n nodes, as in "4(x2),3".
 * @return how many the text has, n + 1 for any more than n; 0 on a syntax error */
static size_t read_groups(const char *text, size_t n, int64_t *number)
{
    size_t count = 0;
    for (int64_t value, times; text; text += *text == ',') {
        if (!(text = read_group(text, &value, &times)))
            return 0;
        for (int64_t k = 0; k < times && count <= n; k++, count++)
            if (count < n)
                number[count] = value;
        if (!*text)
            return count;
    }
    return 0;
}

static hs_status read_list(const component *c, const char *variable, size_t n, int64_t **numbers, hs_error *error)
{
    char name[NAME_ROOM];
    const char *text = look_up(c, variable, name);
    if (!text)
        return HS_OK;
    if (!(*numbers = hs__array_new(n, sizeof **numbers)))
        return hs__error_status(error, HS_ERR_NOMEM);
    size_t count = read_groups(text, n, *numbers);
    if (count == 0)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%s: expected numbers as in 4(x2),3, not '%.100s'", name, text);
    if (count != n)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%s: '%.100s' has %s numbers than the %zu hosts", name, text,
                            count < n ? "fewer" : "more", n);
    return HS_OK;
}

/* Reads host names as in "n[1-3,07],gpu2". Only commas outside brackets separate them. */
static hs_status read_nodes(const component *c, hs__hosts *hosts, hs_error *error)
{
    char name[NAME_ROOM], where[NAME_ROOM + 2];
    const char *text = look_up(c, "SLURM_JOB_NODELIST", name);
    if (!text)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%s is not set in this Slurm job", name);
    hs_status status = hs__hosts_check_text(name, text, "[],", error);
    char *copy = hs__text_copy(text), *item = copy;
    if (status == HS_OK && !copy)
        status = hs__error_status(error, HS_ERR_NOMEM);
    snprintf(where, sizeof where, "%s: ", name);
    int inside = 0;
    for (char *at = copy, end = 1; status == HS_OK && end; at++) {
        end = *at;
        inside += (end == '[') - (end == ']');
        if (end && (end != ',' || inside))
            continue;
        *at = '\0';
        status = hs__hosts_expand(where, item, hosts, error);
        item = at + 1;
    }
    free(copy);
    return status;
}

static hs_status read_numbers(component *c, size_t n, hs_error *error)
{
    hs_status status = read_one(c, "SLURM_CPUS_PER_TASK", 1, &c->threads, error);
    if (status == HS_OK)
        status = read_one(c, "SLURM_MEM_PER_CPU", 0, &c->memory_per_cpu, error);
    if (status == HS_OK)
        status = read_one(c, "SLURM_MEM_PER_NODE", 0, &c->memory_per_node, error);
    if (status == HS_OK)
        status = read_list(c, "SLURM_TASKS_PER_NODE", n, &c->tasks, error);
    if (status == HS_OK)
        status = read_list(c, "SLURM_JOB_CPUS_PER_NODE", n, &c->cpus, error);
    if (status == HS_OK && !c->tasks && !c->cpus)
        status =
            hs_error_set(error, HS_ERR_PARSE, 0, "neither SLURM_TASKS_PER_NODE%s nor SLURM_JOB_CPUS_PER_NODE%s is set",
                         c->suffix, c->suffix);
    return status;
}

/* Adds a component's node i. Unless SLURM_OVERCOMMIT is set, it takes no more ranks than it has tasks. Components may
 * share a node: their cores, limits and memory add up. */
static hs_status add_host(const component *c, const char *name, size_t i, int number, hs__hosts *hosts, hs_error *error)
{
    int64_t threads = c->threads > 0 ? c->threads : 1;
    int64_t tasks = c->tasks ? c->tasks[i] : c->cpus[i] / threads;
    int64_t cpus = c->cpus ? c->cpus[i] : tasks * threads;
    hs__host *host = hs__hosts_add(hosts, name, cpus);
    if (!host)
        return hs__error_status(error, HS_ERR_NOMEM);
    int64_t earlier = host->cores > 0 ? host->max_ranks : 0; /* limit of earlier components on this node */
    host->cores += cpus;
    host->threads = threads;
    host->component = number;
    if (!c->variable("SLURM_OVERCOMMIT"))
        host->max_ranks = earlier + (tasks > 0 ? tasks : 1);
    host->memory +=
        mebibyte * (c->memory_per_node > 0 ? (double)c->memory_per_node : (double)c->memory_per_cpu * (double)cpus);
    return HS_OK;
}

static hs_status read_component(component *c, int number, hs__hosts *hosts, hs_error *error)
{
    hs__hosts nodes = {0};
    hs_status status = read_nodes(c, &nodes, error);
    if (status == HS_OK)
        status = read_numbers(c, nodes.count, error);
    for (size_t i = 0; i < nodes.count && status == HS_OK; i++)
        status = add_host(c, nodes.item[i].name, i, number, hosts, error);
    free(c->tasks);
    free(c->cpus);
    hs__hosts_free(&nodes);
    return status;
}

hs_status hs__hosts_slurm(hs__variable *variable, hs__hosts *hosts, hs_error *error)
{
    component whole = {.variable = variable};
    int64_t components = 0;
    hs_status status = read_one(&whole, "SLURM_HET_SIZE", 1, &components, error);
    if (status != HS_OK || components == 0)
        return status != HS_OK ? status : read_component(&whole, 0, hosts, error);
    if (components > MAX_COMPONENTS)
        return hs_error_set(error, HS_ERR_PARSE, 0, "SLURM_HET_SIZE: over %d components", MAX_COMPONENTS);
    hosts->components = (int)components;
    for (int k = 0; k < (int)components && status == HS_OK; k++) {
        component part = {.variable = variable};
        snprintf(part.suffix, sizeof part.suffix, "_HET_GROUP_%d", k);
        status = read_component(&part, k, hosts, error);
    }
    return status;
}

/* Launchers call the agent as they would call ssh. It skips the options, which MPICH passes before the host. --overlap:
 * the agent's step may use cores of steps that run already. */
void hs__slurm_write_agent(const hs__hosts *hosts, FILE *file)
{
    fputs("#!/bin/sh\n"
          "while case $1 in -*) ;; *) false ;; esac; do shift; done\n"
          "host=$1\n"
          "shift\n"
          "case $host in\n",
          file);
    for (size_t i = 0; i < hosts->count; i++)
        fprintf(file, "%s) component=%d ;;\n", hosts->item[i].name, hosts->item[i].component);
    fputs("*) echo \"$host is not a host of this Slurm job\" >&2; exit 1 ;;\n"
          "esac\n"
          "exec srun --het-group=$component -w \"$host\" -N1 -n1 --overlap --cpu-bind=none --mpi=none --mem=0 /bin/sh "
          "-c \"$*\"\n",
          file);
}
