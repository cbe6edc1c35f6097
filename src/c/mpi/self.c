/* SPDX-License-Identifier: BSD-3-Clause */
/* The table h3ou__mpi_ops for a process without MPI, which has one rank. Messages to itself are kept in a list;
 * collectives copy. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "mpi/mpi.h"

/* A message or a posted receive. A request's first word is the number of its item, 0 if the operation is complete. */
typedef struct item {
    struct item *next;
    int64_t number;
    bool is_send, done, truncated;
    h3ou__mpi_comm comm;
    int tag;
    void *data; /* a copy of what was sent, or the buffer of the receive */
    int64_t bytes, got;
} item;

static item *items; /* in the order of posting */
static int64_t last_number;
static int64_t ncomm = 1;

static int only_rank(const char *call, int rank)
{
    return rank == 0 ? H3OU__OK
                     : h3ou__fail(H3OU__EMPI, "%s: rank %d: a process without MPI has rank 0 only", call, rank);
}

static void match_pair(item *send, item *recv)
{
    recv->truncated = send->bytes > recv->bytes;
    recv->got = send->bytes;
    int64_t fitting = recv->truncated ? recv->bytes : send->bytes;
    if (fitting)
        memcpy(recv->data, send->data, (size_t)fitting);
    send->done = recv->done = true;
}

static void match_all(void)
{
    for (item *s = items; s; s = s->next)
        for (item *r = items; s->is_send && !s->done && r; r = r->next)
            if (!r->is_send && !r->done && r->comm == s->comm && r->tag == s->tag)
                match_pair(s, r);
}

static int post_item(bool is_send, h3ou__mpi_comm c, void *data, int64_t bytes, int tag, h3ou__mpi_req *req)
{
    item *i = calloc(1, sizeof *i), **end = &items;
    if (!i || (is_send && !(i->data = malloc((size_t)bytes + 1)))) {
        free(i);
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a message");
    }
    if (is_send && bytes)
        memcpy(i->data, data, (size_t)bytes);
    if (!is_send)
        i->data = data;
    i->is_send = is_send;
    i->comm = c;
    i->tag = tag;
    i->bytes = bytes;
    i->number = req->opaque[0] = ++last_number;
    while (*end)
        end = &(*end)->next;
    *end = i;
    match_all();
    return H3OU__OK;
}

static int complete_request(h3ou__mpi_req *req)
{
    req->opaque[0] = 0;
    return H3OU__OK;
}

static int s_init(int *did)
{
    *did = 0;
    return H3OU__OK;
}

static int s_initialized(int *yes, int *finalized)
{
    *yes = 1;
    *finalized = 0;
    return H3OU__OK;
}

static int s_finalize(void)
{
    return H3OU__OK;
}

static int s_abort(int code)
{
    return h3ou__fail(H3OU__EUNSUPPORTED, "a process without MPI ends itself (code %d)", code);
}

static int s_version(char *text, int size)
{
    snprintf(text, (size_t)size, "no MPI");
    return H3OU__OK;
}

static int s_at_finalize(const h3ou__mpi_finalize_ops *ops)
{
    (void)ops;
    return H3OU__OK;
}

static int s_has_finalized(int *yes)
{
    *yes = 0;
    return H3OU__OK;
}

static int s_new_comm(h3ou__mpi_comm *out)
{
    *out = ++ncomm;
    return H3OU__OK;
}

static int s_live_in(const int *handle)
{
    return handle ? h3ou__fail(H3OU__EARG, "h3ou_init: comm is given, but this process runs no MPI") : H3OU__OK;
}

static int s_all(h3ou__mpi_comm *out, int *is_world)
{
    *is_world = 1;
    return s_new_comm(out);
}

static int s_split(h3ou__mpi_comm c, int color, int key, h3ou__mpi_comm *out)
{
    (void)c;
    (void)key;
    *out = 0;
    return color < 0 ? H3OU__OK : s_new_comm(out);
}

static int s_dup(h3ou__mpi_comm c, h3ou__mpi_comm *out)
{
    (void)c;
    return s_new_comm(out);
}

static int s_comm_free(h3ou__mpi_comm *c)
{
    *c = 0;
    return H3OU__OK;
}

static int s_rank(h3ou__mpi_comm c, int *rank)
{
    (void)c;
    *rank = 0;
    return H3OU__OK;
}

static int s_size(h3ou__mpi_comm c, int *size)
{
    (void)c;
    *size = 1;
    return H3OU__OK;
}

static int s_to_fortran(h3ou__mpi_comm c, int *handle)
{
    (void)c;
    *handle = 0; /* there is no handle without MPI */
    return H3OU__OK;
}

static int s_isend(h3ou__mpi_comm c, const void *buf, int64_t count, int type, int dst, int tag, h3ou__mpi_req *req)
{
    int err = only_rank("isend", dst);
    return err ? err : post_item(true, c, (void *)(uintptr_t)buf, count * h3ou__type_size(type), tag, req);
}

static int s_irecv(h3ou__mpi_comm c, void *buf, int64_t count, int type, int src, int tag, h3ou__mpi_req *req)
{
    int err = only_rank("irecv", src == H3OU__ANY_SOURCE ? 0 : src);
    return err ? err : post_item(false, c, buf, count * h3ou__type_size(type), tag, req);
}

