/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/setup_check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/check/field_fit.h"
#include "coupler/check/grid_fit.h"
#include "coupler/check/files_check.h"
#include "coupler/config/field_index.h"
#include "coupler/weights/pair_tables.h"

enum { NAME = H3OU__CONFIG_NAME + 1 };

static const char KIND[] = "recorded";

/* Takes the step of a component from its record, if it had only one. */
static void take_step(h3ou__checked *part)
{
    const char *line = h3ou__setup_find(&part->setup, "steps", "count", NULL, "least", NULL);
    double least = h3ou__setup_number(line, "least", 0.0), most = h3ou__setup_number(line, "most", 0.0);
    if (part->step.num == 0 && least > 0.0 && least == most)
        part->step = h3ou__rational_nearest(least);
}

void h3ou__setups_read(h3ou__check *c)
{
    char lacking[512] = "";
    size_t used = 0;
    int nlacking = 0;
    for (int i = 0; i < c->n; i++) {
        h3ou__checked *part = &c->component[i];
        h3ou__check_tell_error(c, "warning", c->record ? h3ou__setup_read(c->record, part->name, &part->setup) : H3OU__OK);
        if (part->setup.n == 0 && used < sizeof lacking)
            used += (size_t)snprintf(lacking + used, sizeof lacking - used, "%s%s", nlacking ? ", " : "", part->name);
        nlacking += part->setup.n == 0;
        take_step(part);
    }
    if (nlacking > 0)
        h3ou__check_tell(c, "note",
                         "no run of %s is recorded%s%s: not checked: names, sizes, layers and masks of grids, tables that the models "
                         "give, fields that they put and get, time steps that are not given",
                         lacking, c->record ? " in " : "", c->record ? c->record : "");
}

bool h3ou__setups_grid(const h3ou__check *c, const char *component, const char *grid, h3ou__grid_facts *out)
{
    const h3ou__checked *part = h3ou__check_find(c, component);
    const char *line = part ? h3ou__setup_find(&part->setup, "grid", "name", grid, "cells", NULL) : NULL;
    if (!line)
        return false;
    *out = (h3ou__grid_facts){.component = component,
                              .grid = grid,
                              .cells = (int64_t)h3ou__setup_number(line, "cells", 0),
                              .last = (int64_t)h3ou__setup_number(line, "last", 0),
                              .said = (int64_t)h3ou__setup_number(line, "said", 0),
                              .has_centres = h3ou__setup_number(line, "centres", 0) > 0,
                              .has_corners = h3ou__setup_number(line, "corners", 0) > 0};
    return true;
}

/* Tells that a component has no grid of the name that a key of a pair has. */
static void check_name(h3ou__check *c, const h3ou__config_pair *p, const char *key, const char *component, const char *grid)
{
    const h3ou__checked *part = h3ou__check_find(c, component);
    char(*text)[NAME] = NULL;
    const char **name = NULL;
    int n = 0;
    if (!part || part->setup.n == 0)
        return;
    text = malloc(sizeof *text * (size_t)part->setup.n);
    name = malloc(sizeof *name * (size_t)part->setup.n);
    for (int i = 0; text && name && i < part->setup.n; i++)
        if (h3ou__setup_is(part->setup.line[i], "grid") && h3ou__setup_text(part->setup.line[i], "name", text[n], NAME)) {
            name[n] = text[n];
            n++;
        }
    h3ou__check_tell_error(c, KIND, text && name ? h3ou__grid_fits_name(c->config, p, key, component, grid, name, n)
                                                 : h3ou__no_memory("the check of %s", c->file));
    free(text);
    free(name);
}

static void check_layers(h3ou__check *c, const h3ou__config_var *v, const char *component, const char *grid)
{
    const h3ou__checked *part = h3ou__check_find(c, component);
    const char *line = part ? h3ou__setup_find(&part->setup, "grid", "name", grid, "layers", NULL) : NULL;
    if (line)
        h3ou__check_tell_error(c, KIND, h3ou__grid_fits_layers(c->config, v, component, grid, (int)h3ou__setup_number(line, "layers", 1)));
}

static void check_methods(h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_stack *stack)
{
    const char *const ends[2][2] = {{p->comp_put, p->grid_put}, {p->comp_get, p->grid_get}};
    h3ou__grid_facts facts;
    for (int i = 0; i < 2; i++) {
        int err = h3ou__setups_grid(c, ends[i][0], ends[i][1], &facts) ? h3ou__grid_serves_methods(stack, &facts) : H3OU__OK;
        h3ou__check_tell_error(c, KIND, err ? h3ou__fail_in(err, "%s:%d", c->file, p->line) : H3OU__OK);
    }
}

