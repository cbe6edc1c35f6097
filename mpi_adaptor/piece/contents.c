/* SPDX-License-Identifier: BSD-3-Clause */
/* What a type was made of: among the integers of arrays are constants of MPI. */
#include PIECE_HEADER

static void integers_convert(int combiner, int *integers)
{
    if (combiner == ABI_COMBINER_SUBARRAY) {
        int n = integers[0];
        integers[1 + 3 * n] = order_outer(integers[1 + 3 * n]);
    } else if (combiner == ABI_COMBINER_DARRAY) {
        int n = integers[2];
        for (int i = 0; i < n; i++) {
            integers[3 + n + i] = distribution_outer(integers[3 + n + i]);
            integers[3 + 2 * n + i] = distribution_argument_outer(integers[3 + 2 * n + i]);
        }
        integers[3 + 4 * n] = order_outer(integers[3 + 4 * n]);
    }
}

int OUTER(Type_get_contents)(outer_Datatype type, int most_integers, int most_addresses, int most_types, int *integers, outer_Aint *addresses,
                             outer_Datatype *types)
{
    inner_Datatype *found = SCRATCH(inner_Datatype, most_types);
    int n = 0, unused = 0, combiner = 0;
    int error = inner->Type_get_envelope(Datatype_inner(type), &unused, &unused, &n, &combiner);
    if (error == 0)
        error = inner->Type_get_contents(Datatype_inner(type), most_integers, most_addresses, most_types, integers, addresses, found);
    if (error == 0) {
        integers_convert(combiner_of_hub(combiner), integers);
        for (int i = 0; i < n && i < most_types; i++)
            types[i] = Datatype_outer_new(found[i]);
    }
    SCRATCH_FREE(found, most_types);
    return error_outer(error);
}
WEAK_NAME(Type_get_contents)

#ifdef HAS_LARGE_COUNTS
int OUTER(Type_get_contents_c)(outer_Datatype type, outer_Count most_integers, outer_Count most_addresses, outer_Count most_counts,
                               outer_Count most_types, int *integers, outer_Aint *addresses, outer_Count *counts, outer_Datatype *types)
{
    inner_Datatype *found = SCRATCH(inner_Datatype, most_types);
    inner_Count n = 0, unused = 0, large = 0;
    int combiner = 0;
    int error = inner->Type_get_envelope_c(Datatype_inner(type), &unused, &unused, &large, &n, &combiner);
    if (error == 0)
        error = inner->Type_get_contents_c(Datatype_inner(type), most_integers, most_addresses, most_counts, most_types, integers, addresses,
                                           counts, found);
    if (error == 0) {
        if (large == 0) /* else sizes stand among the large counts */
            integers_convert(combiner_of_hub(combiner), integers);
        for (int i = 0; i < n && i < most_types; i++)
            types[i] = Datatype_outer_new(found[i]);
    }
    SCRATCH_FREE(found, most_types);
    return error_outer(error);
}
WEAK_NAME(Type_get_contents_c)
#endif
