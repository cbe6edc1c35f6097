/* SPDX-License-Identifier: BSD-3-Clause */
/* Dates for calendars.py. Of each line of standard input, "CALENDAR DATE SECONDS MONTHS" with six numbers for DATE, writes the seconds
 * since 1970, whether DATE is one of the calendar, and DATE after so many seconds, and after so many months. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "coupler/time/calendar.h"

static int find_calendar(const char *name)
{
    int calendar = H3OU__NO_CALENDAR;
    while (calendar < H3OU__ALL_LEAP && strcmp(h3ou__calendar_name(calendar), name) != 0)
        calendar++;
    return calendar;
}

static void print_date(const int d[6], const char *end)
{
    printf(" %d %d %d %d %d %d%s", d[0], d[1], d[2], d[3], d[4], d[5], end);
}

int main(void)
{
    char name[32];
    int d[6], later[6], months;
    int64_t seconds;
    while (scanf("%31s %d %d %d %d %d %d %" SCNd64 " %d", name, &d[0], &d[1], &d[2], &d[3], &d[4], &d[5], &seconds, &months) == 9) {
        int calendar = find_calendar(name);
        printf("%" PRId64 " %d", h3ou__date_seconds(calendar, d), h3ou__date_check(calendar, d) == 0);
        memcpy(later, d, sizeof d);
        h3ou__date_add(calendar, later, seconds);
        print_date(later, "");
        h3ou__date_add_months(calendar, d, months);
        print_date(d, "\n");
    }
    return 0;
}
