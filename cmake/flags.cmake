# SPDX-License-Identifier: BSD-3-Clause
# One place for compiler flags; the MPI wrappers (cmake/mpi.cmake) are given the same lists.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
find_package(Threads REQUIRED)

# Truncating a sentence is what snprintf is for here, hence -Wno-format-truncation.
# -ffp-contract=off: the same sums give the same bits on every machine type and at every optimisation level.
set(H3OU_C_FLAGS -std=c17 -D_GNU_SOURCE -fvisibility=hidden -ffp-contract=off -Wall -Wextra -Wshadow -Wpointer-arith
                 -Wno-format-truncation -Wstrict-prototypes -Wmissing-prototypes -Wvla)
set(H3OU_FORTRAN_FLAGS -std=f2008 -ffp-contract=off -Wall -Wextra -Wno-compare-reals -Wno-maybe-uninitialized
                       -Wno-unused-dummy-argument)
if(H3OU_WERROR)
  list(APPEND H3OU_C_FLAGS -Werror)
  list(APPEND H3OU_FORTRAN_FLAGS -Werror)
endif()
if(CMAKE_BUILD_TYPE STREQUAL Debug)
  set(H3OU_OPTIMISE -g -O0)
elseif(H3OU_SANITIZE)
  set(H3OU_OPTIMISE -g1 -O1) # lines are enough for reports; to follow variables takes half of the time of some files
else()
  set(H3OU_OPTIMISE -g -O2)
endif()
set(H3OU_SANITIZE_FLAGS)
set(H3OU_FORTRAN_SANITIZE)
if(H3OU_SANITIZE)
  set(H3OU_SANITIZE_FLAGS -fsanitize=${H3OU_SANITIZE} -fno-omit-frame-pointer)
  if(H3OU_SANITIZE MATCHES undefined)
    list(APPEND H3OU_SANITIZE_FLAGS -fno-sanitize-recover=undefined)
    # gfortran computes extents of absent optional arrays from whatever stands there, and does not use them.
    set(H3OU_FORTRAN_SANITIZE -fno-sanitize=signed-integer-overflow)
  endif()
endif()

add_library(h3ou_flags INTERFACE)
target_compile_options(
  h3ou_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:${H3OU_C_FLAGS}> $<$<COMPILE_LANGUAGE:Fortran>:${H3OU_FORTRAN_FLAGS}>
                       ${H3OU_OPTIMISE} ${H3OU_SANITIZE_FLAGS} $<$<COMPILE_LANGUAGE:Fortran>:${H3OU_FORTRAN_SANITIZE}>)
target_link_options(h3ou_flags INTERFACE ${H3OU_SANITIZE_FLAGS})
target_include_directories(h3ou_flags INTERFACE ${PROJECT_SOURCE_DIR}/include)
