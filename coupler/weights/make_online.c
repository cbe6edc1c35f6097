/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/make_online.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/common/message_tags.h"
#include "coupler/config/leniency.h"
#include "coupler/search/cell_search.h"
#include "coupler/search/cell_search_inside.h"
#include "coupler/weights/coincident_cells.h"
#include "coupler/weights/coverage.h"
#include "coupler/weights/creep_gathered.h"
#include "coupler/weights/grid_needs.h"
#include "coupler/weights/grid_range.h"
#include "coupler/weights/made_rows.h"
#include "coupler/weights/mark_served.h"
#include "coupler/weights/weights_cache.h"
#include "coupler/weights/weights_from_file.h"
#include "interp/methods/method_stack.h"
#include "interp/sphere/angles.h"
#include "interp/weights/weights.h"

void h3ou__remainder_free(h3ou__remainder *r)
{
    free(r->unserved);
    free(r->fixed);
    free(r->value);
    free(r->partial);
    free(r->part);
    h3ou__gradient_free(r->gradient);
    free(r->source);
    memset(r, 0, sizeof *r);
}

/* The state of making one pair's weights. */
typedef struct making {
    const h3ou__make_online_task *task;
    h3ou__cell_search_task match;
    const h3ou__stack *stack;
    const char *text; /* of the stack, as the namelist has it */
    bool from_file;   /* the first method is a file */
    char file[700], key[65]; /* of the cache; empty: none */
    h3ou__made_rows *made; /* of a receiver, unless links of a file or the cache are among them: all links */
    h3ou__cache_rows rows; /* those links, when `made` is NULL; fixed values always */
    h3ou__remainder *left;
    int64_t by[H3OU__STACK_MOST], nleft, first_left; /* for the log */
} making;

/* A grid that says too little ends the run before anything is sent. */
static int check_grid(const making *m, const h3ou__grid *grid, bool sender)
{
    h3ou__grid_facts facts = {.component = sender ? m->task->name.send_comp : m->task->name.recv_comp,
                              .grid = grid->name,
                              .has_centres = grid->geometry.lon,
                              .has_corners = grid->geometry.corner_lon};
    return h3ou__grid_serves_methods(m->task->how->stack, &facts);
}

/* Checks a grid of my component, and makes its cells. Processes without cells have nothing to say, but the component must
 * agree. */
static int open_grid(const making *m, h3ou__grid *grid, bool sender)
{
    int err = check_grid(m, grid, sender);
    int64_t mine = err && grid->n > 0, all;
    if (err && mine)
        return err; /* the error ends the run */
    err = h3ou__allreduce(m->match.local, &mine, &all, 1, H3OU__INT64, H3OU__MAX);
    return err ? err : h3ou__grid_cells(grid, m->match.local);
}

/* Both components' leaders exchange a few numbers and broadcast them. */
static int swap_numbers(const making *m, const int64_t mine[], int64_t theirs[], int n)
{
    const h3ou__cell_search_task *t = &m->match;
    int err = H3OU__OK, peer = t->sender ? t->nsend : 0;
    if (h3ou__comm_rank(t->local) == 0) {
        h3ou__req req[2];
        if ((err = h3ou__irecv(t->model, peer, H3OU__TAG_MEET, theirs, n, H3OU__INT64, "the making of weights",
                               &req[0])) == H3OU__OK &&
            (err = h3ou__isend(t->model, peer, H3OU__TAG_MEET, mine, n, H3OU__INT64, "the making of weights",
                               &req[1])) == H3OU__OK)
            err = h3ou__waitall(t->world, 2, req);
    }
    return err ? err : h3ou__bcast(t->local, theirs, n, H3OU__INT64, 0);
}

