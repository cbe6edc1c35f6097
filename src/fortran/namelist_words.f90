! SPDX-License-Identifier: BSD-3-Clause
!> Functions on words and texts for the reader of namelists.
module namelist_words
  use, intrinsic :: iso_c_binding, only: c_char, c_null_char
  implicit none
  private
  public :: is_one_of, decimal, shortened, findloc_word, is_word, lower, lower_text, c_text, chars, name_len

  integer, parameter :: name_len = 64 !< characters of a name

contains

  !> Returns whether a word is one of a list with blanks between.
  logical function is_one_of(word, list)
    character(*), intent(in) :: word, list
    is_one_of = index(trim(word), ' ') == 0 .and. index(' ' // list // ' ', ' ' // trim(word) // ' ') > 0
  end function

  function decimal(number) result(text)
    integer, intent(in) :: number
    character(:), allocatable :: text
    character(12) :: room
    write (room, '(i0)') number
    text = trim(room)
  end function

  !> Returns the beginning of a user's text, short enough for a message.
  function shortened(text) result(short)
    character(*), intent(in) :: text
    character(:), allocatable :: short
    integer, parameter :: most = 60
    short = trim(text)
    if (len(short) > most) short = short(:most) // '...'
  end function

  !> Returns the position of a word in a list, from 0, or -1.
  integer function findloc_word(list, word) result(place)
    character(*), intent(in) :: list, word
    integer :: i
    place = -1
    if (.not. is_one_of(word, list)) return
    place = 0
    do i = 1, index(' ' // list // ' ', ' ' // trim(word) // ' ') - 1
      if (list(i:i) == ' ') place = place + 1
    end do
  end function

  elemental logical function is_word(c)
    character, intent(in) :: c
    is_word = (c >= 'a' .and. c <= 'z') .or. (c >= 'A' .and. c <= 'Z') .or. (c >= '0' .and. c <= '9') .or. c == '_'
  end function

  elemental character function lower(c)
    character, intent(in) :: c
    lower = c
    if (c >= 'A' .and. c <= 'Z') lower = achar(iachar(c) + 32)
  end function

  function lower_text(text) result(low)
    character(*), intent(in) :: text
    character(len(text)) :: low
    integer :: i
    do i = 1, len(text)
      low(i:i) = lower(text(i:i))
    end do
  end function

  function c_text(text) result(c)
    character(*), intent(in) :: text
    character(:, kind=c_char), allocatable :: c
    c = trim(text) // c_null_char
  end function

  !> Returns a name as the array of characters that a structure of C holds.
  function chars(text) result(c)
    character(*), intent(in) :: text
    character(kind=c_char) :: c(name_len + 1)
    integer :: i
    c = c_null_char
    do i = 1, min(len_trim(text), name_len)
      c(i) = text(i:i)
    end do
  end function

end module namelist_words
