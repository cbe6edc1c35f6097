/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures what idle connections cost: two pairs of processes measure the half round trip of 8 B in turns; rank 0 of
 * one pair holds a connection to each of IDLE further processes.
 *
 *   transport_idle IDLE ROUNDS SECONDS
 *
 * Prints a line of memory per connection (kernel: per end, from the whole machine's figures, so that other programs
 * disturb it; ours: of the process that holds them all), and for each round the half round trips with and without.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch.h"
#include "os/os_clock.h"
#include "tools/harness/player.h"
#include "tools/harness/trips.h"
#include "tools/harness/wire_waitio.h"

enum { LONGEST = 300, MOST_IDLE = 18000, IDLE_TAG = 9, PAGE_BYTES = 4096, SPARE = 100 };
enum { WITH, WITHOUT };
static const double SETTLING = 1.5; /* s */
enum { JOIN = 0, CONNECT = 1, END = 2 };

typedef struct shared {
    atomic_int stage;     /* of the idle processes */
    atomic_int turn;      /* of the pairs */
    atomic_int done;      /* number of turns that have ended */
    atomic_int connected; /* rank 0 has received a message of all idle processes */
    atomic_int joined;
    long rss[2]; /* of rank 0 before and after, bytes */
    trip trip;   /* of the last turn */
} shared;

static shared *all;

