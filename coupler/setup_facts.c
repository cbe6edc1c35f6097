/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/setup_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/process_memory.h"
#include "comm/collective/collective.h"
#include "coupler/config/leniency.h"
#include "coupler/plan_pairs.h"

static h3ou__comm *local_of(const h3ou__coupler *c)
{
    return h3ou__world_local(c->world);
}

/* Returns whether this process writes the file. */
static bool writes(const h3ou__coupler *c)
{
    return c->facts.is_kept && h3ou__comm_rank(local_of(c)) == 0;
}

int h3ou__setup_facts_begin(h3ou__coupler *c)
{
    const char *folder = getenv("H3OU_RUN_DIRECTORY");
    char file[4096];
    int64_t has = folder && !c->replay && snprintf(file, sizeof file, "%s/setup", folder) < (int)sizeof file && access(file, W_OK | X_OK) == 0 &&
                  h3ou__world_component_member(c->world, h3ou__world_me(c->world)) == 0;
    int err = h3ou__bcast(local_of(c), &has, 1, H3OU__INT64, 0);
    c->facts.is_kept = !err && has;
    return err;
}

/* A record that cannot be written does not end the run. */
static void write_file(const h3ou__coupler *c)
{
    if (h3ou__setup_write(&c->facts.setup, getenv("H3OU_RUN_DIRECTORY"), h3ou__coupler_name(c)))
        h3ou__warn(NULL, "the setup of component %s is not recorded: %s", h3ou__coupler_name(c), h3ou__fail_text());
}

static int add_grid(h3ou__coupler *c, const h3ou__grid *g)
{
    const h3ou__geometry *m = &g->geometry;
    int64_t mine[2] = {g->n, 0}, all[2];
    int64_t has[4] = {(int64_t)m->nx * m->ny, m->mask != NULL, m->lon != NULL, m->corner_lon != NULL}, any[4];
    for (int64_t i = 0; i < g->n && m->mask; i++)
        mine[1] += m->mask[i] == 0;
    int err = h3ou__allreduce(local_of(c), mine, all, 2, H3OU__INT64, H3OU__SUM);
    if (!err)
        err = h3ou__allreduce(local_of(c), has, any, 4, H3OU__INT64, H3OU__MAX);
    if (err || !writes(c))
        return err;
    return h3ou__setup_add(&c->facts.setup,
                           "grid\tname=%s\tlayers=%d\tcells=%" PRId64 "\tlast=%" PRId64 "\tsaid=%" PRId64 "\tmasked=%" PRId64
                           "\tcentres=%" PRId64 "\tcorners=%" PRId64,
                           g->name, g->nz, all[0], g->last, any[0], any[1] ? all[1] : -1, any[2], any[3]);
}

static int add_table(h3ou__coupler *c, const h3ou__table *t)
{
    if (!writes(c) || !t->given)
        return H3OU__OK;
    return h3ou__setup_add(&c->facts.setup, "table\tsend_comp=%s\tsend_grid=%s\trecv_comp=%s\trecv_grid=%s\ttag=%d", t->send_comp,
                           t->send_grid, t->recv_comp, t->recv_grid, t->tag);
}

/* Counts of my cells that a plan sends those that are masked. */
static void count_sent(const h3ou__plan *p, const h3ou__grid *g, unsigned char seen[], int64_t count[4])
{
    for (int64_t k = 0; k < p->start[p->npartner]; k++)
        seen[p->slot[k]] = 1;
    for (int64_t i = 0; i < g->n; i++) {
        count[0] += seen[i];
        count[1] += seen[i] && g->geometry.mask && g->geometry.mask[i] == 0;
    }
}

/* Counts of my cells that take part those that get no value; *first is the lowest index of these, or INT64_MAX. */
static void count_lacking(const h3ou__plan *p, const h3ou__grid *g, unsigned char seen[], int64_t count[4], int64_t *first)
{
    for (int64_t r = 0; r < p->rows.nrow; r++)
        seen[p->rows.row[r]] = 1;
    for (int64_t i = 0; i < p->left.nfixed; i++)
        seen[p->left.fixed[i]] = 1;
    for (int64_t i = 0; i < g->n; i++) {
        bool takes_part = !g->geometry.mask || g->geometry.mask[i] != 0;
        count[0] += takes_part;
        count[1] += takes_part && !seen[i];
        if (takes_part && !seen[i] && g->index[i] < *first)
            *first = g->index[i];
    }
    count[2] = p->rows.nrow;
    count[3] = p->rows.nrow > 0 ? p->rows.start[p->rows.nrow] : 0;
}

