/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/array/model_array.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/single_precision.h"
#include "coupler/cells/quiet_copy.h"

static bool is_plain_shape(const h3ou__arrays *a, int64_t n, int layer)
{
    return a->extent[0] == n && (a->rank == 1 ? layer == 1 : a->rank == 2 && a->extent[1] == layer);
}

/* Returns whether the array holds the block with its halo, x and y as two indices or as one. */
static bool is_block_shape(const h3ou__arrays *a, const h3ou__block *b, int layer)
{
    int64_t width = h3ou__block_width(b), height = h3ou__block_height(b);
    if (!b->is_known)
        return false;
    if (a->extent[0] == width * height && (a->rank == 1 ? layer == 1 : a->rank == 2 && a->extent[1] == layer))
        return true;
    return a->extent[0] == width && a->extent[1] == height &&
           (a->rank == 2 ? layer == 1 : a->rank == 3 && a->extent[2] == layer);
}

/* Accepts any x and y from a process without cells, because nothing is read or written there. */
static bool is_empty_shape(const h3ou__arrays *a, int64_t n, int layer)
{
    return n == 0 && (a->rank == 2 ? layer == 1 : a->rank == 3 && a->extent[2] == layer);
}

/* Returns whether the array has the shape that came with the positions. The index of the layers may be missing when
 * there is one layer. */
static bool is_positions_shape(const h3ou__arrays *a, const h3ou__positions *p, int layer)
{
    bool has_layers = a->rank == p->rank + 1;
    if (p->rank == 0 || !(has_layers || (a->rank == p->rank && layer == 1)))
        return false;
    for (int i = 0; i < p->rank; i++)
        if (a->extent[has_layers && i >= p->layers_at ? i + 1 : i] != p->extent[i])
            return false;
    return !has_layers || a->extent[p->layers_at] == layer;
}

/* Returns whether all elements of a layer stand as one index, behind which the layers are. */
static bool is_flat_shape(const h3ou__arrays *a, const h3ou__positions *p, int layer)
{
    return p->rank > 0 && is_plain_shape(a, p->size, layer);
}

static void place_positions(const h3ou__positions *p, bool is_flat, int layer, bool is_single, h3ou__place *out)
{
    *out = (h3ou__place){.is_single = is_single,
                         .next_layer = is_flat ? p->size : p->inner,
                         .positions = p,
                         .next_high = is_flat ? p->inner : p->inner * layer};
}

static void place_cells(const h3ou__grid *g, bool is_single, h3ou__place *out)
{
    *out = (h3ou__place){.is_single = is_single, .row = g->n, .next_row = g->n, .next_layer = g->n};
}

static void place_block(const h3ou__block *b, bool is_single, h3ou__place *out)
{
    int64_t width = h3ou__block_width(b);
    *out = (h3ou__place){.is_single = is_single,
                         .row = b->nx,
                         .first = b->halo[2] * width + b->halo[0],
                         .next_row = width,
                         .next_layer = width * h3ou__block_height(b)};
}

bool h3ou__place_find(const h3ou__grid *g, const h3ou__arrays *a, int layer, h3ou__place *out)
{
    if (is_positions_shape(a, &g->positions, layer))
        place_positions(&g->positions, false, layer, a->is_single, out);
    else if (is_flat_shape(a, &g->positions, layer))
        place_positions(&g->positions, true, layer, a->is_single, out);
    else if (is_plain_shape(a, g->n, layer))
        place_cells(g, a->is_single, out);
    else if (is_block_shape(a, &g->local, layer))
        place_block(&g->local, a->is_single, out);
    else if (is_empty_shape(a, g->n, layer))
        place_cells(g, a->is_single, out);
    else
        return false;
    return true;
}

bool h3ou__place_find_slices(const h3ou__grid *g, const h3ou__arrays *a, int layer, int slices, h3ou__place *out)
{
    h3ou__arrays flat = *a;
    if (a->rank == 3 && a->extent[1] == layer && a->extent[2] == slices) {
        flat.rank = 2;
        flat.extent[1] = (int64_t)layer * slices;
        if (h3ou__place_find(g, &flat, layer * slices, out))
            return true;
    }
    return h3ou__place_find(g, a, layer * slices, out);
}

bool h3ou__place_find_share(const h3ou__grid *g, const h3ou__arrays *a, h3ou__place *out)
{
    h3ou__arrays share = {.is_single = a->is_single, .rank = 1, .extent = {g->n > 0 ? a->nshare : 0, 1, 1}};
    return h3ou__place_find(g, &share, 1, out);
}

