/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "file_samples.h"
#include "interp/file/formats.h"
#include "stacks.h"

static h3ou__cells *regular(int nx, int ny, const char *name)
{
    h3ou__cells *c;
    double lon[64], lat[32];
    int mask[512];
    for (int i = 0; i < nx; i++) {
        lon[2 * i] = 2 * PI * i / nx;
        lon[2 * i + 1] = 2 * PI * (i + 1) / nx;
    }
    for (int j = 0; j < ny; j++) {
        lat[2 * j] = -PI / 2 + PI * j / ny;
        lat[2 * j + 1] = -PI / 2 + PI * (j + 1) / ny;
    }
    for (int i = 0; i < nx * ny; i++)
        mask[i] = i % 7 != 3;
    ok(h3ou__cells_create(name, nx * ny, NULL, NULL, mask, &c));
    ok(h3ou__cells_set_boxes(c, nx, ny, lon, lat, H3OU__EDGES_DEFAULT));
    return c;
}

typedef struct sample {
    h3ou__cells *a, *b;
    h3ou__weights *w;
} sample;

static sample make(const char *stack, int norm, bool limit)
{
    sample s = {regular(12, 6, "coarse"), regular(20, 10, "fine"), NULL};
    h3ou__weights_options options = {.norm = norm, .limit = limit, .threads = 1};
    ok(make_weights(stack, s.a, s.b, &options, &s.w));
    return s;
}

static void release(sample *s)
{
    h3ou__weights_free(s->w);
    h3ou__cells_free(s->a);
    h3ou__cells_free(s->b);
}

static void same_doubles(const double *a, const double *b, int64_t n)
{
    assert_true((a != NULL) == (b != NULL));
    for (int64_t i = 0; a && i < n; i++)
        assert_true(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])));
}

static void same_gradients(const h3ou__gradient *a, const h3ou__gradient *b)
{
    assert_true(a->ncell == b->ncell && a->nrow == b->nrow);
    size_t n = (size_t)a->ncell, stencils = (size_t)a->start[n], links = (size_t)a->link[a->nrow];
    assert_memory_equal(a->cell, b->cell, sizeof *a->cell * n);
    assert_memory_equal(a->start, b->start, sizeof *a->start * (n + 1));
    assert_memory_equal(a->corner, b->corner, sizeof *a->corner * (n + 1));
    assert_memory_equal(a->stencil, b->stencil, sizeof *a->stencil * stencils);
    assert_memory_equal(a->link, b->link, sizeof *a->link * (size_t)(a->nrow + 1));
    assert_memory_equal(a->of, b->of, sizeof *a->of * links);
    same_doubles(a->gx, b->gx, (int64_t)stencils);
    same_doubles(a->gy, b->gy, (int64_t)stencils);
    same_doubles(a->cx, b->cx, a->corner[n]);
    same_doubles(a->cy, b->cy, a->corner[n]);
    same_doubles(a->share, b->share, (int64_t)links);
    same_doubles(a->dx, b->dx, (int64_t)links);
    same_doubles(a->dy, b->dy, (int64_t)links);
}

static void same_weights(const h3ou__weights *a, const h3ou__weights *b)
{
    assert_true(a->nsource == b->nsource && a->ntarget == b->ntarget && a->conserves == b->conserves);
    assert_true(!a->conserves || a->norm == b->norm);
    assert_string_equal(a->how, b->how);
    size_t links = (size_t)a->start[a->ntarget];
    assert_memory_equal(a->start, b->start, sizeof *a->start * (size_t)(a->ntarget + 1));
    assert_memory_equal(a->src, b->src, sizeof *a->src * links);
    same_doubles(a->coef, b->coef, (int64_t)links);
    assert_memory_equal(a->served, b->served, (size_t)a->ntarget);
    same_doubles(a->frac, b->frac, a->ntarget);
    same_doubles(a->fixed, b->fixed, a->ntarget);
    same_doubles(a->source_area, b->source_area, a->nsource);
    same_doubles(a->target_area, b->target_area, a->ntarget);
    assert_true((a->gradient != NULL) == (b->gradient != NULL));
    if (a->gradient)
        same_gradients(a->gradient, b->gradient);
}

/* Formats whose files have all that h3ou knows of weights. */
static bool holds_all(int format)
{
    return h3ou__weight_formats[format]->holds_fixed && h3ou__weight_formats[format]->holds_gradient;
}

