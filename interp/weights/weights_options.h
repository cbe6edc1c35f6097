/* SPDX-License-Identifier: BSD-3-Clause */
/* How weights are to be made. */
#ifndef H3OU_INTERP_WEIGHTS_WEIGHTS_OPTIONS_H
#define H3OU_INTERP_WEIGHTS_WEIGHTS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { H3OU__STACK_MOST = 8 }; /* methods in a stack */
enum h3ou__norm { H3OU__FRACAREA, H3OU__DESTAREA };

typedef struct h3ou__weights_options {
    int norm;                       /* enum h3ou__norm */
    bool limit;                     /* the second order keeps to the range of the neighbours' values, at apply */
    int threads;                    /* 0: as OpenMP says */
    const unsigned char *leave_out; /* [targets] cells to treat as masked ones, beside those; or NULL */
    /* Called now and then, by one thread at a time: `done` of `all` targets of the method are done. NULL: no reports.
     */
    void (*progress)(void *user, const char *method, int64_t done, int64_t all);
    void *user;
} h3ou__weights_options;

#endif
