/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/plan_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/config/ensemble_keys.h"
#include "coupler/config/leniency.h"
#include "coupler/ensemble/slices.h"
#include "coupler/message/message_form.h"
#include "coupler/plan/listed_rows.h"
#include "coupler/plan/member_plans.h"
#include "coupler/weights/pair_tables.h"

static const char *my_name(const h3ou__coupler *c)
{
    return h3ou__coupler_name(c);
}

h3ou__grid *h3ou__find_grid(const h3ou__coupler *c, const char *name)
{
    int i = h3ou__names_find(&c->grids, name);
    return i < 0 ? NULL : c->grid[i];
}

static bool same_way(const h3ou__config_remap *a, const h3ou__config_remap *b)
{
    return a->stack == b->stack && a->norm == b->norm && a->limit == b->limit;
}

const h3ou__plan *h3ou__find_plan(const h3ou__coupler *c, int pair, const h3ou__config_remap *how, bool sender)
{
    for (int i = c->first_plan[pair]; i >= 0; i = c->plan[i].next)
        if (c->plan[i].plan->sender == sender && same_way(c->plan[i].how, how))
            return c->plan[i].plan;
    return NULL;
}

static void add_plan(h3ou__coupler *c, int pair, const h3ou__config_remap *how, h3ou__plan *plan)
{
    c->plan[c->nplan] = (h3ou__planned){.pair = pair, .how = how, .plan = plan, .next = c->first_plan[pair]};
    c->first_plan[pair] = c->nplan++;
}

/* Plans a pair of grids whose weights the library makes or reads from a file. */
static int make_weights(const h3ou__coupler *c, const h3ou__plan_task *task, const h3ou__config_remap *how,
                        h3ou__table **table, h3ou__remainder *left)
{
    if (task->table && task->table->given)
        return h3ou__pair_tables_beside_method(how->method, my_name(c));
    h3ou__make_online_task remap = {.world = c->world,
                                    .name = task->name,
                                    .sender = task->sender,
                                    .grid =
                                        h3ou__find_grid(c, task->sender ? task->name.send_grid : task->name.recv_grid),
                                    .source = task->source ? h3ou__find_grid(c, task->name.send_grid) : NULL,
                                    .how = how,
                                    .cache = c->config->weights_cache};
    return h3ou__make_online(&remap, table, left);
}

/* Returns the component at the other end of a pair in which mine is. */
static const char *other_component(const h3ou__coupler *c, const h3ou__config_pair *p)
{
    return strcmp(p->comp_put, my_name(c)) ? p->comp_put : p->comp_get;
}

static int my_member(const h3ou__coupler *c)
{
    return h3ou__world_component_member(c->world, h3ou__world_me(c->world));
}

/* Returns whether my member follows the leader of its group, which alone is coupled with the other component. */
static bool is_following(const h3ou__coupler *c, const h3ou__config_pair *p)
{
    return !h3ou__ensemble_is_direct(c->config, c->world, p) &&
           my_member(c) >= h3ou__world_members(c->world, other_component(c, p));
}

int h3ou__find_family(h3ou__coupler *c, const h3ou__config_var *v, h3ou__family **out)
{
    const h3ou__config_pair *p = &c->config->pair[v->pair];
    const char *other = other_component(c, p);
    const h3ou__grid *grid = h3ou__find_grid(c, strcmp(p->comp_put, my_name(c)) ? p->grid_get : p->grid_put);
    int ngroup = h3ou__world_members(c->world, other);
    *out = NULL;
    bool is_group = h3ou__world_members(c->world, my_name(c)) > ngroup;
    if (is_group && h3ou__ensemble_is_direct(c->config, c->world, p))
        return H3OU__OK;
    if (!is_group && (v->members.send == H3OU__SEND_MEAN || strcmp(p->comp_put, my_name(c)) != 0))
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
    add_plan(c, pair, how, plan);
    return H3OU__OK;
}

/* Keeps the plan of a pair; inside my component makes the plan of the sending side, too. */
static int keep_plan(h3ou__coupler *c, int number, const h3ou__config_remap *how, const h3ou__plan_task *task,
                     h3ou__plan *plan)
{
    h3ou__plan *own = NULL;
    add_plan(c, number, how, plan);
    if (!task->source)
        return H3OU__OK;
    int err = h3ou__plan_make_own_sender(task, plan, &own);
    if (!err)
        add_plan(c, number, how, own);
    return err;
}