static void weights_survive_their_files(void **state)
{
    (void)state;
    static const char *const stack[] = {
        "conservative", "conservative,nearest", "conservative,value(value=4)", "distance(n=3)",
        "nearest",      "conservative2",        "laf"};
    for (int format = 0; h3ou__weight_formats[format]; format++)
        for (int k = 0; k < 7 && holds_all(format); k++)
            for (int norm = H3OU__FRACAREA; norm <= H3OU__DESTAREA; norm++) {
                sample s = make(stack[k], norm, k == 5);
                h3ou__weightfile f;
                ok(h3ou__weightfile_write("w.nc", h3ou__weight_formats[format], s.w, s.a, s.b));
                ok(h3ou__weightfile_read("w.nc", &f));
                assert_ptr_equal(f.format, h3ou__weight_formats[format]);
                assert_true(k != 5 || s.w->gradient);
                assert_true(k != 2 || s.w->fixed);
                same_weights(s.w, f.weights);
                assert_true(f.source->rank == 2 && f.source->dims[0] == 12 && f.target->dims[1] == 10);
                assert_memory_equal(f.target->mask, s.b->mask, 200);
                ok(h3ou__weightfile_fits("w.nc", "source", f.source, f.weights->nsource, s.a));
                ok(h3ou__weightfile_fits("w.nc", "target", f.target, f.weights->ntarget, s.b));
                h3ou__weightfile_free(&f);
                if (norm == 0 && (k == 2 || k == 5))
                    endures("w.nc");
                release(&s);
            }
}

static void read_side(const char *name, double *out)
{
    int nc, id;
    ok(nc_open("w.nc", NC_NOWRITE, &nc));
    ok(nc_inq_varid(nc, name, &id));
    ok(nc_get_var_double(nc, id, out));
    ok(nc_close(nc));
}

/* Targets are masked here and there, so some sources are covered in part: area is the same seen from both sides. */
static void shares_of_sources_add_up(void **state)
{
    (void)state;
    for (int norm = H3OU__FRACAREA; norm <= H3OU__DESTAREA; norm++) {
        sample s = make("conservative,nearest", norm, false);
        double frac[72], given = 0, taken = 0;
        ok(h3ou__weightfile_write("w.nc", &h3ou__weight_scrip, s.w, s.a, s.b));
        read_side("src_grid_frac", frac);
        for (int i = 0; i < 72; i++) {
            assert_true(frac[i] >= 0 && frac[i] <= 1 && (s.a->mask[i] || frac[i] == 0));
            given += frac[i] * s.w->source_area[i];
        }
        for (int i = 0; i < 200; i++)
            taken += s.w->served[i] == 0 ? s.w->frac[i] * s.w->target_area[i] : 0;
        near(given, taken, 1e-12);
        release(&s);
    }
}

static void no_links_are_weights_too(void **state)
{
    (void)state;
    h3ou__cells *a = regular(4, 2, "a"), *b = regular(4, 2, "b");
    h3ou__weights *w;
    h3ou__weightfile f;
    ok(h3ou__weights_create(8, 8, b->mask, &w));
    ok(h3ou__weights_finish(w));
    for (int format = 0; h3ou__weight_formats[format]; format++) {
        if (!holds_all(format))
            continue;
        ok(h3ou__weightfile_write("none.nc", h3ou__weight_formats[format], w, a, b));
        ok(h3ou__weightfile_read("none.nc", &f));
        assert_true(f.weights->start[8] == 0 && f.weights->served[3] == H3OU__MASKED &&
                    f.weights->served[0] == H3OU__BY_NONE);
        h3ou__weightfile_free(&f);
    }
    h3ou__weights_free(w);
    h3ou__cells_free(a);
    h3ou__cells_free(b);
}

