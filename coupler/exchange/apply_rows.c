/* SPDX-License-Identifier: BSD-3-Clause */
/* Computing the model's cells from the source values that arrived: rows, shares, missing values, vectors. */
#include <math.h>
#include <string.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/single_precision.h"
#include "coupler/exchange/conserve.h"
#include "coupler/exchange/incoming.h"
#include "coupler/exchange/observer.h"
#include "coupler/statistic/perturbation.h"
#include "coupler/statistic/unset_value.h"
#include "interp/weights/threads.h"

enum { LOWERED = 16384, SOME_LOWERED = 512 }; /* vectors that are made and projected together, and in one loop */

static double missing_of(const h3ou__incoming *in)
{
    return in->var->remap.has_missing ? in->var->remap.missing : NAN;
}

static h3ou__apply options_of_apply(const h3ou__incoming *in, int width)
{
    h3ou__apply how = {.nlayer = in->layer * width, .factor = in->var->factor, .missing = missing_of(in)};
    how.source_layout = h3ou__incoming_is_turned(in) ? H3OU__LAYERS_FASTEST : H3OU__CELLS_FASTEST;
    how.share = in->has_share ? in->share : NULL; /* NULL of pairs, too */
    how.is_paired = in->is_paired;
    how.kept = in->kept;
    how.share_number = in->share_number;
    how.room = in->marks;
    how.is_single = in->is_single;
    how.is_from_afar = !in->room;
    how.skip_nan = h3ou__incoming_skips_nan(in);
    return how;
}

/* Sets the target cells that have no row: to `missing` where no method gave one, to the value where the method
 * fixed_value did. With a table of the user's there are none: its cells without a row keep the model's values. */
static void fill_places_without_row(const h3ou__incoming *in, const h3ou__place *place, void *array)
{
    const h3ou__remainder *left = &in->plan->left;
    double missing = missing_of(in);
    for (int64_t i = 0; i < left->nunserved; i++)
        h3ou__place_fill(place, left->unserved[i], in->layer, missing, array);
    for (int64_t i = 0; i < left->nfixed; i++)
        h3ou__place_fill(place, left->fixed[i], in->layer, left->value[i], array);
}

/* Sets them in an array that has the cells alone, as doubles. */
static void fill_without_row(const h3ou__incoming *in, double data[])
{
    h3ou__place cells = {.row = in->n, .next_row = in->n, .next_layer = in->n};
    fill_places_without_row(in, &cells, data);
}

static int apply_rows(const h3ou__incoming *in, const h3ou__apply *how, double to[])
{
    const h3ou__plan *p = in->plan;
    int64_t nslot = p->start[p->npartner];
    h3ou__sparse_apply(&p->rows, how, nslot, in->source, in->n, to);
    return p->left.gradient ? h3ou__gradient_apply(p->left.gradient, how, nslot, in->source, in->n, to) : H3OU__OK;
}

/* Projects `count` vectors of rows from row r on, of the layer that begins at value `start`. Their Cartesian components
 * are x[i], x[stride + i] and x[2 * stride + i]. */
static void lower_rows(const h3ou__incoming *in, int64_t r, int64_t count, const double x[], int64_t stride,
                       int64_t start, double data[], double second[])
{
    const int64_t *row = in->plan->rows.row + r;
    double u[SOME_LOWERED], v[SOME_LOWERED];
    if (row[count - 1] - row[0] == count - 1) { /* rows ascend, so these follow one another */
        h3ou__vectors_lower(&in->axes, r, count, x, stride, data + start + row[0], second + start + row[0]);
        return;
    }
    h3ou__vectors_lower(&in->axes, r, count, x, stride, u, v);
    for (int64_t i = 0; i < count; i++) {
        data[start + row[i]] = u[i];
        second[start + row[i]] = v[i];
    }
}

/* The same of all rows and layers, whose components stand in in->raised as the cells of the grid do. */
static void lower_all(const h3ou__incoming *in, double data[], double second[])
{
    const int64_t *row = in->plan->rows.row;
    int64_t nrow = in->plan->rows.nrow, values = in->n * in->layer;
    double x[3 * SOME_LOWERED];
    for (int layer = 0; layer < in->layer; layer++)
        for (int64_t r = 0, count; r < nrow; r += count) {
            count = nrow - r < SOME_LOWERED ? nrow - r : SOME_LOWERED;
            for (int k = 0; k < 3; k++)
                for (int64_t i = 0; i < count; i++)
                    x[k * SOME_LOWERED + i] = in->raised[k * values + layer * in->n + row[r + i]];
            lower_rows(in, r, count, x, SOME_LOWERED, layer * in->n, data, second);
        }
}

