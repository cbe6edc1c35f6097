/* SPDX-License-Identifier: BSD-3-Clause */
/* Environment variables as checked numbers. */
#ifndef H3OU_BASE_ENV_H
#define H3OU_BASE_ENV_H

#include <stdint.h>

#pragma GCC visibility push(default)
/* Sets *out to the variable's value, or to fallback when it is unset or empty. H3OU__EENV, naming variable and value,
 * when it is not an integer or lies outside least..most. */
int h3ou__env_int(const char *name, int64_t least, int64_t most, int64_t fallback, int64_t *out);
/* The same for seconds and other real numbers, 0 or more. */
int h3ou__env_real(const char *name, double fallback, double *out);
#pragma GCC visibility pop

#endif
