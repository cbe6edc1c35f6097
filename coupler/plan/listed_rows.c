/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/plan/listed_rows.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/heap.h"

/* Finds out the distinct source cells of my rows. */
static int collect_sources(h3ou__listed_rows *l)
{
    int err = H3OU__OK;
    bool is_new;
    for (int64_t i = 0; i < l->list.n && !err; i++)
        err = h3ou__index_set_add(&l->sources, l->list.send[i], &is_new);
    h3ou__index_set_count(&l->sources);
    if (!err && !(l->need = h3ou__heap_array(l->sources.n, sizeof *l->need)))
        err = h3ou__no_memory("the plan of an exchange");
    if (!err)
        h3ou__index_set_list(&l->sources, l->need);
    return err;
}

int h3ou__list_rows(const h3ou__plan_task *task, h3ou__listed_rows *out)
{
    int err = h3ou__plan_redistribute_entries(task, &out->list);
    if (!err)
        err = h3ou__entry_list_sort(&out->list, task->grid->n, &out->rows);
    if (!err)
        err = collect_sources(out);
    out->is_there = !err;
    return err;
}

void h3ou__listed_rows_free(h3ou__listed_rows *l)
{
    h3ou__entry_list_free(&l->list);
    h3ou__sparse_free(&l->rows);
    h3ou__index_set_free(&l->sources);
    free(l->need);
    *l = (h3ou__listed_rows){0};
}
