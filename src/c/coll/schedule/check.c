/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/schedule/check.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

static const char *const buffer_name[] = {"input", "output", "scratch buffer"};

static int check_span(const h3ou__schedule *s, int64_t i, int buffer, int64_t at, const int64_t bytes[2])
{
    int64_t need = s->step[i].bytes, size = buffer == H3OU__SCRATCH ? s->scratch : bytes ? bytes[buffer] : INT64_MAX;
    if (need < 0 || at < 0 || (need > 0 && at + need > size))
        return h3ou__fail(H3OU__EARG, "step %lld uses %lld bytes from %lld on of its %s of %lld", (long long)i,
                          (long long)need, (long long)at, buffer_name[buffer], (long long)size);
    return H3OU__OK;
}

static int check_spans(const h3ou__schedule *s, const int64_t bytes[2])
{
    int err = H3OU__OK;
    for (int64_t i = 0; i < s->n && !err; i++) {
        const h3ou__step *step = &s->step[i];
        err = check_span(s, i, step->buffer, step->at, bytes);
        if (!err && !h3ou__step_is_message(step))
            err = check_span(s, i, step->from_buffer, step->from, bytes);
        if (!err && step->buffer == H3OU__INPUT && step->kind != H3OU__STEP_SEND)
            err = h3ou__fail(H3OU__EARG, "step %lld changes the input", (long long)i);
    }
    return err;
}

static int by_place(const void *a, const void *b)
{
    const h3ou__step *x = *(const h3ou__step *const *)a, *y = *(const h3ou__step *const *)b;
    if (x->buffer != y->buffer)
        return x->buffer - y->buffer;
    return (x->at > y->at) - (x->at < y->at);
}

/* Compares the messages of a round, in the order of the bytes they use. */
static int check_round(const h3ou__schedule *s, const h3ou__step *message[], int64_t n)
{
    int64_t end_changed = 0, end_used = 0; /* of the bytes that the messages so far use in a buffer */
    for (int64_t i = 0; i < n; i++) {
        const h3ou__step *m = message[i];
        bool is_send = m->kind == H3OU__STEP_SEND;
        if (i == 0 || message[i - 1]->buffer != m->buffer)
            end_changed = end_used = 0;
        if (m->bytes == 0)
            continue;
        if (m->at < (is_send ? end_changed : end_used))
            return h3ou__fail(H3OU__EARG, "step %lld uses bytes that another message of its round %s",
                              (long long)(m - s->step), is_send ? "changes" : "uses");
        end_used = m->at + m->bytes > end_used ? m->at + m->bytes : end_used;
        if (!is_send)
            end_changed = end_used;
    }
    return H3OU__OK;
}

int h3ou__schedule_check(const h3ou__schedule *s, const int64_t bytes[2])
{
    const h3ou__step **message = malloc(sizeof *message * (size_t)(s->n + 1));
    int err = message ? check_spans(s, bytes) : h3ou__no_memory("the check of a schedule");
    for (int64_t first = 0, end; first < s->n && !err; first = end) {
        int64_t n = 0;
        end = h3ou__schedule_round_end(s, first);
        for (int64_t i = first; i < end; i++)
            if (h3ou__step_is_message(&s->step[i]))
                message[n++] = &s->step[i];
        qsort(message, (size_t)n, sizeof *message, by_place);
        err = check_round(s, message, n);
    }
    free(message);
    return err;
}
