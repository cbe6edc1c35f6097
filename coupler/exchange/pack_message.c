/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/pack_message.h"

#include <math.h>

#include "base/single_precision.h"
#include "coupler/cells/cell_values.h"
#include "coupler/cells/divide_cells.h"
#include "coupler/cells/line_values.h"
#include "coupler/cells/pack_cells.h"
#include "coupler/cells/pack_missing.h"
#include "coupler/cells/store_cells.h"
#include "coupler/cells/take_cells.h"

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

/* So many values of a message, and of so many cells at most, are made together: they stay in the first cache. */
enum { SOME = 2048, CELLS = 512, LEAST_CELLS = 64 };

/* Returns how many bytes some values of the field have in a message. */
static size_t size_of(const h3ou__outgoing *o, int64_t values)
{
    return (size_t)values * (h3ou__message_has_singles(o->var) ? sizeof(float) : sizeof(double));
}

/* Writes rows of float: those of the values, of which the first begins at value `at`. */
static bool pack_floats(const h3ou__outgoing *o, const h3ou__picked *cells, const h3ou__floats *from, int64_t at,
                        int64_t n, int rows, float to[])
{
    static _Thread_local h3ou__store_way way;
    h3ou__cell_store store;
    float some[CELLS];
    bool has_nan = false;
    h3ou__cell_store_begin(&store, &way, (int64_t)size_of(o, rows * cells->count));
    for (int row = 0; row < rows; row++, at += n, to += cells->count)
        for (int64_t i = 0; i < cells->count; i += CELLS) {
            h3ou__picked part = h3ou__picked_part(cells, i, CELLS);
            has_nan |= h3ou__pack_floats_rows(&part, from, at, n, 1, some);
            h3ou__cell_store_copy(&store, size_of(o, part.count), some, to + i);
        }
    h3ou__cell_store_end(&store);
    return has_nan;
}

/* Returns the values of a sample that are written as floats. */
static h3ou__floats floats_of(const h3ou__sample *s)
{
    return (h3ou__floats){s->value, s->single, s->has_missing ? s->missing : NAN};
}

/* Copies `rows` rows that begin at value `at` of the sample, of which `cells` are sent, to the rows from `row` on of the
 * message, which has `all`. */
static bool pack_part(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *cells, int64_t at, int rows,
                      int64_t row, int64_t all, double *to)
{
    bool together = h3ou__message_is_turned(o->plan, all);
    int64_t place = together ? row : row * cells->count;
    int64_t n = s->placed ? s->next_row : o->n;
    float *single = (float *)(void *)to + place;
    if (s->single && !s->has_missing)
        return together ? h3ou__pack_single_together(cells, s->single + at, n, rows, all, single)
                        : h3ou__pack_single_rows(cells, s->single + at, n, rows, single);
    const h3ou__floats from = floats_of(s);
    if (h3ou__message_has_singles(o->var))
        return together ? h3ou__pack_floats_together(cells, &from, at, n, rows, all, single)
                        : pack_floats(o, cells, &from, at, n, rows, single);
    if (s->has_missing)
        return together ? h3ou__pack_missing_together(cells, s->missing, s->value + at, n, rows, to + place)
                        : h3ou__pack_missing_rows(cells, s->missing, s->value + at, n, rows, to + place);
    return together ? h3ou__pack_together(cells, s->value + at, n, rows, all, to + place)
                    : h3ou__pack_rows(cells, s->value + at, n, rows, to + place);
}

/* Copies the rows of cells that follow one another, which all stand together, as one run of values. run: its list of
 * places has the first one only, so it is not copied in parts. */
static bool pack_run_of_columns(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *run, double *to,
                                int64_t place)
{
    const h3ou__taking taking = {.missing = s->missing};
    const h3ou__floats from = floats_of(s);
    float *single = (float *)(void *)to + place;
    if (s->single && !s->has_missing)
        return h3ou__pack_single_rows(run, s->single, 0, 1, single);
    if (h3ou__message_has_singles(o->var))
        return h3ou__pack_floats_rows(run, &from, 0, 0, 1, single);
    if (s->has_missing)
        return h3ou__take_cells(&taking, run->count, s->value + run->at[0], NULL, to + place);
    return h3ou__pack_rows(run, s->value, 0, 1, to + place);
}

