/* SPDX-License-Identifier: BSD-3-Clause */
/* Conservative weights of both orders, the limiter, and the driver that makes stacks of methods. */
#include "interp/grid/cell_polygon.h"
#include "interp/sphere/clip.h"
#include "interp/weights/sparse.h"
#include "interp/weights/weights.h"
#include "sphere.h"
#include "stacks.h"

static h3ou__weights *weights(const char *stack, h3ou__cells *source, h3ou__cells *target, int norm, int threads,
                              bool limit)
{
    h3ou__weights *w = NULL;
    h3ou__weights_options o = {.norm = norm, .threads = threads, .limit = limit};
    if (make_weights(stack, source, target, &o, &w))
        print_error("%s\n", h3ou__fail_text());
    assert_non_null(w);
    return w;
}

static double applied(const h3ou__weights *w, const double f[], int64_t t)
{
    double sum = 0;
    for (int64_t k = w->start[t]; k < w->start[t + 1]; k++)
        sum += w->coef[k] * f[w->src[k]];
    return sum;
}

/* Conserved per source cell, nothing negative, rows of 1, whichever way and whatever the edges. */
static void first_order_conserves(void **state)
{
    (void)state;
    h3ou__cells *g[4] = {global_boxes(36, 18, 0, NULL, 0), global_triangles(3, NULL), global_boxes(25, 14, 11, NULL, 1),
                         global_boxes(40, 20, 3, NULL, 0)};
    for (int i = 0; i < 16; i++) {
        if (i / 4 == i % 4)
            continue;
        for (int norm = 0; norm < 2; norm++) {
            h3ou__weights *w = weights("conservative", g[i / 4], g[i % 4], norm, 1, false);
            h3ou__weights_facts f;
            h3ou__weights_look(w, &f);
            assert_int_equal(f.served, g[i % 4]->n);
            assert_int_equal(f.negative, 0);
            assert_true(f.row_misfit < 1e-12);
            assert_true(f.conservation < 1e-12);
            h3ou__weights_free(w);
        }
    }
    for (int i = 0; i < 4; i++)
        h3ou__cells_free(g[i]);
}

/* One cell of n corners round (lon, lat), which lie in turn at the distances `far` and `near`. */
static h3ou__cells *one_star(int n, double lon, double lat, double far, double near)
{
    double *x = malloc(sizeof *x * (size_t)n), *y = malloc(sizeof *y * (size_t)n);
    h3ou__cells *c = NULL;
    for (int k = 0; k < n; k++) {
        double turn = 2 * PI * k / n, r = k % 2 ? near : far;
        y[k] = asin(sin(lat) * cos(r) + cos(lat) * sin(r) * cos(turn));
        x[k] = lon + atan2(sin(turn) * sin(r) * cos(lat), cos(r) - sin(lat) * sin(y[k]));
    }
    assert_int_equal(h3ou__cells_create("star", 1, NULL, NULL, NULL, &c), 0);
    assert_int_equal(h3ou__cells_set_corners(c, n, x, y, NULL, H3OU__EDGES_GREAT), 0);
    free(x);
    free(y);
    return c;
}

/* The excess of the triangle of two sides and the angle between them. */
static double triangle(double a, double b, double angle)
{
    double t = tan(a / 2) * tan(b / 2);
    return 2 * atan(t * sin(angle) / (1 + t * cos(angle)));
}

/* A round cell and a star of 500 corners: their areas by formula are what the cells of another grid cover of them, and
 * what they cover of it, and two stars that are turned to each other cover each other alike. */
