/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring half round trips and streams over a wire. Both sides call; side 0 gets the result. */
#ifndef TRIPS_H
#define TRIPS_H

#include "wire.h"

/* Half a round trip, in us. Rare interruptions by the machine do not change the median; the mean includes them. */
typedef struct trip {
    double median, mean;
} trip;

double seconds_now(void);

void measure_trip(wire *w, int side, size_t size, double seconds, trip *result);

/* Sets *result to messages per second. answered: after each window the sender waits for a word from the receiver. */
void measure_stream(wire *w, int side, size_t size, int window, int answered, double seconds, double *result);

#endif
