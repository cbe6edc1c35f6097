/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/stop/stop_times.h"

#include <string.h>

enum { TRIES = 100000 };

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Returns the smallest number that is a multiple of a and of b, or H3OU__NEVER when it has no room. */
static h3ou__rational common_multiple(h3ou__rational a, h3ou__rational b)
{
    int64_t num;
    if (__builtin_mul_overflow(a.num / common_divisor(a.num, b.num), b.num, &num))
        return H3OU__NEVER;
    return h3ou__rational_make(num, common_divisor(a.den, b.den));
}

static bool is_regular(const h3ou__stop_times *t)
{
    return h3ou__rational_is_finite(t->every);
}

void h3ou__stop_times_lead(h3ou__stop_times *t, h3ou__rational lead)
{
    int n = 0;
    t->from = h3ou__rational_subtract(t->from, lead);
    for (int i = 0; i < t->n && lead.den == 1; i++) /* else none is a whole second */
        t->list[n++] = t->list[i] - lead.num;
    t->n = n;
}

void h3ou__stop_times_put_off(h3ou__stop_times *t, int64_t times)
{
    if (is_regular(t)) {
        t->from = h3ou__rational_add(t->from, h3ou__rational_times(t->every, times));
        return;
    }
    int skipped = times < t->n ? (int)times : 0;
    memmove(t->list, t->list + skipped, sizeof *t->list * (size_t)(t->n - skipped));
    t->n -= skipped;
}

static bool has_time(const h3ou__stop_times *t, int64_t time)
{
    if (h3ou__rational_compare(h3ou__whole(time), t->from) < 0)
        return false;
    if (is_regular(t))
        return h3ou__rational_is_multiple(h3ou__rational_subtract(h3ou__whole(time), t->from), t->every);
    int i = 0;
    while (i < t->n && t->list[i] != time)
        i++;
    return i < t->n;
}

static bool all_have(int n, const h3ou__stop_times t[], int64_t time)
{
    int i = 0;
    while (i < n && has_time(&t[i], time))
        i++;
    return i == n;
}

/* Lets *at be the first time from *at on that is one of t, too, and *every the distance of all such times. False: there is none. */
static bool join_times(h3ou__rational *at, h3ou__rational *every, const h3ou__stop_times *t)
{
    for (int i = 0; i < TRIES; i++, *at = h3ou__rational_add(*at, *every)) {
        if (!h3ou__rational_is_finite(*at))
            return false;
        if (h3ou__rational_compare(*at, t->from) < 0 ||
            !h3ou__rational_is_multiple(h3ou__rational_subtract(*at, t->from), t->every))
            continue;
        *every = common_multiple(*every, t->every);
        return h3ou__rational_is_finite(*every);
    }
    return false;
}

/* Returns the first number of whole distances of t->every behind t->from that is not before `time`. */
static h3ou__rational from_on(const h3ou__stop_times *t, h3ou__rational time)
{
    if (h3ou__rational_compare(time, t->from) <= 0)
        return t->from;
    int64_t k = h3ou__rational_divide(h3ou__rational_subtract(time, t->from), t->every);
    h3ou__rational at = h3ou__rational_add(t->from, h3ou__rational_times(t->every, k));
    return h3ou__rational_compare(at, time) < 0 ? h3ou__rational_add(at, t->every) : at;
}

/* The same for components all of which are regular. */
static int64_t common_of_regular(int n, const h3ou__stop_times t[], bool (*is_good)(void *user, int64_t time), void *user)
{
    const h3ou__stop_times seconds = {.from = h3ou__whole(0), .every = h3ou__whole(1)};
    h3ou__rational latest = t[0].from, every = t[0].every;
    for (int i = 1; i < n; i++)
        latest = h3ou__rational_compare(t[i].from, latest) > 0 ? t[i].from : latest;
    h3ou__rational at = from_on(&t[0], latest);
    for (int i = 1; i <= n; i++)
        if (!join_times(&at, &every, i < n ? &t[i] : &seconds))
            return -1;
    for (int i = 0; i < TRIES && h3ou__rational_is_finite(at); i++, at = h3ou__rational_add(at, every))
        if (is_good(user, at.num))
            return at.num;
    return -1;
}

int64_t h3ou__stop_times_common(int n, const h3ou__stop_times t[], bool (*is_good)(void *user, int64_t time), void *user)
{
    int first = 0;
    while (first < n && is_regular(&t[first]))
        first++;
    if (first == n)
        return n ? common_of_regular(n, t, is_good, user) : -1;
    for (int i = 0; i < t[first].n; i++)
        if (all_have(n, t, t[first].list[i]) && is_good(user, t[first].list[i]))
            return t[first].list[i];
    return -1;
}
