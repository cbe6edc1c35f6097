/* SPDX-License-Identifier: BSD-3-Clause */
/* Areas, moments and intersections of spherical polygons against closed forms, and random ones that must tile; tangent
 * frames and distances. */
#include "interp/grid/cell_polygon.h"
#include "interp/sphere/angles.h"
#include "interp/sphere/clip.h"
#include "interp/sphere/tangent_frame.h"
#include "interp/sphere/vector.h"
#include "sphere.h"

static h3ou__polygon polygon(int n, const double degrees[][2], bool circles)
{
    h3ou__polygon p = {.n = n};
    for (int k = 0; k < n; k++)
        place(degrees[k][0] * PI / 180, degrees[k][1] * PI / 180, p.v[k]);
    for (int k = 0; k < n; k++) {
        const double *a = p.v[k], *b = p.v[(k + 1) % n];
        p.circle[k] = circles && fabs(a[2] - b[2]) < 1e-12 && fabs(a[2]) < 1 - 1e-12;
        p.has_circles |= p.circle[k];
    }
    p.convex = h3ou__polygon_is_convex(&p);
    return p;
}

static double boxed(double west, double east, double south, double north)
{
    return (east - west) * PI / 180 * (sin(north * PI / 180) - sin(south * PI / 180));
}

static void areas_have_their_closed_forms(void **state)
{
    (void)state;
    double octant[][2] = {{0, 0}, {90, 0}, {0, 90}}, lune[][2] = {{10, -90}, {40, 0}, {10, 90}, {10, 0}};
    h3ou__polygon p = polygon(3, octant, false);
    assert_float_equal(h3ou__polygon_area(&p), PI / 2, 1e-15);
    p = polygon(4, lune, false); /* of 30 degrees: a twelfth of the sphere */
    assert_float_equal(h3ou__polygon_area(&p), 4 * PI / 12, 1e-14);
    double box[][2] = {{350, 30}, {370, 30}, {370, 50}, {350, 50}};
    p = polygon(4, box, true);
    assert_float_equal(h3ou__polygon_area(&p), boxed(350, 370, 30, 50), 1e-15);
    double south[][2] = {{0, -80}, {120, -80}, {120, -30}, {0, -30}};
    p = polygon(4, south, true);
    assert_float_equal(h3ou__polygon_area(&p), boxed(0, 120, -80, -30), 1e-14);
    double turned[][2] = {{0, 0}, {0, 90}, {90, 0}};
    p = polygon(3, turned, false);
    assert_float_equal(h3ou__polygon_area(&p), -PI / 2, 1e-15);
    /* A cap of many great arcs: less than the round one by what they cut off; with circles exactly the cap. */
    p = (h3ou__polygon){.n = 36};
    for (int k = 0; k < 36; k++)
        place(2 * PI * k / 36, 60 * PI / 180, p.v[k]);
    double cap = 2 * PI * (1 - sin(PI / 3)), great = h3ou__polygon_area(&p);
    memset(p.circle, 1, 36);
    p.has_circles = true;
    assert_float_equal(h3ou__polygon_area(&p), cap, 1e-14);
    assert_true(great < cap && great > 0.99 * cap);
}

/* Relative to the cell, for cells down to a metre beside a pole. */
static void small_areas_keep_their_digits(void **state)
{
    (void)state;
    for (int k = 0; k <= 6; k++) {
        double size = 10.0 * pow(10.0, -k), north = 89.0;
        double box[][2] = {{20, north - size}, {20 + size, north - size}, {20 + size, north}, {20, north}};
        h3ou__polygon p = polygon(4, box, true);
        double a = (north - size) * PI / 180, b = north * PI / 180;
        double exact = size * PI / 180 * 2 * cos(0.5 * (a + b)) * sin(0.5 * (b - a));
        /* What the corners' own rounding does: 1e-16 over the cell's width. */
        assert_float_equal(h3ou__polygon_area(&p) / exact, 1.0, 1e-14 + 2e-15 / (size * PI / 180 * cos(b)));
    }
}

