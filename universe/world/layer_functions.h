/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of MPI that the universe has its own of, one a line: X(Send) is universe_Send, which stands in the table in the place of the job's
 * MPI's. All others that take a communicator, a group or a request are made by generate_refusals.py: they go to the job's MPI, and refuse what is over several
 * jobs. */
#ifndef H3OU_UNIVERSE_WORLD_LAYER_FUNCTIONS_H
#define H3OU_UNIVERSE_WORLD_LAYER_FUNCTIONS_H

#define UNIVERSE_FUNCTIONS(X)                                                                                                              \
    UNIVERSE_LAYER(X)                                                                                                                      \
    UNIVERSE_COMMUNICATOR(X)                                                                                                               \
    UNIVERSE_MESSAGE(X)                                                                                                                    \
    UNIVERSE_COLLECTIVE(X)                                                                                                                 \
    UNIVERSE_TOPOLOGY(X)

#define UNIVERSE_LAYER(X)                                                                                                                  \
    X(Init)                                                                                                                                \
    X(Init_thread)                                                                                                                         \
    X(Finalize)                                                                                                                            \
    X(Abort)

#define UNIVERSE_COMMUNICATOR(X)                                                                                                           \
    X(Comm_call_errhandler)                                                                                                                \
    X(Comm_compare)                                                                                                                        \
    X(Comm_create)                                                                                                                         \
    X(Comm_create_errhandler)                                                                                                              \
    X(Comm_create_from_group)                                                                                                              \
    X(Comm_create_group)                                                                                                                   \
    X(Comm_create_keyval)                                                                                                                  \
    X(Comm_delete_attr)                                                                                                                    \
    X(Comm_disconnect)                                                                                                                     \
    X(Comm_dup)                                                                                                                            \
    X(Comm_dup_with_info)                                                                                                                  \
    X(Comm_free)                                                                                                                           \
    X(Comm_free_keyval)                                                                                                                    \
    X(Comm_get_attr)                                                                                                                       \
    X(Comm_get_errhandler)                                                                                                                 \
    X(Comm_get_info)                                                                                                                       \
    X(Comm_get_name)                                                                                                                       \
    X(Comm_group)                                                                                                                          \
    X(Comm_idup)                                                                                                                           \
    X(Comm_idup_with_info)                                                                                                                 \
    X(Comm_rank)                                                                                                                           \
    X(Comm_remote_group)                                                                                                                   \
    X(Comm_remote_size)                                                                                                                    \
    X(Comm_set_attr)                                                                                                                       \
    X(Comm_set_errhandler)                                                                                                                 \
    X(Comm_set_info)                                                                                                                       \
    X(Comm_set_name)                                                                                                                       \
    X(Comm_size)                                                                                                                           \
    X(Comm_split)                                                                                                                          \
    X(Comm_split_type)                                                                                                                     \
    X(Comm_test_inter)                                                                                                                     \
    X(Errhandler_free)                                                                                                                     \
    X(File_get_group)                                                                                                                      \
    X(Group_compare)                                                                                                                       \
    X(Group_difference)                                                                                                                    \
    X(Group_excl)                                                                                                                          \
    X(Group_free)                                                                                                                          \
    X(Group_from_session_pset)                                                                                                             \
    X(Group_incl)                                                                                                                          \
    X(Group_intersection)                                                                                                                  \
    X(Group_range_excl)                                                                                                                    \
    X(Group_range_incl)                                                                                                                    \
    X(Group_rank)                                                                                                                          \
    X(Group_size)                                                                                                                          \
    X(Group_translate_ranks)                                                                                                               \
    X(Group_union)                                                                                                                         \
    X(Intercomm_create)                                                                                                                    \
    X(Intercomm_create_from_groups)                                                                                                        \
    X(Win_get_group)                                                                                                                       \
    X(Win_post)                                                                                                                            \
    X(Win_start)

#define UNIVERSE_MESSAGE(X)                                                                                                                \
    X(Send) X(Send_c) X(Rsend) X(Rsend_c) X(Bsend) X(Bsend_c) X(Ssend) X(Ssend_c) X(Isend) X(Isend_c) X(Irsend) X(Irsend_c) X(Ibsend)      \
    X(Ibsend_c) X(Issend) X(Issend_c) X(Send_init) X(Send_init_c) X(Rsend_init) X(Rsend_init_c) X(Bsend_init) X(Bsend_init_c)              \
    X(Ssend_init) X(Ssend_init_c) X(Recv) X(Recv_c) X(Irecv) X(Irecv_c) X(Recv_init) X(Recv_init_c) X(Sendrecv) X(Sendrecv_c)              \
    X(Isendrecv) X(Isendrecv_c) X(Isendrecv_replace) X(Isendrecv_replace_c) X(Psend_init) X(Precv_init) X(Pready) X(Pready_range)         \
    X(Pready_list) X(Parrived) X(Sendrecv_replace) X(Sendrecv_replace_c) X(Probe) X(Iprobe) X(Mprobe) X(Improbe) X(Mrecv) X(Mrecv_c) X(Imrecv) X(Imrecv_c)            \
    X(Buffer_attach) X(Buffer_attach_c) X(Buffer_detach) X(Buffer_detach_c) X(Start) X(Startall) X(Wait) X(Waitall) X(Waitany)             \
    X(Waitsome) X(Test) X(Testall) X(Testany) X(Testsome) X(Request_free) X(Request_get_status) X(Cancel) X(Pack) X(Pack_c) X(Unpack)      \
    X(Unpack_c) X(Pack_size) X(Pack_size_c)

