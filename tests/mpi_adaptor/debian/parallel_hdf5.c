/* SPDX-License-Identifier: BSD-3-Clause */
/* parallel_hdf5 write|read FILE: all processes write a file by parallel HDF5, or read it and check what each of them finds. The file has the same bytes
 * whatever MPI writes it. */
#include <hdf5.h>
#include <mpi.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 5, COLUMNS = 7, POINTS = 3 };

typedef struct {
    int rank;
    double value;
    char name[8];
} record;

static int failures, my_rank, size;
static hid_t collective, independent;

#define CHECK(condition)                                                                                                                   \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            failures++;                                                                                                                    \
            printf("rank %d: parallel_hdf5.c:%d: %s\n", my_rank, __LINE__, #condition);                                                    \
        }                                                                                                                                  \
    } while (0)

static double value_at(hsize_t row, hsize_t column)
{
    return 1000.0 * (double)row + (double)column + 0.25;
}

static hid_t access_list(void)
{
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    MPI_Comm comm, seen = MPI_COMM_NULL;
    MPI_Info info, info_seen = MPI_INFO_NULL;
    int comparison = -1, flag = 0;
    char hint[16] = "";
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", "65536");
    CHECK(H5Pset_fapl_mpio(list, comm, info) >= 0);
    CHECK(H5Pget_fapl_mpio(list, &seen, &info_seen) >= 0);
    MPI_Comm_compare(comm, seen, &comparison);
    CHECK(comparison == MPI_CONGRUENT);
    MPI_Info_get(info_seen, "cb_buffer_size", (int)sizeof hint - 1, hint, &flag);
    CHECK(flag && strcmp(hint, "65536") == 0);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&seen);
    MPI_Info_free(&info);
    MPI_Info_free(&info_seen);
    CHECK(H5Pset_all_coll_metadata_ops(list, true) >= 0);
    CHECK(H5Pset_coll_metadata_write(list, true) >= 0);
    return list;
}

static hid_t record_type(void)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(record)), name = H5Tcopy(H5T_C_S1);
    H5Tset_size(name, sizeof((record *)0)->name);
    H5Tinsert(type, "rank", HOFFSET(record, rank), H5T_NATIVE_INT);
    H5Tinsert(type, "value", HOFFSET(record, value), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "name", HOFFSET(record, name), name);
    H5Tclose(name);
    return type;
}

/* A data set without the time of its creation; `chunk` is NULL for a contiguous one, which then cannot grow. */
static hid_t dataset_create(hid_t file, const char *name, hid_t type, int dimensions, const hsize_t *extent, const hsize_t *chunk)
{
    hsize_t most[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(dimensions, extent, chunk ? most : NULL);
    H5Pset_obj_track_times(list, false);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    if (chunk)
        H5Pset_chunk(list, dimensions, chunk);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    CHECK(set >= 0);
    H5Sclose(space);
    H5Pclose(list);
    return set;
}

/* Columns whose number modulo the number of processes is `rank`, with every row: one hyperslab with strides. */
static hid_t columns_of(hid_t set, int rank, hsize_t *count)
{
    hid_t space = H5Dget_space(set);
    hsize_t start[2] = {0, (hsize_t)rank}, stride[2] = {1, (hsize_t)size}, counts[2] = {(hsize_t)(ROWS * size), COLUMNS}, block[2] = {1, 1};
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, counts, block) >= 0);
    *count = counts[0] * counts[1];
    return space;
}

/* The rows of a process. */
static hid_t rows_of(hid_t set, int rank, hsize_t *count)
{
    hid_t space = H5Dget_space(set);
    hsize_t start[2] = {(hsize_t)(rank * ROWS), 0}, counts[2] = {ROWS, (hsize_t)(COLUMNS * size)};
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, counts, NULL) >= 0);
    *count = counts[0] * counts[1];
    return space;
}

/* Two blocks that overlap, as a union. */
static hid_t union_of(hid_t set, int rank, hsize_t *count)
{
    hid_t space = H5Dget_space(set);
    hsize_t start[2] = {(hsize_t)(rank * ROWS), (hsize_t)rank}, counts[2] = {3, 4};
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, counts, NULL) >= 0);
    start[0]++;
    start[1]++;
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_OR, start, NULL, counts, NULL) >= 0);
    *count = (hsize_t)H5Sget_select_npoints(space);
    return space;
}

static hid_t points_of(hid_t set, int rank, hsize_t *count)
{
    hsize_t points[POINTS][1] = {{(hsize_t)(rank * POINTS + 2)}, {(hsize_t)(rank * POINTS)}, {(hsize_t)(rank * POINTS + 1)}};
    hid_t space = H5Dget_space(set);
    CHECK(H5Sselect_elements(space, H5S_SELECT_SET, POINTS, &points[0][0]) >= 0);
    *count = POINTS;
    return space;
}

