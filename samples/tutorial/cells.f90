! SPDX-License-Identifier: BSD-3-Clause
module cells
  ! What both models have without a coupler: a regular grid, and the hours to simulate.
  implicit none
  real(8), parameter :: radian = 3.14159265358979d0 / 180
contains
  ! Rows from south to north, dealt to the processes in blocks. Angles in degrees; area: parts of the sphere.
  subroutine cells_of(rank, nproc, nx, ny, index, lon, lat, lon_corners, lat_corners, area)
    integer, intent(in) :: rank, nproc, nx, ny
    integer, allocatable, intent(out) :: index(:)
    real(8), allocatable, intent(out) :: lon(:), lat(:), lon_corners(:, :), lat_corners(:, :), area(:)
    integer :: i, first, last
    real(8) :: dx, dy
    dx = 360d0 / nx
    dy = 180d0 / ny
    first = rank * ny / nproc * nx + 1
    last = (rank + 1) * ny / nproc * nx
    index = [(i, i=first, last)]
    lon = (mod(index - 1, nx) + 0.5d0) * dx
    lat = -90 + ((index - 1) / nx + 0.5d0) * dy
    allocate (lon_corners(4, size(index)), lat_corners(4, size(index)))
    do i = 1, size(index)
      lon_corners(:, i) = lon(i) + [-dx, dx, dx, -dx] / 2
      lat_corners(:, i) = lat(i) + [-dy, -dy, dy, dy] / 2
    end do
    area = (sin(radian * (lat + dy / 2)) - sin(radian * (lat - dy / 2))) / (2 * nx)
  end subroutine cells_of

  ! The command line: FROM TO [own]
  subroutine read_arguments(from, to, own)
    integer, intent(out) :: from, to
    logical, intent(out) :: own
    character(16) :: word
    call get_command_argument(1, word)
    read (word, *) from
    call get_command_argument(2, word)
    read (word, *) to
    own = command_argument_count() == 3
  end subroutine read_arguments

  ! The model's own restart: one file for each process.
  function state_file(name, rank)
    character(*), intent(in) :: name
    integer, intent(in) :: rank
    character(:), allocatable :: state_file
    character(8) :: digits
    write (digits, "(i0)") rank
    state_file = name // ".state." // trim(digits)
  end function state_file
end module cells
