/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/plan/entry_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/heap.h"

enum { PLACE, SEND, COEF, SEQ, TURN }; /* of an item */

static int no_memory(void)
{
    return h3ou__no_memory("the plan of an exchange");
}

int h3ou__entry_width(bool rotated)
{
    return rotated ? TURN + 2 : TURN;
}

int h3ou__entry_list_reserve(h3ou__entry_list *list, int64_t need)
{
    int64_t room = h3ou__larger_room(list->room, need);
    if (room == list->room)
        return H3OU__OK;
    bool has = h3ou__resize(&list->place, sizeof *list->place, room) && h3ou__resize(&list->send, sizeof *list->send, room) &&
               h3ou__resize(&list->coef, sizeof *list->coef, room) &&
               (!list->numbered || h3ou__resize(&list->seq, sizeof *list->seq, room)) &&
               (!list->rotated || h3ou__resize(&list->turn, 2 * sizeof *list->turn, room));
    if (!has)
        return no_memory();
    list->room = room;
    return H3OU__OK;
}

/* Takes the memory of the next n items, for which there is room. */
static void take_memory(h3ou__entry_list *list, int64_t n)
{
    h3ou__heap_take(list->place + list->n, sizeof *list->place * (size_t)n);
    h3ou__heap_take(list->send + list->n, sizeof *list->send * (size_t)n);
    h3ou__heap_take(list->coef + list->n, sizeof *list->coef * (size_t)n);
    if (list->numbered)
        h3ou__heap_take(list->seq + list->n, sizeof *list->seq * (size_t)n);
    if (list->rotated)
        h3ou__heap_take(list->turn + 2 * list->n, 2 * sizeof *list->turn * (size_t)n);
}

int h3ou__entry_list_append(h3ou__entry_list *list, int64_t n, const int64_t item[])
{
    int width = h3ou__entry_width(list->rotated), err = h3ou__entry_list_reserve(list, list->n + n);
    if (!err && n > 0)
        take_memory(list, n);
    for (int64_t i = 0; i < n && !err; i++, item += width) {
        int64_t at = list->n++;
        list->place[at] = (int32_t)item[PLACE];
        list->send[at] = (int32_t)item[SEND];
        memcpy(&list->coef[at], &item[COEF], sizeof *list->coef);
        if (list->numbered)
            list->seq[at] = item[SEQ];
        if (list->rotated)
            memcpy(list->turn + 2 * at, &item[TURN], 2 * sizeof *list->turn);
    }
    return err;
}

static bool is_ascending(const h3ou__entry_list *list)
{
    for (int64_t i = 1; i < list->n; i++)
        if (list->place[i] < list->place[i - 1])
            return false;
    return true;
}

/* Puts an array in the order of the target cells, stably. first[cell]: where the entries of a cell begin; next: [ncell]. */
static bool deal_array(const h3ou__entry_list *list, const int64_t first[], int64_t next[], int64_t ncell, void *array,
                       size_t size)
{
    char *from, *to = h3ou__heap_array(list->n, size);
    memcpy(&from, array, sizeof from); /* the caller's pointer has another type */
    if (!to)
        return false;
    memcpy(next, first, sizeof *next * (size_t)ncell);
    for (int64_t i = 0; i < list->n; i++)
        memcpy(to + size * (size_t)next[list->place[i]]++, from + size * (size_t)i, size);
    free(from);
    memcpy(array, &to, sizeof to);
    return true;
}

static int deal_entries(h3ou__entry_list *list, const int64_t first[], int64_t ncell)
{
    int64_t *next = malloc(sizeof *next * (size_t)(ncell + 1));
    bool done = next && deal_array(list, first, next, ncell, &list->send, sizeof *list->send) &&
                deal_array(list, first, next, ncell, &list->coef, sizeof *list->coef) &&
                (!list->numbered || deal_array(list, first, next, ncell, &list->seq, sizeof *list->seq)) &&
                (!list->rotated || deal_array(list, first, next, ncell, &list->turn, 2 * sizeof *list->turn));
    free(next);
    return done ? H3OU__OK : no_memory();
}

