/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/restart/restart_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

/* Makes room for one more element. */
static int make_room(void **list, int n, int *room, size_t size)
{
    if (n < *room)
        return H3OU__OK;
    int more = 2 * *room + 16;
    void *larger = realloc(*list, size * (size_t)more);
    if (!larger)
        return h3ou__no_memory("a restart");
    *list = larger;
    *room = more;
    return H3OU__OK;
}

int h3ou__restart_list_text(h3ou__restart_list *l, const char *name, const char *format, ...)
{
    void *list = l->text;
    int err = make_room(&list, l->ntext, &l->text_room, sizeof *l->text);
    l->text = list;
    if (err)
        return err;
    h3ou__restart_text *t = &l->text[l->ntext++];
    va_list values;
    va_start(values, format);
    vsnprintf(t->text, sizeof t->text, format, values);
    va_end(values);
    snprintf(t->name, sizeof t->name, "%s", name);
    return H3OU__OK;
}

int h3ou__restart_list_array(h3ou__restart_list *l, const char *name, const h3ou__grid *grid, int64_t rows, const double value[])
{
    void *list = l->array;
    if (grid->last == 0 || rows == 0)
        return H3OU__OK;
    int err = make_room(&list, l->narray, &l->array_room, sizeof *l->array);
    l->array = list;
    if (err)
        return err;
    h3ou__restart_array *a = &l->array[l->narray++];
    *a = (h3ou__restart_array){.grid = grid, .rows = rows, .value = value, .var = -1};
    snprintf(a->name, sizeof a->name, "%s", name);
    return H3OU__OK;
}

void h3ou__restart_list_free(h3ou__restart_list *l)
{
    free(l->text);
    free(l->array);
}
