/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for something that can only be polled. */
#ifndef H3OU_OS_PAUSE_H
#define H3OU_OS_PAUSE_H

typedef struct h3ou__pause {
    double began;   /* seconds, h3ou__now() */
    double seconds; /* length of the next sleep; 0 while still yielding */
} h3ou__pause;

#pragma GCC visibility push(default)
void h3ou__pause_begin(h3ou__pause *p);
/* Returns for how many seconds the caller should sleep before it polls again: 0, after one sched_yield, during the
 * first `yielding` seconds, then 20 to 200 microseconds. Ranks may outnumber cores, and an MPI has no descriptor to
 * block on and moves its messages only while it is polled. */
double h3ou__pause_next(h3ou__pause *p, double yielding);
enum h3ou__pause_micro {
    H3OU__YIELD_MPI = 2000,
    H3OU__YIELD_DESCRIPTOR = 50,
    H3OU__YIELD_MEMORY = 200
}; /* microseconds of yielding, for each kind of wait */
#pragma GCC visibility pop

#endif
