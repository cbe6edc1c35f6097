/* SPDX-License-Identifier: BSD-3-Clause */
/* The product of sparse rows with a field has the bits of the plain loop, whatever vectors, layouts, layers and threads
 * compute it, and however values are missing. */
#include <math.h>

#include "grids.h"
#include "interp/file/named/named_grid.h"
#include "interp/kernels/row_sums.h"
#include "interp/weights/kept_shares.h"
#include "interp/weights/sparse.h"
#include "stacks.h"
#include "tests/lib/stride.h"

enum { MOST_LAYERS = 45 };

typedef struct table {
    h3ou__sparse rows;
    int64_t nsource, ntarget;
} table;

/* How some values do not count. */
enum absence {
    ALL_COUNT,
    SHARES_OF_ONE,
    SHARES,
    FEW_PARTIAL, /* most shares are 0 or 1 */
    MASK,
    FRACTIONS,
    TINY,
    NAN_VALUES, /* NaN is skipped by this one and by those below */
    NO_NAN,
    SHARES_AND_NAN,
    FEW_PARTIAL_AND_NAN,
    MASK_AND_NAN,
    FRACTIONS_AND_NAN,
    ABSENCES
};

/* How a product finds out which sources count. */
enum way { LOOKED_UP, MARKED, KEPT, PAIRED, WAYS };

static void *new_array(int64_t n, size_t size)
{
    void *p = calloc((size_t)n + 1, size);
    assert_non_null(p);
    return p;
}

static table new_table(int64_t nsource, int64_t ntarget, int64_t links)
{
    table t = {.nsource = nsource, .ntarget = ntarget};
    t.rows.row = new_array(ntarget, sizeof *t.rows.row);
    t.rows.start = new_array(ntarget, sizeof *t.rows.start);
    t.rows.col = new_array(links, sizeof *t.rows.col);
    t.rows.coef = new_array(links, sizeof *t.rows.coef);
    return t;
}

/* A table from hexagons to boxes of longitude and latitude. */
static table icosahedral_table(const char *stack)
{
    h3ou__cells *source, *target;
    h3ou__weights *w;
    assert_int_equal(h3ou__named_grid_make("gme4", 0, &source), 0);
    assert_int_equal(h3ou__named_grid_make("r15x9", 0, &target), 0);
    assert_int_equal(make_weights(stack, source, target, NULL, &w), 0);
    table t = new_table(w->nsource, w->ntarget, w->start[w->ntarget]);
    for (int64_t i = 0; i < w->ntarget; i++)
        if (w->start[i + 1] > w->start[i]) {
            t.rows.row[t.rows.nrow++] = i;
            t.rows.start[t.rows.nrow] = w->start[i + 1];
        }
    memcpy(t.rows.col, w->src, sizeof *w->src * (size_t)w->start[w->ntarget]);
    memcpy(t.rows.coef, w->coef, sizeof *w->coef * (size_t)w->start[w->ntarget]);
    h3ou__weights_free(w);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
    return t;
}

/* Rows of 0 to 20 entries, of which some are negative and some make a row of sum 0, cells without a row, and two rows
 * of a thousand entries. The rows of one part have three entries each, those of another four, of sources that stand together. */
static table wild_table(void)
{
    enum { SOURCES = 300, TARGETS = 160, LONG = 1100 };
    table t = new_table(SOURCES, TARGETS, 20 * TARGETS + 2 * LONG);
    for (int64_t cell = 0, n = 0; cell < TARGETS; cell++) {
        if (cell > 130 && cell % 3 == 0)
            continue;
        int links = cell == 129 || cell == 140 ? LONG : cell < 64 ? 3 : cell < 128 ? 4 : (int)(21 * chance());
        for (int k = 0; k < links; k++, n++) {
            t.rows.col[n] = links == 4 ? (int32_t)cell + k : (int32_t)(SOURCES * chance());
            t.rows.coef[n] = chance() - 0.2;
            if (cell % 11 == 0 && k % 2 == 1)
                t.rows.coef[n] = -t.rows.coef[n - 1];
        }
        t.rows.row[t.rows.nrow++] = cell;
        t.rows.start[t.rows.nrow] = n;
    }
    return t;
}

