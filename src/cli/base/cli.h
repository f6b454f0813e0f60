/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_CLI_H
#define HS_CLI_BASE_CLI_H

#include "util/suggest.h"
#include "util/words.h"
#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_status.h>
#include <heteroslice/hs_units.h>
#include <jansson.h>
#include <stdio.h>

/* Exit statuses of every verb: the contract of hs(1). USAGE: the words of the command line do not go together, whatever their
 * values; the usage line follows. BAD_INPUT: a value, a file or a machine that cannot be used; one line says so. DONE: only help
 * was asked for, and is printed; hs itself then ends as with OK. */
enum { CLI_DONE = -1, CLI_OK = 0, CLI_BAD_INPUT = 1, CLI_USAGE = 2 };

/** A verb: its own file, its own main. argv[0] is the verb. */
typedef struct cli_verb {
    const char *name, *summary, *usage;
    int (*run)(const struct cli_verb *verb, int argc, char **argv);
} cli_verb;

/** The dispatch table, ended by a NULL name. */
extern const cli_verb cli_verbs[];

/** An option of a verb. Exactly one of the targets is used, by kind. */
typedef enum cli_kind {
    CLI_FLAG,     /* int: set to 1 */
    CLI_TEXT,     /* const char * */
    CLI_OUTPUT,   /* const char *: a file to write, which no other argument may name */
    CLI_INTEGER,  /* int64_t, `at_least` and `at_most` checked */
    CLI_QUANTITY, /* double in base units of `unit`, bare numbers allowed */
    CLI_CHOICE,   /* int: index into `choices` */
    CLI_TEXT_PAIR /* const char *[2]: the next two arguments */
} cli_kind;

typedef struct cli_option {
    const char *name; /* with the dashes */
    cli_kind kind;
    void *target;
    hs_unit unit;               /* CLI_QUANTITY */
    int64_t at_least;           /* CLI_INTEGER */
    const char *const *choices; /* CLI_CHOICE, NULL-terminated */
    int *given;                 /* set to 1 when the option is given; may be NULL */
    const char *excludes;       /* the option that may not be given, too; may be NULL */
    int64_t at_most;            /* CLI_INTEGER; 0: what fits */
} cli_option;

/** Parse argv into options and positionals. "--name value" and "--name=value" both work; an option given twice is an
 * error; "--" ends the options, or with rest all that is the verb's; "-h" prints the usage on stdout, "--help" the manual
 * page, and both are DONE. "-" is standard input, or output for a CLI_OUTPUT, and may be read only once.
 *
 * @param[in]  options      at most 64, ended by a NULL name
 * @param[out] positionals  array of length max_positionals; NULL where none is left
 * @param[out] rest         index in argv after "--", argc when there is none; NULL: positionals follow "--"
 * @return CLI_OK; what else the verb returns at once: CLI_DONE; CLI_USAGE or CLI_BAD_INPUT with the reason on stderr */
int cli_parse(const cli_verb *verb, int argc, char **argv, const cli_option *options, const char **positionals,
              int max_positionals, int *rest);

/** Print "hs VERB: FILE:LINE: text" on stderr, without FILE or LINE when unknown, and return CLI_BAD_INPUT. */
int cli_fail(const cli_verb *verb, const char *file, const hs_error *error);

/** Print "hs VERB: text" on stderr, then the usage line, and return CLI_USAGE. */
int cli_usage(const cli_verb *verb, const char *format, ...) HS_PRINTF(2, 3);

/** Refuse a subcommand: with the known one that it probably means, else with all of them.
 * @param[in] s         the word, and the known ones considered
 * @param[in] expected  "list, show or clear"
 * @return CLI_USAGE */
int cli_unknown_subcommand(const cli_verb *verb, const hs__suggestion *s, const char *expected);

/** Print "hs VERB: text" on stderr and return CLI_BAD_INPUT: a value that cannot be used. */
int cli_bad_value(const cli_verb *verb, const char *format, ...) HS_PRINTF(2, 3);

/** Open a text for reading, behind its byte order mark; "-" is standard input. cli_close() ends it.
 * @return NULL with the reason in error */
FILE *cli_open(const char *path, hs_error *error);
void cli_close(FILE *stream);

/** Where a log of decisions is: the first rank of a ring writes it, rank R of MPI_COMM_WORLD into FILE.R where it is not rank 0.
 * @return file, or where there is none the first of FILE.1, FILE.2 ... that is there, written to other */
const char *cli_find_log(const char *file, char *other, size_t size);

/** Read a platform file; "-" is standard input. As hs_platform_read(). */
hs_status cli_read_platform(const char *path, hs_platform **platform, hs_error *error);

/** Read a JSON file without duplicate keys; "-" is standard input. @return NULL with the reason and its line in error */
json_t *cli_read_json(const char *path, hs_error *error);

/** Print one JSON object and a newline on stdout, keys in the order they were added, and release it.
 * @param[in] object  NULL: it could not be made, of a path that is not UTF-8
 * @return CLI_OK; CLI_BAD_INPUT when there is none, or standard output cannot be written */
int cli_print_json(const cli_verb *verb, json_t *object);

/** Path of this program. @return 0; -1 with errno */
int cli_find_self(char *path, size_t size);

/** Find a library of ours: at `built` in the build tree of this program, else by its name where it was installed.
 * @return whether it exists */
int cli_find_library(const char *built, char *path, size_t size);

/** Whether both paths lead to one file that is there. Devices are none: they may be read and written. */
int cli_are_one_file(const char *a, const char *b);

/** Whether a file is "-", standard input or standard output. A drawing there replaces the table. */
int cli_is_standard(const char *path);

/** Whether an input is read only once: standard input, or a pipe such as the <(...) of a shell. */
int cli_is_stream(const char *path);

/** Refuse to write both a drawing and JSON to standard output.
 * @return CLI_OK, or CLI_USAGE with one line on stderr naming the option */
int cli_check_drawing(const cli_verb *verb, const char *option, const char *path, int json);

/** Split a list at its commas: an item has none.
 * @param[in,out] items  {0}; on CLI_OK ended by hs__words_free()
 * @return CLI_OK, or CLI_BAD_INPUT with one line on stderr: memory is out */
int cli_split_list(const cli_verb *verb, const char *list, hs__words *items);

/** Read a comma-separated list of quantities. On CLI_OK *values is a new array the caller frees.
 * @return CLI_OK, or CLI_BAD_INPUT with one line on stderr naming the option and the value's position */
int cli_quantity_list(const cli_verb *verb, const char *option, const char *text, hs_unit unit, double **values,
                      size_t *count);

#endif
