! SPDX-License-Identifier: BSD-3-Clause
!> NICAM's icosahedral grid: level g has 10*4^g + 2 cells, in ten diamonds of 2^g x 2^g and the two poles. Cells are the Voronoi
!> regions of the points: hexagons, and pentagons at the icosahedron's twelve corners.
module icosahedron
  implicit none
  private
  public :: grid_type, grid_create, grid_owner

  integer, parameter :: dp = kind(1d0)
  real(dp), parameter, public :: pi = 3.14159265358979323846d0

  type :: grid_type
    integer :: n                               !< cells along the side of a diamond
    integer :: ncell
    real(dp), allocatable :: x(:, :)           !< [3, cell] centre, a unit vector
    integer, allocatable :: nedge(:)           !< [cell] 6, or 5
    integer, allocatable :: neighbour(:, :)    !< [6, cell] counter-clockwise; 0 behind a pentagon's fifth
    real(dp), allocatable :: corner(:, :, :)   !< [3, 6, cell] corner k is where edge k - 1 ends and edge k begins
    real(dp), allocatable :: area(:)           !< [cell] on the unit sphere; they sum to 4 pi
  end type

contains

  subroutine grid_create(level, g)
    integer, intent(in) :: level
    type(grid_type), intent(out) :: g
    real(dp), allocatable :: lattice(:, :, :, :)
    g%n = 2**level
    g%ncell = 10*g%n**2 + 2
    allocate (lattice(3, 0:g%n, 0:g%n, 10), g%x(3, g%ncell), g%nedge(g%ncell), g%neighbour(6, g%ncell), &
              g%corner(3, 6, g%ncell), g%area(g%ncell))
    call make_lattice(g%n, lattice)
    call number_cells(g, lattice)
    call find_cells(g)
  end subroutine

  !> The two poles, and two rings of five at latitude +-atan(1/2).
  pure function icosahedron_corner(kind, k) result(p)
    integer, intent(in) :: kind, k !< kind 1: north pole, 2: upper ring, 3: lower ring, 4: south pole
    real(dp) :: p(3), lat, lon
    select case (kind)
    case (1)
      p = [0d0, 0d0, 1d0]
    case (4)
      p = [0d0, 0d0, -1d0]
    case default
      lat = merge(atan(0.5d0), -atan(0.5d0), kind == 2)
      lon = 2*pi/5*modulo(k, 5) + merge(0d0, pi/5, kind == 2)
      p = [cos(lat)*cos(lon), cos(lat)*sin(lon), sin(lat)]
    end select
  end function

  !> The points of each diamond, edges included, by halving. Both owners of an edge get the same bits: a + b is b + a.
  subroutine make_lattice(n, lattice)
    integer, intent(in) :: n
    real(dp), intent(out) :: lattice(3, 0:n, 0:n, 10)
    integer :: k, d, i, j, s
    do k = 0, 4
      d = k + 1
      lattice(:, 0, 0, d) = icosahedron_corner(1, 0)
      lattice(:, n, 0, d) = icosahedron_corner(2, k)
      lattice(:, 0, n, d) = icosahedron_corner(2, k + 1)
      lattice(:, n, n, d) = icosahedron_corner(3, k)
      d = k + 6
      lattice(:, 0, 0, d) = icosahedron_corner(4, 0)
      lattice(:, n, 0, d) = icosahedron_corner(3, k)
      lattice(:, 0, n, d) = icosahedron_corner(3, k - 1)
      lattice(:, n, n, d) = icosahedron_corner(2, k)
    end do
    do d = 1, 10
      s = n/2
      do while (s >= 1)
        do j = 0, n, 2*s
          do i = s, n, 2*s
            lattice(:, i, j, d) = middle(lattice(:, i - s, j, d), lattice(:, i + s, j, d))
          end do
        end do
        do j = s, n, 2*s
          do i = 0, n, 2*s
            lattice(:, i, j, d) = middle(lattice(:, i, j - s, d), lattice(:, i, j + s, d))
          end do
          do i = s, n, 2*s ! across the short diagonal, along which the diamond's triangles meet
            lattice(:, i, j, d) = middle(lattice(:, i + s, j - s, d), lattice(:, i - s, j + s, d))
          end do
        end do
        s = s/2
      end do
    end do
  end subroutine

  pure function middle(a, b) result(m)
    real(dp), intent(in) :: a(3), b(3)
    real(dp) :: m(3)
    m = a + b
    m = m/sqrt(sum(m**2))
  end function

  !> The cell at a lattice point. A northern diamond owns i = 1..n, j = 0..n-1, a southern one i = 0..n-1, j = 1..n; its other
  !> edges are its neighbours'.
  pure recursive function cell_at(n, d, i, j) result(cell)
    integer, intent(in) :: n, d, i, j
    integer :: cell, k
    k = modulo(d - 1, 5)
    if (d <= 5) then
      if (i == 0 .and. j == 0) then
        cell = 10*n**2 + 1
      else if (i == 0) then
        cell = cell_at(n, modulo(k + 1, 5) + 1, j, 0)
      else if (j == n) then
        cell = cell_at(n, modulo(k + 1, 5) + 6, n - i, n)
      else
        cell = (d - 1)*n**2 + j*n + i
      end if
    else
      if (i == 0 .and. j == 0) then
        cell = 10*n**2 + 2
      else if (j == 0) then
        cell = cell_at(n, modulo(k + 1, 5) + 6, 0, i)
      else if (i == n) then
        cell = cell_at(n, k + 1, n, n - j)
      else
        cell = (d - 1)*n**2 + (j - 1)*n + i + 1
      end if
    end if
  end function

  subroutine number_cells(g, lattice)
    type(grid_type), intent(inout) :: g
    real(dp), intent(in) :: lattice(3, 0:g%n, 0:g%n, 10)
    integer :: d, i, j
    g%nedge = 0
    g%neighbour = 0
    do d = 1, 10
      do j = 0, g%n
        do i = 0, g%n
          g%x(:, cell_at(g%n, d, i, j)) = lattice(:, i, j, d)
        end do
      end do
      do j = 0, g%n - 1
        do i = 0, g%n - 1
          call add_triangle(g, cell_at(g%n, d, i, j), cell_at(g%n, d, i + 1, j), cell_at(g%n, d, i, j + 1))
          call add_triangle(g, cell_at(g%n, d, i + 1, j), cell_at(g%n, d, i + 1, j + 1), cell_at(g%n, d, i, j + 1))
        end do
      end do
    end do
  end subroutine

  subroutine add_triangle(g, a, b, c)
    type(grid_type), intent(inout) :: g
    integer, intent(in) :: a, b, c
    call add_neighbours(g, a, b, c)
    call add_neighbours(g, b, c, a)
    call add_neighbours(g, c, a, b)
  end subroutine

  subroutine add_neighbours(g, a, b, c)
    type(grid_type), intent(inout) :: g
    integer, intent(in) :: a, b, c
    integer :: k, new(2)
    new = [b, c]
    do k = 1, 2
      if (any(g%neighbour(:, a) == new(k))) cycle
      g%nedge(a) = g%nedge(a) + 1
      g%neighbour(g%nedge(a), a) = new(k)
    end do
  end subroutine

  !> Orders neighbours counter-clockwise, puts corners at the circumcentres between them, and sums areas of triangles.
  subroutine find_cells(g)
    type(grid_type), intent(inout) :: g
    integer :: c, k, n, j, order(6)
    real(dp) :: angle(6), east(3), north(3), d(3), p(3)
    do c = 1, g%ncell
      n = g%nedge(c)
      call frame(g%x(:, c), east, north)
      do k = 1, n
        d = g%x(:, g%neighbour(k, c))
        angle(k) = atan2(dot_product(d, north), dot_product(d, east))
        order(k) = k
      end do
      do k = 2, n
        do j = k, 2, -1
          if (angle(order(j)) >= angle(order(j - 1))) exit
          order([j - 1, j]) = order([j, j - 1])
        end do
      end do
      g%neighbour(1:n, c) = g%neighbour(order(1:n), c)
    end do
    do c = 1, g%ncell
      n = g%nedge(c)
      do k = 1, n
        j = modulo(k - 2, n) + 1
        g%corner(:, k, c) = circumcentre(c, g%neighbour(j, c), g%neighbour(k, c), g%x)
      end do
      if (n == 5) g%corner(:, 6, c) = g%corner(:, 5, c)
      g%area(c) = 0
      do k = 1, n
        p = g%corner(:, modulo(k, n) + 1, c)
        g%area(c) = g%area(c) + triangle_area(g%x(:, c), g%corner(:, k, c), p)
      end do
    end do
  end subroutine

  !> Of three cells; the same bits whoever asks, since they are taken in ascending order.
  pure function circumcentre(i, j, k, x) result(p)
    integer, intent(in) :: i, j, k
    real(dp), intent(in) :: x(:, :)
    real(dp) :: p(3), a(3), b(3)
    integer :: low, high, between
    low = min(i, j, k)
    high = max(i, j, k)
    between = i + j + k - low - high
    a = x(:, between) - x(:, low)
    b = x(:, high) - x(:, low)
    p = cross(a, b)
    p = p/sqrt(sum(p**2))
    if (dot_product(p, x(:, low)) < 0) p = -p
  end function

  pure function cross(a, b) result(c)
    real(dp), intent(in) :: a(3), b(3)
    real(dp) :: c(3)
    c = [a(2)*b(3) - a(3)*b(2), a(3)*b(1) - a(1)*b(3), a(1)*b(2) - a(2)*b(1)]
  end function

  !> tan(E/2) = |a . (b x c)| / (1 + a.b + b.c + c.a): A. Van Oosterom and J. Strackee, 1983.
  pure real(dp) function triangle_area(a, b, c)
    real(dp), intent(in) :: a(3), b(3), c(3)
    triangle_area = 2*atan2(abs(dot_product(a, cross(b, c))), &
                            1 + dot_product(a, b) + dot_product(b, c) + dot_product(c, a))
  end function

  !> Local east and north; at a pole, any.
  pure subroutine frame(x, east, north)
    real(dp), intent(in) :: x(3)
    real(dp), intent(out) :: east(3), north(3)
    real(dp) :: r
    r = sqrt(x(1)**2 + x(2)**2)
    if (r < 1d-12) then
      east = [0d0, 1d0, 0d0]
    else
      east = [-x(2)/r, x(1)/r, 0d0]
    end if
    north = cross(x, east)
  end subroutine

  !> Who owns which cell: as NICAM does, every diamond is cut in 4^r square regions, as few as give each process one; regions are
  !> dealt in order, the poles go with the first and the last.
  subroutine grid_owner(g, nproc, owner)
    type(grid_type), intent(in) :: g
    integer, intent(in) :: nproc
    integer, intent(out) :: owner(:)
    integer :: side, nregion, cell, d, i, j, region, place
    side = 1
    do while (10*side**2 < nproc .and. side < g%n)
      side = 2*side
    end do
    nregion = 10*side**2
    do cell = 1, g%ncell - 2
      d = (cell - 1)/g%n**2
      place = cell - 1 - d*g%n**2
      i = modulo(place, g%n)*side/g%n
      j = place/g%n*side/g%n
      region = d*side**2 + j*side + i
      owner(cell) = int(int(region, selected_int_kind(18))*nproc/nregion)
    end do
    owner(g%ncell - 1) = 0
    owner(g%ncell) = nproc - 1
  end subroutine

end module icosahedron
