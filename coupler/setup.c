/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls between init and the first step: grids, tables, and the plan of every pair of grids. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "comm/collective/collective.h"
#include "coupler/check/grid_check.h"
#include "coupler/check/grid_fit.h"
#include "coupler/config/ensemble_keys.h"
#include "coupler/config/leniency.h"
#include "coupler/config/monitor_keys.h"
#include "coupler/coupler.h"
#include "coupler/ensemble/slices.h"
#include "coupler/exchange/budget.h"
#include "coupler/grid/grid_areas.h"
#include "coupler/monitor/field_files.h"
#include "coupler/monitor/ledger.h"
#include "coupler/monitor/value_ranges.h"
#include "coupler/plan_pairs.h"
#include "coupler/setup_facts.h"
#include "coupler/time/calendar.h"
#include "coupler/vector_directions.h"
#include "coupler/weights/coverage.h"
#include "coupler/weights/grid_range.h"
#include "coupler/weights/pair_tables.h"

static const char *my_name(const h3ou__coupler *c)
{
    return h3ou__coupler_name(c);
}

static int check_mine(const h3ou__coupler *c, const char *component, const char *call)
{
    if (!h3ou__coupler_is_me(c, component))
        return h3ou__fail(H3OU__ENAME, "%s: component '%s' is not mine: this program is '%s'", call, component,
                          my_name(c));
    return H3OU__OK;
}

int h3ou__coupler_grid_define(h3ou__coupler *c, const char *component, const char *name, const int index[], int64_t n,
                              int nz)
{
    int err = check_mine(c, component, "h3ou_def_grid");
    if (err)
        return err;
    if (c->grids_ended)
        return h3ou__fail(H3OU__ESTATE, "h3ou_def_grid: grid %s comes after h3ou_end_grid_def", name);
    if (h3ou__find_grid(c, name))
        return h3ou__fail(H3OU__ENAME, "h3ou_def_grid: grid %s is defined twice", name);
    if (!h3ou__resize(&c->grid, sizeof *c->grid, c->ngrid + 1) || h3ou__names_reserve(&c->grids, c->ngrid + 1))
        return h3ou__no_memory("grid %s", name);
    if ((err = h3ou__grid_create(name, index, n, nz, &c->grid[c->ngrid])) != H3OU__OK)
        return err;
    h3ou__names_add(&c->grids, c->grid[c->ngrid++]->name);
    return H3OU__OK;
}

int h3ou__coupler_grid_open(const h3ou__coupler *c, const char *call, const char *name, h3ou__grid **out)
{
    char hint[H3OU__HINT];
    if (c->grids_ended)
        return h3ou__fail(H3OU__ESTATE, "%s: grid %s: comes after h3ou_end_grid_def: call it before", call, name);
    if ((*out = h3ou__find_grid(c, name)))
        return H3OU__OK;
    return h3ou__fail(H3OU__ENAME, "%s: no grid '%s' was defined%s", call, name, h3ou__grid_hint(c->grids.name, c->grids.n, name, hint));
}

static int check_defined(const h3ou__coupler *c, const h3ou__config_pair *p, const char *key, const char *grid)
{
    if (h3ou__find_grid(c, grid)) /* by the index */
        return H3OU__OK;
    return h3ou__grid_fits_name(c->config, p, key, my_name(c), grid, c->grids.name, c->grids.n);
}

/* Checks that my component has defined every grid that the namelist says it has. */
static int check_grids(const h3ou__coupler *c)
{
    int err = H3OU__OK;
    for (int i = 0; i < c->config->npair && !err; i++) {
        const h3ou__config_pair *p = &c->config->pair[i];
        if (!strcmp(p->comp_put, my_name(c)))
            err = check_defined(c, p, "grid_put", p->grid_put);
        if (!err && !strcmp(p->comp_get, my_name(c)))
            err = check_defined(c, p, "grid_get", p->grid_get);
    }
    return err;
}

static int check_layers(const h3ou__coupler *c, const h3ou__config_var *v, const h3ou__grid *grid)
{
    return h3ou__grid_fits_layers(c->config, v, my_name(c), grid->name, grid->nz);
}

/* Creates the fields to put before their plans are made, since existing programs put initial values before
 * h3ou_init_time. */
static int create_outgoing(h3ou__coupler *c)
{
    int err = H3OU__OK;
    for (int i = 0; i < c->config->nvar && !err; i++) {
        const h3ou__config_var *v = &c->config->var[i];
        const h3ou__config_pair *p = &c->config->pair[v->pair];
        if (strcmp(p->comp_put, my_name(c)) != 0)
            continue;
        const h3ou__grid *grid = h3ou__find_grid(c, p->grid_put);
        if ((err = check_layers(c, v, grid)) == H3OU__OK &&
            (err = h3ou__outgoing_create(c->config, i, c->world, grid, &c->out[c->nout])) == H3OU__OK) {
            h3ou__observers_watch_puts(&c->observers, c->out[c->nout]);
            c->out_of[i] = c->out[c->nout];
            h3ou__fields_attach(&c->puts, v->put, c->nout++);
        }
    }
    return err;
}

