/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/outgoing.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "base/single_precision.h"
#include "coupler/common/message_tags.h"
#include "coupler/config/ensemble_keys.h"
#include "coupler/config/interval.h"
#include "coupler/config/leniency.h"
#include "coupler/ensemble/slices.h"
#include "coupler/exchange/interval_statistic.h"
#include "coupler/exchange/kept_value.h"
#include "coupler/exchange/observer.h"
#include "coupler/exchange/pack_message.h"
#include "coupler/exchange/put_values.h"
#include "coupler/exchange/ready_message.h"

/* Returns whether my member sends its values to another one of its group, and none to the other component. */
static bool is_following(const h3ou__outgoing *o)
{
    return o->members && o->members->mail.parent;
}

static int fail_no_memory(const h3ou__outgoing *o)
{
    return h3ou__fail(H3OU__ENOMEM, "%s: out of memory", o->what);
}

/* Returns how many exchanges of a field may be on their way. A receiver that waits for a field with a lag above 0 cannot
 * receive the others meanwhile, so as many of these as fit in the time that it is ahead must be allowed, or both would
 * wait for ever; with lag=-n the first n exchanges are sent at once. */
static int count_allowed_parcels(const h3ou__config *config, const h3ou__config_var *var, const h3ou__world *world)
{
    if (var->lag == 0 || h3ou__world_is_shared(world))
        return INT_MAX; /* a limit could deadlock: this put would wait for a receiver that waits for my next step, or that this
                         * process or another one is to call later */
    /* A process that receives from itself must not wait for what it takes later itself. */
    int own = h3ou__config_is_own(&config->pair[var->pair]) ? H3OU__NOW_AHEAD : 0;
    double at_once = own + (var->lag < 0 ? 3.0 - var->lag : 4.0);
    if (!h3ou__interval_is_given(&var->intvl))
        return 4 + own;
    return (int)fmin(INT_MAX, at_once + floor(2.0 * config->longest_lag / h3ou__interval_least(&var->intvl)));
}

/* Lists the cells that are sent. Nothing is computed from the others, which may hold huge fill values. */
static int list_sent_cells(h3ou__outgoing *o)
{
    unsigned char *is_needed = calloc((size_t)o->n + 1, 1);
    o->needed = malloc(sizeof *o->needed * (size_t)(o->n + 1));
    o->cells = malloc(sizeof *o->cells * (size_t)(o->plan->npartner + 1));
    if (!is_needed || !o->needed || !o->cells) {
        free(is_needed);
        return H3OU__ENOMEM;
    }
    for (int k = 0; k < o->plan->npartner; k++)
        o->cells[k] = h3ou__picked_of(o->plan->slot + o->plan->start[k], o->plan->start[k + 1] - o->plan->start[k]);
    for (int64_t k = 0; k < o->plan->start[o->plan->npartner]; k++)
        is_needed[o->plan->slot[k]] = 1;
    if (o->members) /* the leader of the group may send any of them */
        memset(is_needed, 1, (size_t)o->n);
    for (int64_t i = 0; i < o->n; i++)
        if (is_needed[i])
            o->needed[o->nneeded++] = (int32_t)i;
    for (int64_t k = 0; k < o->nneeded && o->has_sum; k++)
        o->has_sum[o->needed[k]] = 1;
    free(is_needed);
    return H3OU__OK;
}

static int outgoing_allocate(h3ou__outgoing *o)
{
    o->values = o->n * o->layer * h3ou__config_components(o->var, o->var->put_xyz);
    size_t values = (size_t)o->values + 1, cells = (size_t)o->n + 1;
    o->newest = calloc(values, sizeof *o->newest);
    o->share = calloc(cells, sizeof *o->share);
    if (!o->newest || !o->share)
        return fail_no_memory(o);
    if (!h3ou__statistic_sums(&h3ou__statistics[o->var->flag]))
        return H3OU__OK;
    o->sum = calloc(values, sizeof *o->sum);
    o->share_sum = calloc(cells, sizeof *o->share_sum);
    o->has_sum = calloc(cells, sizeof *o->has_sum);
    return o->sum && o->share_sum && o->has_sum ? H3OU__OK : fail_no_memory(o);
}

