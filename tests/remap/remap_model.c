/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A component of a run whose weights the coupler makes: describes its part of a grid, puts (A) or gets (B) what the
 * namelist says, once, and B writes every cell's index and values to a file. What is put depends on the place only.
 *
 * S has both grids and exchanges with itself: model S CONFIG GRID DEAL FILE GRID2 DEAL2, the last two for the grid that it gets on.
 *
 * model A|B CONFIG GRID DEAL FILE, GRID: boxes:NX:NY or region:NX:NY (far in the east) or triangles:LEVEL or points:N,
 * then letters: m masked, i masked but for an island near 0 E 0 N, w the masked cells' corners lie anywhere, r no rows, d with cells twice
 * (of boxes the last column is the first, of points each is there four times), f a fold is stated; or grid:FILE, doubles: nx, ny (0: no
 * rows), cells, corners of a cell, cyclic, fold, the longitudes of centres, their latitudes, the mask, longitudes and latitudes of corners;
 * DEAL: block, cyclic, mixed (indices not in order).
 *
 * GRID may be several, joined by "+": the second one is A_g2 or B_g2, its fields end in 2, as f2, and its cells go to FILE-2.RANK.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "h3ou.h"

static const double PI = 3.14159265358979323846;

typedef struct grid {
    int n, most, nx, ny, with_mask, rows, cyclic, fold;
    double *lon, *lat, *x, *y; /* degrees; corners [most * n] */
    double *sea;               /* NULL: by the place */
} grid;

static void die(h3ou_ctx *ctx, int code)
{
    if (code)
        h3ou_abort(ctx, code);
}

/* width, height: of the whole, degrees, from west and south on. */
static void make_boxes(grid *g, int nx, int ny, double west, double south, double width, double height)
{
    g->n = nx * ny;
    g->nx = nx;
    g->ny = ny;
    g->most = 4;
    for (int i = 0; i < g->n; i++) {
        double w = west + width * (i % nx) / nx, e = west + width * (i % nx + 1) / nx;
        double s = south + height * (i / nx) / ny, t = south + height * (i / nx + 1) / ny;
        const double x[4] = {w, e, e, w}, y[4] = {s, s, t, t};
        g->lon[i] = 0.5 * (w + e);
        g->lat[i] = 0.5 * (s + t);
        memcpy(g->x + 4 * i, x, sizeof x);
        memcpy(g->y + 4 * i, y, sizeof y);
    }
}

static void angles(const double v[3], double *lon, double *lat)
{
    /* Turned, so that no corner lies on another grid's lines. */
    double y = v[1] * cos(0.3) - v[2] * sin(0.3), z = v[1] * sin(0.3) + v[2] * cos(0.3);
    *lon = atan2(y, v[0]) * 180 / PI;
    *lat = atan2(z, hypot(v[0], y)) * 180 / PI;
}

static void split(grid *g, const double a[3], const double b[3], const double c[3], int level)
{
    double m[3][3], middle[3];
    const double *v[3] = {a, b, c};
    if (level == 0) {
        for (int d = 0; d < 3; d++)
            middle[d] = a[d] + b[d] + c[d];
        angles(middle, &g->lon[g->n], &g->lat[g->n]);
        for (int k = 0; k < 3; k++)
            angles(v[k], &g->x[3 * g->n + k], &g->y[3 * g->n + k]);
        g->n++;
        return;
    }
    for (int k = 0; k < 3; k++) {
        double length = 0;
        for (int d = 0; d < 3; d++)
            m[k][d] = v[k][d] + v[(k + 1) % 3][d];
        for (int d = 0; d < 3; d++)
            length += m[k][d] * m[k][d];
        for (int d = 0; d < 3; d++)
            m[k][d] /= sqrt(length);
    }
    split(g, a, m[0], m[2], level - 1);
    split(g, m[0], b, m[1], level - 1);
    split(g, m[2], m[1], c, level - 1);
    split(g, m[0], m[1], m[2], level - 1);
}

static void make_triangles(grid *g, int level)
{
    static const double axis[6][3] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    g->most = 3;
    for (int k = 0; k < 4; k++) {
        split(g, axis[k], axis[(k + 1) % 4], axis[4], level);
        split(g, axis[(k + 1) % 4], axis[k], axis[5], level);
    }
}

/* times: how often each is there. */
static void make_points(grid *g, int n, int times)
{
    g->n = n;
    for (int i = 0; i < n; i++) {
        int k = i % (n / times);
        g->lon[i] = fmod(k * 180 * (3 - sqrt(5.0)), 360.0);
        g->lat[i] = asin(1 - (2.0 * k + 1) / (n / times)) * 180 / PI;
    }
}

