/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/configuration_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "coupler/check/files_check.h"
#include "coupler/check/memory_forecast.h"
#include "coupler/check/memory_formula.h"
#include "coupler/check/setup_check.h"
#include "coupler/check/step_fit.h"
#include "coupler/check/wait_cycle.h"
#include "coupler/config/component_names.h"
#include "coupler/config/interval.h"
#include "coupler/config/interval_flag.h"
#include "coupler/config/shared_file.h"
#include "coupler/config/tuning.h"

static void count(h3ou__check *c, const char *kind)
{
    c->nerror += !strcmp(kind, "error") || !strcmp(kind, "recorded");
}

void h3ou__check_tell(h3ou__check *c, const char *kind, const char *format, ...)
{
    char text[H3OU__ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    c->tell(kind, text);
    count(c, kind);
}

void h3ou__check_tell_error(h3ou__check *c, const char *kind, int err)
{
    if (err) {
        c->tell(kind, h3ou__fail_text());
        count(c, kind);
    }
}

h3ou__checked *h3ou__check_find(const h3ou__check *c, const char *name)
{
    for (int i = 0; i < c->n; i++)
        if (!strcmp(c->component[i].name, name))
            return &c->component[i];
    return NULL;
}

int h3ou__check_add(h3ou__check *c, const char *name, double step)
{
    if (h3ou__check_find(c, name))
        return H3OU__OK;
    if (!h3ou__resize(&c->component, sizeof *c->component, c->n + 1))
        return h3ou__no_memory("the check of %s", c->file);
    c->component[c->n++] = (h3ou__checked){.name = name, .step = step > 0 ? h3ou__rational_nearest(step) : h3ou__whole(0)};
    return H3OU__OK;
}

void h3ou__check_count(h3ou__check *c, h3ou__counted counted)
{
    if (h3ou__resize(&c->counted, sizeof *c->counted, c->ncounted + 1))
        c->counted[c->ncounted++] = counted;
}

int64_t h3ou__check_cells(const h3ou__check *c, const char *component, const char *grid)
{
    h3ou__grid_facts facts;
    for (int i = 0; i < c->ncounted; i++)
        if (c->counted[i].component && !strcmp(c->counted[i].component, component) && !strcmp(c->counted[i].grid, grid))
            return c->counted[i].count;
    return h3ou__setups_grid(c, component, grid, &facts) ? facts.cells : 0;
}

int64_t h3ou__check_links(const h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_remap *how)
{
    for (int i = 0; i < c->ncounted; i++)
        if (c->counted[i].pair == p && c->counted[i].stack == how->stack)
            return c->counted[i].count;
    return 0;
}

int h3ou__check_enter(h3ou__check *c, const h3ou__checked *part)
{
    int here = part && part->directory ? open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (here >= 0 && chdir(part->directory) != 0)
        h3ou__check_tell(c, "error", "%s: the folder of component %s: %s", part->directory, part->name, strerror(errno));
    return here;
}

void h3ou__check_leave(h3ou__check *c, int entered)
{
    if (entered < 0)
        return;
    if (fchdir(entered) != 0)
        h3ou__check_tell(c, "error", "%s: the folder of the check: %s", c->file, strerror(errno));
    close(entered);
}

void h3ou__check_free(h3ou__check *c)
{
    for (int i = 0; i < c->n; i++)
        h3ou__setup_free(&c->component[i].setup);
    free(c->component);
    free(c->grid);
    free(c->counted);
    h3ou__config_free(c->config);
    c->n = c->ngrid = 0;
}

static void tell_graph(const h3ou__check *c)
{
    char text[2048], interval[H3OU__INTERVAL_TEXT];
    for (int i = 0; i < c->config->npair; i++) {
        const h3ou__config_pair *p = &c->config->pair[i];
        snprintf(text, sizeof text, "%d\t%s\t%s\t%s\t%s\t%s", i, p->comp_put, p->grid_put, p->comp_get, p->grid_get,
                 p->remap.stack ? p->remap.stack->text : "table");
        c->tell("pair", text);
    }
    for (int i = 0; i < c->config->nvar; i++) {
        const h3ou__config_var *v = &c->config->var[i];
        snprintf(text, sizeof text, "%d\t%d\t%s\t%s\t%s\t%s\t%d\t%d", v->pair, v->line, v->put, v->get,
                 h3ou__interval_is_given(&v->intvl) ? h3ou__interval_text(&v->intvl, interval) : "once",
                 h3ou__flag_word(v->flag), v->lag, v->layer);
        c->tell("field", text);
    }
}

/* Adds the components that only the configuration names to those that will be started. */
static int list_components(h3ou__check *c)
{
    int err = H3OU__OK;
    for (int i = 0; i < c->config->npair && !err; i++) {
        err = h3ou__check_add(c, c->config->pair[i].comp_put, 0);
        if (!err)
            err = h3ou__check_add(c, c->config->pair[i].comp_get, 0);
    }
    return err;
}

static void check_names(h3ou__check *c)
{
    int *members = malloc(sizeof *members * ((size_t)c->n + 1));
    const char **name = malloc(sizeof *name * ((size_t)c->n + 1));
    for (int i = 0; members && name && i < c->n; i++) {
        members[i] = 1;
        name[i] = c->component[i].name;
    }
    if (c->n > 0)
        h3ou__check_tell_error(c, "error",
                               members && name ? h3ou__component_names_check(c->config, &(h3ou__started){c->n, name, members, ""})
                                               : h3ou__no_memory("the check of %s", c->file));
    free(members);
    free(name);
}

/* The step of one end of a variable, if it is known. */
static void check_step(h3ou__check *c, const h3ou__config_var *v, const char *component)
{
    char text[H3OU__ERROR_TEXT];
    const h3ou__checked *end = h3ou__check_find(c, component);
    if (!end || end->step.num == 0 || !h3ou__interval_is_given(&v->intvl))
        return;
    h3ou__schedule times = h3ou__schedule_before_run(c->config, v);
    if (!h3ou__step_fits(c->config, v, &times, component, h3ou__whole(0), end->step, text, sizeof text))
        h3ou__check_tell(c, c->config->strict ? "error" : "warning", "%s", text);
}

static void check_steps(h3ou__check *c)
{
    for (int i = 0; i < c->config->nvar; i++) {
        const h3ou__config_var *v = &c->config->var[i];
        const h3ou__config_pair *p = &c->config->pair[v->pair];
        check_step(c, v, p->comp_put);
        if (!h3ou__config_is_own(p)) /* the sender's side warns */
            check_step(c, v, p->comp_get);
    }
}

static int check_waits(h3ou__check *c)
{
    const char **name = malloc(sizeof *name * ((size_t)c->n + 1));
    h3ou__rational *step = malloc(sizeof *step * ((size_t)c->n + 1));
    for (int i = 0; name && step && i < c->n; i++) {
        name[i] = c->component[i].name;
        step[i] = c->component[i].step;
    }
    int err = name && step ? h3ou__wait_cycle_check(c->config, &(h3ou__timed){c->n, name, step})
                           : h3ou__no_memory("the check of %s", c->file);
    free(name);
    free(step);
    return err;
}

/* What the components name from where they run: the file of tuning, and the folder of weights. */
static void check_places(h3ou__check *c)
{
    const char *cache = c->config->weights_cache;
    for (int i = 0; i < c->n; i++) {
        int entered = h3ou__check_enter(c, &c->component[i]);
        h3ou__check_tell_error(c, "error", h3ou__tuning_read_alone(c->config));
        if (*cache && access(cache, W_OK | X_OK) != 0)
            h3ou__check_tell(c, "warning", "%s: weights_cache: %s cannot be written: weights will be made anew in each run", c->file, cache);
        h3ou__check_leave(c, entered);
    }
}

static void check_all(h3ou__check *c)
{
    for (int i = 0; i < c->config->nleniency; i++)
        h3ou__check_tell(c, "warning", "%s:%d: %s", c->file, c->config->leniency[i].line, c->config->leniency[i].text);
    tell_graph(c);
    check_names(c);
    h3ou__check_tell_error(c, "error", list_components(c));
    h3ou__setups_read(c);
    check_steps(c);
    h3ou__check_tell_error(c, "error", check_waits(c));
    h3ou__setups_check(c);
    h3ou__files_check(c);
    h3ou__memory_forecast(c);
    h3ou__memory_formula(c);
    check_places(c);
}

int h3ou__configuration_check(h3ou__check *c)
{
    char *text = NULL;
    int64_t size = 0;
    h3ou__log_to(H3OU__LOG_SILENT, NULL, NULL);
    int err = h3ou__file_read("configuration file", c->file, &text, &size);
    if (!err)
        err = h3ou__config_parse(c->file, text, size, &c->config);
    free(text);
    h3ou__check_tell_error(c, "error", err);
    if (!err)
        check_all(c);
    return c->nerror;
}
