/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Restarts. All components write theirs at the same model time, each by itself. What an exchange sent before that time, and the
 * receiver needs after it, is kept by the receiver; what it got before that time from an exchange that is sent after it, the
 * sender does not send again (docs/adr/0026-restarts.md).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/common/message_tags.h"
#include "coupler/config/interval_flag.h"
#include "coupler/coupler.h"
#include "coupler/early_stop.h"
#include "coupler/restart/get_state.h"
#include "coupler/restart/put_state.h"
#include "coupler/restart/restart_circle.h"

static const char HEAD[] = "run";

static const char *my_name(const h3ou__coupler *c)
{
    return h3ou__world_component_name(c->world, h3ou__world_me(c->world));
}

/* What one component of a process sends by this time is sent when another one writes its restart. */
static int check_siblings(const h3ou__coupler *c, const char *call, h3ou__rational now)
{
    for (const h3ou__coupler *s = c->sibling; s != c; s = s->sibling)
        if (!s->has_left && s->clock.is_running &&
            h3ou__rational_compare(h3ou__clock_next(&s->clock), h3ou__early_stop_of(c, h3ou__coupler_name(s), now)) != 0)
            return h3ou__fail(H3OU__ESTATE, "%s: component %s is at another time than component %s of the same process: all of them come to "
                              "the time of a restart before one writes it, and all write before one goes on",
                              call, my_name(s), my_name(c));
    return H3OU__OK;
}

static int check_write(const h3ou__coupler *c)
{
    static const char call[] = "h3ou_write_restart";
    if (!c->clock.is_running || c->clock.is_restored)
        return h3ou__fail(H3OU__ESTATE, "%s comes before the first h3ou_set_time", call);
    h3ou__rational now = h3ou__clock_next(&c->clock);
    char text[H3OU__RATIONAL_TEXT];
    if (now.den != 1)
        return h3ou__fail(H3OU__ETIME, "%s: the step ends %s s after the start: a run goes on at a whole second only", call,
                          h3ou__rational_text(now, text));
    int err = h3ou__early_stop_is_at(c, now) ? H3OU__OK : h3ou__restart_circle_check(c->config, call);
    if (!err)
        err = check_siblings(c, call, now);
    return err;
}

/* Lists, as ranks of *comm, the ranks 0 of the members of another component that mine is coupled with: of one, or of each that is of a
 * group which mine is coupled with. Returns how many. *comm: of the leaders where components share processes, else of all processes, on
 * which a message from a member that was lost ends without an error. */
static int list_members(const h3ou__coupler *c, const char *other, h3ou__comm **comm, int rank[])
{
    h3ou__world *w = c->world;
    bool is_shared = h3ou__world_is_shared(w);
    int me = h3ou__world_component_member(w, h3ou__world_me(w)), mine = h3ou__world_members(w, h3ou__coupler_name(c));
    int theirs = h3ou__world_members(w, other), n = 0;
    *comm = is_shared ? h3ou__world_leader(w) : h3ou__world_lossy(w);
    for (int member = theirs > mine ? me : -1; member < theirs; member += mine) {
        int id = member < 0 ? h3ou__world_find(w, other) : h3ou__world_member(w, other, member);
        rank[n++] = is_shared ? id : h3ou__world_component_first(w, id);
        if (member < 0)
            break;
    }
    return n;
}

/* Tells who gets a field with lag=0 how many exchanges were sent. */
static int tell_count(h3ou__coupler *c, h3ou__outgoing *o)
{
    h3ou__comm *comm;
    int *to = malloc(sizeof *to * (size_t)h3ou__world_components(c->world));
    if (!to)
        return h3ou__no_memory("a list of members");
    int n = list_members(c, c->config->pair[o->var->pair].comp_get, &comm, to), err = h3ou__outgoing_tell_count(o, comm, n, to);
    free(to);
    return err;
}

/* Completes what a component of this process sends by the end of its step, for its next restart. */
static int complete_puts(h3ou__coupler *c, h3ou__rational now)
{
    int err = H3OU__OK;
    bool is_first = h3ou__comm_rank(h3ou__world_local(c->world)) == 0;
    for (int i = 0; i < c->nout && !err; i++) {
        h3ou__outgoing *o = c->out[i];
        err = h3ou__outgoing_complete(o, &c->clock, now);
        if (!err && o->var->lag == 0 && is_first)
            err = tell_count(c, o);
    }
    if (!err)
        err = h3ou__coupler_send_bundles(c);
    h3ou__send_off(c->world);
    c->restarts_told++;
    return err;
}

