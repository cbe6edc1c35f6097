/* SPDX-License-Identifier: BSD-3-Clause */
/* Stream sockets that never block, and addresses as bytes. */
#ifndef H3OU_OS_SOCKET_H
#define H3OU_OS_SOCKET_H

#include <stdint.h>
#include <sys/socket.h>

typedef struct h3ou__addr {
    int family; /* 4 or 6 */
    int port;
    unsigned char host[16]; /* network order; IPv4 uses the first 4 */
} h3ou__addr;

enum { H3OU__ADDR_BYTES = 20, H3OU__ADDR_TEXT = 64 };

#pragma GCC visibility push(default)
/* The first address of a host name or number. H3OU__EHOST, naming it. May ask the resolver, and wait for it. */
int h3ou__addr_resolve(const char *host, int port, h3ou__addr *out);
char *h3ou__addr_text(const h3ou__addr *a, char text[H3OU__ADDR_TEXT]); /* "127.0.0.1:4567" */
/* On the wire: family, 0, port, host; H3OU__EPROTO when the bytes are no address. */
void h3ou__addr_write(const h3ou__addr *a, unsigned char bytes[H3OU__ADDR_BYTES]);
int h3ou__addr_read(const unsigned char bytes[H3OU__ADDR_BYTES], h3ou__addr *a);
/* The address of this host that packets to `to` would carry; port 0. Sends nothing. */
int h3ou__addr_towards(const h3ou__addr *to, h3ou__addr *out);
/* The first address of a network device. */
int h3ou__addr_of_device(const char *device, h3ou__addr *out);

/* Listens on `at` (port 0: the system chooses). *code_in_use: the port is taken; *not_mine: no address of this host. */
int h3ou__listen(const h3ou__addr *at, int *fd, h3ou__addr *bound, int *in_use, int *not_mine);
int h3ou__accept(int listener, int *fd);               /* *fd -1: nobody is waiting */
int h3ou__connect(const h3ou__addr *to, int *fd);      /* begun, not finished: wait until fd is writable */
int h3ou__connected(int fd);                           /* 0, or H3OU__EREFUSED with the system's reason */
#pragma GCC visibility pop

#endif
