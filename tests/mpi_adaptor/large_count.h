/* SPDX-License-Identifier: BSD-3-Clause */
/* With -DLARGE_COUNTS the cases call the forms of MPI-4 whose counts are MPI_Count: MPI_Send_c for MPI_Send, and so on. What the cases pass as
 * arrays of int is copied; what they get as int is cut. */
#ifndef H3OU_TEST_LARGE_COUNT_H
#define H3OU_TEST_LARGE_COUNT_H
#ifdef LARGE_COUNTS

/* A copy of n numbers that lasts for the next hundreds of calls, NULL for NULL. */
void *large_copy(const int *from, int n);
#define LARGE(array, n) large_copy(array, n)
#ifndef NEIGHBORS
#define NEIGHBORS 2 /* elements of the arrays of counts of neighbourhood calls */
#endif

/* Functions that return numbers by pointers. */
#define MPI_Get_count(a, b, n)    LARGE_RESULT(n, MPI_Get_count_c(a, b, &large_))
#define MPI_Get_elements(a, b, n) LARGE_RESULT(n, MPI_Get_elements_c(a, b, &large_))
#define MPI_Type_size(a, n)       LARGE_RESULT(n, MPI_Type_size_c(a, &large_))
#define MPI_Pack_size(a, b, c, n) LARGE_RESULT(n, MPI_Pack_size_c(a, b, c, &large_))
#define MPI_Buffer_detach(a, n)   LARGE_RESULT(n, MPI_Buffer_detach_c(a, &large_))
#define MPI_Pack(a, b, c, d, e, n, f)   LARGE_RESULT(n, MPI_Pack_c(a, b, c, d, e, &large_, f))
#define MPI_Unpack(a, b, n, d, e, f, g) LARGE_RESULT(n, MPI_Unpack_c(a, b, &large_, d, e, f, g))
#define MPI_Pack_external_size(a, b, c, n)        LARGE_RESULT(n, MPI_Pack_external_size_c(a, b, c, &large_))
#define MPI_Pack_external(a, b, c, d, e, f, n)    LARGE_RESULT(n, MPI_Pack_external_c(a, b, c, d, e, f, &large_))
#define MPI_Unpack_external(a, b, c, n, e, f, g)  LARGE_RESULT(n, MPI_Unpack_external_c(a, b, c, &large_, e, f, g))
#define MPI_File_get_type_extent(a, b, n)         LARGE_RESULT(n, MPI_File_get_type_extent_c(a, b, &large_))
#define MPI_Win_shared_query(a, b, c, n, e) \
    __extension__({                                                          \
        MPI_Aint large_ = *(n);                                              \
        int code_ = MPI_Win_shared_query_c(a, b, c, &large_, e);             \
        *(n) = (int)large_;                                                  \
        code_;                                                               \
    })
#define LARGE_RESULT(n, call)                                                \
    __extension__({                                                          \
        MPI_Count large_ = *(n);                                             \
        int code_ = call;                                                    \
        *(n) = (__typeof__(*(n)))large_;                                     \
        code_;                                                               \
    })
#define LARGE_RESULTS(m, n, call)                                            \
    __extension__({                                                          \
        MPI_Count lower_ = *(m), large_ = *(n);                              \
        int code_ = call;                                                    \
        *(m) = (MPI_Aint)lower_;                                             \
        *(n) = (MPI_Aint)large_;                                             \
        code_;                                                               \
    })
#define MPI_Type_get_extent(a, m, n)      LARGE_RESULTS(m, n, MPI_Type_get_extent_c(a, &lower_, &large_))
#define MPI_Type_get_true_extent(a, m, n) LARGE_RESULTS(m, n, MPI_Type_get_true_extent_c(a, &lower_, &large_))
/* The numbers of integers and of large counts are one; what they are is asked by large_case.c. */
#define MPI_Type_get_envelope(a, b, c, d, e)                                 \
    __extension__({                                                          \
        MPI_Count many_[4] = {0, 0, 0, 0};                                   \
        int code_ = MPI_Type_get_envelope_c(a, &many_[0], &many_[1], &many_[2], &many_[3], e); \
        *(b) = (int)(many_[0] + many_[2]);                                   \
        *(c) = (int)many_[1];                                                \
        *(d) = (int)many_[3];                                                \
        code_;                                                               \
    })
