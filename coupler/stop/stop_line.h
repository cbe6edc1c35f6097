/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters between two processes that agree on a stop: short messages of whole numbers, which nobody waits for. */
#ifndef H3OU_COUPLER_STOP_STOP_LINE_H
#define H3OU_COUPLER_STOP_STOP_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "coupler/stop/stop_times.h"

enum { H3OU__STOP_WORDS = 8 + H3OU__STOP_TIMES_MOST };

/* Where letters of another process come in. The letter that came last is in `word`. */
typedef struct h3ou__stop_line {
    h3ou__comm *comm; /* borrowed */
    int rank;
    bool is_posted, is_lost; /* is_lost: the other process is of a job that was lost */
    h3ou__req req;
    int64_t word[H3OU__STOP_WORDS];
} h3ou__stop_line;

/* Letters that are on their way. */
typedef struct h3ou__stop_post {
    struct h3ou__stop_letter *first;
} h3ou__stop_post;

/* Sets *came when a letter has come. A process that has left or is lost sends none. */
int h3ou__stop_line_look(h3ou__stop_line *line, bool *came);
/* Copies the words. A process that has left takes no letters. */
int h3ou__stop_post_send(h3ou__stop_post *post, const h3ou__stop_line *to, int n, const int64_t word[]);
/* Forgets the letters that have left; *left: there are others. */
int h3ou__stop_post_sweep(h3ou__stop_post *post, h3ou__world *world, bool *left);
/* Allowed when all have left, or after the world was closed. */
void h3ou__stop_post_free(h3ou__stop_post *post);

#endif
