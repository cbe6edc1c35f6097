/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/message/member_streams.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/single_precision.h"
#include "comm/collective/collective.h"
#include "coupler/common/message_state.h"
#include "coupler/config/ensemble_keys.h"
#include "coupler/config/leniency.h"
#include "coupler/message/message_form.h"
#include "coupler/statistic/member_sums.h"

enum { SEATS = 8 };   /* members that are received at a time */
enum { LOST = 1000 }; /* above all states: some process of my component lacks a message of the member, whose job is lost */

/* The messages of one member on their way. */
typedef struct seat {
    double *message; /* one after the other */
    h3ou__req *req;
} seat;

struct h3ou__member_streams {
    h3ou__world *world;
    const h3ou__config *config;
    const h3ou__config_var *var;
    const h3ou__plan *plan;
    const char *what;
    int tag;
    int rows;      /* of values in a message of a member */
    int64_t nslot; /* source cells */
    int nseat;
    seat seat[SEATS];
    bool is_posted; /* the receives of the first members */
    bool *is_lost;  /* [members] */
    int nlost;
    bool has_nan, is_told;
    double ended; /* time at which the component ended, when it has */
    h3ou__member_sums *sums;
};

static const h3ou__member_plan *member_of(const h3ou__member_streams *s, int place)
{
    return &s->plan->member[place];
}

static const char *name_of(const h3ou__member_streams *s, int place)
{
    return h3ou__world_component_name(s->world, member_of(s, place)->component);
}

static int64_t cells_of(const h3ou__member_plan *m, int k)
{
    return m->start[k + 1] - m->start[k];
}

/* Returns the length of a message with shares, the longest one. */
static int64_t message_room(const h3ou__member_streams *s, const h3ou__member_plan *m, int k)
{
    return H3OU__HEAD + cells_of(m, k) * (s->rows + 1);
}

static int allocate_seats(h3ou__member_streams *s)
{
    s->nseat = s->plan->nmember < SEATS ? s->plan->nmember : SEATS;
    for (int i = 0; i < s->nseat; i++) {
        int64_t room = 0, partners = 0;
        for (int place = i; place < s->plan->nmember; place += s->nseat) {
            const h3ou__member_plan *m = member_of(s, place);
            int64_t numbers = m->npartner * H3OU__HEAD + s->nslot * (s->rows + 1);
            room = numbers > room ? numbers : room;
            partners = m->npartner > partners ? m->npartner : partners;
        }
        s->seat[i].message = malloc(sizeof(double) * (size_t)(room + 1));
        s->seat[i].req = calloc((size_t)partners + 1, sizeof(h3ou__req));
        if (!s->seat[i].message || !s->seat[i].req)
            return h3ou__no_memory("%s", s->what);
    }
    return H3OU__OK;
}

static int check_statistic(const h3ou__member_streams *s)
{
    const h3ou__config_members *m = &s->var->members;
    bool is_raised = h3ou__message_width(s->var, s->plan) == 3 && !s->var->put_xyz;
    if (m->send == H3OU__SEND_MEMBER && m->number >= s->plan->nmember)
        return h3ou__fail(H3OU__ECONFIG, "%s:%d: statistic='%s': the group of %s has the members 0 to %d",
                          s->config->file, s->var->line, m->statistic, name_of(s, 0), s->plan->nmember - 1);
    if (!is_raised || m->send == H3OU__SEND_MEAN || m->send == H3OU__SEND_MEMBER || m->send == H3OU__SEND_STACKED)
        return H3OU__OK;
    return h3ou__fail(
        H3OU__EUNSUPPORTED,
        "%s:%d: statistic='%s' of a vector of two components, with ensemble_min_members: the members send its "
        "three Cartesian components (put it as such, var_put_xyz, or leave out one of both keys)",
        s->config->file, s->var->line, m->statistic);
}

