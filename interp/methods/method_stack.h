/* SPDX-License-Identifier: BSD-3-Clause */
/* A stack of methods, as "distance(n=4,power=2),nearest" says it: each method takes the target cells that the former
 * left. The text is parsed once; what follows works on the parsed stack. */
#ifndef H3OU_INTERP_METHODS_METHOD_STACK_H
#define H3OU_INTERP_METHODS_METHOD_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "interp/grid/cells.h"
#include "interp/stencils/method.h"
#include "interp/weights/weights.h"

typedef struct h3ou__stack {
    int n;
    const h3ou__method *method[H3OU__STACK_MOST];
    h3ou__method_keys keys[H3OU__STACK_MOST];
    char text[H3OU__STACK_MOST][600]; /* of each method, with its keys, without blanks */
} h3ou__stack;

/* H3OU__ENAME for an unknown method or key, with the nearest known; H3OU__EARG for a bad value. */
int h3ou__stack_parse(const char *text, h3ou__stack *out);
/* The length of the first method in a stack's text, with its keys. */
size_t h3ou__stack_word(const char *text);
/* Gives a key to all methods that know it and whose text does not give it. Errors as of h3ou__stack_parse. */
int h3ou__stack_set_default(h3ou__stack *s, const char *key, const char *value);
/* Methods first..last-1 of s. */
void h3ou__stack_slice(const h3ou__stack *s, int first, int last, h3ou__stack *out);
/* The stack as text, without blanks; cut when it is longer than size - 1 characters. Returns text. */
char *h3ou__stack_text(const h3ou__stack *s, char text[], size_t size);
/* Writes the stack's name in files of weights (h3ou__method.map_method), which may be empty. */
void h3ou__stack_map_method(const h3ou__stack *s, char text[], size_t size);
/* Whose corners some method of the stack makes use of. */
void h3ou__stack_corners(const h3ou__stack *s, bool *source, bool *target);
/* The largest halo of the stack; below 0 when some method wants the nearest wherever it is. */
double h3ou__stack_halo(const h3ou__stack *s, double source_diameter);

/* Makes weights by the stack. Rows do not depend on threads, nor on which part of the source this process holds as long
 * as it reaches h3ou__stack_halo() around each target. */
int h3ou__weights_make(const h3ou__stack *stack, h3ou__cells *source, h3ou__cells *target,
                       const h3ou__weights_options *options, h3ou__weights **out);

#endif
