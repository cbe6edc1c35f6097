/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/simulate/model/simulation.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "tools/simulate/model/event_queue.h"

enum { NONE = UINT32_MAX, LEAST_STEPS = 16, MOST_STEPS = 1 << 16, STEPS_IN_ALL = 1 << 27 };
enum event_kind {
    BEGIN,  /* a member begins its next round */
    ARRIVE, /* a message is there */
    ASK,    /* the question whether a message may be sent is there */
    ALLOW   /* the answer is there */
};

typedef struct member {
    stage_part part;
    int begin, end;   /* the steps of its round */
    int left;         /* messages of it that are not complete */
    uint32_t stage;   /* counted over all calls */
    uint32_t early;   /* first of the messages that came before their receives */
    bool is_begun;    /* else the member waits in its first round, and its steps are not kept */
    int64_t next;     /* round of the schedule after the part */
    int64_t most_bytes;
    double when;      /* the end of what is complete of the round, or of all calls */
} member;

typedef struct message {
    int64_t bytes;
    int from, to;
    uint32_t stage, next; /* next: of a list */
    int recv;             /* the step in its receiver's part; -1: not known */
    bool is_asked;        /* the data are not sent before the receiver allows it */
} message;

typedef struct simulation {
    modelled_machine *m;
    const simulation_plan *plan;
    int n, most_steps;
    member *member;   /* [n] */
    message *message; /* [nmessage] */
    int64_t nmessage, room;
    uint32_t unused; /* list of messages */
    event_queue events;
    int64_t steps, peak_steps; /* that are kept */
    simulation_result *out;
} simulation;

static int begin_rounds(simulation *s, int rank, double now);

static enum transport transport_of(const simulation *s, uint32_t number)
{
    return s->plan->stage[number % (uint32_t)s->plan->nstage].by;
}

static void drop_part(simulation *s, member *m)
{
    s->steps -= m->part.n;
    free(m->part.step);
    m->part.step = NULL;
    m->part.n = m->begin = m->end = 0;
}

static bool has_ended(const simulation *s, const member *m)
{
    return m->stage == (uint32_t)(s->plan->nstage * s->plan->calls);
}

/* Takes the next part that has messages, of this or a later stage; none if the calls are at their end. */
static int take_part(simulation *s, int rank)
{
    member *m = &s->member[rank];
    drop_part(s, m);
    while (!m->part.n && !has_ended(s, m)) {
        if (m->part.is_end) {
            m->next = 0;
            m->part.is_end = false;
            m->stage++;
            if (has_ended(s, m))
                break;
        }
        int code = stage_take(&s->plan->stage[m->stage % (uint32_t)s->plan->nstage], s->n, rank, s->most_steps, &m->next,
                              &m->part);
        if (code)
            return code;
        m->most_bytes = m->part.schedule_bytes > m->most_bytes ? m->part.schedule_bytes : m->most_bytes;
    }
    s->steps += m->part.n;
    s->peak_steps = s->steps > s->peak_steps ? s->steps : s->peak_steps;
    return H3OU__OK;
}

/* Makes a message; NONE when there is no memory. */
static uint32_t make_message(simulation *s, message value)
{
    uint32_t id = s->unused;
    if (id != NONE) {
        s->unused = s->message[id].next;
    } else {
        if (s->nmessage >= NONE || !h3ou__grow(&s->message, sizeof *s->message, &s->room, s->nmessage + 1))
            return NONE;
        id = (uint32_t)s->nmessage++;
    }
    s->message[id] = value;
    return id;
}

static void free_message(simulation *s, uint32_t id)
{
    s->message[id].next = s->unused;
    s->unused = id;
}

/* A message of a member's round is complete at `when`. After the last one the next round begins at the latest time. */
static int complete(simulation *s, int rank, double when)
{
    member *m = &s->member[rank];
    m->when = when > m->when ? when : m->when;
    return --m->left ? H3OU__OK : event_add(&s->events, m->when, BEGIN, (uint32_t)rank);
}

/* Sends the data. */
static int send_data(simulation *s, uint32_t id, double now)
{
    const message *msg = &s->message[id];
    int from = msg->from;
    transfer t = machine_send(s->m, transport_of(s, msg->stage), from, msg->to, msg->bytes, now);
    int code = event_add(&s->events, t.arrives, ARRIVE, id);
    return code ? code : complete(s, from, t.sent);
}

