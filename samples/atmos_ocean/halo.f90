! SPDX-License-Identifier: BSD-3-Clause
!> The cells of this process and, behind them, copies of neighbours' cells that other processes own. Any grid whose processes all
!> know who owns which cell.
module halo
  use mpi
  use polite, only: wait_all
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private
  public :: halo_type, halo_create, halo_exchange, halo_gather, halo_max, halo_refuse

  integer, parameter :: dp = kind(1d0)

  type :: halo_type
    integer :: comm, rank, nproc
    integer :: nown, nall                  !< my cells; with the copies
    integer, allocatable :: global(:)      !< [nall] global cell; mine ascending, then copies by owner and cell
    integer, allocatable :: local(:)       !< [all cells of the grid] where a cell stands here, 0: nowhere
    integer :: npeer
    integer, allocatable :: peer(:)
    integer, allocatable :: send_start(:), send(:)  !< by peer: my cells that it copies
    integer, allocatable :: recv_start(:)           !< by peer: its cells among my copies
    integer, allocatable :: request(:)
    real(dp), allocatable :: out(:)
    integer, allocatable :: counts(:), displs(:), all_global(:) !< rank 0: who has which cells
  end type

contains

  !> owner(cell): its process. neighbours(:, cell): global cells around it, 0 for none.
  subroutine halo_create(comm, owner, neighbours, h)
    integer, intent(in) :: comm, owner(:), neighbours(:, :)
    type(halo_type), intent(out) :: h
    integer :: ierr, c, k, p, n
    logical, allocatable :: wanted(:)
    h%comm = comm
    call MPI_Comm_rank(comm, h%rank, ierr)
    call MPI_Comm_size(comm, h%nproc, ierr)
    h%nown = count(owner == h%rank)
    allocate (wanted(size(owner)), h%local(size(owner)))
    wanted = .false.
    do c = 1, size(owner)
      if (owner(c) /= h%rank) cycle
      do k = 1, size(neighbours, 1)
        n = neighbours(k, c)
        if (n > 0) then
          if (owner(n) >= 0 .and. owner(n) /= h%rank) wanted(n) = .true.
        end if
      end do
    end do
    h%nall = h%nown + count(wanted)
    allocate (h%global(h%nall))
    h%global(1:h%nown) = pack([(c, c=1, size(owner))], owner == h%rank)
    n = h%nown
    do p = 0, h%nproc - 1
      do c = 1, size(owner)
        if (wanted(c) .and. owner(c) == p) then
          n = n + 1
          h%global(n) = c
        end if
      end do
    end do
    h%local = 0
    do n = 1, h%nall
      h%local(h%global(n)) = n
    end do
    call find_peers(owner, neighbours, h)
    call find_all(h)
  end subroutine

  !> Neighbourhood is mutual: what I copy from a process tells which of mine it copies.
  subroutine find_peers(owner, neighbours, h)
    integer, intent(in) :: owner(:), neighbours(:, :)
    type(halo_type), intent(inout) :: h
    integer :: p, c, i, k, n, npeer, nsend
    logical :: mine(h%nown)
    integer :: room(h%nown*size(neighbours, 1))
    allocate (h%peer(h%nproc), h%send_start(h%nproc + 1), h%recv_start(h%nproc + 1))
    npeer = 0
    nsend = 0
    h%send_start(1) = 1
    h%recv_start(1) = h%nown + 1
    do p = 0, h%nproc - 1
      if (p == h%rank) cycle
      mine = .false.
      do i = 1, h%nown
        c = h%global(i)
        do k = 1, size(neighbours, 1)
          n = neighbours(k, c)
          if (n > 0) then
            if (owner(n) == p) mine(i) = .true.
          end if
        end do
      end do
      if (.not. any(mine)) cycle
      npeer = npeer + 1
      h%peer(npeer) = p
      do i = 1, h%nown
        if (mine(i)) then
          nsend = nsend + 1
          room(nsend) = i
        end if
      end do
      h%send_start(npeer + 1) = nsend + 1
      h%recv_start(npeer + 1) = h%recv_start(npeer) + count(owner(h%global(h%nown + 1:h%nall)) == p)
    end do
    h%npeer = npeer
    h%send = room(1:nsend)
    allocate (h%request(2*npeer), h%out(max(1, nsend)))
  end subroutine

  !> Rank 0 learns who has which cells, for gathering.
  subroutine find_all(h)
    type(halo_type), intent(inout) :: h
    integer :: ierr, p
    real(dp) :: mine(h%nown)
    real(dp), allocatable :: all(:)
    allocate (h%counts(h%nproc), h%displs(h%nproc))
    call MPI_Gather(h%nown, 1, MPI_INTEGER, h%counts, 1, MPI_INTEGER, 0, h%comm, ierr)
    if (h%rank /= 0) h%counts = 0
    h%displs(1) = 0
    do p = 2, h%nproc
      h%displs(p) = h%displs(p - 1) + h%counts(p - 1)
    end do
    allocate (all(max(1, sum(h%counts))))
    ! As reals: where an MPI's module has no interface, compilers warn when one routine is called with two types.
    mine = h%global(1:h%nown)
    call MPI_Gatherv(mine, h%nown, MPI_DOUBLE_PRECISION, all, h%counts, h%displs, MPI_DOUBLE_PRECISION, 0, h%comm, ierr)
    allocate (h%all_global(size(all)))
    if (h%rank == 0) h%all_global = nint(all)
  end subroutine

  !> Refreshes the copies of a field: field(nall).
  subroutine halo_exchange(h, field)
    type(halo_type), intent(inout) :: h
    real(dp), intent(inout), contiguous :: field(:)
    integer :: k, n, ierr
    do k = 1, h%npeer
      n = h%recv_start(k + 1) - h%recv_start(k)
      call MPI_Irecv(field(h%recv_start(k)), n, MPI_DOUBLE_PRECISION, h%peer(k), 1, h%comm, h%request(k), ierr)
    end do
    do k = 1, size(h%send)
      h%out(k) = field(h%send(k))
    end do
    do k = 1, h%npeer
      n = h%send_start(k + 1) - h%send_start(k)
      call MPI_Isend(h%out(h%send_start(k)), n, MPI_DOUBLE_PRECISION, h%peer(k), 1, h%comm, h%request(h%npeer + k), ierr)
    end do
    call wait_all(2*h%npeer, h%request)
  end subroutine

  !> whole(global cell) on rank 0; cells that nobody owns keep `missing`.
  subroutine halo_gather(h, field, missing, whole)
    type(halo_type), intent(in) :: h
    real(dp), intent(in) :: field(:), missing
    real(dp), intent(out) :: whole(:)
    real(dp) :: all(max(1, sum(h%counts)))
    integer :: i, ierr
    call MPI_Gatherv(field, h%nown, MPI_DOUBLE_PRECISION, all, h%counts, h%displs, MPI_DOUBLE_PRECISION, 0, h%comm, ierr)
    whole = missing
    if (h%rank /= 0) return
    do i = 1, sum(h%counts)
      whole(h%all_global(i)) = all(i)
    end do
  end subroutine

  !> The largest value of all processes. Collective.
  real(dp) function halo_max(h, value)
    type(halo_type), intent(in) :: h
    real(dp), intent(in) :: value
    integer :: ierr
    call MPI_Allreduce(value, halo_max, 1, MPI_DOUBLE_PRECISION, MPI_MAX, h%comm, ierr)
  end function

  !> Ends the job with one sentence. Collective.
  subroutine halo_refuse(h, text)
    type(halo_type), intent(in) :: h
    character(*), intent(in) :: text
    integer :: ierr
    if (h%rank == 0) then
      write (error_unit, '(a)') trim(text)
      flush (error_unit)
      call MPI_Abort(h%comm, 1, ierr)
    end if
    call MPI_Barrier(h%comm, ierr)
  end subroutine

end module halo
