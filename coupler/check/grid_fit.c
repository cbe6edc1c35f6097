/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/grid_fit.h"

#include "base/error.h"
#include "base/nearest_name.h"

const char *h3ou__grid_hint(const char *const name[], int n, const char *wanted, char *hint)
{
    enum { MOST = 64 };
    return h3ou__did_you_mean(wanted, name, n < MOST ? n : MOST, hint);
}

int h3ou__grid_fits_name(const h3ou__config *config, const h3ou__config_pair *p, const char *key, const char *component,
                         const char *grid, const char *const name[], int n)
{
    char hint[H3OU__HINT];
    for (int i = 0; i < n; i++)
        if (!strcmp(name[i], grid))
            return H3OU__OK;
    return h3ou__fail(H3OU__ENAME, "%s:%d: %s: component %s defines no grid '%s'%s", config->file, p->line, key, component, grid,
                      h3ou__grid_hint(name, n, grid, hint));
}

int h3ou__grid_fits_layers(const h3ou__config *config, const h3ou__config_var *v, const char *component, const char *grid,
                           int nz)
{
    if (v->layer <= nz)
        return H3OU__OK;
    return h3ou__fail(H3OU__ECONFIG, "%s:%d: layer=%d: grid %s of %s has %d layers (nz of h3ou_def_grid): give at most so many, or define more", config->file, v->line,
                      v->layer, grid, component, nz);
}
