/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vectors, shares and missing values between two components on scattered cells, some of them at the poles.
 *
 *   fields A|B CONFIG SEED leader-put|leader-get|spread-put|spread-get LAYERS FAULT
 *
 * Pair 3 has a table whose rows reproduce places: a solid-body rotation must arrive to rounding. Pair 4 has a random
 * table with a rotation at every link: what arrives is compared to the bit with sums made locally from the whole table.
 * FAULT: "none", or what A or B does wrong (fields.py knows the sentence). Exit code 0 on every rank, or 1 on every
 * rank of the component that found a difference.
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { STEPS = 6, STEP = 600, INTERVAL = 1200, NEVER = 7, MISSING = -999 };

typedef struct table {
    int n;
    int *send, *recv; /* global indices */
    double *coef, *cosine, *sine;
} table;

typedef struct problem {
    int ncell[2];
    int *cell[2]; /* global indices: with gaps, in random order */
    double *lon[2], *lat[2], *angle[2];
    table exact, turned;
} problem;

static uint64_t seed;
static const double PI = 3.14159265358979323846;

static uint64_t mix(uint64_t z) /* SplitMix64 */
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int below(int n) /* the same on every process */
{
    return (int)(mix(seed += UINT64_C(0x9E3779B97F4A7C15)) % (uint64_t)n);
}

static double real_random(void)
{
    return below(1 << 30) / (double)(1 << 30);
}

/* A number of a field in a cell: -1 to 1, another for each time, layer and component. */
static double noise(int field, int cell, int layer, int time)
{
    uint64_t z = mix(mix(mix(mix((uint64_t)field + 17) + (uint64_t)cell) + (uint64_t)layer) + (uint64_t)(time + 10000));
    return (double)(z >> 11) / 4503599627370496.0 - 1.0;
}

static void check(int err, h3ou_ctx *ctx)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void place_of(double lon, double lat, double x[3])
{
    x[0] = cos(lat) * cos(lon);
    x[1] = cos(lat) * sin(lon);
    x[2] = sin(lat);
}

static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static void make_cells(problem *p, int side)
{
    int n = p->ncell[side] = 40 + below(200), index = 0;
    p->cell[side] = malloc(sizeof(int) * (size_t)n);
    p->lon[side] = malloc(sizeof(double) * (size_t)n);
    p->lat[side] = malloc(sizeof(double) * (size_t)n);
    p->angle[side] = malloc(sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) {
        p->cell[side][i] = index += 1 + below(3);
        p->lon[side][i] = 2 * PI * real_random();
        p->lat[side][i] = i == 0   ? PI / 2
                          : i == 1 ? -PI / 2
                          : i < 8  ? PI / 2 - 1e-3 * real_random()
                                   : asin(2 * real_random() - 1);
        p->angle[side][i] = 2 * PI * real_random();
    }
    for (int i = n - 1; i > 0; i--) {
        int j = below(i + 1), keep = p->cell[side][i];
        p->cell[side][i] = p->cell[side][j];
        p->cell[side][j] = keep;
    }
}

static void make_room(table *t, int n)
{
    t->n = n;
    t->send = malloc(sizeof(int) * (size_t)n);
    t->recv = malloc(sizeof(int) * (size_t)n);
    t->coef = malloc(sizeof(double) * (size_t)n);
    t->cosine = malloc(sizeof(double) * (size_t)n);
    t->sine = malloc(sizeof(double) * (size_t)n);
}

/* Three sources of every target but one, with the coefficients that solve sum coef * source place = target place. */
static void make_exact(problem *p)
{
    make_room(&p->exact, 3 * (p->ncell[1] - 1));
    for (int i = 0; i < p->ncell[1] - 1; i++) {
        double x[3][3], y[3], det;
        int s[3];
        place_of(p->lon[1][i], p->lat[1][i], y);
        do {
            for (int k = 0; k < 3; k++) {
                s[k] = below(p->ncell[0]);
                place_of(p->lon[0][s[k]], p->lat[0][s[k]], x[k]);
            }
            det = determinant(x[0], x[1], x[2]);
        } while (fabs(det) < 0.2);
        double coef[3] = {determinant(y, x[1], x[2]) / det, determinant(x[0], y, x[2]) / det,
                          determinant(x[0], x[1], y) / det};
        for (int k = 0; k < 3; k++) {
            p->exact.send[3 * i + k] = p->cell[0][s[k]];
            p->exact.recv[3 * i + k] = p->cell[1][i];
            p->exact.coef[3 * i + k] = coef[k];
        }
    }
}

