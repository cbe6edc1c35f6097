! SPDX-License-Identifier: BSD-3-Clause
!> Steady conduction of heat in a cube by finite elements and conjugate gradients, in the manner of pHEAT-3D.
!!
!! -div(k grad T) = q, with T given on all faces. Trilinear hexahedra on a mesh whose inner nodes are displaced; T, k and q are
!! chosen, so that the error is known. The nodes are distributed by blocks. All communication is MPI's: CMake makes the program of
!! WaitIO from this source by writing WAITIO_ before the names.
module parallel
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  implicit none
  private
  public :: parallel_begin, parallel_end, parallel_sum, parallel_max, parallel_first_max, parallel_wait, parallel_to_first, blocks
  public :: MPI_Isend, MPI_Irecv, MPI_Request, MPI_DOUBLE_PRECISION, MPI_Wtime

  integer, parameter, public :: dp = real64
  integer, public, protected :: me = 0, n_processes = 1
  type(MPI_Comm), public, protected :: world

  type, public :: times !< seconds of this process
    real(dp) :: solver = 0, allreduce = 0, exchange = 0
  end type times
  type(times), public :: spent

contains

  !> Ends the program after an error: under MPI there is none, because its calls end the job themselves.
  subroutine check(ierr, what)
    integer, intent(in) :: ierr
    character(*), intent(in) :: what
    if (ierr == MPI_SUCCESS) return
    write (*, '(a,i0,2a)') 'pheat3d: error ', ierr, ' of ', what
    error stop 1
  end subroutine check

  subroutine parallel_begin()
    integer :: ierr
    call MPI_Init(ierr)
    call check(ierr, 'init')
    world = MPI_COMM_WORLD
    call MPI_Comm_rank(world, me, ierr)
    call check(ierr, 'comm_rank')
    call MPI_Comm_size(world, n_processes, ierr)
    call check(ierr, 'comm_size')
  end subroutine parallel_begin

  subroutine parallel_end()
    integer :: ierr
    call MPI_Finalize(ierr)
    call check(ierr, 'finalize')
  end subroutine parallel_end

  !> The sum of a number over all processes; its time counts as that of Allreduce.
  real(dp) function parallel_sum(mine)
    real(dp), intent(in) :: mine
    real(dp) :: send(1), got(1), began
    integer :: ierr
    began = MPI_Wtime()
    send = mine
    call MPI_Allreduce(send, got, 1, MPI_DOUBLE_PRECISION, MPI_SUM, world, ierr)
    call check(ierr, 'allreduce')
    parallel_sum = got(1)
    spent%allreduce = spent%allreduce + (MPI_Wtime() - began)
  end function parallel_sum

  real(dp) function parallel_max(mine)
    real(dp), intent(in) :: mine
    real(dp) :: send(1), got(1), began
    integer :: ierr
    began = MPI_Wtime()
    send = mine
    call MPI_Allreduce(send, got, 1, MPI_DOUBLE_PRECISION, MPI_MAX, world, ierr)
    call check(ierr, 'allreduce')
    parallel_max = got(1)
    spent%allreduce = spent%allreduce + (MPI_Wtime() - began)
  end function parallel_max

  !> The greatest over all processes of each number, on process 0.
  function parallel_first_max(mine) result(greatest)
    real(dp), intent(in) :: mine(:)
    real(dp) :: greatest(size(mine))
    integer :: ierr
    greatest = 0
    call MPI_Reduce(mine, greatest, size(mine), MPI_DOUBLE_PRECISION, MPI_MAX, 0, world, ierr)
    call check(ierr, 'reduce')
  end function parallel_first_max

  subroutine parallel_wait(n, requests)
    integer, intent(in) :: n
    type(MPI_Request), intent(inout) :: requests(:)
    integer :: ierr
    call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE, ierr)
    call check(ierr, 'waitall')
  end subroutine parallel_wait

  !> What all processes have, one after the other, on process 0.
  subroutine parallel_to_first(mine, whole)
    real(dp), intent(in) :: mine(:)
    real(dp), allocatable, intent(out) :: whole(:)
    integer :: counts(n_processes), places(n_processes), n(1), i, ierr
    n = size(mine)
    counts = 0
    call MPI_Allgather(n, 1, MPI_INTEGER, counts, 1, MPI_INTEGER, world, ierr)
    call check(ierr, 'allgather')
    places = [(sum(counts(:i - 1)), i=1, n_processes)]
    allocate (whole(merge(sum(counts), 0, me == 0)))
    call MPI_Gatherv(mine, size(mine), MPI_DOUBLE_PRECISION, whole, counts, places, MPI_DOUBLE_PRECISION, 0, world, ierr)
    call check(ierr, 'gatherv')
  end subroutine parallel_to_first

  !> Divides the processes into three factors which are as near to each other as they can be, the greatest last.
  function blocks(n) result(shape)
    integer, intent(in) :: n
    integer :: shape(3), a, b, least
    least = huge(least)
    shape = [1, 1, n]
    do a = 1, n
      do b = a, n
        if (mod(n, a*b) /= 0) cycle
        if (n/(a*b) < b .or. n/(a*b) - a >= least) cycle
        least = n/(a*b) - a
        shape = [a, b, n/(a*b)]
      end do
    end do
  end function blocks
