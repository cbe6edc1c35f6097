/* SPDX-License-Identifier: BSD-3-Clause */
/* Who knows the secret, and speaks to an instance as a process, as a King and as the master of its run. */
#ifndef TESTS_FUZZ_INSIDER_H
#define TESTS_FUZZ_INSIDER_H

#include <stdint.h>

typedef struct insider_counts {
    uint64_t said, stood; /* messages of the company; connections that were taken */
    uint64_t arrived;     /* messages of others meanwhile */
    uint64_t completed;   /* requests that met a message of the company */
} insider_counts;

/* One run of a world: many processes of a company, one after the other, speak to one process. */
void insider_as_process(insider_counts *counts);
/* Kings join, or rejoin, a master. */
void insider_as_king(insider_counts *counts);
/* A master lets a King join. */
void insider_as_master(insider_counts *counts);

#endif
