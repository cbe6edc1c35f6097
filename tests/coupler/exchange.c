/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two components with random grids and a random table, exchanged over several intervals; every value that arrives is
 * compared to the bit with the same sums made locally from the whole table: of fields in double and single precision,
 * with shares and missing values.
 *
 *   exchange A|B CONFIG SEED leader-put|leader-get|spread-put|spread-get LAYERS [CELLS]
 *
 * CELLS: how many each grid has at least. With TEST_SPACES=X,Y the processes of odd rank in MPI_COMM_WORLD enter the
 * network name space Y before they open their component, the others X; TEST_KILLED: the rank that is killed in the
 * middle. Exit code 0 on every rank, or 1 on every rank of the component that found a difference.
 */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "h3ou.h"

enum { STEPS = 12, STEP = 600, INTERVAL = 1200, NEVER = 7, MISSING = -99 };

/* What stands in cells with share 0, of which nothing may be computed: huge numbers and infinities, or NaN, too. */
enum { WITHOUT_NAN = 1, WITH_NAN };

/* A field: its type in the namelist, what the models hold, and what is put. */
typedef struct field {
    const char *name;
    int is_mean, is_real4, puts_single, gets_single, has_holes, has_shares;
    int has_mask;    /* has_shares: they change once */
    int is_at_times; /* has_shares: some exchanges have none */
    int is_late;     /* has_holes: not in the first exchanges */
    int is_bare; /* without the key missing: NaN is a value, and what has no value becomes NaN; put without a copy */
    int has_rubbish; /* has_shares */
    const char *missing; /* the key, where it is not MISSING */
} field;

static const field FIELDS[] = {
    {.name = "snap"},
    {.name = "mean", .is_mean = 1},
    {.name = "wide", .puts_single = 1, .gets_single = 1},
    {.name = "narrow", .is_real4 = 1},
    {.name = "single", .is_real4 = 1, .puts_single = 1, .gets_single = 1},
    {.name = "single_mean", .is_real4 = 1, .is_mean = 1, .puts_single = 1},
    {.name = "holes", .is_real4 = 1, .has_holes = 1, .puts_single = 1, .missing = "0.1"},
    {.name = "narrow_holes", .is_real4 = 1, .has_holes = 1, .missing = "0"},
    {.name = "late_narrow", .is_real4 = 1, .has_holes = 1, .is_late = 1},
    {.name = "narrow_nan", .is_real4 = 1, .has_holes = 1, .is_late = 1, .is_bare = 1},
    {.name = "single_holes", .is_real4 = 1, .has_holes = 1, .is_late = 1, .is_bare = 1, .puts_single = 1},
    {.name = "gaps", .has_holes = 1, .missing = "-0.0"},
    {.name = "late_gaps", .has_holes = 1, .is_late = 1},
    {.name = "some_nan", .has_holes = 1, .is_late = 1, .is_bare = 1},
    {.name = "shared", .is_real4 = 1, .has_shares = 1, .gets_single = 1},
    {.name = "masked", .has_shares = 1, .has_mask = 1, .has_rubbish = WITH_NAN, .is_bare = 1},
    {.name = "single_masked",
     .is_real4 = 1,
     .has_shares = 1,
     .has_mask = 1,
     .has_rubbish = WITH_NAN,
     .puts_single = 1,
     .is_bare = 1},
    {.name = "masked_nan", .has_shares = 1, .has_mask = 1, .has_holes = 1, .is_bare = 1},
    {.name = "single_nan",
     .is_real4 = 1,
     .has_shares = 1,
     .has_mask = 1,
     .has_holes = 1,
     .puts_single = 1,
     .is_bare = 1},
    {.name = "shared_mean", .is_mean = 1, .has_shares = 1, .has_rubbish = WITH_NAN},
    {.name = "at_times", .has_shares = 1, .has_mask = 1, .is_at_times = 1, .has_rubbish = WITHOUT_NAN, .is_bare = 1},
    {.name = "mean_at_times", .is_mean = 1, .has_shares = 1, .has_mask = 1, .is_at_times = 1, .has_rubbish = WITH_NAN},
    {.name = "ice", .has_shares = 1, .has_rubbish = WITH_NAN, .is_bare = 1},
    {.name = "ice_holes", .has_shares = 1, .has_holes = 1, .has_rubbish = WITH_NAN},
    {.name = "late_holes", .has_shares = 1, .has_holes = 1, .is_late = 1, .has_rubbish = WITHOUT_NAN},
    {.name = "masked_mean", .is_mean = 1, .has_shares = 1, .has_mask = 1, .has_rubbish = WITH_NAN},
};
enum { NFIELD = sizeof FIELDS / sizeof *FIELDS };

