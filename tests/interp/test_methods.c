/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods that interpolate: against brute force, closed forms and orders of convergence. */
#include "grids.h"
#include "stacks.h"
#include "interp/methods/method_table.h"
#include "interp/search/celltree.h"
#include "interp/search/kdtree.h"
#include "interp/stencils/dual_polygons.h"
#include "interp/weights/weights.h"
#include "tests/lib/stride.h"

enum { MOST = 16 };

/* ---- what is looked at ---- */

static h3ou__weights *weigh(const char *stack, h3ou__cells *source, h3ou__cells *target)
{
    h3ou__weights *w = NULL;
    h3ou__weights_options o = {.threads = 1};
    int err = make_weights(stack, source, target, &o, &w);
    if (err)
        print_error("%s: %s\n", stack, h3ou__fail_text());
    assert_int_equal(err, 0);
    return w;
}

typedef struct misfit {
    int64_t served;
    double mean, most, sum_off;
} misfit;

typedef double (*field)(const double x[3]);

static double apply(const h3ou__weights *w, const h3ou__cells *source, int64_t i, field f)
{
    double v = 0;
    for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
        v += w->coef[k] * f(source->xyz + 3 * (int64_t)w->src[k]);
    return v;
}

static double unit(const double x[3])
{
    (void)x;
    return 1.0;
}

static double along_x(const double x[3])
{
    return x[0];
}

static double along_y(const double x[3])
{
    return x[1];
}

static double along_z(const double x[3])
{
    return x[2];
}

static misfit look(const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target, field f)
{
    misfit m = {0};
    for (int64_t i = 0; i < target->n; i++) {
        if (w->served[i] < 0)
            continue;
        double off = fabs(apply(w, source, i, f) - f(target->xyz + 3 * i));
        m.served++;
        m.mean += off;
        m.most = fmax(m.most, off);
        m.sum_off = fmax(m.sum_off, fabs(apply(w, source, i, unit) - 1.0));
    }
    m.mean /= (double)(m.served ? m.served : 1);
    return m;
}

/* ---- the nearest ---- */

static int brute(const h3ou__cells *c, const double q[3], int k, h3ou__near found[])
{
    int n = 0;
    for (int64_t i = 0; i < c->n; i++) {
        if (!c->mask[i])
            continue;
        double d = h3ou__chord2(q, c->xyz + 3 * i);
        if (n == k && !(d < found[k - 1].chord2))
            continue;
        int at = n < k ? n++ : k - 1;
        for (; at > 0 && d < found[at - 1].chord2; at--)
            found[at] = found[at - 1];
        found[at] = (h3ou__near){i, d};
    }
    return n;
}

static void tree_equals_brute_force(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        for (int masked = 0; masked < 2; masked++) {
            h3ou__cells *source = make_points(kind, 1800, masked), *target = make_points(2 - kind, 1250, false);
            h3ou__kdtree *tree;
            int64_t hint = -1;
            assert_int_equal(h3ou__kdtree_create(source->xyz, source->mask, source->n, &tree), 0);
            for (int k = 1; k <= MOST; k += 5)
                for (int64_t i = 0; i < target->n + 50; i += test_stride()) {
                    /* The last fifty ask at source points themselves: ties and coincidence. */
                    const double *q = i < target->n ? target->xyz + 3 * i : source->xyz + 3 * (i - target->n) * 7;
                    h3ou__near a[MOST], b[MOST];
                    int n = h3ou__kdtree_nearest(tree, q, k, a);
                    assert_int_equal(n, brute(source, q, k, b));
                    for (int j = 0; j < n; j++)
                        assert_true(a[j].point == b[j].point && a[j].chord2 == b[j].chord2);
                    assert_true(h3ou__kdtree_has_near(tree, q, k, n < k ? 5.0 : a[k - 1].chord2) == (n == k));
                    hint = h3ou__kdtree_one(tree, q, hint);
                    assert_true(hint == b[0].point);
                }
            h3ou__kdtree_free(tree);
            h3ou__cells_free(source);
            h3ou__cells_free(target);
        }
}

static void small_trees_answer_what_there_is(void **state)
{
    (void)state;
    const double xyz[6] = {1, 0, 0, 0, 1, 0};
    const unsigned char none[2] = {0, 0};
    h3ou__near found[4];
    h3ou__kdtree *tree;
    assert_int_equal(h3ou__kdtree_create(xyz, NULL, 2, &tree), 0);
    assert_int_equal(h3ou__kdtree_nearest(tree, xyz, 4, found), 2);
    assert_true(h3ou__kdtree_has_near(tree, xyz, 2, 4.0) && !h3ou__kdtree_has_near(tree, xyz, 3, 4.0) && !h3ou__kdtree_has_near(tree, xyz, 2, 1.9));
    assert_true(found[0].point == 0 && found[1].point == 1);
    h3ou__kdtree_free(tree);
    assert_int_equal(h3ou__kdtree_create(xyz, none, 2, &tree), 0);
    assert_true(h3ou__kdtree_size(tree) == 0 && h3ou__kdtree_one(tree, xyz, -1) == -1);
    assert_int_equal(h3ou__kdtree_nearest(tree, xyz, 4, found), 0);
    h3ou__kdtree_free(tree);
}