/* The low half of a length is an int in memory, too. */
#define MPI_Op_create(a, b, c) MPI_Op_create_c((MPI_User_function_c *)(void (*)(void))(a), b, c)
#define MPI_Register_datarep(a, b, c, d, e) \
    MPI_Register_datarep_c(a, (MPI_Datarep_conversion_function_c *)(void (*)(void))(b), (MPI_Datarep_conversion_function_c *)(void (*)(void))(c), d, e)

/* Functions that take arrays. */
#define MPI_Allgatherv(a, b, c, d, e, f, g, h) MPI_Allgatherv_c(a, b, c, d, LARGE(e, PROCESSES), LARGE(f, PROCESSES), g, h)
#define MPI_Allgatherv_init(a, b, c, d, e, f, g, h, i, j) MPI_Allgatherv_init_c(a, b, c, d, LARGE(e, PROCESSES), LARGE(f, PROCESSES), g, h, i, j)
#define MPI_Alltoallv(a, b, c, d, e, f, g, h, i) MPI_Alltoallv_c(a, LARGE(b, PROCESSES), LARGE(c, PROCESSES), d, e, LARGE(f, PROCESSES), LARGE(g, PROCESSES), h, i)
#define MPI_Alltoallv_init(a, b, c, d, e, f, g, h, i, j, k) MPI_Alltoallv_init_c(a, LARGE(b, PROCESSES), LARGE(c, PROCESSES), d, e, LARGE(f, PROCESSES), LARGE(g, PROCESSES), h, i, j, k)
#define MPI_Alltoallw(a, b, c, d, e, f, g, h, i) MPI_Alltoallw_c(a, LARGE(b, PROCESSES), LARGE(c, PROCESSES), d, e, LARGE(f, PROCESSES), LARGE(g, PROCESSES), h, i)
#define MPI_Alltoallw_init(a, b, c, d, e, f, g, h, i, j, k) MPI_Alltoallw_init_c(a, LARGE(b, PROCESSES), LARGE(c, PROCESSES), d, e, LARGE(f, PROCESSES), LARGE(g, PROCESSES), h, i, j, k)
#define MPI_Gatherv(a, b, c, d, e, f, g, h, i) MPI_Gatherv_c(a, b, c, d, LARGE(e, PROCESSES), LARGE(f, PROCESSES), g, h, i)
#define MPI_Gatherv_init(a, b, c, d, e, f, g, h, i, j, k) MPI_Gatherv_init_c(a, b, c, d, LARGE(e, PROCESSES), LARGE(f, PROCESSES), g, h, i, j, k)
#define MPI_Iallgatherv(a, b, c, d, e, f, g, h, i) MPI_Iallgatherv_c(a, b, c, d, LARGE(e, PROCESSES), LARGE(f, PROCESSES), g, h, i)
#define MPI_Ialltoallv(a, b, c, d, e, f, g, h, i, j) MPI_Ialltoallv_c(a, LARGE(b, PROCESSES), LARGE(c, PROCESSES), d, e, LARGE(f, PROCESSES), LARGE(g, PROCESSES), h, i, j)
#define MPI_Ialltoallw(a, b, c, d, e, f, g, h, i, j) MPI_Ialltoallw_c(a, LARGE(b, PROCESSES), LARGE(c, PROCESSES), d, e, LARGE(f, PROCESSES), LARGE(g, PROCESSES), h, i, j)
#define MPI_Igatherv(a, b, c, d, e, f, g, h, i, j) MPI_Igatherv_c(a, b, c, d, LARGE(e, PROCESSES), LARGE(f, PROCESSES), g, h, i, j)
#define MPI_Ineighbor_allgatherv(a, b, c, d, e, f, g, h, i) MPI_Ineighbor_allgatherv_c(a, b, c, d, LARGE(e, NEIGHBORS), LARGE(f, NEIGHBORS), g, h, i)
#define MPI_Ineighbor_alltoallv(a, b, c, d, e, f, g, h, i, j) MPI_Ineighbor_alltoallv_c(a, LARGE(b, NEIGHBORS), LARGE(c, NEIGHBORS), d, e, LARGE(f, NEIGHBORS), LARGE(g, NEIGHBORS), h, i, j)
#define MPI_Ineighbor_alltoallw(a, b, c, d, e, f, g, h, i, j) MPI_Ineighbor_alltoallw_c(a, LARGE(b, NEIGHBORS), c, d, e, LARGE(f, NEIGHBORS), g, h, i, j)
#define MPI_Ireduce_scatter(a, b, c, d, e, f, g) MPI_Ireduce_scatter_c(a, b, LARGE(c, PROCESSES), d, e, f, g)
#define MPI_Iscatterv(a, b, c, d, e, f, g, h, i, j) MPI_Iscatterv_c(a, LARGE(b, PROCESSES), LARGE(c, PROCESSES), d, e, f, g, h, i, j)
#define MPI_Neighbor_allgatherv(a, b, c, d, e, f, g, h) MPI_Neighbor_allgatherv_c(a, b, c, d, LARGE(e, NEIGHBORS), LARGE(f, NEIGHBORS), g, h)
#define MPI_Neighbor_allgatherv_init(a, b, c, d, e, f, g, h, i, j) MPI_Neighbor_allgatherv_init_c(a, b, c, d, LARGE(e, NEIGHBORS), LARGE(f, NEIGHBORS), g, h, i, j)
#define MPI_Neighbor_alltoallv(a, b, c, d, e, f, g, h, i) MPI_Neighbor_alltoallv_c(a, LARGE(b, NEIGHBORS), LARGE(c, NEIGHBORS), d, e, LARGE(f, NEIGHBORS), LARGE(g, NEIGHBORS), h, i)
#define MPI_Neighbor_alltoallv_init(a, b, c, d, e, f, g, h, i, j, k) MPI_Neighbor_alltoallv_init_c(a, LARGE(b, NEIGHBORS), LARGE(c, NEIGHBORS), d, e, LARGE(f, NEIGHBORS), LARGE(g, NEIGHBORS), h, i, j, k)
#define MPI_Neighbor_alltoallw(a, b, c, d, e, f, g, h, i) MPI_Neighbor_alltoallw_c(a, LARGE(b, NEIGHBORS), c, d, e, LARGE(f, NEIGHBORS), g, h, i)
#define MPI_Neighbor_alltoallw_init(a, b, c, d, e, f, g, h, i, j, k) MPI_Neighbor_alltoallw_init_c(a, LARGE(b, NEIGHBORS), c, d, e, LARGE(f, NEIGHBORS), g, h, i, j, k)
#define MPI_Reduce_scatter(a, b, c, d, e, f) MPI_Reduce_scatter_c(a, b, LARGE(c, PROCESSES), d, e, f)
#define MPI_Reduce_scatter_init(a, b, c, d, e, f, g, h) MPI_Reduce_scatter_init_c(a, b, LARGE(c, PROCESSES), d, e, f, g, h)
#define MPI_Scatterv(a, b, c, d, e, f, g, h, i) MPI_Scatterv_c(a, LARGE(b, PROCESSES), LARGE(c, PROCESSES), d, e, f, g, h, i)
#define MPI_Scatterv_init(a, b, c, d, e, f, g, h, i, j, k) MPI_Scatterv_init_c(a, LARGE(b, PROCESSES), LARGE(c, PROCESSES), d, e, f, g, h, i, j, k)
#define MPI_Type_create_darray(a, b, c, d, e, f, g, h, i, j) MPI_Type_create_darray_c(a, b, c, LARGE(d, c), e, f, g, h, i, j)
#define MPI_Type_create_hindexed(a, b, c, d, e) MPI_Type_create_hindexed_c(a, LARGE(b, a), (const void *)(c), d, e)
#define MPI_Type_create_hindexed_block(a, b, c, d, e) MPI_Type_create_hindexed_block_c(a, b, (const void *)(c), d, e)
#define MPI_Type_create_indexed_block(a, b, c, d, e) MPI_Type_create_indexed_block_c(a, b, LARGE(c, a), d, e)
#define MPI_Type_create_struct(a, b, c, d, e) MPI_Type_create_struct_c(a, LARGE(b, a), (const void *)(c), d, e)
#define MPI_Type_create_subarray(a, b, c, d, e, f, g) MPI_Type_create_subarray_c(a, LARGE(b, a), LARGE(c, a), LARGE(d, a), e, f, g)
#define MPI_Type_indexed(a, b, c, d, e) MPI_Type_indexed_c(a, LARGE(b, a), LARGE(c, a), d, e)