end module parallel

!> What is solved, and the solution.
module problem
  use parallel, only: dp
  implicit none
  private
  public :: temperature, conductivity, source, place

  real(dp), parameter :: pi = acos(-1.0_dp)

contains

  !> Where a node lies whose place in the undisplaced mesh is u. Faces of the cube stay where they are.
  pure function place(u) result(x)
    real(dp), intent(in) :: u(3)
    real(dp) :: x(3)
    x = u + 0.04_dp*sin(2*pi*u)*sin(pi*cshift(u, 1))*sin(pi*cshift(u, 2))
  end function place

  pure real(dp) function temperature(x)
    real(dp), intent(in) :: x(3)
    temperature = sin(pi*x(1))*cos(pi*x(2))*exp(x(3)) + x(1)
  end function temperature

  pure real(dp) function conductivity(x)
    real(dp), intent(in) :: x(3)
    conductivity = 1 + 0.5_dp*x(1)
  end function conductivity

  !> -div(k grad T)
  pure real(dp) function source(x)
    real(dp), intent(in) :: x(3)
    real(dp) :: laplacian, slope
    laplacian = (1 - 2*pi**2)*(temperature(x) - x(1))
    slope = pi*cos(pi*x(1))*cos(pi*x(2))*exp(x(3)) + 1
    source = -(conductivity(x)*laplacian + 0.5_dp*slope)
  end function source
end module problem

!> The block of nodes of this process, and the values of its neighbours' nodes.
module mesh
  use parallel
  use problem, only: place
  implicit none
  private
  public :: mesh_make, mesh_exchange, is_on_face

  integer, public, protected :: cells(3)         !< of the whole mesh
  integer, public, protected :: low(3), high(3)  !< my nodes, of 0 to cells
  real(dp), allocatable, public, protected :: x(:, :, :, :) !< (3, nodes and those around them)

  type :: neighbour
    integer :: rank, step(3)
    integer :: send_low(3), send_high(3), get_low(3), get_high(3)
    real(dp), allocatable :: outgoing(:), incoming(:)
  end type neighbour
  type(neighbour), allocatable, target :: near(:)
  type(MPI_Request), allocatable :: requests(:)

