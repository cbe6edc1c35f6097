/* SPDX-License-Identifier: BSD-3-Clause */
/* The components that a configuration names, compared with those of a run. */
#ifndef H3OU_COUPLER_CONFIG_COMPONENT_NAMES_H
#define H3OU_COUPLER_CONFIG_COMPONENT_NAMES_H

#include "coupler/config/config.h"

typedef struct h3ou__started {
    int n;
    const char *const *name; /* [n] of components, without members' numbers */
    const int *members;      /* [n] how many members each has */
    const char *hint;        /* what else may be the reason for a missing one, or "" */
} h3ou__started;

/* Fails with H3OU__ECONFIG when a pair of grids names a component that was not started, or none names one that was. */
int h3ou__component_names_check(const h3ou__config *config, const h3ou__started *started);

#endif
