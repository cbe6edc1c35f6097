/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/pair_tables.h"

#include <string.h>

#include "base/error.h"
#include "coupler/config/leniency.h"

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

static bool same_names(const h3ou__table *a, const h3ou__table *b)
{
    h3ou__pair_name name = name_of(b);
    return is_for(a, &name);
}

static int number_of(const h3ou__config_pair *p, bool counted)
{
    return counted ? p->counted : p->mapping_tag;
}

/* Returns the pair with the table's names and tag; -1: none, or several. */
static int pair_of(const h3ou__config *config, const h3ou__table *t, bool counted)
{
    h3ou__pair_name name = name_of(t);
    int found = -1;
    for (int i = 0; i < config->npair; i++)
        if (has_names(&config->pair[i], &name) && number_of(&config->pair[i], counted) == t->tag) {
            if (found >= 0)
                return -1;
            found = i;
        }
    return found;
}

/* Returns whether the tags tell the tables of these names apart: all tables find a pair, or all pairs a table, no two
 * the same. */
static bool tags_tell(const h3ou__config *config, h3ou__table *const table[], int n, const h3ou__table *like,
                      bool counted)
{
    h3ou__pair_name name = name_of(like);
    int npair = 0, ntable = 0, nfound = 0;
    for (int i = 0; i < config->npair; i++)
        npair += has_names(&config->pair[i], &name);
    for (int i = 0; i < n; i++) {
        if (!same_names(table[i], like))
            continue;
        ntable++;
        nfound += pair_of(config, table[i], counted) >= 0;
        for (int j = 0; j < i; j++)
            if (same_names(table[j], like) && table[j]->tag == table[i]->tag)
                return false;
    }
    return nfound == ntable || nfound == npair;
}

/* Returns the pair with the number that the table has among those of its names; -1: there are fewer pairs. */
static int pair_in_order(const h3ou__config *config, h3ou__table *const table[], int number)
{
    h3ou__pair_name name = name_of(table[number]);
    int before = 0;
    for (int i = 0; i < number; i++)
        before += same_names(table[i], table[number]);
    for (int i = 0; i < config->npair; i++)
        if (has_names(&config->pair[i], &name) && before-- == 0)
            return i;
    return -1;
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

int h3ou__pair_tables_match(const h3ou__config *config, bool *warned, h3ou__table *table[], int n)
{
    int err = H3OU__OK;
    for (int i = 0; i < n && !err; i++) {
        h3ou__table *t = table[i];
        if (tags_tell(config, table, n, t, false)) {
            t->pair = pair_of(config, t, false);
            continue;
        }
        t->pair = tags_tell(config, table, n, t, true) ? pair_of(config, t, true) : pair_in_order(config, table, i);
        err = warn_of_order(config, warned, t);
    }
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