/* A round continent and an island. */
static int in_sea(double lon, double lat)
{
    double x = cos(lat * PI / 180) * cos(lon * PI / 180), y = cos(lat * PI / 180) * sin(lon * PI / 180);
    return !(x > 0.75 || (y > 0.97 && lat > 0));
}

static int takes_part(const grid *g, double lon, double lat)
{
    return g->with_mask == 'i' ? cos(lat * PI / 180) * cos(lon * PI / 180) > 0.97 : in_sea(lon, lat);
}

static void read_grid(const char *file, grid *g)
{
    double head[6];
    FILE *f = fopen(file, "rb");
    if (!f || fread(head, sizeof *head, 6, f) != 6)
        exit(3);
    g->nx = (int)head[0];
    g->ny = (int)head[1];
    g->n = (int)head[2];
    g->most = (int)head[3];
    g->rows = g->nx > 0;
    g->cyclic = head[4] != 0.0;
    g->fold = head[5] != 0.0;
    g->with_mask = 'g';
    double **array[5] = {&g->lon, &g->lat, &g->sea, &g->x, &g->y};
    for (int k = 0; k < 5; k++) {
        size_t n = (size_t)(g->n * (k < 3 ? 1 : g->most));
        *array[k] = malloc(sizeof(double) * (n + 1));
        if (fread(*array[k], sizeof(double), n, f) != n)
            exit(3);
    }
    fclose(f);
}

static void make_grid(const char *text, grid *g)
{
    enum { MOST = 40000 };
    int a = 0, b = 0, doubled = strncmp(text, "grid:", 5) && strchr(strchr(text, ':'), 'd') != NULL;
    if (!strncmp(text, "grid:", 5)) {
        read_grid(text + 5, g);
        return;
    }
    g->lon = malloc(sizeof(double) * MOST);
    g->lat = malloc(sizeof(double) * MOST);
    g->x = malloc(4 * sizeof(double) * MOST);
    g->y = malloc(4 * sizeof(double) * MOST);
    if (sscanf(text, "boxes:%d:%d", &a, &b) == 2)
        make_boxes(g, a, b, 0, -90, 360.0 * a / (a - doubled), 180);
    else if (sscanf(text, "region:%d:%d", &a, &b) == 2)
        make_boxes(g, a, b, 150, -30, 60, 60);
    else if (sscanf(text, "triangles:%d", &a) == 1)
        make_triangles(g, a);
    else if (sscanf(text, "points:%d", &a) == 1)
        make_points(g, a, doubled ? 4 : 1);
    text = strchr(text, ':');
    g->with_mask = strchr(text, 'm') ? 'm' : strchr(text, 'i') ? 'i' : 0;
    g->rows = g->nx > 0 && !strchr(text, 'r');
    g->fold = strchr(text, 'f') != NULL;
    g->cyclic = 1;
    for (int i = 0; i < g->n && strchr(text, 'w'); i++)
        for (int k = 0; k < g->most && !takes_part(g, g->lon[i], g->lat[i]); k++) {
            g->x[g->most * i + k] = (7 * i + 90 * k) % 360;
            g->y[g->most * i + k] = (11 * i + 50 * k) % 170 - 85;
        }
}

static int owner_of(const char *deal, int i, int n, int size)
{
    return !strcmp(deal, "block")    ? (int)((int64_t)i * size / n)
           : !strcmp(deal, "cyclic") ? i % size
                                     : i / 7 * 5 % size;
}

/* My cells, by global number from 0; "mixed" ones stand in no order. */
static int *deal_out(const grid *g, const char *deal, int rank, int size, int *n)
{
    int *cell = calloc((size_t)g->n + 1, sizeof *cell);
    *n = 0;
    for (int i = 0; i < g->n; i++)
        if (owner_of(deal, i, g->n, size) == rank)
            cell[(*n)++] = i;
    for (int i = 0; i < *n / 2 && !strcmp(deal, "mixed"); i += 2) {
        int keep = cell[i];
        cell[i] = cell[*n - 1 - i];
        cell[*n - 1 - i] = keep;
    }
    return cell;
}

static double *take(const int *cell, int n, int count, const double from[])
{
    double *to = malloc(sizeof *to * (size_t)(n * count + 1));
    for (int i = 0; i < n; i++)
        memcpy(to + i * count, from + cell[i] * count, sizeof *to * (size_t)count);
    return to;
}

