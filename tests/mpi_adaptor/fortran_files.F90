! SPDX-License-Identifier: BSD-3-Clause
! Files: each way to read and write, what is asked about a file, error handlers, a data representation.
#include "fortran_face.h"
module fortran_files
  use fortran_check
  implicit none
  private
  public :: file_cases
  integer, parameter :: offset = MPI_OFFSET_KIND
  integer :: ierr
contains
  subroutine file_cases
    call at_places
    call with_pointers
    call with_shared_pointer
    call asked
    call handled
  end subroutine file_cases

  ! A name that all processes agree on, in the folder of temporary files.
  subroutine file_name(name)
    character(len=*), intent(out) :: name
    integer :: length
    integer(8) :: number
    call get_environment_variable('TMPDIR', name, length)
    if (length == 0) name = '/tmp'
    call system_clock(number)
    call MPI_Bcast(number, 1, MPI_INTEGER8, 0, MPI_COMM_WORLD, ierr)
    write (name(len_trim(name) + 1:), '(a,i0)') '/h3ou-fortran-files-', number
  end subroutine file_name

  subroutine open_file(file)
    HANDLE(MPI_File), intent(out) :: file
    character(len=200) :: name
    call file_name(name)
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
    call call_ok(ierr, 'MPI_File_open')
  end subroutine open_file

  ! What another process has written is there.
  subroutine see_writes(file)
    HANDLE(MPI_File), intent(in) :: file
    call MPI_File_sync(file, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_File_sync(file, ierr)
  end subroutine see_writes

  subroutine at_places
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Request) :: request
    STATUS :: status
    integer, asynchronous :: mine(2), got(2)
    integer :: length
    integer(offset) :: at
    call open_file(file)
    at = 8*me
    mine = [me, 5]
    call MPI_File_write_at_all(file, at, mine, 2, MPI_INTEGER, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, length, ierr)
    call check(length == 2, 'MPI_File_write_at_all')
    call see_writes(file)
    call MPI_File_read_at_all(file, 8_offset*right, got, 2, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call check(got(1) == right .and. got(2) == 5, 'MPI_File_read_at_all')
    mine(1) = me + 10
    call MPI_File_iwrite_at(file, at, mine, 2, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_File_iread_at(file, at, got, 2, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(got(1) == me + 10, 'MPI_File_iread_at')
    mine(1) = me + 20
    call MPI_File_write_at_all_begin(file, at, mine, 2, MPI_INTEGER, ierr)
    call MPI_File_write_at_all_end(file, mine, status, ierr)
    call see_writes(file)
    call MPI_File_read_at_all_begin(file, at, got, 2, MPI_INTEGER, ierr)
    call MPI_File_read_at_all_end(file, got, status, ierr)
    call check(got(1) == me + 20, 'MPI_File_read_at_all_end')
    mine(1) = me + 30
    call MPI_File_iwrite_at_all(file, at, mine, 2, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call see_writes(file)
    call MPI_File_iread_at_all(file, at, got, 2, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(got(1) == me + 30, 'MPI_File_iread_at_all')
    call MPI_File_close(file, ierr)
    call end_case('files_places')
  end subroutine at_places

  subroutine with_pointers
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Request) :: request
    integer, asynchronous :: mine(2), got(2)
    integer(offset) :: place
    call open_file(file)
    call MPI_File_set_view(file, 8_offset*me, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
    mine = [me, 6]
    call MPI_File_write(file, mine, 2, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call MPI_File_get_position(file, place, ierr)
    call check(place == 2, 'MPI_File_get_position')
    call MPI_File_get_byte_offset(file, 1_offset, place, ierr)
    call check(place == 8*me + 4, 'MPI_File_get_byte_offset')
    call MPI_File_seek(file, -1_offset, MPI_SEEK_CUR, ierr)
    call MPI_File_read(file, got, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call check(got(1) == 6, 'MPI_File_read')
    call back
    call MPI_File_read_all(file, got, 2, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call check(got(1) == me, 'MPI_File_read_all')
    call back
    mine(1) = me + 10
    call MPI_File_write_all(file, mine, 2, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call see_writes(file)
    call back
    call MPI_File_iread(file, got, 1, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(got(1) == me + 10, 'MPI_File_iread')
    call MPI_File_iwrite(file, mine(2), 1, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call back
    call MPI_File_read_all_begin(file, got, 2, MPI_INTEGER, ierr)
    call MPI_File_read_all_end(file, got, MPI_STATUS_IGNORE, ierr)
    call check(got(1) == me + 10 .and. got(2) == 6, 'MPI_File_read_all_end')
    call back
    mine(1) = me + 20
    call MPI_File_write_all_begin(file, mine, 2, MPI_INTEGER, ierr)
    call MPI_File_write_all_end(file, mine, MPI_STATUS_IGNORE, ierr)
    call see_writes(file)
    call back
    call MPI_File_iread_all(file, got, 2, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(got(1) == me + 20, 'MPI_File_iread_all')
    call back
    call MPI_File_iwrite_all(file, mine, 2, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call call_ok(ierr, 'MPI_File_iwrite_all')
    call MPI_File_close(file, ierr)
    call end_case('files_pointers')
  contains
    subroutine back
      call MPI_File_seek(file, 0_offset, MPI_SEEK_SET, ierr)
    end subroutine back
  end subroutine with_pointers

  subroutine with_shared_pointer
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Request) :: request
    integer, asynchronous :: mine, got
    integer :: total
    integer(offset) :: place
    call open_file(file)
    mine = me + 1
    call MPI_File_set_view(file, 0_offset, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
    call MPI_File_write_ordered(file, mine, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call MPI_File_get_position_shared(file, place, ierr)
    call check(place == n, 'MPI_File_get_position_shared')
    call go_to(0)
    call MPI_File_read_ordered(file, got, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call check(got == me + 1, 'MPI_File_read_ordered')
    call go_to(0)
    call MPI_File_read_shared(file, got, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call MPI_Allreduce(got, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(total == 10, 'MPI_File_read_shared')
    call MPI_File_write_shared(file, mine, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call go_to(n)
    call MPI_File_iread_shared(file, got, 1, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Allreduce(got, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(total == 10, 'MPI_File_iread_shared')
    call MPI_File_iwrite_shared(file, mine, 1, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_File_write_ordered_begin(file, mine, 1, MPI_INTEGER, ierr)
    call MPI_File_write_ordered_end(file, mine, MPI_STATUS_IGNORE, ierr)
    call go_to(3*n)
    call MPI_File_read_ordered_begin(file, got, 1, MPI_INTEGER, ierr)
    call MPI_File_read_ordered_end(file, got, MPI_STATUS_IGNORE, ierr)
    call check(got == me + 1, 'MPI_File_read_ordered_end')
    call MPI_File_close(file, ierr)
    call end_case('files_shared')
  contains
    subroutine go_to(element)
      integer, intent(in) :: element
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
      call MPI_File_seek_shared(file, int(element, offset), MPI_SEEK_SET, ierr)
    end subroutine go_to
  end subroutine with_shared_pointer

  subroutine asked
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Group) :: group
    HANDLE(MPI_Info) :: info
    integer :: mode, length
    integer(offset) :: size
    integer(MPI_ADDRESS_KIND) :: extent
    logical :: flag
    call open_file(file)
    call MPI_File_get_amode(file, mode, ierr)
    call check(mode == MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, 'MPI_File_get_amode')
    call MPI_File_get_group(file, group, ierr)
    call MPI_Group_size(group, length, ierr)
    call check(length == n, 'MPI_File_get_group')
    call MPI_Group_free(group, ierr)
    call MPI_File_set_size(file, 100_offset, ierr)
    call MPI_File_get_size(file, size, ierr)
    call check(size == 100, 'MPI_File_set_size')
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_File_preallocate(file, 200_offset, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_File_get_size(file, size, ierr)
    call check(size == 200, 'MPI_File_preallocate')
    call MPI_File_get_info(file, info, ierr)
    call MPI_File_set_info(file, info, ierr)
    call call_ok(ierr, 'MPI_File_set_info')
    call MPI_Info_free(info, ierr)
    call MPI_File_set_atomicity(file, .false., ierr)
    flag = .true.
    call MPI_File_get_atomicity(file, flag, ierr)
    call check(.not. flag, 'MPI_File_get_atomicity')
    call MPI_File_get_type_extent(file, MPI_INTEGER, extent, ierr)
    call check(extent == 4, 'MPI_File_get_type_extent')
    call MPI_File_close(file, ierr)
    call MPI_File_delete('/no/such/file', MPI_INFO_NULL, ierr)
    call MPI_Error_class(ierr, mode, length)
    call check(mode == MPI_ERR_NO_SUCH_FILE, 'MPI_File_delete')
    call end_case('files_asked')
  end subroutine asked

  subroutine on_file(file, code)
    HANDLE(MPI_File) :: file
    integer :: code
    calls = calls + merge(1, 1000, file /= MPI_FILE_NULL)
    call MPI_Error_class(code, seen, ierr)
  end subroutine on_file

  subroutine extent_in_file(type, extent, extra, ierror)
    HANDLE(MPI_Datatype) :: type
    integer(MPI_ADDRESS_KIND) :: extent, extra
    integer :: ierror
    extent = 8 + 0*extra
    ierror = merge(MPI_SUCCESS, MPI_ERR_TYPE, type /= MPI_DATATYPE_NULL)
  end subroutine extent_in_file

  subroutine handled
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Errhandler) :: handler, got
    integer :: class, other
#ifndef WITH_F08
    external :: MPI_CONVERSION_FN_NULL
#endif
    call open_file(file)
    call MPI_File_create_errhandler(on_file, handler, ierr)
    call MPI_File_set_errhandler(file, handler, ierr)
    call MPI_File_get_errhandler(file, got, ierr)
    call check(got == handler, 'MPI_File_get_errhandler')
    calls = 0
    call MPI_File_call_errhandler(file, MPI_ERR_IO, ierr)
    call check(calls == 1 .and. seen == MPI_ERR_IO, 'MPI_File_call_errhandler')
    call MPI_Errhandler_free(handler, ierr)
    call MPI_File_close(file, ierr)
#ifndef WITH_F08
    ! OMPIO always returns MPI_ERR_OTHER.
    call MPI_Register_datarep('h3ou fortran', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_in_file, 0_MPI_ADDRESS_KIND, ierr)
    call MPI_Error_class(ierr, class, other)
    call check(class == MPI_SUCCESS .or. class == MPI_ERR_OTHER, 'MPI_Register_datarep')
    call MPI_Register_datarep('h3ou fortran', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_in_file, 0_MPI_ADDRESS_KIND, ierr)
    call MPI_Error_class(ierr, class, other)
    call check(class == MPI_ERR_DUP_DATAREP .or. class == MPI_ERR_OTHER, 'MPI_Register_datarep again')
#endif
    call end_case('files_handled')
  end subroutine handled
end module fortran_files
