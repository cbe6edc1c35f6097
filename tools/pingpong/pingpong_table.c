/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/pingpong/pingpong_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/grow.h"
#include "tools/harness/median.h"

void pingpong_table_begin(pingpong_table *t)
{
    time_t now = time(NULL);
    struct tm utc;
    memset(t, 0, sizeof *t);
    gmtime_r(&now, &utc);
    strftime(t->when, sizeof t->when, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void pingpong_table_free(pingpong_table *t)
{
    for (int i = 0; i < t->nseries; i++)
        free(t->series[i].point);
    free(t->series);
}

const pingpong_series *pingpong_find_series(const pingpong_table *t, const char *name, int pairs)
{
    for (int i = 0; i < t->nseries; i++)
        if (t->series[i].pairs == pairs && !strcmp(t->series[i].way.name, name))
            return &t->series[i];
    return NULL;
}

static pingpong_series *take_series(pingpong_table *t, const pingpong_way *way, int pairs)
{
    pingpong_series *s = (pingpong_series *)pingpong_find_series(t, way->name, pairs);
    if (s)
        return s;
    if (!h3ou__grow(&t->series, sizeof *t->series, &t->room, t->nseries + 1))
        return NULL;
    s = &t->series[t->nseries];
    *s = (pingpong_series){.way = *way, .pairs = pairs, .point = calloc(PINGPONG_SIZES, sizeof *s->point)};
    if (!s->point)
        return NULL;
    t->nseries++;
    return s;
}

int pingpong_table_add(pingpong_table *t, const pingpong_way *way, const round_result *round)
{
    pingpong_series *s = take_series(t, way, round->pairs);
    if (!s)
        return h3ou__no_memory("the table");
    s->is_pinned = round->is_pinned;
    pingpong_point *p = (pingpong_point *)pingpong_find(s, round->bytes);
    if (!p && s->npoint == PINGPONG_SIZES)
        return h3ou__fail(H3OU__EPROTO, "a size that was not asked for");
    if (!p) {
        p = &s->point[s->npoint++];
        p->bytes = round->bytes;
    }
    if (p->n < PINGPONG_KEPT && round->repeats > 0) {
        p->slowest[p->n] = 1e-3 * round->slowest / (2.0 * (double)round->repeats);
        p->mean[p->n++] = 1e-3 * round->mean / (2.0 * (double)round->repeats);
        p->repeats += round->repeats;
    }
    return H3OU__OK;
}

void pingpong_table_note(pingpong_table *t, const char *format, ...)
{
    va_list rest;
    if (t->nnote == PINGPONG_NOTES)
        return;
    va_start(rest, format);
    vsnprintf(t->note[t->nnote], sizeof *t->note, format, rest);
    va_end(rest);
    for (int i = 0; i < t->nnote; i++)
        if (!strcmp(t->note[i], t->note[t->nnote]))
            return;
    t->nnote++;
}

const pingpong_point *pingpong_find(const pingpong_series *s, int64_t bytes)
{
    for (int i = 0; i < s->npoint; i++)
        if (s->point[i].bytes == bytes)
            return &s->point[i];
    return NULL;
}

double pingpong_median(const double value[], int n)
{
    double sorted[PINGPONG_KEPT];
    for (int i = 0; i < n; i++)
        sorted[i] = value[i];
    return median_of(sorted, n);
}

double pingpong_half(const pingpong_point *p)
{
    return pingpong_median(p->slowest, p->n);
}

double pingpong_bandwidth(const pingpong_series *s, const pingpong_point *p)
{
    double half = pingpong_half(p);
    return half > 0.0 ? 1e-3 * (double)s->pairs * (double)p->bytes / half : 0.0;
}
