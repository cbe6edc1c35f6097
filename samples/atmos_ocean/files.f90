! SPDX-License-Identifier: BSD-3-Clause
!> The sample's files: interpolation weights in, CF-NetCDF out, SCRIP grids for `h3ou weights`.
module files
  use netcdf
  implicit none
  private
  public :: weights_read, out_type, out_define, out_variable, out_begin, out_write, out_close, write_scrip

  integer, parameter :: dp = kind(1d0)
  real(dp), parameter, public :: missing = -1d30

  type :: out_type
    integer :: nc, time, nrecord
    integer :: rank            !< of the space: 1 (cells) or 2 (lon, lat)
    integer :: dims(2)
    integer :: shape(2)
    character(200) :: file
  end type

contains

  subroutine check(status, what)
    integer, intent(in) :: status
    character(*), intent(in) :: what
    if (status == nf90_noerr) return
    write (*, '(3a)') trim(what), ': ', trim(nf90_strerror(status))
    error stop 1
  end subroutine

  !> SCRIP weights, as h3ou_set_interpolation_table takes them.
  subroutine weights_read(file, send_index, recv_index, coef)
    character(*), intent(in) :: file
    integer, allocatable, intent(out) :: send_index(:), recv_index(:)
    real(dp), allocatable, intent(out) :: coef(:)
    integer :: nc, dim, n, id
    real(dp), allocatable :: matrix(:, :)
    call check(nf90_open(file, nf90_nowrite, nc), file)
    call check(nf90_inq_dimid(nc, 'num_links', dim), file)
    call check(nf90_inquire_dimension(nc, dim, len=n), file)
    allocate (send_index(n), recv_index(n), matrix(1, n))
    call check(nf90_inq_varid(nc, 'src_address', id), file)
    call check(nf90_get_var(nc, id, send_index), file)
    call check(nf90_inq_varid(nc, 'dst_address', id), file)
    call check(nf90_get_var(nc, id, recv_index), file)
    call check(nf90_inq_varid(nc, 'remap_matrix', id), file)
    call check(nf90_get_var(nc, id, matrix), file)
    call check(nf90_close(nc), file)
    coef = matrix(1, :)
  end subroutine

  !> Begins a file. lon, lat: axes (axes true) or a centre for each cell, then with corners [corner, cell]; degrees.
  subroutine out_define(file, title, lon, lat, axes, o, lon_corner, lat_corner)
    character(*), intent(in) :: file, title
    real(dp), intent(in) :: lon(:), lat(:)
    logical, intent(in) :: axes
    type(out_type), intent(out) :: o
    real(dp), intent(in), optional :: lon_corner(:, :), lat_corner(:, :)
    integer :: lon_id, lat_id, corner, blon, blat
    o%file = file
    o%nrecord = 0
    call check(nf90_create(file, nf90_clobber, o%nc), file)
    call check(nf90_put_att(o%nc, nf90_global, 'title', title), file)
    call check(nf90_put_att(o%nc, nf90_global, 'Conventions', 'CF-1.8'), file)
    if (axes) then
      o%rank = 2
      o%shape = [size(lon), size(lat)]
      call check(nf90_def_dim(o%nc, 'lon', size(lon), o%dims(1)), file)
      call check(nf90_def_dim(o%nc, 'lat', size(lat), o%dims(2)), file)
    else
      o%rank = 1
      o%shape = [size(lon), 1]
      call check(nf90_def_dim(o%nc, 'cell', size(lon), o%dims(1)), file)
      o%dims(2) = o%dims(1)
    end if
    call check(nf90_def_var(o%nc, 'lon', nf90_double, o%dims(1), lon_id), file)
    call check(nf90_def_var(o%nc, 'lat', nf90_double, o%dims(2), lat_id), file)
    call describe(o, lon_id, 'longitude', 'degrees_east', 'standard_name')
    call describe(o, lat_id, 'latitude', 'degrees_north', 'standard_name')
    if (present(lon_corner)) then
      call check(nf90_put_att(o%nc, lon_id, 'bounds', 'lon_bnds'), file)
      call check(nf90_put_att(o%nc, lat_id, 'bounds', 'lat_bnds'), file)
      call check(nf90_def_dim(o%nc, 'corner', size(lon_corner, 1), corner), file)
      call check(nf90_def_var(o%nc, 'lon_bnds', nf90_double, [corner, o%dims(1)], blon), file)
      call check(nf90_def_var(o%nc, 'lat_bnds', nf90_double, [corner, o%dims(1)], blat), file)
    end if
    call check(nf90_def_dim(o%nc, 'time', nf90_unlimited, o%time), file)
    call check(nf90_def_var(o%nc, 'time', nf90_double, o%time, corner), file)
    call describe(o, corner, 'time', 'days since 2000-01-01 00:00:00', 'standard_name')
    call check(nf90_put_att(o%nc, corner, 'calendar', 'standard'), file)
    call check(nf90_enddef(o%nc), file)
    call check(nf90_put_var(o%nc, lon_id, lon), file)
    call check(nf90_put_var(o%nc, lat_id, lat), file)
    if (present(lon_corner)) then
      call check(nf90_put_var(o%nc, blon, lon_corner), file)
      call check(nf90_put_var(o%nc, blat, lat_corner), file)
    end if
    call check(nf90_redef(o%nc), file)
  end subroutine

  subroutine describe(o, id, name, units, attribute)
    type(out_type), intent(in) :: o
    integer, intent(in) :: id
    character(*), intent(in) :: name, units, attribute
    call check(nf90_put_att(o%nc, id, attribute, name), o%file)
    call check(nf90_put_att(o%nc, id, 'units', units), o%file)
  end subroutine

  subroutine out_variable(o, name, long_name, units)
    type(out_type), intent(in) :: o
    character(*), intent(in) :: name, long_name, units
    integer :: id
    call check(nf90_def_var(o%nc, name, nf90_double, [o%dims(1:o%rank), o%time], id), o%file)
    call describe(o, id, long_name, units, 'long_name')
    call check(nf90_put_att(o%nc, id, '_FillValue', missing), o%file)
    if (o%rank == 1) call check(nf90_put_att(o%nc, id, 'coordinates', 'lon lat'), o%file)
  end subroutine

  !> The next record, days after the start.
  subroutine out_begin(o, days)
    type(out_type), intent(inout) :: o
    real(dp), intent(in) :: days
    integer :: id, ignored
    if (o%nrecord == 0) ignored = nf90_enddef(o%nc)
    o%nrecord = o%nrecord + 1
    call check(nf90_inq_varid(o%nc, 'time', id), o%file)
    call check(nf90_put_var(o%nc, id, [days], start=[o%nrecord]), o%file)
  end subroutine

  subroutine out_write(o, name, value)
    type(out_type), intent(in) :: o
    character(*), intent(in) :: name
    real(dp), intent(in) :: value(:)
    integer :: id
    call check(nf90_inq_varid(o%nc, name, id), o%file)
    if (o%rank == 2) then
      call check(nf90_put_var(o%nc, id, reshape(value, o%shape), start=[1, 1, o%nrecord], count=[o%shape, 1]), o%file)
    else
      call check(nf90_put_var(o%nc, id, value, start=[1, o%nrecord], count=[o%shape(1), 1]), o%file)
    end if
  end subroutine

  subroutine out_close(o)
    type(out_type), intent(in) :: o
    call check(nf90_close(o%nc), o%file)
  end subroutine

  !> A grid for `h3ou weights`: centres in degrees, mask, sizes fastest first.
  subroutine write_scrip(file, dims, lon, lat, mask)
    character(*), intent(in) :: file
    integer, intent(in) :: dims(:)
    real(dp), intent(in) :: lon(:), lat(:)
    logical, intent(in) :: mask(:)
    integer :: nc, n, rank, id(4)
    call check(nf90_create(file, nf90_clobber, nc), file)
    call check(nf90_def_dim(nc, 'grid_size', size(lon), n), file)
    call check(nf90_def_dim(nc, 'grid_rank', size(dims), rank), file)
    call check(nf90_def_var(nc, 'grid_dims', nf90_int, rank, id(1)), file)
    call check(nf90_def_var(nc, 'grid_center_lat', nf90_double, n, id(2)), file)
    call check(nf90_def_var(nc, 'grid_center_lon', nf90_double, n, id(3)), file)
    call check(nf90_def_var(nc, 'grid_imask', nf90_int, n, id(4)), file)
    call check(nf90_put_att(nc, id(2), 'units', 'degrees'), file)
    call check(nf90_put_att(nc, id(3), 'units', 'degrees'), file)
    call check(nf90_enddef(nc), file)
    call check(nf90_put_var(nc, id(1), dims), file)
    call check(nf90_put_var(nc, id(2), lat), file)
    call check(nf90_put_var(nc, id(3), lon), file)
    call check(nf90_put_var(nc, id(4), merge(1, 0, mask)), file)
    call check(nf90_close(nc), file)
  end subroutine

end module files