/* Completes what all components of this process send, since my component may wait for it. */
static int complete_all(h3ou__coupler *c)
{
    h3ou__coupler *s = c;
    int err = H3OU__OK;
    c->restarts++;
    do {
        while (!err && !s->has_left && s->clock.is_running && s->restarts_told < c->restarts) {
            s->clock.is_cut = true;
            s->is_quiet = false;
            err = complete_puts(s, h3ou__clock_next(&s->clock));
        }
        s = s->sibling;
    } while (s != c && !err);
    return err;
}

static int fail_counts(const h3ou__coupler *c, const h3ou__incoming *in)
{
    return h3ou__fail(H3OU__ESTATE, "%s:%d: h3ou_write_restart: field %s: the members of %s have put different numbers of exchanges at the time "
                      "of the restart: let all of them put it at the same times", c->config->file, in->var->line, in->var->get,
                      c->config->pair[in->var->pair].comp_put);
}

/* Called by rank 0: sets the largest and the smallest number of exchanges of a field with lag=0 that the n processes rank[] of comm say
 * they have sent. A member that was lost says nothing. */
static int hear_counts(const h3ou__coupler *c, const h3ou__incoming *in, h3ou__comm *comm, int n, const int rank[], int64_t *most, int64_t *least)
{
    int64_t one;
    h3ou__req req;
    int err = H3OU__OK;
    *most = -1;
    *least = INT64_MAX;
    for (int i = 0; i < n && !err; i++) {
        err = h3ou__irecv(comm, rank[i], H3OU__TAG_RESTART, &one, 1, H3OU__INT64, in->what, &req);
        if (!err)
            err = h3ou__waitall(c->world, 1, &req);
        if (err || h3ou__req_is_lost(&req))
            continue;
        *most = one > *most ? one : *most;
        *least = one < *least ? one : *least;
    }
    return err;
}

/* Learns how many exchanges of a field with lag=0 were sent. */
static int hear_count(const h3ou__coupler *c, const h3ou__incoming *in, int64_t *sent)
{
    h3ou__comm *local = h3ou__world_local(c->world), *comm;
    int64_t heard[2] = {0}; /* the largest and the smallest count */
    int *rank = malloc(sizeof *rank * (size_t)h3ou__world_components(c->world));
    if (!rank)
        return h3ou__no_memory("a list of members");
    int n = list_members(c, c->config->pair[in->var->pair].comp_put, &comm, rank), err = H3OU__OK;
    if (h3ou__comm_rank(local) == 0)
        err = hear_counts(c, in, comm, in->streams ? n : 1, rank, &heard[0], &heard[1]);
    free(rank);
    if (!err)
        err = h3ou__bcast(local, heard, 2, H3OU__INT64, 0);
    *sent = heard[0];
    return err || heard[0] <= heard[1] ? err : fail_counts(c, in);
}

/* Receives what is on its way to one field. */
static int receive_ahead(h3ou__coupler *c, h3ou__incoming *in, h3ou__rational now)
{
    const h3ou__config_pair *pair = &c->config->pair[in->var->pair];
    h3ou__rational senders = h3ou__early_stop_of(c, pair->comp_put, now);
    bool lacks = in->var->flag == H3OU__FLAG_INT && h3ou__exchange_is_over(&in->times, in->next, now);
    bool has_ended = in->has_ended && (in->ended < h3ou__rational_real(senders) || lacks);
    int64_t mine[2] = {in->next, has_ended}, all[2], sent = 0;
    int err = h3ou__allreduce(h3ou__world_local(c->world), mine, all, 2, H3OU__INT64, H3OU__MAX);
    if (!err && !all[1] && in->var->lag == 0)
        err = hear_count(c, in, &sent);
    if (err)
        return err;
    if (all[1])
        return h3ou__fail(H3OU__ESTATE, "h3ou_write_restart: component %s ended before it sent all that belongs to the restart, "
                          "from which %s gets field %s: all components must "
                          "write a restart at the same time", pair->comp_put, my_name(c), in->var->get);
    if (in->var->lag == 0 && all[0] > sent)
        return h3ou__fail(H3OU__ESTATE, "%s:%d: h3ou_write_restart: field %s: %s has got %" PRId64 " exchanges at the time of the "
                          "restart, but %s has put %" PRId64 ": write restarts at a time at which nothing is got that is put later",
                          c->config->file, in->var->line, in->var->get, pair->comp_get, all[0], pair->comp_put, sent);
    return h3ou__incoming_receive_ahead(in, now, senders, all[0], sent);
}

