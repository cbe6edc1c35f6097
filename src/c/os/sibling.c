/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/sibling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/os_clock.h"
#include "os/proc.h"

static bool is_running(int pid)
{
    char line[1024];
    const char *state = h3ou__proc_state(pid, line, sizeof line);
    return state && state[0] == ' ' && state[1] != 'Z' && state[1] != 'X';
}

static bool is_hydra(int pid)
{
    char name[32];
    return h3ou__proc_read(pid, "comm", name, sizeof name) && !strcmp(name, "hydra_pmi_proxy\n");
}

/* Returns the number of children of a process; -1 when the kernel does not say. */
static int count_children(int pid)
{
    char path[64];
    int child, n = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    while (fscanf(f, "%d", &child) == 1)
        n += is_running(child);
    fclose(f);
    return n;
}

bool h3ou__sibling_has_ended(void)
{
    const double STARTING = 5.0; /* seconds */
    static int most;
    static double grew; /* when there were more than before */
    const char *started = getenv("MPI_LOCALNRANKS");
    int parent = (int)getppid();
    if (!started || atoi(started) < 2 || !is_hydra(parent))
        return false;
    int n = count_children(parent);
    if (n > most) {
        most = n;
        grew = h3ou__now();
    }
    return n > 0 && n < atoi(started) && (n < most || h3ou__now() > grew + STARTING);
}
