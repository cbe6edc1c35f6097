/* SPDX-License-Identifier: BSD-3-Clause */
/* A TCP port on which the master can listen. */
#ifndef WAITIO_SERV_PORT_H
#define WAITIO_SERV_PORT_H

#include <stdbool.h>

/* Chooses a port when *port is 0, else checks it. *tested: host is this machine, and the port is free there. *hidden:
 * the name resolves to a loopback address here, which no other host reaches. Negative with h3ou__fail_text() when host
 * has no address or the port is in use. */
int port_choose(const char *host, int *port, bool *tested, bool *hidden);

#endif
