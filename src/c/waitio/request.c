/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/clock.h"
#include "waitio/connection.h"

static uint32_t last_generation;

static int more_requests(waitio__instance *in)
{
    int room = in->nrequest ? 2 * in->nrequest : 16;
    waitio__request **larger = realloc(in->request, (size_t)room * sizeof *larger);
    if (!larger)
        return h3ou__fail(H3OU__ENOMEM, "no memory for %d requests", room);
    in->request = larger;
    while (in->nrequest < room) {
        waitio__request *r = calloc(1, sizeof *r);
        if (!r)
            return h3ou__fail(H3OU__ENOMEM, "no memory for %d requests", room);
        r->in = in;
        r->index = in->nrequest;
        r->next = in->spare;
        in->spare = r;
        in->request[in->nrequest++] = r;
    }
    return H3OU__OK;
}

int waitio__request_new(waitio__instance *in, waitio__peer *peer, enum waitio__request_kind kind, waitio__request **out)
{
    if (!in->spare) {
        int code = more_requests(in);
        if (code && !in->spare)
            return code;
    }
    waitio__request *r = in->spare;
    in->spare = r->next;
    int index = r->index;
    *r = (waitio__request){.in = in, .index = index, .kind = kind, .peer = peer};
    if (!++last_generation)
        last_generation = 1;
    r->generation = last_generation;
    r->since = h3ou__now();
    r->after = peer->active;
    if (peer->active)
        peer->active->before = r;
    peer->active = r;
    *out = r;
    return H3OU__OK;
}

void waitio__request_release(waitio__request *r)
{
    free(r->why);
    r->why = NULL;
    r->kind = WAITIO__SPARE;
    r->next = r->in->spare;
    r->in->spare = r;
}

uint64_t waitio__request_id(const waitio__request *r)
{
    return (uint64_t)r->generation << 32 | (uint32_t)r->index;
}

waitio__request *waitio__request_find(waitio__instance *in, uint64_t id)
{
    uint32_t index = (uint32_t)id;
    if (index >= (uint32_t)in->nrequest)
        return NULL;
    waitio__request *r = in->request[index];
    return r->kind != WAITIO__SPARE && r->generation == id >> 32 ? r : NULL;
}

void waitio__request_complete(waitio__request *r, int code, const char *why)
{
    if (r->before)
        r->before->after = r->after;
    else
        r->peer->active = r->after;
    if (r->after)
        r->after->before = r->before;
    r->before = r->after = NULL;
    r->state = WAITIO__COMPLETE;
    r->code = code;
    r->why = code && why ? strdup(why) : NULL;
}

void waitio__request_received(waitio__request *r)
{
    if (r->expected <= r->length) {
        waitio__request_complete(r, H3OU__OK, NULL);
        return;
    }
    char who[WAITIO__WHO], why[WAITIO__WHO + 128];
    snprintf(why, sizeof why, "message of %zu bytes from %s, tag %lld, is longer than its buffer of %zu",
             (size_t)r->expected, waitio__who(r->in, r->peer->global, who), (long long)r->tag, (size_t)r->length);
    waitio__request_complete(r, H3OU__ETRUNC, why);
}

void waitio__requests_free(waitio__instance *in)
{
    for (int i = 0; i < in->nrequest; i++) {
        free(in->request[i]->why);
        free(in->request[i]);
    }
    free(in->request);
    in->request = NULL;
    in->spare = NULL;
    in->nrequest = 0;
}
