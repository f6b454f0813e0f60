/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_EXPECTED_H
#define HS_INTERPOSE_EXPECTED_H

/* What the generated wrappers ask first: whether the call is the one expected (see runtime/watch/repeat.h). By what it tells,
 * as in traffic_hooks.h, a call is a send, a collective call, an exchange, just a call, or never expected. */

#include "runtime/watch/repeat.h"
#include "runtime/watch/traffic.h"

enum { HS__NO_TYPE = 0 }; /* no library has such a handle */

HS__ALWAYS_INLINE int hs__expects_send(int call, int to, MPI_Comm comm, int count, MPI_Datatype type)
{
    return hs__repeat_comes(call + 1, to, count, (uintptr_t)comm, (uintptr_t)type);
}

HS__ALWAYS_INLINE int hs__expects_collective(int call, MPI_Comm comm, int count, MPI_Datatype type)
{
    return hs__repeat_comes(call + 1, HS__TO_ALL, count, (uintptr_t)comm, (uintptr_t)type);
}

#define hs__expects_exchange(call, comm, ...) \
    hs__repeat_comes((call) + 1, HS__TO_ALL, 0, (uintptr_t)(comm), HS__NO_TYPE)
#define hs__expects_call(call) hs__repeat_comes_again((call) + 1)
#define hs__expects_never(call) 0

/** Whether the call that stands in this function is to be recorded. */
HS__ALWAYS_INLINE int hs__records(void)
{
    hs__monitor *m = &hs__monitor_self;
    return __builtin_expect(m->recording, 0) && hs__monitor_frame() >= m->inside;
}

void hs__record_send(int call, int to, MPI_Comm comm, int count, MPI_Datatype type);
void hs__record_collective(int call, MPI_Comm comm, int count, MPI_Datatype type);
void hs__record_exchange(int call, MPI_Comm comm, ...);
void hs__record_call(int call);
#define hs__record_never(call) (void)0

/* Where the call stands when it is not the expected one: aside, as in hooks.h, unless it never is. */
#define HS__send_SEEN HS__ASIDE
#define HS__collective_SEEN HS__ASIDE
#define HS__exchange_SEEN HS__ASIDE
#define HS__call_SEEN HS__ASIDE
#define HS__never_SEEN HS__ALWAYS_INLINE

#endif
