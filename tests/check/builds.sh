#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Builds the programs as packagers do, without our presets, and takes warnings for errors by CFLAGS; warnings of a build without
# that are no errors. Run in the top folder of the sources. Last line: # N passed, N failed, N skipped.
#
#   builds.sh [--all] [WORD…]
#
# A build is "COMPILER TYPE FLAGS". Those in which each WORD occurs are done, otherwise a choice that has each build type, each kind
# of flags and each compiler once; with --all every combination. ccache is used if it is there.
set -uo pipefail

TYPES=(Release MinSizeRel RelWithDebInfo Debug None)
declare -A FLAGS=(
        [plain]=""
        [fortified]="-O2 -g -D_FORTIFY_SOURCE=2" # another level than ours
        [lto]="-O2 -g -D_FORTIFY_SOURCE=3 -flto"
        [recording]="" # for a server that only records
)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0

# Each version once, the default gcc first.
compilers() {
        local name version seen=" "
        for name in gcc gcc-{12..16} clang clang-{14..22}; do
                version=${name%%-*}-$("$name" -dumpversion 2>/dev/null) || continue
                [[ $seen == *" $version "* ]] || echo "$name"
                seen+="$version "
        done
}

all_builds() {
        local compiler type flags
        for compiler in $(compilers); do
                for type in "${TYPES[@]}"; do
                        for flags in plain fortified lto; do echo "$compiler $type $flags"; done
                done
        done
}

chosen_builds() {
        local compiler
        echo "gcc Release plain"
        echo "gcc MinSizeRel fortified"
        echo "gcc RelWithDebInfo lto"
        echo "gcc Debug plain"
        echo "gcc Release recording"
        for compiler in $(compilers | tail -n +2); do echo "$compiler None fortified"; done
}

configure() { # FOLDER COMPILER TYPE CFLAGS [OPTION…]
        local options=(-DBUILD_TESTING=OFF "-DCMAKE_BUILD_TYPE=$3" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
        ! command -v ninja >/dev/null || options+=(-G Ninja)
        ! command -v ccache >/dev/null || options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)
        # The archives and the link of clang's intermediate code need programs of LLVM.
        [[ $2 != clang* || $4 != *-flto* ]] || options+=(-DCMAKE_AR="$(command -v llvm-ar)" -DCMAKE_RANLIB="$(command -v llvm-ranlib)"
                -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld)
        env -u LDFLAGS -u CPPFLAGS CC="$2" CFLAGS="$4" cmake -S . -B "$1" "${options[@]}" "${@:5}"
}

# CMAKE_COMPILE_WARNING_AS_ERROR is for the presets; a packager meets compilers that warn of more.
warnings_are_no_errors() {
        configure "$work/plain" gcc Release "" >"$work/log" 2>&1 &&
                ! grep -qE -- '-Werror( |=[a-z-]|")' "$work/plain/compile_commands.json"
}

report() { # STATUS NAME
        if [ "$1" -eq 0 ]; then
                passed=$((passed + 1))
                echo "ok - $2"
        else
                failed=$((failed + 1))
                echo "not ok - $2"
                { grep -E -A 8 '(error|Error|warning):' "$work/log" || tail -n 40 "$work/log"; } | head -n 60 | sed 's/^/#   /'
        fi
}

build() { # COMPILER TYPE FLAGS
        local flags=${FLAGS[$3]} start=$SECONDS status=0 options=()
        [ "$3" != recording ] || options=(-DPR_VIEWER=OFF)
        if [[ $1 == clang* && $3 == lto ]] && ! { command -v ld.lld && command -v llvm-ar; } >/dev/null; then
                skipped=$((skipped + 1))
                echo "ok - $* # SKIP it needs lld and llvm-ar"
                return
        fi
        [[ $1 != gcc* ]] || flags=${flags/-flto/-flto=auto}
        { configure "$work/build" "$1" "$2" "-Werror $flags" "${options[@]}" && cmake --build "$work/build" --parallel "$(nproc)" -- "${keep_going[@]}"; } \
                >"$work/log" 2>&1 || status=1
        rm -rf "$work/build"
        report "$status" "$* ($((SECONDS - start)) s)"
}

keep_going=(-k) # so that all warnings are seen
! command -v ninja >/dev/null || keep_going=(-k 0)
list=chosen_builds
[ "${1:-}" != --all ] || { list=all_builds; shift; }
warnings_are_no_errors
report $? "warnings are no errors of a plain build"
while read -r name; do
        wanted=yes
        for word; do [[ " $name " == *" $word "* ]] || wanted=no; done
        # shellcheck disable=SC2086 # three words
        [ "$wanted" = no ] || build $name </dev/null
done < <($list)
echo "# $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