/* The moment of a region symmetric about an axis points along it; a cap's is known, and pieces add up. */
static void moments_have_their_closed_forms(void **state)
{
    (void)state;
    double m[3], n[3], octant[][2] = {{0, 0}, {90, 0}, {0, 90}};
    h3ou__polygon p = polygon(3, octant, false);
    h3ou__polygon_moment(&p, m);
    for (int d = 0; d < 3; d++)
        assert_float_equal(m[d], PI / 4, 1e-15);
    double third[][2] = {{0, 60}, {120, 60}, {0, 90}}, sum[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++)
            third[c][0] += c < 2 && k ? 120 : 0;
        p = polygon(3, third, true);
        h3ou__polygon_moment(&p, n);
        for (int d = 0; d < 3; d++)
            sum[d] += n[d];
    }
    assert_float_equal(sum[0], 0, 1e-15);
    assert_float_equal(sum[1], 0, 1e-15);
    assert_float_equal(sum[2], PI * cos(PI / 3) * cos(PI / 3), 1e-15); /* pi sin2(colatitude) */
    /* Against a sum over many small boxes. */
    double box[][2] = {{-20, 10}, {30, 10}, {30, 70}, {-20, 70}}, fine[3] = {0, 0, 0};
    p = polygon(4, box, true);
    h3ou__polygon_moment(&p, m);
    for (int i = 0; i < 500; i++)
        for (int k = 0; k < 600; k++) {
            double x[3], south = 10 + 0.1 * k;
            place((-20 + 0.1 * i + 0.05) * PI / 180, (south + 0.05) * PI / 180, x);
            for (int d = 0; d < 3; d++)
                fine[d] += boxed(0, 0.1, south, south + 0.1) * x[d];
        }
    for (int d = 0; d < 3; d++)
        assert_float_equal(m[d], fine[d], 1e-6);
}

static void intersections_have_their_closed_forms(void **state)
{
    (void)state;
    double octant[][2] = {{0, 0}, {90, 0}, {0, 90}}, east[][2] = {{45, 0}, {135, 0}, {0, 90}};
    h3ou__polygon a = polygon(3, octant, false), b = polygon(3, east, false);
    assert_float_equal(h3ou__polygon_overlap(&a, &b, NULL), PI / 4, 1e-15);
    /* The same, itself, beyond an edge, over a corner: touching is nothing. */
    double next[][2] = {{90, 0}, {180, 0}, {0, 90}}, below[][2] = {{0, -90}, {90, 0}, {0, 0}};
    assert_float_equal(h3ou__polygon_overlap(&a, &a, NULL), PI / 2, 1e-15);
    b = polygon(3, next, false);
    assert_float_equal(h3ou__polygon_overlap(&a, &b, NULL), 0, 1e-16);
    b = polygon(3, below, false);
    assert_float_equal(h3ou__polygon_overlap(&a, &b, NULL), 0, 1e-16);
    /* Boxes over the date line and at both poles. */
    double one[][2] = {{170, 20}, {190, 20}, {190, 60}, {170, 60}};
    double two[][2] = {{-175, 40}, {-160, 40}, {-160, 80}, {-175, 80}};
    a = polygon(4, one, true);
    b = polygon(4, two, true);
    assert_float_equal(h3ou__polygon_overlap(&a, &b, NULL), boxed(185, 190, 40, 60), 1e-15);
    for (int s = -1; s <= 1; s += 2) {
        double cap[][2] = {{0, s * 60}, {s * 90, s * 60}, {0, s * 90}},
               box[][2] = {{0, 80}, {30, 80}, {30, 85}, {0, 85}};
        if (s < 0)
            for (int k = 0; k < 4; k++)
                box[k][1] = k < 2 ? -85 : -80;
        if (s < 0)
            for (int k = 0; k < 4; k++)
                box[k][0] -= 60;
        a = polygon(3, cap, true);
        b = polygon(4, box, true);
        assert_true(h3ou__polygon_area(&a) > 0 && h3ou__polygon_area(&b) > 0);
        assert_float_equal(h3ou__polygon_overlap(&a, &b, NULL), boxed(0, 30, 80, 85), 1e-15);
        assert_float_equal(h3ou__polygon_overlap(&b, &a, NULL), boxed(0, 30, 80, 85), 1e-15);
    }
    /* A square round the pole against the four quarters of a cap that it contains, and that contain it. */
    double square[][2] = {{0, 50}, {90, 50}, {180, 50}, {270, 50}};
    a = polygon(4, square, false);
    for (int inside = 0; inside < 2; inside++) {
        double sum = 0, lat = inside ? 70 : 40;
        for (int k = 0; k < 4; k++) {
            double quarter[][2] = {{20 + 90 * k, lat}, {110 + 90 * k, lat}, {0, 90}};
            b = polygon(3, quarter, true);
            sum += h3ou__polygon_overlap(&a, &b, NULL);
        }
        assert_float_equal(sum, inside ? 2 * PI * (1 - sin(lat * PI / 180)) : h3ou__polygon_area(&a), 1e-14);
    }
}

