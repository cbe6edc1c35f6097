/* SPDX-License-Identifier: BSD-3-Clause */
/* Types: what each constructor makes, as bounds, as values sent, and as the program asks how it was made. */
#include "mpi_case.h"

#include <stdint.h>
#include <string.h>
#include <wchar.h>

static void size_predefined(void)
{
    const struct {
        MPI_Datatype type;
        size_t size;
    } all[] = {{MPI_CHAR, 1}, {MPI_SIGNED_CHAR, 1}, {MPI_UNSIGNED_CHAR, 1}, {MPI_BYTE, 1}, {MPI_PACKED, 1}, {MPI_WCHAR, sizeof(wchar_t)},
        {MPI_SHORT, 2}, {MPI_UNSIGNED_SHORT, 2}, {MPI_INT, 4}, {MPI_UNSIGNED, 4}, {MPI_LONG, sizeof(long)},
        {MPI_UNSIGNED_LONG, sizeof(long)}, {MPI_LONG_LONG, 8}, {MPI_LONG_LONG_INT, 8}, {MPI_UNSIGNED_LONG_LONG, 8}, {MPI_FLOAT, 4},
        {MPI_DOUBLE, 8}, {MPI_LONG_DOUBLE, sizeof(long double)}, {MPI_C_BOOL, 1}, {MPI_INT8_T, 1}, {MPI_INT16_T, 2}, {MPI_INT32_T, 4},
        {MPI_INT64_T, 8}, {MPI_UINT8_T, 1}, {MPI_UINT16_T, 2}, {MPI_UINT32_T, 4}, {MPI_UINT64_T, 8}, {MPI_C_COMPLEX, 8},
        {MPI_C_FLOAT_COMPLEX, 8}, {MPI_C_DOUBLE_COMPLEX, 16}, {MPI_AINT, sizeof(MPI_Aint)}, {MPI_COUNT, sizeof(MPI_Count)},
        {MPI_OFFSET, sizeof(MPI_Offset)}, {MPI_FLOAT_INT, 8}, {MPI_DOUBLE_INT, 12}, {MPI_LONG_INT, 12}, {MPI_2INT, 8},
        {MPI_SHORT_INT, 6}, {MPI_INTEGER, 4}, {MPI_REAL, 4}, {MPI_DOUBLE_PRECISION, 8}, {MPI_COMPLEX, 8}, {MPI_DOUBLE_COMPLEX, 16},
        {MPI_LOGICAL, 4}, {MPI_CHARACTER, 1}, {MPI_INTEGER4, 4}, {MPI_INTEGER8, 8}, {MPI_REAL4, 4}, {MPI_REAL8, 8},
        {MPI_2INTEGER, 8}, {MPI_2REAL, 8}, {MPI_2DOUBLE_PRECISION, 16}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char name[MPI_MAX_OBJECT_NAME] = "";
        int size = -1, length = 0, ints = -1, addresses = -1, types = -1, combiner = -1;
        MPI_Count large = -1;
        CALL(MPI_Type_size(all[i].type, &size));
        CALL(MPI_Type_get_name(all[i].type, name, &length));
        if (!EQUAL(size, all[i].size))
            CHECK(strcmp(name, "(of the type whose size is wrong)") == 0);
        CHECK(strncmp(name, "MPI_", 4) == 0 && length == (int)strlen(name));
        CALL(MPI_Type_size_x(all[i].type, &large));
        EQUAL(large, size);
        CALL(MPI_Type_get_envelope(all[i].type, &ints, &addresses, &types, &combiner));
        EQUAL(combiner, MPI_COMBINER_NAMED);
        EQUAL(ints + addresses + types, 0);
    }
}

static void check_bounds(MPI_Datatype type, int size, MPI_Aint lower, MPI_Aint extent, MPI_Aint true_lower, MPI_Aint true_extent)
{
    int got = -1;
    MPI_Aint a = -1, b = -1;
    MPI_Count c = -1, d = -1;
    CALL(MPI_Type_size(type, &got));
    EQUAL(got, size);
    CALL(MPI_Type_get_extent(type, &a, &b));
    EQUAL(a, lower);
    EQUAL(b, extent);
    CALL(MPI_Type_get_extent_x(type, &c, &d));
    EQUAL(c, lower);
    EQUAL(d, extent);
    CALL(MPI_Type_get_true_extent(type, &a, &b));
    EQUAL(a, true_lower);
    EQUAL(b, true_extent);
    CALL(MPI_Type_get_true_extent_x(type, &c, &d));
    EQUAL(c, true_lower);
    EQUAL(d, true_extent);
}

/* Sends 24 numbers right as one value of the type, receives as plain numbers from the left, and compares. Frees the type. */
static void check_values(MPI_Datatype *type, int n, const int *expected)
{
    int mine[24], got[24], received = -1;
    MPI_Status status;
    for (int i = 0; i < 24; i++) {
        mine[i] = i;
        got[i] = -1;
    }
    CALL(MPI_Type_commit(type));
    CALL(MPI_Sendrecv(mine, 1, *type, right, 3, got, 24, MPI_INT, left, 3, MPI_COMM_WORLD, &status));
    CALL(MPI_Get_count(&status, MPI_INT, &received));
    EQUAL(received, n);
    for (int i = 0; i < n; i++)
        EQUAL(got[i], expected[i]);
    CALL(MPI_Type_free(type));
    CHECK(*type == MPI_DATATYPE_NULL);
}