static void wait_while(atomic_int *word, int value)
{
    while (atomic_load(word) == value)
        syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void wait_until(atomic_int *word, int value)
{
    for (int now; (now = atomic_load(word)) != value;)
        wait_while(word, now);
}

static void set_word(atomic_int *word, int value)
{
    atomic_store(word, value);
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Returns the number after `key` in the line that begins with `name` ("name: 123 kB" or "name ... key 123"), or -1. */
static long number_in(const char *file, const char *name, const char *key)
{
    char text[512];
    long value = -1;
    FILE *f = fopen(file, "r");
    while (f && value < 0 && fgets(text, sizeof text, f)) {
        const char *at = strncmp(text, name, strlen(name)) ? NULL : strstr(text, key);
        if (at)
            value = strtol(at + strlen(key), NULL, 10);
    }
    if (f)
        fclose(f);
    return value;
}

static long resident_bytes(void)
{
    return 1024 * number_in("/proc/self/status", "VmRSS:", "VmRSS:");
}

/* Returns the bytes of kernel objects in use, not of the slabs, which keep memory that was used before. Only root can
 * read them; for other users the slabs are taken. */
static long kernel_objects(void)
{
    char text[512];
    long sum = 0, active, size;
    FILE *f = fopen("/proc/slabinfo", "r");
    while (f && fgets(text, sizeof text, f))
        if (sscanf(text, "%*s %ld %*d %ld", &active, &size) == 2)
            sum += active * size;
    if (f)
        fclose(f);
    return sum ? sum : 1024 * number_in("/proc/meminfo", "Slab:", "Slab:");
}

static long kernel_memory(void)
{
    return kernel_objects() + PAGE_BYTES * number_in("/proc/net/sockstat", "TCP:", " mem ");
}

static void check_call(int code)
{
    check_result(wire_waitio_result(code));
}

static waitio_group_t group_of_all(void)
{
    waitio_group_t group;
    check_result(wire_waitio_group(2, &group));
    return group;
}

/* Waits until acknowledgements have arrived, because a connection with bytes on their way is not idle. */
static void wait_for_acknowledgements(void)
{
    for (double end = h3ou__now() + SETTLING, rest; (rest = end - h3ou__now()) > 0;)
        check_call(waitio_progress(rest));
}

static void run_idle(int port, int idle, int rank)
{
    char word = 1;
    waitio_req_t req;
    player_set_place(port, 3, 2, idle, rank);
    check_call(waitio_init(LONGEST));
    waitio_group_t group = group_of_all();
    atomic_fetch_add(&all->joined, 1);
    wait_while(&all->stage, JOIN);
    check_call(waitio_isend(group, 0, &word, 1, IDLE_TAG, &req));
    check_call(waitio_wait(&req));
    wait_for_acknowledgements();
    wait_while(&all->stage, CONNECT);
    _exit(0);
}

/* Called by rank 0 of the pair that is to have the connections. */
static void take_connections(int idle)
{
    char word;
    waitio_req_t req;
    waitio_group_t group = group_of_all();
    all->rss[0] = resident_bytes();
    for (int i = 0; i < idle; i++) {
        check_call(waitio_irecv(group, 2 + i, &word, 1, IDLE_TAG, &req));
        check_call(waitio_wait(&req));
    }
    wait_for_acknowledgements();
    all->rss[1] = resident_bytes();
    set_word(&all->connected, 1);
}

static void run_side(int which, int side, int port, int idle, int rounds, double seconds)
{
    wire w = {.ops = &wire_waitio};
    trip now;
    pin_to(PIN_OWN, side);
    player_set_place(port, which == WITH ? 3 : 2, side, 1, 0);
    check_result(w.ops->open(&w, side));
    check_result(measure_trip(&w, side, 8, 0.01, &now));
    atomic_fetch_add(&all->joined, 1);
    if (which == WITH && !side) {
        wait_while(&all->stage, JOIN);
        take_connections(idle);
    }
    for (int r = 0; r < rounds; r++) {
        wait_until(&all->turn, 2 * r + which + 1);
        check_result(measure_trip(&w, side, 8, seconds, &now));
        if (!side) {
            all->trip = now;
            set_word(&all->done, 2 * r + which + 1);
        }
    }
    wait_until(&all->stage, END);
    _exit(0); /* the idle processes do not answer goodbyes */
}

/* Waits for *word to become value; fails at `until`, or when one process has failed. */
static int wait_for_word(atomic_int *word, int value, double until)
{
    const struct timespec a_little = {.tv_nsec = 2000000};
    while (atomic_load(word) < value) {
        siginfo_t who = {0};
        if (h3ou__now() > until || (!waitid(P_ALL, 0, &who, WEXITED | WNOHANG | WNOWAIT) && who.si_pid))
            return -1;
        nanosleep(&a_little, NULL);
    }
    return 0;
}

static int run_all(int idle, int rounds, double until)
{
    if (wait_for_word(&all->joined, idle + 4, until))
        return -1;
    long before = kernel_memory();
    set_word(&all->stage, CONNECT);
    if (wait_for_word(&all->connected, 1, until))
        return -1;
    printf("idle=%d kernel=%.0f ours=%.0f\n", idle, (double)(kernel_memory() - before) / 2 / idle,
           (double)(all->rss[1] - all->rss[0]) / idle);
    for (int r = 0; r < rounds; r++) {
        double half[2];
        for (int which = WITH; which <= WITHOUT; which++) {
            set_word(&all->turn, 2 * r + which + 1);
            if (wait_for_word(&all->done, 2 * r + which + 1, until))
                return -1;
            half[which] = all->trip.median;
        }
        printf("with=%.4g without=%.4g\n", half[WITH], half[WITHOUT]);
    }
    set_word(&all->stage, END);
    return 0;
}

int main(int argc, char **argv)
{
    int idle = argc == 4 ? atoi(argv[1]) : 0, rounds = argc == 4 ? atoi(argv[2]) : 0, n = 0, bad;
    double seconds = argc == 4 ? strtod(argv[3], NULL) : 0;
    if (idle < 1 || idle > MOST_IDLE || rounds < 1) {
        errno = 0;
        die("usage: transport_idle IDLE ROUNDS SECONDS");
    }
    static pid_t process[MOST_IDLE + 4];
    char most[16];
    int port[2] = {free_port(), free_port()};
    struct rlimit descriptors;
    if (!getrlimit(RLIMIT_NOFILE, &descriptors)) {
        descriptors.rlim_cur = descriptors.rlim_max;
        setrlimit(RLIMIT_NOFILE, &descriptors);
    }
    all = share(sizeof *all);
    snprintf(most, sizeof most, "%d", idle + SPARE);
    setenv("WAITIO_COMM_TYPE", "socket", 1);
    setenv("WAITIO_MAX_CONNECTIONS", most, 1);
    for (int i = 0; i < 4; i++)
        if (!(process[n++] = start(LONGEST)))
            run_side(i / 2, i % 2, port[i / 2], idle, rounds, seconds);
    for (int i = 0; i < idle; i++)
        if (!(process[n++] = start(LONGEST)))
            run_idle(port[WITH], idle, i);
    bad = run_all(idle, rounds, h3ou__now() + LONGEST);
    while (n > 0)
        kill_and_reap(process[--n]);
    if (bad)
        fprintf(stderr, "a process failed, or the time was over: %d of %d had joined\n", all->joined, idle + 4);
    return bad != 0;
}
