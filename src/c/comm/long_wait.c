/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/long_wait.h"

#include <stdio.h>

#include "base/log.h"
#include "comm/watch/wait_history.h"

static const double WORTH_SHOWING = 0.02, CALLS_EVERY = 0.002; /* seconds */
static const double UNUSUAL = 10.0, WORTH_A_WARNING = 1.0; /* times the median; and at least so many seconds */

/* Returns whether the wait is much longer than those before it. */
static bool is_unusual(const h3ou__long_wait *l, double seconds)
{
    return l->median >= 0.0 && seconds > UNUSUAL * l->median && seconds > WORTH_A_WARNING;
}

static void log_wait(const h3ou__long_wait *l, const h3ou__world *w, double seconds, const char *what, const char *who)
{
    char time[48] = "", median[48] = "";
    if (w->time_den > 0)
        snprintf(time, sizeof time, " time=%.15g", (double)w->time_num / (double)w->time_den);
    if (l->median >= 0.0)
        snprintf(median, sizeof median, " median=%.2g", l->median);
    h3ou__log(is_unusual(l, seconds) ? H3OU__LOG_WARNING : H3OU__LOG_WHISPER, "waiting", "seconds=%.0f for=\"%s\" peer=\"%s\"%s%s",
              seconds, what, who, time, median);
}

void h3ou__long_wait_tell(h3ou__long_wait *l, const h3ou__world *w, double seconds, const char *what, const char *who)
{
    if (w->timeline && !l->is_recorded) {
        l->is_recorded = true;
        h3ou__timeline_enter_since(w->timeline, H3OU__ACT_WAIT, h3ou__timeline_label(w->timeline, what, who), seconds);
    }
    if (w->meanwhile && seconds > l->called + CALLS_EVERY) {
        l->called = seconds;
        w->meanwhile(w->meanwhile_user);
    }
    if (seconds > WORTH_SHOWING && !l->is_shown) {
        l->is_shown = true;
        h3ou__run_state_waits(w->state, seconds, what, who);
    }
    if (!l->key)
        l->key = h3ou__wait_key(what, who);
    if (seconds <= WORTH_A_WARNING && seconds <= w->tell_after)
        return;
    if (!l->has_median)
        l->median = h3ou__wait_history_median(w->waits, l->key);
    l->has_median = true;
    if ((seconds > w->tell_after || is_unusual(l, seconds)) && !l->is_logged) {
        l->is_logged = true;
        log_wait(l, w, seconds, what, who);
    }
}

void h3ou__long_wait_end(h3ou__long_wait *l, h3ou__world *w, double seconds)
{
    w->waited += seconds;
    if (l->key)
        h3ou__wait_history_add(&w->waits, l->key, seconds);
    l->key = 0;
    h3ou__run_state_computes(w->state, w->waited);
    if (l->is_recorded)
        h3ou__timeline_leave(w->timeline);
    l->is_shown = l->is_recorded = l->has_median = false;
    l->called = 0.0;
}