int h3ou__outgoing_create(const h3ou__config *config, int var, h3ou__world *world, const h3ou__grid *grid,
                          h3ou__outgoing **out)
{
    h3ou__outgoing *o = calloc(1, sizeof *o);
    if (!o)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a field");
    o->config = config;
    o->var = &config->var[var];
    o->world = world;
    o->grid = grid;
    o->n = grid->n;
    o->slices_put = h3ou__slices_put(world, config, o->var);
    o->layer = o->var->layer * o->slices_put;
    o->is_direct = h3ou__ensemble_is_direct(config, world, &config->pair[o->var->pair]);
    o->slices = o->is_direct ? 1 : h3ou__slices_got(world, config, o->var);
    o->tag = H3OU__TAG_FIELD + var;
    o->window = count_allowed_parcels(config, o->var, world);
    snprintf(o->what, sizeof o->what, "field %s for %s", o->var->put, config->pair[o->var->pair].comp_get);
    int err = outgoing_allocate(o);
    if (err) {
        h3ou__outgoing_free(o);
        return err;
    }
    *out = o;
    return H3OU__OK;
}

void h3ou__outgoing_free(h3ou__outgoing *o)
{
    if (!o)
        return;
    h3ou__parcel_free_all(&o->parcels);
    for (int k = 0; o->ring && k < o->plan->npartner; k++)
        h3ou__ring_free(o->ring[k]);
    free(o->ring);
    free(o->message);
    free(o->cells);
    h3ou__placed_cells_free(&o->placed);
    for (int k = 0; o->shares && k < o->plan->npartner; k++)
        h3ou__sent_shares_free(&o->shares[k]);
    free(o->shares);
    free(o->needed);
    free(o->has_sum);
    free(o->newest);
    free(o->share);
    free(o->share_aside);
    free(o->sum);
    free(o->share_sum);
    for (int k = 0; o->axes && k < o->plan->npartner; k++)
        h3ou__axes_free(&o->axes[k]);
    free(o->axes);
    free(o->by_member);
    free(o->telling);
    h3ou__group_statistic_free(o->members);
    free(o);
}

/* Logs once, with cell and time, the first NaN that is sent and counts: it tells where a wrong number entered the run.
 */
static void log_nan(h3ou__outgoing *o, const h3ou__clock *clock)
{
    int64_t at = -1;
    char text[H3OU__DATE_TEXT];
    if (o->nan_logged || !o->has_nan)
        return;
    for (int64_t start = 0; start < o->values && at < 0; start += o->n)
        for (int64_t k = 0; k < o->nneeded && at < 0; k++)
            if (isnan(o->newest[start + o->needed[k]]) && !(o->has_share && o->share[o->needed[k]] <= 0.0))
                at = start + o->needed[k];
    if (at < 0)
        return;
    bool missing = o->var->remap.has_missing || *o->var->remap.method;
    h3ou__log(missing ? H3OU__LOG_WHISPER : H3OU__LOG_WARNING, "nan",
              "field=%s to=%s cell=%" PRId64 " layer=%" PRId64 " time=\"%s\" taken-as=%s", o->var->put,
              o->config->pair[o->var->pair].comp_get, o->grid->index[at % o->n], at / o->n % o->layer + 1,
              h3ou__clock_text(clock, o->config, clock->now, text), missing ? "missing" : "value");
    o->nan_logged = true;
}

/* Looks at the values that are sent, once the plan says which these are. */
static int check_values(h3ou__outgoing *o, const h3ou__clock *clock)
{
    log_nan(o, clock);
    return h3ou__data_range_check(o, clock);
}

/* Returns the bundle in which the messages to partner k are, or NULL. */
static h3ou__bundle_sent *bundle_of(const h3ou__outgoing *o, int k)
{
    return o->sent_in ? o->sent_in[k].bundle : NULL;
}

int h3ou__outgoing_progress(h3ou__outgoing *o, bool *busy)
{
    int err = h3ou__parcel_progress(&o->parcels);
    *busy = o->parcels.first != NULL;
    for (int k = 0; o->sent_in && k < o->plan->npartner && !err; k++)
        if (bundle_of(o, k) && bundle_of(o, k)->parcels.first) {
            err = h3ou__parcel_progress(&bundle_of(o, k)->parcels);
            *busy |= bundle_of(o, k)->parcels.first != NULL;
        }
    return err;
}

/* Waits until fewer parcels than the window allows are on their way. */
static int wait_for_window(h3ou__outgoing *o)
{
    int err = H3OU__OK;
    while (!err && o->parcels.n >= o->window)
        err = h3ou__parcel_await(&o->parcels);
    for (int k = 0; o->sent_in && k < o->plan->npartner && !err; k++)
        if (bundle_of(o, k))
            err = h3ou__bundle_sent_await(bundle_of(o, k));
    return err;
}

/* Returns whether the next exchange would have to wait for the window. */
static bool is_window_full(const h3ou__outgoing *o)
{
    bool is_full = o->parcels.n >= o->window;
    for (int k = 0; o->sent_in && k < o->plan->npartner && !is_full; k++)
        is_full = bundle_of(o, k) && h3ou__bundle_sent_is_full(bundle_of(o, k));
    return is_full;
}

