/* SPDX-License-Identifier: BSD-3-Clause */
/* Half round trips and streams over a wire. Both sides call; side 0 gets the result. */
#ifndef TRIPS_H
#define TRIPS_H

#include "wire.h"

/* Of half a round trip, in us. Over the median the machine's own hiccups have no power, the mean has them all. */
typedef struct trip {
    double median, mean;
} trip;

double seconds_now(void);

void measure_trip(wire *w, int side, size_t size, double seconds, trip *result);

/* Messages per second. answered: after each window the sender waits for a word from the receiver. */
void measure_stream(wire *w, int side, size_t size, int window, int answered, double seconds, double *result);

#endif
