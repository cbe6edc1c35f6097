/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/files_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/check/setup_check.h"
#include "interp/file/gridfile.h"
#include "interp/file/weightfile.h"

enum { SOURCE, TARGET, SIDES };

static bool same_way(const h3ou__config_remap *a, const h3ou__config_remap *b)
{
    return a->stack == b->stack && a->norm == b->norm && a->limit == b->limit;
}

void h3ou__check_each_way(h3ou__check *c, void (*look)(h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_remap *how))
{
    const h3ou__config *config = c->config;
    int next = 0; /* variables stand in the order of their pairs */
    for (int i = 0; i < config->npair; i++) {
        int first = next;
        for (; next < config->nvar && config->var[next].pair == i; next++) {
            bool seen = false;
            for (int k = first; k < next && !seen; k++)
                seen = same_way(&config->var[k].remap, &config->var[next].remap);
            if (!seen)
                look(c, &config->pair[i], &config->var[next].remap);
        }
        if (first == next)
            look(c, &config->pair[i], &config->pair[i].remap);
    }
}

void h3ou__check_tell_lacking(h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_remap *how, int64_t lacking,
                              int64_t cells, int64_t first)
{
    if (lacking > 0 && !how->has_missing && !how->keep_missing)
        h3ou__check_tell(c, "warning",
                         "%s:%d: %" PRId64 " of the %" PRId64 " cells of grid %s of %s that take part get no value from %s, the first is cell %" PRId64
                         ": mask them, give the key extrapolate, or say by the key missing what they are to hold",
                         c->file, p->line, lacking, cells, p->grid_get, p->comp_get, p->comp_put, first);
}

void h3ou__check_tell_masked(h3ou__check *c, const h3ou__config_pair *p, int64_t masked, int64_t used)
{
    if (masked > 0)
        h3ou__check_tell(c, "warning",
                         "%s:%d: %" PRId64 " of the %" PRId64 " cells of grid %s of %s that %s gets values of are masked: make the weights "
                         "again with this mask",
                         c->file, p->line, masked, used, p->grid_put, p->comp_put, p->comp_get);
}

/* A file of weights and the pair of grids that it is for. */
typedef struct looking {
    h3ou__check *check;
    const h3ou__config_pair *pair;
    const h3ou__config_remap *how;
    const char *file;
    h3ou__weightfile read;
    h3ou__cells *cells[SIDES]; /* of the grids' own files, or NULL */
} looking;

static void tell(looking *l, const char *kind, int err)
{
    h3ou__check_tell_error(l->check, kind, err ? h3ou__fail_in(err, "%s:%d", l->check->file, l->pair->line) : H3OU__OK);
}

static const char *file_of_grid(const h3ou__check *c, const char *component, const char *grid)
{
    for (int i = 0; i < c->ngrid; i++)
        if (!strcmp(c->grid[i].component, component) && !strcmp(c->grid[i].grid, grid))
            return c->grid[i].file;
    return NULL;
}

/* Compares a side of the file with what the last run recorded of the grid, and with the grid's own file. */
static void compare_side(looking *l, int side)
{
    const h3ou__config_pair *p = l->pair;
    const char *component = side == SOURCE ? p->comp_put : p->comp_get, *grid = side == SOURCE ? p->grid_put : p->grid_get;
    const char *name = side == SOURCE ? "source" : "target", *file = file_of_grid(l->check, component, grid);
    const h3ou__cells *in_file = side == SOURCE ? l->read.source : l->read.target;
    int64_t n = side == SOURCE ? l->read.weights->nsource : l->read.weights->ntarget;
    h3ou__grid_facts facts;
    if (h3ou__setups_grid(l->check, component, grid, &facts))
        tell(l, "recorded", h3ou__grid_fits_weights(l->file, name, in_file ? in_file->n : n, in_file, &facts));
    if (!file || h3ou__gridfile_read(file, H3OU__EDGES_UNREAD, &l->cells[side])) /* that error was told once */
        return;
    snprintf(l->cells[side]->name, sizeof l->cells[side]->name, "%s", grid);
    tell(l, "error", h3ou__weightfile_fits(l->file, name, in_file, n, l->cells[side]));
}