static void transfer(bool writes, hid_t set, hid_t type, hid_t space, hsize_t count, hid_t list, void *buffer)
{
    hid_t memory = H5Screate_simple(1, &count, NULL);
    if (writes)
        CHECK(H5Dwrite(set, type, memory, space, list, buffer) >= 0);
    else
        CHECK(H5Dread(set, type, memory, space, list, buffer) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
}

static void fill_records(record *records, int rank)
{
    const int order[POINTS] = {2, 0, 1};
    for (int i = 0; i < POINTS; i++) {
        records[i] = (record){rank, order[i] + 0.5, ""};
        snprintf(records[i].name, sizeof records[i].name, "r%dp%d", rank, order[i]);
    }
}

static void write_all(hid_t file)
{
    static double values[1024];
    record records[POINTS];
    hsize_t extent[2] = {(hsize_t)(ROWS * size), (hsize_t)(COLUMNS * size)}, small[2] = {1, extent[1]}, chunk[2] = {3, 4}, count = 0;
    hsize_t points = (hsize_t)(POINTS * size);
    hid_t plain = dataset_create(file, "plain", H5T_IEEE_F64BE, 2, extent, NULL);
    hid_t space = rows_of(plain, my_rank, &count);
    for (hsize_t i = 0; i < count; i++)
        values[i] = value_at((hsize_t)(my_rank * ROWS) + i / extent[1], i % extent[1]);
    transfer(true, plain, H5T_NATIVE_DOUBLE, space, count, collective, values);
    H5Dclose(plain);

    hid_t chunked = dataset_create(file, "chunked", H5T_NATIVE_DOUBLE, 2, small, chunk);
    CHECK(H5Dset_extent(chunked, extent) >= 0);
    space = columns_of(chunked, my_rank, &count);
    for (hsize_t i = 0; i < count; i++)
        values[i] = value_at(i / COLUMNS, (hsize_t)my_rank + i % COLUMNS * (hsize_t)size);
    transfer(true, chunked, H5T_NATIVE_DOUBLE, space, count, collective, values);
    H5Dclose(chunked);

    hid_t type = record_type();
    memset(records, 0, sizeof records);
    fill_records(records, my_rank);
    hid_t scattered = dataset_create(file, "scattered", type, 1, &points, NULL);
    space = points_of(scattered, my_rank, &count);
    transfer(true, scattered, type, space, count, independent, records);
    hid_t scalar = H5Screate(H5S_SCALAR), attribute = H5Acreate2(scattered, "processes", H5T_STD_I32BE, scalar, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Awrite(attribute, H5T_NATIVE_INT, &size) >= 0);
    H5Aclose(attribute);
    H5Sclose(scalar);
    H5Dclose(scattered);
    H5Tclose(type);
}

static void read_all(hid_t file)
{
    static double values[1024], whole[1024];
    record records[POINTS], expected[POINTS];
    int other = (my_rank + 1) % size, processes = 0;
    hsize_t count = 0, width = (hsize_t)(COLUMNS * size);
    hid_t plain = H5Dopen2(file, "plain", H5P_DEFAULT), chunked = H5Dopen2(file, "chunked", H5P_DEFAULT);
    hid_t space = columns_of(plain, other, &count);
    transfer(false, plain, H5T_NATIVE_DOUBLE, space, count, collective, values);
    for (hsize_t i = 0; i < count; i++)
        CHECK(values[i] == value_at(i / COLUMNS, (hsize_t)other + i % COLUMNS * (hsize_t)size));
    space = rows_of(chunked, other, &count);
    transfer(false, chunked, H5T_NATIVE_DOUBLE, space, count, collective, values);
    for (hsize_t i = 0; i < count; i++)
        CHECK(values[i] == value_at((hsize_t)(other * ROWS) + i / width, i % width));
    space = union_of(chunked, other, &count);
    transfer(false, chunked, H5T_NATIVE_DOUBLE, space, count, collective, values);
    space = union_of(chunked, other, &count);
    transfer(false, chunked, H5T_NATIVE_DOUBLE, space, count, independent, whole);
    CHECK(count == 18 && memcmp(values, whole, count * sizeof *values) == 0);
    CHECK(values[0] == value_at((hsize_t)(other * ROWS), (hsize_t)other));
    CHECK(values[17] == value_at((hsize_t)(other * ROWS + 3), (hsize_t)other + 4));

    hid_t type = record_type(), scattered = H5Dopen2(file, "scattered", H5P_DEFAULT);
    space = points_of(scattered, other, &count);
    fill_records(expected, other);
    transfer(false, scattered, type, space, count, collective, records);
    for (int i = 0; i < POINTS; i++)
        CHECK(records[i].rank == other && records[i].value == expected[i].value && strcmp(records[i].name, expected[i].name) == 0);
    hid_t attribute = H5Aopen(scattered, "processes", H5P_DEFAULT);
    CHECK(H5Aread(attribute, H5T_NATIVE_INT, &processes) >= 0 && processes == size);
    H5Aclose(attribute);
    H5Tclose(type);
    H5Dclose(scattered);
    H5Dclose(chunked);
    H5Dclose(plain);
}

int main(int argc, char **argv)
{
    int all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool writes = argc == 3 && strcmp(argv[1], "write") == 0, reads = argc == 3 && strcmp(argv[1], "read") == 0;
    CHECK((writes || reads) && ROWS * size * COLUMNS * size <= 1024 * size);
    if (failures == 0) {
        hid_t list = access_list();
        collective = H5Pcreate(H5P_DATASET_XFER);
        independent = H5Pcreate(H5P_DATASET_XFER);
        H5Pset_dxpl_mpio(collective, H5FD_MPIO_COLLECTIVE);
        hid_t file = writes ? H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, list) : H5Fopen(argv[2], H5F_ACC_RDONLY, list);
        CHECK(file >= 0);
        if (writes && file >= 0)
            write_all(file);
        else if (file >= 0)
            read_all(file);
        CHECK(file >= 0 && H5Fclose(file) >= 0);
        H5Pclose(independent);
        H5Pclose(collective);
        H5Pclose(list);
    }
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (my_rank == 0)
        printf("parallel_hdf5: %d processes, %d failed\n", size, all);
    MPI_Finalize();
    return all != 0;
}
