! SPDX-License-Identifier: BSD-3-Clause
!> The regions: each of the ten diamonds is divided in four, rlevel times. A region is an array of its points with a halo of one row;
!> a file says which process manages which regions. The two poles are in no region: they are held apart, each with its five
!> neighbours, by the process of the first region that touches it, in whose halo it stands, too.
module mod_adm
  use icosahedron, only: grid_type, grid_create
  use mod_prc, only: PRC_me, PRC_nprocs, PRC_stop
  implicit none
  private
  public :: ADM_start, ADM_regions

  integer, parameter, public :: ADM_kall = 2, ADM_gall_pl = 6, ADM_lall_pl = 2, ADM_gmin = 2
  integer, public :: ADM_gmax, ADM_gall_1d, ADM_gall, ADM_lall, ADM_nregion
  integer, parameter, public :: ADM_step(2, 6) = reshape([1, 0, 0, 1, -1, 1, -1, 0, 0, -1, 1, -1], [2, 6]) !< to the neighbours
  integer, public :: ADM_next(6)                           !< the same as a distance in a region's array
  type(grid_type), public :: ADM_grid
  integer, allocatable, public :: ADM_cell(:, :)           !< [gall, region] number in the grid; 0: no cell
  integer, allocatable, public :: ADM_prc(:)               !< [region] process, from 1
  integer, allocatable, public :: ADM_rgnid(:)             !< [lall] my regions
  integer, public :: ADM_pl(ADM_gall_pl, ADM_lall_pl)      !< the pole's number in the grid, and its neighbours'
  integer, public :: ADM_rgn4pl(ADM_lall_pl)               !< whose halo has the pole
  integer, public :: ADM_ij4pl(ADM_lall_pl)                !< where there
  logical, public :: ADM_have_pl(ADM_lall_pl)              !< this process holds the pole

