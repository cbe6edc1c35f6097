/* SPDX-License-Identifier: BSD-3-Clause */
/* A table from a file. The coupler reads its rows all at once, and distributes them
 * (coupler/weights/weights_from_file.c). */
#include <stddef.h>

#include "base/error.h"
#include "interp/stencils/method.h"

static int open_file(const h3ou__method_task *task, void **state)
{
    *state = NULL;
    return h3ou__fail(H3OU__EARG,
                      "method file: the weights of %s are made already: it is for h3ou_var in a coupled run, where it "
                      "stands first; h3ou weights apply, convert and report take the file itself",
                      *task->keys.file ? task->keys.file : "a file");
}

const h3ou__method h3ou__method_file = {
    .name = "file",
    .help = "the rows of a file of weights, which must fit both grids; in a coupled run",
    .keys = "file",
    .open = open_file,
    .is_file = true,
};
