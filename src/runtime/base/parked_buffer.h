/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_PARKED_BUFFER_H
#define HS_RUNTIME_BASE_PARKED_BUFFER_H

/** Free memory; or leave it to MPI when messages to or from it were given up, for MPI may still read or write there.
 * Then it stays allocated until the program ends, where leak checkers see that it is not lost. Any thread may call.
 * @param memory  NULL is fine */
void hs__park_buffer(void *memory, int under_way);

#endif
