! SPDX-License-Identifier: BSD-3-Clause
! Groups, communicators, topologies, infos, errors, and what a program asks about MPI.
#include "fortran_face.h"
module fortran_groups
  use fortran_check
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  private
  public :: group_cases
  integer :: ierr
contains
  subroutine group_cases
    call groups
    call communicators
    call topologies
    call infos
    call errors
    call environment
#ifndef WITH_F08
    call deprecated
#endif
  end subroutine group_cases

  subroutine groups
    HANDLE(MPI_Group) :: world, even, odd, both, part, rest, turned
    integer :: compared, length, ranges(3, 1), got(n)
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    call MPI_Group_incl(world, 2, [0, 2], even, ierr)
    call MPI_Group_excl(world, 2, [0, 2], odd, ierr)
    call MPI_Group_union(even, odd, both, ierr)
    call MPI_Group_intersection(both, even, part, ierr)
    call MPI_Group_difference(both, even, rest, ierr)
    call MPI_Group_compare(part, even, compared, ierr)
    call check(compared == MPI_IDENT, 'MPI_Group_intersection')
    call MPI_Group_compare(rest, odd, compared, ierr)
    call check(compared == MPI_IDENT, 'MPI_Group_difference')
    call MPI_Group_free(part, ierr)
    ranges(:, 1) = [3, 0, -1]
    call MPI_Group_range_incl(world, 1, ranges, turned, ierr)
    call MPI_Group_compare(turned, world, compared, ierr)
    call check(compared == MPI_SIMILAR, 'MPI_Group_range_incl')
    ranges(:, 1) = [1, 3, 2]
    call MPI_Group_range_excl(world, 1, ranges, part, ierr)
    call MPI_Group_compare(part, even, compared, ierr)
    call check(compared == MPI_IDENT, 'MPI_Group_range_excl')
    call MPI_Group_translate_ranks(world, n, [0, 1, 2, 3], odd, got, ierr)
    call check(got(1) == MPI_UNDEFINED .and. got(2) == 0 .and. got(4) == 1, 'MPI_Group_translate_ranks')
    call MPI_Group_size(MPI_GROUP_EMPTY, length, ierr)
    call check(length == 0, 'MPI_GROUP_EMPTY')
    call MPI_Group_free(world, ierr)
    call MPI_Group_free(even, ierr)
    call MPI_Group_free(odd, ierr)
    call MPI_Group_free(both, ierr)
    call MPI_Group_free(part, ierr)
    call MPI_Group_free(rest, ierr)
    call MPI_Group_free(turned, ierr)
    call check(turned == MPI_GROUP_NULL, 'MPI_Group_free')
    call end_case('groups_made')
  end subroutine groups

  subroutine communicators
    HANDLE(MPI_Comm) :: copy, half, node, inter, merged, other
    HANDLE(MPI_Group) :: world, odd
    HANDLE(MPI_Info) :: info
    HANDLE(MPI_Request) :: request
    integer :: rank, length, total
    call MPI_Info_create(info, ierr)
    call MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, copy, ierr)
    call MPI_Comm_set_info(copy, info, ierr)
    call MPI_Info_free(info, ierr)
    call MPI_Comm_get_info(copy, info, ierr)
    call check(ierr == MPI_SUCCESS .and. info /= MPI_INFO_NULL, 'MPI_Comm_get_info')
    call MPI_Info_free(info, ierr)
    call MPI_Comm_group(copy, world, ierr)
    call MPI_Group_incl(world, 2, [3, 1], odd, ierr)
    call MPI_Comm_create(copy, odd, other, ierr)
    call check((other == MPI_COMM_NULL) .eqv. modulo(me, 2) == 0, 'MPI_Comm_create')
    if (modulo(me, 2) == 1) then
      call MPI_Comm_free(other, ierr)
      call MPI_Comm_create_group(copy, odd, 4, other, ierr)
      call MPI_Comm_rank(other, rank, ierr)
      call check(rank == merge(0, 1, me == 3), 'MPI_Comm_create_group')
      call MPI_Comm_free(other, ierr)
    end if
    call MPI_Group_free(odd, ierr)
    call MPI_Group_free(world, ierr)
    call MPI_Comm_split_type(copy, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node, ierr)
    call MPI_Comm_size(node, length, ierr)
    call check(length == n, 'MPI_Comm_split_type')
    call MPI_Comm_idup(node, other, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Allreduce(me, total, 1, MPI_INTEGER, MPI_SUM, other, ierr)
    call check(total == 6, 'MPI_Comm_idup')
    call MPI_Comm_disconnect(other, ierr)
    call check(other == MPI_COMM_NULL, 'MPI_Comm_disconnect')
    call MPI_Comm_free(node, ierr)
    call MPI_Comm_split(copy, me/2, me, half, ierr)
    call MPI_Intercomm_create(half, 0, copy, 2 - 2*(me/2), 3, inter, ierr)
    call MPI_Comm_remote_size(inter, length, ierr)
    call check(length == 2, 'MPI_Comm_remote_size')
    call MPI_Comm_remote_group(inter, world, ierr)
    call MPI_Group_size(world, length, ierr)
    call check(length == 2, 'MPI_Comm_remote_group')
    call MPI_Group_free(world, ierr)
    call MPI_Intercomm_merge(inter, me < 2, merged, ierr)
    call MPI_Comm_rank(merged, rank, ierr)
    call check(rank == modulo(me + 2, n), 'MPI_Intercomm_merge')
    call MPI_Comm_free(merged, ierr)
    call MPI_Comm_free(inter, ierr)
    call MPI_Comm_free(half, ierr)
    call MPI_Comm_free(copy, ierr)
    call MPI_Comm_get_parent(other, ierr)
    call check(other == MPI_COMM_NULL, 'MPI_Comm_get_parent')
    call end_case('groups_communicators')
  end subroutine communicators

  subroutine topologies
    HANDLE(MPI_Comm) :: grid, row, graph
    integer :: kind_of, length, rank, coords(2), nodes, edges, indices(n), got(6), near(2), in, out
    integer :: sources(2), targets(2), source_weights(2), target_weights(2)
    logical :: flag
    call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 2], [.true., .false.], .false., grid, ierr)
    call MPI_Topo_test(grid, kind_of, ierr)
    call MPI_Cartdim_get(grid, length, ierr)
    call check(kind_of == MPI_CART .and. length == 2, 'MPI_Topo_test')
    call MPI_Cart_coords(grid, 3, 2, coords, ierr)
    call check(all(coords == 1), 'MPI_Cart_coords')
    call MPI_Cart_rank(grid, [3, 0], rank, ierr)
    call check(rank == 2, 'MPI_Cart_rank')
    call MPI_Cart_sub(grid, [.false., .true.], row, ierr)
    call MPI_Comm_size(row, length, ierr)
    call MPI_Comm_rank(row, rank, ierr)
    call check(length == 2 .and. rank == modulo(me, 2), 'MPI_Cart_sub')
    call MPI_Comm_free(row, ierr)
    call MPI_Comm_free(grid, ierr)
    call MPI_Cart_map(MPI_COMM_WORLD, 2, [2, 2], [.false., .false.], rank, ierr)
    call check(rank >= 0 .and. rank < n, 'MPI_Cart_map')
    call MPI_Graph_create(MPI_COMM_WORLD, n, [1, 3, 5, 6], [1, 0, 2, 1, 3, 2], .false., graph, ierr)
    call MPI_Graphdims_get(graph, nodes, edges, ierr)
    call check(nodes == n .and. edges == 6, 'MPI_Graphdims_get')
    call MPI_Graph_get(graph, n, 6, indices, got, ierr)
    call check(indices(4) == 6 .and. got(3) == 2, 'MPI_Graph_get')
    call MPI_Graph_neighbors_count(graph, 1, length, ierr)
    call MPI_Graph_neighbors(graph, 1, 2, near, ierr)
    call check(length == 2 .and. near(1) == 0 .and. near(2) == 2, 'MPI_Graph_neighbors')
    call MPI_Comm_free(graph, ierr)
    call MPI_Graph_map(MPI_COMM_WORLD, n, [1, 3, 5, 6], [1, 0, 2, 1, 3, 2], rank, ierr)
    call check(rank >= 0 .and. rank < n, 'MPI_Graph_map')
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [me], [1], [right], [7 + me], MPI_INFO_NULL, .false., graph, ierr)
    call MPI_Dist_graph_neighbors_count(graph, in, out, flag, ierr)
    call check(in == 1 .and. out == 1 .and. flag, 'MPI_Dist_graph_create')
    call MPI_Dist_graph_neighbors(graph, 1, sources, source_weights, 1, targets, target_weights, ierr)
    call check(sources(1) == left .and. source_weights(1) == 7 + left .and. targets(1) == right .and. target_weights(1) == 7 + me, 'MPI_Dist_graph_neighbors')
    call MPI_Comm_free(graph, ierr)
    call end_case('groups_topologies')
  end subroutine topologies

  subroutine infos
    HANDLE(MPI_Info) :: info, copy
    integer :: length
    logical :: flag
    character(len=20) :: value
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, 'first', 'a value', ierr)
    call MPI_Info_set(info, 'second', 'another', ierr)
    call MPI_Info_get_nkeys(info, length, ierr)
    call check(length == 2, 'MPI_Info_get_nkeys')
    call MPI_Info_get_valuelen(info, 'first', length, flag, ierr)
    call check(flag .and. length == 7, 'MPI_Info_get_valuelen')
    call MPI_Info_dup(info, copy, ierr)
    call MPI_Info_delete(info, 'second', ierr)
    call MPI_Info_get(info, 'second', 20, value, flag, ierr)
    call check(.not. flag, 'MPI_Info_delete')
    call MPI_Info_get(copy, 'second', 20, value, flag, ierr)
    call check(flag .and. value == 'another', 'MPI_Info_dup')
    call MPI_Info_free(info, ierr)
    call MPI_Info_free(copy, ierr)
    call end_case('groups_infos')
  end subroutine infos

  subroutine on_comm(comm, code)
    HANDLE(MPI_Comm) :: comm
    integer :: code
    calls = calls + merge(1, 1000, comm /= MPI_COMM_NULL)
    call MPI_Error_class(code, seen, ierr)
  end subroutine on_comm

  subroutine errors
    integer :: class, code, got
    character(len=MPI_MAX_ERROR_STRING) :: text
    HANDLE(MPI_Comm) :: copy
    HANDLE(MPI_Errhandler) :: handler
    call MPI_Add_error_class(class, ierr)
    call MPI_Add_error_code(class, code, ierr)
    call MPI_Add_error_string(code, 'an error of the cases', ierr)
    call MPI_Error_string(code, text, got, ierr)
    call check(text == 'an error of the cases' .and. got == 21, 'MPI_Add_error_string')
    call MPI_Error_class(code, got, ierr)
    call check(got == class .and. class > MPI_ERR_LASTCODE, 'MPI_Add_error_code')
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Comm_create_errhandler(on_comm, handler, ierr)
    call MPI_Comm_set_errhandler(copy, handler, ierr)
    calls = 0
    call MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER, ierr)
    call check(calls == 1 .and. seen == MPI_ERR_OTHER, 'MPI_Comm_call_errhandler')
    call MPI_Comm_call_errhandler(copy, code, ierr)
    call check(calls == 2 .and. seen == class, 'handler with a code of the program')
    call MPI_Errhandler_free(handler, ierr)
    call MPI_Comm_free(copy, ierr)
    call end_case('groups_errors')
  end subroutine errors

  subroutine environment
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: text
    integer :: length, version, minor, level
    logical :: flag
    type(c_ptr) :: base
    integer, pointer :: memory(:)
    call MPI_Get_version(version, minor, ierr)
    call MPI_Get_library_version(text, length, ierr)
    call check(version >= 3 .and. minor >= 0 .and. length >= len_trim(text) .and. len_trim(text) > 0, 'MPI_Get_version')
    call MPI_Query_thread(level, ierr)
    call MPI_Is_thread_main(flag, ierr)
    call check(level >= MPI_THREAD_SINGLE .and. level <= MPI_THREAD_MULTIPLE .and. flag, 'MPI_Query_thread')
    call MPI_Finalized(flag, ierr)
    call check(.not. flag, 'MPI_Finalized')
    call MPI_Pcontrol(1)
    call MPI_Alloc_mem(400_MPI_ADDRESS_KIND, MPI_INFO_NULL, base, ierr)
    call c_f_pointer(base, memory, [100])
    memory(100) = me
    call check(memory(100) == me, 'MPI_Alloc_mem')
    call MPI_Free_mem(memory, ierr)
    call call_ok(ierr, 'MPI_Free_mem')
