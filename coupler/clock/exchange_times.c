/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/clock/exchange_times.h"

#include <string.h>

#include "coupler/config/interval.h"
#include "coupler/time/calendar.h"

h3ou__schedule h3ou__schedule_make(const h3ou__config_var *v, int calendar, const int date[6], h3ou__rational sender,
                                   h3ou__rational receiver)
{
    h3ou__schedule s = {.every = v->intvl, .lag = v->lag, .calendar = calendar, .sender = sender, .receiver = receiver};
    memcpy(s.date, date, sizeof s.date);
    s.common = h3ou__rational_compare(sender, receiver) < 0 ? receiver : sender;
    return s;
}

h3ou__schedule h3ou__schedule_before_run(const h3ou__config *config, const h3ou__config_var *v)
{
    static const int some_day[6] = {2000, 1, 1, 0, 0, 0};
    return h3ou__schedule_make(v, config->calendar, config->has_start ? config->start : some_day, h3ou__whole(0), h3ou__whole(0));
}

/* Returns the time of k intervals after the run's start, for a variable that has an interval. */
static h3ou__rational boundary(const h3ou__schedule *s, int64_t k)
{
    if (s->every.months == 0)
        return h3ou__rational_times(h3ou__interval_seconds(&s->every), k);
    int date[6];
    memcpy(date, s->date, sizeof date);
    h3ou__date_add_months(s->calendar, date, k * s->every.months);
    return h3ou__whole(h3ou__date_seconds(s->calendar, date) - h3ou__date_seconds(s->calendar, s->date));
}

/* Returns the last boundary that is not after `time`. */
static int64_t boundary_before(const h3ou__schedule *s, h3ou__rational time)
{
    if (s->every.months == 0)
        return h3ou__rational_divide(time, h3ou__interval_seconds(&s->every));
    int date[6];
    int64_t second = h3ou__rational_divide(time, h3ou__whole(1));
    h3ou__date_from_seconds(s->calendar, h3ou__date_seconds(s->calendar, s->date) + second, date);
    int64_t months = INT64_C(12) * (date[0] - s->date[0]) + date[1] - s->date[1];
    int64_t k = months / s->every.months + 1;
    while (h3ou__rational_compare(boundary(s, k), time) > 0)
        k--;
    return k;
}

/* Returns the first boundary that is not before `time`. */
static int64_t boundary_from(const h3ou__schedule *s, h3ou__rational time)
{
    int64_t k = boundary_before(s, time);
    return k + (h3ou__rational_compare(boundary(s, k), time) < 0);
}

/* Returns by how many intervals the interval whose values an exchange has ends after the exchange. */
static int64_t shift(const h3ou__schedule *s)
{
    return s->lag > 0 ? s->lag : s->lag + 1;
}

static bool is_once(const h3ou__schedule *s)
{
    return !h3ou__interval_is_given(&s->every);
}

int64_t h3ou__exchange_first(const h3ou__schedule *s)
{
    return s->lag == 0 || is_once(s) ? 0 : boundary_from(s, s->common);
}

int64_t h3ou__exchange_from(const h3ou__schedule *s, h3ou__rational time)
{
    int64_t first = h3ou__exchange_first(s);
    if (s->lag == 0)
        return first;
    int64_t next = is_once(s) ? h3ou__rational_compare(s->common, time) < 0 : boundary_from(s, time);
    return next > first ? next : first;
}

int64_t h3ou__exchange_first_of_sender(const h3ou__schedule *s)
{
    if (s->lag == 0 || is_once(s))
        return 0;
    return s->lag < 0 ? boundary_from(s, s->sender) : boundary_before(s, s->sender) + 1 - shift(s);
}

h3ou__rational h3ou__exchange_time(const h3ou__schedule *s, int64_t k)
{
    if (is_once(s))
        return k == 0 ? s->common : H3OU__NEVER;
    return boundary(s, k);
}

double h3ou__exchange_mark(const h3ou__schedule *s, int64_t k)
{
    return s->lag == 0 ? (double)k : h3ou__rational_real(h3ou__exchange_time(s, k));
}

/* Returns when the interval ends whose values exchange k has. */
static h3ou__rational end_of_interval(const h3ou__schedule *s, int64_t k)
{
    return is_once(s) ? h3ou__exchange_time(s, k) : boundary(s, k + shift(s));
}

bool h3ou__exchange_is_initial(const h3ou__schedule *s, int64_t k)
{
    return s->lag < 0 && h3ou__rational_compare(end_of_interval(s, k), s->sender) <= 0;
}

h3ou__rational h3ou__exchange_leaves(const h3ou__schedule *s, int64_t k)
{
    if (s->lag == 0)
        return H3OU__NEVER;
    return h3ou__exchange_is_initial(s, k) ? s->sender : end_of_interval(s, k);
}

h3ou__rational h3ou__exchange_gathers(const h3ou__schedule *s, int64_t k)
{
    return is_once(s) ? s->sender : boundary(s, k + shift(s) - 1);
}

bool h3ou__exchange_is_over(const h3ou__schedule *s, int64_t k, h3ou__rational now)
{
    return s->lag != 0 && h3ou__rational_compare(h3ou__exchange_time(s, k), now) < 0;
}

h3ou__rational h3ou__exchange_after(const h3ou__schedule *s, h3ou__rational time)
{
    if (s->lag == 0)
        return H3OU__NEVER;
    if (is_once(s))
        return h3ou__rational_compare(time, s->common) < 0 ? s->common : H3OU__NEVER;
    return boundary(s, boundary_before(s, time) + 1);
}

int64_t h3ou__exchange_at(const h3ou__schedule *s, h3ou__rational now)
{
    return is_once(s) ? 0 : boundary_before(s, now);
}

bool h3ou__exchange_is_due(const h3ou__schedule *s, h3ou__rational now)
{
    if (s->lag == 0)
        return true;
    return h3ou__rational_compare(now, s->common) >= 0 &&
           h3ou__rational_compare(h3ou__exchange_time(s, h3ou__exchange_at(s, now)), now) == 0;
}

bool h3ou__exchange_fits(const h3ou__schedule *s, h3ou__rational now, h3ou__rational step)
{
    if (s->lag == 0 || is_once(s))
        return true;
    if (s->every.months == 0)
        return h3ou__rational_is_multiple(h3ou__interval_seconds(&s->every), step);
    return h3ou__rational_is_multiple(h3ou__rational_subtract(h3ou__exchange_after(s, now), now), step);
}
