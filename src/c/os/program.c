/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/program.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATHS = 4096, NAME_MOST = H3OU__PROGRAM - 9 };

static const char *without_folders(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Finds the first argument of this process that is not an option: the script that an interpreter runs. */
static void find_script(char path[PATHS])
{
    char line[PATHS] = "";
    FILE *f = fopen("/proc/self/cmdline", "r");
    size_t n = f ? fread(line, 1, sizeof line - 1, f) : 0;
    if (f)
        fclose(f);
    for (size_t at = strlen(line) + 1; at < n; at += strlen(line + at) + 1)
        if (line[at] && line[at] != '-') {
            snprintf(path, PATHS, "%s", line + at);
            return;
        }
}

void h3ou__program(char program[H3OU__PROGRAM])
{
    char path[PATHS] = "";
    struct stat file;
    memset(program, 0, H3OU__PROGRAM);
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        return;
    if (!strncmp(without_folders(path), "python", 6))
        find_script(path);
    snprintf(program, NAME_MOST + 1, "%s", without_folders(path));
    int64_t size = stat(path, &file) ? 0 : file.st_size;
    memcpy(program + H3OU__PROGRAM - sizeof size, &size, sizeof size);
}