/* Returns what is to be planned with a component that has this name: that of the namelist, or of one member. */
static h3ou__plan_task task_of(h3ou__coupler *c, int number, const char *other)
{
    const h3ou__config_pair *p = &c->config->pair[number];
    bool own = h3ou__config_is_own(p), sender = !own && !strcmp(p->comp_put, my_name(c));
    h3ou__plan_task task = {
        .world = c->world,
        .name = {sender ? p->comp_put : other, p->grid_put, sender ? other : p->comp_get, p->grid_get, p->mapping_tag},
        .sender = sender,
        .grid = h3ou__find_grid(c, sender ? p->grid_put : p->grid_get),
        .source = own ? h3ou__find_grid(c, p->grid_put) : NULL,
        .config = c->config,
        .clock = &c->clock};
    if (c->table_of[number] >= 0)
        task.table = c->table[c->table_of[number]];
    task.listed = &c->listed[number];
    return task;
}

/* Makes weights, where the namelist names a method, and the plan; *out is NULL when task->waits. */
static int plan_weights(h3ou__coupler *c, h3ou__plan_task *task, const h3ou__config_remap *how, h3ou__plan **out)
{
    h3ou__table *made = NULL;
    h3ou__remainder left = {0};
    int err = H3OU__OK;
    *out = NULL;
    if (*how->method && (err = make_weights(c, task, how, &made, &left)) == H3OU__OK)
        task->table = made;
    if (!err)
        err = h3ou__plan_make(task, out);
    if (!err && *out && *how->method && !task->sender)
        err = h3ou__plan_keep_remainder(*out, task->grid, &left);
    h3ou__remainder_free(&left);
    h3ou__table_free(made);
    return err;
}

/* Plans the exchange of a member of a group with the component with which each member is coupled itself. */
static int plan_as_member(h3ou__coupler *c, int number, const h3ou__config_remap *how, h3ou__plan **out)
{
    const char *other = other_component(c, &c->config->pair[number]);
    h3ou__plan_task task = task_of(c, number, other);
    bool is_first = my_member(c) < h3ou__world_members(c->world, other);
    int err = task.sender && !is_first ? h3ou__plan_share(&task, NULL, out, NULL) : plan_weights(c, &task, how, out);
    if (!err)
        h3ou__plan_allow_losses(*out, c->world);
    return err;
}

/* Plans the exchange with the members of a group, one after the other. */
static int plan_with_members(h3ou__coupler *c, int number, const h3ou__config_remap *how, h3ou__plan **out)
{
    const char *other = other_component(c, &c->config->pair[number]);
    int mine = h3ou__world_members(c->world, my_name(c)), theirs = h3ou__world_members(c->world, other), err = H3OU__OK;
    for (int member = my_member(c); member < theirs && !err; member += mine) {
        int id = h3ou__world_member(c->world, other, member);
        h3ou__plan_task task = task_of(c, number, h3ou__world_component_name(c->world, id));
        h3ou__plan *plan = NULL;
        int64_t *slot = NULL;
        err = task.sender || !*out ? plan_weights(c, &task, how, &plan) : h3ou__plan_share(&task, *out, &plan, &slot);
        if (!err) {
            h3ou__plan_allow_losses(plan, c->world);
            err = h3ou__member_plans_add(out, plan, id, slot, c->world);
        }
    }
    return err;
}

/* Returns whether each field of a pair of grids, between two components that are no ensembles, has messages of few
 * rows: those of its layers, or three times as many. */
static bool is_flat(const h3ou__coupler *c, int number)
{
    const h3ou__config_pair *p = &c->config->pair[number];
    bool is = !h3ou__config_is_own(p) && h3ou__world_members(c->world, p->comp_put) == 1 &&
              h3ou__world_members(c->world, p->comp_get) == 1;
    for (int i = 0; i < c->config->nvar && is; i++)
        is = c->config->var[i].pair != number ||
             c->config->var[i].layer * (c->config->var[i].is_vector ? 3 : 1) < H3OU__TURNED_ROWS;
    return is;
}

static int plan_pair(h3ou__coupler *c, int number, const h3ou__config_remap *how, bool may_wait)
{
    const h3ou__config_pair *p = &c->config->pair[number];
    h3ou__plan *plan = NULL;
    h3ou__plan_task task = task_of(c, number, other_component(c, p));
    int err;
    if (is_following(c, p))
        return plan_nothing(c, number, how);
    task.may_wait = may_wait;
    task.is_flat = is_flat(c, number);
    if (!h3ou__ensemble_is_direct(c->config, c->world, p))
        err = plan_weights(c, &task, how, &plan);
    else if (h3ou__world_members(c->world, my_name(c)) > h3ou__world_members(c->world, other_component(c, p)))
        err = plan_as_member(c, number, how, &plan);
    else
        err = plan_with_members(c, number, how, &plan);
    if (!err && task.waits) {
        c->waits = true;
        err = h3ou__lenient(
            c->config, &c->warned.late_table, H3OU__ESTATE,
            "h3ou_init_time: no interpolation table was given for the pair of line %d: it is awaited until "
            "the first h3ou_set_time",
            p->line);
    } else if (!err) {
        err = keep_plan(c, number, how, &task, plan);
    } else {
        h3ou__plan_free(plan);
    }
    return err ? h3ou__fail_in(err, "%s:%d", c->config->file, p->line) : H3OU__OK;
}