static void what_does_not_fit_is_told(void **state)
{
    (void)state;
    sample s = make("nearest", 0, false);
    h3ou__weightfile f;
    ok(h3ou__weightfile_write("w.nc", &h3ou__weight_scrip, s.w, s.a, s.b));
    ok(h3ou__weightfile_read("w.nc", &f));
    says(h3ou__weightfile_fits("w.nc", "source", f.source, 72, s.b), "w.nc",
         "its source has 72 cells, the grid fine has 200");
    s.b->mask[8] = 0;
    says(h3ou__weightfile_fits("w.nc", "target", f.target, 200, s.b), "w.nc",
         "cell 9 of its target is not masked, in the grid fine it is masked");
    s.b->mask[8] = 1;
    s.b->lat[10] += 0.01 * PI / 180;
    says(h3ou__weightfile_fits("w.nc", "target", f.target, 200, s.b), "w.nc", "cell 11 of its target");
    says(h3ou__weightfile_fits("w.nc", "target", f.target, 200, s.b), "w.nc", "0.01 degrees from where");
    s.b->lat[10] -= 0.01 * PI / 180;
    s.b->lon[10] += 2 * PI; /* the same place */
    ok(h3ou__weightfile_fits("w.nc", "target", f.target, 200, s.b));
    ok(h3ou__weightfile_fits("w.nc", "target", NULL, 200, s.b));
    says(h3ou__weightfile_fits("w.nc", "target", NULL, 201, s.b), "w.nc", "201 cells");
    h3ou__weightfile_free(&f);
    release(&s);
}

/* Weights of 2 source and 3 target cells as OASIS gives them; bad: what to spoil. */
static void write_oasis(const char *file, const char *bad, size_t wgts)
{
    int nc = create(file), links = dim(nc, "num_links", 3), wide = dim(nc, "num_wgts", wgts);
    if (strcmp(bad, "size") != 0)
        dim(nc, "src_grid_size", 2);
    dim(nc, "dst_grid_size", 3);
    int src = var(nc, "src_address", NC_INT, links, -1, NULL), dst = var(nc, "dst_address", NC_INT, links, -1, NULL);
    int matrix = var(nc, "remap_matrix", NC_DOUBLE, links, wide, NULL);
    text(nc, NC_GLOBAL, "source_grid", "torc");
    text(nc, NC_GLOBAL, "dest_grid", "lmdz");
    text(nc, NC_GLOBAL, "map_method", "Conservative remapping");
    const int order = 2;
    if (!strcmp(bad, "second"))
        ok(nc_put_att_int(nc, NC_GLOBAL, "remap_order", NC_INT, 1, &order));
    ok(nc_enddef(nc));
    const int from[3] = {2, 1, 1};
    int to[3] = {3, 3, 1};
    double coef[12] = {0};
    for (size_t i = 0; i < 3; i++)
        coef[i * wgts] = 0.25 * (double)(i + 1);
    if (!strcmp(bad, "beyond"))
        to[1] = 4;
    if (!strcmp(bad, "zero") || !strcmp(bad, "padding"))
        to[2] = 0;
    if (!strcmp(bad, "padding"))
        coef[2 * wgts] = 0;
    if (!strcmp(bad, "nan"))
        coef[2 * wgts] = NAN;
    ok(nc_put_var_int(nc, src, from));
    ok(nc_put_var_int(nc, dst, to));
    ok(nc_put_var_double(nc, matrix, coef));
    ok(nc_close(nc));
}

static void refuses(const char *file, const char *sentence)
{
    h3ou__weightfile f;
    int err = h3ou__weightfile_read(file, &f);
    assert_int_equal(err, H3OU__EFILE);
    says(err, file, sentence);
}

static void oasis_weights_are_read(void **state)
{
    (void)state;
    for (size_t wgts = 1; wgts <= 3; wgts += 2) {
        h3ou__weightfile f;
        write_oasis("rmp.nc", "", wgts);
        ok(h3ou__weightfile_read("rmp.nc", &f));
        const h3ou__weights *w = f.weights;
        assert_true(f.format == &h3ou__weight_oasis && w->nsource == 2 && w->ntarget == 3 && !f.source && !f.target);
        assert_true(w->start[1] == 1 && w->start[2] == 1 && w->start[3] == 3 && w->src[1] == 0 && w->src[2] == 1);
        assert_true(w->coef[0] == 0.75 && w->coef[1] == 0.5 && w->coef[2] == 0.25 && w->conserves);
        assert_true(w->served[0] == 0 && w->served[1] == H3OU__BY_NONE);
        h3ou__weightfile_free(&f);
        endures("rmp.nc");
    }
    h3ou__weightfile padded; /* the last link has address 0 and coefficient 0 */
    write_oasis("padded.nc", "padding", 1);
    ok(h3ou__weightfile_read("padded.nc", &padded));
    assert_true(padded.weights->start[1] == 0 && padded.weights->start[3] == 2 && padded.weights->coef[1] == 0.25);
    h3ou__weightfile_free(&padded);
    write_oasis("bad.nc", "beyond", 1);
    refuses("bad.nc", "dst_address: link 2 goes to cell 4, the target has 3");
    write_oasis("bad.nc", "zero", 1);
    refuses("bad.nc", "dst_address: link 3 goes to cell 0");
    write_oasis("bad.nc", "nan", 1);
    refuses("bad.nc", "remap_matrix: link 3 has the coefficient nan");
    write_oasis("bad.nc", "size", 1);
    refuses("bad.nc", "src_grid_size");
    write_oasis("bad.nc", "second", 3);
    refuses("bad.nc", "multiply gradients");
    write_oasis("bad.nc", "", 4);
    refuses("bad.nc", "has 4 coefficients a link");
}

