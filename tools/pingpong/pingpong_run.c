/* SPDX-License-Identifier: BSD-3-Clause */
/* Putting rounds into the table, and showing the progress of the run. */
#include "tools/pingpong/pingpong_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

pingpong_way pingpong_raw_way(void)
{
    return (pingpong_way){.name = "raw TCP", .kind = PINGPONG_RAW};
}

pingpong_way pingpong_waitio_way(int pbs, const char *route)
{
    pingpong_way w = {.kind = PINGPONG_WAITIO, .pbs = pbs};
    snprintf(w.name, sizeof w.name, "WaitIO, %s%s%s", pbs == 1 ? "1 PB" : "2 PBs", *route ? " " : "", route);
    snprintf(w.route, sizeof w.route, "%s", route);
    return w;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Shows progress: on a terminal one line that changes, else a line from time to time. */
static void say_progress(pingpong_run *r, enum pingpong_link link, int pairs, int64_t bytes)
{
    bool is_terminal = isatty(STDERR_FILENO), is_last = r->done == r->all;
    double time = seconds_now();
    char text[24];
    if (!is_last && time < r->said + (is_terminal ? 0.1 : 5.0))
        return;
    r->said = time;
    fprintf(stderr, "%sh3ou bench pingpong: %3d %%, %s, %d pair%s, %s%s", is_terminal ? "\r" : "",
            (int)(r->all ? 100 * r->done / r->all : 0), r->link[link].name, pairs, pairs > 1 ? "s" : "",
            pingpong_size_text(bytes, text), is_terminal ? "\033[K" : "\n");
    if (is_terminal && is_last)
        fprintf(stderr, "\n");
}

int pingpong_add_round(pingpong_run *r, enum pingpong_link link, int pairs, bool is_pinned, int64_t bytes,
                       int64_t repeats, double slowest, double mean)
{
    r->done++;
    say_progress(r, link, pairs, bytes);
    return pingpong_table_add(&r->table, &r->link[link], pairs, is_pinned, bytes, repeats, slowest, mean);
}

void pingpong_put_line(int fd, enum pingpong_link link, int pairs, bool is_pinned, int64_t bytes, int64_t repeats,
                       double slowest, double mean)
{
    char line[200];
    int n = snprintf(line, sizeof line, "round %d %d %d %" PRId64 " %" PRId64 " %.0f %.0f\n", (int)link, pairs,
                     is_pinned, bytes, repeats, slowest, mean);
    if (write(fd, line, (size_t)n) != n) /* written at once, since it is shorter than PIPE_BUF */
        _exit(1);
}

bool pingpong_take_line(void *run, const char *line)
{
    pingpong_run *r = run;
    int link, pairs, is_pinned;
    int64_t bytes, repeats;
    double slowest, mean;
    if (sscanf(line, "round %d %d %d %" SCNd64 " %" SCNd64 " %lf %lf", &link, &pairs, &is_pinned, &bytes, &repeats,
               &slowest, &mean) != 7)
        return false;
    if (link < 0 || link >= PINGPONG_LINKS || pairs < 1 || bytes < 1 || repeats < 1 || !(slowest >= 0.0))
        return false;
    return pingpong_add_round(r, (enum pingpong_link)link, pairs, is_pinned != 0, bytes, repeats, slowest, mean) == 0;
}