static int start_send(simulation *s, int rank, int step, double now)
{
    const member *m = &s->member[rank];
    const stage_step *what = &m->part.step[step];
    enum transport by = transport_of(s, m->stage);
    message new = {.bytes = what->bytes,
                   .from = rank,
                   .to = what->peer,
                   .stage = m->stage,
                   .recv = -1,
                   .is_asked = what->bytes > s->m->eager[by]};
    uint32_t id = make_message(s, new);
    if (id == NONE)
        return h3ou__no_memory("the messages of a simulation");
    s->out->sent++;
    if (!new.is_asked)
        return send_data(s, id, now);
    return event_add(&s->events, machine_send(s->m, by, rank, new.to, 0, now).arrives, ASK, id);
}

/* Lets a message meet a receive of its receiver's round: it is there, or is allowed to come. */
static int meet(simulation *s, uint32_t id, int step, double now)
{
    message *msg = &s->message[id];
    s->member[msg->to].part.step[step].is_met = true;
    msg->recv = step;
    if (msg->is_asked) {
        transfer t = machine_send(s->m, transport_of(s, msg->stage), msg->to, msg->from, 0, now);
        return event_add(&s->events, t.arrives, ALLOW, id);
    }
    int to = msg->to;
    s->out->received++;
    free_message(s, id);
    return complete(s, to, now);
}

/* Returns whether a step is the receive of a message. Those of one length are alike: which comes first makes no
 * difference to the times. */
static bool fits(const stage_step *step, const message *msg)
{
    return !step->is_send && !step->is_met && step->peer == msg->from && step->bytes == msg->bytes;
}

/* Returns the message that came before its receive, and takes it out of the list; NONE: it is not there yet. */
static uint32_t take_early(simulation *s, member *m, const stage_step *step)
{
    for (uint32_t *at = &m->early; *at != NONE; at = &s->message[*at].next) {
        uint32_t id = *at;
        if (s->message[id].stage == m->stage && fits(step, &s->message[id])) {
            *at = s->message[id].next;
            return id;
        }
    }
    return NONE;
}

static void keep_early(simulation *s, member *m, uint32_t id)
{
    uint32_t *at = &m->early;
    while (*at != NONE)
        at = &s->message[*at].next;
    s->message[id].next = NONE;
    *at = id;
}

/* A message, or the question for one, comes to its receiver. */
static int reach_receiver(simulation *s, uint32_t id, double now)
{
    message *msg = &s->message[id];
    member *m = &s->member[msg->to];
    if (msg->recv >= 0) { /* it was allowed to come */
        int to = msg->to;
        s->out->received++;
        free_message(s, id);
        return complete(s, to, now);
    }
    if (!m->is_begun) {
        int code = begin_rounds(s, msg->to, 0);
        if (code)
            return code;
        msg = &s->message[id]; /* sends may have moved it */
    }
    for (int i = m->begin; m->stage == msg->stage && i < m->end; i++)
        if (fits(&m->part.step[i], msg))
            return meet(s, id, i, now);
    keep_early(s, m, id);
    return H3OU__OK;
}

/* Starts the messages of a member's round. One more is counted until all are started, so that the round does not end
 * before. */
static int start_messages(simulation *s, int rank, double now)
{
    member *m = &s->member[rank];
    int code = H3OU__OK;
    m->left = m->end - m->begin + 1;
    m->when = now;
    for (int i = m->begin; i < m->end && !code; i++) {
        if (m->part.step[i].is_send) {
            code = start_send(s, rank, i, now);
        } else {
            uint32_t id = take_early(s, m, &m->part.step[i]);
            code = id == NONE ? H3OU__OK : meet(s, id, i, now);
        }
    }
    return code ? code : complete(s, rank, now);
}

static int begin_rounds(simulation *s, int rank, double now)
{
    member *m = &s->member[rank];
    m->is_begun = true;
    m->begin = m->end;
    if (m->begin == m->part.n) {
        int code = take_part(s, rank);
        if (code)
            return code;
    }
    if (!m->part.n) {
        m->when = now;
        return H3OU__OK;
    }
    while (!m->part.step[m->end++].is_last)
        ;
    return start_messages(s, rank, now);
}

