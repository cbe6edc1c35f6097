/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/own_messages.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct h3ou__own_receive { /* or a message that waits for its receive, whose data are a copy */
    h3ou__own_receive *next;
    int kind, tag;
    bool has_come;
    void *data;
    int64_t bytes, got;
};

typedef struct list { /* in the order of posting */
    h3ou__own_receive *first, *last;
} list;

static list sent, awaited;

static void append(list *l, h3ou__own_receive *r)
{
    if (l->last)
        l->last->next = r;
    else
        l->first = r;
    l->last = r;
}

/* Takes the first entry with this kind and tag out of a list; NULL: there is none. */
static h3ou__own_receive *take(list *l, int kind, int tag)
{
    h3ou__own_receive *before = NULL, *r = l->first;
    while (r && (r->kind != kind || r->tag != tag)) {
        before = r;
        r = r->next;
    }
    if (!r)
        return NULL;
    *(before ? &before->next : &l->first) = r->next;
    l->last = l->last == r ? before : l->last;
    r->next = NULL;
    return r;
}

static void deliver(h3ou__own_receive *r, const void *from, int64_t bytes)
{
    r->got = bytes;
    r->has_come = true;
    if (bytes > r->bytes)
        bytes = r->bytes;
    if (bytes > 0)
        memcpy(r->data, from, (size_t)bytes);
}

static h3ou__own_receive *make(int kind, int tag, int64_t bytes)
{
    h3ou__own_receive *r = calloc(1, sizeof *r);
    if (r) {
        r->kind = kind;
        r->tag = tag;
        r->bytes = bytes;
    }
    return r;
}

int h3ou__own_send(int kind, int tag, const void *buf, int64_t bytes)
{
    h3ou__own_receive *r = take(&awaited, kind, tag);
    if (r) {
        deliver(r, buf, bytes);
        return H3OU__OK;
    }
    r = make(kind, tag, bytes);
    if (!r || !(r->data = malloc((size_t)bytes + 1))) {
        free(r);
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a message between two components of one process");
    }
    if (bytes > 0)
        memcpy(r->data, buf, (size_t)bytes);
    append(&sent, r);
    return H3OU__OK;
}

int h3ou__own_receive_begin(int kind, int tag, void *buf, int64_t bytes, h3ou__own_receive **out)
{
    h3ou__own_receive *r = make(kind, tag, bytes), *s;
    if (!(*out = r))
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a message between two components of one process");
    r->data = buf;
    if (!(s = take(&sent, kind, tag))) {
        append(&awaited, r);
        return H3OU__OK;
    }
    deliver(r, s->data, s->bytes);
    free(s->data);
    free(s);
    return H3OU__OK;
}

bool h3ou__own_test(h3ou__own_receive *r, int64_t *bytes)
{
    if (!r->has_come)
        return false;
    *bytes = r->got;
    free(r);
    return true;
}

void h3ou__own_messages_free(void)
{
    for (h3ou__own_receive *r; (r = sent.first);) {
        sent.first = r->next;
        free(r->data);
        free(r);
    }
    for (h3ou__own_receive *r; (r = awaited.first);) {
        awaited.first = r->next;
        free(r);
    }
    sent.last = awaited.last = NULL;
}
