/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_STATUS_H
#define HETEROSLICE_HS_STATUS_H

/* Names in this library read hs_<object>_<verb>. Objects come in create/free pairs; free(NULL) is fine; accessors lend.
 * Every fallible function returns an hs_status and leaves its outputs untouched on failure. One that is called for an
 * object that is NULL returns HS_ERR_ARG and names it: in its hs_error, or on stderr where the object has the text.
 * Accessors, which return what they are asked for, and functions that return nothing need an object.
 *
 * Every object has an hs_<object>_check() that derives again what must hold of it and returns HS_ERR_INTERNAL when it
 * does not. With HS_CHECK=1 in the environment every function that makes an object checks it before it returns it. */

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HS_API __attribute__((visibility("default")))
#define HS_PRINTF(position, first) __attribute__((format(printf, position, first)))
#else
#define HS_API
#define HS_PRINTF(position, first)
#endif

/* name, value, text. 0 is success, above 0 a normal outcome, below 0 an error. */
#define HS_STATUS_LIST(X)                                             \
    X(HS_OK, 0, "success")                                            \
    X(HS_UNCHANGED, 1, "nothing worth changing")                      \
    X(HS_ERR_ARG, -1, "an argument is out of its range")              \
    X(HS_ERR_NOMEM, -2, "out of memory")                              \
    X(HS_ERR_IO, -3, "a file cannot be read or written")              \
    X(HS_ERR_PARSE, -4, "a file or value is malformed")               \
    X(HS_ERR_UNREACHABLE, -5, "no route leads there")                 \
    X(HS_ERR_INFEASIBLE, -6, "no solution satisfies the constraints") \
    X(HS_ERR_UNSUPPORTED, -7, "not supported by this build or model") \
    X(HS_ERR_STATE, -8, "called out of order")                        \
    X(HS_ERR_MISMATCH, -9, "ranks disagree in a collective call")     \
    X(HS_ERR_TIMEOUT, -10, "a rank did not arrive in time")           \
    X(HS_ERR_MPI, -11, "the MPI library reported an error")           \
    X(HS_ERR_SYSTEM, -12, "the operating system refused")             \
    X(HS_ERR_CONVERGENCE, -13, "an iteration did not converge")       \
    X(HS_ERR_INTERNAL, -14, "a result of this library is wrong, which is a defect of it")

#define HS_STATUS_ENUM(name, value, text) name = (value),
typedef enum hs_status { HS_STATUS_LIST(HS_STATUS_ENUM) } hs_status;
#undef HS_STATUS_ENUM

/** Return the English text of a status; never NULL, "unknown status" for a value not in the list. */
HS_API const char *hs_status_text(hs_status status);

/** What went wrong, in words for a person. Filled by functions that read files or check many values. */
typedef struct hs_error {
    int line;       /* 1-based line in the file that was read; 0 when no line applies */
    char text[256]; /* one line, no newline: what is wrong, the value, what was expected */
} hs_error;

/** Write a formatted text into *error and return status, so that a failing function can `return hs_error_set(...)`.
 * Control bytes become '?'. error may be NULL. */
HS_API hs_status hs_error_set(hs_error *error, hs_status status, int line, const char *format, ...) HS_PRINTF(4, 5);

#ifdef __cplusplus
}
#endif
#endif