/* Looks for a file in the cache with exactly these weights. Both components come to the same result. */
static int look_in_cache(making *m, bool *found)
{
    const h3ou__make_online_task *t = m->task;
    int64_t mine[H3OU__DIGEST], theirs[H3OU__DIGEST], has[2] = {0, 0};
    *found = false;
    if (!*t->cache || t->how->limit || m->from_file)
        return H3OU__OK;
    int err = h3ou__cache_grid(t->grid, m->match.local, mine);
    if (!err)
        err = t->source ? h3ou__cache_grid(t->source, m->match.local, theirs) : swap_numbers(m, mine, theirs, H3OU__DIGEST);
    if (err)
        return err;
    h3ou__cache_name(t, t->sender ? mine : theirs, t->sender ? theirs : mine, m->file, sizeof m->file, m->key);
    if (!t->sender && h3ou__comm_rank(m->match.local) == 0)
        has[0] = h3ou__cache_has(m->file, m->key);
    if (!t->sender)
        err = h3ou__bcast(m->match.local, has, 1, H3OU__INT64, 0);
    if (!err && !t->source)
        err = swap_numbers(m, has, has + 1, 1);
    *found = t->sender ? has[1] : has[0];
    return err;
}

/* Appends the links row by row; number: of the first method in these weights. */
static int add_links(making *m, const h3ou__weights *w, int number)
{
    const h3ou__grid *g = m->task->grid;
    h3ou__cache_rows *r = &m->rows;
    int64_t fixes = r->nfixed + w->ntarget;
    if (!h3ou__resize(&r->value, sizeof *r->value, fixes) || !h3ou__resize(&r->fixed, sizeof *r->fixed, fixes))
        return h3ou__no_memory("weights");
    int err = h3ou__made_rows_reserve(m->made, w->start[w->ntarget]);
    if (err)
        return err;
    for (int64_t i = 0; i < w->ntarget; i++) {
        if (w->served[i] >= 0)
            m->by[number + w->served[i]]++;
        h3ou__cache_rows_add_beside(r, w, i, (int)(g->cells->id[i] + 1));
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
            h3ou__made_rows_append(m->made, g->order[i], w->src[k], w->coef[k]);
    }
    return H3OU__OK;
}

static int keep_gradient(making *m, h3ou__weights *w, const h3ou__cells *part)
{
    m->left->gradient = w->gradient;
    w->gradient = NULL;
    m->left->nsource = part->n;
    if (!(m->left->source = malloc(sizeof *part->id * (size_t)(part->n + 1))))
        return h3ou__no_memory("weights");
    memcpy(m->left->source, part->id, sizeof *part->id * (size_t)part->n);
    return H3OU__OK;
}

/* Fixed values and fractions read from a file on rank 0 may be of other processes' cells: every process gets all, and keeps its own.
 */
static int share_fixed(making *m)
{
    int64_t n[1] = {m->rows.nfixed};
    int err = h3ou__bcast(m->match.local, n, 1, H3OU__INT64, 0);
    if (err || n[0] == 0)
        return err;
    if (!h3ou__resize(&m->rows.fixed, sizeof *m->rows.fixed, n[0]) ||
        !h3ou__resize(&m->rows.value, sizeof *m->rows.value, n[0]))
        return h3ou__no_memory("weights");
    m->rows.nfixed = n[0];
    if ((err = h3ou__bcast(m->match.local, m->rows.fixed, n[0], H3OU__INT32, 0)) == H3OU__OK)
        err = h3ou__bcast(m->match.local, m->rows.value, n[0], H3OU__DOUBLE, 0);
    return err;
}

/* Logs the progress of long work every few seconds, on rank 0 of the receiving component. */
typedef struct progress {
    const making *m;
    double interval, said; /* seconds between two lines; time of the last one */
} progress;

static void log_progress(void *user, const char *method, int64_t done, int64_t all)
{
    progress *p = user;
    const h3ou__pair_name *name = &p->m->task->name;
    double now = h3ou__world_worked(p->m->task->world);
    if (now - p->said < p->interval || all <= 0)
        return;
    p->said = now;
    h3ou__log(H3OU__LOG_WHISPER, "weights-progress", "from=%s/%s to=%s/%s method=%s done=%.0f%% of=%" PRId64,
              name->send_comp, name->send_grid, name->recv_comp, name->recv_grid, method,
              100.0 * (double)done / (double)all, all);
}

