/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing: for this machine, and in the portable format. */
#include "mpi_case.h"

#include <string.h>

static void pack_and_send(void)
{
    char room[128];
    int place = 0, size = -1, n = 3, numbers[3] = {my_rank, 5, 6}, got[3] = {0}, received = 0;
    double real = my_rank + 0.25, back = 0;
    MPI_Status status;
    CALL(MPI_Pack_size(3, MPI_INT, MPI_COMM_WORLD, &size));
    CHECK(size >= 12);
    CALL(MPI_Pack(&n, 1, MPI_INT, room, sizeof room, &place, MPI_COMM_WORLD));
    CALL(MPI_Pack(numbers, n, MPI_INT, room, sizeof room, &place, MPI_COMM_WORLD));
    CALL(MPI_Pack(&real, 1, MPI_DOUBLE, room, sizeof room, &place, MPI_COMM_WORLD));
    CHECK(place >= 24 && place <= 128);
    CALL(MPI_Sendrecv_replace(room, place, MPI_PACKED, right, 1, left, 1, MPI_COMM_WORLD, &status));
    CALL(MPI_Get_count(&status, MPI_PACKED, &received));
    EQUAL(received, place);
    n = place = 0;
    CALL(MPI_Unpack(room, received, &place, &n, 1, MPI_INT, MPI_COMM_WORLD));
    EQUAL(n, 3);
    CALL(MPI_Unpack(room, received, &place, got, 3, MPI_INT, MPI_COMM_WORLD));
    CHECK(got[0] == left && got[1] == 5 && got[2] == 6);
    CALL(MPI_Unpack(room, received, &place, &back, 1, MPI_DOUBLE, MPI_COMM_WORLD));
    CHECK(back == left + 0.25);
    EQUAL(place, received);
}

static void pack_portable(void)
{
    const unsigned char expected[8] = {0, 0, 1, 2, 0, 0, 0, 7}; /* big-endian */
    unsigned char room[64];
    int numbers[2] = {0x102, 7}, got[2] = {0, 0};
    MPI_Aint place = 0, size = -1;
    CALL(MPI_Pack_external_size("external32", 2, MPI_INT, &size));
    EQUAL(size, 8);
    CALL(MPI_Pack_external("external32", numbers, 2, MPI_INT, room, sizeof room, &place));
    EQUAL(place, 8);
    CHECK(memcmp(room, expected, 8) == 0);
    place = 0;
    CALL(MPI_Unpack_external("external32", room, sizeof room, &place, got, 2, MPI_INT));
    CHECK(got[0] == 0x102 && got[1] == 7);
    EQUAL(place, 8);
}

const mpi_case pack_cases[] = {{"pack_native", pack_and_send}, {"pack_external32", pack_portable}, {NULL, NULL}};
