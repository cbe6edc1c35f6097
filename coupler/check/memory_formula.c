/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/memory_formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "coupler/check/files_check.h"
#include "coupler/config/interval_flag.h"

/* Bytes, as docs/memory.md has them. */
static const double OWN_CELL = 205, TABLE_CELL = 84, SOURCE_CELL = 100, LINK = 13, NEW_LINK = 18, FILE_LINK = 44, ROW = 16;
static const double FIXED = 1 << 20, PARTNER = (1 << 19) + 1264, LONG_MESSAGE = 1 << 18, FACTOR = 2, MIB = 1 << 20;

typedef struct parts {
    double fields, plan, weights, rings, transport;
    double making; /* the most that making the weights of a pair takes for a while */
} parts;

/* A pair of grids with one way to make its weights, and what its numbers of processes are. */
typedef struct traffic {
    double source, target;             /* cells of the grids */
    double links;                      /* in all */
    int sending, receiving;            /* processes */
    double needed, sent;               /* cells that one receives, and that one sends */
    int senders, receivers;            /* partners of one that receives, and of one that sends */
} traffic;

/* Returns the links of a target cell by the first method of a stack. ratio: source cells for each target cell. */
static double links_of_cell(const h3ou__stack *stack, double ratio)
{
    const h3ou__method *m = stack->method[0];
    double overlaps = (1 + sqrt(ratio)) * (1 + sqrt(ratio)); /* of a box and boxes of which `ratio` have its size */
    return m->nearest > 0 ? stack->keys[0].n : m->conserves ? m->links * overlaps : m->links;
}

static int processes_of(const h3ou__check *c, const char *component)
{
    const h3ou__checked *part = h3ou__check_find(c, component);
    return part && part->processes > 0 ? part->processes : 1;
}

/* Returns with how many of `others` processes one of `mine` exchanges, when each has a compact part. */
static int partners_of(int mine, int others)
{
    int most = (others + mine - 1) / mine + 1;
    return mine == 1 || most > others ? others : most;
}

static traffic traffic_of(const h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_remap *how)
{
    traffic t = {.source = (double)h3ou__check_cells(c, p->comp_put, p->grid_put), .target = (double)h3ou__check_cells(c, p->comp_get, p->grid_get),
                 .sending = processes_of(c, p->comp_put), .receiving = processes_of(c, p->comp_get)};
    double known = (double)h3ou__check_links(c, p, how), part = t.source / t.receiving;
    if (t.target > 0)
        t.links = known > 0 ? known : how->stack ? t.target * links_of_cell(&how->stack->methods, t.source / t.target) : t.target;
    t.needed = t.receiving == 1 ? t.source : fmin(t.source, part + 4 * sqrt(part)); /* and what lies around a compact part */
    t.sent = fmin(t.needed, t.links / t.receiving) * t.receiving / t.sending;
    t.senders = partners_of(t.receiving, t.sending);
    t.receivers = partners_of(t.sending, t.receiving);
    return t;
}

/* Adds the messages of a field, of so many cells in all, to or from so many processes. */
static void add_messages(parts *m, const h3ou__config_var *v, double cells, int partners)
{
    double size = v->type == H3OU__REAL4 ? sizeof(float) : sizeof(double);
    double message = cells * (v->layer * (v->is_vector ? 3 : 1) * size + sizeof(double));
    int places = message / partners > LONG_MESSAGE ? 2 : 4;
    m->rings += message * (places == 2 && v->second_put == H3OU__SECOND_IS_ERROR ? 3 : places);
    m->fields += message; /* the first one, by which the two meet */
}

static void add_sent(parts *m, const h3ou__config_var *v, const traffic *t)
{
    double values = t->source / t->sending * v->layer * h3ou__config_components(v, v->put_xyz) * sizeof(double);
    m->fields += values * (v->flag == H3OU__FLAG_SNP || v->flag == H3OU__FLAG_INT ? 1 : 2);
    add_messages(m, v, t->sent, t->receivers);
}

static void add_received(parts *m, const h3ou__config_var *v, const traffic *t)
{
    double slots = fmin(t->needed, t->links / t->receiving), size = v->type == H3OU__REAL4 ? sizeof(float) : sizeof(double);
    double values = t->target / t->receiving * v->layer * h3ou__config_components(v, v->get_xyz) * sizeof(double);
    m->fields += t->senders > 1 ? slots * (v->layer * (v->is_vector ? 3 : 1) * size + sizeof(double)) : 0;
    m->fields += (v->is_vector ? values : 0) + (v->flag == H3OU__FLAG_INT ? 3 * values : 0);
    add_messages(m, v, slots, t->senders);
}

