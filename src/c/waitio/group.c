/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups: a table made locally, without a word to anybody. */
#include <stdlib.h>

#include "base/error.h"
#include "waitio/instance.h"

int truef(int rank)
{
    (void)rank;
    return 1;
}

static int by_order(const int order[], int a, int b)
{
    int x = order ? order[a] : a, y = order ? order[b] : b;
    return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

/* The PBs in the group, by ascending order. */
static int sort_parts(int npb, const int order[], int pb[])
{
    int n = 0;
    for (int i = 0; i < npb; i++) {
        if (order && order[i] < 0)
            continue;
        int at = n++;
        for (; at > 0 && by_order(order, pb[at - 1], i) > 0; at--)
            pb[at] = pb[at - 1];
        pb[at] = i;
    }
    return n;
}

static int take_list(waitio__part *part, const int *list, int procs)
{
    int n = 0;
    while (list && list[n] >= 0)
        if (list[n++] >= procs)
            return h3ou__fail(H3OU__EARG, "group: PB %d has %d processes, rank %d is none of them", part->pb, procs, list[n - 1]);
    part->count = n;
    part->member = malloc(sizeof(int) * (size_t)(n + 1));
    for (int i = 0; part->member && i < n; i++)
        part->member[i] = list[i];
    return part->member ? H3OU__OK : h3ou__fail(H3OU__ENOMEM, "out of memory for a group");
}

static int take_func(waitio__part *part, waitio_filter_func_t func, int procs)
{
    part->count = procs;
    if (func == truef) /* all: no list */
        return H3OU__OK;
    part->member = malloc(sizeof(int) * (size_t)(procs + 1));
    if (!part->member)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a group");
    part->count = 0;
    for (int rank = 0; func && rank < procs; rank++)
        if (func(rank))
            part->member[part->count++] = rank;
    return H3OU__OK;
}

static waitio_group_t create(int gid, int *list[], waitio_filter_func_t func[], int order[])
{
    waitio__instance *w = waitio__me;
    if (waitio__check())
        return NULL;
    struct waitio_group *g = calloc(1, sizeof *g);
    int *pb = malloc(sizeof *pb * (size_t)w->npb), err = H3OU__OK;
    if (g)
        g->part = calloc((size_t)w->npb, sizeof *g->part);
    if (!g || !pb || !g->part) {
        err = h3ou__fail(H3OU__ENOMEM, "out of memory for a group");
        goto done;
    }
    g->id = (uint32_t)gid;
    g->rank = -1;
    int n = sort_parts(w->npb, order, pb);
    for (int i = 0; i < n && !err; i++) {
        waitio__part *part = &g->part[g->npart++];
        int procs = w->first[pb[i] + 1] - w->first[pb[i]];
        *part = (waitio__part){.pb = pb[i], .first = g->size};
        err = func ? take_func(part, func[pb[i]], procs) : take_list(part, list[pb[i]], procs);
        for (int k = 0; !err && part->pb == w->pb && k < part->count; k++)
            if ((part->member ? part->member[k] : k) == w->rank)
                g->rank = g->size + k;
        g->size += part->count;
    }
done:
    free(pb);
    if (err) {
        waitio_group_free(g);
        return NULL;
    }
    return g;
}

waitio_group_t waitio_create_group_wrank(int gid, int *rank[], int order[])
{
    return create(gid, rank, NULL, order);
}

waitio_group_t waitio_create_group_func(int gid, waitio_filter_func_t func[], int order[])
{
    return create(gid, NULL, func, order);
}

int waitio_group_free(waitio_group_t grp)
{
    if (!grp)
        return H3OU__OK;
    for (int i = 0; i < grp->npart; i++)
        free(grp->part[i].member);
    free(grp->part);
    free(grp);
    return H3OU__OK;
}

int waitio_group_rank(waitio_group_t grp, int *rankp)
{
    if (!grp)
        return h3ou__fail(H3OU__EARG, "waitio_group_rank: the group is NULL");
    *rankp = grp->rank;
    return H3OU__OK;
}

int waitio_group_size(waitio_group_t grp, int *sizep)
{
    if (!grp)
        return h3ou__fail(H3OU__EARG, "waitio_group_size: the group is NULL");
    *sizep = grp->size;
    return H3OU__OK;
}
