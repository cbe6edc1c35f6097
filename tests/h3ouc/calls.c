/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every call of h3ouc.h, between two components and inside them: what arrives is compared, on all ranks.
 *
 *   calls A|B CONFIG|simple [FIELD]
 *
 * FIELD: what is put in the place of the first field, a fault. simple: without a configuration file, and without
 * fields.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ouc.h"

static char *me, *other;
static int is_a, rank, nproc, bad;

static void expect(int true, const char *what)
{
    if (true)
        return;
    bad = 1;
    fprintf(stderr, "not true: %s in %s %d\n", what, me, rank);
}

static void place(void)
{
    MPI_Comm comm, mine = h3ouc_get_my_comm();
    int group, r, n, same;
    h3ouc_get_mpi_parameter(me, &comm, &group, &nproc, &rank);
    MPI_Comm_rank(mine, &r);
    MPI_Comm_size(comm, &n);
    MPI_Comm_compare(comm, mine, &same);
    expect(r == rank && n == nproc && same == MPI_IDENT, "my communicator");
    MPI_Group_size(MPI_Group_f2c(group), &n);
    expect(n == nproc, "my group");
    expect(h3ouc_get_my_rank() == rank && h3ouc_get_my_size() == nproc, "my rank and size");
}

static int all_are(const double *data, int n, double value)
{
    for (int i = 0; i < n; i++)
        if (data[i] != value)
            return 0;
    return 1;
}

