/* SPDX-License-Identifier: BSD-3-Clause */
/* The four communicators, and which process a rank of each of them is. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/world.h"

int h3ou__comm_rank(const h3ou__comm *c)
{
    return c->rank;
}

int h3ou__comm_size(const h3ou__comm *c)
{
    return c->size;
}

h3ou__world *h3ou__comm_world(const h3ou__comm *c)
{
    return c->world;
}

static int job_of(const h3ou__world *w, int global)
{
    int low = 0, high = w->njob;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (global >= w->first[middle])
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns the place in the couple of the component that a rank of Couple belongs to, and sets its rank there. */
static int couple_block(const h3ou__world *w, int rank, int *inside)
{
    int block = 0;
    while (block < w->ncouple - 1 && rank >= w->couple_start[block + 1])
        block++;
    *inside = rank - w->couple_start[block];
    return block;
}

/* Returns the component of a member, and sets its rank there; NULL for Global. */
static const h3ou__component *component_of(const h3ou__comm *c, int rank, int *inside)
{
    const h3ou__component *all = c->world->component;
    *inside = rank;
    switch (c->kind) {
    case H3OU__LEADER:
        *inside = 0;
        return &all[rank];
    case H3OU__LOCAL:
        return &all[c->world->me];
    case H3OU__COUPLE:
        return &all[c->world->couple_id[couple_block(c->world, rank, inside)]];
    case H3OU__MODEL_UP:
    case H3OU__MODEL_DOWN:
        if (rank < all[c->a].size)
            return &all[c->a];
        *inside = rank - all[c->a].size;
        return &all[c->b];
    }
    return NULL;
}

void h3ou__comm_place(const h3ou__comm *c, int rank, int *job, int *job_rank)
{
    int inside;
    const h3ou__component *component = component_of(c, rank, &inside);
    if (component) {
        *job = component->job;
        *job_rank = h3ou__component_job_rank(component, inside);
    } else {
        *job = job_of(c->world, rank);
        *job_rank = rank - c->world->first[*job];
    }
}

int h3ou__comm_tag(const h3ou__comm *c, bool is_send, int peer, int tag)
{
    enum { AT_SENDER = 21, AT_RECEIVER = 24 }; /* above all tags; H3OU__OWN_MOST numbers each */
    int inside;
    const h3ou__world *w = c->world;
    const h3ou__component *other = w->is_shared ? component_of(c, peer, &inside) : NULL;
    if (!other) /* on Global processes send, not components */
        return tag;
    int mine = w->component[w->me].color, sender = is_send ? mine : other->color, receiver = is_send ? other->color : mine;
    return tag | sender << AT_SENDER | receiver << AT_RECEIVER;
}

char *h3ou__comm_member(const h3ou__comm *c, int rank, char *text, int size)
{
    int job, job_rank, inside;
    const h3ou__component *component = component_of(c, rank, &inside);
    h3ou__comm_place(c, rank, &job, &job_rank);
    for (int i = 0; i < c->world->ncomponent && !component; i++)
        if (c->world->component[i].job == job &&
            (inside = h3ou__component_rank(&c->world->component[i], job_rank)) >= 0)
            component = &c->world->component[i];
    snprintf(text, (size_t)size, "component %s rank %d", component ? component->name : "?", inside);
    return text;
}

const char *h3ou__comm_name(const h3ou__comm *c, char *text, size_t size)
{
    const h3ou__component *all = c->world->component;
    switch (c->kind) {
    case H3OU__GLOBAL:
        snprintf(text, size, "Global");
        break;
    case H3OU__LEADER:
        snprintf(text, size, "Leader");
        break;
    case H3OU__LOCAL:
        snprintf(text, size, "Local of %s", all[c->world->me].name);
        break;
    case H3OU__COUPLE:
        snprintf(text, size, "Couple of %s", all[c->world->me].name);
        break;
    default:
        snprintf(text, size, "Model of %s and %s", all[c->a].name, all[c->b].name);
    }
    return text;
}

int h3ou__comm_king(const h3ou__comm *c, int block)
{
    switch (c->kind) {
    case H3OU__GLOBAL:
        return c->world->first[block];
    case H3OU__LEADER:
        return block;
    case H3OU__LOCAL:
        return 0;
    case H3OU__COUPLE:
        return c->world->couple_start[block];
    }
    return block == 0 ? 0 : c->world->component[c->a].size;
}

int h3ou__comm_block_size(const h3ou__comm *c, int block)
{
    return (block + 1 < c->nblock ? h3ou__comm_king(c, block + 1) : c->size) - h3ou__comm_king(c, block);
}

int h3ou__comm_block_of(const h3ou__comm *c, int rank, int *block_rank)
{
    int block = 0;
    if (c->kind == H3OU__GLOBAL)
        block = job_of(c->world, rank);
    else if (c->kind == H3OU__LEADER)
        block = rank;
    else if (c->kind == H3OU__COUPLE)
        block = couple_block(c->world, rank, block_rank);
    else if (c->kind != H3OU__LOCAL)
        block = rank >= c->world->component[c->a].size;
    *block_rank = rank - h3ou__comm_king(c, block);
    return block;
}

static void set_block(h3ou__comm *c, int nblock, h3ou__mpi_comm inside, h3ou__host_place *host)
{
    c->host = host;
    c->nblock = nblock;
    c->inside = inside;
    c->block = h3ou__comm_block_of(c, c->rank, &c->block_rank);
}