static void cells_of_many_corners_are_exact(void **state)
{
    (void)state;
    enum { N = 500 };
    for (int dented = 0; dented < 2; dented++) {
        double near = dented ? 0.2 : 0.3, area = N * triangle(0.3, near, 2 * PI / N);
        h3ou__cells *star = one_star(N, 0.4, 0.5, 0.3, near), *other = one_star(N, 0.41, 0.5, 0.3, near);
        h3ou__cells *grid[2] = {global_boxes(36, 18, 0, NULL, 0), global_triangles(3, NULL)};
        h3ou__polygon p, q;
        h3ou__cell_polygon(star, 0, &p);
        h3ou__cell_polygon(other, 0, &q);
        assert_int_equal(p.n, N);
        assert_int_equal(p.convex, !dented);
        assert_float_equal(h3ou__polygon_area(&p), area, 1e-13);
        for (int g = 0; g < 2; g++) {
            double sum = 0;
            h3ou__weights *w = weights("conservative", star, grid[g], H3OU__DESTAREA, 1, false);
            for (int64_t i = 0; i < grid[g]->n; i++) {
                h3ou__polygon cell;
                h3ou__cell_polygon(grid[g], i, &cell);
                for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
                    sum += w->coef[k] * h3ou__polygon_area(&cell);
            }
            assert_float_equal(sum, area, 1e-12);
            h3ou__weights_free(w);
            w = weights("conservative", grid[g], star, H3OU__DESTAREA, 1, false);
            sum = 0;
            for (int64_t k = 0; k < w->start[1]; k++)
                sum += w->coef[k];
            assert_float_equal(sum, 1.0, 1e-12);
            assert_true(w->start[1] > 12);
            h3ou__weights_free(w);
            h3ou__cells_free(grid[g]);
        }
        double moment[3], one = h3ou__polygon_overlap(&p, &q, moment), two = h3ou__polygon_overlap(&q, &p, NULL);
        assert_float_equal(one, two, 1e-13);
        assert_true(one > 0.5 * area && one < area);
        assert_float_equal(h3ou__polygon_overlap(&p, &p, NULL), area, 1e-12);
        h3ou__cells_free(star);
        h3ou__cells_free(other);
    }
}

/* A quarter of the source is masked: targets half over it are served in full (fracarea) or by half (destarea); those
 * wholly over it are left to the next method. */
static void masks_leave_cells_to_the_next(void **state)
{
    (void)state;
    int mask[32], half[8];
    for (int i = 0; i < 32; i++)
        mask[i] = i % 8 > 2; /* columns 0 to 2 of 8 */
    for (int i = 0; i < 8; i++)
        half[i] = i != 7;
    h3ou__cells *s = global_boxes(8, 4, 0, mask, 0), *t = global_boxes(4, 2, 0, half, 0);
    for (int norm = 0; norm < 2; norm++) {
        h3ou__weights *w = weights("conservative,nearest", s, t, norm, 1, false);
        double sum = 0;
        assert_int_equal(w->served[0], 1); /* under columns 0 and 1: nearest */
        assert_int_equal(w->served[1], 0);
        assert_int_equal(w->served[2], 0);
        assert_int_equal(w->served[7], H3OU__MASKED);
        assert_int_equal(w->start[8] - w->start[7], 0);
        assert_float_equal(w->frac[1], 0.5, 1e-14);
        assert_float_equal(w->frac[2], 1.0, 1e-14);
        for (int64_t k = w->start[1]; k < w->start[2]; k++)
            sum += w->coef[k];
        assert_float_equal(sum, norm ? 0.5 : 1.0, 1e-14);
        h3ou__weights_facts f;
        h3ou__weights_look(w, &f);
        assert_int_equal(f.by[0], 5);
        assert_int_equal(f.by[1], 2);
        assert_int_equal(f.masked, 1);
        h3ou__weights_free(w);
    }
    h3ou__weights *w = weights("conservative", s, t, 0, 1, false);
    assert_int_equal(w->served[0], H3OU__BY_NONE);
    h3ou__weights_free(w);
    h3ou__cells_free(s);
    h3ou__cells_free(t);
}