contains

  subroutine ADM_start(glevel, rlevel, mnginfo)
    integer, intent(in) :: glevel, rlevel
    character(*), intent(in) :: mnginfo
    integer :: side, d
    if (rlevel < 0 .or. glevel <= rlevel) call PRC_stop('glevel must be larger than rlevel')
    side = 2**(glevel - rlevel)
    ADM_nregion = 10*4**rlevel
    ADM_gmax = side + 1
    ADM_gall_1d = side + 2
    ADM_gall = ADM_gall_1d**2
    ADM_next = ADM_step(1, :) + ADM_step(2, :)*ADM_gall_1d
    call grid_create(glevel, ADM_grid)
    allocate (ADM_cell(ADM_gall, ADM_nregion))
    do d = 1, 10
      call divide(d, 2**rlevel, side)
    end do
    call read_management(mnginfo)
    ADM_rgnid = ADM_regions(PRC_me)
    ADM_lall = size(ADM_rgnid)
    ADM_rgn4pl = [1, 5*4**rlevel + 1]
    ADM_ij4pl = [ADM_gmin - 1 + (ADM_gmin - 1)*ADM_gall_1d, ADM_gmin + (ADM_gmin - 2)*ADM_gall_1d]
    do d = 1, ADM_lall_pl
      ADM_pl(:, d) = [ADM_cell(ADM_ij4pl(d), ADM_rgn4pl(d)), ADM_grid%neighbour(1:5, 10*ADM_grid%n**2 + d)]
      ADM_have_pl(d) = ADM_prc(ADM_rgn4pl(d)) == PRC_me
    end do
  end subroutine

  !> Whose they are, as the file says.
  subroutine read_management(file)
    character(*), intent(in) :: file
    integer :: num_of_proc, peid, num_of_mng, mng_rgnid(ADM_nregion), unit, status, p, r
    namelist /proc_info/ num_of_proc
    namelist /rgn_mng_info/ peid, num_of_mng, mng_rgnid
    allocate (ADM_prc(ADM_nregion))
    ADM_prc = 0
    num_of_proc = 0
    mng_rgnid = 0
    open (newunit=unit, file=file, status='old', action='read', iostat=status)
    if (status /= 0) call PRC_stop('cannot read the management file ' // trim(file))
    read (unit, nml=proc_info, iostat=status)
    if (status /= 0 .or. num_of_proc /= PRC_nprocs) call PRC_stop(trim(file) // ' is for another number of processes')
    do p = 1, num_of_proc
      read (unit, nml=rgn_mng_info, iostat=status)
      if (status /= 0) call PRC_stop(trim(file) // ' lacks a process, or has more regions than the grid')
      do r = 1, num_of_mng
        if (mng_rgnid(r) < 1 .or. mng_rgnid(r) > ADM_nregion) call PRC_stop(trim(file) // ' names a region that the grid has not')
        if (ADM_prc(mng_rgnid(r)) /= 0) call PRC_stop(trim(file) // ' gives a region twice')
        ADM_prc(mng_rgnid(r)) = peid
      end do
    end do
    close (unit)
    if (any(ADM_prc == 0)) call PRC_stop(trim(file) // ' leaves out a region')
  end subroutine

  !> The regions of a process, in ascending order.
  pure function ADM_regions(process) result(regions)
    integer, intent(in) :: process
    integer, allocatable :: regions(:)
    integer :: r
    regions = pack([(r, r=1, ADM_nregion)], ADM_prc == process)
  end function

  !> Cuts a diamond, with the row around it, in regions.
  subroutine divide(d, nside, side)
    integer, intent(in) :: d, nside, side
    integer :: around(0:ADM_grid%n + 1, 0:ADM_grid%n + 1), a, b
    call surround(d, ADM_grid%n, around)
    do b = 0, nside - 1
      do a = 0, nside - 1
        ADM_cell(:, (d - 1)*nside**2 + b*nside + a + 1) = &
          reshape(around(a*side:(a + 1)*side + 1, b*side:(b + 1)*side + 1), [ADM_gall])
      end do
    end do
  end subroutine

  !> The cells of a diamond, and of the row around it: each inner cell says who its neighbours are. A pentagon has one less; the
  !> place of its sixth repeats it, and two corners that nobody reads are no cell.
  subroutine surround(d, n, around)
    integer, intent(in) :: d, n
    integer, intent(out) :: around(0:n + 1, 0:n + 1)
    integer :: a, b, k, at(2)
    around = 0
    do b = 1, n
      do a = 1, n
        around(a, b) = (d - 1)*n**2 + (b - 1)*n + a
      end do
    end do
    do b = 1, n
      do a = 1, n
        if (a > 1 .and. a < n .and. b > 1 .and. b < n) cycle
        if (ADM_grid%nedge(around(a, b)) == 6) call tell_neighbours(a, b, n, around)
      end do
    end do
    do b = 1, n, n - 1
      do a = 1, n, n - 1
        do k = 1, 6
          at = [a, b] + ADM_step(:, k)
          if (around(at(1), at(2)) == 0) around(at(1), at(2)) = around(a, b)
        end do
      end do
    end do
  end subroutine

  !> Of a hexagon: its neighbours counter-clockwise, in the order of the six steps, beginning with one that is inside.
  subroutine tell_neighbours(a, b, n, around)
    integer, intent(in) :: a, b, n
    integer, intent(inout) :: around(0:n + 1, 0:n + 1)
    integer :: k, first, at(2), list(6)
    list = ADM_grid%neighbour(:, around(a, b))
    do first = 1, 6
      at = [a, b] + ADM_step(:, first)
      if (all(at >= 1 .and. at <= n)) exit
    end do
    list = cshift(list, findloc(list, around(at(1), at(2)), 1) - 1)
    do k = 1, 6
      at = [a, b] + ADM_step(:, modulo(first + k - 2, 6) + 1)
      around(at(1), at(2)) = list(k)
    end do
  end subroutine

end module mod_adm
