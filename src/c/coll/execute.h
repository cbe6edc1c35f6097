/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor of schedules, over any transport of messages between two members. A run is one member's part of one
 * call. It never blocks before h3ou__coll_wait; several runs may be under way at a time, with the same members too, if
 * their tags differ: the callers count the calls of a communicator, which all members make in the same order.
 */
#ifndef H3OU_COLL_EXECUTE_H
#define H3OU_COLL_EXECUTE_H

#include "coll/schedule/schedule.h"

/* A transport. Its calls return 0 or an error with its sentence; a run that got an error is at its end. */
typedef struct h3ou__link_ops {
    int request_size; /* bytes of a request, which the run holds in arrays and may not move once it is started */
    /* Start a message. Messages with one tag between two members meet in the order in which they are started. buf and
     * *req are borrowed until the request is complete. */
    int (*isend)(void *link, int peer, int64_t tag, const void *buf, int64_t bytes, void *req);
    int (*irecv)(void *link, int peer, int64_t tag, void *buf, int64_t bytes, void *req);
    /* Progress; *done: all n requests are complete. Requests that were complete before are allowed. Never blocks. */
    int (*test)(void *link, int n, void *req, bool *done);
    /* Waits until all n requests are complete, or patience ends. */
    int (*wait)(void *link, int n, void *req);
    int (*rank)(void *link, int peer); /* the number by which h3ou__coll_awaited names a member; NULL: peer */
} h3ou__link_ops;

/* What a run works on. The buffers are borrowed until it is at its end; those that the operation does not use may be
 * NULL. */
typedef struct h3ou__coll_data {
    const void *input;
    void *output;
    int element; /* bytes */
    /* Combines n elements: to = to op from, or, if is_left, to = from op to. May be NULL if nothing is combined. */
    void (*combine)(const struct h3ou__coll_data *data, void *to, const void *from, int64_t n, bool is_left);
    int type, op; /* of h3ou__coll_combine */
    void *user;   /* of another combine; borrowed */
} h3ou__coll_data;

typedef struct h3ou__coll_run h3ou__coll_run;

#pragma GCC visibility push(default)
/* Starts a run; takes *s, whose contents are freed with the run, also after an error. ops and link are borrowed until
 * h3ou__coll_end. *out is NULL after an error. */
int h3ou__coll_start(h3ou__schedule *s, const h3ou__coll_data *data, const h3ou__link_ops *ops, void *link, int64_t tag,
                     h3ou__coll_run **out);
int h3ou__coll_test(h3ou__coll_run *run, bool *done); /* progresses; never blocks */
int h3ou__coll_wait(h3ou__coll_run *run);
/* Sets rank[] to the members whose messages of the round under way have not come, at most `most`; returns their number. */
int h3ou__coll_awaited(h3ou__coll_run *run, int rank[], int most);
/* Frees a run; NULL is allowed. After an error the transport may still hold messages of the run: then its memory is
 * kept. */
void h3ou__coll_end(h3ou__coll_run *run);
/* Starts, waits and ends. Takes *s. */
int h3ou__coll_execute(h3ou__schedule *s, const h3ou__coll_data *data, const h3ou__link_ops *ops, void *link,
                       int64_t tag);
/* The combination by h3ou__combine, with data->type and data->op. */
void h3ou__coll_combine(const h3ou__coll_data *data, void *to, const void *from, int64_t n, bool is_left);
#pragma GCC visibility pop

#endif
