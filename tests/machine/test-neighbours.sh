#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Recorders of the whole machine beside programs of an ordinary user that do what they can to get in the way. Recorders start,
# dump, are killed and followed, and stop while those run, in bounded memory; what others do is recorded as ever, and has its
# symbols.
# SECONDS_OF_DUMPS (20) or MINUTES: how long dumps are made.
#
# To add a neighbour: a function neighbour_NAME that starts it in the background by "neighbour" and fails unless it is there,
# and its NAME in NEIGHBOURS, or in NEIGHBOURS_IN_NAMESPACES if it needs a user namespace.
# shellcheck disable=SC2317 # called by name
. "$(dirname "$0")/assert.sh"

TESTS=$(dirname "$(realpath "$0")")
SECONDS_OF_DUMPS=${SECONDS_OF_DUMPS:-20}
[ -z "${MINUTES:-}" ] || SECONDS_OF_DUMPS=$((MINUTES * 60))
MEMORY_MAX_KIB=$((64 * 1024)) # of a recorder, besides its rings
DUMP_MAX_MSEC=10000           # with all processors busy
INFO_MAX_MSEC=5000            # of a processor
STOP_MAX_MSEC=10000
NEIGHBOURS=(mappings storm files holes sections names maps)
NEIGHBOURS_IN_NAMESPACES=(mounts roots)
SESSIONS_HERE=(flight history stream)
folder=/tmp/neighbours
secret=/etc/neighbours-secret # root's; what it names must not come up anywhere

neighbour() { # NAME COMMAND…: as an ordinary user, in a folder of its own, with its lines in NAME.log
        local name=$1
        shift
        mkdir -p "$folder/$name"
        chown hostile: "$folder/$name"
        setpriv --reuid=hostile --regid=hostile --clear-groups --no-new-privs "$@" >>"$folder/$name.log" 2>&1 &
        pids+=($!)
}
ready() { [ "$(grep -c '^ready' "$folder/$1.log")" -ge "$2" ]; } # NAME PROCESSES
has_namespaces() { setpriv --reuid=hostile --regid=hostile --clear-groups unshare --map-root-user --mount true; }

# 16,000 mappings in each of five processes, with a path of 4,000 bytes: 65 MB a process, if all were written.
neighbour_mappings() {
        neighbour mappings "$folder/neighbour-mapper" "$folder/mappings" 16000 5
        wait_for 60 ready mappings 5
}
# One that replaces mappings as fast as it can.
neighbour_storm() {
        neighbour storm "$folder/neighbour-mapper" "$folder/storm" 16000 1 100
        wait_for 60 ready storm 1
}

# One that maps another file each time.
neighbour_files() {
        neighbour files "$folder/neighbour-mapper" "$folder/files" 1000 1 1000 files
        wait_for 60 ready files 1
}
# Programs whose headers promise gigabytes: notes, tables of symbols.
neighbour_holes() {
        neighbour holes "$folder/neighbour-elf" notes "$folder/holes/notes" 12
        neighbour holes "$folder/neighbour-elf" dynamic "$folder/holes/dynamic" 12
        wait_for 60 ready holes 2
}
neighbour_sections() {
        neighbour sections "$folder/neighbour-elf" notes "$folder/sections/below" 8000
        neighbour sections "$folder/neighbour-elf" notes "$folder/sections/above" 50000
        wait_for 60 ready sections 2
}
# Names that no demangler comes to the end of.
neighbour_names() {
        neighbour names "$folder/neighbour-elf" names "$folder/names/bomb" 40
        wait_for 60 ready names 1
}
# Names of made code that are somebody else's, by a link; and a FIFO, of which nothing ever comes.
neighbour_maps() {
        local make
        for make in "ln -s $secret" mkfifo; do
                neighbour maps sh -c "$make /tmp/perf-\$\$.map && echo ready && exec $folder/spinner jit nomap"
        done
        wait_for 60 ready maps 2
}
# The same, mounted: a file of root's, and one whose reading the kernel sees.
neighbour_mounts() {
        local of
        for of in "$secret" /proc/version; do
                neighbour mounts unshare --map-root-user --mount sh -c \
                        "touch /tmp/perf-\$\$.map && mount --bind $of /tmp/perf-\$\$.map && echo ready && exec $folder/spinner jit nomap"
        done
        wait_for 60 ready mounts 2
}
# Names that others need: a program is all that there is of /usr.
neighbour_roots() {
        local name pid
        for name in usr left-out; do
                mkdir -p "$folder/roots/$name"
                chown -R hostile: "$folder/roots"
                neighbour roots "$folder/spinner2" as "$folder/roots/$name" "$name"
                pid=$!
                wait_for 60 test "/proc/$pid/exe" -ef "$folder/roots/$name/$name" || return 1
        done
}

