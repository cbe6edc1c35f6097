/* SPDX-License-Identifier: BSD-3-Clause */
#include "relay.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "run.h"

void relay_open(relay *y, int target)
{
    memset(y, 0, sizeof *y);
    y->target = target;
    y->port = free_port();
    y->listener = listen_on(y->port);
    y->change_at[0] = y->change_at[1] = (size_t)-1;
    if (y->listener < 0)
        abort();
}

static void hang_up(relay_way way[2])
{
    if (way[0].from < 0)
        return;
    close(way[0].from);
    close(way[0].to);
    way[0].from = way[1].from = -1;
}

void relay_close(relay *y)
{
    close(y->listener);
    for (int i = 0; i < y->n; i++) {
        hang_up(y->way[i]);
        free(y->way[i][0].seen);
        free(y->way[i][1].seen);
    }
}

static void take_guest(relay *y)
{
    int guest = accept(y->listener, NULL, NULL), server = connect_to(y->target);
    if (guest < 0 || server < 0 || y->n == RELAY_LINKS) { /* nobody listens there: the guest learns that, too */
        close(guest);
        close(server);
        return;
    }
    relay_way *way = y->way[y->n++];
    for (int i = 0; i < 2; i++) {
        way[i] = (relay_way){.from = i ? server : guest,
                             .to = i ? guest : server,
                             .seen = malloc(RELAY_SEEN),
                             .change_at = y->change_at[i]};
        if (!way[i].seen)
            abort();
    }
}

static void put_all(int fd, const unsigned char *bytes, size_t n)
{
    while (n) {
        ssize_t part = send(fd, bytes, n, MSG_NOSIGNAL);
        if (part <= 0)
            return;
        bytes += part;
        n -= (size_t)part;
    }
}

static bool pass_on(relay_way *w)
{
    unsigned char bytes[65536];
    ssize_t n = recv(w->from, bytes, sizeof bytes, 0);
    if (n <= 0)
        return false;
    size_t keep = RELAY_SEEN - w->n < (size_t)n ? RELAY_SEEN - w->n : (size_t)n;
    memcpy(w->seen + w->n, bytes, keep);
    if (w->change_at >= w->n && w->change_at < w->n + (size_t)n)
        bytes[w->change_at - w->n] ^= 1;
    w->n += keep;
    put_all(w->to, bytes, (size_t)n);
    return true;
}

void relay_turn(relay *y)
{
    struct pollfd p[1 + 2 * RELAY_LINKS] = {{.fd = y->target ? y->listener : -1, .events = POLLIN}};
    int links = y->n;
    for (int i = 0; i < 2 * links; i++)
        p[1 + i] = (struct pollfd){.fd = y->way[i / 2][i % 2].from, .events = POLLIN};
    if (poll(p, (nfds_t)(1 + 2 * links), 2) <= 0)
        return;
    for (int i = 0; i < 2 * links; i++)
        if (p[1 + i].revents && y->way[i / 2][0].from >= 0 && !pass_on(&y->way[i / 2][i % 2]))
            hang_up(y->way[i / 2]);
    if (p[0].revents)
        take_guest(y);
}

void relay_inject(relay_way *w, const void *bytes, size_t n)
{
    if (w->from >= 0)
        put_all(w->to, bytes, n);
}

bool relay_saw(const relay *y, size_t skip, const void *bytes, size_t n)
{
    for (int i = 0; i < 2 * y->n; i++) {
        const relay_way *w = &y->way[i / 2][i % 2];
        if (w->n > skip && memmem(w->seen + skip, w->n - skip, bytes, n))
            return true;
    }
    return false;
}
