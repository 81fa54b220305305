# What `make install` installs, and what is made for that alone: the files by which others find the library, manual
# pages and completions. An installed tree can be moved: nothing in it names its prefix.

# ---- pkg-config and CMake ------------------------------------------------------------------------

set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Contra)
file(RELATIVE_PATH pc_to_prefix /${pc_dir} /)
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
list(JOIN pc_libs " " pc_libs)
configure_file(cmake/contra.pc.in contra.pc @ONLY)

include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/ContraConfig.cmake.in ContraConfig.cmake
    INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR
    NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Until 1.0 a minor version may change what programs see, as its soname would say from then on.
write_basic_package_version_file(ContraConfigVersion.cmake COMPATIBILITY SameMinorVersion)

# ---- manual pages and completions: the tool prints its own ---------------------------------------

# A cross build cannot run the tool that it builds, so a native one of the same version writes the pages.
if(CMAKE_CROSSCOMPILING)
    set(CONTRA_NATIVE "" CACHE FILEPATH "A contra of this version that runs on this machine, to write manual pages")
    set(page_writer ${CONTRA_NATIVE})
else()
    set(page_writer $<TARGET_FILE:contra>)
endif()

if(page_writer)
    set(pages ${PROJECT_BINARY_DIR}/pages)
    add_custom_command(
        OUTPUT ${pages}/stamp
        COMMAND ${CMAKE_COMMAND} -DCONTRA=${page_writer} -DOUT=${pages}
                -P ${PROJECT_SOURCE_DIR}/cmake/pages.cmake
        COMMAND awk -v version=${PROJECT_VERSION} -v date=${PROJECT_DATE}
                -f ${PROJECT_SOURCE_DIR}/scripts/header-page.awk
                ${PROJECT_SOURCE_DIR}/include/contra.h > ${pages}/man/man3/libcontra.3
        COMMAND ${CMAKE_COMMAND} -E touch ${pages}/stamp
        DEPENDS ${page_writer} include/contra.h cmake/pages.cmake scripts/header-page.awk
        COMMENT "Writing manual pages and completions"
        VERBATIM)
    add_custom_target(contra-pages ALL DEPENDS ${pages}/stamp)

    install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(FILES ${pages}/contra.bash RENAME contra
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    set(CONTRA_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh looks for completions")
    install(FILES ${pages}/contra.zsh RENAME _contra DESTINATION ${CONTRA_ZSH_DIR})
    install(FILES ${pages}/contra.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
else()
    message(STATUS "Cross build without manual pages and completions (set CONTRA_NATIVE to a contra that runs here)")
endif()

# ---- everything else --------------------------------------------------------------------------------

install(TARGETS contra)
install(TARGETS contra-shared EXPORT contra-targets
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/libcontra.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/contra.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/contra.pc DESTINATION ${pc_dir})
install(EXPORT contra-targets NAMESPACE Contra:: FILE ContraTargets.cmake DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/ContraConfig.cmake ${PROJECT_BINARY_DIR}/ContraConfigVersion.cmake
    DESTINATION ${package_dir})

install(FILES editors/nvim/lua/contra.lua DESTINATION ${CMAKE_INSTALL_DATADIR}/nvim/site/lua)

install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
