! SPDX-License-Identifier: BSD-3-Clause
!> Reads the configuration: the text is cut into groups and keys (namelist_groups.f90), and each key's values are read by
!> Fortran's own namelist reader from internal text, so that they follow Fortran's rules, and an error names line and key.
module namelist
  use namelist_groups, only: group, next_group, find_keys, has, line_of, as_namelist, config_error, config_unknown, &
    config_ignored, ok
  use namelist_interval, only: interval_text
  use namelist_words, only: is_one_of, decimal, shortened, findloc_word, lower_text, c_text, &
    chars, name_len
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_double, c_char, c_bool, c_ptr, c_null_char, &
      c_null_ptr
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
  implicit none
  private
  public :: namelist_read

  integer(c_int), parameter :: snapshot = 0 !< of enum h3ou__flag
  integer, parameter :: description_len = 128 !< characters of a text that describes a field
  integer, parameter :: method_len = 255   !< characters of a stack of methods
  integer, parameter :: default_level = 1, loudest = 3 !< warnings; every choice and exchange

  character(*), parameter :: groups = 'h3ou_coupling h3ou_var h3ou_tuning'
  character(*), parameter :: default_keys = 'monitor monitor_every ledger' !< of the group h3ou_coupling, for all variables
  character(*), parameter :: coupling_keys = 'log_level debug_mode stop_step grid_checker weights_cache strict calendar ' // &
      'unknown_put start after_end ensemble_min_members tuning_file progress second_put bundle sum_order kings ' // &
      'record ' // default_keys
  character(*), parameter :: tuning_keys = 'inside_latency inside_bandwidth between_latency between_bandwidth ports job_route'
  character(*), parameter :: value_types = 'real8 real4'     !< as enum h3ou__value_type
  character(*), parameter :: range_actions = 'warning error' !< as enum h3ou__range_action
  character(*), parameter :: second_puts = 'replace error' !< as enum h3ou__second_put
  character(*), parameter :: bundles = 'auto always never' !< as enum h3ou__bundle
  character(*), parameter :: bundle_words = '''auto'', ''always'' or ''never'''
  character(*), parameter :: sum_orders = 'free ranks'
  character(*), parameter :: job_routes = 'mpi waitio measured'
  character(*), parameter :: progresses = 'polling thread'
  character(*), parameter :: calendars = 'none gregorian 360_day noleap julian all_leap' !< as enum h3ou__calendar
  character(*), parameter :: pair_keys = 'comp_put comp_get grid_put grid_get mapping_tag'
  character(*), parameter :: remap_keys = 'method norm extrapolate limit missing'
  character(*), parameter :: members_keys = 'statistic to_members perturb perturb_seed'
  character(*), parameter :: monitor_keys = default_keys // ' conserve'
  character(*), parameter :: description_keys = 'units units_put standard_name long_name'
  character(*), parameter :: keys_read_apart = & !< of those of the group h3ou_var
      remap_keys // ' ' // members_keys // ' ' // monitor_keys // ' ' // description_keys // ' intvl'
  character(*), parameter :: var_keys = pair_keys // ' ' // remap_keys // ' var_put var_get var_put_vec var_get_vec ' // &
      'var_put_xyz var_get_xyz ' // &
      'grid_intpl_tag time_intpl_tag intvl lag layer type flag factor data_range range_action is_ok ' // &
      'second_put bundle ' // monitor_keys // ' ' // description_keys // ' ' // members_keys

  !> Mirrors h3ou__config_remap of coupler/config/config.h.
  type, bind(C) :: config_remap
    character(kind=c_char) :: method(method_len + 1), extrapolate(method_len + 1)
    integer(c_int) :: norm, limit, has_missing, keep_missing
    real(c_double) :: missing
    type(c_ptr) :: stack   !< set in C
  end type

  !> Mirrors h3ou__config_pair.
  type, bind(C) :: config_pair
    integer(c_int) :: line
    character(kind=c_char) :: comp_put(name_len + 1), comp_get(name_len + 1)
    character(kind=c_char) :: grid_put(name_len + 1), grid_get(name_len + 1)
    integer(c_int) :: mapping_tag, counted
    type(config_remap) :: remap
  end type

  !> Mirrors h3ou__config_members.
  type, bind(C) :: config_members
    character(kind=c_char) :: statistic(name_len + 1)
    integer(c_int) :: send, number   !< these, level and is_own are set in C
    real(c_double) :: level
    character(kind=c_char) :: to_members(name_len + 1)
    integer(c_int) :: is_own, perturb_seed
    real(c_double) :: perturb
  end type

  !> Mirrors h3ou__config_monitor.
  type, bind(C) :: config_monitor
    character(kind=c_char) :: sides_text(name_len + 1), conserve_text(name_len + 1)
    integer(c_int) :: sides   !< this and conserve are set in C
    integer(c_int) :: every, ledger
    integer(c_int) :: conserve
  end type

  !> Mirrors h3ou__config_description.
  type, bind(C) :: config_description
    character(kind=c_char) :: units(description_len + 1), units_put(description_len + 1)
    character(kind=c_char) :: standard_name(description_len + 1), long_name(description_len + 1)
  end type

  !> Mirrors h3ou__interval.
  type, bind(C) :: config_interval
    integer(c_int) :: months
    integer(c_int64_t) :: num, den
  end type

  !> Mirrors h3ou__config_var.
  type, bind(C) :: config_var
    integer(c_int) :: line, pair
    character(kind=c_char) :: put(name_len + 1), get(name_len + 1)
    logical(c_bool) :: is_vector, put_xyz, get_xyz
    integer(c_int) :: grid_intpl_tag, time_intpl_tag
    type(config_interval) :: intvl
    integer(c_int) :: lag, flag, layer, type
    real(c_double) :: factor, data_min, data_max
    logical(c_bool) :: has_range
    integer(c_int) :: range_action, is_ok, second_put, bundle
    type(config_monitor) :: monitor
    type(config_description) :: description
    type(config_members) :: members
    type(config_remap) :: remap
  end type

  interface
    integer(c_int) function config_set(config, log_level, stop_step, grid_checker) bind(C, name='h3ou__config_set')
      import :: c_int, c_ptr
      type(c_ptr), value :: config
      integer(c_int), value :: log_level, stop_step, grid_checker
    end function
    integer(c_int) function config_set_time(config, strict, calendar) bind(C, name='h3ou__config_set_time')
      import :: c_int, c_ptr
      type(c_ptr), value :: config
      integer(c_int), value :: strict, calendar
    end function
    integer(c_int) function config_set_start(config, line, start, keep_after_end) bind(C, name='h3ou__config_set_start')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: config
      integer(c_int), value :: line, keep_after_end
      character(kind=c_char), intent(in) :: start(*)
    end function
    integer(c_int) function config_read_interval(config, line, text, interval) bind(C, name='h3ou__config_interval')
      import :: c_int, c_ptr, c_char, config_interval
      type(c_ptr), value :: config
      integer(c_int), value :: line
      character(kind=c_char), intent(in) :: text(*)
      type(config_interval), intent(out) :: interval
    end function
    integer(c_int) function config_set_cache(config, folder) bind(C, name='h3ou__config_set_cache')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: config
      character(kind=c_char), intent(in) :: folder(*)
    end function
    integer(c_int) function config_set_record(config, folder) bind(C, name='h3ou__config_set_record')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: config
      character(kind=c_char), intent(in) :: folder(*)
    end function
    integer(c_int) function config_set_tuning_file(config, line, file) bind(C, name='h3ou__config_set_tuning_file')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: config
      integer(c_int), value :: line
      character(kind=c_char), intent(in) :: file(*)
    end function
    integer(c_int) function config_set_tuning(config, line, values, ports, job_route) bind(C, name='h3ou__config_set_tuning')
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: config
      integer(c_int), value :: line, ports, job_route
      real(c_double), intent(in) :: values(4)
    end function
    integer(c_int) function config_set_min_members(config, min_members) bind(C, name='h3ou__config_set_min_members')
      import :: c_int, c_ptr
      type(c_ptr), value :: config
      integer(c_int), value :: min_members
    end function
    integer(c_int) function config_set_unknown_put(config, ignore) bind(C, name='h3ou__config_set_unknown_put')
      import :: c_int, c_ptr
      type(c_ptr), value :: config
      integer(c_int), value :: ignore
    end function
    integer(c_int) function config_set_progress(config, by_thread, second_put, bundle) bind(C, name='h3ou__config_set_progress')
      import :: c_int, c_ptr
      type(c_ptr), value :: config
      integer(c_int), value :: by_thread, second_put, bundle
    end function
    integer(c_int) function set_collectives(config, keeps_order, line, kings) bind(C, name='h3ou__config_set_collectives')
      import :: c_int, c_ptr
      type(c_ptr), value :: config
      integer(c_int), value :: keeps_order, line, kings
    end function
    integer(c_int) function config_set_monitor(config, line, monitor) bind(C, name='h3ou__config_set_monitor')
      import :: c_int, c_ptr, config_monitor
      type(c_ptr), value :: config
      integer(c_int), value :: line
      type(config_monitor), intent(in) :: monitor
    end function
    integer(c_int) function config_add_pair(config, pair) bind(C, name='h3ou__config_add_pair')
      import :: c_int, c_ptr, config_pair
      type(c_ptr), value :: config
      type(config_pair), intent(in) :: pair
    end function
    integer(c_int) function config_add_var(config, var) bind(C, name='h3ou__config_add_var')
      import :: c_int, c_ptr, config_var
      type(c_ptr), value :: config
      type(config_var), intent(in) :: var
    end function
    integer(c_int) function config_flag(config, line, word, flag) bind(C, name='h3ou__config_flag')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: config
      integer(c_int), value :: line
      character(kind=c_char), intent(in) :: word(*)
      integer(c_int), intent(out) :: flag
    end function
    integer(c_int) function config_lenient(config, line, text) bind(C, name='h3ou__config_lenient')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: config
      integer(c_int), value :: line
      character(kind=c_char), intent(in) :: text(*)
    end function
  end interface

