/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles that are pointers: predefined ones by the table, others are the hub's handles. Included by fronts and backs. */
#ifndef H3OU_MPI_ADAPTOR_POINTER_H
#define H3OU_MPI_ADAPTOR_POINTER_H

/* The own MPI's predefined handle for each of the hub, 0 where it has none. */
extern intptr_t own_of[HUB_PREDEFINED] __attribute__((visibility("hidden")));

/* Whether a handle of the hub is a number that passes: MPICH's are negative. Elsewhere a negative one is no handle, and becomes NULL, which MPI
 * refuses. */
#ifndef POINTER_IS_NUMBER
#define POINTER_IS_NUMBER(at) 0
#endif

#define POINTER_OWN(C)                                                                                                                     \
    static inline MPI_##C C##_own(abi_##C h)                                                                                               \
    {                                                                                                                                      \
        intptr_t at = (intptr_t)h;                                                                                                         \
        return (MPI_##C)(at >= HUB_PREDEFINED || POINTER_IS_NUMBER(at) ? at : at < 0 ? 0 : own_of[at]);                                    \
    }

#define POINTER_HUB(C)                                                                                                                     \
    static inline abi_##C C##_hub(MPI_##C h)                                                                                               \
    {                                                                                                                                      \
        for (intptr_t i = C##_first; i <= C##_last; i++)                                                                                   \
            if (own_of[i] == (intptr_t)h && (h || i == C##_first))                                                                         \
                return (abi_##C)i;                                                                                                         \
        return (abi_##C)h;                                                                                                                 \
    }

#define POINTER_NEW(C)                                                                                                                     \
    static inline MPI_##C C##_own_new(abi_##C h) { return C##_own(h); }                                                                    \
    static inline MPI_##C C##_own_changed(MPI_##C was, abi_##C h)                                                                          \
    {                                                                                                                                      \
        (void)was;                                                                                                                         \
        return C##_own(h);                                                                                                                 \
    }

/* A front's files: when one is closed its INTEGER of Fortran is free. */
#define FILE_NEW                                                                                                                           \
    static inline MPI_File File_own_new(abi_File h)                                                                                        \
    {                                                                                                                                      \
        return File_own(h);                                                                                                                \
    }                                                                                                                                      \
    static inline MPI_File File_own_changed(MPI_File was, abi_File h)                                                                      \
    {                                                                                                                                      \
        number_forget(&numbers[NUMBER_File], (intptr_t)was);                                                                               \
        return File_own(h);                                                                                                                \
    }

#endif
