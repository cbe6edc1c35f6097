/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the polygons of cells from the corners that users give, and checks them cell by cell. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/cells.h"
#include "interp/grid/lonlat_corners.h"
#include "interp/sphere/angles.h"
#include "interp/sphere/polygon.h"
#include "interp/sphere/vector.h"

static const double SLACK = 1e-6, SAME = 1e-10, CIRCLE = 1e-10;

/* Where a cell's corners come from. */
typedef struct giver {
    int most;
    const double *lon, *lat;
    const int *count;    /* or NULL */
    const int64_t *node; /* or NULL: lon and lat are of cells' corners */
    int64_t nnode;
} giver;

static int count_of(const giver *g, int64_t i)
{
    int n = g->count ? g->count[i] : g->most;
    if (g->node)
        for (n = 0; n < g->most && g->node[i * g->most + n] >= 0; n++)
            ;
    return n < 0 ? 0 : n > g->most ? g->most : n;
}

static bool repeats_one_before(const giver *g, int64_t at)
{
    int64_t a = g->node ? g->node[at] : at, b = g->node ? g->node[at - 1] : at - 1;
    return a == b || (g->lon[a] == g->lon[b] && g->lat[a] == g->lat[b]);
}

static int place_corner(const giver *g, int64_t i, int k, double x[3])
{
    int64_t at = i * g->most + k;
    if (g->node)
        at = g->node[at];
    double lon = g->lon[at], lat = g->lat[at];
    if (!isfinite(lon) || !isfinite(lat) || fabs(lon) >= 1e4)
        return 1 << H3OU__CELL_NAN;
    if (fabs(lat) > H3OU__PI / 2 + SLACK)
        return 1 << H3OU__CELL_BEYOND;
    double level = fabs(lat) >= H3OU__PI / 2 ? 0.0 : cos(lat);
    x[0] = level * cos(lon);
    x[1] = level * sin(lon);
    x[2] = level == 0.0 ? copysign(1.0, lat) : sin(lat);
    return 0;
}

static bool same_place(const double a[3], const double b[3])
{
    double d[3];
    h3ou__sub(a, b, d);
    return h3ou__dot(d, d) < SAME * SAME;
}

static void reverse_corners(h3ou__polygon *p)
{
    for (int a = 0, b = p->n - 1; a < b; a++, b--) {
        double keep[3];
        memcpy(keep, p->v[a], sizeof keep);
        memcpy(p->v[a], p->v[b], sizeof keep);
        memcpy(p->v[b], keep, sizeof keep);
    }
}

/* Do the great circles' arcs ab and cd cross, away from their ends? */
static bool arcs_cross(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const double TINY = 1e-14;
    double n[3], m[3];
    h3ou__cross(a, b, n);
    h3ou__cross(c, d, m);
    double sc = h3ou__dot(n, c), sd = h3ou__dot(n, d), sa = h3ou__dot(m, a), sb = h3ou__dot(m, b);
    return sc * sd < 0 && sa * sb < 0 && fabs(sc) > TINY && fabs(sd) > TINY && fabs(sa) > TINY && fabs(sb) > TINY;
}

static bool crosses_itself(const h3ou__polygon *p)
{
    for (int i = 0; i < p->n; i++)
        for (int k = i + 2; k < p->n; k++)
            if ((k + 1) % p->n != i && arcs_cross(p->v[i], p->v[i + 1], p->v[k], p->v[(k + 1) % p->n]))
                return true;
    return false;
}

static void mark_circles(h3ou__polygon *p, int edges)
{
    p->has_circles = false;
    for (int k = 0; k < p->n; k++) {
        const double *a = p->v[k], *b = p->v[(k + 1) % p->n];
        p->circle[k] = edges == H3OU__EDGES_LATITUDE && fabs(a[2] - b[2]) < CIRCLE && fabs(a[2]) < 1.0 - CIRCLE;
        p->has_circles |= p->circle[k];
    }
}

