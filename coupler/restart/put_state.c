/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/restart/put_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "comm/collective/collective.h"
#include "coupler/exchange/interval_statistic.h"
#include "coupler/exchange/put_values.h"
#include "coupler/exchange/ready_message.h"
#include "coupler/restart/field_keys.h"

/* Numbers of a field that are the same on all processes that put it; a process without cells may not put it. */
enum {
    NEXT,
    HAS_VALUE,
    HAS_INITIAL,
    HAS_SHARE,
    NSUM,
    SUM_HAS_SHARE,
    IS_FRESH,
    PUT_NUM,
    PUT_DEN,
    FIRST,
    IS_BEHIND,
    NNUMBER
};

static h3ou__field_keys keys_of(const h3ou__outgoing *o)
{
    return (h3ou__field_keys){"put", o->config, o->var, o->grid, h3ou__world_local(o->world)};
}

static int64_t rows_of(const h3ou__outgoing *o)
{
    return o->layer * h3ou__config_components(o->var, o->var->put_xyz);
}

/* Lets all cells of a process that passed no shares count fully, where others passed some. */
static void complete_shares(h3ou__outgoing *o, bool has_share, bool sum_has_share)
{
    for (int64_t i = 0; i < o->n && has_share && !o->has_share; i++)
        o->share[i] = 1.0;
    o->share_number += has_share && !o->has_share;
    o->share_sum_number = sum_has_share && !o->sum_has_share ? 0 : o->share_sum_number;
    for (int64_t i = 0; i < o->n && sum_has_share && !o->sum_has_share; i++)
        o->share_sum[i] = o->sum_weight;
    o->has_share = has_share;
    o->sum_has_share = sum_has_share;
}

static int list_arrays(h3ou__outgoing *o, int number, const int64_t all[], h3ou__restart_list *list)
{
    char name[H3OU__RESTART_NAME];
    int err = H3OU__OK;
    if (all[HAS_VALUE] && !all[IS_BEHIND])
        err = h3ou__restart_list_array(list, h3ou__field_label("put", number, "newest", name), o->grid, rows_of(o), o->newest);
    if (!err && all[HAS_VALUE] && all[HAS_SHARE])
        err = h3ou__restart_list_array(list, h3ou__field_label("put", number, "share", name), o->grid, 1, o->share);
    if (!err && all[NSUM] > 0)
        err = h3ou__restart_list_array(list, h3ou__field_label("put", number, "sum", name), o->grid, rows_of(o), o->sum);
    if (!err && all[NSUM] > 0)
        err = h3ou__restart_list_array(list, h3ou__field_label("put", number, "share_sum", name), o->grid, 1, o->share_sum);
    return err;
}

int h3ou__put_state_list(h3ou__outgoing *o, int number, h3ou__rational receivers, h3ou__restart_list *list)
{
    h3ou__field_keys keys = keys_of(o);
    int64_t mine[NNUMBER] = {o->next,        o->has_value,
                             o->has_initial, o->has_share,
                             o->nsum,        o->sum_has_share,
                             o->is_fresh,    o->put_at.num,
                             o->put_at.den,  h3ou__exchange_from(&o->times, receivers),
                             o->is_behind},
            all[NNUMBER];
    char label[H3OU__RESTART_NAME], starts[H3OU__SCHEDULE_TEXT];
    h3ou__ready_message_settle(o);
    h3ou__sum_complete_shares(o);
    double mine_of_sum[] = {o->sum_step, o->sum_weight}, of_sum[2];
    int err = h3ou__allreduce(keys.local, mine, all, NNUMBER, H3OU__INT64, H3OU__MAX);
    if (!err)
        err = h3ou__allreduce(keys.local, mine_of_sum, of_sum, 2, H3OU__DOUBLE, H3OU__MAX);
    if (!err)
        err = h3ou__field_keys_list(&keys, number, list);
    if (!err)
        err = h3ou__restart_list_text(list, h3ou__field_label("put", number, "state", label),
                                      "%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                                      " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %a %a %" PRId64,
                                      h3ou__schedule_text(&o->times, starts), all[NEXT], all[HAS_VALUE],
                                      all[HAS_INITIAL], all[HAS_SHARE], all[NSUM], all[SUM_HAS_SHARE], all[IS_FRESH],
                                      all[PUT_NUM], all[PUT_DEN], all[FIRST], of_sum[0], of_sum[1], all[IS_BEHIND]);
    if (err)
        return err;
    complete_shares(o, all[HAS_SHARE], all[SUM_HAS_SHARE]);
    return list_arrays(o, number, all, list);
}

