/* SPDX-License-Identifier: BSD-3-Clause */
/* Dates as seconds, without leap seconds. A date is year, month, day, hour, minute, second. */
#ifndef H3OU_COUPLER_TIME_CALENDAR_H
#define H3OU_COUPLER_TIME_CALENDAR_H

#include <stdint.h>

/* The values stand in the order of the words that namelist.f90 knows for the key `calendar`. With H3OU__NO_CALENDAR
 * dates are not checked, and are converted as Gregorian ones. */
enum h3ou__calendar { H3OU__NO_CALENDAR, H3OU__GREGORIAN, H3OU__360_DAY, H3OU__NOLEAP, H3OU__JULIAN, H3OU__ALL_LEAP };

enum { H3OU__DATE_TEXT = 80 };

const char *h3ou__calendar_name(int calendar);
/* Fails with H3OU__ETIME when the six numbers are not a date of the calendar. */
int h3ou__date_check(int calendar, const int date[6]);
/* Seconds since 1970-01-01 00:00:00 of the same calendar. Numbers out of range carry over: hour 25 is hour
 * 1 of the next day, month 0 is December of the year before. */
int64_t h3ou__date_seconds(int calendar, const int date[6]);
void h3ou__date_from_seconds(int calendar, int64_t seconds, int date[6]);
/* Adds seconds. When month or day is out of range (a date of zeros), only day, hour, minute and second change. */
void h3ou__date_add(int calendar, int date[6], int64_t seconds);
/* Adds months, which may be negative. A day that the month has not becomes its last. The date is one of the calendar. */
void h3ou__date_add_months(int calendar, int date[6], int64_t months);
/* Writes any six numbers as "2000-01-31 12:00:00"; returns text. */
char *h3ou__date_text(const int date[6], char text[H3OU__DATE_TEXT]);

#endif
