/* SPDX-License-Identifier: BSD-3-Clause */
#include "file_samples.h"

static h3ou__cells *read_grid(const char *file)
{
    h3ou__cells *c = NULL;
    ok(h3ou__gridfile_read(file, H3OU__EDGES_DEFAULT, &c));
    return c;
}

static void refuses(const char *file, const char *sentence)
{
    h3ou__cells *c = NULL;
    int err = h3ou__gridfile_read(file, H3OU__EDGES_DEFAULT, &c);
    assert_int_equal(err, H3OU__EFILE);
    says(err, file, sentence);
}

static double corner_lat(const h3ou__cells *c, int64_t i, int k)
{
    return asin(c->corner[3 * (c->first[i] + k) + 2]) * 180 / PI;
}

/* A regular grid of 8 x 4 whose field misses every third value; bad: what to spoil. */
static void write_field(const char *file, const char *bad)
{
    int nc = create(file), d[2] = {dim(nc, "lat", 4), dim(nc, "lon", 8)};
    double x[8], y[4], value[32], missing = -9e33;
    for (int i = 0; i < 8; i++)
        x[i] = 45.0 * i;
    for (int j = 0; j < 4; j++)
        y[j] = -67.5 + 45.0 * j;
    if (!strcmp(bad, "latitude"))
        y[3] = 120.0;
    if (!strcmp(bad, "nan"))
        x[5] = NAN;
    for (int i = 0; i < 32; i++)
        value[i] = i % 3 ? i : missing;
    bool has_units = strcmp(bad, "units") != 0;
    int lon = var(nc, "lon", NC_DOUBLE, d[1], -1, has_units ? "degrees_east" : NULL);
    int lat = var(nc, "lat", NC_DOUBLE, d[0], -1, has_units ? "degrees_north" : NULL);
    int field = var(nc, "t", NC_DOUBLE, d[!strcmp(bad, "order")], d[strcmp(bad, "order") != 0], NULL);
    if (!strcmp(bad, "order"))
        text(nc, field, "coordinates", "lon lat");
    if (!strcmp(bad, "strange")) {
        text(nc, lon, "units", "cubits");
        text(nc, lon, "standard_name", "longitude");
    }
    ok(nc_put_att_double(nc, field, "missing_value", NC_DOUBLE, 1, &missing));
    ok(nc_enddef(nc));
    ok(nc_put_var_double(nc, lon, x));
    ok(nc_put_var_double(nc, lat, y));
    ok(nc_put_var_double(nc, field, value));
    ok(nc_close(nc));
}

static void a_field_s_coordinates_and_missing_values_are_a_grid(void **state)
{
    (void)state;
    write_field("field.nc", "");
    h3ou__cells *c = read_grid("field.nc");
    assert_true(c->n == 32 && c->rank == 2 && c->dims[0] == 8 && c->dims[1] == 4 && c->cyclic && c->lon_west);
    near(c->lon[9], 0.25 * PI, 1e-15);
    near(c->lon_west[0], -PI / 8, 1e-15);
    near(c->lat_south[0], -PI / 2, 0);
    near(c->lat_north[3], PI / 2, 0);
    near(c->lat_north[1], 0.0, 1e-15);
    for (int i = 0; i < 32; i++)
        assert_int_equal(c->mask[i], i % 3 != 0);
    h3ou__cells_free(c);
}

