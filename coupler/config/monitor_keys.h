/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of a variable that say what is kept of its values for whoever looks at the run, and whether remapping conserves its
 * integral: monitor, monitor_every, ledger, conserve; and those that describe them in files: units, units_put, standard_name,
 * long_name. */
#ifndef H3OU_COUPLER_CONFIG_MONITOR_KEYS_H
#define H3OU_COUPLER_CONFIG_MONITOR_KEYS_H

#include "coupler/config/config.h"

/* Where the values of a field are seen (coupler/exchange/observer.h), in the order of the words of the key monitor. */
enum h3ou__side { H3OU__SIDE_PUT, H3OU__SIDE_SENT, H3OU__SIDE_RECEIVED, H3OU__SIDE_GOT, H3OU__NSIDE };

enum h3ou__conserve {
    H3OU__CONSERVE_NOTHING,
    H3OU__CONSERVE_GLOBAL,      /* adds the same number to all cells */
    H3OU__CONSERVE_PROPORTIONAL /* adds to each cell in proportion to the size of its value */
};

const char *h3ou__side_name(int side);
/* Sets in v->monitor what the keys' texts say, and checks v->description. H3OU__ECONFIG with a sentence that has the allowed words, or says which other key does
 * not fit. */
int h3ou__monitor_keys_parse(h3ou__config_var *v);
/* Gives variables that do not have the keys monitor, monitor_every and ledger those of the group h3ou_coupling. */
void h3ou__monitor_keys_inherit(h3ou__config *c);

/* Returns whether the areas of the cells of both grids must be known: the integral of the field is computed. */
static inline bool h3ou__monitor_has_budget(const h3ou__config_var *v)
{
    return v->monitor.ledger > 0 || v->monitor.conserve != H3OU__CONSERVE_NOTHING;
}

#endif
