/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/incoming.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/common/message_tags.h"
#include "coupler/config/interval.h"
#include "coupler/config/interval_flag.h"
#include "coupler/ensemble/slices.h"
#include "coupler/exchange/budget.h"
#include "coupler/exchange/outgoing.h"
#include "coupler/statistic/perturbation.h"
#include "coupler/statistic/unset_value.h"
#include "interp/weights/kept_shares.h"

enum { LINE = 64 / sizeof(double) }; /* numbers on a cache line */

/* Returns the length of the longest message that may come from a partner. */
static int64_t message_room(const h3ou__incoming *in, int k)
{
    return h3ou__incoming_length(in, k) + h3ou__incoming_cells(in, k);
}

/* Returns by how much the message of the next partner begins behind that of partner k. */
static int64_t message_stride(const h3ou__incoming *in, int k)
{
    return (message_room(in, k) + LINE - 1) / LINE * LINE;
}

/* Allocates the longest messages that may come from all partners. */
static double *allocate_messages(const h3ou__incoming *in)
{
    int64_t numbers = LINE;
    for (int k = 0; k < in->plan->npartner; k++)
        numbers += message_stride(in, k);
    return aligned_alloc(sizeof(double) * LINE, sizeof(double) * (size_t)numbers);
}

/* Many layers are interpolated faster when the layers of a cell stand next to each other. The limited gradient and
 * tables with a rotation need layer after layer. */
bool h3ou__incoming_is_turned(const h3ou__incoming *in)
{
    return h3ou__message_is_turned(in->plan, h3ou__incoming_rows(in)) && !in->plan->left.gradient;
}

/* Returns the bundle in which the messages of partner k come, or NULL. */
static h3ou__bundle_got *bundle_of(const h3ou__incoming *in, int k)
{
    return in->got_in ? in->got_in[k].bundle : NULL;
}

/* Returns whether the message of the only partner has the values as the product reads them. Those of a bundle, which are short, are
 * copied, since the next one may come before this field is got. */
static bool is_read_in_place(const h3ou__incoming *in)
{
    return in->plan->npartner == 1 && !bundle_of(in, 0) && in->is_single == in->has_singles &&
           h3ou__incoming_is_turned(in) == h3ou__message_is_turned(in->plan, h3ou__incoming_rows(in));
}

/* Sets the types of values. What members of an ensemble send is put together in double precision, and the products with a
 * rotation or a limited gradient read that. */
static void find_types(h3ou__incoming *in)
{
    in->has_singles = h3ou__message_has_singles(in->var) && !in->plan->member;
    in->is_single = in->has_singles && !in->plan->rotated && !in->plan->left.gradient;
}

static size_t source_size(const h3ou__incoming *in)
{
    return in->is_single ? sizeof(float) : sizeof(double);
}

static int incoming_allocate(h3ou__incoming *in)
{
    const h3ou__plan *plan = in->plan;
    size_t slots = (size_t)plan->start[plan->npartner], values = slots * (size_t)h3ou__incoming_rows(in);
    find_types(in);
    bool in_place = is_read_in_place(in), is_raised = h3ou__message_width(in->var, plan) == 3;
    in->req = calloc((size_t)plan->npartner + 1, sizeof *in->req);
    in->arrived = calloc((size_t)plan->npartner + 1, sizeof *in->arrived);
    in->length = calloc((size_t)plan->npartner + 1, sizeof *in->length);
    if (!in_place) {
        in->room = malloc(source_size(in) * (values + 1));
        in->share_room = malloc(sizeof *in->share_room * (slots + 1));
    }
    if (is_raised)
        in->raised = calloc((size_t)(3 * in->layer * in->n + 1), sizeof *in->raised);
    bool has_source = in_place || (in->room && in->share_room);
    if (!in->req || !in->arrived || !in->length || !has_source || (is_raised && !in->raised))
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a field");
    return H3OU__OK;
}