/* Makes the polygon of one cell; returns the bits of its faults. */
static int make_polygon(const giver *g, int64_t i, int edges, h3ou__polygon *p)
{
    int faults = 0, given = count_of(g, i);
    double widest = 0.0;
    p->n = 0;
    for (int k = 0; k < given; k++) {
        int fault = place_corner(g, i, k, p->v[p->n]);
        if (fault)
            return fault;
        if (p->n > 0 && same_place(p->v[p->n], p->v[p->n - 1]))
            faults |= 1 << H3OU__CELL_REPEATED;
        else
            p->n++;
    }
    while (p->n > 1 && same_place(p->v[p->n - 1], p->v[0])) {
        faults |= 1 << H3OU__CELL_REPEATED;
        p->n--;
    }
    if (p->n < 3)
        return faults | 1 << H3OU__CELL_DEGENERATE;
    for (int k = 1; k < p->n; k++) {
        double d[3];
        h3ou__sub(p->v[k], p->v[0], d);
        widest = fmax(widest, h3ou__dot(d, d));
    }
    mark_circles(p, edges);
    double area = h3ou__polygon_area(p);
    if (fabs(area) < 1e-10 * widest)
        return faults | 1 << (crosses_itself(p) ? H3OU__CELL_CROSSING : H3OU__CELL_DEGENERATE);
    if (area < 0) {
        faults |= 1 << H3OU__CELL_CLOCKWISE;
        reverse_corners(p);
        mark_circles(p, edges);
    }
    p->convex = h3ou__polygon_is_convex(p);
    return faults | (!p->convex && crosses_itself(p) ? 1 << H3OU__CELL_CROSSING : 0);
}

static const int BAD =
    1 << H3OU__CELL_DEGENERATE | 1 << H3OU__CELL_CROSSING | 1 << H3OU__CELL_NAN | 1 << H3OU__CELL_BEYOND;

/* Makes the room of every cell: as many corners as it is given, without those that repeat the one before bit by bit, so
 * that one cell of many corners does not make room for as many in all. */
static void make_room(const giver *g, int64_t n, int64_t first[])
{
    first[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        int given = count_of(g, i), kept = given > 0;
        for (int k = 1; k < given; k++)
            kept += !repeats_one_before(g, i * g->most + k);
        first[i + 1] = first[i] + kept;
    }
}

/* Every cell's corners at [3 * first[i]]; number[i] of them. */
static void make_all(h3ou__cells *c, const giver *g, int number[], unsigned char fault[])
{
#pragma omp parallel for schedule(static, 4096)
    for (int64_t i = 0; i < c->n; i++) {
        h3ou__polygon p;
        int faults = make_polygon(g, i, c->edges, &p);
        fault[i] = (unsigned char)faults;
        number[i] = faults & BAD ? 0 : p.n;
        c->convex[i] = number[i] > 0 && p.convex;
        memcpy(c->corner + 3 * c->first[i], p.v, 3 * sizeof(double) * (size_t)number[i]);
    }
}

static const char *fault_text(int faults)
{
    return faults & 1 << H3OU__CELL_NAN        ? "a corner that is not finite, or a missing value"
           : faults & 1 << H3OU__CELL_BEYOND   ? "a corner beyond a pole"
           : faults & 1 << H3OU__CELL_CROSSING ? "edges that cross"
                                               : "no area or fewer than 3 corners";
}

/* Masks the cells that take part and have a bad fault, and lists them. */
static int mask_faults(h3ou__cells *c, const unsigned char *fault)
{
    int err = H3OU__OK;
    for (int64_t i = 0; i < c->n && !err; i++)
        if (c->mask[i] && fault[i] & BAD)
            err = h3ou__cells_mask_bad(c, i, c->lon ? c->lon[i] : NAN, c->lat ? c->lat[i] : NAN, fault_text(fault[i]));
    return err;
}

static int report_faults(h3ou__cells *c, const unsigned char *fault)
{
    char text[512] = "";
    int shown = 0, used = 0;
    int64_t bad = 0;
    for (int64_t i = 0; i < c->n; i++) {
        if (!fault[i] || (!c->mask[i] && fault[i] & BAD))
            continue;
        for (int k = 0; k < H3OU__CELL_FAULTS; k++)
            if (fault[i] & 1 << k && c->report.count[k]++ == 0)
                c->report.first[k] = h3ou__cell_id(c, i) + 1;
        if (!(fault[i] & BAD))
            continue;
        bad++;
        if (shown < 5)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%" PRId64 " (%s)", shown ? ", " : "",
                             h3ou__cell_id(c, i) + 1, fault_text(fault[i]));
        shown++;
    }
    if (bad)
        return h3ou__fail(H3OU__EARG, "%s: %" PRId64 " cells have bad corners: %s%s; correct them or mask the cells",
                          c->name, bad, text, bad > 5 ? ", ..." : "");
    return H3OU__OK;
}

