/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coupled runs on one host for the tests: each process is a fork of the test program with the environment of its PB and
 * rank, joined through the launcher. Processes only report; the test program asserts when all have ended.
 */
#ifndef TESTS_WAITIO_RUN_H
#define TESTS_WAITIO_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "waitio.h"

enum { RUN_SEATS = 16, RUN_TEXT = 2048 };

typedef struct seat { /* shared between the process and the test program */
    int pb, rank;
    int code;            /* what the role answered */
    volatile int step;   /* how far the role has come */
    volatile int go;     /* what the test program allows */
    volatile int ear;    /* port on which it listens */
    char text[RUN_TEXT]; /* the sentence of an error */
    pid_t pid;
    int status; /* of waitpid; -1: still running */
} seat;

typedef int (*role)(seat *me);

typedef struct run {
    int npb, size[RUN_SEATS];
    int port; /* the master's */
    int n;
    seat *seat; /* [RUN_SEATS], shared memory */
} run;

int free_port(void);
/* Waits until that many connections to the port are open, whoever has them. */
bool port_has(int port, int connections, double seconds);
int connect_to(int port);
int bind_to(int port);   /* a socket that has the port, but does not listen */
int listen_on(int port); /* an ordinary server; answers its descriptor */
void run_begin(run *r, int npb, const int size[]);
/* Starts a process; the test program may look at the answered seat. */
seat *run_start(run *r, int pb, int rank, role what);
void run_start_all(run *r, role what);
bool run_wait(run *r, double seconds); /* true: all have ended */
/* Waits for all; false when some had to be killed. Then run_close. */
bool run_end(run *r, double seconds);
/* Waits for all, and closes; false, with the reasons on standard error, unless all have ended without an error. */
bool run_ends_well(run *r, double seconds);
void run_close(run *r);
bool seat_reaches(const seat *s, int step, double seconds); /* for the test program */
/* Whether a process that has ended reported this code, with this part in its sentence; else prints what it reported. */
bool seat_says(const seat *s, int code, const char *part);
void seat_kill(const seat *s);

/* In the process: joins; keeps the sentence of a failure. */
int seat_join(seat *me, double timeout);
int seat_keep(seat *me, int code); /* code, with its sentence kept when it is an error */
/* Waits for the test program's permission without (or with) making progress. */
void seat_idle(const seat *me, int go);
int seat_turn(const seat *me, int go);
waitio_group_t group_of_all(int gid);
void fill_pattern(char *buf, size_t n, uint64_t seed);
bool is_pattern(const char *buf, size_t n, uint64_t seed);

#endif
