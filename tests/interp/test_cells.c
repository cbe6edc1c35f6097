/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells as users give them, bad ones above all; the tree that finds them; who lies next to whom. */
#include "interp/grid/cell_polygon.h"
#include "interp/grid/neighbours.h"
#include "interp/search/celltree.h"
#include "interp/sphere/clip.h"
#include "sphere.h"

static const double RAD = 3.14159265358979323846 / 180;

/* Cells of up to four corners in degrees; the answer of set_corners. */
static int make(int n, const double corner[][4][2], const int mask[], int edges, h3ou__cells **out)
{
    double *lon = malloc(4 * sizeof *lon * (size_t)n), *lat = malloc(4 * sizeof *lat * (size_t)n);
    assert_int_equal(h3ou__cells_create("given", n, NULL, NULL, mask, out), 0);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            lon[4 * i + k] = corner[i][k][0] * RAD;
            lat[4 * i + k] = corner[i][k][1] * RAD;
        }
    int err = h3ou__cells_set_corners(*out, 4, lon, lat, NULL, edges);
    free(lon);
    free(lat);
    return err;
}

static void harmless_faults_are_mended_and_told(void **state)
{
    (void)state;
    const double corner[4][4][2] = {{{0, 0}, {10, 0}, {10, 10}, {0, 10}},
                                    {{0, 0}, {0, 10}, {10, 10}, {10, 0}},
                                    {{0, 80}, {10, 80}, {10, 90}, {0, 90}},
                                    {{5, 5}, {5, 5}, {9, 5}, {7, 9}}};
    h3ou__cells *c;
    char text[256];
    h3ou__polygon p;
    assert_int_equal(make(4, corner, NULL, H3OU__EDGES_DEFAULT, &c), 0);
    assert_int_equal(c->report.count[H3OU__CELL_CLOCKWISE], 1);
    assert_int_equal(c->report.first[H3OU__CELL_CLOCKWISE], 2);
    assert_int_equal(c->report.count[H3OU__CELL_REPEATED], 2);
    assert_int_equal(c->report.first[H3OU__CELL_REPEATED], 3);
    assert_string_equal(h3ou__cell_report_text(&c->report, text, sizeof text),
                        "1 cells are clockwise and were turned (first: 2); 2 cells repeat a corner, which was dropped "
                        "(first: 3)");
    const int corners[4] = {4, 4, 3, 3};
    for (int i = 0; i < 4; i++) {
        h3ou__cell_polygon(c, i, &p);
        assert_int_equal(p.n, corners[i]);
        assert_true(h3ou__polygon_area(&p) > 0);
        assert_true(p.convex);
    }
    h3ou__cells_free(c);
}

/* A cell of `distinct` corners on a circle, the last of which is repeated up to `most`, and a square. */
static int make_round(int distinct, int most, h3ou__cells **out)
{
    double *lon = calloc(2 * (size_t)most, sizeof *lon), *lat = calloc(2 * (size_t)most, sizeof *lat);
    assert_int_equal(h3ou__cells_create("round", 2, NULL, NULL, NULL, out), 0);
    for (int k = 0; k < most; k++) {
        double turn = 2 * PI * (k < distinct ? k : distinct - 1) / distinct;
        lon[k] = 0.1 * cos(turn);
        lat[k] = 0.1 * sin(turn);
        lon[most + k] = k == 1 || k == 2 ? 0.5 : 0.4;
        lat[most + k] = k < 2 ? 0.1 : 0.2;
    }
    int err = h3ou__cells_set_corners(*out, most, lon, lat, NULL, H3OU__EDGES_DEFAULT);
    free(lon);
    free(lat);
    return err;
}