static void define(h3ou_ctx *ctx, const char *me, const char *name, const grid *g, const int *cell, int n)
{
    int *index = malloc(sizeof *index * (size_t)(n + 1)), *mask = malloc(sizeof *mask * (size_t)(n + 1));
    double *lon = take(cell, n, 1, g->lon), *lat = take(cell, n, 1, g->lat);
    for (int i = 0; i < n; i++) {
        index[i] = cell[i] + 1;
        mask[i] = g->sea ? g->sea[cell[i]] != 0.0 : takes_part(g, lon[i], lat[i]);
    }
    die(ctx, h3ou_grid_define(ctx, me, name, index, n, 2));
    die(ctx, h3ou_grid_centres(ctx, name, lon, lat, "degrees"));
    if (g->most) {
        double *x = take(cell, n, g->most, g->x), *y = take(cell, n, g->most, g->y);
        die(ctx, h3ou_grid_corners(ctx, name, g->most, x, y, "degrees"));
        free(x);
        free(y);
    }
    if (g->with_mask)
        die(ctx, h3ou_grid_mask(ctx, name, mask));
    if (g->rows)
        die(ctx, h3ou_grid_shape(ctx, name, g->nx, g->ny, g->cyclic, g->fold));
    free(index);
    free(mask);
    free(lon);
    free(lat);
}

/* What is put at a place: a smooth field, a solid body's rotation about an axis off the pole, a share. */
static void values_at(double lon, double lat, double v[4])
{
    const double axis[3] = {0.4, -0.5, 0.77};
    double a = lon * PI / 180, b = lat * PI / 180;
    double x[3] = {cos(b) * cos(a), cos(b) * sin(a), sin(b)}, east[3] = {-sin(a), cos(a), 0};
    double north[3] = {-sin(b) * cos(a), -sin(b) * sin(a), cos(b)};
    double w[3] = {axis[1] * x[2] - axis[2] * x[1], axis[2] * x[0] - axis[0] * x[2], axis[0] * x[1] - axis[1] * x[0]};
    v[0] = 2 + x[0] * x[1] + 0.5 * x[2];
    v[1] = w[0] * east[0] + w[1] * east[1] + w[2] * east[2];
    v[2] = w[0] * north[0] + w[1] * north[1] + w[2] * north[2];
    v[3] = x[1] > 0.8 ? 0.0 : x[1] > 0 ? 0.25 : 1.0;
}

/* A component's grids, of which this process holds cells. */
enum { GRIDS = 8 };
typedef struct part {
    grid g;
    int number, of, n, *cell; /* number: from 1; of: so many grids */
} part;

static int is_on(const part *p, const char *field)
{
    int number = atoi(field + 1);
    return p->of == 1 || (number ? number : 1) == p->number;
}

static void put_all(h3ou_ctx *ctx, const part *p)
{
    const grid *g = &p->g;
    const int *cell = p->cell, n = p->n;
    double *f[4];
    char name[65];
    for (int k = 0; k < 4; k++)
        f[k] = malloc(2 * sizeof(double) * (size_t)(n + 1));
    for (int i = 0; i < n; i++) {
        double v[4];
        values_at(g->lon[cell[i]], g->lat[cell[i]], v);
        for (int k = 0; k < 4; k++) {
            f[k][i] = v[k];
            f[k][n + i] = 2 * v[k];
        }
    }
    for (int k = 1; k <= h3ou_put_count(ctx); k++) {
        die(ctx, h3ou_put_name(ctx, k, name));
        if (!is_on(p, name))
            continue;
        if (name[0] == 'v')
            die(ctx, h3ou_put_vector(ctx, name, f[1], f[2], n, 2));
        else if (name[0] == 's')
            die(ctx, h3ou_put_share(ctx, name, f[0], f[3], n, 1));
        else if (name[0] == 'h') { /* holes: what is missing bears a number */
            for (int i = 0; i < n; i++)
                f[3][i] = cell[i] % 5 ? f[0][i] : -999.0;
            die(ctx, h3ou_put(ctx, name, f[3], n, 1));
        } else
            die(ctx, h3ou_put(ctx, name, f[0], n, 1));
    }
    for (int k = 0; k < 4; k++)
        free(f[k]);
}

