/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A message that is longer than what awaits it: component A sends N numbers, B awaits half of them.
 *
 *   longer A|B leader|model|posted|inside|broadcast N
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ouc.h"

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    char *me = argv[1], *mode = argv[2], *other = strcmp(me, "A") ? "A" : "B";
    int is_a = !strcmp(me, "A"), n = atoi(argv[3]);
    double *data = calloc((size_t)n, sizeof *data);
    h3ouc_init_simple(me);
    int rank = h3ouc_get_my_rank();
    if (!strcmp(mode, "leader") && is_a)
        h3ouc_send_double_array(other, data, n);
    else if (!strcmp(mode, "leader"))
        h3ouc_recv_double_array(other, data, n / 2);
    else if (!strcmp(mode, "broadcast"))
        h3ouc_bcast_model_double("A", "B", data, is_a ? n : n / 2);
    else if (!strcmp(mode, "inside") && !is_a && rank == 0)
        h3ouc_send_model_double("B", 1, data, n);
    else if (!strcmp(mode, "inside") && !is_a)
        h3ouc_recv_model_double("B", 0, data, n / 2);
    else if (is_a && rank == 0 && strcmp(mode, "inside"))
        h3ouc_send_model_double("B", 1, data, n);
    else if (!strcmp(mode, "model") && rank == 1)
        h3ouc_recv_model_double("A", 0, data, n / 2);
    else if (!strcmp(mode, "posted") && rank == 1) {
        h3ouc_irecv_model_double("A", 0, data, n / 2);
        h3ouc_irecv_waitall();
    }
    int last; /* nobody leaves before the error is heard */
    h3ouc_bcast_global_int("A", &last, 1);
    printf("%s %d saw no error\n", me, rank);
    h3ouc_end();
    return 0;
}
