! SPDX-License-Identifier: BSD-3-Clause
! Types: what each constructor makes, their names and attributes.
#include "fortran_face.h"
module fortran_types
  use fortran_check
  implicit none
  private
  public :: type_cases
  integer, parameter :: aint = MPI_ADDRESS_KIND
  integer :: ierr
contains
  subroutine type_cases
    call constructors
    call structures
    call names_and_sizes
    call attributes
#ifndef WITH_F08
    call removed
#endif
  end subroutine type_cases

  ! Sends the numbers 0 to 23 as one value of the type, compares what comes, and frees the type.
  subroutine check_values(type, expected, what)
    HANDLE(MPI_Datatype), intent(inout) :: type
    integer, intent(in) :: expected(:)
    character(len=*), intent(in) :: what
    integer :: mine(0:23), got(24), i, length
    STATUS :: status
    mine = [(i, i = 0, 23)]
    got = -1
    call MPI_Type_commit(type, ierr)
    call MPI_Sendrecv(mine, 1, type, right, 3, got, 24, MPI_INTEGER, left, 3, MPI_COMM_WORLD, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, length, ierr)
    call check(length == size(expected), what//': length')
    if (length == size(expected)) call check(all(got(:length) == expected), what)
    call MPI_Type_free(type, ierr)
    call check(type == MPI_DATATYPE_NULL, what//': free')
  end subroutine check_values

  subroutine constructors
    HANDLE(MPI_Datatype) :: type, inner
    integer(aint) :: lower, extent
    integer(MPI_COUNT_KIND) :: long_lower, long_extent
    call MPI_Type_contiguous(3, MPI_INTEGER, type, ierr)
    call check_values(type, [0, 1, 2], 'MPI_Type_contiguous')
    call MPI_Type_vector(3, 2, 4, MPI_INTEGER, type, ierr)
    call check_values(type, [0, 1, 4, 5, 8, 9], 'MPI_Type_vector')
    call MPI_Type_create_hvector(2, 1, 20_aint, MPI_INTEGER, type, ierr)
    call check_values(type, [0, 5], 'MPI_Type_create_hvector')
    call MPI_Type_indexed(3, [1, 2, 1], [5, 0, 8], MPI_INTEGER, type, ierr)
    call check_values(type, [5, 0, 1, 8], 'MPI_Type_indexed')
    call MPI_Type_create_hindexed(3, [1, 2, 1], [20_aint, 0_aint, 32_aint], MPI_INTEGER, type, ierr)
    call check_values(type, [5, 0, 1, 8], 'MPI_Type_create_hindexed')
    call MPI_Type_create_indexed_block(3, 2, [5, 0, 8], MPI_INTEGER, type, ierr)
    call check_values(type, [5, 6, 0, 1, 8, 9], 'MPI_Type_create_indexed_block')
    call MPI_Type_create_hindexed_block(3, 1, [20_aint, 0_aint, 32_aint], MPI_INTEGER, type, ierr)
    call check_values(type, [5, 0, 8], 'MPI_Type_create_hindexed_block')
    call MPI_Type_create_subarray(2, [4, 6], [2, 3], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierr)
    call check_values(type, [9, 10, 13, 14, 17, 18], 'MPI_Type_create_subarray')
    call MPI_Type_create_darray(2, 1, 1, [8], [MPI_DISTRIBUTE_CYCLIC], [2], [2], MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierr)
    call check_values(type, [2, 3, 6, 7], 'MPI_Type_create_darray')
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, inner, ierr)
    call MPI_Type_create_resized(inner, -4_aint, 20_aint, type, ierr)
    call MPI_Type_free(inner, ierr)
    call MPI_Type_get_extent(type, lower, extent, ierr)
    call check(lower == -4 .and. extent == 20, 'MPI_Type_create_resized')
    call MPI_Type_get_true_extent(type, lower, extent, ierr)
    call check(lower == 0 .and. extent == 12, 'MPI_Type_get_true_extent')
    call MPI_Type_get_extent_x(type, long_lower, long_extent, ierr)
    call check(long_lower == -4 .and. long_extent == 20, 'MPI_Type_get_extent_x')
    call MPI_Type_get_true_extent_x(type, long_lower, long_extent, ierr)
    call check(long_lower == 0 .and. long_extent == 12, 'MPI_Type_get_true_extent_x')
    call MPI_Type_dup(type, inner, ierr)
    call MPI_Type_free(type, ierr)
    call MPI_Type_size_x(inner, long_extent, ierr)
    call check(long_extent == 8, 'MPI_Type_dup and MPI_Type_size_x')
    call MPI_Type_free(inner, ierr)
    call end_case('types_constructors')
  end subroutine constructors

  subroutine structures
    HANDLE(MPI_Datatype) :: type, pair(2), got_types(2)
    integer :: ni, na, nt, combiner, numbers(3), length
    integer(aint) :: places(2)
    pair(1) = MPI_DOUBLE_PRECISION
    pair(2) = MPI_INTEGER
    call MPI_Type_create_struct(2, [1, 3], [0_aint, 8_aint], pair, type, ierr)
    call MPI_Type_get_envelope(type, ni, na, nt, combiner, ierr)
    call check(ni == 3 .and. na == 2 .and. nt == 2 .and. combiner == MPI_COMBINER_STRUCT, 'MPI_Type_get_envelope')
    call MPI_Type_get_contents(type, 3, 2, 2, numbers, places, got_types, ierr)
    call check(numbers(3) == 3 .and. places(2) == 8 .and. got_types(1) == MPI_DOUBLE_PRECISION .and. got_types(2) == MPI_INTEGER, 'MPI_Type_get_contents')
    call MPI_Type_size(type, length, ierr)
    call check(length == 20, 'MPI_Type_create_struct')
    call MPI_Type_free(type, ierr)
    call end_case('types_structures')
  end subroutine structures

  subroutine names_and_sizes
    HANDLE(MPI_Datatype) :: type
    character(len=MPI_MAX_OBJECT_NAME) :: name
    integer :: length
    integer(aint) :: a, b
    integer, target :: pair(2)
#ifdef WITH_HEADER
    integer(aint), external :: MPI_Aint_add, MPI_Aint_diff
#endif
    call MPI_Type_contiguous(2, MPI_REAL, type, ierr)
    call MPI_Type_set_name(type, 'two reals', ierr)
    call MPI_Type_get_name(type, name, length, ierr)
    call check(name == 'two reals' .and. length == 9, 'MPI_Type_set_name')
    call MPI_Type_free(type, ierr)
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, type, ierr)
    call MPI_Type_size(type, length, ierr)
    call check(length == 8, 'MPI_Type_match_size')
    call MPI_Type_create_f90_integer(9, type, ierr)
    call MPI_Type_size(type, length, ierr)
    call check(length == 4, 'MPI_Type_create_f90_integer')
    call MPI_Type_create_f90_complex(12, MPI_UNDEFINED, type, ierr)
    call MPI_Type_size(type, length, ierr)
    call check(length == 16, 'MPI_Type_create_f90_complex')
    call MPI_Type_create_f90_real(6, MPI_UNDEFINED, type, ierr)
    call MPI_Type_size(type, length, ierr)
    call check(length == 4, 'MPI_Type_create_f90_real')
    call MPI_Get_address(pair(1), a, ierr)
    call MPI_Get_address(pair(2), b, ierr)
    call check(MPI_Aint_diff(b, a) == 4 .and. MPI_Aint_add(a, 4_aint) == b, 'MPI_Aint_diff')
    call end_case('types_names')
  end subroutine names_and_sizes

  subroutine copy_value(type, key, extra, in, out, flag, ierror)
    HANDLE(MPI_Datatype) :: type
    integer :: key, ierror
    integer(aint) :: extra, in, out
    logical :: flag
    calls = calls + 1
    out = in + extra
    flag = .true.
    ierror = MPI_SUCCESS
    if (type == MPI_DATATYPE_NULL .or. key == MPI_KEYVAL_INVALID) ierror = MPI_ERR_OTHER
  end subroutine copy_value

  subroutine delete_value(type, key, value, extra, ierror)
    HANDLE(MPI_Datatype) :: type
    integer :: key, ierror
    integer(aint) :: value, extra
    ! Open MPI 4.1.4 passes a null type.
    calls = calls + merge(100, 1000, extra == 5 .and. value >= 3000000000_aint)
    ierror = merge(MPI_SUCCESS, MPI_ERR_OTHER, key /= MPI_KEYVAL_INVALID)
  end subroutine delete_value

  subroutine attributes
    HANDLE(MPI_Datatype) :: type, copy
    integer :: key, plain
    integer(aint) :: value
    logical :: flag
    call MPI_Type_create_keyval(copy_value, delete_value, key, 5_aint, ierr)
    call call_ok(ierr, 'MPI_Type_create_keyval')
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, plain, 0_aint, ierr)
    call MPI_Type_contiguous(2, MPI_REAL, type, ierr)
    call MPI_Type_set_attr(type, key, 3000000000_aint, ierr)
    call MPI_Type_set_attr(type, plain, 12_aint, ierr)
    calls = 0
    call MPI_Type_dup(type, copy, ierr)
    call MPI_Type_get_attr(copy, key, value, flag, ierr)
    call check(calls == 1 .and. flag .and. value == 3000000005_aint, 'value of a type that was copied')
    call MPI_Type_get_attr(copy, plain, value, flag, ierr)
    call check(flag .and. value == 12, 'value copied by MPI_TYPE_DUP_FN')
    call MPI_Type_delete_attr(copy, key, ierr)
    call MPI_Type_get_attr(copy, key, value, flag, ierr)
    call check(calls == 101 .and. .not. flag, 'MPI_Type_delete_attr')
    call MPI_Type_free(copy, ierr)
    call MPI_Type_free(type, ierr)
    call check(calls == 201, 'deleted with the type')
    call MPI_Type_free_keyval(key, ierr)
    call MPI_Type_free_keyval(plain, ierr)
    call check(key == MPI_KEYVAL_INVALID, 'MPI_Type_free_keyval')
    call end_case('types_attributes')
  end subroutine attributes