static void make_turned(problem *p)
{
    make_room(&p->turned, 4 * p->ncell[1]);
    for (int i = 0; i < p->turned.n; i++) {
        double angle = 2 * PI * real_random();
        p->turned.send[i] = p->cell[0][below(p->ncell[0])];
        p->turned.recv[i] = p->cell[1][below(p->ncell[1])]; /* some targets get no link */
        p->turned.coef[i] = real_random();
        p->turned.cosine[i] = cos(angle);
        p->turned.sine[i] = sin(angle);
    }
}

static void free_problem(problem *p)
{
    table *both[2] = {&p->exact, &p->turned};
    for (int k = 0; k < 2; k++) {
        free(p->cell[k]);
        free(p->lon[k]);
        free(p->lat[k]);
        free(p->angle[k]);
        free(both[k]->send);
        free(both[k]->recv);
        free(both[k]->coef);
        free(both[k]->cosine);
        free(both[k]->sine);
    }
}

/* The wind of a rotation around an axis that changes with time and layer, in the frame of a cell. */
static void rotation(const problem *p, int side, int i, int layer, int time, double wind[2])
{
    double axis[3] = {0.3 + layer, -0.7 + time / 3000.0, 0.5 - layer * 0.2}, x[3], w[3];
    double lon = p->lon[side][i], lat = p->lat[side][i], a = p->angle[side][i];
    place_of(lon, lat, x);
    for (int k = 0; k < 3; k++)
        w[k] = axis[(k + 1) % 3] * x[(k + 2) % 3] - axis[(k + 2) % 3] * x[(k + 1) % 3];
    double east = -w[0] * sin(lon) + w[1] * cos(lon);
    double north = -(w[0] * cos(lon) + w[1] * sin(lon)) * sin(lat) + w[2] * cos(lat);
    wind[0] = east * cos(a) + north * sin(a);
    wind[1] = -east * sin(a) + north * cos(a);
}

/* Of field "ice": a third of the cells does not count, a third does wholly. */
static double share_of(int cell, int time)
{
    double r = noise(5, cell, 0, time);
    return r < -0.3 ? 0.0 : r > 0.3 ? 1.0 : (r + 0.3) / 0.6;
}

/* Every other step is put without shares. */
static int has_share(int time)
{
    return (time / STEP) % 2 == 0;
}

/* What A puts; what does not count is NaN. */
static double ice(int component, int cell, int layer, int time)
{
    return has_share(time) && share_of(cell, time) == 0.0 ? NAN : noise(component, cell, layer, time);
}

/* Of field "gap": a quarter of the cells is missing, in one way or the other. */
static double gap(int component, int cell, int layer, int time)
{
    double r = noise(8, cell, layer, time);
    return r < -0.75 ? NAN : r < -0.5 ? MISSING : noise(component, cell, layer, time);
}

/* A source's value at an exchange, as the library averages it, and its share. */
typedef double (*source)(int component, int cell, int layer, int time);

static double snapshot(source f, int component, int cell, int layer, int time, int shared, double *share)
{
    double v = f(component, cell, layer, time);
    *share = shared && has_share(time) ? share_of(cell, time) : 1.0;
    return v == MISSING ? NAN : v;
}

static double mean(source f, int component, int cell, int layer, int from, int shared, double *share)
{
    double sum = 0.0, counted = 0.0, s;
    for (int t = from; t < from + INTERVAL; t += STEP) {
        double v = snapshot(f, component, cell, layer, t, shared, &s);
        if (s > 0.0)
            sum += s * v;
        counted += s;
    }
    *share = shared ? counted / (INTERVAL / STEP) : 1.0;
    return counted > 0.0 ? sum / counted : 0.0;
}

typedef struct field {
    const char *name;
    source f;
    int shared, averaged, vector;
    int skips; /* NaN does not count */
    double missing;
} field;

