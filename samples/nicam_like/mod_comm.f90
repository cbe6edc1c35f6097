! SPDX-License-Identifier: BSD-3-Clause
!> Fills the halos of the regions, and what stands around the poles, from the cells' owners. Every process knows all regions, so who
!> sends what to whom needs no message.
module mod_comm
  use mod_adm
  use mod_prc, only: PRC_comm, PRC_me, PRC_nprocs
  use mpi
  use polite, only: wait_all
  implicit none
  private
  public :: COMM_start, COMM_data_transfer, COMM_sum

  integer, parameter :: dp = kind(1d0)
  !> [2, element]: where in a region's array, and which region of mine; a pole is the region -1 or -2.
  type :: list_type
    integer, allocatable :: send(:, :), recv(:, :)
    real(dp), allocatable :: outgoing(:), incoming(:)
  end type
  type(list_type), allocatable :: with(:)

contains

  subroutine COMM_start()
    integer :: owner(3, ADM_grid%ncell), p
    call find_owners(owner)
    allocate (with(PRC_nprocs))
    do p = 1, PRC_nprocs
      with(p)%recv = wanted(PRC_me, p, owner, .false.)
      with(p)%send = wanted(p, PRC_me, owner, .true.)
    end do
  end subroutine

  !> [process, where, region of it] of each cell
  subroutine find_owners(owner)
    integer, intent(out) :: owner(3, ADM_grid%ncell)
    integer :: r, p, l, i, j, ij
    integer, allocatable :: regions(:)
    do p = 1, PRC_nprocs
      regions = ADM_regions(p)
      do l = 1, size(regions)
        do j = ADM_gmin, ADM_gmax
          do i = ADM_gmin, ADM_gmax
            ij = i + (j - 1)*ADM_gall_1d
            owner(:, ADM_cell(ij, regions(l))) = [p, ij, l]
          end do
        end do
      end do
    end do
    do r = 1, ADM_lall_pl
      owner(:, ADM_pl(1, r)) = [ADM_prc(ADM_rgn4pl(r)), 1, -r]
    end do
  end subroutine

  !> What a process wants of another, in one order: where it stands at the one who wants it, or at the one who has it.
  function wanted(by, from, owner, at_source) result(list)
    integer, intent(in) :: by, from, owner(:, :)
    logical, intent(in) :: at_source
    integer, allocatable :: list(:, :), regions(:)
    integer :: n, l, ij
    regions = ADM_regions(by)
    allocate (list(2, 4*ADM_gall_1d*size(regions) + 2*ADM_gall_pl))
    n = 0
    do l = 1, size(regions)
      do ij = 1, ADM_gall
        if (is_halo(ij)) call add(ADM_cell(ij, regions(l)), ij, l)
      end do
    end do
    do l = 1, ADM_lall_pl
      if (ADM_prc(ADM_rgn4pl(l)) /= by) cycle
      do ij = 2, ADM_gall_pl
        call add(ADM_pl(ij, l), ij, -l)
      end do
    end do
    list = list(:, 1:n)

  contains

    subroutine add(cell, where, region)
      integer, intent(in) :: cell, where, region
      if (cell == 0) return
      if (owner(1, cell) /= from) return
      n = n + 1
      list(:, n) = merge(owner(2:3, cell), [where, region], at_source)
    end subroutine

  end function

  pure logical function is_halo(ij)
    integer, intent(in) :: ij
    integer :: i, j
    i = modulo(ij - 1, ADM_gall_1d) + 1
    j = (ij - 1)/ADM_gall_1d + 1
    is_halo = min(i, j) < ADM_gmin .or. max(i, j) > ADM_gmax
  end function

  !> var(gall, kall, lall, variable), var_pl(gall_pl, kall, lall_pl, variable). Called by all processes of the model.
  subroutine COMM_data_transfer(var, var_pl)
    real(dp), intent(inout) :: var(:, :, :, :), var_pl(:, :, :, :)
    integer :: request(2*PRC_nprocs), nrequest, p, values, ierr
    values = size(var, 2)*size(var, 4)
    nrequest = 0
    do p = 1, PRC_nprocs
      if (.not. allocated(with(p)%outgoing)) allocate (with(p)%outgoing(0), with(p)%incoming(0))
      if (size(with(p)%recv, 2) > 0 .and. p /= PRC_me) then
        if (size(with(p)%incoming) /= values*size(with(p)%recv, 2)) with(p)%incoming = spread(0d0, 1, values*size(with(p)%recv, 2))
        nrequest = nrequest + 1
        call MPI_Irecv(with(p)%incoming, size(with(p)%incoming), MPI_DOUBLE_PRECISION, p - 1, 1, PRC_comm, request(nrequest), ierr)
      end if
    end do
    do p = 1, PRC_nprocs
      if (size(with(p)%send, 2) == 0) cycle
      call pack_list(with(p)%send, var, var_pl, with(p)%outgoing)
      if (p == PRC_me) cycle
      nrequest = nrequest + 1
      call MPI_Isend(with(p)%outgoing, size(with(p)%outgoing), MPI_DOUBLE_PRECISION, p - 1, 1, PRC_comm, request(nrequest), ierr)
    end do
    call unpack_list(with(PRC_me)%recv, with(PRC_me)%outgoing, var, var_pl)
    call wait_all(nrequest, request)
    do p = 1, PRC_nprocs
      if (p /= PRC_me) call unpack_list(with(p)%recv, with(p)%incoming, var, var_pl)
    end do
  end subroutine

  subroutine pack_list(list, var, var_pl, buffer)
    integer, intent(in) :: list(:, :)
    real(dp), intent(in) :: var(:, :, :, :), var_pl(:, :, :, :)
    real(dp), allocatable, intent(inout) :: buffer(:)
    integer :: e, n, values
    values = size(var, 2)*size(var, 4)
    if (size(buffer) /= values*size(list, 2)) buffer = spread(0d0, 1, values*size(list, 2))
    do e = 1, size(list, 2)
      n = (e - 1)*values
      if (list(2, e) > 0) then
        buffer(n + 1:n + values) = reshape(var(list(1, e), :, list(2, e), :), [values])
      else
        buffer(n + 1:n + values) = reshape(var_pl(list(1, e), :, -list(2, e), :), [values])
      end if
    end do
  end subroutine

  subroutine unpack_list(list, buffer, var, var_pl)
    integer, intent(in) :: list(:, :)
    real(dp), intent(in) :: buffer(:)
    real(dp), intent(inout) :: var(:, :, :, :), var_pl(:, :, :, :)
    integer :: e, n, shape2(2), values
    shape2 = [size(var, 2), size(var, 4)]
    values = product(shape2)
    do e = 1, size(list, 2)
      n = (e - 1)*values
      if (list(2, e) > 0) then
        var(list(1, e), :, list(2, e), :) = reshape(buffer(n + 1:n + values), shape2)
      else
        var_pl(list(1, e), :, -list(2, e), :) = reshape(buffer(n + 1:n + values), shape2)
      end if
    end do
  end subroutine

  !> The sum over regions and poles, in their order: the same bits for any number of processes. part: of my regions; part_pl: of poles.
  real(dp) function COMM_sum(part, part_pl)
    real(dp), intent(in) :: part(:), part_pl(ADM_lall_pl)
    real(dp) :: all_parts(ADM_nregion + ADM_lall_pl), sums(ADM_nregion + ADM_lall_pl)
    integer :: ierr
    all_parts = 0
    all_parts(ADM_rgnid) = part
    all_parts(ADM_nregion + 1:) = merge(part_pl, 0d0, ADM_have_pl)
    call MPI_Allreduce(all_parts, sums, size(sums), MPI_DOUBLE_PRECISION, MPI_SUM, PRC_comm, ierr)
    COMM_sum = sum(sums)
  end function

end module mod_comm
