/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is linked with libh3ou does not carry NetCDF and the libraries that NetCDF needs, unless a file is opened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "h3ou.h"

static int has_library(const char *name)
{
    char line[4096];
    int has = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps))
        has = has || strstr(line, name);
    fclose(maps);
    return has;
}

static void netcdf_is_not_loaded_with_libh3ou(void **state)
{
    (void)state;
    assert_non_null(h3ou_error());
    assert_true(has_library("libh3ou"));
    assert_false(has_library("libnetcdf"));
    assert_false(has_library("libhdf5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(netcdf_is_not_loaded_with_libh3ou),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