/* As CDO 2.1.1 makes them: halfway, the ends mirrored, beyond 88 degrees to the pole. */
static void bounds_are_made_halfway(void **state)
{
    (void)state;
    const double y[2][4] = {{73.79921363, 52.81294319, 31.70409175, 10.56988231}, {-20.0, 10.0, 40.0, 84.0}};
    const double first[2] = {84.29234885, -35.0}, last[2] = {0.00277759, 90.0};
    for (int k = 0; k < 2; k++) {
        int nc = create("axes.nc"), d[2] = {dim(nc, "y", 4), dim(nc, "x", 4)};
        double x[4] = {170, 180, -170, -150};
        int lon = var(nc, "x", NC_DOUBLE, d[1], -1, "degreeE"), lat = var(nc, "y", NC_DOUBLE, d[0], -1, "degree_north");
        var(nc, "t", NC_FLOAT, d[0], d[1], NULL);
        ok(nc_enddef(nc));
        ok(nc_put_var_double(nc, lon, x));
        ok(nc_put_var_double(nc, lat, y[k]));
        ok(nc_close(nc));
        h3ou__cells *c = read_grid("axes.nc");
        near((k ? c->lat_south : c->lat_north)[0] * 180 / PI, first[k], 1e-7);
        near((k ? c->lat_north : c->lat_south)[3] * 180 / PI, last[k], 1e-7);
        near(c->lon_east[1] * 180 / PI, 185, 1e-12);
        near(c->lon_west[2] * 180 / PI, 185, 1e-12);
        near(c->lon_east[3] * 180 / PI, 220, 1e-12);
        assert_true(!c->cyclic && c->mask[0] == 0); /* never written: the default fill value */
        h3ou__cells_free(c);
    }
}

/* 6 x 3 boxes in two dimensions, from 0 to 360 degrees; bent: one corner moved, so that they are no boxes. Without
 * bounds every other centre is moved. */
static void write_curvilinear(const char *file, bool bounds, double bent, double degree, const char *units)
{
    enum { NX = 6, NY = 3 };
    int nc = create(file), y = dim(nc, "y", NY), x = dim(nc, "x", NX), nv = dim(nc, "nv", 4);
    double lon[NY * NX], lat[NY * NX], cx[4 * NY * NX], cy[4 * NY * NX];
    const int sx[4] = {-1, 1, 1, -1}, sy[4] = {-1, -1, 1, 1};
    for (int i = 0; i < NX * NY; i++) {
        lon[i] = (30 + 60 * (i % NX)) * degree;
        lat[i] = (-20 + 20 * (i / NX) + (bounds ? 0 : 0.25 * (i % 2))) * degree;
        for (int k = 0; k < 4; k++) {
            cx[4 * i + k] = lon[i] + sx[k] * 30 * degree;
            cy[4 * i + k] = lat[i] + sy[k] * 10 * degree;
        }
    }
    cy[2] += bent * degree;
    int v[4] = {var(nc, "glon", NC_DOUBLE, y, x, units), var(nc, "glat", NC_DOUBLE, y, x, units)};
    text(nc, v[0], "standard_name", "longitude");
    text(nc, v[1], "standard_name", "latitude");
    int d[3] = {y, x, nv}, field = var(nc, "sst", NC_DOUBLE, y, x, NULL);
    text(nc, field, "coordinates", "glat glon");
    ok(nc_def_var(nc, "glon_bnds", NC_DOUBLE, 3, d, &v[2]));
    ok(nc_def_var(nc, "glat_bnds", NC_DOUBLE, 3, d, &v[3]));
    if (bounds) {
        text(nc, v[0], "bounds", "glon_bnds");
        text(nc, v[1], "bounds", "glat_bnds");
    }
    ok(nc_enddef(nc));
    ok(nc_put_var_double(nc, v[0], lon));
    ok(nc_put_var_double(nc, v[1], lat));
    ok(nc_put_var_double(nc, v[2], cx));
    ok(nc_put_var_double(nc, v[3], cy));
    lat[4] = NAN;
    ok(nc_put_var_double(nc, field, lat));
    ok(nc_close(nc));
}

