/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/bounds/mesh.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "interp/file/bounds/cell_corners.h"
#include "interp/file/netcdf/field_mask.h"

typedef struct numbering {
    int64_t first, none;
    bool has_none;
} numbering;

/* Converts n values of the list, beginning with value number `at`, to node numbers from 0. */
static int number_nodes(const h3ou__nc *r, const h3ou__nc_var *v, const numbering *how, const long long *given,
                        size_t n, size_t at, int64_t *node)
{
    for (size_t i = 0; i < n; i++) {
        if (given[i] < 0 || (how->has_none && given[i] == how->none))
            node[at + i] = -1;
        else if (given[i] < how->first)
            return h3ou__nc_bad(r, v->name, "value %zu is node %lld, nodes are counted from %" PRId64, at + i + 1,
                                given[i], how->first);
        else
            node[at + i] = given[i] - how->first;
    }
    return H3OU__OK;
}

int h3ou__mesh_read_nodes(const h3ou__nc *r, const h3ou__nc_var *v, int64_t first, h3ou__mesh *m)
{
    double start = (double)first, fill = -1;
    numbering how = {.has_none = h3ou__nc_number(r, v->id, "_FillValue", &fill)};
    if (h3ou__nc_number(r, v->id, "start_index", &start) && start != 0 && start != 1)
        return h3ou__nc_bad(r, v->name, "start_index is %g: 0 or 1 is expected", start);
    how.first = (int64_t)start;
    how.none = fabs(fill) < 9e18 ? (int64_t)fill : -1;
    size_t width = v->rank > 1 ? v->size[1] : 1, rows = v->rank > 0 ? v->size[0] : 0;
    size_t slab = width > 0 && width < 65536 ? 65536 / width : 1;
    long long *given = malloc(sizeof *given * (slab * width + 1));
    m->node = malloc(sizeof *m->node * (v->all + 1));
    int err = given && m->node ? H3OU__OK : h3ou__nc_no_memory(r, v->name);
    for (size_t i = 0; i < rows && !err; i += slab) {
        size_t from[2] = {i, 0}, count[2] = {rows - i < slab ? rows - i : slab, width};
        int code = nc_get_vara_longlong(r->id, v->id, from, count, given);
        err = code ? h3ou__nc_bad(r, v->name, "%s", nc_strerror(code))
                   : number_nodes(r, v, &how, given, count[0] * width, i * width, m->node);
    }
    free(given);
    return err;
}

static int check_lists(const h3ou__nc *r, const h3ou__mesh *m)
{
    for (int64_t i = 0; i < m->n; i++)
        for (int k = 0; k < m->most; k++) {
            int64_t node = m->node[i * m->most + k];
            if (node >= m->nnode)
                return h3ou__nc_bad(r, m->connectivity, "cell %" PRId64 " has node %" PRId64 " of %" PRId64, i + 1,
                                    node + 1, m->nnode);
            if (node >= 0 && k > 0 && m->node[i * m->most + k - 1] < 0)
                return h3ou__nc_bad(r, m->connectivity, "cell %" PRId64 " has a node after the end of its list", i + 1);
        }
    return H3OU__OK;
}

int h3ou__mesh_cells(const h3ou__nc *r, const h3ou__mesh *m, int edges, h3ou__cells **out)
{
    int err = check_lists(r, m);
    if (err)
        return err;
    err = h3ou__nc_cells(r, r->base, (size_t)m->n, m->centre_lon, m->centre_lat, m->mask, out);
    if (err)
        return h3ou__nc_bad_in(r, "cells of the mesh", err);
    const h3ou__corner_lists lists = {
        .n = m->n, .most = m->most, .lon = m->lon, .lat = m->lat, .node = m->node, .mask = (*out)->mask};
    err =
        h3ou__cell_corners_set(*out, &lists, m->nnode, 0, 0, edges == H3OU__EDGES_UNREAD ? H3OU__EDGES_DEFAULT : edges);
    return err ? h3ou__nc_bad_in(r, m->connectivity, err) : H3OU__OK;
}

void h3ou__mesh_free(h3ou__mesh *m)
{
    free(m->node);
    free(m->lon);
    free(m->lat);
    free(m->centre_lon);
    free(m->centre_lat);
    free(m->mask);
}