static void write_yac(const char *file, bool links, size_t fields, int last)
{
    int nc = create(file), many = dim(nc, "num_src_fields", fields), fixed = dim(nc, "num_fixed_values", 2);
    int cells = dim(nc, "num_fixed_dst", 3), n = dim(nc, "num_links", 3), one = dim(nc, "num_wgts", 1);
    int v[7] = {var(nc, "fixed_values", NC_DOUBLE, fixed, -1, NULL),
                var(nc, "num_dst_per_fixed_value", NC_INT, fixed, -1, NULL),
                var(nc, "dst_address_fixed", NC_INT, cells, -1, NULL),
                var(nc, "src_address", NC_INT, n, -1, NULL),
                var(nc, "dst_address", NC_INT, n, -1, NULL),
                var(nc, "remap_matrix", NC_DOUBLE, n, one, NULL),
                var(nc, "num_links_per_src_field", NC_INT, many, -1, NULL)};
    text(nc, NC_GLOBAL, "version", "yac weight file 1.0");
    text(nc, NC_GLOBAL, "contains_links", links ? "TRUE" : "FALSE");
    text(nc, NC_GLOBAL, "contains_fixed_dst", "TRUE");
    ok(nc_enddef(nc));
    const double value[2] = {-1.5, 300}, coef[3] = {0.5, 0.5, 1};
    const int count[2] = {1, 2}, target[3] = {2, 6, last}, src[3] = {9, 4, 1}, dst[3] = {1, 1, 4}, all[2] = {3, 0};
    ok(nc_put_var_double(nc, v[0], value));
    ok(nc_put_var_int(nc, v[1], count));
    ok(nc_put_var_int(nc, v[2], target));
    ok(nc_put_var_int(nc, v[3], src));
    ok(nc_put_var_int(nc, v[4], dst));
    ok(nc_put_var_double(nc, v[5], coef));
    ok(nc_put_var_int(nc, v[6], all));
    ok(nc_close(nc));
}

static void yac_weights_are_read(void **state)
{
    (void)state;
    h3ou__weightfile f;
    write_yac("yac.nc", true, 1, 5);
    ok(h3ou__weightfile_read("yac.nc", &f));
    const h3ou__weights *w = f.weights;
    assert_true(f.format == &h3ou__weight_yac && w->nsource == 9 && w->ntarget == 6 && !f.source);
    assert_true(w->start[1] == 2 && w->start[3] == 2 && w->start[6] == 3 && w->src[0] == 3 && w->src[1] == 8);
    assert_true(w->fixed[1] == -1.5 && w->fixed[5] == 300 && w->fixed[4] == 300 && isnan(w->fixed[0]));
    assert_true(w->served[0] == 0 && w->served[1] == 1 && w->served[2] == H3OU__BY_NONE && w->served[5] == 1);
    h3ou__weightfile_free(&f);
    endures("yac.nc");
    write_yac("yac.nc", false, 1, 5);
    ok(h3ou__weightfile_read("yac.nc", &f));
    assert_true(f.weights->start[6] == 0 && f.weights->fixed[1] == -1.5 && f.weights->ntarget == 6);
    h3ou__weightfile_free(&f);
    write_yac("bad.nc", true, 1, 4);
    refuses("bad.nc", "dst_address_fixed: cell 4 has links, too");
    write_yac("bad.nc", true, 2, 5);
    refuses("bad.nc", "links of 2 source fields");
}

