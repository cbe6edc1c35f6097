/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/restart/field_keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "coupler/config/interval.h"
#include "coupler/config/interval_flag.h"

char *h3ou__field_label(const char *kind, int number, const char *part, char name[H3OU__RESTART_NAME])
{
    snprintf(name, H3OU__RESTART_NAME, "%s_%d%s%s", kind, number, part ? "_" : "", part ? part : "");
    return name;
}

/* Writes the names of a field. */
static void write_names(const h3ou__field_keys *f, char text[H3OU__RESTART_TEXT])
{
    const h3ou__config_pair *p = &f->config->pair[f->var->pair];
    snprintf(text, H3OU__RESTART_TEXT, "field %s of %s, %s of %s, mapping_tag=%d", f->var->put, p->comp_put, f->var->get, p->comp_get,
             p->mapping_tag);
}

/* Writes the keys that say what the file has of a field, and its grid. */
static int write_keys(const h3ou__field_keys *f, char text[H3OU__RESTART_TEXT])
{
    const h3ou__config_var *v = f->var;
    char interval[H3OU__INTERVAL_TEXT], grid[H3OU__RESTART_TEXT];
    int err = h3ou__restart_grid_text(f->local, f->grid, grid);
    snprintf(text, H3OU__RESTART_TEXT, "intvl=%s, lag=%d, flag=%s, layer=%d, components=%d and %d; grid of %s: %.200s",
             h3ou__interval_is_given(&v->intvl) ? h3ou__interval_text(&v->intvl, interval) : "none", v->lag, h3ou__flag_meaning(v->flag),
             v->layer, h3ou__config_components(v, v->put_xyz), h3ou__config_components(v, v->get_xyz), f->grid->name, grid);
    return err;
}

int h3ou__field_keys_list(const h3ou__field_keys *f, int number, h3ou__restart_list *list)
{
    char names[H3OU__RESTART_TEXT], keys[H3OU__RESTART_TEXT], label[H3OU__RESTART_NAME];
    write_names(f, names);
    int err = write_keys(f, keys);
    if (!err)
        err = h3ou__restart_list_text(list, h3ou__field_label(f->kind, number, "names", label), "%s", names);
    return err ? err : h3ou__restart_list_text(list, h3ou__field_label(f->kind, number, "keys", label), "%s", keys);
}

int h3ou__field_keys_find(const h3ou__field_keys *f, h3ou__restart_file *r, int *number)
{
    char names[H3OU__RESTART_TEXT], keys[H3OU__RESTART_TEXT], label[H3OU__RESTART_NAME], found[H3OU__RESTART_TEXT];
    bool has = true;
    write_names(f, names);
    int err = write_keys(f, keys);
    for (*number = 0; !err && has; ++*number) {
        err = h3ou__restart_file_text(r, h3ou__field_label(f->kind, *number, "names", label), found, &has);
        if (!err && has && !strcmp(found, names))
            break;
    }
    if (err || !has)
        return err ? err : h3ou__fail(H3OU__EFILE, "%s: has no %s (%s:%d): the restart was written by a run without it",
                                      h3ou__restart_file_name(r), names, f->config->file, f->var->line);
    err = h3ou__restart_file_text(r, h3ou__field_label(f->kind, *number, "keys", label), found, &has);
    if (!err && strcmp(found, keys) != 0)
        return h3ou__fail(H3OU__EFILE, "%s: %s was written with %.300s, but %s:%d says %.300s: only a run with the same keys and grids can go on",
                          h3ou__restart_file_name(r), names, found, f->config->file, f->var->line, keys);
    return err;
}

char *h3ou__schedule_text(const h3ou__schedule *s, char text[H3OU__SCHEDULE_TEXT])
{
    snprintf(text, H3OU__SCHEDULE_TEXT, "%" PRId64 "/%" PRId64 " %" PRId64 "/%" PRId64 " %" PRId64 "/%" PRId64, s->sender.num, s->sender.den,
             s->receiver.num, s->receiver.den, s->common.num, s->common.den);
    return text;
}

const char *h3ou__schedule_read(const char *text, const int date[6], h3ou__schedule *s)
{
    int length = 0;
    int n = sscanf(text, "%" SCNd64 "/%" SCNd64 " %" SCNd64 "/%" SCNd64 " %" SCNd64 "/%" SCNd64 "%n", &s->sender.num, &s->sender.den,
                   &s->receiver.num, &s->receiver.den, &s->common.num, &s->common.den, &length);
    memcpy(s->date, date, sizeof s->date);
    return n == 6 ? text + length : NULL;
}
