/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/world/waiting_way.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "waitio/progress/progress_thread.h"

universe_way universe_waits = UNIVERSE_ADAPTIVE;

int universe_way_choose(void)
{
    static const char *const names[] = {"adaptive", "poll", "thread"};
    const char *given = getenv("H3OU_UNIVERSE_WAIT");
    bool by_thread = false;
    if (!given || !*given)
        return H3OU__OK;
    int way = 0;
    while (way < 3 && strcmp(given, names[way]) != 0)
        way++;
    if (way == 3)
        return h3ou__fail(H3OU__EENV, "H3OU_UNIVERSE_WAIT is \"%s\": it must be adaptive, poll or thread", given);
    int err = way == UNIVERSE_THREAD ? waitio__progress_thread_use(&by_thread) : H3OU__OK;
    if (!err && way == UNIVERSE_THREAD && !by_thread)
        return h3ou__fail(H3OU__EENV, "H3OU_UNIVERSE_WAIT=thread: WAITIO_PROGRESS must be thread, too, or not be set");
    universe_waits = (universe_way)way;
    return err;
}
