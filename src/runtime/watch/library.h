/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_LIBRARY_H
#define HS_RUNTIME_WATCH_LIBRARY_H

/* What the library does itself: its time is not the program's, and neither are exceptions of its arithmetic. A program may trap
 * divisions by zero and the like, as with gfortran's -ffpe-trap; here they are right, and what they give is infinite. Not for
 * calls in which the program computes. */

#include "runtime/watch/monitor.h"
#include <fenv.h>

/** Put aside what the program traps and what it has raised. @param[out] program  for hs__library_leave() */
HS__ALWAYS_INLINE void hs__library_enter(fenv_t *program)
{
    hs__monitor_enter();
    feholdexcept(program);
}

/** In the same function. */
HS__ALWAYS_INLINE void hs__library_leave(const fenv_t *program)
{
    fesetenv(program);
    hs__monitor_leave();
}

#endif
