/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/packing/packing.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "universe/packing/value_order.h"
#include "universe/world/failure.h"
#include "universe/world/spanning.h"

enum { PIECE = 1 << 30 }; /* bytes that are packed by one call, since its numbers are ints */

/* Sizes of predefined types: 0 when not asked yet, -1 when the type is not bytes. Every thread writes the same. */
static int predefined_size[HUB_PREDEFINED];

/* A predefined type is bytes if it has no gaps, which those of MPI_MINLOC may have. */
static int predefined_ask(abi_Datatype type)
{
    int size = 0;
    abi_Aint low = 0, extent = 0;
    if ((intptr_t)type == ABI_DATATYPE_NULL || universe.mpi->Type_size(type, &size) || universe.mpi->Type_get_extent(type, &low, &extent))
        return -1;
    return low == 0 && extent == size && size > 0 ? size : -1;
}

static abi_Count size_of(abi_Datatype type)
{
    abi_Count size = -1;
    if ((intptr_t)type == ABI_DATATYPE_NULL || universe.mpi->Type_size_x(type, &size))
        return -1;
    return size;
}

/* Whether a created type is a duplicate or a contiguous one of bytes; one that was made with large counts, which MPI_Type_get_envelope refuses, is taken
 * for none. Handles of the parts that are created types are new ones. */
static bool created_is_bytes(abi_Datatype type)
{
    int nint, naddress, ntype, combiner, count;
    abi_Datatype part;
    abi_Count size;
    universe_stray_ignore(true);
    int code = universe.mpi->Type_get_envelope(type, &nint, &naddress, &ntype, &combiner);
    universe_stray_ignore(false);
    if (code)
        return false;
    if ((combiner != ABI_COMBINER_DUP && combiner != ABI_COMBINER_CONTIGUOUS) || nint > 1 || naddress || ntype != 1)
        return false;
    if (universe.mpi->Type_get_contents(type, nint, 0, 1, &count, NULL, &part))
        return false;
    bool is_bytes = universe_type_is_bytes(part, &size);
    if ((intptr_t)part >= HUB_PREDEFINED || (intptr_t)part < 0)
        universe.mpi->Type_free(&part);
    return is_bytes;
}

bool universe_type_is_bytes(abi_Datatype type, abi_Count *size)
{
    intptr_t handle = (intptr_t)type;
    if (handle > 0 && handle < HUB_PREDEFINED) {
        if (!predefined_size[handle])
            predefined_size[handle] = predefined_ask(type);
        *size = predefined_size[handle];
        if (*size > 0)
            return true;
    }
    *size = size_of(type);
    return (handle < 0 || handle >= HUB_PREDEFINED) && *size >= 0 && created_is_bytes(type);
}

int universe_type_extent(abi_Datatype type, abi_Aint *extent)
{
    intptr_t handle = (intptr_t)type;
    abi_Aint low;
    abi_Count size;
    if (handle <= 0 || handle >= HUB_PREDEFINED || !universe_type_is_bytes(type, &size))
        return universe.mpi->Type_get_extent(type, &low, extent);
    *extent = (abi_Aint)size;
    return 0;
}

/* Returns how many elements are packed by one call. */
static abi_Count elements_in_piece(abi_Count count, abi_Count size)
{
    abi_Count most = size > 0 ? PIECE / size : INT_MAX;
    most = most > 0 ? most : 1;
    return count < most ? count : most;
}

static int extent_of(abi_Datatype type, abi_Count *extent)
{
    abi_Count low;
    return universe.mpi->Type_get_extent_x(type, &low, extent);
}

int universe_packed_size(abi_Count count, abi_Datatype type, bool is_unlike, int64_t *bytes)
{
    abi_Count size;
    (void)is_unlike; /* sizes are those in memory */
    universe_type_is_bytes(type, &size);
    *bytes = count * size;
    return size < 0 ? ABI_ERR_TYPE : 0;
}

/* Where values of absolute addresses are for MPICH, which refuses MPI_BOTTOM in MPI_Pack and MPI_Unpack: `shifted`, whose addresses count from
 * `base`. The caller frees it if it is not `type`. */
typedef struct place {
    char *base;
    int count;
    abi_Datatype shifted;
} place;

