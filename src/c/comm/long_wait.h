/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told of a wait: in the run's folder (timeline.h; run_state.h when it lasts), and, once, in the log: when it is longer than
 * H3OU_TELL_AFTER, or than ten times the median of the waits for the same thing. */
#ifndef H3OU_COMM_LONG_WAIT_H
#define H3OU_COMM_LONG_WAIT_H

#include "comm/world.h"

/* What was told of one wait; all 0 when it begins. */
typedef struct h3ou__long_wait {
    bool is_logged, is_shown, is_recorded;
    uint64_t key;    /* of what is awaited (wait_history.h); 0: not known yet */
    bool has_median;
    double median;   /* of the waits for it; below 0: unknown. It is looked for only when the wait is long */
    double called; /* second of the wait in which world->meanwhile was called last */
} h3ou__long_wait;

/* To be called again and again: the process has waited for so many seconds, for what, and for whom. */
void h3ou__long_wait_tell(h3ou__long_wait *l, const h3ou__world *w, double seconds, const char *what, const char *who);
/* To be called when a wait has ended: adds it to the time that the process has waited. */
void h3ou__long_wait_end(h3ou__long_wait *l, h3ou__world *w, double seconds);

#endif
