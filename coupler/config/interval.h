/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `intvl`: seconds between two exchanges, or months of the calendar. */
#ifndef H3OU_COUPLER_CONFIG_INTERVAL_H
#define H3OU_COUPLER_CONFIG_INTERVAL_H

#include "coupler/config/config.h"
#include "coupler/time/rational.h"

enum { H3OU__INTERVAL_TEXT = 80 };

/* Returns whether the key was given: without it a field is exchanged once. */
static inline bool h3ou__interval_is_given(const h3ou__interval *v)
{
    return v->months > 0 || v->num > 0;
}

static inline h3ou__rational h3ou__interval_seconds(const h3ou__interval *v)
{
    return (h3ou__rational){v->num, v->den};
}

/* Called by the Fortran reader. Reads "3600", "0.1", "1/3", "6 hours", "1/2 day", "3 months"... H3OU__ECONFIG with the
 * line when it is none of these, or not above 0. */
int h3ou__config_interval(h3ou__config *c, int line, const char *text, h3ou__interval *out);
/* Return seconds that the interval is never longer, or never shorter than; it must be given. */
double h3ou__interval_most(const h3ou__interval *v);
double h3ou__interval_least(const h3ou__interval *v);
/* Writes "3600", "1/3" or "3 months"; returns text. */
char *h3ou__interval_text(const h3ou__interval *v, char text[H3OU__INTERVAL_TEXT]);

#endif
