/* SPDX-License-Identifier: BSD-3-Clause */
/* The master's address as the text of a small file that every job of a run can read. */
#ifndef WAITIO_SERV_ADDRESS_H
#define WAITIO_SERV_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WAITIO_ADDRESS_MOST = 1024 }; /* bytes of the text */

typedef struct waitio_address {
    char host[256]; /* a name or a number, without characters that are special to a shell */
    int port;
    int64_t written; /* seconds since 1970 */
} waitio_address;

/* Returns 0, or -1 and a static part of a sentence in *why. Everything is checked, because the text may be anything. */
int waitio_address_parse(const char *text, size_t n, waitio_address *out, const char **why);
/* Writes the text and a NUL; returns its length. */
size_t waitio_address_print(const waitio_address *a, char out[WAITIO_ADDRESS_MOST]);
/* Returns whether host has only letters, digits, '.', '-', '_', ':' and '%' and is not too long, so that `eval` is
 * safe. */
bool waitio_address_is_host(const char *host);

#endif
