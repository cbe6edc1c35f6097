/* SPDX-License-Identifier: BSD-3-Clause */
/* The file in which the master's address lies: where it is, how it is written, read and removed. */
#ifndef WAITIO_SERV_PLACE_H
#define WAITIO_SERV_PLACE_H

#include "tools/serv/address.h"

typedef struct place {
    char folder[3072], file[3200];
    bool is_own; /* the folder is the default, made when it is needed */
} place;

enum { PLACE_FOUND, PLACE_EMPTY, PLACE_WRONG = -1 };

/* From WAITIO_SCRATCH_DIR, HOME and COUPLER_JOB_ID. All answer negative with h3ou__fail_text() saying why. */
int place_find(place *out);
/* Whoever reads sees all of it or the former one. Makes the default folder. */
int place_write(const place *p, const waitio_address *a);
/* PLACE_EMPTY: there is no file (yet). A file that another user could have written is refused. */
int place_read(const place *p, waitio_address *out);
int place_remove(const place *p); /* none there: fine */

#endif