/* Makes the receiver's ends of the rings. */
static int open_rings(h3ou__incoming *in)
{
    const h3ou__plan *p = in->plan;
    int err = H3OU__OK;
    in->ring = calloc((size_t)p->npartner + 1, sizeof *in->ring);
    if (!in->ring)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a field");
    for (int k = 0; k < p->npartner && !err; k++)
        if (!bundle_of(in, k))
            err = h3ou__ring_open(p->model, p->partner[k], in->tag, message_room(in, k), H3OU__HEAD_RING, in->what,
                                  &in->ring[k]);
    for (int k = 0; k < p->npartner && !err && in->var->second_put == H3OU__SECOND_IS_ERROR; k++)
        if (in->ring[k])
            h3ou__ring_send_early(in->ring[k]);
    return err;
}

/* Returns whether the values of this field come from the leader of my group. */
static bool is_following(const h3ou__incoming *in)
{
    return in->relay && !h3ou__relay_leads(in->relay);
}

/* Finds the directions of the components of a vector at the cells of the rows. */
static int find_axes(h3ou__incoming *in)
{
    const h3ou__sparse *rows = &in->plan->rows;
    h3ou__vector_frame *frame;
    int err = h3ou__vector_frames_create(in->grid, &frame);
    if (err)
        return err;
    bool has = h3ou__axes_create(rows->nrow, h3ou__vector_frames_point_east(in->grid->n, frame), &in->axes);
    for (int64_t r = 0; r < rows->nrow && has; r++)
        h3ou__axes_set(&in->axes, r, &frame[rows->row[r]]);
    free(frame);
    return has ? H3OU__OK : h3ou__fail(H3OU__ENOMEM, "out of memory for a field");
}

/* Makes what belongs to the exchange with another component, or to a group of members. */
static int incoming_connect(h3ou__incoming *in, const h3ou__family *family)
{
    int rows = h3ou__config_components(in->var, in->var->get_xyz) * in->model_layer, err = H3OU__OK;
    if (in->var->members.perturb > 0.0 &&
        !(in->perturbed = malloc(sizeof *in->perturbed * (size_t)(in->model_layer * in->n + 1))))
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a field");
    if (family)
        err = h3ou__relay_create(in->world, family, rows, in->var->members.is_own, in->tag, in->what, &in->relay);
    if (err || is_following(in))
        return err;
    err = incoming_allocate(in);
    if (!err)
        err = in->plan->member ? h3ou__member_streams_create(in->world, in->config, in->var, in->plan, in->tag, in->what,
                                                             &in->streams)
                               : open_rings(in);
    if (!err && in->streams && !(in->message = allocate_messages(in)))
        err = h3ou__fail(H3OU__ENOMEM, "out of memory for a field");
    if (!err && in->raised && in->relay)
        h3ou__unset(in->raised, 3 * in->layer * in->n);
    if (!err && in->raised && !in->var->get_xyz)
        err = find_axes(in);
    return err;
}

/* With after_end='keep' all processes of my component must agree on whether the sender has ended, but those that need no
 * cells get no messages: finds one that gets some, if there are both. Collective over my component. */
static int find_teller(h3ou__incoming *in)
{
    h3ou__comm *local = h3ou__world_local(in->world);
    int64_t none = INT64_MAX, mine[2] = {none, 0}, least[2];
    in->teller = -1;
    if (!in->config->keep_after_end || in->relay)
        return H3OU__OK;
    if (in->plan->npartner > 0)
        mine[0] = h3ou__comm_rank(local);
    mine[1] = in->plan->npartner > 0;
    int err = h3ou__allreduce(local, mine, least, 2, H3OU__INT64, H3OU__MIN);
    if (!err && least[0] < none && !least[1])
        in->teller = (int)least[0];
    return err;
}

