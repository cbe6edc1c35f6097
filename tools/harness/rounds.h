/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring rounds of ping-pongs that pairs of processes play at the same time. All calls return 0 or a negative code
 * with h3ou__fail_text(). */
#ifndef H3OU_TOOL_HARNESS_ROUNDS_H
#define H3OU_TOOL_HARNESS_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/harness/wire.h"

enum { ROUND_LINKS_MOST = 2 };

typedef struct round_plan {
    int rounds;
    int repeat;     /* ping-pongs in a round; 0: as many as fit into: */
    double seconds; /* of a round */
} round_plan;

/* One round that was measured. */
typedef struct round_result {
    int link; /* which of the links that are measured by turns */
    int pairs;
    bool is_pinned; /* each process had a core of its own */
    int64_t bytes, repeats;
    double slowest, mean; /* ns that the slowest pair took, and the pairs on average */
} round_result;

typedef struct round_ops {
    /* Lets all pairs play r->repeats ping-pongs of r->bytes over r->link, and sets pairs, is_pinned, slowest and mean.
     */
    int (*play)(void *user, round_result *r);
    int (*put)(void *user, const round_result *r);
} round_ops;

/* Measures one size: rounds of all links by turns, after rounds that open connections, fill caches and show how long a
 * ping-pong takes. Where all processes conduct, all must get the same times. */
int measure_rounds(const round_plan *plan, int links, int64_t bytes, const round_ops *ops, void *user);

/* Plays n ping-pongs with the other side, checks that each message is the one that was sent, and sets the nanoseconds
 * that they took. */
int play_ping_pongs(wire *w, int side, char *buf, size_t size, uint64_t n, double *ns);

/* A round as a line of text, "round ...", by which processes tell it to the one that started them. */
enum { ROUND_LINE = 200 };
void round_write_line(const round_result *r, char line[ROUND_LINE]);
bool round_read_line(const char *line, round_result *r);

#endif
