/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods by name. */
#include <stddef.h>

#include "interp/method.h"

extern const h3ou__method h3ou__method_conservative;
extern const h3ou__method h3ou__method_nearest, h3ou__method_distance;

const h3ou__method *const h3ou__methods[] = {&h3ou__method_conservative, &h3ou__method_nearest, &h3ou__method_distance,
                                             NULL};
