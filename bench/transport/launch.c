/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire.h"

enum { FIRST_PORT = 12000, PORTS = 20000, PORT_TRIALS = 1000 };

void *share(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        die("share");
    return p;
}

int free_port(void)
{
    for (int trial = 0; trial < PORT_TRIALS; trial++) {
        unsigned dice;
        if (getrandom(&dice, sizeof dice, 0) != sizeof dice)
            break;
        int port = FIRST_PORT + (int)(dice % PORTS), fd = socket(AF_INET, SOCK_STREAM, 0);
        struct sockaddr_in a = {
            .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((in_port_t)port)};
        int is_free = fd >= 0 && !bind(fd, (struct sockaddr *)&a, sizeof a);
        close(fd);
        if (is_free)
            return port;
    }
    die("no free port");
}

pid_t start(unsigned seconds)
{
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        die("fork");
    if (!pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        alarm(seconds);
    }
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
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET((size_t)(pin == PIN_OWN ? side : 0), &core);
    if (pin != PIN_NONE && sched_setaffinity(0, sizeof core, &core))
        die("sched_setaffinity");
}

static void set_variable(const char *name, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    setenv(name, text, 1);
}

void join_environment(int port, int npb, int pb, int size, int rank)
{
    setenv("WAITIO_MASTER_HOST", "127.0.0.1", 1);
    set_variable("WAITIO_MASTER_PORT", port);
    set_variable("WAITIO_NPB", npb);
    set_variable("WAITIO_PBID", pb);
    set_variable("WAITIO_SIZE", size);
    set_variable("WAITIO_RANK", rank);
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
