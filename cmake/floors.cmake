# SPDX-License-Identifier: BSD-3-Clause
# h3ou_room(<room> [<rooms it may use>...]): an object library of the C files of a folder: src/c/<room>, or <room> at the top
# of the tree (interp, coupler, tools). A new file needs no line here. Includes are written "room/file.h"; tests/house/ reads them
# all and compares with the arrows given here.
set_property(GLOBAL PROPERTY H3OU_ARROWS "")
set_property(GLOBAL PROPERTY H3OU_ROOMS "")
# h3ou_arrows(<room> [<rooms it may use>...]): the arrows alone, of a room whose sources are compiled elsewhere.
function(h3ou_arrows room)
  set_property(GLOBAL APPEND PROPERTY H3OU_ARROWS "${room}:${ARGN}")
endfunction()

function(h3ou_room room)
  string(REPLACE "/" "_" name ${room})
  set(folder ${PROJECT_SOURCE_DIR}/src/c/${room})
  if(NOT EXISTS ${folder})
    set(folder ${PROJECT_SOURCE_DIR}/${room})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.c)
  list(FILTER sources EXCLUDE REGEX "/mpi/backend\\.c$") # compiled by each MPI's wrapper: cmake/mpi.cmake
  add_library(h3ou_room_${name} OBJECT ${sources})
  target_link_libraries(h3ou_room_${name} PUBLIC h3ou_flags Threads::Threads)
  target_include_directories(h3ou_room_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src/c ${PROJECT_SOURCE_DIR})
  foreach(below IN LISTS ARGN)
    # Of an object library this gives the usage requirements; each shared library lists the objects it is made of.
    string(REPLACE "/" "_" below ${below})
    target_link_libraries(h3ou_room_${name} PUBLIC h3ou_room_${below})
  endforeach()
  h3ou_arrows(${room} ${ARGN})
  set_property(GLOBAL APPEND PROPERTY H3OU_ROOMS ${room})
endfunction()

# A message passes through a dozen files, and each step would be a call: the transport is optimised as one program, and
# calls are inlined that a compiler would find too long (1 % of a half round trip). The objects hold plain code too, for
# tests that link with them. As properties of the sources, these flags come last.
set(H3OU_AS_ONE_LINK "")
set(inline -finline-limit=2000 --param=max-inline-insns-auto=200 --param=inline-unit-growth=200)
macro(h3ou_optimise_as_one)
  if(CMAKE_C_COMPILER_ID STREQUAL GNU AND NOT H3OU_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
    foreach(room ${ARGN})
      string(REPLACE "/" "_" name ${room})
      get_target_property(sources h3ou_room_${name} SOURCES)
      set_source_files_properties(
        ${sources} PROPERTIES COMPILE_OPTIONS "-O3;-flto;-ffat-lto-objects;-fno-semantic-interposition;-fno-plt;${inline}")
    endforeach()
    set(H3OU_AS_ONE_LINK -flto=auto -Wl,-z,now ${inline})
  endif()
endmacro()

# Sources whose loops pass over whole fields: -O2 makes vectors only of loops of known length. Vectors change no bits, because
# sums keep their order.
function(h3ou_vectorise)
  if(CMAKE_C_COMPILER_ID STREQUAL GNU AND NOT H3OU_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
    list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-O3")
  endif()
endfunction()

# The objects of some floors, for a shared library or a test: of each the room of that name and all rooms below it, so that
# waitio stands for waitio/conduit, too. Only interp does not stand for interp/file, which needs NetCDF.
function(h3ou_use_floors target)
  get_property(rooms GLOBAL PROPERTY H3OU_ROOMS)
  foreach(floor IN LISTS ARGN)
    foreach(room IN LISTS rooms)
      string(REPLACE "/" "_" name ${room})
      string(FIND ${room} ${floor}/ at)
      if(room STREQUAL floor OR (at EQUAL 0 AND NOT (floor STREQUAL interp AND room MATCHES "^interp/file")))
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:h3ou_room_${name}>)
      endif()
    endforeach()
    if(floor STREQUAL waitio)
      target_link_libraries(${target} PRIVATE PkgConfig::SODIUM)
    endif()
  endforeach()
  if(H3OU_AS_ONE_LINK AND target STREQUAL waitio)
    target_link_options(${target} PRIVATE ${H3OU_AS_ONE_LINK})
  elseif(H3OU_AS_ONE_LINK)
    target_link_options(${target} PRIVATE -fno-lto)
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/c ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE h3ou_flags Threads::Threads m dl)
endfunction()
