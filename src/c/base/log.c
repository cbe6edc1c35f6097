/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static struct {
    int level;
    h3ou__log_sink sink;
    void *user;
} to;

void h3ou__log_to(int level, h3ou__log_sink sink, void *user)
{
    to.level = sink ? level : H3OU__LOG_SILENT;
    to.sink = sink;
    to.user = user;
}

int h3ou__log_level(void)
{
    return to.level;
}

void h3ou__log(int level, const char *event, const char *format, ...)
{
    if (!to.sink || level > to.level)
        return;
    char line[1024];
    int used = snprintf(line, sizeof line, "%s ", event);
    va_list args;
    va_start(args, format);
    vsnprintf(line + used, sizeof line - (size_t)used, format, args);
    va_end(args);
    to.sink(to.user, level, line);
}
