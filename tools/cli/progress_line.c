/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/cli/progress_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"

static const double interval = 0.2; /* seconds between two changes of the line */

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_begin(progress *p)
{
    *p = (progress){.started = seconds_now(), .is_terminal = isatty(STDERR_FILENO) == 1};
    if (h3ou__env_real("H3OU_PROGRESS_DELAY", 1.0, &p->delay))
        p->delay = 1.0;
}

void progress_say(progress *p, const char *what, int64_t done, int64_t all, const char *unit)
{
    if (!p->is_terminal || all <= 0)
        return;
    double t = seconds_now();
    if (t - p->started < p->delay || (p->is_shown && t - p->said < interval))
        return;
    p->said = t;
    p->is_shown = true;
    fprintf(stderr, "\r%s: %3.0f %% of %" PRId64 " %s, %.0f s \033[K", what, 100.0 * (double)done / (double)all, all,
            unit, t - p->started);
}

void progress_end(progress *p)
{
    if (p->is_shown)
        fprintf(stderr, "\r\033[K");
    p->is_shown = false;
}
