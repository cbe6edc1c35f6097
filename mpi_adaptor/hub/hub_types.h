/* SPDX-License-Identifier: BSD-3-Clause */
/* The types of the MPI standard ABI (MPI-5.0), with the prefix abi_, so that they stand beside those of an mpi.h. */
#ifndef H3OU_MPI_ADAPTOR_HUB_TYPES_H
#define H3OU_MPI_ADAPTOR_HUB_TYPES_H

#include <stdint.h>

typedef intptr_t abi_Aint;
typedef int64_t abi_Offset;
typedef int64_t abi_Count;

typedef struct abi_comm *abi_Comm;
typedef struct abi_group *abi_Group;
typedef struct abi_win *abi_Win;
typedef struct abi_file *abi_File;
typedef struct abi_session *abi_Session;
typedef struct abi_message *abi_Message;
typedef struct abi_info *abi_Info;
typedef struct abi_errhandler *abi_Errhandler;
typedef struct abi_request *abi_Request;
typedef struct abi_op *abi_Op;
typedef struct abi_datatype *abi_Datatype;
typedef struct abi_pvar_handle *abi_T_pvar_handle;
typedef void *abi_T_enum;
typedef void *abi_T_cvar_handle;
typedef void *abi_T_pvar_session;

/* Predefined handles are numbers below this. */
enum { HUB_PREDEFINED = 0x300 };

/* Predefined error classes are at most this; other codes are above. */
enum { ABI_LASTCODE = 0x3fff };

/* What the ABI leaves to the implementation holds the count of bytes (low 32 bits; the others, shifted by one, with the bit
 * of cancelled), so that every front can keep it. */
typedef struct {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int MPI_internal[5];
} abi_Status;

typedef void(abi_User_function)(void *in, void *inout, int *length, abi_Datatype *datatype);
typedef void(abi_User_function_c)(void *in, void *inout, abi_Count *length, abi_Datatype *datatype);
typedef int(abi_Comm_copy_attr_function)(abi_Comm comm, int keyval, void *state, void *in, void *out, int *flag);
typedef int(abi_Type_copy_attr_function)(abi_Datatype type, int keyval, void *state, void *in, void *out, int *flag);
typedef int(abi_Win_copy_attr_function)(abi_Win win, int keyval, void *state, void *in, void *out, int *flag);
typedef int(abi_Comm_delete_attr_function)(abi_Comm comm, int keyval, void *value, void *state);
typedef int(abi_Type_delete_attr_function)(abi_Datatype type, int keyval, void *value, void *state);
typedef int(abi_Win_delete_attr_function)(abi_Win win, int keyval, void *value, void *state);
typedef void(abi_Comm_errhandler_function)(abi_Comm *comm, int *code, ...);
typedef void(abi_Win_errhandler_function)(abi_Win *win, int *code, ...);
typedef void(abi_File_errhandler_function)(abi_File *file, int *code, ...);
typedef void(abi_Session_errhandler_function)(abi_Session *session, int *code, ...);
typedef int(abi_Grequest_query_function)(void *state, abi_Status *status);
typedef int(abi_Grequest_free_function)(void *state);
typedef int(abi_Grequest_cancel_function)(void *state, int complete);
typedef int(abi_Datarep_extent_function)(abi_Datatype datatype, abi_Aint *extent, void *state);
typedef int(abi_Datarep_conversion_function)(void *user, abi_Datatype datatype, int count, void *file, abi_Offset position, void *state);
typedef int(abi_Datarep_conversion_function_c)(void *user, abi_Datatype datatype, abi_Count count, void *file, abi_Offset position,
                                               void *state);

#endif
