/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where every process of every PB listens. A process is counted over all PBs: by PBID, then by rank in the PB.
 *
 * The table exists once on a host, in shared memory: whoever comes first makes it, the others look. A host's address is
 * in it once (18 bytes); a process has 6: its host and its port. As it travels, it comes in pieces, so that no process
 * needs to hold it twice.
 */
#ifndef WAITIO_IDENTITY_ENDPOINTS_H
#define WAITIO_IDENTITY_ENDPOINTS_H

#include "waitio/conduit/conduit.h"
#include "waitio/stream/frame.h"
#include "waitio/stream/memory.h"

enum { WAITIO__TABLE_HEAD = 16 };

typedef struct waitio__endpoints {
    int npb;
    const uint64_t *salt; /* [npb] */
    const int32_t *first; /* [npb + 1] */
    int nhost;
    const unsigned char *ip; /* [16 * nhost] */
    const uint16_t *scope;   /* [nhost] */
    const uint32_t *host;    /* [first[npb]] */
    const uint16_t *port;    /* [first[npb]] */
    void *base;              /* of all of it */
    size_t bytes;
    int fd;        /* of the shared one, -1: private */
    char name[64]; /* of the shared one */
    waitio__memory *memory;
} waitio__endpoints;

void waitio__endpoint_put(const waitio__address *a, unsigned char bytes[WAITIO__ADDRESS]);

/* The number in the names of the process with that address on its host (address.local). Whoever does not know the salt
 * cannot guess it, and does not learn the salt from the names that are in use. */
uint64_t waitio__endpoint_local(uint64_t salt, const waitio__address *a);

/* The table as it travels, from the salt and the addresses of each PB: head (16 bytes: npb, hosts, processes, 0), sizes
 * and salts of the PBs (4 and 8 each), hosts (18 each), processes (host 4, port 2). NULL: no memory. The caller frees it.
 */
unsigned char *waitio__endpoints_pack(int npb, const unsigned char *const records[], const int size[], uint64_t *n);

typedef struct waitio__endpoint_table_reader waitio__endpoint_table_reader;
/* Takes the table in pieces, in order. instance: for the name; 0: private. A process that finds another one of its host
 * making the table drops what it is given. */
int waitio__endpoint_table_begin(waitio__endpoint_table_reader **out, waitio__endpoints *e, uint64_t instance,
                                 waitio__memory *memory);
/* H3OU__EPROTO for what does not fit together. */
int waitio__endpoint_table_take(waitio__endpoint_table_reader *r, const unsigned char *bytes, size_t n);
/* Complete and checked; of a shared one that another process makes: waits for it, `seconds` at most. Frees r, also
 * after an error (code: of the caller, 0 when all went well). */
int waitio__endpoint_table_end(waitio__endpoint_table_reader *r, int code, double seconds);
void waitio__endpoints_free(waitio__endpoints *e);

int waitio__endpoints_count(const waitio__endpoints *e);
int waitio__endpoints_size(const waitio__endpoints *e, int pb);
int waitio__endpoints_global(const waitio__endpoints *e, int pb, int rank);
void waitio__endpoints_find(const waitio__endpoints *e, int global, int *pb, int *rank);
void waitio__endpoints_address(const waitio__endpoints *e, int global, waitio__address *out);

#endif
