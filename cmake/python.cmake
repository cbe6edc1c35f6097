# SPDX-License-Identifier: BSD-3-Clause
# The Python package: <build>/python is for PYTHONPATH, and so is what is installed. place.py says where the library is, seen
# from the package, so that an installed tree may be moved.
set(H3OU_PYTHONDIR lib/python3/dist-packages CACHE STRING "Where the Python package is installed, below the prefix")
file(GLOB modules CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/python/h3ou/*.py)
foreach(module IN LISTS modules)
  get_filename_component(name ${module} NAME)
  configure_file(${module} ${PROJECT_BINARY_DIR}/python/h3ou/${name} COPYONLY)
endforeach()

get_target_property(soversion h3ou SOVERSION)
function(h3ou_python_place file libdir packages)
  file(RELATIVE_PATH way ${packages}/h3ou ${libdir})
  string(REGEX REPLACE "/$" "" way ${way})
  file(CONFIGURE OUTPUT ${file} CONTENT "# Written by CMake.
LIBRARY = \"${way}/libh3ou.so.${soversion}\"
VERSION = \"${PROJECT_VERSION}\"
")
endfunction()
h3ou_python_place(${PROJECT_BINARY_DIR}/python/h3ou/place.py ${CMAKE_LIBRARY_OUTPUT_DIRECTORY} ${PROJECT_BINARY_DIR}/python)
h3ou_python_place(${PROJECT_BINARY_DIR}/package/place.py ${CMAKE_INSTALL_FULL_LIBDIR} ${CMAKE_INSTALL_PREFIX}/${H3OU_PYTHONDIR})
install(FILES ${modules} ${PROJECT_BINARY_DIR}/package/place.py DESTINATION ${H3OU_PYTHONDIR}/h3ou)
