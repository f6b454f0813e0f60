/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_WINDOW_H
#define HS_RUNTIME_PROBE_WINDOW_H

/* How many bytes the chunks of a flow should have, of which a fixed number is under way: so many that some 16 ms of them wait before
 * the narrowest link. That is long enough to keep it busy while either side sleeps or its CPU quota is spent, and short enough
 * to leave little in the queues at the end. No MPI, no clock.
 *
 * The receiver answers each chunk, and answers may have to wait as well, behind what flows the other way. So how long chunks wait
 * is told by their way to the receiver alone. With a window that follows the rate, or the time until the answer, one of two
 * opposite flows starves when the other one has filled its queue first. */

enum { HS__WINDOW = 8, HS__CHUNK_MAX = 1 << 19 }; /* chunks under way; bytes of a chunk */

static const double hs__window_queue = 16e-3; /* seconds that chunks should wait before the narrowest link */

/** A chunk under way. */
typedef struct hs__window_chunk {
    int bytes;
    double sent, credited; /* when; bytes that had been answered by then */
} hs__window_chunk;

typedef struct hs__window {
    int size;         /* bytes of the next chunk */
    int sent, judged; /* chunks; number of the one whose answer changes the size next */
    int under_way;    /* chunks */
    double credited;  /* bytes of chunks that were answered */
    double least_way; /* to the receiver, seconds by its clock from when it was sent by the sender's */
    hs__window_chunk chunk[HS__WINDOW];
} hs__window;

/** Begin. @param expected  bytes/s; 0: unknown */
void hs__window_begin(hs__window *window, double expected);

/** The next chunk is sent now; fewer than HS__WINDOW are under way. @return its bytes */
int hs__window_send(hs__window *window, double now);

/** The number of the oldest chunk under way; they count from 0. */
int hs__window_oldest(const hs__window *window);

/** The oldest chunk under way is answered now.
 * @param arrived  when it arrived, by the receiver's clock, which may differ from the sender's by a constant */
void hs__window_answered(hs__window *window, double arrived, double now);

#endif
