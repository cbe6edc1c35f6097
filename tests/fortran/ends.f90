! SPDX-License-Identifier: BSD-3-Clause
!> A program that calls MPI_Init itself, before h3ou_init, and how it ends after h3ou_coupling_end without its flag:
!>
!>   ends A|B CONFIG itself|left|fails
!>
!> itself: it calls MPI_Finalize; left: it leaves that to the library; fails: it ends with status 3.
program ends
  use h3ou_api
  use mpi
  implicit none
  character(64) :: me, how
  character(400) :: config
  integer :: ierr, total
  logical :: finalized
  call get_command_argument(1, me)
  call get_command_argument(2, config)
  call get_command_argument(3, how)
  call MPI_Init(ierr)
  call h3ou_init(trim(me), trim(config))
  call h3ou_coupling_end()
  call MPI_Finalized(finalized, ierr)
  if (finalized) error stop 1
  call MPI_Allreduce(1, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr) ! MPI is the program's until its end
  if (total < 1) error stop 2
  if (how == 'itself') call MPI_Finalize(ierr)
  if (how == 'fails') stop 3
end program ends
