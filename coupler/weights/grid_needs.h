/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a grid has what the methods and the weights of a pair need: the sentences of a run and of h3ou check. */
#ifndef H3OU_COUPLER_WEIGHTS_GRID_NEEDS_H
#define H3OU_COUPLER_WEIGHTS_GRID_NEEDS_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/config/config.h"

/* What is known of the whole grid of a component. */
typedef struct h3ou__grid_facts {
    const char *component, *grid;
    int64_t cells;     /* that its processes hold */
    int64_t last;      /* their largest index */
    int64_t said;      /* cells of the shape that the model said; 0: none */
    bool has_centres, has_corners;
} h3ou__grid_facts;

/* Fails with H3OU__EARG when a method of the stack needs coordinates or corners that the grid does not have. */
int h3ou__grid_serves_methods(const h3ou__config_stack *stack, const h3ou__grid_facts *grid);
/* Fails with H3OU__EARG unless a file of weights is for that many cells. side: "source" or "target", of which the file has n;
 * is_told: the file describes its cells. A file that tells no grids may know fewer cells, since the last ones may have no
 * links; a model may leave cells out. */
int h3ou__grid_fits_weights(const char *file, const char *side, int64_t n, bool is_told, const h3ou__grid_facts *grid);

#endif