h3ou__comm *h3ou__world_global(h3ou__world *w)
{
    h3ou__comm *c = &w->global;
    if (!c->world) {
        *c = (h3ou__comm){
            .world = w, .kind = H3OU__GLOBAL, .size = w->first[w->njob], .rank = w->first[w->job] + w->job_rank};
        set_block(c, w->njob, w->job_comm, w->job_host);
    }
    return c;
}

h3ou__comm *h3ou__world_lossy(h3ou__world *w)
{
    w->lossy = *h3ou__world_global(w);
    w->lossy.may_lose = true;
    return &w->lossy;
}

h3ou__comm *h3ou__world_leader(h3ou__world *w)
{
    h3ou__comm *c = &w->leader;
    if (h3ou__component_rank(&w->component[w->me], w->job_rank) != 0)
        return NULL;
    if (!c->world) {
        *c = (h3ou__comm){.world = w, .kind = H3OU__LEADER, .size = w->ncomponent, .rank = w->me};
        set_block(c, w->ncomponent, 0, NULL);
    }
    return c;
}

h3ou__comm *h3ou__world_local(h3ou__world *w)
{
    h3ou__comm *c = &w->local;
    if (!c->world) {
        const h3ou__component *me = &w->component[w->me];
        *c = (h3ou__comm){
            .world = w, .kind = H3OU__LOCAL, .size = me->size, .rank = h3ou__component_rank(me, w->job_rank)};
        set_block(c, 1, w->local_comm, &w->local_host);
    }
    return c;
}

/* Lists the components of my couple. */
static int list_couple(h3ou__world *w)
{
    size_t most = (size_t)w->ncomponent + 1;
    w->couple_id = malloc(sizeof *w->couple_id * most);
    w->couple_start = calloc(most, sizeof *w->couple_start);
    if (!w->couple_id || !w->couple_start)
        return h3ou__no_memory("a communicator");
    for (int i = 0; i < w->ncomponent; i++) {
        if (w->component[i].member != w->component[w->me].member)
            continue;
        w->couple_id[w->ncouple] = i;
        w->couple_start[w->ncouple + 1] = w->couple_start[w->ncouple] + w->component[i].size;
        w->ncouple++;
    }
    return H3OU__OK;
}

int h3ou__world_couple(h3ou__world *w, h3ou__comm **out)
{
    h3ou__comm *c = &w->couple;
    *out = w->is_ensemble ? c : h3ou__world_global(w);
    if (!w->is_ensemble || c->world)
        return H3OU__OK;
    int err = list_couple(w);
    if (err)
        return err;
    const h3ou__component *me = &w->component[w->me];
    *c = (h3ou__comm){.world = w, .kind = H3OU__COUPLE, .size = w->couple_start[w->ncouple]};
    c->rank = h3ou__comm_of_component(c, w->me) + h3ou__component_rank(me, w->job_rank);
    set_block(c, w->ncouple, w->local_comm, &w->local_host);
    return H3OU__OK;
}

int h3ou__comm_of_component(const h3ou__comm *c, int id)
{
    const h3ou__world *w = c->world;
    if (c->kind == H3OU__GLOBAL)
        return h3ou__world_component_first(w, id);
    for (int i = 0; c->kind == H3OU__COUPLE && i < w->ncouple; i++)
        if (w->couple_id[i] == id)
            return w->couple_start[i];
    return -1;
}

int h3ou__world_model(h3ou__world *w, int a, int b, h3ou__comm **out)
{
    *out = NULL;
    if (a == b || a < 0 || b < 0 || a >= w->ncomponent || b >= w->ncomponent || (w->me != a && w->me != b))
        return h3ou__fail(H3OU__EARG, "component %s takes no part in this communication between two components",
                          w->component[w->me].name);
    for (h3ou__comm *c = w->models; c; c = c->next)
        if (c->a == a && c->b == b) {
            *out = c;
            return H3OU__OK;
        }
    h3ou__comm *c = calloc(1, sizeof *c);
    if (!c)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a communicator");
    const h3ou__component *first = &w->component[a], *second = &w->component[b];
    *c = (h3ou__comm){.world = w, .kind = a < b ? H3OU__MODEL_UP : H3OU__MODEL_DOWN, .a = a, .b = b, .next = w->models};
    c->size = first->size + second->size;
    c->rank =
        w->me == a ? h3ou__component_rank(first, w->job_rank) : first->size + h3ou__component_rank(second, w->job_rank);
    set_block(c, 2, w->local_comm, &w->local_host);
    w->models = c;
    *out = c;
    return H3OU__OK;
}

int h3ou__comm_to_global(const h3ou__comm *c, int rank)
{
    int job, job_rank;
    h3ou__comm_place(c, rank, &job, &job_rank);
    return c->world->first[job] + job_rank;
}

int h3ou__comm_to_fortran(const h3ou__comm *c, int *comm, int *group)
{
    if (c->kind != H3OU__LOCAL)
        return h3ou__fail(H3OU__EARG, "a communicator over several components has no handle of MPI: only that of the own component has "
                          "one");
    const h3ou__world *w = c->world;
    int err = w->mpi->to_fortran(w->user_comm, comm);
    return err ? err : w->mpi->group_to_fortran(w->user_comm, group);
}
