/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/config.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "comm/collective/collective.h"
#include "coupler/config/ensemble_keys.h"
#include "coupler/config/interval.h"
#include "coupler/config/interval_flag.h"
#include "coupler/config/leniency.h"
#include "coupler/config/monitor_keys.h"
#include "coupler/config/name_index.h"
#include "coupler/time/calendar.h"

/* The reader in src/fortran/namelist.f90. */
int h3ou__namelist_read(const char *text, int64_t length, void *config);

int h3ou__config_set(h3ou__config *c, int log_level, int stop_step, int grid_checker)
{
    c->log_level = log_level;
    c->stop_step = stop_step;
    c->grid_checker = grid_checker;
    return H3OU__OK;
}

int h3ou__config_set_time(h3ou__config *c, int strict, int calendar)
{
    c->strict = strict;
    c->calendar = calendar;
    return H3OU__OK;
}

int h3ou__config_set_cache(h3ou__config *c, const char *folder)
{
    snprintf(c->weights_cache, sizeof c->weights_cache, "%s", folder);
    return H3OU__OK;
}

int h3ou__config_set_record(h3ou__config *c, const char *folder)
{
    snprintf(c->record, sizeof c->record, "%s", folder);
    return H3OU__OK;
}

int h3ou__config_set_min_members(h3ou__config *c, int min_members)
{
    c->min_members = min_members;
    return H3OU__OK;
}

int h3ou__config_set_unknown_put(h3ou__config *c, int ignore)
{
    c->ignore_unknown_put = ignore;
    return H3OU__OK;
}

int h3ou__config_set_progress(h3ou__config *c, int by_thread, int second_put, int bundle)
{
    c->by_thread = by_thread;
    c->second_put = second_put;
    c->bundle = bundle;
    return H3OU__OK;
}

