/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small model that does one thing wrong, or dies where it is told to.
 *
 *   model COMPONENT OTHER CONFIG FAULT
 *
 * With MODEL_ASKS in the environment it makes 4000 steps, each of some milliseconds, and asks whether to stop.
 *
 * FAULT is `none`, or one of the names in this file. Both components exchange the field <component>_v on the grid
 * <component>_g of 8 cells; the sender gives the table. The step is 600 s, unless the fault says otherwise.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

#include "h3ou.h"

enum { CELLS = 8, STEPS = 12 };

static h3ou_ctx *ctx;
static const char *fault;

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static int is(const char *name)
{
    return !strcmp(fault, name);
}

/* The killer is told by a file that it may strike: argv[5] is its name; this process then waits to be killed. */
static void wait_for_death(const char *when, const char *file, int rank)
{
    if (!is(when) || rank != 1)
        return;
    FILE *f = fopen(file, "w");
    fprintf(f, "%d\n", (int)getpid());
    fclose(f);
    struct timespec second = {.tv_sec = 60};
    nanosleep(&second, NULL);
}

/* Of h3ou_local. */
static int component;

/* This process ends here, or stops for ever, when FAULT is HOW@WHERE@RANK with this place and this process's rank. */
static void end_at(const char *where, int rank)
{
    char how[16], place[16];
    int who;
    if (sscanf(fault, "%15[^@]@%15[^@]@%d", how, place, &who) != 3 || strcmp(place, where) != 0 || who != rank)
        return;
    struct timespec moment = {.tv_nsec = 200 * 1000 * 1000};
    nanosleep(&moment, NULL); /* the others go on to where they wait for this process */
    if (!strcmp(how, "kill"))
        raise(SIGKILL);
    else if (!strcmp(how, "segv")) {
        signal(SIGSEGV, SIG_DFL); /* not the address sanitizer's report */
        raise(SIGSEGV);
    } else if (!strcmp(how, "stop"))
        raise(SIGSTOP);
    else if (!strcmp(how, "abort"))
        h3ou_abort(ctx, H3OU_EARG);
    else if (!strcmp(how, "text"))
        h3ou_abort_text(NULL, "the ice model melted");
    else if (!strcmp(how, "finalize"))
        MPI_Finalize();
    else if (!strcmp(how, "mpi"))
        MPI_Send(NULL, 0, MPI_INT, 1000, 0, MPI_Comm_f2c(component)); /* no such rank: an error, which ends the program */
    else
        exit(!strcmp(how, "exit3") ? 3 : 0);
}

static int launcher_rank(void)
{
    const char *rank = getenv("PMI_RANK") ? getenv("PMI_RANK") : getenv("OMPI_COMM_WORLD_RANK");
    return rank ? atoi(rank) : 0;
}

/* Of `late-finalize`: the file that a process makes once it is inside MPI_Finalize. */
static const char *note;

/* MPI_Finalize begins with the attributes of MPI_COMM_SELF, the last one first: this one comes after h3ou's. */
static int in_finalize(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    end_at("finalize", launcher_rank());
    end_at("own-finalize", launcher_rank());
    if (is("late-finalize"))
        fclose(fopen(note, "w"));
    return MPI_SUCCESS;
}

/* Nobody may be inside MPI_Finalize while this process has not called it. */
static void finalize_late(const char *me, int rank)
{
    struct timespec moment = {.tv_nsec = 700 * 1000 * 1000};
    if (!is("late-finalize") || strcmp(me, "ocean") != 0 || rank != 1)
        return;
    nanosleep(&moment, NULL);
    if (access(note, F_OK) == 0)
        check(h3ou_wrong("another process is inside MPI_Finalize already"));
}

