/* SPDX-License-Identifier: BSD-3-Clause */
/* Raw TCP: one connection, no header, what the machine gives to a plain program. */
#ifndef H3OU_TOOL_HARNESS_WIRE_TCP_H
#define H3OU_TOOL_HARNESS_WIRE_TCP_H

#include "tools/harness/wire.h"

enum { WIRE_TCP_INVITATION = 128 };

/* For processes of one host, `prepare` and `open` connect. */
extern const wire_ops wire_tcp;

/* Between hosts, one side listens and writes its address and a random number into the invitation, which is sent to the
 * other side by other means; another program that connects does not know the number. Set w->ops before. */
int wire_tcp_listen(wire *w, char invitation[WIRE_TCP_INVITATION]);
int wire_tcp_accept(wire *w);
int wire_tcp_connect(wire *w, const char invitation[WIRE_TCP_INVITATION]);
/* Closes what is open, also after an error. */
void wire_tcp_close(wire *w);

#endif
