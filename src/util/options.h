/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_OPTIONS_H
#define HS_UTIL_OPTIONS_H

#include <heteroslice/hs_status.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* The one table of environment variables. Columns: environment name, field, kind, default, help. Kinds:
 * FLAG 0|1, TEXT, SECONDS (a time above 0 with unit, bare = seconds), FRACTION (above 0, up to 1), and
 * CHOICE_x (an index into hs__choices_x). "" is the default of a text that is not set. */
#define HS_OPTION_LIST(X)                                                                                            \
    X("HS_DISABLE", disable, FLAG, "0", "1 turns the library off")                                                   \
    X("HS_FORWARD", forward, CHOICE_FORWARD, "pmpi",                                                                 \
      "target of wrapped MPI calls: pmpi, or next for other preloaded tools after this one")                         \
    X("HS_PLATFORM", platform, TEXT, "", "platform file to plan from; without it the platform is measured at start") \
    X("HS_CACHE", cache, CHOICE_CACHE, "on",                                                                         \
      "measurements kept for later starts on the same hosts (hs-cache): off; on: used after a short check; run (by " \
      "hs run): "                                                                                                    \
      "HS_PLATFORM is one, to be checked")                                                                           \
    X("HS_LAB_HOST", lab_host, TEXT, "", "name of this rank's emulated host, set by hs lab; default: the host name") \
    X("HS_LAB", lab, TEXT, "", "name of the emulated cluster that this rank is on, set by hs lab")                   \
    X("HS_PROBE_BUDGET", probe_budget, SECONDS, "2s", "longest time to measure hosts and links at start")            \
    X("HS_TIMEOUT", timeout, SECONDS, "60s",                                                                         \
      "longest time that a collective call of this library waits for a missing rank")                                \
    X("HS_BALANCE", balance, CHOICE_BALANCE, "on",                                                                   \
      "off: equal slices; static: planned once; on: follow drifting speeds, with targets of partitioners "           \
      "(HS_PARTITION), too")                                                                                         \
    X("HS_MOVE_MEMORY", move_memory, FRACTION, "1",                                                                  \
      "memory that moving slices may take beyond the larger of old and new, as a fraction of it: 1: both are held "  \
      "and a move that fails leaves the old ones; less: they move in rounds")                                        \
    X("HS_REPORT", report, TEXT, "", "file for the report of a run, as JSON (report.schema.json)")                   \
    X("HS_SITES", sites, FLAG, "0",                                                                                  \
      "1: the report (HS_REPORT) also has the places in the program that call MPI, by their time")                   \
    X("HS_METRICS", metrics, TEXT, "",                                                                               \
      "file for what the program does while it runs, as OpenMetrics (see hs-metrics); %h: the host")                 \
    X("HS_TRACE", trace, TEXT, "", "folder for the timeline of a run, in Perfetto's format (see hs-trace)")          \
    X("HS_COLLECTIVES", collectives, CHOICE_COLLECTIVES, "on",                                                       \
      "reductions and broadcasts scheduled for the hosts of HS_PLATFORM: off; on: where faster; deterministic: "     \
      "always")                                                                                                      \
    X("HS_WAIT", wait, CHOICE_WAIT, "auto",                                                                          \
      "how blocking MPI calls wait: poll, like the MPI library; yield; sleep, for growing times; auto: sleep "       \
      "(MPICH: yield) where ranks share cores, sleep where they have nothing to compute")                            \
    X("HS_REORDER", reorder, CHOICE_REORDER, "off",                                                                  \
      "reorder ranks for better links: off; topology: in MPI_Cart_create and similar calls with reorder; "           \
      "world: in MPI_COMM_WORLD too")                                                                                \
    X("HS_TRAFFIC", traffic, TEXT, "",                                                                               \
      "report (HS_REPORT) of an earlier run, whose messages HS_REORDER=world uses; default: messages "               \
      "between neighbours in rank")                                                                                  \
    X("HS_PARTITION", partition, CHOICE_PARTITION, "off",                                                            \
      "targets of partitioners that a preloaded program calls: off: as it asks; on (by hs run): by host speed "      \
      "where it asks for equal parts; scale: unequal wishes times speed, too")                                       \
    X("HS_BIND", bind, CHOICE_BIND, "off",                                                                           \
      "on: bind the ranks of a node to cores while they run, the heaviest to the best cores")                        \
    X("HS_RANKS", ranks, TEXT, "",                                                                                   \
      "number of ranks with the library preloaded, set by hs run and hs lab run; set it when preloading by "         \
      "hand on several hosts where no PMIx tells")                                                                   \
    X("HS_RUN_HOSTS", run_hosts, TEXT, "",                                                                           \
      "options --hostfile and --platform of hs run, set by it: for the command that the report advises")             \
    X("HS_LOG_DECISIONS", log_decisions, TEXT, "",                                                                   \
      "file for what each phase saw and decided, as JSON lines (decisions.schema.json), for hs replay")              \
    X("HS_CHECK", check, FLAG, "0", "1: the library checks its results and what it moves, and stops at a wrong one") \
    X("HS_LOG", log, CHOICE_LOG, "warn", "messages on stderr: error, warn, info, debug")

