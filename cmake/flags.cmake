# SPDX-License-Identifier: LGPL-2.1-or-later
# One interface target carries the flags; every target of the project links it. The presets make warnings errors
# (CMAKE_COMPILE_WARNING_AS_ERROR), a plain build does not.
option(PR_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(PR_FUZZ "Build the libFuzzer programs (needs clang)" OFF)

add_library(pr-flags INTERFACE)
target_compile_definitions(pr-flags INTERFACE _GNU_SOURCE _FILE_OFFSET_BITS=64)
target_compile_options(pr-flags INTERFACE
        -Wall -Wextra
        -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wmissing-declarations
        -Wpointer-arith -Wwrite-strings -Wundef -Wvla -Wformat=2
        -Wimplicit-fallthrough
        -Wno-unused-parameter -Wno-missing-field-initializers
        -fno-common -fstack-protector-strong)
# Where a callee leaves its result untouched on failure, gcc that optimizes guesses wrong more often than right; clang's
# analyzer, which follows the paths, is part of the checks. With _FORTIFY_SOURCE, be it ours or a packager's, gcc warns of results
# that are not used even where (void) says that they are not wanted.
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
        target_compile_options(pr-flags INTERFACE
                -Wno-maybe-uninitialized -Wno-unused-result -Wstrict-aliasing=3) # clang has no levels
endif()
target_link_options(pr-flags INTERFACE -Wl,-z,relro,-z,now)
# Where the compiler optimizes; a packager's own level, or that of a compiler which has one by itself, stays (the test does
# not compile then), and the sanitizers look closer.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -D_FORTIFY_SOURCE=3")
check_c_source_compiles("#include <stdio.h>\nint main(void) { return puts(\"\"); }" PR_CAN_FORTIFY)
unset(CMAKE_REQUIRED_FLAGS)
if(PR_CAN_FORTIFY AND NOT PR_SANITIZE)
        target_compile_options(pr-flags INTERFACE "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=3>")
endif()
if(PR_SANITIZE)
        target_compile_options(pr-flags INTERFACE
                -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
        target_link_options(pr-flags INTERFACE -fsanitize=address,undefined)
        # gcc's shared libubsan has a heap of its own, which each process that ends, of thousands here, searches for leaks; clang
        # has both in one.
        if(CMAKE_C_COMPILER_ID STREQUAL GNU)
                target_link_options(pr-flags INTERFACE -static-libubsan)
        endif()
endif()
if(PR_FUZZ)
        target_compile_options(pr-flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# pr_library(NAME SOURCES... ): a static library of the house, its folder on the include path of whoever links it.
function(pr_library name)
        add_library(${name} STATIC ${ARGN})
        target_include_directories(${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
        target_link_libraries(${name} PUBLIC pr-flags pr-contract)
endfunction()
