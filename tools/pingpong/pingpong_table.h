/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured: a series for each way and number of pairs, a point for each size, a number for each round. */
#ifndef H3OU_TOOL_PINGPONG_TABLE_H
#define H3OU_TOOL_PINGPONG_TABLE_H

#include "tools/pingpong/pingpong_plan.h"

enum { PINGPONG_KEPT = 400, PINGPONG_NOTES = 12 };

enum pingpong_kind { PINGPONG_RAW, PINGPONG_WAITIO, PINGPONG_MPI };

typedef struct pingpong_way {
    char name[48]; /* "WaitIO, 2 PBs, socket" */
    enum pingpong_kind kind;
    int pbs;        /* 0: not of WaitIO */
    char route[16]; /* WAITIO_COMM_TYPE; empty: as the library chooses */
} pingpong_way;

typedef struct pingpong_point {
    int64_t bytes, repeats;                             /* repeats: of all rounds */
    int n;                                              /* rounds */
    double slowest[PINGPONG_KEPT], mean[PINGPONG_KEPT]; /* of the pairs: half a round trip, microseconds */
} pingpong_point;

typedef struct pingpong_series {
    pingpong_way way;
    int pairs, npoint;
    bool is_pinned;
    pingpong_point *point; /* [PINGPONG_SIZES], by size */
} pingpong_series;

typedef struct pingpong_table {
    pingpong_series *series;
    int nseries, rounds;
    int64_t room; /* of series */
    char where[512], when[40]; /* the hosts; the time at the begin */
    char note[PINGPONG_NOTES][400];
    int nnote;
} pingpong_table;

void pingpong_table_begin(pingpong_table *t);
void pingpong_table_free(pingpong_table *t);
int pingpong_table_add(pingpong_table *t, const pingpong_way *way, const round_result *round);
void pingpong_table_note(pingpong_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

const pingpong_point *pingpong_find(const pingpong_series *s, int64_t bytes); /* NULL: not measured */
const pingpong_series *pingpong_find_series(const pingpong_table *t, const char *name, int pairs);
/* Over the rounds. */
double pingpong_median(const double value[], int n);
double pingpong_half(const pingpong_point *p);                                /* us, of the slowest pair */
double pingpong_bandwidth(const pingpong_series *s, const pingpong_point *p); /* GB/s (10^9), of all pairs */

/* PREFIX.txt (and standard output), .csv, .json. H3OU__EFILE. */
int pingpong_write_text(const pingpong_table *t, const char *prefix);
int pingpong_write_csv(const pingpong_table *t, const char *prefix);
int pingpong_write_json(const pingpong_table *t, const char *prefix);

#endif
