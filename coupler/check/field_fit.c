/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/field_fit.h"

#include <stdio.h>

#include "base/error.h"
#include "base/nearest_name.h"

int h3ou__field_fail_unknown(const h3ou__config *config, const char *call, const char *component, const char *field, bool put,
                             const h3ou__names *names)
{
    char hint[H3OU__HINT];
    return h3ou__fail(H3OU__ENAME, "%s%s%s gives component %s no field '%s' to %s%s", call ? call : "", call ? ": " : "",
                      config->file, component, field, put ? "put" : "get",
                      h3ou__did_you_mean(field, names->name, names->n, hint));
}

int h3ou__field_fail_no_handle(const h3ou__config *config, const char *component, const char *field, const h3ou__names *puts,
                               const h3ou__names *gets)
{
    char hint[H3OU__HINT];
    if (!*h3ou__did_you_mean(field, puts->name, puts->n, hint))
        h3ou__did_you_mean(field, gets->name, gets->n, hint);
    return h3ou__fail(H3OU__ENAME, "h3ou_field: %s gives component %s no field '%s'%s", config->file, component, field, hint);
}

char *h3ou__field_unused_text(const h3ou__config *config, const h3ou__config_var *v, bool put, char *text, size_t size)
{
    const h3ou__config_pair *p = &config->pair[v->pair];
    snprintf(text, size, "%s:%d: component %s ended and never %s field %s, which component %s %s", config->file, v->line,
             put ? p->comp_put : p->comp_get, put ? "put" : "got", put ? v->put : v->get, put ? p->comp_get : p->comp_put,
             put ? "gets" : "puts");
    return text;
}
