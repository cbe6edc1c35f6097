/* SPDX-License-Identifier: BSD-3-Clause */
/* A TCP port on which the master can listen. */
#ifndef WAITIO_SERV_PORT_H
#define WAITIO_SERV_PORT_H

#include <stdbool.h>

/* Chooses one when *port is 0, else checks it. *tested: host is this machine, and the port is free there. *hidden: the
 * name leads to the loopback device here, so that no other host reaches it. Negative with h3ou__fail_text() when host
 * has no address or the port is taken. */
int port_choose(const char *host, int *port, bool *tested, bool *hidden);

#endif