/* The rows of the methods over the n nearest, by their formulas over brute force. */
static double formula(const char *stack, int n, const h3ou__near found[], int i)
{
    double mean = 0, d = 2 * asin(sqrt(found[i].chord2) / 2);
    for (int k = 0; k < n; k++)
        mean += 2 * asin(sqrt(found[k].chord2) / 2) / n;
    if (strstr(stack, "average"))
        return 1;
    return strstr(stack, "gauss") ? exp(-0.5 * pow(d / (0.7 * mean), 2)) : pow(d, -3);
}

static void rows_of_the_n_nearest_follow_their_formulas(void **state)
{
    (void)state;
    static const char *const stacks[] = {"average(n=5,radius=4)", "gauss(n=5,width=0.7,radius=4)",
                                         "distance(n=5,power=3,radius=4)"};
    h3ou__cells *source = make_points(2, 3000, true), *target = make_points(1, 1500, false);
    int left = 0;
    for (int s = 0; s < 3; s++) {
        h3ou__weights *w = weigh(stacks[s], source, target);
        for (int64_t i = 0; i < target->n; i++) {
            h3ou__near found[5];
            int n = brute(source, target->xyz + 3 * i, 5, found);
            while (n > 0 && 2 * asin(sqrt(found[n - 1].chord2) / 2) > 4 * PI / 180)
                n--;
            double whole = 0;
            for (int k = 0; k < n; k++)
                whole += formula(stacks[s], n, found, k);
            assert_true(w->start[i + 1] - w->start[i] == n);
            assert_int_equal(w->served[i], n ? 0 : H3OU__BY_NONE);
            left += n == 0;
            for (int k = 0; k < n; k++) {
                int64_t at = w->start[i];
                while (at < w->start[i + 1] && w->src[at] != found[k].point)
                    at++;
                assert_true(at < w->start[i + 1]);
                assert_true(fabs(w->coef[at] - formula(stacks[s], n, found, k) / whole) < 1e-12);
            }
        }
        h3ou__weights_free(w);
    }
    assert_true(left > 0);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
}

static void a_source_at_the_targets_place_takes_all(void **state)
{
    (void)state;
    static const char *const stacks[] = {"nearest", "distance", "radial"};
    h3ou__cells *c = make_points(1, 500, false);
    for (int s = 0; s < 3; s++) {
        h3ou__weights *w = weigh(stacks[s], c, c);
        assert_true(w->start[c->n] == c->n);
        for (int64_t i = 0; i < c->n; i++)
            assert_true(w->src[i] == i && w->coef[i] == 1.0);
        h3ou__weights_free(w);
    }
    h3ou__cells_free(c);
}

/* Multiquadrics interpolate: with any distinct places the value near a source is that of the source. */
static void radial_functions_interpolate_and_converge(void **state)
{
    (void)state;
    double before = 0;
    h3ou__cells *target = make_points(2, 800, false);
    for (int64_t n = 1000; n <= 16000; n *= 4) {
        h3ou__cells *source = make_points(1, n, false);
        h3ou__weights *w = weigh("radial(n=12,width=2)", source, target);
        misfit m = look(w, source, target, vortex);
        assert_true(m.served == target->n && m.sum_off < 1e-13);
        assert_true(before == 0 || m.mean < before / 3.5);
        before = m.mean;
        h3ou__weights_free(w);
        h3ou__cells_free(source);
    }
    /* Many sources at one place, the pole rows, are one. */
    h3ou__cells *source = make_points(0, 1800, true);
    h3ou__weights *w = weigh("radial", source, target);
    assert_true(look(w, source, target, unit).served == target->n);
    assert_true(look(w, source, target, sinusoid).most < 0.2);
    h3ou__weights_free(w);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
}

/* ---- between centres ---- */

typedef h3ou__cells *(*grid)(int size);

static h3ou__cells *even_boxes(int size)
{
    return boxes(2 * size, size, 0, NULL);
}

static h3ou__cells *odd_boxes(int size)
{
    return boxes(2 * size + 1, size, 171.3, NULL);
}

