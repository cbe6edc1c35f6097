/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/component_names.h"

#include <stdio.h>

#include "base/error.h"
#include "base/nearest_name.h"

static void list_names(const h3ou__started *s, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < s->n && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", s->name[i]);
        if (s->members[i] > 1 && used < size)
            used += (size_t)snprintf(text + used, size - used, " (%d members)", s->members[i]);
    }
}

static int check_name(const h3ou__config *config, const h3ou__started *s, int line, const char *key, const char *name)
{
    char started[512], near[H3OU__HINT];
    for (int i = 0; i < s->n; i++)
        if (!strcmp(s->name[i], name))
            return H3OU__OK;
    h3ou__did_you_mean(name, s->name, s->n, near);
    list_names(s, started, sizeof started);
    return h3ou__fail(H3OU__ECONFIG, "%s:%d: %s: component '%s' was not started%s; started: %s%s", config->file, line,
                      key, name, near, started, *near ? "" : s->hint);
}

static bool is_in_config(const h3ou__config *config, const char *name)
{
    for (int i = 0; i < config->npair; i++)
        if (!strcmp(config->pair[i].comp_put, name) || !strcmp(config->pair[i].comp_get, name))
            return true;
    return config->npair == 0;
}

int h3ou__component_names_check(const h3ou__config *config, const h3ou__started *started)
{
    int err = H3OU__OK;
    for (int i = 0; i < config->npair && !err; i++) {
        const h3ou__config_pair *p = &config->pair[i];
        err = check_name(config, started, p->line, "comp_put", p->comp_put);
        if (!err)
            err = check_name(config, started, p->line, "comp_get", p->comp_get);
    }
    for (int i = 0; i < started->n && !err; i++)
        if (!is_in_config(config, started->name[i]))
            err = h3ou__fail(H3OU__ECONFIG,
                             "%s: component '%s' was started, but no h3ou_var group names it in comp_put or "
                             "comp_get",
                             config->file, started->name[i]);
    return err;
}
