/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program holds: the world it joined, its coupler, and the messages it started beside the exchange. */
#ifndef H3OU_API_CONTEXT_H
#define H3OU_API_CONTEXT_H

#include "comm/comm.h"
#include "coupler/coupler.h"
#include "h3ou.h"

typedef struct h3ou__started { /* requests of isend or irecv calls until their waitall */
    int n, room;
    h3ou__req *req;
} h3ou__started;

struct h3ou_ctx {
    char name[H3OU__NAME + 1]; /* of my component */
    h3ou__world *world;
    h3ou__coupler *coupler;
    h3ou__started sends, receives;
};

/* H3OU__EARG for a missing context, a world not joined, or a name that is missing, empty or too long. */
int h3ou__ctx_check(const h3ou_ctx *ctx, const char *call);
int h3ou__name_check(const char *call, const char *argument, const char *name);
/* From here on an exit() of the program without h3ou_close ends the run for all, by h3ou_abort; until _end, or
 * h3ou_abort itself. Again when more is known of ctx: its name, its rank. */
void h3ou__exit_watch_begin(h3ou_ctx *ctx);
void h3ou__exit_watch_end(const h3ou_ctx *ctx);
/* Ends this process where MPI does not: says the sentence, then _exit. For h3ou__world_when_stuck. */
void h3ou__end_stuck(const char *sentence);
/* Installs standard error as the log's sink: whispers of leaders, and all of it when loud. */
void h3ou__log_install(h3ou_ctx *ctx, int level);
/* The same before the namelist is known to all: whoever has something to say reads the level from the file. */
void h3ou__log_install_early(h3ou_ctx *ctx, const char *config);
void h3ou__log_remove(void);

#endif
