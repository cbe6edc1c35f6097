/* SPDX-License-Identifier: BSD-3-Clause */
/* Letting only one process of a job on each host print an error that many meet at the same moment. */
#ifndef H3OU_COMM_SPEAKER_H
#define H3OU_COMM_SPEAKER_H

#include <stdbool.h>

/* Returns true in the first process of this job on this host that calls it and still lives, and in all processes where
 * no launcher says which belong together. Ranks other than 0 wait a moment first, so that rank 0 is preferred. Where it
 * returns false it has waited for the other process to print. */
bool h3ou__speaker_claim(int rank);
/* Waits a moment after an error was printed: an mpirun that is told to abort may drop output that it has not yet read,
 * and another process that asks later than this one ends would print again. Where the claim is this process's, it waits
 * until all others of the job on this host have asked, but not much longer than a second: they may compute, and not ask
 * at all. */
void h3ou__speaker_stay(void);

#endif