#ifdef WITH_F08
    call MPI_F_sync_reg(memory)
#endif
    call end_case('groups_environment')
  end subroutine environment

#ifndef WITH_F08
  subroutine copy_old(comm, key, extra, in, out, flag, ierror)
    integer :: comm, key, extra, in, out, ierror
    logical :: flag
    calls = calls + 1
    out = in + extra + 0*(comm + key)
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine copy_old

  subroutine delete_old(comm, key, value, extra, ierror)
    integer :: comm, key, value, extra, ierror
    calls = calls + 100 + 0*(comm + key + value + extra)
    ierror = MPI_SUCCESS
  end subroutine delete_old

  subroutine deprecated
    integer :: key, value, copy, again, handler, got
    logical :: flag
    external :: MPI_Errhandler_create, MPI_Errhandler_get, MPI_Errhandler_set
    calls = 0
    call MPI_Keyval_create(copy_old, delete_old, key, 5, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Attr_put(copy, key, 12, ierr)
    call MPI_Comm_dup(copy, again, ierr)
    call MPI_Attr_get(again, key, value, flag, ierr)
    call check(calls == 1 .and. flag .and. value == 17, 'MPI_Attr_get')
    call MPI_Attr_delete(again, key, ierr)
    call MPI_Attr_get(again, key, value, flag, ierr)
    call check(calls == 101 .and. .not. flag, 'MPI_Attr_delete')
    call MPI_Comm_free(again, ierr)
    call MPI_Keyval_free(key, ierr)
    call check(key == MPI_KEYVAL_INVALID, 'MPI_Keyval_free')
    call MPI_Errhandler_create(on_comm, handler, ierr)
    call MPI_Errhandler_set(copy, handler, ierr)
    call MPI_Errhandler_get(copy, got, ierr)
    call check(got == handler, 'MPI_Errhandler_get')
    calls = 0
    call MPI_Send(me, 1, MPI_INTEGER, 99, 0, copy, ierr)
    call check(calls == 1 .and. seen == MPI_ERR_RANK, 'MPI_Errhandler_set')
    call MPI_Errhandler_free(handler, ierr)
    call MPI_Comm_free(copy, ierr)
    call end_case('groups_deprecated')
  end subroutine deprecated
#endif
end module fortran_groups
