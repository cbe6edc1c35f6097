/* SPDX-License-Identifier: BSD-3-Clause */
/* The C face of the calls that give a grid its geometry. */
#include <stddef.h>

#include "api/context.h"
#include "base/error.h"

static int find_open_grid(h3ou_ctx *ctx, const char *call, const char *grid, h3ou__grid **out)
{
    int err = h3ou__ctx_check(ctx, call);
    if (!err)
        err = h3ou__name_check(call, "grid name", grid);
    return err ? err : h3ou__coupler_grid_open(ctx->coupler, call, grid, out);
}

static int check_array_given(const char *call, const void *array, int64_t n)
{
    return array || n == 0 ? H3OU_OK : h3ou__fail(H3OU__EARG, "%s: an array is missing", call);
}

int h3ou_grid_centres(h3ou_ctx *ctx, const char *grid, const double lon[], const double lat[], const char *units)
{
    h3ou__grid *g;
    int err = find_open_grid(ctx, "h3ou_grid_centres", grid, &g);
    if (!err && (err = check_array_given("h3ou_grid_centres", lon && lat ? lon : NULL, g->n)) == H3OU_OK)
        err = h3ou__geometry_centres(&g->geometry, grid, g->n, g->index, lon, lat, units ? units : "");
    return err;
}

int h3ou_grid_corners(h3ou_ctx *ctx, const char *grid, int most, const double lon[], const double lat[],
                      const char *units)
{
    h3ou__grid *g;
    int err = find_open_grid(ctx, "h3ou_grid_corners", grid, &g);
    if (!err && (err = check_array_given("h3ou_grid_corners", lon && lat ? lon : NULL, g->n)) == H3OU_OK)
        err = h3ou__geometry_corners(&g->geometry, grid, g->n, most, lon, lat, units ? units : "");
    return err;
}

int h3ou_grid_mask(h3ou_ctx *ctx, const char *grid, const int mask[])
{
    h3ou__grid *g;
    int err = find_open_grid(ctx, "h3ou_grid_mask", grid, &g);
    if (!err && (err = check_array_given("h3ou_grid_mask", mask, g->n)) == H3OU_OK)
        err = h3ou__geometry_mask(&g->geometry, grid, g->n, mask);
    return err;
}

int h3ou_grid_area(h3ou_ctx *ctx, const char *grid, const double area[])
{
    h3ou__grid *g;
    int err = find_open_grid(ctx, "h3ou_grid_area", grid, &g);
    if (!err && (err = check_array_given("h3ou_grid_area", area, g->n)) == H3OU_OK)
        err = h3ou__geometry_area(&g->geometry, grid, g->n, g->index, area);
    return err;
}

int h3ou_grid_angle(h3ou_ctx *ctx, const char *grid, const double angle[], const char *units)
{
    h3ou__grid *g;
    int err = find_open_grid(ctx, "h3ou_grid_angle", grid, &g);
    if (!err && (err = check_array_given("h3ou_grid_angle", angle, g->n)) == H3OU_OK)
        err = h3ou__geometry_angle(&g->geometry, grid, g->n, angle, units ? units : "");
    return err;
}

int h3ou_grid_shape(h3ou_ctx *ctx, const char *grid, int nx, int ny, int cyclic, int fold)
{
    h3ou__grid *g;
    int err = find_open_grid(ctx, "h3ou_grid_shape", grid, &g);
    return err ? err : h3ou__geometry_shape(&g->geometry, grid, nx, ny, cyclic != 0, fold != 0);
}

int h3ou_grid_edges(h3ou_ctx *ctx, const char *grid, const char *edges)
{
    h3ou__grid *g;
    int err = find_open_grid(ctx, "h3ou_grid_edges", grid, &g);
    return err ? err : h3ou__geometry_edges(&g->geometry, grid, edges ? edges : "");
}

int h3ou_grid_block(h3ou_ctx *ctx, const char *grid, int nx, int ny)
{
    h3ou__grid *g;
    int err = find_open_grid(ctx, "h3ou_grid_block", grid, &g);
    return err ? err : h3ou__block_set(&g->local, grid, g->n, nx, ny);
}

int h3ou_grid_positions(h3ou_ctx *ctx, const char *grid, int rank, const int shape[], const int position[])
{
    h3ou__grid *g;
    int err = find_open_grid(ctx, "h3ou_grid_positions", grid, &g);
    if (!err && (err = check_array_given("h3ou_grid_positions", shape && position ? shape : NULL, g->n)) == H3OU_OK)
        err = h3ou__positions_set(&g->positions, grid, g->n, g->index, shape ? rank : 0, shape, position);
    return err;
}

int h3ou_grid_halo(h3ou_ctx *ctx, const char *grid, const int halo[4])
{
    h3ou__grid *g;
    int err = find_open_grid(ctx, "h3ou_grid_halo", grid, &g);
    return err ? err : h3ou__block_set_halo(&g->local, grid, halo);
}