/* What a product is defined to be. */
static double plain_sum(const h3ou__sparse *s, const h3ou__apply *how, int64_t r, const double *from, int64_t stride)
{
    double sum = 0.0, counted = 0.0, whole = 0.0, weight = 0.0;
    for (int64_t i = s->start[r]; i < s->start[r + 1]; i++) {
        double v = from[s->col[i] * stride], share = how->share ? how->share[s->col[i]] : 1.0;
        whole += s->coef[i];
        weight += fabs(s->coef[i]);
        if ((how->share && share <= 0.0) || (how->skip_nan && isnan(v)))
            continue;
        sum += s->coef[i] * share * v;
        counted += s->coef[i] * share;
    }
    if ((!how->share && !how->skip_nan) || counted == whole)
        return how->factor * sum;
    return fabs(counted) <= 1e-12 * weight ? how->missing : how->factor * (sum / counted * whole);
}

/* Stretches of cells do not count, and single ones. */
static double share_of(int absence, int64_t i)
{
    bool few = absence == FEW_PARTIAL || absence == FEW_PARTIAL_AND_NAN;
    switch (absence) {
    case SHARES_OF_ONE:
        return 1.0;
    case MASK:
    case MASK_AND_NAN:
        return i / 90 % 3 == 1 ? 0.0 : 1.0;
    case FRACTIONS:
    case FRACTIONS_AND_NAN:
        return 0.01 + 0.99 * chance();
    case TINY:
        return 1e-14 * (double)(i % 3);
    default:
        if (i / 40 % 3 == 1)
            return (double)(i / 40 % 2);
        return chance() < 0.6 ? 1.0 : chance() < (few ? 0.92 : 0.5) ? 0.0 : chance();
    }
}

/* Returns whether a value is one of a stretch of cells that are NaN in all layers, or in all but one. */
static bool is_of_stretch(int64_t i, int layer, int layers)
{
    int64_t stretch = i / 30;
    return stretch % 8 == 3 || (stretch % 8 == 7 && layer != 7 * stretch % layers);
}

/* Sets the field, and how->share and how->skip_nan. Cells of a mask have values at its edge, and elsewhere often none.
 */
static void fill_field(const table *t, int absence, h3ou__apply *how, double value[], double share[])
{
    bool shared = absence != ALL_COUNT && absence != NAN_VALUES && absence != NO_NAN;
    how->skip_nan = absence >= NAN_VALUES;
    how->share = shared ? share : NULL;
    for (int64_t i = 0; i < t->nsource; i++) {
        share[i] = shared ? share_of(absence, i) : 1.0;
        for (int k = 0; k < how->nlayer; k++) {
            bool missing = (how->skip_nan && absence != NO_NAN &&
                            (i / 60 % 3 == k % 4 || is_of_stretch(i, k, how->nlayer) || chance() < 0.05)) ||
                           (shared && share[i] == 0.0 && i % 90 > 4 && (i + k) % 3 > 0) ||
                           (!how->skip_nan && !shared && i == 7) || (absence == FEW_PARTIAL && i % 90 == 5) ||
                           (absence == FRACTIONS && i == 7);
            value[how->source_layout == H3OU__LAYERS_FASTEST ? i * how->nlayer + k : k * t->nsource + i] =
                !missing                   ? chance() - 0.5
                : share[i] == 0.0 && i % 2 ? INFINITY
                                           : NAN;
        }
    }
}

