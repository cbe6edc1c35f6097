/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures how long many processes take to learn each other's addresses. Only the Kings are real processes: each joins
 * with invented addresses of ENDPOINTS / JOBS processes, as if it had gathered them. In alternating rounds a bare
 * fan-in of the same addresses is measured: every process connects to the first one, sends its part and gets the whole
 * back.
 *
 *   joining_time ENDPOINTS JOBS ROUNDS
 *
 * Prints for each round "ours=SECONDS bare=SECONDS": from a common start until the last process has the table.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "os/os_clock.h"
#include "tools/harness/player.h"
#include "transport/launch.h"
#include "waitio.h"
#include "waitio/joining/job_collectives.h"

enum { LONGEST = 120, MOST_JOBS = 64, ADDRESS = 20, PER_HOST = 4 };

typedef struct shared {
    atomic_int ready, go;
    double end[MOST_JOBS];
} shared;

static shared *all;

/* Writes an address 10.x.y.z, with PER_HOST ports on each host, as in the records: IP 16 bytes, port 2, scope 2. */
static void put_address(unsigned char at[ADDRESS], int job, int rank, int size)
{
    uint32_t n = (uint32_t)(job * size + rank), host = n / PER_HOST;
    memset(at, 0, ADDRESS);
    at[10] = at[11] = 255;
    at[12] = 10;
    at[13] = (unsigned char)(host >> 16);
    at[14] = (unsigned char)(host >> 8);
    at[15] = (unsigned char)host;
    at[16] = (unsigned char)(n % PER_HOST);
    at[17] = 40;
}

typedef struct made_up {
    int job, size;
} made_up;

/* Fills the gathered records; only the King's own is real. A record is a code of 4 bytes, the address, and a sentence
 * that is empty here. */
static int gather_records(void *self, const void *send, size_t bytes, void *recv)
{
    const made_up *m = self;
    unsigned char *record = recv;
    memcpy(record, send, bytes);
    for (int rank = 1; rank < m->size; rank++) {
        memset(record + (size_t)rank * bytes, 0, bytes);
        put_address(record + (size_t)rank * bytes + 4, m->job, rank, m->size);
    }
    return 0;
}

static int bcast_nothing(void *self, void *buf, size_t bytes)
{
    (void)self;
    (void)buf;
    (void)bytes;
    return 0;
}

static void wait_for_start(void)
{
    atomic_fetch_add(&all->ready, 1);
    while (!atomic_load(&all->go))
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void run_king(int job, int jobs, int size, int port)
{
    made_up m = {job, size};
    waitio__job_collectives inside = {
        .rank = 0, .size = size, .self = &m, .gather = gather_records, .bcast = bcast_nothing};
    player_set_place(port, jobs, job, size, 0);
    wait_for_start();
    if (waitio__join(&inside, LONGEST)) {
        errno = 0;
        die(waitio_error());
    }
    all->end[job] = h3ou__now();
    atomic_fetch_add(&all->ready, 1);
    if (waitio_finalize())
        die(waitio_error());
}

static void move_all(int fd, unsigned char *bytes, size_t n, int out)
{
    while (n) {
        ssize_t moved = out ? send(fd, bytes, n, MSG_NOSIGNAL) : recv(fd, bytes, n, 0);
        if (moved <= 0)
            die("bare fan-in");
        bytes += moved;
        n -= (size_t)moved;
    }
}

static void serve_bare(int port, int jobs, size_t part, unsigned char *whole)
{
    struct sockaddr_in a = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((in_port_t)port)};
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1, fd[MOST_JOBS];
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&a, sizeof a) || listen(listener, MOST_JOBS))
        die("listen");
    for (int i = 1; i < jobs; i++)
        if ((fd[i] = accept(listener, NULL, NULL)) < 0)
            die("accept");
    for (int i = 1; i < jobs; i++)
        move_all(fd[i], whole + (size_t)i * part, part, 0);
    for (int i = 1; i < jobs; i++)
        move_all(fd[i], whole, (size_t)jobs * part, 1);
}

static void run_bare(int job, int jobs, int size, int port)
{
    size_t part = (size_t)size * ADDRESS;
    unsigned char *whole = malloc((size_t)jobs * part);
    if (!whole)
        die("memory");
    wait_for_start();
    for (int rank = 0; rank < size; rank++)
        put_address(whole + (size_t)rank * ADDRESS, job, rank, size);
    if (job == 0) {
        serve_bare(port, jobs, part, whole);
    } else {
        struct sockaddr_in a = {
            .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((in_port_t)port)};
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        for (int trial = 0; connect(fd, (struct sockaddr *)&a, sizeof a); trial++) {
            if (trial == 5000)
                die("connect");
            close(fd);
            fd = socket(AF_INET, SOCK_STREAM, 0);
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
        move_all(fd, whole, part, 1);
        move_all(fd, whole, (size_t)jobs * part, 0);
    }
    all->end[job] = h3ou__now();
    free(whole);
}

/* Returns the seconds from the common start until the last process has ended. */
static double measure_jobs(void (*be)(int, int, int, int), int jobs, int size)
{
    pid_t process[MOST_JOBS];
    int port = free_port(), bad = 0;
    double last = 0;
    all->ready = all->go = 0;
    for (int job = 0; job < jobs; job++)
        if (!(process[job] = start(LONGEST))) {
            be(job, jobs, size, port);
            _exit(0);
        }
    for (double until = h3ou__now() + LONGEST; all->ready < jobs && h3ou__now() < until;)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    double begin = h3ou__now();
    atomic_store(&all->go, 1);
    for (int job = 0; job < jobs; job++) {
        bad |= reap(process[job]);
        last = all->end[job] > last ? all->end[job] : last;
    }
    if (bad)
        exit(1);
    return last - begin;
}

int main(int argc, char **argv)
{
    int endpoints = argc == 4 ? atoi(argv[1]) : 0, jobs = argc == 4 ? atoi(argv[2]) : 0;
    int rounds = argc == 4 ? atoi(argv[3]) : 0;
    if (jobs < 2 || jobs > MOST_JOBS || endpoints < jobs || rounds < 1) {
        errno = 0;
        die("usage: joining_time ENDPOINTS JOBS ROUNDS");
    }
    all = share(sizeof *all);
    for (int i = 0; i < rounds; i++) {
        double ours = measure_jobs(run_king, jobs, endpoints / jobs);
        printf("ours=%.4g bare=%.4g\n", ours, measure_jobs(run_bare, jobs, endpoints / jobs));
        fflush(stdout);
    }
    return 0;
}
