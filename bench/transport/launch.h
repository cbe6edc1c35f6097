/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of a measurement, which are short programs: what fails ends the process with a sentence. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stddef.h>
#include <sys/types.h>

enum pin { PIN_NONE, PIN_OWN, PIN_ONE };

/* Prints what went wrong, with the system's reason if errno has one, and ends the process. */
_Noreturn void die(const char *what);
/* Ends the process with the sentence of h3ou__fail_text() when a call returned an error. */
void check_result(int code);

/* Returns zeroed memory that this process shares with all that it forks later. */
void *share(size_t bytes);
int free_port(void);
/* Forks; the child ends with its parent, and after `seconds` at the latest. */
pid_t start(unsigned seconds);
/* Waits for a child; returns 0 if it ended without an error. */
int reap(pid_t pid);
void kill_and_reap(pid_t pid);
/* Binds to a core: PIN_OWN to the side-th, PIN_ONE to the first. */
void pin_to(enum pin pin, int side);
/* Lists the connected TCP sockets of this process without those of `but_port`; returns how many, at most `most`. */
int connections(int but_port, int fd[], int most);

#endif
