/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/calendar.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"

enum { DAY = 86400 };

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Days since 1970-01-01, with years that begin in March so that the leap day is the last (Howard Hinnant,
 * "chrono-Compatible Low-Level Date Algorithms"). */
static int64_t days_from_date(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = floor_div(year, 400);
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static void date_from_days(int64_t days, int date[3])
{
    days += 719468;
    int64_t era = floor_div(days, 146097);
    int64_t day_of_era = days - era * 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    date[2] = (int)(day_of_year - (153 * month + 2) / 5 + 1);
    date[1] = (int)(month < 10 ? month + 3 : month - 9);
    date[0] = (int)(year_of_era + era * 400 + (date[1] <= 2));
}

int h3ou__date_seconds(const int date[6], int64_t *seconds)
{
    static const int month_days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = date[0], month = date[1];
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (month < 1 || month > 12 || date[2] < 1 || date[2] > month_days[month - 1] + (month == 2 && leap) ||
        date[3] < 0 || date[3] > 23 || date[4] < 0 || date[4] > 59 || date[5] < 0 || date[5] > 59)
        return h3ou__fail(H3OU__ETIME, "%d-%d-%d %d:%d:%d is no date (year, month, day, hour, minute, second)", year,
                          month, date[2], date[3], date[4], date[5]);
    *seconds = days_from_date(year, month, date[2]) * DAY + date[3] * 3600 + date[4] * 60 + date[5];
    return H3OU__OK;
}

void h3ou__date_from_seconds(int64_t seconds, int date[6])
{
    int64_t days = floor_div(seconds, DAY);
    int rest = (int)(seconds - days * DAY);
    date_from_days(days, date);
    date[3] = rest / 3600;
    date[4] = rest / 60 % 60;
    date[5] = rest % 60;
}

char *h3ou__date_text(int64_t seconds, char text[32])
{
    int d[6];
    h3ou__date_from_seconds(seconds, d);
    snprintf(text, 32, "%04d-%02d-%02d %02d:%02d:%02d", d[0], d[1], d[2], d[3], d[4], d[5]);
    return text;
}