/* The same results as float, of sources of either type. */
static int count_wrong_singles(const table *t, const h3ou__apply *how, const void *source, const double target[])
{
    int wrong = 0;
    h3ou__apply rounds = *how;
    float *rounded = new_array(t->ntarget * how->nlayer, sizeof *rounded);
    rounds.gives_single = true;
    h3ou__sparse_apply(&t->rows, &rounds, t->nsource, source, t->ntarget, rounded);
    for (int k = 0; k < how->nlayer; k++)
        for (int64_t r = 0; r < t->rows.nrow; r++) {
            int64_t at = k * t->ntarget + t->rows.row[r];
            wrong += isnan(target[at]) ? !isnan(rounded[at]) : rounded[at] != (float)target[at];
            rounded[at] = 0.0F;
        }
    for (int64_t i = 0; i < t->ntarget * how->nlayer; i++) /* cells without a row */
        wrong += rounded[i] != 0.0F;
    free(rounded);
    return wrong;
}

/* The same results of one layer, with the share and the value of each source next to each other. */
static int count_wrong_of_pairs(const table *t, const h3ou__apply *how, const double value[], const double target[])
{
    int wrong = 0;
    h3ou__apply beside = *how;
    double *pairs = new_array(2 * t->nsource, sizeof *pairs), *got = new_array(t->ntarget, sizeof *got);
    beside.is_paired = true;
    beside.share = NULL;
    beside.kept = NULL;
    for (int64_t i = 0; i < t->nsource; i++) {
        pairs[2 * i] = how->share[i];
        pairs[2 * i + 1] = how->share[i] > 0.0 ? value[i] : 0.0;
    }
    h3ou__sparse_apply(&t->rows, &beside, t->nsource, pairs, t->ntarget, got);
    for (int64_t r = 0; r < t->rows.nrow; r++) {
        int64_t at = t->rows.row[r];
        wrong += isnan(target[at]) ? !isnan(got[at]) : memcmp(&target[at], &got[at], sizeof *got) != 0;
        got[at] = 0.0;
    }
    for (int64_t i = 0; i < t->ntarget; i++) /* cells without a row */
        wrong += got[i] != 0.0;
    free(pairs);
    free(got);
    return wrong;
}

/* single: the values as float, or NULL. */
static void compare_with_plain_loop(const table *t, const h3ou__apply *how, const double value[], const float single[],
                                    double target[])
{
    bool from_layers = how->source_layout == H3OU__LAYERS_FASTEST,
         to_layers = how->target_layout == H3OU__LAYERS_FASTEST;
    const double untouched = -7.0;
    const void *source = single ? (const void *)single : value;
    for (int64_t i = 0; i < t->ntarget * how->nlayer; i++)
        target[i] = untouched;
    h3ou__sparse_apply(&t->rows, how, t->nsource, source, t->ntarget, target);
    int wrong = to_layers ? 0 : count_wrong_singles(t, how, source, target);
    if (how->nlayer == 1 && how->share && !how->skip_nan && !single && !from_layers)
        wrong += count_wrong_of_pairs(t, how, value, target);
    for (int64_t r = 0; r < t->rows.nrow; r++)
        for (int k = 0; k < how->nlayer; k++) {
            double *got = &target[to_layers ? t->rows.row[r] * how->nlayer + k : k * t->ntarget + t->rows.row[r]];
            double due =
                plain_sum(&t->rows, how, r, value + (from_layers ? k : k * t->nsource), from_layers ? how->nlayer : 1);
            wrong += isnan(due) ? !isnan(*got) : memcmp(&due, got, sizeof due) != 0;
            *got = untouched;
        }
    for (int64_t i = 0; i < t->ntarget * how->nlayer; i++) /* cells without a row */
        wrong += target[i] != untouched;
    if (wrong)
        print_error("%d values differ: single %d, %d layers from layout %d to %d, share %d, NaN %d, %d threads\n", wrong,
                    how->is_single, how->nlayer, how->source_layout, how->target_layout, how->share != NULL, how->skip_nan,
                    how->threads);
    assert_int_equal(wrong, 0);
}

