/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAB_PROCESS_H
#define HS_LAB_PROCESS_H

#include <heteroslice/hs_status.h>
#include <stdio.h>
#include <sys/types.h>

/** Commands for one `ip -batch` or `tc -batch`. Initialise to {0}. */
typedef struct lab_script {
    FILE *stream; /* for writing; NULL once closed */
    char *text;   /* owned */
    size_t size;
} lab_script;

/** 0, or -1 without memory. */
int lab_script_open(lab_script *script);
int lab_script_close(lab_script *script);
void lab_script_free(lab_script *script);

/** A file for what a tool reads or says, in memory: /tmp may be full, or belong to a container that lets nobody write.
 * @return NULL with errno */
FILE *lab_scratch_file(void);

typedef enum lab_on_error { LAB_STOP, LAB_GO_ON } lab_on_error;

/** Run `tool -batch` on the script; both its output streams go to `output`.
 * @return the tool's exit status; -1 when it cannot be started, with the reason in `output` */
int lab_script_run(const lab_script *script, const char *tool, lab_on_error on_error, FILE *output);

/** Write text to a file that is there, such as a setting of the kernel. @return 0, or -1 with errno */
int lab_write(const char *path, const char *text);

/** Wait for a child (-1: any). @return its exit status; 128 + signal when a signal ended it; -1 without a child */
int lab_wait_child(pid_t child);

/** Wait for a child. Meanwhile pass signals that end a command, SIGUSR1 and SIGUSR2 on to target: a process, or a process group
 * when negative. Afterwards they do nothing.
 * @return as lab_wait_child() */
int lab_supervise(pid_t child, pid_t target);

/** Set the error's text to the first line of a tool's output. */
void lab_error_from_output(FILE *output, hs_status status, hs_error *error);

/** Enter a named network namespace. @return 0, or -1 with errno */
int lab_enter_netns(const char *netns);

/** The same for a child that ends by _exit(), which flushes nothing: why it cannot is in output at once. */
int lab_enter_or_tell(const char *netns, FILE *output);

/** What tells a process from a later one with the same number. */
typedef struct lab_identity {
    pid_t group;
    unsigned long long start; /* clock ticks after the start of the system */
} lab_identity;

/** @return 0; -1 when there is no such process */
int lab_process_identify(pid_t process, lab_identity *identity);

/** Whether a process has `mark`, a "variable=value", in its environment. */
int lab_process_marked(pid_t process, const char *mark);

#endif