/* Counts the source cells that are used, and those of them that are masked. */
static int count_masked(const looking *l, int64_t *used, int64_t *masked)
{
    const h3ou__weights *w = l->read.weights;
    const h3ou__cells *c = l->cells[SOURCE] ? l->cells[SOURCE] : l->read.source;
    unsigned char *seen = calloc((size_t)w->nsource + 1, 1);
    *used = *masked = 0;
    if (!seen)
        return h3ou__no_memory("the check of %s", l->file);
    for (int64_t k = 0; k < w->start[w->ntarget]; k++)
        seen[w->src[k]] = 1;
    for (int64_t i = 0; i < w->nsource; i++) {
        *used += seen[i];
        *masked += seen[i] && c && i < c->n && !c->mask[i];
    }
    free(seen);
    return H3OU__OK;
}

/* Tells of target cells that no row of the file and no method behind it serves. */
static void look_at_cells(looking *l)
{
    h3ou__weights *w = l->read.weights;
    int64_t cells = 0, lacking = 0, first = 0, used, masked;
    int err = h3ou__weightfile_complete(&l->read, l->cells[SOURCE], l->cells[TARGET]);
    if (!err)
        err = count_masked(l, &used, &masked);
    tell(l, "error", err);
    if (err)
        return;
    h3ou__check_tell_masked(l->check, l->pair, masked, used);
    for (int64_t i = 0; i < w->ntarget; i++) {
        bool is_masked = w->served[i] == H3OU__MASKED || (l->read.target && !l->read.target->mask[i]);
        bool has_value = w->start[i] < w->start[i + 1] || (w->fixed && !isnan(w->fixed[i]));
        cells += !is_masked;
        if (!has_value && !is_masked && lacking++ == 0)
            first = i + 1;
    }
    if (l->how->stack->methods.n == 1 && (l->read.target || l->cells[TARGET]))
        h3ou__check_tell_lacking(l->check, l->pair, l->how, lacking, cells, first);
}

/* Keeps the sizes that the file has, of grids of which no size is known yet. */
static void count_file(const looking *l)
{
    const h3ou__config_pair *p = l->pair;
    const h3ou__weights *w = l->read.weights;
    h3ou__check_count(l->check, (h3ou__counted){.pair = p, .stack = l->how->stack, .count = w->start[w->ntarget]});
    if (!h3ou__check_cells(l->check, p->comp_put, p->grid_put))
        h3ou__check_count(l->check, (h3ou__counted){.component = p->comp_put, .grid = p->grid_put, .count = w->nsource});
    if (!h3ou__check_cells(l->check, p->comp_get, p->grid_get))
        h3ou__check_count(l->check, (h3ou__counted){.component = p->comp_get, .grid = p->grid_get, .count = w->ntarget});
}

static void look_at_file(h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_remap *how)
{
    if (!how->stack || !how->stack->methods.method[0]->is_file)
        return;
    looking l = {.check = c, .pair = p, .how = how, .file = how->stack->methods.keys[0].file};
    int before = c->nerror, entered = h3ou__check_enter(c, h3ou__check_find(c, p->comp_get)); /* its rank 0 reads the file */
    int err = h3ou__weightfile_read(l.file, &l.read);
    h3ou__check_leave(c, entered);
    tell(&l, "error", err);
    if (!err) {
        count_file(&l);
        compare_side(&l, TARGET);
        compare_side(&l, SOURCE);
        if (c->nerror == before)
            look_at_cells(&l);
    }
    h3ou__weightfile_free(&l.read);
    for (int side = 0; side < SIDES; side++)
        h3ou__cells_free(l.cells[side]);
}

/* Tells of files of grids that cannot be read, and of grids that no pair has. */
static void check_grid_files(h3ou__check *c)
{
    for (int i = 0; i < c->ngrid; i++) {
        const h3ou__checked_grid *g = &c->grid[i];
        h3ou__cells *cells = NULL;
        bool is_named = false;
        for (int k = 0; k < c->config->npair; k++) {
            const h3ou__config_pair *p = &c->config->pair[k];
            is_named |= (!strcmp(p->comp_put, g->component) && !strcmp(p->grid_put, g->grid)) ||
                        (!strcmp(p->comp_get, g->component) && !strcmp(p->grid_get, g->grid));
        }
        if (!is_named)
            h3ou__check_tell(c, "warning", "%s: no h3ou_var group names grid %s of component %s, whose file is %s", c->file, g->grid,
                             g->component, g->file);
        int err = h3ou__gridfile_read(g->file, H3OU__EDGES_UNREAD, &cells);
        h3ou__check_tell_error(c, "error", err);
        if (!err)
            h3ou__check_count(c, (h3ou__counted){.component = g->component, .grid = g->grid, .count = cells->n});
        h3ou__cells_free(cells);
    }
}

void h3ou__files_check(h3ou__check *c)
{
    check_grid_files(c);
    h3ou__check_each_way(c, look_at_file);
}