bool h3ou__place_is_dense(const h3ou__place *p, int64_t n)
{
    return !p->positions && (p->row == n || p->next_row == p->row) && p->first == 0 && p->next_layer == n;
}

bool h3ou__place_is_plain(const h3ou__place *p, int64_t n)
{
    return !p->is_single && h3ou__place_is_dense(p, n);
}

bool h3ou__place_has_columns(const h3ou__place *p)
{
    return p->positions && p->positions->inner == 1 && p->next_layer == 1;
}

/* Writes the shape that came with positions: "18 x 4 x 5", where there are 4 layers. */
static const char *positions_text(const h3ou__positions *p, int layer, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i <= p->rank && used < size; i++) {
        if (i == p->layers_at && layer > 1)
            used += (size_t)snprintf(text + used, size - used, "%s%d", used ? " x " : "", layer);
        if (i < p->rank && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, used ? " x " : "", p->extent[i]);
    }
    return text;
}

/* Writes which arrays would fit: "6 x 9 x 4 elements, or 6 cells x 4 layers x 3 members", the first only where the
 * cells are a block, or their positions are known. */
static char *shapes_text(const h3ou__grid *g, int layer, int slices, char *text, size_t size)
{
    char third[32] = "", layers[64] = "", block[128] = "", shape[112];
    if (layer > 1) {
        snprintf(third, sizeof third, " x %d", layer);
        snprintf(layers, sizeof layers, " x %d layers", layer);
    }
    if (slices > 1) {
        snprintf(third, sizeof third, " x %d", layer * slices);
        snprintf(layers, sizeof layers, " x %d layers x %d members", layer, slices);
    }
    if (g->positions.rank > 0)
        snprintf(block, sizeof block, "%s elements, or ",
                 positions_text(&g->positions, layer * slices, shape, sizeof shape));
    else if (g->local.is_known)
        snprintf(block, sizeof block, "%" PRId64 " x %" PRId64 "%s elements, or ", h3ou__block_width(&g->local),
                 h3ou__block_height(&g->local), third);
    snprintf(text, size, "%s%" PRId64 " cells%s", block, g->n, layers);
    return text;
}

int h3ou__arrays_misfit(const h3ou__arrays *a, const h3ou__config *config, const h3ou__config_var *var,
                        const char *field, const h3ou__grid *g, int slices)
{
    char has[128], block[160] = "", fits[288];
    int used = 0;
    if (a->rank < 3 && !g->local.is_known && g->positions.rank == 0)
        snprintf(has, sizeof has, "%" PRId64 " cells and %" PRId64 " layers", a->extent[0],
                 a->rank == 2 ? a->extent[1] : 1);
    else
        used = snprintf(has, sizeof has, "%" PRId64, a->extent[0]);
    for (int i = 1; used > 0 && i < a->rank; i++)
        used += snprintf(has + used, sizeof has - (size_t)used, " x %" PRId64, a->extent[i]);
    if (used > 0)
        snprintf(has + used, sizeof has - (size_t)used, " elements");
    if (g->local.is_known)
        snprintf(block, sizeof block, ", which are %" PRId64 " x %" PRId64 "%s,", h3ou__block_width(&g->local),
                 h3ou__block_height(&g->local), g->local.has_halo ? " with their halo" : "");
    else if (g->positions.rank > 0)
        snprintf(block, sizeof block, ", each at its position,");
    else if (a->rank == 3 && slices == 1)
        snprintf(block, sizeof block, ", of which local_shape or grid_shape must say how they lie in x and y,");
    return h3ou__fail(H3OU__ESIZE,
                      "%s:%d: field %s: the array has %s, this process's part of the grid has %" PRId64
                      " cells%s and the namelist says layer=%d: pass %s",
                      config->file, var->line, field, has, g->n, block, var->layer,
                      shapes_text(g, var->layer, slices, fits, sizeof fits));
}

static bool read_positions(const h3ou__place *p, int64_t first, int64_t count, int layer, const void *array,
                           double to[])
{
    bool has_nan = false;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = h3ou__place_of(p, first + i) + layer * p->next_layer;
        to[i] = p->is_single ? h3ou__quiet_double((const float *)array + at) : h3ou__quiet((const double *)array + at);
        has_nan |= isnan(to[i]);
    }
    return has_nan;
}

