/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/process_memory.h"

#include <stdio.h>
#include <string.h>

/* Returns a number of /proc/self/status in bytes; getrusage would count the program that started this one, too. */
static double status_number(const char *key)
{
    char line[256];
    double kib = 0.0;
    FILE *f = fopen("/proc/self/status", "re");
    while (f && kib == 0.0 && fgets(line, sizeof line, f))
        if (!strncmp(line, key, strlen(key)))
            sscanf(line + strlen(key), ": %lf kB", &kib);
    if (f)
        fclose(f);
    return 1024.0 * kib;
}

double h3ou__process_memory(void)
{
    return status_number("VmRSS");
}

double h3ou__process_memory_peak(void)
{
    return status_number("VmHWM");
}
