/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one end of a file link publishes: how much it has written and read. 64 bytes of a file that only this end
 * writes; a check over them tells a reader whose file system showed it half of an update to look again.
 */
#ifndef WAITIO_CONDUIT_RECORD_H
#define WAITIO_CONDUIT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

enum { WAITIO__RECORD = 64 };

typedef struct waitio__record {
    uint64_t written, read; /* bytes of the stream, from its beginning */
    bool is_closed;         /* nothing will be written any more */
    uint32_t pid;           /* of the process, 0: not told */
    uint64_t host;          /* of the host's boot and the namespace of processes: pid means something only there */
    bool is_locked;         /* the process holds a lock on this file as long as it lives */
    uint64_t base;          /* where in the stream the first of the files begins that have this span */
    uint64_t span;          /* bytes of each of its files but the last, 0: not told */
} waitio__record;

void waitio__record_put(const waitio__record *r, unsigned char bytes[WAITIO__RECORD]);
/* H3OU__EPROTO: it is none, or half of one. */
int waitio__record_get(const unsigned char bytes[WAITIO__RECORD], waitio__record *r);

#endif
