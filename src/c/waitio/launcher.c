/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PB without MPI: rank and size come from the launcher's environment. Its processes meet at a socket that only this host
 * sees, named after the run, or, across hosts, at WAITIO_KING_HOST:WAITIO_KING_PORT, where rank 0 must run.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/env.h"
#include "base/error.h"
#include "os/clock.h"
#include "os/socket.h"
#include "waitio/inside.h"

typedef struct meeting {
    int size, rank;
    int *fd; /* rank 0: one for each other rank; elsewhere: [0] leads to rank 0 */
    double end;
} meeting;

static int number(const char *const names[], int64_t fallback, int64_t least, int64_t *out)
{
    *out = fallback;
    for (int i = 0; names[i]; i++)
        if (getenv(names[i]) && *getenv(names[i]))
            return h3ou__env_int(names[i], least, 1 << 24, fallback, out);
    return H3OU__OK;
}

static int too_late(const meeting *m)
{
    return h3ou__fail(H3OU__ETIMEOUT, "the processes of this job did not find each other (rank %d of %d, from the launcher's "
                      "environment): are all started? Across hosts set WAITIO_KING_HOST and WAITIO_KING_PORT", m->rank, m->size);
}

static int ready(const meeting *m, int fd, short events)
{
    struct pollfd p = {.fd = fd, .events = events};
    double left = m->end - h3ou__now();
    int n = left > 0 ? poll(&p, 1, (int)(1000 * left) + 1) : 0;
    return n > 0 || (n < 0 && errno == EINTR) ? H3OU__OK : too_late(m);
}

static int write_all(const meeting *m, int fd, const void *buf, size_t n)
{
    for (const char *at = buf; n > 0;) {
        ssize_t moved = send(fd, at, n, MSG_NOSIGNAL);
        if (moved < 0 && errno != EAGAIN && errno != EINTR)
            return h3ou__fail(H3OU__EPEER, "a process of this job is gone: %s", strerror(errno));
        if (moved > 0) {
            at += moved;
            n -= (size_t)moved;
        }
        int err = n ? ready(m, fd, POLLOUT) : H3OU__OK;
        if (err)
            return err;
    }
    return H3OU__OK;
}

static int read_all(const meeting *m, int fd, void *buf, size_t n)
{
    for (char *at = buf; n > 0;) {
        int err = ready(m, fd, POLLIN);
        if (err)
            return err;
        ssize_t moved = recv(fd, at, n, 0);
        if (moved == 0 || (moved < 0 && errno != EAGAIN && errno != EINTR))
            return h3ou__fail(H3OU__EPEER, "a process of this job is gone");
        if (moved > 0) {
            at += moved;
            n -= (size_t)moved;
        }
    }
    return H3OU__OK;
}

static int gather(void *self, const void *send_, size_t bytes, void *recv_)
{
    const meeting *m = self;
    if (m->rank != 0)
        return write_all(m, m->fd[0], send_, bytes);
    memcpy(recv_, send_, bytes);
    int err = H3OU__OK;
    for (int r = 1; r < m->size && !err; r++)
        err = read_all(m, m->fd[r], (char *)recv_ + (size_t)r * bytes, bytes);
    return err;
}

static int bcast(void *self, void *buf, size_t bytes)
{
    const meeting *m = self;
    if (m->rank != 0)
        return read_all(m, m->fd[0], buf, bytes);
    int err = H3OU__OK;
    for (int r = 1; r < m->size && !err; r++)
        err = write_all(m, m->fd[r], buf, bytes);
    return err;
}

/* The name of the socket on this host: the user, the run and the PB. */
static socklen_t local_name(struct sockaddr_un *s)
{
    const char *host = getenv("WAITIO_MASTER_HOST"), *port = getenv("WAITIO_MASTER_PORT"), *pb = getenv("WAITIO_PBID");
    memset(s, 0, sizeof *s);
    s->sun_family = AF_UNIX;
    int n = snprintf(s->sun_path + 1, sizeof s->sun_path - 1, "waitio-%u-%.60s-%.8s-%.8s", (unsigned)getuid(), host ? host : "",
                     port ? port : "", pb ? pb : "");
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

static int king_address(h3ou__addr *a, bool *is_set)
{
    int64_t port;
    const char *host = getenv("WAITIO_KING_HOST");
    *is_set = host && *host;
    if (!*is_set)
        return H3OU__OK;
    int err = h3ou__env_int("WAITIO_KING_PORT", 1, 65535, 0, &port);
    if (!err && port == 0)
        err = h3ou__fail(H3OU__EENV, "WAITIO_KING_HOST is set, WAITIO_KING_PORT is not");
    return err ? err : h3ou__addr_resolve(host, (int)port, a);
}

static int open_door(const h3ou__addr *at, bool by_tcp, int *fd)
{
    h3ou__addr bound;
    int in_use, not_mine;
    if (by_tcp)
        return h3ou__listen(at, fd, &bound, &in_use, &not_mine);
    struct sockaddr_un s;
    socklen_t size = local_name(&s);
    *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0 || bind(*fd, (struct sockaddr *)&s, size) != 0 || listen(*fd, SOMAXCONN) != 0) {
        int err = h3ou__fail(H3OU__EJOIN, "rank 0 of this job cannot meet the others: %s: two jobs with one WAITIO_PBID?",
                             strerror(errno));
        if (*fd >= 0)
            close(*fd);
        *fd = -1;
        return err;
    }
    return H3OU__OK;
}

