/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "waitio/connection.h"
#include "waitio/control.h"
#include "waitio/incoming.h"
#include "waitio/match.h"
#include "waitio/request.h"

waitio__instance *waitio__current;

/* Set before or between instances. */
static char own_name[WAITIO__NAME_MOST + 1];
static double own_patience = -1;

int waitio__instance_new(waitio__instance **out)
{
    *out = NULL;
    waitio__instance *in = calloc(1, sizeof *in);
    if (!in)
        return h3ou__fail(H3OU__ENOMEM, "no memory for the instance");
    int code = waitio__hub_open(&in->hub);
    if (code) {
        free(in);
        return code;
    }
    memcpy(in->name, own_name, sizeof in->name);
    *out = in;
    return H3OU__OK;
}

void waitio__instance_free(waitio__instance *in)
{
    if (!in)
        return;
    waitio__listener_close(&in->ear);
    waitio__listener_close(&in->gate);
    waitio__conns_free(in);
    waitio__control_free(in);
    waitio__requests_free(in);
    waitio__endpoints_free(&in->table);
    waitio__hub_close(&in->hub);
    if (waitio__current == in)
        waitio__current = NULL;
    free(in);
}

int waitio__instance_get(waitio__instance **out)
{
    *out = waitio__current;
    if (!*out)
        return h3ou__fail(H3OU__ESTATE,
                          "no WaitIO instance: call waitio_init first (and nothing after waitio_finalize)");
    if ((*out)->failed)
        return h3ou__fail((*out)->failed, "%s", (*out)->failure);
    return H3OU__OK;
}

/* The request ends; the link forgets its memory. */
static void detach(waitio__peer *p, waitio__request *r)
{
    waitio__conn *c = p->conn;
    if (c && c->state == WAITIO__READY) {
        waitio__incoming_let_go(c, r);
        if (waitio__channel_forget(&c->channel, &r->out))
            waitio__channel_close(&c->channel);
    }
}

void waitio__instance_fail(waitio__instance *in, int code, const char *text)
{
    if (in->failed)
        return;
    in->failed = code;
    snprintf(in->failure, sizeof in->failure, "%s", text);
    h3ou__log(H3OU__LOG_WHISPER, "instance_failed", "code=%d reason=\"%s\"", code, in->failure);
    for (waitio__peer *p = in->peer; p; p = p->next) {
        p->pending = p->pending_last = NULL;
        p->posted = p->posted_last = NULL;
        for (waitio__arrival *a = p->arrival; a; a = a->next)
            a->claimed = NULL;
        while (p->active) {
            detach(p, p->active);
            waitio__request_complete(p->active, code, in->failure);
        }
    }
}

char *waitio__who(const waitio__instance *in, int global, char text[WAITIO__WHO])
{
    int pb, rank;
    char at[WAITIO__ADDRESS_TEXT];
    const waitio__peer *p = waitio__map_get(&in->peers, global);
    waitio__endpoints_find(&in->table, global, &pb, &rank);
    waitio__tcp.text(waitio__endpoints_address(&in->table, global), at);
    const char *name = global == in->me ? in->name : p ? p->name : "";
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
        return h3ou__fail(H3OU__EARG, "waitio_set_patience: %g is no time to wait", seconds);
    own_patience = seconds;
    if (waitio__current)
        waitio__current->patience = seconds;
    return H3OU__OK;
}

double waitio__patience(const waitio__instance *in)
{
    return own_patience > 0 ? own_patience : in->set.patience;
}

int waitio_set_name(const char *name)
{
    if (!name)
        return h3ou__fail(H3OU__EARG, "waitio_set_name: no name");
    snprintf(own_name, sizeof own_name, "%s", name);
    if (waitio__current)
        memcpy(waitio__current->name, own_name, sizeof own_name);
    return H3OU__OK;
}

int waitio_pb_rank(int *rankp)
{
    waitio__instance *in;
    int code = waitio__instance_get(&in);
    if (!code && !rankp)
        code = h3ou__fail(H3OU__EARG, "waitio_pb_rank: nowhere to write");
    if (!code)
        *rankp = in->set.pbid;
    return code;
}

int waitio_pb_size(int *sizep)
{
    waitio__instance *in;
    int code = waitio__instance_get(&in);
    if (!code && !sizep)
        code = h3ou__fail(H3OU__EARG, "waitio_pb_size: nowhere to write");
    if (!code)
        *sizep = in->table.npb;
    return code;
}

int waitio_get_nprocs_fill(int *array)
{
    waitio__instance *in;
    int code = waitio__instance_get(&in);
    if (!code && !array)
        code = h3ou__fail(H3OU__EARG, "waitio_get_nprocs: nowhere to write");
    for (int pb = 0; !code && pb < in->table.npb; pb++)
        array[pb] = waitio__endpoints_size(&in->table, pb);
    return code;
}

int waitio_get_nprocs_alloc(int **array)
{
    waitio__instance *in;
    int code = waitio__instance_get(&in);
    if (!code && !array)
        code = h3ou__fail(H3OU__EARG, "waitio_get_nprocs: nowhere to write");
    if (code)
        return code;
    *array = malloc((size_t)in->table.npb * sizeof **array);
    if (!*array)
        return h3ou__fail(H3OU__ENOMEM, "no memory for %d process counts", in->table.npb);
    return waitio_get_nprocs_fill(*array);
}
