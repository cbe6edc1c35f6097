/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/instance.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/message/call_lock.h"
#include "waitio/message/job_loss.h"
#include "waitio/message/match.h"
#include "waitio/message/peer.h"

static waitio__instance *of_process;
static _Thread_local waitio__instance *of_thread;
static atomic_bool has_own; /* some thread has an instance of its own: then all threads look there first */

/* Set before or between instances. */
static char own_name[WAITIO__GREET_NAME + 1];
static double own_patience = -1;

waitio__instance *waitio__instance_current(void)
{
    bool looks = atomic_load_explicit(&has_own, memory_order_relaxed);
    return looks && of_thread ? of_thread : of_process;
}

waitio__instance *waitio__instance_of_process(void)
{
    return of_process;
}

void waitio__instance_set_current(waitio__instance *in)
{
    of_process = in;
}

void waitio__instance_set_own(waitio__instance *in)
{
    atomic_store_explicit(&has_own, true, memory_order_relaxed);
    of_thread = in;
}

int waitio__instance_new(waitio__instance **out)
{
    *out = NULL;
    waitio__instance *in = calloc(1, sizeof *in);
    if (!in)
        return h3ou__fail(H3OU__ENOMEM, "no memory for the instance");
    waitio__settings_default(&in->set);
    waitio__memory_count(&in->memory, WAITIO__USE_FIXED, (int64_t)sizeof *in);
    int code = waitio__hub_open(&in->hub, &in->memory);
    if (code) {
        free(in);
        return code;
    }
    waitio__greetings_open(&in->greetings, &in->hub);
    in->table.fd = -1;
    in->now = h3ou__now();
    in->turn = 1;
    in->coalescing.streak_needed = WAITIO__STREAK;
    in->patience = in->set.patience;
    memcpy(in->self.name, own_name, sizeof in->self.name);
    *out = in;
    return H3OU__OK;
}

void waitio__instance_free(waitio__instance *in)
{
    if (!in)
        return;
    for (int i = 0; i < WAITIO__ROUTES; i++)
        waitio__listener_close(&in->listening.messages[i]);
    for (int i = 0; i < WAITIO__MASTERS; i++)
        waitio__listener_close(&in->listening.kings[i]);
    waitio__peers_free(in);
    if (in->listening.king_ops)
        in->listening.king_ops->free(in);
    waitio__greetings_free(&in->greetings);
    waitio__requests_free(in);
    waitio__endpoints_free(&in->table);
    waitio__hub_close(&in->hub);
    waitio__memory_free(&in->memory);
    for (int pb = 0; in->job_name && pb < in->set.npb; pb++)
        free(in->job_name[pb]);
    free(in->job_name);
    waitio__job_losses_free(in);
    if (of_thread == in)
        of_thread = NULL;
    if (of_process == in)
        of_process = NULL;
    free(in);
}

int waitio__instance_name_job(int pb, const char *name)
{
    waitio__instance *in;
    int code = waitio__instance_enter(&in);
    if (code)
        return code;
    if (!in->job_name)
        in->job_name = calloc((size_t)in->set.npb, sizeof *in->job_name);
    if (in->job_name && pb >= 0 && pb < in->set.npb) {
        free(in->job_name[pb]);
        in->job_name[pb] = strdup(name);
    }
    if (!in->job_name || pb < 0 || pb >= in->set.npb || !in->job_name[pb])
        code = h3ou__fail(H3OU__ENOMEM, "no memory for the names of the jobs");
    waitio__instance_leave(in);
    return code;
}

int waitio__instance_enter(waitio__instance **out)
{
    waitio__instance *in = waitio__instance_current();
    *out = NULL;
    if (!in)
        return h3ou__fail(H3OU__ESTATE,
                          "no WaitIO instance: call waitio_init first (and nothing after waitio_finalize)");
    waitio__call_lock_take(in);
    if (in->failed) {
        int code = h3ou__fail(in->failed, "%s", in->failure.text);
        waitio__call_lock_give(in);
        return code;
    }
    *out = in;
    return H3OU__OK;
}

void waitio__instance_leave(waitio__instance *in)
{
    if (in)
        waitio__call_lock_give(in);
}

void waitio__instance_fail(waitio__instance *in, int code, const char *text)
{
    if (in->failed)
        return;
    in->failed = code;
    snprintf(in->failure.text, sizeof in->failure.text, "%s", text);
    h3ou__log(H3OU__LOG_WHISPER, "instance_failed", "code=%d reason=\"%s\"", code, in->failure.text);
    for (waitio__peer *p = in->peers.first; p; p = p->next) {
        p->pending = p->pending_last = NULL;
        p->posted = p->posted_last = NULL;
        p->moving = p->moving_last = NULL;
        for (waitio__arrival *a = p->arrival; a; a = a->next) {
            a->claimed = NULL;
            a->send = NULL;
        }
        for (int i = 0; i < WAITIO__LANES; i++)
            if (p->lane[i])
                waitio__lane_detach(p->lane[i]);
        while (p->active)
            waitio__request_complete(p->active, code, in->failure.text);
    }
    while (in->waiting.any_source) {
        waitio__request *r = in->waiting.any_source;
        waitio__match_unpost(r);
        waitio__request_complete(r, code, in->failure.text);
    }
}