/* The same with corners: all but the rows at the poles are as good as curvilinear. */
static h3ou__cells *polygons(int size)
{
    h3ou__cells *c = global_boxes(2 * size, size, 0, NULL, H3OU__EDGES_GREAT);
    assert_non_null(c->first);
    assert_int_equal(h3ou__cells_places(c), 0);
    return c;
}

static h3ou__cells *wavy_rings(int size)
{
    return rings(2 * size, size, 0.1);
}

static h3ou__cells *folded(int size)
{
    return tripolar(2 * size, size, size / 3, 0.04, NULL);
}

static h3ou__cells *split(int size)
{
    int level = 0;
    while (2 << level < size / 2)
        level++;
    return triangles(level, NULL);
}

typedef struct order {
    const char *stack;
    grid make;
    field f;
    double least; /* order */
    bool whole;   /* all targets are served */
} order;

static void misfits_shrink_with_the_order_of_the_method(void **state)
{
    (void)state;
    /* The target grid leaves out where the sinusoid has its kink, 180 degrees east at the equator. */
    static const order orders[] = {
        {"bilinear", even_boxes, sinusoid, 1.9, true},    {"bilinear", even_boxes, vortex, 1.8, true},
        {"bilinear", odd_boxes, sinusoid, 1.9, true},     {"bilinear", wavy_rings, sinusoid, 1.8, true},
        {"bilinear", folded, sinusoid, 1.8, false},       {"bilinear", split, sinusoid, 1.7, true},
        {"barycentric", even_boxes, sinusoid, 1.9, true}, {"barycentric", wavy_rings, sinusoid, 1.8, true},
        {"barycentric", folded, vortex, 1.7, false},      {"barycentric", split, vortex, 1.5, true},
        {"bicubic", even_boxes, sinusoid, 3.5, true},     {"bicubic", even_boxes, vortex, 3.0, true},
        {"bicubic", odd_boxes, sinusoid, 3.5, true},      {"bicubic", wavy_rings, sinusoid, 3.0, false},
        {"distance", even_boxes, sinusoid, 0.9, true},    {"nearest", even_boxes, sinusoid, 0.9, true},
    };
    h3ou__cells *target = make_points(2, 3000, false);
    for (int64_t i = 0; i < target->n; i++)
        target->mask[i] = target->xyz[3 * i] > -0.95;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        const order *o = &orders[k];
        double before = 0, now = 0;
        for (int size = 32; size <= 128; size *= 2) {
            h3ou__cells *source = o->make(size);
            h3ou__weights *w = weigh(o->stack, source, target);
            h3ou__weights_facts facts;
            misfit m = look(w, source, target, o->f);
            h3ou__weights_look(w, &facts);
            assert_true(m.sum_off < 1e-13);
            assert_true(!o->whole || facts.unserved == 0);
            assert_true(m.served > target->n * 85 / 100);
            before = now;
            now = m.mean;
            h3ou__weights_free(w);
            h3ou__cells_free(source);
        }
        if (!(log2(before / now) >= o->least))
            print_error("%s, case %zu: order %g, misfit %g\n", o->stack, k, log2(before / now), now);
        assert_true(log2(before / now) >= o->least);
    }
    h3ou__cells_free(target);
}

/* Places in space are linear functions: only the sphere's curvature is left, of second order, everywhere. */
static void linear_fields_are_reproduced_to_second_order(void **state)
{
    (void)state;
    static const grid grids[] = {even_boxes, odd_boxes, wavy_rings, folded, split};
    static const field fields[] = {along_x, along_y, along_z};
    static const char *const stacks[] = {"bilinear", "barycentric"};
    h3ou__cells *target = make_points(2, 3000, false);
    for (int g = 0; g < 5; g++)
        for (int s = 0; s < 2; s++) {
            h3ou__cells *source = grids[g](64);
            h3ou__weights *w = weigh(stacks[s], source, target);
            /* The widest way between neighbouring centres, about; of triangles their edge. */
            double step = g == 4 ? 0.12 : g == 3 ? 0.05 : 0.049 * sqrt(2);
            for (int f = 0; f < 3; f++)
                assert_true(look(w, source, target, fields[f]).most < step * step / 4);
            for (int64_t i = 0; i < w->start[target->n]; i++)
                assert_true(w->coef[i] > 0.0 && w->coef[i] <= 1.0 + 1e-15);
            h3ou__weights_free(w);
            h3ou__cells_free(source);
        }
    h3ou__cells_free(target);
}