/* All others. */
#define MPI_Accumulate MPI_Accumulate_c
#define MPI_Allgather MPI_Allgather_c
#define MPI_Allgather_init MPI_Allgather_init_c
#define MPI_Allreduce MPI_Allreduce_c
#define MPI_Allreduce_init MPI_Allreduce_init_c
#define MPI_Alltoall MPI_Alltoall_c
#define MPI_Alltoall_init MPI_Alltoall_init_c
#define MPI_Bcast MPI_Bcast_c
#define MPI_Bcast_init MPI_Bcast_init_c
#define MPI_Bsend MPI_Bsend_c
#define MPI_Bsend_init MPI_Bsend_init_c
#define MPI_Buffer_attach MPI_Buffer_attach_c
#define MPI_Exscan MPI_Exscan_c
#define MPI_Exscan_init MPI_Exscan_init_c
#define MPI_File_iread MPI_File_iread_c
#define MPI_File_iread_all MPI_File_iread_all_c
#define MPI_File_iread_at MPI_File_iread_at_c
#define MPI_File_iread_at_all MPI_File_iread_at_all_c
#define MPI_File_iread_shared MPI_File_iread_shared_c
#define MPI_File_iwrite MPI_File_iwrite_c
#define MPI_File_iwrite_all MPI_File_iwrite_all_c
#define MPI_File_iwrite_at MPI_File_iwrite_at_c
#define MPI_File_iwrite_at_all MPI_File_iwrite_at_all_c
#define MPI_File_iwrite_shared MPI_File_iwrite_shared_c
#define MPI_File_read MPI_File_read_c
#define MPI_File_read_all MPI_File_read_all_c
#define MPI_File_read_all_begin MPI_File_read_all_begin_c
#define MPI_File_read_at MPI_File_read_at_c
#define MPI_File_read_at_all MPI_File_read_at_all_c
#define MPI_File_read_at_all_begin MPI_File_read_at_all_begin_c
#define MPI_File_read_ordered MPI_File_read_ordered_c
#define MPI_File_read_ordered_begin MPI_File_read_ordered_begin_c
#define MPI_File_read_shared MPI_File_read_shared_c
#define MPI_File_write MPI_File_write_c
#define MPI_File_write_all MPI_File_write_all_c
#define MPI_File_write_all_begin MPI_File_write_all_begin_c
#define MPI_File_write_at MPI_File_write_at_c
#define MPI_File_write_at_all MPI_File_write_at_all_c
#define MPI_File_write_at_all_begin MPI_File_write_at_all_begin_c
#define MPI_File_write_ordered MPI_File_write_ordered_c
#define MPI_File_write_ordered_begin MPI_File_write_ordered_begin_c
#define MPI_File_write_shared MPI_File_write_shared_c
#define MPI_Gather MPI_Gather_c
#define MPI_Gather_init MPI_Gather_init_c
#define MPI_Get MPI_Get_c
#define MPI_Get_accumulate MPI_Get_accumulate_c
#define MPI_Iallgather MPI_Iallgather_c
#define MPI_Iallreduce MPI_Iallreduce_c
#define MPI_Ialltoall MPI_Ialltoall_c
#define MPI_Ibcast MPI_Ibcast_c
#define MPI_Ibsend MPI_Ibsend_c
#define MPI_Iexscan MPI_Iexscan_c
#define MPI_Igather MPI_Igather_c
#define MPI_Imrecv MPI_Imrecv_c
#define MPI_Ineighbor_allgather MPI_Ineighbor_allgather_c
#define MPI_Ineighbor_alltoall MPI_Ineighbor_alltoall_c
#define MPI_Irecv MPI_Irecv_c
#define MPI_Ireduce MPI_Ireduce_c
#define MPI_Ireduce_scatter_block MPI_Ireduce_scatter_block_c
#define MPI_Irsend MPI_Irsend_c
#define MPI_Iscan MPI_Iscan_c
#define MPI_Iscatter MPI_Iscatter_c
#define MPI_Isend MPI_Isend_c
#define MPI_Isendrecv MPI_Isendrecv_c
#define MPI_Isendrecv_replace MPI_Isendrecv_replace_c
#define MPI_Issend MPI_Issend_c
#define MPI_Mrecv MPI_Mrecv_c
#define MPI_Neighbor_allgather MPI_Neighbor_allgather_c
#define MPI_Neighbor_allgather_init MPI_Neighbor_allgather_init_c
#define MPI_Neighbor_alltoall MPI_Neighbor_alltoall_c
#define MPI_Neighbor_alltoall_init MPI_Neighbor_alltoall_init_c
#define MPI_Put MPI_Put_c
#define MPI_Raccumulate MPI_Raccumulate_c
#define MPI_Recv MPI_Recv_c
#define MPI_Recv_init MPI_Recv_init_c
#define MPI_Reduce MPI_Reduce_c
#define MPI_Reduce_init MPI_Reduce_init_c
#define MPI_Reduce_local MPI_Reduce_local_c
#define MPI_Reduce_scatter_block MPI_Reduce_scatter_block_c
#define MPI_Reduce_scatter_block_init MPI_Reduce_scatter_block_init_c
#define MPI_Rget MPI_Rget_c
#define MPI_Rget_accumulate MPI_Rget_accumulate_c
#define MPI_Rput MPI_Rput_c
#define MPI_Rsend MPI_Rsend_c
#define MPI_Rsend_init MPI_Rsend_init_c
#define MPI_Scan MPI_Scan_c
#define MPI_Scan_init MPI_Scan_init_c
#define MPI_Scatter MPI_Scatter_c
#define MPI_Scatter_init MPI_Scatter_init_c
#define MPI_Send MPI_Send_c
#define MPI_Send_init MPI_Send_init_c
#define MPI_Sendrecv MPI_Sendrecv_c
#define MPI_Sendrecv_replace MPI_Sendrecv_replace_c
#define MPI_Ssend MPI_Ssend_c
#define MPI_Ssend_init MPI_Ssend_init_c
#define MPI_Type_contiguous MPI_Type_contiguous_c
#define MPI_Type_create_hvector MPI_Type_create_hvector_c
#define MPI_Type_create_resized MPI_Type_create_resized_c
#define MPI_Type_vector MPI_Type_vector_c
#define MPI_Win_allocate MPI_Win_allocate_c
#define MPI_Win_allocate_shared MPI_Win_allocate_shared_c
#define MPI_Win_create MPI_Win_create_c
#endif
#endif
