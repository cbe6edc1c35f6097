/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/interval.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

enum { DAY = 86400, LONGEST_MONTH = 31 * DAY, SHORTEST_MONTH = 28 * DAY, MOST_MONTHS = 120000 };

static const struct unit {
    const char *name;
    int seconds, months; /* one of them is 0 */
} units[] = {{"s", 1, 0},       {"second", 1, 0}, {"min", 60, 0},  {"minute", 60, 0}, {"h", 3600, 0},
             {"hour", 3600, 0}, {"d", DAY, 0},    {"day", DAY, 0}, {"month", 0, 1},   {"year", 0, 12}};

/* Returns the unit of that name, which may end in s, as in "hours"; NULL: there is none. "": seconds. */
static const struct unit *find_unit(const char *name)
{
    size_t length = strlen(name);
    if (length == 0)
        return units;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t long_name = strlen(units[i].name);
        if (strncasecmp(name, units[i].name, long_name) == 0 &&
            (length == long_name || (long_name > 1 && length == long_name + 1 && (name[long_name] | 32) == 's')))
            return &units[i];
    }
    return NULL;
}

/* Reads "12", "1/3" or "0.1" at the beginning of a text; returns what follows, NULL when there is no such number. */
static const char *read_number(const char *text, h3ou__rational *out)
{
    char *end;
    errno = 0;
    long long num = strtoll(text, &end, 10);
    if (end == text || *end == '.' || (*end | 32) == 'e') {
        *out = h3ou__rational_nearest(strtod(text, &end));
        return end == text ? NULL : end;
    }
    if (errno != 0)
        return NULL;
    *out = h3ou__whole(num);
    if (*end != '/')
        return end;
    const char *below = end + 1;
    long long den = strtoll(below, &end, 10);
    if (end == below || errno != 0 || den <= 0)
        return NULL;
    *out = h3ou__rational_make(num, den);
    return end;
}

int h3ou__config_interval(h3ou__config *c, int line, const char *text, h3ou__interval *out)
{
    h3ou__rational n = {0, 1};
    char sentence[H3OU__ERROR_TEXT / 2];
    const char *rest = read_number(text, &n);
    const struct unit *unit = rest ? find_unit(rest + strspn(rest, " ")) : NULL;
    *out = (h3ou__interval){0, 0, 1};
    if (unit && h3ou__rational_compare(n, h3ou__whole(0)) > 0) {
        if (unit->months == 0)
            n = h3ou__rational_times(n, unit->seconds);
        if (unit->months > 0 && n.den == 1 && n.num <= MOST_MONTHS) {
            out->months = (int)n.num * unit->months;
            return H3OU__OK;
        }
        if (unit->months == 0 && h3ou__rational_is_finite(n)) {
            out->num = n.num;
            out->den = n.den;
            return H3OU__OK;
        }
    }
    snprintf(sentence, sizeof sentence,
             "h3ou_var: intvl=%.40s: the interval is a number of seconds above 0, or a text: '1/3', '90 min', '6 hours', '5 days', "
             "'1 month' or '2 years'; months and years are whole",
             text);
    return h3ou__config_error(c, line, sentence);
}

double h3ou__interval_most(const h3ou__interval *v)
{
    return v->months > 0 ? (double)v->months * LONGEST_MONTH : h3ou__rational_real(h3ou__interval_seconds(v));
}

double h3ou__interval_least(const h3ou__interval *v)
{
    return v->months > 0 ? (double)v->months * SHORTEST_MONTH : h3ou__rational_real(h3ou__interval_seconds(v));
}

char *h3ou__interval_text(const h3ou__interval *v, char text[H3OU__INTERVAL_TEXT])
{
    if (v->months > 0)
        snprintf(text, H3OU__INTERVAL_TEXT, "%d month%s", v->months, v->months > 1 ? "s" : "");
    else
        h3ou__rational_text(h3ou__interval_seconds(v), text);
    return text;
}
