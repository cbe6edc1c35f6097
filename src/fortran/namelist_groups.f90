! SPDX-License-Identifier: BSD-3-Clause
!> Cuts the text of a configuration into namelist groups, and a group into its keys, each with its line. What the keys mean is
!> said in namelist.f90.
module namelist_groups
  use namelist_words, only: is_one_of, decimal, shortened, is_word, lower, lower_text, c_text, chars
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_char, c_ptr
  implicit none
  private
  public :: group, next_group, find_keys, has, line_of, as_namelist, config_error, config_unknown, config_ignored, ok

  integer, parameter :: key_len = 32  !< characters of a key, for messages too
  integer, parameter :: max_keys = 64 !< keys of one group
  integer, parameter :: ok = 0

  !> One key of a group: its name, the element that a subscript names, its line, and the positions in the group's text of its
  !> first character, of its = and of the end of its value.
  type :: key_place
    character(key_len) :: name
    character(key_len) :: element
    integer :: line, first, equals, last
  end type

  !> One group: name, line, text between the name and its end, and the line of every character.
  type :: group
    character(key_len) :: name
    integer :: line
    character(:), allocatable :: text
    integer, allocatable :: line_of(:)
    integer :: nkey
    type(key_place) :: key(max_keys)
  end type

  interface
    integer(c_int) function config_error(config, line, text) bind(C, name='h3ou__config_error')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: config
      integer(c_int), value :: line
      character(kind=c_char), intent(in) :: text(*)
    end function
    integer(c_int) function config_unknown(config, line, kind, name, known) bind(C, name='h3ou__config_unknown')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: config
      integer(c_int), value :: line
      character(kind=c_char), intent(in) :: kind(*), name(*), known(*)
    end function
    subroutine config_ignored(config, line, what, name) bind(C, name='h3ou__config_ignored')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: config
      integer(c_int), value :: line
      character(kind=c_char), intent(in) :: what(*), name(*)
    end subroutine
  end interface