contains

  subroutine mesh_make(n, shape)
    integer, intent(in) :: n(3), shape(3)
    integer :: at(3), i, j, k
    cells = n
    at = [mod(me, shape(1)), mod(me/shape(1), shape(2)), me/(shape(1)*shape(2))]
    low = first_of(at, shape)
    high = first_of(at + 1, shape) - 1
    allocate (x(3, low(1) - 1:high(1) + 1, low(2) - 1:high(2) + 1, low(3) - 1:high(3) + 1))
    do k = low(3) - 1, high(3) + 1
      do j = low(2) - 1, high(2) + 1
        do i = low(1) - 1, high(1) + 1
          x(:, i, j, k) = place([i, j, k]/real(cells, dp))
        end do
      end do
    end do
    call find_neighbours(at, shape)
  end subroutine mesh_make

  !> The first node of a block, in each direction.
  function first_of(at, shape) result(first)
    integer, intent(in) :: at(3), shape(3)
    integer :: first(3)
    first = int(int(cells + 1, 8)*at/shape)
  end function first_of

  subroutine find_neighbours(at, shape)
    integer, intent(in) :: at(3), shape(3)
    integer :: i, j, k, other(3), n
    type(neighbour) :: nb
    allocate (near(0))
    do k = -1, 1
      do j = -1, 1
        do i = -1, 1
          nb%step = [i, j, k]
          other = at + nb%step
          if (all(nb%step == 0) .or. any(other < 0) .or. any(other >= shape)) cycle
          nb%rank = other(1) + shape(1)*(other(2) + shape(2)*other(3))
          nb%send_low = merge(high, low, nb%step > 0)
          nb%send_high = merge(low, high, nb%step < 0)
          nb%get_low = nb%send_low + nb%step
          nb%get_high = nb%send_high + nb%step
          n = product(nb%send_high - nb%send_low + 1)
          if (allocated(nb%outgoing)) deallocate (nb%outgoing, nb%incoming)
          allocate (nb%outgoing(n), nb%incoming(n), source=0.0_dp)
          near = [near, nb]
        end do
      end do
    end do
    allocate (requests(2*size(near)))
  end subroutine find_neighbours

  !> Gets the values of the nodes around mine. A message has the direction in which it goes as its tag.
  subroutine mesh_exchange(v)
    real(dp), intent(inout), asynchronous :: v(low(1) - 1:, low(2) - 1:, low(3) - 1:)
    real(dp) :: began
    integer :: i, ierr
    began = MPI_Wtime()
    do i = 1, size(near)
      associate (nb => near(i))
        call MPI_Irecv(nb%incoming, size(nb%incoming), MPI_DOUBLE_PRECISION, nb%rank, tag_of(-nb%step), world, &
                       requests(2*i - 1), ierr)
        nb%outgoing(:) = reshape(v(nb%send_low(1):nb%send_high(1), nb%send_low(2):nb%send_high(2), &
                                   nb%send_low(3):nb%send_high(3)), [size(nb%outgoing)])
        call MPI_Isend(nb%outgoing, size(nb%outgoing), MPI_DOUBLE_PRECISION, nb%rank, tag_of(nb%step), world, &
                       requests(2*i), ierr)
      end associate
    end do
    call parallel_wait(size(requests), requests)
    do i = 1, size(near)
      associate (nb => near(i))
        v(nb%get_low(1):nb%get_high(1), nb%get_low(2):nb%get_high(2), nb%get_low(3):nb%get_high(3)) = &
          reshape(nb%incoming, nb%get_high - nb%get_low + 1)
      end associate
    end do
    spent%exchange = spent%exchange + (MPI_Wtime() - began)
  end subroutine mesh_exchange

  pure integer function tag_of(step)
    integer, intent(in) :: step(3)
    tag_of = 100 + step(1) + 3*step(2) + 9*step(3)
  end function tag_of

  pure logical function is_on_face(i, j, k)
    integer, intent(in) :: i, j, k
    is_on_face = any([i, j, k] == 0) .or. any([i, j, k] == cells)
  end function is_on_face
end module mesh

