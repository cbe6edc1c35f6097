/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The predicted time of an algorithm. A message takes latency + bytes / bandwidth, and a member sends as many at a time
 * as it has ports; the time that combining takes is left out. Formulas (3), (4) and (6) of the paper on Fugaku's
 * collective communication are the case of as many ports as a torus has directions.
 */
#ifndef H3OU_COLL_SCHEDULE_COST_H
#define H3OU_COLL_SCHEDULE_COST_H

#include "coll/schedule/algorithm.h"

typedef struct h3ou__machine {
    double latency;   /* seconds */
    double bandwidth; /* bytes per second */
    int ports;
} h3ou__machine;

/* A number of messages one after the other, of which the bytes are known; and, of algorithms with segments, a pipeline:
 * the time of `first` segments until the last member has its first one, and of `serial` for each further segment. */
struct h3ou__cost {
    double messages, bytes;
    double first, serial;
    int parts; /* of the message, which are under way at the same time, each in segments; 0: no pipeline */
};

#pragma GCC visibility push(default)
/* Returns seconds; call->segment is used. */
double h3ou__cost_predict(const h3ou__algorithm *a, const h3ou__call *call, const h3ou__machine *machine);
/* Returns the bytes of a segment for which the predicted time is least, as formulas (5) and (7) of that paper; 0: the
 * message in one. */
int64_t h3ou__cost_best_segment(const h3ou__algorithm *a, const h3ou__call *call, const h3ou__machine *machine);
/* Returns the bytes of a segment of a call in stages that overlap: for n segments of s bytes two stages take n times the latency of the slower one,
 * and as long as the other one needs for the first segment, which is least for s = sqrt(bytes * product), product: latency * bandwidth. */
int64_t h3ou__cost_overlap_segment(int64_t bytes, double product, int64_t shortest);
#pragma GCC visibility pop

/* For algorithms. */
int h3ou__cost_log2(int n);                           /* rounded up */
int h3ou__cost_serial(int messages, int ports);       /* messages / ports, rounded up */
int64_t h3ou__cost_all_bytes(const h3ou__call *call); /* of all parts; of a gather or scatter as if they were equal */
void h3ou__cost_rounds(h3ou__cost *cost, double n, double bytes); /* adds n messages of `bytes` each */
void h3ou__cost_pipeline(h3ou__cost *cost, int parts, double depth, int serial);

#endif
