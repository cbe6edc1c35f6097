/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/record/replay_report.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/config/leniency.h"

void h3ou__replay_report_open(const char *component, h3ou__replay_report *r)
{
    const char *file = getenv("H3OU_REPLAY_REPORT"), *stop = getenv("H3OU_REPLAY_STOP");
    *r = (h3ou__replay_report){.fd = -1, .component = component, .does_stop = stop && *stop};
    if (file && *file && (r->fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) < 0)
        h3ou__warn(NULL, "H3OU_REPLAY_REPORT=%s: the file cannot be written: h3ou replay will know nothing of this process", file);
}

void h3ou__replay_report_close(h3ou__replay_report *r)
{
    if (r->fd >= 0)
        close(r->fd);
    free(r->is_told);
    *r = (h3ou__replay_report){.fd = -1};
}

/* Appends one line by one call, so that lines of several processes do not mix. */
static void append(const h3ou__replay_report *r, const char *line)
{
    if (r->fd >= 0 && write(r->fd, line, strlen(line)) < 0)
        h3ou__warn(NULL, "H3OU_REPLAY_REPORT: the file cannot be written");
}

/* Returns whether this is the first difference of the variable. */
static bool is_first(h3ou__replay_report *r, int var)
{
    if (var >= r->ntold && h3ou__resize(&r->is_told, sizeof *r->is_told, var + 1)) {
        memset(r->is_told + r->ntold, 0, sizeof *r->is_told * (size_t)(var + 1 - r->ntold));
        r->ntold = var + 1;
    }
    if (var >= r->ntold || r->is_told[var])
        return var >= r->ntold;
    return r->is_told[var] = true;
}

int h3ou__replay_tell(h3ou__replay_report *r, const h3ou__difference *d, const char *format, ...)
{
    char text[H3OU__ERROR_TEXT / 2], line[H3OU__ERROR_TEXT];
    va_list args;
    r->nvalues += d->nvalues ? d->nvalues : 1;
    if (!is_first(r, d->var))
        return H3OU__OK;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(line, sizeof line, "difference\t%s\t%d\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%s\n", r->component,
             !d->is_early, d->time.num, d->time.den, r->nputs, d->cell, d->nvalues, text);
    append(r, line);
    if (r->does_stop)
        return h3ou__fail(H3OU__ESTATE, "replay: %s", text);
    h3ou__warn(NULL, "replay: %s; %" PRId64 " values of this process differ in this put", text, d->nvalues);
    return H3OU__OK;
}

void h3ou__replay_report_end(const h3ou__replay_report *r)
{
    char line[256];
    snprintf(line, sizeof line, "end\t%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", r->component, r->nputs, r->ngets, r->nvalues);
    append(r, line);
}
