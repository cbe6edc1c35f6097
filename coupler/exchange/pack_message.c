/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/pack_message.h"

#include "base/single_precision.h"
#include "coupler/common/pack_cells.h"

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
    return !s->share && !s->weight && s->scale == 1.0 && s->times == 1.0;
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

static bool pack_weighted(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *cells, int components,
                          double *to)
{
    int each = o->layer * o->slices;
    strides by = strides_of(o, cells->count, (int64_t)each * components);
    uint64_t any = 0;
    for (int k = 0; k < components; k++)
        for (int row = 0; row < each; row++) {
            int64_t start = h3ou__sample_row(o, k, row), first = ((int64_t)k * each + row) * by.row;
            for (int64_t i = 0; i < cells->count; i++) {
                double value = h3ou__sample_value(s, start, cells->at[i]);
                any |= h3ou__nan_mark(value);
                store_value(o, value, to, first + i * by.cell);
            }
        }
    return any >> 63;
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
    for (int64_t i = 0; i < cells->count && s->share; i++)
        to[i] = s->share[cells->at[i]] / s->share_scale;
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