/* Lists the time at which the run goes on, its start and my component's last step. */
static int list_head(const h3ou__coupler *c, h3ou__rational now, h3ou__restart_list *list)
{
    const int *d = c->clock.date;
    int err = h3ou__restart_list_text(list, "component", "%s", my_name(c));
    if (!err)
        err = h3ou__restart_list_text(list, "calendar", "%s", h3ou__calendar_name(c->config->calendar));
    return err ? err
               : h3ou__restart_list_text(list, HEAD, "%d %d %d %d %d %d %" PRId64 " %" PRId64 "/%" PRId64 " %" PRId64 "/%" PRId64, d[0],
                                         d[1], d[2], d[3], d[4], d[5], now.num, c->clock.now.num, c->clock.now.den,
                                         c->clock.step.num, c->clock.step.den);
}

int h3ou__coupler_write_restart(h3ou__coupler *c, const char *file)
{
    h3ou__restart_list list = {0};
    int err = check_write(c);
    if (err)
        return err;
    if (c->replay) {
        c->clock.is_cut = true;
        h3ou__log(H3OU__LOG_WHISPER, "replay", "component=%s restart-not-written=%s", my_name(c), file);
        return H3OU__OK;
    }
    h3ou__rational now = h3ou__clock_next(&c->clock);
    err = complete_all(c);
    for (int i = 0; i < c->nin && !err; i++)
        err = receive_ahead(c, c->in[i], now);
    if (!err)
        err = list_head(c, now, &list);
    for (int i = 0; i < c->nout && !err; i++)
        err = h3ou__put_state_list(c->out[i], i, h3ou__early_stop_of(c, c->config->pair[c->out[i]->var->pair].comp_get, now), &list);
    for (int i = 0; i < c->nin && !err; i++)
        err = h3ou__get_state_list(c->in[i], i, now, &list);
    if (!err)
        err = h3ou__restart_file_write(h3ou__world_local(c->world), file, &list);
    h3ou__restart_list_free(&list);
    return err;
}

/* What list_head wrote. */
typedef struct head {
    int date[6];
    int64_t start, time; /* start in seconds since 1970; time: seconds since the start at which the run goes on */
    h3ou__rational now, step;
} head;

static int read_head(const h3ou__coupler *c, h3ou__restart_file *r, head *h)
{
    char text[H3OU__RESTART_TEXT];
    const char *file = h3ou__restart_file_name(r);
    bool has = false;
    int err = h3ou__restart_file_text(r, "component", text, &has);
    if (!err && strcmp(text, my_name(c)) != 0)
        return h3ou__fail(H3OU__EFILE, "%s: is the restart of component %s, this one is %s", file, text, my_name(c));
    if (!err)
        err = h3ou__restart_file_text(r, "calendar", text, &has);
    if (!err && strcmp(text, h3ou__calendar_name(c->config->calendar)) != 0)
        return h3ou__fail(H3OU__EFILE, "%s: was written with calendar='%s', %s has calendar='%s'", file, text, c->config->file,
                          h3ou__calendar_name(c->config->calendar));
    if (!err)
        err = h3ou__restart_file_text(r, HEAD, text, &has);
    if (err)
        return err;
    int *d = h->date;
    if (!has || sscanf(text, "%d %d %d %d %d %d %" SCNd64 " %" SCNd64 "/%" SCNd64 " %" SCNd64 "/%" SCNd64, &d[0], &d[1], &d[2], &d[3],
                       &d[4], &d[5], &h->time, &h->now.num, &h->now.den, &h->step.num, &h->step.den) != 11)
        return h3ou__fail(H3OU__EFILE, "%s: is damaged: %s", file, HEAD);
    h->start = h3ou__date_seconds(c->config->calendar, d);
    return H3OU__OK;
}