static void begin_head(double message[H3OU__HEAD], double mark, int state, double more)
{
    memset(message, 0, sizeof *message * H3OU__HEAD);
    message[H3OU__HEAD_MARK] = mark;
    message[H3OU__HEAD_STATE] = state;
    message[H3OU__HEAD_MORE] = more;
}

/* Puts all components of a member's slice behind those of the member before, so that each is sent as a sample of its own. */
static int arrange_slices(h3ou__outgoing *o, h3ou__sample *s)
{
    int count = h3ou__config_components(o->var, o->var->put_xyz);
    int64_t slice = o->var->layer * o->n;
    if (!h3ou__message_is_slice(o) || count == 1)
        return H3OU__OK;
    if (!o->by_member && !(o->by_member = malloc(sizeof *o->by_member * (size_t)(o->values + 1))))
        return fail_no_memory(o);
    for (int m = 0; m < o->slices_put; m++)
        for (int k = 0; k < count; k++)
            memcpy(o->by_member + (m * count + k) * slice, s->value + (k * o->slices_put + m) * slice,
                   sizeof *s->value * (size_t)slice);
    s->value = o->by_member;
    return H3OU__OK;
}

/* What the message of an exchange has for each cell: so many values, and perhaps a share. */
typedef struct content {
    int64_t rows;
    bool has_share;
} content;

/* Returns the length of the message of partner k. */
static int64_t message_size(const h3ou__outgoing *o, int k, content each)
{
    int64_t cells = o->plan->start[k + 1] - o->plan->start[k];
    return h3ou__message_length(h3ou__message_has_singles(o->var), cells, each.rows) +
           (each.has_share && !o->shares[k].are_kept ? cells : 0);
}

double *h3ou__outgoing_place(const h3ou__outgoing *o, int k)
{
    return bundle_of(o, k) ? h3ou__bundle_sent_place(bundle_of(o, k), o->sent_in[k].field) : h3ou__ring_place(o->ring[k]);
}

/* Begins a parcel, unless all messages are bundled and it would have none. *p: the parcel, or NULL. */
static int begin_parcel(h3ou__outgoing *o, int64_t numbers, bool is_now, h3ou__parcel **p)
{
    bool has_some = is_now;
    for (int k = 0; k < o->plan->npartner && !has_some; k++)
        has_some = !bundle_of(o, k);
    *p = has_some ? h3ou__parcel_begin(&o->parcels, numbers) : NULL;
    return !has_some || *p ? H3OU__OK : fail_no_memory(o);
}

/* Finds where each message is written: where its receiver reads it, in a bundle, or in a parcel, which is begun. */
static int find_room(h3ou__outgoing *o, content each, bool is_now, h3ou__parcel **p)
{
    int64_t numbers = 0;
    int err = H3OU__OK;
    for (int k = 0; k < o->plan->npartner && !err; k++) {
        o->message[k] = NULL;
        if (!is_now && bundle_of(o, k))
            err = h3ou__bundle_sent_room(bundle_of(o, k), o->sent_in[k].field, &o->message[k]);
        else if (!is_now)
            o->message[k] = h3ou__ring_place(o->ring[k]);
        numbers += o->message[k] ? 0 : message_size(o, k, each);
    }
    if (!err)
        err = begin_parcel(o, numbers, is_now, p);
    double *room = !err && *p ? (*p)->data : NULL;
    for (int k = 0; k < o->plan->npartner && room; k++)
        if (!o->message[k]) {
            o->message[k] = room;
            room += message_size(o, k, each);
        }
    return err;
}

/* Sends the message of partner k: in its bundle, or as the next one of the parcel. */
static int send_message(h3ou__outgoing *o, h3ou__parcel *p, int k, int64_t size)
{
    const h3ou__plan *plan = o->plan;
    bool is_now = o->message[k][H3OU__HEAD_MARK] < 0.0;
    if (!is_now && bundle_of(o, k))
        return h3ou__bundle_sent_add(bundle_of(o, k), o->sent_in[k].field, o->message[k], size);
    int err = is_now ? h3ou__isend(plan->model, plan->partner[k], h3ou__tag_now(o->config, o->tag), o->message[k], size,
                                   H3OU__DOUBLE, o->what, &p->req[p->n])
                     : h3ou__ring_send(o->ring[k], o->message[k], size, &p->req[p->n]);
    p->n += !err;
    return err;
}