/* Copies all rows of cells, of which those of a cell stand together in the sample, too. */
static bool pack_columns(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *cells, int rows,
                         double *to)
{
    const int32_t *at = cells->at;
    bool has_nan = false;
    for (int64_t i = 0, n; i < cells->count; i += n) {
        for (n = 1; i + n < cells->count && at[i + n] == at[i + n - 1] + rows;)
            n++;
        h3ou__picked run = {at + i, n * rows, true, true, n * rows};
        has_nan |= pack_run_of_columns(o, s, &run, to, i * rows);
    }
    return has_nan;
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
    if (s->has_columns && h3ou__message_is_turned(o->plan, all))
        return pack_columns(o, s, cells, rows, to);
    for (int k = 0; k < parts; k++)
        for (int m = 0; m < slices; m++)
            has_nan |= pack_part(o, s, cells, m * o->values + (int64_t)k * o->layer * o->n, rows,
                                 ((int64_t)k * slices + m) * rows, all, to);
    return has_nan;
}

/* Finds what the values of some cells are divided by: 0 of those that do not count. by: all s->scale, or what the
 * function found of other cells. */
static void find_divisors(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *part, double by[CELLS])
{
    double share[CELLS];
    if (s->weight)
        h3ou__pack_rows(part, s->weight, o->n, 1, by);
    if (!s->share || s->share == s->weight)
        return;
    for (int64_t i = 0; i < part->count && !s->weight; i++)
        by[i] = s->scale;
    h3ou__pack_rows(part, s->share, o->n, 1, share);
    h3ou__cells_clear(part->count, share, by);
}

/* Returns how many rows a sample of one slice has. */
static int sample_rows(const h3ou__outgoing *o)
{
    return o->layer * h3ou__config_components(o->var, o->var->put_xyz);
}

/* Returns whether pack_shared can write the messages of a sample. */
static bool is_plain_shared(const h3ou__outgoing *o, const h3ou__sample *s)
{
    return s->share && s->share_scale == 1.0 && h3ou__sample_is_plain(s) && !s->placed && !o->axes && o->slices == 1 &&
           !h3ou__message_has_singles(o->var) && !h3ou__message_is_turned(o->plan, sample_rows(o));
}

bool h3ou__message_is_cleared(const h3ou__outgoing *o, const h3ou__sample *s, int k)
{
    return !o->shares[k].are_kept && is_plain_shared(o, s);
}

/* Writes the rows of a message, 0 where the share is 0, and the shares behind them. Returns whether a value that counts
 * is NaN. */
static bool pack_shared(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *cells, int rows, double *to)
{
    static _Thread_local h3ou__store_way way;
    h3ou__cell_store store;
    double share[CELLS], some[CELLS];
    bool has_nan = false;
    h3ou__cell_store_begin(&store, &way, (int64_t)size_of(o, (rows + 1) * cells->count));
    for (int64_t i = 0; i < cells->count; i += CELLS) {
        h3ou__picked part = h3ou__picked_part(cells, i, CELLS);
        size_t size = size_of(o, part.count);
        double *place = to + i;
        h3ou__pack_rows(&part, s->share, o->n, 1, share);
        for (int row = 0; row < rows; row++, place += cells->count) {
            h3ou__pack_rows(&part, s->value + row * o->n, o->n, 1, some);
            has_nan |= h3ou__cells_clear(part.count, share, some);
            h3ou__cell_store_copy(&store, size, some, place);
        }
        h3ou__cell_store_copy(&store, size, share, place);
    }
    h3ou__cell_store_end(&store);
    return has_nan;
}

/* Writes the only row of a message, 0 where the share is 0, and beside each value its share. Returns whether a value
 * that counts is NaN. */
