/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The secret that the processes of one user share, and what is made of it (libsodium): the keys by which two processes
 * prove to each other, without showing it, that they know it and are of the same run.
 */
#ifndef WAITIO_IDENTITY_SECRET_H
#define WAITIO_IDENTITY_SECRET_H

#include <stddef.h>
#include <stdint.h>

enum { WAITIO__KEY = 32 };

typedef struct waitio__key {
    unsigned char byte[WAITIO__KEY];
} waitio__key;

/* WAITIO_SECRET_FILE, else ~/.waitio/secret, which is made at first use with mode 0600. H3OU__EENV or H3OU__EFILE with
 * the remedy: a file that others may read, or one that is too short, is not taken. */
int waitio__secret_read(waitio__key *secret);
/* For a run of one job, which has no one to share with. */
int waitio__secret_random(waitio__key *secret);
/* A key for one purpose, bound to a number (of an instance). */
void waitio__key_derive(const waitio__key *from, const char *purpose, uint64_t number, waitio__key *out);
/* A number for a name that others see: it tells nothing of the key or of the numbers for other purposes. */
uint64_t waitio__key_number(const waitio__key *from, const char *purpose);
/* BLAKE2b with the key over up to three pieces. */
void waitio__key_mac(const waitio__key *key, const void *a, size_t na, const void *b, size_t nb, const void *c,
                     size_t nc, unsigned char mac[WAITIO__KEY]);
int waitio__key_same(const unsigned char a[WAITIO__KEY], const unsigned char b[WAITIO__KEY]);
void waitio__random(void *bytes, size_t n);

#endif
