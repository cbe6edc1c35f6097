/* SPDX-License-Identifier: BSD-3-Clause */
/* A back: the outer MPI is the hub, the inner one the real MPI. Included by back/NAME.h after Comm_hub(), Comm_own() and so on. */
#ifndef H3OU_MPI_ADAPTOR_BACK_DIRECTION_H
#define H3OU_MPI_ADAPTOR_BACK_DIRECTION_H

#include "mpi_adaptor/piece/kept.h"

#define OUTER(name) outer_##name
#define WEAK_NAME(name)

extern struct real real __attribute__((visibility("hidden")));
extern struct shortcut back_shortcut __attribute__((visibility("hidden")));
#define inner (&real)

typedef abi_Status outer_Status;
typedef MPI_Status inner_Status;
typedef abi_Aint outer_Aint;
typedef abi_Count outer_Count;
typedef abi_Offset outer_Offset;
#define outer_status_ignore ((abi_Status *)0)
#define outer_statuses_ignore ((abi_Status *)0)
#define inner_status_ignore MPI_STATUS_IGNORE
#define inner_statuses_ignore MPI_STATUSES_IGNORE
#define outer_lastcode ABI_LASTCODE
#define inner_lastcode MPI_ERR_LASTCODE
#define inner_thread_multiple MPI_THREAD_MULTIPLE

/* A request that changes has completed. */
#define KEPT_Request(was)                                                                                                                  \
    if (kept_count > 0)                                                                                                                    \
        kept_release((intptr_t)(was))
#define KEPT_Comm(was)
#define KEPT_Group(was)
#define KEPT_Win(was)
#define KEPT_File(was)
#define KEPT_Session(was)
#define KEPT_Message(was)
#define KEPT_Info(was)
#define KEPT_Errhandler(was)
#define KEPT_Op(was)
#define KEPT_Datatype(was)
#define KEPT_T_pvar_handle(was)

#define HANDLE_DIRECTION(C)                                                                                                                \
    typedef abi_##C outer_##C;                                                                                                             \
    typedef MPI_##C inner_##C;                                                                                                             \
    static const inner_##C inner_##C##_none __attribute__((unused)) = 0;                                                                   \
    static inline inner_##C C##_inner(outer_##C h) { return C##_own(h); }                                                                  \
    static inline outer_##C C##_outer(inner_##C h) { return C##_hub(h); }                                                                  \
    static inline outer_##C C##_outer_new(inner_##C h) { return C##_hub(h); }                                                              \
    static inline outer_##C C##_outer_changed(outer_##C was, inner_##C h)                                                                  \
    {                                                                                                                                      \
        (void)was;                                                                                                                         \
        KEPT_##C(was);                                                                                                                     \
        return C##_hub(h);                                                                                                                 \
    }
OWN_CLASSES(HANDLE_DIRECTION)
HANDLE_DIRECTION(T_pvar_handle)

#define NUMBER_DIRECTION(name, type)                                                                                                       \
    static inline type name##_inner(type n) { return name##_own(n); }                                                                      \
    static inline type name##_outer(type n) { return name##_hub(n); }

static inline void status_outer(abi_Status *to, const MPI_Status *from)
{
    status_hub(to, from);
}

static inline void status_inner(MPI_Status *to, const abi_Status *from)
{
    status_own(to, from);
}

static inline void status_count_outer(abi_Status *to, const MPI_Status *from)
{
    count_hub(to, from);
}

static inline void status_count_inner(MPI_Status *to, const abi_Status *from)
{
    memset(to, 0, sizeof *to);
    count_own(to, from);
}

static inline void *buffer_inner(const void *buffer)
{
    return buffer_own(buffer);
}

static inline int *weights_inner(const int *weights)
{
    return weights == ABI_UNWEIGHTED ? own_unweighted : weights == ABI_WEIGHTS_EMPTY ? own_weights_empty : (int *)(uintptr_t)weights;
}

static inline int result_is_in_status(int result)
{
    return result != 0 && error_hub(result) == ABI_ERR_IN_STATUS;
}

