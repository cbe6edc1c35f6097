/* SPDX-License-Identifier: BSD-3-Clause */
/* What only the forms of MPI-4 with MPI_Count can say: counts above 2^31, and of which counts a type was made. */
#include "mpi_case.h"

#ifdef LARGE_COUNTS
#undef MPI_Type_size
#undef MPI_Type_get_extent
#undef MPI_Type_get_envelope
#undef MPI_Type_vector
#undef MPI_Status_set_elements

static const MPI_Count million = 1000000, many = 5000000000;

static void exceed_int(void)
{
    int small = 0;
    MPI_Count size = 0, lower = -1, extent = 0, n = 0;
    MPI_Datatype type;
    MPI_Status status = {0};
    CALL(MPI_Type_contiguous_c(many, MPI_INT, &type));
    CALL(MPI_Type_size_c(type, &size));
    EQUAL(size, 4 * many);
    CALL(MPI_Type_get_extent_c(type, &lower, &extent));
    EQUAL(lower, 0);
    EQUAL(extent, 4 * many);
    CALL(MPI_Type_size(type, &small));
    EQUAL(small, MPI_UNDEFINED);
    CALL(MPI_Type_free(&type));
    CALL(MPI_Type_vector_c(million, 2, 4 * million, MPI_DOUBLE, &type));
    CALL(MPI_Type_get_extent_c(type, &lower, &extent));
    EQUAL(extent, 8 * ((million - 1) * 4 * million + 2));
    CALL(MPI_Type_free(&type));
    CALL(MPI_Status_set_elements_x(&status, MPI_INT, many));
    CALL(MPI_Get_count_c(&status, MPI_INT, &n));
    EQUAL(n, many);
    CALL(MPI_Get_elements_c(&status, MPI_INT, &n));
    EQUAL(n, many);
}

static void ask_contents(void)
{
    int combiner = -1, ints[4];
    MPI_Count ni = -1, na = -1, nc = -1, nt = -1, counts[4];
    MPI_Aint addresses[1];
    MPI_Datatype type, types[1];
    CALL(MPI_Type_vector_c(million, 2, many, MPI_DOUBLE, &type));
    CALL(MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nt, &combiner));
    EQUAL(combiner, MPI_COMBINER_VECTOR);
    CHECK(ni == 0 && na == 0 && nc == 3 && nt == 1);
    CALL(MPI_Type_get_contents_c(type, 0, 0, 3, 1, ints, addresses, counts, types));
    CHECK(counts[0] == million && counts[1] == 2 && counts[2] == many && types[0] == MPI_DOUBLE);
    CALL(MPI_Type_free(&type));
    CALL(MPI_Type_create_subarray_c(2, (MPI_Count[]){many, 6}, (MPI_Count[]){2, 3}, (MPI_Count[]){many - 2, 2}, MPI_ORDER_FORTRAN, MPI_FLOAT, &type));
    CALL(MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nt, &combiner));
    EQUAL(combiner, MPI_COMBINER_SUBARRAY);
    CHECK(ni == 2 && na == 0 && nc == 6 && nt == 1);
    MPI_Count six[6];
    CALL(MPI_Type_get_contents_c(type, 2, 0, 6, 1, ints, addresses, six, types));
    CHECK(ints[0] == 2 && ints[1] == MPI_ORDER_FORTRAN && six[0] == many && six[3] == 3 && six[4] == many - 2 && types[0] == MPI_FLOAT);
    CALL(MPI_Type_free(&type));
    CALL(MPI_Type_create_darray_c(2, 1, 1, (MPI_Count[]){many}, (int[]){MPI_DISTRIBUTE_CYCLIC}, (int[]){MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2},
                                  MPI_ORDER_C, MPI_CHAR, &type));
    CALL(MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nt, &combiner));
    EQUAL(combiner, MPI_COMBINER_DARRAY);
    CHECK(ni == 7 && na == 0 && nc == 1 && nt == 1);
    int seven[7];
    CALL(MPI_Type_get_contents_c(type, 7, 0, 1, 1, seven, addresses, counts, types));
    CHECK(seven[3] == MPI_DISTRIBUTE_CYCLIC && seven[4] == MPI_DISTRIBUTE_DFLT_DARG && seven[5] == 2 && seven[6] == MPI_ORDER_C && counts[0] == many);
    CALL(MPI_Type_free(&type));
}

const mpi_case large_cases[] = {{"large_counts", exceed_int}, {"large_contents", ask_contents}, {NULL, NULL}};
#else
const mpi_case large_cases[] = {{NULL, NULL}};
#endif
