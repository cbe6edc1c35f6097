/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI-4 added to messages, infos and communicators: messages in partitions, exchanges that are started, infos from the command line. */
#include "mpi_case.h"

#include <string.h>

#if MPI_VERSION >= 4
enum { PARTS = 4, LENGTH = 3, ALL = PARTS * LENGTH };

static void send_partitions(void)
{
    int mine[ALL] = {0}, got[ALL] = {0}, flag = 0, chosen[1] = {0};
    MPI_Request send, receive;
    CALL(MPI_Psend_init(mine, PARTS, LENGTH, MPI_INT, right, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
    CALL(MPI_Precv_init(got, PARTS, LENGTH, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &receive));
    for (int round = 1; round <= 2; round++) {
        for (int i = 0; i < ALL; i++) {
            mine[i] = 1000 * round + 100 * my_rank + i;
            got[i] = -1;
        }
        CALL(MPI_Start(&receive));
        CALL(MPI_Start(&send));
        CALL(MPI_Pready(3, send));
        CALL(MPI_Pready_range(1, 2, send));
        CALL(MPI_Pready_list(1, chosen, send));
        for (flag = 0; !flag;)
            if (!CALL(MPI_Parrived(receive, 2, &flag)))
                break;
        EQUAL(got[2 * LENGTH], 1000 * round + 100 * left + 2 * LENGTH);
        CALL(MPI_Wait(&send, MPI_STATUS_IGNORE));
        CALL(MPI_Wait(&receive, MPI_STATUS_IGNORE));
        for (int i = 0; i < ALL; i++)
            EQUAL(got[i], 1000 * round + 100 * left + i);
    }
    CALL(MPI_Request_free(&send));
    CALL(MPI_Request_free(&receive));
}

static void exchange_started(void)
{
    int mine = 7 * my_rank, got = -1, replaced = my_rank;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    CALL(MPI_Isendrecv(&mine, 1, MPI_INT, right, 5, &got, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[0]));
    CALL(MPI_Isendrecv_replace(&replaced, 1, MPI_INT, left, 6, right, 6, MPI_COMM_WORLD, &requests[1]));
    CALL(MPI_Waitall(2, requests, statuses));
    EQUAL(got, 7 * left);
    EQUAL(replaced, right);
}

static void ask_infos(void)
{
    char value[32] = "";
    int length = sizeof value, flag = -1;
    MPI_Info info;
    MPI_Comm copy;
    MPI_Request request;
    CALL(MPI_Info_create(&info));
    CALL(MPI_Info_set(info, "key", "some value"));
    CALL(MPI_Info_get_string(info, "key", &length, value, &flag));
    CHECK(flag && strcmp(value, "some value") == 0);
    EQUAL(length, 11);
    length = 5;
    CALL(MPI_Info_get_string(info, "key", &length, value, &flag));
    CHECK(flag && strcmp(value, "some") == 0);
    EQUAL(length, 11);
    CALL(MPI_Info_get_string(info, "other", &length, value, &flag));
    EQUAL(flag, 0);
    CALL(MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &copy, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_Comm_compare(MPI_COMM_WORLD, copy, &length));
    EQUAL(length, MPI_CONGRUENT);
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Info_free(&info));
    char *words[] = {"program", NULL};
    CALL(MPI_Info_create_env(1, words, &info));
    CHECK(info != MPI_INFO_NULL);
    CALL(MPI_Info_get_nkeys(info, &length));
    CHECK(length >= 0);
    CALL(MPI_Info_free(&info));
}

const mpi_case partitioned_cases[] = {{"mpi4_partitions", send_partitions}, {"mpi4_sendrecv", exchange_started}, {"mpi4_infos", ask_infos}, {NULL, NULL}};
#else
const mpi_case partitioned_cases[] = {{NULL, NULL}};
#endif