/* The row of one target; 0: it has none. */
static int expected(const problem *p, const field *f, int target, int layer, int time, double want[2])
{
    double sum[2] = {0, 0}, counted = 0, whole = 0, weight = 0;
    const table *t = &p->turned;
    int links = 0;
    for (int i = 0; i < t->n; i++) {
        double v[2] = {0, 0}, share = 1.0;
        if (t->recv[i] != target)
            continue;
        for (int k = 0; k <= f->vector; k++)
            v[k] = time == 0     ? snapshot(f->f, k, t->send[i], layer, -STEP, f->shared, &share)
                   : f->averaged ? mean(f->f, k, t->send[i], layer, time - INTERVAL, f->shared, &share)
                                 : snapshot(f->f, k, t->send[i], layer, time - STEP, f->shared, &share);
        links++;
        whole += t->coef[i];
        weight += fabs(t->coef[i]);
        if (share <= 0.0 || (f->skips && (isnan(v[0]) || isnan(v[1]))))
            continue;
        double c = t->coef[i] * share;
        sum[0] += f->vector ? c * (t->cosine[i] * v[0] - t->sine[i] * v[1]) : c * v[0];
        sum[1] += c * (t->sine[i] * v[0] + t->cosine[i] * v[1]);
        counted += c;
    }
    int misses = counted != whole && fabs(counted) <= 1e-12 * weight;
    for (int k = 0; k < 2; k++)
        want[k] = misses ? f->missing : counted == whole ? sum[k] : sum[k] / counted * whole;
    return links > 0;
}