/* Rounds all values. */
static void make_single(int64_t n, double value[], float single[])
{
    for (int64_t i = 0; i < n; i++)
        value[i] = single[i] = (float)value[i];
}

/* Returns what is kept after shares that were others each time, and of which many counted in part. */
static h3ou__kept_shares *partial_before(const table *t, int nlayer)
{
    double *share = new_array(t->nsource, sizeof *share);
    h3ou__kept_shares *kept = h3ou__kept_shares_new(&t->rows, t->nsource, nlayer);
    while (h3ou__kept_shares_may_help(kept)) {
        share[0] += 0.0625;
        h3ou__kept_shares_take(kept, share, 0);
    }
    kept->are_partial = true;
    free(share);
    return kept;
}

/* Returns whether a pair of layouts adds nothing for so many layers: beside the most, many layers differ from few only
 * where those of a source stand together. */
static bool is_spared(int layers, int most, int pair)
{
    return layers > 16 && layers < most && pair % 2 == 0;
}

/* Compares some numbers of layers, which ascend, in the first of the four pairs of layouts. */
static void compare_layers(table *t, const h3ou__row_kernels *kernels, bool is_single, int way, int numbers,
                           const int layers[], int pairs)
{
    int most = layers[numbers - 1];
    double *value = new_array(t->nsource * most, sizeof *value), *share = new_array(t->nsource, sizeof *share);
    double *target = new_array(t->ntarget * most, sizeof *target);
    float *single = is_single ? new_array(t->nsource * most, sizeof *single) : NULL;
    for (int l = 0; l < numbers; l++)
        for (int pair = 0; pair < pairs; pair++)
            for (int absence = 0; absence < ABSENCES && !is_spared(layers[l], most, pair); absence++) {
                h3ou__apply how = {.nlayer = layers[l], .factor = 1.5, .kernels = kernels, .threads = 1 + absence % 3};
                how.source_layout = pair % 2 ? H3OU__LAYERS_FASTEST : H3OU__CELLS_FASTEST;
                how.target_layout = pair / 2 ? H3OU__LAYERS_FASTEST : H3OU__CELLS_FASTEST;
                how.missing = pair >= 2 ? -0.0 : pair == 1 && l % 2 ? NAN : -999.0;
                how.is_single = is_single;
                how.room = way == MARKED || way == PAIRED ? malloc(h3ou__apply_room(&how, t->nsource)) : NULL;
                how.is_from_afar = pair / 2 == absence % 2;
                if (way == KEPT) { /* those of the last field are kept */
                    how.kept = h3ou__kept_shares_new(&t->rows, t->nsource, how.nlayer);
                    assert_true(h3ou__kept_shares_take(how.kept, share, 0));
                    how.kept->listed.fetched = t->rows.fetched;
                }
                if (way == PAIRED)
                    how.kept = partial_before(t, how.nlayer);
                fill_field(t, absence, &how, value, share);
                if (is_single)
                    make_single(t->nsource * how.nlayer, value, single);
                compare_with_plain_loop(t, &how, value, single, target);
                assert_true(way != KEPT || !how.share || h3ou__kept_shares_may_help(how.kept));
                h3ou__kept_shares_free(how.kept);
                free(how.room);
            }
    free(value);
    free(share);
    free(target);
    free(single);
}

/* Compares all numbers of layers in all layouts. */
static void compare_table(table *t, const h3ou__row_kernels *kernels, bool is_single, int way)
{
    static const int LAYERS[] = {1, 2, 3, 4, 5, 7, 8, 10, 15, 17, 30, 40, MOST_LAYERS};
    compare_layers(t, kernels, is_single, way, way == PAIRED ? 1 : (int)(sizeof LAYERS / sizeof *LAYERS), LAYERS, 4);
}

/* A table whose rows have four entries each, of sources that follow one another. Each second row begins `step` sources
 * after the one before it. */