/* Returns whether a component has recorded that it gave a table for the pair. */
static bool gave_table(const h3ou__check *c, const char *component, const h3ou__config_pair *p, bool any_tag)
{
    const h3ou__checked *part = h3ou__check_find(c, component);
    char send_comp[NAME], send_grid[NAME], recv_comp[NAME], recv_grid[NAME];
    for (int i = 0; part && i < part->setup.n; i++) {
        const char *line = part->setup.line[i];
        if (h3ou__setup_is(line, "table") && h3ou__setup_text(line, "send_comp", send_comp, NAME) &&
            h3ou__setup_text(line, "send_grid", send_grid, NAME) && h3ou__setup_text(line, "recv_comp", recv_comp, NAME) &&
            h3ou__setup_text(line, "recv_grid", recv_grid, NAME) && !strcmp(send_comp, p->comp_put) &&
            !strcmp(send_grid, p->grid_put) && !strcmp(recv_comp, p->comp_get) && !strcmp(recv_grid, p->grid_get) &&
            (any_tag || (int)h3ou__setup_number(line, "tag", 0) == p->mapping_tag))
            return true;
    }
    return false;
}

/* Tells of tables that are given where there is a method, given by both ends, or by none. */
static void check_tables(h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_remap *how)
{
    bool own = h3ou__config_is_own(p), put = gave_table(c, p->comp_put, p, false), get = !own && gave_table(c, p->comp_get, p, false);
    h3ou__pair_name name = {p->comp_put, p->grid_put, p->comp_get, p->grid_get, p->mapping_tag};
    h3ou__grid_facts facts;
    char text[4 * H3OU__NAME + 64];
    int err = H3OU__OK;
    if (how->stack && (put || get))
        err = h3ou__pair_tables_beside_method(how->method, put ? p->comp_put : p->comp_get);
    else if (!how->stack && put && get)
        err = h3ou__fail_in(h3ou__pair_tables_both(), "%s", h3ou__pair_text(&name, text, sizeof text));
    else if (!how->stack && h3ou__setups_grid(c, p->comp_put, p->grid_put, &facts) &&
             h3ou__setups_grid(c, p->comp_get, p->grid_get, &facts) && !gave_table(c, p->comp_put, p, true) &&
             !gave_table(c, p->comp_get, p, true))
        err = h3ou__fail_in(h3ou__pair_tables_none(p->comp_put, p->comp_get), "%s", h3ou__pair_text(&name, text, sizeof text));
    h3ou__check_tell_error(c, KIND, err ? h3ou__fail_in(err, "%s:%d", c->file, p->line) : H3OU__OK);
}

/* Tells of target cells without a value on a pair that was planned alike, unless the user has said what they are to hold. */
static void check_served(h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_remap *how)
{
    const h3ou__checked *ends[2] = {h3ou__check_find(c, p->comp_put), h3ou__check_find(c, p->comp_get)};
    static const char *const roles[2] = {"sends", "gets"};
    const char *names[5] = {p->comp_put, p->grid_put, p->comp_get, p->grid_get, how->stack ? how->stack->text : "table"};
    static const char *const keys[5] = {"send_comp", "send_grid", "recv_comp", "recv_grid", "method"};
    for (int side = 0; side < 2; side++)
        for (int i = 0; ends[side] && i < ends[side]->setup.n; i++) {
            const char *line = ends[side]->setup.line[i];
            char text[2 * H3OU__CONFIG_METHOD + 2];
            bool same = h3ou__setup_is(line, "plan") && h3ou__setup_text(line, "role", text, sizeof text) && !strcmp(text, roles[side]) &&
                        (int)h3ou__setup_number(line, "tag", -1) == p->mapping_tag;
            for (int k = 0; k < 5 && same; k++)
                same = h3ou__setup_text(line, keys[k], text, sizeof text) && !strcmp(text, names[k]);
            if (!same)
                continue;
            if (side == 0)
                h3ou__check_tell_masked(c, p, (int64_t)h3ou__setup_number(line, "masked", 0), (int64_t)h3ou__setup_number(line, "used", 0));
            else
                h3ou__check_tell_lacking(c, p, how, (int64_t)h3ou__setup_number(line, "lacking", 0),
                                         (int64_t)h3ou__setup_number(line, "cells", 0), (int64_t)h3ou__setup_number(line, "first", 0));
            break;
        }
}

