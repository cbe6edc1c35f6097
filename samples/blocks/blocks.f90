! SPDX-License-Identifier: BSD-3-Clause
!> What a model of this kind has already: a global grid of nx by ny cells, dealt out to its processes in rectangular blocks with a
!> halo of one cell on each side.
module blocks
  use mpi
  implicit none
  private
  public :: block, block_of, block_cells, swap_halo

  type :: block
    integer :: comm                                       ! Cartesian; x is periodic
    integer :: x0, x1, y0, y1                             ! my cells: global columns and rows, from 1
  end type block

contains

  type(block) function block_of(comm, nx, ny) result(b)
    integer, intent(in) :: comm, nx, ny
    integer :: n, rank, dims(2), at(2), ierr
    call MPI_Comm_size(comm, n, ierr)
    dims = 0
    call MPI_Dims_create(n, 2, dims, ierr)
    call MPI_Cart_create(comm, 2, dims, [.true., .false.], .false., b%comm, ierr)
    call MPI_Comm_rank(b%comm, rank, ierr)
    call MPI_Cart_coords(b%comm, rank, 2, at, ierr)
    b%x0 = at(1) * nx / dims(1) + 1
    b%x1 = (at(1) + 1) * nx / dims(1)
    b%y0 = at(2) * ny / dims(2) + 1
    b%y1 = (at(2) + 1) * ny / dims(2)
  end function block_of

  !> Global numbers of my cells, without the halo, x fastest; their centres and corners in degrees on a regular grid of the sphere.
  subroutine block_cells(b, nx, ny, index, lon, lat, lon_corners, lat_corners)
    type(block), intent(in) :: b
    integer, intent(in) :: nx, ny
    integer, allocatable, intent(out) :: index(:)
    real(8), allocatable, intent(out) :: lon(:), lat(:), lon_corners(:, :), lat_corners(:, :)
    real(8) :: dx, dy
    integer :: x, y, i, n
    dx = 360d0 / nx
    dy = 180d0 / ny
    n = (b%x1 - b%x0 + 1) * (b%y1 - b%y0 + 1)
    allocate (index(n), lon(n), lat(n), lon_corners(4, n), lat_corners(4, n))
    i = 0
    do y = b%y0, b%y1
      do x = b%x0, b%x1
        i = i + 1
        index(i) = x + nx * (y - 1)
        lon(i) = (x - 0.5d0) * dx
        lat(i) = (y - 0.5d0) * dy - 90
        lon_corners(:, i) = lon(i) + 0.5d0 * dx * [-1, 1, 1, -1]
        lat_corners(:, i) = lat(i) + 0.5d0 * dy * [-1, -1, 1, 1]
      end do
    end do
  end subroutine block_cells

  !> Fills the halo from the neighbours. Beyond the poles it stays as it is.
  subroutine swap_halo(b, field)
    type(block), intent(in) :: b
    real(8), intent(inout) :: field(b%x0 - 1:, b%y0 - 1:)
    integer :: low, high, ierr, dim
    real(8), allocatable :: out(:), in(:)
    do dim = 0, 1
      call MPI_Cart_shift(b%comm, dim, 1, low, high, ierr)
      if (dim == 0) then
        out = field(b%x1, :)
        in = field(b%x0 - 1, :)
      else
        out = field(:, b%y1)
        in = field(:, b%y0 - 1)
      end if
      call MPI_Sendrecv(out, size(out), MPI_DOUBLE_PRECISION, high, 0, in, size(in), MPI_DOUBLE_PRECISION, low, 0, &
           b%comm, MPI_STATUS_IGNORE, ierr)
      if (dim == 0) then
        field(b%x0 - 1, :) = in
        out = field(b%x0, :)
        in = field(b%x1 + 1, :)
      else
        field(:, b%y0 - 1) = in
        out = field(:, b%y0)
        in = field(:, b%y1 + 1)
      end if
      call MPI_Sendrecv(out, size(out), MPI_DOUBLE_PRECISION, low, 1, in, size(in), MPI_DOUBLE_PRECISION, high, 1, &
           b%comm, MPI_STATUS_IGNORE, ierr)
      if (dim == 0) then
        field(b%x1 + 1, :) = in
      else
        field(:, b%y1 + 1) = in
      end if
    end do
  end subroutine swap_halo

end module blocks
