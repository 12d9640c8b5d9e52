#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The symbols beside a dump of the installed service: of what has ended, of containers, of code that was made, of files that
# share a name; hostile names and files; and what perf and perfctl make of them.
. "$(dirname "$0")/assert.sh"

here=$(dirname "$0")
if [ ! -x "$here/spinner" ]; then
        echo "ok - symbols # SKIP there is no compiler for static programs"
        finish
fi
fresh
pids=()
start_program() { # COMMAND…: in the background; its PID is in $program
        "$@" </dev/null >/dev/null 2>&1 &
        program=$!
        pids+=("$program")
}
# Roots of others; the last part of a path is what perfctl info shows.
roots=/root/roots
mkdir -p "$roots"/{one,two,usr,list,proc} /opt/symbols
cp "$here/spinner" /opt/symbols/tool
cp "$here/spinner" /opt/symbols/ended
mkdir -p "$roots/one/opt/symbols" "$roots/two/opt/symbols"
chmod -R go+rX /root "$roots"
write_session cpu '[Record]' 'Event=cpu-clock' 'Frequency=500' 'AllCPUs=yes' 'CallGraph=no' 'Mode=overwrite' 'BufferSize=1M'
check "start" perfctl start cpu

# Sampled first: names that the symbols of others need.
start_program "$here/spinner-honest" as "$roots/usr" usr
start_program "$here/spinner2" as "$roots/list" left-out
start_program "$here/spinner2" as "$roots/proc" proc
sleep 0.5
start_program /opt/symbols/tool spin
start_program "$here/spinner2" as "$roots/one" opt/symbols/tool
start_program "$here/spinner" jit
jit=$program
# What a process mounts over its map is nobody's map: reading it may even change the machine.
start_program unshare --map-root-user --mount sh -c \
        "touch /tmp/perf-\$\$.map && mount --bind /etc/machine-id /tmp/perf-\$\$.map && exec $here/spinner jit nomap"
hostile=$program
start_program unshare --map-root-user --mount sh -c \
        "touch /tmp/perf-\$\$.map && mount --bind /proc/version /tmp/perf-\$\$.map && exec $here/spinner jit nomap"