/* One link of 1 to the source cell that has the largest part in the row of the first order, whatever covers the rest. */
static void laf_takes_the_largest_part(void **state)
{
    (void)state;
    int mask[32 * 16];
    int64_t left = 0;
    for (int i = 0; i < 32 * 16; i++)
        mask[i] = chance() < 0.6;
    h3ou__cells *s[2] = {global_boxes(32, 16, 7, mask, 0), global_triangles(3, mask)};
    h3ou__cells *t[2] = {global_boxes(25, 14, 11, NULL, 0), global_triangles(2, NULL)};
    for (int i = 0; i < 4; i++) {
        h3ou__weights *w = weights("laf", s[i / 2], t[i % 2], 0, 1, false),
                      *all = weights("conservative", s[i / 2], t[i % 2], 0, 1, false);
        h3ou__weights_facts f;
        h3ou__weights_look(w, &f);
        assert_true(f.served > 0 && f.row_misfit == 0.0 && isnan(f.conservation));
        left += f.unserved;
        for (int64_t r = 0; r < t[i % 2]->n; r++) {
            double most = 0, taken = NAN;
            assert_int_equal(w->served[r], all->served[r]);
            assert_true(w->frac[r] == all->frac[r]);
            for (int64_t k = all->start[r]; k < all->start[r + 1]; k++) {
                most = fmax(most, all->coef[k]);
                if (all->src[k] == w->src[w->start[r]])
                    taken = all->coef[k];
            }
            assert_int_equal(w->start[r + 1] - w->start[r], w->served[r] == 0);
            assert_true(w->served[r] != 0 || taken >= most * (1 - 1e-8));
        }
        h3ou__weights_free(w);
        h3ou__weights_free(all);
    }
    assert_true(left > 0);
    /* Of two halves the lower number, although rounding may make the other one larger. */
    h3ou__cells *half = global_boxes(48, 16, 0.1, NULL, 0), *whole = global_boxes(24, 16, 0.1, NULL, 0);
    h3ou__weights *w = weights("laf", half, whole, 0, 1, false);
    for (int64_t r = 0; r < whole->n; r++)
        assert_true(w->start[r + 1] == r + 1 && w->src[r] == 2 * r && w->coef[r] == 1.0);
    h3ou__weights_free(w);
    h3ou__cells_free(half);
    h3ou__cells_free(whole);
    for (int i = 0; i < 2; i++) {
        h3ou__cells_free(s[i]);
        h3ou__cells_free(t[i]);
    }
}

/* destarea with the users' areas conserves what they integrate. */
static void users_areas_are_conserved(void **state)
{
    (void)state;
    h3ou__cells *s = global_boxes(12, 6, 0, NULL, 0), *t = global_triangles(2, NULL);
    h3ou__weights *plain = weights("conservative", s, t, H3OU__DESTAREA, 1, false);
    s->area = malloc(sizeof(double) * (size_t)s->n);
    t->area = malloc(sizeof(double) * (size_t)t->n);
    for (int64_t i = 0; i < s->n; i++)
        s->area[i] = plain->source_area[i] * (1 + 0.1 * chance());
    for (int64_t i = 0; i < t->n; i++)
        t->area[i] = plain->target_area[i] * (1 + 0.1 * chance());
    h3ou__weights *w = weights("conservative", s, t, H3OU__DESTAREA, 1, false);
    double f[72], before = 0, after = 0;
    for (int i = 0; i < 72; i++) {
        f[i] = chance();
        before += f[i] * s->area[i];
    }
    for (int64_t i = 0; i < t->n; i++)
        after += applied(w, f, i) * t->area[i];
    assert_float_equal(after / before, 1.0, 1e-13);
    h3ou__weights_free(plain);
    h3ou__weights_free(w);
    h3ou__cells_free(s);
    h3ou__cells_free(t);
}

