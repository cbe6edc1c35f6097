/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where every process of every PB listens. A process is counted over all PBs: by PBID, then by rank in the PB.
 *
 * The table exists once on a host, in shared memory: the first process makes it, the others map it. It has 18 bytes for
 * each host (its address) and 6 for each process (its host and its port). It is sent in pieces, so that no process
 * needs memory for two copies.
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
    void *base;              /* the memory of all these arrays */
    size_t bytes;
    int fd;        /* of the shared memory; -1: the table is private */
    char name[64]; /* of the shared memory */
    waitio__memory *memory;
} waitio__endpoints;

void waitio__endpoint_put(const waitio__address *a, unsigned char bytes[WAITIO__ADDRESS]);

/* Returns the number in the local names of the process at that address (address.local). It cannot be guessed without
 * the salt, and the salt cannot be computed from numbers that are in use. */
uint64_t waitio__endpoint_local(uint64_t salt, const waitio__address *a);

/* Makes the bytes of the table that are sent, from the salt and the addresses of each PB: head (16 bytes: npb, hosts,
 * processes, 0), sizes and salts of the PBs (4 and 8 each), hosts (18 each), processes (host 4, port 2). Returns NULL
 * without memory. The caller frees it. */
unsigned char *waitio__endpoints_pack(int npb, const unsigned char *const records[], const int size[], uint64_t *n);

typedef struct waitio__endpoint_table_reader waitio__endpoint_table_reader;
/* Begins to take the table in pieces, in order. instance: part of the name of the shared memory; 0: the table is
 * private. A process that finds another one of its host making the table ignores the pieces. */
int waitio__endpoint_table_begin(waitio__endpoint_table_reader **out, waitio__endpoints *e, uint64_t instance,
                                 waitio__memory *memory);
/* Returns H3OU__EPROTO if the pieces contradict each other. */
int waitio__endpoint_table_take(waitio__endpoint_table_reader *r, const unsigned char *bytes, size_t n);
/* Checks that the table is complete; when another process makes the shared one, waits for it, `seconds` at most. Frees
 * r, also after an error. code: the error of the caller, or 0. */
int waitio__endpoint_table_end(waitio__endpoint_table_reader *r, int code, double seconds);
void waitio__endpoints_free(waitio__endpoints *e);

int waitio__endpoints_count(const waitio__endpoints *e);
int waitio__endpoints_size(const waitio__endpoints *e, int pb);
int waitio__endpoints_global(const waitio__endpoints *e, int pb, int rank);
void waitio__endpoints_find(const waitio__endpoints *e, int global, int *pb, int *rank);
void waitio__endpoints_address(const waitio__endpoints *e, int global, waitio__address *out);

#endif
