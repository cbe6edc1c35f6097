/* SPDX-License-Identifier: BSD-3-Clause */
/* The master's address as the text of a small file, which every job of a run can read. */
#ifndef WAITIO_SERV_ADDRESS_H
#define WAITIO_SERV_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WAITIO_ADDRESS_MOST = 1024 }; /* bytes of the text */

typedef struct waitio_address {
    char host[256]; /* a name or a number; no character that means something to a shell */
    int port;
    int64_t written; /* seconds since 1970 */
} waitio_address;

/* 0, or -1 with *why, a part of a sentence that lasts for ever. Nothing of the text is believed: it may be anything. */
int waitio_address_parse(const char *text, size_t n, waitio_address *out, const char **why);
/* Answers how many bytes; out is ended by a NUL. */
size_t waitio_address_print(const waitio_address *a, char out[WAITIO_ADDRESS_MOST]);
/* Letters, digits, '.', '-', '_', ':' and '%' only, and not too long: what can go into `eval`. */
bool waitio_address_is_host(const char *host);

#endif