static void start_mpi(int *argc, char ***argv)
{
    int key;
    MPI_Init(argc, argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, in_finalize, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
}

static void define_grid(const char *me, int rank, int size)
{
    char grid[70];
    int index[CELLS], n = CELLS / size;
    for (int i = 0; i < n; i++)
        index[i] = rank * n + i + 1;
    if (is("index-zero") && rank == size - 1)
        index[n - 1] = 0;
    if (is("index-twice-here") && rank == size - 1)
        index[n - 1] = index[n - 2];
    if (is("index-twice") && rank == size - 1)
        index[n - 1] = 1;
    snprintf(grid, sizeof grid, is("grid-unknown") ? "%s_gird" : "%s_g", me);
    check(h3ou_grid_define(ctx, me, grid, index, n, 1));
    check(h3ou_grid_end(ctx));
}

static void set_table(const char *me, const char *from, const char *to, int rank)
{
    char a[70], b[70];
    int send[CELLS], recv[CELLS];
    double coef[CELLS];
    for (int i = 0; i < CELLS; i++) {
        send[i] = recv[i] = i + 1;
        coef[i] = 1.0;
    }
    if (is("table-send-index"))
        send[5] = CELLS + 3;
    if (is("table-recv-index"))
        recv[5] = CELLS + 3;
    snprintf(a, sizeof a, "%s_g", from);
    snprintf(b, sizeof b, "%s_g", to);
    int give = !strcmp(me, from) && rank == 0 && !is("no-table");
    give |= is("two-tables") && rank == 0;
    check(h3ou_table_set(ctx, me, from, a, to, b, 1, give ? send : NULL, give ? recv : NULL, give ? coef : NULL,
                         give ? CELLS : 0, H3OU_TABLE_LEADER));
}

/* What the model's own end may still do with the communicator of its component. */
static void meet_after_end(int size)
{
    int sum = 0, one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_Comm_f2c(component));
    if (sum != size)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Returns whether the model is to stop. */
static int is_to_stop(const int time[6], int rank)
{
    int stop = 0;
    nanosleep(&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL);
    check(h3ou_should_stop(ctx, &stop));
    if (stop && rank == 0)
        printf("stops at %d-%02d-%02d %02d:%02d:%02d\n", time[0], time[1], time[2], time[3], time[4], time[5]);
    return stop;
}

static void put_value(const char *name, double *data, int n, int layers)
{
    int handle;
    if (is("handle"))
        check(h3ou_field(ctx, name, &handle));
    check(is("handle") ? h3ou_field_put(ctx, handle, data, n, layers) : h3ou_put(ctx, name, data, n, layers));
}

static void run(const char *me, const char *other, int rank, int size, const char *file)
{
    char mine[70], theirs[70];
    double data[CELLS] = {0}, got[CELLS] = {0};
    int n = CELLS / size, ok, step = is("step") ? 700 : 600, time[6] = {2000, 1, 1, is("start-time") ? 1 : 0, 0, 0};
    struct timespec pause = {.tv_sec = is("idle") ? 20 : 0};
    nanosleep(&pause, NULL); /* alive, but not there */
    snprintf(mine, sizeof mine, "%s_v", me);
    snprintf(theirs, sizeof theirs, "%s_v", other);
    int puts = (h3ou_is_wanted(ctx, mine) || is("handle")) && !is("never-put"), gets = h3ou_get_count(ctx) > 0 && !is("never-get");
    check(h3ou_time_init(ctx, time));
    if (!is("no-initial") && puts)
        put_value(mine, data, n, 1);
    int asks = getenv("MODEL_ASKS") != NULL, steps = asks ? 4000 : STEPS;
    for (int i = 0; i < steps; i++) {
        check(h3ou_time_set(ctx, me, time, step));
        if (gets)
            check(h3ou_get(ctx, is("field-unknown") ? "atmos_w" : theirs, got, n, 1, &ok));
        if (i == STEPS / 2)
            wait_for_death("die-in-run", file, rank);
        if (i == STEPS / 2)
            end_at("run", rank);
        if (is("end-early") && i == STEPS / 2)
            break;
        if (puts)
            put_value(mine, data, is("size") ? n - 1 : n, is("layers") ? 2 : 1);
        check(h3ou_time_inc(time, step));
        if (asks && is_to_stop(time, rank))
            break;
    }
    wait_for_death("die-at-end", file, rank);
    end_at("end", rank);
    finalize_late(me, rank);
    int is_models = is("meet-after-end") || strstr(fault, "@own-finalize@");
    check(h3ou_close(ctx, time, !is_models));
    if (!is_models)
        return;
    if (is("meet-after-end"))
        meet_after_end(size);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    const char *me = argv[1], *other = argv[2], *file = argc > 5 ? argv[5] : NULL;
    int group, size, rank;
    fault = argv[4];
    note = file;
    wait_for_death("die-at-start", file, launcher_rank());
    end_at("start", launcher_rank());
    if (!strstr(fault, "@start@") && !is("ensemble")) /* else h3ou starts it */
        start_mpi(&argc, &argv);
    end_at("init", launcher_rank());
    if (is("collective-first"))
        MPI_Barrier(MPI_COMM_WORLD);
    check(h3ou_open(is("bad-name") ? "" : me, argv[3], is("ensemble") ? 3 : 1, &ctx));
    check(h3ou_local(ctx, &component, &group, &size, &rank));
    wait_for_death("die-after-join", file, rank);
    end_at("joined", rank);
    if (is("leave-after-open")) {
        check(h3ou_close(ctx, NULL, 1));
        return 0;
    }
    define_grid(me, rank, size);
    set_table(me, me, other, rank);
    set_table(me, other, me, rank);
    run(me, other, rank, size, file);
    return 0;
}
