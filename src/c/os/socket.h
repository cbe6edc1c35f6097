/* SPDX-License-Identifier: BSD-3-Clause */
/* Internet addresses of version 4 and 6 in one form, and stream sockets that never block and are not inherited. */
#ifndef H3OU_OS_SOCKET_H
#define H3OU_OS_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct h3ou__address {
    unsigned char ip[16]; /* network order; version 4 as ::ffff:a.b.c.d */
    uint32_t scope;       /* of a link-local address */
    uint16_t port;
    uint64_t local; /* part of the names on its host by which the same process is reached; nobody can guess it; or 0 */
} h3ou__address;

enum { H3OU__ADDRESS_TEXT = 64 };

#pragma GCC visibility push(default)
/* All addresses of a host (name or number), each once, at most `most`, with that port. Those of the loopback device
 * come last, since other hosts do not reach them. H3OU__EHOST when there is none. */
int h3ou__address_resolve(const char *host, int port, h3ou__address out[], int most, int *n);
/* The first address of a network device ("eth0"), version 4 preferred; port 0. H3OU__EHOST, naming the devices there
 * are. */
int h3ou__address_of_device(const char *device, h3ou__address *out);
/* This machine's address on the way to `to`; port 0. Sends nothing. */
int h3ou__address_towards(const h3ou__address *to, h3ou__address *out);
bool h3ou__address_is_loopback(const h3ou__address *a);
/* The first address of host is of the loopback device, though its name does not say so ("127.0.1.1 thishost" in
 * /etc/hosts): no other host reaches what listens there. */
bool h3ou__host_is_hidden(const char *host, const h3ou__address *first);
char *h3ou__address_text(const h3ou__address *a, char text[H3OU__ADDRESS_TEXT]); /* "127.0.0.1:4000", "[::1]:4000" */

/* The next four return 0 or a positive errno, whose meaning to the user the caller knows; *fd is then -1. */
/* Port 0: the system chooses; *bound tells (may be NULL). EADDRNOTAVAIL: not of this machine. EADDRINUSE: taken. */
int h3ou__socket_listen(const h3ou__address *at, int *fd, h3ou__address *bound);
/* Begins to connect: EINPROGRESS is returned as 0; when fd is writable ask h3ou__socket_connected. */
int h3ou__socket_connect(const h3ou__address *to, int *fd);
int h3ou__socket_connected(int fd);
int h3ou__socket_accept(int listener, int *fd); /* EAGAIN: no connection waits */
/* Streams between processes of one host (and network name space), by a name that leaves nothing behind. */
int h3ou__local_listen(const char *name, int *fd);
int h3ou__local_connect(const char *name, int *fd); /* EAGAIN: too many wait there */
/* A stream between processes of one host whose other end is of another user. */
bool h3ou__local_is_foreign(int fd);
/* A byte, and a descriptor with it. EAGAIN: not now. *given is -1 when none came. */
int h3ou__local_give(int fd, int given);
int h3ou__local_receive(int fd, int *given);
/* For links between processes of one host: a congestion control that does not pace. Best effort. */
void h3ou__socket_unpace(int fd);
/* Receiving without MSG_DONTWAIT blocks for that long at most. */
void h3ou__socket_set_timeout(int fd, double seconds);
/* Tells the system how soon a silent peer is to be noticed. Best effort. */
void h3ou__socket_watch(int fd);
#pragma GCC visibility pop

#endif
