#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A dump and the symbols beside it are copied to a root that has nothing else of this machine: the viewer and its libraries, and
# a procfs of processes only. What it shows there is what it shows here.
. "$(dirname "$0")/assert.sh"

here=$(dirname "$0")
VIEWER=/usr/lib/perf-recorder/perf-recorder-view
if ! "$here/spinner-shared" random 1; then
        echo "ok - elsewhere # SKIP there is no compiler, or its C library is newer than this machine's"
        finish
fi
fresh
bare=/root/bare
mkdir -p /opt/elsewhere "$bare"/{proc,dev,tmp,root}
cp "$here/spinner-shared" /opt/elsewhere/shared
cp "$here/spinner" /opt/elsewhere/static
write_session cpu '[Record]' 'Event=cpu-clock' 'Frequency=997' 'AllCPUs=yes' 'CallGraph=fp' 'Mode=overwrite' 'BufferSize=2M'
check "start" perfctl start cpu
/opt/elsewhere/static jit >/dev/null 2>&1 &
jit=$!
dd if=/dev/zero of=/dev/null bs=1 status=none &
writer=$!
date_often() { while :; do date >/dev/null; done; }
date_often &
dates=$!
/opt/elsewhere/shared random 2
/opt/elsewhere/static spin 1
check "dump" perfctl dump cpu
dump=$(find "$BASE/session-cpu" -name 'perf.data.2*[0-9]' | sort | tail -n 1)
symbols=$BASE/session-cpu/symbols.${dump##*perf.data.}
check "its symbols" wait_for 30 test -d "$symbols"
kill "$jit" "$writer" "$dates"
wait 2>/dev/null

# What a program needs of its libraries, at their paths.
copy_program() { # PROGRAM
        local file
        { echo "$1"; ldd "$1" | grep -o '/[^ ]*'; } | while read -r file; do
                mkdir -p "$bare${file%/*}"
                cp -L "$file" "$bare$file"
        done
}
copy_program "$VIEWER"
cp "$dump" "$symbols" -r "$bare/root"
copy=/root/${dump##*/}
mount -t proc -o subset=pid proc "$bare/proc"
mount --bind /dev "$bare/dev"
there() { ASAN_OPTIONS=detect_leaks=0 chroot "$bare" "$VIEWER" "$@"; }
ours() { ASAN_OPTIONS=detect_leaks=0 "$VIEWER" "$@"; }
check "the root has no list of the kernel's symbols" test ! -e "$bare/proc/kallsyms"
check "nor the programs" test ! -e "$bare/opt"

same_lines() { # DESCRIPTION WORDS…
        local description=$1 a b
        shift
        a=$(ours "$@" -i "$dump" 2>/tmp/here.errors)
        b=$(there "$@" -i "$copy" 2>/tmp/there.errors)
        check_match "$description: there are many lines" '^[0-9]{2,}$' "$(grep -c . <<<"$b")"
        check_equal "$description: the same lines" "" "$(diff <(echo "$a") <(echo "$b"))"
        check_equal "$description: the same remarks" "" \
                "$(diff <(sed "s|$dump|$copy|" /tmp/here.errors) /tmp/there.errors)"
}
same_lines "functions" report -q --no-children -g none -s comm,dso,sym
same_lines "call chains" report -q -g caller
same_lines "samples" script -F comm,ip,sym,symoff,dso
there=$(there report -q --no-children -g none -s comm,dso,sym -i "$copy")
check_match "the directory beside it is found there" 'shared +\[\.\] spin_in_one$' "$there"
check_match "names of a shared library" 'libc\.so\.6 +\[\.\] random' "$there"
check_match "of the kernel" '\[kernel\.kallsyms\] +\[k\] [a-z_]' "$there"
check_match "of generated code" '\[JIT\] tid [0-9]+ +\[\.\] made_by_the_spinner' "$there"
check_match "of a program that has ended" 'static +\[\.\] spin_in_one$' "$there"
# Of tasks outside of this machine, which have no PID in it, nothing can be known.
named() { awk '{ all += $1 } $NF !~ /^0x[0-9a-f]+$/ { named += $1 } END { print (all > 0 && named / all > 0.95 ? "yes" : named " of " all) }'; }
check_equal "nearly all samples of the machine's tasks have names" yes "$(grep -E '% +(shared|static|dd|date) ' <<<"$there" | named)"

# Without the symbols nothing there has a name, and it is said of the kernel why.
rm -r "$bare/root/${symbols##*/}"
without=$(there report -q --no-children -g none -s comm,dso,sym -i "$copy" 2>/tmp/there.errors)
check_no_match "no names without them" '(static|shared|libc\.so\.6|kernel\.kallsyms\]) +\[[.k]\] [a-z_]' "$without"
check_equal "once it is said why the kernel has none" 1 "$(grep -c '^Functions of kernel .* have no names: ' /tmp/there.errors)"
umount "$bare/proc" "$bare/dev"
rm -rf "$bare" /opt/elsewhere /tmp/here.errors /tmp/there.errors
finish
