#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# make-tables.sh calls|kernel|libc FOLDER OUTPUT COMPILER [ARGUMENT...]: puts the numbers of system calls, or the constants that
# headers of the kernel or of the C library have, as C. FOLDER is that of this script. The compiler must read C from its standard
# input ("-x c").
set -eu

what=$1 folder=$2 output=$3
shift 3

# The headers of an ABI. One that the machine doesn't have leaves the table empty.
headers_of() {
        case $1 in
        x86_64) echo '#if __has_include(<asm/unistd_64.h>) && !defined(__aarch64__)
#include <asm/unistd_64.h>
#endif' ;;
        i386) echo '#if __has_include(<asm/unistd_32.h>)
#include <asm/unistd_32.h>
#endif' ;;
        aarch64) echo '#include <asm/bitsperlong.h>
#undef __BITS_PER_LONG
#define __BITS_PER_LONG 64
#define __ARCH_WANT_RENAMEAT
#define __ARCH_WANT_NEW_STAT
#define __ARCH_WANT_SET_GET_RLIMIT
#define __ARCH_WANT_SYS_CLONE3
#define __ARCH_WANT_MEMFD_SECRET
#include <asm-generic/unistd.h>' ;;
        esac
}

case $what in
calls)
        for abi in x86_64 i386 aarch64; do
                echo "abi $abi"
                headers_of "$abi" | "$@" -E -dM -
        done | LC_ALL=C awk -f "$folder/make-calls.awk" >"$output.new"
        ;;
kernel | libc)
        libc=
        [ "$what" = kernel ] || libc=1
        LC_ALL=C awk -v list=headers -v libc=$libc -f "$folder/make-constants.awk" "$folder/constant-sets.h" |
                "$@" -E -dD - >"$output.headers"
        LC_ALL=C awk -v libc=$libc -f "$folder/make-constants.awk" "$folder/constant-sets.h" "$output.headers" >"$output.new"
        rm "$output.headers"
        # Constants with types that the headers only declare do not compile, and are left out.
        if ! "$@" -I"$folder" -fsyntax-only -x c "$output.new" 2>"$output.errors"; then
                sed -n 's/^[^ ]*:\([0-9][0-9]*\):[0-9]*: error:.*/\1d/p' "$output.errors" >"$output.deletions"
                sed -f "$output.deletions" "$output.new" >"$output.compiled"
                mv "$output.compiled" "$output.new"
                rm "$output.deletions"
        fi
        rm "$output.errors"
        ;;
esac
mv "$output.new" "$output"