int h3ou__member_streams_create(h3ou__world *world, const h3ou__config *config, const h3ou__config_var *var,
                                const h3ou__plan *plan, int tag, const char *what, h3ou__member_streams **out)
{
    h3ou__member_streams *s = calloc(1, sizeof *s);
    if (!s)
        return h3ou__no_memory("%s", what);
    *s = (h3ou__member_streams){.world = world, .config = config, .var = var, .plan = plan, .what = what, .tag = tag};
    *out = s;
    s->rows = var->layer * h3ou__message_width(var, plan);
    s->nslot = plan->start[plan->npartner];
    s->is_lost = calloc((size_t)plan->nmember, sizeof *s->is_lost);
    int err = s->is_lost ? check_statistic(s) : h3ou__no_memory("%s", what);
    if (!err)
        err = allocate_seats(s);
    h3ou__member_sums_task sums = {&var->members, plan->nmember, var->layer, s->rows, s->nslot, what};
    return err ? err : h3ou__member_sums_create(&sums, &s->sums);
}

void h3ou__member_streams_free(h3ou__member_streams *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->nseat; i++) {
        free(s->seat[i].message);
        free(s->seat[i].req);
    }
    h3ou__member_sums_free(s->sums);
    free(s->is_lost);
    free(s);
}

/* Returns the place behind the last member that is received together with the one at `first`. */
static int end_of_batch(const h3ou__member_streams *s, int first)
{
    return first + s->nseat < s->plan->nmember ? first + s->nseat : s->plan->nmember;
}

static int post_batch(h3ou__member_streams *s, int first)
{
    int err = H3OU__OK;
    for (int place = first; place < end_of_batch(s, first); place++) {
        const h3ou__member_plan *m = member_of(s, place);
        seat *at = &s->seat[place % s->nseat];
        double *message = at->message;
        for (int k = 0; k < m->npartner && !s->is_lost[place] && !err; message += message_room(s, m, k++))
            err = h3ou__irecv(s->plan->model, m->partner[k], s->tag, message, message_room(s, m, k), H3OU__DOUBLE,
                              s->what, &at->req[k]);
    }
    return err;
}

int h3ou__member_streams_post(h3ou__member_streams *s)
{
    int err = s->is_posted ? H3OU__OK : post_batch(s, 0);
    s->is_posted = !err;
    return err;
}

/* Looks at one message that arrived. *state becomes the highest of those of the member's messages. */
static int look_at_head(h3ou__member_streams *s, int place, int k, const double *message, double mark, int64_t *state)
{
    const h3ou__req *req = &s->seat[place % s->nseat].req[k];
    int64_t cells = cells_of(member_of(s, place), k),
            got = h3ou__req_is_lost(req) ? 0 : h3ou__req_count(req, H3OU__DOUBLE);
    if (h3ou__req_is_lost(req)) {
        *state = LOST;
        return H3OU__OK;
    }
    double said = got < H3OU__HEAD ? -1.0 : message[H3OU__HEAD_STATE];
    if (got < H3OU__HEAD || message[H3OU__HEAD_MARK] != mark || said == H3OU__SAME_SHARES || said == H3OU__PAIRED ||
        !h3ou__message_is_whole(h3ou__message_has_singles(s->var), said, got, cells, s->rows))
        return h3ou__fail(H3OU__EPROTO,
                          "%s: a message of %" PRId64
                          " numbers arrived from %s for the exchange at %.15g s after the start, but "
                          "that of %.15g s is due: do both components run the same version of h3ou?",
                          s->what, got, name_of(s, place), got > 0 ? message[0] : -1.0, mark);
    int64_t means = said == H3OU__SHARED ? H3OU__VALUE : (int64_t)said;
    *state = means > *state ? means : *state;
    if (said == H3OU__END)
        s->ended = message[H3OU__HEAD_MORE];
    return H3OU__OK;
}

/* Waits for one member's messages. */
static int await_member(h3ou__member_streams *s, int place, double mark, int64_t *state)
{
    const h3ou__member_plan *m = member_of(s, place);
    seat *at = &s->seat[place % s->nseat];
    const double *message = at->message;
    int err = H3OU__OK;
    *state = H3OU__VALUE;
    for (int k = 0; k < m->npartner && !err && !s->is_lost[place]; message += message_room(s, m, k++))
        if ((err = h3ou__waitall(s->world, 1, &at->req[k])) == H3OU__OK)
            err = look_at_head(s, place, k, message, mark, state);
    return err;
}

