/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw_tcp.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static void check_call(h3ou_ctx *ctx, int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

int raw_tcp_connect(h3ou_ctx *ctx, const char *other, int listens)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof a;
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0), port = 0;
    if (listens) {
        if (bind(fd, (struct sockaddr *)&a, size) || listen(fd, 1) || getsockname(fd, (struct sockaddr *)&a, &size))
            exit(1);
        port = ntohs(a.sin_port);
        check_call(ctx, h3ou_send(ctx, other, &port, 1, H3OU_TYPE_INT32));
        int accepted = accept(fd, NULL, NULL);
        close(fd);
        fd = accepted;
    } else {
        check_call(ctx, h3ou_recv(ctx, other, &port, 1, H3OU_TYPE_INT32));
        a.sin_port = htons((unsigned short)port);
        if (connect(fd, (struct sockaddr *)&a, size))
            exit(1);
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

void raw_tcp_swap(int fd, const void *out, size_t nout, void *in, size_t nin)
{
    const char *from = out;
    char *to = in;
    while (nout || nin) {
        ssize_t moved = nout ? send(fd, from, nout, MSG_DONTWAIT | MSG_NOSIGNAL) : 0;
        if (moved > 0) {
            from += moved;
            nout -= (size_t)moved;
        }
        moved = nin ? recv(fd, to, nin, MSG_DONTWAIT) : 0;
        if (nin && moved == 0) /* the other process has ended */
            exit(1);
        if (moved > 0) {
            to += moved;
            nin -= (size_t)moved;
        } else if (nout || nin) {
            struct pollfd p = {fd, (short)((nin ? POLLIN : 0) | (nout ? POLLOUT : 0)), 0};
            poll(&p, 1, 1);
        }
    }
}
