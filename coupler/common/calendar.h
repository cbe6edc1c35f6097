/* SPDX-License-Identifier: BSD-3-Clause */
/* Dates as seconds, without leap seconds. A date is year, month, day, hour, minute, second. */
#ifndef H3OU_COUPLER_COMMON_CALENDAR_H
#define H3OU_COUPLER_COMMON_CALENDAR_H

#include <stdint.h>

/* In the order of the key calendar in namelist.f90. Without a calendar dates are not checked, and counted as Gregorian.
 */
enum h3ou__calendar { H3OU__NO_CALENDAR, H3OU__GREGORIAN, H3OU__360_DAY, H3OU__NOLEAP, H3OU__JULIAN };

enum { H3OU__DATE_TEXT = 80 };

const char *h3ou__calendar_name(int calendar);
/* H3OU__ETIME, with the date and the calendar, when it is none. */
int h3ou__date_check(int calendar, const int date[6]);
/* Seconds since 1970-01-01 00:00:00 of the same calendar. What is no date is counted on: hour 25 is 1 of the next day,
 * month 0 is December of the year before. */
int64_t h3ou__date_seconds(int calendar, const int date[6]);
void h3ou__date_from_seconds(int calendar, int64_t seconds, int date[6]);
/* In a date whose month or day is none (dates of zeros) only days, hours, minutes and seconds move. */
void h3ou__date_add(int calendar, int date[6], int64_t seconds);
/* "2000-01-31 12:00:00", of any six numbers. */
char *h3ou__date_text(const int date[6], char text[H3OU__DATE_TEXT]);

#endif
