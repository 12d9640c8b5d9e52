# SPDX-License-Identifier: LGPL-2.1-or-later
# The C compiler as a command that reads headers, which may be those of another machine.
set(PR_HEADERS_COMPILER ${CMAKE_COMMAND} -E env LC_ALL=C ${CMAKE_C_COMPILER})
separate_arguments(words UNIX_COMMAND "${CMAKE_C_FLAGS}")
list(APPEND PR_HEADERS_COMPILER ${words})
if(CMAKE_C_COMPILER_TARGET)
        list(APPEND PR_HEADERS_COMPILER --target=${CMAKE_C_COMPILER_TARGET})
endif()
if(CMAKE_SYSROOT)
        list(APPEND PR_HEADERS_COMPILER --sysroot=${CMAKE_SYSROOT})
endif()