/* Notes that a member is lost, as all processes have agreed. */
static int lose_member(h3ou__member_streams *s, int place)
{
    int left = s->plan->nmember - ++s->nlost;
    s->is_lost[place] = true;
    if (s->var->members.send == H3OU__SEND_MEMBER && s->var->members.number == place)
        return h3ou__fail(H3OU__EPEER,
                          "%s:%d: member %s was lost, and statistic='%s' takes the values of this one alone",
                          s->config->file, s->var->line, name_of(s, place), s->var->members.statistic);
    if (left < s->config->min_members)
        return h3ou__fail(H3OU__EPEER, "%s: member %s was lost: %d of %d members are left, ensemble_min_members is %d",
                          s->what, name_of(s, place), left, s->plan->nmember, s->config->min_members);
    if (s->config->is_leader)
        h3ou__warn(NULL, "%s: member %s was lost and is dropped: %d of %d members are left", s->what, name_of(s, place),
                   left, s->plan->nmember);
    return H3OU__OK;
}

/* Waits for the messages of a batch; state[] becomes, for each, what all processes of mine agree on. */
static int await_batch(h3ou__member_streams *s, int first, double mark, int64_t state[])
{
    int64_t mine[SEATS];
    int n = end_of_batch(s, first) - first, err = H3OU__OK;
    for (int i = 0; i < n && !err; i++)
        err = await_member(s, first + i, mark, &mine[i]);
    if (!err)
        err = h3ou__allreduce(h3ou__world_local(s->world), mine, state, n, H3OU__INT64, H3OU__MAX);
    for (int i = 0; i < n && !err; i++)
        if (state[i] == LOST)
            err = lose_member(s, first + i);
    return err;
}

/* Copies the values of a member's messages to `value`, [row][slot], and their shares, if there are any. */
static bool unpack_member(h3ou__member_streams *s, int place, double *value, double *share)
{
    const h3ou__member_plan *m = member_of(s, place);
    const double *message = s->seat[place % s->nseat].message;
    bool is_together = h3ou__message_is_turned(s->plan, s->rows), has_share = false;
    bool has_singles = h3ou__message_has_singles(s->var);
    for (int64_t i = 0; i < s->nslot; i++)
        share[i] = 1.0;
    for (int k = 0; k < m->npartner; message += message_room(s, m, k++)) {
        int64_t count = cells_of(m, k), cell = is_together ? s->rows : 1, row = is_together ? 1 : count;
        const int64_t *slot = m->slot + m->start[k];
        const double *from = message + H3OU__HEAD;
        const float *single = has_singles ? h3ou__message_singles(message) : NULL;
        const double *of_share = message + h3ou__message_length(has_singles, count, s->rows);
        for (int r = 0; r < s->rows; r++)
            for (int64_t i = 0; i < count; i++)
                value[r * s->nslot + slot[i]] = single ? single[i * cell + r * row] : from[i * cell + r * row];
        if (message[H3OU__HEAD_STATE] == H3OU__SHARED) {
            has_share = true;
            for (int64_t i = 0; i < count; i++)
                share[slot[i]] = of_share[i];
        }
        s->has_nan |= message[H3OU__HEAD_MORE] != 0.0;
    }
    return has_share;
}

/* What the members received so far have: the highest state, whether some have values, and the last one that lacks them. */
typedef struct states {
    int64_t all;
    bool has_value, lacks_value;
    int lacking;
} states;

static int fail_unlike(const h3ou__member_streams *s, int place, double mark)
{
    return h3ou__fail(
        H3OU__ENOVALUE,
        "%s:%d: %s: member %s ended %.0f s after the start, before the exchange at %.0f s: all members must run to "
        "the same end",
        s->config->file, s->var->line, s->what, name_of(s, place), s->ended, mark);
}

