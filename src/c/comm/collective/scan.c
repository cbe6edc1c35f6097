/* SPDX-License-Identifier: BSD-3-Clause */
/* Scan and Reduce_scatter. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "comm/collective/function_reduction.h"
#include "comm/part/host_agreement.h"
#include "comm/part/schedule_call.h"
#include "comm/world.h"

/* A schedule of all members: a member's result needs those of all before it, so that Kings would gain nothing. */
int h3ou__scan(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, const h3ou__reduction *by)
{
    h3ou__function_fold fold = {0};
    size_t bytes = (size_t)(count * h3ou__type_size(type));
    int err = h3ou__host_begin(c, "scan");
    void *input = malloc(bytes + 1); /* send may be recv */
    if (!err && !input)
        err = h3ou__no_memory("a collective");
    if (!err && by->combine)
        err = h3ou__function_fold_open(by, count, type, &fold);
    if (!err && bytes)
        memcpy(input, send, bytes);
    h3ou__schedule_call s = {
        .comm = c,
        .what = "scan",
        .type = type,
        .among = H3OU__AMONG_MEMBERS,
        .call = {.operation = H3OU__COLL_SCAN, .count = count, .order = H3OU__ORDER_RANKS, .must_keep = true},
        .data = by->combine
                    ? h3ou__function_fold_data(&fold, input, recv, type)
                    : (h3ou__coll_data){
                          .input = input, .output = recv, .combine = h3ou__coll_combine, .type = type, .op = by->op}};
    if (!err)
        err = h3ou__schedule_call_run(&s);
    free(fold.second);
    free(input);
    return err;
}

/* A reduction to rank 0, which scatters the parts: the values have the bits of h3ou__reduce. */
int h3ou__reduce_scatter(h3ou__comm *c, const void *send, void *recv, const int64_t counts[], int type,
                         const h3ou__reduction *by)
{
    int64_t total = 0, *displs = malloc(sizeof *displs * (size_t)c->size);
    for (int i = 0; i < c->size && displs; i++) {
        displs[i] = total;
        total += counts[i];
    }
    void *all = displs ? malloc((size_t)(total * h3ou__type_size(type)) + 1) : NULL;
    int err = all ? h3ou__reduce_by(c, send, all, total, type, by, 0) : h3ou__no_memory("a collective");
    if (!err)
        err = h3ou__scatterv(c, all, counts, displs, recv, counts[c->rank], type, 0);
    free(all);
    free(displs);
    return err;
}
