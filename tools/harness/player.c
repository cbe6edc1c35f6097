/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/harness/player.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST_PORT = 12000, PORTS = 20000, TRIALS = 1000 };

pid_t player_fork(void)
{
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) /* it ended before that */
            _exit(1);
    }
    return pid;
}

int player_free_port(void)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        unsigned dice;
        struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        if (getrandom(&dice, sizeof dice, 0) != sizeof dice)
            return 0;
        int port = FIRST_PORT + (int)(dice % PORTS), fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        at.sin_port = htons((in_port_t)port);
        bool is_free = fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0;
        if (fd >= 0)
            close(fd);
        if (is_free)
            return port;
    }
    return 0;
}

static void set_number(const char *name, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    setenv(name, text, 1);
}

void player_set_place(int port, int npb, int pb, int size, int rank)
{
    setenv("WAITIO_MASTER_HOST", "127.0.0.1", 1);
    set_number("WAITIO_MASTER_PORT", port);
    set_number("WAITIO_NPB", npb);
    set_number("WAITIO_PBID", pb);
    set_number("WAITIO_SIZE", size);
    set_number("WAITIO_RANK", rank);
    unsetenv("WAITIO_KING_HOST");
}

int player_core(const cpu_set_t *allowed, int n)
{
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, allowed) && n-- == 0)
            return cpu;
    return -1;
}

int player_bind(int core)
{
    cpu_set_t mine;
    if (core < 0 || core >= CPU_SETSIZE) {
        errno = EINVAL;
        return -1;
    }
    CPU_ZERO(&mine);
    CPU_SET((size_t)core, &mine);
    return sched_setaffinity(0, sizeof mine, &mine);
}
