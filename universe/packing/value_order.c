/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/packing/value_order.h"

#include <stdbool.h>
#include <stdlib.h>

#include "universe/world/failure.h"

typedef struct stretch {
    unsigned char *at, *end;
} stretch;

static void value_reverse(stretch *s, abi_Count size)
{
    if (s->end - s->at < size) {
        s->at = s->end;
        return;
    }
    for (unsigned char *low = s->at, *high = s->at + size - 1; low < high; low++, high--) {
        unsigned char first = *low;
        *low = *high;
        *high = first;
    }
    s->at += size;
}

/* Bytes of the first value of a type that has two, or of the only one. */
static abi_Count first_of(abi_Datatype type, abi_Count size)
{
    switch ((intptr_t)type) {
    case ABI_C_FLOAT_COMPLEX:
    case ABI_C_DOUBLE_COMPLEX:
    case ABI_C_LONG_DOUBLE_COMPLEX:
    case ABI_CXX_FLOAT_COMPLEX:
    case ABI_CXX_DOUBLE_COMPLEX:
    case ABI_CXX_LONG_DOUBLE_COMPLEX:
    case ABI_COMPLEX:
    case ABI_DOUBLE_COMPLEX:
    case ABI_COMPLEX4:
    case ABI_COMPLEX8:
    case ABI_COMPLEX16:
    case ABI_COMPLEX32:
    case ABI_2INT:
    case ABI_2REAL:
    case ABI_2DOUBLE_PRECISION:
    case ABI_2INTEGER:
        return size / 2;
    case ABI_FLOAT_INT:
    case ABI_DOUBLE_INT:
    case ABI_LONG_INT:
    case ABI_SHORT_INT:
    case ABI_LONG_DOUBLE_INT:
        return size - (abi_Count)sizeof(int);
    default:
        return size;
    }
}

static int turn(stretch *s, abi_Datatype type, abi_Count count);

/* How a type was made. */
typedef struct making {
    int combiner;
    int *integer;
    abi_Aint *address;
    abi_Count *large; /* large counts; NULL: it was made with ints */
    abi_Datatype *part;
    abi_Count npart;
} making;

static int turn_named(stretch *s, abi_Count count, abi_Count first, abi_Count second)
{
    for (; count > 0 && s->at < s->end; count--) {
        value_reverse(s, first);
        if (second)
            value_reverse(s, second);
    }
    return 0;
}

/* The parts of a type that was created. All combiners but the structure repeat one part. */
static int turn_parts(stretch *s, abi_Count count, abi_Count size, const making *how)
{
    const abi_Datatype *part = how->part;
    abi_Count each = 0;
    int code = 0;
    if (how->combiner != ABI_COMBINER_STRUCT) {
        code = universe.mpi->Type_size_x(part[0], &each);
        return code || each == 0 ? code : turn(s, part[0], count * (size / each));
    }
    for (; !code && count > 0 && s->at < s->end; count--)
        for (abi_Count i = 0; !code && i < how->npart; i++)
            code = turn(s, part[i], how->large ? how->large[1 + i] : how->integer[1 + i]);
    return code;
}

static void making_free(making *how)
{
    for (abi_Count i = 0; i < how->npart; i++)
        if ((intptr_t)how->part[i] >= HUB_PREDEFINED || (intptr_t)how->part[i] < 0)
            universe.mpi->Type_free(&how->part[i]);
    free(how->integer);
    free(how->address);
    free(how->large);
    free(how->part);
}

/* Asks how a type was made. Of one that was made with large counts only the functions with _c tell, which not every MPI has. */
static int making_ask(abi_Datatype type, making *how)
{
    int nint = 0, naddress = 0, npart = 0;
    abi_Count nint_c = 0, naddress_c = 0, nlarge = 0, npart_c = 0;
    *how = (making){0};
    universe_stray_ignore(true);
    int code = universe.mpi->Type_get_envelope(type, &nint, &naddress, &npart, &how->combiner);
    universe_stray_ignore(false);
    bool is_large = code != 0;
    if (is_large) {
        code = universe.mpi->Type_get_envelope_c(type, &nint_c, &naddress_c, &nlarge, &npart_c, &how->combiner);
    } else {
        nint_c = nint;
        naddress_c = naddress;
        npart_c = npart;
    }
    if (code || npart_c == 0)
        return code;
    how->integer = calloc((size_t)nint_c + 1, sizeof *how->integer);
    how->address = calloc((size_t)naddress_c + 1, sizeof *how->address);
    how->large = is_large ? calloc((size_t)nlarge + 1, sizeof *how->large) : NULL;
    how->part = calloc((size_t)npart_c, sizeof(abi_Datatype));
    if (!how->integer || !how->address || (is_large && !how->large) || !how->part)
        code = ABI_ERR_NO_MEM;
    else if (is_large)
        code = universe.mpi->Type_get_contents_c(type, nint_c, naddress_c, nlarge, npart_c, how->integer, how->address, how->large, how->part);
    else
        code = universe.mpi->Type_get_contents(type, nint, naddress, npart, how->integer, how->address, how->part);
    how->npart = code ? 0 : npart_c;
    return code;
}

static int turn_created(stretch *s, abi_Datatype type, abi_Count count, abi_Count size)
{
    making how;
    int code = making_ask(type, &how);
    if (!code && how.npart == 0) /* of MPI_Type_create_f90_real and its like */
        code = how.combiner == ABI_COMBINER_F90_COMPLEX ? turn_named(s, count, size / 2, size / 2) : turn_named(s, count, size, 0);
    else if (!code)
        code = turn_parts(s, count, size, &how);
    making_free(&how);
    return code;
}

static int turn(stretch *s, abi_Datatype type, abi_Count count)
{
    abi_Count size = 0;
    int code = universe.mpi->Type_size_x(type, &size);
    if (code || size == 0)
        return code;
    if ((intptr_t)type < 0 || (intptr_t)type >= HUB_PREDEFINED)
        return turn_created(s, type, count, size);
    abi_Count first = (intptr_t)type == ABI_PACKED ? 1 : first_of(type, size);
    return turn_named(s, count, first, size - first);
}

int universe_values_turn(void *packed, int64_t bytes, abi_Datatype type)
{
    const uint16_t one = 1;
    stretch s = {packed, (unsigned char *)packed + bytes};
    abi_Count size = 0;
    int code = universe.mpi->Type_size_x(type, &size);
    if (code || size == 0 || *(const unsigned char *)&one == 0)
        return code;
    return turn(&s, type, bytes / size + 1);
}
