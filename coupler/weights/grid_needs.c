/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/grid_needs.h"

#include "base/error.h"
#include "interp/file/weightfile.h"

int h3ou__grid_serves_methods(const h3ou__config_stack *stack, const h3ou__grid_facts *grid)
{
    const h3ou__stack *methods = &stack->methods;
    if (methods->n == 1 && methods->method[0]->is_file)
        return H3OU__OK;
    if (!grid->has_centres && !grid->has_corners)
        return h3ou__fail(H3OU__EARG,
                          "method='%s': grid %s of component %s has no coordinates: give lon and lat to "
                          "h3ou_grid_centres or lon_corners and lat_corners to h3ou_grid_corners, or a table to "
                          "h3ou_table_set",
                          stack->text, grid->grid, grid->component);
    for (int k = 0; k < methods->n; k++)
        if (methods->method[k]->by_corners && !grid->has_corners)
            return h3ou__fail(H3OU__EARG,
                              "method %s: grid %s of component %s has no corners: give lon_corners and lat_corners to "
                              "h3ou_grid_corners",
                              methods->method[k]->name, grid->grid, grid->component);
    return H3OU__OK;
}

int h3ou__grid_fits_weights(const char *file, const char *side, int64_t n, bool is_told, const h3ou__grid_facts *grid)
{
    int64_t whole = grid->said ? grid->said : grid->last;
    bool fits = n == whole || (!is_told && n < whole) || (!grid->said && grid->cells < whole && n > whole);
    return fits ? H3OU__OK : h3ou__weightfile_wrong_size(file, side, n, grid->grid, whole);
}