typedef abi_User_function outer_User_function;
typedef MPI_User_function inner_User_function;
typedef abi_Comm_copy_attr_function outer_Comm_copy_attr_function;
typedef MPI_Comm_copy_attr_function inner_Comm_copy_attr_function;
typedef abi_Type_copy_attr_function outer_Type_copy_attr_function;
typedef MPI_Type_copy_attr_function inner_Type_copy_attr_function;
typedef abi_Win_copy_attr_function outer_Win_copy_attr_function;
typedef MPI_Win_copy_attr_function inner_Win_copy_attr_function;
typedef abi_Comm_delete_attr_function outer_Comm_delete_attr_function;
typedef MPI_Comm_delete_attr_function inner_Comm_delete_attr_function;
typedef abi_Type_delete_attr_function outer_Type_delete_attr_function;
typedef MPI_Type_delete_attr_function inner_Type_delete_attr_function;
typedef abi_Win_delete_attr_function outer_Win_delete_attr_function;
typedef MPI_Win_delete_attr_function inner_Win_delete_attr_function;
typedef abi_Comm_errhandler_function outer_Comm_errhandler_function;
typedef MPI_Comm_errhandler_function inner_Comm_errhandler_function;
typedef abi_Win_errhandler_function outer_Win_errhandler_function;
typedef MPI_Win_errhandler_function inner_Win_errhandler_function;
typedef abi_File_errhandler_function outer_File_errhandler_function;
typedef MPI_File_errhandler_function inner_File_errhandler_function;
typedef abi_Grequest_query_function outer_Grequest_query_function;
typedef MPI_Grequest_query_function inner_Grequest_query_function;
typedef abi_Grequest_free_function outer_Grequest_free_function;
typedef MPI_Grequest_free_function inner_Grequest_free_function;
typedef abi_Grequest_cancel_function outer_Grequest_cancel_function;
typedef MPI_Grequest_cancel_function inner_Grequest_cancel_function;
typedef abi_Datarep_extent_function outer_Datarep_extent_function;
typedef MPI_Datarep_extent_function inner_Datarep_extent_function;
typedef abi_Datarep_conversion_function outer_Datarep_conversion_function;
typedef MPI_Datarep_conversion_function inner_Datarep_conversion_function;
typedef abi_T_enum outer_T_enum;
typedef MPI_T_enum inner_T_enum;
typedef abi_T_cvar_handle outer_T_cvar_handle;
typedef MPI_T_cvar_handle inner_T_cvar_handle;
typedef abi_T_pvar_session outer_T_pvar_session;
typedef MPI_T_pvar_session inner_T_pvar_session;
#ifdef HAS_LARGE_COUNTS
typedef abi_User_function_c outer_User_function_c;
typedef MPI_User_function_c inner_User_function_c;
typedef abi_Datarep_conversion_function_c outer_Datarep_conversion_function_c;
typedef MPI_Datarep_conversion_function_c inner_Datarep_conversion_function_c;
#endif
#ifdef HAS_SESSIONS
typedef abi_Session_errhandler_function outer_Session_errhandler_function;
typedef MPI_Session_errhandler_function inner_Session_errhandler_function;
#endif
typedef MPI_Aint inner_Aint;
typedef MPI_Count inner_Count;
typedef MPI_Offset inner_Offset;

#define Info_outer_null ((abi_Info)ABI_INFO_NULL)
#define keyval_to_hub(outer_number) (outer_number)
#define topology_of_hub(inner_topology) topology_hub(inner_topology)
#define combiner_of_hub(inner_combiner) combiner_hub(inner_combiner)
#define binding_of_hub(inner_binding) binding_hub(inner_binding)

/* The hub's names of what copies and deletes attributes in the usual ways. */
#define outer_null_copy(kind) ((void *)0)
#define outer_dup(kind) ((void *)1)
#define outer_null_delete(kind) ((void *)0)

#define SIZE_DIRECTION(name) outer_##name = hub_##name, inner_##name = own_##name,
enum { OWN_SIZES(SIZE_DIRECTION) };
OWN_NUMBERS(NUMBER_DIRECTION)

#endif
