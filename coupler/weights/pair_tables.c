/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/pair_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/config/leniency.h"
#include "coupler/config/name_index.h"

static bool has_names(const h3ou__config_pair *p, const h3ou__pair_name *name)
{
    return !strcmp(p->comp_put, name->send_comp) && !strcmp(p->grid_put, name->send_grid) &&
           !strcmp(p->comp_get, name->recv_comp) && !strcmp(p->grid_get, name->recv_grid);
}

static h3ou__pair_name name_of(const h3ou__table *t)
{
    return (h3ou__pair_name){t->send_comp, t->send_grid, t->recv_comp, t->recv_grid, t->tag};
}

/* Compares the names of a pair and of a table, not their tags. */
static bool is_for(const h3ou__table *t, const h3ou__pair_name *name)
{
    h3ou__pair_name with_tag = *name;
    with_tag.tag = t->tag;
    return h3ou__table_is(t, &with_tag);
}

/* The pairs and the tables of the same two components and grids, by their numbers, both in their order. */
typedef struct group {
    int npair, ntable;
    const int *pair, *table;
} group;

/* A pair or a table with the number that may tell it from the others of its group. */
typedef struct numbered {
    int number, index;
} numbered;

static int compare_numbers(const void *a, const void *b)
{
    int x = ((const numbered *)a)->number, y = ((const numbered *)b)->number;
    return (x > y) - (x < y);
}

/* Returns whether two of n sorted entries have the same number. */
static bool has_twice(const numbered sorted[], int n)
{
    for (int i = 1; i < n; i++)
        if (sorted[i].number == sorted[i - 1].number)
            return true;
    return false;
}

/* Returns the index of the one of n sorted entries that has the number; -1: none, or several. */
static int find_only(const numbered sorted[], int n, int number)
{
    numbered key = {.number = number};
    const numbered *found = bsearch(&key, sorted, (size_t)n, sizeof *sorted, compare_numbers);
    if (!found || (found > sorted && found[-1].number == number) || (found + 1 < sorted + n && found[1].number == number))
        return -1;
    return found->index;
}

/* Sets the pair of each table of a group by its tag, which may be the pairs' mapping_tag or count them. Returns false when the tags do
 * not tell the tables apart: all tables find a pair, or all pairs a table, no two the same. room: for all pairs and tables. */
static bool match_by_tags(const h3ou__config *config, h3ou__table *const table[], const group *g, bool counted, numbered room[])
{
    numbered *pairs = room, *tags = room + g->npair;
    int nfound = 0;
    for (int i = 0; i < g->npair; i++)
        pairs[i] = (numbered){counted ? config->pair[g->pair[i]].counted : config->pair[g->pair[i]].mapping_tag, g->pair[i]};
    for (int i = 0; i < g->ntable; i++)
        tags[i] = (numbered){table[g->table[i]]->tag, g->table[i]};
    qsort(pairs, (size_t)g->npair, sizeof *pairs, compare_numbers);
    qsort(tags, (size_t)g->ntable, sizeof *tags, compare_numbers);
    for (int i = 0; i < g->ntable; i++) {
        table[tags[i].index]->pair = find_only(pairs, g->npair, tags[i].number);
        nfound += table[tags[i].index]->pair >= 0;
    }
    return !has_twice(tags, g->ntable) && (nfound == g->ntable || nfound == g->npair);
}

/* Leaves out of a group the tables of pairs that are planned, and these pairs. is_planned: [pairs of the
 * configuration]. */
static void leave_out_planned(h3ou__table *const table[], const bool is_planned[], int pairs[], int tables[], group *g)
{
    int npair = 0, ntable = 0;
    for (int i = 0; i < g->npair; i++)
        if (!is_planned[pairs[i]])
            pairs[npair++] = pairs[i];
    for (int i = 0; i < g->ntable; i++)
        if (!table[tables[i]]->is_planned)
            tables[ntable++] = tables[i];
    *g = (group){npair, ntable, pairs, tables};
}

/* Returns whether the tables of a group were matched by other numbers than the mapping_tags. */
static bool match_group(const h3ou__config *config, h3ou__table *const table[], const group *g, numbered room[])
{
    if (match_by_tags(config, table, g, false, room))
        return false;
    if (match_by_tags(config, table, g, true, room))
        return true;
    for (int i = 0; i < g->ntable; i++)
        table[g->table[i]]->pair = i < g->npair ? g->pair[i] : -1;
    return true;
}

static int warn_of_order(const h3ou__config *config, bool *warned, const h3ou__table *t)
{
    char pair[4 * H3OU__NAME + 64];
    h3ou__pair_name name = name_of(t);
    if (t->pair < 0)
        return H3OU__OK;
    return h3ou__lenient(
        config, warned, H3OU__ENAME,
        "h3ou_set_interpolation_table: %s is none of the namelist's mapping_tags: the table is taken for "
        "the pair of line %d, by their order",
        h3ou__pair_text(&name, pair, sizeof pair), config->pair[t->pair].line);
}

enum { KEY = 4 * (H3OU__NAME + 1) + 1 };

static void write_key(char key[KEY], const char *send_comp, const char *send_grid, const char *recv_comp, const char *recv_grid)
{
    snprintf(key, KEY, "%s\n%s\n%s\n%s", send_comp, send_grid, recv_comp, recv_grid);
}