/* Adds those who look at the values of fields, before the first one is put. */
static int add_observers(h3ou__coupler *c)
{
    c->observers.clock = &c->clock;
    int err = h3ou__value_ranges_observe(&c->observers, c->config, h3ou__world_local(c->world), my_name(c));
    if (!err)
        err = h3ou__field_files_observe(&c->observers, c->config, c->world);
    return err ? err : h3ou__ledger_observe(&c->observers, c->config, c->world);
}

static int begin_fields(h3ou__coupler *c)
{
    for (int i = 0; i < c->ngrid; i++)
        h3ou__recorder_grid(c->recorder, c->grid[i]);
    int err = add_observers(c);
    return err ? err : create_outgoing(c);
}

/* Finds the grids in the record that is replayed. Nothing is exchanged, nor observed: files of the recorded run stay as they are. */
static int find_recorded_grids(h3ou__coupler *c)
{
    int err = H3OU__OK;
    for (int i = 0; i < c->ngrid && !err; i++)
        err = h3ou__replay_grid(c->replay, h3ou__world_local(c->world), c->grid[i]);
    if (!err)
        h3ou__replay_log(c->replay, h3ou__world_local(c->world));
    return err;
}

int h3ou__coupler_grid_end(h3ou__coupler *c)
{
    if (c->grids_ended)
        return h3ou__fail(H3OU__ESTATE, "h3ou_end_grid_def is called twice");
    int err = h3ou__setup_facts_begin(c);
    if (!err)
        err = check_grids(c);
    for (int i = 0; i < c->ngrid && !err; i++) {
        h3ou__grid *g = c->grid[i];
        if (g->positions.rank == 0)
            err = h3ou__block_complete(&g->local, g->name, g->index, g->n, g->geometry.nx);
        else if (g->local.is_known || g->local.has_halo)
            err = h3ou__fail(H3OU__EARG, "grid %s has positions of its cells, and local_shape or halo: give one of both", g->name);
    }
    for (int i = 0; i < c->ngrid && !err; i++)
        if ((err = h3ou__grid_register(c->grid[i], h3ou__world_local(c->world))) == H3OU__OK)
            err = h3ou__coverage_log_grid(c->grid[i], h3ou__world_local(c->world));
    for (int i = 0; i < c->ngrid && !err; i++)
        err = h3ou__grid_range_ask_units(c->grid[i], h3ou__world_local(c->world));
    if (!err)
        err = c->replay ? find_recorded_grids(c) : begin_fields(c);
    c->grids_ended = !err;
    return err;
}

int h3ou__coupler_table_set(h3ou__coupler *c, const h3ou__pair_name *name, const int send[], const int recv[],
                            const double coef[], const double coef_cos[], const double coef_sin[], int64_t n,
                            bool spread)
{
    char pair[4 * H3OU__NAME + 64];
    if (h3ou__pair_tables_is_repeated(c->config, c->table, c->ntable, name))
        return h3ou__fail(H3OU__ESTATE, "h3ou_set_interpolation_table is called twice for %s",
                          h3ou__pair_text(name, pair, sizeof pair));
    if (send && !coef &&
        h3ou__lenient(c->config, &c->warned.no_coef, H3OU__EARG,
                      "h3ou_set_interpolation_table: %s: coef is missing, all coefficients are 1",
                      h3ou__pair_text(name, pair, sizeof pair)))
        return H3OU__EARG;
    bool is_leader = h3ou__comm_rank(h3ou__world_local(c->world)) == 0, counts = spread || is_leader;
    if (send && is_leader && c->is_planned)
        h3ou__warn(NULL, "h3ou_set_interpolation_table: the table %s comes after its exchanges were planned: it has no effect",
                   h3ou__pair_text(name, pair, sizeof pair));
    if (!h3ou__resize(&c->table, sizeof *c->table, c->ntable + 1))
        return h3ou__no_memory("a table");
    int err = h3ou__table_create(name, counts ? send : NULL, recv, coef, n, spread, &c->table[c->ntable]);
    if (err)
        return err;
    h3ou__table *table = c->table[c->ntable++];
    return coef_cos ? h3ou__table_rotate(table, coef_cos, coef_sin, h3ou__pair_tables_is_weighted(c->config, name))
                    : H3OU__OK;
}