/* The mean of a field over each cell, by its moment: exact for f = 2 + a . x. */
static double linear_mean(const h3ou__cells *c, int64_t i)
{
    h3ou__polygon p;
    double m[3];
    h3ou__cell_polygon(c, i, &p);
    h3ou__polygon_moment(&p, m);
    return 2 + (0.5 * m[0] - 0.3 * m[1] + 0.4 * m[2]) / h3ou__polygon_area(&p);
}

static void second_order_is_of_second_order(void **state)
{
    (void)state;
    double error[2][3];
    for (int level = 0; level < 3; level++) {
        h3ou__cells *s = global_triangles(3 + level, NULL), *t = global_boxes(20 << level, 10 << level, 1, NULL, 0);
        double *f = malloc(sizeof *f * (size_t)s->n), before = 0;
        for (int64_t i = 0; i < s->n; i++)
            f[i] = linear_mean(s, i);
        for (int order = 0; order < 2; order++) {
            h3ou__weights *w = weights(order ? "conservative2" : "conservative", s, t, 0, 1, false);
            double sum = 0, area = 0, after = 0;
            before = 0;
            for (int64_t i = 0; i < s->n; i++)
                before += f[i] * w->source_area[i];
            for (int64_t i = 0; i < t->n; i++) {
                double ones = 0, got = applied(w, f, i);
                for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
                    ones += w->coef[k];
                assert_float_equal(ones, 1.0, 1e-13); /* constants are exact */
                sum += fabs(got - linear_mean(t, i)) * w->target_area[i];
                area += w->target_area[i];
                after += got * w->target_area[i];
            }
            error[order][level] = sum / area;
            assert_float_equal(after / before, 1.0, 1e-13); /* conserved */
            h3ou__weights_free(w);
        }
        free(f);
        h3ou__cells_free(s);
        h3ou__cells_free(t);
    }
    assert_true(error[0][1] / error[0][2] < 3);
    for (int level = 0; level < 2; level++)
        assert_true(error[1][level] / error[1][level + 1] > 3.8);
    assert_true(error[1][2] < error[0][2] / 20);
}

/* A step: the plain second order overshoots, the limited one does not, conserves, and is the same where all is smooth.
 */
static void limiter_keeps_the_range(void **state)
{
    (void)state;
    h3ou__cells *s = global_boxes(48, 24, 0.3, NULL, H3OU__EDGES_GREAT), *t = global_boxes(60, 30, 0, NULL, 0);
    h3ou__weights *w = weights("conservative2", s, t, 0, 1, true);
    assert_non_null(w->gradient);
    double *f = malloc(sizeof *f * (size_t)s->n), *plain = malloc(sizeof *plain * (size_t)t->n);
    double *limited = malloc(sizeof *limited * (size_t)t->n), least = 1, most = 0, before = 0, after = 0;
    h3ou__apply how = {.nlayer = 1, .factor = 1.0};
    for (int smooth = 0; smooth < 2; smooth++) {
        for (int64_t i = 0; i < s->n; i++)
            f[i] = smooth ? linear_mean(s, i) : s->lon[i] > 0.3 && s->lon[i] < 1.7;
        for (int64_t i = 0; i < t->n; i++)
            plain[i] = limited[i] = applied(w, f, i);
        assert_int_equal(h3ou__gradient_apply(w->gradient, &how, s->n, f, t->n, limited), 0);
        before = after = 0;
        for (int64_t i = 0; i < s->n; i++)
            before += f[i] * w->source_area[i];
        int same = 0;
        for (int64_t i = 0; i < t->n; i++) {
            after += limited[i] * w->target_area[i];
            least = fmin(least, plain[i]);
            most = fmax(most, smooth ? most : plain[i]);
            if (!smooth)
                assert_true(limited[i] >= -1e-15 && limited[i] <= 1 + 1e-15);
            same += fabs(limited[i] - plain[i]) < 1e-12;
        }
        assert_float_equal(after / before, 1.0, 1e-13);
        assert_true(smooth ? same > t->n / 3 : same < t->n);
    }
    assert_true(least < -0.01 && most > 1.01);
    /* Missing sources: their neighbours count with their means. */
    for (int64_t i = 0; i < s->n; i++)
        f[i] = i % 50 ? 3.0 : NAN;
    how.skip_nan = true;
    how.missing = -9;
    assert_int_equal(h3ou__gradient_apply(w->gradient, &how, s->n, f, t->n, limited), 0);
    for (int64_t i = 0; i < t->n; i++)
        assert_true(limited[i] == -9 || fabs(limited[i] - 3.0) < 1e-14);
    free(f);
    free(plain);
    free(limited);
    h3ou__weights_free(w);
    h3ou__cells_free(s);
    h3ou__cells_free(t);
}