memory_kib() { # PID: what a recorder has of its own, and the memory files that outlive it, besides rings and history
        local files
        files=$(find "/proc/$1/fd" -lname '*memfd:perf-recorder-sideband*' -exec stat -L -c %b {} + 2>/dev/null | head -n 1)
        echo $(($(awk '/^RssAnon:/ { print $2 }' "/proc/$1/status" 2>/dev/null) + ${files:-0} / 2))
}
watch_memory() { # NAME PID, as long as it lives
        local most=0 kib
        while [ -e "/proc/$2/status" ]; do
                kib=$(memory_kib "$2")
                [ "$kib" -le "$most" ] || echo "$((most = kib))" >"$folder/$1.memory"
                sleep 0.3
        done
}

dump_of() { find "$BASE/session-$1" -maxdepth 1 -name 'perf.data.2*[0-9]' -type f | sort | tail -n 1; }
symbols_of() { echo "${1%/*}/symbols.${1##*/perf.data.}"; } # DUMP

keep_slowest() { # KIND NAME MSEC
        [ "$3" -le "${slowest[$1-$2]:-0}" ] || slowest[$1-$2]=$3
}
timed() { # KIND NAME COMMAND…: what it printed is in $output
        local begin status
        begin=$(now_msec)
        output=$("${@:3}" 2>&1)
        status=$?
        keep_slowest "$1" "$2" $(($(now_msec) - begin))
        return "$status"
}
# How long it takes others is a matter of their load; what counts is what it needs of a processor.
info() { # NAME OPTION DUMP: what it printed is in $output
        local status TIMEFORMAT='%3U %3S'
        { time output=$(timeout 100 perfctl info --json=short "$2" "$3" 2>&1); } 2>"$folder/time"
        status=$?
        keep_slowest info "$1" "$(awk '{ print int(($1 + $2) * 1000) }' "$folder/time")"
        return "$status"
}

# Rows of functions as "SAMPLES NAME", as "SAMPLES" where there is no name.
functions_in() { # JSON
        grep -oE '\{("function":"[^"]*",)?"binary":"[^"]*","kernel":[a-z]+,"samples":[0-9]+\}' <<<"$1" |
                sed -E 's/^\{("function":"([^"]*)",)?.*"samples":([0-9]+)\}$/\3 \2/'
}

# What the honest programs were doing has its names. Only what goes wrong is a line.
check_honest() { # DESCRIPTION NAME DUMP
        local symbols pid all unknown
        symbols=$(symbols_of "$3")
        timed symbols "$2" wait_for 120 test -d "$symbols" || report 1 "$1: symbols of $2"
        for pid in "${!does[@]}"; do
                info "$2" --pid="$pid" "$3" || report 1 "$1: info of $2" "$output"
                all=$(functions_in "$output" | awk '{ n += $1 } END { print n + 0 }')
                unknown=$(functions_in "$output" | awk 'NF < 2 { n += $1 } END { print n + 0 }')
                honest=$((honest + all))
                unresolved=$((unresolved + unknown))
                functions_in "$output" | grep -qE " ${does[$pid]}\$" ||
                        report 1 "$1: in $2 something does ${does[$pid]}" "$output"
        done
        ! grep -rqE 'of_root_only|Linux version' "$symbols" || report 1 "$1: nothing of root's is in the symbols of $2"
}

# By our own viewer: perf itself may take for ever over such names.
check_report() { # DESCRIPTION DUMP
        local seen
        seen=$(timeout 100 perfctl report "$2" --no-children -s comm,dso,sym -g none 2>&1)
        check_match "$1: report: honest" 'honest +\[\.\] honest::spin' "$seen"
        check_match "$1: report: made code" '\[\.\] made_by_the_spinner' "$seen"
        check_match "$1: report: libc" 'dd +libc.* \[\.\] [a-z_]' "$seen"
        check_match "$1: report: the kernel" 'dd +\[kernel.kallsyms\] +\[k\] [a-z_]' "$seen"
}

# Only what goes wrong is a line.
dump() { # DESCRIPTION NAME
        timed dump "$2" timeout 60 perfctl dump "$2" || {
                report 1 "$1: a dump of $2" "$output"
                failed=$((failed + 1))
        }
        dumps=$((dumps + 1))
}

# Files are many megabytes here.
remove_all_but_last() { # NAME
        local old
        for old in $(find "$BASE/session-$1" -maxdepth 1 -name 'perf.data.2*[0-9]' -type f | sort | head -n -2); do
                rm -rf "$old" "$(symbols_of "$old")"
        done
}

declare -A slowest does # does: by PID, the function of a program that is no neighbour
dumps=0
failed=0
honest=0
unresolved=0
pids=()
if [ ! -x "$TESTS/neighbour-mapper" ] || [ ! -x "$TESTS/neighbour-elf" ] || [ ! -x "$TESTS/spinner" ]; then
        report 0 "neighbours # SKIP there is no compiler for static programs of x86-64 here"
        finish
