/* SPDX-License-Identifier: BSD-3-Clause */
/* Putting rounds into the table, and showing the progress of the run. */
#include "tools/pingpong/pingpong_run.h"

#include <stdio.h>
#include <unistd.h>

#include "os/os_clock.h"

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

/* Shows progress: on a terminal one line that changes, else a line from time to time. */
static void say_progress(pingpong_run *r, const round_result *round)
{
    bool is_terminal = isatty(STDERR_FILENO), is_last = r->done == r->all;
    double time = h3ou__now();
    char text[24];
    if (!is_last && time < r->said + (is_terminal ? 0.1 : 5.0))
        return;
    r->said = time;
    fprintf(stderr, "%sh3ou bench pingpong: %3d %%, %s, %d pair%s, %s%s", is_terminal ? "\r" : "",
            (int)(r->all ? 100 * r->done / r->all : 0), r->link[round->link].name, round->pairs, round->pairs > 1 ? "s" : "",
            pingpong_size_text(round->bytes, text), is_terminal ? "\033[K" : "\n");
    if (is_terminal && is_last)
        fprintf(stderr, "\n");
}

int pingpong_add_round(void *run, const round_result *round)
{
    pingpong_run *r = run;
    r->done++;
    say_progress(r, round);
    return pingpong_table_add(&r->table, &r->link[round->link], round);
}

bool pingpong_take_line(void *run, const char *line)
{
    round_result round;
    return round_read_line(line, &round) && pingpong_add_round(run, &round) == 0;
}
