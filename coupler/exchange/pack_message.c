/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/pack_message.h"

#include <string.h>

#include "base/single_precision.h"
#include "coupler/cells/cell_values.h"
#include "coupler/cells/pack_cells.h"

int64_t h3ou__sample_row(const h3ou__outgoing *o, int component, int row)
{
    return row / o->layer * o->values + (component * o->layer + row % o->layer) * o->n;
}

double h3ou__sample_value(const h3ou__sample *s, int64_t start, int64_t cell)
{
    if (s->share && s->share[cell] <= 0.0)
        return 0.0;
    double weight = s->weight ? s->weight[cell] : s->scale;
    return weight > 0.0 ? s->value[start + cell] / weight * s->times : 0.0;
}

bool h3ou__sample_is_plain(const h3ou__sample *s)
{
    return (!s->share || s->is_clear) && !s->weight && s->scale == 1.0 && s->times == 1.0;
}

/* How far apart the values of a message stand. */
typedef struct strides {
    int64_t cell, row;
} strides;

static strides strides_of(const h3ou__outgoing *o, int64_t count, int64_t rows)
{
    return h3ou__message_is_turned(o->plan, rows) ? (strides){rows, 1} : (strides){1, count};
}

/* Writes one value of a message. */
static void store_value(const h3ou__outgoing *o, double value, double *to, int64_t at)
{
    if (h3ou__message_has_singles(o->var))
        ((float *)(void *)to)[at] = h3ou__quiet_single(&value);
    else
        to[at] = value;
}

/* Copies `rows` rows that begin at value `at` of the sample to the rows from `row` on of the message, which has `all`. */
static bool pack_part(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *cells, int64_t at, int rows,
                      int64_t row, int64_t all, double *to)
{
    bool together = h3ou__message_is_turned(o->plan, all);
    int64_t place = together ? row : row * cells->count;
    float *single = (float *)(void *)to + place;
    if (s->single)
        return together ? h3ou__pack_single_together(cells, s->single + at, o->n, rows, all, single)
                        : h3ou__pack_single_rows(cells, s->single + at, o->n, rows, single);
    if (h3ou__message_has_singles(o->var))
        return together ? h3ou__narrow_together(cells, s->value + at, o->n, rows, all, single)
                        : h3ou__narrow_rows(cells, s->value + at, o->n, rows, single);
    return together ? h3ou__pack_together(cells, s->value + at, o->n, rows, all, to + place)
                    : h3ou__pack_rows(cells, s->value + at, o->n, rows, to + place);
}

/* Copies values as they are. Of the parts of the sample (one slice of one component each) the rows follow one another.
 */
static bool pack_plain(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *cells, int components,
                       double *to)
{
    int slices = o->slices, rows = o->layer, parts = components;
    bool has_nan = false;
    if (slices == 1 || components == 1) { /* then the parts follow one another, too */
        rows *= slices * components;
        slices = parts = 1;
    }
    int64_t all = (int64_t)rows * slices * parts;
    for (int k = 0; k < parts; k++)
        for (int m = 0; m < slices; m++)
            has_nan |= pack_part(o, s, cells, m * o->values + (int64_t)k * o->layer * o->n, rows,
                                 ((int64_t)k * slices + m) * rows, all, to);
    return has_nan;
}

/* So many values of a message, and of so many cells at most, are divided together: they stay in the first cache. */
enum { SOME = 2048, CELLS = 512, LEAST_CELLS = 64 };

/* Finds what the values of some cells are divided by: 0 of those that do not count. by: all s->scale, or what the
 * function found of other cells. */
static void find_divisors(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *part, double by[CELLS])
{
    double share[CELLS];
    if (s->weight)
        h3ou__pack_rows(part, s->weight, o->n, 1, by);
    if (!s->share)
        return;
    for (int64_t i = 0; i < part->count && !s->weight; i++)
        by[i] = s->scale;
    h3ou__pack_rows(part, s->share, o->n, 1, share);
    h3ou__cells_clear(part->count, share, by);
}

/* Copies the values of some rows, of each those of `part` in a row of `width`, to the rows from `row` on of the
 * message, which has `all` rows of `cells`, behind the values of i cells. */
static void store_divided(const h3ou__outgoing *o, const h3ou__picked *part, const double value[], int64_t width,
                          int rows, const h3ou__picked *cells, int64_t i, int64_t row, int64_t all, double *to)
{
    bool together = h3ou__message_is_turned(o->plan, all), is_single = h3ou__message_has_singles(o->var);
    float *single = (float *)(void *)to;
    int64_t at = together ? i * all + row : row * cells->count + i;
    if (together && is_single)
        h3ou__narrow_together(part, value, width, rows, all, single + at);
    else if (together)
        h3ou__pack_together(part, value, width, rows, all, to + at);
    for (int k = 0; k < rows && !together; k++, value += width, at += cells->count)
        if (is_single)
            h3ou__narrow(part->count, value, single + at);
        else
            memcpy(to + at, value, sizeof *value * (size_t)part->count);
}

