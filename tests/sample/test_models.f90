! SPDX-License-Identifier: BSD-3-Clause
!> The sample's models without a coupler: the icosahedral grid, conservation, stability, and the same bits for any number of
!> processes (printed as a checksum, which the driver compares).
!>
!>   test_models CLIMATOLOGY.nc
program test_models
  use atmos_model, only: air_type, air_create, air_step, air_check_step
  use halo, only: halo_type, halo_create, halo_gather
  use icosahedron, only: grid_type, grid_create, grid_owner, pi
  use mpi
  use ocean_model, only: sea_grid_type, sea_grid_read, sea_type, sea_create, sea_step, sea_check_step
  implicit none
  integer, parameter :: dp = kind(1d0), i8 = selected_int_kind(18)
  integer :: rank, nproc, ierr, bad
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  bad = 0
  if (rank == 0) call test_grid()
  if (rank == 0) call test_owners()
  call test_air()
  call test_sea()
  call MPI_Allreduce(MPI_IN_PLACE, bad, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
  if (bad > 0) error stop 1

contains

  subroutine expect(is, what)
    logical, intent(in) :: is
    character(*), intent(in) :: what
    if (is) return
    bad = 1
    write (*, '(a,i0,2a)') 'rank ', rank, ': not true: ', what
  end subroutine

  subroutine test_grid()
    type(grid_type) :: g
    integer :: level, c, k, n, edges, back
    real(dp) :: turn, east(3), a(3), b(3)
    do level = 1, 5
      call grid_create(level, g)
      call expect(g%ncell == 10*4**level + 2, 'number of cells')
      call expect(count(g%nedge == 5) == 12 .and. count(g%nedge == 6) == g%ncell - 12, 'twelve pentagons, else hexagons')
      call expect(abs(sum(g%area) - 4*pi) < 1d-12, 'areas sum to 4 pi')
      call expect(all(abs(sum(g%x**2, dim=1) - 1) < 1d-14), 'centres on the sphere')
      edges = sum(g%nedge)/2
      call expect(g%ncell - edges + 2*(g%ncell - 2) == 2, 'Euler: cells - edges + corners = 2')
      do c = 1, g%ncell
        n = g%nedge(c)
        do k = 1, n
          back = g%neighbour(k, c)
          call expect(any(g%neighbour(:, back) == c), 'neighbours are mutual')
          ! Corners turn counter-clockwise around the centre, seen from outside.
          a = g%corner(:, k, c) - g%x(:, c)
          b = g%corner(:, modulo(k, n) + 1, c) - g%x(:, c)
          east = [a(2)*b(3) - a(3)*b(2), a(3)*b(1) - a(1)*b(3), a(1)*b(2) - a(2)*b(1)]
          turn = dot_product(east, g%x(:, c))
          call expect(turn > 0, 'corners are counter-clockwise')
        end do
      end do
    end do
    call expect(g%ncell == 10242, 'GL05 has 10,242 cells')
    call expect(maxval(g%area)/minval(g%area) < 2, 'cells are of like size')
  end subroutine

  subroutine test_owners()
    type(grid_type) :: g
    integer :: n, p
    integer, allocatable :: owner(:)
    call grid_create(5, g)
    allocate (owner(g%ncell))
    do n = 1, 64
      call grid_owner(g, n, owner)
      call expect(minval(owner) == 0 .and. maxval(owner) == n - 1, 'every cell has an owner')
      do p = 0, n - 1
        call expect(count(owner == p) > 0, 'every process has a cell')
      end do
    end do
  end subroutine

  !> Bits of a field, whatever the decomposition: rank 0 has it whole.
  subroutine print_checksum(name, whole)
    character(*), intent(in) :: name
    real(dp), intent(in) :: whole(:)
    integer(i8) :: sum, bits
    integer :: i
    if (rank /= 0) return
    sum = 7
    do i = 1, size(whole)
      bits = transfer(whole(i), bits)
      sum = ieor(ishftc(sum, 5), bits)
    end do
    write (*, '(3a,z16.16)') 'bits of ', name, ': ', sum
  end subroutine

  subroutine test_air()
    type(grid_type) :: g
    type(halo_type) :: h
    type(air_type) :: air
    integer, allocatable :: owner(:)
    real(dp), allocatable :: whole(:), sst(:)
    real(dp) :: before, after
    character(200) :: text
    integer :: i
    call grid_create(4, g)
    allocate (owner(g%ncell), whole(g%ncell))
    call grid_owner(g, nproc, owner)
    call halo_create(MPI_COMM_WORLD, owner, g%neighbour, h)
    call air_create(g, h, air)
    call air_check_step(air, 900d0, text)
    call expect(text == '', 'the step of the sample is allowed')
    call air_check_step(air, 100000d0, text)
    call expect(index(text, 'too long') > 0, 'a step that is too long is refused')
    sst = 20 + 5*air%lat
    where (air%lon < 0) sst = -999
    ! Closed: nothing is lost or made in a day.
    air%is_closed = .true.
    air%t = air%t + 10*cos(3*[(real(h%global(i), dp), i=1, h%nall)])
    call halo_gather(h, air%t(1:h%nown), 0d0, whole)
    before = sum(whole*g%area)
    do i = 1, 96
      call air_step(air, 900d0, sst)
    end do
    call halo_gather(h, air%t(1:h%nown), 0d0, whole)
    after = sum(whole*g%area)
    if (rank == 0) call expect(abs(after - before) < 1d-12*sum(abs(whole)*g%area), 'heat is conserved to rounding')
    call print_checksum('closed air', whole)
    ! Open for thirty days: it stays within what drives it.
    air%is_closed = .false.
    do i = 1, 30*96
      call air_step(air, 900d0, sst)
    end do
    call expect(all(air%t > -40 .and. air%t < 45), 'temperatures stay reasonable')
    call expect(all(abs(air%u) < 60), 'winds stay reasonable')
    call expect(all(air%heat == 0 .eqv. sst < -900), 'heat goes to the sea only')
    call halo_gather(h, air%t(1:h%nown), 0d0, whole)
    call print_checksum('air', whole)
    do i = 1, h%nown
      call expect(abs(dot_product(air%u(i, :), g%x(:, h%global(i)))) < 1d-9, 'wind is tangential')
    end do
  end subroutine

  subroutine test_sea()
    type(sea_grid_type) :: g
    type(sea_type) :: sea
    character(400) :: file
    character(200) :: text
    real(dp), allocatable :: whole(:), heat(:), taux(:), tauy(:)
    integer :: i
    call get_command_argument(1, file)
    call sea_grid_read(trim(file), g)
    call expect(g%nx == 180 .and. g%ny == 90 .and. count(g%is_sea) == 9506, 'the observed sea')
    call sea_create(MPI_COMM_WORLD, nproc, g, sea)
    call sea_check_step(sea, 3600d0, text)
    call expect(text == '', 'the step of the sample is allowed')
    call sea_check_step(sea, 86400d0, text)
    call expect(index(text, 'too long') > 0, 'a step that is too long is refused')
    allocate (whole(g%nx*g%ny))
    heat = 50*sin(real(sea%halo%global(1:sea%halo%nown), dp))
    taux = 0.1d0*cos(real(sea%halo%global(1:sea%halo%nown), dp))
    tauy = -taux
    do i = 1, 240
      call sea_step(sea, 3600d0, heat, taux, tauy)
    end do
    call expect(all(sea%t >= -1.8d0 .and. sea%t < 40), 'sea temperatures stay reasonable')
    call expect(all(abs(sea%u) < 3 .and. abs(sea%v) < 3), 'currents stay reasonable')
    call halo_gather(sea%halo, sea%t(1:sea%halo%nown), -999d0, whole)
    if (rank == 0) call expect(count(whole > -900) == 9506, 'all of the sea, and no land')
    call print_checksum('sea', whole)
  end subroutine

end program test_models