static void curvilinear_grids_close_where_their_corners_meet(void **state)
{
    (void)state;
    write_curvilinear("curved.nc", true, 0, 1, "degrees");
    h3ou__cells *c = read_grid("curved.nc");
    assert_true(c->n == 18 && c->dims[0] == 6 && c->dims[1] == 3 && c->cyclic && !c->fold && c->lon_west);
    assert_int_equal(c->edges, H3OU__EDGES_LATITUDE);
    assert_true(c->mask[4] == 0 && c->mask[5] == 1);
    near(c->lat_south[0] * 180 / PI, -30, 1e-12);
    h3ou__cells_free(c);
    write_curvilinear("curved.nc", true, 1, PI / 180, "radian");
    c = read_grid("curved.nc");
    assert_int_equal(c->edges, H3OU__EDGES_GREAT);
    near(corner_lat(c, 0, 2), -9, 1e-12);
    near(c->lon[1], PI / 2, 1e-15);
    h3ou__cells_free(c);
    ok(h3ou__gridfile_read("curved.nc", H3OU__EDGES_LATITUDE, &c));
    assert_int_equal(c->edges, H3OU__EDGES_LATITUDE);
    h3ou__cells_free(c);
}

static void corners_are_made_from_centres(void **state)
{
    (void)state;
    write_curvilinear("bare.nc", false, 0, 1, "degrees");
    h3ou__cells *c = read_grid("bare.nc");
    assert_true(c->first && c->cyclic && !c->fold);
    /* Neighbours share corners, and the middle row's lie between the rows. */
    for (int x = 0; x < 6; x++)
        for (int d = 0; d < 3; d++)
            near(c->corner[3 * (c->first[6 + x] + 1) + d], c->corner[3 * c->first[6 + (x + 1) % 6] + d], 1e-12);
    assert_true(corner_lat(c, 7, 0) < -9 && corner_lat(c, 7, 0) > -13 && corner_lat(c, 7, 2) > 9);
    h3ou__cells_free(c);
}

/* A cap of 8 x 2 cells whose last row meets itself along the meridians 0 and 180. */
static void a_folded_last_row_is_noticed(void **state)
{
    (void)state;
    enum { NX = 8, NY = 2 };
    int nc = create("fold.nc"), y = dim(nc, "y", NY), x = dim(nc, "x", NX), nv = dim(nc, "nv", 4), v[4];
    double lon[NX * NY], lat[NX * NY], cx[4 * NX * NY], cy[4 * NX * NY], px[NX + 1][NY + 1], py[NX + 1][NY + 1];
    for (int i = 0; i <= NX; i++) { /* row 0 and 1 on parallels; the last from the pole of the fold over the top */
        double turn = 45.0 * i;
        for (int j = 0; j < NY; j++) {
            px[i][j] = turn - 90;
            py[i][j] = 50 + 10 * j;
        }
        double along = i <= NX / 2 ? i : NX - i; /* 0 .. 4 .. 0 from lat 70 at -90 E over the pole to 70 at 90 E */
        double from = -20 + 10 * along;
        px[i][NY] = from <= 0 ? -90 : 90;
        py[i][NY] = 90 - fabs(from);
    }
    const int sx[4] = {0, 1, 1, 0}, sy[4] = {0, 0, 1, 1};
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            double m[3] = {0, 0, 0};
            for (int k = 0; k < 4; k++) {
                double a = px[i + sx[k]][j + sy[k]], b = py[i + sx[k]][j + sy[k]];
                cx[4 * (i + NX * j) + k] = a;
                cy[4 * (i + NX * j) + k] = b;
                m[0] += cos(b * PI / 180) * cos(a * PI / 180);
                m[1] += cos(b * PI / 180) * sin(a * PI / 180);
                m[2] += sin(b * PI / 180);
            }
            lon[i + NX * j] = atan2(m[1], m[0]) * 180 / PI;
            lat[i + NX * j] = atan2(m[2], hypot(m[0], m[1])) * 180 / PI;
        }
    int d[3] = {y, x, nv};
    v[0] = var(nc, "lon", NC_DOUBLE, y, x, "degrees_east");
    v[1] = var(nc, "lat", NC_DOUBLE, y, x, "degrees_north");
    ok(nc_def_var(nc, "lon_v", NC_DOUBLE, 3, d, &v[2]));
    ok(nc_def_var(nc, "lat_v", NC_DOUBLE, 3, d, &v[3]));
    text(nc, v[0], "bounds", "lon_v");
    text(nc, v[1], "bounds", "lat_v");
    ok(nc_enddef(nc));
    ok(nc_put_var_double(nc, v[0], lon));
    ok(nc_put_var_double(nc, v[1], lat));
    ok(nc_put_var_double(nc, v[2], cx));
    ok(nc_put_var_double(nc, v[3], cy));
    ok(nc_close(nc));
    h3ou__cells *c = read_grid("fold.nc"); /* without a field: the first pair of coordinates */
    assert_true(c->fold && c->cyclic && c->n == NX * NY && c->mask[0] == 1);
    h3ou__cells_free(c);
}