typedef struct numbered { /* an entry of a row that is sorted */
    int64_t seq;
    int32_t send;
    double coef, turn[2];
} numbered;

/* Sorts the entries first..end-1, of one row, by their numbers. */
static int sort_row(h3ou__entry_list *list, int64_t first, int64_t end)
{
    int64_t k = first + 1;
    for (; k < end && list->seq[k] > list->seq[k - 1]; k++)
        ;
    if (k >= end)
        return H3OU__OK;
    numbered *row = calloc((size_t)(end - first), sizeof *row);
    if (!row)
        return no_memory();
    for (k = first; k < end; k++) {
        row[k - first] = (numbered){.seq = list->seq[k], .send = list->send[k], .coef = list->coef[k]};
        if (list->rotated)
            memcpy(row[k - first].turn, list->turn + 2 * k, sizeof row->turn);
    }
    qsort(row, (size_t)(end - first), sizeof *row, h3ou__compare_int64);
    for (k = first; k < end; k++) {
        list->send[k] = row[k - first].send;
        list->coef[k] = row[k - first].coef;
        if (list->rotated)
            memcpy(list->turn + 2 * k, row[k - first].turn, sizeof row->turn);
    }
    free(row);
    return H3OU__OK;
}

/* Lists the cells that have entries. rows->start: [ncell + 1] where those of each cell begin, then those of each row.
 */
static int list_rows(int64_t ncell, h3ou__sparse *rows)
{
    int64_t nrow = 0, *start = rows->start, begin = 0;
    for (int64_t i = 0; i < ncell; i++)
        nrow += start[i + 1] > start[i];
    rows->row = malloc(sizeof *rows->row * (size_t)(nrow + 1));
    if (!rows->row)
        return no_memory();
    for (int64_t i = 0; i < ncell; i++) {
        int64_t end = start[i + 1];
        if (end > begin) {
            rows->row[rows->nrow++] = i;
            start[rows->nrow] = end;
        }
        begin = end;
    }
    h3ou__resize(&rows->start, sizeof *rows->start, nrow + 1);
    return H3OU__OK;
}

/* Gives back the memory of the numbers, and that for more entries. */
static void fit(h3ou__entry_list *list)
{
    free(list->seq);
    list->seq = NULL;
    h3ou__resize(&list->send, sizeof *list->send, list->n + 1);
    h3ou__resize(&list->coef, sizeof *list->coef, list->n + 1);
    if (list->rotated)
        h3ou__resize(&list->turn, 2 * sizeof *list->turn, list->n + 1);
    list->room = list->n;
}

int h3ou__entry_list_sort(h3ou__entry_list *list, int64_t ncell, h3ou__sparse *rows)
{
    int64_t *first = rows->start = calloc((size_t)ncell + 1, sizeof *first);
    if (!first)
        return no_memory();
    h3ou__heap_take(first, sizeof *first * (size_t)(ncell + 1));
    for (int64_t i = 0; i < list->n; i++)
        first[list->place[i] + 1]++;
    for (int64_t i = 0; i < ncell; i++)
        first[i + 1] += first[i];
    int err = is_ascending(list) ? H3OU__OK : deal_entries(list, first, ncell);
    free(list->place);
    list->place = NULL;
    if (!err)
        err = list_rows(ncell, rows);
    for (int64_t r = 0; r < rows->nrow && list->numbered && !err; r++)
        err = sort_row(list, rows->start[r], rows->start[r + 1]);
    fit(list);
    return err;
}

void h3ou__entry_list_free(h3ou__entry_list *list)
{
    free(list->place);
    free(list->send);
    free(list->coef);
    free(list->seq);
    free(list->turn);
}
