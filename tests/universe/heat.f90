! SPDX-License-Identifier: BSD-3-Clause
! heat: steps of the heat equation on a grid of processes, with halos of rows and columns. Rank 0 prints a number of all bits of the field, which does
! not depend on how many processes there are.
program heat
    use mpi
    implicit none
    integer, parameter :: real64 = kind(1d0), int64 = selected_int_kind(18), nx = 48, ny = 40, steps = 60
    integer :: grid, ierr, rank, processes, dims(2), coords(2), before(2), behind(2), column, lx, ly, i, j, step, n
    logical :: periods(2)
    real(real64), allocatable :: old(:, :), new(:, :)
    real(real64) :: change, greatest
    integer(int64) :: mine, all

    call MPI_Init(ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, processes, ierr)
    dims = 0
    call MPI_Dims_create(processes, 2, dims, ierr)
    do n = 1, 2
        if (dims(n) == 3) dims(n) = 2 ! 48 and 40 are no multiples of 3 times 5: some processes stay out
        if (dims(n) > 4) dims(n) = 4
    end do
    periods = [.true., .false.]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., grid, ierr)
    mine = 0
    change = 0
    if (grid /= MPI_COMM_NULL) then
        call MPI_Comm_rank(grid, rank, ierr)
        call MPI_Cart_coords(grid, rank, 2, coords, ierr)
        do n = 1, 2
            call MPI_Cart_shift(grid, n - 1, 1, before(n), behind(n), ierr)
        end do
        lx = nx / dims(1)
        ly = ny / dims(2)
        allocate (old(0:lx + 1, 0:ly + 1), new(0:lx + 1, 0:ly + 1), source=0d0)
        call MPI_Type_vector(ly + 2, 1, lx + 2, MPI_DOUBLE_PRECISION, column, ierr)
        call MPI_Type_commit(column, ierr)
        do j = 1, ly
            do i = 1, lx
                old(i, j) = sin(0.3d0 * (coords(1) * lx + i)) + 0.01d0 * (coords(2) * ly + j)**2
            end do
        end do
        do step = 1, steps
            call halo(old)
            change = 0
            do j = 1, ly
                do i = 1, lx
                    new(i, j) = old(i, j) + 0.2d0 * (old(i - 1, j) + old(i + 1, j) + old(i, j - 1) + old(i, j + 1) - 4 * old(i, j))
                    change = max(change, abs(new(i, j) - old(i, j)))
                end do
            end do
            old(1:lx, 1:ly) = new(1:lx, 1:ly)
        end do
        do j = 1, ly
            do i = 1, lx
                mine = ieor(mine, ishftc(transfer(old(i, j), mine), mod((coords(1) * lx + i) + 7 * (coords(2) * ly + j), 64)))
            end do
        end do
        call MPI_Type_free(column, ierr)
        call MPI_Comm_free(grid, ierr)
    end if
    call MPI_Reduce(mine, all, 1, MPI_INTEGER8, MPI_BXOR, 0, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(change, greatest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (rank == 0) print '(a,z16.16,1x,z16.16)', 'field ', all, transfer(greatest, all)
    call MPI_Finalize(ierr)

contains

    ! Rows in both directions, then columns with their corners.
    subroutine halo(u)
        real(real64), intent(inout) :: u(0:, 0:)
        integer, parameter :: double = MPI_DOUBLE_PRECISION

        call MPI_Sendrecv(u(0, ly), lx + 2, double, behind(2), 1, u(0, 0), lx + 2, double, before(2), 1, grid, &
                          MPI_STATUS_IGNORE, ierr)
        call MPI_Sendrecv(u(0, 1), lx + 2, double, before(2), 2, u(0, ly + 1), lx + 2, double, behind(2), 2, grid, &
                          MPI_STATUS_IGNORE, ierr)
        call MPI_Sendrecv(u(lx, 0), 1, column, behind(1), 3, u(0, 0), 1, column, before(1), 3, grid, MPI_STATUS_IGNORE, ierr)
        call MPI_Sendrecv(u(1, 0), 1, column, before(1), 4, u(lx + 1, 0), 1, column, behind(1), 4, grid, MPI_STATUS_IGNORE, ierr)
    end subroutine halo
end program heat