/* Two triangles and a square over six nodes, as SCRIP, UGRID or ESMF say it. */
static const double node_lon[6] = {0, 10, 20, 0, 10, 20}, node_lat[6] = {0, 0, 0, 10, 10, 10};

static void write_scrip(const char *file, const char *bad, double degree, const char *units)
{
    const int node[3][4] = {{0, 1, 4, 4}, {0, 4, 3, 3}, {1, 2, 5, 4}};
    const double lon[3] = {6.6, 3.3, 15}, lat[3] = {3.3, 6.6, 5};
    double x[3], y[3], cx[12], cy[12], area[3] = {0.1, 0.2, 0.3};
    for (int i = 0; i < 3; i++) {
        x[i] = lon[i] * degree;
        y[i] = lat[i] * degree;
        for (int k = 0; k < 4; k++) {
            cx[4 * i + k] = node_lon[node[i][k]] * degree;
            cy[4 * i + k] = node_lat[node[i][k]] * degree;
        }
    }
    if (!strcmp(bad, "nan"))
        cy[5] = NAN;
    int nc = create(file), n = dim(nc, "grid_size", 3), nv = dim(nc, "grid_corners", 4), two = dim(nc, "two", 2);
    int v[7] = {var(nc, "grid_center_lat", NC_DOUBLE, n, -1, units),
                var(nc, "grid_corner_lon", NC_DOUBLE, n, nv, units),
                var(nc, !strcmp(bad, "corner") ? "elsewhere" : "grid_corner_lat", NC_DOUBLE, n, nv, units),
                var(nc, "grid_imask", !strcmp(bad, "char") ? NC_CHAR : NC_INT, !strcmp(bad, "size") ? nv : n, -1, NULL),
                var(nc, "grid_area", NC_DOUBLE, n, -1, !strcmp(bad, "area") ? "m2" : "radians^2"),
                var(nc, !strcmp(bad, "lon") ? "nowhere" : "grid_center_lon", NC_DOUBLE, n, -1, units)};
    v[6] = !strcmp(bad, "dims") ? var(nc, "grid_dims", NC_INT, two, -1, NULL) : -1;
    ok(nc_enddef(nc));
    const int mask[4] = {1, 0, 1, 1}, dims[2] = {2, 2};
    ok(nc_put_var_double(nc, v[0], y));
    ok(nc_put_var_double(nc, v[1], cx));
    ok(nc_put_var_double(nc, v[2], cy));
    if (strcmp(bad, "char") != 0)
        ok(nc_put_var_int(nc, v[3], mask));
    ok(nc_put_var_double(nc, v[4], area));
    ok(nc_put_var_double(nc, v[5], x));
    if (v[6] >= 0)
        ok(nc_put_var_int(nc, v[6], dims));
    ok(nc_close(nc));
}

static void scrip_grids_are_read(void **state)
{
    (void)state;
    for (int radians = 0; radians < 2; radians++) {
        write_scrip("scrip.nc", "", radians ? PI / 180 : 1, radians ? "radians" : "degrees");
        h3ou__cells *c = read_grid("scrip.nc");
        assert_true(c->n == 3 && c->first[1] == 3 && c->first[2] == 6 && c->first[3] == 10 && c->mask[1] == 0);
        near(c->lon[2], 15 * PI / 180, 1e-15);
        near(corner_lat(c, 0, 2), 10, 1e-12);
        assert_non_null(c->area);
        near(c->area[2], 0.3, 0);
        h3ou__cells_free(c);
    }
    write_scrip("scrip.nc", "area", 1, "degrees");
    h3ou__cells *c = read_grid("scrip.nc");
    assert_null(c->area);
    h3ou__cells_free(c);
    endures("scrip.nc");
}