/* Applies the methods first to last - 1 of the stack to the cells that are not done, and updates done. */
static int make_some(making *m, h3ou__cells *part, int first, int last, unsigned char *done, bool creeps)
{
    h3ou__cells *mine = m->task->grid->cells;
    h3ou__weights_options options = {
        .norm = m->task->how->norm, .limit = m->task->how->limit && !m->left->gradient, .leave_out = done};
    progress seen = {.m = m, .said = h3ou__world_worked(m->task->world)};
    h3ou__weights *w = NULL;
    h3ou__stack stack;
    if (h3ou__env_real("H3OU_PROGRESS_DELAY", 10.0, &seen.interval))
        seen.interval = 10.0;
    if (h3ou__comm_rank(m->match.local) == 0) {
        options.progress = log_progress;
        options.user = &seen;
    }
    unsigned char *crept = calloc((size_t)mine->n + 1, 1);
    if (!crept)
        return h3ou__no_memory("weights");
    h3ou__stack_slice(m->stack, first, last, &stack);
    int err = h3ou__weights_make(&stack, part, mine, &options, &w);
    if (!err)
        err = add_links(m, w, first);
    if (!err && creeps)
        err = h3ou__creep_gathered_fill(m->match.local, m->task->grid, w, m->made, crept);
    for (int64_t i = 0; i < mine->n && !err; i++) {
        done[i] |= w->served[i] >= 0 || crept[i];
        if (creeps)
            m->by[last] += crept[i];
    }
    if (!err && w->gradient)
        err = keep_gradient(m, w, part);
    h3ou__weights_free(w);
    free(crept);
    return err;
}

/* A method that uses rows of neighbouring cells is taken out of the stack when the component has several processes,
 * which may hold these cells. */
static int make_rows(making *m, h3ou__cells *part, unsigned char *done)
{
    int first = m->from_file, err = H3OU__OK;
    while (first < m->stack->n && !err) {
        int last = first;
        while (last < m->stack->n && (m->match.nrecv == 1 || !m->stack->method[last]->by_neighbours))
            last++;
        if (last == first)
            err = h3ou__fail(H3OU__EARG, "method %s: it fills what other methods left, and must stand behind one",
                             m->stack->method[first]->name);
        else
            err = make_some(m, part, first, last, done, last < m->stack->n);
        first = last + 1;
    }
    return err;
}

/* The first method is a file, whose rows the receiving rank 0 has: marks this process's cells that they serve as done.
 */
static int take_file(making *m, unsigned char *done)
{
    const h3ou__grid *g = m->task->grid;
    unsigned char *served = calloc((size_t)g->n + 1, 1);
    int err =
        served ? h3ou__weights_from_file_read(&m->match, m->stack->keys[0].file, &m->rows) : h3ou__no_memory("weights");
    if (!err && !m->task->sender && (err = share_fixed(m)) == H3OU__OK)
        err = h3ou__mark_served(g, m->match.local, m->rows.n, m->rows.recv, served);
    for (int64_t i = 0; i < g->n && !err && !m->task->sender; i++) {
        done[i] = served[g->order[i]];
        m->by[0] += done[i];
    }
    for (int64_t k = 0; k < m->rows.nfixed && !err; k++) {
        int64_t i = m->rows.fixed[k] > 0 ? h3ou__cells_find(g->cells, m->rows.fixed[k] - 1) : -1;
        if (i >= 0 && !done[i])
            m->by[0] += done[i] = 1;
    }
    free(served);
    return err;
}

/* Makes both grids' ranges known to every process. */
static int swap_ranges(const making *m, h3ou__grid_range range[2])
{
    int64_t mine[4], theirs[4];
    bool sender = m->task->sender;
    int err = h3ou__grid_range_find(m->task->grid, m->match.local, &range[!sender]);
    if (m->task->source)
        return err ? err : h3ou__grid_range_find(m->task->source, m->match.local, &range[0]);
    memcpy(mine, &range[!sender], sizeof mine);
    if (!err && (err = swap_numbers(m, mine, theirs, 4)) == H3OU__OK)
        memcpy(&range[sender], theirs, sizeof theirs);
    return err;
}

/* Fails with the sentence that names the grid of which no cell takes part. */
static int fail_without_cells(const making *m, const char *grid)
{
    const h3ou__pair_name *name = &m->task->name;
    return h3ou__fail(H3OU__EARG,
                      "weights from %s/%s to %s/%s: no cell of grid %s takes part: its mask is 0, or its coordinates are "
                      "missing, at every cell: set the mask to another value than 0 where the field has values",
                      name->send_comp, name->send_grid, name->recv_comp, name->recv_grid, grid);
}