/* Interpolates and projects some rows at a time, whose components stay in the second cache of the only thread, from
 * which they are projected. */
static void apply_by_parts(h3ou__incoming *in, h3ou__apply *how, double data[], double second[])
{
    const h3ou__sparse *s = &in->plan->rows;
    int64_t nslot = in->plan->start[in->plan->npartner],
            most = LOWERED / in->layer / H3OU__SPARSE_PART * H3OU__SPARSE_PART;
    int64_t own[LOWERED];
    most = most > 0 ? most : H3OU__SPARSE_PART;
    for (int64_t i = 0; i < most && i < s->nrow; i++)
        own[i] = i;
    for (int64_t r = 0, count; r < s->nrow; r += count) {
        count = s->nrow - r < most ? s->nrow - r : most;
        h3ou__sparse part = h3ou__sparse_part(s, r, count, own);
        h3ou__sparse_apply(&part, how, nslot, in->source, count, in->raised);
        how->is_from_afar = false; /* the sources have been read */
        for (int layer = 0; layer < in->layer; layer++)
            for (int64_t i = 0; i < count; i += SOME_LOWERED)
                lower_rows(in, r + i, count - i < SOME_LOWERED ? count - i : SOME_LOWERED,
                           in->raised + layer * count + i, in->layer * count, layer * in->n, data, second);
    }
}

/* Interpolates three Cartesian components and projects them onto the local frames of my cells. */
static int apply_raised(h3ou__incoming *in, double data[], double second[])
{
    const h3ou__sparse *s = &in->plan->rows;
    h3ou__apply how = options_of_apply(in, 3);
    how.missing = NAN;
    if (!how.share && !how.skip_nan && !in->plan->left.gradient && h3ou__threads(how.threads) == 1) {
        apply_by_parts(in, &how, data, second);
        return H3OU__OK;
    }
    int err = apply_rows(in, &how, in->raised);
    if (err)
        return err;
    lower_all(in, data, second);
    for (int layer = 0; layer < in->layer && (how.share || how.skip_nan); layer++)
        for (int64_t r = 0; r < s->nrow; r++) {
            int64_t at = layer * in->n + s->row[r];
            if (isnan(data[at]))
                data[at] = second[at] = missing_of(in);
        }
    return H3OU__OK;
}

/* Returns whether the two halves of the layers are the components of a vector (H3OU__VECTOR_TAG). */
static bool is_halved(const h3ou__incoming *in)
{
    return in->plan->rotated && !in->var->is_vector && in->var->grid_intpl_tag > H3OU__VECTOR_TAG;
}

/* Computes *first = sum coef (cos u - sin v) and *second = sum coef (sin u + cos v), with shares as h3ou__apply does.
 */
static void rotate_row(const h3ou__incoming *in, const h3ou__apply *how, int64_t r, const double u[], const double v[],
                       double *first, double *second)
{
    bool is_weighted = is_halved(in); /* then cosine and sine include the coefficient */
    const h3ou__sparse *s = &in->plan->rows;
    double sum[2] = {0.0, 0.0}, counted = 0.0, whole = 0.0, weight = 0.0;
    for (int64_t i = s->start[r]; i < s->start[r + 1]; i++) {
        int32_t col = s->col[i];
        double cosine = in->plan->turn[2 * i], sine = in->plan->turn[2 * i + 1];
        double share = how->share ? how->share[col] : 1.0, coef = s->coef[i] * share;
        double scale = is_weighted ? share : coef;
        whole += s->coef[i];
        weight += fabs(s->coef[i]);
        if ((how->share && how->share[col] <= 0.0) || (how->skip_nan && (isnan(u[col]) || isnan(v[col]))))
            continue;
        sum[0] += scale * (cosine * u[col] - sine * v[col]);
        sum[1] += scale * (sine * u[col] + cosine * v[col]);
        counted += coef;
    }
    bool misses = counted != whole && fabs(counted) <= 1e-12 * weight;
    for (int k = 0; k < 2 && counted != whole && !misses; k++) /* as h3ou__sparse_apply does it */
        sum[k] = sum[k] / counted * whole;
    *first = misses ? how->missing : how->factor * sum[0];
    *second = misses ? how->missing : how->factor * sum[1];
}

