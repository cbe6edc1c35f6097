/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that the inner MPI uses until a request completes: arrays of converted handles, and places that it writes a handle to. */
#ifndef H3OU_MPI_ADAPTOR_KEPT_H
#define H3OU_MPI_ADAPTOR_KEPT_H

#include <stdint.h>

/* How many pieces of memory are kept: while it is 0 nobody has to look for them. */
extern int kept_count __attribute__((visibility("hidden")));

/* Takes the memory, which is freed when the request (a handle of the outer MPI) completes or, if it is persistent, is freed. */
void kept_until(void *memory, intptr_t request);
void kept_release(intptr_t request);

#endif
