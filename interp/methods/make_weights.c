/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes weights: each method of a stack makes rows for the targets that the former methods left. */
#include "interp/methods/method_stack.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/cell_areas.h"
#include "interp/grid/coincident.h"
#include "interp/stencils/method.h"
#include "interp/stencils/overlaps.h"
#include "interp/weights/threads.h"
#include "interp/weights/weights.h"

/* Targets that one thread takes at a time: few enough to balance the threads, enough that the memory of a chunk returns
 * to the system when it is freed. */
enum { LEAST_CHUNK = 64, MOST_CHUNK = 8192, CHUNKS = 128 };

static int64_t chunk_of(int64_t n)
{
    int64_t size = n / CHUNKS;
    return size < LEAST_CHUNK ? LEAST_CHUNK : size > MOST_CHUNK ? MOST_CHUNK : size;
}

/* Sorts the entries by source, stably, and sums those of one source, so that the order of the sums depends on the row
 * alone. */
static void sort_row(h3ou__row *row)
{
    for (int64_t i = 1; i < row->n; i++) {
        int32_t src = row->src[i];
        double coef = row->coef[i];
        int64_t k = i;
        for (; k > 0 && row->src[k - 1] > src; k--) {
            row->src[k] = row->src[k - 1];
            row->coef[k] = row->coef[k - 1];
        }
        row->src[k] = src;
        row->coef[k] = coef;
    }
    int64_t to = 0;
    for (int64_t i = 0; i < row->n; i++)
        if (to > 0 && row->src[to - 1] == row->src[i])
            row->coef[to - 1] += row->coef[i];
        else {
            row->src[to] = row->src[i];
            row->coef[to++] = row->coef[i];
        }
    row->n = to;
}

/* The rows of a run of targets, one after the other. */
typedef struct chunk {
    int64_t n, room;
    int32_t *src;
    double *coef;
} chunk;

/* Appends a row; usual: the room of an empty chunk. */
static int chunk_append(chunk *c, const h3ou__row *row, int64_t usual)
{
    if (c->n + row->n > c->room) {
        int64_t room = c->n + row->n > 2 * c->room ? c->n + row->n + usual : 2 * c->room;
        if (!h3ou__resize(&c->src, sizeof *c->src, room) || !h3ou__resize(&c->coef, sizeof *c->coef, room))
            return h3ou__no_memory("weights");
        c->room = room;
    }
    if (row->n == 0)
        return H3OU__OK;
    memcpy(c->src + c->n, row->src, sizeof *row->src * (size_t)row->n);
    memcpy(c->coef + c->n, row->coef, sizeof *row->coef * (size_t)row->n);
    c->n += row->n;
    return H3OU__OK;
}

/* The work of one method on all targets that are left. */
typedef struct pass {
    const h3ou__method *method;
    h3ou__method_task *task;
    const void *state;
    h3ou__weights *w;
    int64_t n;
    const int64_t *target; /* [n] those left, ascending */
    int32_t *length;       /* [n] of their rows; -1: not served */
    int64_t chunk_size;
    chunk *chunk;
    int64_t done;
} pass;

static int set_fixed(h3ou__weights *w, int64_t target, double value)
{
    int err;
#pragma omp critical(h3ou_fixed)
    err = h3ou__weights_hold_fixed(w);
    if (!err)
        w->fixed[target] = value;
    return err;
}

static int serve_one(pass *p, int64_t k, h3ou__row *row, chunk *c)
{
    row->n = 0;
    row->frac = 1.0;
    row->is_fixed = false;
    int err = p->method->serve(p->task, p->state, p->target[k], row);
    p->length[k] = -1;
    if (err || (row->n == 0 && !row->is_fixed))
        return err;
    sort_row(row);
    p->length[k] = (int32_t)row->n;
    p->w->frac[p->target[k]] = row->frac;
    if (row->is_fixed)
        err = set_fixed(p->w, p->target[k], row->fixed);
    return err ? err : chunk_append(c, row, 4 * p->chunk_size);
}

/* Frees the unused memory of a full chunk. */
static void chunk_trim(chunk *c)
{
    if (c->n == 0 || c->n == c->room)
        return;
    h3ou__resize(&c->src, sizeof *c->src, c->n);
    h3ou__resize(&c->coef, sizeof *c->coef, c->n);
    c->room = c->n;
}

static void report_progress(pass *p, int64_t more)
{
    const h3ou__weights_options *o = p->task->options;
#pragma omp atomic
    p->done += more;
    if (o->progress)
#pragma omp critical(h3ou_progress)
        o->progress(o->user, p->method->name, p->done, p->n);
}