static void apply_rotated(const h3ou__incoming *in, int nlayer, double data[], double second[])
{
    const h3ou__sparse *s = &in->plan->rows;
    int64_t nslot = in->plan->start[in->plan->npartner];
    h3ou__apply how = options_of_apply(in, is_halved(in) ? 1 : 2);
    for (int layer = 0; layer < nlayer; layer++) {
        const double *u = (const double *)in->source + layer * nslot, *v = u + nlayer * nslot;
        for (int64_t r = 0; r < s->nrow; r++) {
            int64_t at = layer * in->n + s->row[r];
            rotate_row(in, &how, r, u, v, &data[at], &second[at]);
        }
    }
}

/* Shows what was computed to the observers. */
static int show_received(const h3ou__incoming *in, const double *const value[])
{
    return h3ou__is_watched(in->watched, H3OU__SIDE_RECEIVED) ? h3ou__observe_received(in, value) : H3OU__OK;
}

/* Interpolates three Cartesian components into in->raised, for a model that gets them as such. */
static int apply_cartesian(h3ou__incoming *in)
{
    const h3ou__sparse *s = &in->plan->rows;
    h3ou__apply how = options_of_apply(in, 3);
    int64_t values = in->n * in->layer;
    how.missing = NAN;
    int err = apply_rows(in, &how, in->raised);
    for (int layer = 0; layer < in->layer && !err && (how.share || how.skip_nan); layer++)
        for (int64_t r = 0; r < s->nrow; r++) {
            double *x = in->raised + layer * in->n + s->row[r];
            if (isnan(x[0]))
                x[0] = x[values] = x[2 * values] = missing_of(in);
        }
    for (int k = 0; k < 3 && !err; k++)
        fill_without_row(in, in->raised + k * values);
    return err ? err : show_received(in, (const double *const[]){in->raised, in->raised + values, in->raised + 2 * values});
}

/* Sets all cells that have a row or a fixed or missing value, in arrays of doubles without a halo. */
static int apply_all(h3ou__incoming *in, double data[], double second[])
{
    int err = H3OU__OK;
    if (in->raised) {
        err = apply_raised(in, data, second);
    } else if (second) {
        apply_rotated(in, in->layer, data, second);
    } else if (is_halved(in)) {
        apply_rotated(in, in->layer / 2, data, data + in->layer / 2 * in->n);
    } else {
        h3ou__apply how = options_of_apply(in, 1);
        err = apply_rows(in, &how, data);
    }
    if (err)
        return err;
    fill_without_row(in, data);
    if (second)
        fill_without_row(in, second);
    if (in->var->monitor.conserve && (err = h3ou__conserve(in, data)) != H3OU__OK)
        return err;
    return show_received(in, (const double *const[]){data, second});
}

/* Returns whether each result is what a product computes, and nothing else looks at it. */
static bool is_product_alone(const h3ou__incoming *in)
{
    return !in->var->is_vector && !in->plan->rotated && !in->plan->left.gradient &&
           !h3ou__is_watched(in->watched, H3OU__SIDE_RECEIVED) && !in->var->monitor.conserve;
}

/* Computes the cells straight into the model's array, where they may have others between them. Returns whether it could.
 */
static bool apply_in_place(h3ou__incoming *in, const h3ou__place *place, void *array)
{
    const h3ou__plan *p = in->plan;
    h3ou__apply how = options_of_apply(in, 1);
    h3ou__sparse rows = p->rows;
    bool has_columns = h3ou__place_has_columns(place) && !place->is_single && in->layer > 1;
    how.target_layout = has_columns ? H3OU__LAYERS_FASTEST : H3OU__CELLS_FASTEST;
    if (!h3ou__place_is_dense(place, in->n)) {
        if (!h3ou__placed_rows_find(&in->placed, place, has_columns ? in->layer : 1, rows.nrow, p->rows.row))
            return false;
        rows.row = in->placed.at;
        rows.run = in->placed.run;
        rows.nrun = in->placed.nrun;
    }
    how.gives_single = place->is_single;
    h3ou__sparse_apply(&rows, &how, p->start[p->npartner], in->source, place->next_layer, array);
    fill_places_without_row(in, place, array);
    return true;
}

