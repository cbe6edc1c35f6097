/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/cli/python_program.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

int python_program_find(const char *program, char file[PYTHON_PATH_ROOM])
{
    char here[PYTHON_PATH_ROOM / 2];
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    if (n < 0)
        return h3ou__fail(H3OU__EOS, "/proc/self/exe: %s", strerror(errno));
    here[n] = 0;
    char *slash = strrchr(here, '/');
    if (slash)
        *slash = 0;
    snprintf(file, PYTHON_PATH_ROOM, "%s/%s/%s", here, H3OU_LIBEXEC, program);
    return H3OU__OK;
}

int python_program_become(const char *program, const char *const words[])
{
    char file[PYTHON_PATH_ROOM];
    int n = 0, code = python_program_find(program, file);
    if (code)
        return code;
    while (words[n])
        n++;
    const char **all = calloc((size_t)n + 4, sizeof *all);
    if (!all)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the words of a command");
    all[0] = H3OU_PYTHON;
    all[1] = "-B";
    all[2] = file;
    memcpy(all + 3, words, sizeof *all * (size_t)n);
    fflush(NULL);
    execvp(all[0], (char **)(uintptr_t)all);
    free(all);
    return h3ou__fail(H3OU__EFILE,
                      "this part of the command is written in Python, but %s cannot be run (%s): "
                      "apt install python3",
                      H3OU_PYTHON, strerror(errno));
}