static void check_way(h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_remap *how)
{
    if (how->stack)
        check_methods(c, p, how->stack);
    check_tables(c, p, how);
    check_served(c, p, how);
}

/* Returns the first variable of the configuration with this field, or NULL. */
static const h3ou__config_var *find_variable(const h3ou__check *c, const h3ou__fields *fields, const char *name)
{
    int number = h3ou__names_find(&fields->names, name);
    return number < 0 ? NULL : &c->config->var[fields->var[number]];
}

/* Tells of handles that the component asked for in the run and would not get, or that would do nothing. */
static void check_handles(h3ou__check *c, const h3ou__checked *part, const h3ou__fields *puts, const h3ou__fields *gets)
{
    char name[NAME];
    for (int i = 0; i < part->setup.n; i++) {
        const char *line = part->setup.line[i];
        if (!h3ou__setup_is(line, "handle") || !h3ou__setup_text(line, "name", name, sizeof name) || find_variable(c, puts, name) ||
            find_variable(c, gets, name))
            continue;
        if (c->config->ignore_unknown_put)
            h3ou__check_tell(c, "warning", "%s: component %s asks for a handle of field '%s', which no component gets: puts by it do nothing",
                             c->file, part->name, name);
        else
            h3ou__check_tell_error(c, KIND, h3ou__field_fail_no_handle(c->config, part->name, name, &puts->names, &gets->names));
    }
}

/* Compares the fields of one role of a component with its calls in the run. others: those of the other role. */
static void check_calls(h3ou__check *c, const h3ou__checked *part, const h3ou__fields *fields, const h3ou__fields *others, bool put)
{
    char name[NAME], role[8], text[H3OU__ERROR_TEXT];
    for (int i = 0; i < part->setup.n; i++) {
        const char *line = part->setup.line[i];
        bool ignored = put && h3ou__setup_is(line, "ignored");
        if ((!ignored && !h3ou__setup_is(line, "field")) || !h3ou__setup_text(line, "name", name, sizeof name) ||
            (!ignored && (!h3ou__setup_text(line, "role", role, sizeof role) || strcmp(role, put ? "put" : "get") != 0)))
            continue;
        bool called = ignored || h3ou__setup_number(line, "calls", 0) > 0;
        const h3ou__config_var *v = find_variable(c, fields, name);
        if (v && !called)
            h3ou__check_tell(c, "warning", "%s", h3ou__field_unused_text(c->config, v, put, text, sizeof text));
        else if (!v && called && put && c->config->ignore_unknown_put)
            h3ou__check_tell(c, "warning", "%s: component %s puts field '%s', which no component gets", c->file, part->name, name);
        else if (!v && called && (find_variable(c, others, name) || !h3ou__setup_find(&part->setup, "handle", "name", name, NULL, NULL)))
            h3ou__check_tell_error(c, KIND, h3ou__field_fail_unknown(c->config, NULL, part->name, name, put, &fields->names));
    }
}

static void check_fields(h3ou__check *c, const h3ou__checked *part)
{
    h3ou__fields puts, gets = {0};
    int err = h3ou__fields_create(c->config, part->name, true, &puts);
    if (!err)
        err = h3ou__fields_create(c->config, part->name, false, &gets);
    if (err)
        h3ou__check_tell_error(c, "error", err);
    else {
        check_handles(c, part, &puts, &gets);
        check_calls(c, part, &gets, &puts, false);
        check_calls(c, part, &puts, &gets, true);
    }
    h3ou__fields_free(&gets);
    h3ou__fields_free(&puts);
}

void h3ou__setups_check(h3ou__check *c)
{
    for (int i = 0; i < c->config->npair; i++) {
        const h3ou__config_pair *p = &c->config->pair[i];
        check_name(c, p, "grid_put", p->comp_put, p->grid_put);
        check_name(c, p, "grid_get", p->comp_get, p->grid_get);
    }
    for (int i = 0; i < c->config->nvar; i++) {
        const h3ou__config_var *v = &c->config->var[i];
        const h3ou__config_pair *p = &c->config->pair[v->pair];
        check_layers(c, v, p->comp_put, p->grid_put);
        check_layers(c, v, p->comp_get, p->grid_get);
    }
    h3ou__check_each_way(c, check_way);
    for (int i = 0; i < c->n; i++)
        check_fields(c, &c->component[i]);
}
