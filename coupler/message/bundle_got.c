/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/message/bundle_got.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_tags.h"
#include "coupler/message/bundle_sent.h"
#include "coupler/message/message_form.h"

/* A message of a field. What was copied aside stands behind it. */
typedef struct part {
    struct part *next; /* of those that were copied aside, the later one */
    const double *at;  /* NULL: there is none */
    int64_t numbers;
} part;

/* What a field has of a bundle. */
typedef struct field {
    int64_t most;
    part here;        /* of the message that came last, if it was not taken */
    part *aside;      /* copied aside before that, the earliest first */
    part *held;       /* one of these that is read */
    bool is_read;     /* one of the message that came last is */
} field;

struct h3ou__bundle_got {
    h3ou__ring *ring;
    int n;
    int nread; /* fields that have or read a part of the message that came last */
    int nended;
    field *field;
    int64_t most;
    h3ou__req req;
    bool is_posted;
    char what[3 * H3OU__NAME];
};

int h3ou__bundle_got_create(const h3ou__config *config, const h3ou__bundle_plan *plan, h3ou__bundle_got **out)
{
    h3ou__bundle_got *b = calloc(1, sizeof *b);
    const h3ou__config_var *v = &config->var[plan->part->var];
    *out = b;
    if (!b || !(b->field = calloc((size_t)plan->n, sizeof *b->field)))
        return h3ou__no_memory("a bundle of messages");
    b->n = plan->n;
    b->most = h3ou__bundle_first(b->n);
    for (int i = 0; i < b->n; i++) {
        b->field[i].most = plan->part[i].most;
        b->most = h3ou__bundle_after(b->most, plan->part[i].most);
    }
    snprintf(b->what, sizeof b->what, "field %s and %d others of %s", v->get, b->n - 1, config->pair[v->pair].comp_put);
    int err = h3ou__ring_open(plan->model, plan->partner, H3OU__TAG_FIELD + plan->part->var, b->most, H3OU__HEAD_RING, b->what,
                              &b->ring);
    if (!err && v->second_put == H3OU__SECOND_IS_ERROR)
        h3ou__ring_send_early(b->ring);
    return err;
}

void h3ou__bundle_got_free(h3ou__bundle_got *b)
{
    if (!b)
        return;
    for (int i = 0; i < b->n; i++) {
        free(b->field[i].held);
        for (part *p = b->field[i].aside, *next; p; p = next) {
            next = p->next;
            free(p);
        }
    }
    h3ou__ring_free(b->ring);
    free(b->field);
    free(b);
}

bool h3ou__bundle_got_has(const h3ou__bundle_got *b, int number)
{
    return b->field[number].aside || b->field[number].here.at;
}

int h3ou__bundle_got_post(h3ou__bundle_got *b)
{
    int err = b->is_posted ? H3OU__OK : h3ou__ring_receive(b->ring, &b->req);
    b->is_posted = !err;
    return err;
}

/* Lets the sender write to the memory of the message that came last when no field needs it. */
static void end_part(h3ou__bundle_got *b)
{
    if (--b->nread == 0)
        h3ou__ring_release(b->ring);
}

static int copy_aside(h3ou__bundle_got *b, field *f)
{
    part **last = &f->aside, *p = malloc(sizeof *p + sizeof(double) * (size_t)f->here.numbers);
    if (!p)
        return h3ou__no_memory("%s", b->what);
    *p = (part){.at = (double *)(p + 1), .numbers = f->here.numbers};
    memcpy(p + 1, f->here.at, sizeof(double) * (size_t)p->numbers);
    while (*last)
        last = &(*last)->next;
    *last = p;
    f->here.at = NULL;
    end_part(b);
    return H3OU__OK;
}

int h3ou__bundle_got_expect(h3ou__bundle_got *b, h3ou__req *req)
{
    int err = H3OU__OK;
    for (int i = 0; i < b->n && !err; i++)
        if (b->field[i].here.at)
            err = copy_aside(b, &b->field[i]);
    if (!err)
        err = h3ou__bundle_got_post(b);
    *req = b->req;
    return err;
}

/* Notes part i of a message of `got` numbers; returns false where it cannot be one. */
static bool note_part(h3ou__bundle_got *b, const double *message, int i, int64_t got)
{
    const double *entry = message + H3OU__HEAD + (int64_t)i * H3OU__BUNDLE_ENTRY;
    double number = entry[H3OU__BUNDLE_FIELD], begin = entry[H3OU__BUNDLE_BEGIN], numbers = entry[H3OU__BUNDLE_NUMBERS];
    if (!(number >= 0.0 && number < b->n && begin >= (double)h3ou__bundle_first(b->n) && numbers >= H3OU__HEAD))
        return false;
    field *f = &b->field[(int)number];
    if (f->here.at || !(numbers <= (double)f->most && begin + numbers <= (double)got))
        return false;
    f->here = (part){.at = message + (int64_t)begin, .numbers = (int64_t)numbers};
    b->nread++;
    b->nended += f->here.at[H3OU__HEAD_STATE] == H3OU__END;
    return true;
}

int h3ou__bundle_got_arrive(h3ou__bundle_got *b, const h3ou__req *req)
{
    const double *message = h3ou__ring_arrived(b->ring);
    int64_t got = h3ou__req_count(req, H3OU__DOUBLE);
    double count = got >= h3ou__bundle_first(b->n) && message[H3OU__HEAD_STATE] == H3OU__BUNDLED ? message[H3OU__HEAD_MORE] : 0.0;
    bool is_whole = count >= 1.0 && count <= b->n;
    b->is_posted = false;
    b->nread = 0;
    for (int i = 0; i < b->n; i++)
        b->field[i].is_read = false; /* a head that was taken, and not released yet */
    for (int i = 0; is_whole && i < (int)count; i++)
        is_whole = note_part(b, message, i, got);
    if (!is_whole)
        return h3ou__fail(H3OU__EPROTO, "%s: the message that arrived has %" PRId64 " numbers and is not the bundle of these fields: do "
                          "both components run the same version of h3ou?", b->what, got);
    return b->nended < b->n ? h3ou__bundle_got_post(b) : H3OU__OK;
}

const double *h3ou__bundle_got_take(h3ou__bundle_got *b, int number, int64_t *numbers)
{
    field *f = &b->field[number];
    h3ou__bundle_got_release(b, number);
    if (f->aside) {
        f->held = f->aside;
        f->aside = f->held->next;
        *numbers = f->held->numbers;
        return f->held->at;
    }
    const double *at = f->here.at;
    f->here.at = NULL;
    f->is_read = true;
    *numbers = f->here.numbers;
    return at;
}

void h3ou__bundle_got_release(h3ou__bundle_got *b, int number)
{
    field *f = &b->field[number];
    free(f->held);
    f->held = NULL;
    if (f->is_read)
        end_part(b);
    f->is_read = false;
}