/* Makes one plan for all variables of a pair whose weights are made in the same way, and one for a pair without
 * variables. first: the first of its variables, of which there are nvar. */
static int plan_variables(h3ou__coupler *c, int pair, int first, int nvar, bool may_wait)
{
    const h3ou__config_pair *p = &c->config->pair[pair];
    int err = H3OU__OK;
    if (strcmp(p->comp_put, my_name(c)) != 0 && strcmp(p->comp_get, my_name(c)) != 0)
        return H3OU__OK;
    for (int i = first; i < first + nvar && !err; i++) {
        const h3ou__config_remap *how = &c->config->var[i].remap;
        if (!h3ou__find_plan(c, pair, how, true) && !h3ou__find_plan(c, pair, how, false))
            err = plan_pair(c, pair, how, may_wait);
    }
    return err || nvar > 0 || c->first_plan[pair] >= 0 ? err : plan_pair(c, pair, &p->remap, may_wait);
}

static void find_tables(h3ou__coupler *c)
{
    for (int i = 0; i < c->config->npair; i++)
        c->table_of[i] = -1;
    for (int i = 0; i < c->ntable; i++)
        if (c->table[i]->pair >= 0)
            c->table_of[c->table[i]->pair] = i;
}

static void free_entries(h3ou__coupler *c, int pair)
{
    if (c->table_of[pair] >= 0)
        h3ou__table_free_entries(c->table[c->table_of[pair]]);
}

/* Returns, on all processes of my component alike, whether it receives on a pair of grids with one plan that is still
 * to be made of a table: a second one would need the table's entries again. first: the first of the pair's variables,
 * of which there are nvar. */
static bool has_rows_to_list(const h3ou__coupler *c, int pair, int first, int nvar)
{
    const h3ou__config_pair *p = &c->config->pair[pair];
    const h3ou__config_remap *how = nvar > 0 ? &c->config->var[first].remap : &p->remap;
    bool has = c->first_plan[pair] < 0 && !strcmp(p->comp_get, my_name(c)) && !*how->method && !is_following(c, p);
    for (int i = first + 1; i < first + nvar && has; i++)
        has = same_way(how, &c->config->var[i].remap);
    return has;
}

/* Lists the rows of a table that my component gave and receives by, and frees its entries. */
static int list_own_rows(h3ou__coupler *c, int pair, int first, int nvar)
{
    const h3ou__config_pair *p = &c->config->pair[pair];
    if (!has_rows_to_list(c, pair, first, nvar))
        return H3OU__OK;
    h3ou__plan_task task = task_of(c, pair, other_component(c, p));
    int err = h3ou__plan_list_own_rows(&task, &c->listed[pair]);
    if (err)
        return h3ou__fail_in(err, "%s:%d", c->config->file, p->line);
    if (c->listed[pair].is_there)
        free_entries(c, pair);
    return H3OU__OK;
}

/* Plans one pair; then nothing needs the entries of its table any more. */
static int plan_one_pair(h3ou__coupler *c, int pair, int first, int nvar, bool may_wait)
{
    int err = plan_variables(c, pair, first, nvar, may_wait);
    if (c->first_plan[pair] >= 0)
        free_entries(c, pair);
    return err;
}

/* Returns how many variables a pair has. Variables stand in the order of their pairs; first: where the pair's own
 * begin. */
static int count_variables(const h3ou__config *config, int pair, int first)
{
    int n = 0;
    while (first + n < config->nvar && config->var[first + n].pair == pair)
        n++;
    return n;
}

int h3ou__plan_pairs(h3ou__coupler *c, bool may_wait)
{
    const h3ou__config *config = c->config;
    c->waits = false;
    int err = h3ou__pair_tables_match(config, &c->warned.tags, c->table, c->ntable);
    find_tables(c);
    for (int i = 0, first = 0, n; i < config->npair && !err; i++, first += n) {
        n = count_variables(config, i, first);
        err = list_own_rows(c, i, first, n);
    }
    for (int i = 0, first = 0, n; i < config->npair && !err; i++, first += n) {
        n = count_variables(config, i, first);
        err = plan_one_pair(c, i, first, n, may_wait);
    }
    return err;
}
