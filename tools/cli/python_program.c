/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/cli/python_program.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
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
    enum { MOST = 32 };
    char file[PYTHON_PATH_ROOM], *all[MOST] = {(char[]){H3OU_PYTHON}, (char[]){"-B"}, file};
    int code = python_program_find(program, file);
    if (code)
        return code;
    for (int i = 0; words[i] && i + 4 < MOST; i++)
        all[i + 3] = (char *)(uintptr_t)words[i];
    fflush(NULL);
    execvp(all[0], all);
    return h3ou__fail(H3OU__EFILE,
                      "this part of the command is written in Python, but %s cannot be run (%s): "
                      "apt install python3",
                      all[0], strerror(errno));
}
