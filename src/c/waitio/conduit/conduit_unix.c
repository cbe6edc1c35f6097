/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream socket between processes of one host, where shared memory may not be used. The name is made of the address
 * at which a process waits for TCP and of a number that only the run knows. */
#include "base/error.h"
#include "waitio/conduit/byte_stream.h"

static int unix_listen(const waitio__conduit_settings *set, const waitio__address *at, waitio__link *out,
                       waitio__address *bound)
{
    (void)set;
    *out = (waitio__link){.conduit = &waitio__unix, .fd = -1};
    int code = waitio__byte_stream_listen_local("unix", at, &out->fd);
    if (!code && bound)
        *bound = *at;
    return code;
}

static int unix_open(const waitio__conduit_settings *set, const waitio__address *to, waitio__link *out)
{
    (void)set;
    *out = (waitio__link){.conduit = &waitio__unix, .fd = -1};
    return waitio__byte_stream_connect_local("unix", to, &out->fd);
}

static int unix_opened(waitio__link *link)
{
    (void)link;
    return H3OU__OK;
}

const waitio__conduit waitio__unix = {
    .name = "unix",
    .is_lasting = true,
    .is_near = true,
    .listen = unix_listen,
    .accept = waitio__byte_stream_accept_local,
    .open = unix_open,
    .opened = unix_opened,
    .writev = waitio__byte_stream_writev,
    .readv = waitio__byte_stream_readv,
    .close = waitio__byte_stream_close,
};