/* Sends an exchange to all partners; with s NULL only the heads of the messages. more: the third number of the head. */
static int send_parcel(h3ou__outgoing *o, double time, int state, double more, const h3ou__sample *s)
{
    const h3ou__plan *plan = o->plan;
    if (plan->npartner == 0)
        return H3OU__OK;
    h3ou__ready_message_settle(o); /* s->value may be newest, and the messages get other memory */
    content each = {0};
    if (s)
        each = (content){(int64_t)h3ou__message_rows(o) * h3ou__message_width(o->var, plan), s->share != NULL};
    h3ou__sample sent = s ? *s : (h3ou__sample){0};
    int err = s ? arrange_slices(o, &sent) : H3OU__OK;
    if (err)
        return err;
    h3ou__parcel *p = NULL;
    h3ou__choose_shares(o, &sent, time < 0.0);
    err = find_room(o, each, time < 0.0, &p);
    for (int k = 0; k < plan->npartner && !err; k++) {
        begin_head(o->message[k], time, state, more);
        if (s)
            h3ou__pack_message(o, &sent, k, o->message[k]);
        if (time >= 0.0)
            h3ou__sent_shares_mark(&o->shares[k], o->message[k]);
        err = send_message(o, p, k, message_size(o, k, each));
    }
    return err;
}

/* Sends the messages that put has packed, of which each says already whether one of its values is NaN. */
static int send_ready(h3ou__outgoing *o, double time)
{
    content each = {h3ou__message_rows(o), o->has_share};
    h3ou__parcel *p = NULL;
    int err = begin_parcel(o, 0, false, &p);
    for (int k = 0; k < o->plan->npartner && !err; k++) {
        begin_head(o->message[k], time, o->has_share ? H3OU__SHARED : H3OU__VALUE, o->message[k][H3OU__HEAD_MORE]);
        h3ou__sent_shares_mark(&o->shares[k], o->message[k]);
        err = send_message(o, p, k, message_size(o, k, each));
    }
    return err;
}

/* Returns whether a step of my component began since the exchange before o->next was sent, so that the model could put
 * a new value. False when a step is longer than the interval. */
static bool had_step(const h3ou__outgoing *o, const h3ou__clock *clock)
{
    return h3ou__rational_compare(clock->now, h3ou__exchange_gathers(&o->times, o->next)) >= 0;
}

static void warn_stale(h3ou__outgoing *o, const h3ou__clock *clock)
{
    char text[H3OU__DATE_TEXT];
    if (o->is_fresh || o->stale_warned || !o->config->is_leader || !had_step(o, clock))
        return;
    h3ou__rational time = h3ou__exchange_leaves(&o->times, o->next);
    h3ou__warn(&o->stale_warned,
               "%s:%d: field %s was not put since the exchange before that of %s, %.15g s after the start: %s gets the "
               "old value again",
               o->config->file, o->var->line, o->var->put, h3ou__clock_text(clock, o->config, time, text),
               h3ou__rational_real(time),
               o->config->pair[o->var->pair].comp_get);
}

/* Shows what leaves to the observers; with s NULL a head that says why nothing does. */
static int show_sent(const h3ou__outgoing *o, double mark, int state, const h3ou__sample *s)
{
    return h3ou__is_watched(o->watched, H3OU__SIDE_SENT) && !is_following(o) ? h3ou__observe_sent(o, mark, state, s) : H3OU__OK;
}

/* Puts my sample together with those of the other members. On the leader *s becomes their statistic; *has: whether all
 * have one. */
static int join_members(const h3ou__outgoing *o, double time, h3ou__sample *s, bool *has)
{
    h3ou__group_statistic *g = o->members;
    int members, err = h3ou__group_statistic_begin(g);
    if (err)
        return err;
    g->has_share = *has && s->share;
    for (int64_t i = 0; i < o->n && g->has_share; i++)
        g->share[i] = s->share[i] / s->share_scale;
    if (*has && h3ou__sample_is_plain(s))
        memcpy(g->value, s->value, sizeof *g->value * (size_t)o->values);
    for (int64_t start = 0; start < o->values && *has && !h3ou__sample_is_plain(s); start += o->n)
        for (int64_t i = 0; i < o->n; i++)
            g->value[start + i] = h3ou__sample_value(s, start, i);
    for (int64_t i = 0; i < o->values && *has && h3ou__message_has_singles(o->var); i++)
        g->value[i] = h3ou__quiet_single(&g->value[i]); /* as members send that are coupled directly */
    err = h3ou__group_statistic_exchange(g, time, has, &members);
    *s = (h3ou__sample){.value = o->slices > 1 ? g->stack : g->value, .scale = 1.0, .times = 1.0, .share_scale = 1.0};
    s->share = g->has_share ? g->share : NULL;
    return err;
}

