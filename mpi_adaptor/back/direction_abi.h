/* SPDX-License-Identifier: BSD-3-Clause */
/* Where both the outer and the inner MPI have the types and values of the hub: what mpi_adaptor/piece and the generated
 * functions ask for converts nothing. */
#ifndef H3OU_MPI_ADAPTOR_BACK_DIRECTION_ABI_H
#define H3OU_MPI_ADAPTOR_BACK_DIRECTION_ABI_H

#define OUTER(name) outer_##name
#define WEAK_NAME(name)

extern struct real real __attribute__((visibility("hidden")));
#define inner (&real)

#define outer_lastcode          ABI_LASTCODE
#define inner_lastcode          ABI_LASTCODE
#define inner_thread_multiple   ABI_THREAD_MULTIPLE
#define Info_outer_null         ((abi_Info)ABI_INFO_NULL)
#define outer_null_copy(kind)   ((void *)0)
#define outer_dup(kind)         ((void *)1)
#define outer_null_delete(kind) ((void *)0)
enum { inner_MAX_INFO_VAL = hub_MAX_INFO_VAL };

#define SAME_TYPE(name)                                                                                                \
    typedef abi_##name outer_##name;                                                                                   \
    typedef abi_##name inner_##name;
#define SAME_HANDLE(C)                                                                                                 \
    SAME_TYPE(C)                                                                                                       \
    static const abi_##C inner_##C##_none __attribute__((unused)) = 0;                                                 \
    static inline abi_##C C##_inner(abi_##C h)                                                                         \
    {                                                                                                                  \
        return h;                                                                                                      \
    }                                                                                                                  \
    static inline abi_##C C##_outer(abi_##C h)                                                                         \
    {                                                                                                                  \
        return h;                                                                                                      \
    }                                                                                                                  \
    static inline abi_##C C##_outer_new(abi_##C h)                                                                     \
    {                                                                                                                  \
        return h;                                                                                                      \
    }
#define SAME_NUMBER(name)                                                                                              \
    static inline int name##_inner(int n)                                                                              \
    {                                                                                                                  \
        return n;                                                                                                      \
    }                                                                                                                  \
    static inline int name##_outer(int n)                                                                              \
    {                                                                                                                  \
        return n;                                                                                                      \
    }

SAME_HANDLE(Comm)
SAME_HANDLE(Group)
SAME_HANDLE(Win)
SAME_HANDLE(File)
SAME_HANDLE(Session)
SAME_HANDLE(Message)
SAME_HANDLE(Info)
SAME_HANDLE(Errhandler)
SAME_HANDLE(Request)
SAME_HANDLE(Op)
SAME_HANDLE(Datatype)
SAME_HANDLE(T_pvar_handle)
SAME_TYPE(T_enum)
SAME_TYPE(T_cvar_handle)
SAME_TYPE(T_pvar_session)
SAME_TYPE(Status)
SAME_TYPE(Aint)
SAME_TYPE(Count)
SAME_TYPE(Offset)

SAME_NUMBER(thread)
SAME_NUMBER(rank)
SAME_NUMBER(keyval)
SAME_NUMBER(flavor)
SAME_NUMBER(model)
SAME_NUMBER(order)
SAME_NUMBER(distribution)
SAME_NUMBER(distribution_argument)
#define keyval_to_hub(outer_number)     (outer_number)
#define combiner_of_hub(inner_combiner) (inner_combiner)
#define binding_of_hub(inner_binding)   (inner_binding)

SAME_TYPE(User_function)
SAME_TYPE(User_function_c)
SAME_TYPE(Comm_copy_attr_function)
SAME_TYPE(Type_copy_attr_function)
SAME_TYPE(Win_copy_attr_function)
SAME_TYPE(Comm_delete_attr_function)
SAME_TYPE(Type_delete_attr_function)
SAME_TYPE(Win_delete_attr_function)
SAME_TYPE(Comm_errhandler_function)
SAME_TYPE(Win_errhandler_function)
SAME_TYPE(File_errhandler_function)
SAME_TYPE(Session_errhandler_function)
SAME_TYPE(Grequest_query_function)
SAME_TYPE(Grequest_free_function)
SAME_TYPE(Grequest_cancel_function)
SAME_TYPE(Datarep_extent_function)
SAME_TYPE(Datarep_conversion_function)
SAME_TYPE(Datarep_conversion_function_c)

static inline int result_is_in_status(int result)
{
    return result != 0 && error_outer(result) == ABI_ERR_IN_STATUS;
}

/* A status that a call has written, or has not because it failed. */
static inline void status_finish(abi_Status *status, int result)
{
    if (!status)
        return;
    if (result == 0 || error_outer(result) == ABI_ERR_TRUNCATE)
        status_outer(status, status);
    else
        memset(status->MPI_internal, 0, sizeof status->MPI_internal);
}

#endif