static const field fields[] = {
    {"ice", ice, 1, 0, 0, 0, NAN},         {"icemean", ice, 1, 1, 0, 0, NAN}, {"gap", gap, 0, 0, 0, 1, MISSING},
    {"gapmean", gap, 0, 1, 0, 1, MISSING}, {"drift", ice, 1, 0, 1, 0, NAN},   {"driftmean", ice, 1, 1, 1, 0, NAN},
    {"current", gap, 0, 0, 1, 1, MISSING},
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* Cells are dealt at random; a process may get none. place: of the cell in the problem. */
static int my_cells(const problem *p, int side, int size, int rank, int *place)
{
    int n = 0;
    for (int i = 0; i < p->ncell[side]; i++)
        if (below(size) == rank)
            place[n++] = i;
    return n;
}

/* spread: a part; else rank 0 all, the others a dummy. */
static void give_table(h3ou_ctx *ctx, const table *t, const char *me, const char *mode, int tag, int rank, int size,
                       const char *fault)
{
    int is_spread = !strncmp(mode, "spread", 6), rotated = tag == 4;
    int from = is_spread ? (int)((int64_t)t->n * rank / size) : 0;
    int to = is_spread ? (int)((int64_t)t->n * (rank + 1) / size) : rank == 0 ? t->n : 1;
    if (rotated && !strcmp(fault, "some-rotated") && rank == size - 1)
        rotated = 0;
    if ((strstr(mode, "put") != NULL) != (me[0] == 'A'))
        check(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", tag, NULL, NULL, NULL, 0, 0), ctx);
    else if (rotated)
        check(h3ou_table_set_rotated(ctx, me, "A", "A_g", "B", "B_g", tag, t->send + from, t->recv + from,
                                     t->coef + from, t->cosine + from, t->sine + from, to - from, is_spread),
              ctx);
    else
        check(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", tag, t->send + from, t->recv + from, t->coef + from,
                             to - from, is_spread),
              ctx);
}

static void define_grid(h3ou_ctx *ctx, const problem *p, int side, const int *place, int n, int layers,
                        const char *fault)
{
    const char *name = side ? "B_g" : "A_g", *me = side ? "B" : "A";
    double *lon = malloc(sizeof(double) * (size_t)(n + 1)), *lat = malloc(sizeof(double) * (size_t)(n + 1));
    double *angle = malloc(sizeof(double) * (size_t)(n + 1));
    int *index = malloc(sizeof(int) * (size_t)(n + 1));
    for (int i = 0; i < n; i++) {
        index[i] = p->cell[side][place[i]];
        lon[i] = p->lon[side][place[i]] * 180 / PI;
        lat[i] = p->lat[side][place[i]] * 180 / PI;
        angle[i] = p->angle[side][place[i]];
    }
    check(h3ou_grid_define(ctx, me, name, index, n, layers), ctx);
    if (strcmp(fault, side ? "no-centres-get" : "no-centres-put") != 0)
        check(h3ou_grid_centres(ctx, name, lon, lat, "degrees"), ctx);
    check(h3ou_grid_angle(ctx, name, angle, "radians"), ctx);
    if (!strcmp(fault, "centres-twice"))
        check(h3ou_grid_centres(ctx, name, lon, lat, "degrees"), ctx);
    if (!strcmp(fault, "no-such-grid"))
        check(h3ou_grid_shape(ctx, side ? "B_gg" : "A_gg", 3, 4, 1, 0), ctx);
    check(h3ou_grid_end(ctx), ctx);
    if (!strcmp(fault, "late"))
        check(h3ou_grid_edges(ctx, name, "latitude"), ctx);
    free(lon);
    free(lat);
    free(angle);
    free(index);
}

static void put_all(h3ou_ctx *ctx, const problem *p, const int *place, int n, int layers, int time, double *data[2],
                    double *share)
{
    for (int i = 0; i < n; i++)
        share[i] = share_of(p->cell[0][place[i]], time);
    for (int layer = 0; layer < layers; layer++)
        for (int i = 0; i < n; i++) {
            double wind[2];
            rotation(p, 0, place[i], layer, time, wind);
            data[0][layer * n + i] = wind[0];
            data[1][layer * n + i] = wind[1];
        }
    check(h3ou_put_vector(ctx, "wind", data[0], data[1], n, layers), ctx);
    check(h3ou_put_vector(ctx, "windmean", data[0], data[1], n, layers), ctx);
    for (int k = 0; k < FIELDS; k++) {
        const field *f = &fields[k];
        for (int c = 0; c <= f->vector; c++)
            for (int layer = 0; layer < layers; layer++)
                for (int i = 0; i < n; i++)
                    data[c][layer * n + i] = f->f(c, p->cell[0][place[i]], layer, time);
        int shared = f->shared && has_share(time);
        check(f->vector && shared ? h3ou_put_vector_share(ctx, f->name, data[0], data[1], share, n, layers)
              : f->vector         ? h3ou_put_vector(ctx, f->name, data[0], data[1], n, layers)
              : shared            ? h3ou_put_share(ctx, f->name, data[0], share, n, layers)
                                  : h3ou_put(ctx, f->name, data[0], n, layers),
              ctx);
    }
}

/* 0 when ok is what it should be and the arrays are untouched where it is not. */
static int get_one(h3ou_ctx *ctx, const char *name, int vector, int n, int layers, int time, double *data[2], int *ok)
{
    for (int i = 0; i < n * layers; i++)
        data[0][i] = data[1][i] = NEVER;
    check(vector ? h3ou_get_vector(ctx, name, data[0], data[1], n, layers, ok)
                 : h3ou_get(ctx, name, data[0], n, layers, ok),
          ctx);
    if (*ok == (time % INTERVAL == 0))
        return 0;
    printf("B: %s at %d: ok is %d\n", name, time, *ok);
    return 1;
}

static int same_bits(double a, double b)
{
    return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a);
}

static int get_wind(h3ou_ctx *ctx, const problem *p, const char *name, const int *place, int n, int layers, int time,
                    double *data[2])
{
    int ok, bad = get_one(ctx, name, 1, n, layers, time, data, &ok);
    for (int layer = 0; layer < layers; layer++)
        for (int i = 0; i < n; i++) {
            /* The axis moves evenly: its mean over the steps is its value between them. */
            int middle = time == 0 ? -STEP : name[4] ? time - INTERVAL + STEP / 2 : time - STEP;
            double want[2] = {NEVER, NEVER};
            if (ok && place[i] < p->ncell[1] - 1)
                rotation(p, 1, place[i], layer, middle, want);
            for (int c = 0; c < 2; c++)
                if (!(fabs(want[c] - data[c][layer * n + i]) < 1e-12) && bad++ < 3)
                    printf("B: %s at %d, cell %d layer %d component %d: %.17g instead of %.17g\n", name, time,
                           p->cell[1][place[i]], layer, c, data[c][layer * n + i], want[c]);
        }
    return bad;
}

