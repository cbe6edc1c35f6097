/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages by a ring, from component a to component b, which have one process each. b compares all that comes, and
 * answers each message after the first `ahead`, so that the sender is that far ahead at most.
 *
 *   rings a|b NUMBERS MESSAGES AHEAD [PID_FILE]
 *
 * a prints how many messages were written where b reads them, b how many came as they were sent, and whether the second
 * one, which comes by the MPI or WaitIO, leaves memory behind. With PID_FILE a stops itself after the last message,
 * when its process id is in the file.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "comm/comm.h"
#include "comm/message_ring.h"

enum { HEAD = 4, OFFER = 2, TAG = 7 };

static h3ou__world *world;
static h3ou__comm *model;
static int numbers, messages, ahead;

static void check(int err)
{
    if (!err)
        return;
    fprintf(stderr, "rings: %s\n", h3ou__fail_text());
    h3ou__world_abort(world, err, h3ou__fail_text(), 1.0);
}

/* Every third message is a head alone. */
static int length_of(int k)
{
    return k % 3 == 2 ? HEAD : numbers;
}

static double number(int k, int i)
{
    return i == OFFER ? 0.0 : 1000.0 * k + i;
}

static void answer(bool sends, int k)
{
    h3ou__req req;
    int64_t word = k;
    if (sends) {
        check(h3ou__isend(model, 0, TAG + 1, &word, 1, H3OU__INT64, "answer", &req));
        check(h3ou__waitall(world, 1, &req));
    } else {
        check(h3ou__recv(model, 1, TAG + 1, &word, 1, H3OU__INT64, "answer", &req));
    }
}

static void stop(const char *pid_file)
{
    FILE *f = fopen(pid_file, "w");
    if (!f)
        exit(3);
    fprintf(f, "%d\n", (int)getpid());
    fclose(f);
    raise(SIGSTOP);
}

static void send_all(const char *pid_file)
{
    h3ou__ring *ring;
    h3ou__req *req = calloc((size_t)messages, sizeof *req);
    double **own = calloc((size_t)messages, sizeof *own);
    int in_place = 0;
    check(h3ou__ring_open(model, 1, TAG, numbers, OFFER, "message", &ring));
    for (int k = 0; k < messages; k++) {
        double *message = h3ou__ring_place(ring);
        in_place += message != NULL;
        if (!message)
            message = own[k] = malloc(sizeof *message * (size_t)numbers);
        for (int i = 0; i < length_of(k); i++)
            message[i] = number(k, i);
        check(h3ou__ring_send(ring, message, length_of(k), &req[k]));
        if (k >= ahead)
            answer(false, k - ahead);
    }
    if (pid_file)
        stop(pid_file);
    check(h3ou__waitall(world, messages, req));
    printf("in place %d\n", in_place);
    for (int k = 0; k < messages; k++)
        free(own[k]);
    free(own);
    free(req);
    h3ou__ring_free(ring);
}

/* Whether the page in the middle of a message has memory. */
static bool has_memory(const double *message)
{
    unsigned char is_there = 1;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), middle = (uintptr_t)(message + numbers / 2) / page * page;
    return mincore((void *)middle, page, &is_there) || (is_there & 1);
}

static void receive_all(void)
{
    h3ou__ring *ring;
    int right = 0;
    bool is_left = false;
    check(h3ou__ring_open(model, 0, TAG, numbers, OFFER, "message", &ring));
    for (int k = 0; k < messages; k++) {
        h3ou__req req;
        check(h3ou__ring_receive(ring, &req));
        check(h3ou__waitall(world, 1, &req));
        const double *message = h3ou__ring_arrived(ring);
        int bad = h3ou__req_count(&req, H3OU__DOUBLE) != length_of(k);
        for (int i = 0; i < length_of(k); i++)
            bad += message[i] != number(k, i) && i != OFFER;
        right += !bad;
        if (k % 2)
            h3ou__ring_release(ring);
        if (k == 1)
            is_left = has_memory(message);
        if (k + ahead < messages)
            answer(true, k);
    }
    printf("right %d of %d\nmemory left %d\n", right, messages, is_left);
    fflush(stdout);
    h3ou__ring_free(ring);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    numbers = atoi(argv[2]);
    messages = atoi(argv[3]);
    ahead = atoi(argv[4]);
    check(h3ou__world_open(argv[1], 1, NULL, &world));
    check(h3ou__world_model(world, h3ou__world_find(world, "a"), h3ou__world_find(world, "b"), &model));
    if (*argv[1] == 'a')
        send_all(argc > 5 ? argv[5] : NULL);
    else
        receive_all();
    check(h3ou__world_close(world, 1));
    return 0;
}
