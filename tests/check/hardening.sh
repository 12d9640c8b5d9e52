#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What is packaged is built hardened: at a position of its own, all relocations done and read-only before main() begins, checked
# calls of the C library (where the compiler optimizes, without sanitizers). Only the viewer loads what reads DWARF. hardening.sh BUILD-FOLDER
set -uo pipefail

build=$1
failed=0

fail() { # BINARY TEXT
        echo "$1: $2"
        failed=1
}

type=$(sed -n 's/^CMAKE_BUILD_TYPE:[A-Z]*=//p' "$build/CMakeCache.txt")
fortified=$(grep -cE '^PR_CAN_FORTIFY:INTERNAL=1' "$build/CMakeCache.txt")
sanitized=$(grep -c '^PR_SANITIZE:BOOL=ON' "$build/CMakeCache.txt")

for binary in "$build"/daemon/perf-recorderd "$build"/worker/perf-recorder-worker "$build"/meter/perf-recorder-meter "$build"/viewer/perf-recorder-view "$build"/client/perfctl; do
        text=$(readelf -dlhW "$binary") || { fail "$binary" "can't be read"; continue; }
        grep -q 'Type:.*DYN' <<<"$text" || fail "$binary" "not at a free position (PIE)"
        grep -q 'GNU_RELRO' <<<"$text" || fail "$binary" "no RELRO"
        grep -qE 'BIND_NOW|FLAGS_1.*NOW' <<<"$text" || fail "$binary" "bound lazily (-z now)"
        grep -qE 'GNU_STACK.* RWE ' <<<"$text" && fail "$binary" "its stack is executable"
        [[ $binary == */perf-recorder-view ]] || ! grep -qE 'NEEDED.*lib(dw|lzma|capstone)' <<<"$text" ||
                fail "$binary" "loads a library that is for the viewer only"
        [[ $type == Debug || $sanitized -gt 0 || $fortified -eq 0 ]] && continue
        symbols=$(readelf --dyn-syms -W "$binary")
        grep -q '_chk@' <<<"$symbols" || fail "$binary" "no checked calls (_FORTIFY_SOURCE)"
done
exit "$failed"
