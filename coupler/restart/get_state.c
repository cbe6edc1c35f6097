/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/restart/get_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "coupler/common/message_state.h"
#include "coupler/restart/field_keys.h"

static h3ou__field_keys keys_of(const h3ou__incoming *in)
{
    return (h3ou__field_keys){"get", in->config, in->var, in->grid, h3ou__world_local(in->world)};
}

static int64_t rows_of(const h3ou__incoming *in)
{
    return h3ou__config_components(in->var, in->var->get_xyz) * in->model_layer;
}

/* Lists the exchanges that were received ahead. */
static int list_ahead(const h3ou__incoming *in, int number, h3ou__restart_list *list)
{
    char part[32], name[H3OU__RESTART_NAME];
    int i = 0, err = H3OU__OK;
    for (const h3ou__ahead *a = in->ahead; a && !err; a = a->next, i++) {
        snprintf(part, sizeof part, "ahead_%d", i);
        h3ou__field_label("get", number, part, name);
        err = h3ou__restart_list_text(list, name, "%" PRId64 " %d", a->number, a->state);
        snprintf(part, sizeof part, "ahead_%d_value", i);
        if (!err && a->value)
            err = h3ou__restart_list_array(list, h3ou__field_label("get", number, part, name), in->grid, rows_of(in), a->value);
    }
    return err;
}

static int count_ahead(const h3ou__incoming *in)
{
    int n = 0;
    for (const h3ou__ahead *a = in->ahead; a; a = a->next)
        n++;
    return n;
}

/* Lists the exchanges between which flag='INT' interpolates. A process that needs no cells has the values of those without a
 * source. */
static int list_between(h3ou__incoming *in, int number, int64_t ncomputed, h3ou__restart_list *list)
{
    char name[H3OU__RESTART_NAME];
    int err = ncomputed > 0 && in->ncomputed == 0 ? h3ou__incoming_compute_next(in) : H3OU__OK;
    if (err || ncomputed == 0)
        return err;
    err = h3ou__restart_list_array(list, h3ou__field_label("get", number, "former", name), in->grid, rows_of(in), in->former);
    return err ? err : h3ou__restart_list_array(list, h3ou__field_label("get", number, "latest", name), in->grid, rows_of(in), in->latest);
}

/* Lists the member that was lost, if one was. */
static int list_lost(const h3ou__incoming *in, int number, h3ou__restart_list *list)
{
    char label[H3OU__RESTART_NAME];
    const char *lost = in->streams ? h3ou__member_streams_lost(in->streams) : NULL;
    return lost ? h3ou__restart_list_text(list, h3ou__field_label("get", number, "lost", label), "%s", lost) : H3OU__OK;
}

/* A member that was lost has no restart of this time, and without its values no exchange is that of the whole run. */
static int check_lost(const h3ou__incoming *in, int number, h3ou__restart_file *r)
{
    char label[H3OU__RESTART_NAME], lost[H3OU__RESTART_TEXT];
    bool has = false;
    int err = h3ou__restart_file_text(r, h3ou__field_label("get", number, "lost", label), lost, &has);
    if (err || !has)
        return err;
    return h3ou__fail(H3OU__EFILE, "%s: was written after member %s of field %s was lost, which has no restart of this time: go on from the "
                      "restarts of a time before, with all members", h3ou__restart_file_name(r), lost, in->var->get);
}

int h3ou__get_state_list(h3ou__incoming *in, int number, h3ou__rational now, h3ou__restart_list *list)
{
    h3ou__field_keys keys = keys_of(in);
    int64_t from = h3ou__exchange_from(&in->times, now), mine[2] = {in->next, in->ncomputed}, all[2];
    char label[H3OU__RESTART_NAME], starts[H3OU__SCHEDULE_TEXT];
    int err = h3ou__allreduce(keys.local, mine, all, 2, H3OU__INT64, H3OU__MAX);
    if (!err)
        err = h3ou__field_keys_list(&keys, number, list);
    if (!err)
        err = h3ou__restart_list_text(list, h3ou__field_label("get", number, "state", label), "%s %" PRId64 " %" PRId64 " %d",
                                      h3ou__schedule_text(&in->times, starts), all[0] > from ? all[0] : from, all[1],
                                      count_ahead(in));
    if (!err)
        err = list_lost(in, number, list);
    if (!err)
        err = list_ahead(in, number, list);
    return err ? err : list_between(in, number, all[1], list);
}

static int fail_damaged(const h3ou__restart_file *r, const char *label)
{
    return h3ou__fail(H3OU__EFILE, "%s: is damaged: %s", h3ou__restart_file_name(r), label);
}

static int read_ahead(h3ou__incoming *in, int number, int n, h3ou__restart_file *r)
{
    char part[32], name[H3OU__RESTART_NAME], text[H3OU__RESTART_TEXT];
    int64_t exchange;
    int state, err = H3OU__OK;
    bool has;
    for (int i = 0; i < n && !err; i++) {
        h3ou__ahead *a = NULL;
        snprintf(part, sizeof part, "ahead_%d", i);
        err = h3ou__restart_file_text(r, h3ou__field_label("get", number, part, name), text, &has);
        if (!err && (!has || sscanf(text, "%" SCNd64 " %d", &exchange, &state) != 2))
            return fail_damaged(r, name);
        if (!err)
            err = h3ou__incoming_add_ahead(in, exchange, state, state == H3OU__VALUE, &a);
        snprintf(part, sizeof part, "ahead_%d_value", i);
        if (!err && a->value)
            err = h3ou__restart_file_array(r, h3ou__field_label("get", number, part, name), in->grid, rows_of(in), a->value);
    }
    return err;
}

static int read_between(h3ou__incoming *in, int number, h3ou__restart_file *r)
{
    static const char *const parts[2] = {"former", "latest"};
    double *values = malloc(sizeof *values * (size_t)(rows_of(in) * in->n + 1));
    char name[H3OU__RESTART_NAME];
    int err = values ? H3OU__OK : h3ou__no_memory("%s", in->what);
    for (int i = 0; i < 2 && !err; i++)
        if ((err = h3ou__restart_file_array(r, h3ou__field_label("get", number, parts[i], name), in->grid, rows_of(in), values)) == H3OU__OK)
            err = h3ou__incoming_keep_next(in, values);
    free(values);
    return err;
}

int h3ou__get_state_read(h3ou__incoming *in, const int date[6], h3ou__restart_file *r)
{
    h3ou__field_keys keys = keys_of(in);
    char label[H3OU__RESTART_NAME], text[H3OU__RESTART_TEXT];
    int64_t next, ncomputed;
    bool has = false;
    int number, nahead, err = h3ou__field_keys_find(&keys, r, &number);
    if (!err)
        err = check_lost(in, number, r);
    if (!err)
        err = h3ou__restart_file_text(r, h3ou__field_label("get", number, "state", label), text, &has);
    if (err)
        return err;
    const char *rest = has ? h3ou__schedule_read(text, date, &in->times) : NULL;
    if (!rest || sscanf(rest, "%" SCNd64 " %" SCNd64 " %d", &next, &ncomputed, &nahead) != 3)
        return fail_damaged(r, label);
    in->next = next;
    err = read_ahead(in, number, nahead, r);
    return err || ncomputed == 0 ? err : read_between(in, number, r);
}