typedef struct problem {
    int ncell[2]; /* cells that exist, of A and of B */
    int *cell[2]; /* their global indices: with gaps, in random order */
    int nlink;
    int *send, *recv; /* global indices */
    double *coef;
    int *begin, *of; /* links of target t in their order: of[begin[t]] to of[begin[t + 1] - 1] */
} problem;

static uint64_t seed;

static uint64_t next_random(void) /* SplitMix64: the same on every process */
{
    uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int below(int n)
{
    return (int)(next_random() % (uint64_t)n);
}

static double real_random(void)
{
    return (double)(next_random() >> 11) / 9007199254740992.0 - 0.5;
}

static void check(int err, h3ou_ctx *ctx)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void sort_links(problem *p)
{
    int last = 0;
    for (int i = 0; i < p->ncell[1]; i++)
        last = p->cell[1][i] > last ? p->cell[1][i] : last;
    p->begin = calloc((size_t)last + 3, sizeof *p->begin);
    p->of = malloc(sizeof *p->of * (size_t)p->nlink);
    for (int i = 0; i < p->nlink; i++)
        p->begin[p->recv[i] + 2]++;
    for (int target = 0; target <= last; target++)
        p->begin[target + 2] += p->begin[target + 1];
    for (int i = 0; i < p->nlink; i++)
        p->of[p->begin[p->recv[i] + 1]++] = i;
}

/* least: of a grid's cells. */
static void make_problem(problem *p, int least)
{
    for (int c = 0; c < 2; c++) {
        p->ncell[c] = least + below(300);
        p->cell[c] = malloc(sizeof(int) * (size_t)p->ncell[c]);
        int index = 0;
        for (int i = 0; i < p->ncell[c]; i++)
            p->cell[c][i] = index += 1 + below(3);
        for (int i = p->ncell[c] - 1; i > 0; i--) {
            int j = below(i + 1), keep = p->cell[c][i];
            p->cell[c][i] = p->cell[c][j];
            p->cell[c][j] = keep;
        }
    }
    p->nlink = 4 * p->ncell[1];
    p->send = malloc(sizeof(int) * (size_t)p->nlink);
    p->recv = malloc(sizeof(int) * (size_t)p->nlink);
    p->coef = malloc(sizeof(double) * (size_t)p->nlink);
    for (int i = 0; i < p->nlink; i++) {
        p->send[i] = p->cell[0][below(p->ncell[0])];
        p->recv[i] = p->cell[1][below(p->ncell[1])]; /* some targets get no link */
        p->coef[i] = real_random();
    }
    sort_links(p);
}

/* What A puts in a cell at a time: a value that no other cell, layer or time has. */
static double value_of(int cell, int layer, int time)
{
    return cell * 1.25 + layer * 1000.0625 + time / 7.0;
}

static double share_of(const field *f, int cell, int time);

/* Whether shares are put at a time. */
static int has_shares(const field *f, int time)
{
    return f->has_shares && !(f->is_at_times && (time / STEP + 5) % 7 < 2);
}

/* What the library takes from the array that is put. */
static double put_value(const field *f, int cell, int layer, int time)
{
    double value = value_of(cell, layer, time);
    if (f->has_rubbish && share_of(f, cell, time) <= 0.0)
        return (cell + layer) % 3 == 0 && f->has_rubbish == WITH_NAN ? NAN
               : (cell + layer) % 3 == 1                             ? -INFINITY
               : f->puts_single                                      ? 1e38
                                                                     : 1e308;
    if (f->has_holes && (cell + time / STEP) % 5 == 0 && !(f->is_late && time < STEPS / 3 * STEP))
        return NAN;
    return f->puts_single ? (float)value : value;
}

static double missing_of(const field *f)
{
    return f->missing ? strtod(f->missing, NULL) : MISSING;
}

/* What stands in that array: some holes are the missing value, some NaN. 0 is missing with both signs. */
static double stored_value(const field *f, int cell, int layer, int time)
{
    double value = put_value(f, cell, layer, time), missing = missing_of(f);
    if (!f->has_holes || f->is_bare || !isnan(value) || (cell + layer) % 2 == 0)
        return value;
    return missing == 0.0 && cell % 3 ? -missing : missing;
}

static double share_of(const field *f, int cell, int time)
{
    int is_late = time >= STEPS / 2 * STEP;
    double part = f->puts_single ? (float)0.3 : 0.3;
    if (!has_shares(f, time))
        return 1.0;
    if (f->has_mask)
        return (cell + 5 * is_late) % 11 == 0 ? part : cell / 20 % 3 == is_late ? 0.0 : 1.0;
    return (cell + time / STEP) % 4 / 4.0;
}

/* Mean over the two steps of an interval, as the library sums it; *share: of the mean. */
static double mean_of(const field *f, int cell, int layer, int from, double *share)
{
    double sum = 0.0, counted = 0.0;
    for (int t = from; t < from + INTERVAL; t += STEP) {
        double part = f->has_shares ? share_of(f, cell, t) : 1.0;
        if (part > 0.0)
            sum += part * put_value(f, cell, layer, t);
        counted += part;
    }
    *share = counted / (INTERVAL / STEP);
    return counted > 0.0 ? sum / counted : 0.0;
}

/* The value of a target of which not all sources count. */
static double scaled(double sum, double counted, double whole, double weight, double missing)
{
    if (counted == whole)
        return sum;
    return fabs(counted) <= 1e-12 * weight ? missing : sum / counted * whole;
}

static double expected(const problem *p, const field *f, int target, int layer, int time, int *covered)
{
    double sum = 0.0, counted = 0.0, whole = 0.0, weight = 0.0;
    int put_at = time == 0 ? -STEP : time - STEP;
    *covered = p->begin[target + 1] > p->begin[target];
    for (int k = p->begin[target]; k < p->begin[target + 1]; k++) {
        int i = p->of[k], cell = p->send[i];
        double share = f->has_shares ? share_of(f, cell, put_at) : 1.0;
        double v = time > 0 && f->is_mean ? mean_of(f, cell, layer, time - INTERVAL, &share)
                                          : put_value(f, cell, layer, put_at);
        if (f->is_real4)
            v = (float)v;
        whole += p->coef[i];
        weight += fabs(p->coef[i]);
        if (share <= 0.0 || (isnan(v) && !f->is_bare))
            continue;
        sum += p->coef[i] * share * v;
        counted += p->coef[i] * share;
    }
    double value = scaled(sum, counted, whole, weight, f->is_bare ? NAN : missing_of(f));
    return f->gets_single ? (float)value : value;
}

/* Cells are dealt at random; a process may get none. */
static int my_cells(const problem *p, int side, int size, int rank, int *mine)
{
    int n = 0;
    for (int i = 0; i < p->ncell[side]; i++)
        if (below(size) == rank)
            mine[n++] = p->cell[side][i];
    return n;
}

static void give_table(h3ou_ctx *ctx, const problem *p, const char *me, const char *mode, int rank, int size)
{
    int is_spread = !strncmp(mode, "spread", 6);
    int is_giver = (strstr(mode, "put") != NULL) == (me[0] == 'A');
    static const int one_i[1] = {1};
    static const double one_c[1] = {99.0};
    if (!is_giver) {
        check(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 3, NULL, NULL, NULL, 0, 0), ctx);
    } else if (is_spread) {
        int from = (int)((int64_t)p->nlink * rank / size), to = (int)((int64_t)p->nlink * (rank + 1) / size);
        check(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 3, p->send + from, p->recv + from, p->coef + from,
                             to - from, H3OU_TABLE_SPREAD),
              ctx);
    } else if (rank == 0) {
        check(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 3, p->send, p->recv, p->coef, p->nlink, 0), ctx);
    } else { /* what existing models pass elsewhere: a dummy */
        check(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 3, one_i, one_i, one_c, 1, 0), ctx);
    }
}

