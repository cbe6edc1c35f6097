/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights that components make in the run: the same bits for any numbers of processes, also out of the cache. */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "coupler/weights/made_rows.h"
#include "coupler/weights/make_online.h"
#include "interp/weights/weights.h"
#include "thread_world.h"
#include "units.h"

enum { NX = 12, NY = 7, SOURCES = NX * NY, MX = 9, MY = 5, TARGETS = MX * MY, LINKS_MOST = 64 };

typedef struct row {
    int n, source[LINKS_MOST];
    double coef[LINKS_MOST];
} row;

typedef struct run {
    const char *method, *cache;
    int na, nb;
    row row[TARGETS]; /* each is written by the owner of its cell alone */
    int64_t nunserved[THREADS_MOST], nfixed[THREADS_MOST];
    int64_t wrong_owners[THREADS_MOST]; /* sources that the search says another process than theirs owns */
} run;

static int process_of(int64_t cell, int size)
{
    return (int)(cell * 7 % size);
}

static int64_t own_cells(int rank, int size, int count, int index[])
{
    int64_t n = 0;
    for (int i = count; i > 0; i--)
        if (process_of(i, size) == rank)
            index[n++] = i;
    return n;
}

/* Gives centres and corners of boxes of equal degrees from 60 S to 60 N; the source's middle cells are masked. */
static int give_geometry(h3ou__grid *g, int nx, int ny, double west, bool is_source)
{
    double lon[SOURCES], lat[SOURCES], corner_lon[4 * SOURCES], corner_lat[4 * SOURCES];
    double dx = 360.0 / nx, dy = 120.0 / ny;
    int mask[SOURCES];
    for (int64_t i = 0; i < g->n; i++) {
        int64_t x = (g->index[i] - 1) % nx, y = (g->index[i] - 1) / nx;
        lon[i] = west + ((double)x + 0.5) * dx;
        lat[i] = -60.0 + ((double)y + 0.5) * dy;
        mask[i] = !(is_source && y == ny / 2 && x < 4);
        for (int k = 0; k < 4; k++) {
            corner_lon[4 * i + k] = lon[i] + (k == 0 || k == 3 ? -0.5 : 0.5) * dx;
            corner_lat[4 * i + k] = lat[i] + (k < 2 ? -0.5 : 0.5) * dy;
        }
    }
    int err = h3ou__geometry_centres(&g->geometry, g->name, g->n, g->index, lon, lat, "degrees");
    if (!err)
        err = h3ou__geometry_corners(&g->geometry, g->name, g->n, 4, corner_lon, corner_lat, "degrees");
    if (!err)
        err = h3ou__geometry_shape(&g->geometry, g->name, nx, ny, true, false);
    return err ? err : h3ou__geometry_mask(&g->geometry, g->name, g->n, mask);
}

static void keep_link(run *r, int64_t target, int64_t source, double coef)
{
    row *to = &r->row[target - 1];
    if (to->n < LINKS_MOST) {
        to->source[to->n] = (int)source;
        to->coef[to->n] = coef;
    }
    to->n++;
}

static void keep_links(run *r, int rank, const h3ou__grid *g, const h3ou__table *t)
{
    for (int64_t k = 0; k < t->n; k++)
        keep_link(r, t->recv[k], t->send[k], t->coef[k]);
    for (int64_t k = 0; t->made && k < t->made->n; k++) {
        int64_t source = t->made->source[t->made->col[k]];
        keep_link(r, g->index[t->made->target[k]], source, t->made->coef[k]);
        r->wrong_owners[rank] += t->made->owner[t->made->col[k]] != process_of(source, r->na);
    }
}

static int make_weights(thread_process *me)
{
    run *r = me->user;
    bool sends = me->component == 0;
    int index[SOURCES];
    int64_t n = own_cells(me->rank, sends ? r->na : r->nb, sends ? SOURCES : TARGETS, index);
    h3ou__config_remap how = {.norm = H3OU__FRACAREA};
    h3ou__grid *g = NULL;
    h3ou__table *table = NULL;
    h3ou__remainder left = {0};
    h3ou__config_stack stack;
    strcpy(how.method, r->method);
    strcpy(stack.text, r->method);
    how.stack = &stack;
    int err = h3ou__stack_parse(r->method, &stack.methods);
    if (!err)
        err = h3ou__grid_create(sends ? "ag" : "bg", index, n, 1, &g);
    if (!err)
        err = sends ? give_geometry(g, NX, NY, 0.0, true) : give_geometry(g, MX, MY, 7.0, false);
    if (!err)
        err = h3ou__grid_register(g, me->local);
    h3ou__make_online_task task = {me->world, {"a", "ag", "b", "bg", 1}, sends, g, NULL, &how, r->cache ? r->cache : ""};
    if (!err)
        err = h3ou__make_online(&task, &table, &left);
    if (!err && !sends) {
        keep_links(r, me->rank, g, table);
        r->nunserved[me->rank] = left.nunserved;
        r->nfixed[me->rank] = left.nfixed;
    }
    h3ou__remainder_free(&left);
    h3ou__table_free(table);
    h3ou__grid_free(g);
    return err;
}

