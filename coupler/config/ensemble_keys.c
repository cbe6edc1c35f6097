/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/ensemble_keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/nearest_name.h"
#include "comm/comm.h"

static const struct {
    const char *word, *form; /* form: as it is written with its argument; NULL: it has none */
    int send;                /* enum h3ou__members_send */
} words[] = {
    {"mean", NULL, H3OU__SEND_MEAN},
    {"std", NULL, H3OU__SEND_STD},
    {"std1", NULL, H3OU__SEND_STD1},
    {"min", NULL, H3OU__SEND_MIN},
    {"max", NULL, H3OU__SEND_MAX},
    {"median", NULL, H3OU__SEND_QUANTILE},
    {"quantile", "quantile(Q), Q from 0 to 1", H3OU__SEND_QUANTILE},
    {"member", "member(M), M from 0", H3OU__SEND_MEMBER},
    {"stacked", NULL, H3OU__SEND_STACKED},
};
enum { NWORD = sizeof words / sizeof *words };

static int fail_unknown(const char *text, const char *word)
{
    const char *list[NWORD];
    char all[256] = "", near[H3OU__HINT];
    size_t used = 0;
    for (int i = 0; i < NWORD; i++) {
        list[i] = words[i].word;
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%.*s%s", i > 0 ? ", " : "",
                                 (int)(words[i].form ? strcspn(words[i].form, ",") : 0),
                                 words[i].form ? words[i].form : "", words[i].form ? "" : words[i].word);
    }
    return h3ou__fail(H3OU__ECONFIG, "statistic='%s': the members of an ensemble send one of %s%s", text, all,
                      h3ou__did_you_mean(word, list, NWORD, near));
}

/* Reads the number in the brackets at the end of a text. */
static bool take_argument(const char *bracket, bool is_whole, double largest, double *out)
{
    char *end, rest;
    if (*bracket != '(')
        return false;
    *out = strtod(bracket + 1, &end);
    return end > bracket + 1 && sscanf(end, " )%c", &rest) < 1 && strchr(end, ')') && *out >= 0.0 && *out <= largest &&
           (!is_whole || *out == (double)(int)*out);
}

static int take_word(h3ou__config_members *m, int i, const char *bracket)
{
    double number = 0.5; /* of the median */
    bool is_member = words[i].send == H3OU__SEND_MEMBER;
    if (!words[i].form && *bracket)
        return h3ou__fail(H3OU__ECONFIG, "statistic='%s': '%s' has no number", m->statistic, words[i].word);
    if (words[i].form && !take_argument(bracket, is_member, is_member ? H3OU__MEMBERS_MOST - 1 : 1.0, &number))
        return h3ou__fail(H3OU__ECONFIG, "statistic='%s': it is written %s", m->statistic, words[i].form);
    m->send = words[i].send;
    m->level = number;
    m->number = is_member ? (int)number : 0;
    return H3OU__OK;
}

static int parse_statistic(h3ou__config_members *m)
{
    char word[sizeof m->statistic];
    size_t length = strcspn(m->statistic, " (");
    m->send = H3OU__SEND_MEAN;
    if (!*m->statistic)
        return H3OU__OK;
    snprintf(word, sizeof word, "%.*s", (int)length, m->statistic);
    const char *bracket = m->statistic + length + strspn(m->statistic + length, " ");
    for (int i = 0; i < NWORD && (*bracket == '(' || !*bracket); i++)
        if (!strcasecmp(words[i].word, word))
            return take_word(m, i, bracket);
    return fail_unknown(m->statistic, word);
}

static int parse_to_members(h3ou__config_members *m)
{
    m->is_own = !strcasecmp(m->to_members, "own");
    if (m->is_own || !*m->to_members || !strcasecmp(m->to_members, "same"))
        return H3OU__OK;
    return h3ou__fail(
        H3OU__ECONFIG,
        "to_members='%s': the members of an ensemble get 'same' (each the whole field) or 'own' (each its slice of "
        "what is put as (cell, layer, member))",
        m->to_members);
}

int h3ou__ensemble_keys_parse(h3ou__config_var *v)
{
    h3ou__config_members *m = &v->members;
    int err = parse_statistic(m);
    if (!err)
        err = parse_to_members(m);
    if (err)
        return err;
    if ((m->send == H3OU__SEND_STACKED || m->is_own) && v->grid_intpl_tag > H3OU__VECTOR_TAG)
        return h3ou__fail(
            H3OU__ECONFIG,
            "%s and grid_intpl_tag=%d: the layers of a vector are no slices of members; give the vector by "
            "var_put_vec",
            m->is_own ? "to_members='own'" : "statistic='stacked'", v->grid_intpl_tag);
    if (!(m->perturb >= 0.0) || isinf(m->perturb))
        return h3ou__fail(H3OU__ECONFIG, "perturb=%g: it is a standard deviation, 0 or more", m->perturb);
    if (m->perturb > 0.0 && v->get_xyz)
        return h3ou__fail(H3OU__ECONFIG,
                          "perturb and var_get_xyz: the sum would not lie in the sphere's surface; get the vector by "
                          "var_get_vec");
    return H3OU__OK;
}
