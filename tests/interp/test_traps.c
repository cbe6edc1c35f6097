/* SPDX-License-Identifier: BSD-3-Clause */
/* Models are debugged with the traps of floating point on: no method and no product may raise an exception, whatever
 * the grids and whatever is missing. An exception that is raised is what would trap. */
#include <fenv.h>

#include "grids.h"
#include "stacks.h"
#include "interp/weights/weights.h"

enum { TRAPS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

static const char *raised(void)
{
    int which = fetestexcept(TRAPS);
    return which & FE_INVALID ? "invalid" : which & FE_DIVBYZERO ? "division by zero" : which ? "overflow" : NULL;
}

/* Not under valgrind. */
static bool exceptions_are_seen(void)
{
    volatile double zero = 0.0, infinite = 1.0 / zero;
    return infinite > 0.0 && raised() != NULL;
}

/* ---- grids with places where something may vanish ---- */

/* Centres in rows and columns, without corners; the first and the last row stand on the poles. */
static h3ou__cells *rows_on_poles(int nx, int ny)
{
    double *lon = malloc(sizeof *lon * (size_t)(nx * ny)), *lat = malloc(sizeof *lat * (size_t)(nx * ny));
    for (int i = 0; i < nx * ny; i++) {
        lon[i] = 2 * PI * (i % nx) / nx;
        lat[i] = -PI / 2 + PI * (i / nx) / (ny - 1);
    }
    return in_rows("rows", nx, ny, lon, lat);
}

/* Triangles whose edges lie on the equator and whose vertices on the poles: boxes cut by their diagonals. */
static h3ou__cells *halves_of_boxes(int nx, int ny, int edges)
{
    int n = 2 * nx * ny;
    double *lon = malloc(3 * sizeof *lon * (size_t)n), *lat = malloc(3 * sizeof *lat * (size_t)n);
    int *mask = malloc(sizeof *mask * (size_t)n);
    for (int i = 0; i < n; i++) {
        double w = 2 * PI * (i / 2 % nx) / nx, e = w + 2 * PI / nx, s = -PI / 2 + PI * (i / 2 / nx) / ny,
               t = s + PI / ny;
        const double x[2][3] = {{w, e, e}, {w, e, w}}, y[2][3] = {{s, s, t}, {s, t, t}};
        memcpy(lon + 3 * i, x[i % 2], sizeof x[0]);
        memcpy(lat + 3 * i, y[i % 2], sizeof y[0]);
        /* Those at a pole with two corners there have no area. */
        mask[i] = !((i / 2 / nx == 0 && i % 2 == 0) || (i / 2 / nx == ny - 1 && i % 2 == 1));
    }
    h3ou__cells *c;
    assert_int_equal(h3ou__cells_create("halves", n, NULL, NULL, mask, &c), 0);
    assert_int_equal(h3ou__cells_set_corners(c, 3, lon, lat, NULL, edges), 0);
    assert_int_equal(h3ou__cells_places(c), 0);
    free(lon);
    free(lat);
    free(mask);
    return c;
}

/* Both poles under several longitudes, points on the equator and the seam, and the centres of another grid. */
static h3ou__cells *special_points(const h3ou__cells *of)
{
    enum { POLES = 8, EQUATOR = 12 };
    int64_t n = POLES + EQUATOR + of->n;
    double *lon = malloc(sizeof *lon * (size_t)n), *lat = malloc(sizeof *lat * (size_t)n);
    for (int i = 0; i < POLES; i++) {
        lon[i] = i / 2 * PI / 3;
        lat[i] = i % 2 ? PI / 2 : -PI / 2;
    }
    for (int i = 0; i < EQUATOR; i++) {
        lon[POLES + i] = 2 * PI * i / EQUATOR;
        lat[POLES + i] = 0;
    }
    memcpy(lon + POLES + EQUATOR, of->lon, sizeof *lon * (size_t)of->n);
    memcpy(lat + POLES + EQUATOR, of->lat, sizeof *lat * (size_t)of->n);
    h3ou__cells *c = make("special points", n, lon, lat, NULL);
    free(lon);
    free(lat);
    return c;
}

static int *island(int64_t n)
{
    int *mask = malloc(sizeof *mask * (size_t)n);
    for (int64_t i = 0; i < n; i++)
        mask[i] = chance() < 0.6;
    return mask;
}

static h3ou__cells *every_third(h3ou__cells *whole, int from)
{
    bool *keep = malloc((size_t)whole->n);
    for (int64_t i = 0; i < whole->n; i++)
        keep[i] = (i / 5 + from) % 3 != 0;
    h3ou__cells *part = part_of(whole, keep);
    free(keep);
    h3ou__cells_free(whole);
    return part;
}

enum { KINDS = 15 };

static h3ou__cells *grid(int kind)
{
    int *mask = island(4096);
    h3ou__cells *c = kind == 0    ? boxes(12, 6, 0, NULL)
                     : kind == 1  ? boxes(10, 5, -7, mask)
                     : kind == 2  ? triangles(2, NULL)
                     : kind == 3  ? triangles(2, mask)
                     : kind == 4  ? tripolar(12, 6, 4, 0.1, NULL)
                     : kind == 5  ? tripolar(12, 6, 4, 0, mask)
                     : kind == 6  ? rings(12, 7, 0.1)
                     : kind == 7  ? rows_on_poles(12, 7)
                     : kind == 8  ? halves_of_boxes(8, 4, H3OU__EDGES_GREAT)
                     : kind == 9  ? halves_of_boxes(8, 4, H3OU__EDGES_LATITUDE)
                     : kind == 10 ? make_points(0, 98, true)
                     : kind == 11 ? make_points(1, 90, false)
                     : kind == 12 ? every_third(boxes(12, 6, 0, mask), 0)
                     : kind == 13 ? every_third(triangles(2, mask), 1)
                                  : global_boxes(8, 6, 0, NULL, H3OU__EDGES_GREAT);
    free(mask);
    assert_int_equal(h3ou__cells_places(c), 0);
    return c;
}

static const char *const STACKS[] = {"conservative",
                                     "conservative2",
                                     "conservative,creep",
                                     "laf",
                                     "bilinear",
                                     "barycentric",
                                     "bicubic",
                                     "bicubic,bilinear,nearest",
                                     "nearest",
                                     "distance",
                                     "distance(n=3,power=9)",
                                     "distance(n=5,radius=20),average(n=2),gauss",
                                     "radial",
                                     "gauss(width=0.001)",
                                     "bilinear,creep,value(value=-1)"};

/* ---- products ---- */

static h3ou__sparse rows_of(const h3ou__weights *w)
{
    h3ou__sparse s = {.row = malloc(sizeof *s.row * (size_t)(w->ntarget + 1)),
                      .start = malloc(sizeof *s.start * (size_t)(w->ntarget + 1)),
                      .col = w->src,
                      .coef = w->coef};
    for (int64_t i = 0; i < w->ntarget; i++)
        if (w->start[i + 1] > w->start[i]) {
            s.row[s.nrow] = i;
            s.start[s.nrow++] = w->start[i];
        }
    s.start[s.nrow] = w->start[w->ntarget];
    return s;
}

/* Values of which many are missing, beside cells that count in part; where a cell does not count it may hold anything.
 */
static void fill_values(int64_t n, int nlayer, double value[], double share[])
{
    for (int64_t i = 0; i < n; i++)
        share[i] = chance() < 0.3 ? 0.0 : chance();
    for (int64_t i = 0; i < n * nlayer; i++)
        value[i] = chance() < 0.3 ? NAN : chance() < 0.2 ? 1e-300 * chance() : chance() - 0.5;
    for (int64_t i = 0; i < n; i++)
        if (share[i] == 0.0)
            value[i] = NAN;
}

/* All ways to apply; the first exception's name, or NULL. */
static const char *apply_all(const h3ou__weights *w)
{
    static const int LAYERS[] = {1, 3, 5, 8, 11};
    static int turn;
    h3ou__sparse s = rows_of(w);
    const char *wrong = NULL;
    for (int k = 0; k < 8 && !wrong; k++) {
        int nlayer = LAYERS[(turn++ / 8 + k) % 5];
        double *value = malloc(sizeof *value * (size_t)(w->nsource * nlayer + 1));
        double *share = malloc(sizeof *share * (size_t)(w->nsource + 1));
        double *target = calloc((size_t)(w->ntarget * nlayer) + 1, sizeof *target);
        h3ou__apply how = {.nlayer = nlayer, .factor = 1.5, .threads = 1, .missing = NAN};
        how.source_layout = how.target_layout = k % 2 ? H3OU__LAYERS_FASTEST : H3OU__CELLS_FASTEST;
        how.skip_nan = k / 2 % 2;
        fill_values(w->nsource, nlayer, value, share);
        how.share = k / 4 % 2 ? share : NULL;
        feclearexcept(TRAPS);
        h3ou__sparse_apply(&s, &how, w->nsource, value, w->ntarget, target);
        if (w->gradient && how.skip_nan && k % 2 == 0)
            assert_int_equal(h3ou__gradient_apply(w->gradient, &how, w->nsource, value, w->ntarget, target), 0);
        wrong = raised();
        free(value);
        free(share);
        free(target);
    }
    free(s.row);
    free(s.start);
    return wrong;
}

/* ---- the tests ---- */

/* One stack on one pair: 0 when it raised nothing or these grids are not for it. */
static int judge(const char *stack, h3ou__cells *source, h3ou__cells *target, const h3ou__weights_options *o)
{
    h3ou__weights *w = NULL;
    h3ou__weights_facts facts;
    feclearexcept(TRAPS);
    int err = make_weights(stack, source, target, o, &w);
    const char *wrong = raised(), *where = "making";
    if (!err && !wrong) {
        h3ou__weights_look(w, &facts);
        wrong = raised();
        where = "looking";
    }
    if (!err && !wrong) {
        wrong = apply_all(w);
        where = "applying";
    }
    if (wrong)
        print_error("%s %s: %s -> %s: %s\n", stack, where, source->name, target->name, wrong);
    if (!err)
        h3ou__weights_free(w);
    return wrong != NULL;
}

static void no_method_raises_an_exception(void **state)
{
    (void)state;
    int wrong = 0;
    if (!exceptions_are_seen())
        skip();
    h3ou__cells *c[KINDS];
    for (int k = 0; k < KINDS; k++)
        c[k] = grid(k);
    for (int k = 0; k < KINDS; k++) {
        h3ou__cells *special = special_points(c[k]);
        for (int l = 0; l <= KINDS; l++)
            for (size_t i = 0; i < sizeof STACKS / sizeof *STACKS; i++) {
                const h3ou__weights_options o = {.norm = (int)(i + (size_t)k) % 2, .limit = l % 2, .threads = 1};
                wrong += judge(STACKS[i], c[k], l < KINDS ? c[l] : special, &o);
            }
        h3ou__cells_free(special);
    }
    for (int k = 0; k < KINDS; k++)
        h3ou__cells_free(c[k]);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_method_raises_an_exception),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
