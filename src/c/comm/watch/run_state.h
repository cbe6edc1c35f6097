/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a process does at the moment, in a small file of the run's folder (H3OU_RUN_DIRECTORY/state/COMPONENT.RANK),
 * which h3ou run and h3ou top read: the file is mapped, so that telling costs some stores in memory. Numbers are in the
 * machine's byte order.
 */
#ifndef H3OU_COMM_WATCH_RUN_STATE_H
#define H3OU_COMM_WATCH_RUN_STATE_H

#include <stdint.h>

/* Whether the model asks if it is to stop early, and the answer. */
enum h3ou__run_stop { H3OU__ASKS_NOT, H3OU__ASKS, H3OU__STOPS, H3OU__CANNOT_STOP };
enum h3ou__doing { H3OU__STARTS, H3OU__COMPUTES, H3OU__WAITS, H3OU__HAS_ENDED };

/* The file. tools/run/state/states.py reads it by these offsets; a change of them needs another version. Seconds of the clock
 * of the day are since 1970. */
typedef struct h3ou__run_state {
    char magic[8];      /* "h3ourun" */
    uint32_t version;   /* 2 */
    uint32_t pid;       /* offset 12 */
    uint32_t size;      /* 16: processes of the component */
    uint32_t doing;     /* 20: enum h3ou__doing */
    uint32_t changes;   /* 24: of what it waits for; odd while it is written */
    uint32_t stop;      /* 28: enum h3ou__run_stop */
    double began;       /* 32: clock of the day when the file was made */
    double since;       /* 40: clock of the day when the wait began, or the component ended */
    double waited;      /* 48: seconds that the process has waited, all waits but the present one */
    double time, step;  /* 56, 64: the current step's beginning, in seconds since the run's start, and its length */
    int64_t start;      /* 72: the run's start in seconds since 1970, in the calendar of the run */
    uint64_t steps;     /* 80 */
    double first;       /* 88: time of the first step */
    double begun;       /* 96: clock of the day at the first step */
    double waited_then; /* 104: waited at the first step */
    char host[64];      /* 112 */
    char calendar[16];  /* 176 */
    char what[152];     /* 192: what it waits for, and for whom */
    double stop_at;     /* 344: H3OU__STOPS: seconds since the run's start */
    char who[160];      /* 352 */
} h3ou__run_state;

/* Makes the file of a process. Returns NULL when there is no run's folder, or it cannot hold the file: then nothing is
 * told. */
h3ou__run_state *h3ou__run_state_open(const char *component, int rank, int size);
/* Tells that the process has waited for so many seconds until now, for what and for whom. */
void h3ou__run_state_waits(h3ou__run_state *s, double seconds, const char *what, const char *who);
/* Tells that a wait has ended; waited: seconds of all. */
void h3ou__run_state_computes(h3ou__run_state *s, double waited);
/* Tells that a step begins. start, calendar: of the run; time, step: seconds. */
void h3ou__run_state_step(h3ou__run_state *s, int64_t start, const char *calendar, double time, double step);
/* Tells of an early stop. */
void h3ou__run_state_stop(h3ou__run_state *s, int stop, double at);
/* Tells that the component has ended. NULL is allowed in all of these. */
void h3ou__run_state_close(h3ou__run_state *s);

#endif
