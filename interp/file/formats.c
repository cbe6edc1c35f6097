/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/formats.h"

const h3ou__grid_format *const h3ou__grid_formats[] = {&h3ou__grid_scrip,
                                                       &h3ou__grid_ugrid,
                                                       &h3ou__grid_esmf,
                                                       &h3ou__grid_oasis,
                                                       &h3ou__grid_rotated,
                                                       &h3ou__grid_cf,
                                                       NULL};

const h3ou__weight_ops *const h3ou__weight_formats[H3OU__WEIGHT_FORMATS] = {
    [H3OU__SCRIP] = &h3ou__weight_scrip,
    [H3OU__ESMF] = &h3ou__weight_esmf,
    [H3OU__OASIS] = &h3ou__weight_oasis,
    [H3OU__YAC] = &h3ou__weight_yac,
};