static void make_with(int na, int nb, const char *method, const char *cache, run *r)
{
    thread_process p[THREADS_MOST];
    *r = (run){.method = method, .cache = cache, .na = na, .nb = nb};
    run_threads(na, nb, make_weights, r, p);
    for (int i = 0; i < na + nb; i++)
        if (p[i].err)
            fail_msg("%s, %d to %d processes: %s", method, na, nb, p[i].said);
}

static int64_t sum_of(const int64_t count[THREADS_MOST])
{
    int64_t sum = 0;
    for (int i = 0; i < THREADS_MOST; i++)
        sum += count[i];
    return sum;
}

static void expect_same(const run *r, const run *alone)
{
    assert_int_equal(sum_of(r->nunserved), sum_of(alone->nunserved));
    assert_int_equal(sum_of(r->nfixed), sum_of(alone->nfixed));
    assert_int_equal(sum_of(r->wrong_owners), 0);
    for (int t = 0; t < TARGETS; t++) {
        const row *a = &r->row[t], *b = &alone->row[t];
        if (a->n != b->n || a->n > LINKS_MOST)
            fail_msg("%s, %d to %d processes: target %d has %d links, not %d", r->method, r->na, r->nb, t + 1, a->n,
                     b->n);
        assert_memory_equal(a->source, b->source, sizeof *a->source * (size_t)a->n);
        assert_memory_equal(a->coef, b->coef, sizeof *a->coef * (size_t)a->n);
    }
}

static run alone, several;

/* The sum of the coefficients of all rows that have links, and the number of these. */
static double sum_of_rows(const run *r, int *nrow)
{
    double sum = 0;
    *nrow = 0;
    for (int t = 0; t < TARGETS; t++) {
        *nrow += r->row[t].n > 0;
        for (int k = 0; k < r->row[t].n; k++)
            sum += r->row[t].coef[k];
    }
    return sum;
}

static void any_numbers_of_processes_make_the_same_rows(void **state)
{
    static const char *const methods[] = {"conservative", "bilinear,creep", "nearest", "bilinear,value(value=3)",
                                          "radial(n=4)",  "bicubic,nearest"};
    static const int size[][2] = {{1, 3}, {3, 2}};
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        int nrow;
        make_with(1, 1, methods[m], NULL, &alone);
        double sum = sum_of_rows(&alone, &nrow);
        assert_true(nrow > TARGETS / 2);
        assert_true(sum > (1 - 1e-9) * nrow && sum < (1 + 1e-9) * nrow);
        for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
            make_with(size[i][0], size[i][1], methods[m], NULL, &several);
            expect_same(&several, &alone);
        }
    }
}

/* Returns the number of files of a folder, which it removes if it shall. */
static int count_files(const char *folder, bool is_to_remove)
{
    int n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.') {
            char path[600];
            n++;
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
            if (is_to_remove)
                unlink(path);
        }
    closedir(d);
    return n;
}

static void the_cache_gives_the_same_rows(void **state)
{
    char folder[] = "/tmp/h3ou-test-online-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    make_with(2, 2, "conservative,nearest", NULL, &alone);
    make_with(2, 2, "conservative,nearest", folder, &several);
    expect_same(&several, &alone);
    assert_int_equal(count_files(folder, false), 1);
    make_with(3, 1, "conservative,nearest", folder, &several);
    expect_same(&several, &alone);
    assert_int_equal(count_files(folder, false), 1);
    make_with(2, 2, "nearest", folder, &several);
    assert_int_equal(count_files(folder, true), 2);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_numbers_of_processes_make_the_same_rows),
        cmocka_unit_test(the_cache_gives_the_same_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
