/* SPDX-License-Identifier: BSD-3-Clause */
/* Showing the progress of long work: one line on a terminal, overwritten each time; nothing if stderr is no terminal.
 */
#ifndef H3OU_TOOL_PROGRESS_H
#define H3OU_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    double started, said, delay; /* seconds */
    bool is_terminal, is_shown;
} progress;

/* The line appears after H3OU_PROGRESS_DELAY seconds (1). */
void progress_begin(progress *p);
/* "conservative:  42 % of 64800 cells, 3 s" */
void progress_say(progress *p, const char *what, int64_t done, int64_t all, const char *unit);
/* Removes the line. */
void progress_end(progress *p);

#endif