/* Half of the fields are in arrays that have other elements between the cells: in few places, in many, or with cells
 * that change places, or in few with the layers as the first index. element: where my cells stand in these. */
enum { FEW_GAPS, MANY_GAPS, CHANGED, LAYERS_FIRST, PLACINGS };
static int extent, *element, placing, placed_first;

static void place_cells(int n, int number)
{
    int kind = number % PLACINGS;
    static const int gaps_after[] = {90, 4, 1, 90}, shift[] = {0, 5, 2};
    element = malloc(sizeof *element * (size_t)(n + 1));
    extent = 3 + n + n / gaps_after[kind] * 2;
    for (int i = 0; i < n; i++)
        element[i] = kind == CHANGED ? i / 3 * 6 + shift[i % 3] : 2 + i + i / gaps_after[kind] * 2;
    placing = kind;
    placed_first = number / PLACINGS % 2;
}

static int give_places(h3ou_ctx *ctx, const char *grid)
{
    const int last[] = {extent}, first[] = {-1, extent};
    return placing == LAYERS_FIRST ? h3ou_grid_positions(ctx, grid, 2, first, element)
                                   : h3ou_grid_positions(ctx, grid, 1, last, element);
}

static int is_placed(const field *f)
{
    return (f - FIELDS + placed_first) % 2;
}