/* Fails with an error of the file, "FILE:LINE: sentence". */
static int fail_at(const h3ou__config *c, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int fail_at(const h3ou__config *c, int line, const char *format, ...)
{
    char text[H3OU__ERROR_TEXT / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return h3ou__fail(H3OU__ECONFIG, "%s:%d: %s", c->file, line, text);
}

int h3ou__config_set_collectives(h3ou__config *c, int keeps_order, int line, int kings)
{
    if (kings < 1 || kings > H3OU__KINGS_MOST)
        return fail_at(c, line, "h3ou_coupling: kings is 1 to %d, not %d", H3OU__KINGS_MOST, kings);
    c->keeps_order = keeps_order;
    c->kings = kings;
    return H3OU__OK;
}

int h3ou__config_set_tuning_file(h3ou__config *c, int line, const char *file)
{
    c->tuning_line = line;
    snprintf(c->tuning_file, sizeof c->tuning_file, "%s", file);
    return H3OU__OK;
}

int h3ou__config_set_tuning(h3ou__config *c, int line, const double value[4], int ports, int job_route)
{
    bool is_inside_known = value[0] != 0 || value[1] != 0;
    if (c->tuning.ports)
        return fail_at(c, line, "h3ou_tuning stands in this file twice");
    if (is_inside_known && !(value[0] > 0 && value[0] < 1e9 && value[1] > 0 && value[1] < 1e12))
        return fail_at(c, line, "h3ou_tuning: inside_latency and inside_bandwidth must be given both, and above 0");
    if (!(value[2] > 0 && value[2] < 1e9 && value[3] > 0 && value[3] < 1e12))
        return fail_at(c, line, "h3ou_tuning: between_latency and between_bandwidth must be given, and above 0");
    if (ports < 1 || ports > 1000)
        return fail_at(c, line, "h3ou_tuning: ports is 1 to 1000");
    c->tuning = (h3ou__tuning){.inside_latency = 1e-6 * value[0],
                               .inside_bandwidth = 1e6 * value[1],
                               .between_latency = 1e-6 * value[2],
                               .between_bandwidth = 1e6 * value[3],
                               .ports = ports,
                               .job_route = job_route};
    return H3OU__OK;
}

int h3ou__config_set_start(h3ou__config *c, int line, const char *start, int keep_after_end)
{
    int *d = c->start, end = 0;
    c->keep_after_end = keep_after_end;
    c->has_start = *start != 0;
    if (!c->has_start)
        return H3OU__OK;
    if (c->calendar == H3OU__NO_CALENDAR)
        return fail_at(c, line, "h3ou_coupling: start='%s' needs a calendar", start);
    sscanf(start, "%d-%d-%d%n %d:%d:%d%n", &d[0], &d[1], &d[2], &end, &d[3], &d[4], &d[5], &end);
    if (end == 0 || start[end] || h3ou__date_check(c->calendar, d))
        return fail_at(c, line,
                       "h3ou_coupling: start='%s' is no date of calendar='%s', such as '2000-01-31' or '2000-01-31 12:00:00'",
                       start, h3ou__calendar_name(c->calendar));
    return H3OU__OK;
}

/* Called by the Fortran reader, which knows the line and the text but not the name of the file. */
int h3ou__config_error(h3ou__config *c, int line, const char *text)
{
    return fail_at(c, line, "%s", text);
}

int h3ou__config_unknown(h3ou__config *c, int line, const char *what, const char *name, const char *known)
{
    enum { MOST = 64, LONGEST = 32 };
    char words[MOST][LONGEST];
    const char *list[MOST];
    int n = 0;
    for (const char *p = known; *p && n < MOST; n++) {
        size_t length = strcspn(p, " ");
        snprintf(words[n], LONGEST, "%.*s", (int)length, p);
        list[n] = words[n];
        p += length + (p[length] == ' ');
    }
    char near[H3OU__HINT];
    return *h3ou__did_you_mean(name, list, n, near) ? fail_at(c, line, "%s '%s'%s", what, name, near)
                                                    : fail_at(c, line, "%s '%s'; known are: %s", what, name, known);
}

int h3ou__config_lenient(h3ou__config *c, int line, const char *text)
{
    if (!h3ou__resize(&c->leniency, sizeof *c->leniency, c->nleniency + 1))
        return h3ou__no_memory("the configuration");
    c->leniency[c->nleniency].line = line;
    snprintf(c->leniency[c->nleniency++].text, sizeof c->leniency->text, "%s", text);
    return H3OU__OK;
}

void h3ou__config_log(const h3ou__config *c)
{
    for (int i = 0; i < c->nleniency; i++)
        h3ou__lenient(c, NULL, H3OU__ECONFIG, "%s:%d: %s", c->file, c->leniency[i].line, c->leniency[i].text);
    int i = 0;
    while (i < c->nvar && c->var[i].factor == 1.0)
        i++;
    if (i < c->nvar && c->is_leader)
        h3ou__log(H3OU__LOG_WHISPER, "factor", "file=%s line=%d field=%s factor=%g applied=yes h3-Open-UTIL/MP=no", c->file,
                  c->var[i].line, c->var[i].get, c->var[i].factor);
}

void h3ou__config_ignored(const h3ou__config *c, int line, const char *what, const char *name)
{
    h3ou__log(H3OU__LOG_WHISPER, "ignored", "file=%s line=%d %s=%s", c->file, line, what, name);
}

static int accept_repeated_pair(h3ou__config *c, const h3ou__config_pair *first, const h3ou__config_pair *again)
{
    char text[sizeof c->leniency->text];
    snprintf(text, sizeof text,
             "h3ou_var: the same pair of grids with mapping_tag=%d stands in line %d already: tables are taken in the order "
             "of the calls of h3ou_set_interpolation_table",
             again->mapping_tag, first->line);
    return h3ou__config_lenient(c, again->line, text);
}

enum { PAIR_KEY = 4 * (H3OU__CONFIG_NAME + 1) + 16 };

static const char *couple_key(const char *comp_put, const char *comp_get, char key[PAIR_KEY])
{
    snprintf(key, PAIR_KEY, "%s\n%s", comp_put, comp_get);
    return key;
}

static const char *pair_key(const h3ou__config_pair *p, char key[PAIR_KEY])
{
    snprintf(key, PAIR_KEY, "%s\n%s\n%s\n%s\n%d", p->comp_put, p->comp_get, p->grid_put, p->grid_get, p->mapping_tag);
    return key;
}

/* Returns what has the key: the first pair, or the couple; -1: nothing. */
static int find_key(const h3ou__config *c, const char *key)
{
    int at = h3ou__names_find(&c->keys, key);
    return at < 0 ? -1 : c->first[at];
}

/* Keeps a key that was not there. */
static int keep_key(h3ou__config *c, const char *key, int number)
{
    int n = c->keys.n;
    char *copy = strdup(key);
    if (!copy || h3ou__names_reserve(&c->keys, n + 1) || !h3ou__resize(&c->first, sizeof *c->first, n + 1)) {
        free(copy);
        return h3ou__no_memory("the configuration");
    }
    c->first[h3ou__names_add(&c->keys, copy)] = number;
    return H3OU__OK;
}

static h3ou__config_couple *find_couple(const h3ou__config *c, const char *comp_put, const char *comp_get)
{
    char key[PAIR_KEY];
    int at = find_key(c, couple_key(comp_put, comp_get, key));
    return at < 0 ? NULL : &c->couple[at];
}

static int check_pair(h3ou__config *c, const h3ou__config_pair *p)
{
    char pair[PAIR_KEY];
    const char *const value[4] = {p->comp_put, p->comp_get, p->grid_put, p->grid_get};
    static const char *const key[4] = {"comp_put", "comp_get", "grid_put", "grid_get"};
    for (int i = 0; i < 4; i++)
        if (!*value[i])
            return fail_at(
                c, p->line,
                "h3ou_var: key '%s' is missing: a pair of grids needs comp_put, comp_get, grid_put and grid_get",
                key[i]);
    int before = find_key(c, pair_key(p, pair));
    return before < 0 ? H3OU__OK : accept_repeated_pair(c, &c->pair[before], p);
}

/* Keeps the keys of a pair of grids, whose number is that of the pairs before it, and of its components. */
static int index_pair(h3ou__config *c, const h3ou__config_pair *p)
{
    char key[PAIR_KEY];
    int err = find_key(c, pair_key(p, key)) < 0 ? keep_key(c, key, c->npair) : H3OU__OK;
    if (err || find_couple(c, p->comp_put, p->comp_get))
        return err;
    if (!h3ou__resize(&c->couple, sizeof *c->couple, c->ncouple + 1))
        return h3ou__no_memory("the configuration");
    c->couple[c->ncouple] = (h3ou__config_couple){0};
    return keep_key(c, couple_key(p->comp_put, p->comp_get, key), c->ncouple++);
}

/* Refuses stacks that cannot be applied to cells spread over processes. */
static int check_stack(const h3ou__config_stack *stack)
{
    const h3ou__stack *s = &stack->methods;
    const char *creeps = NULL;
    for (int k = 0; k < s->n; k++) {
        const h3ou__method *method = s->method[k];
        if (method->is_file && !*s->keys[k].file)
            return h3ou__fail(H3OU__EARG, "method file: it needs the file's name: file(file=W.nc)");
        if (k > 0 && method->is_file)
            return h3ou__fail(H3OU__EARG, "method file: a table from a file must stand first; others may follow");
        if (method->by_neighbours && creeps)
            return h3ou__fail(H3OU__EARG, "method %s: it stands in '%s' more than once", creeps, stack->text);
        creeps = method->by_neighbours ? method->name : creeps;
    }
    if (creeps && s->method[0]->is_file)
        return h3ou__fail(H3OU__EUNSUPPORTED,
                          "method %s: it cannot go on from the rows of a file in this version; nearest can", creeps);
    return H3OU__OK;
}

/* Parses a text that no group before had. */
static int add_stack(h3ou__config *c, int line, const char *text)
{
    h3ou__config_stack *stack = calloc(1, sizeof *stack);
    if (!stack || !h3ou__resize(&c->stack, sizeof *c->stack, c->nstack + 1) ||
        h3ou__names_reserve(&c->stacks, c->nstack + 1)) {
        free(stack);
        return h3ou__no_memory("the configuration");
    }
    c->stack[c->nstack++] = stack;
    snprintf(stack->text, sizeof stack->text, "%s", text);
    h3ou__names_add(&c->stacks, stack->text);
    int err = h3ou__stack_parse(text, &stack->methods);
    if (!err)
        err = check_stack(stack);
    return err ? fail_at(c, line, "h3ou_var: %s", h3ou__fail_text()) : H3OU__OK;
}

/* Sets r->stack. A misspelt method is found here, when the file is read, and not only when the weights are made. */
static int find_stack(h3ou__config *c, int line, h3ou__config_remap *r)
{
    char text[sizeof r->stack->text];
    snprintf(text, sizeof text, "%s%s%s", r->method, *r->extrapolate ? "," : "", r->extrapolate);
    r->stack = NULL;
    if (!*r->method)
        return H3OU__OK;
    int i = h3ou__names_find(&c->stacks, text), err = i < 0 ? add_stack(c, line, text) : H3OU__OK;
    if (!err)
        r->stack = c->stack[i < 0 ? c->nstack - 1 : i];
    return err;
}

int h3ou__config_set_monitor(h3ou__config *c, int line, const h3ou__config_monitor *monitor)
{
    h3ou__config_var v = {.monitor = *monitor};
    v.monitor.ledger = 0; /* it is not that of a variable yet */
    if (h3ou__monitor_keys_parse(&v))
        return fail_at(c, line, "h3ou_coupling: %s", h3ou__fail_text());
    c->monitor = v.monitor;
    c->monitor.ledger = monitor->ledger;
    return H3OU__OK;
}

int h3ou__config_add_pair(h3ou__config *c, const h3ou__config_pair *pair)
{
    h3ou__config_pair p = *pair;
    int err = check_pair(c, pair);
    if (!err)
        err = find_stack(c, p.line, &p.remap);
    if (err)
        return err;
    if (!h3ou__resize(&c->pair, sizeof *c->pair, c->npair + 1))
        return h3ou__no_memory("the configuration");
    if ((err = index_pair(c, &p)) != H3OU__OK)
        return err;
    p.counted = ++find_couple(c, p.comp_put, p.comp_get)->pairs;
    c->pair[c->npair] = p;
    h3ou__config_remap *r = &c->pair[c->npair++].remap;
    r->norm = r->norm >= 0 ? r->norm : 0; /* a key that was not given has its default, for pairs without variables */
    r->limit = r->limit > 0;
    return H3OU__OK;
}

/* Checks a variable against the groups before it. Its own values were checked by the reader, which has each key's line.
 */
static int check_var(const h3ou__config *c, const h3ou__config_var *v)
{
    if (c->npair == 0)
        return fail_at(
            c, v->line,
            "h3ou_var: variable '%s' comes before any pair of grids (comp_put, comp_get, grid_put, grid_get)", v->put);
    if (!*v->put || !*v->get)
        return fail_at(c, v->line, "h3ou_var: key '%s%s' is missing: a variable needs the name of the sender and that of the receiver", *v->put ? "var_get" : "var_put",
                       v->is_vector ? "_vec" : "");
    if (v->flag == H3OU__FLAG_INT && (v->lag == 0 || !h3ou__interval_is_given(&v->intvl)))
        return fail_at(c, v->line, "h3ou_var: flag='INT' needs an interval, intvl, and a lag other than 0");
    const h3ou__config_pair *pair = &c->pair[v->pair];
    if (h3ou__config_is_own(pair) && v->lag > 0)
        return fail_at(c, v->line,
                       "h3ou_var: lag=%d inside component %s: it would wait for what it has yet to put itself; lag must be 0 or below",
                       v->lag, pair->comp_put);
    const h3ou__config_couple *back = v->lag > 0 ? find_couple(c, pair->comp_get, pair->comp_put) : NULL;
    if (back && back->line_lag)
        return fail_at(
            c, v->line,
            "h3ou_var: lag=%d from %s to %s, and in line %d from %s to %s: each would wait for the other; one direction must "
            "have lag=-1",
            v->lag, pair->comp_put, pair->comp_get, back->line_lag, pair->comp_get, pair->comp_put);
    return H3OU__OK;
}

/* Takes from the pair's group the keys that the variable's group does not have. */
static void inherit_remap(h3ou__config_remap *r, const h3ou__config_remap *pair)
{
    if (!*r->method)
        memcpy(r->method, pair->method, sizeof r->method);
    if (!*r->extrapolate)
        memcpy(r->extrapolate, pair->extrapolate, sizeof r->extrapolate);
    r->norm = r->norm >= 0 ? r->norm : pair->norm >= 0 ? pair->norm : 0;
    r->limit = r->limit >= 0 ? r->limit : pair->limit > 0;
    if (!r->has_missing) {
        r->has_missing = pair->has_missing;
        r->keep_missing = pair->keep_missing;
        r->missing = pair->missing;
    }
}

static int complete_remap(h3ou__config *c, h3ou__config_var *v)
{
    inherit_remap(&v->remap, &c->pair[v->pair].remap);
    if (!*v->remap.method && *v->remap.extrapolate)
        return fail_at(c, v->line, "h3ou_var: extrapolate='%s' needs a method: add the key method", v->remap.extrapolate);
    return find_stack(c, v->line, &v->remap);
}

int h3ou__config_add_var(h3ou__config *c, const h3ou__config_var *var)
{
    h3ou__config_var v = *var;
    v.pair = c->npair - 1;
    int err = check_var(c, &v);
    if (!err && h3ou__ensemble_keys_parse(&v))
        err = fail_at(c, v.line, "h3ou_var: %s", h3ou__fail_text());
    if (!err && h3ou__monitor_keys_parse(&v))
        err = fail_at(c, v.line, "h3ou_var: %s", h3ou__fail_text());
    if (!err)
        err = complete_remap(c, &v);
    if (err)
        return err;
    if (v.grid_intpl_tag != 0 && v.grid_intpl_tag <= H3OU__VECTOR_TAG &&
        v.grid_intpl_tag != c->pair[v.pair].mapping_tag)
        h3ou__log(H3OU__LOG_WHISPER, "tags-differ", "file=%s line=%d grid_intpl_tag=%d mapping_tag=%d used=mapping_tag",
                  c->file, v.line, v.grid_intpl_tag, c->pair[v.pair].mapping_tag);
    if (!h3ou__resize(&c->var, sizeof *c->var, c->nvar + 1))
        return h3ou__no_memory("the configuration");
    c->var[c->nvar++] = v;
    h3ou__config_couple *couple = find_couple(c, c->pair[v.pair].comp_put, c->pair[v.pair].comp_get);
    if (v.lag > 0 && !couple->line_lag)
        couple->line_lag = v.line;
    if (v.lag > 0)
        c->longest_lag = fmax(c->longest_lag, v.lag * h3ou__interval_most(&v.intvl));
    return H3OU__OK;
}

/* Called for a variable that its component gets already: an error, except when the two entries are the same one twice.
 */
static int accept_repeated_variable(h3ou__config *c, const h3ou__config_var *first, const h3ou__config_var *again)
{
    char text[sizeof c->leniency->text];
    const char *component = c->pair[again->pair].comp_get;
    if (again->pair != first->pair || strcmp(again->put, first->put) != 0)
        return fail_at(c, again->line, "h3ou_var: %s gets '%s' twice: it stands in line %d already: leave one out", component,
                       again->get, first->line);
    snprintf(text, sizeof text, "h3ou_var: %s gets '%s' twice: it stands in line %d already, and that line counts",
             component, again->get, first->line);
    return h3ou__config_lenient(c, again->line, text);
}

/* Checks that no component gets two variables of one name; removes entries that are repeated. */
static int check_gets(h3ou__config *c)
{
    enum { KEY = 2 * H3OU__CONFIG_NAME + 2 };
    h3ou__names names;
    int n = 0, err = h3ou__names_create(c->nvar, &names);
    char *keys = malloc((size_t)KEY * (size_t)(c->nvar + 1));
    if (!err && !keys)
        err = h3ou__no_memory("the configuration");
    for (int i = 0; i < c->nvar && !err; i++) {
        const h3ou__config_var *v = &c->var[i];
        char *key = keys + (size_t)KEY * (size_t)i;
        snprintf(key, KEY, "%s\n%s", c->pair[v->pair].comp_get, v->get);
        int before = h3ou__names_add(&names, key);
        if (before < n)
            err = accept_repeated_variable(c, &c->var[before], v);
        else
            c->var[n++] = *v;
    }
    if (!err)
        c->nvar = n;
    free(keys);
    h3ou__names_free(&names);
    return err;
}

int h3ou__config_parse(const char *name, const char *text, int64_t length, h3ou__config **out)
{
    h3ou__config *c = calloc(1, sizeof *c);
    if (!c)
        return h3ou__no_memory("the configuration");
    snprintf(c->file, sizeof c->file, "%s", name);
    c->calendar = H3OU__GREGORIAN;
    c->kings = 1;
    int err = h3ou__namelist_read(text, length, c);
    if (!err)
        err = check_gets(c);
    for (int i = 0; i < c->nvar; i++) {
        if (c->var[i].second_put < 0)
            c->var[i].second_put = c->second_put;
        if (c->var[i].bundle < 0)
            c->var[i].bundle = c->bundle;
    }
    h3ou__monitor_keys_inherit(c);
    for (int i = 0; i < c->nvar && !err && c->calendar == H3OU__NO_CALENDAR; i++)
        if (c->var[i].intvl.months > 0)
            err = fail_at(c, c->var[i].line, "h3ou_var: intvl in months needs a calendar, and calendar='none'");
    if (!err && c->strict && c->nleniency > 0)
        err = fail_at(c, c->leniency[0].line, "%s", c->leniency[0].text);
    if (err) {
        h3ou__config_free(c);
        return err;
    }
    *out = c;
    return H3OU__OK;
}

void h3ou__config_free(h3ou__config *c)
{
    if (!c)
        return;
    free(c->pair);
    for (int i = 0; i < c->keys.n; i++)
        free((char *)(uintptr_t)c->keys.name[i]);
    h3ou__names_free(&c->keys);
    free(c->first);
    free(c->couple);
    free(c->var);
    for (int i = 0; i < c->nstack; i++)
        free(c->stack[i]);
    free(c->stack);
    h3ou__names_free(&c->stacks);
    free(c->leniency);
    free(c);
}
