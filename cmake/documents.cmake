# SPDX-License-Identifier: BSD-3-Clause
# Documents, man pages and completion. The documents keep their places to each other, so that their links lead somewhere.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN man EXCLUDE PATTERN site EXCLUDE)
install(DIRECTORY samples DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS PATTERN CMakeLists.txt EXCLUDE
                                                                                     PATTERN __pycache__ EXCLUDE)
install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DOCDIR})

file(GLOB pages CONFIGURE_DEPENDS docs/man/*.1)
foreach(page IN LISTS pages)
  get_filename_component(name ${page} NAME)
  configure_file(${page} ${PROJECT_BINARY_DIR}/man/${name} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/man/${name} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endforeach()
# bash looks for a file of the command's name.
foreach(command h3ou waitio-serv)
  install(FILES tools/cli/completion/h3ou.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${command})
endforeach()