/* In a regular grid: the product of the two fractions, the date line no exception. */
static void bilinear_is_the_product_of_fractions(void **state)
{
    (void)state;
    enum { N = 400 };
    double lon[N], lat[N];
    for (int i = 0; i < N; i++) {
        lon[i] = (-540 + 1080 * chance()) * PI / 180;
        lat[i] = (-84 + 168 * chance()) * PI / 180;
    }
    h3ou__cells *source = boxes(36, 18, -180, NULL), *target = make("targets", N, lon, lat, NULL);
    h3ou__weights *w = weigh("bilinear", source, target);
    for (int i = 0; i < N; i++) {
        double u = fmod(lon[i] * 180 / PI + 175 + 1080, 360) / 10, v = (lat[i] * 180 / PI + 85) / 10;
        int x = (int)u, y = (int)v;
        assert_true(w->start[i + 1] - w->start[i] == 4);
        for (int k = 0; k < 4; k++) {
            int cell = (x + k % 2) % 36 + 36 * (y + k / 2);
            double coef = (k % 2 ? u - x : 1 - u + x) * (k / 2 ? v - y : 1 - v + y), got = NAN;
            for (int64_t at = w->start[i]; at < w->start[i + 1]; at++)
                got = w->src[at] == cell ? w->coef[at] : got;
            assert_true(fabs(got - coef) < 1e-11);
        }
    }
    h3ou__weights_free(w);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
}

static void poles_and_seams_are_served(void **state)
{
    (void)state;
    static const grid grids[] = {even_boxes, odd_boxes, wavy_rings, polygons};
    static const char *const stacks[] = {"bilinear", "barycentric", "bicubic"};
    const double lon[] = {0, 1, 2.5, PI, -PI, 0, 6.28318, 3, 0.001, 5}, d = PI / 180;
    const double lat[] = {PI / 2, -PI / 2, 89.9 * d, 88 * d, -88.5 * d, -89.999 * d, 0, 87.3 * d, 1e-9, -87.2 * d};
    h3ou__cells *target = make("targets", 10, lon, lat, NULL);
    for (int g = 0; g < 4; g++)
        for (int s = 0; s < (g < 2 ? 3 : 2); s++) {
            h3ou__cells *source = grids[g](32);
            h3ou__weights *w = weigh(stacks[s], source, target);
            misfit m = look(w, source, target, sinusoid);
            assert_true(m.served == 10);
            assert_true(m.most < (s == 2 ? 1e-5 : 4e-3));
            assert_true(look(w, source, target, along_x).most < (s == 2 ? 1e-5 : 4e-3));
            assert_true(look(w, source, target, along_y).most < (s == 2 ? 1e-6 : 1e-4));
            h3ou__weights_free(w);
            h3ou__cells_free(source);
        }
    h3ou__cells_free(target);
}

/* A grid that does not go round, nor to the poles: what lies beyond its centres is left. */
static void beyond_the_centres_nobody_is_served(void **state)
{
    (void)state;
    enum { NX = 20, NY = 10 };
    static const char *const stacks[] = {"bilinear", "barycentric", "bicubic"};
    double x[2 * NX], y[2 * NY];
    for (int i = 0; i < 2 * NX; i++)
        x[i] = (350 + (i + 1) / 2) * PI / 180; /* centres: 350.5 .. 369.5 */
    for (int i = 0; i < 2 * NY; i++)
        y[i] = (-3 + (i + 1) / 2) * PI / 180; /* centres: -2.5 .. 6.5 */
    h3ou__cells *source, *target = make_points(2, 60000, false);
    assert_int_equal(h3ou__cells_create("region", NX * NY, NULL, NULL, NULL, &source), 0);
    assert_int_equal(h3ou__cells_set_boxes(source, NX, NY, x, y, H3OU__EDGES_DEFAULT), 0);
    for (int s = 0; s < 3; s++) {
        h3ou__weights *w = weigh(stacks[s], source, target);
        int inside = 0;
        for (int64_t i = 0; i < target->n; i++) {
            double lon = fmod(target->lon[i] * 180 / PI + 180, 360) - 180, lat = target->lat[i] * 180 / PI;
            double off = fmin(fmin(lon + 9.5, 9.5 - lon), fmin(lat + 2.5, 6.5 - lat));
            inside += off > 0;
            if (fabs(off) > 0.01) /* there great circles and parallels differ */
                assert_int_equal(w->served[i], off > 0 ? 0 : H3OU__BY_NONE);
        }
        assert_true(inside > 100);
        h3ou__weights_free(w);
    }
    h3ou__cells_free(source);
    h3ou__cells_free(target);
}

/* Of a grid with holes: who is served has the row of the whole grid, of unmasked cells; who is not had a masked one in
 * it. On a centre, masked neighbours do not matter. */