fi
id hostile >/dev/null 2>&1 || useradd -m hostile
rm -rf "$folder"
mkdir -p "$folder"
cp "$TESTS"/neighbour-* "$TESTS"/spinner* "$folder"
install -m 600 /dev/null "$secret"
echo "1000 1000 of_root_only" >"$secret"
fresh
cp "$folder/spinner-honest" "$folder/honest"
cp "$folder/spinner" "$folder/maker"
"$folder/honest" spin &
pids+=($!)
does[$!]=honest::spin
"$folder/maker" jit &
pids+=($!)
does[$!]=made_by_the_spinner
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
pids+=($!)
for name in "${NEIGHBOURS[@]}"; do
        "neighbour_$name"
        report $? "the neighbour \"$name\" is there" "$(cat "$folder/$name.log")"
done
for name in "${NEIGHBOURS_IN_NAMESPACES[@]}"; do
        if has_namespaces; then
                "neighbour_$name"
                report $? "the neighbour \"$name\" is there" "$(cat "$folder/$name.log")"
        else
                report 0 "the neighbour \"$name\" # SKIP ordinary users have no user namespaces here"
        fi
done

write_session flight '[Session]' 'Run=-e cpu-clock -F 199 -a -m 1M --overwrite --switch-output=signal' 'RestartSec=20ms'
write_session history '[Session]' 'Run=-e cpu-clock -F 199 -a -m 128K -M 8M' 'RestartSec=20ms'
write_session stream '[Session]' 'Run=-e cpu-clock -F 199 -a --switch-output=signal'
check "sessions start beside them" timeout 60 perfctl start
for name in "${SESSIONS_HERE[@]}"; do watch_memory "$name" "$(session_pid "$name")" & done
sleep 3
for name in "${SESSIONS_HERE[@]}"; do
        check "a dump of $name" timeout 60 perfctl dump "$name"
        check_honest "first" "$name" "$(dump_of "$name")"
done
check_match "what is left out is said of a dump" 'Left out: [0-9]+ mappings of [1-9]' "$(perfctl info flight 2>/dev/null)"
check_match "and in the journal" 'has more mappings than its share' "$(journalctl -b -o cat PERF_SESSION=flight)"

end=$((SECONDS + SECONDS_OF_DUMPS))
while [ "$SECONDS" -lt "$end" ]; do
        for name in "${SESSIONS_HERE[@]}"; do
                dump "while they run" "$name"
                check_honest "while they run" "$name" "$(dump_of "$name")"
                remove_all_but_last "$name"
        done
        sleep 1
done
for name in "${SESSIONS_HERE[@]}"; do
        most=$(cat "$folder/$name.memory")
        check "memory of $name, at most $most KiB" test "$most" -le "$MEMORY_MAX_KIB"
        check "dumps of $name, the slowest in ${slowest[dump-$name]} ms" test "${slowest[dump-$name]}" -le "$DUMP_MAX_MSEC"
        check "info of $name, in ${slowest[info-$name]} ms of a processor" test "${slowest[info-$name]}" -le "$INFO_MAX_MSEC"
        echo "# symbols of $name, in ${slowest[symbols-$name]} ms"
done
check_equal "of $dumps dumps, failed" 0 "$failed"
check_report "while they run" "$(dump_of flight)"
check "of $honest samples of honest programs, $unresolved have no function" test $((unresolved * 100)) -le "$honest"
notes=$(journalctl -b -o cat PERF_SESSION=flight | grep -c 'more mappings than')
check "the journal is not flooded ($notes lines)" test "$notes" -le $((6 * (SECONDS_OF_DUMPS / 60 + 2)))

# A recorder that is killed is followed by one that has what it had.
for name in flight history; do
        victim=$(session_pid "$name")
        before=$(dump_of "$name")
        send KILL "$victim"
        followed() { [ "$(dump_of "$name")" != "$before" ] && [ "$(session_property "$name" State)" = recording ]; }
        check "killed: another recorder of $name takes over, and dumps" wait_for 30 followed
        check_match "killed: it has what $name had" 'Taking over from' "$(journalctl -b -o cat PERF_SESSION="$name")"
        check_honest "killed" "$name" "$(dump_of "$name")"
done

perfctl dump flight history stream >/dev/null 2>&1
cursor=$(journalctl -b -n 0 --show-cursor | sed -n 's/^-- cursor: //p')
begin=$(now_msec)
check "all stop beside them" timeout 60 perfctl stop
took=$(($(now_msec) - begin))
check "in time ($took ms)" test "$took" -le "$STOP_MAX_MSEC"
check_no_match "none of them is killed" 'SIGKILL|signal=KILL|timed out|oom-kill' "$(journalctl --after-cursor="$cursor" -o cat)"
check_no_match "none has failed" 'Failed with result|entered failed' "$(journalctl -b -o cat -u perf-recorderd)"
check_no_match "nothing was lost for its size" 'Argument list too long' "$(journalctl -b -o cat -u perf-recorderd)"

for pid in "${pids[@]}"; do kill "$pid"; done
pkill -KILL -u hostile
# What is beside the dumps is all that is left of the programs.
rm "$folder/honest" "$folder/maker"
check_honest "afterwards" flight "$(dump_of flight)"
check_report "afterwards" "$(dump_of flight)"
rm -rf "$folder" "$secret" /tmp/perf-*.map
finish