!> The rows of my nodes: 27 coefficients each.
module matrix
  use parallel, only: dp
  use mesh
  use problem
  implicit none
  private
  public :: matrix_make, matrix_apply

  !> (offset of the column in three directions, row); and the right-hand side
  real(dp), allocatable, public, protected :: a(:, :, :, :, :, :), b(:, :, :)
  real(dp), parameter :: gauss = 1/sqrt(3.0_dp)

contains

  !> Adds up the elements that have a node of mine: those at the edge of my block are computed by my neighbours, too, which
  !! saves a message. Nodes on faces then get their value, and leave the other rows.
  subroutine matrix_make()
    integer :: i, j, k
    real(dp) :: stiffness(8, 8), load(8)
    allocate (a(-1:1, -1:1, -1:1, low(1):high(1), low(2):high(2), low(3):high(3)), source=0.0_dp)
    allocate (b(low(1):high(1), low(2):high(2), low(3):high(3)), source=0.0_dp)
    do k = max(low(3) - 1, 0), min(high(3), cells(3) - 1)
      do j = max(low(2) - 1, 0), min(high(2), cells(2) - 1)
        do i = max(low(1) - 1, 0), min(high(1), cells(1) - 1)
          call compute_element(reshape(x(:, i:i + 1, j:j + 1, k:k + 1), [3, 8]), stiffness, load)
          call add_element([i, j, k], stiffness, load)
        end do
      end do
    end do
    do k = low(3), high(3)
      do j = low(2), high(2)
        do i = low(1), high(1)
          call fix_faces(i, j, k)
        end do
      end do
    end do
  end subroutine matrix_make

  !> Node n of an element, 1 to 8, as 0 or 1 in each direction.
  pure function corner(n) result(at)
    integer, intent(in) :: n
    integer :: at(3)
    at = [mod(n - 1, 2), mod((n - 1)/2, 2), (n - 1)/4]
  end function corner

  !> Integrates over an element by two Gauss points in each direction.
  pure subroutine compute_element(nodes, stiffness, load)
    real(dp), intent(in) :: nodes(3, 8)
    real(dp), intent(out) :: stiffness(8, 8), load(8)
    real(dp) :: shapes(8), slopes(3, 8), jacobian(3, 3), inverse(3, 3), volume, at(3)
    integer :: point, n
    stiffness = 0
    load = 0
    do point = 1, 8
      call compute_shapes(gauss*(2*corner(point) - 1), shapes, slopes)
      jacobian = matmul(slopes, transpose(nodes))
      call invert(jacobian, inverse, volume)
      slopes = matmul(inverse, slopes)
      at = matmul(nodes, shapes)
      do n = 1, 8
        stiffness(:, n) = stiffness(:, n) + volume*conductivity(at)*matmul(slopes(:, n), slopes)
      end do
      load = load + volume*source(at)*shapes
    end do
  end subroutine compute_element

  !> The trilinear functions at a point of the cube from -1 to 1, and their derivatives there.
  pure subroutine compute_shapes(point, shapes, slopes)
    real(dp), intent(in) :: point(3)
    real(dp), intent(out) :: shapes(8), slopes(3, 8)
    real(dp) :: side(3), part(3)
    integer :: n
    do n = 1, 8
      side = 2*corner(n) - 1
      part = (1 + side*point)/2
      shapes(n) = product(part)
      slopes(:, n) = side/2*[part(2)*part(3), part(1)*part(3), part(1)*part(2)]
    end do
  end subroutine compute_shapes

  pure subroutine invert(m, inverse, determinant)
    real(dp), intent(in) :: m(3, 3)
    real(dp), intent(out) :: inverse(3, 3), determinant
    integer :: i, j
    do j = 1, 3
      do i = 1, 3
        associate (p => mod(j, 3) + 1, q => mod(j + 1, 3) + 1, r => mod(i, 3) + 1, s => mod(i + 1, 3) + 1)
          inverse(i, j) = m(p, r)*m(q, s) - m(p, s)*m(q, r)
        end associate
      end do
    end do
    determinant = dot_product(m(1, :), inverse(:, 1))
    inverse = inverse/determinant
  end subroutine invert

  subroutine add_element(first, stiffness, load)
    integer, intent(in) :: first(3)
    real(dp), intent(in) :: stiffness(8, 8), load(8)
    integer :: row, column, at(3), to(3)
    do row = 1, 8
      at = first + corner(row)
      if (any(at < low) .or. any(at > high)) cycle
      b(at(1), at(2), at(3)) = b(at(1), at(2), at(3)) + load(row)
      do column = 1, 8
        to = corner(column) - corner(row)
        a(to(1), to(2), to(3), at(1), at(2), at(3)) = a(to(1), to(2), to(3), at(1), at(2), at(3)) + stiffness(row, column)
      end do
    end do
  end subroutine add_element

  subroutine fix_faces(i, j, k)
    integer, intent(in) :: i, j, k
    integer :: di, dj, dk
    if (is_on_face(i, j, k)) then
      a(:, :, :, i, j, k) = 0
      a(0, 0, 0, i, j, k) = 1
      b(i, j, k) = temperature(x(:, i, j, k))
      return
    end if
    do dk = -1, 1
      do dj = -1, 1
        do di = -1, 1
          if (.not. is_on_face(i + di, j + dj, k + dk)) cycle
          b(i, j, k) = b(i, j, k) - a(di, dj, dk, i, j, k)*temperature(x(:, i + di, j + dj, k + dk))
          a(di, dj, dk, i, j, k) = 0
        end do
      end do
    end do
  end subroutine fix_faces

  !> q = A p; gets the values of p around my nodes.
  subroutine matrix_apply(p, q)
    real(dp), intent(inout) :: p(low(1) - 1:, low(2) - 1:, low(3) - 1:)
    real(dp), intent(out) :: q(low(1):, low(2):, low(3):)
    integer :: i, j, k
    call mesh_exchange(p)
    do k = low(3), high(3)
      do j = low(2), high(2)
        do i = low(1), high(1)
          q(i, j, k) = sum(a(:, :, :, i, j, k)*p(i - 1:i + 1, j - 1:j + 1, k - 1:k + 1))
        end do
      end do
    end do
  end subroutine matrix_apply
