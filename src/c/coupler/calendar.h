/* SPDX-License-Identifier: BSD-3-Clause */
/* Dates as seconds: the Gregorian calendar, without leap seconds. A date is year, month, day, hour, minute, second. */
#ifndef H3OU_COUPLER_CALENDAR_H
#define H3OU_COUPLER_CALENDAR_H

#include <stdint.h>

/* Seconds since 1970-01-01 00:00:00. H3OU__ETIME, with the date, when it is none. */
int h3ou__date_seconds(const int date[6], int64_t *seconds);
void h3ou__date_from_seconds(int64_t seconds, int date[6]);
/* "2000-01-31 12:00:00"; text holds 32 bytes or more. */
char *h3ou__date_text(int64_t seconds, char text[32]);

#endif
