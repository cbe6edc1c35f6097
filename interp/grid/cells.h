/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells on the unit sphere: what methods that make weights know of a grid, or of the part of it that this process
 * holds. Angles are radians, areas steradians, places unit vectors. Cells are numbered from 0 in ascending order of
 * their global number, so that an order by local number is the same for every decomposition.
 *
 * A grid's cells are points, polygons, or boxes (a regular longitude-latitude grid, whose corners
 * are not stored).
 */
#ifndef H3OU_INTERP_GRID_CELLS_H
#define H3OU_INTERP_GRID_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/grid/bad_cells.h"

/* The line between two corners. LATITUDE: an arc of the latitude circle where both have the same latitude (to 1e-10),
 * else a great circle. By default cells have LATITUDE when all their edges run along meridians and parallels, else
 * GREAT. */
enum h3ou__edges { H3OU__EDGES_DEFAULT, H3OU__EDGES_GREAT, H3OU__EDGES_LATITUDE };
/* For readers of files: corners need not be read where reading them takes time. */
enum { H3OU__EDGES_UNREAD = 100 };

/* Faults of corners. The corners of clockwise cells are reversed and repeated corners dropped; a cell with another
 * fault is the error H3OU__EARG, unless it is masked (then it gets no corners). */
enum h3ou__cell_fault {
    H3OU__CELL_CLOCKWISE,
    H3OU__CELL_REPEATED,   /* neighbouring corners at one place */
    H3OU__CELL_DEGENERATE, /* fewer than three corners, or no area */
    H3OU__CELL_CROSSING,   /* two of its edges cross */
    H3OU__CELL_NAN,        /* a coordinate is not finite */
    H3OU__CELL_BEYOND,     /* |latitude| > 90 degrees */
    H3OU__CELL_FAULTS
};

typedef struct h3ou__cell_report {
    int64_t count[H3OU__CELL_FAULTS];
    int64_t first[H3OU__CELL_FAULTS]; /* global number, from 1, of the first such cell; 0: none */
} h3ou__cell_report;

typedef struct h3ou__cells {
    int64_t n;
    int64_t *id;         /* [n] global numbers, from 0, ascending; NULL: id[i] = i */
    double *lon, *lat;   /* [n] centres */
    double *xyz;         /* [3 * n] the same as unit vectors; NULL until h3ou__cells_places */
    unsigned char *mask; /* [n] 0: the cell takes no part */
    /* [n] 1: a masked cell whose centre is no place of the sphere, as of missing values on land; it is said to lie at the
     * south pole, and xyz is inside the sphere. NULL: none. */
    unsigned char *nowhere;
    double *area;        /* [n] the user's areas, or NULL */
    double *angle;       /* [n] from local east to the first component of a vector, anticlockwise, or NULL */
    int rank;            /* of the grid: 1, or 2: cell id = x + dims[0] * y */
    int64_t dims[2];     /* sizes of the whole grid, fastest first */
    int latitude_rows;   /* rank 1: 1 when the centres stand in rows along circles of latitude, -1 when not, 0: unknown */
    bool listed;         /* rank 2 was found; the user's arrays have one dimension */
    bool cyclic;         /* rank 2: x = dims[0] - 1 and x = 0 are neighbours */
    /* rank 2, tripolar grids: the cells (x, y) and (dims[0] - 1 - x + fold_shift, 2 * dims[1] - 1 - y - fold_rows) are at
     * one place. fold_rows is 0 when the grid ends at the fold, 1 when its last row lies on it (pivot T), 2 when the last
     * row is the one before again (pivot F), 3 when it is the last but two again (T). */
    bool fold;
    int64_t fold_shift, fold_rows;
    int64_t overlap;     /* cyclic: the last `overlap` columns are the first ones again */
    int edges;           /* enum h3ou__edges, never DEFAULT */
    char name[64];       /* for messages */
    /* polygons: corner k of cell i is corner[3 * k], first[i] <= k < first[i + 1], anticlockwise seen from outside.
     * Each cell has its own, bit for bit as given: its neighbours may give the same place with another rounding.
     */
    int64_t *first;        /* [n + 1]; NULL: no polygons */
    double *corner;        /* [3 * first[n]] */
    unsigned char *convex; /* [n] the polygon is the intersection of the half-spaces of its edges */
    /* boxes: cell id = x + dims[0] * y is [lon_west[x], lon_east[x]] * [lat_south[y], lat_north[y]], east > west */
    double *lon_west, *lon_east;   /* [dims[0]]; NULL: no boxes */
    double *lat_south, *lat_north; /* [dims[1]] */
    bool scattered; /* the centres of the whole grid do not stand in columns and rows; those of a part may */
    double *box_trig;              /* cosine and sine of all four, one array after the other */
    h3ou__cell_report report;
    h3ou__bad_cells *bad; /* bad cells are masked, and listed there; NULL: they are errors. Borrowed */
    /* Cells at one place (coincident.h): of each cell the lowest that takes part and has the same centre, or the same
     * polygon; the cell itself where there is none. NULL: all stand alone, or nobody has asked. */
    int32_t *same_centre, *same_polygon; /* [n] */
    bool centres_compared, polygons_compared;
} h3ou__cells;

