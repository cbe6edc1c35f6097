/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights by a stack that is given as text. */
#ifndef H3OU_TEST_STACKS_H
#define H3OU_TEST_STACKS_H

#include "interp/methods/method_stack.h"

static inline int make_weights(const char *text, h3ou__cells *source, h3ou__cells *target,
                               const h3ou__weights_options *options, h3ou__weights **out)
{
    h3ou__stack stack;
    int err = h3ou__stack_parse(text, &stack);
    return err ? err : h3ou__weights_make(&stack, source, target, options, out);
}

#endif