int h3ou__incoming_create(const h3ou__config *config, int var, const h3ou__plan *plan, const h3ou__schedule *times,
                          h3ou__world *world, const h3ou__grid *grid, const h3ou__family *family, const h3ou__got_in got_in[],
                          h3ou__incoming **out)
{
    h3ou__incoming *in = calloc(1, sizeof *in);
    if (!in)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a field");
    in->config = config;
    in->var = &config->var[var];
    in->plan = plan;
    in->got_in = got_in;
    in->times = *times;
    in->next = h3ou__exchange_first(times);
    in->world = world;
    in->grid = grid;
    in->n = grid->n;
    in->slices = h3ou__slices_got(world, config, in->var);
    in->model_layer = in->var->layer * in->slices;
    bool is_direct = h3ou__ensemble_is_direct(config, world, &config->pair[in->var->pair]);
    in->layer = in->model_layer * (is_direct ? 1 : h3ou__slices_put(world, config, in->var));
    in->perturb_key[0] = (uint64_t)in->var->members.perturb_seed;
    in->perturb_key[1] = h3ou__perturbation_key(in->var->get);
    in->tag = H3OU__TAG_FIELD + var;
    in->label = h3ou__timeline_label(h3ou__world_timeline(world), in->var->get, config->pair[in->var->pair].comp_put);
    snprintf(in->what, sizeof in->what, "field %s of %s", in->var->get, config->pair[in->var->pair].comp_put);
    int err = incoming_connect(in, family);
    if (!err)
        err = find_teller(in);
    if (err) {
        h3ou__incoming_free(in);
        return h3ou__fail_in(err, "%s:%d: %s %s", config->file, config->var[var].line,
                             config->var[var].is_vector ? "vector" : "field", config->var[var].get);
    }
    *out = in;
    return H3OU__OK;
}

void h3ou__incoming_free(h3ou__incoming *in)
{
    if (!in)
        return;
    for (int k = 0; in->ring && k < in->plan->npartner; k++)
        h3ou__ring_free(in->ring[k]);
    free(in->ring);
    free(in->arrived);
    free(in->length);
    free(in->req);
    free(in->message);
    free(in->at_once);
    free(in->room);
    free(in->share_room);
    free(in->pair_room);
    free(in->marks);
    h3ou__kept_shares_free(in->kept);
    h3ou__got_shares_free(&in->got_shares);
    h3ou__axes_free(&in->axes);
    free(in->raised);
    h3ou__incoming_free_ahead(in);
    free(in->aside_room);
    h3ou__placed_rows_free(&in->placed);
    free(in->former);
    free(in->latest);
    free(in->blend);
    free(in->perturbed);
    h3ou__budget_free(in->budget);
    h3ou__relay_free(in->relay);
    h3ou__member_streams_free(in->streams);
    free(in);
}

/* Posts the receives of what is sent at once. */
static int start_receives_now(const h3ou__incoming *in, h3ou__req req[])
{
    const h3ou__plan *p = in->plan;
    double *message = in->at_once;
    int err = H3OU__OK;
    for (int k = 0; k < p->npartner && !err; k++) {
        err = h3ou__irecv(p->model, p->partner[k], h3ou__tag_now(in->config, in->tag), message, message_room(in, k),
                          H3OU__DOUBLE, in->what, &req[k]);
        message += message_stride(in, k);
    }
    return err;
}

/* Posts the receives of the next exchange. */
static int post_receives(h3ou__incoming *in)
{
    int err = in->streams ? h3ou__member_streams_post(in->streams) : H3OU__OK;
    for (int k = 0; k < in->plan->npartner && !in->streams && !err; k++)
        err = bundle_of(in, k) ? h3ou__bundle_got_post(bundle_of(in, k)) : h3ou__ring_receive(in->ring[k], &in->req[k]);
    in->is_posted = !err;
    return err;
}

/* Finds where the messages stand: one after the other in `message`, or, with NULL, where the rings and the bundles say. */
static void find_arrived(h3ou__incoming *in, const double *message, const h3ou__req req[])
{
    for (int k = 0; k < in->plan->npartner; k++) {
        if (!message && bundle_of(in, k)) {
            in->arrived[k] = h3ou__bundle_got_take(bundle_of(in, k), in->got_in[k].field, &in->length[k]);
            continue;
        }
        in->arrived[k] = message ? message : h3ou__ring_arrived(in->ring[k]);
        in->length[k] = h3ou__req_count(&req[k], H3OU__DOUBLE);
        message += message ? message_stride(in, k) : 0;
    }
}

