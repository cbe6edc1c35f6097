/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/clock/model_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "coupler/config/leniency.h"

int h3ou__clock_check_date(h3ou__clock *k, const h3ou__config *config, const char *call, const int date[6])
{
    if (!h3ou__date_check(config->calendar, date))
        return H3OU__OK;
    return h3ou__lenient(config, &k->date_told, H3OU__ETIME, "%s: %s", call, h3ou__fail_text());
}

/* Checks that the months of the run's start end on a day that every month has, when intervals are in months. */
static int check_months(const h3ou__clock *k, const h3ou__config *config)
{
    char text[H3OU__DATE_TEXT];
    int i = 0;
    while (i < config->nvar && config->var[i].intvl.months == 0)
        i++;
    if (i == config->nvar || (!h3ou__date_check(H3OU__GREGORIAN, k->date) && k->date[2] <= 28) ||
        config->calendar == H3OU__360_DAY)
        return H3OU__OK;
    return h3ou__fail(H3OU__ETIME,
                      "%s:%d: intvl in months: the run starts at %s; let it start on one of the days 1 to 28 of a month",
                      config->file, config->var[i].line, h3ou__date_text(k->date, text));
}

int h3ou__clock_begin(h3ou__clock *k, const h3ou__config *config, const int date[6])
{
    char mine[H3OU__DATE_TEXT], start[H3OU__DATE_TEXT];
    int err = h3ou__clock_check_date(k, config, "h3ou_init_time", date);
    memcpy(k->date, config->has_start ? config->start : date, sizeof k->date);
    k->start = h3ou__date_seconds(config->calendar, k->date);
    k->begin = h3ou__date_seconds(config->calendar, date) - k->start;
    k->now = h3ou__whole(k->begin);
    if (!err && k->begin < 0)
        return h3ou__fail(H3OU__ETIME, "h3ou_init_time: %s is before the start of the run, %s (key start of %s)",
                          h3ou__date_text(date, mine), h3ou__date_text(k->date, start), config->file);
    return err ? err : check_months(k, config);
}

char *h3ou__clock_text(const h3ou__clock *k, const h3ou__config *config, h3ou__rational time, char text[H3OU__DATE_TEXT])
{
    int date[6];
    char fraction[H3OU__RATIONAL_TEXT];
    int64_t second = h3ou__rational_divide(time, h3ou__whole(1));
    memcpy(date, k->date, sizeof date);
    h3ou__date_add(config->calendar, date, second);
    h3ou__date_text(date, text);
    size_t end = strlen(text);
    if (time.den != 1)
        snprintf(text + end, H3OU__DATE_TEXT - end, " and %s s",
                 h3ou__rational_text(h3ou__rational_subtract(time, h3ou__whole(second)), fraction));
    return text;
}

h3ou__rational h3ou__clock_next(const h3ou__clock *k)
{
    return k->is_running ? h3ou__rational_add(k->now, k->step) : h3ou__whole(k->begin);
}

/* Returns whether a date, which has no fraction of a second, is the time of the next step. */
static bool is_next(const h3ou__clock *k, const h3ou__config *config, const int date[6])
{
    h3ou__rational said = h3ou__whole(h3ou__date_seconds(config->calendar, date) - k->start);
    return fabs(h3ou__rational_real(h3ou__rational_subtract(said, h3ou__clock_next(k)))) < 1.0;
}

/* Keeps the day of a date, since the next steps mostly begin on the same one. */
static void keep_day(h3ou__clock *k, const h3ou__config *config, const int date[6])
{
    int midnight[6] = {date[0], date[1], date[2], 0, 0, 0};
    memcpy(k->day, date, sizeof k->day);
    k->day_begin = h3ou__date_seconds(config->calendar, midnight) - k->start;
}