static table table_of_fours(int rows, int step)
{
    enum { LINKS = 4 };
    int sources = rows / 2;
    table t = new_table(sources, rows, LINKS * rows);
    for (int64_t cell = 0; cell < rows; cell++) {
        for (int k = 0; k < LINKS; k++) {
            t.rows.col[LINKS * cell + k] = (int32_t)((step * (cell / 2) + k) % sources);
            t.rows.coef[LINKS * cell + k] = chance();
        }
        t.rows.row[t.rows.nrow++] = cell;
        t.rows.start[t.rows.nrow] = LINKS * (cell + 1);
    }
    assert_int_equal(h3ou__sparse_prepare(&t.rows), 0);
    return t;
}

/* A table of which each row of `step` from row 30 on reads both sides of the edge of a mask, others none of it. With a
 * step of 3, where the first part of those rows ends, within a part of the table, rows of five entries follow on rows
 * of four; within the next part of those rows, where a part of the table begins, rows of four again. */
static table table_at_an_edge(int step)
{
    enum { ROWS = 400, EDGE = 90, FIVES = 30 + 3 * H3OU__PART_ROWS - 2, FOURS = 5 * H3OU__PART_ROWS };
    table t = new_table(2 * EDGE, ROWS, 5 * ROWS);
    for (int64_t cell = 0, n = 0; cell < ROWS; cell++) {
        int links = cell >= FIVES && cell < FOURS ? 5 : 4;
        int32_t first = cell >= 30 && cell % step == 0 ? EDGE - 2 : (int32_t)(cell % 60);
        for (int k = 0; k < links; k++, n++) {
            t.rows.col[n] = first + k;
            t.rows.coef[n] = chance();
        }
        t.rows.row[t.rows.nrow++] = cell;
        t.rows.start[t.rows.nrow] = n;
    }
    assert_int_equal(h3ou__sparse_prepare(&t.rows), 0);
    return t;
}

/* Compares rows of four entries each. fetched: as if prepared for a table of that kind. */
static void compare_rows(const h3ou__row_kernels *kernels, bool is_single, int fetched, int rows, int numbers,
                         const int layers[], int pairs)
{
    table t = table_of_fours(rows, 1);
    t.rows.fetched = fetched;
    for (int way = MARKED; way < WAYS; way++)
        compare_layers(&t, kernels, is_single, way, numbers, layers, pairs);
    h3ou__sparse_free(&t.rows);
}

/* So many rows that those of one layer are not all computed at once; fewer where layers are computed together. */
static void compare_many_rows(const h3ou__row_kernels *kernels, bool is_single)
{
    compare_rows(kernels, is_single, H3OU__FETCH_NOTHING, test_stride() > 1 ? 2001 : 20001, 1, (const int[]){1}, 1);
    compare_rows(kernels, is_single, H3OU__FETCH_NOTHING, 601, 4, (const int[]){2, 8, 17, 30}, 4);
    for (int fetched = H3OU__FETCH_ENTRIES; fetched <= H3OU__FETCH_SOURCES; fetched++)
        compare_rows(kernels, is_single, fetched, 601, 4, (const int[]){1, 3, 8, 17}, 2);
}

static void compare_at_an_edge(const h3ou__row_kernels *kernels, bool is_single)
{
    /* Of each ninth row few are sorted by shares where there is NaN, too. */
    for (int step = 3; step <= 9; step += 6) {
        table t = table_at_an_edge(step);
        compare_layers(&t, kernels, is_single, KEPT, 3, (const int[]){4, 8, 40}, 4);
        t.rows.run = (const int64_t[]){0, 300}; /* within a part of rows of five, before one of rows of four */
        t.rows.nrun = 2;
        compare_layers(&t, kernels, is_single, LOOKED_UP, 2, (const int[]){1, 8}, 4);
        compare_layers(&t, kernels, is_single, KEPT, 2, (const int[]){1, 8}, 4);
        h3ou__sparse_free(&t.rows);
    }
}

