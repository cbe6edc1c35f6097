/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/configuration_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "coupler/config/component_names.h"
#include "coupler/config/interval.h"
#include "coupler/config/interval_flag.h"
#include "coupler/check/step_fit.h"
#include "coupler/check/wait_cycle.h"
#include "coupler/config/shared_file.h"
#include "coupler/config/tuning.h"
#include "interp/file/weightfile.h"

typedef struct check {
    const h3ou__config *config;
    h3ou__finding *tell;
    int nerror;
    int n;
    const char **name;
    h3ou__rational *step;
} check;

/* Tells the error that was just found, if one was. */
static void tell_error(check *c, int err)
{
    if (err) {
        c->tell("error", h3ou__fail_text());
        c->nerror++;
    }
}

static void tell_graph(const check *c)
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

static int find_name(const check *c, const char *name)
{
    for (int i = 0; i < c->n; i++)
        if (!strcmp(c->name[i], name))
            return i;
    return -1;
}

static int add_component(check *c, const char *name, double step)
{
    if (!h3ou__resize(&c->name, sizeof *c->name, c->n + 1) || !h3ou__resize(&c->step, sizeof *c->step, c->n + 1))
        return h3ou__no_memory("the check of %s", c->config->file);
    c->step[c->n] = step > 0 ? h3ou__rational_nearest(step) : h3ou__whole(0);
    c->name[c->n++] = name;
    return H3OU__OK;
}

/* Lists the components that will be started, and then those that only the configuration names. */
static int list_components(check *c, int n, const char *const name[], const double step[])
{
    int err = H3OU__OK;
    for (int i = 0; i < n && !err; i++)
        err = add_component(c, name[i], step[i]);
    for (int i = 0; i < 2 * c->config->npair && !err; i++) {
        const h3ou__config_pair *p = &c->config->pair[i / 2];
        const char *named = i % 2 ? p->comp_get : p->comp_put;
        err = find_name(c, named) < 0 ? add_component(c, named, 0) : H3OU__OK;
    }
    return err;
}

static void check_names(check *c, int n, const char *const name[])
{
    int *members = malloc(sizeof *members * ((size_t)n + 1));
    for (int i = 0; members && i < n; i++)
        members[i] = 1;
    if (n > 0)
        tell_error(c, members ? h3ou__component_names_check(c->config, &(h3ou__started){n, name, members, ""})
                              : h3ou__no_memory("the check of %s", c->config->file));
    free(members);
}

/* The step of one end of a variable: the sender's side warns of an exchange inside a component. */
static void check_step(check *c, const h3ou__config_var *v, const char *component)
{
    char text[H3OU__ERROR_TEXT];
    int i = find_name(c, component);
    if (i < 0 || c->step[i].num == 0 || !h3ou__interval_is_given(&v->intvl))
        return;
    h3ou__schedule times = h3ou__schedule_before_run(c->config, v);
    if (h3ou__step_fits(c->config, v, &times, component, h3ou__whole(0), c->step[i], text, sizeof text))
        return;
    c->tell(c->config->strict ? "error" : "warning", text);
    c->nerror += c->config->strict;
}

static void check_steps(check *c)
{
    for (int i = 0; i < c->config->nvar; i++) {
        const h3ou__config_var *v = &c->config->var[i];
        const h3ou__config_pair *p = &c->config->pair[v->pair];
        check_step(c, v, p->comp_put);
        if (!h3ou__config_is_own(p))
            check_step(c, v, p->comp_get);
    }
}

/* Reads each file of weights that a method names. */
static void check_weight_files(check *c)
{
    for (int i = 0; i < c->config->nstack; i++) {
        const h3ou__stack *stack = &c->config->stack[i]->methods;
        h3ou__weightfile w = {0};
        if (stack->n == 0 || !stack->method[0]->is_file || !*stack->keys[0].file)
            continue;
        tell_error(c, h3ou__weightfile_read(stack->keys[0].file, &w));
        h3ou__weightfile_free(&w);
    }
}

static void check_folders(check *c)
{
    const char *cache = c->config->weights_cache;
    if (*cache && access(cache, W_OK | X_OK) != 0) {
        char text[H3OU__ERROR_TEXT];
        snprintf(text, sizeof text, "%s: weights_cache: %s cannot be written: weights will be made anew in each run",
                 c->config->file, cache);
        c->tell("warning", text);
    }
}

static void check_all(check *c, int n, const char *const name[], const double step[])
{
    for (int i = 0; i < c->config->nleniency; i++) {
        char text[H3OU__ERROR_TEXT];
        snprintf(text, sizeof text, "%s:%d: %s", c->config->file, c->config->leniency[i].line,
                 c->config->leniency[i].text);
        c->tell("warning", text);
    }
    tell_graph(c);
    check_names(c, n, name);
    tell_error(c, list_components(c, n, name, step));
    check_steps(c);
    tell_error(c, h3ou__wait_cycle_check(c->config, &(h3ou__timed){c->n, (const char *const *)c->name, c->step}));
    check_weight_files(c);
    check_folders(c);
}

int h3ou__configuration_check(const char *file, int n, const char *const name[], const double step[],
                              h3ou__finding *tell)
{
    char *text = NULL;
    int64_t size = 0;
    h3ou__config *config = NULL;
    check c = {.tell = tell};
    h3ou__log_to(H3OU__LOG_SILENT, NULL, NULL);
    int err = h3ou__file_read("configuration file", file, &text, &size);
    if (!err)
        err = h3ou__config_parse(file, text, size, &config);
    free(text);
    if (!err)
        err = h3ou__tuning_read_alone(config);
    tell_error(&c, err);
    if (err) {
        h3ou__config_free(config);
        return c.nerror;
    }
    c.config = config;
    check_all(&c, n, name, step);
    free(c.name);
    free(c.step);
    h3ou__config_free(config);
    return c.nerror;
}
