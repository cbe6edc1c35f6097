/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/coincident_cells.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "interp/grid/coincident.h"

static int log_kind(const h3ou__cell_search_task *task, const h3ou__cells *part, const int32_t same[], const char *what)
{
    h3ou__coincident found;
    h3ou__coincident_count(part, same, &found);
    int64_t first = found.count ? found.first : INT64_MAX, most, lowest, as;
    int err = h3ou__allreduce(task->local, &found.count, &most, 1, H3OU__INT64, H3OU__MAX);
    if (err || most == 0)
        return err;
    err = h3ou__allreduce(task->local, &first, &lowest, 1, H3OU__INT64, H3OU__MIN);
    int64_t mine = first == lowest ? found.first_as : INT64_MAX;
    if (!err)
        err = h3ou__allreduce(task->local, &mine, &as, 1, H3OU__INT64, H3OU__MIN);
    if (!err && h3ou__comm_rank(task->local) == 0)
        h3ou__log(H3OU__LOG_WHISPER, "grid-coincident",
                  "grid=%s same=%s cells=%" PRId64 " first=%" PRId64 " used=%" PRId64, task->source_name, what, most,
                  lowest, as);
    return err;
}

int h3ou__coincident_cells_log(const h3ou__cell_search_task *task, const h3ou__cells *part)
{
    int err = log_kind(task, part, part->same_centre, "centre");
    return err ? err : log_kind(task, part, part->same_polygon, "corners");
}
