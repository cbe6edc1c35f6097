/* SPDX-License-Identifier: BSD-3-Clause */
/* The other processes: one record for each that this one has to do with, and what waits to be written to it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "waitio/instance.h"

waitio__peer *waitio__peer_get(waitio__instance *w, int rank)
{
    waitio__peer **bucket = &w->bucket[(unsigned)rank % WAITIO__BUCKETS];
    for (waitio__peer *p = *bucket; p; p = p->next)
        if (p->rank == rank)
            return p;
    waitio__peer *p = calloc(1, sizeof *p);
    if (!p) {
        h3ou__fail(H3OU__ENOMEM, "out of memory for a peer");
        return NULL;
    }
    p->rank = rank;
    p->posted_end = &p->posted;
    p->unexpected_end = &p->unexpected;
    p->next = *bucket;
    *bucket = p;
    return p;
}

char *waitio__peer_text(const waitio__instance *w, const waitio__peer *p, char *text, int size)
{
    h3ou__addr a;
    char where[H3OU__ADDR_TEXT] = "?";
    int pb = waitio__pb_of(w, p->rank);
    if (waitio__endpoint(w, p->rank, &a) == H3OU__OK)
        h3ou__addr_text(&a, where);
    if (p->name[0])
        snprintf(text, (size_t)size, "%s (PB %d rank %d at %s)", p->name, pb, p->rank - w->first[pb], where);
    else
        snprintf(text, (size_t)size, "PB %d rank %d at %s", pb, p->rank - w->first[pb], where);
    return text;
}

waitio__parcel *waitio__parcel_new(const waitio__frame *f, const char *payload, uint64_t size, bool copy)
{
    waitio__parcel *q = calloc(1, sizeof *q);
    if (q && copy && size) {
        q->own = malloc(size);
        if (q->own)
            memcpy(q->own, payload, size);
    }
    if (!q || (copy && size && !q->own)) {
        free(q);
        h3ou__fail(H3OU__ENOMEM, "out of memory for a message");
        return NULL;
    }
    q->frame = *f;
    q->payload = q->own ? q->own : payload;
    q->size = size;
    return q;
}

void waitio__parcel_free(waitio__parcel *q)
{
    free(q->own);
    free(q);
}

int waitio__peer_send(waitio__instance *w, waitio__peer *p, const waitio__frame *f, const char *payload, uint64_t size, bool copy,
                      uint64_t request)
{
    if (p->is_dead)
        return h3ou__fail(H3OU__EPEER, "%s", p->death);
    waitio__parcel *q = waitio__parcel_new(f, payload, size, copy);
    if (!q)
        return H3OU__ENOMEM;
    q->request = request;
    if (p->last)
        p->last->next = q;
    else
        p->first = q;
    p->last = q;
    int err = waitio__peer_connect(w, p);
    if (!err && p->conn && p->conn->state == WAITIO__READY)
        waitio__conn_flush(p->conn);
    return H3OU__OK; /* a connection that cannot be made has failed the request already */
}

static void drop_parcels(waitio__peer *p)
{
    while (p->first) {
        waitio__parcel *next = p->first->next;
        waitio__parcel_free(p->first);
        p->first = next;
    }
    p->last = NULL;
}

void waitio__peer_die(waitio__instance *w, waitio__peer *p, int code, const char *why)
{
    char peer[256], text[WAITIO__TEXT];
    if (p->is_dead)
        return;
    snprintf(text, sizeof text, "%s: %s", waitio__peer_text(w, p, peer, sizeof peer), why);
    p->is_dead = true;
    p->death = strdup(text);
    h3ou__log(H3OU__LOG_LOUD, "peer-lost", "%s", text);
    drop_parcels(p);
    waitio__requests_fail(w, p, code, text);
}

void waitio__peers_free(waitio__instance *w)
{
    for (int b = 0; b < WAITIO__BUCKETS; b++)
        while (w->bucket[b]) {
            waitio__peer *p = w->bucket[b];
            w->bucket[b] = p->next;
            drop_parcels(p);
            while (p->unexpected) {
                waitio__message *next = p->unexpected->next;
                free(p->unexpected->data);
                free(p->unexpected);
                p->unexpected = next;
            }
            free(p->death);
            free(p);
        }
}
