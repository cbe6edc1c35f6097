/* SPDX-License-Identifier: BSD-3-Clause */
/* Internet addresses of version 4 and 6 in one form, and stream sockets that never block and are not inherited. */
#ifndef H3OU_OS_SOCKET_H
#define H3OU_OS_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct h3ou__address {
    unsigned char ip[16]; /* network order; version 4 as ::ffff:a.b.c.d */
    uint32_t scope;       /* scope id of a link-local address */
    uint16_t port;
    uint64_t local; /* random part of the names of the process's local sockets on its host, or 0 */
} h3ou__address;

enum { H3OU__ADDRESS_TEXT = 64 };

#pragma GCC visibility push(default)
/* Finds all addresses of a host (name or number), each once, at most `most`, with that port. Those of the loopback
 * device come last, since other hosts do not reach them. H3OU__EHOST when there is none. */
int h3ou__address_resolve(const char *host, int port, h3ou__address out[], int most, int *n);
/* Finds the first address of a network device ("eth0"), version 4 preferred; port 0. H3OU__EHOST, which names the
 * devices that exist. */
int h3ou__address_of_device(const char *device, h3ou__address *out);
/* Finds the address that this machine uses to reach `to`; port 0. Sends nothing. */
int h3ou__address_towards(const h3ou__address *to, h3ou__address *out);
bool h3ou__address_is_loopback(const h3ou__address *a);
/* Returns whether the first address of host is a loopback address though its name does not say so ("127.0.1.1 thishost"
 * in /etc/hosts), so that no other host reaches a listener there. */
bool h3ou__host_is_hidden(const char *host, const h3ou__address *first);
char *h3ou__address_text(const h3ou__address *a, char text[H3OU__ADDRESS_TEXT]); /* "127.0.0.1:4000", "[::1]:4000" */

/* The socket calls return 0, or a positive errno, which the caller turns into a sentence; *fd is then -1. */
/* Listens. With port 0 the system chooses one; *bound (may be NULL) is the address then. EADDRNOTAVAIL: not an address
 * of this machine. EADDRINUSE: the port is in use. */
int h3ou__socket_listen(const h3ou__address *at, int *fd, h3ou__address *bound);
/* Begins to connect: EINPROGRESS is returned as 0; when fd is writable ask h3ou__socket_connected. */
int h3ou__socket_connect(const h3ou__address *to, int *fd);
int h3ou__socket_connected(int fd);
int h3ou__socket_accept(int listener, int *fd); /* EAGAIN: there is no connection to accept */
/* Streams between processes of one host (and network name space), by an abstract name, which leaves no file. */
int h3ou__local_listen(const char *name, int *fd);
int h3ou__local_connect(const char *name, int *fd); /* EAGAIN: the listener's queue is full */
/* Returns whether the other end of such a stream belongs to another user. */
bool h3ou__local_is_foreign(int fd);
/* Send or receive one byte with a descriptor. EAGAIN: not now. *given is -1 when none came. */
int h3ou__local_give(int fd, int given);
int h3ou__local_receive(int fd, int *given);
/* Chooses, for connections inside one host, a congestion control without pacing. Best effort. */
void h3ou__socket_unpace(int fd);
/* Sets for how long a receive without MSG_DONTWAIT may block. */
void h3ou__socket_set_timeout(int fd, double seconds);
/* Sets the TCP timeouts by which a silent peer is noticed. Best effort. */
void h3ou__socket_watch(int fd);
#pragma GCC visibility pop

#endif
