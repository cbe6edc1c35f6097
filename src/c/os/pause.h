/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for something that can only be polled. */
#ifndef H3OU_OS_PAUSE_H
#define H3OU_OS_PAUSE_H

#include <stdbool.h>

typedef struct h3ou__pause {
    double began;   /* seconds, h3ou__now() */
    double seconds; /* length of the next sleep; 0 while still yielding */
    int turns;      /* how often it has yielded */
    int naps;       /* how often it was to sleep */
    double given;   /* seconds in which others had the core while it yielded (h3ou__pause_next_crowded) */
} h3ou__pause;

#pragma GCC visibility push(default)
/* Seconds of a sched_yield: where nobody else wants the core it is shorter than the first, and among processes that wait as the caller
 * does, shorter than the second; beside one that computes it takes milliseconds. */
extern const double h3ou__yield_given, h3ou__yield_taken;
void h3ou__pause_begin(h3ou__pause *p);
/* Returns for how many seconds the caller should sleep before it polls again: 0, after one sched_yield, during the
 * first `yielding` seconds, then 20 to 200 microseconds. Ranks may outnumber cores, and an MPI has no descriptor to
 * block on and moves its messages only while it is polled. */
double h3ou__pause_next(h3ou__pause *p, double yielding);
/* The same as h3ou__pause_next for a wait from which the caller is woken. It yields on while others have the core for
 * short times, as processes do that wait, too: that time does not count as yielding, up to a millisecond. It sleeps at
 * once when a yield took as long as beside a process that computes, and does not yield in the next waits then, nor
 * after it has yielded in vain: who yields to one that computes gets the core back after milliseconds, who is woken at
 * once. yielding 0: it does not yield. */
double h3ou__pause_next_crowded(h3ou__pause *p, double yielding);
/* Returns the seconds for which a caller that should sleep for `nap` may sleep where no long message is moved
 * meanwhile: a twentieth of the time that it has waited, up to 2 ms, if that is longer. Dozens of processes that wait
 * for one on the same cores, and look every 200 microseconds, leave it no time to compute. */
double h3ou__pause_longer(const h3ou__pause *p, double nap);
/* Returns whether the caller, which has just yielded or is to sleep for `nap`, should also look at what it does not
 * wait for and what is dear to look at: before each sleep, and every sixteenth time. */
bool h3ou__pause_looks_around(const h3ou__pause *p, double nap);
/* Returns whether the caller, which waits for something else than the MPI, should also call the MPI now: another process may wait for messages of the program that
 * the MPI moves only in its calls. A look takes microseconds, which other processes may want: there is none in a wait of less than 0.2 ms, unless the last one
 * of this thread is long ago. */
bool h3ou__pause_looks_at_mpi(const h3ou__pause *p);
enum { H3OU__SHORT_WAIT = 1 << 16 }; /* bytes of messages that an MPI moves in few pieces */
enum h3ou__pause_micro {
    H3OU__YIELD_MPI = 2000,
    H3OU__YIELD_CROWDED_MPI = 50, /* where one that yields takes core time from one that computes */
    H3OU__YIELD_DESCRIPTOR = 50,
    H3OU__YIELD_MEMORY = 200
}; /* microseconds of yielding, for each kind of wait */
#pragma GCC visibility pop

#endif
