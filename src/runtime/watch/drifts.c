/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/drifts.h"
#include <pthread.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    hs__drift_note note[HS__MAX_DRIFTS];
    int count;
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

void hs__drifts_note(const hs__drift_note *drift)
{
    pthread_mutex_lock(&self.lock);
    if (self.count < HS__MAX_DRIFTS)
        self.note[self.count++] = *drift;
    pthread_mutex_unlock(&self.lock);
}

int hs__drifts_noted(hs__drift_note *notes)
{
    pthread_mutex_lock(&self.lock);
    int count = self.count;
    memcpy(notes, self.note, (size_t)count * sizeof *notes);
    pthread_mutex_unlock(&self.lock);
    return count;
}