static void bad_scrip_grids_are_told_by_name(void **state)
{
    (void)state;
    write_scrip("bad.nc", "lon", 1, "degrees");
    refuses("bad.nc", "grid_center_lon: the file has no such variable");
    write_scrip("bad.nc", "corner", 1, "degrees");
    refuses("bad.nc", "grid_corner_lat: the file has no such variable");
    write_scrip("bad.nc", "size", 1, "degrees");
    refuses("bad.nc", "grid_imask: has 4 values, 3 are expected");
    write_scrip("bad.nc", "char", 1, "degrees");
    refuses("bad.nc", "grid_imask: is not a variable of numbers");
    write_scrip("bad.nc", "dims", 1, "degrees");
    refuses("bad.nc", "grid_dims: is 2 x 2, the grid has 3 cells");
    write_scrip("bad.nc", "", 1, "furlongs");
    refuses("bad.nc", "units 'furlongs' are neither degrees nor radians");
    write_scrip("bad.nc", "", 60, "degrees");
    refuses("bad.nc", "not on the sphere");
    write_scrip("ok.nc", "nan", 1, "degrees"); /* a masked cell may be anything */
    h3ou__cells_free(read_grid("ok.nc"));
}

static void write_ugrid(const char *file, int start, int beyond, bool centres, bool turned)
{
    int list[12] = {0, 1, 4, -999, 0, 4, 3, -999, 1, 2, 5, 4}, fill = -999;
    int nc = create(file), n = dim(nc, "nface", 3), nv = dim(nc, "nmax", 4), nn = dim(nc, "nnode", 6), mesh;
    ok(nc_def_var(nc, "topo", NC_INT, 0, NULL, &mesh));
    text(nc, mesh, "cf_role", "mesh_topology");
    const int two = 2;
    ok(nc_put_att_int(nc, mesh, "topology_dimension", NC_INT, 1, &two));
    text(nc, mesh, "node_coordinates", "ny nx");
    text(nc, mesh, "face_node_connectivity", "faces");
    if (centres)
        text(nc, mesh, "face_coordinates", "fx fy");
    if (turned)
        text(nc, mesh, "face_dimension", "nface");
    int x = var(nc, "nx", NC_DOUBLE, nn, -1, "degrees_east"), y = var(nc, "ny", NC_DOUBLE, nn, -1, "degrees_north");
    int fx = var(nc, "fx", NC_DOUBLE, n, -1, "degrees_east"), fy = var(nc, "fy", NC_DOUBLE, n, -1, "degrees_north");
    int faces = var(nc, "faces", NC_INT, turned ? nv : n, turned ? n : nv, NULL);
    ok(nc_put_att_int(nc, faces, "start_index", NC_INT, 1, &start));
    ok(nc_put_att_int(nc, faces, "_FillValue", NC_INT, 1, &fill));
    int field = var(nc, "sst", NC_FLOAT, n, -1, NULL);
    text(nc, field, "mesh", "topo");
    text(nc, field, "location", "face");
    ok(nc_enddef(nc));
    for (int i = 0; i < 12; i++)
        list[i] = list[i] == fill ? fill : list[i] + start;
    list[5] = beyond ? beyond : list[5];
    int columns[12];
    for (int i = 0; i < 12; i++)
        columns[(i % 4) * 3 + i / 4] = list[i];
    const double cx[3] = {7, 3, 15}, cy[3] = {3, 7, 5}, value[3] = {1, 2, NAN};
    ok(nc_put_var_double(nc, x, node_lon));
    ok(nc_put_var_double(nc, y, node_lat));
    ok(nc_put_var_double(nc, fx, cx));
    ok(nc_put_var_double(nc, fy, cy));
    ok(nc_put_var_int(nc, faces, turned ? columns : list));
    ok(nc_put_var_double(nc, field, value));
    ok(nc_close(nc));
}

