/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The integrals of a field before and after remapping, of each exchange and layer. The receiving component computes both: a source
 * cell is counted by one of the processes that get its value, with the area that its owner told when the field was made. Sums are exact
 * (exact_sum.h), so they are the same for every decomposition.
 *
 * A source cell counts with its area times its share, as far as some row needs it, and a value that is missing does not count; values
 * are multiplied by the key `factor`, so that both integrals have the same units. A target cell that has a row counts with its
 * area times the part of the row's coefficients whose sources count, and times the fraction of the cell that the sources cover, where the
 * weights say so: those that are made by areas with norm='fracarea'. Areas are steradians.
 */
#ifndef H3OU_COUPLER_EXCHANGE_BUDGET_H
#define H3OU_COUPLER_EXCHANGE_BUDGET_H

#include "coupler/common/exact_sum.h"
#include "coupler/exchange/incoming.h"
#include "coupler/exchange/outgoing.h"

/* Sums of a layer: of values times areas, and of areas, on both grids; and of the sizes of values times areas on the target grid. */
enum h3ou__budget_sum { H3OU__SUM_SOURCE, H3OU__SUM_SOURCE_AREA, H3OU__SUM_TARGET, H3OU__SUM_TARGET_AREA, H3OU__SUM_SIZE, H3OU__BUDGET_SUMS };

/* Products are multiplied by that before they are added, so that huge values do not overflow. */
#define H3OU__BUDGET_SCALE 0x1p-8

typedef struct h3ou__budget {
    double *source_area;  /* [slot] 0 where another process counts the cell */
    double *covered;      /* [rows] the fraction of the target cell for which its value stands */
    h3ou__exact_sum *sum; /* [layer][H3OU__BUDGET_SUMS] of this process */
    h3ou__exact_sum *all; /* the same of the component, in the course of a correction */
    double corrected;     /* what was added to the integral of the exchange that came last */
    double correction;    /* conserve.h: by how much its cells were changed, of layer 0 */
    bool is_told;         /* a warning said that nothing could be corrected */
    double source_least, source_most, target_least, target_most; /* of this process; infinite without values */
} h3ou__budget;

/* The messages that tell the areas of a field's source cells. */
typedef struct h3ou__area_messages {
    int n;
    h3ou__req *req;
    double *area;
} h3ou__area_messages;

/* Sends the areas of the cells of a field, whose grid knows them, to the processes that get its values. */
int h3ou__budget_send_areas(const h3ou__outgoing *o, h3ou__area_messages *m);
/* Waits until they have left; frees m. */
int h3ou__budget_end_areas(h3ou__world *w, h3ou__area_messages *m);
/* Makes in->budget, and receives the areas. */
int h3ou__budget_create(h3ou__incoming *in);
void h3ou__budget_free(h3ou__budget *b); /* NULL allowed */
/* Computes the sums of this process from in->source and the target values data, [layer][n]. */
void h3ou__budget_measure(const h3ou__incoming *in, const double data[]);
/* Returns the part of the row's coefficients whose sources count in a layer; 0: the cell is missing. */
double h3ou__budget_part(const h3ou__incoming *in, int layer, int64_t row);
/* Returns a sum over all processes. */
double h3ou__budget_value(const h3ou__exact_sum *s);

#endif
