/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran bindings that no table describes: addresses that are returned, texts in arrays, functions that return values. */
#include "fortran_call.h"

#include <stdint.h>
#include <string.h>

/* As large as the largest of the programs' common blocks of these names. */
int mpi_fortran_bottom_, mpi_fortran_in_place_, mpi_fortran_unweighted_, mpi_fortran_weights_empty_, mpi_fortran_errcodes_ignore_;
int mpi_fortran_status_ignore_[sizeof(MPI_Status) / sizeof(int)], mpi_fortran_statuses_ignore_[sizeof(MPI_Status) / sizeof(int)];
char mpi_fortran_argv_null_, mpi_fortran_argvs_null_;

char *text_to_c(const char *text, int length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    char *copy = malloc((size_t)length + 1);
    if (copy) {
        memcpy(copy, text, (size_t)length);
        copy[length] = 0;
    }
    return copy;
}

void text_to_fortran(const char *text, char *to, int length)
{
    size_t n = strlen(text), room = length > 0 ? (size_t)length : 0;
    memset(to, ' ', room);
    memcpy(to, text, n < room ? n : room);
}

int peers(MPI_Fint comm)
{
    int is_inter = 0, n = 0;
    MPI_Comm c = PMPI_Comm_f2c(comm);
    PMPI_Comm_test_inter(c, &is_inter);
    if (is_inter)
        PMPI_Comm_remote_size(c, &n);
    else
        PMPI_Comm_size(c, &n);
    return n;
}

int neighbours(MPI_Fint comm, int is_receiving)
{
    int kind = MPI_UNDEFINED, in = 0, out = 0, weighted = 0, rank = 0;
    MPI_Comm c = PMPI_Comm_f2c(comm);
    PMPI_Topo_test(c, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(c, &in);
        in *= 2;
    } else if (kind == MPI_GRAPH) {
        PMPI_Comm_rank(c, &rank);
        PMPI_Graph_neighbors_count(c, rank, &in);
    } else if (kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(c, &in, &out, &weighted);
        return is_receiving ? in : out;
    }
    return in;
}

int is_in_status(int err)
{
    int class = MPI_SUCCESS;
    return PMPI_Error_class(err, &class) == MPI_SUCCESS && class == MPI_ERR_IN_STATUS;
}

H3OU_NAMES(init, INIT, Init)
void pmpi_init_(MPI_Fint *ierr)
{
    finish(ierr, PMPI_Init(NULL, NULL));
}

H3OU_NAMES(init_thread, INIT_THREAD, Init_thread)
void pmpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierr)
{
    finish(ierr, PMPI_Init_thread(NULL, NULL, *required, provided));
}

H3OU_NAMES(pcontrol, PCONTROL, Pcontrol)
void pmpi_pcontrol_(MPI_Fint *level)
{
    PMPI_Pcontrol(*level);
}

H3OU_NAMES(wtime, WTIME, Wtime)
double pmpi_wtime_(void)
{
    return PMPI_Wtime();
}

H3OU_NAMES(wtick, WTICK, Wtick)
double pmpi_wtick_(void)
{
    return PMPI_Wtick();
}

H3OU_NAMES(aint_add, AINT_ADD, Aint_add)
MPI_Aint pmpi_aint_add_(MPI_Aint *base, MPI_Aint *distance)
{
    return *base + *distance;
}

H3OU_NAMES(aint_diff, AINT_DIFF, Aint_diff)
MPI_Aint pmpi_aint_diff_(MPI_Aint *a, MPI_Aint *b)
{
    return *a - *b;
}

H3OU_NAMES(get_address, GET_ADDRESS, Get_address)
void pmpi_get_address_(void *location, MPI_Aint *address, MPI_Fint *ierr)
{
    finish(ierr, PMPI_Get_address(buffer_of(location), address));
}