/* Broadcasts of one type; the value that is to come is the root's. */
#define BROADCASTS(NAME, TYPE)                                                                                         \
    static void broadcasts_##NAME(TYPE value)                                                                          \
    {                                                                                                                  \
        int root = is_a && rank == 0;                                                                                  \
        TYPE data[3] = {root ? value : 0, root ? value + 1 : 0, root ? value + 2 : 0}, more[2] = {0, 0};               \
        h3ouc_bcast_global_##NAME("A", data, 3);                                                                       \
        expect(data[0] == value && data[2] == value + 2, "bcast_global_" #NAME);                                       \
        if (!is_a && rank == 0)                                                                                        \
            more[1] = value;                                                                                           \
        h3ouc_bcast_model_##NAME("B", "A", more, 2);                                                                   \
        expect(more[0] == 0 && more[1] == value, "bcast_model_" #NAME);                                                \
    }
BROADCASTS(int, int)
BROADCASTS(float, float)
BROADCASTS(double, double)

/* Leader to leader, then everybody of the receiver. */
#define LEADERS(NAME, TYPE)                                                                                            \
    static void leaders_##NAME(TYPE value)                                                                             \
    {                                                                                                                  \
        TYPE data[2] = {value, value + 1}, one = 0, two[2] = {0, 0};                                                   \
        if (is_a) {                                                                                                    \
            h3ouc_send_##NAME("B", value);                                                                             \
            h3ouc_send_##NAME##_array("B", data, 2);                                                                   \
        } else {                                                                                                       \
            h3ouc_recv_##NAME("A", &one);                                                                              \
            h3ouc_recv_##NAME##_array("A", two, 2);                                                                    \
            expect(one == value && two[0] == value && two[1] == value + 1, "send and recv of " #NAME);                 \
        }                                                                                                              \
    }
LEADERS(int, int)
LEADERS(float, float)
LEADERS(double, double)

static void leaders_arrays(void)
{
    int ints[2] = {3, 4};
    double doubles[2] = {3.5, 4.5};
    if (is_a) {
        h3ouc_send_array_int("A", "B", ints, 2);
        h3ouc_send_array_double("A", "B", doubles, 2);
        return;
    }
    memset(ints, 0, sizeof ints);
    memset(doubles, 0, sizeof doubles);
    h3ouc_recv_array_int("B", "A", ints, 2);
    h3ouc_recv_array_double("B", "A", doubles, 2);
    expect(ints[0] == 3 && ints[1] == 4 && doubles[0] == 3.5 && doubles[1] == 4.5, "send_array and recv_array");
}

/* Rank 0 of A and the last of B: there at once, back while others go on. */
#define PROCESSES(NAME, TYPE)                                                                                          \
    static void processes_##NAME(TYPE value, int last)                                                                 \
    {                                                                                                                  \
        TYPE data[2] = {value, value + 1}, got[2] = {0, 0};                                                            \
        if (is_a && rank == 0) {                                                                                       \
            h3ouc_irecv_model_##NAME("B", last, got, 2);                                                               \
            h3ouc_send_model_##NAME("B", last, data, 2);                                                               \
            h3ouc_irecv_waitall();                                                                                     \
            expect(got[0] == value + 1 && got[1] == value, "irecv_model_" #NAME);                                      \
        } else if (!is_a && rank == last) {                                                                            \
            h3ouc_recv_model_##NAME("A", 0, got, 2);                                                                   \
            expect(got[0] == value && got[1] == value + 1, "recv_model_" #NAME);                                       \
            TYPE back[2] = {got[1], got[0]};                                                                           \
            h3ouc_isend_model_##NAME("A", 0, back, 2);                                                                 \
            h3ouc_isend_waitall();                                                                                     \
        }                                                                                                              \
    }
PROCESSES(int, int)
PROCESSES(float, float)
PROCESSES(double, double)

static void beside(void)
{
    broadcasts_int(7);
    broadcasts_float(1.5f);
    broadcasts_double(2.25);
    leaders_int(5);
    leaders_float(5.5f);
    leaders_double(5.25);
    leaders_arrays();
    int last = nproc - 1;
    h3ouc_bcast_global_int("B", &last, 1);
    processes_int(11, last);
    processes_float(11.5f, last);
    processes_double(11.25, last);
}

static void tables(void)
{
    int index[4] = {1, 2, 3, 4};
    double twice[4] = {2, 2, 2, 2};
    char *from[2] = {"A", "B"}, *grid[2] = {"A_g", "B_g"};
    for (int i = 0; i < 2; i++)
        if (is_a) /* A gives both tables, cell to cell */
            h3ouc_set_interpolation_table("A", from[i], grid[i], from[1 - i], grid[1 - i], 1, index, index, twice, 4);
        else
            h3ouc_set_interpolation_table_no_index("B", from[i], grid[i], from[1 - i], grid[1 - i], 1);
}

static void names(char mine[2][65], char theirs[2][65])
{
    expect(h3ouc_get_num_of_put_data() == 2 && h3ouc_get_num_of_get_data() == 2, "numbers of fields");
    for (int i = 0; i < 2; i++) {
        h3ouc_get_put_data_name(i, mine[i]);
        h3ouc_get_get_data_name(i, theirs[i]);
        expect(mine[i][0] == me[0] && theirs[i][0] == other[0] && mine[i][2] == "vw"[i], "names of fields");
    }
}

/* What the other put a step ago, twice: the first four cells exist on both sides. */
static void check_fields(char theirs[2][65], int step)
{
    double field[4] = {-9, -9, -9, -9}, layers[12];
    int ok = 0;
    for (int i = 0; i < 12; i++)
        layers[i] = -9;
    h3ouc_get_data_1d(theirs[0], field, &ok);
    expect(ok == 1, "an exchange is due");
    h3ouc_get_data_25d(theirs[1], layers, &ok);
    expect(ok == (step % 2 == 1), "an exchange of layers is due every other step");
    if (rank > 0) {
        expect(all_are(field, 4, -9) && all_are(layers, 12, -9), "cells that no source covers");
        return;
    }
    for (int cell = 0; cell < 4; cell++) {
        expect(field[cell] == 2 * (100 * (step - 1) + cell), "a field");
        for (int layer = 0; layer < 3; layer++)
            expect(layers[4 * layer + cell] == (ok ? 2 * (1000 * layer + 100 * (step - 1) + cell) : -9),
                   "a field of layers");
    }
}

static void exchange(int time[6], const char *first)
{
    char mine[2][65], theirs[2][65], grid[4] = {me[0], '_', 'g', 0};
    int index[4];
    double field[4], layers[12];
    for (int i = 0; i < 4; i++)
        index[i] = 4 * rank + i + 1;
    names(mine, theirs);
    h3ouc_def_grid(index, 4, me, grid, 3);
    h3ouc_end_grid_def();
    tables();
    h3ouc_init_time(time);
    for (int step = 0; step < 5; step++) {
        if (step > 0) {
            h3ouc_set_time(me, time, 3600);
            check_fields(theirs, step);
        }
        for (int i = 0; i < 12; i++) {
            field[i % 4] = 100 * step + i % 4;
            layers[i] = 1000 * (i / 4) + 100 * step + i % 4;
        }
        h3ouc_put_data_1d(first ? first : mine[0], field);
        h3ouc_put_data_25d(mine[1], layers);
        if (step > 0)
            h3ouc_inc_calendar(time, 3600);
    }
    expect(time[1] == 3 && time[2] == 1 && time[3] == 2, "the calendar");
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    int time[6] = {2001, 2, 28, 22, 0, 0}, worst;
    me = argv[1];
    is_a = !strcmp(me, "A");
    other = is_a ? "B" : "A";
    int simple = !strcmp(argv[2], "simple");
    if (simple)
        h3ouc_init_simple(me);
    else
        h3ouc_init(me, argv[2]);
    place();
    beside();
    if (!simple)
        exchange(time, argc > 3 ? argv[3] : NULL);
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, h3ouc_get_my_comm());
    if (simple) {
        h3ouc_end(); /* calls MPI_Finalize, as init called MPI_Init */
        MPI_Finalized(&bad);
        worst |= !bad;
    } else {
        h3ouc_coupling_end(time, 0);
        h3ouc_end();
        MPI_Finalize();
    }
    return worst;
}