static void get_all(h3ou_ctx *ctx, const part *p, const char *file, int rank)
{
    const grid *g = &p->g;
    const int *cell = p->cell, n = p->n;
    char name[65], path[512], number[16] = "";
    double *got[16][4];
    int ok, count = 0;
    for (int all = 0, k; all < h3ou_get_count(ctx); all++) {
        die(ctx, h3ou_get_name(ctx, all + 1, name));
        if (!is_on(p, name))
            continue;
        k = count++;
        for (int c = 0; c < 4; c++)
            got[k][c] = malloc(sizeof(double) * (size_t)(n + 1));
        double *u = malloc(2 * sizeof *u * (size_t)(n + 1)), *v = malloc(2 * sizeof *v * (size_t)(n + 1));
        for (int i = 0; i < 2 * n; i++)
            u[i] = v[i] = 77.0;
        if (name[0] == 'v')
            die(ctx, h3ou_get_vector(ctx, name, u, v, n, 2, &ok));
        else
            die(ctx, h3ou_get(ctx, name, u, n, 1, &ok));
        memcpy(got[k][0], u, sizeof *u * (size_t)n);
        memcpy(got[k][1], v, sizeof *u * (size_t)n);
        for (int i = 0; i < n; i++) {
            double exact[4];
            values_at(g->lon[cell[i]], g->lat[cell[i]], exact);
            got[k][2][i] = exact[name[0] == 'v' ? 1 : 0];
            got[k][3][i] = name[0] == 'v' ? exact[2] : in_sea(g->lon[cell[i]], g->lat[cell[i]]);
        }
        free(u);
        free(v);
    }
    if (p->number > 1)
        snprintf(number, sizeof number, "-%d", p->number);
    snprintf(path, sizeof path, "%s%s.%d", file, number, rank);
    FILE *out = fopen(path, "wb");
    for (int i = 0; i < n && out; i++) {
        double index = cell[i] + 1;
        fwrite(&index, sizeof index, 1, out);
        for (int k = 0; k < count; k++)
            for (int c = 0; c < 4; c++)
                fwrite(&got[k][c][i], sizeof(double), 1, out);
    }
    if (!out || fclose(out))
        exit(3);
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 4; c++)
            free(got[k][c]);
}

static void free_grid(grid *g)
{
    free(g->lon);
    free(g->lat);
    free(g->sea);
    free(g->x);
    free(g->y);
}

/* Makes and defines the grids of a list; letter: the first of their names. Returns how many there are. */
static int define_all(h3ou_ctx *ctx, const char *me, char letter, const char *grids, const char *deal, part p[GRIDS])
{
    char list[512], name[16], *left = NULL;
    int comm, group, size, rank, count = 0;
    die(ctx, h3ou_local(ctx, &comm, &group, &size, &rank));
    snprintf(list, sizeof list, "%s", grids);
    for (char *text = strtok_r(list, "+", &left); text && count < GRIDS; text = strtok_r(NULL, "+", &left)) {
        part *one = &p[count++];
        one->number = count;
        make_grid(text, &one->g);
        one->cell = deal_out(&one->g, deal, rank, size, &one->n);
        snprintf(name, sizeof name, count > 1 ? "%c_g%d" : "%c_g", letter, count);
        define(ctx, me, name, &one->g, one->cell, one->n);
    }
    for (int k = 0; k < count; k++)
        p[k].of = count;
    return count;
}

int main(int argc, char **argv)
{
    h3ou_ctx *ctx = NULL;
    part mine[GRIDS] = {{.n = 0}}, other[GRIDS] = {{.n = 0}};
    int time[6] = {2000, 1, 1, 0, 0, 0}, comm, group, size, rank, n2 = 0;
    if (argc < 6)
        return 2;
    int failed = h3ou_open(argv[1], argv[2], 1, &ctx), both = argv[1][0] == 'S';
    die(ctx, failed);
    die(ctx, h3ou_local(ctx, &comm, &group, &size, &rank));
    int n = define_all(ctx, argv[1], argv[1][0] == 'B' ? 'B' : 'A', argv[3], argv[4], mine);
    if (both)
        n2 = define_all(ctx, argv[1], 'B', argv[6], argv[7], other);
    die(ctx, h3ou_grid_end(ctx));
    if (argc == 7)
        sleep((unsigned)atoi(argv[6])); /* the other component waits for this one */
    die(ctx, h3ou_time_init(ctx, time));
    for (int k = 0; k < n && argv[1][0] != 'B'; k++)
        put_all(ctx, &mine[k]);
    die(ctx, h3ou_time_set(ctx, argv[1], time, 600));
    for (int k = 0; k < (both ? n2 : n) && argv[1][0] != 'A'; k++)
        get_all(ctx, both ? &other[k] : &mine[k], argv[5], rank);
    time[4] = 10;
    int err = h3ou_close(ctx, time, -1);
    if (err)
        h3ou_abort(ctx, err);
    for (int k = 0; k < GRIDS; k++) {
        free(mine[k].cell);
        free(other[k].cell);
        free_grid(&mine[k].g);
        free_grid(&other[k].g);
    }
    return 0;
}
