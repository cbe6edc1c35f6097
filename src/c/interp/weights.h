/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights: links from source to target cells, and what each target cell was served by. */
#ifndef H3OU_INTERP_WEIGHTS_H
#define H3OU_INTERP_WEIGHTS_H

#include <stdint.h>

#include "interp/cells.h"

typedef struct h3ou__weights {
    int64_t n, room;
    int64_t *src, *dst; /* [n] cells, from 0; by target, and in the order of summation */
    double *coef;       /* [n] */
    int64_t ntarget;
    signed char *served; /* [ntarget] number of the method in the stack, -1: by none, -2: masked */
    char how[256];       /* "distance(n=4,power=2)" for the file */
} h3ou__weights;

int h3ou__weights_create(const h3ou__cells *target, h3ou__weights **out);
void h3ou__weights_free(h3ou__weights *w);
int h3ou__weights_add(h3ou__weights *w, int64_t src, int64_t dst, double coef);
/* Sorts by target, keeping the order inside one. */
int h3ou__weights_sort(h3ou__weights *w);

typedef struct h3ou__weights_facts {
    int64_t links, targets, served, unserved, masked;
    double least, most; /* coefficient */
    double row_misfit;  /* largest |sum of a row - 1| */
} h3ou__weights_facts;
void h3ou__weights_look(const h3ou__weights *w, h3ou__weights_facts *out);

/* What a method is asked to do, and with which options; it serves targets whose `served` is -1, and leaves what it
 * cannot. */
typedef struct h3ou__method_task {
    const h3ou__cells *source, *target;
    int number;     /* of the method in the stack */
    int neighbours; /* n nearest */
    double power;   /* of the inverse distance */
    h3ou__weights *weights;
} h3ou__method_task;

typedef struct h3ou__method {
    const char *name, *help;
    int (*make)(h3ou__method_task *task);
} h3ou__method;

extern const h3ou__method h3ou__method_nearest, h3ou__method_distance;

/* The table of methods, ended by a NULL. A new method is a new file and a line in methods.c. */
extern const h3ou__method *const h3ou__methods[];
/* A stack "distance,nearest": each method takes what the former left. */
int h3ou__weights_make(const char *stack, const h3ou__cells *source, const h3ou__cells *target, int neighbours,
                       double power, h3ou__weights **out);

#endif