/* How many polygons must be looked at for all targets. */
static int64_t count_candidates(const h3ou__cells *source, const h3ou__cells *target)
{
    h3ou__dual *d = NULL;
    int32_t *list = NULL;
    int64_t all = 0, room = 0;
    h3ou__bound b;
    assert_int_equal(h3ou__dual_create("bilinear", source, &d), 0);
    for (int64_t i = 0; i < target->n; i++) {
        h3ou__point_bound(target->xyz + 3 * i, 1e-9, &b);
        all += h3ou__celltree_touching(d->tree, &b, &list, &room);
    }
    h3ou__dual_free(d);
    free(list);
    return all;
}

/* Masked cells whose places are left undefined, as 0 E 0 N or anywhere: the search takes no longer than with good ones,
 * and no row changes. */
static void places_of_masked_cells_do_not_matter(void **state)
{
    (void)state;
    h3ou__cells *target = make_points(2, 2000, false), *source[2] = {rings(90, 45, 0.1), rings(90, 45, 0.1)};
    h3ou__weights *w[2];
    int64_t looked[2];
    for (int k = 0; k < 2; k++) {
        for (int64_t i = 0; i < source[k]->n; i++) {
            double *x = source[k]->xyz + 3 * i;
            source[k]->mask[i] = x[0] < 0.4 && i % 11 != 0;
            if (k == 0 || source[k]->mask[i])
                continue;
            source[k]->lon[i] = i % 3 ? 0.0 : 1.7 * (double)i;
            source[k]->lat[i] = i % 3 ? 0.0 : sin((double)i);
            x[0] = cos(source[k]->lat[i]) * cos(source[k]->lon[i]);
            x[1] = cos(source[k]->lat[i]) * sin(source[k]->lon[i]);
            x[2] = sin(source[k]->lat[i]);
        }
        looked[k] = count_candidates(source[k], target);
        w[k] = weigh("bilinear", source[k], target);
    }
    assert_true(looked[1] < 3 * target->n + 1.1 * (double)looked[0]);
    int64_t links = w[0]->start[target->n];
    assert_true(links == w[1]->start[target->n] && links > target->n);
    assert_memory_equal(w[0]->served, w[1]->served, (size_t)target->n);
    assert_memory_equal(w[0]->src, w[1]->src, sizeof *w[0]->src * (size_t)links);
    assert_memory_equal(w[0]->coef, w[1]->coef, sizeof *w[0]->coef * (size_t)links);
    for (int k = 0; k < 2; k++) {
        h3ou__weights_free(w[k]);
        h3ou__cells_free(source[k]);
    }
    h3ou__cells_free(target);
}

static void masked_corners_are_left_for_the_next(void **state)
{
    (void)state;
    static const grid grids[] = {even_boxes, wavy_rings, folded, split};
    static const char *const stacks[] = {"bilinear", "barycentric", "bicubic"};
    h3ou__cells *target = make_points(2, 2000, false);
    for (int g = 0; g < 4; g++)
        for (int s = 0; s < (g < 3 ? 3 : 2); s++) {
            h3ou__cells *source = grids[g](40);
            h3ou__weights *all = weigh(stacks[s], source, target);
            for (int64_t i = 0; i < source->n; i++)
                source->mask[i] = chance() < 0.9;
            h3ou__weights *w = weigh(stacks[s], source, target), *self = weigh(stacks[s], source, source);
            int lost = 0;
            for (int64_t i = 0; i < target->n; i++) {
                bool whole = true;
                for (int64_t k = all->start[i]; k < all->start[i + 1]; k++)
                    whole &= source->mask[all->src[k]];
                assert_int_equal(w->served[i], all->served[i] == 0 && whole ? 0 : H3OU__BY_NONE);
                lost += all->served[i] == 0 && !whole;
                if (w->served[i] == 0)
                    assert_memory_equal(w->coef + w->start[i], all->coef + all->start[i],
                                        sizeof(double) * (size_t)(w->start[i + 1] - w->start[i]));
            }
            assert_true(lost > 200);
            for (int64_t i = 0; i < source->n; i++)
                if (source->mask[i] && self->served[i] == 0) {
                    assert_true(self->start[i + 1] - self->start[i] == 1 && self->src[self->start[i]] == i);
                    assert_true(self->coef[self->start[i]] == 1.0);
                }
            assert_true(look(self, source, source, unit).served > source->n / 3);
            h3ou__weights_free(all);
            h3ou__weights_free(w);
            h3ou__weights_free(self);
            h3ou__cells_free(source);
        }
    h3ou__cells_free(target);
}