H3OU_NAMES(alloc_mem, ALLOC_MEM, Alloc_mem)
void pmpi_alloc_mem_(MPI_Aint *size, MPI_Fint *info, void *base, MPI_Fint *ierr)
{
    finish(ierr, PMPI_Alloc_mem(*size, PMPI_Info_f2c(*info), base));
}
H3OU_ALIAS(mpi_alloc_mem_cptr_, pmpi_alloc_mem_)
H3OU_ALIAS(ompi_alloc_mem_cptr_f, pmpi_alloc_mem_)

H3OU_NAMES(free_mem, FREE_MEM, Free_mem)
void pmpi_free_mem_(void *base, MPI_Fint *ierr)
{
    finish(ierr, PMPI_Free_mem(base));
}

static void give_window(MPI_Win win, MPI_Fint *to, int err, MPI_Fint *ierr)
{
    if (!err)
        *to = PMPI_Win_c2f(win);
    finish(ierr, err);
}

H3OU_NAMES(win_allocate, WIN_ALLOCATE, Win_allocate)
void pmpi_win_allocate_(MPI_Aint *size, MPI_Fint *unit, MPI_Fint *info, MPI_Fint *comm, void *base, MPI_Fint *win, MPI_Fint *ierr)
{
    MPI_Win made = MPI_WIN_NULL;
    int err = PMPI_Win_allocate(*size, *unit, PMPI_Info_f2c(*info), PMPI_Comm_f2c(*comm), base, &made);
    give_window(made, win, err, ierr);
}
H3OU_ALIAS(mpi_win_allocate_cptr_, pmpi_win_allocate_)
H3OU_ALIAS(ompi_win_allocate_cptr_f, pmpi_win_allocate_)

H3OU_NAMES(win_allocate_shared, WIN_ALLOCATE_SHARED, Win_allocate_shared)
void pmpi_win_allocate_shared_(MPI_Aint *size, MPI_Fint *unit, MPI_Fint *info, MPI_Fint *comm, void *base, MPI_Fint *win, MPI_Fint *ierr)
{
    MPI_Win made = MPI_WIN_NULL;
    int err = PMPI_Win_allocate_shared(*size, *unit, PMPI_Info_f2c(*info), PMPI_Comm_f2c(*comm), base, &made);
    give_window(made, win, err, ierr);
}
H3OU_ALIAS(mpi_win_allocate_shared_cptr_, pmpi_win_allocate_shared_)
H3OU_ALIAS(ompi_win_allocate_shared_cptr_f, pmpi_win_allocate_shared_)

H3OU_NAMES(win_shared_query, WIN_SHARED_QUERY, Win_shared_query)
void pmpi_win_shared_query_(MPI_Fint *win, MPI_Fint *rank, MPI_Aint *size, MPI_Fint *unit, void *base, MPI_Fint *ierr)
{
    finish(ierr, PMPI_Win_shared_query(PMPI_Win_f2c(*win), *rank, size, unit, base));
}
H3OU_ALIAS(mpi_win_shared_query_cptr_, pmpi_win_shared_query_)
H3OU_ALIAS(ompi_win_shared_query_cptr_f, pmpi_win_shared_query_)

/* In Fortran the address of the buffer is not returned, because there is nothing to hold it. */
H3OU_NAMES(buffer_detach, BUFFER_DETACH, Buffer_detach)
void pmpi_buffer_detach_(void *buffer, MPI_Fint *size, MPI_Fint *ierr)
{
    void *unused = NULL;
    (void)buffer;
    finish(ierr, PMPI_Buffer_detach(&unused, size));
}

H3OU_NAMES(f_sync_reg, F_SYNC_REG, F_sync_reg)
void pmpi_f_sync_reg_(void *buffer)
{
    (void)buffer;
}

static void free_texts(char **texts)
{
    for (char **t = texts; t && *t; t++)
        free(*t);
    free(texts);
}

