/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What schedules work on: a buffer of the program as bytes, in pieces, one for each member. Where the values of its types stand in memory as they
 * travel, the image is the program's memory itself; else it is a copy, in which the pieces stand one behind the other, each packed: as
 * with the most significant byte first if the communicator has jobs of different byte orders, so that every process of the call sees the same bytes.
 */
#ifndef H3OU_UNIVERSE_COLLECTIVE_PACKED_IMAGE_H
#define H3OU_UNIVERSE_COLLECTIVE_PACKED_IMAGE_H

#include "universe/collective/collective_arguments.h"

typedef struct universe_piece {
    char *values; /* in the program's memory */
    abi_Count count;
    abi_Datatype type;
} universe_piece;

typedef struct universe_image {
    char *bytes;
    bool is_copy, is_external;
    int n;
    universe_piece *piece;  /* [n] */
    int64_t *length, *at;   /* [n] bytes, and where they begin */
    int64_t total;          /* bytes of all pieces */
} universe_image;

enum universe_image_manner {
    UNIVERSE_IMAGE_ANYWHERE,  /* the pieces may stand anywhere in the program's memory */
    UNIVERSE_IMAGE_TOGETHER,  /* one behind the other */
    UNIVERSE_IMAGE_COPIED     /* always a copy */
};

#pragma GCC visibility push(hidden)
/* Opens the image of n pieces of a side; order: which of them come first, NULL: as they are numbered. Returns an error of memory or of
 * the job's MPI. The side is borrowed during the call. */
int universe_image_open(const universe_side *side, int n, const int order[], bool is_external, enum universe_image_manner manner, universe_image *out);
/* Packs piece i, or all; unpacks it. No effect if the image is the program's memory. */
int universe_image_pack(universe_image *m, int i);
int universe_image_pack_all(universe_image *m);
int universe_image_unpack_all(universe_image *m);
void universe_image_close(universe_image *m);
#pragma GCC visibility pop

#endif
