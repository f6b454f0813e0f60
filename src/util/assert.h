/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_ASSERT_H
#define HS_UTIL_ASSERT_H

#include <heteroslice/hs_status.h>
#include <stdatomic.h>

/* Checks of this library's own work. They are compiled into every build and wait for HS_CHECK=1; without it each costs
 * one test of a flag. All tests run with HS_CHECK=1.
 *
 * An assertion states an invariant that only a defect of this library can break. Wrong arguments, files that cannot be
 * read and memory that runs out are no such defects: they are returned as a status. */

/** 0: HS_CHECK is off; 1: it is on; above 1: not read yet. Owned by assert.c; read it through hs__checking(). */
extern atomic_int hs__checking_flag;

/** Read HS_CHECK from the environment, set the flag and return it. */
int hs__checking_read(void);

/** Whether HS_CHECK=1 asks for checks. Use it to guard a check that is more than an expression:
 * `if (status == HS_OK && hs__checking()) status = hs_ring_check(...);` */
static inline int hs__checking(void)
{
    int flag = atomic_load_explicit(&hs__checking_flag, memory_order_relaxed);
    return flag != 0 && (flag == 1 || hs__checking_read());
}

/** Print "heteroslice: FILE:LINE: assertion failed: TEXT" on stderr and abort(). */
_Noreturn void hs__assert_failed(const char *file, int line, const char *text);

/** Stop the program when an invariant of this library does not hold and HS_CHECK=1 asks for checks. It aborts instead
 * of returning a status, since going on with a broken invariant would lose the user's data. The condition has no side
 * effects and is not evaluated when checks are off. */
#define HS_ASSERT(condition) \
    ((void)(!hs__checking() || (condition) || (hs__assert_failed(__FILE__, __LINE__, #condition), 0)))

/** Stop likewise when an object's check, hs_status check(object, hs_error *), fails; what it found is the text. */
#define HS_ASSERT_SOUND(check, object)                                 \
    do {                                                               \
        if (hs__checking()) {                                          \
            hs_error hs__found = {0};                                  \
            if (check(object, &hs__found) != HS_OK)                    \
                hs__assert_failed(__FILE__, __LINE__, hs__found.text); \
        }                                                              \
    } while (0)

#endif
