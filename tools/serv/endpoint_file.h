/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding, writing, reading and removing the file that holds the master's address. */
#ifndef WAITIO_SERV_PLACE_H
#define WAITIO_SERV_PLACE_H

#include "tools/serv/address.h"

typedef struct place {
    char folder[3072], file[3200];
    bool is_own; /* the folder is the default, made when it is needed */
} place;

enum { PLACE_FOUND, PLACE_EMPTY, PLACE_WRONG = -1 };

/* Finds the file by WAITIO_SCRATCH_DIR, HOME and COUPLER_JOB_ID. All calls here return 0 or a negative error, with its
 * sentence in h3ou__fail_text(). */
int place_find(place *out);
/* Writes the file; a process that reads it at that time gets either the whole new text or the old one. Creates the
 * folder if it is the default one. */
int place_write(const place *p, const waitio_address *a);
/* PLACE_EMPTY: there is no file yet. A file that another user may have written is refused. */
int place_read(const place *p, waitio_address *out);
int place_remove(const place *p); /* it is no error if there is none */

#endif
