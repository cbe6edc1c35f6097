/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/proc.h"

#include <stdio.h>
#include <string.h>

bool h3ou__proc_read(int pid, const char *file, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, size - 1, f) : 0;
    text[n] = 0;
    if (f)
        fclose(f);
    return f != NULL;
}

const char *h3ou__proc_state(int pid, char *text, size_t size)
{
    const char *end = h3ou__proc_read(pid, "stat", text, size) ? strrchr(text, ')') : NULL;
    return end ? end + 1 : NULL;
}