static void many_corners_may_repeat(void **state)
{
    (void)state;
    static const int distinct[] = {5, 63, 64, 500, 1000};
    h3ou__cells *c;
    h3ou__polygon p;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(make_round(distinct[i], 1000, &c), 0);
        assert_int_equal(c->first[1], distinct[i]);
        assert_int_equal(c->first[2], distinct[i] + 4);
        h3ou__cell_polygon(c, 0, &p);
        assert_int_equal(p.n, distinct[i]);
        h3ou__cell_polygon(c, 1, &p);
        assert_int_equal(p.n, 4);
        h3ou__cells_free(c);
    }
    assert_int_equal(make_round(5, 1001, &c), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "up to 1001 corners: 3 to 1000 are possible"));
    h3ou__cells_free(c);
}

static void bad_cells_end_with_their_numbers(void **state)
{
    (void)state;
    static const struct {
        double corner[4][2];
        const char *says;
    } bad[] = {
        {{{0, 0}, {10, 10}, {10, 0}, {0, 10}}, "2 (edges that cross)"},
        {{{0, 0}, {10, 0}, {10, 0}, {0, 0}}, "2 (no area or fewer than 3 corners)"},
        {{{0, 0}, {10, 0}, {20, 0}, {5, 0}}, "2 (no area or fewer than 3 corners)"},
        {{{0, 0}, {NAN, 0}, {10, 10}, {0, 10}}, "2 (a corner that is not finite, or a missing value)"},
        {{{0, 0}, {10, 0}, {10, 91}, {0, 10}}, "2 (a corner beyond a pole)"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int masked = 0; masked < 2; masked++) {
            double corner[3][4][2] = {
                {{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {{0}}, {{20, 0}, {30, 0}, {30, 9}, {20, 9}}};
            memcpy(corner[1], bad[i].corner, sizeof bad[i].corner);
            const int mask[3] = {1, !masked, 1};
            h3ou__cells *c;
            h3ou__polygon p;
            int err = make(3, (const double(*)[4][2])corner, mask, H3OU__EDGES_DEFAULT, &c);
            assert_int_equal(err, masked ? H3OU__OK : H3OU__EARG);
            if (!masked)
                assert_non_null(strstr(h3ou__fail_text(), bad[i].says));
            else {
                h3ou__cell_polygon(c, 1, &p);
                assert_int_equal(p.n, 0);
                h3ou__cell_polygon(c, 2, &p);
                assert_int_equal(p.n, 4);
            }
            h3ou__cells_free(c);
        }
}

static void boxes_that_are_none_are_refused(void **state)
{
    (void)state;
    h3ou__cells *c;
    double lat[4] = {-1, 0, 0, 1}, wide[4] = {0, 4, 4, 6}, flat[4] = {0, 1, 1, 1}, beyond[4] = {-2, 0, 0, 1};
    double lon[4] = {0, 1, 1, 2};
    assert_int_equal(h3ou__cells_create("boxes", 4, NULL, NULL, NULL, &c), 0);
    assert_int_equal(h3ou__cells_set_boxes(c, 2, 2, wide, lat, 0), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "column 1 has bounds"));
    assert_int_equal(h3ou__cells_set_boxes(c, 2, 2, flat, lat, 0), H3OU__EARG);
    assert_int_equal(h3ou__cells_set_boxes(c, 2, 2, lon, beyond, 0), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "row 1"));
    assert_int_equal(h3ou__cells_set_boxes(c, 3, 2, lon, lat, 0), H3OU__EARG);
    h3ou__cells_free(c);
}

/* Boxes and the same as polygons with latitude circles have the same areas; great circles make others. */
static void edges_are_as_wished(void **state)
{
    (void)state;
    h3ou__cells *boxes = global_boxes(12, 6, 0, NULL, H3OU__EDGES_DEFAULT);
    h3ou__cells *great = global_boxes(12, 6, 0, NULL, H3OU__EDGES_GREAT);
    double sum[2] = {0, 0};
    assert_int_equal(boxes->edges, H3OU__EDGES_LATITUDE);
    assert_true(boxes->cyclic && great->cyclic);
    for (int64_t i = 0; i < boxes->n; i++) {
        h3ou__polygon a, b;
        h3ou__cell_polygon(boxes, i, &a);
        h3ou__cell_polygon(great, i, &b);
        assert_false(b.has_circles);
        double south = boxes->lat_south[i / 12], north = boxes->lat_north[i / 12];
        assert_float_equal(h3ou__polygon_area(&a), PI / 6 * (sin(north) - sin(south)), 1e-14);
        if (south != 0 && north != 0)
            assert_true(fabs(h3ou__polygon_area(&a) - h3ou__polygon_area(&b)) > 1e-4);
        sum[0] += h3ou__polygon_area(&a);
        sum[1] += h3ou__polygon_area(&b);
    }
    assert_float_equal(sum[0], 4 * PI, 1e-13);
    assert_float_equal(sum[1], 4 * PI, 1e-13);
    h3ou__cells_free(boxes);
    h3ou__cells_free(great);
}

/* Whatever touches is found, against all pairs. */
static void tree_finds_all_that_overlap(void **state)
{
    (void)state;
    h3ou__cells *grid[3] = {global_boxes(36, 18, 5, NULL, 0), global_triangles(3, NULL),
                            global_boxes(7, 5, 0, NULL, 1)};
    for (int g = 0; g < 9; g++) {
        h3ou__celltree *tree;
        int32_t *list = NULL;
        int64_t room = 0;
        const h3ou__cells *in = grid[g % 3], *of = grid[g / 3];
        assert_int_equal(h3ou__celltree_create(in, &tree), 0);
        for (int64_t i = 0; i < of->n; i += 7) {
            h3ou__polygon p, q;
            h3ou__bound b;
            h3ou__cell_polygon(of, i, &p);
            h3ou__cell_bound(of, i, &b);
            int64_t n = h3ou__celltree_touching(tree, &b, &list, &room), at = 0;
            assert_true(n > 0);
            for (int64_t k = 0; k < in->n; k++) {
                bool found = at < n && list[at] == k;
                at += found;
                h3ou__cell_polygon(in, k, &q);
                if (!found)
                    assert_true(h3ou__polygon_overlap(&p, &q, NULL) < 1e-15);
            }
            assert_int_equal(at, n); /* ascending, nothing twice */
        }
        free(list);
        h3ou__celltree_free(tree);
    }
    for (int g = 0; g < 3; g++)
        h3ou__cells_free(grid[g]);
}

static void masked_cells_are_not_in_the_tree(void **state)
{
    (void)state;
    int mask[72] = {0};
    mask[40] = 1;
    h3ou__cells *c = global_boxes(12, 6, 0, mask, 0);
    h3ou__celltree *tree;
    int32_t *list = NULL;
    int64_t room = 0;
    h3ou__bound all = {{-2, -2, -2}, {2, 2, 2}};
    assert_int_equal(h3ou__celltree_create(c, &tree), 0);
    assert_int_equal(h3ou__celltree_touching(tree, &all, &list, &room), 1);
    assert_int_equal(list[0], 40);
    h3ou__celltree_free(tree);
    c->mask[40] = 0;
    assert_int_equal(h3ou__celltree_create(c, &tree), 0);
    assert_int_equal(h3ou__celltree_touching(tree, &all, &list, &room), 0);
    free(list);
    h3ou__celltree_free(tree);
    h3ou__cells_free(c);
}

static void neighbours_share_an_edge(void **state)
{
    (void)state;
    h3ou__cells *boxes = global_boxes(8, 4, 0, NULL, 0), *great = global_boxes(8, 4, 0, NULL, 1);
    h3ou__cells *triangles = global_triangles(2, NULL);
    h3ou__lists by_box, by_corner, l;
    assert_int_equal(h3ou__neighbours_by_edge(boxes, &by_box), 0);
    assert_int_equal(h3ou__neighbours_by_edge(great, &by_corner), 0);
    for (int64_t i = 0; i <= boxes->n; i++)
        assert_int_equal(by_box.start[i], by_corner.start[i]);
    assert_memory_equal(by_box.list, by_corner.list, sizeof(int32_t) * (size_t)by_box.start[boxes->n]);
    assert_int_equal(by_box.start[1], 3); /* cell 1: 2 and 8 in its row, 9 above */
    assert_int_equal(by_box.list[0], 1);
    assert_int_equal(by_box.list[1], 7);
    assert_int_equal(by_box.list[2], 8);
    assert_int_equal(h3ou__neighbours_by_edge(triangles, &l), 0);
    for (int64_t i = 0; i < triangles->n; i++) {
        assert_int_equal(l.start[i + 1] - l.start[i], 3);
        for (int64_t k = l.start[i]; k < l.start[i + 1]; k++) { /* mutual */
            bool back = false;
            for (int64_t m = l.start[l.list[k]]; m < l.start[l.list[k] + 1]; m++)
                back |= l.list[m] == i;
            assert_true(back);
        }
    }
    h3ou__lists around;
    double *place_of;
    assert_int_equal(h3ou__cells_around_vertices(triangles, &around, &place_of), 0);
    assert_int_equal(around.n, triangles->n / 2 + 2); /* Euler: V = F / 2 + 2 */
    int six = 0, four = 0;
    for (int64_t v = 0; v < around.n; v++) {
        six += around.start[v + 1] - around.start[v] == 6;
        four += around.start[v + 1] - around.start[v] == 4;
    }
    assert_int_equal(four, 6); /* the octahedron's own corners */
    assert_int_equal(six + four, around.n);
    h3ou__lists_free(&by_box);
    h3ou__lists_free(&by_corner);
    h3ou__lists_free(&l);
    h3ou__lists_free(&around);
    free(place_of);
    h3ou__cells_free(boxes);
    h3ou__cells_free(great);
    h3ou__cells_free(triangles);
}

static void numbers_ascend_and_are_found(void **state)
{
    (void)state;
    h3ou__cells *c;
    double lon[3] = {0, 1, 2}, lat[3] = {0, 0, 0};
    const int64_t id[3] = {4, 9, 12}, bad[3] = {4, 4, 12};
    assert_int_equal(h3ou__cells_create("part", 3, lon, lat, NULL, &c), 0);
    assert_int_equal(h3ou__cells_number(c, id), 0);
    for (int k = 0; k < 3; k++)
        assert_int_equal(h3ou__cells_find(c, id[k]), k);
    assert_int_equal(h3ou__cells_find(c, 5), -1);
    assert_int_equal(h3ou__cells_find(c, 13), -1);
    assert_int_equal(h3ou__cells_find(c, 3), -1);
    assert_int_equal(h3ou__cells_find(c, 8), -1);
    assert_int_equal(h3ou__cells_find(c, -1), -1);
    h3ou__cells_free(c);
    assert_int_equal(h3ou__cells_create("part", 3, lon, lat, NULL, &c), 0);
    assert_int_equal(h3ou__cells_number(c, bad), H3OU__EARG);
    h3ou__cells_free(c);
    lat[1] = 2;
    assert_int_equal(h3ou__cells_create("part", 3, lon, lat, NULL, &c), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "cell 2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harmless_faults_are_mended_and_told),
        cmocka_unit_test(many_corners_may_repeat),
        cmocka_unit_test(bad_cells_end_with_their_numbers),
        cmocka_unit_test(boxes_that_are_none_are_refused),
        cmocka_unit_test(edges_are_as_wished),
        cmocka_unit_test(tree_finds_all_that_overlap),
        cmocka_unit_test(masked_cells_are_not_in_the_tree),
        cmocka_unit_test(neighbours_share_an_edge),
        cmocka_unit_test(numbers_ascend_and_are_found),
    };
    return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