/* A file without sizes learns from the grids that the last cells have no links. */
static void last_cells_may_be_unused(void **state)
{
    (void)state;
    h3ou__weightfile f;
    h3ou__cells *a = regular(4, 3, "a"), *b = regular(5, 2, "b");
    write_yac("yac.nc", true, 1, 5);
    ok(h3ou__weightfile_read("yac.nc", &f));
    ok(h3ou__weightfile_complete(&f, a, b));
    const h3ou__weights *w = f.weights;
    assert_true(w->nsource == 12 && w->ntarget == 10 && w->start[10] == 3 && isnan(w->fixed[9]) && w->frac[9] == 0);
    assert_true(w->served[9] == H3OU__BY_NONE && w->served[5] == 1 && b->mask[3] == 0 && w->served[3] == 0);
    for (int format = 0; h3ou__weight_formats[format]; format++) {
        int err = h3ou__weightfile_write("unused.nc", h3ou__weight_formats[format], w, a, b);
        assert_int_equal(err, h3ou__weight_formats[format]->holds_fixed ? H3OU__OK : H3OU__EARG);
    }
    says(H3OU__EARG, "unused.nc", "the format oasis can't hold cells of fixed values: write scrip or esmf");
    h3ou__weightfile_free(&f);
    h3ou__cells_free(a);
    h3ou__cells_free(b);
}

/* What a format writes is recognised as its own, and has the same links. The commands take the names of this table. */
static void every_format_knows_its_files(void **state)
{
    (void)state;
    sample s = make("distance(n=3)", 0, false);
    char names[H3OU__WEIGHT_FORMAT_NAMES], name[32];
    h3ou__weight_format_names(names);
    for (int format = 0; h3ou__weight_formats[format]; format++) {
        h3ou__weightfile f;
        ok(h3ou__weightfile_write("w.nc", h3ou__weight_formats[format], s.w, s.a, s.b));
        ok(h3ou__weightfile_read("w.nc", &f));
        assert_ptr_equal(f.format, h3ou__weight_formats[format]);
        assert_int_equal(f.weights->start[f.weights->ntarget], s.w->start[s.w->ntarget]);
        same_doubles(f.weights->coef, s.w->coef, s.w->start[s.w->ntarget]);
        snprintf(name, sizeof name, "%s%s", format ? "|" : "", h3ou__weight_formats[format]->name);
        assert_non_null(strstr(names, name));
        h3ou__weightfile_free(&f);
    }
    release(&s);
}

static const char *map_method(const char *file)
{
    static char text[100];
    int nc;
    size_t length = 0;
    ok(nc_open(file, NC_NOWRITE, &nc));
    ok(nc_inq_attlen(nc, NC_GLOBAL, "map_method", &length));
    assert_true(length < sizeof text);
    memset(text, 0, sizeof text);
    ok(nc_get_att_text(nc, NC_GLOBAL, "map_method", text));
    ok(nc_close(nc));
    return text;
}

/* CDO decides by the attribute map_method how it applies the rows: of several methods only some go by the first's name. */
static void files_name_the_method_in_words_of_cdo(void **state)
{
    (void)state;
    static const char *const named[][2] = {
        {"conservative,nearest", "Conservative remapping using clipping on sphere"},
        {"conservative2", "Conservative remapping using clipping on sphere"},
        {"bilinear", "Bilinear remapping"},
        {"bilinear,nearest", "Bilinear remapping"},
        {"laf", "Largest area fraction"},
        {"laf,nearest", "Distance weighted avg of nearest neighbors"},
        {"nearest", "Nearest neighbor"},
        {"barycentric", "Distance weighted avg of nearest neighbors"},
    };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        sample s = make(named[i][0], 0, false);
        h3ou__weightfile f;
        ok(h3ou__weightfile_write("w.nc", &h3ou__weight_esmf, s.w, s.a, s.b));
        assert_string_equal(map_method("w.nc"), named[i][1]);
        ok(h3ou__weightfile_read("w.nc", &f)); /* also when they are written again */
        ok(h3ou__weightfile_write("w2.nc", &h3ou__weight_scrip, f.weights, s.a, s.b));
        assert_string_equal(map_method("w2.nc"), named[i][1]);
        h3ou__weightfile_free(&f);
        release(&s);
    }
}

/* Only row, col and S, as xESMF keeps weights. */
static void bare_esmf_weights_are_read(void **state)
{
    (void)state;
    h3ou__weightfile f;
    int nc = create("bare.nc"), n = dim(nc, "n_s", 2);
    int row = var(nc, "row", NC_INT, n, -1, NULL), col = var(nc, "col", NC_INT, n, -1, NULL);
    int s = var(nc, "S", NC_DOUBLE, n, -1, NULL);
    const int to[2] = {5, 2}, from[2] = {1, 7};
    const double coef[2] = {1, 2};
    ok(nc_enddef(nc));
    ok(nc_put_var_int(nc, row, to));
    ok(nc_put_var_int(nc, col, from));
    ok(nc_put_var_double(nc, s, coef));
    ok(nc_close(nc));
    ok(h3ou__weightfile_read("bare.nc", &f));
    assert_true(f.format == &h3ou__weight_esmf && f.weights->nsource == 7 && f.weights->ntarget == 5);
    assert_true(f.weights->start[5] == 2 && f.weights->src[0] == 6 && f.weights->coef[0] == 2);
    h3ou__weightfile_free(&f);
}

