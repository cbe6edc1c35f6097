/* SPDX-License-Identifier: BSD-3-Clause */
/* transport_mpi.<mpi> trip|stream|answered SIZE WINDOW SECONDS: an MPI inside one job, two ranks, a core each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch.h"
#include "tools/harness/mpi/wire_mpi.h"
#include "tools/harness/trips.h"

enum { LONGEST = 60 };

int main(int argc, char **argv)
{
    int side, world;
    trip t = {0};
    double rate = 0;
    wire w = {.ops = &wire_mpi};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &side);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    if (argc != 5 || world != 2 || atoi(argv[3]) < 1 || atoi(argv[3]) > WIRE_WINDOW_MOST) {
        fprintf(stderr, "usage: mpirun -n 2 %s trip|stream|answered SIZE WINDOW SECONDS\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    pin_to(PIN_OWN, side);
    alarm(LONGEST);
    check_result(w.ops->open(&w, side));
    size_t size = strtoul(argv[2], NULL, 10);
    double seconds = strtod(argv[4], NULL);
    if (!strcmp(argv[1], "trip"))
        check_result(measure_trip(&w, side, size, seconds, &t));
    else
        check_result(measure_stream(&w, side, size, atoi(argv[3]), !strcmp(argv[1], "answered"), seconds, &rate));
    if (!side)
        printf("median=%.5g mean=%.5g rate=%.6g\n", t.median, t.mean, rate);
    MPI_Finalize();
    return 0;
}