/* A process that knows the source up to the halo around its targets makes the rows of the whole. */
static void a_part_of_the_grid_gives_the_same_bits(void **state)
{
    (void)state;
    static const grid grids[] = {even_boxes, odd_boxes, wavy_rings, folded, split};
    static const char *const stacks[] = {"bilinear", "barycentric", "bicubic", "average(n=6,radius=8)"};
    const double DIAMETER = 0.15; /* of the widest cell at this size: of the folded grid */
    const double where[4][3] = {{0, 0, 1}, {1, 0, 0}, {-0.6, 0, 0.8}, {0.17364818, 0.98480775, 0}};
    h3ou__cells *all = make_points(2, 4000, false);
    for (int g = 0; g < 5; g++)
        for (int s = 0; s < 4; s++) {
            if (g == 4 && s == 2)
                continue;
            h3ou__cells *source = grids[g](60);
            for (int64_t i = 0; i < source->n; i++)
                source->mask[i] = chance() < 0.97;
            h3ou__stack stack;
            assert_int_equal(h3ou__stack_parse(stacks[s], &stack), 0);
            double halo = h3ou__stack_halo(&stack, g == 3 ? DIAMETER : 0.08);
            assert_true(halo > 0);
            h3ou__weights *w = weigh(stacks[s], source, all);
            for (int p = 0; p < 4; p++) {
                bool *keep = calloc((size_t)(source->n + all->n), sizeof *keep), *mine = keep + source->n;
                for (int64_t i = 0; i < source->n; i++)
                    keep[i] = h3ou__chord2(where[p], source->xyz + 3 * i) < pow(2 * sin((0.2 + halo) / 2), 2);
                for (int64_t i = 0; i < all->n; i++)
                    mine[i] = h3ou__chord2(where[p], all->xyz + 3 * i) < pow(2 * sin(0.1), 2);
                h3ou__cells *part = part_of(source, keep), *target = part_of(all, mine);
                assert_true(part->n < source->n && target->n > 10);
                h3ou__weights *v = weigh(stacks[s], part, target);
                for (int64_t i = 0; i < target->n; i++) {
                    int64_t a = w->start[target->id[i]], b = v->start[i], n = v->start[i + 1] - b;
                    assert_true(n == w->start[target->id[i] + 1] - a);
                    for (int64_t k = 0; k < n; k++)
                        assert_true(part->id[v->src[b + k]] == w->src[a + k] && v->coef[b + k] == w->coef[a + k]);
                }
                h3ou__weights_free(v);
                h3ou__cells_free(part);
                h3ou__cells_free(target);
                free(keep);
            }
            h3ou__weights_free(w);
            h3ou__cells_free(source);
        }
    h3ou__cells_free(all);
}

static void points_alone_are_refused_with_a_remedy(void **state)
{
    (void)state;
    static const char *const stacks[] = {"bilinear", "barycentric", "bicubic"};
    h3ou__cells *c = make_points(1, 100, false);
    for (int s = 0; s < 3; s++) {
        h3ou__weights *w;
        assert_int_equal(make_weights(stacks[s], c, c, NULL, &w), H3OU__EARG);
        assert_non_null(strstr(h3ou__fail_text(), stacks[s]));
        assert_non_null(strstr(h3ou__fail_text(), "use "));
    }
    h3ou__weights *w;
    assert_int_equal(make_weights("average(n=1,radius=0.001),creep", c, c, NULL, &w), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "creep"));
    h3ou__cells_free(c);
}

/* ---- what is left ---- */

/* Some meridians are known; the rest creeps. Against plain sweeps over dense rows. */
static void creep_fills_a_hole_ring_by_ring(void **state)
{
    (void)state;
    enum { NX = 24, NY = 12, N = NX * NY };
    static double row[2][N][N];
    static bool has[2][N];
    int mask[N];
    for (int i = 0; i < N; i++)
        mask[i] = i % NX != 7 && (i / NX < 10 || i % NX > 3); /* a meridian of land, and a corner */
    h3ou__cells *source = boxes(NX, NY, 0, NULL), *target = boxes(NX, NY, 0, mask);
    memset(source->mask, 0, (size_t)N);
    for (int i = 0; i < N; i++)
        source->mask[i] = i % NX < 4 || i % NX == 15;
    for (int y = 0; y < NY; y++) /* a basin nobody reaches: between two meridians of land */
        target->mask[10 + NX * y] = 0;
    h3ou__weights *w = weigh("average(n=1,radius=0.01),creep", source, target);
    for (int i = 0; i < N; i++) {
        has[0][i] = source->mask[i] && target->mask[i];
        row[0][i][i] = has[0][i];
    }
    for (int sweep = 0; sweep < 2 * N; sweep++) {
        memcpy(row[1], row[0], sizeof row[0]);
        memcpy(has[1], has[0], sizeof has[0]);
        for (int i = 0; i < N; i++) {
            int x = i % NX, y = i / NX, count = 0;
            const int next[4] = {(x + 1) % NX + NX * y, (x + NX - 1) % NX + NX * y, y ? i - NX : i,
                                 y < NY - 1 ? i + NX : i};
            if (has[0][i] || !target->mask[i])
                continue;
            for (int k = 0; k < 4; k++)
                count += has[0][next[k]] && next[k] != i;
            for (int k = 0; k < 4 && count; k++)
                for (int j = 0; j < N && has[0][next[k]] && next[k] != i; j++)
                    row[1][i][j] += row[0][next[k]][j] / count;
            has[1][i] = count > 0;
        }
        memcpy(row[0], row[1], sizeof row[0]);
        memcpy(has[0], has[1], sizeof has[0]);
    }
    int crept = 0, left = 0;
    for (int i = 0; i < N; i++) {
        assert_int_equal(w->served[i] >= 0, has[0][i]);
        crept += w->served[i] == 1;
        left += w->served[i] == H3OU__BY_NONE;
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++) {
            assert_true(fabs(row[0][i][w->src[k]] - w->coef[k]) < 1e-14);
            row[0][i][w->src[k]] = 0;
        }
        for (int j = 0; j < N; j++)
            assert_true(row[0][i][j] == 0 || !has[0][i]);
        if (w->served[i] == 1)
            assert_true(fabs(apply(w, source, i, unit) - 1) < 1e-13);
    }
    assert_true(crept > 100 && left > 10);
    h3ou__weights_free(w);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
}

