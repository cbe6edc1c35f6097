/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be known of a coupled run before it starts, for the command h3ou check. */
#ifndef H3OU_COUPLER_CHECK_CONFIGURATION_CHECK_H
#define H3OU_COUPLER_CHECK_CONFIGURATION_CHECK_H

/* As h3ou_finding of h3ou.h. */
typedef void h3ou__finding(const char *kind, const char *text);

/* As h3ou_check_configuration of h3ou.h. */
int h3ou__configuration_check(const char *file, int n, const char *const name[], const double step[],
                              h3ou__finding *tell);

#endif
