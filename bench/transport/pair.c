/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One measurement of one wire, in processes of its own:
 *
 *   transport_pair tcp|file|over|waitio trip|stream|answered SIZE [option value]...
 *
 *   --seconds S   how long (0.3)             --window N      buffers and outstanding messages of a stream (4)
 *   --pin P       own: a core each; one: both on one core; none
 *   --pairs N     so many pairs at once (1)  --strangers N   beside so many processes that only spin (0)
 *   --blocking 1  raw wires sleep in the system              --congestion NAME  of raw TCP    --folder F  of raw files
 *
 * Prints median and mean of half a round trip in us, messages per second, the congestion control and the number of TCP
 * connections that carried them. What ours does is said by its environment (WAITIO_COMM_TYPE, WAITIO_PROGRESS).
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "launch.h"
#include "tools/harness/player.h"
#include "tools/harness/trips.h"
#include "tools/harness/wire_tcp.h"
#include "tools/harness/wire_waitio.h"
#include "wire_file.h"

enum { MOST_PAIRS = 8, MOST_STRANGERS = 16, LONGEST = 60, CONGESTION = 16 };

typedef struct task {
    char what; /* the first letter */
    size_t size;
    double seconds;
    int window, pairs, strangers;
    enum pin pin;
    wire wire;
} task;

typedef struct result {
    trip trip;
    double rate;
    int connections;
    char congestion[CONGESTION];
} result;

typedef struct shared {
    atomic_int ready;
    result result[MOST_PAIRS];
} shared;

static void fail_usage(void)
{
    errno = 0;
    die("usage: transport_pair tcp|file|over|waitio trip|stream|answered SIZE [option value]...");
}

static void set_option(task *t, const char *name, const char *value)
{
    if (!strcmp(name, "--seconds"))
        t->seconds = strtod(value, NULL);
    else if (!strcmp(name, "--window"))
        t->window = atoi(value);
    else if (!strcmp(name, "--pairs"))
        t->pairs = atoi(value);
    else if (!strcmp(name, "--strangers"))
        t->strangers = atoi(value);
    else if (!strcmp(name, "--pin"))
        t->pin = !strcmp(value, "own") ? PIN_OWN : !strcmp(value, "one") ? PIN_ONE : PIN_NONE;
    else if (!strcmp(name, "--blocking"))
        t->wire.wait = atoi(value) ? WIRE_BLOCK : WIRE_SPIN;
    else if (!strcmp(name, "--congestion"))
        t->wire.congestion = value;
    else if (!strcmp(name, "--folder"))
        t->wire.folder = value;
    else
        fail_usage();
}

static task read_task(int argc, char **argv)
{
    const wire_ops *known[] = {&wire_tcp, &wire_file, &wire_over, &wire_waitio};
    task t = {.seconds = 0.3, .window = 4, .pairs = 1};
    if (argc < 4 || argc % 2)
        fail_usage();
    for (int i = 0; i < 4; i++)
        if (!strcmp(argv[1], known[i]->name))
            t.wire.ops = known[i];
    t.what = argv[2][0];
    t.size = strtoul(argv[3], NULL, 10);
    for (int i = 4; i < argc; i += 2)
        set_option(&t, argv[i], argv[i + 1]);
    if (!t.wire.ops || !strchr("tsa", t.what) || !t.size || t.window < 1 || t.window > WIRE_WINDOW_MOST || t.pairs < 1 ||
        t.pairs > MOST_PAIRS || t.strangers < 0 || t.strangers > MOST_STRANGERS || !(t.seconds < LONGEST / 4))
        fail_usage();
    return t;
}

/* Waits until all pairs are ready. */
static void wait_for_pairs(shared *all, int pairs)
{
    const struct timespec a_little = {.tv_nsec = 1000000};
    for (atomic_fetch_add(&all->ready, 1); atomic_load(&all->ready) < pairs;)
        nanosleep(&a_little, NULL);
}

static void run_side(task *t, shared *all, int pair, int port, int side)
{
    int fd[2];
    result *r = &all->result[pair];
    wire *w = &t->wire;
    trip warm;
    pin_to(t->pin, side);
    player_set_place(port, 2, side, 1, 0);
    check_result(w->ops->open(w, side));
    check_result(measure_trip(w, side, 8, 0.005, &warm));
    if (!side) {
        socklen_t length = CONGESTION;
        r->connections = connections(port, fd, 2);
        if (r->connections)
            getsockopt(fd[0], IPPROTO_TCP, TCP_CONGESTION, r->congestion, &length);
        wait_for_pairs(all, t->pairs);
    }
    if (t->what == 't')
        check_result(measure_trip(w, side, t->size, t->seconds, &r->trip));
    else
        check_result(measure_stream(w, side, t->size, t->window, t->what == 'a', t->seconds, &r->rate));
}

static int by_median(const void *a, const void *b)
{
    double x = ((const result *)a)->trip.median, y = ((const result *)b)->trip.median;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    task t = read_task(argc, argv);
    shared *all = share(sizeof *all);
    pid_t process[2 * MOST_PAIRS], stranger[MOST_STRANGERS];
    int bad = 0;
    double mean = 0, rate = 0;
    for (int i = 0; i < t.strangers; i++)
        if (!(stranger[i] = start(LONGEST)))
            for (volatile unsigned spins = 0;; spins++) /* until its alarm ends it */
                ;
    for (int i = 0; i < 2 * t.pairs; i++) {
        static int port;
        if (i % 2 == 0) {
            port = free_port();
            if (t.wire.ops->prepare)
                check_result(t.wire.ops->prepare(&t.wire));
        }
        if (!(process[i] = start(LONGEST))) {
            run_side(&t, all, i / 2, port, i % 2);
            _exit(0);
        }
        if (i % 2 == 1 && t.wire.ops->close)
            t.wire.ops->close(&t.wire);
    }
    for (int i = 0; i < 2 * t.pairs; i++)
        bad |= reap(process[i]);
    for (int i = 0; i < t.strangers; i++)
        kill_and_reap(stranger[i]);
    if (bad)
        return 1;
    const result *r = all->result;
    for (int i = 0; i < t.pairs; i++) {
        mean += r[i].trip.mean / t.pairs;
        rate += r[i].rate;
    }
    qsort(all->result, (size_t)t.pairs, sizeof *r, by_median);
    printf("median=%.5g mean=%.5g rate=%.6g connections=%d congestion=%s\n", r[t.pairs / 2].trip.median, mean, rate,
           r->connections, r->congestion[0] ? r->congestion : "none");
    return 0;
}