#ifndef WITH_F08
  subroutine removed
    integer :: type, a, b, extent
    integer, target :: pair(2)
    external :: MPI_Address, MPI_Type_extent, MPI_Type_hindexed, MPI_Type_hvector, MPI_Type_lb, MPI_Type_struct, MPI_Type_ub
    call MPI_Address(pair(1), a, ierr)
    call MPI_Address(pair(2), b, ierr)
    call check(ierr /= MPI_SUCCESS .or. b - a == 4, 'MPI_Address') ! addresses of 64 bits have no place in an INTEGER
    call MPI_Type_hvector(2, 1, 20, MPI_INTEGER, type, ierr)
    call MPI_Type_extent(type, extent, ierr)
    call MPI_Type_lb(type, a, ierr)
    call MPI_Type_ub(type, b, ierr)
    call check(extent == 24 .and. a == 0 .and. b == 24, 'MPI_Type_hvector')
    call check_values(type, [0, 5], 'MPI_Type_hvector')
    call MPI_Type_hindexed(2, [1, 2], [20, 0], MPI_INTEGER, type, ierr)
    call check_values(type, [5, 0, 1], 'MPI_Type_hindexed')
    call MPI_Type_struct(2, [1, 2], [4, 16], [MPI_INTEGER, MPI_INTEGER], type, ierr)
    call check_values(type, [1, 4, 5], 'MPI_Type_struct')
    call end_case('types_removed')
  end subroutine removed
#endif
end module fortran_types
