/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring half round trips and streams over a wire. Both sides call; side 0 gets the result. All calls return 0 or a
 * negative code with h3ou__fail_text(). */
#ifndef H3OU_TOOL_HARNESS_TRIPS_H
#define H3OU_TOOL_HARNESS_TRIPS_H

#include <stdbool.h>

#include "tools/harness/wire.h"

/* Half a round trip, in us. Rare interruptions by the machine do not change the median; the mean includes them. */
typedef struct trip {
    double median, mean;
} trip;

int measure_trip(wire *w, int side, size_t size, double seconds, trip *result);

/* Sets *result to messages per second. is_answered: after each window the sender waits for a word from the receiver. */
int measure_stream(wire *w, int side, size_t size, int window, bool is_answered, double seconds, double *result);

#endif
