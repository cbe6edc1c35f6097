/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls between init and the first step: grids, tables, and the plan of every pair of grids. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "coupler/common/calendar.h"
#include "coupler/config/ensemble_keys.h"
#include "coupler/config/leniency.h"
#include "coupler/coupler.h"
#include "coupler/grid_check.h"
#include "coupler/monitor.h"
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

static h3ou__grid *find_grid(const h3ou__coupler *c, const char *name)
{
    for (int i = 0; i < c->ngrid; i++)
        if (!strcmp(c->grid[i]->name, name))
            return c->grid[i];
    return NULL;
}

int h3ou__coupler_grid_define(h3ou__coupler *c, const char *component, const char *name, const int index[], int64_t n,
                              int nz)
{
    int err = check_mine(c, component, "h3ou_def_grid");
    if (err)
        return err;
    if (c->grids_ended)
        return h3ou__fail(H3OU__ESTATE, "h3ou_def_grid: grid %s comes after h3ou_end_grid_def", name);
    if (find_grid(c, name))
        return h3ou__fail(H3OU__ENAME, "h3ou_def_grid: grid %s is defined twice", name);
    if (!h3ou__resize(&c->grid, sizeof *c->grid, c->ngrid + 1))
        return h3ou__no_memory("grid %s", name);
    if ((err = h3ou__grid_create(name, index, n, nz, &c->grid[c->ngrid])) != H3OU__OK)
        return err;
    c->ngrid++;
    return H3OU__OK;
}

/* Writes a hint to the defined grid whose name is nearest, as h3ou__did_you_mean does. */
static const char *hint_of_grid(const h3ou__coupler *c, const char *name, char hint[H3OU__HINT])
{
    enum { MOST = 64 };
    const char *names[MOST];
    int n = 0;
    for (; n < c->ngrid && n < MOST; n++)
        names[n] = c->grid[n]->name;
    return h3ou__did_you_mean(name, names, n, hint);
}

int h3ou__coupler_grid_open(const h3ou__coupler *c, const char *call, const char *name, h3ou__grid **out)
{
    char hint[H3OU__HINT];
    if (c->grids_ended)
        return h3ou__fail(H3OU__ESTATE, "%s: grid %s: comes after h3ou_end_grid_def: call it before", call, name);
    if ((*out = find_grid(c, name)))
        return H3OU__OK;
    return h3ou__fail(H3OU__ENAME, "%s: no grid '%s' was defined%s", call, name, hint_of_grid(c, name, hint));
}

/* Checks that my component has defined every grid that the namelist says it has. */
static int check_grids(const h3ou__coupler *c)
{
    char hint[H3OU__HINT];
    for (int i = 0; i < c->config->npair; i++) {
        const h3ou__config_pair *p = &c->config->pair[i];
        bool put = !strcmp(p->comp_put, my_name(c));
        if (!put && strcmp(p->comp_get, my_name(c)) != 0)
            continue;
        const char *grid = put ? p->grid_put : p->grid_get;
        if (find_grid(c, grid))
            continue;
        return h3ou__fail(H3OU__ENAME, "%s:%d: %s: component %s defines no grid '%s'%s", c->config->file, p->line,
                          put ? "grid_put" : "grid_get", my_name(c), grid, hint_of_grid(c, grid, hint));
    }
    return H3OU__OK;
}

static int check_layers(const h3ou__coupler *c, const h3ou__config_var *v, const h3ou__grid *grid)
{
    if (v->layer <= grid->nz)
        return H3OU__OK;
    return h3ou__fail(H3OU__ECONFIG, "%s:%d: layer=%d: grid %s of %s has %d layers (nz of h3ou_def_grid)", c->config->file,
                      v->line, v->layer, grid->name, my_name(c), grid->nz);
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
        const h3ou__grid *grid = find_grid(c, p->grid_put);
        if ((err = check_layers(c, v, grid)) == H3OU__OK &&
            (err = h3ou__outgoing_create(c->config, i, c->world, grid, &c->out[c->nout])) == H3OU__OK)
            h3ou__fields_attach(&c->puts, v->put, c->nout++);
    }
    return err;
}

