/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_ENVIRONMENT_H
#define HS_RUNTIME_BASE_ENVIRONMENT_H

#include "util/options.h"

/** The process's HS_ variables, read when they are first asked for. Any thread; lives forever. */
const hs__options *hs__environment(void);

/** Print a line on stderr if HS_LOG asks for that level: what the process says outside of any context. Any thread. */
void hs__environment_log(hs__log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Tell on stderr what is wrong with them, a line each, the first time this is called in the process. */
void hs__environment_complain(void);

#endif
