/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/configuration_check.h"
#include "h3ou.h"

#include "base/error.h"

int h3ou_check_configuration(const char *file, int n, const char *const name[], const double step[], h3ou_finding *tell)
{
    if (!file || !tell || n < 0 || (n > 0 && (!name || !step)))
        return h3ou__fail(H3OU__EARG,
                          "h3ou_check_configuration: file or tell is NULL, or of %d components names or steps are", n);
    return h3ou__configuration_check(file, n, name, step, tell);
}
