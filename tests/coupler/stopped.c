/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one component sent at an exchange arrives although it makes no further call: it is stopped, as a model that computes
 * for long or waits in its own MPI.
 *
 *   stopped sender CONFIG FIELDS PID_FILE      writes its process number to PID_FILE, and stops itself
 *   stopped receiver CONFIG FIELDS
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "h3ou.h"

enum { CELLS = 2 };

static h3ou_ctx *ctx;

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void set_up(const char *me)
{
    int index[CELLS] = {1, 2}, time[6] = {2000, 1, 1, 0, 0, 0};
    double coef[CELLS] = {1.0, 1.0};
    check(h3ou_grid_define(ctx, me, "g", index, CELLS, 1));
    check(h3ou_grid_end(ctx));
    if (!strcmp(me, "sender"))
        check(h3ou_table_set(ctx, me, me, "g", "receiver", "g", 1, index, index, coef, CELLS, H3OU_TABLE_LEADER));
    else
        check(h3ou_table_set(ctx, me, "sender", "g", me, "g", 1, NULL, NULL, NULL, 0, H3OU_TABLE_LEADER));
    check(h3ou_time_init(ctx, time));
}

static void stop(const char *pid_file)
{
    FILE *f = fopen(pid_file, "w");
    if (!f)
        exit(3);
    fprintf(f, "%d\n", (int)getpid());
    fclose(f);
    raise(SIGSTOP); /* until the driver lets it go on */
}

static void send_all(int nfield, const char *pid_file)
{
    char name[32];
    int time[6] = {2000, 1, 1, 0, 0, 0};
    for (int i = 1; i <= nfield; i++) {
        double data[CELLS] = {i, -i};
        snprintf(name, sizeof name, "f_%04d", i);
        check(h3ou_put(ctx, name, data, CELLS, 1));
    }
    check(h3ou_time_set(ctx, "sender", time, 600));
    stop(pid_file);
}

static void receive_all(int nfield)
{
    char name[32];
    int right = 0, ok, time[6] = {2000, 1, 1, 0, 0, 0};
    check(h3ou_time_set(ctx, "receiver", time, 600));
    for (int i = 1; i <= nfield; i++) {
        double got[CELLS] = {0, 0};
        snprintf(name, sizeof name, "f_%04d", i);
        check(h3ou_get(ctx, name, got, CELLS, 1, &ok));
        right += ok && got[0] == i && got[1] == -i;
    }
    printf("received %d of %d\n", right, nfield);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    int nfield = atoi(argv[3]);
    check(h3ou_open(argv[1], argv[2], 1, &ctx));
    set_up(argv[1]);
    if (argc > 4)
        send_all(nfield, argv[4]);
    else
        receive_all(nfield);
    check(h3ou_close(ctx, NULL, 1));
    return 0;
}