/* A great circle's arc that bulges over a latitude circle between ends below it, and the other way round. */
static void arcs_that_bulge_are_cut(void **state)
{
    (void)state;
    double wide[][2] = {{0, 40}, {30, 0}, {60, 40}}, strip[][2] = {{-10, 41}, {70, 41}, {70, 60}, {-10, 60}};
    h3ou__polygon a = polygon(3, wide, false), b = polygon(4, strip, true);
    double above = h3ou__polygon_overlap(&a, &b, NULL), sum = 0;
    /* By quadrature over longitude: the arc's latitude is atan(tan(top) cos(lon - 30)). */
    double top = atan(tan(40 * PI / 180) / cos(PI / 6));
    for (int i = 0; i < 200000; i++) {
        double lon = (i + 0.5) * 60 / 200000, lat = atan(tan(top) * cos((lon - 30) * PI / 180));
        if (lat > 41 * PI / 180)
            sum += 60.0 / 200000 * PI / 180 * (sin(lat) - sin(41 * PI / 180));
    }
    assert_true(above > 0.01);
    assert_float_equal(above, sum, 1e-10);
    assert_float_equal(h3ou__polygon_overlap(&b, &a, NULL), sum, 1e-10);
    double low[][2] = {{-10, 20}, {70, 20}, {70, 41}, {-10, 41}},
           rest[][2] = {{-10, -5}, {70, -5}, {70, 20}, {-10, 20}};
    h3ou__polygon c = polygon(4, low, true), d = polygon(4, rest, true);
    assert_float_equal(above + h3ou__polygon_overlap(&a, &c, NULL) + h3ou__polygon_overlap(&a, &d, NULL),
                       h3ou__polygon_area(&a), 1e-14);
}

/* Great arcs between two places of a box's parallel, as a tripolar grid's first row has them: the corners lie on the
 * parallel up to rounding, now on this side of it and now on that, and the lens beyond belongs to the box beyond. */
static void arcs_from_a_parallel_are_cut(void **state)
{
    (void)state;
    const double LATS[] = {-78, -64, 30, 81}, REACH[][2] = {{-1, 1}, {0, 2}, {0, 1}, {-3, 4}};
    for (int i = 0; i < 4 * 360 * 4; i++) {
        double lat = LATS[i % 4], w = i / 4 % 360, half = PI / 360, sign = lat < 0 ? -1.0 : 1.0;
        const double *reach = REACH[i / 1440];
        double low = lat < 0 ? lat : lat - 0.6, high = lat < 0 ? lat + 0.6 : lat, noise[4];
        for (int k = 0; k < 4; k++)
            noise[k] = 2e-14 * (2 * chance() - 1);
        double cell[][2] = {
            {w + noise[0], low}, {w + 1 + noise[1], low}, {w + 1 + noise[2], high}, {w + noise[3], high}};
        double beyond[][2] = {{w + reach[0], lat < 0 ? lat - 2 : lat},
                              {w + reach[1], lat < 0 ? lat - 2 : lat},
                              {w + reach[1], lat < 0 ? lat : lat + 2},
                              {w + reach[0], lat < 0 ? lat : lat + 2}};
        h3ou__polygon p = polygon(4, cell, false), q = polygon(4, beyond, true);
        for (int k = 0; k < q.n; k++)
            beyond[k][1] -= 2 * sign;
        h3ou__polygon r = polygon(4, beyond, true);
        double z = sin(lat * PI / 180), t = tan(half), lens = fabs(2 * atan(z * t) - 2 * z * half);
        double found[3] = {h3ou__polygon_overlap(&p, &q, NULL), h3ou__polygon_overlap(&q, &p, NULL),
                           h3ou__polygon_overlap(&p, &r, NULL) - h3ou__polygon_area(&p) + 2 * lens};
        for (int k = 0; k < 3; k++)
            assert_true(fabs(found[k] - lens) < 1e-8 * lens);
    }
}