static int fail_unserved(const making *m, const h3ou__grid_range range[2], int64_t expected)
{
    const h3ou__pair_name *name = &m->task->name;
    char text[2][128], ask[128] = "do the coordinates, grid_shape and masks of both belong to their cells?";
    for (int k = 0; k < 2; k++) {
        if (!h3ou__grid_range_has_cells(&range[k]))
            return fail_without_cells(m, k ? name->recv_grid : name->send_grid);
        h3ou__grid_range_text(&range[k], text[k], sizeof text[k]);
        if (h3ou__grid_range_like_radians(&range[k]))
            snprintf(ask, sizeof ask, "is %.64s in radians? (units='radians')", k ? name->recv_grid : name->send_grid);
    }
    return h3ou__fail(H3OU__EARG,
                      "weights from %s/%s to %s/%s: method %s serves none of the %" PRId64
                      " cells of %s that take part: "
                      "%s reaches from %s, %s from %s: %s",
                      name->send_comp, name->send_grid, name->recv_comp, name->recv_grid, m->stack->method[0]->name,
                      expected, name->recv_grid, name->send_grid, text[0], name->recv_grid, text[1], ask);
}

/* A first method that serves no cell is a mistake, however many the methods behind it serve. */
static int check_served(const making *m)
{
    const h3ou__cells *c = m->task->grid->cells;
    h3ou__grid_range range[2];
    int64_t mine[2] = {m->by[0], 0}, all[2];
    int err = swap_ranges(m, range);
    if (err || m->task->sender)
        return err;
    for (int64_t i = 0; i < c->n; i++)
        mine[1] += c->mask[i] != 0;
    err = h3ou__allreduce(m->match.local, mine, all, 2, H3OU__INT64, H3OU__SUM);
    return err || all[0] > 0 || all[1] == 0 ? err : fail_unserved(m, range, all[1]);
}

/* Searches, and makes the rows of the methods that follow a file. */
static int search_and_make(making *m, unsigned char *done)
{
    h3ou__cells *part = NULL;
    int64_t *owner = NULL;
    int err = h3ou__cell_search(&m->match, &part, &owner);
    if (!err && !m->task->sender)
        err = h3ou__made_rows_create(part->n, part->id, owner, &m->made);
    free(owner);
    if (!err && !m->task->sender && (err = make_rows(m, part, done)) == H3OU__OK)
        err = h3ou__coincident_cells_log(&m->match, part);
    if (!err)
        err = h3ou__coverage_compare_masks(&m->match, &m->task->name, part);
    if (!err)
        err = check_served(m);
    h3ou__cells_free(part);
    return err;
}

/* Turns all links to global indices, for the cache, or when links of a file come before the made ones. */
static int to_links(making *m)
{
    int err = h3ou__made_rows_to_links(m->made, m->task->grid->index, &m->rows);
    if (err || !m->from_file)
        return err ? err : h3ou__cache_write(m->file, m->key, m->task->world, m->match.local, &m->rows, m->text);
    h3ou__made_rows_free(m->made);
    m->made = NULL;
    return H3OU__OK;
}

static int make_anew(making *m)
{
    unsigned char *done = calloc((size_t)m->task->grid->n + 1, 1);
    int err = !done ? h3ou__no_memory("weights") : m->from_file ? take_file(m, done) : H3OU__OK;
    if (!err && m->stack->n > m->from_file)
        err = search_and_make(m, done);
    free(done);
    return err || !m->made || (!m->from_file && !*m->file) ? err : to_links(m);
}

/* Finds this process's cells that have a row: links that came from a file may be of other processes' cells, so the
 * component's rank that keeps the cell in the grid's directory tells its holder. */
static int mark_served(making *m, unsigned char *served)
{
    const h3ou__grid *g = m->task->grid;
    for (int64_t k = 0; m->made && k < m->made->n; k++)
        served[m->made->target[k]] = 1;
    return m->made ? H3OU__OK : h3ou__mark_served(g, m->match.local, m->rows.n, m->rows.recv, served);
}

