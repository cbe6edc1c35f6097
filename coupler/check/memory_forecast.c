/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/memory_forecast.h"

static const double MIB = 1048576.0;

static void tell_limit(h3ou__check *c, const h3ou__checked *part, double least, double most)
{
    double limit = part->memory / MIB;
    if (least > part->memory)
        h3ou__check_tell(c, "recorded", "component %s: a process will need %.0f MiB or more, and its limit is %.0f MiB (memory): give it more processes",
                         part->name, least / MIB, limit);
    else if (most > part->memory)
        h3ou__check_tell(c, "warning", "component %s: a process may need %.0f MiB, and its limit is %.0f MiB (memory)", part->name, most / MIB, limit);
}

static void forecast(h3ou__check *c, const h3ou__checked *part)
{
    const char *component = h3ou__setup_find(&part->setup, "component", "name", part->name, "processes", NULL);
    const char *memory = h3ou__setup_find(&part->setup, "memory", "before", NULL, "peak", NULL);
    double then = h3ou__setup_number(component, "processes", 0), before = h3ou__setup_number(memory, "before", 0);
    double added = h3ou__setup_number(memory, "peak", 0) - before;
    if (then < 1 || before <= 0 || added < 0 || part->processes < 1)
        return;
    double share = then / part->processes, least = before + added * (share < 1 ? share : 1), most = before + added * (share > 1 ? share : 1);
    h3ou__check_tell(c, "memory", "%s\t%d\t%.0f\t%.0f\t%.0f\t%.0f", part->name, part->processes, least, most, then, before + added);
    if (part->memory > 0)
        tell_limit(c, part, least, most);
}

void h3ou__memory_forecast(h3ou__check *c)
{
    for (int i = 0; i < c->n; i++)
        forecast(c, &c->component[i]);
}
