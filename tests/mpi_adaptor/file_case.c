/* SPDX-License-Identifier: BSD-3-Clause */
/* Files: each way to read and write, views, pointers, what is asked about a file, a data representation of the program. */
#include "mpi_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = PROCESSES };

/* A name that all processes agree on, in the folder of temporary files. */
static const char *file_name(void)
{
    static char name[256];
    static int number;
    const char *folder = getenv("TMPDIR");
    int pid = (int)getpid();
    CALL(MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD));
    snprintf(name, sizeof name, "%s/h3ou-mpi-cases-%d-%d", folder ? folder : "/tmp", pid, number++);
    return name;
}

static MPI_File open_file(const char *name)
{
    MPI_File file = MPI_FILE_NULL;
    CALL(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    return file;
}

static int count_of(const MPI_Status *status)
{
    int n = -1;
    CALL(MPI_Get_count(status, MPI_INT, &n));
    return n;
}

/* What a collective write has written may come from another process. */
static void see_writes(MPI_File file)
{
    CALL(MPI_File_sync(file));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_File_sync(file));
}

static void at_places(void)
{
    MPI_File file = open_file(file_name());
    MPI_Status status;
    MPI_Request request;
    MPI_Offset at = 8 * my_rank, size = -1;
    int mine[2] = {my_rank, 5}, got[2] = {-1, -1};
    CALL(MPI_File_write_at(file, at, mine, 2, MPI_INT, &status));
    EQUAL(count_of(&status), 2);
    see_writes(file);
    CALL(MPI_File_read_at_all(file, 8 * right, got, 2, MPI_INT, &status));
    EQUAL(got[0], right);
    EQUAL(count_of(&status), 2);
    CALL(MPI_File_get_size(file, &size));
    EQUAL(size, 32);
    mine[0] += 10;
    CALL(MPI_File_write_at_all(file, at, mine, 2, MPI_INT, MPI_STATUS_IGNORE));
    see_writes(file);
    CALL(MPI_File_iread_at(file, at, got, 2, MPI_INT, &request));
    CALL(MPI_Wait(&request, &status));
    EQUAL(got[0], my_rank + 10);
    EQUAL(count_of(&status), 2);
    mine[0] += 10;
    CALL(MPI_File_iwrite_at(file, at, mine, 2, MPI_INT, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_File_read_at(file, at, got, 1, MPI_INT, &status));
    EQUAL(got[0], my_rank + 20);
    CALL(MPI_File_write_at_all_begin(file, at, mine, 2, MPI_INT));
    CALL(MPI_File_write_at_all_end(file, mine, &status));
    see_writes(file);
    EQUAL(count_of(&status), 2);
    CALL(MPI_File_read_at_all_begin(file, at, got, 2, MPI_INT));
    CALL(MPI_File_read_at_all_end(file, got, &status));
    EQUAL(got[0], my_rank + 20);
    CALL(MPI_File_iwrite_at_all(file, at, mine, 2, MPI_INT, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    see_writes(file);
    got[0] = -1;
    CALL(MPI_File_iread_at_all(file, at, got, 2, MPI_INT, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(got[0], my_rank + 20);
    CALL(MPI_File_read_at(file, 1000, got, 2, MPI_INT, &status)); /* past the end */
    EQUAL(count_of(&status), 0);
    CALL(MPI_File_close(&file));
    CHECK(file == MPI_FILE_NULL);
}

static void with_pointers(void)
{
    MPI_File file = open_file(file_name());
    MPI_Offset place = -1;
    MPI_Request request;
    int mine[2] = {my_rank, 6}, got[2] = {-1, -1};
    CALL(MPI_File_set_view(file, 8 * my_rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    CALL(MPI_File_write(file, mine, 2, MPI_INT, MPI_STATUS_IGNORE));
    CALL(MPI_File_get_position(file, &place));
    EQUAL(place, 2);
    CALL(MPI_File_get_byte_offset(file, 1, &place));
    EQUAL(place, 8 * my_rank + 4);
    CALL(MPI_File_seek(file, -1, MPI_SEEK_CUR));
    CALL(MPI_File_read(file, got, 1, MPI_INT, MPI_STATUS_IGNORE));
    EQUAL(got[0], 6);
    CALL(MPI_File_seek(file, 0, MPI_SEEK_SET));
    CALL(MPI_File_read_all(file, got, 2, MPI_INT, MPI_STATUS_IGNORE));
    EQUAL(got[0], my_rank);
    CALL(MPI_File_seek(file, 0, MPI_SEEK_SET));
    mine[0] += 10;
    CALL(MPI_File_write_all(file, mine, 2, MPI_INT, MPI_STATUS_IGNORE));
    see_writes(file);
    CALL(MPI_File_seek(file, 0, MPI_SEEK_SET));
    CALL(MPI_File_iread(file, got, 1, MPI_INT, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(got[0], my_rank + 10);
    CALL(MPI_File_iwrite(file, &mine[1], 1, MPI_INT, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_File_seek(file, 0, MPI_SEEK_SET));
    CALL(MPI_File_read_all_begin(file, got, 2, MPI_INT));
    CALL(MPI_File_read_all_end(file, got, MPI_STATUS_IGNORE));
    CHECK(got[0] == my_rank + 10 && got[1] == 6);
    CALL(MPI_File_seek(file, 0, MPI_SEEK_SET));
    CALL(MPI_File_write_all_begin(file, mine, 2, MPI_INT));
    CALL(MPI_File_write_all_end(file, mine, MPI_STATUS_IGNORE));
    see_writes(file);
    CALL(MPI_File_seek(file, 0, MPI_SEEK_SET));
    CALL(MPI_File_iread_all(file, got, 2, MPI_INT, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(got[0], my_rank + 10);
    CALL(MPI_File_seek(file, 0, MPI_SEEK_SET));
    CALL(MPI_File_iwrite_all(file, mine, 2, MPI_INT, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_File_close(&file));
}

static void with_shared_pointer(void)
{
    MPI_File file = open_file(file_name());
    MPI_Offset place = -1;
    MPI_Request request;
    int mine = my_rank + 1, got = -1, sum = 0;
    CALL(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    CALL(MPI_File_write_ordered(file, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
    CALL(MPI_File_get_position_shared(file, &place));
    EQUAL(place, N);
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    CALL(MPI_File_read_ordered(file, &got, 1, MPI_INT, MPI_STATUS_IGNORE));
    EQUAL(got, my_rank + 1);
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    CALL(MPI_File_read_shared(file, &got, 1, MPI_INT, MPI_STATUS_IGNORE));
    CALL(MPI_Allreduce(&got, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(sum, 10);
    CALL(MPI_File_write_shared(file, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_File_seek_shared(file, N, MPI_SEEK_SET));
    CALL(MPI_File_iread_shared(file, &got, 1, MPI_INT, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_Allreduce(&got, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(sum, 10);
    CALL(MPI_File_iwrite_shared(file, &mine, 1, MPI_INT, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_File_write_ordered_begin(file, &mine, 1, MPI_INT));
    CALL(MPI_File_write_ordered_end(file, &mine, MPI_STATUS_IGNORE));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_File_seek_shared(file, 3 * N, MPI_SEEK_SET));
    CALL(MPI_File_read_ordered_begin(file, &got, 1, MPI_INT));
    CALL(MPI_File_read_ordered_end(file, &got, MPI_STATUS_IGNORE));
    EQUAL(got, my_rank + 1);
    CALL(MPI_File_close(&file));
}

static void with_views(void)
{
    MPI_File file = open_file(file_name());
    MPI_Datatype pieces, resized, etype = MPI_DATATYPE_NULL, filetype = MPI_DATATYPE_NULL;
    MPI_Offset disp = -1;
    MPI_Aint extent = -1;
    char rep[MPI_MAX_DATAREP_STRING] = "";
    int mine[3] = {my_rank, my_rank + 10, my_rank + 20}, got[12], ni, na, nt, combiner = -1;
    /* Every fourth number is this process's. */
    CALL(MPI_Type_contiguous(1, MPI_INT, &pieces));
    CALL(MPI_Type_create_resized(pieces, 0, N * sizeof(int), &resized));
    CALL(MPI_Type_commit(&resized));
    CALL(MPI_File_set_view(file, 4 * my_rank, MPI_INT, resized, "native", MPI_INFO_NULL));
    CALL(MPI_File_get_view(file, &disp, &etype, &filetype, rep));
    EQUAL(disp, 4 * my_rank);
    CHECK(etype == MPI_INT && strcmp(rep, "native") == 0);
    CALL(MPI_Type_get_envelope(filetype, &ni, &na, &nt, &combiner));
    CHECK(combiner != MPI_COMBINER_NAMED);
    CALL(MPI_Type_free(&filetype));
    CALL(MPI_File_write_all(file, mine, 3, MPI_INT, MPI_STATUS_IGNORE));
    see_writes(file);
    CALL(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    CALL(MPI_File_read_at(file, 0, got, 12, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < 12; i++)
        EQUAL(got[i], i % N + 10 * (i / N));
    CALL(MPI_File_get_type_extent(file, MPI_INT, &extent));
    EQUAL(extent, 4);
    CALL(MPI_Type_free(&resized));
    CALL(MPI_Type_free(&pieces));
    CALL(MPI_File_close(&file));
}

static void ask_about(void)
{
    const char *name = file_name();
    MPI_File file = open_file(name), again = MPI_FILE_NULL;
    MPI_Offset size = -1;
    MPI_Group group;
    MPI_Info info;
    int amode = 0, members = 0, atomic = -1;
    CALL(MPI_File_get_amode(file, &amode));
    EQUAL(amode, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    CALL(MPI_File_get_group(file, &group));
    CALL(MPI_Group_size(group, &members));
    EQUAL(members, N);
    CALL(MPI_Group_free(&group));
    CALL(MPI_File_set_size(file, 100));
    CALL(MPI_File_get_size(file, &size));
    EQUAL(size, 100);
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_File_preallocate(file, 200));
    CALL(MPI_Barrier(MPI_COMM_WORLD)); /* one process of Open MPI makes the file too long at first */
    CALL(MPI_File_get_size(file, &size));
    EQUAL(size, 200);
    CALL(MPI_File_get_info(file, &info));
    CHECK(info != MPI_INFO_NULL);
    CALL(MPI_File_set_info(file, info));
    CALL(MPI_Info_free(&info));
    CALL(MPI_File_set_atomicity(file, 0)); /* 1 fails at random in Open MPI 4.1.4 on several processes */
    CALL(MPI_File_get_atomicity(file, &atomic));
    EQUAL(atomic, 0);
    CALL(MPI_File_close(&file));
    FAILS(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &again));
    CHECK(MPI_File_delete(name, MPI_INFO_NULL) != MPI_SUCCESS);
}

static int convert(void *in_memory, MPI_Datatype type, int count, void *in_file, MPI_Offset position, void *extra)
{
    (void)in_memory;
    (void)type;
    (void)count;
    (void)in_file;
    (void)position;
    (void)extra;
    return MPI_SUCCESS;
}

static int extent_in_file(MPI_Datatype type, MPI_Aint *extent, void *extra)
{
    (void)type;
    (void)extra;
    *extent = 8;
    return MPI_SUCCESS;
}

/* Registers a data representation: the class must be that, or MPI_ERR_OTHER, which OMPIO always returns. */
static void register_datarep(const char *name, MPI_Datarep_conversion_function *conversion, int expected)
{
    int class = -1;
    MPI_Error_class(MPI_Register_datarep(name, conversion, conversion, extent_in_file, NULL), &class);
    if (class != MPI_ERR_OTHER)
        EQUAL(class, expected);
}

/* Neither MPI calls functions of the program to convert: they refuse them. external32 is big-endian. */
static void represent_data(void)
{
    MPI_File file = open_file(file_name()), alone;
    int number = 0x1020304;
    unsigned char bytes[4] = {0};
    register_datarep("h3ou converts", convert, MPI_ERR_CONVERSION);
    register_datarep("h3ou", MPI_CONVERSION_FN_NULL, MPI_SUCCESS);
    register_datarep("h3ou", MPI_CONVERSION_FN_NULL, MPI_ERR_DUP_DATAREP);
    FAILS(MPI_ERR_UNSUPPORTED_DATAREP, MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "no such", MPI_INFO_NULL));
    CALL(MPI_File_close(&file));
    CALL(MPI_File_open(MPI_COMM_SELF, file_name(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &alone));
    CALL(MPI_File_set_view(alone, 4 * my_rank, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
    CALL(MPI_File_write(alone, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    CALL(MPI_File_set_view(alone, 4 * my_rank, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    CALL(MPI_File_read(alone, bytes, 4, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK(bytes[0] == 1 && bytes[1] == 2 && bytes[2] == 3 && bytes[3] == 4);
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_File_close(&alone));
}

const mpi_case file_cases[] = {{"file_places", at_places}, {"file_pointers", with_pointers}, {"file_shared", with_shared_pointer},
                               {"file_views", with_views}, {"file_asked", ask_about},        {"file_datareps", represent_data},
                               {NULL, NULL}};