bool h3ou__place_read_cells(const h3ou__place *p, int64_t first, int64_t count, int layer, const void *array,
                            double to[])
{
    bool has_nan = false;
    if (p->positions)
        return read_positions(p, first, count, layer, array, to);
    for (int64_t cell = first, left = count, some; left > 0; cell += some, left -= some, to += some) {
        int64_t in_row = p->row - cell % p->row, at = h3ou__place_of(p, cell) + layer * p->next_layer;
        some = left < in_row ? left : in_row;
        has_nan |= p->is_single ? h3ou__widen(some, (const float *)array + at, to)
                                : h3ou__quiet_copy(some, (const double *)array + at, to);
    }
    return has_nan;
}

const double *h3ou__place_run(const h3ou__place *p, int64_t cell, int layer, const void *array, int64_t *count)
{
    *count = INT64_MAX;
    if (p->positions || p->is_single)
        return NULL;
    if (p->next_row != p->row)
        *count = p->row - cell % p->row;
    return (const double *)array + h3ou__place_of(p, cell) + layer * p->next_layer;
}

bool h3ou__place_read(const h3ou__place *p, int64_t n, int layer, const void *array, double to[])
{
    bool has_nan = false;
    for (int k = 0; k < layer; k++)
        has_nan |= h3ou__place_read_cells(p, 0, n, k, array, to + k * n);
    return has_nan;
}

static void store(bool is_single, const double *value, int64_t at, void *array)
{
    if (is_single)
        ((float *)array)[at] = h3ou__quiet_single(value);
    else
        ((double *)array)[at] = *value;
}

void h3ou__place_fill(const h3ou__place *p, int64_t cell, int layer, double value, void *array)
{
    int64_t at = h3ou__place_of(p, cell);
    for (int k = 0; k < layer; k++, at += p->next_layer)
        store(p->is_single, &value, at, array);
}

/* Writes `count` cells of one layer: array[at[i]] = from[cell[i]]. */
static void write_some(bool is_single, const double *from, const int64_t cell[], const int64_t at[], int64_t count,
                       bool skip_nan, void *array)
{
    for (int64_t i = 0; i < count; i++)
        if (!skip_nan || !isnan(from[cell[i]]))
            store(is_single, &from[cell[i]], at[i], array);
}

/* Returns whether cells follow one another in a layer of the array as they do in the grid. */
static bool is_in_order(const h3ou__place *p)
{
    return !p->positions && p->next_row == p->row;
}

enum { PART = 256 }; /* cells that are written together */

static bool is_run(const int64_t cell[], int64_t count)
{
    int64_t differs = 0;
    for (int64_t i = 0; i < count; i++)
        differs |= cell[i] - cell[0] - i;
    return !differs;
}

/* Sets at[i] to the element of cell[i] in the first layer. Cells that follow one another in a row are found without a
 * division. */
static void find_elements(const h3ou__place *p, int64_t count, const int64_t cell[], int64_t at[])
{
    for (int64_t i = 0, left = 0; i < count; i++) {
        bool is_next = i > 0 && --left > 0 && cell[i] == cell[i - 1] + 1;
        at[i] = is_next ? at[i - 1] + 1 : h3ou__place_of(p, cell[i]);
        if (!is_next && !p->positions && !is_in_order(p))
            left = p->row - cell[i] % p->row;
    }
}

/* Writes at most PART cells of all layers. */
static void write_part(const h3ou__place *p, int64_t n, int layer, const double from[], const int64_t cell[], int64_t count,
                       bool skip_nan, void *array)
{
    int64_t at[PART];
    if (is_in_order(p) && !skip_nan && is_run(cell, count)) {
        int64_t to = p->first + cell[0];
        for (int k = 0; k < layer; k++, from += n, to += p->next_layer)
            if (p->is_single)
                h3ou__narrow(count, from + cell[0], (float *)array + to);
            else
                memcpy((double *)array + to, from + cell[0], sizeof *from * (size_t)count);
        return;
    }
    find_elements(p, count, cell, at);
    for (int k = 0; k < layer; k++) {
        write_some(p->is_single, from + k * n, cell, at, count, skip_nan, array);
        for (int64_t i = 0; i < count; i++)
            at[i] += p->next_layer;
    }
}

void h3ou__place_write(const h3ou__place *p, int64_t n, int layer, const double from[], const int64_t cell[],
                       int64_t count, bool skip_nan, void *array)
{
    for (int64_t begin = 0; begin < count; begin += PART)
        write_part(p, n, layer, from, cell + begin, begin + PART < count ? PART : count - begin, skip_nan, array);
}