contains

  integer(c_int) function namelist_read(text, length, config) bind(C, name='h3ou__namelist_read') result(err)
    character(kind=c_char), intent(in) :: text(*)
    integer(c_int64_t), value :: length
    type(c_ptr), value :: config
    integer(c_int64_t) :: at
    integer :: line, coupling_line
    logical :: found
    type(group) :: g
    at = 1
    line = 1
    coupling_line = 0
    err = config_set(config, default_level, 0, 0)
    do while (err == ok)
      call next_group(text, length, config, at, line, g, found, err)
      if (err /= ok .or. .not. found) exit
      if (g%name == 'h3ou_coupling' .and. coupling_line > 0) then
        err = config_error(config, g%line, c_text('h3ou_coupling stands in line ' // decimal(coupling_line) // ' already'))
      else if (g%name == 'h3ou_coupling') then
        coupling_line = g%line
        call read_coupling(g, config, err)
      else if (g%name == 'h3ou_var') then
        call read_var(g, config, err)
      else if (g%name == 'h3ou_tuning') then
        call read_tuning(g, config, err)
      else
        err = config_unknown(config, g%line, c_text('unknown group'), c_text(g%name), c_text(groups))
      end if
    end do
  end function

  subroutine bad_value(g, config, i, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    integer, intent(in) :: i
    integer(c_int), intent(out) :: err
    character(:), allocatable :: text, awaited
    integer :: nothing, stat, last
    namelist /drain/ nothing
    ! After an error gfortran's reader keeps the value for the next read, which would then fail: this read removes it.
    text = '&drain nothing=0 /'
    read (text, nml=drain, iostat=stat)
    text = g%text(g%key(i)%equals + 1:g%key(i)%last)
    last = verify(text, ' ,', back=.true.)
    text = trim(adjustl(text(:last)))
    if (is_one_of(g%key(i)%name, 'debug_mode grid_checker limit strict ledger')) then
      awaited = '.true. or .false.'
    else if (is_one_of(g%key(i)%name, 'factor perturb ' // tuning_keys) .and. &
             .not. is_one_of(g%key(i)%name, 'ports job_route')) then
      awaited = 'a number: write one such as 0.5'
    else if (g%key(i)%name == 'intvl') then
      awaited = 'a number of seconds or a text such as ''1/3'' or ''1 month'''
    else if (g%key(i)%name == 'missing') then
      awaited = 'a number or ''keep'''
    else if (g%key(i)%name == 'data_range') then
      awaited = 'a pair of numbers: write two such as 0, 1'
    else if (.not. is_one_of(g%key(i)%name, 'mapping_tag grid_intpl_tag time_intpl_tag lag layer is_ok stop_step ports ' // &
                             'perturb_seed ensemble_min_members monitor_every kings')) then
      awaited = 'one text in quotes: write ''...'''
    else if (verify(text, '+-0123456789') == 0) then
      awaited = 'an integer of 32 bits'
    else
      awaited = 'an integer: write one such as ' // merge('-1', '1 ', g%key(i)%name == 'lag')
    end if
    err = config_error(config, g%key(i)%line, c_text(trim(g%name) // ': key ''' // trim(g%key(i)%name) // ''': ' // &
                       shortened(text) // ' is not ' // awaited))
  end subroutine

  subroutine read_coupling(g, config, err)
    type(group), intent(inout) :: g
    type(c_ptr), intent(in) :: config
    integer(c_int), intent(out) :: err
    character(name_len) :: log_level, calendar, unknown_put, start, after_end, progress, second_put, bundle, sum_order
    character(511) :: weights_cache, tuning_file, record
    logical :: debug_mode, grid_checker, strict
    integer :: stop_step, ensemble_min_members, kings, i, stat, level, year
    character(:), allocatable :: text
    namelist /h3ou_coupling/ log_level, debug_mode, stop_step, grid_checker, weights_cache, strict, calendar, unknown_put, &
      start, after_end, ensemble_min_members, tuning_file, progress, second_put, bundle, sum_order, kings, record
    call find_keys(g, config, coupling_keys, err)
    if (err == ok) call read_defaults(g, config, err)
    if (err /= ok) return
    log_level = 'WARNING'
    calendar = 'gregorian'
    strict = .false.
    weights_cache = ''
    tuning_file = ''
    record = ''
    unknown_put = 'error'
    start = ''
    after_end = 'error'
    progress = 'polling'
    second_put = 'replace'
    bundle = 'auto'
    sum_order = 'free'
    kings = 1
    debug_mode = .false.
    grid_checker = .false.
    stop_step = 0
    ensemble_min_members = 0
    do i = 1, g%nkey
      if (is_one_of(g%key(i)%name, monitor_keys)) cycle
      text = as_namelist(g, i, i)
      read (text, nml=h3ou_coupling, iostat=stat)
      if (stat /= 0) then
        call bad_value(g, config, i, err)
        return
      end if
    end do
    level = findloc_word('silent warning whisper loud', lower_text(log_level))
    year = findloc_word(calendars, lower_text(calendar))
    if (level < 0) then
      err = config_error(config, line_of(g, 'log_level'), c_text('h3ou_coupling: log_level is SILENT, WARNING, WHISPER or ' // &
                         'LOUD, not ''' // trim(log_level) // ''''))
    else if (.not. is_one_of(lower_text(unknown_put), 'error ignore') .or. unknown_put == '') then
      err = wrong_word(g, config, 'unknown_put', '''error'' or ''ignore''', unknown_put)
    else if (.not. is_one_of(lower_text(after_end), 'error keep') .or. after_end == '') then
      err = wrong_word(g, config, 'after_end', '''error'' or ''keep''', after_end)
    else if (findloc_word(progresses, lower_text(progress)) < 0) then
      err = wrong_word(g, config, 'progress', '''polling'' or ''thread''', progress)
    else if (findloc_word(second_puts, lower_text(second_put)) < 0) then
      err = wrong_word(g, config, 'second_put', '''replace'' or ''error''', second_put)
    else if (findloc_word(bundles, lower_text(bundle)) < 0) then
      err = wrong_word(g, config, 'bundle', bundle_words, bundle)
    else if (findloc_word(sum_orders, lower_text(sum_order)) < 0) then
      err = wrong_word(g, config, 'sum_order', '''free'' or ''ranks''', sum_order)
    else if (stop_step < 0 .or. stop_step > 10) then
      err = config_error(config, line_of(g, 'stop_step'), c_text('h3ou_coupling: stop_step is 0 to 10'))
    else if (ensemble_min_members < 0 .or. (ensemble_min_members == 0 .and. has(g, 'ensemble_min_members'))) then
      err = config_error(config, line_of(g, 'ensemble_min_members'), c_text('h3ou_coupling: ensemble_min_members is 1 or more'))
    else if (year < 0) then
      err = config_unknown(config, line_of(g, 'calendar'), c_text('h3ou_coupling: unknown calendar'), c_text(calendar), &
                           c_text(calendars))
    else
      if (debug_mode) level = loudest
      err = config_set(config, level, stop_step, merge(1, 0, grid_checker))
      if (err == ok) err = config_set_time(config, merge(1, 0, strict), year)
      if (err == ok) err = config_set_start(config, line_of(g, 'start'), c_text(start), &
                                                merge(1, 0, lower_text(after_end) == 'keep'))
      if (err == ok) err = config_set_min_members(config, ensemble_min_members)
      if (err == ok) err = config_set_cache(config, c_text(weights_cache))
      if (err == ok) err = config_set_record(config, c_text(record))
      if (err == ok) err = config_set_tuning_file(config, line_of(g, 'tuning_file'), c_text(tuning_file))
      if (err == ok) err = config_set_unknown_put(config, merge(1, 0, lower_text(unknown_put) == 'ignore'))
      if (err == ok) err = config_set_progress(config, findloc_word(progresses, lower_text(progress)), &
                                               findloc_word(second_puts, lower_text(second_put)), &
                                               findloc_word(bundles, lower_text(bundle)))
      if (err == ok) err = set_collectives(config, findloc_word(sum_orders, lower_text(sum_order)), line_of(g, 'kings'), kings)
    end if
  end subroutine

  !> Fails because a key of h3ou_coupling has none of its words.
  integer(c_int) function wrong_word(g, config, key, words, given) result(err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    character(*), intent(in) :: key, words, given
    err = config_error(config, line_of(g, key), c_text('h3ou_coupling: ' // key // ' is ' // words // ', not ''' // trim(given) // &
                                                       ''''))
  end function

  !> Reads the group h3ou_tuning: what messages cost.
  subroutine read_tuning(g, config, err)
    type(group), intent(inout) :: g
    type(c_ptr), intent(in) :: config
    integer(c_int), intent(out) :: err
    real(c_double) :: inside_latency, inside_bandwidth, between_latency, between_bandwidth
    integer(c_int) :: ports, i, stat
    character(63) :: job_route
    character(:), allocatable :: text
    namelist /h3ou_tuning/ inside_latency, inside_bandwidth, between_latency, between_bandwidth, ports, job_route
    call find_keys(g, config, tuning_keys, err)
    if (err /= ok) return
    inside_latency = 0
    inside_bandwidth = 0
    between_latency = 0
    between_bandwidth = 0
    ports = 1
    job_route = ''
    do i = 1, g%nkey
      text = as_namelist(g, i, i)
      read (text, nml=h3ou_tuning, iostat=stat)
      if (stat /= 0) then
        call bad_value(g, config, i, err)
        return
      end if
    end do
    i = 0 ! of enum h3ou__job_route
    if (job_route /= '') i = findloc_word(job_routes, lower_text(job_route)) + 1
    if (job_route /= '' .and. i == 0) then
      err = config_error(config, line_of(g, 'job_route'), &
                         c_text('h3ou_tuning: job_route is ''mpi'', ''waitio'' or ''measured'', not ''' // trim(job_route) // ''''))
    else
      err = config_set_tuning(config, g%line, [inside_latency, inside_bandwidth, between_latency, between_bandwidth], ports, i)
    end if
  end subroutine

  !> Reads a group h3ou_var: a pair of grids, a variable, or both.
  subroutine read_var(g, config, err)
    type(group), intent(inout) :: g
    type(c_ptr), intent(in) :: config
    integer(c_int), intent(out) :: err
    ! One character more than allowed shows names that are too long.
    character(name_len + 1) :: comp_put, comp_get, grid_put, grid_get, var_put, var_get, var_put_vec, var_get_vec, flag, &
      var_put_xyz, var_get_xyz
    character(name_len) :: range_action, second_put, bundle, type
    integer(c_int) :: mapping_tag, grid_intpl_tag, time_intpl_tag, lag, layer, is_ok, i, stat, interval_flag
    type(config_interval) :: intvl
    real(c_double) :: factor, data_range(2)
    character(:), allocatable :: text
    type(config_remap) :: remap
    type(config_members) :: members
    type(config_monitor) :: monitor
    type(config_description) :: description
    namelist /h3ou_var/ comp_put, comp_get, grid_put, grid_get, mapping_tag, var_put, var_get, var_put_vec, var_get_vec, &
      var_put_xyz, var_get_xyz, grid_intpl_tag, time_intpl_tag, lag, layer, type, flag, factor, data_range, range_action, &
      is_ok, second_put, bundle
    call find_keys(g, config, var_keys, err)
    if (err /= ok) return
    comp_put = ''
    comp_get = ''
    grid_put = ''
    grid_get = ''
    var_put = ''
    var_get = ''
    var_put_vec = ''
    var_get_vec = ''
    var_put_xyz = ''
    var_get_xyz = ''
    flag = ''
    mapping_tag = 1
    grid_intpl_tag = 0
    time_intpl_tag = 0
    lag = -1
    layer = 1
    is_ok = 1
    factor = 1
    data_range = [-huge(factor), huge(factor)]
    range_action = 'warning'
    second_put = ''
    bundle = ''
    type = 'real8'
    do i = 1, g%nkey
      if (is_one_of(g%key(i)%name, keys_read_apart)) cycle
      text = as_namelist(g, i, i)
      read (text, nml=h3ou_var, iostat=stat)
      if (stat /= 0) call bad_value(g, config, i, err)
      if (err /= ok) return
    end do
    call check_names(g, config, [comp_put, comp_get, grid_put, grid_get, var_put, var_get, var_put_vec, var_get_vec, &
                                   var_put_xyz, var_get_xyz], &
                     ['comp_put   ', 'comp_get   ', 'grid_put   ', 'grid_get   ', 'var_put    ', 'var_get    ', 'var_put_vec', &
                      'var_get_vec', 'var_put_xyz', 'var_get_xyz'], err)
    if (err == ok) call read_interval(g, config, intvl, err)
    if (err == ok) call read_remap(g, config, remap, err)
    if (err == ok) call read_members(g, config, members, err)
    if (err == ok) call read_monitor(g, config, monitor, description, err)
    if (err /= ok) return
    if (has(g, 'comp_put') .or. has(g, 'comp_get') .or. has(g, 'grid_put') .or. has(g, 'grid_get')) &
      err = config_add_pair(config, config_pair(g%line, chars(comp_put), chars(comp_get), chars(grid_put), chars(grid_get), &
                                                mapping_tag, 0, remap))
    if (err /= ok) return
    if (.not. (has(g, 'var_put') .or. has(g, 'var_get') .or. is_vector(g))) then
      call check_no_variable(g, config, err)
      return
    end if
    call check_variable(g, config, lag, layer, factor, data_range, range_action, second_put, bundle, type, err)
    if (err == ok) err = config_flag(config, line_of(g, 'flag'), c_text(flag), interval_flag)
    if (err == ok .and. lag == 0) call check_no_lag(g, config, interval_flag, err)
    if (err /= ok) return
    if (is_vector(g)) var_put = merge(var_put_xyz, var_put_vec, has(g, 'var_put_xyz'))
    if (is_vector(g)) var_get = merge(var_get_xyz, var_get_vec, has(g, 'var_get_xyz'))
    err = config_add_var(config, config_var( &
      g%line, 0, chars(var_put), chars(var_get), logical(is_vector(g), c_bool), logical(has(g, 'var_put_xyz'), c_bool), &
      logical(has(g, 'var_get_xyz'), c_bool), grid_intpl_tag, time_intpl_tag, intvl, lag, interval_flag, layer, &
      findloc_word(value_types, lower_text(trim(type))), factor, data_range(1), data_range(2), &
      logical(has(g, 'data_range'), c_bool), findloc_word(range_actions, lower_text(trim(range_action))), is_ok, &
      findloc_word(second_puts, lower_text(second_put)), findloc_word(bundles, lower_text(bundle)), &
      monitor, description, members, remap))
  end subroutine

  subroutine read_interval(g, config, intvl, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    type(config_interval), intent(out) :: intvl
    integer(c_int), intent(out) :: err
    character(:), allocatable :: text
    integer :: i, stat
    err = ok
    intvl = config_interval(0, 0, 1)
    do i = 1, g%nkey
      if (g%key(i)%name /= 'intvl') cycle
      call interval_text(g, i, text, stat)
      if (stat /= 0) call bad_value(g, config, i, err)
      if (stat == 0) err = config_read_interval(config, g%key(i)%line, c_text(text), intvl)
    end do
  end subroutine

  !> Reads the keys of this group that say how weights are made; config.c adds those of the pair's group.
  subroutine read_remap(g, config, remap, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    type(config_remap), intent(out) :: remap
    integer(c_int), intent(out) :: err
    character(method_len + 1) :: method, extrapolate, norm
    logical :: limit, keep
    real(c_double) :: missing
    character(:), allocatable :: text
    integer :: i, stat
    namelist /h3ou_var/ method, norm, extrapolate, limit, missing
    err = ok
    method = ''
    norm = ''
    extrapolate = ''
    limit = .false.
    keep = .false.
    missing = 0
    do i = 1, g%nkey
      if (.not. is_one_of(g%key(i)%name, remap_keys)) cycle
      if (g%key(i)%name == 'missing') keep = is_keep(g, i)
      if (g%key(i)%name == 'missing' .and. keep) cycle
      text = as_namelist(g, i, i)
      read (text, nml=h3ou_var, iostat=stat)
      if (stat /= 0) then
        call bad_value(g, config, i, err)
        return
      end if
    end do
    remap%method = c_null_char
    remap%extrapolate = c_null_char
    do i = 1, min(method_len, len_trim(method))
      remap%method(i) = method(i:i)
    end do
    do i = 1, min(method_len, len_trim(extrapolate))
      remap%extrapolate(i) = extrapolate(i:i)
    end do
    remap%norm = -1
    if (has(g, 'norm')) remap%norm = findloc_word('fracarea destarea', lower_text(trim(norm)))
    remap%limit = -1
    if (has(g, 'limit')) remap%limit = merge(1, 0, limit)
    remap%has_missing = merge(1, 0, has(g, 'missing'))
    remap%keep_missing = merge(1, 0, keep)
    remap%missing = missing
    remap%stack = c_null_ptr
    if (keep) remap%missing = ieee_value(missing, ieee_quiet_nan)
    if (len_trim(method) > method_len) then
      err = config_error(config, line_of(g, 'method'), c_text('h3ou_var: method: a stack has at most 255 characters'))
    else if (len_trim(extrapolate) > method_len) then
      err = config_error(config, line_of(g, 'extrapolate'), c_text('h3ou_var: extrapolate: a stack has at most 255 characters'))
    else if (has(g, 'norm') .and. remap%norm < 0) then
      err = config_unknown(config, line_of(g, 'norm'), c_text('h3ou_var: unknown norm'), c_text(norm), c_text('fracarea destarea'))
    end if
  end subroutine

  !> Reads the keys of this group that say what the members of an ensemble send and get.
  subroutine read_members(g, config, members, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    type(config_members), intent(out) :: members
    integer(c_int), intent(out) :: err
    character(name_len + 1) :: statistic, to_members
    real(c_double) :: perturb
    integer :: perturb_seed, i, stat
    character(:), allocatable :: text
    namelist /h3ou_var/ statistic, to_members, perturb, perturb_seed
    statistic = ''
    to_members = ''
    perturb = 0
    perturb_seed = 0
    do i = 1, g%nkey
      if (.not. is_one_of(g%key(i)%name, members_keys)) cycle
      text = as_namelist(g, i, i)
      read (text, nml=h3ou_var, iostat=stat)
      if (stat /= 0) then
        call bad_value(g, config, i, err)
        return
      end if
    end do
    call check_names(g, config, [statistic, to_members], ['statistic ', 'to_members'], err)
    if (err == ok .and. has(g, 'perturb_seed') .and. .not. has(g, 'perturb')) &
      err = config_error(config, line_of(g, 'perturb_seed'), &
                         c_text('h3ou_var: perturb_seed without perturb, the standard deviation of what is added'))
    members = config_members(chars(statistic), 0, 0, 0, chars(to_members), 0, perturb_seed, perturb)
  end subroutine

  !> Reads the keys of the run that count for variables which do not have them.
  subroutine read_defaults(g, config, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    integer(c_int), intent(out) :: err
    type(config_monitor) :: monitor
    type(config_description) :: none
    call read_monitor(g, config, monitor, none, err)
    if (err == ok) err = config_set_monitor(config, g%line, monitor)
  end subroutine

  !> Reads the keys of this group that say what is kept of values, whether integrals are conserved, and what describes the values.
  subroutine read_monitor(g, config, kept, description, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    type(config_monitor), intent(out) :: kept
    type(config_description), intent(out) :: description
    integer(c_int), intent(out) :: err
    character(name_len + 1) :: monitor, conserve
    logical :: ledger
    integer :: monitor_every, i, stat
    character(:), allocatable :: text
    namelist /h3ou_var/ monitor, monitor_every, ledger, conserve
    namelist /h3ou_coupling/ monitor, monitor_every, ledger
    err = ok
    monitor = ''
    conserve = ''
    ledger = .false.
    monitor_every = 0
    do i = 1, g%nkey
      if (.not. is_one_of(g%key(i)%name, monitor_keys)) cycle
      text = as_namelist(g, i, i)
      if (g%name == 'h3ou_var') read (text, nml=h3ou_var, iostat=stat)
      if (g%name == 'h3ou_coupling') read (text, nml=h3ou_coupling, iostat=stat)
      if (stat /= 0) call bad_value(g, config, i, err)
      if (err /= ok) return
    end do
    call check_names(g, config, [monitor, conserve], ['monitor ', 'conserve'], err)
    if (has(g, 'monitor_every') .and. monitor_every < 1) monitor_every = -1
    kept = config_monitor(chars(monitor), chars(conserve), 0, monitor_every, -1, 0)
    if (has(g, 'ledger')) kept%ledger = merge(1, 0, ledger)
    if (err == ok) call read_description(g, config, description, err)
  end subroutine

  !> Reads the keys of this group that describe its values.
  subroutine read_description(g, config, found, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    type(config_description), intent(out) :: found
    integer(c_int), intent(out) :: err
    character(description_len + 1) :: units, units_put, standard_name, long_name
    integer :: i, stat
    character(:), allocatable :: text
    namelist /h3ou_var/ units, units_put, standard_name, long_name
    err = ok
    units = ''
    units_put = ''
    standard_name = ''
    long_name = ''
    do i = 1, g%nkey
      if (.not. is_one_of(g%key(i)%name, description_keys)) cycle
      text = as_namelist(g, i, i)
      read (text, nml=h3ou_var, iostat=stat)
      if (stat /= 0) call bad_value(g, config, i, err)
      if (err /= ok) return
    end do
    call describe(g, config, 'units', units, found%units, err)
    if (err == ok) call describe(g, config, 'units_put', units_put, found%units_put, err)
    if (err == ok) call describe(g, config, 'standard_name', standard_name, found%standard_name, err)
    if (err == ok) call describe(g, config, 'long_name', long_name, found%long_name, err)
  end subroutine

  subroutine describe(g, config, key, text, c, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    character(*), intent(in) :: key, text
    character(kind=c_char), intent(out) :: c(:)
    integer(c_int), intent(out) :: err
    integer :: i
    err = ok
    c = c_null_char
    do i = 1, min(description_len, len_trim(text))
      c(i) = text(i:i)
    end do
    if (len_trim(text) > description_len) &
      err = config_error(config, line_of(g, key), c_text('h3ou_var: key ''' // key // ''': a text has at most 128 characters'))
  end subroutine

  !> Returns whether key i is missing='keep', where otherwise a number stands.
  logical function is_keep(g, i)
    type(group), intent(in) :: g
    integer, intent(in) :: i
    character(:), allocatable :: text
    text = lower_text(g%text(g%key(i)%equals + 1:g%key(i)%last))
    text = trim(adjustl(text(:verify(text, ' ,', back=.true.))))
    is_keep = text == '''keep''' .or. text == '"keep"'
  end function

  subroutine check_names(g, config, names, keys, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    character(*), intent(in) :: names(:), keys(:)
    integer(c_int), intent(out) :: err
    integer :: i
    err = ok
    do i = 1, size(names)
      if (len_trim(names(i)) > name_len) then
        err = config_error(config, line_of(g, trim(keys(i))), c_text('h3ou_var: key ''' // trim(keys(i)) // &
                           ''': a name has at most 64 characters'))
        return
      end if
    end do
  end subroutine

  !> Checks that a group without variable has no keys of a variable, and a group without pair none of a pair.
  subroutine check_no_variable(g, config, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    integer(c_int), intent(out) :: err
    integer :: i
    err = ok
    if (g%nkey == 0) err = config_error(config, g%line, c_text('h3ou_var: the group is empty'))
    do i = 1, g%nkey
      if (is_one_of(g%key(i)%name, pair_keys // ' ' // remap_keys)) cycle
      err = config_error(config, g%key(i)%line, c_text('h3ou_var: key ''' // trim(g%key(i)%name) // &
                         ''' belongs to a variable: var_put and var_get are missing'))
      return
    end do
    if (g%nkey == 1 .and. has(g, 'mapping_tag')) err = config_error(config, g%line, &
      c_text('h3ou_var: key ''mapping_tag'' belongs to a pair of grids: comp_put, comp_get, grid_put and grid_get are missing'))
  end subroutine

  logical function is_vector(g)
    type(group), intent(in) :: g
    is_vector = has(g, 'var_put_vec') .or. has(g, 'var_get_vec') .or. has(g, 'var_put_xyz') .or. has(g, 'var_get_xyz')
  end function

  !> Checks a variable as far as its own group allows.
  subroutine check_variable(g, config, lag, layer, factor, data_range, range_action, second_put, bundle, type, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    integer, intent(in) :: lag, layer
    real(c_double), intent(in) :: factor, data_range(2)
    character(*), intent(in) :: range_action, second_put, bundle, type
    integer(c_int), intent(out) :: err
    integer, parameter :: most_lag = 10000
    character(*), parameter :: missing_intvl = 'key ''intvl'' is missing: the exchange interval in seconds'
    character(*), parameter :: lag_is = ': it is -1 (what was put before) or 1 (the sender runs ahead)'
    err = ok
    if ((has(g, 'var_put') .or. has(g, 'var_get')) .and. is_vector(g)) then
      call wrong(merge('var_put_vec', 'var_get_vec', has(g, 'var_put_vec')), &
                 'a group has var_put and var_get, or var_put_vec and var_get_vec, not both')
    else if ((has(g, 'var_put_vec') .and. has(g, 'var_put_xyz')) .or. (has(g, 'var_get_vec') .and. has(g, 'var_get_xyz'))) then
      call wrong(merge('var_put_xyz', 'var_get_xyz', has(g, 'var_put_vec') .and. has(g, 'var_put_xyz')), &
                 'each side of a vector has two components (_vec) or three (_xyz), not both')
    else if (abs(lag) > most_lag) then
      call wrong('lag', 'lag=' // decimal(lag) // lag_is // ', or up to ' // decimal(most_lag) // ' intervals more')
    else if (.not. has(g, 'intvl') .and. lag > 0) then
      call wrong('intvl', missing_intvl // ', without which nothing can be ahead (lag=' // decimal(lag) // ')')
    else if (layer < 1) then
      call wrong('layer', 'layer=' // decimal(layer) // ': it is 1 or more')
    else if (.not. abs(factor) <= huge(factor)) then
      call wrong('factor', 'factor is a finite number')
    else if (.not. data_range(1) <= data_range(2)) then
      call wrong('data_range', 'data_range is the smallest value, then the largest')
    else if (findloc_word(range_actions, lower_text(trim(range_action))) < 0) then
      call wrong('range_action', 'range_action is ''warning'' or ''error'', not ''' // trim(range_action) // '''')
    else if (has(g, 'second_put') .and. findloc_word(second_puts, lower_text(second_put)) < 0) then
      call wrong('second_put', 'second_put is ''replace'' or ''error'', not ''' // trim(second_put) // '''')
    else if (has(g, 'bundle') .and. findloc_word(bundles, lower_text(bundle)) < 0) then
      call wrong('bundle', 'bundle is ' // bundle_words // ', not ''' // trim(bundle) // '''')
    else if (findloc_word(value_types, lower_text(trim(type))) < 0) then
      call wrong('type', 'type is ''real8'' or ''real4'', not ''' // trim(type) // '''')
    end if
    if (err == ok .and. .not. has(g, 'intvl') .and. lag < 0) &
      err = config_lenient(config, g%line, c_text('h3ou_var: ' // missing_intvl // '; the field is exchanged at the start only'))
    if (err /= ok) return
    if (has(g, 'mapping_tag') .and. .not. has(g, 'comp_put')) call key_ignored(g, config, 'mapping_tag')
  contains
    subroutine wrong(key, sentence)
      character(*), intent(in) :: key, sentence
      err = config_error(config, line_of(g, key), c_text('h3ou_var: ' // sentence))
    end subroutine
  end subroutine

  !> With lag=0 there is no interval, and so no statistic of it.
  subroutine check_no_lag(g, config, interval_flag, err)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    integer(c_int), intent(in) :: interval_flag
    integer(c_int), intent(inout) :: err
    if (has(g, 'intvl') .or. interval_flag /= snapshot) &
      err = config_lenient(config, line_of(g, 'lag'), c_text('h3ou_var: lag=0: every get takes the oldest value put that was ' // &
                           'not taken yet, whatever intvl and flag say: leave intvl out, and give flag=''SNP'''))
  end subroutine

  subroutine key_ignored(g, config, name)
    type(group), intent(in) :: g
    type(c_ptr), intent(in) :: config
    character(*), intent(in) :: name
    call config_ignored(config, line_of(g, name), c_text('key'), c_text(name))
  end subroutine

end module namelist
