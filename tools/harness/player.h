/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of a measurement on one host: how they begin, on which core they run, and their place in an instance.
 */
#ifndef H3OU_TOOL_HARNESS_PLAYER_H
#define H3OU_TOOL_HARNESS_PLAYER_H

#include <sched.h>
#include <sys/types.h>

/* Forks; the child ends with its parent. Returns 0 in the child, -1 with errno on failure. */
pid_t player_fork(void);
/* Returns a port of 127.0.0.1 that is free, below those that the system uses for outgoing connections; 0: none was
 * found. */
int player_free_port(void);
/* Sets the environment by which the library knows this process's place. */
void player_set_place(int port, int npb, int pb, int size, int rank);
/* Returns the n-th core of a set, or -1 if it has fewer. */
int player_core(const cpu_set_t *allowed, int n);
/* Binds this process to a core; returns 0, or -1 with errno. */
int player_bind(int core);

#endif
