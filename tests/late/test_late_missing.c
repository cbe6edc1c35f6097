/* SPDX-License-Identifier: BSD-3-Clause */
/* Without NetCDF's library a file cannot be opened, and the error says what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <netcdf.h>

static void without_the_library_files_are_not_opened(void **state)
{
    int file = -1;
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(nc_open("/dev/null", NC_NOWRITE, &file), NC_ENOTBUILT);
        assert_int_equal(nc_create("/nowhere/file.nc", NC_CLOBBER, &file), NC_ENOTBUILT);
        assert_int_equal(file, -1);
    }
    assert_non_null(strstr(nc_strerror(NC_ENOTBUILT), "NetCDF's library cannot be loaded: "));
    assert_non_null(strstr(nc_strerror(NC_ENOTBUILT), "libnetcdf-of-nobody.so"));
    assert_non_null(strstr(nc_strerror(NC_ENOTBUILT), "LD_LIBRARY_PATH"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_the_library_files_are_not_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