static bool pack_paired(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *cells, double *to)
{
    static _Thread_local h3ou__store_way way;
    h3ou__cell_store store;
    double share[CELLS], some[CELLS], pairs[2 * CELLS];
    bool has_nan = false;
    h3ou__cell_store_begin(&store, &way, (int64_t)size_of(o, 2 * cells->count));
    for (int64_t i = 0; i < cells->count; i += CELLS) {
        h3ou__picked part = h3ou__picked_part(cells, i, CELLS);
        h3ou__pack_rows(&part, s->share, o->n, 1, share);
        h3ou__pack_rows(&part, s->value, o->n, 1, some);
        has_nan |= h3ou__cells_pair(part.count, share, some, store.is_past ? pairs : to + 2 * i);
        if (store.is_past)
            h3ou__cell_store_copy(&store, size_of(o, 2 * part.count), pairs, to + 2 * i);
    }
    h3ou__cell_store_end(&store);
    return has_nan;
}

/* What is divided: the `rows` rows of a message, of some of its cells, which are from cell number i on. */
typedef struct dividend {
    const h3ou__outgoing *o;
    const h3ou__sample *s;
    int rows;
    h3ou__picked part;
    int64_t i, all;
    double by[CELLS];
    h3ou__cell_store store;
} dividend;

/* Returns where row `row` of the sample begins. */
static const double *row_of(const dividend *d, int row)
{
    int each = d->o->layer * d->o->slices;
    return d->s->value + h3ou__sample_row(d->o, row / each, row % each);
}

/* Writes doubles whose layers stand together. Returns, as the next two, whether a value is NaN. */
static bool divide_together(const dividend *d, double *to)
{
    const h3ou__outgoing *o = d->o;
    int run = o->slices == 1 || d->rows == o->layer * o->slices ? d->rows : o->layer; /* rows that follow one another */
    bool has_nan = false;
    for (int row = 0; row < d->rows; row += run)
        has_nan |= h3ou__divide_together(&d->part, row_of(d, row), o->n, run, d->rows, d->by, d->s->times,
                                         to + d->i * d->rows + row);
    return has_nan;
}

/* Writes doubles whose cells stand together. */
static bool divide_rows(const dividend *d, double *to)
{
    double some[CELLS];
    bool has_nan = false;
    to += d->i;
    for (int row = 0; row < d->rows; row++, to += d->all) {
        h3ou__pack_rows(&d->part, row_of(d, row), d->o->n, 1, some);
        has_nan |= h3ou__cells_divide(d->part.count, d->by, d->s->times, some);
        h3ou__cell_store_copy(&d->store, size_of(d->o, d->part.count), some, to);
    }
    return has_nan;
}

/* Writes floats. */
static bool divide_singles(const dividend *d, double *to)
{
    double value[SOME];
    float *single = (float *)(void *)to, some[CELLS];
    int32_t order[CELLS];
    int64_t count = d->part.count;
    bool together = h3ou__message_is_turned(d->o->plan, d->rows), has_nan = false;
    for (int32_t i = 0; i < count; i++)
        order[i] = i;
    h3ou__picked own = {order, count, true, true, d->part.all};
    for (int row = 0, rows; row < d->rows; row += rows) {
        rows = d->rows - row < SOME / count ? d->rows - row : (int)(SOME / count);
        for (int k = 0; k < rows; k++) {
            h3ou__pack_rows(&d->part, row_of(d, row + k), d->o->n, 1, value + k * count);
            has_nan |= h3ou__cells_divide(count, d->by, d->s->times, value + k * count);
        }
        if (together)
            h3ou__pack_floats_together(&own, &(h3ou__floats){.value = value, .missing = NAN}, 0, count, rows, d->rows,
                                       single + d->i * d->rows + row);
        for (int k = 0; k < rows && !together; k++) {
            h3ou__narrow(count, value + k * count, some);
            h3ou__cell_store_copy(&d->store, size_of(d->o, count), some, single + (row + k) * d->all + d->i);
        }
    }
    return has_nan;
}

/* Returns how many cells are divided together: of floats whose layers are to stand together few, with all their layers.
 */
static int64_t cells_at_once(bool is_single, bool together, int rows)
{
    if (!is_single || !together || rows < SOME / CELLS)
        return CELLS;
    return rows > SOME / LEAST_CELLS ? LEAST_CELLS : SOME / rows;
}

