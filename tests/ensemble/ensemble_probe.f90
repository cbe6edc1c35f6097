! SPDX-License-Identifier: BSD-3-Clause
! Ensembles of the original: ens NAME OTHER NENS(0: argument absent) STYLE
! Every member m (0,1,..) of A puts 1000*(m+1)+step (cell 1: +0.5) into v; every member of B puts -1000*(m+1)-step into w.
program ens
  use h3ou_api
  use mpi
  implicit none
  character(32) :: me, other, arg
  integer :: nens, n, rk, sz, comm, grp, i, k, m, ta(6), ngl = 4, grk, ierr, id, o, idat(2), style, layer
  integer, allocatable :: g(:), si(:)
  real(8), allocatable :: c(:), mine(:), theirs(:), mine2(:,:), theirs2(:,:)
  real(8) :: keep, x(2)
  logical :: ok
  character(64) :: nm, fn, mefld, otfld
  call get_command_argument(1, me); call get_command_argument(2, other)
  call get_command_argument(3, arg); read (arg, *) nens
  call get_command_argument(4, arg); read (arg, *) style
  layer = 1
  if (style == 2) layer = 2
  if (nens == 0) call h3ou_init(trim(me), 'coupling.conf')
  if (nens > 0) call h3ou_init(trim(me), 'coupling.conf', nens)
  call MPI_Comm_rank(MPI_COMM_WORLD, grk, ierr)
  call h3ou_get_mpi_parameter(trim(me), comm, grp, sz, rk)
  nm = h3ou_get_my_name()
  write (fn, '(a,i2.2)') 'out.', grk
  open (newunit=o, file=fn, status='replace')
  write (o, '(a,i0,3a,2(a,i0),a,i0,2a,a,l1,a,l1)') 'world rank ', grk, ' name "', trim(nm), '"', ' size ', sz, ' rank ', rk, ' couple_id ', h3ou_get_couple_id(), &
    ' target ', trim(h3ou_get_target_name()), ' coupled ', h3ou_is_coupled(), ' leader ', h3ou_is_local_leader()
  m = 0
  if (len_trim(nm) > len_trim(me)) read (nm(len_trim(me) + 1:), *) m
  call h3ou_get_model_id(trim(nm), id)
  write (o, '(a,i0,a,l1)') 'model id of my name ', id, ' mine ', h3ou_is_my_component(id)
  if (style == 9) then ! simple mode
    call beside()
    call h3ou_end()
    stop
  end if
  n = ngl/sz
  allocate (g(n), mine(n), theirs(n), si(ngl), c(ngl), mine2(n, layer), theirs2(n, layer))
  g = [(n*rk + i, i=1, n)]
  call h3ou_def_grid(g, trim(me), trim(me)//'_g', layer)
  call h3ou_end_grid_def()
  si = [(i, i=1, ngl)]; c = 1
  if (trim(me) == 'A') then
    call h3ou_set_interpolation_table('A', 'A', 'A_g', 'B', 'B_g', 1, si, si, c)
    call h3ou_set_interpolation_table('A', 'B', 'B_g', 'A', 'A_g', 1)
    mefld = 'v'; otfld = 'w'
  else
    call h3ou_set_interpolation_table('B', 'A', 'A_g', 'B', 'B_g', 1)
    call h3ou_set_interpolation_table('B', 'B', 'B_g', 'A', 'A_g', 1, si, si, c)
    mefld = 'w'; otfld = 'v'
  end if
  write (o, '(a,2(1x,i0),2(1x,a))') 'fields', h3ou_get_num_of_put_data(), h3ou_get_num_of_get_data()
  ta = [2000, 1, 1, 0, 0, 0]
  call h3ou_init_time(ta)
  call put(-1)
  do k = 0, 5
    call h3ou_set_time(trim(me), ta, 3600)
    theirs = -9; theirs2 = -9
    if (layer == 1) call h3ou_get_data(trim(otfld), theirs, is_recv_ok=ok)
    if (layer == 2) call h3ou_get_data(trim(otfld), theirs2, is_recv_ok=ok)
    if (layer == 1) write (o, '(a,i2,a,l1,4f11.3)') 'step', k, ' get ', ok, theirs
    if (layer == 2) write (o, '(a,i2,a,l1,8f11.3)') 'step', k, ' get ', ok, theirs2
    call put(k)
    call h3ou_inc_time(ta, 3600)
  end do
  write (o, '(a,6i5)') 'time array at the end', ta
  if (style == 3) call beside()
  call h3ou_coupling_end(ta, .true.)
  close (o)
contains
  subroutine put(k)
    integer, intent(in) :: k
    real(8) :: s
    s = 1
    if (trim(me) == 'B') s = -1
    mine = s*(1000*(m + 1) + k)
    mine(1) = mine(1) + 0.5d0
    mine2(:, 1) = mine
    if (layer == 2) mine2(:, 2) = 2*mine
    if (layer == 1) call h3ou_put_data(trim(mefld), mine)
    if (layer == 2) call h3ou_put_data(trim(mefld), mine2)
    if (k == 0) write (o, '(a,4f11.3)') 'put of step 0; my array after the put:', merge(mine(1), mine2(1, 1), layer == 1), mine(n)
  end subroutine
  subroutine beside()
    integer :: s
    real(8) :: y(2)
    ! bcast_global from A0000/A, bcast_model to the target, h3ou_send/recv between couples
    x = -7
    if (trim(me) == 'A' .and. rk == 0) x = 100*(m + 1)
    call h3ou_bcast_local(0, x)
    write (o, '(a,2f9.1)') 'bcast_local', x
    if (h3ou_is_coupled()) then
      y = -7
      if (trim(me) == 'A') then
        y = 10*(m + 1)
        call h3ou_bcast_global(trim(nm), y)
      else
        call h3ou_bcast_global(trim(h3ou_get_target_name()), y)
      end if
      write (o, '(a,2f9.1)') 'bcast_global(my A)', y
      y = -7
      if (trim(me) == 'A') then
        y = 20*(m + 1)
        call h3ou_bcast_model(trim(nm), trim(h3ou_get_target_name()), y)
      else
        call h3ou_bcast_model(trim(h3ou_get_target_name()), trim(nm), y)
      end if
      write (o, '(a,2f9.1)') 'bcast_model', y
      y = -7
      if (trim(me) == 'A') then
        y = 30*(m + 1)
        call h3ou_send_array(trim(h3ou_get_target_name()), y)
      else
        call h3ou_recv_array(trim(h3ou_get_target_name()), y)
      end if
      write (o, '(a,2f9.1)') 'send/recv_array', y
    end if
  end subroutine
end program
