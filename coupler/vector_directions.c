/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/vector_directions.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "coupler/config/leniency.h"
#include "interp/sphere/angles.h"

/* Returns the grid of my component whose local frames field i follows, counted over the fields that I put and then
 * those that I get; NULL when it is not a vector that is turned. */
static const h3ou__grid *followed_grid(const h3ou__coupler *c, int i)
{
    if (i < c->nout)
        return c->out[i]->axes ? c->out[i]->grid : NULL;
    return c->in[i - c->nout]->axes.of ? c->in[i - c->nout]->grid : NULL;
}

static bool is_first_of_grid(const h3ou__coupler *c, int i)
{
    for (int before = 0; before < i; before++)
        if (followed_grid(c, before) == followed_grid(c, i))
            return false;
    return true;
}

/* Compares a value with the first of its row or column, which is stored in *noted. */
static bool agrees_with_first(double *noted, double value)
{
    if (isnan(*noted))
        *noted = value;
    return fabs(remainder(value - *noted, 2.0 * H3OU__PI)) < 1e-10;
}

/* Returns whether all my cells in a row have one latitude, and those in a column one longitude. Rows and columns are
 * those of the grid, or of my block of it. */
static bool has_rows_and_columns(const h3ou__grid *g, int64_t nx, int64_t ny, double noted[])
{
    const h3ou__geometry *m = &g->geometry;
    double *lon = noted, *lat = noted + nx;
    for (int64_t i = 0; i < nx + ny; i++)
        noted[i] = NAN;
    for (int64_t i = 0; i < g->n; i++) {
        int64_t at = m->nx > 0 ? g->index[i] - 1 : i;
        if ((!m->mask || m->mask[i]) &&
            (!agrees_with_first(&lon[at % nx], m->lon[i]) || !agrees_with_first(&lat[at / nx], m->lat[i])))
            return false;
    }
    return true;
}

/* Sets *regular to whether my cells may belong to a grid that is regular in longitude and latitude. */
static int check_regular(const h3ou__grid *g, bool *regular)
{
    const h3ou__geometry *m = &g->geometry;
    int64_t nx = m->nx > 0 ? m->nx : g->local.nx, ny = m->nx > 0 ? m->ny : g->local.ny;
    *regular = g->n == 0 || (m->corner_lon && h3ou__geometry_is_boxes(m, g->n));
    if (*regular || !m->lon || nx == 0 || g->last > (m->nx > 0 ? nx * ny : INT64_MAX))
        return H3OU__OK;
    double *noted = malloc(sizeof *noted * (size_t)(nx + ny));
    if (!noted)
        return h3ou__no_memory("the rows and columns of grid %s", g->name);
    *regular = has_rows_and_columns(g, nx, ny, noted);
    free(noted);
    return H3OU__OK;
}

static void warn_of_no_angle(const h3ou__coupler *c, int i, const h3ou__grid *g)
{
    const h3ou__config_var *v = i < c->nout ? c->out[i]->var : c->in[i - c->nout]->var;
    const h3ou__config_pair *p = &c->config->pair[v->pair];
    h3ou__warn(NULL,
               "%s:%d: grid %s of component %s has no angle and is not regular in longitude and latitude: the two "
               "components of vector %s are taken as local east and north; if they have other directions, give angle to "
               "h3ou_grid_angle",
               c->config->file, v->line, g->name, i < c->nout ? p->comp_put : p->comp_get,
               i < c->nout ? v->put : v->get);
}

int h3ou__vector_directions_tell(const h3ou__coupler *c)
{
    int err = H3OU__OK;
    for (int i = 0; i < c->nout + c->nin && !err; i++) {
        const h3ou__grid *g = followed_grid(c, i);
        bool regular = true;
        if (!g || !is_first_of_grid(c, i))
            continue;
        if (!g->geometry.angle)
            err = check_regular(g, &regular);
        int64_t mine = !regular, any = 0;
        if (!err)
            err = h3ou__reduce(h3ou__world_local(c->world), &mine, &any, 1, H3OU__INT64, H3OU__MAX, 0);
        if (!err && any && c->config->is_leader)
            warn_of_no_angle(c, i, g);
    }
    return err;
}