/* Begins the next interval: its first put is the first term of the sums. */
static void begin_interval(h3ou__outgoing *o)
{
    o->nsum = 0;
    o->share_puts = 0;
    o->sum_has_share = false;
    o->is_fresh = false;
    h3ou__kept_value_end(o);
}

/* Sends exchange o->next: what the key flag names, the newest value, or, when nothing was put, a head that says so. */
static int send_due(h3ou__outgoing *o, const h3ou__clock *clock)
{
    double time = h3ou__exchange_mark(&o->times, o->next);
    bool initial = h3ou__exchange_is_initial(&o->times, o->next);
    bool is_interval = !initial && o->var->lag != 0; /* else one value is sent, and nothing was summed */
    int flag = is_interval ? o->var->flag : H3OU__FLAG_SNP;
    const h3ou__statistic *statistic = &h3ou__statistics[flag];
    bool is_idle = o->nsum == 0 && is_interval && !had_step(o, clock);
    bool has = initial ? o->has_initial : h3ou__statistic_sums(statistic) && !is_idle ? o->nsum > 0 : o->has_value;
    h3ou__sample s = is_idle ? statistic->idle(o) : statistic->result(o);
    int err = has ? h3ou__kept_value_check(o, &s) : H3OU__OK;
    if (err)
        return err;
    if (has && is_interval && !h3ou__statistic_sums(statistic))
        warn_stale(o, clock);
    if (o->members && (err = join_members(o, time, &s, &has)) != H3OU__OK)
        return err;
    int state = !has ? H3OU__NO_VALUE : s.share ? H3OU__SHARED : H3OU__VALUE;
    err = has && h3ou__ready_message_waits(o) ? send_ready(o, time) : send_parcel(o, time, state, 0.0, has ? &s : NULL);
    h3ou__log(H3OU__LOG_LOUD, "send", "field=%s to=%s time=%.15g state=%s values=%" PRId64, o->var->put,
              o->config->pair[o->var->pair].comp_get, time, has ? h3ou__flag_meaning(flag) : "none",
              h3ou__statistic_sums(statistic) ? o->nsum : 1);
    return err ? err : show_sent(o, time, state, has ? &s : NULL);
}

/* The same, with its time recorded. */
static int send_values(h3ou__outgoing *o, const h3ou__clock *clock)
{
    h3ou__timeline *timeline = h3ou__world_timeline(o->world);
    h3ou__timeline_enter(timeline, H3OU__ACT_SEND, o->label);
    int err = send_due(o, clock);
    h3ou__timeline_leave(timeline);
    return err;
}

/* Ends the interval of exchange o->next, which is sent unless it is before the receiver's start or, with a lag above 0,
 * before the run's. */
static int send_exchange(h3ou__outgoing *o, const h3ou__clock *clock)
{
    int err = o->is_sent || o->next < o->first ? H3OU__OK : send_values(o, clock);
    o->is_sent = false;
    begin_interval(o);
    o->next++;
    return err;
}

/* Sends the next exchange if it is due by the end of my component's step. */
static int send_next_ahead(h3ou__outgoing *o, const h3ou__clock *clock, bool *sent)
{
    h3ou__rational due = h3ou__exchange_leaves(&o->times, o->next);
    *sent = h3ou__rational_compare(due, h3ou__clock_next(clock)) <= 0;
    if (!*sent)
        return H3OU__OK;
    o->is_ahead = true;
    o->ahead_to = due;
    return send_exchange(o, clock);
}

int h3ou__outgoing_send_ahead(h3ou__outgoing *o, const h3ou__clock *clock, int64_t last)
{
    bool sent = true;
    int err = H3OU__OK;
    while (!err && sent && o->next <= last)
        err = send_next_ahead(o, clock, &sent);
    return err;
}

int h3ou__outgoing_send_complete(h3ou__outgoing *o, const h3ou__clock *clock, h3ou__rational time, bool before)
{
    bool sent = o->has_value && h3ou__rational_compare(o->put_at, clock->now) == 0;
    int err = H3OU__OK;
    while (!err && sent && h3ou__rational_compare(h3ou__exchange_leaves(&o->times, o->next), time) < !before)
        err = send_next_ahead(o, clock, &sent);
    return err;
}

enum h3ou__sent_by h3ou__outgoing_sent_by(const h3ou__outgoing *o, const h3ou__clock *clock)
{
    if (o->is_sent)
        return H3OU__SENT_BY_PUT;
    if (o->is_ahead && h3ou__rational_compare(o->ahead_to, h3ou__clock_next(clock)) >= 0)
        return H3OU__SENT_BY_SIBLING;
    if (o->var->lag == 0 || o->next <= h3ou__exchange_first_of_sender(&o->times))
        return H3OU__SENT_BY_NONE;
    h3ou__rational last = h3ou__exchange_leaves(&o->times, o->next - 1);
    bool is_sibling = o->is_ahead && h3ou__rational_compare(o->ahead_to, last) >= 0;
    return !is_sibling && h3ou__rational_compare(last, clock->now) > 0 ? H3OU__SENT_BY_RESTART : H3OU__SENT_BY_NONE;
}

