/* SPDX-License-Identifier: BSD-3-Clause */
/* A component that broadcasts a long message from rank 0 of component a, and adds it up at that of b: tuned NAME CONFIG. */
#include <stdio.h>
#include <stdlib.h>

#include "h3ou_collectives.h"

int main(int argc, char **argv)
{
    enum { N = 1 << 18 };
    h3ou_ctx *ctx = NULL;
    int bad = 0, *values = calloc(N, sizeof *values), *sums = calloc(N, sizeof *sums);
    if (argc != 3 || !values || !sums)
        return 2;
    int err = h3ou_open(argv[1], argv[2], 1, &ctx);
    for (int i = 0; i < N && argv[1][0] == 'a'; i++)
        values[i] = 3 * i;
    if (!err)
        err = h3ou_bcast_global(ctx, "a", values, N, H3OU_TYPE_INT32);
    if (!err)
        err = h3ou_reduce(ctx, H3OU_COMM_GLOBAL, 1, values, sums, N, H3OU_TYPE_INT32, H3OU_OP_SUM);
    if (err)
        h3ou_abort(ctx, err);
    for (int i = 0; i < N; i++)
        bad |= values[i] != 3 * i || (argv[1][0] == 'b' && sums[i] != 12 * i);
    free(values);
    free(sums);
    err = h3ou_close(ctx, NULL, 1);
    return err || bad;
}
