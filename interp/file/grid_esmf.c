/* SPDX-License-Identifier: BSD-3-Clause */
/* Unstructured meshes in ESMF's own format (ESMF Reference Manual, "ESMF unstructured grid file format"). */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "interp/file/formats.h"
#include "interp/file/netcdf/field_mask.h"
#include "interp/file/bounds/mesh.h"

enum { MOST = 1000 }; /* corners of a cell, as a guard */

static bool is_esmf_mesh(const h3ou__nc *r)
{
    return h3ou__nc_has(r, "nodeCoords") && h3ou__nc_has(r, "elementConn");
}

/* (n, 2) to two arrays. */
static int read_pairs(const h3ou__nc *r, const char *name, size_t n, double **lon, double **lat)
{
    h3ou__nc_var v;
    double *both = NULL;
    int err = h3ou__nc_need(r, name, 0, &v);
    if (err)
        return err;
    if (v.rank != 2 || v.size[1] != 2 || v.size[0] == 0 || (n > 0 && v.size[0] != n))
        return h3ou__nc_bad(r, name, "must have two dimensions, the second of size 2 (longitude, latitude)");
    if ((err = h3ou__nc_angles(r, &v, NULL, &both)) != H3OU__OK)
        return err;
    *lon = malloc(sizeof **lon * (v.size[0] + 1));
    *lat = malloc(sizeof **lat * (v.size[0] + 1));
    if (!*lon || !*lat)
        err = h3ou__nc_no_memory(r, name);
    for (size_t i = 0; i < v.size[0] && !err; i++) {
        (*lon)[i] = both[2 * i];
        (*lat)[i] = both[2 * i + 1];
    }
    free(both);
    return err;
}

static int check_counts(const h3ou__nc *r, const int *count, size_t n, size_t most, size_t all)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (count[i] < 0 || (size_t)count[i] > most)
            return h3ou__nc_bad(r, "numElementConn", "cell %zu has %d corners", i + 1, count[i]);
        sum += (size_t)count[i];
    }
    if (all > 0 && sum != all)
        return h3ou__nc_bad(r, "numElementConn", "sums to %zu corners, elementConn has %zu", sum, all);
    return H3OU__OK;
}

/* Corners of all cells in one list, without padding. */
static int spread_corners(const h3ou__nc *r, h3ou__mesh *m, const int *count)
{
    int most = 0;
    for (int64_t i = 0; i < m->n; i++)
        most = count[i] > most ? count[i] : most;
    int64_t *node = malloc(sizeof *node * ((size_t)m->n * (size_t)most + 1)), at = 0;
    if (!node)
        return h3ou__nc_no_memory(r, "elementConn");
    for (int64_t i = 0; i < m->n; i++)
        for (int k = 0; k < most; k++)
            node[i * most + k] = k < count[i] ? m->node[at++] : -1;
    free(m->node);
    m->node = node;
    m->most = most;
    return H3OU__OK;
}

static int read_mesh(const h3ou__nc *r, h3ou__mesh *m)
{
    h3ou__nc_var number, list;
    int *count = NULL, err = h3ou__nc_need(r, "numElementConn", 0, &number);
    if (!err)
        err = h3ou__nc_need(r, "elementConn", 0, &list);
    if (err)
        return err;
    m->n = (int64_t)number.all;
    bool padded = list.rank == 2;
    if (m->n < 1 || (padded && list.size[0] != number.all) || (!padded && list.rank != 1))
        return h3ou__nc_bad(r, "elementConn", "must have the dimensions (elementCount, maxNodePElement) or (corners)");
    if (padded && list.size[1] > MOST)
        return h3ou__nc_bad(r, "elementConn", "%zu corners a cell: %d at most are possible", list.size[1], MOST);
    m->most = padded ? (int)list.size[1] : MOST;
    if ((err = h3ou__nc_ints(r, &number, &count)) == H3OU__OK)
        err = check_counts(r, count, number.all, (size_t)m->most, padded ? 0 : list.all);
    if (!err)
        err = h3ou__mesh_read_nodes(r, &list, 1, m);
    if (!err && !padded)
        err = spread_corners(r, m, count);
    for (int64_t i = 0; i < m->n && !err && padded; i++)
        for (int k = count[i]; k < m->most; k++)
            m->node[i * m->most + k] = -1;
    free(count);
    return err;
}

static int read_grid(const h3ou__nc *r, int edges, h3ou__cells **out)
{
    h3ou__mesh m = {.connectivity = "elementConn"};
    h3ou__nc_var v;
    int err = read_mesh(r, &m);
    if (!err)
        err = h3ou__nc_need(r, "nodeCoords", 0, &v);
    if (!err)
        err = read_pairs(r, "nodeCoords", 0, &m.lon, &m.lat);
    m.nnode = err ? 0 : (int64_t)v.size[0];
    if (!err && h3ou__nc_has(r, "centerCoords"))
        err = read_pairs(r, "centerCoords", (size_t)m.n, &m.centre_lon, &m.centre_lat);
    if (!err)
        err = h3ou__nc_wanted_mask(r, (size_t)m.n, &m.mask);
    if (!err && h3ou__nc_mask_is_own(r) && h3ou__nc_has(r, "elementMask"))
        err = h3ou__nc_int_mask(r, "elementMask", (size_t)m.n, 0, &m.mask);
    if (!err)
        err = h3ou__mesh_cells(r, &m, edges, out);
    if (!err)
        err = h3ou__nc_areas(r, "elementArea", (size_t)m.n, (*out)->mask, &(*out)->area);
    h3ou__mesh_free(&m);
    return err;
}

const h3ou__grid_format h3ou__grid_esmf = {
    .name = "esmf",
    .known_by = "nodeCoords (ESMF)",
    .is = is_esmf_mesh,
    .read = read_grid,
};
