/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/sphere_bins.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

int h3ou__sphere_bins_level(int64_t n)
{
    int level = 0;
    while (level < H3OU__SPHERE_BINS_LEVELS && (INT64_C(6) << (2 * level)) * 16 < n)
        level++;
    return level;
}

/* A square on a face of the cube: its lower corner and its side, in coordinates -1..1 of the face. */
typedef struct square {
    int face;
    double u, v, side;
} square;

static void face_to_sphere(int face, double u, double v, double x[3])
{
    int axis = face / 2;
    double length = sqrt(1.0 + u * u + v * v), sign = face % 2 ? -1.0 : 1.0;
    x[axis] = sign / length;
    x[(axis + 1) % 3] = u / length;
    x[(axis + 2) % 3] = v / length;
}

/* Returns whether the cap may touch the square. The test replaces the square by a cap around it, so it is sometimes
 * true without need. Projected to the sphere, lengths on the face shrink at least by 1 / sqrt(1 + u^2 + v^2), which is
 * largest at the square's point nearest to the middle of the face; and a chord is shorter than its arc. No
 * trigonometric function is called, because a search of many cells spends its time here. */
static bool cap_touches(const square *s, const double x[3], double radius)
{
    double centre[3], half = 0.5 * s->side, u = s->u + half, v = s->v + half, d2 = 0.0;
    double near_u = fmax(0.0, fabs(u) - half), near_v = fmax(0.0, fabs(v) - half);
    double reach = radius + half * 1.4142135623730952 / sqrt(1.0 + near_u * near_u + near_v * near_v) + 1e-9;
    face_to_sphere(s->face, u, v, centre);
    for (int k = 0; k < 3; k++)
        d2 += (centre[k] - x[k]) * (centre[k] - x[k]);
    return d2 <= reach * reach;
}

typedef struct search {
    int level;
    const double *x;
    double radius;
    int64_t **list, *n, *room;
} search;

static int visit_square(search *s, const square *q, int depth, int64_t number)
{
    if (!cap_touches(q, s->x, s->radius))
        return H3OU__OK;
    if (depth == s->level) {
        if (!h3ou__grow(s->list, sizeof **s->list, s->room, *s->n + 1))
            return h3ou__no_memory("a search");
        (*s->list)[(*s->n)++] = number;
        return H3OU__OK;
    }
    int err = H3OU__OK;
    for (int k = 0; k < 4 && !err; k++) {
        square child = {q->face, q->u + (k & 1 ? 0.5 * q->side : 0.0), q->v + (k & 2 ? 0.5 * q->side : 0.0),
                        0.5 * q->side};
        err = visit_square(s, &child, depth + 1, 4 * number + k);
    }
    return err;
}

int h3ou__sphere_bins_of_cap(int level, const double x[3], double radius, int64_t **list, int64_t *n, int64_t *room)
{
    search s = {level, x, radius, list, n, room};
    int err = H3OU__OK;
    for (int face = 0; face < 6 && !err; face++) {
        square whole = {face, -1.0, -1.0, 2.0};
        err = visit_square(&s, &whole, 0, face);
    }
    return err;
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t h3ou__sphere_bins_unique(int64_t *list, int64_t n)
{
    int64_t kept = 0;
    if (n)
        qsort(list, (size_t)n, sizeof *list, compare_numbers);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || list[i] != list[i - 1])
            list[kept++] = list[i];
    return kept;
}
