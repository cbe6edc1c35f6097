/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles of MPICH, which are numbers of 32 bits: kind (2 bits), class (4 bits), and for predefined ones an index in the low byte. Created ones are
 * negative. Included by fronts and backs. */
#ifndef H3OU_MPI_ADAPTOR_INTEGER_H
#define H3OU_MPI_ADAPTOR_INTEGER_H

/* The hub's handle of a predefined one, by kind and class and by index. */
extern uint16_t predefined_hub[64][256] __attribute__((visibility("hidden")));

static inline intptr_t predefined_find(int own)
{
    intptr_t i = predefined_hub[(unsigned)own >> 26][(unsigned)own & 0xff];
    return i && own_of[i] == own ? i : 0;
}

/* MPI_MESSAGE_NULL is MPI_REQUEST_NULL in MPICH, so messages are not in the table. */
static inline void predefined_index(void)
{
    for (int i = Op_first; i < HUB_PREDEFINED; i++) {
        unsigned own = (unsigned)own_of[i];
        uint16_t *entry = &predefined_hub[own >> 26][own & 0xff];
        if (own_of[i] && !*entry && (i < Message_first || i > Message_last))
            *entry = (uint16_t)i;
    }
}

static inline intptr_t message_find(int own)
{
    return own == MPI_MESSAGE_NULL ? Message_first : own == MPI_MESSAGE_NO_PROC ? Message_last : 0;
}

/* A created handle in the hub: negative, so that it is no pointer. */
static inline intptr_t created_hub(int own)
{
    return (intptr_t)(0xffffffff00000000u | (unsigned)own);
}

#endif