/* Checks that the messages that arrived carry the time of the exchange that is due. */
static int check_heads(h3ou__incoming *in, double due, int *state)
{
    *state = H3OU__VALUE;
    for (int k = 0; k < in->plan->npartner; k++) {
        const double *message = in->arrived[k];
        int64_t got = in->length[k];
        if (got < H3OU__HEAD || message[H3OU__HEAD_MARK] != due ||
            !h3ou__message_is_whole(in->has_singles, message[H3OU__HEAD_STATE], got, h3ou__incoming_cells(in, k),
                                    h3ou__incoming_rows(in)) ||
            (message[H3OU__HEAD_STATE] == H3OU__SAME_SHARES && !h3ou__got_shares_has(&in->got_shares, k)))
            return h3ou__fail(H3OU__EPROTO,
                              "%s: the message that arrived has %" PRId64
                              " numbers for the exchange at %.15g s after the start, but that of %.15g s is due: do both "
                              "components run the same version of h3ou?",
                              in->what, got, got > 0 ? message[0] : -1.0, due);
        double said = message[H3OU__HEAD_STATE];
        if (!h3ou__message_has_values(said) && said > *state)
            *state = (int)said;
        if (said == H3OU__END)
            in->ended = message[H3OU__HEAD_MORE];
    }
    return H3OU__OK;
}

void h3ou__incoming_release(h3ou__incoming *in)
{
    for (int k = 0; in->ring && k < in->plan->npartner; k++)
        if (bundle_of(in, k))
            h3ou__bundle_got_release(bundle_of(in, k), in->got_in[k].field);
        else
            h3ou__ring_release(in->ring[k]);
}

/* Takes the messages that were awaited. */
static int take_awaited(h3ou__incoming *in)
{
    int err = h3ou__incoming_take_messages(in);
    in->is_at_once = false;
    if (in->room)
        h3ou__incoming_release(in);
    return err;
}

/* Takes exchange in->next as the leader of my group sent it. */
static int follow_leader(h3ou__incoming *in, int *state)
{
    h3ou__mail_head head;
    int err = h3ou__relay_receive(in->relay, &head);
    bool has_cells = in->relay->mail.parent->bridge->npartner > 0;
    *state = (int)head.state;
    in->got = h3ou__exchange_mark(&in->times, in->next);
    in->has_ended = *state == H3OU__END;
    in->ended = head.ended;
    if (!err && has_cells && !in->has_ended && head.time != in->got) /* not every process of the leader knows when it ended */
        return h3ou__fail(H3OU__EPROTO, "%s: awaited the exchange at %.15g s after the start from %s, got that at %.15g s",
                          in->what, in->got, in->relay->mail.parent->bridge->name, head.time);
    in->next += !in->has_ended;
    return err;
}

/* Returns what the members of my group get: where each gets its own, all layers and components of the first one first. */
static const double *values_to_relay(const h3ou__incoming *in)
{
    const double *from = h3ou__incoming_computed(in);
    int count = h3ou__config_components(in->var, in->var->get_xyz);
    int64_t slice = in->model_layer * in->n;
    if (!in->var->members.is_own || count == 1)
        return from;
    for (int m = 0; m < in->layer / in->model_layer; m++)
        for (int k = 0; k < count; k++)
            memcpy(in->relay->room + (m * count + k) * slice, from + k * in->layer * in->n + m * slice,
                   sizeof *from * (size_t)slice);
    return in->relay->room;
}

/* Sends the exchange that just came, state and computed values, to the other members of my group. */
static int relay_exchange(h3ou__incoming *in, double time, int state)
{
    h3ou__mail_head head = {.time = time, .state = state, .ended = in->ended};
    return h3ou__relay_send(in->relay, &head, state == H3OU__VALUE ? values_to_relay(in) : NULL);
}