/* Divides the values by what they are to be divided by, some at a time. */
static bool pack_weighted(const h3ou__outgoing *o, const h3ou__sample *s, const h3ou__picked *cells, int components,
                          double *to)
{
    static _Thread_local h3ou__store_way way;
    dividend d = {.o = o, .s = s, .rows = o->layer * o->slices * components, .all = cells->count};
    bool is_single = h3ou__message_has_singles(o->var), together = h3ou__message_is_turned(o->plan, d.rows);
    int64_t width = cells_at_once(is_single, together, d.rows);
    bool has_nan = false;
    for (int i = 0; i < CELLS; i++)
        d.by[i] = s->scale;
    h3ou__cell_store_begin(&d.store, together ? NULL : &way, together ? 0 : (int64_t)size_of(o, d.rows * d.all));
    for (; d.i < cells->count; d.i += width) {
        d.part = h3ou__picked_part(cells, d.i, width);
        find_divisors(o, s, &d.part, d.by);
        has_nan |= (is_single ? divide_singles : together ? divide_together : divide_rows)(&d, to);
    }
    h3ou__cell_store_end(&d.store);
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

/* How vectors of two components are made those of three: some cells and layers of a message at a time, in room that
 * stays in the first two caches. */
enum { RAISED = 4096, LEAST_RAISED = 8 };

typedef struct raising {
    const h3ou__outgoing *o;
    const h3ou__sample *s;
    const h3ou__axes *axes; /* of the cells of the message */
    int64_t all, width;     /* cells and rows of the message */
    bool is_plain, is_single, together;
    h3ou__cell_store store;
} raising;

/* Finds the values of some cells in a row of the sample: where they stand, or in room of their own. by: what they are
 * divided by, unless the sample is plain. */
static const double *find_values(const raising *r, const h3ou__picked *part, int component, int layer,
                                 const double by[CELLS], double own[CELLS])
{
    const double *row = r->s->value + h3ou__sample_row(r->o, component, layer);
    if (part->is_run && r->is_plain)
        return row + part->at[0];
    if (part->is_run) /* the same row's values of the next cells are read after all rows of these */
        fetch_next(row + part->at[0], part->count);
    h3ou__pack_rows(part, row, r->o->n, 1, own);
    if (!r->is_plain)
        h3ou__cells_divide(part->count, by, r->s->times, own);
    return own;
}

/* Writes one row of some cells, from cell i of the message on. */
static void store_raised(const raising *r, const double from[], int64_t count, int64_t i, int64_t row, double *to)
{
    float single[CELLS];
    int64_t at = row * r->all + i;
    if (r->is_single)
        h3ou__narrow(count, from, single);
    const void *values = r->is_single ? (const void *)single : from;
    h3ou__cell_store_copy(&r->store, size_of(r->o, count), values, (char *)to + size_of(r->o, at));
}

/* Writes `rows` rows of the same cells, which begin `count` values apart, so that those of a cell stand together. */
static void turn_raised(const raising *r, const double from[], int64_t count, int rows, int64_t i, int64_t row,
                        double *to)
{
    int32_t own[CELLS];
    int64_t at = i * r->width + row;
    for (int32_t k = 0; k < count; k++)
        own[k] = k;
    h3ou__picked cells = {own, count, true, true, r->all};
    if (r->is_single)
        h3ou__pack_floats_together(&cells, &(h3ou__floats){.value = from, .missing = NAN}, 0, count, rows, r->width,
                                   (float *)(void *)to + at);
    else
        h3ou__pack_part_together(&cells, r->store.is_past, from, count, rows, r->width, to + at);
}

/* Makes some layers of some cells. Returns whether a value is NaN. */
static bool raise_block(const raising *r, const h3ou__picked *part, int64_t i, int layer, int layers, double *to)
{
    double room[RAISED], by[CELLS], own[2][CELLS];
    int64_t count = part->count, each = r->width / 3;
    bool is_stored = !r->together && !r->is_single && !r->store.is_past, has_nan = false;
    for (int64_t k = 0; k < count && !r->is_plain; k++)
        by[k] = r->s->scale;
    if (!r->is_plain)
        find_divisors(r->o, r->s, part, by);
    for (int k = 0; k < layers; k++) {
        const double *u = find_values(r, part, 0, layer + k, by, own[0]),
                     *v = find_values(r, part, 1, layer + k, by, own[1]);
        double *x = is_stored ? to + (layer + k) * r->all + i : room + k * count;
        has_nan |= h3ou__vectors_raise(r->axes, i, count, u, v, is_stored ? each * r->all : layers * count, x);
    }
    if (is_stored)
        return has_nan;
    if (r->together && layers == each) {
        turn_raised(r, room, count, 3 * layers, i, 0, to);
        return has_nan;
    }
    for (int x = 0; x < 3; x++)
        for (int k = 0; k < (r->together ? 1 : layers); k++) {
            const double *from = room + (x * layers + k) * count;
            if (r->together)
                turn_raised(r, from, count, layers, i, x * each + layer, to);
            else
                store_raised(r, from, count, i, x * each + layer + k, to);
        }
    return has_nan;
}

/* Makes three Cartesian components of two. Returns whether a value is NaN. */
static bool pack_frames(const h3ou__outgoing *o, const h3ou__sample *s, int k, double *to)
{
    static _Thread_local h3ou__store_way way;
    const h3ou__picked *cells = &o->cells[k];
    int each = o->layer * o->slices, some = each < RAISED / 3 / LEAST_RAISED ? each : RAISED / 3 / LEAST_RAISED;
    int64_t most = RAISED / 3 / some / LEAST_RAISED * LEAST_RAISED;
    raising r = {.o = o, .s = s, .axes = &o->axes[k], .all = cells->count, .width = 3 * (int64_t)each};
    r.is_plain = h3ou__sample_is_plain(s);
    r.is_single = h3ou__message_has_singles(o->var);
    r.together = h3ou__message_is_turned(o->plan, r.width);
    bool has_nan = false;
    most = most < CELLS ? most : CELLS;
    h3ou__cell_store_begin(&r.store, &way, (int64_t)size_of(o, r.width * r.all));
    for (int64_t i = 0; i < cells->count; i += most) {
        h3ou__picked part = h3ou__picked_part(cells, i, most);
        for (int layer = 0; layer < each; layer += some)
            has_nan |= raise_block(&r, &part, i, layer, each - layer < some ? each - layer : some, to);
    }
    h3ou__cell_store_end(&r.store);
    return has_nan;
}

static void pack_message(const h3ou__outgoing *o, const h3ou__sample *s, int k, double *message)
{
    const h3ou__picked *cells = &o->cells[k];
    int components = h3ou__config_components(o->var, o->var->put_xyz);
    double *to = message + H3OU__HEAD;
    if (o->shares[k].are_paired) {
        message[H3OU__HEAD_MORE] = pack_paired(o, s, cells, to);
        return;
    }
    if (h3ou__message_is_cleared(o, s, k)) {
        message[H3OU__HEAD_MORE] = pack_shared(o, s, cells, sample_rows(o), to);
        return;
    }
    bool has_nan = o->axes                    ? pack_frames(o, s, k, to)
                   : h3ou__sample_is_plain(s) ? pack_plain(o, s, s->placed ? &s->placed[k] : cells, components, to)
                                              : pack_weighted(o, s, cells, components, to);
    message[H3OU__HEAD_MORE] = has_nan;
    int64_t rows = (int64_t)o->layer * o->slices * h3ou__message_width(o->var, o->plan);
    if (h3ou__message_has_singles(o->var) && cells->count * rows % 2)
        ((float *)(void *)to)[cells->count * rows] = 0.0f;
    to = message + h3ou__message_length(h3ou__message_has_singles(o->var), cells->count, rows);
    if (s->share && !o->shares[k].are_kept)
        pack_shares(o, s, cells, to);
}

void h3ou__choose_shares(const h3ou__outgoing *o, const h3ou__sample *s, bool is_now)
{
    int64_t number = s->share && !is_now && !o->is_direct ? s->share_number : 0;
    bool can_pair = sample_rows(o) == 1 && !h3ou__message_is_slice(o) && is_plain_shared(o, s);
    for (int k = 0; k < o->plan->npartner; k++)
        h3ou__sent_shares_begin(&o->shares[k], number, can_pair);
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