static void same(const h3ou__weights *a, const h3ou__weights *b)
{
    assert_memory_equal(a->start, b->start, sizeof(int64_t) * (size_t)(a->ntarget + 1));
    assert_memory_equal(a->src, b->src, sizeof(int32_t) * (size_t)a->start[a->ntarget]);
    assert_memory_equal(a->coef, b->coef, sizeof(double) * (size_t)a->start[a->ntarget]);
    assert_memory_equal(a->served, b->served, (size_t)a->ntarget);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    int mask[512];
    for (int i = 0; i < 512; i++)
        mask[i] = i % 37 != 0;
    h3ou__cells *s = global_triangles(3, mask), *t = global_boxes(90, 45, 0, NULL, 0);
    h3ou__weights *one = weights("conservative2,conservative,nearest", s, t, 0, 1, false);
    for (int threads = 2; threads < 6; threads++) {
        h3ou__weights *w = weights("conservative2,conservative,nearest", s, t, 0, threads, false);
        same(one, w);
        h3ou__weights_free(w);
    }
    h3ou__weights_free(one);
    h3ou__cells_free(s);
    h3ou__cells_free(t);
}

/* The cells of c that lie within `reach` of any of the target's, with their numbers: what another process would hold.
 */
static h3ou__cells *part_of(const h3ou__cells *c, const h3ou__cells *near, double reach, int64_t **number)
{
    int64_t n = 0, *id = malloc(sizeof *id * (size_t)c->n);
    double *lon = malloc(3 * sizeof *lon * (size_t)c->n), *lat = malloc(3 * sizeof *lat * (size_t)c->n);
    for (int64_t i = 0; i < c->n; i++) {
        double least = 10;
        for (int64_t k = 0; k < near->n; k++) {
            double x[3], y[3];
            place(c->lon[i], c->lat[i], x);
            place(near->lon[k], near->lat[k], y);
            least = fmin(least, acos(fmax(-1, fmin(1, x[0] * y[0] + x[1] * y[1] + x[2] * y[2]))));
        }
        if (least > reach)
            continue;
        for (int k = 0; k < 3; k++)
            to_angles(c->corner + 3 * (c->first[i] + k), &lon[3 * n + k], &lat[3 * n + k]);
        id[n++] = i;
    }
    h3ou__cells *out;
    assert_int_equal(h3ou__cells_create("part", n, NULL, NULL, NULL, &out), 0);
    assert_int_equal(h3ou__cells_number(out, id), 0);
    assert_int_equal(h3ou__cells_set_corners(out, 3, lon, lat, NULL, 0), 0);
    free(lon);
    free(lat);
    *number = id;
    return out;
}