/* Keeps the fractions of this process's cells that are covered in part. */
static int keep_partial(making *m)
{
    h3ou__remainder *left = m->left;
    const h3ou__grid *g = m->task->grid;
    left->partial = malloc(sizeof *left->partial * (size_t)(g->n + 1));
    left->part = malloc(sizeof *left->part * (size_t)(g->n + 1));
    if (!left->partial || !left->part)
        return h3ou__no_memory("weights");
    for (int64_t k = 0; k < m->rows.nfixed; k++) {
        int64_t i = m->rows.fixed[k] < 0 ? h3ou__cells_find(g->cells, -m->rows.fixed[k] - 1) : -1;
        if (i < 0 || left->npartial == g->n)
            continue;
        left->partial[left->npartial] = g->order[i];
        left->part[left->npartial++] = m->rows.value[k];
    }
    return H3OU__OK;
}

/* Keeps the positions of this process's cells that are left over, and of those with a fixed value. */
static int keep_remainder(making *m, const unsigned char *served)
{
    const h3ou__grid *g = m->task->grid;
    h3ou__remainder *left = m->left;
    unsigned char *is_fixed = calloc((size_t)g->n + 1, 1);
    left->unserved = malloc(sizeof *left->unserved * (size_t)(g->n + 1));
    left->fixed = malloc(sizeof *left->fixed * (size_t)(g->n + 1));
    left->value = malloc(sizeof *left->value * (size_t)(g->n + 1));
    if (!is_fixed || !left->unserved || !left->fixed || !left->value) {
        free(is_fixed);
        return h3ou__no_memory("weights");
    }
    for (int64_t k = 0; k < m->rows.nfixed; k++) {
        int64_t i = m->rows.fixed[k] > 0 ? h3ou__cells_find(g->cells, m->rows.fixed[k] - 1) : -1;
        if (i < 0)
            continue;
        is_fixed[i] = 1;
        left->fixed[left->nfixed] = g->order[i];
        left->value[left->nfixed++] = m->rows.value[k];
    }
    for (int64_t i = 0; i < g->n; i++)
        if (g->cells->mask[i] && !served[g->order[i]] && !is_fixed[i]) {
            left->unserved[left->nunserved++] = g->order[i];
            m->first_left = m->nleft++ ? m->first_left : i;
        }
    free(is_fixed);
    return keep_partial(m);
}

/* Warns of cells that no method serves although the model's mask says that they take part; at: the first of them. */
static void warn_of_left(const making *m, int64_t left, int64_t expected, const char *at)
{
    const h3ou__pair_name *name = &m->task->name;
    h3ou__warn(NULL,
               "weights from %s/%s to %s/%s: %" PRId64 " of the %" PRId64
               " cells whose mask says that they take part get "
               "no value by method '%s' (%s): mask them, or let nearest or creep fill them (extrapolate)",
               name->send_comp, name->send_grid, name->recv_comp, name->recv_grid, left, expected, m->text, at);
}

/* What is summed over the component's processes, beside the cells by method. */
enum { LINKS = H3OU__STACK_MOST, LEFT, EXPECTED, HAS_MASK, SUMS };

