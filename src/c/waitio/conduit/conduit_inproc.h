/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks as threads of one process, with faults on demand: the tests' conduit. */
#ifndef WAITIO_CONDUIT_CONDUIT_INPROC_H
#define WAITIO_CONDUIT_CONDUIT_INPROC_H

#include <stdint.h>

typedef struct waitio__inproc_faults { /* chances, 0 to 1, of each call of writev (or open) */
    uint64_t seed;
    double cut;     /* the link breaks; what is on its way is lost */
    double shut;    /* the link ends; what is on its way still arrives */
    double partial; /* only a few bytes move */
    double busy;    /* nothing moves, for no reason */
    double damage;  /* a byte is changed */
    double refuse;  /* open: the conduit cannot connect now */
} waitio__inproc_faults;

/* For all links of the process, from now on; NULL: none. */
void waitio__inproc_set_faults(const waitio__inproc_faults *faults);
/* How many links were cut or shut. */
uint64_t waitio__inproc_cuts(void);

#endif
