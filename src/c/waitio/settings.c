/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "waitio/frame.h"

static int required(const char *name, const char *meaning)
{
    const char *value = getenv(name);
    if (!value || !*value)
        return h3ou__fail(H3OU__EENV, "%s is not set: give every job %s (%s)", name, name, meaning);
    return H3OU__OK;
}

static int number(const char *name, const char *meaning, int64_t least, int64_t most, int *out)
{
    int64_t value = 0;
    int code = required(name, meaning);
    if (!code)
        code = h3ou__env_int(name, least, most, least, &value);
    *out = (int)value;
    return code;
}

static int read_master(waitio__settings *s)
{
    int code = required("WAITIO_MASTER_HOST", "the host on which rank 0 of the job with WAITIO_PBID=0 runs");
    if (!code)
        code = number("WAITIO_MASTER_PORT", "a free TCP port of that host", 1, 65535, &s->port);
    if (code)
        return code;
    snprintf(s->host, sizeof s->host, "%s", getenv("WAITIO_MASTER_HOST"));
    code = h3ou__address_resolve(s->host, s->port, s->master, WAITIO__MASTERS, &s->nmaster);
    return code ? h3ou__fail_in(code, "WAITIO_MASTER_HOST") : code;
}

int waitio__settings_read(waitio__settings *s)
{
    int64_t eager = 0;
    memset(s, 0, sizeof *s);
    int code = h3ou__env_int("WAITIO_EAGER_LIMIT", 0, WAITIO__PAYLOAD_MOST, 16384, &eager);
    s->eager = (uint64_t)eager;
    if (!code)
        code = h3ou__env_real("WAITIO_PATIENCE", 3600, &s->patience);
    if (!code)
        code = number("WAITIO_NPB", "how many jobs take part", 1, WAITIO__PBS_MOST, &s->npb);
    if (!code)
        code = number("WAITIO_PBID", "the job's number, 0 to WAITIO_NPB - 1; 0 is the master", 0, INT32_MAX, &s->pbid);
    if (!code && s->npb == 1 && s->pbid)
        code = h3ou__fail(H3OU__EENV, "WAITIO_PBID=%d, but WAITIO_NPB=1: give all jobs the number of jobs", s->pbid);
    /* A job alone needs no master. That PBID is below NPB the master checks too, so that every job hears of it. */
    if (!code && s->npb > 1)
        code = read_master(s);
    return code;
}

int waitio__settings_address(const waitio__settings *s, waitio__address *out)
{
    const char *address = getenv("WAITIO_ADDRESS"), *device = getenv("WAITIO_DEVICE");
    h3ou__address found;
    int n, code = H3OU__OK;
    if (address && *address) {
        code = h3ou__address_resolve(address, 0, &found, 1, &n);
        if (code)
            h3ou__fail_in(code, "WAITIO_ADDRESS");
    } else if (device && *device) {
        code = h3ou__address_of_device(device, &found);
        if (code)
            h3ou__fail_in(code, "WAITIO_DEVICE");
    } else if (s->nmaster) {
        code = h3ou__address_towards(&s->master[0], &found);
        if (code)
            h3ou__fail_in(code, "WAITIO_MASTER_HOST=%s", s->host);
    } else {
        code = h3ou__address_resolve("127.0.0.1", 0, &found, 1, &n);
    }
    if (!code)
        waitio__tcp_pack(&found, out);
    return code;
}