static void make_vectors(void)
{
    MPI_Datatype type, inner;
    CALL(MPI_Type_contiguous(3, MPI_INT, &type));
    check_bounds(type, 12, 0, 12, 0, 12);
    check_values(&type, 3, (int[]){0, 1, 2});
    CALL(MPI_Type_vector(3, 2, 4, MPI_INT, &type));
    check_bounds(type, 24, 0, 40, 0, 40);
    check_values(&type, 6, (int[]){0, 1, 4, 5, 8, 9});
    CALL(MPI_Type_create_hvector(2, 1, 20, MPI_INT, &type));
    check_bounds(type, 8, 0, 24, 0, 24);
    check_values(&type, 2, (int[]){0, 5});
    CALL(MPI_Type_vector(2, 1, 2, MPI_INT, &inner));
    CALL(MPI_Type_create_resized(inner, -4, 20, &type));
    CALL(MPI_Type_free(&inner));
    check_bounds(type, 8, -4, 20, 0, 12);
    CALL(MPI_Type_dup(type, &inner));
    check_bounds(inner, 8, -4, 20, 0, 12);
    CALL(MPI_Type_free(&inner));
    CALL(MPI_Type_contiguous(2, type, &inner));
    CALL(MPI_Type_free(&type));
    check_values(&inner, 4, (int[]){0, 2, 5, 7});
}

static void make_indexed(void)
{
    const int lengths[3] = {1, 2, 1}, places[3] = {5, 0, 8};
    const MPI_Aint bytes[3] = {20, 0, 32};
    MPI_Datatype type;
    CALL(MPI_Type_indexed(3, lengths, places, MPI_INT, &type));
    check_bounds(type, 16, 0, 36, 0, 36);
    check_values(&type, 4, (int[]){5, 0, 1, 8});
    CALL(MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &type));
    check_values(&type, 4, (int[]){5, 0, 1, 8});
    CALL(MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type));
    check_values(&type, 6, (int[]){5, 6, 0, 1, 8, 9});
    CALL(MPI_Type_create_hindexed_block(3, 1, bytes, MPI_INT, &type));
    check_values(&type, 3, (int[]){5, 0, 8});
    const MPI_Datatype kinds[3] = {MPI_INT, MPI_UNSIGNED, MPI_FLOAT};
    CALL(MPI_Type_create_struct(2, lengths, bytes, kinds, &type));
    check_bounds(type, 12, 0, 24, 0, 24);
    CALL(MPI_Type_free(&type));
}

static void make_arrays(void)
{
    const int sizes[2] = {4, 6}, part[2] = {2, 3}, starts[2] = {1, 2}, whole[1] = {8}, procs[1] = {2};
    const int cyclic[1] = {MPI_DISTRIBUTE_CYCLIC}, block[1] = {MPI_DISTRIBUTE_BLOCK}, two[1] = {2},
              chosen[1] = {MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Datatype type;
    CALL(MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_C, MPI_INT, &type));
    check_bounds(type, 24, 0, 96, 32, 36);
    check_values(&type, 6, (int[]){8, 9, 10, 14, 15, 16});
    CALL(MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_FORTRAN, MPI_INT, &type));
    check_values(&type, 6, (int[]){9, 10, 13, 14, 17, 18});
    CALL(MPI_Type_create_darray(2, 1, 1, whole, cyclic, two, procs, MPI_ORDER_C, MPI_INT, &type));
    check_values(&type, 4, (int[]){2, 3, 6, 7});
    CALL(MPI_Type_create_darray(2, 1, 1, whole, block, chosen, procs, MPI_ORDER_FORTRAN, MPI_INT, &type));
    check_values(&type, 4, (int[]){4, 5, 6, 7});
}

