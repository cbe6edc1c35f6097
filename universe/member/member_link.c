/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/member/member_link.h"

#include <limits.h>

#include "base/error.h"

/* So many calls of one communicator are not under way at a time. The tags of segments are above those of world/member_exchange.c, and below 1 << 19. */
enum { MPI_TAGS = 1 << 15, MPI_SEGMENT = 1 << 16, WAITIO_KIND = 1 };

typedef struct message {
    bool is_inside, is_complete;
    union {
        abi_Request inside;
        waitio_req_t beyond;
    } request;
} message;

static int fail(const char *function, int code)
{
    return h3ou__fail(H3OU__EMPI, "%s of a collective call inside the job failed with error %d", function, code);
}

/* Makes a type of so many bytes, for messages that an int does not count. */
static int make_long_type(int64_t bytes, abi_Datatype *out)
{
    enum { LONG = 1 << 30 };
    abi_Datatype block, byte = (abi_Datatype)ABI_BYTE;
    int length[2] = {(int)(bytes / LONG), (int)(bytes % LONG)};
    abi_Aint at[2] = {0, (abi_Aint)(bytes - length[1])};
    int code = universe.mpi->Type_contiguous(LONG, byte, &block);
    if (code)
        return code;
    abi_Datatype types[2] = {block, byte};
    code = universe.mpi->Type_create_struct(2, length, at, types, out);
    universe.mpi->Type_free(&block);
    return code ? code : universe.mpi->Type_commit(out);
}

static int start_inside(const universe_comm *c, int peer, int64_t link_tag, void *buf, int64_t bytes, bool is_send, message *m)
{
    abi_Datatype type = (abi_Datatype)ABI_BYTE;
    int tag = (int)(link_tag / 8 % MPI_TAGS + link_tag % 8 * MPI_SEGMENT), count = bytes > INT_MAX ? 1 : (int)bytes, code = 0;
    if (bytes > INT_MAX)
        code = make_long_type(bytes, &type);
    if (!code)
        code = is_send ? universe.mpi->Isend(buf, count, type, peer, tag, c->inside, &m->request.inside)
                       : universe.mpi->Irecv(buf, count, type, peer, tag, c->inside, &m->request.inside);
    if (bytes > INT_MAX && (intptr_t)type != ABI_BYTE)
        universe.mpi->Type_free(&type);
    return code ? fail(is_send ? "MPI_Isend" : "MPI_Irecv", code) : H3OU__OK;
}

static int start(const universe_link *link, int member, int64_t link_tag, void *buf, int64_t bytes, bool is_send, message *m)
{
    const universe_comm *c = link->comm;
    int rank = link->rank ? link->rank[member] : member;
    int64_t tag = link_tag << 8 | WAITIO_KIND;
    *m = (message){.is_inside = rank == c->rank || (c->local_rank[rank] >= 0 && !universe.is_crowded)};
    if (m->is_inside)
        return start_inside(c, c->local_rank[rank], link_tag, buf, bytes, is_send, m);
    return is_send ? waitio_isend(c->beyond, c->peer[rank], buf, (size_t)bytes, tag, &m->request.beyond)
                   : waitio_irecv(c->beyond, c->peer[rank], buf, (size_t)bytes, tag, &m->request.beyond);
}

static int isend(void *link, int peer, int64_t tag, const void *buf, int64_t bytes, void *req)
{
    return start(link, peer, tag, (void *)(uintptr_t)buf, bytes, true, req);
}

static int irecv(void *link, int peer, int64_t tag, void *buf, int64_t bytes, void *req)
{
    return start(link, peer, tag, buf, bytes, false, req);
}

static int test_one(message *m)
{
    int done = 0, code = m->is_inside ? universe.mpi->Test(&m->request.inside, &done, NULL) : waitio_test(&m->request.beyond, &done);
    if (code)
        return m->is_inside ? fail("MPI_Test", code) : code;
    m->is_complete = done;
    return H3OU__OK;
}

static int test(void *link, int n, void *req, bool *done)
{
    message *m = req;
    (void)link;
    *done = true;
    for (int i = 0; i < n; i++) {
        int err = m[i].is_complete ? H3OU__OK : test_one(&m[i]);
        if (err)
            return err;
        *done = *done && m[i].is_complete;
    }
    return H3OU__OK;
}

const h3ou__link_ops universe_link_ops = {.request_size = sizeof(message), .isend = isend, .irecv = irecv, .test = test};