static int get_field(h3ou_ctx *ctx, const problem *p, const field *f, const int *place, int n, int layers, int time,
                     double *data[2])
{
    int ok, bad = get_one(ctx, f->name, f->vector, n, layers, time, data, &ok);
    for (int layer = 0; layer < layers; layer++)
        for (int i = 0; i < n; i++) {
            double want[2];
            int covered = expected(p, f, p->cell[1][place[i]], layer, time, want);
            for (int c = 0; c <= f->vector; c++) {
                double wanted = ok && covered ? want[c] : NEVER;
                if (!same_bits(wanted, data[c][layer * n + i]) && bad++ < 3)
                    printf("B: %s at %d, cell %d layer %d component %d: %.17g instead of %.17g\n", f->name, time,
                           p->cell[1][place[i]], layer, c, data[c][layer * n + i], wanted);
            }
        }
    return bad;
}

static void do_wrong(h3ou_ctx *ctx, const char *fault, int n, int layers, double *data[2], double *share)
{
    memset(data[0], 0, sizeof(double) * (size_t)(n * layers));
    memset(data[1], 0, sizeof(double) * (size_t)(n * layers));
    memset(share, 0, sizeof(double) * (size_t)n);
    if (n > 0)
        share[n - 1] = 1.01;
    if (!strcmp(fault, "scalar-put"))
        check(h3ou_put(ctx, "wind", data[0], n, layers), ctx);
    if (!strcmp(fault, "vector-put"))
        check(h3ou_put_vector(ctx, "ice", data[0], data[1], n, layers), ctx);
    if (!strcmp(fault, "share") && n > 0)
        check(h3ou_put_share(ctx, "ice", data[0], share, n, layers), ctx);
    if (!strcmp(fault, "no-array"))
        check(h3ou_put_share(ctx, "ice", data[0], NULL, n, layers), ctx);
}

int main(int argc, char **argv)
{
    if (argc != 7)
        return 2;
    const char *me = argv[1], *fault = argv[6];
    int side = me[0] == 'B', layers = atoi(argv[5]), bad = 0, worst = 0;
    int comm, group, size, rank, time[6] = {2000, 2, 28, 23, 0, 0};
    problem p;
    h3ou_ctx *ctx;
    seed = strtoull(argv[3], NULL, 10);
    make_cells(&p, 0);
    make_cells(&p, 1);
    make_exact(&p);
    make_turned(&p);
    if (!strcmp(fault, "no-angle"))
        p.turned.cosine[p.turned.n / 2] = 2.0;
    int err = h3ou_open(me, argv[2], 1, &ctx);
    check(err, ctx);
    check(h3ou_local(ctx, &comm, &group, &size, &rank), ctx);
    int *place = malloc(sizeof(int) * (size_t)p.ncell[side]);
    int n = my_cells(&p, side, size, rank, place);
    size_t bytes = sizeof(double) * (size_t)(n * layers + 1);
    double *data[2] = {malloc(bytes), malloc(bytes)}, *share = malloc(bytes);
    define_grid(ctx, &p, side, place, n, layers, fault);
    give_table(ctx, &p.exact, me, argv[4], 3, rank, size, fault);
    give_table(ctx, &p.turned, me, argv[4], 4, rank, size, fault);
    check(h3ou_time_init(ctx, time), ctx);
    if (side == 0)
        do_wrong(ctx, fault, n, layers, data, share);
    if (side == 0)
        put_all(ctx, &p, place, n, layers, -STEP, data, share);
    for (int t = 0; t < STEPS * STEP; t += STEP) {
        check(h3ou_time_set(ctx, me, time, STEP), ctx);
        if (side == 0) {
            put_all(ctx, &p, place, n, layers, t, data, share);
        } else {
            bad += get_wind(ctx, &p, "wind", place, n, layers, t, data);
            bad += get_wind(ctx, &p, "windmean", place, n, layers, t, data);
            for (int k = 0; k < FIELDS; k++)
                bad += get_field(ctx, &p, &fields[k], place, n, layers, t, data);
        }
        check(h3ou_time_inc(time, STEP), ctx);
    }
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_Comm_f2c(comm));
    check(h3ou_close(ctx, time, 1), ctx);
    free(place);
    free(data[0]);
    free(data[1]);
    free(share);
    free_problem(&p);
    return worst ? 1 : 0;
}
