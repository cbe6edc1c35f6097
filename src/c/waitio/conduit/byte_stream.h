/* SPDX-License-Identifier: BSD-3-Clause */
/* What the conduits tcp, unix and shm have in common: a stream socket, whatever its family. */
#ifndef WAITIO_CONDUIT_BYTE_STREAM_H
#define WAITIO_CONDUIT_BYTE_STREAM_H

#include "waitio/conduit/conduit.h"

int waitio__byte_stream_accept(waitio__link *listener, waitio__link *out);
/* The same for a listener on this host: refuses processes of other users. */
int waitio__byte_stream_accept_local(waitio__link *listener, waitio__link *out);
/* Listens at the local name of an address, or connects to it. `kind`: of conduit and memory. */
int waitio__byte_stream_listen_local(const char *kind, const waitio__address *at, int *fd);
int waitio__byte_stream_connect_local(const char *kind, const waitio__address *to, int *fd);
int waitio__byte_stream_opened(waitio__link *link);
int waitio__byte_stream_writev(waitio__link *link, const struct iovec *iov, int n, size_t *moved);
int waitio__byte_stream_readv(waitio__link *link, const struct iovec *iov, int n, size_t *moved);
/* Reads and blocks until the time set by h3ou__socket_set_timeout has passed. */
int waitio__byte_stream_read_blocking(waitio__link *link, const struct iovec *iov, int n, size_t *moved);
void waitio__byte_stream_close(waitio__link *link);
/* The error of a system call of a stream: H3OU__EREFUSED or H3OU__EPEER. */
int waitio__byte_stream_broken(int failed);
enum { WAITIO__STREAM_NAME = 104 };
/* The name on this host that belongs to an address, one for each conduit. */
void waitio__byte_stream_name(const char *conduit, const waitio__address *a, char name[WAITIO__STREAM_NAME]);

#endif