/* Finds in->aside, for results that may not go straight into the model's arrays. In aside_room cells without a row,
 * which are never computed nor written to these, stay 0, or unset where there is a relay. */
static int find_aside(h3ou__incoming *in, int count)
{
    int64_t values = count * in->layer * in->n;
    if (in->relay && (in->aside = h3ou__relay_begin(in->relay)) != NULL)
        return H3OU__OK;
    if (!in->aside_room && (in->aside_room = calloc((size_t)(values + 1), sizeof *in->aside_room)) != NULL && in->relay)
        h3ou__unset(in->aside_room, values);
    in->aside = in->aside_room;
    return in->aside ? H3OU__OK : h3ou__fail(H3OU__ENOMEM, "%s: out of memory", in->what);
}

/* Returns a number that no other exchange of the field has: its time where that is whole, else the bits of it. */
static int64_t exchange_stamp(const h3ou__incoming *in)
{
    int64_t stamp = (int64_t)in->got;
    if ((double)stamp != in->got)
        memcpy(&stamp, &in->got, sizeof stamp);
    return stamp;
}

/* Returns one component's values with those of some cells perturbed, unless they are missing. */
static const double *perturbed(const h3ou__incoming *in, int component, const double from[], const int64_t cell[], int64_t count)
{
    double amount = in->var->members.perturb, missing = missing_of(in);
    int member = h3ou__world_component_member(in->world, h3ou__world_me(in->world));
    int64_t stamp = exchange_stamp(in);
    for (int layer = 0; layer < in->model_layer; layer++)
        for (int64_t i = 0; i < count; i++) {
            int64_t at = layer * in->n + cell[i];
            bool is_missing = isnan(from[at]) || from[at] == missing;
            in->perturbed[at] = from[at];
            if (!is_missing)
                in->perturbed[at] += amount * h3ou__perturbation(in->perturb_key, in->grid->index[cell[i]],
                                                                 component * in->model_layer + layer, member, stamp);
        }
    return in->perturbed;
}

/* Copies some cells of one component to the model's array (with missing='keep': those that have a value). */
static void write_cells(const h3ou__incoming *in, const h3ou__place *place, int component, const double from[],
                        const int64_t cell[], int64_t count, void *array)
{
    if (in->var->members.perturb > 0.0)
        from = perturbed(in, component, from, cell, count);
    h3ou__place_write(place, in->n, in->model_layer, from, cell, count, in->var->remap.keep_missing, array);
}

/* Copies to the model's array only the cells that were set, so the others stay as they are. */
static void write_set_cells(const h3ou__incoming *in, const h3ou__place *place, int component, const double from[], void *array)
{
    const h3ou__sparse *s = &in->plan->rows;
    const h3ou__remainder *left = &in->plan->left;
    write_cells(in, place, component, from, s->row, s->nrow, array);
    write_cells(in, place, component, from, left->unserved, left->nunserved, array);
    write_cells(in, place, component, from, left->fixed, left->nfixed, array);
}

int h3ou__incoming_compute(h3ou__incoming *in)
{
    int count = h3ou__config_components(in->var, in->var->get_xyz), err = H3OU__OK;
    h3ou__timeline_enter(h3ou__world_timeline(in->world), H3OU__ACT_REMAP, in->label);
    if (in->var->get_xyz)
        err = apply_cartesian(in);
    else if ((err = find_aside(in, count)) == H3OU__OK)
        err = apply_all(in, in->aside, count > 1 ? in->aside + in->layer * in->n : NULL);
    h3ou__timeline_leave(h3ou__world_timeline(in->world));
    return err;
}

const double *h3ou__incoming_computed(const h3ou__incoming *in)
{
    return in->var->get_xyz ? in->raised : in->aside;
}

static bool is_following(const h3ou__incoming *in)
{
    return in->relay && !h3ou__relay_leads(in->relay);
}

