# SPDX-License-Identifier: LGPL-2.1-or-later
# The Debian package and the RPM of the same files, made by "cpack -G DEB" and "cpack -G RPM" in the build directory of a build
# with prefix /usr.
file(STRINGS packaging/debian/changelog changelog_head LIMIT_COUNT 1)
if(NOT changelog_head MATCHES "^perf-recorder \\(${PROJECT_VERSION}\\)")
        message(FATAL_ERROR "packaging/debian/changelog is not about ${PROJECT_VERSION}: ${changelog_head}")
endif()
install(FILES packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/perf-recorder)
install(FILES packaging/debian/changelog DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/perf-recorder RENAME changelog)
# What users read, in the same places as here, so that the links between these files lead somewhere.
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/perf-recorder)
install(FILES docs/COOKBOOK.md docs/FAQ.md docs/OVERHEAD.md docs/flamegraph.svg DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/perf-recorder/docs)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/perf-recorder)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME perf-recorder)
set(CPACK_PACKAGE_CONTACT "perf-recorder developers <perf-recorder@users.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
if(PR_SANITIZE) # a package for tests, whose reports shall name lines
        set(CPACK_STRIP_FILES OFF)
else()
        set(CPACK_STRIP_FILES ON)
endif()
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
        OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS
        ${CMAKE_CURRENT_SOURCE_DIR}/packaging/compress-docs.cmake
        ${CMAKE_CURRENT_SOURCE_DIR}/packaging/rpm/no-configuration.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "default-dbus-system-bus | dbus-system-bus, systemd (>= 252)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "linux-perf, polkitd, libbpf1")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libdebuginfod1, libpfm4")
set(description
"A service that runs one recorder of performance events per session file,
each in a systemd scope of its own, and serves the sessions on D-Bus. The
recordings are perf.data files, which perf report and perf script read.
.
Sessions that keep the last minutes in memory are dumped on request, and
when something happens: an event, pressure, a unit that failed, the time.
.
perfctl controls the sessions, makes, shows, opens and merges dumps, and
records commands as perf record does.")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "${description}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
        ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/postinst
        ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/prerm
        ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/postrm)

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE LGPL-2.1-or-later)
set(CPACK_RPM_PACKAGE_GROUP "Development/Tools")
set(CPACK_RPM_PACKAGE_REQUIRES "dbus, systemd >= 252")
set(CPACK_RPM_PACKAGE_RECOMMENDS "perf, polkit, libbpf")
set(CPACK_RPM_PACKAGE_SUGGESTS "elfutils-debuginfod-client, libpfm")
string(REPLACE "\n.\n" "\n\n" CPACK_RPM_PACKAGE_DESCRIPTION "${description}")
set(CPACK_RPM_POST_INSTALL_SCRIPT_FILE ${CMAKE_CURRENT_SOURCE_DIR}/packaging/rpm/post)
set(CPACK_RPM_PRE_UNINSTALL_SCRIPT_FILE ${CMAKE_CURRENT_SOURCE_DIR}/packaging/rpm/preun)
set(CPACK_RPM_POST_UNINSTALL_SCRIPT_FILE ${CMAKE_CURRENT_SOURCE_DIR}/packaging/rpm/postun)
# Only what is in the staged tree, as in the other package.
set(CPACK_RPM_SPEC_MORE_DEFINE "%define _build_id_links none")
# Directories of systemd, dbus, polkit, man and bash-completion; the package owns those named after it.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
        ${PR_UNITDIR} ${PR_USERUNITDIR} ${PR_SYSUSERSDIR} ${PR_TMPFILESDIR} ${PR_CATALOGDIR}
        ${PR_DBUSDIR} ${PR_DBUSDIR}/interfaces ${PR_DBUSDIR}/services ${PR_DBUSDIR}/system-services ${PR_DBUSDIR}/system.d
        ${PR_POLKITDIR} ${PR_POLKITRULESDIR} ${PR_COMPLETIONDIR} ${CMAKE_INSTALL_FULL_MANDIR}
        ${CMAKE_INSTALL_FULL_MANDIR}/man1 ${CMAKE_INSTALL_FULL_MANDIR}/man5 ${CMAKE_INSTALL_FULL_MANDIR}/man8)
foreach(directory IN LISTS CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION)
        cmake_path(GET directory PARENT_PATH parent)
        list(APPEND CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION ${parent})
endforeach()
include(CPack)
