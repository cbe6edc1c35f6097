/* SPDX-License-Identifier: BSD-3-Clause */
/* Small NetCDF files for the tests of grids and weights. */
#ifndef H3OU_TESTS_FILE_SAMPLES_H
#define H3OU_TESTS_FILE_SAMPLES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <netcdf.h>

#include "base/error.h"
#include "interp/file/gridfile.h"
#include "interp/file/weightfile.h"
#include "interp/sphere/angles.h"
#include "tests/lib/stride.h"

static const double PI = H3OU__PI;

static inline void ok(int code)
{
    if (code)
        print_error("%s; %s\n", nc_strerror(code), h3ou__fail_text());
    assert_int_equal(code, 0);
}

static inline void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        print_error("%.17g is not %.17g within %g\n", a, b, tolerance);
    assert_true(fabs(a - b) <= tolerance);
}

static inline void says(int err, const char *file, const char *sentence)
{
    assert_true(err == H3OU__EFILE || err == H3OU__EARG);
    if (!strstr(h3ou__fail_text(), sentence) || !strstr(h3ou__fail_text(), file))
        print_error("said: %s\nawaited: %s\n", h3ou__fail_text(), sentence);
    assert_non_null(strstr(h3ou__fail_text(), sentence));
    assert_non_null(strstr(h3ou__fail_text(), file));
}

static inline int create(const char *file)
{
    int nc;
    ok(nc_create(file, NC_CLOBBER, &nc));
    return nc;
}

static inline int dim(int nc, const char *name, size_t n)
{
    int id;
    ok(nc_def_dim(nc, name, n, &id));
    return id;
}

/* A variable of one or two dimensions (d1 < 0: one); units may be NULL. */
static inline int var(int nc, const char *name, nc_type type, int d0, int d1, const char *units)
{
    int id, d[2] = {d0, d1};
    ok(nc_def_var(nc, name, type, d1 < 0 ? 1 : 2, d, &id));
    if (units)
        ok(nc_put_att_text(nc, id, "units", strlen(units), units));
    return id;
}

static inline void text(int nc, int id, const char *name, const char *value)
{
    ok(nc_put_att_text(nc, id, name, strlen(value), value));
}

static inline char *slurp(const char *file, size_t *size)
{
    FILE *f = fopen(file, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static inline void spill(const char *file, const char *bytes, size_t size)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

/* Reads as grid and as weights; what matters is that nothing crashes and an error names the file. */
static inline bool readable(const char *file)
{
    h3ou__cells *c = NULL;
    h3ou__weightfile w;
    bool any = false;
    int err = h3ou__gridfile_read(file, H3OU__EDGES_DEFAULT, &c);
    if (!err) {
        h3ou__cells_free(c);
        any = true;
    } else
        assert_true(err == H3OU__ENOMEM || strstr(h3ou__fail_text(), file));
    if ((err = h3ou__weightfile_read(file, &w)) == H3OU__OK) {
        h3ou__weightfile_free(&w);
        any = true;
    } else
        assert_true(err == H3OU__ENOMEM || strstr(h3ou__fail_text(), file));
    return any;
}

/* No cut is taken for the whole, no flipped byte is fatal. */
static inline void endures(const char *file)
{
    size_t size;
    char *bytes = slurp(file, &size), other[64];
    snprintf(other, sizeof other, "hurt_%s", file);
    assert_true(readable(file));
    for (size_t cut = 1; cut < size; cut += (cut < 64 ? 1 : cut / 16) * (size_t)test_stride()) {
        spill(other, bytes, size - cut);
        if (readable(other) && cut > 3)
            print_error("%s: %zu of %zu bytes are enough\n", file, size - cut, size);
        assert_true(cut <= 3 || !readable(other));
    }
    uint64_t seed = 88172645463325252u;
    for (int k = 0; k < 200; k += test_stride()) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        size_t at = seed % (k % 2 ? size : size < 900 ? size : 900); /* half of them in the header */
        char old = bytes[at];
        bytes[at] = (char)(old ^ (1 << (seed >> 40) % 8));
        spill(other, bytes, size);
        (void)readable(other);
        bytes[at] = old;
    }
    free(bytes);
}

#endif