static void bad_files_are_told_by_name(void **state)
{
    (void)state;
    refuses("absent.nc", "No such file");
    int nc = create("other.nc");
    dim(nc, "x", 3);
    ok(nc_close(nc));
    refuses("other.nc", "these are no weights");
    sample s = make("nearest", 0, false);
    sample limited = make("conservative2", 0, true);
    assert_int_equal(h3ou__weightfile_write("w.nc", &h3ou__weight_yac, limited.w, limited.a, limited.b), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "the format yac can't hold what limits the second order"));
    release(&limited);
    assert_int_equal(h3ou__weightfile_write("w.nc", &h3ou__weight_scrip, s.w, s.b, s.a), H3OU__EARG);
    assert_int_equal(h3ou__weightfile_write("/dev/full/w.nc", &h3ou__weight_scrip, s.w, s.a, s.b), H3OU__EFILE);
    assert_non_null(strstr(h3ou__fail_text(), "/dev/full/w.nc"));
    release(&s);
}

/* A file system of 16 kB, where this process may mount one. */
static void a_full_disk_leaves_no_file(void **state)
{
    (void)state;
    char name[] = "small_XXXXXX", file[64];
    assert_non_null(mkdtemp(name));
    if (mount("none", name, "tmpfs", 0, "size=16k") != 0) {
        print_message("can't mount a small file system here: skipped\n");
        assert_int_equal(rmdir(name), 0);
        skip();
    }
    sample s = make("distance(n=4)", 0, false);
    snprintf(file, sizeof file, "%s/w.nc", name);
    int err = h3ou__weightfile_write(file, &h3ou__weight_scrip, s.w, s.a, s.b);
    bool told = strstr(h3ou__fail_text(), file) && strstr(h3ou__fail_text(), "No space left");
    release(&s);
    int left = 0;
    DIR *d = opendir(name);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        left += e->d_name[0] != '.';
    if (d)
        closedir(d);
    int gone = umount(name);
    assert_int_equal(err, H3OU__EFILE);
    if (!told)
        print_error("said: %s\n", h3ou__fail_text());
    assert_true(d && told && left == 0 && gone == 0);
    assert_int_equal(rmdir(name), 0);
}

/* An older file stays until the new one is whole, and no half one lies beside. */
static void an_older_file_stays_when_writing_fails(void **state)
{
    (void)state;
    sample s = make("nearest", 0, false);
    assert_int_equal(mkdir("kept", 0700), 0);
    spill("kept/w.nc", "old", 3);
    assert_int_equal(mkdir("kept/d.nc", 0700), 0); /* can't be replaced by a file */
    assert_int_equal(h3ou__weightfile_write("kept/d.nc", &h3ou__weight_scrip, s.w, s.a, s.b), H3OU__EFILE);
    ok(h3ou__weightfile_write("kept/w.nc", &h3ou__weight_scrip, s.w, s.a, s.b));
    assert_int_equal(remove("kept/w.nc"), 0);
    assert_int_equal(rmdir("kept/d.nc"), 0);
    assert_int_equal(rmdir("kept"), 0); /* fails when anything is left in it */
    release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_survive_their_files),
        cmocka_unit_test(shares_of_sources_add_up),
        cmocka_unit_test(no_links_are_weights_too),
        cmocka_unit_test(what_does_not_fit_is_told),
        cmocka_unit_test(oasis_weights_are_read),
        cmocka_unit_test(yac_weights_are_read),
        cmocka_unit_test(last_cells_may_be_unused),
        cmocka_unit_test(bare_esmf_weights_are_read),
        cmocka_unit_test(every_format_knows_its_files),
        cmocka_unit_test(files_name_the_method_in_words_of_cdo),
        cmocka_unit_test(bad_files_are_told_by_name),
        cmocka_unit_test(a_full_disk_leaves_no_file),
        cmocka_unit_test(an_older_file_stays_when_writing_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