/* Returns where a cell stands in the array of a field that has n cells of so many layers. */
static int place_of(const field *f, int n, int layers, int cell, int layer)
{
    if (is_placed(f) && placing == LAYERS_FIRST)
        return element[cell] * layers + layer;
    return is_placed(f) ? layer * extent + element[cell] : layer * n + cell;
}

/* The arrays of a call: data, of float where the model holds such. */
static h3ou_arrays arrays_of(const field *f, void *data, int n, int layers, int is_single)
{
    int is_first = is_placed(f) && placing == LAYERS_FIRST, cells = is_placed(f) ? extent : n;
    return (h3ou_arrays){.type = is_single ? H3OU_TYPE_FLOAT : H3OU_TYPE_DOUBLE,
                         .rank = 2,
                         .extent = {is_first ? layers : cells, is_first ? cells : layers},
                         .count = 1,
                         .component = {data}};
}

static void store(void *data, int at, double value, int is_single)
{
    if (is_single)
        ((float *)data)[at] = (float)value;
    else
        ((double *)data)[at] = value;
}

static void put_one(h3ou_ctx *ctx, const field *f, const int *mine, int n, int layers, int time, void *data)
{
    int handle;
    double *share = malloc(sizeof *share * (size_t)(n + 1));
    float *single = malloc(sizeof *single * (size_t)(n + 1));
    h3ou_arrays a = arrays_of(f, data, n, layers, f->puts_single);
    for (int i = 0; i < extent * layers; i++)
        store(data, i, i % 2 ? 1e38 : NAN, f->puts_single);
    for (int layer = 0; layer < layers; layer++)
        for (int i = 0; i < n; i++)
            store(data, place_of(f, n, layers, i, layer), stored_value(f, mine[i], layer, time), f->puts_single);
    for (int i = 0; i < n; i++)
        single[i] = (float)(share[i] = share_of(f, mine[i], time));
    check(h3ou_field(ctx, f->name, &handle), ctx);
    if (has_shares(f, time) && (f->puts_single || is_placed(f))) {
        a.share = f->puts_single ? (void *)single : share;
        a.nshare = n;
        check(h3ou_put_arrays(ctx, f->name, &a), ctx);
    } else if (has_shares(f, time))
        check(h3ou_put_share(ctx, f->name, data, share, n, layers), ctx);
    else if (f->puts_single && f->gets_single && !is_placed(f) && time % INTERVAL == 0)
        check(h3ou_put_float(ctx, f->name, data, n, layers), ctx);
    else if (f->puts_single && f->gets_single && !is_placed(f))
        check(h3ou_field_put_float(ctx, handle, data, n, layers), ctx);
    else if (time % INTERVAL == 0)
        check(h3ou_put_arrays(ctx, f->name, &a), ctx);
    else
        check(h3ou_field_put_arrays(ctx, handle, &a), ctx);
    free(share);
    free(single);
}

static void put_all(h3ou_ctx *ctx, const int *mine, int n, int layers, int time, void *data)
{
    for (int k = 0; k < NFIELD; k++)
        put_one(ctx, &FIELDS[k], mine, n, layers, time, data);
}

