#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The analyzers on the product's sources, each warning an error. analyze.sh clang-tidy|cppcheck BUILD-DIRECTORY, in the
# top folder.
set -euo pipefail

build=$2
case $1 in
clang-tidy)
        # .clang-tidy has the list of checks.
        run-clang-tidy -quiet -j "$(nproc)" -p "$build" "^$PWD/(lib|worker|meter|daemon|viewer|client)/" >"$build/clang-tidy.log" 2>&1 || {
                sed -i 's/\x1b\[[0-9;]*m//g' "$build/clang-tidy.log" # it is in colours
                grep -E ': (warning|error):|note:' "$build/clang-tidy.log" || tail -n 20 "$build/clang-tidy.log"
                exit 1
        }
        ;;
cppcheck)
        # Left out: memleak does not know the cleanup attribute, selfAssignment not "a ?: b"; the third is no fault on
        # any system with perf events, the next a limit of its parser; the next three are false more often than true, and
        # the compilers see what is true of them; the last is no fault, and newer ones print it of every other file.
        includes=(-I include)
        while read -r folder; do includes+=(-I "$folder"); done < <(find lib worker meter daemon viewer client -type d)
        cppcheck -q -j "$(nproc)" --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
                --suppress=memleak --suppress=memleakOnRealloc --suppress=resourceLeak --suppress=selfAssignment \
                --suppress=varFuncNullUB --suppress=internalAstError --suppress=uninitvar --suppress=objectIndex --suppress=constStatement \
                --suppress=normalCheckLevelMaxBranches \
                '-DSEC(x)=' '-DSD_BUS_PARAM(x)=""' '-DSD_BUS_METHOD_WITH_NAMES(...)={0}' \
                --std=c11 "${includes[@]}" lib worker meter daemon viewer client
        ;;
*)
        echo "clang-tidy or cppcheck" >&2
        exit 2
        ;;
esac
