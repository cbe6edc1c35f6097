! SPDX-License-Identifier: BSD-3-Clause
!> The processes: starts MPI, keeps the last processes of the world as servers that write the log, and gives the model the
!> communicator of the others. Nothing here knows of a coupler.
module mod_prc
  use mpi
  implicit none
  private
  public :: PRC_start, PRC_log, PRC_serve, PRC_finish, PRC_stop

  integer, public :: PRC_comm = MPI_COMM_NULL !< of the model, or of the servers
  integer, public :: PRC_me = 0               !< my number in it, from 1
  integer, public :: PRC_nprocs = 0           !< processes of the model
  logical, public :: PRC_is_server = .false.
  integer, parameter :: length = 120, tag = 7
  integer :: nserver

contains

  !> servers: 0, or 1.
  subroutine PRC_start(servers)
    integer, intent(in) :: servers
    integer :: world, rank, ierr
    call MPI_Init(ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, world, ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    nserver = servers
    PRC_nprocs = world - nserver
    PRC_is_server = rank >= PRC_nprocs
    call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, PRC_is_server), rank, PRC_comm, ierr)
    call MPI_Comm_rank(PRC_comm, rank, ierr)
    PRC_me = rank + 1
  end subroutine

  !> A line for the log. Called by every process of the model; the first one's text is written.
  subroutine PRC_log(text)
    character(*), intent(in) :: text
    character(length) :: line
    integer :: ierr
    if (PRC_me /= 1) return
    line = text
    if (nserver == 0) then
      if (len_trim(line) > 0) write (*, '(a)') trim(line)
    else
      call MPI_Send(line, length, MPI_CHARACTER, PRC_nprocs, tag, MPI_COMM_WORLD, ierr)
    end if
  end subroutine

  !> The server's whole work: writes lines to a file until an empty one comes.
  subroutine PRC_serve(file)
    character(*), intent(in) :: file
    character(length) :: line
    integer :: unit, ierr
    open (newunit=unit, file=file, action='write', status='replace')
    do
      call MPI_Recv(line, length, MPI_CHARACTER, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      if (len_trim(line) == 0) exit
      write (unit, '(a)') trim(line)
      flush (unit)
    end do
    close (unit)
  end subroutine

  subroutine PRC_finish()
    integer :: ierr
    if (.not. PRC_is_server) call PRC_log('')
    call MPI_Finalize(ierr)
  end subroutine

  !> The error exit, from any process at any time: ends all processes.
  subroutine PRC_stop(text)
    use, intrinsic :: iso_fortran_env, only: error_unit
    character(*), intent(in) :: text
    integer :: ierr
    write (error_unit, '(a,i0,2a)') 'nicam: process ', PRC_me, ': ', trim(text)
    flush (error_unit)
    call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    error stop 1
  end subroutine

end module mod_prc
