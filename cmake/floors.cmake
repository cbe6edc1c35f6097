# SPDX-License-Identifier: BSD-3-Clause
# h3ou_floor(<folder> [<folders it may use>...]): an object library of src/c/<folder>/*.c. A new file needs no line here.
# Includes are written "folder/file.h" from src/c; tests/house/ reads them all and compares with the arrows given here.
set_property(GLOBAL PROPERTY H3OU_ARROWS "")
function(h3ou_floor folder)
  string(REPLACE "/" "_" name ${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/c/${folder}/*.c)
  list(FILTER sources EXCLUDE REGEX "/mpi/backend\\.c$") # compiled by each MPI's wrapper: cmake/mpi.cmake
  if(sources)
    add_library(h3ou_floor_${name} OBJECT ${sources})
    target_link_libraries(h3ou_floor_${name} PUBLIC h3ou_flags Threads::Threads)
    target_include_directories(h3ou_floor_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src/c)
  else()
    add_library(h3ou_floor_${name} INTERFACE)
  endif()
  foreach(below IN LISTS ARGN)
    string(REPLACE "/" "_" below ${below})
    if(sources)
      # Of an object library this gives the usage requirements; each shared library lists the objects it is made of.
      target_link_libraries(h3ou_floor_${name} PUBLIC h3ou_floor_${below})
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY H3OU_ARROWS "${folder}:${ARGN}")
endfunction()

# A message passes through a dozen files, and each step would be a call: the transport is optimised as one program, and
# calls are inlined that a compiler would find too long (1 % of a half round trip). The objects hold plain code too, for
# tests that link with them. As properties of the sources, these flags come last.
set(H3OU_AS_ONE_LINK "")
set(inline -finline-limit=2000 --param=max-inline-insns-auto=200 --param=inline-unit-growth=200)
macro(h3ou_optimise_as_one)
  if(CMAKE_C_COMPILER_ID STREQUAL GNU AND NOT H3OU_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
    foreach(folder ${ARGN})
      string(REPLACE "/" "_" name ${folder})
      get_target_property(sources h3ou_floor_${name} SOURCES)
      set_source_files_properties(
        ${sources} PROPERTIES COMPILE_OPTIONS "-O3;-flto;-ffat-lto-objects;-fno-semantic-interposition;-fno-plt;${inline}")
    endforeach()
    set(H3OU_AS_ONE_LINK -flto=auto -Wl,-z,now ${inline})
  endif()
endmacro()

# The objects of some floors, for a shared library or a test.
function(h3ou_use_floors target)
  foreach(folder IN LISTS ARGN)
    string(REPLACE "/" "_" name ${folder})
    get_target_property(type h3ou_floor_${name} TYPE)
    if(type STREQUAL OBJECT_LIBRARY)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:h3ou_floor_${name}>)
    endif()
    if(folder STREQUAL waitio)
      target_link_libraries(${target} PRIVATE PkgConfig::SODIUM)
    endif()
  endforeach()
  if(H3OU_AS_ONE_LINK AND target STREQUAL waitio)
    target_link_options(${target} PRIVATE ${H3OU_AS_ONE_LINK})
  elseif(H3OU_AS_ONE_LINK)
    target_link_options(${target} PRIVATE -fno-lto)
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/c)
  target_link_libraries(${target} PRIVATE h3ou_flags Threads::Threads m dl)
endfunction()
