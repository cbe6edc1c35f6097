/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that come later: started ones, and two groups that meet at a port. */
#include "mpi_case.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Two started processes each take a number from their parents' rank 0, and send it back with their rank added. */
void spawn_child(void)
{
    MPI_Comm parent = MPI_COMM_NULL, all;
    int value = -1, size = -1, sum = 0;
    CALL(MPI_Comm_get_parent(&parent));
    if (!CHECK(parent != MPI_COMM_NULL))
        return;
    CALL(MPI_Comm_remote_size(parent, &size));
    EQUAL(size, PROCESSES);
    CALL(MPI_Bcast(&value, 1, MPI_INT, 0, parent));
    value += my_rank;
    CALL(MPI_Send(&value, 1, MPI_INT, 0, 3, parent));
    CALL(MPI_Intercomm_merge(parent, 1, &all));
    CALL(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, all));
    EQUAL(sum, 501 + 500 + 6);
    CALL(MPI_Comm_free(&all));
    CALL(MPI_Comm_disconnect(&parent));
}

static void start_children(void)
{
    char program[1024] = "";
    char *arguments[] = {"--child", NULL};
    int codes[2] = {-1, -1}, value = 500, size = -1, sum = 0;
    MPI_Comm children, all, parent = MPI_COMM_WORLD;
    CHECK(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    CALL(MPI_Comm_get_parent(&parent));
    CHECK(parent == MPI_COMM_NULL);
    if (!CALL(MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes)))
        return;
    CHECK(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS);
    CALL(MPI_Comm_remote_size(children, &size));
    EQUAL(size, 2);
    CALL(MPI_Bcast(&value, 1, MPI_INT, my_rank ? MPI_PROC_NULL : MPI_ROOT, children));
    for (int i = 0; i < 2 && my_rank == 0; i++) {
        int got = -1;
        CALL(MPI_Recv(&got, 1, MPI_INT, i, 3, children, MPI_STATUS_IGNORE));
        EQUAL(got, 500 + i);
    }
    CALL(MPI_Intercomm_merge(children, 0, &all));
    CALL(MPI_Allreduce(&my_rank, &sum, 1, MPI_INT, MPI_SUM, all));
    EQUAL(sum, 501 + 500 + 6);
    CALL(MPI_Comm_free(&all));
    CALL(MPI_Comm_disconnect(&children));
    CHECK(children == MPI_COMM_NULL);
}

static void meet_at_port(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    int side = my_rank / 2, got = -1, size = -1;
    MPI_Comm half, other;
    CALL(MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half));
    if (my_rank == 0)
        CALL(MPI_Open_port(MPI_INFO_NULL, port));
    CALL(MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD));
    CHECK(*port);
    if (side)
        CALL(MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &other));
    else
        CALL(MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &other));
    CALL(MPI_Comm_remote_size(other, &size));
    EQUAL(size, 2);
    CALL(MPI_Sendrecv(&my_rank, 1, MPI_INT, my_rank % 2, 1, &got, 1, MPI_INT, my_rank % 2, 1, other, MPI_STATUS_IGNORE));
    EQUAL(got, (my_rank + 2) % PROCESSES);
    CALL(MPI_Comm_disconnect(&other));
    if (my_rank == 0)
        CALL(MPI_Close_port(port));
    CALL(MPI_Comm_free(&half));
}

const mpi_case spawn_cases[] = {{"spawn_children", start_children}, {"spawn_port", meet_at_port}, {NULL, NULL}};
