/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic processes: what counts only at the root may be anything elsewhere, and so may the numbers of error codes. */
#include PIECE_HEADER

static int is_root(outer_Comm comm, int root)
{
    int rank = -1;
    return inner->Comm_rank(Comm_inner(comm), &rank) == 0 && rank == root;
}

static void codes_convert(int *codes, inner_Comm children)
{
    int n = 0;
    if (codes && inner->Comm_remote_size(children, &n) == 0)
        for (int i = 0; i < n; i++)
            codes[i] = error_outer(codes[i]);
}

int OUTER(Comm_spawn)(const char *command, char *argv[], int most, outer_Info info, int root, outer_Comm comm, outer_Comm *children, int codes[])
{
    inner_Comm made = inner_Comm_none;
    inner_Info asked = Info_inner(is_root(comm, root) ? info : Info_outer_null);
    int error = inner->Comm_spawn(command, argv, most, asked, root, Comm_inner(comm), &made, codes);
    if (error == 0) {
        codes_convert(codes, made);
        *children = Comm_outer_new(made);
    }
    return error_outer(error);
}
WEAK_NAME(Comm_spawn)

int OUTER(Comm_spawn_multiple)(int count, char *commands[], char **argvs[], const int most[], const outer_Info infos[], int root,
                               outer_Comm comm, outer_Comm *children, int codes[])
{
    int n = is_root(comm, root) ? count : 0;
    inner_Comm made = inner_Comm_none;
    inner_Info *asked = SCRATCH(inner_Info, n);
    for (int i = 0; i < n; i++)
        asked[i] = Info_inner(infos[i]);
    int error = inner->Comm_spawn_multiple(count, commands, argvs, most, asked, root, Comm_inner(comm), &made, codes);
    if (error == 0) {
        codes_convert(codes, made);
        *children = Comm_outer_new(made);
    }
    SCRATCH_FREE(asked, n);
    return error_outer(error);
}
WEAK_NAME(Comm_spawn_multiple)