/* The sentence of an error is kept per thread: the first thread's is copied to the calling one. */
static int serve_all(pass *p)
{
    int first = H3OU__OK;
    char text[H3OU__ERROR_TEXT] = "";
    int threads = h3ou__threads(p->task->options->threads);
#pragma omp parallel num_threads(threads)
    {
        h3ou__row row = {0};
#pragma omp for schedule(dynamic, 1)
        for (int64_t from = 0; from < p->n; from += p->chunk_size) {
            int64_t to = from + p->chunk_size < p->n ? from + p->chunk_size : p->n;
            int err = first;
            for (int64_t k = from; k < to && !err; k++)
                err = serve_one(p, k, &row, &p->chunk[from / p->chunk_size]);
            if (err)
#pragma omp critical(h3ou_error)
                if (!first) {
                    first = err;
                    snprintf(text, sizeof text, "%s", h3ou__fail_text());
                }
            chunk_trim(&p->chunk[from / p->chunk_size]);
            report_progress(p, to - from);
        }
        free(row.src);
        free(row.coef);
        if (row.under)
            h3ou__under_free(row.under);
        free(row.under);
        free(row.scratch);
    }
    return first ? h3ou__fail(first, "%s", text) : H3OU__OK;
}

/* The chunks' rows, one after the other; chunks are freed on the way, which keeps the peak low. */
static int join_chunks(pass *p, int64_t links, int32_t **src, double **coef)
{
    int64_t nchunk = (p->n + p->chunk_size - 1) / p->chunk_size, *at = malloc(sizeof *at * (size_t)(nchunk + 1));
    int threads = h3ou__threads(p->task->options->threads);
    *src = malloc(sizeof **src * (size_t)(links + 1));
    *coef = malloc(sizeof **coef * (size_t)(links + 1));
    int err = at && *src && *coef ? H3OU__OK : h3ou__no_memory("weights");
    for (int64_t c = 0; c < nchunk && !err; c++)
        at[c] = c ? at[c - 1] + p->chunk[c - 1].n : 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t c = 0; c < nchunk; c++) {
        if (!err && p->chunk[c].n) {
            memcpy(*src + at[c], p->chunk[c].src, sizeof **src * (size_t)p->chunk[c].n);
            memcpy(*coef + at[c], p->chunk[c].coef, sizeof **coef * (size_t)p->chunk[c].n);
        }
        free(p->chunk[c].src);
        free(p->chunk[c].coef);
    }
    free(at);
    return err;
}

/* Takes over the rows of the first method as they are, without copying. */
static void take_rows(pass *p, int32_t *src, double *coef)
{
    h3ou__weights *w = p->w;
    int64_t links = 0, k = 0;
    free(w->src);
    free(w->coef);
    w->src = src;
    w->coef = coef;
    for (int64_t i = 0; i <= w->ntarget; i++) {
        w->start[i] = links;
        if (k == p->n || p->target[k] != i)
            continue;
        if (p->length[k] >= 0) {
            w->served[i] = (signed char)p->task->number;
            links += p->length[k];
        }
        k++;
    }
}

static int insert_rows(pass *p, const int32_t *src, const double *coef)
{
    int64_t n = 0, links = 0, *target = malloc(sizeof *target * (size_t)(p->n + 1));
    int64_t *start = malloc(sizeof *start * (size_t)(p->n + 1));
    int err = target && start ? H3OU__OK : h3ou__no_memory("weights");
    for (int64_t k = 0; k < p->n && !err; k++) {
        if (p->length[k] < 0)
            continue;
        target[n] = p->target[k];
        start[n++] = links;
        links += p->length[k];
    }
    if (!err) {
        start[n] = links;
        err = h3ou__weights_insert(p->w, p->task->number, n, target, start, src, coef);
    }
    free(target);
    free(start);
    return err;
}

static int collect_rows(pass *p)
{
    int64_t links = 0;
    int32_t *src = NULL;
    double *coef = NULL;
    for (int64_t k = 0; k < p->n; k++)
        links += p->length[k] > 0 ? p->length[k] : 0;
    int err = join_chunks(p, links, &src, &coef);
    if (!err && p->w->start[p->w->ntarget] == 0) {
        take_rows(p, src, coef);
        return H3OU__OK;
    }
    if (!err)
        err = insert_rows(p, src, coef);
    free(src);
    free(coef);
    return err;
}

static int run_serve(const h3ou__method *m, h3ou__method_task *task, int64_t n, const int64_t target[])
{
    void *state = NULL;
    int64_t size = chunk_of(n), nchunk = (n + size - 1) / size;
    pass p = {.method = m, .task = task, .w = task->weights, .n = n, .target = target, .chunk_size = size};
    p.length = malloc(sizeof *p.length * (size_t)(n + 1));
    p.chunk = calloc((size_t)nchunk + 1, sizeof *p.chunk);
    int err = p.length && p.chunk ? H3OU__OK : h3ou__no_memory("weights");
    for (int64_t k = 0; k < n && !err; k++)
        p.length[k] = -1;
    if (!err && m->open)
        err = m->open(task, &state);
    p.state = state;
    if (!err)
        err = serve_all(&p);
    if (m->close)
        m->close(state);
    if (!err)
        err = collect_rows(&p);
    else
        for (int64_t c = 0; p.chunk && c < nchunk; c++) {
            free(p.chunk[c].src);
            free(p.chunk[c].coef);
        }
    free(p.length);
    free(p.chunk);
    return err;
}