/* Results that are turned on their way past the caches are the same, wherever they begin in a cache line. */
static void compare_turns(const h3ou__row_kernels *kernels)
{
    enum { ROWS = H3OU__PART_ROWS, LAYERS = 7, STRIDE = 9, APART = 81 };
    double from[ROWS * STRIDE], to[LAYERS * APART + 8];
    for (int i = 0; i < ROWS * STRIDE; i++)
        from[i] = i;
    for (int count = 1; count <= ROWS; count += 9)
        for (int past = 0; past < 2; past++)
            for (int begin = 0; begin < 8; begin++) {
                memset(to, 0, sizeof to);
                (past ? kernels->turn_past_caches : kernels->turn)(count, LAYERS, from, STRIDE, to + begin, APART);
                for (int i = 0; i < LAYERS * APART; i++) {
                    double due = i % APART < count ? from[i % APART * STRIDE + i / APART] : 0.0;
                    assert_float_equal(to[begin + i], due, 0.0);
                }
            }
}

/* With and without what h3ou__sparse_prepare finds. */
static void compare_kernels(const h3ou__row_kernels *kernels, bool is_single)
{
    compare_turns(kernels);
    compare_many_rows(kernels, is_single);
    compare_at_an_edge(kernels, is_single);
    table t[] = {icosahedral_table("distance(n=4)"), icosahedral_table("conservative"), wild_table()};
    for (int k = 0; k < 3; k++) {
        if (k == 2)
            compare_table(&t[k], kernels, is_single, MARKED);
        assert_int_equal(h3ou__sparse_prepare(&t[k].rows), 0);
        h3ou__sparse_place(&t[k].rows, 1 + k);
        for (int way = 0; way < WAYS; way++)
            compare_table(&t[k], kernels, is_single, way);
        h3ou__sparse_free(&t[k].rows);
    }
}

static void plain_kernels_keep_the_bits(void **state)
{
    (void)state;
    compare_kernels(&h3ou__row_kernels_plain, false);
    compare_kernels(&h3ou__row_kernels_plain_single, true);
}

static void avx2_kernels_keep_the_bits(void **state)
{
    (void)state;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        compare_kernels(&h3ou__row_kernels_avx2, false);
        compare_kernels(&h3ou__row_kernels_avx2_single, true);
        return;
    }
#endif
    skip();
}

static void avx512_kernels_keep_the_bits(void **state)
{
    (void)state;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f")) {
        compare_kernels(&h3ou__row_kernels_avx512, false);
        compare_kernels(&h3ou__row_kernels_avx512_single, true);
        return;
    }
#endif
    skip();
}

/* What a product of one layer fetches before it reads it. */
static void large_tables_are_fetched(void **state)
{
    (void)state;
    static const struct {
        int rows, step, fetched;
    } due[] = {{H3OU__FAR_ENTRIES / 4 - 1, 31, H3OU__FETCH_NOTHING},
               {H3OU__FAR_ENTRIES / 4, 1, H3OU__FETCH_ENTRIES},
               {H3OU__FAR_ENTRIES / 4, 31, H3OU__FETCH_SOURCES}};
    for (int k = 0; k < 3; k++) {
        table t = table_of_fours(due[k].rows, due[k].step);
        assert_int_equal(t.rows.fetched, due[k].fetched);
        h3ou__sparse_free(&t.rows);
    }
}