/* Returns whether what is put in this step leaves at its end, and no later put of the step may replace it. The members of a
 * group put their values together at that time. */
static bool is_final_put(const h3ou__outgoing *o, const h3ou__clock *clock)
{
    return o->var->second_put == H3OU__SECOND_IS_ERROR && clock->is_running && o->plan && !o->members && o->var->lag != 0 &&
           h3ou__rational_compare(h3ou__exchange_leaves(&o->times, o->next), h3ou__clock_next(clock)) <= 0;
}

/* Sends exchange o->next, whose interval ends at set_time all the same: a restart that is written before has all that is in it. Of
 * several exchanges in this step the others wait for set_time, which sends them in the order of their times, with those of other
 * fields. */
static int send_final(h3ou__outgoing *o, const h3ou__clock *clock)
{
    bool busy;
    int err = h3ou__outgoing_progress(o, &busy);
    if (err || is_window_full(o) || o->next < o->first)
        return err;
    err = send_values(o, clock);
    o->is_sent = !err;
    return err;
}

/* Checks that a put does not come after the exchange that its value belongs to. */
static int check_not_ahead(const h3ou__outgoing *o, const h3ou__clock *clock)
{
    char text[H3OU__DATE_TEXT];
    if (o->is_final && clock->is_running && h3ou__rational_compare(o->put_at, clock->now) == 0)
        return h3ou__fail(H3OU__ESTATE,
                          "%s:%d: field %s is put a second time in the step at %s, at the end of which it is sent to %s: with "
                          "second_put='error' the first put sends it; put it once, or leave second_put out",
                          o->config->file, o->var->line, o->var->put, h3ou__clock_text(clock, o->config, clock->now, text),
                          o->config->pair[o->var->pair].comp_get);
    if (!o->is_ahead || (clock->is_running && h3ou__rational_compare(o->ahead_to, clock->now) <= 0))
        return H3OU__OK;
    const h3ou__config_pair *pair = &o->config->pair[o->var->pair];
    return h3ou__fail(H3OU__ESTATE,
                      "%s:%d: field %s: the exchange of %s for %s was sent when another component of this process got a field, and "
                      "this put of component %s belongs to it: put it before that get",
                      o->config->file, o->var->line, o->var->put, h3ou__clock_text(clock, o->config, o->ahead_to, text),
                      pair->comp_get, pair->comp_put);
}

int h3ou__outgoing_put(h3ou__outgoing *o, const h3ou__clock *clock, const h3ou__arrays *given)
{
    const h3ou__statistic *statistic = &h3ou__statistics[o->var->flag];
    bool is_initial = !clock->is_running; /* such a value is not part of a mean */
    bool is_added = h3ou__statistic_sums(statistic) && !is_initial && o->var->lag != 0;
    double step = is_added ? h3ou__rational_real(clock->step) : 0.0;
    bool by_parts = step > 0.0 && h3ou__put_values_add_at_once(o);
    bool is_kept = !by_parts || h3ou__kept_value_is_needed(o, clock);
    int err = check_not_ahead(o, clock);
    if (!err && !h3ou__ready_message_pack(o, given)) {
        err = h3ou__put_values_copy(o, given, by_parts ? step : 0.0, &is_kept);
        o->is_packed &= err != H3OU__OK; /* else the value of this put has replaced the packed one */
    }
    if (!err && h3ou__is_watched(o->watched, H3OU__SIDE_PUT))
        err = h3ou__observe_put(o, given);
    if (err)
        return err;
    o->has_value = o->is_fresh = true;
    o->put_at = clock->now;
    h3ou__kept_value_put(o, clock, is_kept);
    o->is_final = is_final_put(o, clock);
    if (o->plan && (err = check_values(o, clock)) != H3OU__OK)
        return err;
    if (o->var->lag == 0)
        return o->plan ? send_exchange(o, clock) : H3OU__OK;
    if (is_initial)
        o->has_initial = true;
    else if (is_added && !by_parts)
        h3ou__sum_newest(o, step);
    return o->is_final ? send_final(o, clock) : H3OU__OK;
}

