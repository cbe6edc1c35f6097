/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the job's MPI that take a group or return one. */
#include "universe/communicator/process_group.h"
#include "universe/communicator/making.h"
#include "universe/world/handlers.h"
#include "universe/world/layer.h"

static const char elsewhere[] = "the group has processes of other jobs";

/* Sets *inner to the group for the job's MPI; *is_made: the caller frees it. Returns a code after the error handler of the world. */
static int convert(abi_Group group, const char *function, abi_Group *inner, bool *is_made)
{
    const universe_group *g = universe_group_of(group);
    *inner = group;
    *is_made = g && (intptr_t)group != ABI_GROUP_EMPTY;
    if (!*is_made)
        return 0;
    if (!universe_group_is_here(g))
        return universe_refuse(NULL, function, elsewhere);
    return universe_group_inner(g, inner);
}

/* Calls the job's MPI with its own group in the place of `group`. */
#define WITH_INNER(group, NAME, ...)                                                                                                       \
    abi_Group inner;                                                                                                                       \
    bool is_made;                                                                                                                          \
    int code = convert(group, "MPI_" #NAME, &inner, &is_made);                                                                             \
    if (code)                                                                                                                              \
        return code;                                                                                                                       \
    code = universe.mpi->NAME(__VA_ARGS__);                                                                                                \
    if (is_made)                                                                                                                           \
        universe.mpi->Group_free(&inner);                                                                                                  \
    return code

int universe_Win_post(abi_Group group, int assert, abi_Win win)
{
    WITH_INNER(group, Win_post, inner, assert, win);
}

int universe_Win_start(abi_Group group, int assert, abi_Win win)
{
    WITH_INNER(group, Win_start, inner, assert, win);
}

/* Whether a function that makes a communicator of groups is refused, with the error handler that it is given. Else *code is 0. */
static bool is_refused(abi_Group group, abi_Errhandler handler, const char *function, int *code)
{
    const universe_group *g = universe_group_of(group);
    *code = 0;
    if (!g || universe_group_is_here(g))
        return false;
    const universe_handler *own = universe_handler_find(handler);
    *code = ABI_ERR_UNSUPPORTED_OPERATION;
    if (own) {
        abi_Comm none = (abi_Comm)ABI_COMM_NULL;
        int given = *code;
        own->function(&none, &given);
    } else if ((intptr_t)handler != ABI_ERRORS_RETURN) {
        universe_refuse(NULL, function, elsewhere);
    }
    return true;
}

int universe_Comm_create_from_group(abi_Group group, const char *stringtag, abi_Info info, abi_Errhandler errhandler, abi_Comm *newcomm)
{
    int refused;
    if (is_refused(group, errhandler, "MPI_Comm_create_from_group", &refused))
        return refused;
    WITH_INNER(group, Comm_create_from_group, inner, stringtag, info, errhandler, newcomm);
}

int universe_comm_create_inner(abi_Comm comm, abi_Group group, abi_Comm *newcomm)
{
    WITH_INNER(group, Comm_create, comm, inner, newcomm);
}

int universe_comm_create_group_inner(abi_Comm comm, abi_Group group, int tag, abi_Comm *newcomm)
{
    WITH_INNER(group, Comm_create_group, comm, inner, tag, newcomm);
}

int universe_Intercomm_create_from_groups(abi_Group local_group, int local_leader, abi_Group remote_group, int remote_leader, const char *stringtag,
                                          abi_Info info, abi_Errhandler errhandler, abi_Comm *newintercomm)
{
    const char *function = "MPI_Intercomm_create_from_groups";
    abi_Group local, remote;
    bool is_local_made, is_remote_made = false;
    int code;
    if (is_refused(local_group, errhandler, function, &code) || is_refused(remote_group, errhandler, function, &code))
        return code;
    code = convert(local_group, function, &local, &is_local_made);
    if (code)
        return code;
    code = convert(remote_group, function, &remote, &is_remote_made);
    if (!code)
        code = universe.mpi->Intercomm_create_from_groups(local, local_leader, remote, remote_leader, stringtag, info, errhandler, newintercomm);
    if (is_local_made)
        universe.mpi->Group_free(&local);
    if (is_remote_made && !code)
        universe.mpi->Group_free(&remote);
    return code;
}

int universe_Win_get_group(abi_Win win, abi_Group *group)
{
    int code = universe.mpi->Win_get_group(win, group);
    return code ? code : universe_group_adopt(group);
}

/* MPICH's files are of ROMIO, which calls PMPI_Comm_group: where the front stands beside that library, it is the front's, and what it returned is
 * a number of the front already. MPICH's own created handles have the highest bit. */
static bool is_of_front(abi_Group group)
{
    return (intptr_t)group < 0 && (int32_t)(intptr_t)group > 0;
}

int universe_File_get_group(abi_File fh, abi_Group *group)
{
    int code = universe.mpi->File_get_group(fh, group);
    return code || is_of_front(*group) ? code : universe_group_adopt(group);
}

int universe_Group_from_session_pset(abi_Session session, const char *pset_name, abi_Group *newgroup)
{
    int code = universe.mpi->Group_from_session_pset(session, pset_name, newgroup);
    return code ? code : universe_group_adopt(newgroup);
}