static int s_test(h3ou__mpi_req *req, int *done, int64_t *bytes)
{
    *done = 1;
    if (bytes)
        *bytes = 0;
    if (req->opaque[0] == 0)
        return H3OU__OK;
    item **at = &items;
    while (*at && (*at)->number != req->opaque[0])
        at = &(*at)->next;
    item *i = *at;
    if (!i || !i->done) {
        *done = i == NULL;
        return H3OU__OK;
    }
    if (bytes)
        *bytes = i->got;
    int err = i->truncated ? h3ou__fail(H3OU__ETRUNC, "a message is longer than the buffer that awaits it") : H3OU__OK;
    *at = i->next;
    if (i->is_send)
        free(i->data);
    free(i);
    req->opaque[0] = 0;
    return err;
}

static int s_iprobe(h3ou__mpi_comm c, int src, int tag, int *found, int64_t *bytes)
{
    *found = 0;
    *bytes = 0;
    for (item *i = items; i && !*found; i = i->next)
        if (i->is_send && !i->done && i->comm == c && i->tag == tag) {
            *found = 1;
            *bytes = i->bytes;
        }
    return only_rank("iprobe", src == H3OU__ANY_SOURCE ? 0 : src);
}

static int s_ibarrier(h3ou__mpi_comm c, h3ou__mpi_req *req)
{
    (void)c;
    return complete_request(req);
}

static int s_ibcast(h3ou__mpi_comm c, void *buf, int64_t count, int type, int root, h3ou__mpi_req *req)
{
    (void)c;
    (void)buf;
    (void)count;
    (void)type;
    int err = only_rank("ibcast", root);
    return err ? err : complete_request(req);
}

static int copy_to_self(const char *call, const void *send, void *recv, int64_t count, int type, int root,
                        h3ou__mpi_req *req)
{
    int err = only_rank(call, root);
    if (err)
        return err;
    if (send != recv && count)
        memmove(recv, send, (size_t)(count * h3ou__type_size(type)));
    return complete_request(req);
}

static int s_igather(h3ou__mpi_comm c, const void *send, int64_t count, void *recv, int type, int root,
                     h3ou__mpi_req *req)
{
    (void)c;
    return copy_to_self("igather", send, recv, count, type, root, req);
}

static int s_igatherv(h3ou__mpi_comm c, const void *send, int64_t count, void *recv, const int counts[],
                      const int displs[], int type, int root, h3ou__mpi_req *req)
{
    (void)c;
    (void)counts;
    return copy_to_self("igatherv", send, (char *)recv + displs[0] * h3ou__type_size(type), count, type, root, req);
}

static int s_iscatter(h3ou__mpi_comm c, const void *send, void *recv, int64_t count, int type, int root,
                      h3ou__mpi_req *req)
{
    (void)c;
    return copy_to_self("iscatter", send, recv, count, type, root, req);
}

static int s_iscatterv(h3ou__mpi_comm c, const void *send, const int counts[], const int displs[], void *recv,
                       int64_t count, int type, int root, h3ou__mpi_req *req)
{
    (void)c;
    (void)counts;
    return copy_to_self("iscatterv", (const char *)send + displs[0] * h3ou__type_size(type), recv, count, type, root,
                        req);
}

static int s_iallgather(h3ou__mpi_comm c, const void *send, int64_t count, void *recv, int type, h3ou__mpi_req *req)
{
    (void)c;
    return copy_to_self("iallgather", send, recv, count, type, 0, req);
}

static int s_ialltoallv(h3ou__mpi_comm c, const void *send, const int scounts[], const int sdispls[], void *recv,
                        const int rcounts[], const int rdispls[], int type, h3ou__mpi_req *req)
{
    (void)c;
    (void)rcounts;
    int size = h3ou__type_size(type);
    return copy_to_self("ialltoallv", (const char *)send + sdispls[0] * size, (char *)recv + rdispls[0] * size,
                        scounts[0], type, 0, req);
}

static int s_ireduce(h3ou__mpi_comm c, const void *send, void *recv, int64_t count, int type, int op, int root,
                     h3ou__mpi_req *req)
{
    (void)c;
    (void)op;
    return copy_to_self("ireduce", send, recv, count, type, root, req);
}

static int s_iallreduce(h3ou__mpi_comm c, const void *send, void *recv, int64_t count, int type, int op,
                        h3ou__mpi_req *req)
{
    return s_ireduce(c, send, recv, count, type, op, 0, req);
}

const h3ou__mpi_ops h3ou__mpi_self = {
    .abi = H3OU__MPI_ABI,
    .name = "self",
    .init = s_init,
    .initialized = s_initialized,
    .finalize = s_finalize,
    .abort = s_abort,
    .version = s_version,
    .at_finalize = s_at_finalize,
    .has_finalized = s_has_finalized,
    .live_in = s_live_in,
    .all = s_all,
    .world = s_new_comm,
    .split = s_split,
    .dup = s_dup,
    .dup_for_model = s_dup,
    .comm_free = s_comm_free,
    .rank = s_rank,
    .size = s_size,
    .to_fortran = s_to_fortran,
    .group_to_fortran = s_to_fortran,
    .isend = s_isend,
    .irecv = s_irecv,
    .test = s_test,
    .iprobe = s_iprobe,
    .ibarrier = s_ibarrier,
    .ibcast = s_ibcast,
    .igather = s_igather,
    .igatherv = s_igatherv,
    .iscatter = s_iscatter,
    .iscatterv = s_iscatterv,
    .iallgather = s_iallgather,
    .ialltoall = s_iallgather,
    .ialltoallv = s_ialltoallv,
    .ireduce = s_ireduce,
    .iallreduce = s_iallreduce,
};