/* Shares that are others each time would have to be sorted each time. */
static void shares_are_kept_while_they_stay(void **state)
{
    (void)state;
    table t = wild_table();
    double *share = new_array(t.nsource, sizeof *share);
    h3ou__kept_shares *kept = h3ou__kept_shares_new(&t.rows, t.nsource, 1);
    assert_non_null(kept);
    for (int day = 1; day < 10; day++) {
        share[t.nsource - 1] = 1.0 / day;
        for (int hour = 0; hour < 3; hour++)
            assert_true(h3ou__kept_shares_take(kept, share, 0));
    }
    int taken = 0;
    for (int hour = 1; hour < 10; hour++) {
        share[0] = 1.0 / hour;
        taken += h3ou__kept_shares_take(kept, share, 0);
    }
    assert_in_range(taken, 1, 5);
    assert_false(h3ou__kept_shares_may_help(kept));
    assert_false(h3ou__kept_shares_take(kept, share, 0));
    assert_true(h3ou__kept_shares_take(kept, share, 1)); /* these are known to stay */
    assert_true(h3ou__kept_shares_take(kept, share, 1));
    h3ou__kept_shares_free(kept);
    free(share);
    h3ou__sparse_free(&t.rows);
}

/* Shares of a number that is known are those before; without one they are compared. */
static void numbered_shares_are_not_compared(void **state)
{
    (void)state;
    table t = wild_table();
    double *share = new_array(t.nsource, sizeof *share);
    h3ou__kept_shares *kept = h3ou__kept_shares_new(&t.rows, t.nsource, 1);
    assert_non_null(kept);
    assert_true(h3ou__kept_shares_take(kept, share, 5));
    share[0] = 0.5;
    assert_true(h3ou__kept_shares_take(kept, share, 5));
    assert_true(kept->share[0] != 0.5);
    assert_true(h3ou__kept_shares_take(kept, share, 6));
    assert_true(kept->share[0] == 0.5);
    share[0] = 0.25;
    assert_true(h3ou__kept_shares_take(kept, share, 0));
    assert_true(h3ou__kept_shares_take(kept, share, 6));
    assert_true(kept->share[0] == 0.25);
    h3ou__kept_shares_free(kept);
    free(share);
    h3ou__sparse_free(&t.rows);
}

/* A table in parts, the results of which stand one after the other. */
static void parts_of_a_table_have_the_bits_of_the_whole(void **state)
{
    enum { SOME = 3 * H3OU__SPARSE_PART, LAYERS = 3 };
    table each[] = {wild_table(), icosahedral_table("conservative"), table_of_fours(2 * SOME, 31)};
    (void)state;
    for (int k = 0; k < 3; k++) {
        table *t = &each[k];
        const h3ou__apply how = {.nlayer = LAYERS, .factor = 2.0};
        double *source = new_array(t->nsource * LAYERS, sizeof *source),
               *whole = new_array(t->ntarget * LAYERS, sizeof *whole), part_of[SOME * LAYERS];
        int64_t own[SOME];
        for (int64_t i = 0; i < t->nsource * LAYERS; i++)
            source[i] = (double)(i % 101) / 7.0;
        for (int64_t i = 0; i < SOME; i++)
            own[i] = i;
        assert_int_equal(h3ou__sparse_prepare(&t->rows), 0);
        h3ou__sparse_apply(&t->rows, &how, t->nsource, source, t->ntarget, whole);
        for (int64_t r = 0, count; r < t->rows.nrow; r += count) {
            count = t->rows.nrow - r < SOME ? t->rows.nrow - r : SOME;
            h3ou__sparse part = h3ou__sparse_part(&t->rows, r, count, own);
            h3ou__sparse_apply(&part, &how, t->nsource, source, count, part_of);
            for (int64_t i = 0; i < LAYERS * count; i++)
                assert_memory_equal(&part_of[i], &whole[i / count * t->ntarget + t->rows.row[r + i % count]],
                                    sizeof *whole);
        }
        free(source);
        free(whole);
        h3ou__sparse_free(&t->rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_a_table_have_the_bits_of_the_whole),
        cmocka_unit_test(large_tables_are_fetched),
        cmocka_unit_test(shares_are_kept_while_they_stay),
        cmocka_unit_test(numbered_shares_are_not_compared),
        cmocka_unit_test(plain_kernels_keep_the_bits),
        cmocka_unit_test(avx2_kernels_keep_the_bits),
        cmocka_unit_test(avx512_kernels_keep_the_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
