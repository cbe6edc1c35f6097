/* SPDX-License-Identifier: BSD-3-Clause */
/* How to wait for something that only asking again can find out. */
#ifndef H3OU_OS_PAUSE_H
#define H3OU_OS_PAUSE_H

typedef struct h3ou__pause {
    double began;   /* seconds, h3ou__now() */
    double seconds; /* length of the next sleep; 0 while still yielding */
} h3ou__pause;

#pragma GCC visibility push(default)
void h3ou__pause_begin(h3ou__pause *p);
/* Seconds that the caller may sleep now before it asks again, 0 after having given the core away once. Ranks outnumber
 * cores, and an MPI gives no descriptor to block on and moves its messages only while it is asked: yield for `yielding`
 * seconds, then sleep from 20 to 200 microseconds. */
double h3ou__pause_next(h3ou__pause *p, double yielding);
enum h3ou__pause_micro {
    H3OU__YIELD_MPI = 2000,
    H3OU__YIELD_DESCRIPTOR = 50
}; /* microseconds of yielding, by what is awaited */
#pragma GCC visibility pop

#endif