static int place_find(place *p, const void *buf, int count, abi_Datatype type)
{
    static char base;
    *p = (place){(char *)(uintptr_t)buf, count, type};
    if (buf)
        return 0;
    abi_Aint back = -(abi_Aint)(intptr_t)&base;
    p->base = &base;
    p->count = 1;
    int code = universe.mpi->Type_create_hindexed(1, &count, &back, type, &p->shifted);
    return code ? code : universe.mpi->Type_commit(&p->shifted);
}

static void place_free(place *p, abi_Datatype type)
{
    if (p->shifted != type)
        universe.mpi->Type_free(&p->shifted);
}

/* Packs `count` elements, few enough for one call, to `bytes` bytes. */
static int pack_piece(const void *buf, int count, abi_Datatype type, void *to, int64_t bytes)
{
    place p;
    int position = 0, code = place_find(&p, buf, count, type);
    if (code)
        return code;
    code = universe.mpi->Pack(p.base, p.count, p.shifted, to, (int)bytes, &position, universe.comm->inside);
    place_free(&p, type);
    return code || position == bytes ? code : ABI_ERR_INTERN;
}

static int unpack_piece(const void *from, int64_t bytes, void *buf, int count, abi_Datatype type)
{
    place p;
    int position = 0, code = place_find(&p, buf, count, type);
    if (code)
        return code;
    code = universe.mpi->Unpack(from, (int)bytes, &position, p.base, p.count, p.shifted, universe.comm->inside);
    place_free(&p, type);
    return code;
}

/* Packs in the order of this machine. */
static int pack_plain(const void *buf, abi_Count count, abi_Datatype type, void *to, int64_t bytes)
{
    abi_Count size, extent;
    if (universe_type_is_bytes(type, &size)) {
        memcpy(to, buf, (size_t)bytes);
        return 0;
    }
    int code = extent_of(type, &extent);
    int64_t each = bytes / count;
    abi_Count most = elements_in_piece(count, each);
    for (abi_Count at = 0; !code && at < count; at += most) {
        abi_Count now = count - at < most ? count - at : most;
        code = pack_piece((const char *)buf + at * extent, (int)now, type, (char *)to + at * each, now * each);
    }
    return code;
}

int universe_pack(const void *buf, abi_Count count, abi_Datatype type, bool is_unlike, void *to, int64_t bytes)
{
    if (count == 0 || bytes == 0)
        return 0;
    int code = pack_plain(buf, count, type, to, bytes);
    return code || !is_unlike ? code : universe_values_turn(to, bytes, type);
}

/* Unpacks the first bytes of one element: the rest of it is packed from what is in buf now, and comes back as it was. */
static int unpack_part(const void *from, int64_t bytes, void *buf, abi_Datatype type, int64_t each)
{
    char *whole = malloc((size_t)each);
    if (!whole)
        return ABI_ERR_NO_MEM;
    int code = pack_plain(buf, 1, type, whole, each);
    memcpy(whole, from, (size_t)bytes);
    if (!code)
        code = unpack_piece(whole, each, buf, 1, type);
    free(whole);
    return code;
}

static int unpack_plain(const void *from, int64_t bytes, void *buf, abi_Count count, abi_Datatype type)
{
    abi_Count each, extent;
    if (universe_type_is_bytes(type, &each)) {
        memcpy(buf, from, (size_t)bytes);
        return 0;
    }
    int code = extent_of(type, &extent);
    if (code || each <= 0)
        return code;
    abi_Count whole = bytes / each < count ? bytes / each : count, most = elements_in_piece(whole, each);
    for (abi_Count at = 0; !code && at < whole; at += most) {
        abi_Count now = whole - at < most ? whole - at : most;
        code = unpack_piece((const char *)from + at * each, now * each, (char *)buf + at * extent, (int)now, type);
    }
    if (!code && whole < count && bytes > whole * each)
        code = unpack_part((const char *)from + whole * each, bytes - whole * each, (char *)buf + whole * extent, type, each);
    return code;
}

int universe_unpack(const void *from, int64_t bytes, void *buf, abi_Count count, abi_Datatype type, bool is_unlike)
{
    if (count == 0 || bytes == 0)
        return 0;
    if (!is_unlike)
        return unpack_plain(from, bytes, buf, count, type);
    void *turned = malloc((size_t)bytes);
    if (!turned)
        return ABI_ERR_NO_MEM;
    memcpy(turned, from, (size_t)bytes);
    int code = universe_values_turn(turned, bytes, type);
    if (!code)
        code = unpack_plain(turned, bytes, buf, count, type);
    free(turned);
    return code;
}