/* Neighbours by index, across the fold and the seam, and by shared edges of triangles. */
static void creep_goes_through_folds_and_triangles(void **state)
{
    (void)state;
    for (int g = 0; g < 2; g++) {
        h3ou__cells *target = g ? triangles(3, NULL) : tripolar(24, 12, 6, 0, NULL),
                    *source = make_points(1, 50, false);
        h3ou__weights *w = weigh("average(n=1,radius=3),creep", source, target);
        h3ou__weights_facts f;
        h3ou__weights_look(w, &f);
        assert_true(f.unserved == 0 && f.by[0] > 0 && f.by[1] > 10 && f.row_misfit < 1e-13);
        h3ou__weights_free(w);
        h3ou__cells_free(source);
        h3ou__cells_free(target);
    }
    /* One cell of the last row is known: the fold is a side like others. */
    h3ou__cells *target = tripolar(8, 4, 2, 0, NULL),
                *source = make("one", 1, target->lon + 41, target->lat + 41, NULL);
    memset(target->mask, 0, (size_t)target->n);
    target->mask[41] = target->mask[46] = target->mask[40] = 1;
    h3ou__weights *w = weigh("average(n=1,radius=0.01),creep", source, target);
    assert_true(w->served[41] == 0 && w->served[46] == 1 && w->served[40] == 1 && w->coef[w->start[46]] == 1.0);
    h3ou__weights_free(w);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
}

static void a_fixed_value_needs_no_source(void **state)
{
    (void)state;
    h3ou__cells *source = make_points(1, 50, false), *target = boxes(12, 6, 0, NULL);
    target->mask[5] = 0;
    h3ou__weights *w = weigh("average(n=1,radius=5),value(value=-1.5)", source, target);
    for (int64_t i = 0; i < target->n; i++) {
        assert_true(w->served[i] == (i == 5 ? H3OU__MASKED : w->start[i + 1] > w->start[i] ? 0 : 1));
        if (w->served[i] == 1)
            assert_true(w->fixed[i] == -1.5);
    }
    h3ou__weights_free(w);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    static const char *const stack = "bicubic,bilinear,nearest";
    h3ou__cells *source = tripolar(60, 30, 10, 0.04, NULL), *target = make_points(2, 5000, false);
    h3ou__weights *w[2];
    for (int k = 0; k < 2; k++) {
        h3ou__weights_options o = {.threads = 1 + 2 * k};
        assert_int_equal(make_weights(stack, source, target, &o, &w[k]), 0);
    }
    size_t n = (size_t)w[0]->start[target->n];
    assert_memory_equal(w[0]->start, w[1]->start, sizeof(int64_t) * (size_t)(target->n + 1));
    assert_memory_equal(w[0]->src, w[1]->src, sizeof(int32_t) * n);
    assert_memory_equal(w[0]->coef, w[1]->coef, sizeof(double) * n);
    assert_memory_equal(w[0]->served, w[1]->served, (size_t)target->n);
    h3ou__weights_free(w[0]);
    h3ou__weights_free(w[1]);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
}

