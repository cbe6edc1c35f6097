/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program asks its MPI about itself, memory, clocks, and handles as Fortran has them. */
#include "mpi_case.h"

#include <string.h>

static void ask_itself(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", host[MPI_MAX_PROCESSOR_NAME] = "";
    int version = 0, minor = -1, length = -1, flag = -1, level = -1;
    double begin = MPI_Wtime();
    CALL(MPI_Get_version(&version, &minor));
    CHECK(version >= 3 && minor >= 0);
    CALL(MPI_Get_library_version(text, &length));
    CHECK(length > 0 && length >= (int)strlen(text) && length < MPI_MAX_LIBRARY_VERSION_STRING);
    CALL(MPI_Get_processor_name(host, &length));
    CHECK(length > 0 && length == (int)strlen(host));
    CALL(MPI_Initialized(&flag));
    EQUAL(flag, 1);
    CALL(MPI_Finalized(&flag));
    EQUAL(flag, 0);
    CALL(MPI_Is_thread_main(&flag));
    EQUAL(flag, 1);
    CALL(MPI_Query_thread(&level));
    CHECK(level == MPI_THREAD_SINGLE || level == MPI_THREAD_FUNNELED || level == MPI_THREAD_SERIALIZED || level == MPI_THREAD_MULTIPLE);
    CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
    CHECK(MPI_Wtime() >= begin && MPI_Wtick() > 0 && MPI_Wtick() < 1);
    CALL(MPI_Pcontrol(1));
}

static void take_memory(void)
{
    int *memory = NULL;
    CALL(MPI_Alloc_mem(4096, MPI_INFO_NULL, &memory));
    if (!CHECK(memory != NULL))
        return;
    memory[1023] = my_rank;
    CALL(MPI_Free_mem(memory));
}

static void to_fortran(void)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Status status, back;
    MPI_Fint numbers[16] = {0};
    int got = -1, n = -1;
    CHECK(sizeof numbers >= sizeof status);
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Type_contiguous(3, MPI_INT, &type));
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(type)) == type);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_DOUBLE)) == MPI_DOUBLE);
    CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
    CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY);
    CHECK(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL);
    CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN);
    CHECK(MPI_Win_f2c(MPI_Win_c2f(MPI_WIN_NULL)) == MPI_WIN_NULL);
    CHECK(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL);
    CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NULL)) == MPI_MESSAGE_NULL);
    CALL(MPI_Irecv(&got, 1, MPI_INT, left, 1, comm, &request));
    CHECK(MPI_Request_f2c(MPI_Request_c2f(request)) == request);
    CALL(MPI_Send(&my_rank, 1, MPI_INT, right, 1, comm));
    CALL(MPI_Wait(&request, &status));
    CALL(MPI_Status_c2f(&status, numbers));
    CALL(MPI_Status_f2c(numbers, &back));
    EQUAL(back.MPI_SOURCE, left);
    CALL(MPI_Get_count(&back, MPI_INT, &n));
    EQUAL(n, 1);
    CALL(MPI_Type_free(&type));
    CALL(MPI_Comm_free(&comm));
}

#ifdef MPICH_VERSION
/* The status of mpi_f08, which the other header does not declare. */
static void to_fortran_2008(void)
{
    MPI_Status status = {0}, back = {0};
    MPI_F08_status modern;
    int got = -1, n = -1;
    CALL(MPI_Sendrecv(&my_rank, 1, MPI_INT, right, 6, &got, 1, MPI_INT, left, 6, MPI_COMM_WORLD, &status));
    CALL(MPI_Status_c2f08(&status, &modern));
    CALL(MPI_Status_f082c(&modern, &back));
    CHECK(back.MPI_SOURCE == left && back.MPI_TAG == 6);
    CALL(MPI_Get_count(&back, MPI_INT, &n));
    EQUAL(n, 1);
}
#endif

const mpi_case environment_cases[] = {
#ifdef MPICH_VERSION
    {"environment_fortran_2008", to_fortran_2008},
#endif
    
    {"environment_asked", ask_itself}, {"environment_memory", take_memory}, {"environment_fortran", to_fortran}, {NULL, NULL}};
