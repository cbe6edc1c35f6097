# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` puts where. The command h3ou (tools/) and the MPI backends (cmake/mpi.cmake) install themselves.
include(CMakePackageConfigHelpers)

install(TARGETS waitio EXPORT h3ou LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# The conversion library by its own name: the same file, since published link lines name libwaitio only.
install(FILES ${PROJECT_BINARY_DIR}/lib/libwaitio_mpi.so DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS h3ou EXPORT h3ou LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET h3ou_fortran)
  set_target_properties(h3ou_fortran PROPERTIES EXPORT_NAME fortran)
  install(TARGETS h3ou_fortran EXPORT h3ou LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  # A module file of gfortran holds all that it re-exports: the one that users name is enough.
  install(FILES ${PROJECT_BINARY_DIR}/mod/h3ou_api.mod DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/h3ou)
endif()
install(FILES include/h3ou.h include/h3ou_messages.h include/h3ou_collectives.h include/h3ou_restart.h include/h3ou_check.h include/h3ouc.h
              include/h3ou_errors.h include/waitio.h include/waitio_mpi.h
              include/waitio_mpif.h ${PROJECT_BINARY_DIR}/mod/waitio_mpif90.mod
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# find_package(h3ou [COMPONENTS c fortran waitio]): targets h3ou::h3ou (also h3ou::c), h3ou::fortran, h3ou::waitio.
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/h3ou)
install(EXPORT h3ou FILE h3ou-targets.cmake NAMESPACE h3ou:: DESTINATION ${package})
configure_package_config_file(cmake/h3ou-config.cmake.in ${PROJECT_BINARY_DIR}/package/h3ou-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/h3ou-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/h3ou-config.cmake ${PROJECT_BINARY_DIR}/package/h3ou-config-version.cmake
        DESTINATION ${package})

# pkg-config packages find their prefix from where they stand, so that an installed tree may be moved.
file(RELATIVE_PATH H3OU_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" H3OU_PC_PREFIX "${H3OU_PC_PREFIX}")
file(RELATIVE_PATH H3OU_PC_INCLUDE ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
foreach(name h3ou h3ou-fortran waitio waitio-mpi)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

include(${CMAKE_CURRENT_LIST_DIR}/python.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/documents.cmake)

# Last: what is installed is listed, for uninstall.cmake.
install(CODE [[
  set(list ${CMAKE_INSTALL_PREFIX}/share/h3ou/installed.txt)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${list})
  set(lines "")
  foreach(file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
    file(RELATIVE_PATH inside ${CMAKE_INSTALL_PREFIX} ${file})
    string(APPEND lines "${inside}\n")
  endforeach()
  file(WRITE "$ENV{DESTDIR}${list}" "${lines}")
]])
