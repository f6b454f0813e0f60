/* SPDX-License-Identifier: BSD-3-Clause */
/* Included before every file of a build for `make coverage`: what ran before a process leaves by _exit() counts, too. */
#ifndef HS_TESTS_COVERAGE_EXIT_H
#define HS_TESTS_COVERAGE_EXIT_H

extern void __gcov_dump(void);
extern void _exit(int status) __attribute__((noreturn));

static inline __attribute__((noreturn)) void exit_counted(int status)
{
    __gcov_dump();
    _exit(status);
}
#define _exit exit_counted

#endif
