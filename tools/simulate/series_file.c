/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/simulate/series_file.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "tools/cli/command_group.h"

int series_file_open(series_file *s, const char *name)
{
    *s = (series_file){.f = name ? fopen(name, "w") : stdout, .name = name};
    if (!s->f)
        return h3ou__fail(H3OU__EFILE, "%s: %s", name, strerror(errno));
    fputs("call,way,jobs,processes,bytes,segment,seconds,mean_seconds,messages,schedule_bytes,mean_schedule_bytes,"
          "events,queue,simulator_bytes\n",
          s->f);
    return H3OU__OK;
}

void series_file_write(series_file *s, const series_row *row)
{
    const simulation_result *r = &row->result;
    fprintf(s->f, "%s,%s,%d,%d,%lld,%lld,%.9g,%.9g,%lld,%lld,%.9g,%lld,%lld,%lld\n", row->call, row->way, row->jobs,
            row->processes, (long long)row->bytes, (long long)row->segment, r->last, r->mean, (long long)r->received,
            (long long)r->schedule_bytes, r->mean_bytes, (long long)r->events, (long long)r->most_events,
            (long long)r->memory);
    fflush(s->f);
}

int series_file_close(series_file *s, int code)
{
    int bad = ferror(s->f);
    if (s->name)
        bad = fclose(s->f) != 0 || bad;
    if (s->name && (code || bad))
        discard_file(s->name);
    return code || !bad ? code : h3ou__fail(H3OU__EFILE, "%s: writing failed", s->name ? s->name : "standard output");
}
