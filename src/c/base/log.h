/* SPDX-License-Identifier: BSD-3-Clause */
/* Log: an event with key=value pairs, passed to a sink that src/c/api or a program installs. Without a sink nothing is
 * logged. */
#ifndef H3OU_BASE_LOG_H
#define H3OU_BASE_LOG_H

enum h3ou__log_level {
    H3OU__LOG_SILENT = 0,  /* nothing */
    H3OU__LOG_WARNING = 1, /* probable mistakes; the default */
    H3OU__LOG_WHISPER = 2, /* rare events of every run: joined, planned, long wait, end */
    H3OU__LOG_LOUD = 3     /* every choice and every exchange */
};

typedef void (*h3ou__log_sink)(void *user, int level, const char *line); /* borrows line */

#pragma GCC visibility push(default)
void h3ou__log_to(int level, h3ou__log_sink sink, void *user);
int h3ou__log_level(void);
/* h3ou__log(H3OU__LOG_LOUD, "connect", "peer=%d route=%s", peer, route) becomes the line "connect peer=3 route=tcp". */
void h3ou__log(int level, const char *event, const char *format, ...) __attribute__((cold, format(printf, 3, 4)));
#pragma GCC visibility pop

#endif
