/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between the components of one process. A send is copied, so that it never waits for its receive. */
#ifndef H3OU_COMM_OWN_MESSAGES_H
#define H3OU_COMM_OWN_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct h3ou__own_receive h3ou__own_receive;

/* kind, tag: of the communicator, and h3ou__comm_tag: what only the same sender and receiver have. */
int h3ou__own_send(int kind, int tag, const void *buf, int64_t bytes);
/* Posts a receive into buf, which is borrowed until h3ou__own_test returns true. */
int h3ou__own_receive_begin(int kind, int tag, void *buf, int64_t bytes, h3ou__own_receive **out);
/* Returns whether the message has come; then *bytes is its length, which may be above that of the buffer, and the
 * receive is freed. */
bool h3ou__own_test(h3ou__own_receive *r, int64_t *bytes);
/* Frees messages that were not received, and receives that got none. */
void h3ou__own_messages_free(void);

#endif