static int check_halves(const h3ou__coupler *c, const h3ou__config_var *v, const h3ou__plan *plan)
{
    if (!plan->rotated || v->grid_intpl_tag <= H3OU__VECTOR_TAG || v->layer % 2 == 0)
        return H3OU__OK;
    return h3ou__fail(H3OU__ECONFIG,
                      "%s:%d: layer=%d: with grid_intpl_tag=%d the first half of the layers and the second are the "
                      "components of a vector: their number must be even",
                      c->config->file, v->line, v->layer, v->grid_intpl_tag);
}

/* Returns when the exchanges of a field are due. */
static h3ou__schedule schedule_of(const h3ou__coupler *c, const h3ou__config_var *v, const h3ou__plan *plan)
{
    h3ou__rational mine = h3ou__whole(c->clock.begin), other = h3ou__whole(plan->start_of_other - c->clock.start);
    if (!c->config->has_start) /* each component counts from its own start */
        other = mine;
    return h3ou__schedule_make(v, c->config->calendar, c->clock.date, plan->sender ? mine : other,
                               plan->sender ? other : mine);
}

/* Makes what a field that my component sends needs: the statistic over the members of a group, and its plan. */
static int complete_outgoing(h3ou__coupler *c, h3ou__outgoing *o, const h3ou__plan *plan, const h3ou__family *family)
{
    int rows = o->var->layer * h3ou__config_components(o->var, o->var->put_xyz), err = H3OU__OK;
    h3ou__schedule times = schedule_of(c, o->var, plan);
    if (family)
        err = h3ou__group_statistic_create(c->world, family, c->config, o->var, rows, o->tag, o->what, &o->members);
    return err ? err : h3ou__outgoing_plan(o, plan, &times, &c->clock, c->bundles.sent_in[o->var - c->config->var]);
}

/* Makes what a field that my component receives needs. */
static int complete_incoming(h3ou__coupler *c, int number, const h3ou__plan *plan, const h3ou__family *family)
{
    const h3ou__config_var *v = &c->config->var[number];
    const h3ou__grid *grid = h3ou__find_grid(c, c->config->pair[v->pair].grid_get);
    h3ou__schedule times = schedule_of(c, v, plan);
    int err = check_layers(c, v, grid);
    if (!err)
        err = h3ou__incoming_create(c->config, number, plan, &times, c->world, grid, family, c->bundles.got_in[number],
                                    &c->in[c->nin]);
    if (err)
        return err;
    h3ou__observers_watch_gets(&c->observers, c->in[c->nin]);
    c->in_of[number] = c->in[c->nin];
    h3ou__fields_attach(&c->gets, v->get, c->nin++);
    return H3OU__OK;
}

/* Checks that the integral of a field can be computed on one of its grids of mine, whose areas are found. */
static int find_areas(h3ou__coupler *c, const h3ou__config_var *v, const char *name)
{
    const h3ou__config_pair *p = &c->config->pair[v->pair];
    const char *key = v->monitor.conserve ? "conserve" : "ledger";
    h3ou__grid *grid = h3ou__find_grid(c, name);
    if (h3ou__world_members(c->world, p->comp_put) != h3ou__world_members(c->world, p->comp_get))
        return h3ou__fail(H3OU__EUNSUPPORTED, "%s:%d: field %s: %s is not supported in this version between %s and %s, which have different "
                          "numbers of members: leave the key out", c->config->file, v->line, v->get, key, p->comp_put, p->comp_get);
    int err = h3ou__grid_find_areas(grid, h3ou__world_local(c->world));
    if (err || grid->area)
        return err;
    return h3ou__fail(H3OU__EARG, "%s:%d: field %s: %s needs the areas of the cells of grid %s of %s: give its corners or its areas before "
                      "h3ou_end_grid_def", c->config->file, v->line, v->get, key, grid->name, my_name(c));
}

/* Lets the receiver of a field know the areas of its source cells. */
static int share_areas(h3ou__coupler *c, int number)
{
    const h3ou__config_var *v = &c->config->var[number];
    const h3ou__config_pair *p = &c->config->pair[v->pair];
    h3ou__outgoing *o = c->out_of[number];
    h3ou__incoming *in = c->in_of[number];
    h3ou__area_messages messages = {0};
    int err = o ? find_areas(c, v, p->grid_put) : H3OU__OK;
    if (!err && in)
        err = find_areas(c, v, p->grid_get);
    if (!err && o)
        err = h3ou__budget_send_areas(o, &messages);
    if (!err && in)
        err = h3ou__budget_create(in);
    return err ? err : h3ou__budget_end_areas(c->world, &messages);
}