/* Returns whether the bundle of partner k has no message of this field. */
static bool lacks_part(const h3ou__incoming *in, int k)
{
    return bundle_of(in, k) && !h3ou__bundle_got_has(bundle_of(in, k), in->got_in[k].field);
}

/* Waits until all messages are there. A bundle may come in several parts. */
static int await_bundled(h3ou__incoming *in)
{
    int err = H3OU__OK, npartner = in->plan->npartner;
    for (bool lacks = true; lacks && !err;) {
        lacks = false;
        for (int k = 0; k < npartner && !err; k++)
            if (lacks_part(in, k))
                err = h3ou__bundle_got_expect(bundle_of(in, k), &in->req[k]);
        if (!err)
            err = h3ou__waitall(in->world, npartner, in->req);
        for (int k = 0; k < npartner && !err; k++)
            if (lacks_part(in, k)) {
                err = h3ou__bundle_got_arrive(bundle_of(in, k), &in->req[k]);
                lacks |= lacks_part(in, k);
            }
    }
    return err;
}

/* Waits for the messages of exchange in->next. */
static int await_messages(h3ou__incoming *in, int *state)
{
    double mark = h3ou__exchange_mark(&in->times, in->next);
    int err = in->streams  ? h3ou__member_streams_receive(in->streams, mark, in->message)
              : in->got_in ? await_bundled(in)
                           : h3ou__waitall(in->world, in->plan->npartner, in->req);
    if (err)
        return err;
    find_arrived(in, in->message, in->req);
    if (!in->streams)
        return check_heads(in, mark, state);
    double said = in->message[H3OU__HEAD_STATE];
    *state = said == H3OU__SHARED ? H3OU__VALUE : (int)said;
    if (said == H3OU__END)
        in->ended = in->message[H3OU__HEAD_MORE];
    return H3OU__OK;
}

/* Completes the receives of exchange in->next and posts those of the following one, which may arrive while the model
 * computes. */
int h3ou__incoming_receive(h3ou__incoming *in, int *state)
{
    int err = in->is_posted ? H3OU__OK : post_receives(in);
    if (err || (err = await_messages(in, state)) != H3OU__OK)
        return err;
    in->is_posted = false;
    in->got = h3ou__exchange_mark(&in->times, in->next);
    in->has_ended = *state == H3OU__END;
    if ((err = h3ou__incoming_keep_shares(in)) != H3OU__OK)
        return err;
    if (*state == H3OU__VALUE && (err = take_awaited(in)) != H3OU__OK)
        return err;
    if (in->has_ended || (in->plan->npartner == 0 && !in->relay))
        return H3OU__OK;
    in->next++;
    return post_receives(in);
}

int h3ou__incoming_pass_on(h3ou__incoming *in, int *state)
{
    if (is_following(in))
        return follow_leader(in, state);
    int err = h3ou__incoming_receive(in, state);
    if (!err && *state == H3OU__VALUE)
        err = h3ou__incoming_compute(in);
    return err ? err : relay_exchange(in, in->got, *state);
}

/* Takes the next exchange: one that was received ahead, one that the leader of my group sends, or one of the other component. */
static int take_next(h3ou__incoming *in, int *state)
{
    if (in->ahead)
        return h3ou__incoming_take_ahead(in, state);
    int err = in->relay ? h3ou__incoming_pass_on(in, state) : h3ou__incoming_receive(in, state);
    h3ou__incoming_let_go(in);
    if (err || *state != H3OU__VALUE || in->var->flag != H3OU__FLAG_INT)
        return err;
    return h3ou__incoming_compute_next(in);
}

/* The same, with its time recorded. */
static int take_exchange(h3ou__incoming *in, int *state)
{
    h3ou__timeline *timeline = h3ou__world_timeline(in->world);
    h3ou__timeline_enter(timeline, H3OU__ACT_RECEIVE, in->label);
    int err = take_next(in, state);
    in->is_replaced = false;
    h3ou__timeline_leave(timeline);
    return err;
}

