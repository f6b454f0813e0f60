/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BIND_CORES_H
#define HS_RUNTIME_BIND_CORES_H

/* The cores of this machine, by hwloc: how fast they are and which of them this process runs on. A set of cores is an
 * array of 0 and 1, one a core; processing units (hardware threads) are numbered as hwloc does, the same in all
 * processes of a machine. None of this is there without hwloc. */

#include <heteroslice/hs_status.h>

typedef struct hs__cores hs__cores;

/** What a process may do on a processing unit. */
enum { HS__PU_BOUND = 1, HS__PU_ALLOWED = 2 }; /* it is bound to it or not bound at all; its control group has it */

/** Look at the machine and remember how this process is bound.
 * @return HS_OK; HS_ERR_UNSUPPORTED (hwloc cannot bind here); HS_ERR_NOMEM */
hs_status hs__cores_load(hs__cores **cores);
void hs__cores_free(hs__cores *cores);

/** Processing units of the machine. */
int hs__cores_pus(const hs__cores *cores);

/** HS__PU_ bits of each processing unit, as found by hs__cores_load(). pus: [hs__cores_pus()] */
void hs__cores_look(const hs__cores *cores, char *pus);

/** Forget the processing units without a bit of HS__PU_BOUND, and the cores that have no other.
 * @return the number of cores left, which have new numbers */
int hs__cores_keep(hs__cores *cores, const char *pus);

/** The cores with a processing unit that has the bit. set: [cores] */
void hs__cores_with(const hs__cores *cores, const char *pus, int bit, char *set);

/** How fast each core is; the slowest one of the machine has 1. From the kernel's capacities of the kinds of cores,
 * else from their frequencies; where hwloc only knows which kind is faster, each is taken for half as fast again as the
 * one below. Lent. */
const double *hs__cores_speed(const hs__cores *cores);

/** Whether all threads of the process are bound in the same way. */
int hs__cores_is_uniform(const hs__cores *cores);

/** Bind all threads of the process.
 * @return HS_OK; HS_ERR_UNSUPPORTED (the kernel refuses); HS_ERR_NOMEM */
hs_status hs__cores_bind(hs__cores *cores, const char *set);

/** Bind it as it was found, when it has been bound since. */
void hs__cores_restore(hs__cores *cores);

/** The processing units of some cores as the kernel numbers them, "0,2-3". Returns text. */
char *hs__cores_text(const hs__cores *cores, const char *set, char *text, int size);

#endif
