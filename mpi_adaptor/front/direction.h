/* SPDX-License-Identifier: BSD-3-Clause */
/* A front: the outer MPI is the program's own, the inner one is the hub. Included by front/NAME.h after Comm_hub(), Comm_own() and so on. */
#ifndef H3OU_MPI_ADAPTOR_FRONT_DIRECTION_H
#define H3OU_MPI_ADAPTOR_FRONT_DIRECTION_H

#include "mpi_adaptor/piece/kept.h"

#define OUTER(name) PMPI_##name
#define WEAK_NAME(name) __typeof__(PMPI_##name) MPI_##name __attribute__((weak, alias("PMPI_" #name)));

extern const struct hub *hub __attribute__((visibility("hidden")));
#define inner hub

typedef MPI_Status outer_Status;
typedef abi_Status inner_Status;
typedef MPI_Aint outer_Aint;
typedef MPI_Count outer_Count;
typedef MPI_Offset outer_Offset;
#define outer_status_ignore MPI_STATUS_IGNORE
#define outer_statuses_ignore MPI_STATUSES_IGNORE
#define inner_status_ignore ((abi_Status *)0)
#define inner_statuses_ignore ((abi_Status *)0)
#define outer_lastcode MPI_ERR_LASTCODE
#define inner_lastcode ABI_LASTCODE
#define inner_thread_multiple ABI_THREAD_MULTIPLE

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
    typedef MPI_##C outer_##C;                                                                                                             \
    typedef abi_##C inner_##C;                                                                                                             \
    static const inner_##C inner_##C##_none __attribute__((unused)) = 0;                                                                   \
    static inline inner_##C C##_inner(outer_##C h) { return C##_hub(h); }                                                                  \
    static inline outer_##C C##_outer(inner_##C h) { return C##_own(h); }                                                                  \
    static inline outer_##C C##_outer_new(inner_##C h) { return C##_own_new(h); }                                                          \
    static inline outer_##C C##_outer_changed(outer_##C was, inner_##C h)                                                                  \
    {                                                                                                                                      \
        KEPT_##C(was);                                                                                                                     \
        return C##_own_changed(was, h);                                                                                                    \
    }
OWN_CLASSES(HANDLE_DIRECTION)
HANDLE_DIRECTION(T_pvar_handle)

#define NUMBER_DIRECTION(name, type)                                                                                                       \
    static inline type name##_inner(type n) { return name##_hub(n); }                                                                      \
    static inline type name##_outer(type n) { return name##_own(n); }

static inline void status_outer(MPI_Status *to, const abi_Status *from)
{
    status_own(to, from);
}

static inline void status_inner(abi_Status *to, const MPI_Status *from)
{
    status_hub(to, from);
}

static inline void status_count_outer(MPI_Status *to, const abi_Status *from)
{
    count_own(to, from);
}

static inline void status_count_inner(abi_Status *to, const MPI_Status *from)
{
    memset(to, 0, sizeof *to);
    count_hub(to, from);
}

static inline void *buffer_inner(const void *buffer)
{
    return buffer_hub(buffer);
}

static inline int *weights_inner(const int *weights)
{
    return weights == MPI_UNWEIGHTED ? ABI_UNWEIGHTED : weights == MPI_WEIGHTS_EMPTY ? ABI_WEIGHTS_EMPTY : (int *)(uintptr_t)weights;
}

static inline int result_is_in_status(int result)
{
    return result == ABI_ERR_IN_STATUS;
}

typedef MPI_User_function outer_User_function;
typedef abi_User_function inner_User_function;
typedef MPI_Comm_copy_attr_function outer_Comm_copy_attr_function;
typedef abi_Comm_copy_attr_function inner_Comm_copy_attr_function;
typedef MPI_Type_copy_attr_function outer_Type_copy_attr_function;
typedef abi_Type_copy_attr_function inner_Type_copy_attr_function;
typedef MPI_Win_copy_attr_function outer_Win_copy_attr_function;
typedef abi_Win_copy_attr_function inner_Win_copy_attr_function;
typedef MPI_Comm_delete_attr_function outer_Comm_delete_attr_function;
typedef abi_Comm_delete_attr_function inner_Comm_delete_attr_function;
typedef MPI_Type_delete_attr_function outer_Type_delete_attr_function;
typedef abi_Type_delete_attr_function inner_Type_delete_attr_function;
typedef MPI_Win_delete_attr_function outer_Win_delete_attr_function;
typedef abi_Win_delete_attr_function inner_Win_delete_attr_function;
typedef MPI_Comm_errhandler_function outer_Comm_errhandler_function;
typedef abi_Comm_errhandler_function inner_Comm_errhandler_function;
typedef MPI_Win_errhandler_function outer_Win_errhandler_function;
typedef abi_Win_errhandler_function inner_Win_errhandler_function;
typedef MPI_File_errhandler_function outer_File_errhandler_function;
typedef abi_File_errhandler_function inner_File_errhandler_function;
typedef MPI_Grequest_query_function outer_Grequest_query_function;
typedef abi_Grequest_query_function inner_Grequest_query_function;
typedef MPI_Grequest_free_function outer_Grequest_free_function;
typedef abi_Grequest_free_function inner_Grequest_free_function;
typedef MPI_Grequest_cancel_function outer_Grequest_cancel_function;
typedef abi_Grequest_cancel_function inner_Grequest_cancel_function;
typedef MPI_Datarep_extent_function outer_Datarep_extent_function;
typedef abi_Datarep_extent_function inner_Datarep_extent_function;
typedef MPI_Datarep_conversion_function outer_Datarep_conversion_function;
typedef abi_Datarep_conversion_function inner_Datarep_conversion_function;
typedef MPI_T_enum outer_T_enum;
typedef abi_T_enum inner_T_enum;
typedef MPI_T_cvar_handle outer_T_cvar_handle;
typedef abi_T_cvar_handle inner_T_cvar_handle;
typedef MPI_T_pvar_session outer_T_pvar_session;
typedef abi_T_pvar_session inner_T_pvar_session;
#ifdef HAS_LARGE_COUNTS
typedef MPI_User_function_c outer_User_function_c;
typedef abi_User_function_c inner_User_function_c;
typedef MPI_Datarep_conversion_function_c outer_Datarep_conversion_function_c;
typedef abi_Datarep_conversion_function_c inner_Datarep_conversion_function_c;
#endif
#ifdef HAS_SESSIONS
typedef MPI_Session_errhandler_function outer_Session_errhandler_function;
typedef abi_Session_errhandler_function inner_Session_errhandler_function;
#endif
typedef abi_Aint inner_Aint;
typedef abi_Count inner_Count;
typedef abi_Offset inner_Offset;

#define Info_outer_null MPI_INFO_NULL
#define keyval_to_hub(outer_number) keyval_hub(outer_number)
#define topology_of_hub(inner_topology) (inner_topology)
#define combiner_of_hub(inner_combiner) (inner_combiner)
#define binding_of_hub(inner_binding) (inner_binding)

#define SIZE_DIRECTION(name) outer_##name = own_##name, inner_##name = hub_##name,
enum { OWN_SIZES(SIZE_DIRECTION) };
OWN_NUMBERS(NUMBER_DIRECTION)

#endif