/* Makes the sender's ends of the rings. */
static int open_rings(h3ou__outgoing *o)
{
    const h3ou__plan *plan = o->plan;
    content longest = {(int64_t)h3ou__message_rows(o) * h3ou__message_width(o->var, plan), true};
    int err = H3OU__OK;
    o->ring = calloc((size_t)plan->npartner + 1, sizeof *o->ring);
    o->message = calloc((size_t)plan->npartner + 1, sizeof *o->message);
    o->shares = calloc((size_t)plan->npartner + 1, sizeof *o->shares);
    if (!o->ring || !o->message || !o->shares)
        return fail_no_memory(o);
    for (int k = 0; k < plan->npartner && !err; k++)
        if (!bundle_of(o, k))
            err = h3ou__ring_open(plan->model, plan->partner[k], o->tag, message_size(o, k, longest), H3OU__HEAD_RING,
                                  o->what, &o->ring[k]);
    for (int k = 0; k < plan->npartner && !err && o->var->second_put == H3OU__SECOND_IS_ERROR; k++)
        if (o->ring[k])
            h3ou__ring_send_early(o->ring[k]);
    return err;
}

/* Finds the directions of the components of a vector, in the order of each message. */
static int find_axes(h3ou__outgoing *o)
{
    h3ou__vector_frame *frame;
    int err = h3ou__vector_frames_create(o->grid, &frame);
    if (err)
        return err;
    bool point_east = h3ou__vector_frames_point_east(o->grid->n, frame),
         has = (o->axes = calloc((size_t)o->plan->npartner + 1, sizeof *o->axes)) != NULL;
    for (int k = 0; k < o->plan->npartner && has; k++) {
        has = h3ou__axes_create(o->cells[k].count, point_east, &o->axes[k]);
        for (int64_t i = 0; i < o->cells[k].count && has; i++)
            h3ou__axes_set(&o->axes[k], i, &frame[o->cells[k].at[i]]);
    }
    free(frame);
    return has ? H3OU__OK : fail_no_memory(o);
}

int h3ou__outgoing_plan(h3ou__outgoing *o, const h3ou__plan *plan, const h3ou__schedule *times, const h3ou__clock *clock,
                        const h3ou__sent_in sent_in[])
{
    o->plan = plan;
    o->sent_in = sent_in;
    o->times = *times;
    o->next = h3ou__exchange_first_of_sender(times);
    o->first = h3ou__exchange_first(times);
    o->put_at = clock->now; /* before h3ou_init_time the clock has no time yet */
    o->label = h3ou__timeline_label(h3ou__world_timeline(o->world), o->var->put, o->config->pair[o->var->pair].comp_get);
    int err = list_sent_cells(o) ? fail_no_memory(o) : H3OU__OK;
    o->parcels = (h3ou__parcels){.world = o->world, .npartner = plan->npartner};
    if (!err)
        err = open_rings(o);
    if (!err && !is_following(o) && h3ou__message_width(o->var, plan) == 3 && !o->var->put_xyz)
        err = find_axes(o);
    if (err)
        return h3ou__fail_in(err, "%s:%d: vector %s", o->config->file, o->var->line, o->var->put);
    if (!o->has_value)
        return H3OU__OK;
    if ((err = check_values(o, clock)) != H3OU__OK)
        return err;
    return o->var->lag == 0 ? send_exchange(o, clock) : H3OU__OK;
}

/* Tells the receivers that exchange o->next does not take place. Sums of the interval go on. */
static int skip_exchange(h3ou__outgoing *o)
{
    double time = h3ou__exchange_mark(&o->times, o->next);
    if (o->next++ < o->first)
        return H3OU__OK;
    h3ou__log(H3OU__LOG_LOUD, "send", "field=%s to=%s time=%.15g state=skipped", o->var->put,
              o->config->pair[o->var->pair].comp_get, time);
    int err = send_parcel(o, time, H3OU__SKIPPED, 0.0, NULL);
    return err ? err : show_sent(o, time, H3OU__SKIPPED, NULL);
}

int h3ou__outgoing_advance(h3ou__outgoing *o, const h3ou__clock *clock, h3ou__rational now)
{
    bool busy;
    int err = h3ou__outgoing_progress(o, &busy);
    while (!err && h3ou__rational_compare(h3ou__exchange_leaves(&o->times, o->next), now) <= 0) {
        err = wait_for_window(o);
        if (!err)
            err = clock->is_idle ? skip_exchange(o) : send_exchange(o, clock);
    }
    return err;
}

int h3ou__outgoing_complete(h3ou__outgoing *o, const h3ou__clock *clock, h3ou__rational now)
{
    int last = o->var->lag > 0 ? 0 : -1, err = H3OU__OK;
    while (!err && h3ou__rational_compare(h3ou__exchange_leaves(&o->times, o->next), now) <= last)
        if ((err = wait_for_window(o)) == H3OU__OK)
            err = send_exchange(o, clock);
    return err;
}

