/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/collective/spanning_fold.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "coll/combine.h"
#include "universe/packing/packing.h"

enum { MOST_BYTES = 1 << 16, MOST_ELEMENTS = 1 << 28 };

/* Returns the type of h3ou__combine for sums of a type, whose bits are those of every MPI; else H3OU__BYTE. */
static int find_summed(abi_Datatype type, abi_Op op, int64_t element)
{
    if ((intptr_t)op != ABI_SUM)
        return H3OU__BYTE;
    switch ((intptr_t)type) {
    case ABI_DOUBLE:
    case ABI_DOUBLE_PRECISION:
        return element == sizeof(double) ? H3OU__DOUBLE : H3OU__BYTE;
    case ABI_FLOAT:
    case ABI_REAL:
        return element == sizeof(float) ? H3OU__FLOAT : H3OU__BYTE;
    case ABI_INT:
    case ABI_INTEGER:
    case ABI_LONG:
    case ABI_LONG_LONG:
    case ABI_INT32_T:
    case ABI_INT64_T:
        return element == sizeof(int32_t) ? H3OU__INT32 : element == sizeof(int64_t) ? H3OU__INT64 : H3OU__BYTE;
    }
    return H3OU__BYTE;
}

int universe_fold_open(abi_Datatype type, abi_Op op, bool is_external, universe_fold *out)
{
    abi_Count size;
    int commutes = (intptr_t)op > ABI_OP_NULL && (intptr_t)op < ABI_REPLACE, code = commutes ? 0 : universe.mpi->Op_commutative(op, &commutes);
    *out = (universe_fold){.type = type, .op = op, .is_external = is_external, .is_commutative = commutes};
    out->is_packed = is_external || !universe_type_is_bytes(type, &size);
    if (!out->is_packed)
        out->element = size;
    else if (!code)
        code = universe_packed_size(1, type, is_external, &out->element);
    if (!code)
        code = universe_type_extent(type, &out->extent);
    if (!code && out->element > INT_MAX)
        return h3ou__fail(H3OU__EARG, "an element of a reduction has more than 2 GiB");
    out->summed = out->is_packed ? H3OU__BYTE : find_summed(type, op, out->element);
    return code ? h3ou__fail(H3OU__EMPI, "MPI does not know the type or the operation (error %d)", code) : H3OU__OK;
}

void universe_fold_close(universe_fold *f)
{
    free(f->memory);
    f->memory = NULL;
}

/* Makes memory for some elements, twice. Elements of packed types begin before the address that MPI is given if their lower bound is negative. */
static bool allocate(universe_fold *f)
{
    abi_Aint low, true_extent, extent = f->is_packed ? f->extent : (abi_Aint)f->element;
    if (f->memory)
        return true;
    if (universe.mpi->Type_get_true_extent(f->type, &low, &true_extent))
        return false;
    abi_Aint stride = extent < 0 ? -extent : extent;
    f->at_once = stride && MOST_BYTES / stride > 1 ? MOST_BYTES / stride : 1;
    abi_Aint far = (f->at_once - 1) * stride, one = (far + true_extent + 15) / 16 * 16;
    f->memory = calloc(2, (size_t)one + 16);
    for (int i = 0; i < 2 && f->memory; i++)
        f->value[i] = f->memory + i * one - low + (extent < 0 ? far : 0);
    return f->memory;
}

/* inout = in op inout */
static void reduce(universe_fold *f, const void *in, void *inout, int64_t n)
{
    int code = universe.mpi->Reduce_local(in, inout, (int)n, f->type, f->op);
    f->error = f->error ? f->error : code;
}

static void combine_packed(universe_fold *f, char *to, const char *from, int64_t n, bool is_left)
{
    const char *first = is_left ? from : to, *second = is_left ? to : from;
    int64_t bytes = n * f->element;
    int code = universe_unpack(first, bytes, f->value[0], n, f->type, f->is_external);
    if (!code)
        code = universe_unpack(second, bytes, f->value[1], n, f->type, f->is_external);
    if (!code)
        reduce(f, f->value[0], f->value[1], n);
    if (!code)
        code = universe_pack(f->value[1], n, f->type, f->is_external, to, bytes);
    f->error = f->error ? f->error : code;
}

static void combine_right(universe_fold *f, char *to, const char *from, int64_t n)
{
    size_t bytes = (size_t)(n * f->element);
    memcpy(f->value[1], from, bytes);
    reduce(f, to, f->value[1], n);
    memcpy(to, f->value[1], bytes);
}

void universe_fold_combine(const h3ou__coll_data *data, void *to, const void *from, int64_t n, bool is_left)
{
    universe_fold *f = data->user;
    if (f->summed != H3OU__BYTE) {
        h3ou__combine(to, from, n, f->summed, H3OU__SUM);
        return;
    }
    bool is_direct = !f->is_packed && (is_left || f->is_commutative);
    if (!is_direct && !allocate(f)) {
        f->error = ABI_ERR_NO_MEM;
        return;
    }
    int64_t most = is_direct ? MOST_ELEMENTS : f->at_once;
    for (int64_t i = 0; i < n && !f->error; i += most) {
        char *a = (char *)to + i * f->element;
        const char *b = (const char *)from + i * f->element;
        int64_t some = n - i < most ? n - i : most;
        if (is_direct)
            reduce(f, b, a, some);
        else if (f->is_packed)
            combine_packed(f, a, b, some, is_left);
        else
            combine_right(f, a, b, some);
    }
}
