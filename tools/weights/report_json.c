/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/report_json.h"

#include <math.h>

#include "base/error.h"
#include "tools/cli/json_file.h"
#include "tools/weights/weights_commands.h"

/* FIRST: at most so many left-over cells are listed. DIGITS: decimal digits from which every double can be read back.
 */
enum { FIRST = 20, DIGITS = 17 };

static json_t *count_to_json(int64_t n)
{
    return json_integer((json_int_t)n);
}

static json_t *degrees_to_json(double radians)
{
    return json_file_number(radians * 180.0 / M_PI);
}

static json_t *region_to_json(const region *r)
{
    if (r->n == 0)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:f}", "west", r->west, "east", r->east, "south", r->south, "north", r->north);
}

static json_t *methods_to_json(const h3ou__weights *w, const h3ou__weights_facts *f)
{
    char name[96];
    json_t *list = json_array();
    for (int k = 0; k < H3OU__STACK_MOST && *weights_method_name(w->how, k, name, sizeof name); k++)
        json_array_append_new(
            list, json_pack("{s:o, s:o}", "method", json_file_text(name), "cells", count_to_json(f->by[k])));
    return list;
}

static json_t *left_over_to_json(const h3ou__weights *w, const measure *m)
{
    json_t *first = json_array();
    for (int64_t i = 0; i < w->ntarget && json_array_size(first) < FIRST; i++)
        if (w->served[i] == H3OU__BY_NONE && json_array_append_new(first, count_to_json(i + 1)))
            break;
    return json_pack("{s:o, s:o, s:o}", "cells", count_to_json(m->facts.unserved), "first", first, "region",
                     region_to_json(&m->left_over));
}

static json_t *source_to_json(const h3ou__weights *w, const measure *m)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "cells", count_to_json(w->nsource), "masked",
                     count_to_json(m->source_masked), "unused", count_to_json(m->source_unused), "given_share",
                     json_file_number(m->source_given));
}

static json_t *target_to_json(const h3ou__weights *w, const measure *m)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "cells", count_to_json(w->ntarget), "masked",
                     count_to_json(m->facts.masked), "served", count_to_json(m->facts.served), "covered_share",
                     json_file_number(m->target_covered));
}

static json_t *misfit_to_json(const h3ou__cells *target, const measure_misfit *f)
{
    json_t *out = json_pack("{s:o, s:o, s:o, s:o}", "mean", json_file_number(f->mean), "max", json_file_number(f->max),
                            "rms", json_file_number(f->rms), "conservation", json_file_number(f->conservation));
    if (f->max_cell < 0) {
        json_object_set_new(out, "max_cell", json_null());
        return out;
    }
    json_object_set_new(out, "max_cell", count_to_json(f->max_cell + 1));
    json_object_set_new(out, "max_lon", degrees_to_json(target->lon[f->max_cell]));
    json_object_set_new(out, "max_lat", degrees_to_json(target->lat[f->max_cell]));
    return out;
}

static json_t *misfits_to_json(const h3ou__cells *target, const measure *m)
{
    json_t *out = json_object();
    for (int k = 0; k < FIELDS; k++)
        json_object_set_new(out, fields[k].name, misfit_to_json(target, &m->misfit[k]));
    return out;
}

static json_t *coefficient_to_json(const h3ou__weights_facts *f)
{
    return json_pack("{s:o, s:o, s:o}", "least", json_file_number(f->least), "most", json_file_number(f->most),
                     "negative", count_to_json(f->negative));
}

json_t *report_to_json(const char *file, const h3ou__weightfile *w, const measure *m)
{
    const h3ou__weights *weights = w->weights;
    const h3ou__weights_facts *f = &m->facts;
    return json_pack(
        "{s:o, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "file", json_file_text(file), "format",
        w->format->name, "method", json_file_text(weights->how), "normalisation",
        weights->norm == H3OU__DESTAREA ? "destarea" : "fracarea", "links", count_to_json(f->links), "coefficient",
        coefficient_to_json(f), "row_sum_misfit", json_file_number(f->row_misfit), "source_cell_conservation",
        json_file_number(f->conservation), "source", source_to_json(weights, m), "target", target_to_json(weights, m),
        "served_by", methods_to_json(weights, f), "left_over", left_over_to_json(weights, m), "functions",
        misfits_to_json(w->target, m));
}

int report_json(const char *json, const char *file, const h3ou__weightfile *w, const measure *m)
{
    int code = json_file_write(report_to_json(file, w, m), DIGITS, json);
    return code ? h3ou__fail_in(code, "--json") : H3OU__OK;
}