static void a_stack_is_sliced_and_takes_defaults(void **state)
{
    (void)state;
    h3ou__stack all, part;
    char text[100];
    assert_int_equal(h3ou__stack_parse("distance(power=3), gauss(),value(value=2),average(n=7)", &all), 0);
    assert_int_equal(h3ou__stack_set_default(&all, "power", "1.5"), 0);
    assert_int_equal(h3ou__stack_set_default(&all, "n", "5"), 0);
    assert_string_equal(h3ou__stack_text(&all, text, sizeof text),
                        "distance(n=5,power=3),gauss(n=5),value(value=2),average(n=7)");
    assert_true(all.keys[0].n == 5 && all.keys[0].power == 3 && all.keys[1].n == 5 && all.keys[3].n == 7);
    h3ou__stack_slice(&all, 1, 3, &part);
    assert_string_equal(h3ou__stack_text(&part, text, sizeof text), "gauss(n=5),value(value=2)");
    assert_true(part.n == 2 && part.keys[0].n == 5 && part.keys[1].value == 2);
    assert_int_equal(h3ou__stack_parse(text, &all), 0);
    assert_string_equal(h3ou__stack_text(&all, text, 8), "gauss(n");
    assert_int_equal(h3ou__stack_set_default(&all, "width", "-1"), H3OU__EARG);
}

/* What others ask a method by its members, they do not ask by its name. */
static void methods_tell_what_they_need(void **state)
{
    (void)state;
    for (int i = 0; h3ou__methods[i]; i++) {
        const h3ou__method *m = h3ou__methods[i];
        h3ou__stack s;
        assert_ptr_equal(h3ou__method_find(m->name), m);
        assert_int_equal(h3ou__stack_parse(m->name, &s), 0);
        assert_int_equal(s.keys[0].n, m->nearest);
        assert_true(!m->keys || !strchr(m->keys, 'n') || m->nearest > 0);
        assert_true(!m->by_neighbours || m->fill);
        assert_true((!m->limit && !m->by_shares) || m->conserves);
        assert_true(m->is_file == !strcmp(m->name, "file"));
    }
    assert_ptr_equal(h3ou__method_find("distance(n=3),laf"), h3ou__method_find("distance"));
    assert_ptr_equal(h3ou__method_find("laf,nearest"), h3ou__method_find("laf"));
    assert_true(!h3ou__method_find("conserv") && !h3ou__method_find("Conservative remapping") && !h3ou__method_find(""));
}

static void targets_that_are_left_out_get_no_rows(void **state)
{
    (void)state;
    h3ou__cells *source = make_points(1, 300, false), *target = make_points(2, 50, false);
    unsigned char leave_out[50] = {0};
    h3ou__weights_options o = {.threads = 1, .leave_out = leave_out};
    h3ou__weights *some = NULL, *all = weigh("distance", source, target);
    for (int i = 0; i < 50; i += 3)
        leave_out[i] = 1;
    assert_int_equal(make_weights("distance,value(value=1)", source, target, &o, &some), 0);
    for (int i = 0; i < 50; i++) {
        int64_t n = some->start[i + 1] - some->start[i], at = all->start[i];
        assert_true(target->mask[i]); /* the grid is left as it was */
        assert_int_equal(some->served[i], leave_out[i] ? H3OU__MASKED : 0);
        assert_int_equal(n, leave_out[i] ? 0 : all->start[i + 1] - at);
        assert_memory_equal(some->coef + some->start[i], all->coef + at, sizeof(double) * (size_t)n);
    }
    h3ou__weights_free(some);
    h3ou__weights_free(all);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_equals_brute_force),
        cmocka_unit_test(small_trees_answer_what_there_is),
        cmocka_unit_test(rows_of_the_n_nearest_follow_their_formulas),
        cmocka_unit_test(a_source_at_the_targets_place_takes_all),
        cmocka_unit_test(radial_functions_interpolate_and_converge),
        cmocka_unit_test(misfits_shrink_with_the_order_of_the_method),
        cmocka_unit_test(linear_fields_are_reproduced_to_second_order),
        cmocka_unit_test(bilinear_is_the_product_of_fractions),
        cmocka_unit_test(poles_and_seams_are_served),
        cmocka_unit_test(beyond_the_centres_nobody_is_served),
        cmocka_unit_test(places_of_masked_cells_do_not_matter),
        cmocka_unit_test(masked_corners_are_left_for_the_next),
        cmocka_unit_test(a_part_of_the_grid_gives_the_same_bits),
        cmocka_unit_test(points_alone_are_refused_with_a_remedy),
        cmocka_unit_test(creep_fills_a_hole_ring_by_ring),
        cmocka_unit_test(creep_goes_through_folds_and_triangles),
        cmocka_unit_test(a_fixed_value_needs_no_source),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(a_stack_is_sliced_and_takes_defaults),
        cmocka_unit_test(targets_that_are_left_out_get_no_rows),
        cmocka_unit_test(methods_tell_what_they_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