static void dented_polygons_are_cut_and_cut(void **state)
{
    (void)state;
    double arrow[][2] = {{0, 0}, {40, -20}, {20, 0}, {40, 20}}, half[][2] = {{-10, 0}, {50, 0}, {50, 30}, {-10, 30}};
    h3ou__polygon a = polygon(4, arrow, false), b = polygon(4, half, false);
    assert_false(a.convex);
    assert_true(b.convex);
    double whole = h3ou__polygon_area(&a);
    assert_float_equal(h3ou__polygon_overlap(&a, &b, NULL), whole / 2, 1e-15);
    assert_float_equal(h3ou__polygon_overlap(&b, &a, NULL), whole / 2, 1e-15);
    assert_float_equal(h3ou__polygon_overlap(&a, &a, NULL), whole, 1e-14);
    /* A box with a dent, its sides latitude circles, with itself and with the arrow: signs must cancel. */
    double dent[][2] = {{-10, -25}, {45, -25}, {45, 25}, {20, 5}, {-10, 25}};
    h3ou__polygon d = polygon(5, dent, true);
    assert_false(d.convex);
    assert_true(d.has_circles);
    assert_float_equal(h3ou__polygon_overlap(&d, &d, NULL), h3ou__polygon_area(&d), 1e-13);
    double ab = h3ou__polygon_overlap(&a, &d, NULL), ba = h3ou__polygon_overlap(&d, &a, NULL);
    assert_true(ab > 0.01);
    assert_float_equal(ab, ba, 1e-14);
    double in[3], out[3];
    place(0.1, 0.0, in);
    place(35 * PI / 180, 0.0, out);
    assert_true(h3ou__polygon_contains(&a, in));
    assert_false(h3ou__polygon_contains(&a, out));
}

/* n corners round a random place, at random distances up to `radius`: dented or not. */
static h3ou__polygon random_polygon(int n, double radius, bool dented)
{
    h3ou__polygon p = {.n = n};
    double centre[3], lon, lat;
    random_place(centre);
    to_angles(centre, &lon, &lat);
    double east[3] = {-sin(lon), cos(lon), 0}, north[3] = {-sin(lat) * cos(lon), -sin(lat) * sin(lon), cos(lat)};
    for (int k = 0; k < n; k++) {
        double angle = 2 * PI * (k + 0.8 * chance()) / n, r = radius * (dented ? 0.2 + 0.8 * chance() : 1.0),
               length = 0;
        for (int d = 0; d < 3; d++) {
            p.v[k][d] = centre[d] + tan(r) * (cos(angle) * east[d] + sin(angle) * north[d]);
            length += p.v[k][d] * p.v[k][d];
        }
        for (int d = 0; d < 3; d++)
            p.v[k][d] /= sqrt(length);
    }
    p.convex = h3ou__polygon_is_convex(&p);
    return p;
}

/* 10^5 pairs: the intersections of random polygons, with and without dents, with the cells of whole grids add up to
 * their area and moment. */
static void intersections_tile(void **state)
{
    (void)state;
    h3ou__cells *grid[3] = {global_boxes(18, 9, -7, NULL, H3OU__EDGES_DEFAULT),
                            global_boxes(20, 10, 3, NULL, H3OU__EDGES_GREAT), global_triangles(2, NULL)};
    int64_t pairs = 0;
    double worst = 0;
    for (int round = 0; pairs < 100000 && round < 10000; round++) {
        double radius = pow(10.0, -3.5 * chance()), m[3], sum[3] = {0, 0, 0}, covered = 0, piece[3];
        h3ou__polygon p = random_polygon(3 + (int)(6 * chance()), 0.7 * radius, round % 2);
        const h3ou__cells *g = grid[round % 3];
        double area = h3ou__polygon_area(&p);
        h3ou__polygon_moment(&p, m);
        for (int64_t i = 0; i < g->n; i++) {
            h3ou__polygon cell;
            h3ou__cell_polygon(g, i, &cell);
            double a = h3ou__polygon_overlap(round % 4 < 2 ? &p : &cell, round % 4 < 2 ? &cell : &p, piece);
            assert_true(a > -1e-14 * area);
            covered += a;
            for (int d = 0; d < 3; d++)
                sum[d] += piece[d];
            pairs++;
        }
        worst = fmax(worst, fabs(covered / area - 1));
        for (int d = 0; d < 3; d++)
            assert_float_equal(sum[d] / area, m[d] / area, 1e-12 + 1e-15 / radius);
    }
    assert_true(pairs >= 100000);
    assert_true(worst < 1e-12);
    for (int k = 0; k < 3; k++)
        h3ou__cells_free(grid[k]);
}

