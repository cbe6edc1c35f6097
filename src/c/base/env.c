/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/env.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"

int h3ou__env_int(const char *name, int64_t least, int64_t most, int64_t fallback, int64_t *out)
{
    const char *value = getenv(name);
    *out = fallback;
    if (!value || !*value)
        return H3OU__OK;
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (errno || *end || number < least || number > most)
        return h3ou__fail(H3OU__EENV, "%s=%s: must be a whole number from %" PRId64 " to %" PRId64, name, value, least,
                          most);
    *out = number;
    return H3OU__OK;
}

int h3ou__env_real(const char *name, double fallback, double *out)
{
    const char *value = getenv(name);
    *out = fallback;
    if (!value || !*value)
        return H3OU__OK;
    char *end;
    errno = 0;
    double number = strtod(value, &end);
    if (errno || *end || !isfinite(number) || number < 0)
        return h3ou__fail(H3OU__EENV, "%s=%s: must be a number, 0 or more", name, value);
    *out = number;
    return H3OU__OK;
}