/* Returns whether a date is of the day that was kept, and the time of the next step. */
static bool is_next_of_day(const h3ou__clock *k, const int date[6], h3ou__rational next)
{
    if (date[0] != k->day[0] || date[1] != k->day[1] || date[2] != k->day[2] || k->day[1] == 0)
        return false;
    bool is_time = date[3] >= 0 && date[3] <= 23 && date[4] >= 0 && date[4] <= 59 && date[5] >= 0 && date[5] <= 59;
    return is_time && next.den == 1 && next.num == k->day_begin + INT64_C(3600) * date[3] + INT64_C(60) * date[4] + date[5];
}

int h3ou__clock_check(h3ou__clock *k, const h3ou__config *config, h3ou__world *world, const char *call,
                      const int date[6])
{
    h3ou__rational next = h3ou__clock_next(k);
    char said[H3OU__DATE_TEXT], counted[H3OU__DATE_TEXT], seconds[H3OU__RATIONAL_TEXT];
    if (is_next_of_day(k, date, next))
        return H3OU__OK;
    bool was_told = k->date_told;
    int err = h3ou__clock_check_date(k, config, call, date);
    if (err || config->calendar == H3OU__NO_CALENDAR)
        return err;
    if (is_next(k, config, date)) {
        if (k->date_told == was_told && !was_told)
            keep_day(k, config, date);
        return H3OU__OK;
    }
    return h3ou__lenient(config, &k->time_told, H3OU__ETIME,
                         "%s: the time array of component %s rank %d says %s, but the start plus the sum of "
                         "the steps, %s s, is %s, and that is the time which counts (calendar='%s'); call h3ou_inc_time "
                         "once in each step",
                         call, h3ou__world_component_name(world, h3ou__world_me(world)),
                         h3ou__comm_rank(h3ou__world_local(world)), h3ou__date_text(date, said),
                         h3ou__rational_text(next, seconds), h3ou__clock_text(k, config, next, counted),
                         h3ou__calendar_name(config->calendar));
}

int h3ou__clock_check_seconds(h3ou__clock *k, const h3ou__config *config, h3ou__world *world, double seconds,
                              h3ou__rational step)
{
    h3ou__rational next = h3ou__rational_subtract(h3ou__clock_next(k), h3ou__whole(k->begin));
    /* A model's own sum of steps has rounding errors. */
    double awaited = h3ou__rational_real(next), error = fmin(0.5, 0.25 * h3ou__rational_real(step));
    if (isfinite(seconds) && fabs(seconds - awaited) < error)
        return H3OU__OK;
    return h3ou__lenient(
        config, &k->time_told, H3OU__ETIME,
        "h3ou_set_time_seconds: component %s rank %d says %.15g s after the start, but the sum of the steps is "
        "%.15g s, and that is the time which counts",
        h3ou__world_component_name(world, h3ou__world_me(world)), h3ou__comm_rank(h3ou__world_local(world)), seconds,
        awaited);
}

int h3ou__clock_months(const h3ou__clock *k, const h3ou__config *config, int months, h3ou__rational *seconds)
{
    int date[6];
    char text[H3OU__DATE_TEXT];
    int64_t begin = k->start + h3ou__rational_divide(h3ou__clock_next(k), h3ou__whole(1));
    if (config->calendar == H3OU__NO_CALENDAR)
        return h3ou__fail(H3OU__ETIME, "h3ou_set_time_months needs a calendar, and %s has calendar='none'", config->file);
    h3ou__date_from_seconds(config->calendar, begin, date);
    if (date[2] > 28 && config->calendar != H3OU__360_DAY)
        return h3ou__fail(H3OU__ETIME,
                          "h3ou_set_time_months: the step begins at %s: steps in months begin on one of the days 1 to 28",
                          h3ou__date_text(date, text));
    h3ou__date_add_months(config->calendar, date, months);
    *seconds = h3ou__whole(h3ou__date_seconds(config->calendar, date) - begin);
    return H3OU__OK;
}

void h3ou__clock_advance(h3ou__clock *k, h3ou__rational step)
{
    k->now = h3ou__clock_next(k);
    k->step = step;
    k->is_running = true;
    k->is_cut = k->is_restored = false;
}