static int run_method(const h3ou__method *m, h3ou__method_task *task)
{
    int err = H3OU__OK;
    h3ou__weights *w = task->weights;
    if (m->by_corners && (!h3ou__cells_have_corners(task->source) || !h3ou__cells_have_corners(task->target)))
        return h3ou__fail(H3OU__EARG, "method %s needs the corners of both grids: %s has none", m->name,
                          h3ou__cells_have_corners(task->source) ? task->target->name : task->source->name);
    if (!m->by_corners && ((err = h3ou__cells_places(task->source)) || (err = h3ou__cells_places(task->target))))
        return err;
    if (m->fill)
        return m->fill(task);
    err = m->by_corners ? h3ou__cells_compare_polygons(task->source) : h3ou__cells_compare_centres(task->source);
    if (err)
        return err;
    int64_t n = 0, *target = malloc(sizeof *target * (size_t)(w->ntarget + 1));
    if (!target)
        return h3ou__no_memory("weights");
    for (int64_t i = 0; i < w->ntarget; i++)
        if (w->served[i] == H3OU__BY_NONE)
            target[n++] = i;
    if (n > 0 || task->number == 0)
        err = run_serve(m, task, n, target);
    free(target);
    return err;
}

static const double LARGEST = 10.0; /* a weight of any method on a sound grid is well below this */

/* A weight as if areas were those of the corners: the user's may have any unit. */
static double without_areas(const h3ou__method_task *task, int64_t target, int64_t source, double coef)
{
    const h3ou__weights *w = task->weights;
    if (w->norm != H3OU__DESTAREA || !w->conserves)
        return coef;
    if (task->target->area && w->target_area)
        coef *= task->target->area[target] / w->target_area[target];
    if (task->source->area && w->source_area && task->source->area[source] > 0.0)
        coef *= w->source_area[source] / task->source->area[source];
    return coef;
}

/* Weights that are not finite, or so large that they cannot be right, are an error. */
static int check_weights(const h3ou__method_task *task)
{
    const h3ou__weights *w = task->weights;
    int64_t bad = 0, source = 0, target = 0;
    double first = 0.0;
    for (int64_t i = 0; i < w->ntarget; i++)
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
            if (!(fabs(w->coef[k]) <= LARGEST) && !(fabs(without_areas(task, i, w->src[k], w->coef[k])) <= LARGEST) &&
                bad++ == 0) {
                first = w->coef[k];
                source = h3ou__cell_id(task->source, w->src[k]) + 1;
                target = h3ou__cell_id(task->target, i) + 1;
            }
    if (bad == 0)
        return H3OU__OK;
    return h3ou__fail(H3OU__EARG,
                      "weights from %s to %s by %s: %" PRId64 " are not finite or beyond -10 and 10 (first: %g, from cell "
                      "%" PRId64 " to cell %" PRId64 "): cells of %s nearly coincide or overlap there%s; correct them or "
                      "mask them",
                      task->source->name, task->target->name, w->how, bad, first, source, target, task->source->name,
                      task->source->area || task->target->area ? ", or the areas that were given are not those of the cells" : "");
}

int h3ou__weights_make(const h3ou__stack *stack, h3ou__cells *source, h3ou__cells *target,
                       const h3ou__weights_options *options, h3ou__weights **out)
{
    h3ou__weights *w = NULL;
    h3ou__weights_options none = {0};
    h3ou__method_task task = {.source = source, .target = target, .options = options ? options : &none};
    int threads = h3ou__threads(task.options->threads);
    int err = h3ou__weights_create(source->n, target->n, target->mask, &w);
    if (err)
        return err;
    for (int64_t i = 0; task.options->leave_out && i < target->n; i++)
        if (task.options->leave_out[i])
            w->served[i] = H3OU__MASKED;
    task.weights = w;
    w->norm = task.options->norm;
    w->conserves = stack->method[0]->conserves;
    h3ou__stack_text(stack, w->how, sizeof w->how);
    h3ou__stack_map_method(stack, w->map_method, sizeof w->map_method);
    if ((err = h3ou__cells_measure(source, threads, &w->source_area)) == H3OU__OK)
        err = h3ou__cells_measure(target, threads, &w->target_area);
    for (int k = 0; k < stack->n && !err; k++) {
        task.number = k;
        task.keys = stack->keys[k];
        err = run_method(stack->method[k], &task);
        if (!err && task.options->limit && !w->gradient && stack->method[k]->limit)
            err = stack->method[k]->limit(source, target, w, k, threads, &w->gradient);
    }
    if (!err)
        err = check_weights(&task);
    if (err)
        h3ou__weights_free(w);
    else
        *out = w;
    return err;
}