contains

  !> Finds the next group whose name begins with h3ou; g%text is the text up to its end, without comments. Groups of other
  !> programs, and prose with an & in it, are skipped.
  subroutine next_group(text, length, config, at, line, g, found, err)
    character(kind=c_char), intent(in) :: text(*)
    integer(c_int64_t), intent(in) :: length
    type(c_ptr), intent(in) :: config
    integer(c_int64_t), intent(inout) :: at
    integer, intent(inout) :: line
    type(group), intent(out) :: g
    logical, intent(out) :: found
    integer(c_int), intent(out) :: err
    integer(c_int64_t) :: behind_name
    do
      call next_name(text, length, config, at, line, g, found, err)
      if (err /= ok .or. .not. found) return
      if (g%name == 'end') cycle ! behind a group that a / has ended
      behind_name = at
      call take_text(text, length, config, at, line, g, err)
      if (index(g%name, 'h3ou') == 1) return
      if (err /= ok) then
        at = behind_name
        line = g%line
      end if
      call config_ignored(config, g%line, c_text('group'), c_text(g%name))
    end do
  end subroutine

  !> Moves behind the next '&name' (or '$name', as older programs write) outside comments.
  subroutine next_name(text, length, config, at, line, g, found, err)
    character(kind=c_char), intent(in) :: text(*)
    integer(c_int64_t), intent(in) :: length
    type(c_ptr), intent(in) :: config
    integer(c_int64_t), intent(inout) :: at
    integer, intent(inout) :: line
    type(group), intent(inout) :: g
    logical, intent(out) :: found
    integer(c_int), intent(out) :: err
    integer(c_int64_t) :: mark
    character :: c
    err = ok
    found = .false.
    do while (at <= length)
      c = text(at)
      if (c == '!') then
        call skip_comment(text, length, at)
        cycle
      end if
      at = at + 1
      if (c == new_line('a')) line = line + 1
      if (.not. is_mark(c)) cycle
      mark = at
      do while (at <= length)
        if (text(at) /= ' ' .and. text(at) /= achar(9)) exit
        at = at + 1
      end do
      g%line = line
      g%name = word_at(text, length, at)
      found = g%name /= '' .and. at == mark
      if (found) at = at + word_length(text, length, at)
      if (index(g%name, 'h3ou') == 1 .and. .not. found) &
        err = config_error(config, line, c_text('no blank may stand between ' // c // ' and ' // trim(g%name)))
      if (found .or. err /= ok) return
    end do
  end subroutine

  elemental logical function is_mark(c)
    character, intent(in) :: c
    is_mark = c == '&' .or. c == '$'
  end function

  !> Returns the length of the word that begins at `at`.
  integer(c_int64_t) function word_length(text, length, at) result(n)
    character(kind=c_char), intent(in) :: text(*)
    integer(c_int64_t), intent(in) :: length, at
    n = 0
    do while (at + n <= length)
      if (.not. is_word(text(at + n))) exit
      n = n + 1
    end do
  end function

  !> Returns that word in small letters, cut to the length of a key.
  function word_at(text, length, at) result(word)
    character(kind=c_char), intent(in) :: text(*)
    integer(c_int64_t), intent(in) :: length, at
    character(key_len) :: word
    integer :: i
    word = ''
    do i = 1, int(min(word_length(text, length, at), int(key_len, c_int64_t)))
      word(i:i) = lower(text(at + i - 1))
    end do
  end function

  subroutine skip_comment(text, length, at)
    character(kind=c_char), intent(in) :: text(*)
    integer(c_int64_t), intent(in) :: length
    integer(c_int64_t), intent(inout) :: at
    do while (at <= length)
      if (text(at) == new_line('a')) exit
      at = at + 1
    end do
  end subroutine

  !> Takes the text of a group, up to '/' or '&end' outside quotes. Ends of line and tabs become blanks.
  subroutine take_text(text, length, config, at, line, g, err)
    character(kind=c_char), intent(in) :: text(*)
    integer(c_int64_t), intent(in) :: length
    type(c_ptr), intent(in) :: config
    integer(c_int64_t), intent(inout) :: at
    integer, intent(inout) :: line
    type(group), intent(inout) :: g
    integer(c_int), intent(out) :: err
    character(:), allocatable :: room
    integer, allocatable :: lines(:)
    integer :: n, quote_line
    character :: c, quote
    err = ok
    allocate (character(length - at + 2) :: room)
    allocate (lines(length - at + 2))
    n = 0
    quote = ' '
    quote_line = 0
    do while (at <= length)
      c = text(at)
      if (quote == ' ') then
        if (c == '!') then
          call skip_comment(text, length, at)
          cycle
        end if
        if (c == '/' .or. is_mark(c)) exit
        if (c == '''' .or. c == '"') then
          quote = c
          quote_line = line
        end if
      else if (c == quote) then
        quote = ' '
      else if (c == new_line('a')) then
        err = config_error(config, quote_line, c_text(trim(g%name) // ': the quote that opens here is not closed on its line'))
        return
      end if
      n = n + 1
      lines(n) = line
      room(n:n) = c
      if (c == new_line('a')) line = line + 1
      if (c == new_line('a') .or. c == achar(9) .or. c == achar(13)) room(n:n) = ' '
      at = at + 1
    end do
    if (at > length .and. quote /= ' ') then
      err = config_error(config, quote_line, c_text(trim(g%name) // ': the quote that opens here is not closed on its line'))
      return
    else if (at > length) then
      err = config_error(config, g%line, c_text('group &' // trim(g%name) // ' has no end: a / is missing'))
      return
    end if
    if (is_mark(text(at))) call skip_end(text, length, config, g, line, at, err)
    at = at + 1
    g%text = room(1:n)
    g%line_of = lines(1:n)
  end subroutine

  !> Checks for '&end' or '$end', in upper or lower case; at anything else the end of the group was forgotten.
  subroutine skip_end(text, length, config, g, line, at, err)
    character(kind=c_char), intent(in) :: text(*)
    integer(c_int64_t), intent(in) :: length
    type(c_ptr), intent(in) :: config
    type(group), intent(in) :: g
    integer, intent(in) :: line
    integer(c_int64_t), intent(inout) :: at
    integer(c_int), intent(inout) :: err
    logical :: is_end
    character(12) :: next
    is_end = word_at(text, length, at + 1) == 'end'
    if (is_end) then
      at = at + 3
    else
      write (next, '(i0)') line
      err = config_error(config, g%line, c_text('group &' // trim(g%name) // ' has no end before the next group, in line ' // &
                         trim(next) // ': a / is missing'))
    end if
  end subroutine

  !> Finds the keys of a group, the words before '=' outside quotes, and checks that the group has such keys.
  subroutine find_keys(g, config, known, err)
    type(group), intent(inout) :: g
    type(c_ptr), intent(in) :: config
    character(*), intent(in) :: known
    integer(c_int), intent(out) :: err
    integer :: i, j, first, last
    character :: quote
    character(key_len) :: name, element
    err = ok
    g%nkey = 0
    quote = ' '
    do i = 1, len(g%text)
      if (quote /= ' ') then
        if (g%text(i:i) == quote) quote = ' '
        cycle
      end if
      if (g%text(i:i) == '''' .or. g%text(i:i) == '"') quote = g%text(i:i)
      if (g%text(i:i) /= '=') cycle
      call word_before(g%text, i, first, last, element)
      if (first > last) then
        err = config_error(config, g%line_of(i), c_text(trim(g%name) // ': an = without a key'))
        return
      end if
      name = ''
      do j = first, min(last, first + key_len - 1)
        name(j - first + 1:j - first + 1) = lower(g%text(j:j))
      end do
      call add_key(g, config, name, element, first, i, known, err)
      if (err /= ok) return
    end do
    if (g%nkey == 0 .and. len_trim(g%text) > 0) then
      err = config_error(config, g%line, c_text(trim(g%name) // ': no key = value in this group'))
    else if (g%nkey > 0) then
      ! Fortran's reader never gets this text, so an error in it must be reported here.
      first = verify(g%text(:g%key(1)%first - 1), ' ,')
      if (first > 0) err = config_error(config, g%line_of(first), c_text(trim(g%name) // ': before the first key stands ''' // &
                                        shortened(g%text(first:g%key(1)%first - 1)) // ''''))
    end if
  end subroutine

  !> Finds the word that ends before position i; a subscript is not part of it, but returned as `element`.
  subroutine word_before(text, i, first, last, element)
    character(*), intent(in) :: text
    integer, intent(in) :: i
    integer, intent(out) :: first, last
    character(key_len), intent(out) :: element
    integer :: bracket
    element = ''
    last = len_trim(text(:i - 1))
    if (last >= 1) then
      if (text(last:last) == ')') then
        bracket = index(text(:last), '(', back=.true.)
        if (bracket > 0) element = adjustl(text(bracket + 1:last - 1))
        last = len_trim(text(:max(0, bracket - 1)))
      end if
    end if
    first = last + 1
    do while (first > 1)
      if (.not. is_word(text(first - 1:first - 1))) exit
      first = first - 1
    end do
  end subroutine

  subroutine add_key(g, config, name, element, first, equals, known, err)
    type(group), intent(inout) :: g
    type(c_ptr), intent(in) :: config
    character(key_len), intent(in) :: name, element
    integer, intent(in) :: first, equals
    character(*), intent(in) :: known
    integer(c_int), intent(out) :: err
    integer :: i, line
    err = ok
    line = g%line_of(first)
    if (.not. is_one_of(name, known)) then
      err = config_unknown(config, line, c_text('unknown key of ' // trim(g%name)), c_text(name), c_text(known))
      return
    end if
    do i = 1, g%nkey
      if (g%key(i)%name /= name) cycle
      if (element /= '' .and. g%key(i)%element /= '' .and. element /= g%key(i)%element) cycle
      err = config_error(config, line, c_text(trim(g%name) // ': key ''' // trim(name) // ''' is given twice: leave one out'))
      return
    end do
    if (g%nkey > 0) g%key(g%nkey)%last = first - 1
    if (g%nkey == max_keys) then
      err = config_error(config, line, c_text(trim(g%name) // ': too many keys'))
      return
    end if
    g%nkey = g%nkey + 1
    g%key(g%nkey) = key_place(name, element, line, first, equals, len(g%text))
  end subroutine

  logical function has(g, name)
    type(group), intent(in) :: g
    character(*), intent(in) :: name
    integer :: i
    has = .false.
    do i = 1, g%nkey
      if (g%key(i)%name == name) has = .true.
    end do
  end function

  !> Returns the line of a key, or of the group if it does not have the key.
  integer(c_int) function line_of(g, name)
    type(group), intent(in) :: g
    character(*), intent(in) :: name
    integer :: i
    line_of = g%line
    do i = 1, g%nkey
      if (g%key(i)%name == name) line_of = g%key(i)%line
    end do
  end function

  !> Returns a group as text for Fortran's reader, with the keys first .. last only.
  function as_namelist(g, first, last) result(text)
    type(group), intent(in) :: g
    integer, intent(in) :: first, last
    character(:), allocatable :: text
    integer :: i
    text = '&' // trim(g%name) // ' '
    do i = first, last
      text = text // trim(g%key(i)%name)
      if (g%key(i)%element /= '') text = text // '(' // trim(g%key(i)%element) // ')' ! gfortran reads no blank before it
      text = text // g%text(g%key(i)%equals:g%key(i)%last) // ' '
    end do
    text = text // '/'
  end function

end module namelist_groups
