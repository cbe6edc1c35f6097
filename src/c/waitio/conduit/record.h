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
    uint32_t pid;           /* id of the process; 0: unknown */
    uint64_t host;          /* identifies the boot of the host and the pid namespace in which pid is valid */
    bool is_locked;         /* the process holds a lock on this file as long as it lives */
    uint64_t base;          /* position in the stream at which the first file with this span begins */
    uint64_t span;          /* bytes of each of its files but the last; 0: unknown */
} waitio__record;

void waitio__record_put(const waitio__record *r, unsigned char bytes[WAITIO__RECORD]);
/* Returns H3OU__EPROTO if the bytes are no record, or parts of two. */
int waitio__record_get(const unsigned char bytes[WAITIO__RECORD], waitio__record *r);

#endif