/* Logs how many cells each method served, how many are left over, and where the first of these is. */
static int log_weights(making *m, double since, bool from_cache)
{
    const h3ou__cells *c = m->task->grid->cells;
    h3ou__comm *local = m->match.local;
    int64_t mine[SUMS] = {0}, all[SUMS], first[2], least[2];
    memcpy(mine, m->by, sizeof m->by);
    mine[LINKS] = m->made ? m->made->n : m->rows.n;
    mine[LEFT] = m->nleft;
    mine[HAS_MASK] = m->task->grid->geometry.mask != NULL;
    for (int64_t i = 0; i < c->n; i++)
        mine[EXPECTED] += c->mask[i] != 0;
    first[0] = m->nleft ? c->id[m->first_left] : INT64_MAX;
    int err = h3ou__allreduce(local, mine, all, SUMS, H3OU__INT64, H3OU__SUM);
    if (!err)
        err = h3ou__allreduce(local, first, least, 1, H3OU__INT64, H3OU__MIN);
    /* where[2]: of the process that worked most */
    double place[3] = {-1e9, -1e9, h3ou__world_worked(m->task->world) - since}, where[3];
    if (!err && m->nleft && first[0] == least[0] && c->lon) {
        place[0] = c->lon[m->first_left] * H3OU__DEGREES_PER_RADIAN;
        place[1] = c->lat[m->first_left] * H3OU__DEGREES_PER_RADIAN;
    }
    if (!err)
        err = h3ou__allreduce(local, place, where, 3, H3OU__DOUBLE, H3OU__MAX);
    if (err || h3ou__comm_rank(local) != 0)
        return err;
    char by[512] = "", at[128] = "";
    for (int k = 0, used = 0; k < m->stack->n && !from_cache && used < (int)sizeof by; k++)
        used += snprintf(by + used, sizeof by - (size_t)used, " %s=%" PRId64, m->stack->method[k]->name, all[k]);
    if (all[LEFT])
        snprintf(at, sizeof at, " first=%" PRId64, least[0] + 1);
    if (all[LEFT] && where[0] > -1e9)
        snprintf(at + strlen(at), sizeof at - strlen(at), " at=\"%.3f E %.3f N\"", where[0], where[1]);
    if (all[LEFT] && all[HAS_MASK])
        warn_of_left(m, all[LEFT], all[EXPECTED], at + 1);
    h3ou__log(H3OU__LOG_WHISPER, "weights-made",
              "from=%s/%s to=%s/%s method=\"%s\" source=%s links=%" PRId64 "%s left=%" PRId64 "%s seconds=%.2f",
              m->task->name.send_comp, m->task->name.send_grid, m->task->name.recv_comp, m->task->name.recv_grid,
              m->text,
              from_cache     ? m->file
              : m->from_file ? m->stack->keys[0].file
                             : "made",
              all[LINKS], by, all[LEFT], at, where[2]);
    return H3OU__OK;
}

/* Ends the making on the receiving side, once the rows are known. */
static int finish_rows(making *m, bool from_cache, double since)
{
    unsigned char *served = calloc((size_t)m->task->grid->n + 1, 1);
    int err = served ? H3OU__OK : h3ou__no_memory("weights");
    if (!err && from_cache)
        err = share_fixed(m);
    if (!err)
        err = mark_served(m, served);
    if (!err)
        err = keep_remainder(m, served);
    if (!err)
        err = log_weights(m, since, from_cache);
    free(served);
    return err;
}

static int begin_making(making *m)
{
    const h3ou__make_online_task *t = m->task;
    int a = h3ou__world_find(t->world, t->name.send_comp), b = h3ou__world_find(t->world, t->name.recv_comp);
    m->stack = &t->how->stack->methods;
    m->from_file = m->stack->method[0]->is_file;
    m->text = t->how->stack->text;
    m->match = (h3ou__cell_search_task){.world = t->world,
                                        .local = h3ou__world_local(t->world),
                                        .nsend = h3ou__world_component_size(t->world, a),
                                        .nrecv = h3ou__world_component_size(t->world, b),
                                        .sender = t->sender,
                                        .grid = t->grid,
                                        .source = t->source,
                                        .source_name = t->name.send_grid,
                                        .stack = m->stack};
    int err = t->source ? open_grid(m, t->source, true) : h3ou__world_model(t->world, a, b, &m->match.model);
    return err ? err : open_grid(m, t->grid, t->sender);
}

int h3ou__make_online(const h3ou__make_online_task *task, h3ou__table **table, h3ou__remainder *left)
{
    making m = {.task = task, .left = left};
    bool found = false;
    double since = h3ou__world_worked(task->world);
    memset(left, 0, sizeof *left);
    int err = begin_making(&m);
    if (!err)
        err = look_in_cache(&m, &found);
    if (!err && found && !task->sender)
        err = h3ou__cache_read(m.file, h3ou__comm_rank(m.match.local), h3ou__comm_size(m.match.local), &m.rows);
    if (!err && !found)
        err = make_anew(&m);
    if (!err && !task->sender)
        err = finish_rows(&m, found, since);
    if (!err)
        err = h3ou__table_create(&task->name, task->sender || m.made ? NULL : m.rows.send, m.rows.recv, m.rows.coef,
                                 m.rows.n, true, table);
    if (!err && m.made)
        h3ou__table_adopt(*table, m.made);
    else
        h3ou__made_rows_free(m.made);
    h3ou__cache_rows_free(&m.rows);
    if (err)
        h3ou__remainder_free(left);
    return err;
}