/* Returns whether exchanges come to this process: from other components, or from the leader of its group. */
static bool has_exchanges(const h3ou__incoming *in)
{
    return in->plan->npartner > 0 || in->relay || in->ahead;
}

/* Returns the number of the exchange that is taken next. */
static int64_t awaited(const h3ou__incoming *in)
{
    return in->ahead ? in->ahead->number : in->next;
}

/* Receives what the other component sends at once, into buffers of its own, since those of the next exchange are posted. */
static int receive_now(h3ou__incoming *in, double time, int *state)
{
    h3ou__req *req = calloc((size_t)in->plan->npartner + 1, sizeof *req);
    if (!in->at_once)
        in->at_once = allocate_messages(in);
    int err = in->at_once && req ? start_receives_now(in, req)
                             : h3ou__fail(H3OU__ENOMEM, "%s: out of memory", in->what);
    if (!err)
        err = h3ou__waitall(in->world, in->plan->npartner, req);
    if (err)
        return err; /* requests may still borrow the memory, and the run ends */
    find_arrived(in, in->at_once, req);
    if ((err = check_heads(in, time, state)) == H3OU__OK && *state == H3OU__VALUE) {
        err = h3ou__incoming_take_messages(in);
        in->is_at_once = true;
    }
    free(req);
    return err;
}

/* Takes from the leader of my group what it received at once. */
static int follow_now(h3ou__incoming *in, double time, int *state)
{
    h3ou__mail_head head;
    int err = h3ou__relay_receive(in->relay, &head);
    *state = (int)head.state;
    if (!err && in->relay->mail.parent->bridge->npartner > 0 && head.time != time)
        return h3ou__fail(H3OU__EPROTO, "%s: %s does not call h3ou_recv_data_immediately in the same order", in->what,
                          in->relay->mail.parent->bridge->name);
    return err;
}

int h3ou__incoming_recv_now(h3ou__incoming *in)
{
    const h3ou__config_pair *pair = &in->config->pair[in->var->pair];
    int state = H3OU__VALUE;
    double time = (double)-(++in->now_count);
    if (in->streams)
        return h3ou__fail(H3OU__EUNSUPPORTED,
                          "%s:%d: field %s: with ensemble_min_members what the members of %s send at once is not received in "
                          "this version",
                          in->config->file, in->var->line, in->var->get, pair->comp_put);
    h3ou__incoming_let_go(in);
    int err = is_following(in) ? follow_now(in, time, &state) : receive_now(in, time, &state);
    if (!err && in->relay && !is_following(in)) {
        err = state == H3OU__VALUE ? h3ou__incoming_compute(in) : H3OU__OK;
        err = err ? err : relay_exchange(in, time, state);
    }
    if (!err && state != H3OU__VALUE)
        err = h3ou__fail(H3OU__ENOVALUE, "%s:%d: field %s: %s has put no value of %s before it sends it at once", in->config->file,
                         in->var->line, in->var->get, pair->comp_put, in->var->put);
    in->has_now = in->is_replaced = !err;
    return err;
}

int h3ou__incoming_advance(h3ou__incoming *in, h3ou__rational now)
{
    int err = H3OU__OK, state;
    in->has_now = in->has_now && h3ou__rational_compare(now, in->times.receiver) == 0;
    while (!err && in->ahead && h3ou__exchange_is_over(&in->times, awaited(in), now))
        err = take_exchange(in, &state);
    if (err || !has_exchanges(in))
        return err;
    if (in->plan->npartner == 0 && !in->relay)
        return H3OU__OK; /* what is left was received ahead */
    if (!in->is_posted && !in->has_ended)
        err = post_receives(in);
    while (!err && !in->has_ended && h3ou__exchange_is_over(&in->times, awaited(in), now))
        err = take_exchange(in, &state);
    return err;
}

