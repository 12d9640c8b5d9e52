#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Recorders of the whole machine beside programs of an ordinary user that do what they can to get in the way. Recorders start,
# dump, are killed and followed, and stop while those run, in bounded memory, and what others do is recorded as ever.
# SECONDS_OF_DUMPS (15) or MINUTES: how long dumps are made.
#
# To add a neighbour: a function neighbour_NAME that starts it in the background by "neighbour", and its NAME in NEIGHBOURS.
# shellcheck disable=SC2317 # called by name
. "$(dirname "$0")/assert.sh"

TESTS=$(dirname "$(realpath "$0")")
SECONDS_OF_DUMPS=${SECONDS_OF_DUMPS:-15}
[ -z "${MINUTES:-}" ] || SECONDS_OF_DUMPS=$((MINUTES * 60))
MEMORY_MAX_KIB=$((64 * 1024)) # of a recorder, besides its rings
DUMP_MAX_MSEC=5000            # with all processors busy
NEIGHBOURS=(mappings storm)
SESSIONS_HERE=(flight history stream)
folder=/tmp/neighbours

neighbour() { # NAME COMMAND…: as an ordinary user, in a folder of its own, with its lines in NAME.log
        local name=$1
        shift
        mkdir -p "$folder/$name"
        chown hostile: "$folder/$name"
        setpriv --reuid=hostile --regid=hostile --clear-groups --no-new-privs "$@" >"$folder/$name.log" 2>&1 &
        pids+=($!)
}
ready() { [ "$(grep -c '^ready' "$folder/$1.log")" -ge "$2" ]; } # NAME PROCESSES

# 16,000 mappings in each of five processes, with a path of 4,000 bytes: 65 MB a process, if all were written.
neighbour_mappings() {
        neighbour mappings "$TESTS/neighbour-mapper" "$folder/mappings" 16000 5
        wait_for 60 ready mappings 5
}
# One that replaces mappings as fast as it can.
neighbour_storm() {
        neighbour storm "$TESTS/neighbour-mapper" "$folder/storm" 16000 1 100
        wait_for 60 ready storm 1
}

memory_kib() { # NAME: what the recorder has of its own, and the memory files that outlive it, besides rings and history
        local pid files
        pid=$(session_pid "$1")
        files=$(find "/proc/$pid/fd" -lname '*memfd:perf-recorder-sideband*' -exec stat -L -c %b {} + 2>/dev/null | head -n 1)
        echo $(($(awk '/^RssAnon:/ { print $2 }' "/proc/$pid/status") + ${files:-0} / 2))
}

dump_of() { find "$BASE/session-$1" -maxdepth 1 -name 'perf.data.2*[0-9]' -type f | sort | tail -n 1; }

# What the honest program was doing is known by the file that it was in.
check_honest() { # DESCRIPTION FILE
        local lines all unknown
        lines=$(timeout 100 perf script -i "$2" --comm honest -F comm,ip,sym,dso 2>/dev/null)
        all=$(grep -c '^ *honest ' <<<"$lines")
        unknown=$(grep '^ *honest ' <<<"$lines" | grep -c '(\[unknown\])')
        check "$1: the honest program is there ($all samples)" test "$all" -ge 5
        check "$1: and resolved ($unknown unknown)" test $((unknown * 50)) -le "$all"
}

check_memory() { # DESCRIPTION NAME
        local kib
        kib=$(memory_kib "$2")
        [ "$kib" -gt "${most[$2]:-0}" ] && most[$2]=$kib
        [ "$kib" -le "$MEMORY_MAX_KIB" ] || check "$1: memory of $2 ($kib KiB)" test "$kib" -le "$MEMORY_MAX_KIB"
}

# Only what goes wrong is a line.
dump() { # DESCRIPTION NAME
        local begin took output
        begin=$(now_msec)
        output=$(timeout 60 perfctl dump "$2" 2>&1) || report 1 "$1: a dump of $2" "$output"
        took=$(($(now_msec) - begin))
        [ "$took" -gt "${slowest[$2]:-0}" ] && slowest[$2]=$took
        dumps=$((dumps + 1))
}

declare -A most slowest
dumps=0
pids=()
[ -x "$TESTS/neighbour-mapper" ] || {
        report 0 "neighbours # SKIP there is no compiler here"
        finish
}
id hostile >/dev/null 2>&1 || useradd -m hostile
rm -rf "$folder"
mkdir -p "$folder"
fresh
for name in "${NEIGHBOURS[@]}"; do
        "neighbour_$name"
        report $? "the neighbour \"$name\" is there" "$(cat "$folder/$name.log")"
done
cp "$(command -v sha256sum)" "$folder/honest"
"$folder/honest" /dev/zero &
pids+=($!)

write_session flight '[Session]' 'Run=-e cpu-clock -F 199 -a -m 1M --overwrite --switch-output=signal' 'RestartSec=20ms'
write_session history '[Session]' 'Run=-e cpu-clock -F 199 -a -m 128K -M 8M' 'RestartSec=20ms'
write_session stream '[Session]' 'Run=-e cpu-clock -F 199 -a --switch-output=signal'
check "sessions start beside them" timeout 60 perfctl start
sleep 3
for name in "${SESSIONS_HERE[@]}"; do
        check "a dump of $name" timeout 60 perfctl dump "$name"
        check_honest "$name" "$(dump_of "$name")"
done
check_match "what is left out is said of a dump" 'Left out: [0-9]+ mappings of [1-9]' "$(perfctl info flight 2>/dev/null)"
check_match "and in the journal" 'has more mappings than its share' "$(journalctl -b -o cat PERF_SESSION=flight)"

end=$((SECONDS + SECONDS_OF_DUMPS))
while [ "$SECONDS" -lt "$end" ]; do
        for name in "${SESSIONS_HERE[@]}"; do
                dump "while they run" "$name"
                check_memory "while they run" "$name"
                # Files are many megabytes here.
                find "$BASE/session-$name" -maxdepth 1 -name 'perf.data.2*[0-9]' -type f | sort | head -n -3 | xargs -r rm -f
        done
        sleep 1
done
for name in "${SESSIONS_HERE[@]}"; do
        check "memory of $name, at most ${most[$name]} KiB" test "${most[$name]}" -le "$MEMORY_MAX_KIB"
        check "dumps of $name, the slowest in ${slowest[$name]} ms" test "${slowest[$name]}" -le "$DUMP_MAX_MSEC"
        check_honest "$name, after $dumps dumps" "$(dump_of "$name")"
done
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
        check_honest "killed: $name" "$(dump_of "$name")"
done

begin=$(now_msec)
check "all stop beside them" timeout 60 perfctl stop
took=$(($(now_msec) - begin))
check "in time ($took ms)" test "$took" -le 10000
check_no_match "none has failed" 'Failed with result|entered failed' "$(journalctl -b -o cat -u perf-recorderd)"
check_no_match "nothing was lost for its size" 'Argument list too long' "$(journalctl -b -o cat -u perf-recorderd)"

for pid in "${pids[@]}"; do kill "$pid"; done
pkill -KILL -u hostile
finish
