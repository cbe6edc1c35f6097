/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <netcdf.h>

#include "base/error.h"
#include "interp/file/ncfile.h"

static void ok(int code)
{
    if (code)
        print_error("%s\n", nc_strerror(code));
    assert_int_equal(code, 0);
}

/* A regular grid of 8 x 4 whose field misses every third value; bad: what to spoil. */
static void write_field(const char *file, const char *bad)
{
    int nc, dim[2], lon, lat, field;
    double x[8], y[4], value[32], missing = -9e33;
    for (int i = 0; i < 8; i++)
        x[i] = 45.0 * i;
    for (int j = 0; j < 4; j++)
        y[j] = -67.5 + 45.0 * j;
    if (!strcmp(bad, "latitude"))
        y[3] = 120.0;
    if (!strcmp(bad, "nan"))
        x[5] = NAN;
    for (int i = 0; i < 32; i++)
        value[i] = i % 3 ? i : missing;
    ok(nc_create(file, NC_CLOBBER, &nc));
    ok(nc_def_dim(nc, "lat", 4, &dim[0]));
    ok(nc_def_dim(nc, "lon", 8, &dim[1]));
    ok(nc_def_var(nc, "lon", NC_DOUBLE, 1, &dim[1], &lon));
    ok(nc_def_var(nc, "lat", NC_DOUBLE, 1, &dim[0], &lat));
    ok(nc_def_var(nc, "t", NC_DOUBLE, 2, dim, &field));
    ok(nc_put_att_double(nc, field, "missing_value", NC_DOUBLE, 1, &missing));
    if (strcmp(bad, "units") != 0) {
        ok(nc_put_att_text(nc, lon, "units", 12, "degrees_east"));
        ok(nc_put_att_text(nc, lat, "units", 13, "degrees_north"));
    }
    ok(nc_enddef(nc));
    ok(nc_put_var_double(nc, lon, x));
    ok(nc_put_var_double(nc, lat, y));
    ok(nc_put_var_double(nc, field, value));
    ok(nc_close(nc));
}

static void a_field_s_coordinates_and_missing_values_are_a_grid(void **state)
{
    (void)state;
    h3ou__cells *c;
    write_field("field.nc", "");
    assert_int_equal(h3ou__gridfile_read("field.nc", &c), 0);
    assert_true(c->n == 32 && c->rank == 2 && c->dims[0] == 8 && c->dims[1] == 4);
    assert_true(fabs(c->lon[9] - 0.25 * 3.14159265358979323846) < 1e-15);
    for (int i = 0; i < 32; i++)
        assert_int_equal(c->mask[i], i % 3 != 0);
    h3ou__cells_free(c);
}

static void weights_survive_their_file(void **state)
{
    (void)state;
    h3ou__cells *c;
    h3ou__weights *w, *back;
    int64_t nsource;
    write_field("field.nc", "");
    ok(h3ou__gridfile_read("field.nc", &c));
    double lon[3] = {0.1, 2.0, 4.0}, lat[3] = {0.2, -1.0, 1.5};
    int mask[3] = {1, 0, 1};
    h3ou__cells *t;
    ok(h3ou__cells_create("targets", 3, lon, lat, mask, &t));
    ok(h3ou__weights_make("distance", c, t, 4, 2.0, &w));
    assert_int_equal(h3ou__weightfile_write("w.nc", w, c, t), 0);
    assert_int_equal(h3ou__weightfile_read("w.nc", &back, &nsource), 0);
    assert_true(nsource == 32 && back->n == w->n && back->ntarget == 3 && w->n == 8);
    assert_memory_equal(back->src, w->src, sizeof(int64_t) * 8);
    assert_memory_equal(back->dst, w->dst, sizeof(int64_t) * 8);
    assert_memory_equal(back->coef, w->coef, sizeof(double) * 8);
    assert_int_equal(back->served[1], -2);
    h3ou__weights_free(back);
    h3ou__weights_free(w);
    h3ou__cells_free(c);
    h3ou__cells_free(t);
}

static void says(const char *file, const char *sentence)
{
    h3ou__cells *c;
    int err = h3ou__gridfile_read(file, &c);
    assert_true(err == H3OU__EFILE || err == H3OU__EARG);
    if (!strstr(h3ou__fail_text(), sentence))
        print_error("said: %s\n", h3ou__fail_text());
    assert_non_null(strstr(h3ou__fail_text(), sentence));
    assert_non_null(strstr(h3ou__fail_text(), file));
}

static void bad_files_are_told_by_name(void **state)
{
    (void)state;
    says("absent.nc", "No such file");
    write_field("bad.nc", "latitude");
    says("bad.nc", "cell 25");
    write_field("bad.nc", "nan");
    says("bad.nc", "cell 6");
    write_field("bad.nc", "units");
    says("bad.nc", "no grid_center_lat");
    FILE *f = fopen("bad.nc", "wb");
    fputs("CDF\001 and then nothing of sense", f);
    fclose(f);
    says("bad.nc", "bad.nc");
    h3ou__weights *w;
    int64_t n;
    assert_int_equal(h3ou__weightfile_read("bad.nc", &w, &n), H3OU__EFILE);
    write_field("bad.nc", "");
    assert_int_equal(h3ou__weightfile_read("bad.nc", &w, &n), H3OU__EFILE);
    assert_non_null(strstr(h3ou__fail_text(), "not SCRIP weights"));
}

/* Every way to cut a weight file short is noticed or harmless. */
static void truncated_weights_are_no_weights(void **state)
{
    (void)state;
    h3ou__cells *c;
    h3ou__weights *w;
    int64_t n;
    write_field("field.nc", "");
    ok(h3ou__gridfile_read("field.nc", &c));
    ok(h3ou__weights_make("nearest", c, c, 1, 2.0, &w));
    ok(h3ou__weightfile_write("whole.nc", w, c, c));
    h3ou__weights_free(w);
    h3ou__cells_free(c);
    FILE *f = fopen("whole.nc", "rb");
    static char bytes[1 << 16];
    size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (size_t cut = 0; cut < size; cut += 97) {
        f = fopen("cut.nc", "wb");
        fwrite(bytes, 1, cut, f);
        fclose(f);
        int err = h3ou__weightfile_read("cut.nc", &w, &n);
        assert_true(err == H3OU__EFILE || err == H3OU__OK);
        if (!err)
            h3ou__weights_free(w);
        assert_true(cut > size / 2 || err == H3OU__EFILE);
    }
}

static void a_file_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    h3ou__cells *c;
    h3ou__weights *w;
    write_field("field.nc", "");
    ok(h3ou__gridfile_read("field.nc", &c));
    ok(h3ou__weights_make("nearest", c, c, 1, 2.0, &w));
    assert_int_equal(h3ou__weightfile_write("/dev/full/w.nc", w, c, c), H3OU__EFILE);
    assert_non_null(strstr(h3ou__fail_text(), "/dev/full/w.nc"));
    h3ou__weights_free(w);
    h3ou__cells_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_s_coordinates_and_missing_values_are_a_grid),
        cmocka_unit_test(weights_survive_their_file),
        cmocka_unit_test(bad_files_are_told_by_name),
        cmocka_unit_test(truncated_weights_are_no_weights),
        cmocka_unit_test(a_file_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
