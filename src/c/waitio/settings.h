/* SPDX-License-Identifier: BSD-3-Clause */
/* What the environment says about the instance, checked. */
#ifndef WAITIO_SETTINGS_H
#define WAITIO_SETTINGS_H

#include <stdint.h>

#include "waitio/conduit.h"

enum { WAITIO__MASTERS = 8 };

typedef struct waitio__settings {
    char host[256]; /* WAITIO_MASTER_HOST */
    int port;       /* WAITIO_MASTER_PORT */
    int pbid, npb;
    uint64_t eager;  /* WAITIO_EAGER_LIMIT: longest message that is sent at once, without asking; bytes */
    double patience; /* WAITIO_PATIENCE */
    int nmaster;     /* addresses of host:port; 0 when NPB is 1 and no master is named */
    h3ou__address master[WAITIO__MASTERS];
} waitio__settings;

/* H3OU__EENV or H3OU__EHOST with the name of the variable and the remedy. */
int waitio__settings_read(waitio__settings *s);
/* Where this process listens: WAITIO_ADDRESS, else that of WAITIO_DEVICE, else the one that faces the master; any port.
 */
int waitio__settings_address(const waitio__settings *s, waitio__address *out);

#endif