static inline bool h3ou__cell_is_nowhere(const h3ou__cells *c, int64_t i)
{
    return c->nowhere && c->nowhere[i];
}

/* Copies centres, in radians, and the mask (NULL: all take part). H3OU__EARG names the first cell that takes part and
 * whose centre is not finite or lies beyond a pole. lon and lat may be NULL: then the centres are made from the corners or boxes. */
int h3ou__cells_create(const char *name, int64_t n, const double lon[], const double lat[], const int mask[],
                       h3ou__cells **out);
/* The same; bad (borrowed, or NULL): cells with bad centres are masked and listed there, and those with bad corners when
 * these are set. */
int h3ou__cells_create_masking(const char *name, int64_t n, const double lon[], const double lat[], const int mask[],
                               h3ou__bad_cells *bad, h3ou__cells **out);
/* Lists a cell, and masks it. */
int h3ou__cells_mask_bad(h3ou__cells *c, int64_t i, double lon, double lat, const char *why);
void h3ou__cells_free(h3ou__cells *c); /* NULL allowed */
/* Copies global numbers, which must ascend. Before corners or boxes. */
int h3ou__cells_number(h3ou__cells *c, const int64_t id[]);
/* Gives every cell up to most corners: corner k of cell i is at [i * most + k]. Cells with fewer corners repeat one, or
 * say how many they have in count (NULL: most). Neighbouring corners within 1e-10 of each other count as one. The
 * report is filled. The error names up to five bad cells. */
int h3ou__cells_set_corners(h3ou__cells *c, int most, const double lon[], const double lat[], const int count[],
                            int edges);
/* The same over a list of vertices, as UGRID and ESMF meshes give them: node[i * most + k], from 0; below 0: no more.
 */
int h3ou__cells_set_nodes(h3ou__cells *c, int64_t nnode, const double lon[], const double lat[], int most,
                          const int64_t node[], int edges);
/* A regular grid: dims[0] = nx, dims[1] = ny, cell numbers x + nx * y over the whole grid, of which this process may
 * hold a part (h3ou__cells_number first). With edges GREAT the boxes become polygons. bounds: [2 * nx], [2 * ny],
 * west and east, one and the other latitude of each column or row. Sets rank, dims, cyclic. */
int h3ou__cells_set_boxes(h3ou__cells *c, int64_t nx, int64_t ny, const double lon_bounds[], const double lat_bounds[],
                          int edges);
/* Centres of cells that came with corners only, or are nowhere and have corners: the mean of the corners' places. */
int h3ou__cells_centre_by_corners(h3ou__cells *c);
/* Back to cells without corners. */
void h3ou__cells_drop_corners(h3ou__cells *c);
/* Makes xyz; cheap when it is there. Not thread-safe. */
int h3ou__cells_places(h3ou__cells *c);
static inline int64_t h3ou__cell_id(const h3ou__cells *c, int64_t i)
{
    return c->id ? c->id[i] : i;
}
/* The local number of a global one, or -1. */
int64_t h3ou__cells_find(const h3ou__cells *c, int64_t id);
/* The same among the cells from first to end - 1. */
int64_t h3ou__cells_find_between(const h3ou__cells *c, int64_t id, int64_t first, int64_t end);
static inline bool h3ou__cells_have_corners(const h3ou__cells *c)
{
    return c->first || c->lon_west;
}
/* "17 cells are clockwise (first: 5), turned; ..." or "" */
char *h3ou__cell_report_text(const h3ou__cell_report *r, char *text, int size);

#endif
