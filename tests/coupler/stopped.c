/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one component sent arrives although it makes no further call: it is stopped, as a model that computes for long or waits in
 * its own MPI, or it computes.
 *
 *   stopped sender CONFIG FIELDS CELLS HOW PID_FILE
 *   stopped receiver CONFIG FIELDS CELLS HOW
 *
 * exchange: the sender writes its process number to PID_FILE and stops itself after h3ou_time_set. put: after a put that belongs
 * to a later exchange; when it goes on, a second put in that step is refused. compute: as put, but it computes until there is a
 * file PID_FILE.go. In both the sender gets a field back, so that it is not ahead by more than one exchange.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "h3ou.h"

enum { ROUNDS = 6, INTERVAL = 600 }; /* exchanges of put and compute; s */

static h3ou_ctx *ctx;
static int nfield, ncell;
static double *data;

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void set_up(const char *me, bool has_back)
{
    int *index = malloc(sizeof *index * (size_t)ncell), time[6] = {2000, 1, 1, 0, 0, 0};
    double *coef = malloc(sizeof *coef * (size_t)ncell);
    for (int i = 0; i < ncell; i++) {
        index[i] = i + 1;
        coef[i] = 1.0;
    }
    check(h3ou_grid_define(ctx, me, "g", index, ncell, 1));
    check(h3ou_grid_end(ctx));
    for (int k = 0; k < 1 + has_back; k++) {
        const char *const from = k ? "receiver" : "sender", *const to = k ? "sender" : "receiver";
        int gives = !strcmp(me, from);
        check(h3ou_table_set(ctx, me, from, "g", to, "g", 1, gives ? index : NULL, gives ? index : NULL, gives ? coef : NULL,
                             gives ? ncell : 0, H3OU_TABLE_LEADER));
    }
    check(h3ou_time_init(ctx, time));
    free(index);
    free(coef);
}

static void write_pid(const char *file)
{
    FILE *f = fopen(file, "w");
    if (!f)
        exit(3);
    fprintf(f, "%d\n", (int)getpid());
    fclose(f);
}

static void stop(const char *pid_file)
{
    write_pid(pid_file);
    raise(SIGSTOP); /* until the driver lets it go on */
}

static void compute(const char *pid_file)
{
    char go[4096];
    snprintf(go, sizeof go, "%s.go", pid_file);
    write_pid(pid_file);
    while (access(go, F_OK) != 0)
        usleep(1000);
}

static const char *name_of(int field)
{
    static char name[32];
    snprintf(name, sizeof name, "f_%04d", field);
    return name;
}

/* Puts the field's number times `factor`, and twice that in every other cell. */
static int put_one(int field, double factor)
{
    for (int i = 0; i < ncell; i++)
        data[i] = factor * field * (1 + i % 2);
    return h3ou_put(ctx, name_of(field), data, ncell, 1);
}

static void put_all(double factor)
{
    for (int i = 1; i <= nfield; i++)
        check(put_one(i, factor));
}

/* Returns how many fields came with the number that the test's namelist says, by flag: SNP, AVR, ACC, MAX. */
static int get_all(const double factor[4])
{
    int right = 0, ok;
    for (int field = 1; field <= nfield; field++) {
        double awaited = factor[(field - 1) % 4] * field;
        check(h3ou_get(ctx, name_of(field), data, ncell, 1, &ok));
        for (int i = 0; i < ncell && ok; i++)
            ok = data[i] == awaited * (1 + i % 2);
        right += ok;
    }
    return right;
}

static void set_time(const char *me, int step, int length)
{
    int now = step * length, time[6] = {2000, 1, 1, now / 3600, now / 60 % 60, now % 60};
    check(h3ou_time_set(ctx, me, time, length));
}

static void tell(int right)
{
    printf("received %d of %d\n", right, nfield);
    fflush(stdout);
}

static void send_at_exchange(const char *pid_file)
{
    put_all(1.0);
    set_time("sender", 0, INTERVAL);
    stop(pid_file);
}

static void receive_at_exchange(void)
{
    set_time("receiver", 0, INTERVAL);
    tell(get_all((const double[4]){1.0, 1.0, 1.0, 1.0}));
}

/* Two steps make an interval. The value of the second is three times that of the first. */
static void send_in_put(void (*leave)(const char *pid_file), const char *pid_file)
{
    int ok;
    put_all(1.0);
    for (int step = 0; step < 2 * ROUNDS; step++) {
        set_time("sender", step, INTERVAL / 2);
        check(h3ou_get(ctx, "back", data, ncell, 1, &ok));
        put_all(step % 2 ? 3.0 : 1.0);
    }
    leave(pid_file);
    int err = put_one(1, 5.0);
    printf("second put: %d %s\n", err == H3OU_ESTATE, h3ou_error());
}

static void receive_in_put(void)
{
    const double first[4] = {1.0, 1.0, 1.0, 1.0}, later[4] = {3.0, 2.0, 4.0 * INTERVAL / 2, 3.0};
    int right = nfield;
    check(h3ou_put(ctx, "back", data, ncell, 1));
    for (int k = 0; k <= ROUNDS; k++) {
        set_time("receiver", k, INTERVAL);
        int now = get_all(k ? later : first);
        right = now < right ? now : right;
        check(h3ou_put(ctx, "back", data, ncell, 1));
    }
    tell(right);
}

int main(int argc, char **argv)
{
    if (argc < 6)
        return 2;
    nfield = atoi(argv[3]);
    ncell = atoi(argv[4]);
    data = calloc((size_t)ncell, sizeof *data);
    check(h3ou_open(argv[1], argv[2], 1, &ctx));
    bool at_exchange = !strcmp(argv[5], "exchange"), sends = argc > 6;
    set_up(argv[1], !at_exchange);
    if (sends && at_exchange)
        send_at_exchange(argv[6]);
    else if (sends)
        send_in_put(!strcmp(argv[5], "put") ? stop : compute, argv[6]);
    else if (at_exchange)
        receive_at_exchange();
    else
        receive_in_put();
    check(h3ou_close(ctx, NULL, 1));
    free(data);
    return 0;
}
