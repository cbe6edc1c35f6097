/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of the tools interface may be bound to an object, whose kind the variable's description says. */
#include PIECE_HEADER

union object {
    inner_Comm comm;
    inner_Datatype datatype;
    inner_Errhandler errhandler;
    inner_File file;
    inner_Group group;
    inner_Op op;
    inner_Request request;
    inner_Win win;
    inner_Message message;
    inner_Info info;
};

/* Where the inner MPI finds the object: in `to`, NULL when the variable is bound to none. */
static void *object_inner(void *object, int binding, union object *to)
{
    switch (object ? binding_of_hub(binding) : ABI_T_BIND_NO_OBJECT) {
    case ABI_T_BIND_MPI_COMM: to->comm = Comm_inner(*(outer_Comm *)object); return &to->comm;
    case ABI_T_BIND_MPI_DATATYPE: to->datatype = Datatype_inner(*(outer_Datatype *)object); return &to->datatype;
    case ABI_T_BIND_MPI_ERRHANDLER: to->errhandler = Errhandler_inner(*(outer_Errhandler *)object); return &to->errhandler;
    case ABI_T_BIND_MPI_FILE: to->file = File_inner(*(outer_File *)object); return &to->file;
    case ABI_T_BIND_MPI_GROUP: to->group = Group_inner(*(outer_Group *)object); return &to->group;
    case ABI_T_BIND_MPI_OP: to->op = Op_inner(*(outer_Op *)object); return &to->op;
    case ABI_T_BIND_MPI_REQUEST: to->request = Request_inner(*(outer_Request *)object); return &to->request;
    case ABI_T_BIND_MPI_WIN: to->win = Win_inner(*(outer_Win *)object); return &to->win;
    case ABI_T_BIND_MPI_MESSAGE: to->message = Message_inner(*(outer_Message *)object); return &to->message;
    case ABI_T_BIND_MPI_INFO: to->info = Info_inner(*(outer_Info *)object); return &to->info;
    default: return NULL;
    }
}

int OUTER(T_cvar_handle_alloc)(int number, void *object, outer_T_cvar_handle *handle, int *count)
{
    union object bound;
    int binding = 0, unused = 0, zero[2] = {0, 0}, verbosity = 0;
    inner_Datatype type = inner_Datatype_none;
    inner_T_enum kind;
    int error = inner->T_cvar_get_info(number, NULL, &zero[0], &verbosity, &type, &kind, NULL, &zero[1], &binding, &unused);
    if (error == 0)
        error = inner->T_cvar_handle_alloc(number, object_inner(object, binding, &bound), (void *)handle, count);
    return error_outer(error);
}
WEAK_NAME(T_cvar_handle_alloc)

int OUTER(T_pvar_handle_alloc)(outer_T_pvar_session session, int number, void *object, outer_T_pvar_handle *handle, int *count)
{
    union object bound;
    int binding = 0, unused[6] = {0}, zero[2] = {0, 0};
    inner_Datatype type = inner_Datatype_none;
    inner_T_pvar_handle made = inner_T_pvar_handle_none;
    inner_T_enum kind;
    int error = inner->T_pvar_get_info(number, NULL, &zero[0], &unused[0], &unused[1], &type, &kind, NULL, &zero[1], &binding, &unused[2],
                                       &unused[3], &unused[4]);
    if (error == 0)
        error = inner->T_pvar_handle_alloc((void *)session, number, object_inner(object, binding, &bound), &made, count);
    if (error == 0)
        *handle = T_pvar_handle_outer_new(made);
    return error_outer(error);
}
WEAK_NAME(T_pvar_handle_alloc)
