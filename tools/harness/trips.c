/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/harness/trips.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "os/os_clock.h"
#include "tools/harness/median.h"

enum { STAMPS_MOST = 1000000, BATCH_MOST = 32, TRIALS_MOST = 30 };

/* A batch must be long beside the 25 ns that reading the clock costs. */
static const double BATCH_SECONDS = 5e-6;

static int make_trips(wire *w, char *buf, size_t size, int n)
{
    int code = H3OU__OK;
    for (int i = 0; i < n && !code; i++) {
        code = w->ops->send(w, buf, size);
        if (!code)
            code = w->ops->recv(w, buf, size);
    }
    return code;
}

/* Sends back what comes, until a message says that it is the last. */
static int reflect_messages(wire *w, char *buf, size_t size)
{
    int code;
    do {
        code = w->ops->recv(w, buf, size);
        if (!code)
            code = w->ops->send(w, buf, size);
    } while (!code && !buf[0]);
    return code;
}

/* Measures while the other side reflects. half: [STAMPS_MOST] */
static int time_trips(wire *w, char *buf, size_t size, double seconds, double *half, trip *result)
{
    double begin = h3ou__now(), warm = begin + 0.15 * seconds, last, sum = 0;
    long trips = 0, n = 0;
    int code;
    do {
        code = make_trips(w, buf, size, 1);
        trips++;
    } while ((last = h3ou__now()) < warm && !code);
    double fits = BATCH_SECONDS / ((last - begin) / (double)trips);
    int batch = fits < 1 ? 1 : fits > BATCH_MOST ? BATCH_MOST : (int)fits;
    for (double end = last + seconds; n < STAMPS_MOST && last < end && !code; n++) {
        code = make_trips(w, buf, size, batch);
        double t = h3ou__now();
        half[n] = (t - last) / batch / 2 * 1e6;
        sum += half[n];
        last = t;
    }
    buf[0] = 1;
    if (!code)
        code = make_trips(w, buf, size, 1);
    if (!code)
        *result = (trip){.median = median_of(half, n), .mean = sum / (double)n};
    return code;
}

int measure_trip(wire *w, int side, size_t size, double seconds, trip *result)
{
    char *buf = calloc(1, size ? size : 1);
    double *half = side ? NULL : malloc(sizeof *half * STAMPS_MOST);
    int code = H3OU__OK;
    if (!buf || (!side && !half))
        code = h3ou__no_memory("a message of %zu bytes", size);
    else
        code = side ? reflect_messages(w, buf, size) : time_trips(w, buf, size, seconds, half, result);
    free(half);
    free(buf);
    return code;
}

static int send_word(wire *w, int64_t word)
{
    return w->ops->send(w, (char *)&word, sizeof word);
}

static int receive_word(wire *w, int64_t *word)
{
    *word = 0;
    return w->ops->recv(w, (char *)word, sizeof *word);
}

/* Sends n messages in parts: all at once, or one window after the other with a word back after each. */
static int send_stream(wire *w, wire_stream *s, long n, long part, double *seconds)
{
    int64_t word;
    int code = send_word(w, n);
    if (!code)
        code = receive_word(w, &word); /* the word says that the first receives are posted */
    double begin = h3ou__now();
    for (long done = 0; done < n && !code; done += part) {
        code = w->ops->push(w, s, part < n - done ? part : n - done);
        if (!code)
            code = receive_word(w, &word);
    }
    *seconds = h3ou__now() - begin;
    return code;
}

static int receive_stream(wire *w, wire_stream *s, long n, long part)
{
    int code = H3OU__OK;
    for (long done = 0; done < n && !code; done += part) {
        long now = part < n - done ? part : n - done;
        if (w->ops->post)
            code = w->ops->post(w, s, now);
        if (!code)
            code = send_word(w, 1); /* the first word opens the first part, each later one ends the part before */
        if (!code)
            code = w->ops->pull(w, s, now);
    }
    return code ? code : send_word(w, 1);
}

/* Sends twice as many each time until it takes long enough; the trials before are the warm-up. */
static int time_streams(wire *w, wire_stream *s, bool is_answered, double seconds, double *result)
{
    double took = 0;
    long n = s->window;
    int code = H3OU__OK;
    for (int trial = 0; trial < TRIALS_MOST && took < 0.6 * seconds && !code; trial++) {
        if (trial)
            n = took < seconds / 20 ? n * 8 : (long)((double)n * seconds / took) + 1;
        code = send_stream(w, s, n, is_answered ? s->window : n, &took);
    }
    if (!code)
        code = send_word(w, 0);
    *result = (double)n / took;
    return code;
}

static int take_streams(wire *w, wire_stream *s, bool is_answered)
{
    int64_t n = 0;
    int code = receive_word(w, &n);
    while (n > 0 && !code) {
        code = receive_stream(w, s, (long)n, is_answered ? s->window : (long)n);
        if (!code)
            code = receive_word(w, &n);
    }
    return code;
}

int measure_stream(wire *w, int side, size_t size, int window, bool is_answered, double seconds, double *result)
{
    wire_stream s = {.size = size, .window = window};
    char *slots = malloc((size_t)window * size);
    int code = H3OU__OK;
    if (!slots)
        return h3ou__no_memory("%d messages of %zu bytes", window, size);
    for (int i = 0; i < window; i++) {
        s.slot[i] = slots + (size_t)i * size;
        memset(s.slot[i], i, size);
    }
    code = side ? take_streams(w, &s, is_answered) : time_streams(w, &s, is_answered, seconds, result);
    free(slots);
    return code;
}