static void ugrid_meshes_are_read(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        write_ugrid("ugrid.nc", k & 1, 0, k & 2, k & 4);
        h3ou__cells *c = read_grid("ugrid.nc");
        assert_true(c->n == 3 && c->first[3] == 10 && c->first[1] == 3 && c->mask[0] == 1 && c->mask[2] == 0);
        near(corner_lat(c, 0, 2), 10, 1e-12);
        near(c->lon[0] * 180 / PI, k & 2 ? 7 : 6.6, k & 2 ? 1e-12 : 0.1);
        h3ou__cells_free(c);
    }
    endures("ugrid.nc");
    write_ugrid("bad.nc", 1, 7, false, false);
    refuses("bad.nc", "faces: cell 2 has node 7 of 6");
    write_ugrid("bad.nc", 1, -999, false, false);
    refuses("bad.nc", "cell 2 has a node after the end of its list");
}

static void write_esmf(const char *file, bool ragged, int start, int beyond)
{
    const int list[12] = {1, 2, 5, -1, 1, 5, 4, -1, 2, 3, 6, 5}, short_list[10] = {1, 2, 5, 1, 5, 4, 2, 3, 6, 5};
    int out[12], count[3] = {3, 3, 4}, all = ragged ? 10 : 12;
    int nc = create(file), n = dim(nc, "elementCount", 3), nv = dim(nc, "maxNodePElement", 4);
    int nn = dim(nc, "nodeCount", 6), two = dim(nc, "coordDim", 2), c = dim(nc, "connections", 10);
    int nodes = var(nc, "nodeCoords", NC_DOUBLE, nn, two, "degrees");
    int conn = var(nc, "elementConn", NC_INT, ragged ? c : n, ragged ? -1 : nv, NULL);
    int number = var(nc, "numElementConn", NC_BYTE, n, -1, NULL), mask = var(nc, "elementMask", NC_INT, n, -1, NULL);
    int centres = var(nc, "centerCoords", NC_DOUBLE, n, two, "degrees"),
        area = var(nc, "elementArea", NC_DOUBLE, n, -1, "radians^2");
    ok(nc_put_att_int(nc, conn, "start_index", NC_INT, 1, &start));
    ok(nc_enddef(nc));
    for (int i = 0; i < all; i++)
        out[i] = (ragged ? short_list[i] : list[i]) + (list[i] > 0 || ragged ? start - 1 : 0);
    if (beyond)
        out[2] = beyond;
    double both[12];
    for (int i = 0; i < 6; i++) {
        both[2 * i] = node_lon[i];
        both[2 * i + 1] = node_lat[i];
    }
    const double middle[6] = {7, 3, 3, 7, 15, 5}, size[3] = {1, 2, 3};
    const int on[3] = {1, 1, 0};
    ok(nc_put_var_double(nc, nodes, both));
    ok(nc_put_var_int(nc, conn, out));
    ok(nc_put_var_int(nc, number, count));
    ok(nc_put_var_int(nc, mask, on));
    ok(nc_put_var_double(nc, centres, middle));
    ok(nc_put_var_double(nc, area, size));
    ok(nc_close(nc));
}

static void esmf_meshes_are_read(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        write_esmf("esmf.nc", k & 1, k / 2, 0);
        h3ou__cells *c = read_grid("esmf.nc");
        assert_true(c->n == 3 && c->first[3] == 10 && c->mask[2] == 0 && c->area && c->area[1] == 2);
        near(c->lon[0] * 180 / PI, 7, 1e-12);
        near(corner_lat(c, 0, 2), 10, 1e-12);
        h3ou__cells_free(c);
        endures("esmf.nc");
    }
    write_esmf("bad.nc", false, 1, 9);
    refuses("bad.nc", "elementConn: cell 1 has node 9 of 6");
    write_esmf("bad.nc", false, 1, 0x7fffffff);
    refuses("bad.nc", "elementConn: cell 1 has node 2147483647 of 6");
}