int h3ou__coupler_grid_end(h3ou__coupler *c)
{
    if (c->grids_ended)
        return h3ou__fail(H3OU__ESTATE, "h3ou_end_grid_def is called twice");
    int err = check_grids(c);
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
        err = create_outgoing(c);
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

static bool same_way(const h3ou__config_remap *a, const h3ou__config_remap *b)
{
    return a->stack == b->stack && a->norm == b->norm && a->limit == b->limit;
}

/* Returns the plan of a pair of grids and a way to make weights, or NULL. */
static h3ou__planned *find_plan(const h3ou__coupler *c, int pair, const h3ou__config_remap *how)
{
    for (int i = 0; i < c->nplan; i++)
        if (c->plan[i].pair == pair && same_way(c->plan[i].how, how))
            return &c->plan[i];
    return NULL;
}

/* Plans a pair of grids whose weights the library makes or reads from a file. */
static int make_weights(const h3ou__coupler *c, const h3ou__plan_task *task, const h3ou__config_remap *how,
                        h3ou__table **table, h3ou__remainder *left)
{
    if (task->table && task->table->given)
        return h3ou__fail(H3OU__ESTATE,
                          "method='%s', and component %s gave a table to h3ou_set_interpolation_table for this pair "
                          "and mapping_tag: remove the key, or call it without arrays",
                          how->method, my_name(c));
    h3ou__make_online_task remap = {.world = c->world,
                                    .name = task->name,
                                    .sender = task->sender,
                                    .grid = find_grid(c, task->sender ? task->name.send_grid : task->name.recv_grid),
                                    .how = how,
                                    .cache = c->config->weights_cache};
    return h3ou__make_online(&remap, table, left);
}

/* Returns the component at the other end of a pair in which mine is. */
static const char *other_component(const h3ou__coupler *c, const h3ou__config_pair *p)
{
    return strcmp(p->comp_put, my_name(c)) ? p->comp_put : p->comp_get;
}

/* Returns whether my member follows the leader of its group, which alone is coupled with the other component. */
static bool is_following(const h3ou__coupler *c, const h3ou__config_pair *p)
{
    return h3ou__world_component_member(c->world, h3ou__world_me(c->world)) >=
           h3ou__world_members(c->world, other_component(c, p));
}

/* Sets *out to the tree over my group in the pair of a field; NULL when my member is alone and sends what it puts. */
static int find_family(h3ou__coupler *c, const h3ou__config_var *v, h3ou__family **out)
{
    const h3ou__config_pair *p = &c->config->pair[v->pair];
    const char *other = other_component(c, p);
    const h3ou__grid *grid = find_grid(c, strcmp(p->comp_put, my_name(c)) ? p->grid_get : p->grid_put);
    int ngroup = h3ou__world_members(c->world, other);
    *out = NULL;
    if (h3ou__world_members(c->world, my_name(c)) <= ngroup &&
        (v->members.send == H3OU__SEND_MEAN || strcmp(p->comp_put, my_name(c)) != 0))
        return H3OU__OK;
    for (int i = 0; i < c->nfamily; i++)
        if (c->family[i]->grid == grid && c->family[i]->ngroup == ngroup) {
            *out = c->family[i];
            return H3OU__OK;
        }
    if (!h3ou__resize(&c->family, sizeof *c->family, c->nfamily + 1))
        return h3ou__no_memory("the members of an ensemble");
    h3ou__bridge_task task = {.world = c->world, .config = c->config, .clock = &c->clock, .grid = grid};
    int err = h3ou__family_make(task, other, &c->family[c->nfamily]);
    if (err)
        return err;
    *out = c->family[c->nfamily++];
    return H3OU__OK;
}

/* Makes the plan of a member that follows: it exchanges nothing with the other component. */
static int plan_nothing(h3ou__coupler *c, int pair, const h3ou__config_remap *how)
{
    h3ou__plan *plan = calloc(1, sizeof *plan);
    if (!plan || !(plan->start = calloc(1, sizeof *plan->start))) {
        free(plan);
        return h3ou__no_memory("an exchange");
    }
    plan->sender = !strcmp(c->config->pair[pair].comp_put, my_name(c));
    plan->start_of_other = c->clock.start + c->clock.begin;
    c->plan[c->nplan++] = (h3ou__planned){.pair = pair, .how = how, .plan = plan};
    return H3OU__OK;
}

static int plan_pair(h3ou__coupler *c, int number, const h3ou__config_remap *how, bool may_wait)
{
    const h3ou__config_pair *p = &c->config->pair[number];
    bool sender = !strcmp(p->comp_put, my_name(c));
    h3ou__table *made = NULL;
    h3ou__remainder left = {0};
    h3ou__planned *planned = &c->plan[c->nplan];
    if (is_following(c, p))
        return plan_nothing(c, number, how);
    h3ou__plan_task task = {.world = c->world,
                            .name = {p->comp_put, p->grid_put, p->comp_get, p->grid_get, p->mapping_tag},
                            .sender = sender,
                            .grid = find_grid(c, sender ? p->grid_put : p->grid_get),
                            .config = c->config,
                            .clock = &c->clock,
                            .may_wait = may_wait};
    int err = H3OU__OK;
    for (int i = 0; i < c->ntable; i++)
        if (c->table[i]->pair == number)
            task.table = c->table[i];
    if (*how->method && (err = make_weights(c, &task, how, &made, &left)) == H3OU__OK)
        task.table = made;
    if (!err)
        err = h3ou__plan_make(&task, &planned->plan);
    if (!err && task.waits) {
        c->waits = true;
        err = h3ou__lenient(
            c->config, &c->warned.late_table, H3OU__ESTATE,
            "h3ou_init_time: no interpolation table was given for the pair of line %d: it is awaited until "
            "the first h3ou_set_time",
            p->line);
    } else if (!err) {
        planned->pair = number;
        planned->how = how;
        c->nplan++;
        if (*how->method && !sender)
            err = h3ou__plan_keep_remainder(planned->plan, task.grid, &left);
    }
    h3ou__remainder_free(&left);
    h3ou__table_free(made);
    return err ? h3ou__fail_in(err, "%s:%d", c->config->file, p->line) : H3OU__OK;
}

static bool has_plan(const h3ou__coupler *c, int pair)
{
    for (int i = 0; i < c->nplan; i++)
        if (c->plan[i].pair == pair)
            return true;
    return false;
}

/* Makes one plan for all variables of a pair whose weights are made in the same way, and one for a pair without
 * variables. */
static int plan_variables(h3ou__coupler *c, int pair, bool may_wait)
{
    const h3ou__config_pair *p = &c->config->pair[pair];
    int err = H3OU__OK, nvar = 0;
    if (strcmp(p->comp_put, my_name(c)) != 0 && strcmp(p->comp_get, my_name(c)) != 0)
        return H3OU__OK;
    for (int i = 0; i < c->config->nvar && !err; i++) {
        nvar += c->config->var[i].pair == pair;
        if (c->config->var[i].pair == pair && !find_plan(c, pair, &c->config->var[i].remap))
            err = plan_pair(c, pair, &c->config->var[i].remap, may_wait);
    }
    return err || nvar > 0 || has_plan(c, pair) ? err : plan_pair(c, pair, &p->remap, may_wait);
}

static int plan_all(h3ou__coupler *c, bool may_wait)
{
    c->waits = false;
    int err = h3ou__pair_tables_match(c->config, &c->warned.tags, c->table, c->ntable);
    for (int i = 0; i < c->config->npair && !err; i++)
        err = plan_variables(c, i, may_wait);
    return err;
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
    return err ? err : h3ou__outgoing_plan(o, plan, &times, &c->clock);
}

static int complete_field(h3ou__coupler *c, int number)
{
    const h3ou__config_var *v = &c->config->var[number];
    const h3ou__planned *planned = find_plan(c, v->pair, &v->remap);
    h3ou__family *family;
    if (!planned)
        return H3OU__OK;
    int err = find_family(c, v, &family);
    if (!err)
        err = check_halves(c, v, planned->plan);
    for (int i = 0; i < c->nout && !err && planned->plan->sender; i++)
        if (c->out[i]->var == v)
            return complete_outgoing(c, c->out[i], planned->plan, family);
    const h3ou__grid *grid = find_grid(c, c->config->pair[v->pair].grid_get);
    h3ou__schedule times = schedule_of(c, v, planned->plan);
    if (err || (err = check_layers(c, v, grid)) != H3OU__OK ||
        (err = h3ou__incoming_create(c->config, number, planned->plan, &times, c->world, grid, family, &c->in[c->nin])) != H3OU__OK)
        return err;
    h3ou__fields_attach(&c->gets, v->get, c->nin++);
    return H3OU__OK;
}

/* Logs how much of the receiving grid a pair covers. */
static void report_plan(const h3ou__coupler *c, int number)
{
    const h3ou__plan *plan = c->plan[number].plan;
    const h3ou__config_pair *p = &c->config->pair[c->plan[number].pair];
    h3ou__comm *local = h3ou__world_local(c->world);
    const h3ou__grid *grid = find_grid(c, plan->sender ? p->grid_put : p->grid_get);
    if (c->config->grid_checker && h3ou__grid_check(plan, p, grid, local))
        return;
    if (h3ou__coverage_log_area(grid, plan->sender ? NULL : &plan->rows, plan->sender ? NULL : &plan->left, local))
        return;
    int64_t mine[3] = {plan->rows.nrow, plan->sender ? 0 : find_grid(c, p->grid_get)->n, plan->npartner}, all[3];
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

/* Completes all fields, once every pair has its plan, so that they can be sent and received. */
static int complete_fields(h3ou__coupler *c)
{
    int err = H3OU__OK;
    for (int i = 0; i < c->nplan; i++)
        report_plan(c, i);
    for (int i = 0; i < c->config->nvar && !err; i++)
        err = complete_field(c, i);
    if (!err)
        err = h3ou__vector_directions_tell(c);
    if (!err)
        err = h3ou__monitor_begin(c);
    if (err)
        return err;
    free_tables(c);
    c->is_planned = true;
    return H3OU__OK;
}

int h3ou__coupler_time_init(h3ou__coupler *c, const int date[6])
{
    if (c->clock.is_set)
        return h3ou__fail(H3OU__ESTATE, "h3ou_init_time is called twice");
    if (!c->grids_ended && c->config->npair > 0)
        return h3ou__fail(H3OU__ESTATE, "h3ou_init_time comes before h3ou_end_grid_def");
    int err = h3ou__clock_begin(&c->clock, c->config, date);
    if (!err)
        err = plan_all(c, !c->config->strict);
    if (!err && !c->waits)
        err = complete_fields(c);
    c->clock.is_set = !err;
    return err;
}

int h3ou__coupler_plan_rest(h3ou__coupler *c)
{
    if (c->is_planned)
        return H3OU__OK;
    int err = plan_all(c, false);
    return err ? err : complete_fields(c);
}
