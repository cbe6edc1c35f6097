/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that take turns in one thread, each on a stack of its own: while one waits for another process, or for what
 * another one of them sends, the others go on. MPI needs no support for threads for this. */
#ifndef H3OU_OS_TURNS_H
#define H3OU_OS_TURNS_H

#include <stdbool.h>

#pragma GCC visibility push(default)
/* Calls body(user[i]) for each i, and returns when all have returned 0, or one has returned an error, which is the
 * result; the others are not gone on with then. resumed(user[i]) is called each time that body(user[i]) begins or goes
 * on. Not to be called by a body. */
int h3ou__turns_run(int n, void *const user[], int (*body)(void *user), void (*resumed)(void *user));
/* Called by a body that waits: lets the others go on until they wait, too. Outside h3ou__turns_run it does nothing. */
void h3ou__turns_pass(void);
/* Returns whether the caller is a body. */
bool h3ou__turns_are_taken(void);
#pragma GCC visibility pop

#endif