/* Called for a get after the time at which the sender ended: the key after_end says whether that is an error. */
static int answer_after_end(const h3ou__incoming *in, const h3ou__clock *clock, bool *ok)
{
    *ok = false;
    if (in->config->keep_after_end)
        return H3OU__OK;
    const h3ou__config_pair *pair = &in->config->pair[in->var->pair];
    char ended[H3OU__DATE_TEXT], now[H3OU__DATE_TEXT];
    return h3ou__fail(
        H3OU__ENOVALUE, "%s:%d: component %s ended at %s, before the get of field %s by component %s at %s",
        in->config->file, in->var->line, pair->comp_put, h3ou__clock_text(clock, in->config, h3ou__rational_nearest(in->ended), ended),
        in->var->get, pair->comp_get, h3ou__clock_text(clock, in->config, clock->now, now));
}

static int fail_no_value(const h3ou__incoming *in, const h3ou__clock *clock, int state)
{
    const h3ou__config_pair *pair = &in->config->pair[in->var->pair];
    char interval[H3OU__INTERVAL_TEXT];
    if (state == H3OU__SKIPPED)
        return h3ou__fail(H3OU__ENOVALUE,
                          "%s:%d: field %s: %s began the step in which it would send the exchange at %.15g s after the "
                          "start without an exchange (is_exchange=.false. of h3ou_set_time), but %s gets it: both "
                          "components must leave out the same exchanges",
                          in->config->file, in->var->line, in->var->get, pair->comp_put, h3ou__rational_real(clock->now),
                          pair->comp_get);
    if (h3ou__exchange_is_initial(&in->times, in->next - 1))
        return h3ou__fail(H3OU__ENOVALUE,
                          "%s:%d: field %s: %s gets it at the start, but %s put no initial value: put %s once "
                          "between h3ou_init_time and the first h3ou_set_time",
                          in->config->file, in->var->line, in->var->get, pair->comp_get, pair->comp_put, in->var->put);
    return h3ou__fail(H3OU__ENOVALUE,
                      "%s:%d: field %s: %s put no value of %s for the exchange at %.15g s after the start (intvl=%s, lag=%d)",
                      in->config->file, in->var->line, in->var->get, pair->comp_put, in->var->put,
                      h3ou__rational_real(clock->now), h3ou__interval_text(&in->var->intvl, interval), in->var->lag);
}

/* Lets the teller say, at a get that is due, whether the sender has ended. */
static int agree_on_end(h3ou__incoming *in)
{
    int64_t ended = in->has_ended;
    int err = in->teller < 0 ? H3OU__OK : h3ou__bcast(h3ou__world_local(in->world), &ended, 1, H3OU__INT64, in->teller);
    if (!err && ended)
        in->has_ended = true;
    return err;
}

/* Fails because the exchange that is due was got, and its values are those that came at once since then. */
static int fail_replaced(const h3ou__incoming *in, const h3ou__clock *clock)
{
    char text[H3OU__DATE_TEXT];
    return h3ou__fail(
        H3OU__ESTATE,
        "%s:%d: field %s: its exchange at %s was got before h3ou_recv_data_immediately replaced it: it "
        "cannot be got again; receive at once before the first get of the step, or keep what that returned",
        in->config->file, in->var->line, in->var->get, h3ou__clock_text(clock, in->config, clock->now, text));
}

/* Completes the exchange that is due at clock->now. A second get in the same step returns the same exchange. */
static int take_due(h3ou__incoming *in, const h3ou__clock *clock)
{
    int state = H3OU__VALUE, err = H3OU__OK;
    if (has_exchanges(in) && !in->has_ended) {
        if (in->var->lag == 0 || awaited(in) <= h3ou__exchange_at(&in->times, clock->now))
            err = take_exchange(in, &state);
        else if (in->is_replaced && in->var->flag != H3OU__FLAG_INT)
            err = fail_replaced(in, clock);
    }
    if (in->var->flag == H3OU__FLAG_INT && in->ncomputed > 0 && state == H3OU__NO_VALUE)
        state = H3OU__VALUE;
    if (!err)
        err = agree_on_end(in);
    return err || in->has_ended || state == H3OU__VALUE ? err : fail_no_value(in, clock, state);
}