/* Removes the places that are left of each cell's room. */
static void compact_corners(h3ou__cells *c, const int number[])
{
    int64_t to = 0;
    for (int64_t i = 0; i < c->n; i++) {
        int64_t from = c->first[i];
        c->first[i] = to;
        if (from != to)
            memmove(c->corner + 3 * to, c->corner + 3 * from, 3 * sizeof(double) * (size_t)number[i]);
        to += number[i];
    }
    c->first[c->n] = to;
    h3ou__resize(&c->corner, 3 * sizeof *c->corner, to + 1);
}

/* By default, cells whose edges all run along meridians and parallels are bounded by circles of latitude. */
static int choose_edges(const h3ou__cells *c, const giver *g, int edges)
{
    const h3ou__corner_lists lists = {.n = c->n,
                                      .most = g->most,
                                      .lon = g->lon,
                                      .lat = g->lat,
                                      .node = g->node,
                                      .count = g->count,
                                      .mask = c->mask};
    bool follow =
        edges == H3OU__EDGES_LATITUDE || (edges == H3OU__EDGES_DEFAULT && h3ou__corners_follow_latitudes(&lists));
    return follow ? H3OU__EDGES_LATITUDE : H3OU__EDGES_GREAT;
}

static int set_corners(h3ou__cells *c, const giver *g, int edges)
{
    if (g->most < 3 || g->most > H3OU__POLYGON_MOST)
        return h3ou__fail(H3OU__EARG, "%s: cells with up to %d corners: 3 to %d are possible", c->name, g->most,
                          H3OU__POLYGON_MOST);
    c->edges = choose_edges(c, g, edges);
    size_t n = (size_t)c->n + 1;
    int *number = malloc(sizeof *number * n);
    unsigned char *fault = malloc(n);
    int64_t *first = malloc(sizeof *first * n);
    int err = number && fault && first ? H3OU__OK : h3ou__no_memory("the corners of %s", c->name);
    if (!err) {
        make_room(g, c->n, first);
        c->first = first;
        first = NULL;
        c->corner = malloc(3 * sizeof(double) * (size_t)(c->first[c->n] + 1));
        c->convex = malloc(n);
        err = c->corner && c->convex ? H3OU__OK : h3ou__no_memory("the corners of %s", c->name);
    }
    if (!err) {
        make_all(c, g, number, fault);
        err = c->bad ? mask_faults(c, fault) : H3OU__OK;
    }
    if (!err)
        err = report_faults(c, fault);
    if (!err) {
        compact_corners(c, number);
        err = h3ou__cells_centre_by_corners(c);
    }
    free(number);
    free(fault);
    free(first);
    return err;
}

int h3ou__cells_mask_bad_corners(h3ou__cells *c, const h3ou__corner_lists *lists, int edges)
{
    giver g = {.most = lists->most, .lon = lists->lon, .lat = lists->lat, .count = lists->count, .node = lists->node};
    unsigned char *fault = calloc((size_t)c->n + 1, 1);
    if (!fault)
        return h3ou__no_memory("the corners of %s", c->name);
    for (int64_t i = 0; i < c->n && g.most <= H3OU__POLYGON_MOST; i++) {
        h3ou__polygon p;
        bool follows = edges == H3OU__EDGES_DEFAULT && h3ou__corners_follow(lists, i);
        if (c->mask[i])
            fault[i] = (unsigned char)make_polygon(&g, i, follows ? H3OU__EDGES_LATITUDE : edges, &p);
    }
    int err = mask_faults(c, fault);
    free(fault);
    return err;
}

int h3ou__cells_set_corners(h3ou__cells *c, int most, const double lon[], const double lat[], const int count[],
                            int edges)
{
    giver g = {.most = most, .lon = lon, .lat = lat, .count = count};
    return set_corners(c, &g, edges);
}

int h3ou__cells_set_nodes(h3ou__cells *c, int64_t nnode, const double lon[], const double lat[], int most,
                          const int64_t node[], int edges)
{
    for (int64_t k = 0; k < c->n * most; k++)
        if (node[k] >= nnode)
            return h3ou__fail(H3OU__EARG, "%s: cell %" PRId64 " has node %" PRId64 " of %" PRId64, c->name,
                              k / most + 1, node[k] + 1, nnode);
    giver g = {.most = most, .lon = lon, .lat = lat, .node = node, .nnode = nnode};
    return set_corners(c, &g, edges);
}

void h3ou__cells_drop_corners(h3ou__cells *c)
{
    free(c->first);
    free(c->corner);
    free(c->convex);
    c->first = NULL;
    c->corner = NULL;
    c->convex = NULL;
    memset(&c->report, 0, sizeof c->report);
}
