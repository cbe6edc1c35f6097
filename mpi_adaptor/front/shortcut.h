/* SPDX-License-Identifier: BSD-3-Clause */
/* From the program's MPI to the real one in one step, and back. Included by front/NAME.h, which has Comm_real() and so on: they return 0 where a handle
 * goes by the hub. */
#ifndef H3OU_MPI_ADAPTOR_FRONT_SHORTCUT_H
#define H3OU_MPI_ADAPTOR_FRONT_SHORTCUT_H

#include <string.h>

#include "mpi_adaptor/hub/shortcut.h"
#include "mpi_adaptor/piece/kept.h"

extern struct shortcut shortcut __attribute__((visibility("hidden")));

/* Whether the real MPI's handles are ints. A front whose shortcuts serve one kind only defines it as a constant. */
#ifndef SHORTCUT_IS_NUMBER
#define SHORTCUT_IS_NUMBER shortcut.is_number
#endif
#define SHORTCUT_INLINE static inline __attribute__((always_inline))

/* Arrays up to this length. */
enum { SHORTCUT_ARRAY = 64 };

/* The program's ranks and tags from -1 down to SHORTCUT_LEAST and what they are in the real MPI. */
enum { SHORTCUT_LEAST = -15 };
extern int shortcut_ranks[1 - SHORTCUT_LEAST] __attribute__((visibility("hidden")));
extern int shortcut_tags[1 - SHORTCUT_LEAST] __attribute__((visibility("hidden")));
extern intptr_t shortcut_request_null __attribute__((visibility("hidden")));

/* Copies what the chosen back has, if there is no layer before it, and fills the tables. */
void shortcut_take(void);
int error_of_real(int result) __attribute__((cold));

#define SHORTCUT_NUMBER(name)                                                                                                              \
    SHORTCUT_INLINE int name##_real(int own, int *real)                                                                                    \
    {                                                                                                                                      \
        *real = own;                                                                                                                       \
        if (own < 0)                                                                                                                       \
            *real = shortcut_##name##s[own < SHORTCUT_LEAST ? 0 : -own];                                                                   \
        return own >= SHORTCUT_LEAST;                                                                                                      \
    }
SHORTCUT_NUMBER(rank)
SHORTCUT_NUMBER(tag)

SHORTCUT_INLINE int error_shortcut(int result)
{
    return __builtin_expect(result == 0, 1) ? 0 : error_of_real(result);
}

/* Whether the completion of a request may have to free memory. */
SHORTCUT_INLINE int shortcut_kept(void)
{
    return __builtin_expect(kept_count > 0 || *shortcut.kept_count > 0, 0);
}

/* Handles in memory of which the real MPI reads and writes ints or pointers. */
SHORTCUT_INLINE void handle_put(intptr_t *handles, int i, intptr_t real)
{
    int number = (int)real;
    if (SHORTCUT_IS_NUMBER)
        memcpy((char *)handles + (size_t)i * sizeof number, &number, sizeof number);
    else
        handles[i] = real;
}

SHORTCUT_INLINE intptr_t handle_get(const intptr_t *handles, int i)
{
    int number;
    if (!SHORTCUT_IS_NUMBER)
        return handles[i];
    memcpy(&number, (const char *)handles + (size_t)i * sizeof number, sizeof number);
    return number;
}

/* A handle as handle_get() returns it. */
SHORTCUT_INLINE intptr_t handle_cut(intptr_t real)
{
    return SHORTCUT_IS_NUMBER ? (int)real : real;
}

#endif
