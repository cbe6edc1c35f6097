/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/serv/port.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/error.h"
#include "os/socket.h"

enum { TRIES = 200, SPAN = 16000, ADDRESSES = 8 };

/* Tries to listen at the port on all of the host's addresses that are of this machine, as the master will. Returns 0 or
 * the errno. */
static int try_port(h3ou__address at[], int n, int port)
{
    int failed = EADDRNOTAVAIL, ntaken = 0, fd[ADDRESSES];
    for (int i = 0; i < n && failed != EADDRINUSE; i++) {
        at[i].port = (uint16_t)port;
        failed = h3ou__socket_listen(&at[i], &fd[ntaken], NULL);
        ntaken += !failed;
    }
    for (int i = 0; i < ntaken; i++)
        close(fd[i]);
    return ntaken && failed != EADDRINUSE ? 0 : failed;
}

/* Finds ports below the range of outgoing connections, so that no such connection takes the port before the master. */
static void find_port_range(int *least, int *most)
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

static int choose_free_port(const char *host, h3ou__address at[], int n, int *port, bool *tested)
{
    int least, most, failed = 0;
    find_port_range(&least, &most);
    for (int i = 0; i < TRIES; i++) {
        unsigned dice;
        if (getrandom(&dice, sizeof dice, 0) != sizeof dice)
            dice = (unsigned)getpid() + 7919u * (unsigned)i;
        *port = least + (int)(dice % (unsigned)(most - least + 1));
        failed = try_port(at, n, *port);
        *tested = !failed;
        if (!failed || failed == EADDRNOTAVAIL)
            return H3OU__OK;
    }
    return h3ou__fail(H3OU__EOS, "no free port of %s between %d and %d: %s: say one with -p", host, least, most,
                      strerror(failed));
}

int port_choose(const char *host, int *port, bool *tested, bool *hidden)
{
    h3ou__address at[ADDRESSES];
    int n, failed, code = h3ou__address_resolve(host, 0, at, ADDRESSES, &n);
    *tested = *hidden = false;
    if (code)
        return h3ou__fail_in(code, "-m %s: say the name or number by which the other jobs reach this host", host);
    *hidden = h3ou__host_is_hidden(host, &at[0]);
    if (!*port)
        return choose_free_port(host, at, n, port, tested);
    failed = try_port(at, n, *port);
    *tested = !failed;
    if (failed && failed != EADDRNOTAVAIL)
        code = h3ou__fail(H3OU__EOS,
                          "port %d of %s: %s: say another one with -p, or leave out -p and WAITIO_MASTER_PORT, and a "
                          "free one is chosen",
                          *port, host, strerror(failed));
    return code;
}
