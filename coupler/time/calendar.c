/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/time/calendar.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

enum { DAY = 86400 };

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

const char *h3ou__calendar_name(int calendar)
{
    static const char *const names[] = {"none", "gregorian", "360_day", "noleap", "julian", "all_leap"};
    return names[calendar];
}

/* Returns the days from March 1 of year 0 to March 1 of `year`. Years begin in March here, so that a leap day is the
 * last of its year (as in Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"). */
static int64_t days_to_march(int calendar, int64_t year)
{
    if (calendar == H3OU__NOLEAP || calendar == H3OU__ALL_LEAP)
        return (calendar == H3OU__NOLEAP ? 365 : 366) * year;
    int64_t days = 365 * year + floor_div(year, 4);
    return calendar == H3OU__JULIAN ? days : days + floor_div(year, 400) - floor_div(year, 100);
}

/* Returns the days since March 1 of year 0, in the calendar 360_day since January 1. month is 1 to 12, day any number.
 */
static int64_t days_from_date(int calendar, int64_t year, int month, int day)
{
    if (calendar == H3OU__360_DAY)
        return 360 * year + 30 * (month - 1) + day - 1;
    year -= month <= 2;
    return days_to_march(calendar, year) + (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
}

static void date_from_days(int calendar, int64_t days, int date[3])
{
    if (calendar == H3OU__360_DAY) {
        date[0] = (int)floor_div(days, 360);
        days -= INT64_C(360) * date[0];
        date[1] = (int)(days / 30 + 1);
        date[2] = (int)(days % 30 + 1);
        return;
    }
    int64_t year = floor_div(400 * days, days_to_march(calendar, 400)); /* a first guess, wrong by one year at most */
    while (days_to_march(calendar, year) > days)
        year--;
    while (days_to_march(calendar, year + 1) <= days)
        year++;
    int64_t day_of_year = days - days_to_march(calendar, year);
    int64_t month = (5 * day_of_year + 2) / 153;
    date[2] = (int)(day_of_year - (153 * month + 2) / 5 + 1);
    date[1] = (int)(month < 10 ? month + 3 : month - 9);
    date[0] = (int)(year + (date[1] <= 2));
}

static int days_of_month(int calendar, int year, int month)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (calendar == H3OU__JULIAN || year % 100 != 0 || year % 400 == 0);
    if (calendar == H3OU__360_DAY)
        return 30;
    if (calendar == H3OU__NOLEAP || calendar == H3OU__ALL_LEAP)
        leap = calendar == H3OU__ALL_LEAP;
    return days[month - 1] + (month == 2 && leap);
}

int h3ou__date_check(int calendar, const int date[6])
{
    char text[H3OU__DATE_TEXT];
    if (calendar == H3OU__NO_CALENDAR ||
        (date[1] >= 1 && date[1] <= 12 && date[2] >= 1 && date[2] <= days_of_month(calendar, date[0], date[1]) &&
         date[3] >= 0 && date[3] <= 23 && date[4] >= 0 && date[4] <= 59 && date[5] >= 0 && date[5] <= 59))
        return H3OU__OK;
    return h3ou__fail(H3OU__ETIME, "%s is no date (year, month, day, hour, minute, second; calendar='%s')",
                      h3ou__date_text(date, text), h3ou__calendar_name(calendar));
}

int64_t h3ou__date_seconds(int calendar, const int date[6])
{
    int64_t years = floor_div((int64_t)date[1] - 1, 12);
    int month = (int)(date[1] - 12 * years);
    int64_t days = days_from_date(calendar, date[0] + years, month, 1) + date[2] - 1;
    return (days - days_from_date(calendar, 1970, 1, 1)) * DAY + INT64_C(3600) * date[3] + INT64_C(60) * date[4] +
           date[5];
}

static void set_time_of_day(int64_t seconds, int date[6])
{
    date[3] = (int)(seconds / 3600);
    date[4] = (int)(seconds / 60 % 60);
    date[5] = (int)(seconds % 60);
}

void h3ou__date_from_seconds(int calendar, int64_t seconds, int date[6])
{
    int64_t days = floor_div(seconds, DAY);
    date_from_days(calendar, days + days_from_date(calendar, 1970, 1, 1), date);
    set_time_of_day(seconds - days * DAY, date);
}

/* Adds seconds when the day stays the same, which nearly all steps of a model do; false: it does not, or the date may be none. */
static bool add_within_day(int date[6], int64_t seconds)
{
    int64_t since = INT64_C(3600) * date[3] + INT64_C(60) * date[4] + date[5];
    bool is_day = date[1] >= 1 && date[1] <= 12 && date[2] >= 1 && date[2] <= 28; /* in every calendar */
    if (!is_day || seconds <= -DAY || seconds >= DAY || since + seconds < 0 || since + seconds >= DAY)
        return false;
    set_time_of_day(since + seconds, date);
    return true;
}

void h3ou__date_add(int calendar, int date[6], int64_t seconds)
{
    if (add_within_day(date, seconds))
        return;
    if (date[1] >= 1 && date[1] <= 12 && date[2] >= 1) {
        h3ou__date_from_seconds(calendar, h3ou__date_seconds(calendar, date) + seconds, date);
        return;
    }
    seconds += INT64_C(3600) * date[3] + INT64_C(60) * date[4] + date[5];
    int64_t days = floor_div(seconds, DAY);
    date[2] += (int)days;
    set_time_of_day(seconds - days * DAY, date);
}

void h3ou__date_add_months(int calendar, int date[6], int64_t months)
{
    int64_t month = INT64_C(12) * date[0] + date[1] - 1 + months;
    date[0] = (int)floor_div(month, 12);
    date[1] = (int)(month - INT64_C(12) * date[0]) + 1;
    int days = days_of_month(calendar, date[0], date[1]);
    if (date[2] > days)
        date[2] = days;
}

char *h3ou__date_text(const int d[6], char text[H3OU__DATE_TEXT])
{
    snprintf(text, H3OU__DATE_TEXT, "%04d-%02d-%02d %02d:%02d:%02d", d[0], d[1], d[2], d[3], d[4], d[5]);
    return text;
}
