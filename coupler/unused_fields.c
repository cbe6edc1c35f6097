/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/unused_fields.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "coupler/check/field_fit.h"
#include "coupler/config/leniency.h"

/* Returns whether this process put the field, or no exchange of it was due. */
static bool was_put(const h3ou__coupler *c, const char *field)
{
    int first = h3ou__fields_first(&c->puts, field);
    const h3ou__outgoing *o = first < 0 ? NULL : c->out[first];
    return !o || o->has_value ||
           (o->var->lag != 0 && o->next <= h3ou__exchange_first_of_sender(&o->times));
}

/* Returns whether this process got the field. One that it never got was not asked for: exchange 0 is due in the first
 * step. */
static bool was_got(const h3ou__coupler *c, const char *field)
{
    int first = h3ou__fields_first(&c->gets, field);
    return first < 0 || c->in[first]->was_got;
}

static void warn_of_unused(const h3ou__coupler *c, bool puts, int number)
{
    const h3ou__fields *fields = puts ? &c->puts : &c->gets;
    char text[H3OU__ERROR_TEXT];
    h3ou__warn(NULL, "%s", h3ou__field_unused_text(c->config, &c->config->var[fields->var[number]], puts, text, sizeof text));
}

int h3ou__unused_fields_tell(const h3ou__coupler *c)
{
    int nput = c->puts.names.n, n = nput + c->gets.names.n;
    h3ou__comm *local = h3ou__world_local(c->world);
    int64_t *mine = malloc(sizeof *mine * (size_t)(2 * n + 1));
    if (!mine)
        return h3ou__no_memory("a list of %d fields", n);
    int64_t *any = mine + n;
    for (int i = 0; i < n; i++)
        mine[i] = c->clock.is_running &&
                  (i < nput ? was_put(c, c->puts.names.name[i]) : was_got(c, c->gets.names.name[i - nput]));
    int err = n > 0 ? h3ou__reduce(local, mine, any, n, H3OU__INT64, H3OU__MAX, 0) : H3OU__OK;
    for (int i = 0; i < n && !err && c->config->is_leader && c->clock.is_running; i++)
        if (!any[i])
            warn_of_unused(c, i < nput, i < nput ? i : i - nput);
    free(mine);
    return err;
}
