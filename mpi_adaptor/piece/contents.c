/* SPDX-License-Identifier: BSD-3-Clause */
/* What a type was made of: among the integers of arrays are constants of MPI. */
#include PIECE_HEADER

/* Large sizes do not stand among the integers, but among the large counts. */
static void integers_convert(int combiner, int *integers, int has_large)
{
    if (combiner == ABI_COMBINER_SUBARRAY) {
        int *order = integers + 1 + (has_large ? 0 : 3 * integers[0]);
        *order = order_outer(*order);
    } else if (combiner == ABI_COMBINER_DARRAY) {
        int n = integers[2], *distributions = integers + 3 + (has_large ? 0 : n), *arguments = distributions + n, *order = arguments + 2 * n;
        for (int i = 0; i < n; i++) {
            distributions[i] = distribution_outer(distributions[i]);
            arguments[i] = distribution_argument_outer(arguments[i]);
        }
        *order = order_outer(*order);
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
        integers_convert(combiner_of_hub(combiner), integers, 0);
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
        integers_convert(combiner_of_hub(combiner), integers, large > 0);
        for (int i = 0; i < n && i < most_types; i++)
            types[i] = Datatype_outer_new(found[i]);
    }
    SCRATCH_FREE(found, most_types);
    return error_outer(error);
}
WEAK_NAME(Type_get_contents_c)
#endif
