/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/record/model_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/record/record_block.h"

int h3ou__model_values_open(h3ou__model_values *m, const h3ou__face_field *f, const h3ou__arrays *a)
{
    const h3ou__config_var *v = &f->config->var[f->var];
    int64_t n = f->grid->n;
    m->rows = v->layer * f->slices;
    m->n = n * m->rows * a->count;
    if (!h3ou__place_find_slices(f->grid, a, v->layer, f->slices, &m->place))
        return h3ou__arrays_misfit(a, f->config, v, f->name, f->grid, f->slices);
    if (!h3ou__grow(&m->value, sizeof *m->value, &m->room, m->n + n + 1) ||
        !h3ou__grow(&m->other, sizeof *m->other, &m->room_other, m->n + n + 1) ||
        !h3ou__grow(&m->all_cells, sizeof *m->all_cells, &m->room_cells, n + 1))
        return h3ou__no_memory("the values of field %s", f->name);
    for (int64_t i = 0; i < n; i++)
        m->all_cells[i] = i;
    return H3OU__OK;
}

int h3ou__model_values_read(h3ou__model_values *m, const h3ou__face_field *f, const h3ou__arrays *a, double to[])
{
    int64_t n = f->grid->n;
    h3ou__place place;
    for (int k = 0; k < a->count; k++)
        h3ou__place_read(&m->place, n, m->rows, a->component[k], to + k * n * m->rows);
    if (!a->share)
        return H3OU__OK;
    if (!h3ou__place_find_share(f->grid, a, &place))
        return h3ou__fail(H3OU__ESIZE, "%s: field %s: the shares are of another shape than the cells of grid %s", f->call, f->name,
                          f->grid->name);
    h3ou__place_read(&place, n, 1, a->share, to + m->n);
    return H3OU__OK;
}

void h3ou__model_values_write(const h3ou__model_values *m, const h3ou__face_field *f, const double from[], const h3ou__arrays *a)
{
    int64_t n = f->grid->n;
    for (int k = 0; k < a->count; k++)
        h3ou__place_write(&m->place, n, m->rows, from + k * n * m->rows, m->all_cells, n, false, a->component[k]);
}

void h3ou__model_values_free(h3ou__model_values *m)
{
    free(m->value);
    free(m->other);
    free(m->all_cells);
    *m = (h3ou__model_values){0};
}

bool h3ou__value_is_untouched(const double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    return bits == H3OU__UNTOUCHED;
}

void h3ou__value_untouch(double *value)
{
    const uint64_t bits = H3OU__UNTOUCHED;
    memcpy(value, &bits, sizeof bits);
}
