/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_CLI_H
#define HS_CLI_CLI_H

#include <heteroslice/hs_status.h>
#include <heteroslice/hs_units.h>
#include <jansson.h>

/* Exit statuses of every verb: the contract of hs(1). */
enum { CLI_OK = 0, CLI_BAD_INPUT = 1, CLI_USAGE = 2 };

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
    CLI_INTEGER,  /* int64_t, `at_least` checked */
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
} cli_option;

/** Parse argv into options and positionals. "--name value" and "--name=value" both work; an option given twice is an
 * error; "--" ends the options; "--help" prints the usage on stdout and sets *done.
 *
 * @param[in]  options      at most 64, ended by a NULL name
 * @param[out] positionals  array of length max_positionals
 * @param[out] n            number of positionals
 * @param[out] rest         index in argv after "--", argc when there is none; NULL makes "--" an error
 * @return CLI_OK; CLI_USAGE with one line on stderr; *done is 1 when the verb should return at once */
int cli_parse(const cli_verb *verb, int argc, char **argv, const cli_option *options, const char **positionals,
              int max_positionals, int *n, int *rest, int *done);

/** Print "hs VERB: FILE:LINE: text" on stderr, without FILE or LINE when unknown, and return CLI_BAD_INPUT. */
int cli_fail(const cli_verb *verb, const char *file, const hs_error *error);

/** Print "hs VERB: text" on stderr, then the usage line, and return CLI_USAGE. */
int cli_usage(const cli_verb *verb, const char *format, ...) HS_PRINTF(2, 3);

/** Print one JSON object and a newline on stdout, keys in the order they were added, and release it.
 * @return CLI_OK; CLI_BAD_INPUT when standard output cannot be written */
int cli_print_json(const cli_verb *verb, json_t *object);

/** Path of this program. @return 0; -1 with errno */
int cli_find_self(char *path, size_t size);

/** Find a library of ours: at `built` in the build tree of this program, else by its name where it was installed.
 * @return whether it exists */
int cli_find_library(const char *built, char *path, size_t size);

/** Whether an option's file is standard output, "-". A drawing there replaces the table. */
int cli_is_stdout(const char *path);

/** Refuse to write both a drawing and JSON to standard output.
 * @return CLI_OK, or CLI_USAGE with one line on stderr naming the option */
int cli_check_drawing(const cli_verb *verb, const char *option, const char *path, int json);

/** Read a comma-separated list of quantities. On CLI_OK *values is a new array the caller frees.
 * @return CLI_OK, or CLI_BAD_INPUT with one line on stderr naming the option and the value's position */
int cli_quantity_list(const cli_verb *verb, const char *option, const char *text, hs_unit unit, double **values,
                      size_t *count);

#endif