/* Divides the values by what they are to be divided by, some at a time. */
static bool pack_weighted(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *cells, int components,
                          double *to)
{
    double value[SOME], by[CELLS];
    int64_t order[CELLS];
    int each = o->layer * o->slices, all = each * components;
    int64_t width = all > SOME / LEAST_CELLS ? LEAST_CELLS : all < SOME / CELLS ? CELLS : SOME / all;
    bool has_nan = false;
    for (int i = 0; i < CELLS; i++) {
        order[i] = i;
        by[i] = s->scale;
    }
    for (int64_t i = 0; i < cells->count; i += width) {
        h3ou__picked part = h3ou__picked_part(cells, i, width), own = {order, part.count, true, true};
        find_divisors(o, s, &part, by);
        for (int row = 0, rows; row < all; row += rows) {
            rows = all - row < SOME / width ? all - row : (int)(SOME / width);
            for (int k = 0; k < rows; k++) {
                int64_t start = h3ou__sample_row(o, (row + k) / each, (row + k) % each);
                h3ou__pack_rows(&part, s->value + start, o->n, 1, value + k * width);
                has_nan |= h3ou__cells_divide(part.count, by, s->times, value + k * width);
            }
            store_divided(o, &own, value, width, rows, cells, i, row, all, to);
        }
    }
    return has_nan;
}

/* Copies the shares of the cells. */
static void pack_shares(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *cells, double *to)
{
    double by[CELLS];
    h3ou__pack_rows(cells, s->share, o->n, 1, to);
    for (int64_t i = 0; i < CELLS; i++)
        by[i] = s->share_scale;
    for (int64_t i = 0; i < cells->count && s->share_scale != 1.0; i += CELLS)
        h3ou__cells_divide(cells->count - i < CELLS ? cells->count - i : CELLS, by, 1.0, to + i);
}

/* Makes three Cartesian components of two. */
static bool pack_frames(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *cells, double *to)
{
    int each = o->layer * o->slices;
    strides by = strides_of(o, cells->count, 3 * (int64_t)each);
    uint64_t any = 0;
    for (int row = 0; row < each; row++) {
        int64_t first = h3ou__sample_row(o, 0, row), second = h3ou__sample_row(o, 1, row);
        for (int64_t i = 0; i < cells->count; i++) {
            int64_t cell = cells->at[i];
            double x[3];
            h3ou__vector_frame_raise(&o->frame[cell], h3ou__sample_value(s, first, cell),
                                     h3ou__sample_value(s, second, cell), x, 1);
            for (int k = 0; k < 3; k++) {
                any |= h3ou__nan_mark(x[k]);
                store_value(o, x[k], to, i * by.cell + (row + (int64_t)k * each) * by.row);
            }
        }
    }
    return any >> 63;
}

static void pack_message(const h3ou__outgoing *o, const h3ou__sample *s, int k, double *message)
{
    const h3ou__picked *cells = &o->cells[k];
    int components = h3ou__config_components(o->var, o->var->put_xyz);
    double *to = message + H3OU__HEAD;
    bool has_nan = o->frame                   ? pack_frames(o, s, cells, to)
                   : h3ou__sample_is_plain(s) ? pack_plain(o, s, cells, components, to)
                                              : pack_weighted(o, s, cells, components, to);
    message[H3OU__HEAD_MORE] = has_nan;
    int64_t rows = (int64_t)o->layer * o->slices * h3ou__message_width(o->var, o->plan);
    if (h3ou__message_has_singles(o->var) && cells->count * rows % 2)
        store_value(o, 0.0, to, cells->count * rows);
    to = message + h3ou__message_length(h3ou__message_has_singles(o->var), cells->count, rows);
    if (s->share && !o->shares[k].are_kept)
        pack_shares(o, s, cells, to);
}

void h3ou__choose_shares(const h3ou__outgoing *o, const h3ou__sample *s, bool is_now)
{
    for (int k = 0; k < o->plan->npartner; k++)
        h3ou__sent_shares_begin(&o->shares[k], s->share && !is_now && !o->is_direct ? s->share_number : 0);
}

void h3ou__pack_message(const h3ou__outgoing *o, const h3ou__sample *s, int k, double *message)
{
    if (!h3ou__message_is_slice(o)) {
        pack_message(o, s, k, message);
        return;
    }
    int components = h3ou__config_components(o->var, o->var->put_xyz);
    h3ou__outgoing slice = *o;
    h3ou__sample part = *s;
    slice.layer = o->var->layer;
    part.value += (int64_t)o->plan->place[k] * components * slice.layer * o->n;
    pack_message(&slice, &part, k, message);
}
