/* SPDX-License-Identifier: BSD-3-Clause */
#include PIECE_HEADER

int piece_threads;

static void threads_learn(void)
{
    int provided = 0;
    if (inner->Query_thread(&provided) == 0)
        piece_threads = provided == inner_thread_multiple;
}

int OUTER(Init)(int *argc, char ***argv)
{
    int error = inner->Init(argc, argv);
    if (error == 0)
        threads_learn();
    return error_outer(error);
}
WEAK_NAME(Init)

int OUTER(Init_thread)(int *argc, char ***argv, int required, int *provided)
{
    int error = inner->Init_thread(argc, argv, thread_inner(required), provided);
    if (error == 0) {
        *provided = thread_outer(*provided);
        threads_learn();
    }
    return error_outer(error);
}
WEAK_NAME(Init_thread)

outer_Aint OUTER(Aint_add)(outer_Aint base, outer_Aint displacement)
{
    return (outer_Aint)((uintptr_t)base + (uintptr_t)displacement);
}
WEAK_NAME(Aint_add)

outer_Aint OUTER(Aint_diff)(outer_Aint a, outer_Aint b)
{
    return (outer_Aint)((uintptr_t)a - (uintptr_t)b);
}
WEAK_NAME(Aint_diff)

int OUTER(Info_get)(outer_Info info, const char *key, int length, char *value, int *flag)
{
    return error_outer(inner->Info_get(Info_inner(info), key, length > inner_MAX_INFO_VAL ? inner_MAX_INFO_VAL : length, value, flag));
}
WEAK_NAME(Info_get)