static int note_state(const h3ou__member_streams *s, int place, double mark, int64_t state, states *of)
{
    if (of->has_value ? state == H3OU__END : of->all == H3OU__END && state != H3OU__END)
        return fail_unlike(s, place, mark);
    of->has_value |= state == H3OU__VALUE;
    if (state == H3OU__NO_VALUE) {
        of->lacks_value = true;
        of->lacking = place;
    }
    of->all = state > of->all ? state : of->all;
    return H3OU__OK;
}

/* Puts the members of one batch together. */
static int add_batch(h3ou__member_streams *s, int first, double mark, const int64_t state[], states *of)
{
    int err = H3OU__OK;
    for (int place = first; place < end_of_batch(s, first) && !err; place++) {
        double *value = NULL, *share = NULL;
        if (s->is_lost[place]) {
            err = h3ou__member_sums_skip(s->sums, place);
            continue;
        }
        err = note_state(s, place, mark, state[place - first], of);
        if (!err && state[place - first] != H3OU__VALUE)
            err = h3ou__member_sums_skip(s->sums, place);
        else if (!err && (err = h3ou__member_sums_begin(s->sums, &value, &share)) == H3OU__OK)
            h3ou__member_sums_end(s->sums, place, unpack_member(s, place, value, share));
    }
    return err;
}

/* Writes the head of the message; the values stand behind it already. */
static void write_head(const h3ou__member_streams *s, double mark, int64_t state, bool is_shared, double *message)
{
    memset(message, 0, sizeof *message * H3OU__HEAD);
    message[H3OU__HEAD_MARK] = mark;
    message[H3OU__HEAD_STATE] = (double)(is_shared ? H3OU__SHARED : state);
    message[H3OU__HEAD_MORE] = state == H3OU__END ? s->ended : s->has_nan || s->nlost > 0;
}

/* Writes the statistic behind the head of the message; returns whether shares follow. What the leader of a group sends for
 * all is rounded, and so is this. */
static bool write_statistic(const h3ou__member_streams *s, double *value)
{
    int rows = h3ou__member_sums_rows(s->sums);
    bool is_shared = h3ou__member_sums_write(s->sums, h3ou__message_is_turned(s->plan, rows), value);
    for (int64_t i = 0; i < rows * s->nslot && h3ou__message_has_singles(s->var); i++)
        value[i] = h3ou__quiet_single(&value[i]);
    return is_shared;
}

static void warn_no_value(h3ou__member_streams *s, double mark, const states *of)
{
    if (of->has_value && of->lacks_value && s->config->is_leader)
        h3ou__warn(
            &s->is_told,
            "%s:%d: %s: %s put no value for the exchange at %.0f s, others did: there is no statistic over the members",
            s->config->file, s->var->line, s->what, name_of(s, of->lacking), mark);
}

/* Receives one batch and puts it together. The receives of the first one are posted. */
static int receive_batch(h3ou__member_streams *s, int first, double mark, states *of)
{
    int64_t state[SEATS];
    int err = first == 0 ? H3OU__OK : post_batch(s, first);
    if (!err)
        err = await_batch(s, first, mark, state);
    return err ? err : add_batch(s, first, mark, state, of);
}

int h3ou__member_streams_receive(h3ou__member_streams *s, double mark, double *message)
{
    states of = {.all = H3OU__VALUE};
    bool is_shared = false;
    int err = h3ou__member_streams_post(s);
    s->is_posted = s->has_nan = false;
    h3ou__member_sums_clear(s->sums);
    for (int first = 0; first < s->plan->nmember && !err; first += s->nseat)
        err = receive_batch(s, first, mark, &of);
    if (err)
        return err;
    warn_no_value(s, mark, &of);
    if (of.all == H3OU__VALUE)
        is_shared = write_statistic(s, message + H3OU__HEAD);
    write_head(s, mark, of.all, is_shared, message);
    return H3OU__OK;
}

const char *h3ou__member_streams_lost(const h3ou__member_streams *s)
{
    int place = 0;
    while (place < s->plan->nmember && !s->is_lost[place])
        place++;
    return place < s->plan->nmember ? name_of(s, place) : NULL;
}

int h3ou__member_streams_members(const h3ou__member_streams *s)
{
    return h3ou__member_sums_members(s->sums);
}
