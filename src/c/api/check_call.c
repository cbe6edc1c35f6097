/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/configuration_check.h"
#include "h3ou.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

int h3ou_check_configuration(const h3ou_check *check, h3ou_finding *tell)
{
    if (!check || !tell || !check->file || check->ncomponent < 0 || (check->ncomponent > 0 && !check->component) ||
        check->ngrid < 0 || (check->ngrid > 0 && !check->grid))
        return h3ou__fail(H3OU__EARG, "h3ou_check_configuration: check, its file or tell is NULL, or components or grids of a number "
                                      "above 0 are");
    h3ou__check c = {.file = check->file, .record = check->record, .tell = tell};
    int err = H3OU__OK;
    for (int i = 0; i < check->ncomponent && !err; i++)
        if ((err = h3ou__check_add(&c, check->component[i].name, check->component[i].step)) == H3OU__OK) {
            h3ou__checked *part = h3ou__check_find(&c, check->component[i].name);
            part->processes = check->component[i].processes;
            part->memory = check->component[i].memory;
            part->directory = check->component[i].directory;
        }
    if (!err && !(c.grid = malloc(sizeof *c.grid * ((size_t)check->ngrid + 1))))
        err = h3ou__no_memory("the check of %s", check->file);
    for (int i = 0; i < check->ngrid && !err; i++)
        c.grid[c.ngrid++] = (h3ou__checked_grid){check->grid[i].component, check->grid[i].grid, check->grid[i].file};
    if (!err)
        err = h3ou__configuration_check(&c);
    h3ou__check_free(&c);
    return err;
}