static int add_plan(h3ou__coupler *c, const h3ou__planned *planned)
{
    const h3ou__plan *p = planned->plan;
    const h3ou__config_pair *pair = &c->config->pair[planned->pair];
    const h3ou__grid *g = h3ou__find_grid(c, p->sender ? pair->grid_put : pair->grid_get);
    int64_t mine[4] = {0}, all[4], my_first = INT64_MAX, first;
    unsigned char *seen = calloc((size_t)g->n + 1, 1);
    if (!seen)
        return h3ou__no_memory("the record of a pair of grids");
    if (p->sender)
        count_sent(p, g, seen, mine);
    else
        count_lacking(p, g, seen, mine, &my_first);
    free(seen);
    int err = h3ou__allreduce(local_of(c), mine, all, 4, H3OU__INT64, H3OU__SUM);
    if (!err)
        err = h3ou__allreduce(local_of(c), &my_first, &first, 1, H3OU__INT64, H3OU__MIN);
    if (err || !writes(c))
        return err;
    static const char names[] = "plan\trole=%s\tsend_comp=%s\tsend_grid=%s\trecv_comp=%s\trecv_grid=%s\ttag=%d\tmethod=%s";
    char text[2048];
    snprintf(text, sizeof text, names, p->sender ? "sends" : "gets", pair->comp_put, pair->grid_put, pair->comp_get, pair->grid_get,
             pair->mapping_tag, planned->how->stack ? planned->how->stack->text : "table");
    if (p->sender)
        return h3ou__setup_add(&c->facts.setup, "%s\tused=%" PRId64 "\tmasked=%" PRId64, text, all[0], all[1]);
    return h3ou__setup_add(&c->facts.setup,
                           "%s\tcells=%" PRId64 "\tlacking=%" PRId64 "\tfirst=%" PRId64 "\trows=%" PRId64 "\tlinks=%" PRId64, text,
                           all[0], all[1], all[1] ? first : 0, all[2], all[3]);
}

int h3ou__setup_facts_planned(h3ou__coupler *c)
{
    char host[64] = "";
    int err = H3OU__OK;
    if (!c->facts.is_kept)
        return H3OU__OK;
    gethostname(host, sizeof host - 1);
    if (writes(c))
        err = h3ou__setup_add(&c->facts.setup, "component\tname=%s\tmembers=%d\tprocesses=%d\thost=%s", h3ou__coupler_name(c),
                              h3ou__world_members(c->world, h3ou__coupler_name(c)), h3ou__comm_size(local_of(c)), host);
    for (int i = 0; i < c->ngrid && !err; i++)
        err = add_grid(c, c->grid[i]);
    for (int i = 0; i < c->ntable && !err; i++)
        err = add_table(c, c->table[i]);
    for (int i = 0; i < c->nplan && !err; i++)
        err = add_plan(c, &c->plan[i]);
    c->facts.memory_planned = h3ou__process_memory_peak();
    if (!err && writes(c))
        write_file(c);
    return err;
}

void h3ou__setup_facts_named(h3ou__coupler *c, const char *kind, const char *field)
{
    /* A handle may be asked for before it is known whether there is a folder to write to. */
    if (getenv("H3OU_RUN_DIRECTORY") && h3ou__comm_rank(local_of(c)) == 0 && !strpbrk(field, "\t\n") &&
        !h3ou__setup_find(&c->facts.setup, kind, "name", field, NULL, NULL))
        h3ou__setup_add(&c->facts.setup, "%s\tname=%s", kind, field);
}

void h3ou__setup_facts_step(h3ou__coupler *c, h3ou__rational step)
{
    if (c->facts.nstep == 0 || h3ou__rational_compare(step, c->facts.least_step) < 0)
        c->facts.least_step = step;
    if (c->facts.nstep == 0 || h3ou__rational_compare(step, c->facts.most_step) > 0)
        c->facts.most_step = step;
    c->facts.nstep++;
}

/* Adds how often each field was called for, by the process that did so most often. */
static int add_fields(h3ou__coupler *c, const h3ou__fields *fields, const char *role)
{
    int n = fields->names.n;
    int64_t *most = malloc(sizeof *most * ((size_t)n + 1));
    int err = most ? H3OU__OK : h3ou__no_memory("the record of %d fields", n);
    if (!err && n > 0)
        err = h3ou__allreduce(local_of(c), fields->calls, most, n, H3OU__INT64, H3OU__MAX);
    for (int i = 0; i < n && !err && writes(c); i++)
        err = h3ou__setup_add(&c->facts.setup, "field\trole=%s\tname=%s\tcalls=%" PRId64, role, fields->names.name[i], most[i]);
    free(most);
    return err;
}

int h3ou__setup_facts_ended(h3ou__coupler *c)
{
    double peak = h3ou__process_memory_peak(), mine[3] = {c->facts.memory_before, c->facts.memory_planned, peak}, most[3];
    if (!c->facts.is_kept)
        return H3OU__OK;
    int err = add_fields(c, &c->puts, "put");
    if (!err)
        err = add_fields(c, &c->gets, "get");
    if (!err)
        err = h3ou__allreduce(local_of(c), mine, most, 3, H3OU__DOUBLE, H3OU__MAX);
    if (err || !writes(c))
        return err;
    err = h3ou__setup_add(&c->facts.setup, "memory\tbefore=%.0f\tplanned=%.0f\tpeak=%.0f\tfirst_peak=%.0f", most[0], most[1], most[2],
                          peak);
    if (!err)
        err = h3ou__setup_add(&c->facts.setup, "steps\tcount=%" PRId64 "\tleast=%.17g\tmost=%.17g", c->facts.nstep,
                              h3ou__rational_real(c->facts.least_step), h3ou__rational_real(c->facts.most_step));
    if (!err)
        write_file(c);
    return err;
}
