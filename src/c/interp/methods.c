/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods by name. */
#include <stddef.h>

#include "interp/method.h"

extern const h3ou__method h3ou__method_conservative;
extern const h3ou__method h3ou__method_nearest, h3ou__method_distance, h3ou__method_average, h3ou__method_gauss;
extern const h3ou__method h3ou__method_bilinear, h3ou__method_barycentric;
extern const h3ou__method h3ou__method_radial, h3ou__method_value;

const h3ou__method *const h3ou__methods[] = {&h3ou__method_conservative, &h3ou__method_nearest,
                                             &h3ou__method_distance,     &h3ou__method_average,
                                             &h3ou__method_gauss,        &h3ou__method_bilinear,
                                             &h3ou__method_barycentric,  &h3ou__method_radial,
                                             &h3ou__method_value,        NULL};