static double spread(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* A place without a longitude, as a pole is when it comes as a vector, has the frame of longitude 0. */
static void a_pole_has_the_frame_of_longitude_0(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        const double pole[3] = {0, 0, side}, inside[3] = {0, 0, 0.9 * side};
        h3ou__tangent_frame a, b, c;
        h3ou__tangent_frame_at(pole, &a);
        h3ou__tangent_frame_towards(inside, &b);
        h3ou__tangent_frame_lon_lat(0.0, side * 0.5 * PI, &c);
        assert_true(spread(a.east, c.east) < 1e-15 && spread(a.north, c.north) < 1e-15 && spread(a.up, c.up) < 1e-15);
        assert_true(spread(a.east, b.east) == 0 && spread(a.north, b.north) == 0 && spread(a.up, b.up) == 0);
    }
}

static void frames_are_the_same_from_angles_and_from_vectors(void **state)
{
    (void)state;
    for (int k = 0; k < 2000; k++) {
        double lon = 0.01 * k - 7, lat = 0.4999 * PI * sin(k), out[2];
        double x[3] = {cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)}, half[3], away[3];
        h3ou__tangent_frame a, b, c;
        for (int d = 0; d < 3; d++)
            half[d] = 0.5 * x[d];
        h3ou__tangent_frame_at(x, &a);
        h3ou__tangent_frame_towards(half, &b);
        h3ou__tangent_frame_lon_lat(lon, lat, &c);
        assert_true(spread(a.east, c.east) < 1e-11 && spread(a.north, c.north) < 1e-11 && spread(a.up, c.up) < 1e-11);
        assert_true(spread(a.east, b.east) < 1e-15 && spread(a.north, b.north) < 1e-15 && spread(a.up, b.up) < 1e-15);
        h3ou__cross(a.east, a.north, away);
        assert_true(spread(away, a.up) < 1e-15);
        assert_true(h3ou__tangent_frame_image(&a, x, out) && hypot(out[0], out[1]) < 1e-15);
        for (int d = 0; d < 3; d++)
            away[d] = -x[d];
        assert_false(h3ou__tangent_frame_image(&a, away, out));
    }
}

static void great_circles_have_their_length(void **state)
{
    (void)state;
    assert_true(fabs(h3ou__great_circle(0, 0, PI, 0) - PI) < 1e-15);
    assert_true(fabs(h3ou__great_circle(1, 0.5 * PI, -2, 0) - 0.5 * PI) < 1e-15);
    assert_true(fabs(h3ou__great_circle(1, 0.3, 1, 0.3 + 1e-9) / 1e-9 - 1) < 1e-6); /* 0.3 + 1e-9 is rounded */
    assert_true(fabs(h3ou__chord_arc(2.0) - 0.5 * PI) < 1e-15);
    assert_true(h3ou__chord_arc(4.0000001) == PI);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_have_their_closed_forms),
        cmocka_unit_test(small_areas_keep_their_digits),
        cmocka_unit_test(moments_have_their_closed_forms),
        cmocka_unit_test(intersections_have_their_closed_forms),
        cmocka_unit_test(arcs_that_bulge_are_cut),
        cmocka_unit_test(arcs_from_a_parallel_are_cut),
        cmocka_unit_test(dented_polygons_are_cut_and_cut),
        cmocka_unit_test(intersections_tile),
        cmocka_unit_test(a_pole_has_the_frame_of_longitude_0),
        cmocka_unit_test(frames_are_the_same_from_angles_and_from_vectors),
        cmocka_unit_test(great_circles_have_their_length),
    };
    return cmocka_run_group_tests_name("polygon", tests, NULL, NULL);
}
