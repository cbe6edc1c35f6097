/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/group.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "waitio/message/call_lock.h"
#include "waitio/message/instance.h"

typedef struct place { /* of a PB in the group */
    int order, pb;
} place;

static int by_order(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->pb > y->pb) - (x->pb < y->pb);
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Fills a part from a list of ranks that ends with -1. */
static int fill_list(waitio__group_part *p, const int rank[], int size)
{
    int n = 0;
    while (rank[n] >= 0)
        if (rank[n++] >= size)
            return h3ou__fail(H3OU__EARG, "a group lists rank %d of PB %d, which has %d processes: ranks count from 0", rank[n - 1],
                              p->pb, size);
    p->rank = malloc(((size_t)n + 1) * sizeof *p->rank);
    if (!p->rank)
        return h3ou__fail(H3OU__ENOMEM, "no memory for a group of %d", n);
    if (n)
        memcpy(p->rank, rank, (size_t)n * sizeof *p->rank);
    qsort(p->rank, (size_t)n, sizeof *p->rank, by_number);
    for (int i = 1; i < n; i++)
        if (p->rank[i] == p->rank[i - 1])
            return h3ou__fail(H3OU__EARG, "a group lists rank %d of PB %d twice", p->rank[i], p->pb);
    p->n = n;
    return H3OU__OK;
}

/* The list is made when the first rank is left out: a part that is all of a PB takes no memory. */
static int fill_func(waitio__group_part *p, waitio_filter_func_t func, int size)
{
    for (int rank = 0; rank < size; rank++) {
        bool is_member = func(p->pb, rank);
        if (!is_member && !p->rank) {
            p->rank = malloc((size_t)size * sizeof *p->rank);
            if (!p->rank)
                return h3ou__fail(H3OU__ENOMEM, "no memory for a group of %d", size);
            for (int i = 0; i < p->n; i++)
                p->rank[i] = i;
        }
        if (is_member && p->rank)
            p->rank[p->n] = rank;
        p->n += is_member;
    }
    return H3OU__OK;
}

/* Drops the list of a part that is all of a PB. */
static void part_compact(waitio__group_part *p, int size)
{
    if (p->n != size || !p->rank)
        return;
    free(p->rank);
    p->rank = NULL;
}

static void group_free(waitio_group_t g)
{
    for (int i = 0; g && i < g->npart; i++)
        free(g->part[i].rank);
    if (g)
        free(g->part);
    free(g);
}

static int part_position(const waitio__group_part *p, int rank)
{
    if (!p->rank)
        return rank < p->n ? rank : -1;
    const int *found = bsearch(&rank, p->rank, (size_t)p->n, sizeof rank, by_number);
    return found ? (int)(found - p->rank) : -1;
}

static int group_fill(waitio__instance *in, waitio_group_t g, int *rank[], waitio_filter_func_t func[],
                      const place order[], int n)
{
    for (int i = 0; i < n; i++) {
        int pb = order[i].pb, size = waitio__endpoints_size(&in->table, pb);
        if (!(rank ? rank[pb] != NULL : func[pb] != NULL))
            continue;
        waitio__group_part *p = &g->part[g->npart++];
        *p = (waitio__group_part){.pb = pb, .first = g->size};
        int code = rank ? fill_list(p, rank[pb], size) : fill_func(p, func[pb], size);
        if (code)
            return code;
        part_compact(p, size);
        g->size += p->n;
        int mine = pb == in->set.pbid ? part_position(p, in->self.rank) : -1;
        if (mine >= 0)
            g->my_rank = p->first + mine;
        if (!p->n) {
            free(p->rank);
            g->npart--;
        }
    }
    if (!g->size)
        return h3ou__fail(H3OU__EARG, "group %d has no member", g->id);
    return H3OU__OK;
}

static waitio_group_t group_new(int gid, int *rank[], waitio_filter_func_t func[], int order[])
{
    waitio__instance *in;
    if (waitio__instance_enter(&in))
        return NULL;
    if ((!rank && !func) || !order) {
        h3ou__fail(H3OU__EARG, "group %d: members or order is NULL", gid);
        waitio__instance_leave(in);
        return NULL;
    }
    int npb = in->table.npb, n = 0;
    place *places = malloc((size_t)npb * sizeof *places);
    waitio_group_t g = calloc(1, sizeof *g), out = NULL;
    if (g)
        g->part = calloc((size_t)npb, sizeof *g->part);
    if (!places || !g || !g->part) {
        h3ou__fail(H3OU__ENOMEM, "no memory for a group over %d jobs", npb);
        goto done;
    }
    g->id = gid;
    g->refs = 1;
    g->my_rank = -1;
    for (int pb = 0; pb < npb; pb++)
        if (order[pb] >= 0)
            places[n++] = (place){order[pb], pb};
    qsort(places, (size_t)n, sizeof *places, by_order);
    if (!group_fill(in, g, rank, func, places, n)) {
        out = g;
        g = NULL;
    }
done:
    free(places);
    group_free(g);
    waitio__instance_leave(in);
    return out;
}

waitio_group_t waitio_create_group_wranks(int gid, int *rank[], int order[])
{
    return group_new(gid, rank, NULL, order);
}

waitio_group_t waitio_create_group_wrank(int gid, int *rank[], int order[])
{
    return group_new(gid, rank, NULL, order);
}

waitio_group_t waitio_create_group_func(int gid, waitio_filter_func_t func[], int order[])
{
    return group_new(gid, NULL, func, order);
}

/* In parentheses: the header has a macro of this name that chooses by type. */
waitio_group_t(waitio_create_group)(int gid, waitio_filter_func_t func[], int order[])
{
    return group_new(gid, NULL, func, order);
}

/* For programs that use the published predicate without defining it; a program's own truef replaces this one. */
H3OU_API int truef(int pbid, int rank);
__attribute__((weak)) int truef(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

void waitio__group_hold(waitio_group_t g)
{
    g->refs++;
}

void waitio__group_drop(waitio_group_t g)
{
    if (g && --g->refs == 0)
        group_free(g);
}

int waitio_group_free(waitio_group_t grp)
{
    /* Other threads may be completing requests of the group, also after the run has failed. */
    waitio__instance *in = waitio__instance_current();
    if (in)
        waitio__call_lock_take(in);
    waitio__group_drop(grp);
    if (in)
        waitio__call_lock_give(in);
    return H3OU__OK;
}

int waitio_group_rank(waitio_group_t grp, int *rankp)
{
    if (!grp || !rankp)
        return h3ou__fail(H3OU__EARG, "waitio_group_rank: the group or rankp is NULL");
    *rankp = grp->my_rank;
    return H3OU__OK;
}

int waitio_group_size(waitio_group_t grp, int *sizep)
{
    if (!grp || !sizep)
        return h3ou__fail(H3OU__EARG, "waitio_group_size: the group or sizep is NULL");
    *sizep = grp->size;
    return H3OU__OK;
}

void waitio__group_member(waitio_group_t g, int rank, int *pb, int *rank_in_pb)
{
    int low = 0, high = g->npart;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (g->part[middle].first <= rank)
            low = middle;
        else
            high = middle;
    }
    const waitio__group_part *p = &g->part[low];
    *pb = p->pb;
    *rank_in_pb = p->rank ? p->rank[rank - p->first] : rank - p->first;
}

int waitio__group_rank_of(waitio_group_t g, int pb, int rank_in_pb)
{
    for (int i = 0; i < g->npart; i++)
        if (g->part[i].pb == pb) {
            int at = part_position(&g->part[i], rank_in_pb);
            return at < 0 ? -1 : g->part[i].first + at;
        }
    return -1;
}