static int get_one(h3ou_ctx *ctx, const problem *p, const field *f, const int *mine, int n, int layers, int time,
                   void *data)
{
    int ok, handle, bad = 0;
    h3ou_arrays a = arrays_of(f, data, n, layers, f->gets_single);
    for (int i = 0; i < extent * layers; i++)
        store(data, i, NEVER, f->gets_single);
    check(h3ou_field(ctx, f->name, &handle), ctx);
    if (f->puts_single && f->gets_single && !is_placed(f))
        check(time / INTERVAL % 2 ? h3ou_get_float(ctx, f->name, data, n, layers, &ok)
                                  : h3ou_field_get_float(ctx, handle, data, n, layers, &ok), ctx);
    else
        check(h3ou_get_arrays(ctx, f->name, &a, &ok), ctx);
    if (ok != (time % INTERVAL == 0)) {
        printf("B: %s at %d: ok is %d\n", f->name, time, ok);
        return 1;
    }
    for (int layer = 0; layer < layers; layer++)
        for (int i = 0; i < n; i++) {
            int covered, at = place_of(f, n, layers, i, layer);
            double v = expected(p, f, mine[i], layer, time, &covered);
            double want = ok && covered ? v : NEVER, got = f->gets_single ? ((float *)data)[at] : ((double *)data)[at];
            if (memcmp(&want, &got, sizeof want) != 0 && bad++ < 3)
                printf("B: %s at %d, cell %d layer %d: %.17g instead of %.17g\n", f->name, time, mine[i], layer, got,
                       want);
            store(data, at, NEVER, f->gets_single);
        }
    for (int i = 0; i < extent * layers; i++)
        if ((f->gets_single ? ((float *)data)[i] : ((double *)data)[i]) != NEVER && bad++ < 3)
            printf("B: %s at %d, element %d, where no cell stands, was written\n", f->name, time, i);
    return bad;
}

static int get_all(h3ou_ctx *ctx, const problem *p, const int *mine, int n, int layers, int time, void *data)
{
    int bad = 0;
    for (int k = 0; k < NFIELD; k++) /* one exchange of the first is skipped: the next one must not be disturbed */
        if (k > 0 || time != INTERVAL)
            bad += get_one(ctx, p, &FIELDS[k], mine, n, layers, time, data);
    return bad;
}

/* Starts MPI, which stays connected, and lets this process count as being on the host that its rank says. */
static void enter_host(const char *spaces)
{
    char path[128];
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *second = strchr(spaces, ',') + 1;
    snprintf(path, sizeof path, "/run/netns/%.*s", rank % 2 ? (int)strlen(second) : (int)(second - spaces) - 1, rank % 2 ? second : spaces);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET)) {
        fprintf(stderr, "no name space %s\n", path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    close(fd);
}

/* Kills the process that TEST_KILLED names. */
static void die(void)
{
    const char *said = getenv("TEST_KILLED");
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (said && atoi(said) == rank)
        raise(SIGKILL);
}

int main(int argc, char **argv)
{
    if (argc != 6 && argc != 7)
        return 2;
    if (getenv("TEST_SPACES"))
        enter_host(getenv("TEST_SPACES"));
    const char *me = argv[1];
    int side = me[0] == 'B', layers = atoi(argv[5]), bad = 0, worst = 0;
    int comm, group, size, rank, time[6] = {2000, 2, 28, 23, 0, 0};
    problem p;
    h3ou_ctx *ctx;
    seed = strtoull(argv[3], NULL, 10);
    make_problem(&p, argc > 6 ? atoi(argv[6]) : 40);
    int err = h3ou_open(me, argv[2], 1, &ctx);
    check(err, ctx);
    check(h3ou_local(ctx, &comm, &group, &size, &rank), ctx);
    int *mine = malloc(sizeof(int) * (size_t)p.ncell[side]);
    int n = my_cells(&p, side, size, rank, mine);
    place_cells(n, (int)strtoull(argv[3], NULL, 10) + 3 * side);
    double *data = malloc(sizeof(double) * (size_t)(extent * layers + 1));
    check(h3ou_grid_define(ctx, me, side ? "B_g" : "A_g", mine, n, layers), ctx);
    check(give_places(ctx, side ? "B_g" : "A_g"), ctx);
    check(h3ou_grid_end(ctx), ctx);
    give_table(ctx, &p, me, argv[4], rank, size);
    check(h3ou_time_init(ctx, time), ctx);
    if (side == 0)
        put_all(ctx, mine, n, layers, -STEP, data);
    for (int t = 0; t < STEPS * STEP; t += STEP) {
        check(h3ou_time_set(ctx, me, time, STEP), ctx);
        if (t == STEPS / 2 * STEP)
            die();
        if (side == 1)
            bad += get_all(ctx, &p, mine, n, layers, t, data);
        else
            put_all(ctx, mine, n, layers, t, data);
        check(h3ou_time_inc(time, STEP), ctx);
    }
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_Comm_f2c(comm));
    check(h3ou_close(ctx, time, 1), ctx);
    free(mine);
    free(data);
    free(element);
    for (int c = 0; c < 2; c++)
        free(p.cell[c]);
    free(p.send);
    free(p.recv);
    free(p.coef);
    free(p.begin);
    free(p.of);
    return worst ? 1 : 0;
}
