/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PB without MPI: rank and size from the launcher's environment, and what its processes tell each other while they
 * join, through links between each and its King (meeting.h). Only for the time of joining.
 */
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "os/os_clock.h"
#include "waitio/joining/job_collectives.h"
#include "waitio/joining/meeting.h"

enum { MOST = 1 << 20 };

/* True while an encrypted link holds bytes that it has taken and not passed on. */
static bool is_unsent(waitio__link *link, bool write)
{
    return write && link->conduit->ready && !link->conduit->ready(link, true);
}

/* Moves all bytes before `end`. write: else read. */
static int link_move(waitio__link *link, void *bytes, size_t n, bool write, double end)
{
    struct iovec v = {bytes, n};
    while (v.iov_len || is_unsent(link, write)) {
        size_t moved = 0;
        int code = !v.iov_len ? WAITIO__AGAIN
                   : write    ? link->conduit->writev(link, &v, 1, &moved)
                              : link->conduit->readv(link, &v, 1, &moved);
        v.iov_base = (char *)v.iov_base + moved;
        v.iov_len -= moved;
        if (code == WAITIO__EOF || code == H3OU__EPEER) /* also when it did not read all that this process sent */
            return h3ou__fail(H3OU__EPEER, "it closed the connection");
        if (code < 0)
            return code;
        if (code != WAITIO__AGAIN)
            continue;
        double rest = end - h3ou__now();
        if (rest <= 0)
            return h3ou__fail(H3OU__ETIMEOUT, "nothing came in time");
        struct pollfd p = {.fd = link->fd, .events = write ? POLLOUT : POLLIN};
        poll(&p, 1, rest > 1 ? 1000 : (int)(rest * 1e3) + 1);
        if (write && p.revents & (POLLERR | POLLHUP))
            return h3ou__fail(H3OU__EPEER, "it closed the connection");
    }
    return H3OU__OK;
}

static int fail_with_rank(int code, int rank)
{
    return h3ou__fail_in(code, "rank %d of this job (without MPI)", rank);
}

/* Longer than the King's own timeout, so that the King's sentence comes first. */
static double meeting_patience(const waitio__meeting *m)
{
    return h3ou__now() + m->timeout + 10;
}

static int meeting_gather(void *self, const void *send_bytes, size_t bytes, void *recv)
{
    waitio__meeting *m = self;
    int code = H3OU__OK;
    if (m->size > 1 && m->rank) {
        code = link_move(&m->link[0], (void *)send_bytes, bytes, true, meeting_patience(m));
        return code ? fail_with_rank(code, 0) : code;
    }
    if (recv)
        memcpy(recv, send_bytes, bytes);
    for (int rank = 1; recv && rank < m->size && !code; rank++) {
        code = link_move(&m->link[rank], (char *)recv + (size_t)rank * bytes, bytes, false, meeting_patience(m));
        if (code)
            fail_with_rank(code, rank);
    }
    return code;
}

static int meeting_bcast(void *self, void *buf, size_t bytes)
{
    waitio__meeting *m = self;
    int code = H3OU__OK;
    if (m->rank) {
        code = link_move(&m->link[0], buf, bytes, false, meeting_patience(m));
        return code ? fail_with_rank(code, 0) : code;
    }
    /* The end of one process does not keep the others from being told. */
    for (int rank = 1; rank < m->size; rank++) {
        int failed = link_move(&m->link[rank], buf, bytes, true, meeting_patience(m));
        if (failed)
            code = fail_with_rank(failed, rank);
    }
    return code;
}

/* Reads the first pair of variables that is set. */
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

int waitio__launcher_open(waitio__job_collectives *out, double timeout)
{
    *out = (waitio__job_collectives){.gather = meeting_gather, .bcast = meeting_bcast};
    waitio__meeting *m = calloc(1, sizeof *m);
    if (!m)
        return h3ou__fail(H3OU__ENOMEM, "no memory for the launcher's part");
    out->self = m;
    m->timeout = timeout > 0 ? timeout : 600;
    int code = read_environment(&m->rank, &m->size);
    if (!code && m->size > 1) {
        m->link = calloc(m->rank ? 1 : (size_t)m->size, sizeof *m->link);
        code = m->link ? waitio__meeting_hold(m) : h3ou__fail(H3OU__ENOMEM, "no memory for %d processes", m->size);
    }
    out->rank = m->rank;
    out->size = m->size;
    if (code)
        waitio__launcher_close(out);
    return code;
}

void waitio__launcher_close(waitio__job_collectives *inside)
{
    waitio__meeting *m = inside->self;
    if (!m)
        return;
    waitio__meeting_close(m);
    free(m->link);
    free(m);
    inside->self = NULL;
}
