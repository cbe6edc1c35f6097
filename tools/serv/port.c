/* SPDX-License-Identifier: BSD-3-Clause */
#include "port.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"

enum { TRIES = 200, SPAN = 16000 };

/* 0, or the errno of taking that port of that address. */
static int try_port(const struct addrinfo *a, int port)
{
    struct sockaddr_storage at = {0};
    int yes = 1, failed;
    memcpy(&at, a->ai_addr, a->ai_addrlen);
    if (a->ai_family == AF_INET)
        ((struct sockaddr_in *)&at)->sin_port = htons((uint16_t)port);
    else
        ((struct sockaddr_in6 *)&at)->sin6_port = htons((uint16_t)port);
    int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    failed = bind(fd, (struct sockaddr *)&at, a->ai_addrlen) != 0 ? errno : 0;
    close(fd);
    return failed;
}

/* Ports below the range from which the system serves outgoing connections: none of these takes it before the master. */
static void find_range(int *least, int *most)
{
    int low = 32768, high = 60999;
    FILE *f = fopen("/proc/sys/net/ipv4/ip_local_port_range", "r");
    if (f) {
        if (fscanf(f, "%d %d", &low, &high) != 2)
            low = 32768;
        fclose(f);
    }
    *most = low > 4096 ? low - 1 : 65535;
    *least = *most - SPAN > 2048 ? *most - SPAN : 2048;
}

static int choose(const char *host, const struct addrinfo *a, int *port, bool *tested)
{
    int least, most, failed = 0;
    find_range(&least, &most);
    for (int i = 0; i < TRIES; i++) {
        unsigned dice;
        if (getrandom(&dice, sizeof dice, 0) != sizeof dice)
            dice = (unsigned)getpid() + 7919u * (unsigned)i;
        *port = least + (int)(dice % (unsigned)(most - least + 1));
        failed = try_port(a, *port);
        *tested = !failed;
        if (!failed || failed == EADDRNOTAVAIL)
            return H3OU__OK;
    }
    return h3ou__fail(H3OU__EOS, "no free port of %s between %d and %d: %s: say one with -p", host, least, most,
                      strerror(failed));
}

int port_choose(const char *host, int *port, bool *tested)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *a = NULL;
    int failed = getaddrinfo(host, NULL, &hints, &a), code = H3OU__OK;
    *tested = false;
    if (failed || !a)
        return h3ou__fail(H3OU__EHOST, "-m %s: %s: say the name or number by which the other jobs reach this host",
                          host, gai_strerror(failed));
    if (!*port) {
        code = choose(host, a, port, tested);
    } else {
        failed = try_port(a, *port);
        *tested = !failed;
        if (failed && failed != EADDRNOTAVAIL)
            code = h3ou__fail(H3OU__EOS,
                              "port %d of %s: %s: say another one with -p, or leave out -p and WAITIO_MASTER_PORT, and "
                              "a free one is chosen",
                              *port, host, strerror(failed));
    }
    freeaddrinfo(a);
    return code;
}
