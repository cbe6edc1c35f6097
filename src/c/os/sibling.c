/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/sibling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state letter of /proc/PID/stat stands behind the command's name, which is in brackets. */
static bool is_running(int pid)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    size_t n = fread(line, 1, sizeof line - 1, f);
    fclose(f);
    line[n] = 0;
    const char *end = strrchr(line, ')');
    return end && end[1] == ' ' && end[2] != 'Z' && end[2] != 'X';
}

static bool is_hydra(int pid)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    bool is_read = fgets(name, sizeof name, f) != NULL;
    fclose(f);
    return is_read && !strcmp(name, "hydra_pmi_proxy\n");
}

/* -1: the kernel does not say. */
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
    const char *started = getenv("MPI_LOCALNRANKS");
    int parent = (int)getppid();
    if (!started || atoi(started) < 2 || !is_hydra(parent))
        return false;
    int n = count_children(parent);
    return n > 0 && n < atoi(started);
}
