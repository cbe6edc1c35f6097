/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/monitor_keys.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/nearest_name.h"
#include "coupler/config/interval_flag.h"

static const char *const sides[H3OU__NSIDE] = {"put", "sent", "received", "got"};

const char *h3ou__side_name(int side)
{
    return sides[side];
}

/* Returns the number of a word in a list, or -1. */
static int number_of(const char *word, const char *const words[], int n)
{
    for (int i = 0; i < n; i++)
        if (!strcasecmp(word, words[i]))
            return i;
    return -1;
}

static int take_side(const char *text, const char *word, int *bits)
{
    char near[H3OU__HINT];
    int side = number_of(word, sides, H3OU__NSIDE);
    if (side >= 0)
        *bits |= 1 << side;
    else if (!strcasecmp(word, "all"))
        *bits = (1 << H3OU__NSIDE) - 1;
    else if (strcasecmp(word, "none") != 0)
        return h3ou__fail(H3OU__ECONFIG, "monitor='%s': it is 'none', 'all', or some of put, sent, received, got%s", text,
                          h3ou__did_you_mean(word, sides, H3OU__NSIDE, near));
    return H3OU__OK;
}

/* Sets *bits to the sides that a text names; -1: it is empty. */
static int parse_sides(const char *text, int *bits)
{
    char words[H3OU__CONFIG_NAME + 1], *rest = NULL;
    snprintf(words, sizeof words, "%s", text);
    *bits = -1;
    for (char *word = strtok_r(words, " ,", &rest); word; word = strtok_r(NULL, " ,", &rest)) {
        *bits = *bits < 0 ? 0 : *bits;
        int err = take_side(text, word, bits);
        if (err)
            return err;
    }
    return H3OU__OK;
}

static int parse_conserve(h3ou__config_monitor *m)
{
    static const char *const words[] = {"none", "global", "proportional"};
    char near[H3OU__HINT];
    m->conserve = *m->conserve_text ? number_of(m->conserve_text, words, 3) : H3OU__CONSERVE_NOTHING;
    if (m->conserve >= 0)
        return H3OU__OK;
    return h3ou__fail(H3OU__ECONFIG, "conserve='%s': it is 'none', 'global' or 'proportional'%s", m->conserve_text,
                      h3ou__did_you_mean(m->conserve_text, words, 3, near));
}

/* Refuses fields whose integral cannot be corrected. */
static int check_conserve(const h3ou__config_var *v)
{
    const char *text = v->monitor.conserve_text;
    if (v->monitor.conserve == H3OU__CONSERVE_NOTHING)
        return H3OU__OK;
    if (v->is_vector || v->grid_intpl_tag > H3OU__VECTOR_TAG)
        return h3ou__fail(H3OU__ECONFIG, "conserve='%s': the components of a vector have no integral over the sphere to conserve: leave "
                          "the key out", text);
    if (v->flag == H3OU__FLAG_INT)
        return h3ou__fail(H3OU__ECONFIG, "conserve='%s' and flag='INT': values between two exchanges are not corrected in this version: "
                          "give flag='SNP' or 'AVR'", text);
    return H3OU__OK;
}

/* Refuses what an attribute of a NetCDF file cannot say. */
static int check_text(const char *key, const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return h3ou__fail(H3OU__ECONFIG, "%s: the text has a character that cannot be printed: write it in one line, with blanks", key);
    return H3OU__OK;
}

/* Returns whether a text has the form of the standard names of the CF conventions, with a modifier behind a blank or without. */
static bool is_standard_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", others[] = "0123456789_";
    size_t first = strspn(text, letters), all = first;
    while (text[all] && (strchr(letters, text[all]) || strchr(others, text[all])))
        all++;
    return first > 0 && (!text[all] || (text[all] == ' ' && is_standard_name(text + all + 1)));
}

static int check_description(const h3ou__config_var *v)
{
    const h3ou__config_description *d = &v->description;
    const char *const key[] = {"units", "units_put", "standard_name", "long_name"};
    const char *const text[] = {d->units, d->units_put, d->standard_name, d->long_name};
    int err = H3OU__OK;
    for (int i = 0; i < 4 && !err; i++)
        err = check_text(key[i], text[i]);
    if (!err && *d->units_put && !*d->units)
        err = h3ou__fail(H3OU__ECONFIG, "units_put='%s': give units, too: those of the values that are got", d->units_put);
    if (!err && *d->standard_name && v->is_vector)
        err = h3ou__fail(H3OU__ECONFIG, "standard_name='%s': the components of a vector have different ones: leave the key out",
                         d->standard_name);
    if (!err && *d->standard_name && !is_standard_name(d->standard_name))
        err = h3ou__fail(H3OU__ECONFIG, "standard_name='%s': the standard names of the CF conventions have letters, digits and '_' only, "
                         "such as 'sea_surface_temperature': free text goes to long_name", d->standard_name);
    return err;
}

int h3ou__monitor_keys_parse(h3ou__config_var *v)
{
    h3ou__config_monitor *m = &v->monitor;
    int err = parse_sides(m->sides_text, &m->sides);
    if (!err)
        err = parse_conserve(m);
    if (!err && m->every < 0)
        err = h3ou__fail(H3OU__ECONFIG, "monitor_every: it is 1 or more: one exchange of so many is kept");
    if (!err && m->ledger > 0 && (v->is_vector || v->grid_intpl_tag > H3OU__VECTOR_TAG))
        err = h3ou__fail(H3OU__ECONFIG, "ledger=.true.: the components of a vector have no integral over the sphere: leave the key out");
    if (!err)
        err = check_description(v);
    return err ? err : check_conserve(v);
}

void h3ou__monitor_keys_inherit(h3ou__config *c)
{
    for (int i = 0; i < c->nvar; i++) {
        h3ou__config_monitor *m = &c->var[i].monitor;
        bool is_vector = c->var[i].is_vector || c->var[i].grid_intpl_tag > H3OU__VECTOR_TAG;
        m->sides = m->sides >= 0 ? m->sides : c->monitor.sides > 0 ? c->monitor.sides : 0;
        m->every = m->every > 0 ? m->every : c->monitor.every > 0 ? c->monitor.every : 1;
        m->ledger = m->ledger >= 0 ? m->ledger : c->monitor.ledger > 0 && !is_vector;
    }
}