/* Rows from a part of the source that reaches the halo around are those from the whole, bit for bit. */
static void a_part_of_the_source_is_enough(void **state)
{
    (void)state;
    int mask[800];
    int64_t *number;
    for (int i = 0; i < 800; i++)
        mask[i] = i / 40 > 6 && i / 40 < 9 && i % 40 > 3 && i % 40 < 8;
    h3ou__cells *whole = global_triangles(4, NULL), *t = global_boxes(40, 20, 0, NULL, 0), *few;
    double lon[800], lat[800];
    int64_t n = 0;
    for (int i = 0; i < 800; i++)
        if (mask[i]) {
            lon[n] = t->lon[i];
            lat[n++] = t->lat[i];
        }
    assert_int_equal(h3ou__cells_create("few", n, lon, lat, NULL, &few), 0);
    h3ou__cells *part = part_of(whole, few, 0.5, &number), *masked = global_boxes(40, 20, 0, mask, 0);
    /* The part's corners went through angles: the whole's must have done so too. */
    for (int64_t i = 0; i < part->n; i++)
        memcpy(whole->corner + 3 * whole->first[number[i]], part->corner + 3 * part->first[i], 9 * sizeof(double));
    assert_true(part->n < whole->n / 4);
    static const char *const stack[] = {"conservative", "conservative2"};
    for (int k = 0; k < 2; k++) {
        h3ou__weights *a = weights(stack[k], whole, masked, 0, 1, false),
                      *b = weights(stack[k], part, masked, 0, 2, false);
        assert_memory_equal(a->start, b->start, sizeof(int64_t) * (size_t)(a->ntarget + 1));
        assert_memory_equal(a->coef, b->coef, sizeof(double) * (size_t)a->start[a->ntarget]);
        for (int64_t i = 0; i < b->start[b->ntarget]; i++)
            assert_int_equal(number[b->src[i]], a->src[i]);
        h3ou__weights_free(a);
        h3ou__weights_free(b);
    }
    free(number);
    h3ou__cells_free(whole);
    h3ou__cells_free(part);
    h3ou__cells_free(few);
    h3ou__cells_free(t);
    h3ou__cells_free(masked);
}

static void wrong_stacks_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *stack, *says;
        int code;
    } wrong[] = {
        {"conservativ", "did you mean 'conservative'?", H3OU__ENAME},
        {"nearest,", "no method ''", H3OU__ENAME},
        {"distance(m=3)", "method distance has no key 'm'", H3OU__ENAME},
        {"distance(n=0)", "n=0: must be a number from 1 to 64", H3OU__EARG},
        {"distance(n=4,power=-1)", "power=-1: must be a number above 0", H3OU__EARG},
        {"distance(n=4", "no ) at the end", H3OU__EARG},
        {"conservative(n=4)", "knows: none", H3OU__ENAME},
        {"nearest,nearest,nearest,nearest,nearest,nearest,nearest,nearest,nearest", "more than 8 methods", H3OU__EARG}};
    h3ou__cells *c = global_boxes(4, 3, 0, NULL, 0), *points;
    h3ou__weights *w;
    double lon = 0, lat = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(make_weights(wrong[i].stack, c, c, NULL, &w), wrong[i].code);
        if (!strstr(h3ou__fail_text(), wrong[i].says))
            print_error("%s\n", h3ou__fail_text());
        assert_non_null(strstr(h3ou__fail_text(), wrong[i].says));
    }
    assert_int_equal(h3ou__cells_create("cloud", 1, &lon, &lat, NULL, &points), 0);
    assert_int_equal(make_weights("conservative", points, c, NULL, &w), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "needs the corners of both grids: cloud has none"));
    h3ou__cells_free(points);
    h3ou__cells_free(c);
}