static void ask_contents(void)
{
    const int lengths[2] = {1, 3}, sizes[2] = {4, 6}, part[2] = {2, 3}, starts[2] = {1, 2};
    const MPI_Aint bytes[2] = {8, 16};
    int ni = -1, na = -1, nt = -1, combiner = -1, ints[8];
    MPI_Aint addresses[4];
    MPI_Datatype inner, type, types[4], resized;
    CALL(MPI_Type_contiguous(2, MPI_DOUBLE, &inner));
    types[0] = MPI_SHORT;
    types[1] = inner;
    CALL(MPI_Type_create_struct(2, lengths, bytes, types, &type));
    CALL(MPI_Type_get_envelope(type, &ni, &na, &nt, &combiner));
    CHECK(ni == 3 && na == 2 && nt == 2 && combiner == MPI_COMBINER_STRUCT);
    CALL(MPI_Type_get_contents(type, 3, 2, 2, ints, addresses, types));
    CHECK(ints[0] == 2 && ints[1] == 1 && ints[2] == 3 && addresses[0] == 8 && addresses[1] == 16);
    CHECK(types[0] == MPI_SHORT);
    CALL(MPI_Type_get_envelope(types[1], &ni, &na, &nt, &combiner));
    EQUAL(combiner, MPI_COMBINER_CONTIGUOUS);
    CALL(MPI_Type_free(&types[1]));
    CALL(MPI_Type_free(&inner));
    CALL(MPI_Type_create_resized(type, 0, 99, &resized));
    CALL(MPI_Type_get_envelope(resized, &ni, &na, &nt, &combiner));
    CHECK(ni == 0 && na == 2 && nt == 1 && combiner == MPI_COMBINER_RESIZED);
    CALL(MPI_Type_get_contents(resized, 0, 2, 1, ints, addresses, types));
    EQUAL(addresses[1], 99);
    CALL(MPI_Type_free(&types[0]));
    CALL(MPI_Type_free(&resized));
    CALL(MPI_Type_free(&type));
    CALL(MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_FORTRAN, MPI_FLOAT, &type));
    CALL(MPI_Type_get_envelope(type, &ni, &na, &nt, &combiner));
    CHECK(ni == 8 && na == 0 && nt == 1 && combiner == MPI_COMBINER_SUBARRAY);
    CALL(MPI_Type_get_contents(type, 8, 0, 1, ints, addresses, types));
    CHECK(types[0] == MPI_FLOAT && ints[0] == 2 && ints[1] == 4 && ints[4] == 3 && ints[7] == MPI_ORDER_FORTRAN);
    CALL(MPI_Type_free(&type));
}

static void ask_combiners(void)
{
    const int ones[2] = {1, 1}, places[2] = {0, 2};
    const MPI_Aint bytes[2] = {0, 8};
    MPI_Datatype types[8];
    const int combiners[8] = {MPI_COMBINER_DUP,           MPI_COMBINER_VECTOR,         MPI_COMBINER_HVECTOR,
                              MPI_COMBINER_INDEXED,       MPI_COMBINER_HINDEXED,       MPI_COMBINER_INDEXED_BLOCK,
                              MPI_COMBINER_HINDEXED_BLOCK, MPI_COMBINER_CONTIGUOUS};
    int ni, na, nt, combiner = -1;
    CALL(MPI_Type_dup(MPI_INT, &types[0]));
    CALL(MPI_Type_vector(2, 1, 2, MPI_INT, &types[1]));
    CALL(MPI_Type_create_hvector(2, 1, 8, MPI_INT, &types[2]));
    CALL(MPI_Type_indexed(2, ones, places, MPI_INT, &types[3]));
    CALL(MPI_Type_create_hindexed(2, ones, bytes, MPI_INT, &types[4]));
    CALL(MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &types[5]));
    CALL(MPI_Type_create_hindexed_block(2, 1, bytes, MPI_INT, &types[6]));
    CALL(MPI_Type_contiguous(5, MPI_INT, &types[7]));
    for (int i = 0; i < 8; i++) {
        CALL(MPI_Type_get_envelope(types[i], &ni, &na, &nt, &combiner));
        EQUAL(combiner, combiners[i]);
        EQUAL(nt, 1);
        CALL(MPI_Type_free(&types[i]));
    }
}

static void name_and_match(void)
{
    MPI_Datatype type, match = MPI_DATATYPE_NULL;
    char name[MPI_MAX_OBJECT_NAME] = "x";
    int length = -1, size = -1, values[4] = {1, 2, 3, 4};
    MPI_Aint a = 0, b = 0;
    CALL(MPI_Type_contiguous(4, MPI_INT, &type));
    CALL(MPI_Type_get_name(type, name, &length));
    CHECK(length == 0 && !*name);
    CALL(MPI_Type_set_name(type, "four integers"));
    CALL(MPI_Type_get_name(type, name, &length));
    CHECK(strcmp(name, "four integers") == 0 && length == 13);
    CALL(MPI_Type_free(&type));
    CALL(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &match));
    CALL(MPI_Type_size(match, &size));
    EQUAL(size, 8);
    CALL(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 4, &match));
    CALL(MPI_Type_size(match, &size));
    EQUAL(size, 4);
    CALL(MPI_Type_create_f90_real(12, MPI_UNDEFINED, &type));
    CALL(MPI_Type_size(type, &size));
    EQUAL(size, 8);
    CALL(MPI_Type_create_f90_integer(9, &type));
    CALL(MPI_Type_size(type, &size));
    EQUAL(size, 4);
    CALL(MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &type));
    CALL(MPI_Type_size(type, &size));
    EQUAL(size, 8);
    CALL(MPI_Get_address(&values[1], &a));
    CALL(MPI_Get_address(&values[3], &b));
    EQUAL(MPI_Aint_diff(b, a), 8);
    EQUAL(MPI_Aint_add(a, 8), b);
}

const mpi_case type_cases[] = {{"type_predefined", size_predefined}, {"type_vectors", make_vectors},   {"type_indexed", make_indexed},
                               {"type_arrays", make_arrays},         {"type_contents", ask_contents}, {"type_combiners", ask_combiners},
                               {"type_names", name_and_match},       {NULL, NULL}};
