/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that come later: started ones, and two groups that meet at a port. */
#include "mpi_case.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Two started processes each take a number from their parents' rank 0, and send it back with their rank added. */
void spawn_child(const char *number)
{
    MPI_Comm parent = MPI_COMM_NULL, all;
    int value = -1, size = -1, sum = 0, flag = 0, *program = NULL;
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &program, &flag));
    if (CHECK(flag))
        EQUAL(*program, number ? atoi(number) : my_rank);
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

static void talk_with_children(MPI_Comm children)
{
    int value = 500, size = -1, sum = 0;
    MPI_Comm all;
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

static char *own_program(void)
{
    static char program[1024];
    CHECK(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    return program;
}

static void start_children(void)
{
    char *arguments[] = {"--child", "0", NULL};
    int codes[2] = {-1, -1};
    MPI_Comm children, parent = MPI_COMM_WORLD;
    CALL(MPI_Comm_get_parent(&parent));
    CHECK(parent == MPI_COMM_NULL);
    if (!CALL(MPI_Comm_spawn(own_program(), arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes)))
        return;
    CHECK(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS);
    talk_with_children(children);
}

/* Two programs of one process each, each with its words. What counts only at the root is nonsense elsewhere. */
static void start_programs(void)
{
    bool is_root = my_rank == 1;
    char *commands[] = {own_program(), own_program()}, *first[] = {"--child", "0", NULL}, *second[] = {"--child", "1", NULL}, **words[] = {first, second};
    int codes[2] = {-1, -1}, ones[2] = {1, 1};
    MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm children;
    if (!CALL(MPI_Comm_spawn_multiple(is_root ? 2 : -1, is_root ? commands : NULL, is_root ? words : NULL, is_root ? ones : NULL, is_root ? infos : NULL, 1,
                                      MPI_COMM_WORLD, &children, codes)))
        return;
    CHECK(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS);
    talk_with_children(children);
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

/* A connection between ranks 0 and 1 that MPI did not make. */
static int connection(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0), made = fd;
    if (my_rank == 0) {
        CHECK(bind(fd, (struct sockaddr *)&at, length) == 0 && listen(fd, 1) == 0 && getsockname(fd, (struct sockaddr *)&at, &length) == 0);
        CALL(MPI_Send(&at.sin_port, 2, MPI_BYTE, 1, 8, MPI_COMM_WORLD));
        made = accept(fd, NULL, NULL);
        close(fd);
    } else {
        CALL(MPI_Recv(&at.sin_port, 2, MPI_BYTE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(connect(fd, (struct sockaddr *)&at, length) == 0);
    }
    CHECK(made >= 0);
    return made;
}

static void join_by_socket(void)
{
    int size = -1, got = -1;
    MPI_Comm other = MPI_COMM_NULL;
    if (my_rank > 1)
        return;
    int fd = connection();
    if (CALL(MPI_Comm_join(fd, &other)) && CHECK(other != MPI_COMM_NULL)) {
        CALL(MPI_Comm_remote_size(other, &size));
        EQUAL(size, 1);
        CALL(MPI_Sendrecv(&my_rank, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE));
        EQUAL(got, 1 - my_rank);
        CALL(MPI_Comm_disconnect(&other));
    }
    close(fd);
}

/* Open MPI 4.1.4 publishes nothing, also with its server: what is published must be found, and what is not must not. */
static void publish_names(void)
{
    char port[MPI_MAX_PORT_NAME] = "", name[64];
    int code = MPI_SUCCESS;
    snprintf(name, sizeof name, "h3ou-%d", (int)getpid());
    FAILS(MPI_ERR_NAME, MPI_Lookup_name(name, MPI_INFO_NULL, port));
    code = MPI_Publish_name(name, MPI_INFO_NULL, "a port");
    if (code == MPI_SUCCESS) {
        CALL(MPI_Lookup_name(name, MPI_INFO_NULL, port));
        CHECK(strcmp(port, "a port") == 0);
    }
    CALL(MPI_Unpublish_name(name, MPI_INFO_NULL, "a port"));
    FAILS(MPI_ERR_NAME, MPI_Lookup_name(name, MPI_INFO_NULL, port));
}

const mpi_case spawn_cases[] = {{"spawn_children", start_children}, {"spawn_programs", start_programs}, {"spawn_port", meet_at_port},
                                {"spawn_join", join_by_socket},     {"spawn_names", publish_names},     {NULL, NULL}};