static int end_telling(h3ou__outgoing *o)
{
    int err = h3ou__waitall(o->world, o->ntelling, o->telling);
    o->ntelling = 0;
    return err;
}

int h3ou__outgoing_tell_count(h3ou__outgoing *o, h3ou__comm *comm, int n, const int to[])
{
    int err = end_telling(o);
    if (err || is_following(o))
        return err;
    if (!h3ou__resize(&o->telling, sizeof *o->telling, n))
        return fail_no_memory(o);
    o->told = o->next;
    for (int i = 0; i < n && !err; i++)
        if ((err = h3ou__isend(comm, to[i], H3OU__TAG_RESTART, &o->told, 1, H3OU__INT64, o->what, &o->telling[i])) == H3OU__OK)
            o->ntelling++;
    return err;
}

int h3ou__outgoing_send_now(h3ou__outgoing *o, const h3ou__clock *clock)
{
    const h3ou__statistic *statistic = &h3ou__statistics[clock->is_running ? o->var->flag : H3OU__FLAG_SNP];
    double time = (double)-(++o->now_count);
    bool has = o->has_value;
    h3ou__sample s = o->nsum > 0 ? statistic->result(o) : statistic->idle(o);
    bool busy;
    int err = has ? h3ou__kept_value_check(o, &s) : H3OU__OK;
    if (!err)
        err = h3ou__outgoing_progress(o, &busy);
    if (!err)
        err = wait_for_window(o);
    if (err || (o->members && (err = join_members(o, time, &s, &has)) != H3OU__OK))
        return err;
    h3ou__log(H3OU__LOG_LOUD, "send", "field=%s to=%s time=now state=%s values=%" PRId64, o->var->put,
              o->config->pair[o->var->pair].comp_get, has ? "value" : "none", o->nsum > 0 ? o->nsum : 1);
    int state = !has ? H3OU__NO_VALUE : s.share ? H3OU__SHARED : H3OU__VALUE;
    err = send_parcel(o, time, state, 0.0, has ? &s : NULL);
    return err ? err : show_sent(o, time, state, has ? &s : NULL);
}

/* Returns the mark of the exchange that a receiver awaits when none follows. */
static double end_mark(const h3ou__outgoing *o)
{
    return h3ou__exchange_mark(&o->times, o->next < o->first ? o->first : o->next);
}

int h3ou__outgoing_end(h3ou__outgoing *o, h3ou__rational now)
{
    double mark = end_mark(o), ended = h3ou__rational_real(now);
    int err = o->members ? h3ou__group_statistic_end(o->members, mark, ended) : H3OU__OK;
    if (err)
        return err;
    return send_parcel(o, mark, H3OU__END, ended, NULL);
}

/* Counts a partner with which messages go by WaitIO. Returns how many routes there are. */
static int count_route(const char *name, const char *route[], int count[], int n, int most)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(route[i], name)) {
            count[i]++;
            return n;
        }
    if (*name && n < most) {
        route[n] = name;
        count[n++] = 1;
    }
    return n;
}

/* Records by which ways the messages went, in a label that no activity has, and by which routes of WaitIO. */
static void record_ways(const h3ou__outgoing *o)
{
    enum { ROUTES = 8 };
    const char *route[ROUTES];
    int partners[H3OU__WAYS] = {0}, count[ROUTES], n = 0;
    char text[256];
    for (int k = 0; k < o->plan->npartner; k++) {
        const h3ou__ring *ring = bundle_of(o, k) ? bundle_of(o, k)->ring : o->ring[k];
        enum h3ou__way way = h3ou__ring_way(ring);
        partners[way]++;
        if (way == H3OU__WAY_WAITIO)
            n = count_route(h3ou__ring_route(ring), route, count, n, ROUTES);
    }
    int used = snprintf(text, sizeof text, "ways memory=%d copy=%d mpi=%d waitio=%d", partners[H3OU__WAY_MEMORY], partners[H3OU__WAY_COPY],
                        partners[H3OU__WAY_MPI], partners[H3OU__WAY_WAITIO]);
    for (int i = 0; i < n; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %s=%d", route[i], count[i]);
    if (o->plan->npartner > 0)
        h3ou__timeline_label(h3ou__world_timeline(o->world), text, o->what);
}

int h3ou__outgoing_drain(h3ou__outgoing *o)
{
    int err = end_telling(o);
    while (o->parcels.first && !err)
        err = h3ou__parcel_await(&o->parcels);
    record_ways(o);
    return err || !o->members ? err : h3ou__group_statistic_drain(o->members);
}
