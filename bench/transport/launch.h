/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of a measurement: on which core they run, with which environment, how they end, and their connections.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stddef.h>
#include <sys/types.h>

enum pin { PIN_NONE, PIN_OWN, PIN_ONE };

/* Returns zeroed memory that this process shares with all that it forks later. */
void *share(size_t bytes);
/* Returns a port that is free, below those that the system uses for outgoing connections. */
int free_port(void);
/* Forks; the child ends with its parent, and after `seconds` at the latest. Ends the process on failure. */
pid_t start(unsigned seconds);
/* Waits for a child; returns 0 if it ended without an error. */
int reap(pid_t pid);
void kill_and_reap(pid_t pid);
/* Binds to a core: PIN_OWN to the side-th, PIN_ONE to the first. */
void pin_to(enum pin pin, int side);
/* Sets the environment by which the library knows this process's place. */
void join_environment(int port, int npb, int pb, int size, int rank);
/* Lists the connected TCP sockets of this process without those of `but_port`; returns how many, at most `most`. */
int connections(int but_port, int fd[], int most);

#endif
