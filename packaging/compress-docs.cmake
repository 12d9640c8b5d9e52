# SPDX-License-Identifier: LGPL-2.1-or-later
# Run by cpack on the staged files: Debian wants man pages and the changelog compressed, without a time stamp.
file(GLOB pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/man/man*/*.[1-8])
file(GLOB changelogs ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/doc/*/changelog)
foreach(file ${pages} ${changelogs})
        execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
