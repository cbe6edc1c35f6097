/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou weights: makes interpolation weights from two grid files, checks, converts, applies and assesses them. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/weights/weights_commands.h"
#include "base/error.h"
#include "interp/methods/method_stack.h"
#include "tools/plot/region.h"

enum { FIRST_CELLS = 5 };

int weights_failed(const command *c)
{
    fprintf(stderr, "h3ou weights %s: %s\n", c->name, h3ou__fail_text());
    return 1;
}

/* Refuses a device or pipe as a result, because a result is removed or replaced when something fails. */
static int is_no_plain_file(const command *c, const char *out)
{
    struct stat s;
    if (stat(out, &s) != 0 || S_ISREG(s.st_mode))
        return 0;
    fprintf(stderr, "h3ou weights %s: %s is a %s, not a plain file: give the result another name\n", c->name, out,
            S_ISDIR(s.st_mode) ? "folder" : "device or pipe");
    return 1;
}

int weights_cannot_write(const command *c, const char *out, const char *const files[], int n)
{
    struct stat a, b;
    for (int i = 0; i < n; i++)
        if (stat(out, &a) == 0 && stat(files[i], &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino) {
            fprintf(stderr, "h3ou weights %s: %s is to be written, but is read as %s: give the result another name\n",
                    c->name, out, files[i]);
            return 1;
        }
    return is_no_plain_file(c, out);
}

static int open_grid(const char *file, int side, const char *grid, const grid_options *masks,
                     const h3ou__cells *in_file, int64_t size, h3ou__cells **out)
{
    int err = grid_read(masks, side, grid, H3OU__EDGES_DEFAULT, NULL, out);
    if (!err && (err = h3ou__weightfile_fits(file, side ? "target" : "source", in_file, size, *out)) != H3OU__OK)
        err = h3ou__fail_in(err, "%s", grid);
    return err;
}

static void put_grid(h3ou__cells **in_file, h3ou__cells *c)
{
    if (!c)
        return;
    h3ou__cells_free(*in_file);
    *in_file = c;
}

int weights_open(const char *file, const char *source, const char *target, const grid_options *masks,
                 h3ou__weightfile *out)
{
    h3ou__cells *a = NULL, *b = NULL;
    int err = h3ou__weightfile_read(file, out);
    if (err)
        return err;
    if (source)
        err = open_grid(file, 0, source, masks, out->source, out->weights->nsource, &a);
    if (!err && target)
        err = open_grid(file, 1, target, masks, out->target, out->weights->ntarget, &b);
    if (!err)
        err = h3ou__weightfile_complete(out, a, b);
    put_grid(&out->source, a); /* the grids take the place of what the file says of them */
    put_grid(&out->target, b);
    if (err)
        h3ou__weightfile_free(out);
    return err;
}

const char *weights_method_name(const char *how, int k, char text[], size_t size)
{
    size_t length = h3ou__stack_word(how);
    for (; k > 0; k--) {
        how += length + (how[length] == ',');
        length = h3ou__stack_word(how);
    }
    snprintf(text, size, "%.*s", (int)length, how);
    return text;
}

static bool is_left_over(const void *user, int64_t cell)
{
    return ((const h3ou__weights *)user)->served[cell] == H3OU__BY_NONE;
}

static void print_left_over(FILE *out, const h3ou__weights *w, const h3ou__weights_facts *f, const h3ou__cells *target)
{
    char text[128];
    int said = 0;
    fprintf(out, "  left over: %" PRId64, f->unserved);
    if (target && target->lon) {
        region r = region_find(target, is_left_over, w);
        fprintf(out, ", within %s", region_text(&r, text, sizeof text));
    }
    for (int64_t i = 0; i < w->ntarget && said < FIRST_CELLS; i++)
        if (is_left_over(w, i))
            fprintf(out, "%s%" PRId64, said++ ? ", " : f->unserved > 1 ? "; cells " : "; cell ", i + 1);
    fprintf(out, "%s\n", f->unserved > FIRST_CELLS ? ", ..." : "");
}

void weights_print_facts(FILE *out, const char *file, const h3ou__weights *w, const h3ou__weights_facts *f,
                         const h3ou__cells *target)
{
    char name[96];
    fprintf(out,
            "%s: %" PRId64 " links, %" PRId64 " target cells: %" PRId64 " served, %" PRId64 " masked, %" PRId64
            " left over\n",
            file, f->links, f->targets, f->served, f->masked, f->unserved);
    for (int k = 0; k < H3OU__STACK_MOST && w->how[0]; k++)
        if (*weights_method_name(w->how, k, name, sizeof name))
            fprintf(out, "  by %s: %" PRId64 "\n", name, f->by[k]);
    if (f->unserved > 0)
        print_left_over(out, w, f, target);
    fprintf(out, "coefficients %.6g to %.6g, rows sum to %s within %.2g", f->least, f->most,
            w->norm == H3OU__DESTAREA ? "the covered share" : "1", f->row_misfit);
    if (!isnan(f->conservation))
        fprintf(out, ", source cells conserved within %.2g", f->conservation);
    fprintf(out, "\n");
}

static int run_info(int argc, char **argv)
{
    return weights_check.run(argc, argv);
}

static const tool former = {"info", NULL, run_info};
static const tool *const tools[] = {&weights_make,  &weights_check,  &weights_convert,
                                    &weights_apply, &weights_report, &former};
static const tool_group weights = {"h3ou weights", tools, sizeof tools / sizeof *tools,
                                   "'h3ou help weights COMMAND' says more; that of make lists the methods."};

static int run_weights(int argc, char **argv)
{
    return tool_group_run(&weights, argc, argv);
}

const tool tool_weights = {"weights", "make, check, convert, apply and assess interpolation weights", run_weights};
