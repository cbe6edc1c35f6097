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
/* Installs standard error as the log's sink: whispers of leaders, and all of it when loud. */
void h3ou__log_install(h3ou_ctx *ctx, int level);
void h3ou__log_remove(void);

#endif
