/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records events as a process of a coupled run does, for tests/report/timelines.py, which knows what they are.
 *
 *   record_events COMPONENT EVENTS [kill]
 *
 * Event i sends field i % 300, and waits meanwhile. kill: the process is killed before it closes its time line.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "comm/watch/timeline.h"

int main(int argc, char **argv)
{
    h3ou__timeline *t;
    char field[400], peer[64];
    if (argc < 3 || h3ou__timeline_open(argv[1], 1, 2, "no MPI", &t))
        return 2;
    printf("%d\n", t != NULL);
    fflush(stdout);
    for (int i = 0; i < atoi(argv[2]); i++) {
        if (i == 10)
            h3ou__timeline_phase(t, H3OU__ACT_COMPUTE);
        if (i % 5 == 0)
            h3ou__timeline_step(t, 0.25 * i - (i % 10 == 0));
        snprintf(field, sizeof field, "field%0*d", i % 300 == 299 ? 200 : 1 + i % 100, i % 300);
        snprintf(peer, sizeof peer, "component \"<b>\" rank %d", i % 3);
        h3ou__timeline_enter(t, H3OU__ACT_SEND, h3ou__timeline_label(t, field, "ocean"));
        h3ou__timeline_enter_since(t, H3OU__ACT_WAIT, h3ou__timeline_label(t, field, peer), 1e-3 * (i % 2));
        h3ou__timeline_leave(t);
        h3ou__timeline_leave(t);
    }
    h3ou__timeline_phase(t, H3OU__ACT_FINISH);
    if (argc > 3)
        raise(SIGKILL);
    h3ou__timeline_close(t);
    return 0;
}