/* Gives the sums of cells that have not counted yet the value that they have then: in files of earlier versions the
 * least and greatest ones are any. */
static void clear_uncounted(h3ou__outgoing *o)
{
    double uncounted = h3ou__statistics[o->var->flag].uncounted;
    for (int64_t start = 0; start < o->values && o->nsum > 0 && o->sum_has_share; start += o->n)
        for (int64_t i = 0; i < o->n; i++)
            if (o->share_sum[i] <= 0.0)
                o->sum[start + i] = uncounted;
}

static int read_arrays(h3ou__outgoing *o, int number, h3ou__restart_file *r)
{
    char name[H3OU__RESTART_NAME];
    int err = H3OU__OK;
    if (o->has_value && !o->is_behind)
        err = h3ou__restart_file_array(r, h3ou__field_label("put", number, "newest", name), o->grid, rows_of(o), o->newest);
    if (!err && o->has_value && o->has_share)
        err = h3ou__restart_file_array(r, h3ou__field_label("put", number, "share", name), o->grid, 1, o->share);
    if (!err && o->nsum > 0)
        err = h3ou__restart_file_array(r, h3ou__field_label("put", number, "sum", name), o->grid, rows_of(o), o->sum);
    if (!err && o->nsum > 0)
        err = h3ou__restart_file_array(r, h3ou__field_label("put", number, "share_sum", name), o->grid, 1, o->share_sum);
    o->has_nan = false;
    for (int64_t i = 0; i < o->values && !o->has_nan; i++)
        o->has_nan = isnan(o->newest[i]);
    o->share_number += o->has_share;
    clear_uncounted(o);
    h3ou__put_values_clear(o); /* files of earlier versions have what the model put in cells with share 0 */
    return err;
}

int h3ou__put_state_read(h3ou__outgoing *o, const int date[6], h3ou__restart_file *r)
{
    h3ou__field_keys keys = keys_of(o);
    char label[H3OU__RESTART_NAME], text[H3OU__RESTART_TEXT];
    int64_t all[NNUMBER] = {0}; /* files of earlier versions end before IS_BEHIND */
    bool has = false;
    int number, err = h3ou__field_keys_find(&keys, r, &number);
    if (!err)
        err = h3ou__restart_file_text(r, h3ou__field_label("put", number, "state", label), text, &has);
    if (err)
        return err;
    const char *rest = has ? h3ou__schedule_read(text, date, &o->times) : NULL;
    if (!rest || sscanf(rest,
                        "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
                        " %" SCNd64 " %" SCNd64 " %la %la %" SCNd64,
                        &all[NEXT], &all[HAS_VALUE], &all[HAS_INITIAL], &all[HAS_SHARE], &all[NSUM],
                        &all[SUM_HAS_SHARE], &all[IS_FRESH], &all[PUT_NUM], &all[PUT_DEN], &all[FIRST], &o->sum_step,
                        &o->sum_weight, &all[IS_BEHIND]) < NNUMBER + 1)
        return h3ou__fail(H3OU__EFILE, "%s: is damaged: %s", h3ou__restart_file_name(r), label);
    o->next = all[NEXT];
    o->first = all[FIRST];
    o->has_value = all[HAS_VALUE];
    o->has_initial = all[HAS_INITIAL];
    o->has_share = all[HAS_SHARE];
    o->nsum = h3ou__statistic_sums(&h3ou__statistics[o->var->flag]) ? all[NSUM] : 0;
    o->sum_has_share = all[SUM_HAS_SHARE];
    o->sum_shares = o->share_sum_number = o->share_puts = 0; /* share_sum is read */
    o->is_fresh = all[IS_FRESH];
    o->put_at = (h3ou__rational){all[PUT_NUM], all[PUT_DEN]};
    o->is_packed = false;
    o->is_behind = all[IS_BEHIND];
    return read_arrays(o, number, r);
}
