/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PB without MPI: rank and size from the launcher's environment. Its processes meet their King at a socket: on one
 * host a name in Linux's abstract name space, across hosts WAITIO_KING_HOST:WAITIO_KING_PORT. Only for the time of
 * joining.
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

enum { GREETING = 12, MOST = 1 << 20 };
static const uint32_t greeting = 0x314b4957; /* "WIK1" */

typedef struct meeting { /* inside->self */
    int rank, size;
    double timeout;
    int *fd; /* King: [size], to each rank; others: [1], to the King */
    int listener;
} meeting;

/* Moves all bytes before `end`. write: else read. */
static int move(int fd, void *bytes, size_t n, bool write, double end)
{
    char *at = bytes;
    while (n) {
        ssize_t k = write ? send(fd, at, n, MSG_NOSIGNAL) : recv(fd, at, n, 0);
        if (k > 0) {
            at += k;
            n -= (size_t)k;
            continue;
        }
        if (k == 0)
            return h3ou__fail(H3OU__EPEER, "it closed the connection");
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK)
            return h3ou__fail(H3OU__EPEER, "%s", strerror(errno));
        double rest = end - h3ou__now();
        if (rest <= 0)
            return h3ou__fail(H3OU__ETIMEOUT, "nothing came in time");
        struct pollfd p = {.fd = fd, .events = write ? POLLOUT : POLLIN};
        poll(&p, 1, rest > 1 ? 1000 : (int)(rest * 1e3) + 1);
    }
    return H3OU__OK;
}

static int with_rank(int code, int rank)
{
    return h3ou__fail_in(code, "rank %d of this job (without MPI)", rank);
}

/* The King's own patience ends first, and it says why. */
static double patience(const meeting *m)
{
    return h3ou__now() + m->timeout + 10;
}

static int meeting_gather(void *self, const void *send_bytes, size_t bytes, void *recv)
{
    meeting *m = self;
    int code = H3OU__OK;
    if (m->size > 1 && m->rank) {
        code = move(m->fd[0], (void *)send_bytes, bytes, true, patience(m));
        return code ? with_rank(code, 0) : code;
    }
    if (recv)
        memcpy(recv, send_bytes, bytes);
    for (int rank = 1; recv && rank < m->size && !code; rank++) {
        code = move(m->fd[rank], (char *)recv + (size_t)rank * bytes, bytes, false, patience(m));
        if (code)
            with_rank(code, rank);
    }
    return code;
}

static int meeting_bcast(void *self, void *buf, size_t bytes)
{
    meeting *m = self;
    int code = H3OU__OK;
    if (m->rank) {
        code = move(m->fd[0], buf, bytes, false, patience(m));
        return code ? with_rank(code, 0) : code;
    }
    /* One that is gone does not keep the news from the others. */
    for (int rank = 1; rank < m->size; rank++) {
        int failed = move(m->fd[rank], buf, bytes, true, patience(m));
        if (failed)
            code = with_rank(failed, rank);
    }
    return code;
}

/* Where the King waits: by its host and port, else a name on this host that no other PB, run or user has. */
static int place(struct sockaddr_un *name, socklen_t *length, h3ou__address *at, bool *across)
{
    const char *host = getenv("WAITIO_KING_HOST");
    int64_t port, pbid = 0;
    int n, code = H3OU__OK;
    *across = host && *host;
    if (*across) {
        code = h3ou__env_int("WAITIO_KING_PORT", 1, 65535, 0, &port);
        if (!code && !port)
            code =
                h3ou__fail(H3OU__EENV, "WAITIO_KING_HOST is set, but not WAITIO_KING_PORT: a free port of that host");
        return code ? code : h3ou__address_resolve(host, (int)port, at, 1, &n);
    }
    const char *master = getenv("WAITIO_MASTER_HOST"), *master_port = getenv("WAITIO_MASTER_PORT");
    const char *id = getenv("WAITIO_PBID");
    if (id && *id)
        code = h3ou__env_int("WAITIO_PBID", 0, INT32_MAX, 0, &pbid);
    memset(name, 0, sizeof *name);
    name->sun_family = AF_UNIX;
    int used = snprintf(name->sun_path + 1, sizeof name->sun_path - 1, "waitio-%u-%s-%s-%d", (unsigned)getuid(),
                        master ? master : "", master_port ? master_port : "", (int)pbid);
    if (used > (int)sizeof name->sun_path - 2)
        used = (int)sizeof name->sun_path - 2;
    *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)used);
    return code;
}

static int king_listen(meeting *m)
{
    struct sockaddr_un name;
    h3ou__address at;
    socklen_t length = 0;
    bool across;
    int failed, code = place(&name, &length, &at, &across);
    if (code)
        return code;
    if (across) {
        failed = h3ou__socket_listen(&at, &m->listener, NULL);
    } else {
        m->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        failed =
            m->listener < 0 || bind(m->listener, (struct sockaddr *)&name, length) || listen(m->listener, SOMAXCONN)
                ? errno
                : 0;
    }
    if (failed == EADDRINUSE)
        return h3ou__fail(H3OU__EJOIN,
                          "another job on this host has the same WAITIO_PBID (%s) and master: give each job its "
                          "own WAITIO_PBID",
                          getenv("WAITIO_PBID") ? getenv("WAITIO_PBID") : "not set");
    return failed ? h3ou__fail(H3OU__EOS, "the place where the processes of this job meet: %s", strerror(failed))
                  : H3OU__OK;
}

/* Only processes of the same user may take a rank; across hosts the greeting is all there is. */
static bool is_mine(int fd)
{
    struct ucred who;
    socklen_t length = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length))
        return true;
    return who.pid == 0 || who.uid == getuid();
}

