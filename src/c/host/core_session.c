/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/core_session.h"

#include <stdio.h>
#include <unistd.h>

#include "os/proc.h"

int64_t h3ou__core_session(void)
{
    static const char *const setting = "/proc/sys/kernel/sched_autogroup_enabled"; /* not there: this kernel has no autogroups */
    char text[64];
    long long number = 0;
    int is_enabled = 0;
    FILE *f = fopen(setting, "r");
    if (!f)
        return access("/proc/self/stat", F_OK) == 0 ? 0 : -1;
    int found = fscanf(f, "%d", &is_enabled);
    fclose(f);
    if (found == 1 && !is_enabled)
        return 0;
    if (!h3ou__proc_read(getpid(), "autogroup", text, sizeof text))
        return -1;
    return sscanf(text, "/autogroup-%lld", &number) == 1 && number > 0 ? number : -1;
}
