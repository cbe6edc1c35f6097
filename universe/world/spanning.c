/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/world/spanning.h"

#include <stdlib.h>

#include "base/error.h"
#include "host/host_block.h"
#include "universe/world/failure.h"
#include "universe/world/topology.h"
#include "universe/world/handlers.h"

/* Sets the ranks in `local` of the members that are in this job: they have its order. */
static void find_local(universe_comm *c)
{
    c->is_plain = true;
    for (int r = 0; r < c->size; r++) {
        c->local_rank[r] = -1;
        if (universe_job_of(c->world_rank[r]) != universe.job)
            continue;
        if (c->world_rank[r] == universe.rank) {
            c->rank = r;
            c->my_local = c->nlocal;
        }
        c->is_plain = c->is_plain && r == c->nlocal;
        c->rank_of_local[c->nlocal] = r;
        c->local_rank[r] = c->nlocal++;
    }
}

static int compare_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

typedef struct member_list {
    int *ranks;  /* of all jobs, one job behind the other, each with -1 at its end */
    int **of_job; /* [njob] NULL: no member */
    int *order;   /* [njob] */
    int *sorted;  /* [size] world ranks, ascending */
} member_list;

/* A group of WaitIO counts its members through the jobs, in each in ascending order. */
static int list_members(const universe_comm *c, member_list *m)
{
    size_t n = (size_t)c->size, jobs = (size_t)universe.njob;
    m->ranks = malloc((n + jobs) * sizeof *m->ranks);
    m->of_job = calloc(jobs, sizeof *m->of_job);
    m->order = malloc(jobs * sizeof *m->order);
    m->sorted = malloc(n * sizeof *m->sorted);
    if (!m->ranks || !m->of_job || !m->order || !m->sorted)
        return h3ou__fail(H3OU__ENOMEM, "no memory for a communicator of %d processes", c->size);
    for (int r = 0; r < c->size; r++)
        m->sorted[r] = c->world_rank[r];
    qsort(m->sorted, n, sizeof *m->sorted, compare_int);
    int *to = m->ranks;
    for (int job = 0, at = 0; job < universe.njob; job++) {
        int begin = at;
        m->order[job] = job;
        m->of_job[job] = to;
        for (; at < c->size && m->sorted[at] < universe.first[job + 1]; at++)
            *to++ = m->sorted[at] - universe.first[job];
        if (at == begin)
            m->of_job[job] = NULL;
        else
            *to++ = -1;
    }
    return H3OU__OK;
}

static int make_groups(universe_comm *c)
{
    member_list m = {0};
    int err = list_members(c, &m);
    if (!err) {
        for (int r = 0; r < c->size; r++) {
            int *at = bsearch(&c->world_rank[r], m.sorted, (size_t)c->size, sizeof(int), compare_int);
            c->peer[r] = (int)(at - m.sorted);
            c->rank_of_peer[c->peer[r]] = r;
        }
        c->group = waitio_create_group_wranks(2 * c->context, m.of_job, m.order);
        c->beyond = waitio_create_group_wranks(2 * c->context + 1, m.of_job, m.order);
        if (!c->group || !c->beyond)
            err = H3OU__ENOMEM;
    }
    free(m.ranks);
    free(m.of_job);
    free(m.order);
    free(m.sorted);
    return err;
}

static void comm_free(universe_comm *c)
{
    universe_errors_forget(c);
    universe_order_free(c);
    universe_parted_free(c);
    if (c->group)
        waitio_group_free(c->group);
    if (c->beyond)
        waitio_group_free(c->beyond);
    if (c->inside)
        universe.mpi->Comm_free(&c->inside);
    if (c->local)
        universe.mpi->Comm_free(&c->local);
    h3ou__host_block_free(c->memory);
    universe_topology_drop(c->topology);
    universe_handler_drop(c->errhandler);
    free(c->division);
    free(c->world_rank);
    free(c);
}

universe_comm *universe_comm_allocate(int size, const int world_rank[])
{
    universe_comm *c = calloc(1, sizeof *c);
    int *numbers = malloc(5 * (size_t)size * sizeof *numbers);
    if (!c || !numbers) {
        free(c);
        free(numbers);
        h3ou__fail(H3OU__ENOMEM, "no memory for a communicator of %d processes", size);
        return NULL;
    }
    *c = (universe_comm){.size = size, .refs = 1, .errhandler = (abi_Errhandler)ABI_ERRORS_ARE_FATAL,
                         .world_rank = numbers, .local_rank = numbers + size, .rank_of_local = numbers + 2 * (size_t)size,
                         .peer = numbers + 3 * (size_t)size, .rank_of_peer = numbers + 4 * (size_t)size};
    for (int r = 0; r < size; r++)
        c->world_rank[r] = world_rank[r];
    find_local(c);
    c->passing = (struct inside_comm){.size = size, .is_plain = c->is_plain, .local_rank = c->local_rank};
    return c;
}

/* A predefined handle is another one in the job's MPI. */
static intptr_t real_handle(abi_Comm handle)
{
    const struct shortcut *real = universe.mpi->shortcut;
    bool is_predefined = (intptr_t)handle >= 0 && (intptr_t)handle < HUB_PREDEFINED;
    return is_predefined && real ? real->own_of[(intptr_t)handle] : (intptr_t)handle;
}

int universe_comm_complete(universe_comm *c, abi_Comm local, abi_Comm inside, int32_t context)
{
    c->local = local;
    c->passing.local = real_handle(local);
    c->inside = inside;
    c->context = context;
    universe_errors_keep(c);
    universe.mpi->Comm_set_errhandler(inside, (abi_Errhandler)ABI_ERRORS_RETURN);
    return make_groups(c);
}

universe_comm *universe_comm_new(int size, const int world_rank[], abi_Comm local, int32_t context)
{
    abi_Comm inside;
    universe_comm *c = universe_comm_allocate(size, world_rank);
    if (c && universe.mpi->Comm_dup(local, &inside))
        h3ou__fail(H3OU__EMPI, "MPI_Comm_dup failed");
    else if (c && universe_comm_complete(c, local, inside, context) == H3OU__OK)
        return c;
    if (c)
        comm_free(c);
    return NULL;
}

void universe_comm_hold(universe_comm *c)
{
    c->refs++;
}

void universe_comm_drop(universe_comm *c)
{
    if (--c->refs == 0)
        comm_free(c);
}