end module matrix

!> Conjugate gradients.
module solver
  use parallel
  use mesh
  use matrix
  use problem, only: temperature
  implicit none
  private
  public :: solve

contains

  !> t: my nodes. Ends when the residual is less than `least` of the right-hand side, or after `most` iterations. Four numbers
  !! are combined over all processes in each: two scalar products, the norm of the residual, and the greatest change.
  subroutine solve(with_ssor, least, most, t, iterations, residual, change)
    logical, intent(in) :: with_ssor
    real(dp), intent(in) :: least
    integer, intent(in) :: most
    real(dp), intent(out) :: t(low(1):, low(2):, low(3):)
    integer, intent(out) :: iterations
    real(dp), intent(out) :: residual, change
    real(dp), allocatable :: r(:, :, :), q(:, :, :), p(:, :, :), z(:, :, :)
    real(dp) :: rho, previous, alpha, norm, began
    integer :: i, j, k
    began = MPI_Wtime()
    allocate (r, q, mold=b)
    allocate (p(low(1) - 1:high(1) + 1, low(2) - 1:high(2) + 1, low(3) - 1:high(3) + 1), source=0.0_dp)
    allocate (z, source=p)
    do k = low(3), high(3)
      do j = low(2), high(2)
        do i = low(1), high(1)
          if (is_on_face(i, j, k)) p(i, j, k) = temperature(x(:, i, j, k))
        end do
      end do
    end do
    t = own(p)
    call matrix_apply(p, q)
    r = b - q
    norm = sqrt(parallel_sum(sum(b**2)))
    previous = 1
    p = 0
    do iterations = 1, most
      call precondition(with_ssor, r, z)
      rho = parallel_sum(sum(r*own(z)))
      p = z + merge(0.0_dp, rho/previous, iterations == 1)*p
      call matrix_apply(p, q)
      alpha = rho/parallel_sum(sum(own(p)*q))
      t = t + alpha*own(p)
      r = r - alpha*q
      residual = sqrt(parallel_sum(sum(r**2)))/norm
      change = parallel_max(abs(alpha)*maxval(abs(own(p))))
      if (residual < least) exit
      previous = rho
    end do
    iterations = min(iterations, most)
    spent%solver = spent%solver + (MPI_Wtime() - began)
  end subroutine solve

  function own(v)
    real(dp), intent(in) :: v(low(1) - 1:, low(2) - 1:, low(3) - 1:)
    real(dp) :: own(low(1):high(1), low(2):high(2), low(3):high(3))
    own = v(low(1):high(1), low(2):high(2), low(3):high(3))
  end function own

  !> z = M**-1 r. M is the diagonal; or (D + L) D**-1 (D + U), of the block of the matrix between my own nodes. The values of z
  !! around them are 0 and stay so.
  subroutine precondition(with_ssor, r, z)
    logical, intent(in) :: with_ssor
    real(dp), intent(in) :: r(low(1):, low(2):, low(3):)
    real(dp), intent(inout) :: z(low(1) - 1:, low(2) - 1:, low(3) - 1:)
    integer :: i, j, k
    if (.not. with_ssor) then
      z(low(1):high(1), low(2):high(2), low(3):high(3)) = r/a(0, 0, 0, :, :, :)
      return
    end if
    do k = low(3), high(3)
      do j = low(2), high(2)
        do i = low(1), high(1)
          z(i, j, k) = (r(i, j, k) - sum(a(:, :, -1, i, j, k)*z(i - 1:i + 1, j - 1:j + 1, k - 1)) &
                        - sum(a(:, -1, 0, i, j, k)*z(i - 1:i + 1, j - 1, k)) - a(-1, 0, 0, i, j, k)*z(i - 1, j, k)) &
                       /a(0, 0, 0, i, j, k)
        end do
      end do
    end do
    do k = high(3), low(3), -1
      do j = high(2), low(2), -1
        do i = high(1), low(1), -1
          z(i, j, k) = z(i, j, k) - (sum(a(:, :, 1, i, j, k)*z(i - 1:i + 1, j - 1:j + 1, k + 1)) &
                                     + sum(a(:, 1, 0, i, j, k)*z(i - 1:i + 1, j + 1, k)) + a(1, 0, 0, i, j, k)*z(i + 1, j, k)) &
                       /a(0, 0, 0, i, j, k)
        end do
      end do
    end do
  end subroutine precondition
