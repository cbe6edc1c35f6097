/* SPDX-License-Identifier: BSD-3-Clause */
/* An interpolation table as a process of a component gave it. Its entries are kept until its rows are listed, or its
 * pair is planned. */
#ifndef H3OU_COUPLER_WEIGHTS_WEIGHT_TABLE_H
#define H3OU_COUPLER_WEIGHTS_WEIGHT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"

typedef struct h3ou__pair_name { /* what identifies a pair of grids; borrowed strings */
    const char *send_comp, *send_grid, *recv_comp, *recv_grid;
    int tag;
} h3ou__pair_name;

typedef struct h3ou__table {
    char send_comp[H3OU__NAME + 1], send_grid[H3OU__NAME + 1];
    char recv_comp[H3OU__NAME + 1], recv_grid[H3OU__NAME + 1];
    int tag;
    int pair;    /* of the configuration, that this table is for; -1: none (pair_tables.h) */
    bool given;  /* arrays came with the call */
    bool spread; /* every process's entries count, not only rank 0's */
    bool rotated;     /* it turns vectors */
    bool is_planned;  /* h3ou__table_free_entries was called: nothing else is planned with it, and its pair stays */
    int64_t n;        /* entries that came; the arrays are NULL once they were freed */
    int *send, *recv; /* [n] global indices */
    double *coef;     /* [n] */
    double *turn;     /* [2 * n] cosine and sine of each entry's rotation, or NULL */
    struct h3ou__made_rows *made; /* rows of this process's own cells instead of entries, or NULL; owned */
} h3ou__table;

/* Copies the arrays (NULL: nothing given here; coef NULL: all 1). */
int h3ou__table_create(const h3ou__pair_name *name, const int send[], const int recv[], const double coef[], int64_t n,
                       bool spread, h3ou__table **out);
/* Copies the rotation of vectors, from the source's to the target's local frame, of a table just created. is_weighted: it
 * includes the coefficients. H3OU__EARG for a pair that is no cosine and sine, or not finite. */
int h3ou__table_rotate(h3ou__table *t, const double cosine[], const double sine[], bool is_weighted);
/* A table without arrays becomes a given one of rows that were made here (made_rows.h), and owns them. */
void h3ou__table_adopt(h3ou__table *t, struct h3ou__made_rows *made);
/* Frees the entries of a table whose rows are listed, or whose pair is planned. All else stays. */
void h3ou__table_free_entries(h3ou__table *t);
void h3ou__table_free(h3ou__table *t);
bool h3ou__table_is(const h3ou__table *t, const h3ou__pair_name *name);
/* Writes the pair's name, as "A/A_g -> B/B_g (mapping_tag 1)". Returns text. */
char *h3ou__pair_text(const h3ou__pair_name *name, char *text, int size);

#endif
