/* SPDX-License-Identifier: BSD-3-Clause */
/* Meshes by the UGRID conventions 1.0: a variable of cf_role mesh_topology names nodes and faces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "interp/file/formats.h"
#include "interp/file/netcdf/field_mask.h"
#include "interp/file/bounds/mesh.h"

/* The variable whose attribute cf_role is mesh_topology, of two dimensions; -1: none. */
static int find_topology(const h3ou__nc *r, char *name)
{
    int n = 0;
    char role[64];
    double dimension = 2;
    nc_inq_nvars(r->id, &n);
    for (int id = 0; id < n; id++) {
        h3ou__nc_text(r, id, "cf_role", role, sizeof role);
        h3ou__nc_number(r, id, "topology_dimension", &dimension);
        if (!strcmp(role, "mesh_topology") && dimension == 2 && nc_inq_varname(r->id, id, name) == NC_NOERR)
            return id;
    }
    return -1;
}

static bool is_ugrid(const h3ou__nc *r)
{
    char name[NC_MAX_NAME + 1];
    return find_topology(r, name) >= 0;
}

/* The two variables that an attribute of the topology names, of n values each (0: any), as longitudes and latitudes. */
static int read_places(const h3ou__nc *r, int mesh, const char *attribute, size_t n, double **lon, double **lat,
                       h3ou__nc_var *first)
{
    char names[2 * NC_MAX_NAME + 8], one[NC_MAX_NAME + 1], two[NC_MAX_NAME + 1], text[64];
    h3ou__nc_var v, w;
    h3ou__nc_text(r, mesh, attribute, names, sizeof names);
    if (sscanf(names, "%256s %256s", one, two) != 2)
        return h3ou__nc_bad(r, attribute, "must name two variables, it is '%s'", names);
    int err = h3ou__nc_need(r, one, n, &v);
    if (!err)
        err = h3ou__nc_need(r, two, v.all, &w);
    if (err)
        return err;
    bool turned = !strcmp(h3ou__nc_text(r, v.id, "standard_name", text, sizeof text), "latitude") ||
                  !strncasecmp(h3ou__nc_text(r, v.id, "units", text, sizeof text), "degrees_n", 9);
    *first = v;
    err = h3ou__nc_angles(r, turned ? &w : &v, NULL, lon);
    return err ? err : h3ou__nc_angles(r, turned ? &v : &w, NULL, lat);
}

/* (corners, faces) to (faces, corners). */
static int transpose_nodes(const h3ou__nc *r, h3ou__mesh *m)
{
    int64_t *node = malloc(sizeof *node * ((size_t)m->n * (size_t)m->most + 1));
    if (!node)
        return h3ou__nc_no_memory(r, m->connectivity);
    for (int64_t i = 0; i < m->n; i++)
        for (int k = 0; k < m->most; k++)
            node[i * m->most + k] = m->node[k * m->n + i];
    free(m->node);
    m->node = node;
    return H3OU__OK;
}

static int read_faces(const h3ou__nc *r, int mesh, h3ou__mesh *m, int *face_dim)
{
    char text[NC_MAX_NAME + 1], dim[NC_MAX_NAME + 1] = "";
    h3ou__nc_var v;
    int err = h3ou__nc_need(r, m->connectivity, 0, &v);
    if (err)
        return err;
    if (v.rank != 2 || v.all == 0)
        return h3ou__nc_bad(r, v.name, "must have two dimensions (faces, corners)");
    h3ou__nc_text(r, mesh, "face_dimension", text, sizeof text);
    nc_inq_dimname(r->id, v.dim[1], dim);
    bool turned = text[0] && !strcmp(text, dim);
    size_t most = v.size[turned ? 0 : 1];
    if (most > 1000)
        return h3ou__nc_bad(r, v.name,
                            "has %zu corners a face; if the faces are the second dimension, the attribute "
                            "face_dimension of the topology must name it",
                            most);
    m->n = (int64_t)v.size[turned];
    m->most = (int)most;
    *face_dim = v.dim[turned];
    err = h3ou__mesh_read_nodes(r, &v, 0, m);
    return err || !turned ? err : transpose_nodes(r, m);
}

/* What the user wishes, or the missing values of the first field on the faces. */
static int read_mask(const h3ou__nc *r, const char *mesh_name, int face_dim, h3ou__mesh *m)
{
    int n = 0;
    char text[NC_MAX_NAME + 1];
    h3ou__nc_var v;
    if (!h3ou__nc_mask_is_own(r))
        return h3ou__nc_wanted_mask(r, (size_t)m->n, &m->mask);
    nc_inq_nvars(r->id, &n);
    for (int id = 0; id < n; id++) {
        if (!h3ou__nc_look(r, id, &v) || v.rank < 1 || v.dim[v.rank - 1] != face_dim)
            continue;
        if (strcmp(h3ou__nc_text(r, id, "location", text, sizeof text), "face") != 0 ||
            strcmp(h3ou__nc_text(r, id, "mesh", text, sizeof text), mesh_name) != 0)
            continue;
        return h3ou__nc_field_mask(r, &v, (size_t)m->n, &m->mask);
    }
    return H3OU__OK;
}

static int read_grid(const h3ou__nc *r, int edges, h3ou__cells **out)
{
    char name[NC_MAX_NAME + 1], list[NC_MAX_NAME + 1], text[NC_MAX_NAME + 1];
    int mesh = find_topology(r, name), face_dim = -1;
    h3ou__mesh m = {.connectivity = list};
    h3ou__nc_var v;
    if (!h3ou__nc_text(r, mesh, "face_node_connectivity", list, sizeof list)[0])
        return h3ou__nc_bad(r, name, "has no attribute face_node_connectivity");
    int err = read_faces(r, mesh, &m, &face_dim);
    if (!err && (err = read_places(r, mesh, "node_coordinates", 0, &m.lon, &m.lat, &v)) == H3OU__OK)
        m.nnode = (int64_t)v.all;
    if (!err && h3ou__nc_text(r, mesh, "face_coordinates", text, sizeof text)[0])
        err = read_places(r, mesh, "face_coordinates", (size_t)m.n, &m.centre_lon, &m.centre_lat, &v);
    if (!err)
        err = read_mask(r, name, face_dim, &m);
    if (!err)
        err = h3ou__mesh_cells(r, &m, edges, out);
    h3ou__mesh_free(&m);
    return err;
}

const h3ou__grid_format h3ou__grid_ugrid = {
    .name = "ugrid",
    .known_by = "a mesh_topology (UGRID)",
    .is = is_ugrid,
    .read = read_grid,
};