#define UNIVERSE_COLLECTIVE(X)                                                                                                             \
    X(Barrier) X(Ibarrier) X(Barrier_init)                                                                                                 \
    X(Bcast) X(Ibcast) X(Bcast_init) X(Bcast_c) X(Ibcast_c) X(Bcast_init_c)                                                                \
    X(Reduce) X(Ireduce) X(Reduce_init) X(Reduce_c) X(Ireduce_c) X(Reduce_init_c)                                                          \
    X(Allreduce) X(Iallreduce) X(Allreduce_init) X(Allreduce_c) X(Iallreduce_c) X(Allreduce_init_c)                                        \
    X(Reduce_scatter) X(Ireduce_scatter) X(Reduce_scatter_init) X(Reduce_scatter_c) X(Ireduce_scatter_c) X(Reduce_scatter_init_c)          \
    X(Reduce_scatter_block) X(Ireduce_scatter_block) X(Reduce_scatter_block_init)                                                          \
    X(Reduce_scatter_block_c) X(Ireduce_scatter_block_c) X(Reduce_scatter_block_init_c)                                                    \
    X(Scan) X(Iscan) X(Scan_init) X(Scan_c) X(Iscan_c) X(Scan_init_c)                                                                      \
    X(Exscan) X(Iexscan) X(Exscan_init) X(Exscan_c) X(Iexscan_c) X(Exscan_init_c)                                                          \
    X(Gather) X(Igather) X(Gather_init) X(Gather_c) X(Igather_c) X(Gather_init_c)                                                          \
    X(Gatherv) X(Igatherv) X(Gatherv_init) X(Gatherv_c) X(Igatherv_c) X(Gatherv_init_c)                                                    \
    X(Scatter) X(Iscatter) X(Scatter_init) X(Scatter_c) X(Iscatter_c) X(Scatter_init_c)                                                    \
    X(Scatterv) X(Iscatterv) X(Scatterv_init) X(Scatterv_c) X(Iscatterv_c) X(Scatterv_init_c)                                              \
    X(Allgather) X(Iallgather) X(Allgather_init) X(Allgather_c) X(Iallgather_c) X(Allgather_init_c)                                        \
    X(Allgatherv) X(Iallgatherv) X(Allgatherv_init) X(Allgatherv_c) X(Iallgatherv_c) X(Allgatherv_init_c)                                  \
    X(Alltoall) X(Ialltoall) X(Alltoall_init) X(Alltoall_c) X(Ialltoall_c) X(Alltoall_init_c)                                              \
    X(Alltoallv) X(Ialltoallv) X(Alltoallv_init) X(Alltoallv_c) X(Ialltoallv_c) X(Alltoallv_init_c)                                        \
    X(Alltoallw) X(Ialltoallw) X(Alltoallw_init) X(Alltoallw_c) X(Ialltoallw_c) X(Alltoallw_init_c)                                        \
    X(Neighbor_allgather) X(Ineighbor_allgather) X(Neighbor_allgather_init)                                                                \
    X(Neighbor_allgather_c) X(Ineighbor_allgather_c) X(Neighbor_allgather_init_c)                                                          \
    X(Neighbor_allgatherv) X(Ineighbor_allgatherv) X(Neighbor_allgatherv_init)                                                             \
    X(Neighbor_allgatherv_c) X(Ineighbor_allgatherv_c) X(Neighbor_allgatherv_init_c)                                                       \
    X(Neighbor_alltoall) X(Ineighbor_alltoall) X(Neighbor_alltoall_init)                                                                   \
    X(Neighbor_alltoall_c) X(Ineighbor_alltoall_c) X(Neighbor_alltoall_init_c)                                                             \
    X(Neighbor_alltoallv) X(Ineighbor_alltoallv) X(Neighbor_alltoallv_init)                                                                \
    X(Neighbor_alltoallv_c) X(Ineighbor_alltoallv_c) X(Neighbor_alltoallv_init_c)                                                          \
    X(Neighbor_alltoallw) X(Ineighbor_alltoallw) X(Neighbor_alltoallw_init)                                                                \
    X(Neighbor_alltoallw_c) X(Ineighbor_alltoallw_c) X(Neighbor_alltoallw_init_c)                                                          \
    X(Op_free)

#define UNIVERSE_TOPOLOGY(X)                                                                                                               \
    X(Cart_coords)                                                                                                                         \
    X(Cart_create)                                                                                                                         \
    X(Cart_get)                                                                                                                            \
    X(Cart_map)                                                                                                                            \
    X(Cart_rank)                                                                                                                           \
    X(Cart_shift)                                                                                                                          \
    X(Cart_sub)                                                                                                                            \
    X(Cartdim_get)                                                                                                                         \
    X(Dist_graph_create)                                                                                                                   \
    X(Dist_graph_create_adjacent)                                                                                                          \
    X(Dist_graph_neighbors)                                                                                                                \
    X(Dist_graph_neighbors_count)                                                                                                          \
    X(Graph_create)                                                                                                                        \
    X(Graph_get)                                                                                                                           \
    X(Graph_map)                                                                                                                           \
    X(Graph_neighbors)                                                                                                                     \
    X(Graph_neighbors_count)                                                                                                               \
    X(Graphdims_get)                                                                                                                       \
    X(Topo_test)

#endif