char *waitio__who(const waitio__instance *in, int global, char text[WAITIO__WHO])
{
    int pb, rank;
    char at[WAITIO__ADDRESS_TEXT];
    waitio__address address;
    const waitio__peer *p = waitio__int_map_get(&in->peers.by_number, global);
    waitio__endpoints_find(&in->table, global, &pb, &rank);
    waitio__endpoints_address(&in->table, global, &address);
    h3ou__address_text(&address, at);
    const char *name = global == in->me ? in->self.name : p ? p->name : "";
    if (*name)
        snprintf(text, WAITIO__WHO, "%s (PB %d rank %d at %s)", name, pb, rank, at);
    else
        snprintf(text, WAITIO__WHO, "PB %d rank %d at %s", pb, rank, at);
    return text;
}

const char *waitio_error(void)
{
    return h3ou__fail_text();
}

const char *waitio_strerror(int code)
{
    return h3ou__strerror(code);
}

int waitio_set_patience(double seconds)
{
    if (!(seconds > 0))
        return h3ou__fail(H3OU__EARG, "waitio_set_patience: %g seconds: it must be a number above 0", seconds);
    waitio__instance *in = waitio__instance_current();
    if (in)
        waitio__call_lock_take(in);
    own_patience = seconds;
    if (in) {
        in->patience = seconds;
        waitio__call_lock_give(in);
    }
    return H3OU__OK;
}

double waitio__patience(const waitio__instance *in)
{
    return own_patience > 0 ? own_patience : in->set.patience;
}

int waitio_set_name(const char *name)
{
    if (!name)
        return h3ou__fail(H3OU__EARG, "waitio_set_name: name is NULL");
    waitio__instance *in = waitio__instance_current();
    if (in)
        waitio__call_lock_take(in);
    snprintf(own_name, sizeof own_name, "%s", name);
    if (in) {
        memcpy(in->self.name, own_name, sizeof own_name);
        waitio__call_lock_give(in);
    }
    return H3OU__OK;
}

int waitio_pb_rank(int *rankp)
{
    waitio__instance *in;
    int code = waitio__instance_enter(&in);
    if (!code && !rankp)
        code = h3ou__fail(H3OU__EARG, "waitio_pb_rank: rankp is NULL");
    if (!code)
        *rankp = in->set.pbid;
    waitio__instance_leave(in);
    return code;
}

int waitio_pb_size(int *sizep)
{
    waitio__instance *in;
    int code = waitio__instance_enter(&in);
    if (!code && !sizep)
        code = h3ou__fail(H3OU__EARG, "waitio_pb_size: sizep is NULL");
    if (!code)
        *sizep = in->table.npb;
    waitio__instance_leave(in);
    return code;
}

/* In parentheses: the header has a macro of this name that chooses by type. */
int(waitio_get_nprocs)(int array[])
{
    waitio__instance *in;
    int code = waitio__instance_enter(&in);
    if (!code && !array)
        code = h3ou__fail(H3OU__EARG, "waitio_get_nprocs: array is NULL");
    for (int pb = 0; !code && pb < in->table.npb; pb++)
        array[pb] = waitio__endpoints_size(&in->table, pb);
    int npb = code ? 0 : in->table.npb;
    waitio__instance_leave(in);
    return code ? code : npb;
}

int waitio_get_nprocs_alloc(int **array)
{
    waitio__instance *in;
    int npb = 0, code = waitio__instance_enter(&in);
    if (!code && !array)
        code = h3ou__fail(H3OU__EARG, "waitio_get_nprocs: array is NULL");
    if (!code)
        npb = in->table.npb;
    waitio__instance_leave(in);
    if (code)
        return code;
    *array = malloc((size_t)npb * sizeof **array);
    if (!*array)
        return h3ou__fail(H3OU__ENOMEM, "no memory for %d process counts", npb);
    return (waitio_get_nprocs)(*array);
}

int waitio_get_counters(waitio_counters_t *counters)
{
    waitio__instance *in;
    int code = waitio__instance_enter(&in);
    if (!code && !counters)
        code = h3ou__fail(H3OU__EARG, "waitio_get_counters: counters is NULL");
    if (!code) {
        *counters = in->counters;
        counters->connections = (uint64_t)in->nlanes;
        counters->strangers = in->greetings.strangers;
        counters->sleeps = in->hub.sleeps;
        counters->memory = waitio__memory_held(&in->memory);
        counters->node_memory = in->table.fd >= 0 ? in->table.bytes : 0;
    }
    waitio__instance_leave(in);
    return code;
}
