/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes of a measurement: where they run, what they are told, how they end; and the connections they hold. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stddef.h>
#include <sys/types.h>

enum pin { PIN_NONE, PIN_OWN, PIN_ONE };

/* Zeroed memory that all processes forked later share. */
void *share(size_t bytes);
/* A port that is free, below those that the system gives to outgoing connections. */
int free_port(void);
/* fork(): the child ends with its parent, and after `seconds` at the latest. Ends the process on failure. */
pid_t start(unsigned seconds);
/* Waits for one; 0 if it ended well. */
int reap(pid_t pid);
void kill_and_reap(pid_t pid);
/* Own: the side-th core; one: all on the first. */
void pin_to(enum pin pin, int side);
/* Tells this process's place to the library. */
void join_environment(int port, int npb, int pb, int size, int rank);
/* Connected TCP sockets of this process without those of `but_port`; answers how many, at most `most`. */
int connections(int but_port, int fd[], int most);

#endif
