# SPDX-License-Identifier: BSD-3-Clause
# The MPIs of this machine. For each: a backend library, and h3ou_mpi_program() builds test and sample programs with its
# wrapper. H3OU_MPIS lists their names; mpicc.<name>, mpifort.<name>, mpirun.<name> is Debian's way to have several.
set(H3OU_MPI_NAMES mpich openmpi CACHE STRING "The MPIs to look for, as mpicc.<name>; when none is found: mpicc")
set(H3OU_MPIS "")
foreach(name IN LISTS H3OU_MPI_NAMES)
  find_program(H3OU_MPICC_${name} mpicc.${name})
  find_program(H3OU_MPIFORT_${name} mpifort.${name})
  find_program(H3OU_MPIRUN_${name} mpirun.${name})
  if(H3OU_MPICC_${name} AND H3OU_MPIFORT_${name} AND H3OU_MPIRUN_${name})
    list(APPEND H3OU_MPIS ${name})
  endif()
endforeach()
if(NOT H3OU_MPIS)
  # A machine with one MPI under its plain names, e.g. a vendor's.
  find_program(H3OU_MPICC_default NAMES mpicc mpifccpx mpiicc)
  find_program(H3OU_MPIFORT_default NAMES mpifort mpifrtpx mpiifort)
  find_program(H3OU_MPIRUN_default NAMES mpirun mpiexec)
  if(H3OU_MPICC_default AND H3OU_MPIFORT_default)
    list(APPEND H3OU_MPIS default)
  endif()
endif()
message(STATUS "MPIs found: ${H3OU_MPIS}")

# The MPIs that programs are built with which do not say EVERY_MPI. What differs between the MPIs is in the backend. A release
# builds and tests every program with every MPI. With the address sanitizer most programs are built and run with the first MPI
# alone, which halves these tests' time. With the thread sanitizer, which reports the MPIs' own threads, none is run.
set(H3OU_PROGRAM_MPIS ${H3OU_MPIS})
if(H3OU_SANITIZE MATCHES thread)
  set(H3OU_PROGRAM_MPIS none)
elseif(H3OU_SANITIZE)
  list(GET H3OU_MPIS 0 H3OU_PROGRAM_MPIS)
endif()

# The wrappers compile outside CMake's own language support: CMake knows one MPI per project, we need all of them.
function(h3ou_mpi_backends)
  set(backend ${PROJECT_SOURCE_DIR}/src/c/mpi/backend.c)
  set(outputs)
  foreach(mpi IN LISTS H3OU_MPIS)
    set(output ${PROJECT_BINARY_DIR}/lib/libh3ou_mpi_${mpi}.so)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${H3OU_MPICC_${mpi}} ${H3OU_C_FLAGS} ${H3OU_OPTIMISE} ${H3OU_SANITIZE_FLAGS} -fPIC -shared
              -DH3OU_MPI_NAME="${mpi}" -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src/c ${backend} -o ${output}
              -L${PROJECT_BINARY_DIR}/lib -lwaitio "-Wl,-rpath,$ORIGIN"
      DEPENDS ${backend} ${PROJECT_SOURCE_DIR}/src/c/mpi/mpi.h ${PROJECT_SOURCE_DIR}/src/c/base/error.h
              ${PROJECT_SOURCE_DIR}/src/c/base/types.h waitio
      VERBATIM)
    list(APPEND outputs ${output})
    install(FILES ${output} DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endforeach()
  add_custom_target(h3ou_mpi_backends ALL DEPENDS ${outputs})
endfunction()

# h3ou_mpi_program(<name> <source>... [EVERY_MPI] [LIBS -lfoo...] [OPTIONS -Dx...] [DEPENDS target...]): for each MPI of
# H3OU_PROGRAM_MPIS (with EVERY_MPI: for each) an executable <current binary dir>/<name>.<mpi>, C or Fortran by the first
# source, linked with libh3ou_fortran, libh3ou and libwaitio.
function(h3ou_mpi_program name)
  cmake_parse_arguments(arg "EVERY_MPI" "" "LIBS;OPTIONS;DEPENDS" ${ARGN})
  set(mpis ${H3OU_PROGRAM_MPIS})
  if(mpis STREQUAL none)
    return()
  elseif(arg_EVERY_MPI)
    set(mpis ${H3OU_MPIS})
  endif()
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]" OUTPUT_VARIABLE sources)
  list(GET sources 0 first)
  if(H3OU_SANITIZE)
    list(APPEND sources ${PROJECT_SOURCE_DIR}/tests/lib/keep_modules.c)
    list(APPEND arg_OPTIONS -Wl,--export-dynamic-symbol=dlclose)
  endif()
  foreach(mpi IN LISTS mpis)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.${mpi})
    set(modules ${CMAKE_CURRENT_BINARY_DIR}/mod-${name}.${mpi})
    file(MAKE_DIRECTORY ${modules})
    if(first MATCHES "\\.[fF]90$")
      # Not -Werror for programs of users' style; -J keeps each program's modules apart.
      set(command ${H3OU_MPIFORT_${mpi}} ${H3OU_OPTIMISE} ${H3OU_SANITIZE_FLAGS} -ffp-contract=off -J${modules}
                  -I${PROJECT_BINARY_DIR}/mod)
      set(libs -lh3ou_fortran -lh3ou -lwaitio)
      set(needs h3ou_fortran)
    else()
      set(command ${H3OU_MPICC_${mpi}} ${H3OU_C_FLAGS} ${H3OU_OPTIMISE} ${H3OU_SANITIZE_FLAGS}
                  -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src/c)
      set(libs -lh3ou -lwaitio)
      set(needs h3ou)
    endif()
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${command} ${arg_OPTIONS} ${sources} -o ${output} -L${PROJECT_BINARY_DIR}/lib
              -Wl,-rpath,${PROJECT_BINARY_DIR}/lib ${libs} ${arg_LIBS} -lm -pthread
      DEPENDS ${sources} ${needs} h3ou_mpi_backends ${arg_DEPENDS}
      VERBATIM)
    file(RELATIVE_PATH target ${PROJECT_BINARY_DIR} ${output}) # two folders may have programs of one name
    string(MAKE_C_IDENTIFIER "program_${target}" target)
    add_custom_target(${target} ALL DEPENDS ${output})
  endforeach()
endfunction()