/* A list of cells with bounds, as CDO writes unstructured grids. */
static void a_list_of_cells_is_read(void **state)
{
    (void)state;
    const double lon[2] = {5, 15}, lat[2] = {5, 5}, cx[8] = {0, 10, 10, 0, 10, 20, 20, 20},
                 cy[8] = {0, 0, 10, 10, 0, 0, 10, 10};
    for (int bounds = 0; bounds < 3; bounds++) {
        int nc = create("list.nc"), n = dim(nc, "ncells", 2), nv = dim(nc, "vertices", 4);
        int v[5] = {var(nc, "lon", NC_DOUBLE, n, -1, "degrees_east"), var(nc, "lat", NC_DOUBLE, n, -1, "degrees_north"),
                    var(nc, "lon_bnds", NC_DOUBLE, n, nv, NULL), var(nc, "lat_bnds", NC_DOUBLE, n, nv, NULL),
                    var(nc, "topo", NC_FLOAT, n, -1, "m")};
        text(nc, v[4], "coordinates", "lat lon");
        if (bounds > 0)
            text(nc, v[0], "bounds", "lon_bnds");
        if (bounds > 1)
            text(nc, v[1], "bounds", "lat_bnds");
        ok(nc_enddef(nc));
        ok(nc_put_var_double(nc, v[0], lon));
        ok(nc_put_var_double(nc, v[1], lat));
        ok(nc_put_var_double(nc, v[2], cx));
        ok(nc_put_var_double(nc, v[3], cy));
        ok(nc_put_var_double(nc, v[4], lat));
        ok(nc_close(nc));
        if (bounds == 1) {
            refuses("list.nc", "lat: has no bounds, the other coordinate has");
            continue;
        }
        h3ou__cells *c = read_grid("list.nc");
        assert_true(c->n == 2 && c->rank == 1 &&
                    (bounds ? c->first && c->first[2] == 7 : !h3ou__cells_have_corners(c)));
        h3ou__cells_free(c);
    }
    endures("list.nc");
}

static void bad_files_are_told_by_name(void **state)
{
    (void)state;
    refuses("absent.nc", "No such file");
    write_field("bad.nc", "latitude");
    refuses("bad.nc", "lat: value 4 is 120 degrees (cell 25)");
    write_field("bad.nc", "nan");
    refuses("bad.nc", "lon: value 6 is not finite (cell 6)");
    write_field("bad.nc", "units");
    refuses("bad.nc", "neither grid_center_lat");
    write_field("bad.nc", "order");
    refuses("bad.nc", "t: its last dimensions must be those of lat and lon");
    write_field("bad.nc", "strange");
    refuses("bad.nc", "lon: units 'cubits'");
    spill("bad.nc", "CDF\001 and then nothing of sense", 31);
    refuses("bad.nc", "bad.nc");
    write_field("field.nc", "");
    endures("field.nc");
    write_curvilinear("curved.nc", true, 0, 1, "degrees");
    endures("curved.nc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_s_coordinates_and_missing_values_are_a_grid),
        cmocka_unit_test(bounds_are_made_halfway),
        cmocka_unit_test(curvilinear_grids_close_where_their_corners_meet),
        cmocka_unit_test(corners_are_made_from_centres),
        cmocka_unit_test(a_folded_last_row_is_noticed),
        cmocka_unit_test(scrip_grids_are_read),
        cmocka_unit_test(bad_scrip_grids_are_told_by_name),
        cmocka_unit_test(ugrid_meshes_are_read),
        cmocka_unit_test(esmf_meshes_are_read),
        cmocka_unit_test(a_list_of_cells_is_read),
        cmocka_unit_test(bad_files_are_told_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