/* Sorts pairs and then tables into groups: set[i] becomes the group of the i-th, list those of each group together, of which the first
 * stands at start[group]. */
static int sort_into_groups(const h3ou__config *config, h3ou__table *const table[], int n, int set[], int list[], int start[])
{
    int all = config->npair + n, err;
    h3ou__names names;
    char(*key)[KEY] = malloc(KEY * (size_t)(all + 1));
    err = h3ou__names_create(all, &names);
    if (!key && !err)
        err = h3ou__no_memory("a list of %d tables", n);
    for (int i = 0; i < all && !err; i++) {
        const h3ou__config_pair *p = i < config->npair ? &config->pair[i] : NULL;
        const h3ou__table *t = p ? NULL : table[i - config->npair];
        write_key(key[i], p ? p->comp_put : t->send_comp, p ? p->grid_put : t->send_grid, p ? p->comp_get : t->recv_comp,
                  p ? p->grid_get : t->recv_grid);
        set[i] = h3ou__names_add(&names, key[i]);
        start[set[i] + 2]++;
    }
    for (int g = 2; g <= all + 1; g++)
        start[g] += start[g - 1];
    for (int i = 0; i < all && !err; i++)
        list[start[set[i] + 1]++] = i;
    h3ou__names_free(&names);
    free(key);
    return err;
}

int h3ou__pair_tables_match(const h3ou__config *config, bool *warned, h3ou__table *table[], int n)
{
    int npair = config->npair, all = npair + n, err = H3OU__OK;
    int *set = calloc((size_t)(3 * all + 3), sizeof *set);
    numbered *room = malloc(sizeof *room * (size_t)(all + 1));
    bool *by_order = calloc((size_t)all + 1, sizeof *by_order),
         *is_planned = calloc((size_t)npair + 1, sizeof *is_planned);
    if (!set || !room || !by_order || !is_planned)
        err = h3ou__no_memory("a list of %d tables", n);
    int *list = set + all, *start = list + all;
    if (!err)
        err = sort_into_groups(config, table, n, set, list, start);
    for (int i = 0; i < n && !err; i++)
        if (table[i]->is_planned && table[i]->pair >= 0)
            is_planned[table[i]->pair] = true;
    for (int g = 0; g < all && !err; g++) {
        group members = {.pair = list + start[g]};
        while (start[g] + members.npair < start[g + 1] && members.pair[members.npair] < npair)
            members.npair++;
        members.ntable = start[g + 1] - start[g] - members.npair;
        members.table = members.pair + members.npair;
        for (int i = 0; i < members.ntable; i++)
            list[start[g] + members.npair + i] -= npair;
        leave_out_planned(table, is_planned, list + start[g], list + start[g] + members.npair, &members);
        by_order[g] = members.ntable > 0 && match_group(config, table, &members, room);
    }
    for (int i = 0; i < n && !err; i++)
        if (by_order[set[npair + i]] && !table[i]->is_planned)
            err = warn_of_order(config, warned, table[i]);
    free(set);
    free(room);
    free(by_order);
    free(is_planned);
    return err;
}

bool h3ou__pair_tables_is_repeated(const h3ou__config *config, h3ou__table *const table[], int n,
                                   const h3ou__pair_name *name)
{
    int npair = 0, ntable = 0;
    bool has_tag = false;
    for (int i = 0; i < config->npair; i++)
        npair += has_names(&config->pair[i], name);
    for (int i = 0; i < n; i++) {
        has_tag |= h3ou__table_is(table[i], name);
        ntable += is_for(table[i], name);
    }
    return has_tag && (ntable >= npair || config->strict);
}

bool h3ou__pair_tables_is_weighted(const h3ou__config *config, const h3ou__pair_name *name)
{
    bool has_weighted = false;
    for (int i = 0; i < config->nvar; i++) {
        if (!has_names(&config->pair[config->var[i].pair], name))
            continue;
        if (config->var[i].is_vector)
            return false;
        has_weighted |= config->var[i].grid_intpl_tag > H3OU__VECTOR_TAG;
    }
    return has_weighted;
}

int h3ou__pair_tables_none(const char *send_comp, const char *recv_comp)
{
    if (!strcmp(send_comp, recv_comp))
        return h3ou__fail(H3OU__ESTATE,
                          "no interpolation table: %s passed no send_index, recv_index and coef to "
                          "h3ou_set_interpolation_table for this pair and mapping_tag, and no method was named",
                          send_comp);
    return h3ou__fail(H3OU__ESTATE,
                      "no interpolation table: neither %s nor %s passed send_index, recv_index and coef to "
                      "h3ou_set_interpolation_table for this pair and mapping_tag, and no method was named",
                      send_comp, recv_comp);
}

int h3ou__pair_tables_both(void)
{
    return h3ou__fail(H3OU__ESTATE, "both components gave an interpolation table: pass the arrays of "
                                    "h3ou_set_interpolation_table on one side only");
}

int h3ou__pair_tables_beside_method(const char *method, const char *giver)
{
    return h3ou__fail(H3OU__ESTATE,
                      "method='%s', and component %s gave a table to h3ou_set_interpolation_table for this pair "
                      "and mapping_tag: remove the key, or call it without arrays",
                      method, giver);
}
