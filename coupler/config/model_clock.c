/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/model_clock.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "coupler/config/leniency.h"

int h3ou__clock_check_date(h3ou__clock *k, const h3ou__config *config, const char *call, const int date[6])
{
    if (!h3ou__date_check(config->calendar, date))
        return H3OU__OK;
    return h3ou__lenient(config, &k->date_told, H3OU__ETIME, "%s: %s", call, h3ou__fail_text());
}

char *h3ou__clock_text(const h3ou__clock *k, const h3ou__config *config, int64_t time, char text[H3OU__DATE_TEXT])
{
    int date[6];
    memcpy(date, k->date, sizeof date);
    h3ou__date_add(config->calendar, date, time);
    return h3ou__date_text(date, text);
}

int64_t h3ou__clock_next(const h3ou__clock *k)
{
    return k->is_running ? k->now + k->step : 0;
}

int h3ou__clock_check(h3ou__clock *k, const h3ou__config *config, h3ou__world *world, const int date[6])
{
    int64_t next = h3ou__clock_next(k);
    char said[H3OU__DATE_TEXT], counted[H3OU__DATE_TEXT];
    int err = h3ou__clock_check_date(k, config, "h3ou_set_time", date);
    if (err || config->calendar == H3OU__NO_CALENDAR || h3ou__date_seconds(config->calendar, date) - k->start == next)
        return err;
    return h3ou__lenient(config, &k->time_told, H3OU__ETIME,
                         "h3ou_set_time: the time array of component %s rank %d says %s, but the start plus the sum of "
                         "the steps, %" PRId64 " s, is %s, and that is the time which counts (calendar='%s'); call h3ou_inc_time "
                         "once in each step",
                         h3ou__world_component_name(world, h3ou__world_me(world)),
                         h3ou__comm_rank(h3ou__world_local(world)), h3ou__date_text(date, said), next,
                         h3ou__clock_text(k, config, next, counted), h3ou__calendar_name(config->calendar));
}

int h3ou__clock_check_seconds(h3ou__clock *k, const h3ou__config *config, h3ou__world *world, double seconds)
{
    int64_t next = h3ou__clock_next(k);
    if (isfinite(seconds) && fabs(seconds - (double)next) < 0.5) /* a model's own sum of steps has rounding errors */
        return H3OU__OK;
    return h3ou__lenient(
        config, &k->time_told, H3OU__ETIME,
        "h3ou_set_time_seconds: component %s rank %d says %g s after the start, but the sum of the steps is "
        "%" PRId64 " s, and that is the time which counts",
        h3ou__world_component_name(world, h3ou__world_me(world)), h3ou__comm_rank(h3ou__world_local(world)), seconds,
        next);
}

void h3ou__clock_advance(h3ou__clock *k, int step)
{
    k->now = h3ou__clock_next(k);
    k->step = step;
    k->is_running = true;
}
