/* SPDX-License-Identifier: BSD-3-Clause */
/* TCP over version 4 and 6. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "waitio/conduit/byte_stream.h"

static int tcp_listen(const waitio__conduit_settings *set, const waitio__address *at, waitio__link *out,
                      waitio__address *bound)
{
    char text[H3OU__ADDRESS_TEXT];
    (void)set;
    *out = (waitio__link){.conduit = &waitio__tcp, .fd = -1};
    int code = h3ou__socket_listen(at, &out->fd, bound);
    if (!code)
        return H3OU__OK;
    return h3ou__fail(code == EADDRNOTAVAIL ? H3OU__EHOST
                      : code == EADDRINUSE  ? H3OU__EREFUSED
                                            : H3OU__EOS,
                      "listening at %s: %s", h3ou__address_text(at, text), strerror(code));
}

static int tcp_accept(waitio__link *listener, waitio__link *out)
{
    int code = waitio__byte_stream_accept(listener, out);
    if (!code) {
        h3ou__socket_watch(out->fd);
        h3ou__socket_unpace(out->fd);
        h3ou__socket_set_timeout(out->fd, 2e-3);
    }
    return code;
}

static int tcp_open(const waitio__conduit_settings *set, const waitio__address *to, waitio__link *out)
{
    (void)set;
    *out = (waitio__link){.conduit = &waitio__tcp, .fd = -1};
    int code = h3ou__socket_connect(to, &out->fd);
    return code ? waitio__byte_stream_broken(code) : H3OU__OK;
}

static int tcp_opened(waitio__link *link)
{
    int code = waitio__byte_stream_opened(link);
    if (!code) {
        h3ou__socket_watch(link->fd);
        h3ou__socket_unpace(link->fd);
        h3ou__socket_set_timeout(link->fd, 2e-3);
    }
    return code;
}

const waitio__conduit waitio__tcp = {
    .name = "tcp",
    .may_encrypt = true,
    .listen = tcp_listen,
    .accept = tcp_accept,
    .open = tcp_open,
    .opened = tcp_opened,
    .writev = waitio__byte_stream_writev,
    .readv = waitio__byte_stream_readv,
    .read_blocking = waitio__byte_stream_read_blocking,
    .close = waitio__byte_stream_close,
};