/* The plain sum, in every layout, for many numbers of layers, is one and the same. */
static void layouts_change_no_bit(void **state)
{
    (void)state;
    enum { NS = 300, NT = 157, MOST = 21 };
    h3ou__sparse s = {.nrow = NT - 7};
    int64_t links = 0;
    s.row = malloc(sizeof *s.row * NT);
    s.start = malloc(sizeof *s.start * NT);
    s.col = malloc(sizeof *s.col * NT * 9);
    s.coef = malloc(sizeof *s.coef * NT * 9);
    for (int64_t r = 0; r < s.nrow; r++) {
        s.row[r] = r + (r > 50 ? 5 : 0);
        s.start[r] = links;
        for (int k = 0; k < r % 10; k++) {
            s.col[links] = (int32_t)(NS * chance());
            s.coef[links++] = chance() - 0.3;
        }
    }
    s.start[s.nrow] = links;
    double *v = malloc(sizeof *v * NS * MOST), *w = malloc(sizeof *w * NS * MOST);
    double *out = malloc(sizeof *out * NT * MOST), *sum = malloc(sizeof *sum * NT * MOST);
    for (int n = 1; n <= MOST; n++)
        for (int from = 0; from < 2; from++)
            for (int to = 0; to < 2; to++)
                for (int skip = 0; skip < 2; skip++) {
                    h3ou__apply how = {.nlayer = n,
                                       .factor = 1.5,
                                       .source_layout = from,
                                       .target_layout = to,
                                       .threads = 1 + n % 3,
                                       .skip_nan = skip};
                    for (int i = 0; i < NS; i++)
                        for (int k = 0; k < n; k++)
                            w[from ? i * n + k : k * NS + i] = v[k * NS + i] = sin(i + 31.0 * k);
                    for (int i = 0; i < NT * n; i++)
                        out[i] = sum[i] = -7;
                    for (int64_t r = 0; r < s.nrow; r++)
                        for (int k = 0; k < n; k++) {
                            double one = 0;
                            for (int64_t i = s.start[r]; i < s.start[r + 1]; i++)
                                one += s.coef[i] * v[k * NS + s.col[i]];
                            sum[to ? s.row[r] * n + k : k * NT + s.row[r]] = 1.5 * one;
                        }
                    h3ou__sparse_apply(&s, &how, NS, w, NT, out);
                    assert_memory_equal(out, sum, sizeof *out * (size_t)(NT * n));
                }
    free(v);
    free(w);
    free(out);
    free(sum);
    h3ou__sparse_free(&s);
}

/* Shares and missing values: the mean over what counts. */
static void shares_and_missing_values_count(void **state)
{
    (void)state;
    int64_t row[3] = {0, 1, 2}, start[4] = {0, 2, 4, 6};
    int32_t col[6] = {0, 1, 1, 2, 2, 3};
    double coef[6] = {0.25, 0.75, 0.5, 0.5, 0.2, 0.2}, v[4] = {1, 3, NAN, 5}, share[4] = {1, 0.5, 0, 0}, out[3];
    h3ou__sparse s = {.nrow = 3, .row = row, .start = start, .col = col, .coef = coef};
    h3ou__apply how = {.nlayer = 1, .factor = 2.0, .skip_nan = true, .missing = -1};
    h3ou__sparse_apply(&s, &how, 4, v, 3, out);
    assert_float_equal(out[0], 2 * 2.5, 1e-15);
    assert_float_equal(out[1], 2 * 3.0, 1e-15);
    assert_float_equal(out[2], 2 * 5.0 * 0.4, 1e-15); /* the row's own sum stays */
    how.share = share;
    h3ou__sparse_apply(&s, &how, 4, v, 3, out);
    assert_float_equal(out[0], 2 * (0.25 * 1 + 0.375 * 3) / 0.625, 1e-15);
    assert_float_equal(out[1], 2 * 3.0, 1e-15);
    assert_float_equal(out[2], -1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_order_conserves),          cmocka_unit_test(masks_leave_cells_to_the_next),
        cmocka_unit_test(laf_takes_the_largest_part),     cmocka_unit_test(cells_of_many_corners_are_exact),
        cmocka_unit_test(users_areas_are_conserved),      cmocka_unit_test(second_order_is_of_second_order),
        cmocka_unit_test(limiter_keeps_the_range),        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(a_part_of_the_source_is_enough), cmocka_unit_test(wrong_stacks_are_refused),
        cmocka_unit_test(layouts_change_no_bit),          cmocka_unit_test(shares_and_missing_values_count),
    };
    return cmocka_run_group_tests_name("conservative", tests, NULL, NULL);
}
