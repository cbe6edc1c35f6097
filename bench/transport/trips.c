/* SPDX-License-Identifier: BSD-3-Clause */
#include "trips.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_STAMPS = 1000000, MOST_BATCH = 32, MOST_TRIALS = 30 };

/* A batch must be long beside the 25 ns that reading the clock costs. */
static const double BATCH_SECONDS = 5e-6;

void die(const char *what)
{
    fprintf(stderr, "%s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
    _exit(1);
}

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_values(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void round_trips(wire *w, char *buf, size_t size, int n)
{
    for (int i = 0; i < n; i++) {
        w->ops->send(w, buf, size);
        w->ops->recv(w, buf, size);
    }
}

static void reflect_message(wire *w, char *buf, size_t size)
{
    do {
        w->ops->recv(w, buf, size);
        w->ops->send(w, buf, size);
    } while (!buf[0]);
}

void measure_trip(wire *w, int side, size_t size, double seconds, trip *result)
{
    char *buf = calloc(1, size);
    float *half = malloc(sizeof *half * MOST_STAMPS);
    if (!buf || !half || !size)
        die("measure_trip");
    if (side) {
        reflect_message(w, buf, size);
    } else {
        double begin = seconds_now(), warm = begin + 0.15 * seconds, last, sum = 0;
        long trips = 0, n = 0;
        do {
            round_trips(w, buf, size, 1);
            trips++;
        } while ((last = seconds_now()) < warm);
        double fits = BATCH_SECONDS / ((last - begin) / (double)trips);
        int batch = fits < 1 ? 1 : fits > MOST_BATCH ? MOST_BATCH : (int)fits;
        for (double end = last + seconds; n < MOST_STAMPS && last < end; n++) {
            round_trips(w, buf, size, batch);
            double t = seconds_now();
            half[n] = (float)((t - last) / batch / 2 * 1e6);
            sum += half[n];
            last = t;
        }
        buf[0] = 1;
        round_trips(w, buf, size, 1);
        qsort(half, (size_t)n, sizeof *half, compare_values);
        *result = (trip){.median = (double)half[n / 2], .mean = sum / (double)n};
    }
    free(half);
    free(buf);
}

static void send_word(wire *w, int64_t word)
{
    w->ops->send(w, (char *)&word, sizeof word);
}

static int64_t recv_word(wire *w)
{
    int64_t word = 0;
    w->ops->recv(w, (char *)&word, sizeof word);
    return word;
}

/* Sends n messages in parts: all at once, or one window after the other with a word back after each. */
static double send_stream(wire *w, stream *s, long n, long part)
{
    send_word(w, n);
    recv_word(w); /* the word says that the first receives are posted */
    double begin = seconds_now();
    for (long done = 0; done < n; done += part) {
        w->ops->push(w, s, part < n - done ? part : n - done);
        recv_word(w);
    }
    return seconds_now() - begin;
}

static void recv_stream(wire *w, stream *s, long n, long part)
{
    for (long done = 0; done < n; done += part) {
        long now = part < n - done ? part : n - done;
        if (w->ops->post)
            w->ops->post(w, s, now);
        send_word(w, 1); /* the first word opens the first part, each later one ends the part before */
        w->ops->pull(w, s, now);
    }
    send_word(w, 1);
}

void measure_stream(wire *w, int side, size_t size, int window, int answered, double seconds, double *result)
{
    stream s = {.size = size, .window = window};
    for (int i = 0; i < window; i++) {
        s.slot[i] = malloc(size);
        if (!s.slot[i])
            die("measure_stream");
        memset(s.slot[i], i, size);
    }
    long n = window;
    if (side) {
        while ((n = (long)recv_word(w)) > 0)
            recv_stream(w, &s, n, answered ? window : n);
    } else {
        double took = 0;
        /* Twice as many each time until it takes long enough; the trials before are the warm-up. */
        for (int trial = 0; trial < MOST_TRIALS && took < 0.6 * seconds; trial++) {
            if (trial)
                n = took < seconds / 20 ? n * 8 : (long)((double)n * seconds / took) + 1;
            took = send_stream(w, &s, n, answered ? window : n);
        }
        send_word(w, 0);
        *result = (double)n / took;
    }
    for (int i = 0; i < window; i++)
        free(s.slot[i]);
}
