/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream socket between processes of one host, where shared memory may not be used. The name is made of the address
 * at which a process waits for TCP, so that nobody needs to be told another one. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "waitio/conduit/stream.h"

static int unix_listen(const waitio__conduit_settings *set, const waitio__address *at, waitio__link *out,
                       waitio__address *bound)
{
    char name[80];
    (void)set;
    *out = (waitio__link){.conduit = &waitio__unix, .fd = -1};
    waitio__stream_name("unix", at, name);
    int code = h3ou__local_listen(name, &out->fd);
    if (!code && bound)
        *bound = *at;
    return code ? h3ou__fail(code == EADDRINUSE ? H3OU__EREFUSED : H3OU__EOS, "listening at the local name %s: %s",
                             name, strerror(code))
                : H3OU__OK;
}

static int unix_open(const waitio__conduit_settings *set, const waitio__address *to, waitio__link *out)
{
    char name[80];
    (void)set;
    *out = (waitio__link){.conduit = &waitio__unix, .fd = -1};
    waitio__stream_name("unix", to, name);
    int code = h3ou__local_connect(name, &out->fd);
    if (code == EAGAIN)
        return h3ou__fail(H3OU__EPEER, "too many connections wait at %s", name);
    return code ? waitio__stream_broken(code) : H3OU__OK;
}

static int unix_opened(waitio__link *link)
{
    (void)link;
    return H3OU__OK;
}

const waitio__conduit waitio__unix = {
    .name = "unix",
    .is_lasting = true,
    .listen = unix_listen,
    .accept = waitio__stream_accept,
    .open = unix_open,
    .opened = unix_opened,
    .writev = waitio__stream_writev,
    .readv = waitio__stream_readv,
    .close = waitio__stream_close,
};