kernel_file=$program
start_program dd if=/dev/zero of=/dev/null bs=1
/opt/symbols/ended spin 2
sleep 1
check "dump" perfctl dump cpu
dump=$(find "$BASE/session-cpu" -name 'perf.data.2*[0-9]' | sort | tail -n 1)
symbols=$BASE/session-cpu/symbols.${dump##*perf.data.}
check "the symbols are beside it" wait_for 30 test -d "$symbols"
check_equal "no other name is matched by perf.data.*" "" "$(find "$BASE/session-cpu" -maxdepth 1 -type d -name 'perf.data*')"

libc=$(find "$symbols" -path '*/x86_64-linux-gnu/libc.so.6' -o -path '*/lib/*/libc.so.6' | head -n 1)
check "libc" test -f "$libc"
check "a program whose process has ended" test -f "$symbols/opt/symbols/ended"
check "the machine's own file is at its path" test -f "$symbols/opt/symbols/tool"
check "the kernel" test -f "$symbols/vmlinux"
check "code that was made" grep -q made_by_the_spinner "$symbols/tmp/perf-$jit.map"
other=$(perf buildid-list -i "$dump" | awk '$2 == "/usr" { print $1 }')
check_match "the build id of a program in another root is in the dump" '^[0-9a-f]{40}$' "$other"
check "and its symbols are where perf looks for that" test -f "$symbols/usr/lib/debug/.build-id/${other:0:2}/${other:2}.debug"
check "a program called /usr takes nobody's place" test -f "$symbols/usr/bin/dd"
check "one called /left-out neither" test -f "$symbols/left-out"
check "nor one called /proc" test -f "$symbols/proc/kallsyms"
check_fails "a map that is root's file is not taken" test -e "$symbols/tmp/perf-$hostile.map"
check_fails "nor one of procfs" test -e "$symbols/tmp/perf-$kernel_file.map"
check_match "the list says so" "^tmp/perf-$hostile.map: not a file of its process's user" "$(cat "$symbols/left-out")"
check_match "of both" "^tmp/perf-$kernel_file.map: not a file of its process's user" "$(cat "$symbols/left-out")"
check "the journal has a line for the dump" wait_for 30 sh -c \
        "journalctl -b -o cat PERF_SESSION=cpu | grep -q 'binaries have no symbols beside'"

# On a machine that has none of it.
kill "${pids[@]}"
wait "${pids[@]}" 2>/dev/null
mkdir -p /root/hidden
mv /opt/symbols/* /root/hidden/
info=$(perfctl info --full --no-pager "$dump")
check_match "info: what has none" '[0-9]+ (binary has|binaries have) no symbols here' "$info"
json=$(perfctl info --json=short "$dump")
check_match "info: what has none, as JSON" '"without_symbols":\[.*"reason":"not a file of its process.s user"' "$json"
named() { printf '"function":"%s","binary":"%s"' "$1" "$2"; }
check_match "info: of the ended process" "$(named spin_in_one /opt/symbols/ended)" "$json"
check_match "info: of the machine's file" "$(named spin_in_one /opt/symbols/tool)" "$json"
check_match "info: of the container's file of the same path" "$(named spin_in_other /opt/symbols/tool)" "$json"
check_match "info: of a program called /usr" "$(named '[^\"]*honest[^\"]*' /usr)" "$json"
check_match "info: of the code that was made" "$(named made_by_the_spinner "/tmp/perf-$jit.map")" "$json"
opened() { perfctl open "$dump" -- --stdio --no-children -s dso,sym -g none 2>&1; }
seen=$(opened)
check_match "open: of the ended process" 'ended +\[\.\] spin_in_one' "$seen"
check_match "open: of a program called /usr" 'usr +\[\.\] honest::spin' "$seen"
check_no_match "open: none for a path that two programs have" 'tool +\[\.\] [a-z_]' "$seen"
check_match "open: libc" 'libc.* \[\.\] [a-z_]' "$seen"
check_match "open: the kernel" '\[kernel.kallsyms\] +\[k\] [a-z_]' "$seen"
check_match "open: of the code that was made" '\[\.\] made_by_the_spinner' "$seen"
for made in "mkfifo" "ln -s /dev/zero" "sh -c 'echo 0 ffffffffffff forged >\$0; chown nobody \$0'"; do
        rm -f "/tmp/perf-$jit.map"
        eval "$made /tmp/perf-$jit.map"
        seen=$(timeout 60 perfctl open "$dump" -- --stdio --no-children -s dso,sym -g none 2>&1)
        check_match "open: and not what is in /tmp now ($made)" '\[\.\] made_by_the_spinner' "$seen"
done
check_match "info: neither" "$(named made_by_the_spinner "/tmp/perf-$jit.map")" "$(timeout 60 perfctl info --json=short "$dump")"
rm "/tmp/perf-$jit.map"
check_equal "open leaves nothing" "" "$(find /var/tmp /tmp -maxdepth 1 -name 'perf-recorder*')"

# What was not kept comes from this machine, if it is that very file.
mv /root/hidden/* /opt/symbols/
rm "$symbols/opt/symbols/ended"
seen=$(opened)
check_match "open: this machine's file" 'ended +\[\.\] spin_in_one' "$seen"
check_match "open: what was kept, too" 'usr +\[\.\] honest::spin' "$seen"
rm -r "$symbols/vmlinux"
check_match "open: this machine's kernel" '\[kernel.kallsyms\] +\[k\] [a-z_]' "$(opened)"
check_match "info: this machine's file" "$(named spin_in_one /opt/symbols/ended)" "$(perfctl info --json=short "$dump")"
cp "$here/spinner2" /opt/symbols/ended
check_no_match "open: not another file of that name" 'ended +\[\.\] spin_in' "$(opened)"
trees() { find /var/tmp -maxdepth 1 -name 'perf-recorder-symbols.*' | grep .; }
perfctl open "$dump" --viewer "perf record -o /root/perf.data sh -c 'exec sleep 100'" >/dev/null 2>&1 &
check "open while its viewer runs" wait_for 30 trees
kill $!
wait $! 2>/dev/null
check_fails "open that was ended leaves nothing" trees

# Copies, and names of old.
check "cp --symbols" perfctl cp "$dump" /root/copy --symbols
check "the copy's symbols" test -f /root/symbols.copy/vmlinux -o -f /root/symbols.copy/opt/symbols/tool
check "cp --symbols of a dump that was just made" sh -c 'perfctl dump cpu >/dev/null && perfctl cp -1 /root/at-once --symbols'
check "awaits them" test -d /root/symbols.at-once
mv "$symbols" "$dump.symfs"
id=cpu-${dump##*perf.data.}
of_old_name() { perfctl show "$id" 2>/dev/null; busctl get-property org.perfrecorder1 "$(busctl tree --list org.perfrecorder1 | grep "dump/.*${dump##*perf.data.}")" org.perfrecorder1.Dump SymbolsPath; }
known() { of_old_name | grep -q '\.symfs"$'; }
check "a directory of the old name is known" wait_for 30 known
check "rm" perfctl rm "$id"
check_fails "it goes with its dump" test -e "$dump.symfs"

# What a recorder that was killed left is removed by the next one.
pid=$(session_pid cpu)
mkdir -p "$BASE/session-cpu/.#symbols.2026010100000000/usr/bin"
send KILL "$pid"
recorded_again() { [ "$(session_pid cpu)" != "$pid" ] && perfctl ping --quiet cpu; }
check "another recorder" wait_for 30 recorded_again
perfctl dump cpu >/dev/null
cleaned() { ! test -e "$BASE/session-cpu/.#symbols.2026010100000000"; }
check "leftovers are removed" wait_for 30 cleaned

# Samples outlive programs: of one that was replaced before any dump nothing is known but its file's inode; of one that was there
# at an earlier dump the build id.
cp "$here/spinner" /opt/symbols/replaced
/opt/symbols/replaced spin 2
cp "$here/spinner2" /opt/symbols/next
mv /opt/symbols/next /opt/symbols/replaced
start_program /opt/symbols/replaced spin
cp "$here/spinner-honest" /opt/symbols/removed
start_program /opt/symbols/removed spin
removed=$program
sleep 1
dump_again() { # what is made is in $dump; its symbols are there
        perfctl dump cpu >/dev/null
        dump=$(find "$BASE/session-cpu" -name 'perf.data.2*[0-9]' | sort | tail -n 1)
        check "$1" wait_for 30 test -d "$BASE/session-cpu/symbols.${dump##*perf.data.}"
}
dump_again "a dump while the other one runs"
kill "$removed"
wait "$removed" 2>/dev/null
rm /opt/symbols/removed
dump_again "a dump after it was removed"
json=$(perfctl info --json=short "$dump")
seen=$(opened)
check_match "info: what replaces a program has its own names" "$(named spin_in_other /opt/symbols/replaced)" "$json"
check_match "info: what was replaced has none" '[{]"binary":"/opt/symbols/replaced"' "$json"
check_no_match "open: none of them has the other one's" 'replaced +\[\.\] [a-z_]' "$seen"
check_match "open: their addresses are there" 'replaced +\[\.\] 0x' "$seen"
check_match "info: the removed program" "$(named '[^\"]*honest[^\"]*' /opt/symbols/removed)" "$json"
check_match "open: the removed program" 'removed +\[\.\] honest::spin' "$seen"
perfctl cp "$dump" /root/alone
cp "$here/spinner2" /opt/symbols/removed
seen=$(perfctl open /root/alone -- --stdio --no-children -s dso,sym -g none 2>&1)
check_match "open: without symbols, an address" 'removed +\[\.\] 0x' "$seen"
check_no_match "open: not what is at the path now" '(removed|replaced) +\[\.\] [a-z_]' "$seen"
finish