/* Begins the members whose first round sends something. The others begin when the first message comes to them: they
 * have waited from time 0 on. */
static int begin_members(simulation *s)
{
    int code = H3OU__OK;
    for (int rank = 0; rank < s->n && !code; rank++) {
        member *m = &s->member[rank];
        m->early = NONE;
        code = take_part(s, rank);
        bool has_send = false;
        for (int i = 0; i < m->part.n && !has_send && !(i && m->part.step[i - 1].is_last); i++)
            has_send = m->part.step[i].is_send;
        if (has_send || !m->part.n) {
            code = code ? code : begin_rounds(s, rank, 0);
        } else {
            drop_part(s, m);
            m->next = 0;
            m->part.is_end = false;
        }
    }
    return code;
}

static int handle_event(simulation *s, const event *e)
{
    switch (e->kind) {
    case BEGIN:
        return begin_rounds(s, (int)e->what, e->time);
    case ALLOW:
        return send_data(s, e->what, e->time);
    default:
        return reach_receiver(s, e->what, e->time);
    }
}

/* Says which member has not come to its end, and what it waits for. */
static int check_end(const simulation *s)
{
    for (int rank = 0; rank < s->n; rank++) {
        const member *m = &s->member[rank];
        int i = m->begin;
        if (has_ended(s, m) && m->early == NONE)
            continue;
        while (i < m->end && (m->part.step[i].is_send || m->part.step[i].is_met))
            i++;
        if (i < m->end)
            return h3ou__fail(H3OU__EARG, "member %d waits for %lld bytes of member %d, which does not send them", rank,
                              (long long)m->part.step[i].bytes, m->part.step[i].peer);
        return h3ou__fail(H3OU__EARG, "member %d has not come to its end: the schedules do not fit", rank);
    }
    if (s->out->sent != s->out->received)
        return h3ou__fail(H3OU__EARG, "%lld messages were sent, but %lld received", (long long)s->out->sent,
                          (long long)s->out->received);
    return H3OU__OK;
}

static void sum_up(simulation *s)
{
    simulation_result *out = s->out;
    double calls = s->plan->calls, sum = 0, bytes = 0;
    for (int rank = 0; rank < s->n; rank++) {
        const member *m = &s->member[rank];
        out->last = m->when > out->last ? m->when : out->last;
        out->schedule_bytes = m->most_bytes > out->schedule_bytes ? m->most_bytes : out->schedule_bytes;
        sum += m->when;
        bytes += (double)m->most_bytes;
    }
    out->last /= calls;
    out->mean = sum / s->n / calls;
    out->mean_bytes = bytes / s->n;
    out->events = (int64_t)s->events.added;
    out->most_events = s->events.most;
    out->memory = s->n * (int64_t)sizeof *s->member + s->peak_steps * (int64_t)sizeof(stage_step) +
                  s->room * (int64_t)sizeof *s->message + s->events.room * (int64_t)sizeof *s->events.heap;
}

static void free_all(simulation *s)
{
    for (int rank = 0; s->member && rank < s->n; rank++)
        free(s->member[rank].part.step);
    free(s->member);
    free(s->message);
    free(s->events.heap);
}

int simulation_run(modelled_machine *m, const simulation_plan *plan, simulation_result *out)
{
    simulation s = {.m = m, .plan = plan, .n = machine_size(m), .unused = NONE, .out = out};
    int64_t share = STEPS_IN_ALL / s.n;
    s.most_steps = share < LEAST_STEPS ? LEAST_STEPS : share > MOST_STEPS ? MOST_STEPS : (int)share;
    *out = (simulation_result){0};
    int code = machine_open(m);
    if (!code && !(s.member = calloc((size_t)s.n, sizeof *s.member)))
        code = h3ou__no_memory("%d simulated members", s.n);
    if (!code)
        code = begin_members(&s);
    event e;
    while (!code && event_take(&s.events, &e))
        code = handle_event(&s, &e);
    if (!code)
        code = check_end(&s);
    if (!code)
        sum_up(&s);
    free_all(&s);
    return code;
}
