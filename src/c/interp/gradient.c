/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/gradient.h"

#include <stdlib.h>

void h3ou__gradient_free(h3ou__gradient *g)
{
    if (!g)
        return;
    free(g->cell);
    free(g->start);
    free(g->stencil);
    free(g->gx);
    free(g->gy);
    free(g->corner);
    free(g->cx);
    free(g->cy);
    free(g->link);
    free(g->of);
    free(g->share);
    free(g->dx);
    free(g->dy);
    free(g);
}
