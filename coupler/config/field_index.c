/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/field_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

int h3ou__fields_create(const h3ou__config *config, const char *component, bool puts, h3ou__fields *out)
{
    size_t most = (size_t)config->nvar + 1;
    *out = (h3ou__fields){0};
    int err = h3ou__names_create(config->nvar, &out->names);
    out->var = malloc(sizeof *out->var * most);
    out->first = malloc(sizeof *out->first * most);
    out->last = malloc(sizeof *out->last * most);
    out->next = malloc(sizeof *out->next * most);
    out->calls = calloc(most, sizeof *out->calls);
    if (err || !out->calls || !out->var || !out->first || !out->last || !out->next)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the names of %d fields", config->nvar);
    for (int i = 0; i < config->nvar; i++) {
        const h3ou__config_var *v = &config->var[i];
        const h3ou__config_pair *p = &config->pair[v->pair];
        int before = out->names.n;
        if (strcmp(puts ? p->comp_put : p->comp_get, component) != 0 ||
            h3ou__names_add(&out->names, puts ? v->put : v->get) < before)
            continue;
        out->var[before] = i;
        out->first[before] = out->last[before] = -1;
    }
    return H3OU__OK;
}

void h3ou__fields_free(h3ou__fields *f)
{
    h3ou__names_free(&f->names);
    free(f->var);
    free(f->first);
    free(f->last);
    free(f->next);
    free(f->calls);
    *f = (h3ou__fields){0};
}

void h3ou__fields_attach(h3ou__fields *f, const char *name, int exchange)
{
    int number = h3ou__names_find(&f->names, name);
    if (number < 0)
        return;
    if (f->first[number] < 0)
        f->first[number] = exchange;
    else
        f->next[f->last[number]] = exchange;
    f->last[number] = exchange;
    f->next[exchange] = -1;
}

int h3ou__fields_first(const h3ou__fields *f, const char *name)
{
    int number = h3ou__names_find(&f->names, name);
    return number < 0 ? -1 : f->first[number];
}