/* Texts of one length with `step` characters between them, up to a blank one or `most`; the caller frees them. NULL: no memory. */
static char **texts_to_c(const char *text, int length, size_t step, int most)
{
    int n = 0;
    char **all = calloc(1, sizeof *all);
    while (all && (most < 0 || n < most)) {
        char *one = text_to_c(text + (size_t)n * step, length), **more = one ? realloc(all, sizeof *all * (size_t)(n + 2)) : NULL;
        if (!more) {
            free(one);
            free_texts(all);
            return NULL;
        }
        all = more;
        if (most < 0 && !*one) {
            free(one);
            break;
        }
        all[n++] = one;
        all[n] = NULL;
    }
    return all;
}

static void give_comm(MPI_Comm comm, MPI_Fint *to, int err, MPI_Fint *ierr)
{
    if (!err)
        *to = PMPI_Comm_c2f(comm);
    finish(ierr, err);
}

H3OU_NAMES(comm_spawn, COMM_SPAWN, Comm_spawn)
void pmpi_comm_spawn_(char *command, char *argv, MPI_Fint *maxprocs, MPI_Fint *info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *children,
                      MPI_Fint *errcodes, MPI_Fint *ierr, int command_length, int argv_length)
{
    MPI_Comm made = MPI_COMM_NULL;
    char *program = text_to_c(command, command_length),
         **arguments = argv == &mpi_fortran_argv_null_ ? MPI_ARGV_NULL : texts_to_c(argv, argv_length, (size_t)argv_length, -1);
    int err = MPI_ERR_NO_MEM;
    if (program && (arguments || argv == &mpi_fortran_argv_null_))
        err = PMPI_Comm_spawn(program, arguments, *maxprocs, PMPI_Info_f2c(*info), *root, PMPI_Comm_f2c(*comm), &made, errcodes_of(errcodes));
    free(program);
    free_texts(arguments);
    give_comm(made, children, err, ierr);
}

/* The arguments of program i are argv(i, 1), argv(i, 2), ... of a Fortran array. Returns NULL without memory. */
static char ***arguments_of_all(int n, const char *argv, int length)
{
    char ***all = calloc((size_t)n + 1, sizeof *all);
    for (int i = 0; all && i < n; i++) {
        all[i] = texts_to_c(argv + (size_t)i * (size_t)length, length, (size_t)n * (size_t)length, -1);
        if (!all[i]) {
            while (i-- > 0)
                free_texts(all[i]);
            free(all);
            return NULL;
        }
    }
    return all;
}

H3OU_NAMES(comm_spawn_multiple, COMM_SPAWN_MULTIPLE, Comm_spawn_multiple)
void pmpi_comm_spawn_multiple_(MPI_Fint *count, char *commands, char *argvs, MPI_Fint *maxprocs, MPI_Fint *infos, MPI_Fint *root, MPI_Fint *comm,
                               MPI_Fint *children, MPI_Fint *errcodes, MPI_Fint *ierr, int command_length, int argv_length)
{
    int n = *count > 0 ? *count : 0, has_arguments = argvs != &mpi_fortran_argvs_null_, err = MPI_ERR_NO_MEM;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Info *c_infos = handles(n, sizeof *c_infos);
    char **programs = texts_to_c(commands, command_length, (size_t)command_length, n),
         ***arguments = has_arguments ? arguments_of_all(n, argvs, argv_length) : MPI_ARGVS_NULL;
    if (c_infos && programs && (arguments || !has_arguments)) {
        for (int i = 0; i < n; i++)
            c_infos[i] = PMPI_Info_f2c(infos[i]);
        err = PMPI_Comm_spawn_multiple(n, programs, arguments, maxprocs, c_infos, *root, PMPI_Comm_f2c(*comm), &made, errcodes_of(errcodes));
    }
    for (int i = 0; has_arguments && arguments && i < n; i++)
        free_texts(arguments[i]);
    if (has_arguments)
        free(arguments);
    free_texts(programs);
    free(c_infos);
    give_comm(made, children, err, ierr);
}