#define HS__CHOICES_FORWARD "pmpi", "next"
#define HS__CHOICES_CACHE "off", "on", "run"
#define HS__CHOICES_BALANCE "off", "static", "on"
#define HS__CHOICES_COLLECTIVES "off", "on", "deterministic"
#define HS__CHOICES_WAIT "auto", "poll", "yield", "sleep"
#define HS__CHOICES_REORDER "off", "topology", "world"
#define HS__CHOICES_PARTITION "off", "on", "scale"
#define HS__CHOICES_BIND "off", "on"
#define HS__CHOICES_LOG "error", "warn", "info", "debug"

typedef enum hs__forward { HS__FORWARD_PMPI, HS__FORWARD_NEXT } hs__forward;
typedef enum hs__cache_use { HS__CACHE_OFF, HS__CACHE_ON, HS__CACHE_RUN } hs__cache_use;
typedef enum hs__collectives_mode {
    HS__COLLECTIVES_OFF,
    HS__COLLECTIVES_ON,
    HS__COLLECTIVES_DETERMINISTIC
} hs__collectives_mode;
typedef enum hs__wait { HS__WAIT_AUTO, HS__WAIT_POLL, HS__WAIT_YIELD, HS__WAIT_SLEEP } hs__wait;
typedef enum hs__reorder_mode { HS__REORDER_OFF, HS__REORDER_TOPOLOGY, HS__REORDER_WORLD } hs__reorder_mode;
typedef enum hs__partition_mode { HS__PARTITION_OFF, HS__PARTITION_ON, HS__PARTITION_SCALE } hs__partition_mode;
typedef enum hs__log_level { HS__LOG_ERROR, HS__LOG_WARN, HS__LOG_INFO, HS__LOG_DEBUG } hs__log_level;

#define HS__FIELD_FLAG(name) int name;
#define HS__FIELD_TEXT(name) char name[PATH_MAX];
#define HS__FIELD_SECONDS(name) double name;
#define HS__FIELD_FRACTION(name) double name;
#define HS__FIELD_CHOICE_FORWARD(name) int name;
#define HS__FIELD_CHOICE_CACHE(name) int name;
#define HS__FIELD_CHOICE_BALANCE(name) int name;
#define HS__FIELD_CHOICE_COLLECTIVES(name) int name;
#define HS__FIELD_CHOICE_WAIT(name) int name;
#define HS__FIELD_CHOICE_REORDER(name) int name;
#define HS__FIELD_CHOICE_PARTITION(name) int name;
#define HS__FIELD_CHOICE_BIND(name) int name;
#define HS__FIELD_CHOICE_LOG(name) int name;
#define HS__FIELD(env, name, kind, fallback, help) HS__FIELD_##kind(name)

/** One value per row of the table, parsed. */
typedef struct hs__options {
    HS_OPTION_LIST(HS__FIELD)
} hs__options;

typedef enum hs__option_kind {
    HS__OPTION_TEXT,
    HS__OPTION_SECONDS,
    HS__OPTION_FRACTION,
    HS__OPTION_CHOICE
} hs__option_kind;

/** A row of the table, as `hs env` prints it. */
typedef struct hs__option_row {
    const char *environment;
    hs__option_kind kind;
    const char *const *choices; /* NULL-terminated for choices, else NULL */
    size_t offset;              /* of the field in hs__options */
    const char *fallback, *help;
} hs__option_row;

/** The table, n rows; lives forever. */
const hs__option_row *hs__option_rows(size_t *n);

/** Write what a row accepts ("0|1", "time", "off|static|on", ...) into text; returns text. */
char *hs__option_expected(const hs__option_row *row, char *text, size_t size);

/** Read all variables through lookup (getenv, or a test's own). A value that does not fit keeps its default and is told
 * to complain(context, line), one call a value, unless that is NULL; so is an unknown name that begins with HS_ when environment (a
 * NULL-terminated list "NAME=value", may be NULL) holds one. */
void hs__options_read(hs__options *options, const char *(*lookup)(const char *name), char *const *environment,
                      void (*complain)(void *context, const char *line), void *context);

/** The process's own environment. */
const char *hs__options_environment(const char *name);

#endif