static int complete_field(h3ou__coupler *c, int number)
{
    const h3ou__config_var *v = &c->config->var[number];
    const h3ou__plan *sends = h3ou__find_plan(c, v->pair, &v->remap, true), *gets = h3ou__find_plan(c, v->pair, &v->remap, false);
    h3ou__family *family;
    if (!sends && !gets)
        return H3OU__OK;
    int err = h3ou__find_family(c, v, &family);
    if (!err)
        err = check_halves(c, v, sends ? sends : gets);
    if (!err && sends && c->out_of[number])
        err = complete_outgoing(c, c->out_of[number], sends, family);
    if (!err && gets)
        err = complete_incoming(c, number, gets, sends ? NULL : family);
    return err || !h3ou__monitor_has_budget(v) ? err : share_areas(c, number);
}

/* Logs how much of the receiving grid a pair covers. */
static void report_plan(const h3ou__coupler *c, int number)
{
    const h3ou__plan *plan = c->plan[number].plan;
    const h3ou__config_pair *p = &c->config->pair[c->plan[number].pair];
    h3ou__comm *local = h3ou__world_local(c->world);
    const h3ou__grid *grid = h3ou__find_grid(c, plan->sender ? p->grid_put : p->grid_get);
    if (c->config->grid_checker && h3ou__grid_check(plan, p, grid, local))
        return;
    if (h3ou__coverage_log_area(grid, plan->sender ? NULL : &plan->rows, plan->sender ? NULL : &plan->left, local))
        return;
    int64_t mine[3] = {plan->rows.nrow, plan->sender ? 0 : h3ou__find_grid(c, p->grid_get)->n, plan->npartner}, all[3];
    if (h3ou__allreduce(local, mine, all, 3, H3OU__INT64, H3OU__SUM) || h3ou__comm_rank(local) != 0)
        return;
    if (!plan->sender)
        h3ou__log(H3OU__LOG_WHISPER, "planned",
                  "from=%s/%s to=%s/%s cells=%" PRId64 " covered=%" PRId64 " partners=%" PRId64, p->comp_put,
                  p->grid_put, p->comp_get, p->grid_get, all[1], all[0], all[2]);
}

static void free_tables(h3ou__coupler *c)
{
    for (int i = 0; i < c->ntable; i++)
        h3ou__table_free(c->table[i]);
    c->ntable = 0;
}

/* Finds out which fields travel together. */
static int make_bundles(h3ou__coupler *c)
{
    int n = c->config->nvar, err = H3OU__OK;
    const h3ou__plan **plan = calloc(2 * (size_t)n + 1, sizeof *plan);
    int *window = calloc((size_t)n + 1, sizeof *window);
    if (!plan || !window)
        err = h3ou__no_memory("bundles of messages");
    for (int i = 0; i < n && !err; i++) {
        const h3ou__config_var *v = &c->config->var[i];
        plan[i] = c->out_of[i] ? h3ou__find_plan(c, v->pair, &v->remap, true) : NULL;
        plan[n + i] = h3ou__find_plan(c, v->pair, &v->remap, false);
        window[i] = c->out_of[i] ? c->out_of[i]->window : 0;
    }
    if (!err)
        err = h3ou__bundles_make(c->world, c->config, plan, plan + n, window, &c->bundles);
    free(plan);
    free(window);
    return err;
}

/* Completes all fields, once every pair has its plan, so that they can be sent and received. */
static int complete_fields(h3ou__coupler *c)
{
    int err = H3OU__OK;
    for (int i = 0; i < c->nplan; i++)
        report_plan(c, i);
    err = make_bundles(c);
    for (int i = 0; i < c->config->nvar && !err; i++)
        err = complete_field(c, i);
    if (!err)
        err = h3ou__vector_directions_tell(c);
    if (!err)
        err = h3ou__setup_facts_planned(c);
    if (err)
        return err;
    free_tables(c);
    h3ou__heap_trim();
    c->is_planned = true;
    return H3OU__OK;
}

int h3ou__coupler_time_init(h3ou__coupler *c, const int date[6])
{
    if (c->is_begun)
        return h3ou__fail(H3OU__ESTATE, "h3ou_init_time is called twice");
    if (!c->grids_ended && c->config->npair > 0)
        return h3ou__fail(H3OU__ESTATE, "h3ou_init_time comes before h3ou_end_grid_def");
    int err = h3ou__clock_begin(&c->clock, c->config, date);
    c->is_begun = !err;
    return err;
}

int h3ou__coupler_plan(h3ou__coupler *c)
{
    bool may_wait = !c->config->strict && !h3ou__world_is_shared(c->world);
    int err = c->replay ? H3OU__OK : h3ou__plan_pairs(c, may_wait);
    if (!err && !c->waits && !c->replay)
        err = complete_fields(c);
    c->is_planned |= c->replay != NULL;
    c->clock.is_set = !err;
    return err;
}

int h3ou__coupler_plan_rest(h3ou__coupler *c)
{
    if (c->is_planned)
        return H3OU__OK;
    int err = h3ou__plan_pairs(c, false);
    return err ? err : complete_fields(c);
}
