/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/partition/zoltan_objects.h"
#include "util/array.h"
#include <pthread.h>
#include <stddef.h>

static struct {
    pthread_mutex_t lock;
    hs__zoltan_object *object; /* [count]; those that are free are used again */
    size_t count, capacity;
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* NULL: any free place. With the lock. */
static hs__zoltan_object *find(const void *zoltan)
{
    for (size_t k = 0; k < self.count; k++)
        if (self.object[k].zoltan == zoltan)
            return &self.object[k];
    return NULL;
}

/* Take the lock. @return NULL: not known */
static hs__zoltan_object *acquire(const void *zoltan)
{
    pthread_mutex_lock(&self.lock);
    return zoltan ? find(zoltan) : NULL;
}

static void release(void)
{
    pthread_mutex_unlock(&self.lock);
}

int hs__zoltan_remember(const void *zoltan)
{
    hs__zoltan_object *place = acquire(zoltan); /* of one at the same address, which ended unseen */
    if (!place)
        place = find(NULL);
    if (!place && hs__array_reserve(&self.object, &self.capacity, self.count + 1, sizeof *self.object) == 0)
        place = &self.object[self.count++];
    if (place)
        *place = (hs__zoltan_object){.zoltan = zoltan, .comm = MPI_COMM_NULL};
    release();
    return place != NULL;
}

MPI_Comm hs__zoltan_forget(const void *zoltan)
{
    hs__zoltan_object *known = acquire(zoltan);
    MPI_Comm comm = known ? known->comm : MPI_COMM_NULL;
    if (known)
        *known = (hs__zoltan_object){0};
    release();
    return comm;
}

hs__zoltan_object hs__zoltan_get(const void *zoltan)
{
    const hs__zoltan_object *known = acquire(zoltan);
    hs__zoltan_object copy = known ? *known : (hs__zoltan_object){.comm = MPI_COMM_NULL};
    release();
    return copy;
}

void hs__zoltan_copy(const void *to, const void *from)
{
    hs__zoltan_object copy = hs__zoltan_get(from), *known = acquire(to);
    if (known) {
        copy.own_parts |= !copy.zoltan;
        copy.zoltan = to;
        copy.comm = known->comm;
        *known = copy;
    }
    release();
}

void hs__zoltan_set_comm(const void *zoltan, MPI_Comm comm)
{
    hs__zoltan_object *known = acquire(zoltan);
    if (known)
        known->comm = comm;
    release();
}

void hs__zoltan_leave_to_program(const void *zoltan)
{
    hs__zoltan_object *known = acquire(zoltan);
    if (known)
        known->own_parts = 1;
    release();
}

void hs__zoltan_set_weights(const void *zoltan, int weights)
{
    hs__zoltan_object *known = acquire(zoltan);
    if (known)
        known->weights = weights;
    release();
}

void hs__zoltan_set_number(const void *zoltan, hs__zoltan_number *number, void *data)
{
    hs__zoltan_object *known = acquire(zoltan);
    if (known) {
        known->number = number;
        known->data = data;
    }
    release();
}
