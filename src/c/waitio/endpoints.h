/* SPDX-License-Identifier: BSD-3-Clause */
/* Where every process of every PB listens. A process is counted over all PBs: by PBID, then by rank in the PB. */
#ifndef WAITIO_ENDPOINTS_H
#define WAITIO_ENDPOINTS_H

#include "waitio/conduit.h"

typedef struct waitio__endpoints {
    int npb;
    int *first;               /* [npb + 1] */
    waitio__address *address; /* [first[npb]] */
} waitio__endpoints;

/* From the bytes of a TABLE frame: npb sizes of 4 bytes, then the addresses. H3OU__EPROTO when they do not fit
 * together. */
int waitio__endpoints_unpack(waitio__endpoints *e, int npb, const unsigned char *bytes, size_t n);
void waitio__endpoints_free(waitio__endpoints *e);
int waitio__endpoints_count(const waitio__endpoints *e);
int waitio__endpoints_size(const waitio__endpoints *e, int pb);
int waitio__endpoints_global(const waitio__endpoints *e, int pb, int rank);
void waitio__endpoints_find(const waitio__endpoints *e, int global, int *pb, int *rank);
const waitio__address *waitio__endpoints_address(const waitio__endpoints *e, int global);

#endif