end module solver

program pheat3d
  use, intrinsic :: iso_fortran_env, only: int64
  use parallel
  use mesh
  use matrix, only: matrix_make
  use solver
  use problem, only: temperature
  implicit none
  integer :: n(3) = 16, shape(3) = 0, most = 2000, repeats = 1, iterations, i
  logical :: with_ssor = .false.
  real(dp) :: least = 1.0e-10_dp, residual, change, error
  character(200) :: file = ''
  real(dp), allocatable :: t(:, :, :)

  call read_options()
  call parallel_begin()
  if (shape(1) == 0) shape = blocks(n_processes)
  if (product(shape) /= n_processes .or. any(shape > n + 1)) then
    if (me == 0) write (*, '(a,3(i0,1x),a,i0,a)') 'pheat3d: --shape ', shape, 'is not for ', n_processes, &
      ' processes, or has too many blocks for the mesh'
    error stop 2
  end if
  call mesh_make(n, shape)
  call matrix_make()
  allocate (t(low(1):high(1), low(2):high(2), low(3):high(3)))
  do i = 1, repeats
    spent = times()
    call solve(with_ssor, least, most, t, iterations, residual, change)
    call report(i)
  end do
  if (file /= '') call write_temperature()
  call parallel_end()

contains

  subroutine read_options()
    character(200) :: word
    integer :: at
    at = 1
    do while (at <= command_argument_count())
      word = argument(at)
      select case (word)
      case ('--cells')
        n(1) = integer_at(at + 1)
        n = n(1)
        at = at + 2
      case ('--shape')
        shape(1) = integer_at(at + 1)
        shape(2) = integer_at(at + 2)
        shape(3) = integer_at(at + 3)
        at = at + 4
      case ('--precondition')
        with_ssor = argument(at + 1) == 'ssor'
        if (.not. with_ssor .and. argument(at + 1) /= 'diagonal') call refuse(argument(at + 1))
        at = at + 2
      case ('--residual')
        least = real_at(at + 1)
        at = at + 2
      case ('--iterations')
        most = integer_at(at + 1)
        at = at + 2
      case ('--repeat')
        repeats = integer_at(at + 1)
        at = at + 2
      case ('--write')
        file = argument(at + 1)
        at = at + 2
      case default
        call refuse(word)
      end select
    end do
  end subroutine read_options

  function argument(at) result(word)
    integer, intent(in) :: at
    character(200) :: word
    call get_command_argument(at, word)
  end function argument

  real(dp) function real_at(at)
    integer, intent(in) :: at
    character(200) :: word
    integer :: status
    word = argument(at)
    read (word, *, iostat=status) real_at
    if (status /= 0) call refuse(word)
  end function real_at

  integer function integer_at(at)
    integer, intent(in) :: at
    integer_at = nint(real_at(at))
    if (integer_at < 1) call refuse(argument(at))
  end function integer_at

  subroutine refuse(word)
    character(*), intent(in) :: word
    write (*, '(3a)') 'pheat3d: "', trim(word), '" is no option; there are --cells N, --shape X Y Z, '// &
      '--precondition diagonal or ssor, --residual R, --iterations N, --repeat N, --write FILE'
    error stop 2
  end subroutine refuse

  !> On process 0: what was found, and the times of the process that took longest for each.
  subroutine report(number)
    integer, intent(in) :: number
    real(dp) :: seconds(3), squares
    integer :: i, j, k
    squares = 0
    do k = low(3), high(3)
      do j = low(2), high(2)
        do i = low(1), high(1)
          squares = squares + (t(i, j, k) - temperature(x(:, i, j, k)))**2
        end do
      end do
    end do
    seconds = parallel_first_max([spent%solver, spent%allreduce, spent%exchange])
    error = sqrt(parallel_sum(squares)/product(real(n + 1, dp)))
    if (me /= 0) return
    if (number == 1) then
      write (*, '(a,3(i0,1x),a,3(i0,1x),2a)') 'cells ', n, 'processes ', shape, 'preconditioner ', &
        merge('ssor    ', 'diagonal', with_ssor)
      write (*, '(a,i0,a,es10.3,a,es10.3,a,es23.16)') 'iterations ', iterations, ' residual ', residual, ' change ', change, &
        ' error ', error
    end if
    write (*, '(3(a,f10.6))') 'seconds solver ', seconds(1), ' allreduce ', seconds(2), ' send-receive ', seconds(3)
    flush (6)
  end subroutine report

  !> Writes, from process 0, the number of processes, the lowest and highest node of each, and the temperatures of each one's nodes.
  subroutine write_temperature()
    real(dp), allocatable :: whole(:), edges(:)
    integer :: unit
    call parallel_to_first(reshape(t, [size(t)]), whole)
    call parallel_to_first(real([low, high], dp), edges)
    if (me /= 0) return
    open (newunit=unit, file=file, form='unformatted', access='stream', status='replace', action='write')
    write (unit) int(n_processes, int64), edges, whole
    close (unit)
  end subroutine write_temperature
end program pheat3d
