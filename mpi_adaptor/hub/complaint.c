/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_adaptor/hub/complaint.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hub_table.h"

static void line_write(const char *format, va_list arguments)
{
    char line[1024] = "h3ou: mpi_adaptor: ";
    size_t used = strlen(line);
    int more = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    used = more < 0 ? used : used + (size_t)more < sizeof line - 1 ? used + (size_t)more : sizeof line - 2;
    line[used++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, used);
    (void)written; /* without standard error nobody can be told */
}

static int log_is(const char *level)
{
    const char *asked = getenv("H3OU_LOG");
    return asked && strcmp(asked, level) == 0;
}

static void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!log_is("silent"))
        line_write(format, arguments);
    va_end(arguments);
}

int hub_refuse(const char *name)
{
    static const char *told[1024];
    static int count;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < count && strcmp(told[i], name) != 0)
        i++;
    if (i == count && count < 1024) {
        told[count++] = name;
        warn("%s is not there in this MPI or not mapped; it returns MPI_ERR_UNSUPPORTED_OPERATION", name);
    }
    pthread_mutex_unlock(&lock);
    return ABI_ERR_UNSUPPORTED_OPERATION;
}

void hub_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (log_is("whisper") || log_is("loud"))
        line_write(format, arguments);
    va_end(arguments);
}

void hub_end(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    line_write(format, arguments);
    va_end(arguments);
    _exit(1);
}