/* Writes to the model's arrays the cells that are set. of_component: how many of `from` one component has. */
static void write_values(const h3ou__incoming *in, const double from[], int64_t of_component, const h3ou__arrays *to, const h3ou__place *place)
{
    if (is_following(in))
        h3ou__relay_find_set(in->relay, from);
    for (int k = 0; k < to->count; k++)
        if (is_following(in))
            write_cells(in, place, k, from + k * of_component, in->relay->set, in->relay->nset, to->component[k]);
        else
            write_set_cells(in, place, k, from + k * of_component, to->component[k]);
}

void h3ou__incoming_write(const h3ou__incoming *in, const h3ou__arrays *to, const h3ou__place *place)
{
    int64_t mine = in->model_layer * in->n;
    if (in->held)
        write_values(in, in->held, mine, to, place);
    else if (is_following(in))
        write_values(in, in->relay->value, mine, to, place);
    else
        write_values(in, h3ou__incoming_computed(in), in->layer * in->n, to, place);
}

void h3ou__incoming_copy_mine(const h3ou__incoming *in, double to[])
{
    const double *from = is_following(in) ? in->relay->value : h3ou__incoming_computed(in);
    int64_t mine = in->model_layer * in->n, all = is_following(in) ? mine : in->layer * in->n;
    for (int k = 0; k < h3ou__config_components(in->var, in->var->get_xyz) && mine > 0; k++)
        memcpy(to + k * mine, from + k * all, sizeof *to * (size_t)mine);
}

/* Makes the arrays of h3ou__incoming_keep_next, if there are none, and the latest of them the former one. */
static int begin_next(h3ou__incoming *in)
{
    size_t size = sizeof *in->former * (size_t)(h3ou__incoming_values(in) + 1);
    if (!in->former) {
        in->former = malloc(size);
        in->latest = malloc(size);
        in->blend = malloc(size);
        if (!in->former || !in->latest || !in->blend)
            return h3ou__fail(H3OU__ENOMEM, "%s: out of memory", in->what);
    }
    double *oldest = in->former;
    in->former = in->latest;
    in->latest = oldest;
    return H3OU__OK;
}

/* Of the first exchange also the former values are its own. */
static void end_next(h3ou__incoming *in)
{
    if (in->ncomputed++ == 0)
        memcpy(in->former, in->latest, sizeof *in->former * (size_t)h3ou__incoming_values(in));
}

int h3ou__incoming_keep_next(h3ou__incoming *in, const double values[])
{
    int err = begin_next(in);
    if (err)
        return err;
    memcpy(in->latest, values, sizeof *values * (size_t)h3ou__incoming_values(in));
    end_next(in);
    return H3OU__OK;
}

int h3ou__incoming_compute_next(h3ou__incoming *in)
{
    int err = in->relay ? H3OU__OK : h3ou__incoming_compute(in);
    if (!err)
        err = begin_next(in);
    if (err)
        return err;
    h3ou__incoming_copy_mine(in, in->latest);
    end_next(in);
    return H3OU__OK;
}

/* A value that is missing at one end is the one that came last. */
void h3ou__incoming_write_between(const h3ou__incoming *in, double part, const h3ou__arrays *to, const h3ou__place *place)
{
    double missing = missing_of(in);
    for (int64_t i = 0; i < h3ou__incoming_values(in); i++) {
        double former = in->former[i], latest = in->latest[i];
        bool is_missing = isnan(former) || isnan(latest) || former == missing || latest == missing;
        in->blend[i] = is_missing ? latest : former + part * (latest - former);
    }
    write_values(in, in->blend, in->model_layer * in->n, to, place);
}

int h3ou__incoming_apply(h3ou__incoming *in, const h3ou__arrays *to, const h3ou__place *place)
{
    bool is_as_computed = !in->var->remap.keep_missing && !in->var->get_xyz && in->var->members.perturb <= 0.0;
    if (h3ou__place_is_plain(place, in->n) && is_as_computed)
        return apply_all(in, to->component[0], to->count > 1 ? to->component[1] : NULL);
    if (is_as_computed && is_product_alone(in) && apply_in_place(in, place, to->component[0]))
        return H3OU__OK;
    int err = h3ou__incoming_compute(in);
    if (!err)
        h3ou__incoming_write(in, to, place);
    return err;
}