/* Returns whether a get returns values: at exchange times, and with flag='INT' in each step from the first one on. */
static bool is_due(const h3ou__incoming *in, const h3ou__clock *clock)
{
    if (clock->is_idle)
        return false;
    if (in->var->flag != H3OU__FLAG_INT)
        return h3ou__exchange_is_due(&in->times, clock->now);
    return h3ou__exchange_at(&in->times, clock->now) >= h3ou__exchange_first(&in->times);
}

/* Returns the part of the current interval that is past. */
static double part_of_interval(const h3ou__incoming *in, h3ou__rational now)
{
    int64_t k = h3ou__exchange_at(&in->times, now);
    h3ou__rational begin = h3ou__exchange_time(&in->times, k), end = h3ou__exchange_time(&in->times, k + 1);
    return h3ou__rational_real(h3ou__rational_subtract(now, begin)) /
           h3ou__rational_real(h3ou__rational_subtract(end, begin));
}

static int find_place(h3ou__incoming *in, const h3ou__arrays *to, h3ou__place *place)
{
    if (!h3ou__place_find_slices(in->grid, to, in->var->layer, in->slices, place))
        return h3ou__arrays_misfit(to, in->config, in->var, in->var->get, in->grid, in->slices);
    in->was_got = true;
    return H3OU__OK;
}

int h3ou__incoming_get_nothing(h3ou__incoming *in, const h3ou__arrays *to)
{
    h3ou__place place;
    return find_place(in, to, &place);
}

int h3ou__incoming_get(h3ou__incoming *in, const h3ou__clock *clock, const h3ou__arrays *to, bool *ok)
{
    h3ou__place place;
    int err = find_place(in, to, &place);
    if (err)
        return err;
    bool is_now = in->has_now;
    in->has_now = false;
    *ok = is_now || is_due(in, clock);
    if (!*ok)
        return H3OU__OK;
    err = is_now ? H3OU__OK : take_due(in, clock);
    if (!err && in->has_ended && !is_now)
        return answer_after_end(in, clock, ok);
    h3ou__timeline_enter(h3ou__world_timeline(in->world), H3OU__ACT_REMAP, in->label);
    if (!err && in->ncomputed > 0 && !is_now)
        h3ou__incoming_write_between(in, part_of_interval(in, clock->now), to, &place);
    else if (!err && (in->relay || in->held))
        h3ou__incoming_write(in, to, &place);
    else if (!err)
        err = h3ou__incoming_apply(in, to, &place);
    h3ou__timeline_leave(h3ou__world_timeline(in->world));
    if (err)
        return err;
    if (has_exchanges(in))
        h3ou__log(H3OU__LOG_LOUD, "get", "field=%s from=%s time=%.15g cells=%" PRId64, in->var->get,
                  in->config->pair[in->var->pair].comp_put, h3ou__rational_real(clock->now), in->plan->rows.nrow);
    return H3OU__OK;
}

/* Returns whether something tells this process when the other component ends. */
static bool is_told_of_end(const h3ou__incoming *in)
{
    return in->plan->npartner > 0 || (is_following(in) && in->relay->mail.parent->bridge->npartner > 0);
}

bool h3ou__incoming_awaits_end(const h3ou__incoming *in)
{
    return is_told_of_end(in) && !in->has_ended;
}

int h3ou__incoming_drop(h3ou__incoming *in)
{
    int state;
    return take_exchange(in, &state);
}

int h3ou__incoming_end(h3ou__incoming *in)
{
    int err = H3OU__OK;
    if (in->relay && !is_told_of_end(in))
        err = relay_exchange(in, in->got, H3OU__END);
    return err || !in->relay ? err : h3ou__relay_drain(in->relay);
}