static int receive_others(meeting *m, int door)
{
    int err = H3OU__OK;
    for (int n = 1; n < m->size && !err;) {
        unsigned char rank[4];
        int fd;
        if ((err = ready(m, door, POLLIN)) != H3OU__OK || (err = h3ou__accept(door, &fd)) != H3OU__OK || fd < 0)
            continue;
        int bad = read_all(m, fd, rank, 4);
        uint32_t r = bad ? 0 : h3ou__get32(rank);
        if (r < 1 || r >= (uint32_t)m->size || m->fd[r] >= 0) {
            close(fd); /* a stranger, or a rank that is here already */
            continue;
        }
        m->fd[r] = fd;
        n++;
    }
    return err;
}

static int reach_king(meeting *m, const h3ou__addr *king, bool by_tcp)
{
    unsigned char rank[4];
    h3ou__put32(rank, (uint32_t)m->rank);
    while (h3ou__now() < m->end) {
        int fd = -1, err;
        if (by_tcp) {
            err = h3ou__connect(king, &fd);
            if (!err && (err = ready(m, fd, POLLOUT)) == H3OU__OK)
                err = h3ou__connected(fd);
        } else {
            struct sockaddr_un s;
            socklen_t size = local_name(&s);
            fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
            err = fd < 0 || connect(fd, (struct sockaddr *)&s, size) != 0;
        }
        if (!err) {
            m->fd[0] = fd;
            return write_all(m, fd, rank, 4);
        }
        if (fd >= 0)
            close(fd);
        h3ou__sleep(0.02);
    }
    return too_late(m);
}

static int meet(meeting *m)
{
    h3ou__addr king;
    bool by_tcp;
    int door, err = king_address(&king, &by_tcp);
    if (err)
        return err;
    if (m->rank != 0)
        return reach_king(m, &king, by_tcp);
    if ((err = open_door(&king, by_tcp, &door)) != H3OU__OK)
        return err;
    err = receive_others(m, door);
    close(door);
    return err;
}

int waitio__launcher_open(waitio__inside *out, double timeout)
{
    static const char *const ranks[] = {"WAITIO_RANK", "PMI_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID", NULL};
    static const char *const sizes[] = {"WAITIO_SIZE", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS", NULL};
    int64_t rank, size;
    *out = (waitio__inside){0};
    int err = number(ranks, 0, 0, &rank);
    if (err || (err = number(sizes, 1, 1, &size)) != H3OU__OK)
        return err;
    if (rank >= size)
        return h3ou__fail(H3OU__EENV, "the launcher's environment says rank %d of %d", (int)rank, (int)size);
    meeting *m = calloc(1, sizeof *m);
    if (!m || !(m->fd = malloc(sizeof *m->fd * (size_t)size))) {
        free(m);
        return h3ou__fail(H3OU__ENOMEM, "out of memory");
    }
    *m = (meeting){.size = (int)size, .rank = (int)rank, .fd = m->fd, .end = h3ou__now() + timeout + 5.0};
    for (int i = 0; i < m->size; i++)
        m->fd[i] = -1;
    *out = (waitio__inside){.rank = m->rank, .size = m->size, .self = m, .gather = gather, .bcast = bcast};
    if (m->size > 1 && (err = meet(m)) != H3OU__OK)
        waitio__launcher_close(out);
    return err;
}

void waitio__launcher_close(waitio__inside *inside)
{
    meeting *m = inside->self;
    if (!m)
        return;
    for (int i = 0; i < m->size; i++)
        if (m->fd[i] >= 0)
            close(m->fd[i]);
    free(m->fd);
    free(m);
    *inside = (waitio__inside){0};
}