/* Adds the weights of a pair, which the receiving processes have. */
static void add_weights(parts *m, const h3ou__config_remap *how, const traffic *t)
{
    double links = t->links / t->receiving, making = links * NEW_LINK;
    m->weights += links * LINK + t->target / t->receiving * ROW;
    if (how->stack && how->stack->methods.method[0]->is_file)
        making += t->links * FILE_LINK; /* of the process that reads the file */
    else if (how->stack)
        making += t->needed * SOURCE_CELL;
    m->making = fmax(m->making, making);
}

/* Adds the cells of the component's grid in a pair, unless a pair before has it. */
static void add_grid(const h3ou__check *c, parts *m, int pair, const char *component, const char *grid)
{
    const h3ou__config_pair *pairs = c->config->pair;
    bool has_method = false;
    for (int i = 0; i < c->config->npair; i++) {
        bool has_it = (!strcmp(pairs[i].comp_put, component) && !strcmp(pairs[i].grid_put, grid)) ||
                      (!strcmp(pairs[i].comp_get, component) && !strcmp(pairs[i].grid_get, grid));
        if (has_it && i < pair)
            return;
        has_method |= has_it && pairs[i].remap.stack;
    }
    double cells = ceil((double)h3ou__check_cells(c, component, grid) / processes_of(c, component));
    m->plan += cells * (has_method ? OWN_CELL : TABLE_CELL);
}

static void add_pair(const h3ou__check *c, parts *m, int pair, const char *component)
{
    const h3ou__config_pair *p = &c->config->pair[pair];
    bool puts = !strcmp(p->comp_put, component), gets = !strcmp(p->comp_get, component);
    const h3ou__config_remap *last = NULL;
    if (puts)
        add_grid(c, m, pair, component, p->grid_put);
    if (gets && !(puts && !strcmp(p->grid_put, p->grid_get)))
        add_grid(c, m, pair, component, p->grid_get);
    for (int i = 0; i < c->config->nvar && (puts || gets); i++) {
        const h3ou__config_var *v = &c->config->var[i];
        if (v->pair != pair)
            continue;
        traffic t = traffic_of(c, p, &v->remap);
        if (puts)
            add_sent(m, v, &t);
        if (gets)
            add_received(m, v, &t);
        if (gets && (!last || last->stack != v->remap.stack))
            add_weights(m, last = &v->remap, &t);
        double partners = fmax(puts ? t.receivers : 0, gets ? t.senders : 0);
        m->transport = fmax(m->transport, FIXED + PARTNER * partners);
    }
}

/* Adds to text the grids of the component whose sizes are not known; returns whether there is one. */
static bool list_unknown(const h3ou__check *c, const char *component, char *text, size_t size)
{
    bool found = false;
    for (int i = 0; i < c->config->npair; i++) {
        const h3ou__config_pair *p = &c->config->pair[i];
        const char *const ends[2][2] = {{p->comp_put, p->grid_put}, {p->comp_get, p->grid_get}};
        bool is_mine = !strcmp(p->comp_put, component) || !strcmp(p->comp_get, component);
        for (int k = 0; k < 2 && is_mine; k++) {
            char name[2 * H3OU__CONFIG_NAME + 4];
            if (h3ou__check_cells(c, ends[k][0], ends[k][1]) > 0)
                continue;
            found = true;
            snprintf(name, sizeof name, "%s/%s", ends[k][0], ends[k][1]);
            if (!strstr(text, name) && strlen(text) + strlen(name) + 3 < size)
                snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? ", " : "", name);
        }
    }
    return found;
}

static void tell_parts(h3ou__check *c, const h3ou__checked *part, const parts *m)
{
    /* What making the weights took is free again when the fields need theirs. */
    double plan = m->plan + fmax(0, m->making - m->fields - m->rings), all = m->fields + plan + m->weights + m->rings + m->transport;
    h3ou__check_tell(c, "parts", "%s\t%d\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f", part->name, part->processes, m->fields, plan, m->weights, m->rings, m->transport);
    if (part->memory > 0 && !h3ou__setup_find(&part->setup, "memory", "before", NULL, "peak", NULL) && all > part->memory)
        h3ou__check_tell(c, all > FACTOR * part->memory ? "error" : "warning",
                         "component %s: h3ou alone will need about %.0f MiB in a process, and its limit is %.0f MiB (memory): give it more processes",
                         part->name, all / MIB, part->memory / MIB);
}

void h3ou__memory_formula(h3ou__check *c)
{
    char unknown[512] = "";
    for (int i = 0; i < c->n; i++) {
        const h3ou__checked *part = &c->component[i];
        parts m = {0};
        if (part->processes < 1 || list_unknown(c, part->name, unknown, sizeof unknown))
            continue;
        for (int pair = 0; pair < c->config->npair; pair++)
            add_pair(c, &m, pair, part->name);
        if (m.transport > 0)
            tell_parts(c, part, &m);
    }
    if (*unknown)
        h3ou__check_tell(c, "note", "the sizes of these grids are not known, so that the memory of h3ou is not predicted: %s: give their files by the key grids "
                                    "of [run], or by --grids", unknown);
}
