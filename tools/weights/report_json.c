/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/report_json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/json_text.h"
#include "tools/weights/weights_commands.h"

enum { FIRST = 20 };

static void put_number(FILE *out, const char *name, double x, const char *end)
{
    fprintf(out, "\"%s\": ", name);
    if (isfinite(x))
        fprintf(out, "%.17g%s", x, end);
    else
        fprintf(out, "null%s", end);
}

static void put_count(FILE *out, const char *name, int64_t n, const char *end)
{
    fprintf(out, "\"%s\": %" PRId64 "%s", name, n, end);
}

static void put_region(FILE *out, const region *r)
{
    if (r->n == 0) {
        fprintf(out, "\"region\": null");
        return;
    }
    fprintf(out, "\"region\": {");
    put_number(out, "west", r->west, ", ");
    put_number(out, "east", r->east, ", ");
    put_number(out, "south", r->south, ", ");
    put_number(out, "north", r->north, "}");
}

static void put_methods(FILE *out, const h3ou__weights *w, const h3ou__weights_facts *f)
{
    char name[96];
    fprintf(out, "  \"served_by\": [");
    for (int k = 0; k < H3OU__STACK_MOST && *weights_method_name(w->how, k, name, sizeof name); k++) {
        fprintf(out, "%s{\"method\": ", k ? ", " : "");
        json_text(out, name);
        fprintf(out, ", \"cells\": %" PRId64 "}", f->by[k]);
    }
    fprintf(out, "],\n");
}

static void put_left_over(FILE *out, const h3ou__weights *w, const measure *m)
{
    int said = 0;
    fprintf(out, "  \"left_over\": {");
    put_count(out, "cells", m->facts.unserved, ", \"first\": [");
    for (int64_t i = 0; i < w->ntarget && said < FIRST; i++)
        if (w->served[i] == H3OU__BY_NONE)
            fprintf(out, "%s%" PRId64, said++ ? ", " : "", i + 1);
    fprintf(out, "], ");
    put_region(out, &m->left_over);
    fprintf(out, "},\n");
}

static void put_grids(FILE *out, const h3ou__weights *w, const measure *m)
{
    fprintf(out, "  \"source\": {");
    put_count(out, "cells", w->nsource, ", ");
    put_count(out, "masked", m->source_masked, ", ");
    put_count(out, "unused", m->source_unused, ", ");
    put_number(out, "given_share", m->source_given, "},\n  \"target\": {");
    put_count(out, "cells", w->ntarget, ", ");
    put_count(out, "masked", m->facts.masked, ", ");
    put_count(out, "served", m->facts.served, ", ");
    put_number(out, "covered_share", m->target_covered, "},\n");
}

static void put_misfits(FILE *out, const h3ou__cells *target, const measure *m)
{
    fprintf(out, "  \"functions\": {\n");
    for (int k = 0; k < FIELDS; k++) {
        const measure_misfit *f = &m->misfit[k];
        fprintf(out, "    \"%s\": {", fields[k].name);
        put_number(out, "mean", f->mean, ", ");
        put_number(out, "max", f->max, ", ");
        put_number(out, "rms", f->rms, ", ");
        put_number(out, "conservation", f->conservation, ", ");
        if (f->max_cell >= 0) {
            put_count(out, "max_cell", f->max_cell + 1, ", ");
            put_number(out, "max_lon", target->lon[f->max_cell] * 180.0 / M_PI, ", ");
            put_number(out, "max_lat", target->lat[f->max_cell] * 180.0 / M_PI, "}");
        } else {
            fprintf(out, "\"max_cell\": null}");
        }
        fprintf(out, "%s\n", k + 1 < FIELDS ? "," : "");
    }
    fprintf(out, "  }\n");
}

int report_json(const char *json, const char *file, const h3ou__weightfile *w, const measure *m)
{
    const h3ou__weights_facts *f = &m->facts;
    FILE *out = fopen(json, "w");
    if (!out)
        return h3ou__fail(H3OU__EFILE, "--json %s: %s", json, strerror(errno));
    fprintf(out, "{\n  \"file\": ");
    json_text(out, file);
    fprintf(out, ",\n  \"format\": ");
    json_text(out, h3ou__weight_format_name(w->format));
    fprintf(out, ",\n  \"method\": ");
    json_text(out, w->weights->how);
    fprintf(out, ",\n  \"normalisation\": \"%s\",\n  ", w->weights->norm == H3OU__DESTAREA ? "destarea" : "fracarea");
    put_count(out, "links", f->links, ",\n  \"coefficient\": {");
    put_number(out, "least", f->least, ", ");
    put_number(out, "most", f->most, ", ");
    put_count(out, "negative", f->negative, "},\n  ");
    put_number(out, "row_sum_misfit", f->row_misfit, ",\n  ");
    put_number(out, "source_cell_conservation", f->conservation, ",\n");
    put_grids(out, w->weights, m);
    put_methods(out, w->weights, f);
    put_left_over(out, w->weights, m);
    put_misfits(out, w->target, m);
    fprintf(out, "}\n");
    bool is_bad = ferror(out) != 0;
    is_bad = fclose(out) != 0 || is_bad;
    if (is_bad) {
        int code = h3ou__fail(H3OU__EFILE, "--json %s: %s", json, strerror(errno));
        discard_file(json);
        return code;
    }
    return H3OU__OK;
}