static int fail_other_time(const h3ou__coupler *c, const char *file, const head *h)
{
    char a[H3OU__DATE_TEXT], b[H3OU__DATE_TEXT];
    int said[6], has[6];
    h3ou__date_from_seconds(c->config->calendar, c->clock.start + c->clock.begin, said);
    h3ou__date_from_seconds(c->config->calendar, h->start + h->time, has);
    return h3ou__fail(H3OU__ETIME, "%s: is of %s, but h3ou_init_time says %s, and there is no %s.former of that time: give the time "
                      "at which the restart was written", file, h3ou__date_text(has, a), h3ou__date_text(said, b), file);
}

/* Opens the file, or the one that had its name before, whichever is of the time that h3ou_init_time said. */
static int open_file(const h3ou__coupler *c, const char *file, h3ou__restart_file **r, head *h)
{
    h3ou__comm *local = h3ou__world_local(c->world);
    char former[4096];
    int64_t has_former = 0;
    int err = h3ou__restart_file_open(local, file, r);
    if (!err)
        err = read_head(c, *r, h);
    if (err || h->start + h->time == c->clock.start + c->clock.begin)
        return err;
    head newer = *h;
    h3ou__restart_file_close(*r);
    *r = NULL;
    snprintf(former, sizeof former, "%s.former", file);
    if (h3ou__comm_rank(local) == 0)
        has_former = access(former, F_OK) == 0;
    if ((err = h3ou__bcast(local, &has_former, 1, H3OU__INT64, 0)) != H3OU__OK)
        return err;
    if (has_former && (err = h3ou__restart_file_open(local, former, r)) == H3OU__OK)
        err = read_head(c, *r, h);
    if (err || (has_former && h->start + h->time == c->clock.start + c->clock.begin))
        return err;
    return fail_other_time(c, file, &newer);
}

static int check_read(const h3ou__coupler *c)
{
    static const char call[] = "h3ou_read_restart";
    if (!c->clock.is_set || c->clock.is_running)
        return h3ou__fail(H3OU__ESTATE, "%s comes %s", call, c->clock.is_running ? "after the first h3ou_set_time" : "before h3ou_init_time");
    for (const h3ou__coupler *s = c->sibling; s != c; s = s->sibling)
        if (s->clock.is_running && !s->clock.is_restored)
            return h3ou__fail(H3OU__ESTATE, "%s comes after the first h3ou_set_time of component %s of the same process: all of them read their "
                              "restarts first", call, my_name(s));
    for (int i = 0; i < c->nout; i++)
        if (c->out[i]->has_value)
            return h3ou__fail(H3OU__ESTATE, "%s: field %s was put before: its value is in the restart, so put no initial value in a run "
                              "that goes on from one", call, c->out[i]->var->put);
    return H3OU__OK;
}

/* Sets the clock to the end of the step after which the restart was written. */
static int set_clock(h3ou__coupler *c, const char *file, const head *h)
{
    char a[H3OU__DATE_TEXT], b[H3OU__DATE_TEXT];
    h3ou__clock *k = &c->clock;
    if (c->config->has_start && h3ou__date_seconds(c->config->calendar, c->config->start) != h->start)
        return h3ou__fail(H3OU__ETIME, "%s: is of a run that started at %s, %s says start at %s", file, h3ou__date_text(h->date, a),
                          c->config->file, h3ou__date_text(c->config->start, b));
    memcpy(k->date, h->date, sizeof k->date);
    k->start = h->start;
    k->begin = h->time;
    k->now = h->now;
    k->step = h->step;
    memset(k->day, 0, sizeof k->day);
    k->is_running = k->is_cut = k->is_restored = true;
    return H3OU__OK;
}

int h3ou__coupler_read_restart(h3ou__coupler *c, const char *file)
{
    h3ou__restart_file *r = NULL;
    head h;
    int err = c->clock.is_set && !c->clock.is_running ? h3ou__coupler_plan_rest(c) : H3OU__OK;
    if (!err)
        err = check_read(c);
    if (!err && c->replay)
        return h3ou__replay_restart(c->replay, &c->clock);
    if (!err)
        err = open_file(c, file, &r, &h);
    if (!err)
        err = set_clock(c, file, &h);
    for (int i = 0; i < c->nout && !err; i++)
        err = h3ou__put_state_read(c->out[i], h.date, r);
    for (int i = 0; i < c->nin && !err; i++)
        err = h3ou__get_state_read(c->in[i], h.date, r);
    if (!err)
        h3ou__recorder_restart(c->recorder, &c->clock);
    h3ou__restart_file_close(r);
    return err;
}
