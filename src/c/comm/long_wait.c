/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/long_wait.h"

#include "base/log.h"

static const double WORTH_SHOWING = 0.02; /* seconds */

void h3ou__long_wait_tell(h3ou__long_wait *l, const h3ou__world *w, double seconds, const char *what, const char *who)
{
    if (w->timeline && !l->is_recorded) {
        l->is_recorded = true;
        h3ou__timeline_enter_since(w->timeline, H3OU__ACT_WAIT, h3ou__timeline_label(w->timeline, what, who), seconds);
    }
    if (seconds > WORTH_SHOWING && !l->is_shown) {
        l->is_shown = true;
        h3ou__run_state_waits(w->state, seconds, what, who);
    }
    if (seconds > w->tell_after && !l->is_logged) {
        l->is_logged = true;
        h3ou__log(H3OU__LOG_WHISPER, "waiting", "seconds=%.0f for=\"%s\" peer=\"%s\"", seconds, what, who);
    }
}

void h3ou__long_wait_end(h3ou__long_wait *l, h3ou__world *w, double seconds)
{
    w->waited += seconds;
    h3ou__run_state_computes(w->state, w->waited);
    if (l->is_recorded)
        h3ou__timeline_leave(w->timeline);
    l->is_shown = l->is_recorded = false;
}
