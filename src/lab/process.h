/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAB_PROCESS_H
#define HS_LAB_PROCESS_H

#include <heteroslice/hs_status.h>
#include <stdio.h>
#include <sys/types.h>

/** Commands for one `ip -batch` or `tc -batch`. Starts as {0}. */
typedef struct lab_script {
    FILE *stream; /* to write to; NULL once closed */
    char *text;   /* owned */
    size_t size;
} lab_script;

/** 0, or -1 without memory. */
int lab_script_open(lab_script *script);
int lab_script_close(lab_script *script);
void lab_script_free(lab_script *script);

typedef enum lab_on_error { LAB_STOP, LAB_GO_ON } lab_on_error;

/** Run `tool -batch` on the script; what the tool says goes to complaints.
 * @return the tool's exit status, -1 when it cannot be started (told to complaints as well) */
int lab_script_run(const lab_script *script, const char *tool, lab_on_error on_error, FILE *complaints);

/** Wait for a child (-1: any). @return its exit status, 128 + signal when one ended it, -1 when there is none */
int lab_wait_child(pid_t child);

/** Wait for a child, passing signals that ask us to end on to target, a process or, negative, a process group.
 * @return as lab_wait_child() */
int lab_supervise(pid_t child, pid_t target);

/** Make the first line of complaints the error's text. */
void lab_first_complaint(FILE *complaints, hs_status status, hs_error *error);

/** Enter a named network namespace. @return 0, or -1 with errno */
int lab_enter_netns(const char *space);

/** Whether a process's environment holds this "variable=value". */
int lab_process_marked(pid_t process, const char *mark);

#endif