/* Whoever came: its rank, or -1 when it is none of ours. */
static int admit(meeting *m, int fd, int *code)
{
    unsigned char bytes[GREETING];
    if (!is_mine(fd) || move(fd, bytes, GREETING, false, h3ou__now() + 2) || h3ou__get32(bytes) != greeting)
        return -1;
    int rank = (int)h3ou__get32(bytes + 4), size = (int)h3ou__get32(bytes + 8);
    if (size != m->size)
        *code = h3ou__fail(H3OU__EJOIN,
                           "rank %d of this job says that it has %d processes, rank 0 says %d: check the "
                           "launcher, or WAITIO_SIZE",
                           rank, size, m->size);
    else if (rank < 1 || rank >= m->size || m->fd[rank] >= 0)
        *code = h3ou__fail(H3OU__EJOIN,
                           "two processes of this job say that they are rank %d of %d: check the launcher, or "
                           "WAITIO_RANK",
                           rank, size);
    return *code ? -1 : rank;
}

static int king_meet(meeting *m)
{
    double end = h3ou__now() + m->timeout;
    int code = king_listen(m), here = 1;
    while (!code && here < m->size) {
        int fd;
        double rest = end - h3ou__now();
        struct pollfd p = {.fd = m->listener, .events = POLLIN};
        if (rest <= 0)
            return h3ou__fail(H3OU__ETIMEOUT,
                              "waited %g s: %d of the %d processes of this job (without MPI) did not come", m->timeout,
                              m->size - here, m->size);
        poll(&p, 1, rest > 1 ? 1000 : (int)(rest * 1e3) + 1);
        fd = accept4(m->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0)
            continue;
        int rank = admit(m, fd, &code);
        if (rank < 0) {
            close(fd);
            continue;
        }
        m->fd[rank] = fd;
        here++;
    }
    /* All are here: who comes now comes for a later run. */
    if (m->listener >= 0)
        close(m->listener);
    m->listener = -1;
    return code;
}

static int reach_king(bool across, const struct sockaddr_un *name, socklen_t length, const h3ou__address *at)
{
    int fd = -1;
    if (!across) {
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd >= 0 && !connect(fd, (const struct sockaddr *)name, length))
            return fd;
    } else if (!h3ou__socket_connect(at, &fd)) {
        struct pollfd p = {.fd = fd, .events = POLLOUT};
        if (poll(&p, 1, 1000) == 1 && !h3ou__socket_connected(fd))
            return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

static int others_meet(meeting *m)
{
    struct sockaddr_un name;
    h3ou__address at;
    socklen_t length = 0;
    bool across;
    double end = h3ou__now() + m->timeout;
    int code = place(&name, &length, &at, &across);
    while (!code && (m->fd[0] = reach_king(across, &name, length, &at)) < 0) {
        if (h3ou__now() > end)
            return h3ou__fail(H3OU__ETIMEOUT, "waited %g s: rank 0 of this job (without MPI) did not come", m->timeout);
        h3ou__sleep(0.02);
    }
    unsigned char bytes[GREETING];
    h3ou__put32(bytes, greeting);
    h3ou__put32(bytes + 4, (uint32_t)m->rank);
    h3ou__put32(bytes + 8, (uint32_t)m->size);
    if (!code)
        code = move(m->fd[0], bytes, GREETING, true, end);
    return code;
}

/* The first pair of variables that is there. */
static int read_environment(int *rank, int *size)
{
    static const char *const names[][2] = {{"WAITIO_RANK", "WAITIO_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"SLURM_PROCID", "SLURM_NTASKS"}};
    *rank = 0;
    *size = 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *r = getenv(names[i][0]), *s = getenv(names[i][1]);
        int64_t number, count;
        if ((!r || !*r) && (!s || !*s))
            continue;
        if (!r || !*r || !s || !*s)
            return h3ou__fail(H3OU__EENV, "%s is set, but not %s: set both or none",
                              r && *r ? names[i][0] : names[i][1], r && *r ? names[i][1] : names[i][0]);
        int code = h3ou__env_int(names[i][1], 1, MOST, 1, &count);
        if (!code)
            code = h3ou__env_int(names[i][0], 0, count - 1, 0, &number);
        if (code)
            return code;
        *rank = (int)number;
        *size = (int)count;
        break;
    }
    return H3OU__OK;
}

int waitio__launcher_open(waitio__inside *out, double timeout)
{
    *out = (waitio__inside){.gather = meeting_gather, .bcast = meeting_bcast};
    meeting *m = calloc(1, sizeof *m);
    if (!m)
        return h3ou__fail(H3OU__ENOMEM, "no memory for the launcher's part");
    out->self = m;
    m->listener = -1;
    m->timeout = timeout > 0 ? timeout : 600;
    int code = read_environment(&m->rank, &m->size);
    if (!code) {
        m->fd = malloc((size_t)m->size * sizeof *m->fd);
        if (!m->fd)
            code = h3ou__fail(H3OU__ENOMEM, "no memory for %d processes", m->size);
        for (int i = 0; !code && i < m->size; i++)
            m->fd[i] = -1;
    }
    if (!code && m->size > 1)
        code = m->rank ? others_meet(m) : king_meet(m);
    out->rank = m->rank;
    out->size = m->size;
    if (code)
        waitio__launcher_close(out);
    return code;
}

void waitio__launcher_close(waitio__inside *inside)
{
    meeting *m = inside->self;
    if (!m)
        return;
    for (int i = 0; m->fd && i < (m->rank ? 1 : m->size); i++)
        if (m->fd[i] >= 0)
            close(m->fd[i]);
    if (m->listener >= 0)
        close(m->listener);
    free(m->fd);
    free(m);
    inside->self = NULL;
}
