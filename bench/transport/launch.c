/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch.h"

#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "tools/harness/player.h"

void die(const char *what)
{
    fprintf(stderr, "%s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
    _exit(1);
}

void check_result(int code)
{
    if (code) {
        errno = 0;
        die(h3ou__fail_text());
    }
}

void *share(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        die("share");
    return p;
}

int free_port(void)
{
    int port = player_free_port();
    if (!port)
        die("no free port");
    return port;
}

pid_t start(unsigned seconds)
{
    pid_t pid = player_fork();
    if (pid < 0)
        die("fork");
    if (!pid)
        alarm(seconds);
    return pid;
}

int reap(pid_t pid)
{
    int status;
    if (waitpid(pid, &status, 0) != pid)
        return -1;
    if (WIFSIGNALED(status))
        fprintf(stderr, "a process ended by signal %d%s\n", WTERMSIG(status),
                WTERMSIG(status) == SIGALRM ? " (its time was over)" : "");
    return status;
}

void kill_and_reap(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

void pin_to(enum pin pin, int side)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) ||
        (pin != PIN_NONE && player_bind(player_core(&allowed, pin == PIN_OWN ? side : 0))))
        die("sched_setaffinity");
}

/* Returns whether fd is a TCP connection of which neither end has the port but_port, as those to the master have. */
static int is_connection(int fd, int but_port)
{
    struct sockaddr_in here, there;
    socklen_t nhere = sizeof here, nthere = sizeof there;
    return !getsockname(fd, (struct sockaddr *)&here, &nhere) && here.sin_family == AF_INET &&
           !getpeername(fd, (struct sockaddr *)&there, &nthere) && ntohs(here.sin_port) != but_port &&
           ntohs(there.sin_port) != but_port;
}

int connections(int but_port, int fd[], int most)
{
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return 0;
    for (struct dirent *e; n < most && (e = readdir(folder));) {
        int one = atoi(e->d_name);
        if (e->d_name[0] != '.' && is_connection(one, but_port))
            fd[n++] = one;
    }
    closedir(folder);
    return n;
}
